//! Tests of filling through the public interface.

use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_docx::fields::{self, EmptyValue, FillOptions, Values};
use waraq_docx::{Error, Package};

fn fill_and_reopen(document: &DocumentBuilder, values: &[(&str, &str)]) -> Result<Package, Error> {
    let package = Package::open(&document.to_bytes())?;
    let filled = fields::fill(&package, &Values::from_pairs(values.iter().copied())?, FillOptions::default())?;
    // The saved file is opened again, as Word would do.
    let again = Package::open(&filled.to_bytes()?)?;
    again.validate()?;
    Ok(again)
}

/// Returns the content of the body after filling.
fn fill(body: &str, values: &[(&str, &str)]) -> String {
    let filled = fill_and_reopen(&DocumentBuilder::new(body), values).unwrap();
    body_of(&filled)
}

fn body_of(package: &Package) -> String {
    let text = package.part_text("word/document.xml").unwrap();
    let start = text.find("<w:body>").unwrap() + "<w:body>".len();
    text[start..text.find("</w:body>").unwrap()].to_owned()
}

/// Returns the text of each paragraph. Runs are joined, breaks are `\n` and tabs are `\t`.
fn texts(xml: &str) -> Vec<String> {
    xml.split("</w:p>")
        .filter(|paragraph| paragraph.contains("<w:p>") || paragraph.contains("<w:p "))
        .map(|paragraph| {
            let marked = paragraph.replace("<w:br/>", "<w:t>\n</w:t>").replace("<w:tab/>", "<w:t>\t</w:t>");
            let mut text = String::new();
            let mut rest = marked.as_str();
            while let Some(at) = rest.find("<w:t") {
                rest = &rest[at + 4..];
                if !rest.starts_with('>') && !rest.starts_with(' ') {
                    continue;
                }
                let open = rest.find('>').unwrap() + 1;
                let close = rest.find("</w:t>").unwrap();
                text.push_str(&rest[open..close]);
                rest = &rest[close..];
            }
            text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        })
        .collect()
}

fn refused(body: &str, values: &[(&str, &str)]) -> Error {
    fill_and_reopen(&DocumentBuilder::new(body), values).unwrap_err()
}

fn names(body: &str) -> Vec<String> {
    names_of(&DocumentBuilder::new(body))
}

fn names_of(document: &DocumentBuilder) -> Vec<String> {
    let package = Package::open(&document.to_bytes()).unwrap();
    fields::list(&package).unwrap().into_iter().map(|field| field.name).collect()
}

#[test]
fn names_are_normalised_and_may_be_of_any_language() {
    let body = paragraph(
        "{{ Nom du client }} {{اسم العميل}} {{a\u{a0}\t b}} {{e\u{301}t\u{200e}e\u{ad}}} {{n° (1)/2: x, y & z #3 % l’an}}",
    );
    assert_eq!(names(&body), ["Nom du client", "اسم العميل", "a b", "éte", "n° (1)/2: x, y & z #3 % l’an"]);
    assert_eq!(fill(&paragraph("{{\u{200f}اسم\u{200f}}}!"), &[("اسم", "1")]).matches("1!").count(), 1);
    assert_eq!(texts(&fill(&paragraph("{\u{200f}{a}\u{200e}}."), &[("a", "x")])), ["x."]);
}

#[test]
fn a_field_is_found_however_its_text_is_cut_into_runs() {
    let whole = "x{{name}}y";
    let characters: Vec<char> = whole.chars().collect();
    for first in 1..characters.len() {
        for second in first..characters.len() {
            let piece = |from: usize, to: usize| run(&characters[from..to].iter().collect::<String>());
            let body = format!(
                "<w:p>{}<w:proofErr w:type=\"spellStart\"/><w:bookmarkStart w:id=\"1\" w:name=\"b\"/>{}<w:commentRangeStart w:id=\"0\"/>{}</w:p>",
                piece(0, first),
                piece(first, second),
                piece(second, characters.len())
            );
            assert_eq!(texts(&fill(&body, &[("name", "VALUE")])), ["xVALUEy"], "cut at {first} and {second}");
        }
    }
}

