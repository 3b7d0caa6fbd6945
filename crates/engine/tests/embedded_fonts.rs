//! Fonts embedded in a document (§17.8.3.3): valid fonts are used, damaged fonts are replaced.

use waraq_docx::build::DocumentBuilder;
use waraq_engine::{LayoutOptions, Package, PdfOptions};

const KEY: &str = "{1DFCEF3D-4A5B-4C6D-8E9F-00112233445A}";

/// Returns a document whose text is in a family that exists only as the embedded font.
fn document(font: Vec<u8>) -> Package {
    let mut document = DocumentBuilder::new(
        "<w:p><w:r><w:rPr><w:rFonts w:ascii=\"Own\" w:hAnsi=\"Own\"/></w:rPr><w:t>Its own letters</w:t></w:r></w:p>",
    );
    let table = format!("<w:font w:name=\"Own\"><w:embedRegular r:id=\"rId1\" w:fontKey=\"{KEY}\"/></w:font>");
    document.add_related_part("fontTable", "fonts", "fontTable.xml", &table);
    let relationships = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
        <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/font\" \
        Target=\"fonts/font1.odttf\"/></Relationships>";
    let document = document
        .with_part("word/_rels/fontTable.xml.rels", relationships)
        .with_part("word/fonts/font1.odttf", "a font");
    waraq_engine::open(&document.to_bytes()).unwrap().with_part("word/fonts/font1.odttf", font)
}

/// Returns one of the product's fonts that would not be selected as a substitute here.
fn font() -> Vec<u8> {
    let files = waraq_fonts::files();
    files.iter().find(|file| file.family == "Cousine").unwrap().data.to_vec()
}

/// Returns the offset of the `name` table.
fn name_table_offset(font: &[u8]) -> usize {
    let record = font[12..].chunks(16).find(|record| &record[..4] == b"name").unwrap();
    u32::from_be_bytes(record[8..12].try_into().unwrap()) as usize
}

fn families(package: &Package) -> Vec<String> {
    let pages = waraq_engine::lay_out(package, &LayoutOptions::default()).unwrap();
    let pdf = waraq_engine::pdf(&pages, &PdfOptions::default()).unwrap();
    assert!(pdf.bytes.starts_with(b"%PDF-"));
    pages.fonts.iter().map(|font| font.family.clone()).collect()
}

#[test]
fn an_embedded_font_is_used() {
    assert_eq!(families(&document(font())), ["Own"]);
}

#[test]
fn a_font_with_an_invalid_name_table_is_replaced() {
    let mut far = font();
    let at = name_table_offset(&far);
    // the offset of the first name
    far[at + 16..at + 18].copy_from_slice(&[0xff, 0xff]);
    let mut many = font();
    many[at + 2..at + 4].copy_from_slice(&[0xff, 0xff]);
    for font in [far, many] {
        let families = families(&document(font));
        assert!(!families.contains(&"Own".to_owned()), "{families:?}");
    }
}
