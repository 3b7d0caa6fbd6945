//! Tests of the constants for Word files in §9 of the specification: units and defaults.
//!
//! Two constants of the earlier viewer do not apply:
//! - The chunk size of its inflater. Here, parts are read completely, within limits.
//! - The fifty tab stops that it added to a line. Here, a tab goes to its stop, however many there are
//!   (layout/tests/text_tabs.rs).
//!
//! The earlier viewer started a level without a start number at 1. Word and this engine start it at 0 (ECMA-376 part 1,
//! §17.9.25).

mod word;

use waraq_docx::tree::*;
use word::*;

fn with_paragraph(properties: &str) -> Paragraph {
    let document = Word::new(&format!("<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>a</w:t></w:r></w:p>")).read();
    body(&document)[0].clone()
}

fn with_run(properties: &str) -> RunProperties {
    let document = Word::new(&format!("<w:p><w:r><w:rPr>{properties}</w:rPr><w:t>a</w:t></w:r></w:p>")).read();
    run(body(&document)[0]).as_ref().clone()
}

#[test]
fn dxa_are_twentieths_of_a_point() {
    assert_eq!(with_paragraph("<w:spacing w:before=\"200\"/>").properties.spacing.before, 200.0 * 0.05);
}

#[test]
fn a_point_has_12700_emu() {
    let drawing_of = |emu: u32| {
        let shape = "<wps:wsp><wps:spPr><a:prstGeom prst=\"rect\"/><a:solidFill><a:srgbClr val=\"FF0000\"/></a:solidFill></wps:spPr></wps:wsp>";
        let inline = format!(
            "<wp:inline><wp:extent cx=\"{emu}\" cy=\"{emu}\"/><a:graphic><a:graphicData uri=\"x\">{shape}</a:graphicData></a:graphic></wp:inline>"
        );
        let document = Word::new(&format!("<w:p><w:r><w:drawing>{inline}</w:drawing></w:r></w:p>")).read();
        (drawing(&document).width, drawing(&document).height)
    };
    assert_eq!(drawing_of(12_700 * 30), (30.0, 30.0));
}

#[test]
fn sizes_are_half_points() {
    assert_eq!(with_run("<w:sz w:val=\"23\"/>").size, 11.5);
}

#[test]
fn borders_are_eighths_of_a_point_from_a_quarter_to_twelve_points() {
    let width = |eighths: u32| {
        let border = format!("<w:bdr w:val=\"single\" w:sz=\"{eighths}\"/>");
        with_run(&border).border.unwrap().width
    };
    assert_eq!([1, 2, 12, 96, 200].map(width), [0.25, 0.25, 1.5, 12.0, 12.0]);
}

#[test]
fn percent_widths_are_fiftieths_of_a_percent() {
    let xml = "<w:tbl><w:tblPr><w:tblW w:w=\"2500\" w:type=\"pct\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"9000\"/></w:tblGrid>\
               <w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>";
    // Each unit is 0.02 percent.
    assert_eq!(table(&Word::new(xml).read()).properties.width, Width::Fraction(2500.0 * 0.02 / 100.0));
}

#[test]
fn automatic_line_spacing_is_in_240ths_of_a_line() {
    let line = |value: u32| {
        with_paragraph(&format!("<w:spacing w:line=\"{value}\" w:lineRule=\"auto\"/>")).properties.spacing.line
    };
    assert_eq!((line(240), line(360)), (LineSpacing::Multiple(1.0), LineSpacing::Multiple(1.5)));
}

#[test]
fn numbering_starts_at_one_and_its_label_ends_in_a_tab() {
    let level = |inner: &str| {
        let numbering = format!(
            "<w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\">{inner}<w:numFmt w:val=\"decimal\"/><w:lvlText w:val=\"%1.\"/></w:lvl></w:abstractNum>\
             <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>"
        );
        let item = "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>";
        let document = Word::new(item).numbering(&numbering).read();
        let label = body(&document)[0].label.clone().unwrap();
        (labels(&document), label.suffix)
    };
    assert_eq!(level("<w:start w:val=\"1\"/>"), (vec!["1.".to_owned()], LabelSuffix::Tab));
}

#[test]
fn default_text_has_the_automatic_color_and_no_highlight_or_shading() {
    let plain = with_run("");
    // `None` is the automatic colour: black, or white on a dark background.
    assert_eq!((plain.color, plain.highlight, plain.shading), (None, None, None));
}
