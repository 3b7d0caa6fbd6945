//! Tests of fields in document properties, document variables and custom XML, and of the content controls bound to them.

mod filling;

use filling::{fill, names};
use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_docx::fields;
use waraq_docx::tree::{Block, Content};
use waraq_docx::{Package, ReadOptions, read};

const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const STORE: &str = "{11111111-2222-3333-4444-555555555555}";

/// Adds the property parts: the core properties, the extended properties and the custom properties.
fn with_properties(document: DocumentBuilder, core: &str, extended: &str, custom: &str) -> DocumentBuilder {
    let relationships = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" Type=\"{R}/officeDocument\" Target=\"word/document.xml\"/>\
         <Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>\
         <Relationship Id=\"rId3\" Type=\"{R}/extended-properties\" Target=\"docProps/app.xml\"/>\
         <Relationship Id=\"rId4\" Type=\"{R}/custom-properties\" Target=\"docProps/custom.xml\"/></Relationships>"
    );
    let core = format!(
        "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\">{core}</cp:coreProperties>"
    );
    let extended = format!(
        "<Properties xmlns=\"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties\">{extended}</Properties>"
    );
    let custom = format!(
        "<Properties xmlns=\"http://schemas.openxmlformats.org/officeDocument/2006/custom-properties\" \
         xmlns:vt=\"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes\">{custom}</Properties>"
    );
    document
        .with_part("_rels/.rels", relationships)
        .with_part("docProps/core.xml", core)
        .with_part("docProps/app.xml", extended)
        .with_part("docProps/custom.xml", custom)
}

fn property(name: &str, value: &str) -> String {
    format!(
        "<property fmtid=\"{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}\" pid=\"2\" name=\"{name}\"><vt:lpwstr>{value}</vt:lpwstr></property>"
    )
}

/// Adds a custom XML part with this root element and the store id [`STORE`].
fn with_custom_xml(mut document: DocumentBuilder, root: &str) -> DocumentBuilder {
    document.add_relationship("customXml", "../customXml/item1.xml", false);
    let properties = format!(
        "<ds:datastoreItem xmlns:ds=\"http://schemas.openxmlformats.org/officeDocument/2006/customXml\" ds:itemID=\"{STORE}\"/>"
    );
    let relationships = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" Type=\"{R}/customXmlProps\" Target=\"itemProps1.xml\"/></Relationships>"
    );
    document
        .with_part("customXml/item1.xml", root)
        .with_part("customXml/itemProps1.xml", properties)
        .with_part("customXml/_rels/item1.xml.rels", relationships)
}

/// Returns a plain-text control that is bound to a path in the store [`STORE`].
fn bound(properties: &str, path: &str, content: &str) -> String {
    format!(
        "<w:sdt><w:sdtPr>{properties}<w:dataBinding w:prefixMappings=\"xmlns:n='urn:x'\" w:xpath=\"{path}\" w:storeItemID=\"{STORE}\"/><w:text/></w:sdtPr>\
         <w:sdtContent>{content}</w:sdtContent></w:sdt>"
    )
}

/// Returns the text of each paragraph of the body as it is read.
fn shown(package: &Package) -> Vec<String> {
    let document = read(package, &ReadOptions::default()).unwrap();
    let blocks = document.sections.iter().flat_map(|section| &section.blocks);
    let paragraphs = blocks.filter_map(|block| match block {
        Block::Paragraph(paragraph) => Some(paragraph),
        Block::Table(_) => None,
    });
    let text = |content: &Content| match content {
        Content::Text(text) => text.clone(),
        Content::Break(_) => "\n".to_owned(),
        _ => String::new(),
    };
    paragraphs.map(|paragraph| paragraph.inlines.iter().map(|inline| text(&inline.content)).collect()).collect()
}

fn text_of(package: &Package, part: &str) -> String {
    package.part_text(part).unwrap().to_owned()
}

