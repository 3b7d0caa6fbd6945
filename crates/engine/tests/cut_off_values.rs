//! Values that a table row of fixed height cuts off are reported with their paragraph.

mod page_text;
use page_text::Template;
use waraq_docx::build::paragraph;
use waraq_engine::{Diagnostic, DiagnosticCode};

/// Returns a table with one row of 20 points.
fn row(rule: &str, cell_properties: &str, cells: &[String]) -> String {
    let cells: String = cells
        .iter()
        .map(|content| {
            format!("<w:tc><w:tcPr><w:tcW w:w=\"3000\" w:type=\"dxa\"/>{cell_properties}</w:tcPr>{content}</w:tc>")
        })
        .collect();
    format!(
        "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"3000\"/><w:gridCol w:w=\"3000\"/></w:tblGrid>\
         <w:tr><w:trPr><w:trHeight w:val=\"400\" w:hRule=\"{rule}\"/></w:trPr>{cells}</w:tr></w:tbl>{}",
        paragraph("end")
    )
}

fn reported(body: &str, values: &[(&str, &str)]) -> Vec<Diagnostic> {
    let pages = Template::new(body).pages(values);
    pages.warnings.into_iter().filter(|warning| warning.code == DiagnosticCode::TextCutOff).collect()
}

fn field() -> String {
    paragraph("{{address}}")
}

#[test]
fn a_value_with_more_lines_than_the_row_is_reported_with_its_paragraph() {
    let body = row("exact", "", &[paragraph("Address"), field()]);
    assert_eq!(reported(&body, &[("address", "one line")]), []);
    let found = reported(&body, &[("address", "Line one\nLine two\nLine three")]);
    let [warning] = &found[..] else { panic!("{found:?}") };
    assert_eq!((warning.part.as_deref(), warning.paragraph), (Some("word/document.xml"), Some(2)));
    assert!(warning.context.as_deref().unwrap().starts_with("Line one"), "{warning:?}");
    let long = "a value that needs several lines in its cell ".repeat(3);
    assert_eq!(reported(&body, &[("address", long.as_str())]).len(), 1);
}

#[test]
fn rows_that_grow_and_text_that_fits_are_not_reported() {
    for rule in ["atLeast", "auto"] {
        let body = row(rule, "", &[field(), paragraph("x")]);
        assert_eq!(reported(&body, &[("address", "1\n2\n3")]), [], "{rule}");
    }
    // An empty last paragraph cannot be seen.
    let body = row("exact", "", &[field() + "<w:p/><w:p/>", paragraph("x")]);
    assert_eq!(reported(&body, &[("address", "short")]), []);
}

#[test]
fn each_cut_off_paragraph_is_reported_up_to_a_limit() {
    let two = row("exact", "", &[field(), paragraph("{{other}}")]);
    let found = reported(&two, &[("address", "1\n2\n3"), ("other", "4\n5\n6")]);
    assert_eq!(found.iter().filter_map(|warning| warning.paragraph).collect::<Vec<_>>(), [1, 2]);
    let many = row("exact", "", &[field(), field()]).repeat(40);
    assert_eq!(reported(&many, &[("address", "1\n2\n3")]).len(), 20);
}

#[test]
fn nested_tables_and_rotated_cells_are_reported() {
    let inner = row("auto", "", &[paragraph("a"), field()]);
    let found = reported(&row("exact", "", &[inner, paragraph("x")]), &[("address", "1\n2\n3\n4")]);
    assert_eq!(found.len(), 1, "{found:?}");
    // Rotated lines are beside each other, so the width of the cell limits them.
    let rotated = row("exact", "<w:textDirection w:val=\"btLr\"/>", &[field(), paragraph("x")]);
    assert_eq!(reported(&rotated, &[("address", "ab\ncd")]), []);
    let many = (1..30).map(|number| number.to_string()).collect::<Vec<_>>().join("\n");
    assert_eq!(reported(&rotated, &[("address", many.as_str())]).len(), 1);
}

#[test]
fn rows_in_headers_are_reported() {
    let template = Template::new(paragraph("body")).with_header(row("exact", "", &[field(), paragraph("x")]));
    let pages = template.pages(&[("address", "1\n2\n3")]);
    let found = pages.warnings.iter().find(|warning| warning.code == DiagnosticCode::TextCutOff).unwrap();
    assert_eq!((found.part.as_deref(), found.paragraph), (Some("word/header1.xml"), Some(1)));
}
