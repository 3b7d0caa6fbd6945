//! Helpers of the tests: they build pages, and read a PDF with other programs.
#![allow(dead_code)]

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use harfrust::{Direction, Script};
use waraq_layout::{
    DisplayItem, Font, FontId, Glyph, GlyphRun, Image, ImageFormat, Location, Page, Pages, Rgb, TaggedItem,
};

pub const BLACK: Rgb = Rgb(0, 0, 0);

/// Ids of the fonts in the documents of [`pages`].
pub const LATIN: FontId = FontId(0);
pub const ARABIC: FontId = FontId(1);
pub const NASKH: FontId = FontId(2);

fn font(family: &str) -> Font {
    let file = waraq_fonts::files().iter().find(|file| file.family == family && !file.bold && !file.italic).unwrap();
    // unitsPerEm in the table head
    let tables = file.data[12..].chunks(16);
    let head = tables.take(40).find(|table| &table[..4] == b"head").unwrap();
    let offset = u32::from_be_bytes(head[8..12].try_into().unwrap()) as usize + 18;
    let units_per_em = f32::from(u16::from_be_bytes(file.data[offset..offset + 2].try_into().unwrap()));
    Font { data: Arc::new(file.data), index: 0, family: family.into(), units_per_em }
}

/// Returns A4 pages with these items.
pub fn pages(items: Vec<Vec<DisplayItem>>) -> Pages {
    let page = |(index, items): (usize, Vec<DisplayItem>)| Page {
        width: 595.0,
        height: 842.0,
        label: (index + 1).to_string(),
        items: items.into_iter().map(|item| TaggedItem { item, element: None }).collect(),
    };
    Pages {
        pages: items.into_iter().enumerate().map(page).collect(),
        fonts: vec![font("Carlito"), font("Amiri"), font("Noto Naskh Arabic")],
        ..Pages::default()
    }
}

/// Returns a run shaped by harfrust, with its pen at (x, y).
pub fn run(text: &str, font_id: FontId, size: f32, x: f32, y: f32) -> GlyphRun {
    let source = pages(vec![]).fonts.swap_remove(font_id.index());
    let data: &[u8] = (*source.data).as_ref();
    let font = harfrust::font::Font::new(harfrust::font::Blob::from(data.to_vec()), 0).unwrap();
    let right_to_left = text.chars().any(|c| ('\u{590}'..'\u{8FF}').contains(&c));
    let mut shaped = harfrust::Buffer::new();
    shaped.push_str(text);
    shaped.set_direction(if right_to_left { Direction::RightToLeft } else { Direction::LeftToRight });
    shaped.set_script(Script::from_iso15924_tag(harfrust::Tag::new(if right_to_left { b"Arab" } else { b"Latn" })));
    harfrust::shape(&harfrust::ShaperFont::new(&font), &mut shaped, harfrust::ShapeOptions::new()).unwrap();
    let em = size / source.units_per_em;
    let mut starts: Vec<u32> = shaped.glyph_infos().iter().map(|info| info.cluster).collect();
    starts.sort_unstable();
    starts.dedup();
    starts.push(text.len() as u32);
    let glyphs = shaped.glyph_infos().iter().zip(shaped.glyph_positions()).map(|(info, position)| Glyph {
        id: info.glyph_id as u16,
        advance: position.x_advance as f32 * em,
        x_offset: position.x_offset as f32 * em,
        y_offset: position.y_offset as f32 * em,
        range: info.cluster..*starts.iter().find(|start| **start > info.cluster).unwrap(),
    });
    GlyphRun {
        font: font_id,
        size,
        color: BLACK,
        x,
        y,
        text: Arc::from(text),
        text_offset: 0,
        glyphs: glyphs.collect(),
        right_to_left,
        scale_x: 1.0,
        synthetic_bold: false,
        synthetic_italic: false,
        language: None,
        outlined: false,
        shadow: None,
    }
}

pub fn width(run: &GlyphRun) -> f32 {
    run.glyphs.iter().map(|glyph| glyph.advance).sum()
}

pub fn image(format: ImageFormat, data: Vec<u8>) -> Image {
    Image { part: "word/media/picture".into(), data: data.into(), format, location: Location::default() }
}

/// Encodes a picture of one colour.
pub fn encoded(format: image::ImageFormat, width: u32, height: u32, color: [u8; 3]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(width, height, image::Rgb(color)).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

pub fn pdf(pages: &Pages) -> Vec<u8> {
    let pdf = waraq_render::pdf(pages, &waraq_render::PdfOptions::default()).unwrap();
    assert_eq!(pdf.warnings, []);
    pdf.bytes
}

/// Saves the bytes in a new file in the build's temporary folder.
pub fn saved(bytes: &[u8]) -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("{}-{}.pdf", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Runs a program on a PDF and returns its output. The argument `FILE` is replaced by the path of the PDF. Panics if the program
/// fails.
pub fn reader(program: &str, arguments: &[&str], pdf: &[u8]) -> String {
    let path = saved(pdf);
    let arguments =
        arguments.iter().map(|argument| if *argument == "FILE" { path.to_str().unwrap() } else { argument });
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program}: {said}");
    std::fs::remove_file(path).unwrap();
    said
}

/// Asserts that qpdf finds no error in the PDF.
pub fn check(pdf: &[u8]) {
    let said = reader("qpdf", &["--check", "FILE"], pdf);
    assert!(said.contains("No syntax or stream encoding errors found"), "{said}");
}

/// Returns the text that Poppler extracts.
pub fn text_of(pdf: &[u8]) -> String {
    let text = reader("pdftotext", &["-enc", "UTF-8", "FILE", "-"], pdf);
    // remove the direction marks that Poppler inserts
    text.replace(['\u{200E}', '\u{200F}', '\u{202A}', '\u{202B}', '\u{202C}'], "")
}

/// Rasterizes the first page with Poppler. (`pdfimages` cannot replace this: it extracts 1-bit pictures without their palette.)
pub fn seen(pdf: &[u8]) -> image::RgbImage {
    let path = saved(pdf);
    let prefix = path.with_extension("page");
    let arguments = ["-r", "72", "-png", "-singlefile"];
    let made = std::process::Command::new("pdftoppm").args(arguments).args([&path, &prefix]).status().unwrap();
    assert!(made.success());
    let name = format!("{}.png", prefix.display());
    let page = image::open(&name).unwrap().into_rgb8();
    std::fs::remove_file(name).unwrap();
    std::fs::remove_file(path).unwrap();
    page
}