#[test]
fn a_value_has_the_formatting_of_the_first_brace() {
    let body =
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>a {</w:t></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>{name}} z</w:t></w:r></w:p>";
    assert_eq!(
        fill(body, &[("name", "V")]),
        "<w:p><w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">a V</w:t></w:r>\
         <w:r><w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\"> z</w:t></w:r></w:p>"
    );
}

#[test]
fn fields_never_reach_across_paragraphs() {
    let body = paragraph("{{a") + &paragraph("b}}");
    assert!(names(&body).is_empty());
    assert_eq!(fill(&body, &[]), body);
}

#[test]
fn values_are_escaped_broken_and_tabbed_and_never_scanned_again() {
    let value = "R&D <b> \"x\" ]]>\nsecond\r\nthird\tend {{other}}";
    let filled = fill(&(paragraph("<{{name}}>") + &paragraph("{{other}}")), &[("name", value), ("other", "{{name}}")]);
    assert_eq!(texts(&filled), ["<R&D <b> \"x\" ]]>\nsecond\nthird\tend {{other}}>", "{{name}}"]);
    assert!(filled.contains("R&amp;D &lt;b&gt;"));
    assert_eq!((filled.matches("<w:br/>").count(), filled.matches("<w:tab/>").count()), (2, 1));
}

#[test]
fn a_backslash_makes_braces_literal() {
    let body = paragraph("\\{{name}} and {{name}}");
    assert_eq!(names(&body), ["name"]);
    assert_eq!(texts(&fill(&body, &[("name", "V")])), ["{{name}} and V"]);
}

#[test]
fn a_value_is_split_into_runs_by_direction() {
    let body =
        "<w:p><w:r><w:rPr><w:b/><w:sz w:val=\"28\"/><w:lang w:val=\"en-US\"/></w:rPr><w:t>[{{name}}]</w:t></w:r></w:p>";
    let filled = fill(body, &[("name", "Mr محمد 12 Smith")]);
    assert_eq!(texts(&filled), ["[Mr محمد 12 Smith]"]);
    assert!(
        filled.contains(
            "<w:rPr><w:b/><w:bCs/><w:sz w:val=\"28\"/><w:szCs w:val=\"28\"/><w:rtl/><w:lang w:val=\"en-US\"/></w:rPr>\
         <w:t xml:space=\"preserve\">محمد"
        ),
        "{filled}"
    );
    assert_eq!(filled.matches("<w:rtl/>").count(), 1);

    let arabic = "<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:bCs/><w:rtl/></w:rPr><w:t>[{{name}}]</w:t></w:r></w:p>";
    let filled = fill(arabic, &[("name", "Smith")]);
    assert!(filled.contains("<w:rPr><w:bCs/></w:rPr><w:t xml:space=\"preserve\">Smith</w:t>"), "{filled}");
    assert_eq!(filled.matches("<w:rtl/>").count(), 2, "the brackets keep theirs: {filled}");
    // Digits and signs are left-to-right and keep the formatting of the author's run, with w:cs instead of w:rtl.
    let filled = fill(arabic, &[("name", "12/05/2026")]);
    assert!(
        filled.contains("<w:r><w:rPr><w:bCs/><w:cs/></w:rPr><w:t xml:space=\"preserve\">12/05/2026</w:t></w:r>"),
        "{filled}"
    );
    // Direction marks keep the order in programs that only use the characters.
    let filled = fill(arabic, &[("name", "01 23")]);
    assert!(filled.contains(">\u{200f}\u{200e}01 23\u{200e}\u{200f}</w:t>"), "{filled}");
    let latin = fill(&paragraph("[{{name}}]"), &[("name", "01 23")]);
    assert!(latin.contains(">[01 23]</w:t>"), "{latin}");
    // A row of signs has no direction: the dotted line stays in the author's run.
    let filled = fill(arabic, &[("name", "......")]);
    assert!(
        filled.contains("<w:r><w:rPr><w:bCs/><w:rtl/></w:rPr><w:t xml:space=\"preserve\">[......]</w:t></w:r>"),
        "{filled}"
    );
    assert!(filled.contains("<w:pPr><w:bidi/></w:pPr>"));
}

