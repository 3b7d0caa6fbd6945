//! Values that change in a document that is already filled: which changes replace texts in it, and which fill it again.

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{FillOptions, Template};
use waraq_docx::tree::Document;
use waraq_docx::{Budget, Package, ReadOptions};
use waraq_rules::Values;

fn values(json: &str) -> Values {
    Values::from_json(json.as_bytes()).unwrap()
}

fn template(document: &DocumentBuilder) -> Template {
    Template::scan(Package::open(&document.to_bytes()).unwrap()).unwrap()
}

fn filled(template: &Template, values: &Values) -> Document {
    let (package, _) = template.fill_marked(values, FillOptions::default(), &Budget::default()).unwrap();
    waraq_docx::read(&package, &ReadOptions { values: true, ..ReadOptions::default() }).unwrap()
}

/// Returns the document as text, without the identifiers of nodes, which differ between two readings.
fn text(document: &Document) -> String {
    let content = format!("{:?} {:?}", document.sections, document.language);
    let mut parts = content.split("NodeId(");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(')').map_or(part, |(_, rest)| rest))
}

/// Changes the values of a filled document. Returns true if texts were replaced in it, and checks that the document then equals
/// one that is filled with the new values.
fn is_replaced(document: &DocumentBuilder, before: &str, after: &str) -> bool {
    let template = template(document);
    let mut changed = filled(&template, &values(before));
    let Some(changes) = template.text_changes(&values(after)) else { return false };
    let untouched = text(&changed);
    if !changed.replace_values(&changes) {
        assert_eq!(text(&changed), untouched, "nothing changes if the values cannot be replaced");
        return false;
    }
    assert_eq!(text(&changed), text(&filled(&template, &values(after))), "{before} to {after}");
    true
}

fn letter() -> DocumentBuilder {
    DocumentBuilder::new(&(paragraph("Dear {{name}}, {{name}} of {{city}}") + &paragraph("End")))
}

#[test]
fn texts_in_paragraphs_are_replaced() {
    let cases = [
        (r#"{"name": "Zo", "city": "Lyon"}"#, r#"{"name": "Zoé", "city": "Lyon"}"#),
        (r#"{"name": "12", "city": "Lyon"}"#, r#"{"name": "12.50", "city": "Oran"}"#),
        (r#"{"name": "a & b", "city": "<x>"}"#, r#"{"name": "{{city}}", "city": "\"x\""}"#),
        (r#"{"name": "Zoé", "city": "Lyon"}"#, r#"{"name": "Zoé", "city": "Lyon"}"#),
    ];
    for (before, after) in cases {
        assert!(is_replaced(&letter(), before, after), "{before} to {after}");
    }
}

#[test]
fn texts_that_need_other_markup_are_filled_again() {
    let before = r#"{"name": "Zoé", "city": "Lyon"}"#;
    for after in [
        r#"{"name": "", "city": "Lyon"}"#,
        r#"{"name": "  ", "city": "Lyon"}"#,
        r#"{"name": "Zoé\nMartin", "city": "Lyon"}"#,
        r#"{"name": "زهرة", "city": "Lyon"}"#,
        r#"{"name": "Zoé زهرة", "city": "Lyon"}"#,
    ] {
        assert!(!is_replaced(&letter(), before, after), "{after}");
        assert!(!is_replaced(&letter(), after, before), "from {after}");
    }
}

#[test]
fn rows_of_lists_are_replaced_while_their_number_stays() {
    let row = "<w:tr><w:tc><w:p><w:r><w:t>{{#items}}{{name}}</w:t></w:r></w:p></w:tc>\
               <w:tc><w:p><w:r><w:t>{{price}}{{/items}}</w:t></w:r></w:p></w:tc></w:tr>";
    let document = DocumentBuilder::new(&format!("<w:tbl><w:tblPr/>{row}</w:tbl>{}", paragraph("End")));
    let before = r#"{"items": [{"name": "Chair", "price": "10"}, {"name": "Table", "price": "20"}]}"#;
    let other = r#"{"items": [{"name": "Chair", "price": "10"}, {"name": "Desk", "price": "25"}]}"#;
    let longer = r#"{"items": [{"name": "Chair", "price": "10"}]}"#;
    assert!(is_replaced(&document, before, other));
    assert!(!is_replaced(&document, before, longer));
}

#[test]
fn values_outside_the_body_are_filled_again() {
    let (before, after) = (r#"{"name": "Zo"}"#, r#"{"name": "Zoé"}"#);
    let body = paragraph("{{name}}");
    let mut header = DocumentBuilder::new("");
    let id = header.add_related_part("header", "hdr", "header1.xml", &body);
    let section = format!("<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{id}\"/></w:sectPr>");
    let mut header = DocumentBuilder::new(&(body.clone() + &section));
    header.add_related_part("header", "hdr", "header1.xml", &body);
    let merge =
        body.clone() + "<w:p><w:fldSimple w:instr=\" MERGEFIELD name \"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>";
    let contents = body.clone() + "<w:p><w:fldSimple w:instr=\" TOC \\o \"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>";
    let condition = body.clone()
        + "<w:p><w:fldSimple w:instr=\" IF {{name}} = a b c \"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>";
    let link = body.clone()
        + "<w:p><w:fldSimple w:instr=\" HYPERLINK https://example.org/{{name}} \"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>";
    let control = body
        + "<w:sdt><w:sdtPr><w:tag w:val=\"name\"/><w:text/></w:sdtPr><w:sdtContent><w:p><w:r><w:t>x</w:t></w:r></w:p></w:sdtContent></w:sdt>";
    let documents = [merge, contents, condition, link, control].map(|body| DocumentBuilder::new(&body));
    for (index, document) in documents.iter().chain([&header]).enumerate() {
        assert!(!is_replaced(document, before, after), "document {index}");
    }
}

#[test]
fn symbol_fonts_and_other_fields_are_filled_again() {
    let symbol =
        "<w:p><w:r><w:rPr><w:rFonts w:ascii=\"Symbol\" w:hAnsi=\"Symbol\"/></w:rPr><w:t>{{name}}</w:t></w:r></w:p>";
    assert!(!is_replaced(&DocumentBuilder::new(symbol), r#"{"name": "1"}"#, r#"{"name": "1a"}"#));
    let document = letter();
    assert!(
        template(&document).text_changes(&values(r#"{"name": "Zoé", "city": "Lyon"}"#)).is_none(),
        "not filled yet"
    );
    let template = template(&document);
    filled(&template, &values(r#"{"name": "Zoé", "city": "Lyon"}"#));
    assert!(template.text_changes(&values(r#"{"name": "Zoé", "other": "Lyon"}"#)).is_none(), "unknown field");
}