#[test]
fn fields_in_properties_are_listed_after_the_text_and_filled() {
    let document = with_properties(
        DocumentBuilder::new(&paragraph("{{title}} of {{body}}")),
        "<dc:title>{{title}}</dc:title><dc:subject>About {{sub&amp;ject}}</dc:subject><cp:keywords>{{k}}, &#123;{k}}</cp:keywords><cp:category>{{c}}</cp:category>",
        "<Company>{{company}} SARL</Company><Manager><![CDATA[{{boss}}]]></Manager><Pages>3</Pages>",
        &property("Client", "{{client}}"),
    );
    let expected =
        [("title", 2), ("body", 1), ("sub&ject", 1), ("k", 2), ("c", 1), ("company", 1), ("boss", 1), ("client", 1)];
    assert_eq!(names(&document), expected.map(|(name, count)| (name.to_owned(), count)));
    let filled = fill(
        &document,
        &[
            ("title", "A < B"),
            ("body", ""),
            ("c", ""),
            ("sub&ject", "\"s\""),
            ("k", "عقد"),
            ("company", "X"),
            ("boss", "Y & Z"),
            ("client", "Nadir & Fils"),
        ],
    );
    let core = text_of(&filled, "docProps/core.xml");
    assert!(core.contains("<dc:title>A &lt; B</dc:title>") && core.contains("About &quot;s&quot;<"), "{core}");
    assert!(core.contains(">عقد, عقد<") && core.contains("<cp:category></cp:category>"), "{core}");
    let extended = text_of(&filled, "docProps/app.xml");
    assert!(extended.contains("<Company>X SARL</Company><Manager>Y &amp; Z</Manager><Pages>3</Pages>"), "{extended}");
    assert!(text_of(&filled, "docProps/custom.xml").contains(">Nadir &amp; Fils<"));
    let tree = read(&filled, &ReadOptions::default()).unwrap();
    assert_eq!(
        (tree.properties.title.as_deref(), tree.properties.keywords.as_deref()),
        (Some("A < B"), Some("عقد, عقد"))
    );
}

#[test]
fn fields_in_document_variables_are_filled() {
    let mut document = DocumentBuilder::new(&paragraph("text"));
    document.add_related_part(
        "settings",
        "settings",
        "settings.xml",
        "<w:docVars><w:docVar w:name=\"{{no}}\" w:val=\"Dear {{who}}\"/></w:docVars><w:attachedTemplate r:id=\"rId9\"/>",
    );
    let relationships = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId9\" Type=\"{R}/attachedTemplate\" \
         Target=\"https://example.org/a.dotm\" TargetMode=\"External\"/></Relationships>"
    );
    let document = document.with_part("word/_rels/settings.xml.rels", relationships);
    assert_eq!(names(&document), [("who".to_owned(), 1)]);
    let filled = fill(&document, &[("who", "A & B")]);
    let settings = text_of(&filled, "word/settings.xml");
    assert!(
        settings.contains("w:name=\"{{no}}\" w:val=\"Dear A &amp; B\"") && !settings.contains("attachedTemplate"),
        "{settings}"
    );
}

#[test]
fn broken_properties_do_not_prevent_filling() {
    let document = with_properties(DocumentBuilder::new(&paragraph("{{a}}")), "<dc:title>{{t}}</dc:title", "", "");
    let package = Package::open(&document.to_bytes()).unwrap();
    let names: Vec<String> = fields::list(&package).unwrap().into_iter().map(|field| field.name).collect();
    assert_eq!(names, ["a"]);
}

#[test]
fn bound_controls_and_their_data_agree_after_filling() {
    let path = "/n:root[1]/n:t[1]";
    let body = [
        format!("<w:p>{}{}</w:p>", run("A "), bound("<w:tag w:val=\"x\"/>", path, &run("Mr {{n}}"))),
        format!("<w:p>{}{}</w:p>", run("B "), bound("", path, &run("stale"))),
        bound("", path, &paragraph("also stale")),
        format!("<w:p>{}</w:p>", bound("", "/n:root[1]/n:u[1]", &run("same"))),
    ]
    .concat();
    let root = "<root xmlns=\"urn:x\"><t>Mr {{n}}</t><u>same</u></root>";
    let document = with_custom_xml(DocumentBuilder::new(&body), root);
    assert_eq!(names(&document), [("n".to_owned(), 2)]);
    let filled = fill(&document, &[("n", "Lee & Co")]);
    assert_eq!(shown(&filled), ["A Mr Lee & Co", "B Mr Lee & Co", "Mr Lee & Co", "same"]);
    assert!(text_of(&filled, "customXml/item1.xml").contains("<t>Mr Lee &amp; Co</t>"));
    let main = text_of(&filled, "word/document.xml");
    assert_eq!((main.matches("Lee &amp; Co").count(), main.matches("<w:dataBinding").count()), (3, 4), "{main}");
}

#[test]
fn a_filled_control_writes_its_value_to_its_data() {
    let path = "/n:root[1]/n:t[1]";
    let cases = [
        ("<root xmlns=\"urn:x\"><t>old</t></root>", "<t>V &lt; W</t>"),
        ("<root xmlns=\"urn:x\"><t/></root>", "<t>V &lt; W</t>"),
        ("<x:root xmlns:x=\"urn:x\" a=\">\"><x:t b=\">\">old &amp; new</x:t></x:root>", "<x:t b=\">\">V &lt; W</x:t>"),
    ];
    for (root, expected) in cases {
        let body = format!(
            "<w:p>{}</w:p><w:p>{}</w:p>",
            bound("<w:tag w:val=\"name\"/>", path, &run("type here")),
            bound("", path, &run("old"))
        );
        let document = with_custom_xml(DocumentBuilder::new(&body), root);
        assert_eq!(names(&document), [("name".to_owned(), 1)]);
        let filled = fill(&document, &[("name", "V < W")]);
        assert_eq!(shown(&filled), ["V < W", "V < W"], "{root}");
        let data = text_of(&filled, "customXml/item1.xml");
        assert!(data.contains(expected), "{data}");
    }
}

