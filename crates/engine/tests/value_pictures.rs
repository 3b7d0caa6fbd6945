//! Pictures, signatures and QR codes on the pages and in the tagged PDF.

use std::process::Command;

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_engine::{FillOptions, FilledDocument, LayoutOptions, PdfOptions, Values};
use waraq_layout::{DisplayItem, ElementKind, Pages};
use waraq_rules::{FieldType, Picture, PictureFormat, Structure, StructuredField, Value};

const SECTION: &str = "<w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1134\" w:right=\"1134\" w:bottom=\"1134\" \
                       w:left=\"1134\" w:header=\"0\" w:footer=\"0\" w:gutter=\"0\"/></w:sectPr>";

fn picture(width: u32, height: u32, alternative_text: &str) -> Value {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let pixels = image::RgbaImage::from_fn(width, height, |x, y| {
        image::Rgba([10, 110, 110, if (x / 8 + y / 8) % 2 == 0 { 255 } else { 60 }])
    });
    pixels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    let bytes = bytes.into_inner().into();
    Value::Picture(Picture { format: PictureFormat::Png, bytes, alternative_text: alternative_text.to_owned() })
}

fn filled(body: &str, fields: &[(&str, FieldType, Value)]) -> FilledDocument {
    let template = waraq_engine::open(&DocumentBuilder::new(&format!("{body}{SECTION}")).to_bytes()).unwrap();
    let typed = |(name, field_type, _): &(&str, FieldType, Value)| StructuredField {
        field_type: *field_type,
        ..StructuredField::text(*name)
    };
    let structure = Structure(fields.iter().map(typed).collect());
    let values = Values::from_pairs(fields.iter().map(|(name, _, value)| (*name, value.clone()))).unwrap();
    let options = FillOptions { structure: Some(&structure), ..FillOptions::default() };
    let layout = LayoutOptions { language: Some("en".into()), title: Some("Test".into()), ..LayoutOptions::default() };
    waraq_engine::fill_and_render(&template, &values, options, &layout, &PdfOptions::default()).unwrap()
}

/// Returns the alternative texts of the figures in the structure of the document.
fn figures(pages: &Pages) -> Vec<Option<String>> {
    let texts = pages.structure.iter().filter_map(|element| match &element.kind {
        ElementKind::Figure { alternative_text } => Some(alternative_text.clone()),
        _ => None,
    });
    texts.collect()
}

#[test]
fn pictures_are_figures_with_their_alternative_text() {
    let table = "<w:tbl><w:tblGrid><w:gridCol w:w=\"3000\"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w=\"3000\" w:type=\"dxa\"/></w:tcPr>\
                 <w:p><w:r><w:t>{{sign}}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
    let body = paragraph("Our logo: {{logo}} and {{code}}") + table + &paragraph("end");
    let document = filled(
        &body,
        &[
            ("logo", FieldType::Picture, picture(200, 80, "A green \u{201c}chessboard\u{201d}")),
            ("sign", FieldType::Signature, picture(300, 100, "")),
            ("code", FieldType::QrCode, "https://example.org/7".into()),
        ],
    );
    let expected = ["A green \u{201c}chessboard\u{201d}", "https://example.org/7", "sign"];
    let expected: Vec<Option<String>> = expected.iter().map(|text| Some((*text).to_owned())).collect();
    assert_eq!(figures(&document.rendered.pages), expected);
    assert_eq!(document.rendered.pdf.warnings, []);
    let images = document.rendered.pages.pages[0].items.iter().filter(|placed| {
        // Each picture belongs to the structure, so that screen readers read its text.
        placed.element.is_some() && matches!(placed.item, DisplayItem::Image(_))
    });
    assert_eq!(images.count(), 3);
}

#[test]
fn the_pdf_has_a_figure_with_the_text() {
    if Command::new("qpdf").arg("--version").output().is_err() {
        eprintln!("qpdf is not installed; the tags in the file are not checked");
        return;
    }
    let body = paragraph("{{logo}}");
    let document = filled(&body, &[("logo", FieldType::Picture, picture(200, 80, "Green board"))]);
    let path = std::env::temp_dir().join(format!("waraq-value-pictures-{}.pdf", std::process::id()));
    std::fs::write(&path, &document.rendered.pdf.bytes).unwrap();
    let output = Command::new("qpdf").args(["--qdf", "--object-streams=disable"]).arg(&path).arg("-").output().unwrap();
    std::fs::remove_file(&path).unwrap();
    let plain = String::from_utf8_lossy(&output.stdout).into_owned();
    for wanted in ["/S /Figure", "/Alt (Green board)"] {
        assert!(plain.contains(wanted), "{wanted}");
    }
}

#[test]
fn a_tall_picture_makes_its_line_higher() {
    let line = |height| {
        let body = paragraph("a {{x}} b") + &paragraph("next");
        let document = filled(&body, &[("x", FieldType::Picture, picture(20, height, ""))]);
        let next = document.rendered.pages.pages[0].items.iter().find_map(|placed| match &placed.item {
            DisplayItem::Glyphs(run) if run.text.contains("next") => Some(run.y),
            _ => None,
        });
        next.unwrap()
    };
    // 40 pixels are 30 points.
    let (low, high) = (line(60), line(100));
    assert!((high - low - 30.0).abs() < 0.5, "{low} {high}");
}
