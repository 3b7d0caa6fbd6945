//! Fuzz target for embedded fonts: obfuscated or plain, with arbitrary bytes or a valid font with changed bytes.

use std::sync::OnceLock;

use waraq_docx::Package;
use waraq_docx::build::DocumentBuilder;
use waraq_engine::LayoutOptions;

use crate::bytes::Choices;
use crate::documents::{open_valid, part};
use crate::{checks, memory};

const MEGABYTES: usize = 256;
const KEY: &str = "{1DFCEF3D-4A5B-4C6D-8E9F-00112233445A}";
/// The bytes of the key in reverse order (§17.8.1).
const KEY_BYTES: [u8; 16] =
    [0x5A, 0x44, 0x33, 0x22, 0x11, 0x00, 0x9F, 0x8E, 0x6D, 0x4C, 0x5B, 0x4A, 0x3D, 0xEF, 0xFC, 0x1D];
const TEXT: &str = "Office fi نص عربي لا إله e\u{301} 12.5 ★";

/// Lays out text in an embedded font. In the first byte, bit 0 means that the font is obfuscated, and bit 1 that the
/// rest of the input is the font. Without bit 1, the next byte selects one of the built-in fonts, and the rest are
/// changes to it. A change has one byte for the table, two for the offset, one for the count (1 to 4), and the new
/// bytes.
pub fn fonts(data: &[u8]) {
    let mut bytes = Choices::new(data);
    let how = bytes.byte();
    let mut font = if how & 2 != 0 { bytes.rest().to_vec() } else { changed_font(&mut bytes) };
    if how & 1 != 0 {
        font.iter_mut().take(32).zip(KEY_BYTES.iter().cycle()).for_each(|(byte, key)| *byte ^= key);
    }
    let package = base().clone().with_part("word/fonts/font1.odttf", font);
    memory::with_limit(MEGABYTES, || {
        if let Some(pages) = checks::lay_out(&package, data, &LayoutOptions::default())
            && let Err(error) = waraq_engine::first_page_picture(&pages)
        {
            checks::assert_has_message(&error);
        }
    });
}

/// Returns a document with text in its own font, with and without properties that affect shaping.
fn base() -> &'static Package {
    static BASE: OnceLock<Package> = OnceLock::new();
    BASE.get_or_init(|| {
        let mut document = DocumentBuilder::new("");
        let table = format!("<w:font w:name=\"Own\"><w:embedRegular r:id=\"rId1\" w:fontKey=\"{KEY}\"/></w:font>");
        document.add_related_part("fontTable", "fonts", "fontTable.xml", &table);
        let run = |properties: &str| {
            format!(
                "<w:r><w:rPr><w:rFonts w:ascii=\"Own\" w:hAnsi=\"Own\" w:cs=\"Own\" w:eastAsia=\"Own\"/>{properties}</w:rPr>\
                 <w:t xml:space=\"preserve\">{TEXT} </w:t></w:r>"
            )
        };
        let body = [run(""), run("<w:b/><w:i/><w:kern w:val=\"2\"/>"), run("<w:vertAlign w:val=\"superscript\"/><w:rtl/>")];
        let relationships = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" \
            Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/font\" Target=\"fonts/font1.odttf\"/></Relationships>";
        let main = part("w:document", &format!("<w:body><w:p>{}</w:p></w:body>", body.concat()));
        let document = document
            .with_part("word/document.xml", main)
            .with_part("word/_rels/fontTable.xml.rels", relationships)
            .with_part("word/fonts/font1.odttf", "a font");
        open_valid(&document.to_bytes())
    })
}

/// Returns a built-in font with changes.
fn changed_font(bytes: &mut Choices<'_>) -> Vec<u8> {
    let files = waraq_fonts::files();
    let mut font = files[bytes.below(files.len())].data.to_vec();
    let tables = usize::from(u16::from_be_bytes([font[4], font[5]]));
    while !bytes.is_empty() {
        let record = 12 + 16 * bytes.below(tables + 1);
        let offset = usize::from(u16::from_be_bytes([bytes.byte(), bytes.byte()]));
        // The index after the last table is the table directory itself.
        let start = match font.get(record + 8..record + 12) {
            Some(&[a, b, c, d]) if record < 12 + 16 * tables => u32::from_be_bytes([a, b, c, d]) as usize,
            _ => 0,
        };
        let count = bytes.below(4) + 1;
        let new = bytes.take(count);
        if let Some(old) = font.get_mut(start + offset..start + offset + new.len()) {
            old.copy_from_slice(new);
        }
    }
    font
}