#[test]
fn invalid_values_are_reported_with_the_names_of_their_fields() {
    let body = paragraph("{{First name}} {{Last name}} {{Date}}");
    let error = refused(&body, &[("Last name", "x")]);
    assert_eq!(
        (error.code.as_str(), error.fields),
        ("missing_fields", vec!["First name".to_owned(), "Date".to_owned()])
    );
    let error = refused(&body, &[("First name", ""), ("last nmae", "x"), ("Date", "")]);
    assert_eq!((error.code.as_str(), error.fields), ("unknown_field", vec!["last nmae".to_owned()]));
    assert_eq!(error.suggestions, [Some("Last name".to_owned())]);
    for bad in ["\u{0}", "a\u{c}", "\u{1f}", "\u{fffe}", "\u{ffff}"] {
        let error = refused(&body, &[("First name", ""), ("Last name", bad), ("Date", "")]);
        assert_eq!((error.code.as_str(), error.fields), ("illegal_character", vec!["Last name".to_owned()]), "{bad:?}");
    }
    let long = "é".repeat(10_001);
    let error = refused(&body, &[("First name", ""), ("Last name", ""), ("Date", &long)]);
    assert_eq!((error.code.as_str(), error.fields), ("value_too_long", vec!["Date".to_owned()]));
    let fits = "é".repeat(10_000);
    assert_eq!(texts(&fill(&paragraph("{{a}}"), &[("a", &fits)])), [fits]);
}

#[test]
fn all_values_together_have_a_limit() {
    let fields: Vec<String> = (0..21).map(|at| format!("f{at}")).collect();
    let body: String = fields.iter().map(|name| paragraph(&format!("{{{{{name}}}}}"))).collect();
    let value = "x".repeat(9_900);
    let values: Vec<(&str, &str)> = fields.iter().map(|name| (name.as_str(), value.as_str())).collect();
    assert_eq!(refused(&body, &values).code, "values_too_long");
}

#[test]
fn empty_text_is_a_value_and_may_print_a_dotted_line() {
    let body = paragraph("[{{a}}]");
    assert_eq!(texts(&fill(&body, &[("a", "")])), ["[]"]);
    let package = Package::open(&DocumentBuilder::new(&body).to_bytes()).unwrap();
    let values = Values::from_pairs([("a", "")]).unwrap();
    let filled =
        fields::fill(&package, &values, FillOptions { empty: EmptyValue::DottedLine, ..FillOptions::default() })
            .unwrap();
    assert_eq!(texts(&body_of(&filled)), ["[........................]"]);
    // White space alone counts as empty.
    for nothing in ["  ", "\u{a0}\t\n", "\u{200f}"] {
        let values = Values::from_pairs([("a", nothing)]).unwrap();
        for (empty, shown) in [(EmptyValue::DottedLine, "[........................]"), (EmptyValue::Blank, "[]")] {
            let filled = fields::fill(&package, &values, FillOptions { empty, ..FillOptions::default() }).unwrap();
            assert_eq!(texts(&body_of(&filled)), [shown], "{nothing:?}");
        }
    }
}