#[test]
fn controls_with_the_same_data_never_show_the_old_value() {
    let path = "/n:root[1]/n:t[1]";
    let date = "<w:date><w:dateFormat w:val=\"d MMMM yyyy\"/><w:lid w:val=\"en-GB\"/></w:date>";
    let list = "<w:dropDownList><w:listItem w:displayText=\"Red\" w:value=\"r\"/></w:dropDownList>";
    for (kind, value, expected, data) in [
        ("<w:text/>", "New", "New", "New"),
        ("<w:text/>", "", "", ""),
        (date, "2026-02-03", "3 February 2026", "2026-02-03T00:00:00"),
        (date, "soon", "soon", "soon"),
        (date, "", "", ""),
        (list, "red", "Red", "r"),
        (list, "", "", ""),
    ] {
        let with_kind = |properties: &str| bound(properties, path, &run("Old")).replace("<w:text/>", kind);
        let body = format!("<w:p>{}</w:p><w:p>{}</w:p>", with_kind("<w:tag w:val=\"x\"/>"), with_kind(""));
        let document = with_custom_xml(DocumentBuilder::new(&body), "<root xmlns=\"urn:x\"><t>Old</t></root>");
        let filled = fill(&document, &[("x", value)]);
        assert_eq!(shown(&filled), [expected, expected], "{kind} {value}");
        assert!(text_of(&filled, "customXml/item1.xml").contains(&format!("<t>{data}</t>")), "{kind} {value}");
    }
}

#[test]
fn a_control_bound_to_an_attribute_or_a_core_property_is_written_too() {
    let attribute = bound("<w:tag w:val=\"kind\"/>", "/n:root[1]/@kind", &run("x"));
    let title = "<w:sdt><w:sdtPr><w:dataBinding w:xpath=\"/ns1:coreProperties[1]/ns0:title[1]\" w:storeItemID=\"{6C3C8BC8-F283-45AE-878A-BAB7291924A1}\"/><w:text/></w:sdtPr>\
        <w:sdtContent><w:r><w:t>{{a}} {{b}}</w:t></w:r></w:sdtContent></w:sdt>";
    let document = with_custom_xml(
        DocumentBuilder::new(&format!("<w:p>{attribute}</w:p><w:p>{title}</w:p>")),
        "<root xmlns=\"urn:x\" kind=\"old\"/>",
    );
    let document = with_properties(document, "<dc:title>Old</dc:title>", "", "");
    let filled = fill(&document, &[("kind", "\"lease\""), ("a", "One"), ("b", "اثنان")]);
    assert!(text_of(&filled, "customXml/item1.xml").contains("kind=\"&quot;lease&quot;\""));
    assert!(text_of(&filled, "docProps/core.xml").contains("<dc:title>One اثنان</dc:title>"));
    assert_eq!(shown(&filled)[1].replace(['\u{200e}', '\u{200f}'], ""), "One اثنان");
}

#[test]
fn data_with_fields_of_its_own_wins_over_the_control() {
    let body = format!("<w:p>{}</w:p>", bound("", "/n:root[1]/n:t[1]", &run("{{a}}")));
    let document = with_custom_xml(DocumentBuilder::new(&body), "<root xmlns=\"urn:x\"><t>{{b}}!</t></root>");
    let filled = fill(&document, &[("a", "1"), ("b", "2")]);
    assert_eq!(shown(&filled), ["2!"]);
    assert!(text_of(&filled, "word/document.xml").contains(">2!<"));
}

#[test]
fn custom_xml_that_no_control_shows_is_left_alone() {
    let root = "<root xmlns=\"urn:x\"><t>{{a}}</t></root>";
    let document = with_custom_xml(DocumentBuilder::new(&paragraph("{{b}}")), root);
    assert_eq!(names(&document), [("b".to_owned(), 1)]);
    assert_eq!(text_of(&fill(&document, &[("b", "1")]), "customXml/item1.xml"), root);
}

#[test]
fn lines_of_bound_data_are_shown_if_the_control_has_several_lines() {
    let path = "/n:root[1]/n:t[1]";
    let several = bound("", path, &run("stale")).replace("<w:text/>", "<w:text w:multiLine=\"1\"/>");
    let body = format!("<w:p>{several}</w:p><w:p>{}</w:p>", bound("", path, &run("stale")));
    let document = with_custom_xml(DocumentBuilder::new(&body), "<root xmlns=\"urn:x\"><t>a\nb</t></root>");
    assert_eq!(shown(&Package::open(&document.to_bytes()).unwrap()), ["a\nb", "a b"]);
}
