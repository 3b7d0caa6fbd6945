//! Tests of data-bound content controls (§17.5.2.6) and other content of controls.

mod word;

use waraq_docx::tree::*;
use word::*;

const CORE: &str = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}";

fn binding(path: &str, store: &str) -> String {
    format!("<w:dataBinding w:xpath=\"{path}\" w:storeItemID=\"{store}\"/>")
}

fn control(properties: &str, content: &str) -> String {
    format!("<w:sdt><w:sdtPr>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>")
}

fn r(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
}

fn shown(word: Word) -> Vec<String> {
    let document = word.read();
    body(&document).into_iter().map(text).collect()
}

/// Creates a document with a custom XML part whose store id is `{A}`.
fn with_data(body: &str) -> Word {
    Word::new(body)
        .part("customXml", "item1.xml", b"<d xmlns=\"urn:d\" kind=\"lease\"><party>Ana</party><party>Bo</party><none/></d>")
        .part("unused", "itemProps1.xml", b"<ds:datastoreItem ds:itemID=\"{a}\" xmlns:ds=\"http://schemas.openxmlformats.org/officeDocument/2006/customXml\"/>")
        .part(
            "unused2",
            "_rels/item1.xml.rels",
            b"<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"r\" \
              Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps\" Target=\"itemProps1.xml\"/></Relationships>",
        )
}

#[test]
fn a_bound_control_shows_the_property_with_its_own_formatting() {
    let title = format!("{}<w:text/>", binding("/ns1:coreProperties[1]/ns0:title[1]", CORE));
    let bold = "<w:r><w:rPr><w:b/></w:rPr><w:t>Old</w:t></w:r><w:r><w:t> one</w:t></w:r>";
    let document = Word::new(&format!("<w:p>{}{}{}</w:p>", r("a "), control(&title, bold), r(" z"))).read();
    let paragraph = body(&document)[0];
    assert_eq!(text(paragraph), "a The title z");
    let own =
        paragraph.inlines.iter().find(|inline| matches!(&inline.content, Content::Text(text) if text == "The title"));
    assert!(own.is_some_and(|inline| inline.run.bold));
}

#[test]
fn controls_show_the_custom_xml_they_are_bound_to() {
    let path = |path: &str| format!("{}<w:text/>", binding(path, "{A}"));
    let in_line = |properties: &str| format!("<w:p>{}</w:p>", control(properties, &r("old")));
    let list = format!(
        "<w:dropDownList><w:listItem w:displayText=\"Miete\" w:value=\"lease\"/></w:dropDownList>{}",
        binding("/x:d[1]/@kind", "{A}")
    );
    let cases = [
        (in_line(&path("/x:d[1]/x:party[2]")), vec!["Bo"]),
        (control(&path("/d/party"), &[p("old"), p("older")].concat()), vec!["Ana"]),
        (in_line(&list), vec!["Miete"]),
        // The data is empty or missing: the control keeps its content.
        (in_line(&path("/x:d[1]/x:none[1]")), vec!["old"]),
        (in_line(&path("/x:d[1]/x:party[3]")), vec!["old"]),
        (in_line(&path("/x:d[1]/x:party[position()=1]")), vec!["old"]),
        (in_line(&path("d")), vec!["old"]),
        (in_line(&format!("{}<w:text/>", binding("/d/party", "{B}"))), vec!["old"]),
        // A picture or rich text is not replaced with text.
        (in_line(&binding("/d/party", "{A}")), vec!["old"]),
    ];
    for (xml, expected) in cases {
        assert_eq!(shown(with_data(&xml)), expected, "{xml}");
    }
}

#[test]
fn bound_data_replaces_a_placeholder_and_its_formatting() {
    let properties = format!("<w:rPr><w:i/></w:rPr>{}<w:showingPlcHdr/><w:text/>", binding("/d/party", "{A}"));
    let grey = "<w:r><w:rPr><w:color w:val=\"808080\"/></w:rPr><w:t>Click here</w:t></w:r>";
    let document = with_data(&format!("<w:p>{}</w:p>", control(&properties, grey))).read();
    let inline = &body(&document)[0].inlines[0];
    assert_eq!(inline.content_text(), "Ana");
    assert!(inline.run.italic && inline.run.color.is_none());
}

/// Access to the text of an inline.
trait ContentText {
    fn content_text(&self) -> &str;
}

impl ContentText for Inline {
    fn content_text(&self) -> &str {
        match &self.content {
            Content::Text(text) => text,
            _ => "",
        }
    }
}

#[test]
fn xml_space_of_the_root_applies_to_all_text() {
    let namespaces = "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
    let xml = "<w:p><w:r><w:t>a</w:t></w:r><w:r><w:t> </w:t></w:r><w:r><w:t xml:space=\"default\"> b</w:t></w:r></w:p>";
    assert_eq!(shown(Word::new(xml).namespaces(namespaces)), ["ab"]);
    assert_eq!(shown(Word::new(xml).namespaces(&format!("{namespaces} xml:space=\"preserve\""))), ["a b"]);
}