#[test]
fn merge_fields_become_plain_text() {
    let complex = "<w:p><w:r><w:t>Dear </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:fldChar w:fldCharType=\"begin\"><w:fldData>AA==</w:fldData></w:fldChar></w:r>\
        <w:r><w:instrText xml:space=\"preserve\"> MERGEFIELD </w:instrText></w:r><w:r><w:instrText> \"Nom du client\" \\* MERGEFORMAT </w:instrText></w:r>\
        <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:rPr><w:i/></w:rPr><w:t>«Nom</w:t></w:r><w:r><w:t>_du»</w:t></w:r>\
        <w:r><w:fldChar w:fldCharType=\"end\"/></w:r><w:r><w:t>!</w:t></w:r></w:p>";
    assert_eq!(names(complex), ["Nom du client"]);
    let filled = fill(complex, &[("Nom du client", "Zoé")]);
    assert_eq!(texts(&filled), ["Dear Zoé!"]);
    assert!(!filled.contains("fldChar") && !filled.contains("instrText"), "{filled}");
    assert!(filled.contains("<w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">Zoé"), "{filled}");

    let simple = "<w:p><w:fldSimple w:instr=\" MERGEFIELD Name \"><w:r><w:t>«Name»</w:t></w:r></w:fldSimple></w:p>";
    assert_eq!(fill(simple, &[("Name", "A & B")]), "<w:p><w:r><w:t xml:space=\"preserve\">A &amp; B</w:t></w:r></w:p>");
    let without_result = "<w:p><w:fldSimple w:instr=\"MERGEFIELD Name\"/><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r>\
        <w:instrText>mergefield Other</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    assert_eq!(texts(&fill(without_result, &[("Name", "x"), ("Other", "y\nz")])), ["xy\nz"]);
    // Other fields do not change.
    let page = "<w:p><w:fldSimple w:instr=\"PAGE\"><w:r><w:t>1</w:t></w:r></w:fldSimple></w:p>";
    assert_eq!(fill(page, &[]), page);
}

#[test]
fn tagged_plain_text_controls_become_plain_text() {
    let inline = "<w:p><w:sdt><w:sdtPr><w:rPr><w:b/></w:rPr><w:tag w:val=\"client\"/><w:showingPlcHdr/><w:dataBinding w:xpath=\"/a\"/><w:text/></w:sdtPr>\
        <w:sdtContent><w:r><w:rPr><w:rStyle w:val=\"PlaceholderText\"/></w:rPr><w:t>Click here</w:t></w:r></w:sdtContent></w:sdt><w:r><w:t>.</w:t></w:r></w:p>";
    assert_eq!(names(inline), ["client"]);
    let filled = fill(inline, &[("client", "Zoé")]);
    assert_eq!(texts(&filled), ["Zoé."]);
    assert!(!filled.contains("sdt") && !filled.contains("dataBinding"), "{filled}");
    assert!(filled.contains("<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">Zoé</w:t></w:r>"), "{filled}");

    let block = "<w:sdt><w:sdtPr><w:tag w:val=\"a\"/><w:text/></w:sdtPr><w:sdtContent><w:p/></w:sdtContent></w:sdt>\
        <w:sdt><w:sdtPr><w:tag w:val=\"b\"/><w:text/></w:sdtPr><w:sdtContent><w:p><w:pPr><w:jc w:val=\"end\"/></w:pPr></w:p></w:sdtContent></w:sdt>\
        <w:p><w:sdt><w:sdtPr><w:tag w:val=\"c\"/><w:text/></w:sdtPr><w:sdtContent/></w:sdt></w:p>";
    assert_eq!(names(block), ["a", "b", "c"]);
    assert_eq!(texts(&fill(block, &[("a", "1"), ("b", "2"), ("c", "3")])), ["1", "2", "3"]);
    // Controls without a tag are not fields.
    let rich = "<w:p><w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>y</w:t></w:r></w:sdtContent></w:sdt></w:p>";
    assert_eq!(fill(rich, &[]), rich);
}

#[test]
fn text_in_the_properties_of_a_control_is_ignored() {
    let field = |kind: &str| format!(r#"<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>"#);
    let code = r#"<w:r><w:instrText> MERGEFIELD client </w:instrText></w:r>"#;
    let body = format!(
        "<w:sdt><w:sdtPr><w:tag w:val=\"tag\"/><w:text/><w:p>{}{code}{}</w:p><w:p><w:r><w:t>{{{{no}}}}</w:t></w:r></w:p></w:sdtPr>\
         <w:sdtContent><w:p><w:r><w:t>x</w:t></w:r></w:p></w:sdtContent></w:sdt><w:p>{}</w:p>",
        field("begin"),
        field("separate"),
        field("end"),
    );
    assert_eq!(names(&body), ["tag"]);
    assert_eq!(texts(&fill(&body, &[("tag", "Tunis")])), ["Tunis", ""]);
}

#[test]
fn a_control_without_content_is_no_field_and_stays() {
    let body =
        r#"<w:p><w:r><w:t>{{name}}</w:t></w:r></w:p><w:sdt><w:sdtPr><w:tag w:val="tag"/><w:text/></w:sdtPr></w:sdt>"#;
    assert_eq!(names(body), ["name"]);
    assert!(fill(body, &[("name", "Tunis")]).ends_with("<w:tag w:val=\"tag\"/><w:text/></w:sdtPr></w:sdt>"));
}

#[test]
fn a_control_that_cannot_hold_a_value_is_no_field_and_stays() {
    // The control is inside a run, so it has no paragraph of its own. It also has no characters that a value could
    // replace.
    let control = "<w:sdt><w:sdtPr><w:tag w:val=\"tag\"/><w:text/></w:sdtPr><w:sdtContent>stray</w:sdtContent></w:sdt>";
    let body = format!("<w:p><w:r><w:t>{{{{name}}}}</w:t>{control}</w:r></w:p>");
    assert_eq!(names(&body), ["name"]);
    assert!(fill(&body, &[("name", "Tunis")]).contains(control));
}

#[test]
fn only_the_first_content_of_a_control_is_text() {
    let text = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let body = format!(
        "<w:sdt><w:sdtPr><w:tag w:val=\"tag\"/><w:text/></w:sdtPr>{}<x:y xmlns:x=\"urn:x\">{}</x:y>\
         <w:sdtContent>{}</w:sdtContent><w:sdtContent>{}</w:sdtContent></w:sdt>",
        text("{{before}}"),
        text("{{foreign}}"),
        text("old"),
        text("{{second}}"),
    );
    assert_eq!(names(&body), ["tag"]);
    assert_eq!(texts(&fill(&body, &[("tag", "Tunis")])), ["Tunis"]);
}

#[test]
fn text_in_field_characters_and_field_codes_is_ignored() {
    let text = "<w:p><w:r><w:t>{{no}}</w:t><w:fldChar></w:fldChar></w:r></w:p>";
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\">{text}</w:fldChar></w:r>");
    let body = format!(
        "<w:p>{}<w:r><w:instrText> MERGEFIELD city {text}</w:instrText></w:r>{}<w:r><w:t>old</w:t></w:r>{}</w:p>",
        character("begin"),
        character("separate"),
        character("end"),
    );
    assert_eq!(names(&body), ["city"]);
    let filled = fill(&body, &[("city", "Tunis")]);
    assert_eq!(texts(&filled), ["Tunis"]);
    assert!(!filled.contains("fldChar"), "{filled}");
}

#[test]
fn a_run_is_closed_only_between_its_own_children() {
    // The value is bold and Arabic, so it cannot use the run of the field.
    let choice = "<mc:AlternateContent xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\">\
                  <mc:Choice Requires=\"w\"><w:tab/></mc:Choice></mc:AlternateContent>";
    let body = format!(
        "<w:p><w:sdt><w:sdtPr><w:tag w:val=\"tag\"/><w:text/></w:sdtPr><w:sdtContent><w:r><w:rPr><w:b/></w:rPr>{choice}</w:r>\
         </w:sdtContent></w:sdt></w:p>"
    );
    assert_eq!(texts(&fill(&body, &[("tag", "تونس")])), ["تونس"]);
}

#[test]
fn fields_inside_a_merge_field_are_replaced_with_it() {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let text = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let simple = |code: &str, result: &str| format!("<w:fldSimple w:instr=\" {code} \">{result}</w:fldSimple>");
    let code = |code: &str| format!("<w:r><w:instrText> {code} </w:instrText></w:r>");
    let (begin, separate, end) = (character("begin"), character("separate"), character("end"));
    let in_result = format!(
        "<w:p>{begin}{}{separate}{}{}{}{end}</w:p>",
        code("MERGEFIELD client"),
        simple("MERGEFIELD city", &text("a")),
        simple("REF b", &text("b")),
        "<w:fldSimple w:instr=\" MERGEFIELD empty \"/>",
    );
    let in_code = format!(
        "<w:p>{begin}{}{}{}{separate}{}{end}</w:p>",
        code("MERGEFIELD client"),
        text("hidden &amp; gone"),
        simple("MERGEFIELD city", &text("hidden")),
        text("old"),
    );
    let in_simple = format!(
        "<w:p>{}</w:p>",
        simple("MERGEFIELD client", &format!("{begin}{}{separate}{}{end}", code("PAGE"), text("7")))
    );
    for body in [in_result, in_code, in_simple] {
        assert_eq!(names(&body), ["client"], "{body}");
        let filled = fill(&body, &[("client", "Tunis")]);
        assert_eq!(texts(&filled), ["Tunis"], "{filled}");
        assert!(!filled.contains("fld"), "{filled}");
    }
}

#[test]
fn a_merge_field_that_ends_inside_of_another_leaves_the_part_well_formed() {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let code = "<w:r><w:instrText> MERGEFIELD Name </w:instrText></w:r>";
    let (begin, end) = (character("begin"), character("end"));
    let page = |inside: &str| format!("<w:fldSimple w:instr=\"PAGE\">{inside}<w:r><w:t>1</w:t></w:r></w:fldSimple>");
    let crossing = format!("<w:p>{begin}{code}{}</w:p>", page(&end));
    let filled = fill(&crossing, &[("Name", "value")]);
    assert!(filled.contains("<w:fldSimple") && filled.contains("</w:fldSimple>"), "{filled}");
    assert!(texts(&filled).concat().contains("value"), "{filled}");
    // A field that is completely inside is removed with it.
    let around = format!("<w:p>{begin}{code}{}{end}</w:p>", page(""));
    let filled = fill(&around, &[("Name", "value")]);
    assert!(!filled.contains("fldSimple"), "{filled}");
}

#[test]
fn a_merge_field_without_an_end_is_no_field_and_what_follows_is_text() {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let body = format!(
        "<w:p>{}<w:r><w:instrText> MERGEFIELD client </w:instrText></w:r>{}<w:r><w:t>old {{{{name}}}}</w:t></w:r></w:p>",
        character("begin"),
        character("separate"),
    );
    assert_eq!(names(&body), ["name"]);
    assert_eq!(texts(&fill(&body, &[("name", "Tunis")])), ["old Tunis"]);
}

#[test]
fn filling_a_field_in_a_control_removes_its_data_binding() {
    let body = "<w:p><w:sdt><w:sdtPr><w:tag w:val=\"t\"/><w:dataBinding w:xpath=\"/a\"></w:dataBinding><w15:dataBinding w:xpath=\"/b\"/><w:showingPlcHdr/><w:text/></w:sdtPr>\
        <w:sdtContent><w:r><w:t>{{name}}</w:t></w:r></w:sdtContent></w:sdt></w:p>";
    assert_eq!(names(body), ["name"]);
    assert_eq!(
        fill(body, &[("name", "V")]),
        "<w:p><w:sdt><w:sdtPr><w:tag w:val=\"t\"/><w:text/></w:sdtPr><w:sdtContent><w:r><w:t xml:space=\"preserve\">V</w:t></w:r></w:sdtContent></w:sdt></w:p>"
    );
}

fn document_with_fields_everywhere() -> DocumentBuilder {
    let text_box = |field: &str| format!("<w:txbxContent>{}</w:txbxContent>", paragraph(field));
    let body = format!(
        "<w:p>{}<w:r><w:footnoteReference w:id=\"2\"/></w:r>{}<w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:txbx>{}</wps:txbx></w:drawing></mc:Choice>\
         <mc:Fallback><w:pict>{}</w:pict></mc:Fallback></mc:AlternateContent></w:r>{}</w:p>\
         <w:tbl><w:tr><w:tc><w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>\
         <w:p><w:hyperlink r:id=\"rId99\">{}</w:hyperlink><w:ins w:id=\"1\" w:author=\"a\">{}</w:ins>\
         <w:del w:id=\"2\" w:author=\"a\"><w:r><w:delText>{{{{deleted}}}}</w:delText></w:r></w:del>\
         <w:moveFrom w:id=\"3\" w:author=\"a\">{}</w:moveFrom><w:r><w:endnoteReference w:id=\"1\"/></w:r></w:p>\
         <w:sdt><w:sdtPr/><w:sdtContent>{}</w:sdtContent></w:sdt>\
         <w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId4\"/><w:footerReference w:type=\"default\" r:id=\"rId5\"/></w:sectPr>",
        run("{{before}}"),
        run("{{after note}}"),
        text_box("{{box}}"),
        text_box("{{box}}"),
        run("{{after box}}"),
        paragraph("{{nested table}}"),
        run("{{link}}"),
        run("{{inserted}}"),
        run("{{moved away}}"),
        paragraph("{{control}}"),
    );
    let mut document = DocumentBuilder::new(&body);
    document.add_related_part(
        "footnotes",
        "footnotes",
        "footnotes.xml",
        &format!("<w:footnote w:id=\"2\">{}</w:footnote>", paragraph("{{note}}")),
    );
    document.add_related_part(
        "endnotes",
        "endnotes",
        "endnotes.xml",
        &format!("<w:endnote w:id=\"1\">{}</w:endnote>", paragraph("{{endnote}}")),
    );
    document.add_related_part(
        "comments",
        "comments",
        "comments.xml",
        &format!("<w:comment w:id=\"1\">{}</w:comment>", paragraph("{{comment}}")),
    );
    document.add_related_part("header", "hdr", "header1.xml", &paragraph("{{header}}"));
    document.add_related_part("footer", "ftr", "footer1.xml", &paragraph("{{footer}}"));
    document.add_related_part("styles", "styles", "styles.xml", "");
    document.with_part("word/media/image1.png", [7_u8; 64])
}

const EVERYWHERE: [&str; 13] = [
    "before",
    "note",
    "after note",
    "box",
    "after box",
    "nested table",
    "link",
    "inserted",
    "endnote",
    "control",
    "header",
    "footer",
    "comment",
];

#[test]
fn fields_of_all_parts_are_listed_in_reading_order() {
    let package = Package::open(&document_with_fields_everywhere().to_bytes()).unwrap();
    let found = fields::list(&package).unwrap();
    assert_eq!(found.iter().map(|field| field.name.as_str()).collect::<Vec<_>>(), EVERYWHERE);
    assert!(found.iter().all(|field| field.occurrences == 1), "{found:?}");
    let values: Vec<(&str, String)> = EVERYWHERE.iter().map(|name| (*name, name.to_uppercase())).collect();
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let filled = fill_and_reopen(&document_with_fields_everywhere(), &values).unwrap();
    let body = body_of(&filled);
    assert_eq!(body.matches(">BOX<").count(), 2, "for old readers and new: {body}");
    assert!(body.contains("{{deleted}}") && body.contains("{{moved away}}"));
    for (part, text) in [("footnotes", "NOTE"), ("endnotes", "ENDNOTE"), ("header1", "HEADER"), ("footer1", "FOOTER")] {
        assert!(filled.part_text(&format!("word/{part}.xml")).unwrap().contains(text), "{part}");
    }
}

#[test]
fn parts_without_fields_stay_byte_for_byte() {
    let document = document_with_fields_everywhere();
    let values: Vec<(&str, &str)> = EVERYWHERE.iter().map(|name| (*name, "v")).collect();
    let filled = fill_and_reopen(&document, &values).unwrap();
    for (name, content) in document.parts() {
        let holds = ["document.xml", "footnotes.xml", "endnotes.xml", "header1.xml", "footer1.xml", "comments.xml"];
        if !holds.iter().any(|part| name == format!("word/{part}")) {
            assert_eq!(filled.part_bytes(&name).unwrap(), content, "{name}");
        }
    }
    let package = Package::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs(values).unwrap();
    let once = fields::fill(&package, &values, FillOptions::default()).unwrap().to_bytes().unwrap();
    let twice = fields::fill(&package, &values, FillOptions::default()).unwrap().to_bytes().unwrap();
    assert_eq!(once, twice);
}

#[test]
fn tabs_breaks_references_and_cdata_inside_a_field_are_replaced_with_it() {
    let body = "<w:p><w:r><w:t>a{{x</w:t><w:tab></w:tab><w:t>y &amp;</w:t><w:br/><w:t><![CDATA[ z}]]></w:t></w:r><w:r><w:t>}b</w:t></w:r></w:p>";
    assert_eq!(names(body), ["x y & z"]);
    assert_eq!(texts(&fill(body, &[("x y & z", "1<2")])), ["a1<2b"]);
}

#[test]
fn strict_documents_and_other_prefixes_are_filled_alike() {
    let strict = "<x:document xmlns:x=\"http://purl.oclc.org/ooxml/wordprocessingml/main\"><x:body><x:p><x:r><x:t>{{a}}</x:t></x:r></x:p></x:body></x:document>";
    let filled =
        fill_and_reopen(&DocumentBuilder::new("").with_part("word/document.xml", strict), &[("a", "1\n2")]).unwrap();
    let text = filled.part_text("word/document.xml").unwrap();
    assert!(text.contains("<x:t xml:space=\"preserve\">1</x:t><x:br/><x:t xml:space=\"preserve\">2</x:t>"), "{text}");
    let plain = "<document xmlns=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"><body><p><r><t>{{a}}</t></r></p></body></document>";
    let filled =
        fill_and_reopen(&DocumentBuilder::new("").with_part("word/document.xml", plain), &[("a", "م")]).unwrap();
    assert!(
        filled
            .part_text("word/document.xml")
            .unwrap()
            .contains("<r><rPr><rtl/></rPr><t xml:space=\"preserve\">م</t></r>")
    );
}

#[test]
fn xml_space_preserve_is_written_once() {
    for said in ["xml:space=\"default\"", "w:a=' xml:space=\"x\" ' xml:space = 'default'", "w:space=\"preserve\""] {
        let filled = fill(&format!("<w:p><w:r><w:t {said}>{{{{a}}}}</w:t></w:r></w:p>"), &[("a", " x ")]);
        assert!(filled.contains("> x </w:t>"), "{filled}");
        assert!(filled.contains("xml:space=\"preserve\"") || filled.contains("xml:space = 'preserve'"), "{filled}");
    }
}

#[test]
fn fields_in_ruby_text_and_its_base_are_filled() {
    let body = format!(
        "<w:p>{}<w:r><w:ruby><w:rubyPr><w:hps w:val=\"10\"/></w:rubyPr><w:rt>{}</w:rt><w:rubyBase>{}{}</w:rubyBase></w:ruby></w:r>{}</w:p>",
        run("a "),
        run("{{reading}}"),
        run("{{na"),
        run("me}}"),
        run(" z")
    );
    assert_eq!(names(&body), ["reading", "name"]);
    let filled = fill(&body, &[("reading", "toˑkjoˑ"), ("name", "Tokyo")]);
    let part = |name: &str| {
        let (_, after) = filled.split_once(&format!("<w:{name}>")).unwrap();
        after.split_once(&format!("</w:{name}>")).unwrap().0.to_owned()
    };
    assert!(part("rt").contains("toˑkjoˑ") && part("rubyBase").contains("Tokyo"));
    assert_eq!(texts(&filled), ["a toˑkjoˑTokyo z"]);
}
