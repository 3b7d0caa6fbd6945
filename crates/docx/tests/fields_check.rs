//! Tests of the diagnostics of a template and their positions.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{Diagnostic, Severity, check};

fn findings(document: &DocumentBuilder) -> Vec<Diagnostic> {
    check(&Package::open(&document.to_bytes()).unwrap()).unwrap().findings
}

fn codes(text: &str) -> Vec<&'static str> {
    findings(&DocumentBuilder::new(&paragraph(text))).into_iter().map(|finding| finding.code.as_str()).collect()
}

#[test]
fn each_mistake_has_its_code() {
    assert_eq!(codes("fine {{name}} \\{{literal «a quote» and [1]"), [""; 0]);
    assert_eq!(codes("{{never closed"), ["unclosed_field"]);
    assert_eq!(codes("{{a {{b}}"), ["nested_field"]);
    assert_eq!(codes("{{ }}"), ["empty_field"]);
    assert_eq!(codes("{{\u{200f}}}"), ["empty_field"]);
    assert_eq!(codes("{{a|upper}}"), ["invalid_name"]);
    assert_eq!(codes(&format!("{{{{{}}}}}", "x".repeat(101))), ["invalid_name"]);
    assert_eq!(codes("a }} b"), ["stray_close"]);
    assert_eq!(codes("{% if x %}"), ["foreign_section"]);
    for foreign in ["{% if1 x %}", "${name}", "[[name]]", "«name»"] {
        assert_eq!(codes(foreign), ["foreign_syntax"], "{foreign}");
    }
    assert_eq!(codes("ويشار إليه بـ«العامل»."), [""; 0], "Arabic quotes have no spaces inside");
    assert_eq!(codes("{{Nom client}} {{nom_client}} {{other}}"), ["lookalike_names"]);
    assert_eq!(codes("{{اسم الشركة}} {{إسم الشركه}}"), ["lookalike_names"]);
}

#[test]
fn a_diagnostic_has_part_paragraph_and_context() {
    let body = paragraph("first") + &paragraph("second {{a") + &paragraph("b}} third");
    let found = findings(&DocumentBuilder::new(&body));
    let [one] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!((one.code.as_str(), one.severity, one.paragraph), ("field_across_paragraphs", Severity::Error, Some(2)));
    assert_eq!((one.part.as_deref(), one.context.as_deref()), (Some("word/document.xml"), Some("second {{a")));
}

#[test]
fn fields_outside_the_filled_text_are_reported() {
    let body = "<w:p><w:del w:id=\"1\" w:author=\"a\"><w:r><w:delText>{{gone}}</w:delText></w:r></w:del><m:oMath><m:r><m:t>{{formula}}</m:t></m:r></m:oMath>\
        <w:r><w:fldChar w:fldCharType=\"begin\" w:fldLock=\"true\"/></w:r><w:r><w:instrText>HYPERLINK {{code}}</w:instrText></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    let found = findings(&DocumentBuilder::new(body));
    assert!(
        found.iter().all(|finding| finding.code == "field_not_fillable" && finding.severity == Severity::Warning),
        "{found:?}"
    );
    let names: Vec<&str> = found.iter().flat_map(|finding| &finding.fields).map(String::as_str).collect();
    assert_eq!(names, ["gone", "formula", "code"]);
}
