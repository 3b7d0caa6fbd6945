//! Fonts in a PDF hold only what the PDF shows.

mod support;

use image::GenericImageView;
use support::*;
use waraq_layout::{DisplayItem, FontId, Glyph, ImageFormat, ImageId, Pages, PlacedImage, Rect};
use waraq_render::PdfOptions;

/// Returns the font streams of a PDF, unpacked by qpdf.
fn embedded_fonts(pdf: &[u8]) -> Vec<Vec<u8>> {
    let path = saved(pdf);
    let plain = path.with_extension("plain");
    let mut qpdf = std::process::Command::new("qpdf");
    let made = qpdf.args(["--qdf", "--object-streams=disable"]).args([&path, &plain]).status().unwrap();
    assert!(made.success());
    let bytes = std::fs::read(&plain).unwrap();
    std::fs::remove_file(plain).unwrap();
    std::fs::remove_file(path).unwrap();
    let streams = bytes.windows(8).enumerate().filter(|(_, window)| *window == b"\nstream\n").map(|(at, _)| at + 8);
    streams.filter(|at| bytes[*at..].starts_with(&[0, 1, 0, 0])).map(|at| bytes[at..].to_vec()).collect()
}

fn tables(font: &[u8]) -> Vec<(String, &[u8])> {
    let count = usize::from(font[5]);
    let number = |at: usize| u32::from_be_bytes(font[at..at + 4].try_into().unwrap()) as usize;
    let table = |at: usize| {
        let (name, offset, length) = (&font[at..at + 4], number(at + 8), number(at + 12));
        (String::from_utf8_lossy(name).into_owned(), &font[offset..offset + length])
    };
    (0..count).map(|index| table(12 + 16 * index)).collect()
}

/// Returns the number of dark pixels in a part of the first page, as drawn by Poppler and by this crate.
fn dark_pixels(pages: &Pages, part: [u32; 4], below: u8) -> (usize, usize) {
    let made = waraq_render::pdf(pages, &PdfOptions::plain()).unwrap().bytes;
    check(&made);
    let ours = image::load_from_memory(&waraq_render::png(pages, 0, 1.0).unwrap().bytes).unwrap().into_rgb8();
    let [x, y, width, height] = part;
    let count = |page: &image::RgbImage| {
        image::imageops::crop_imm(page, x, y, width, height).pixels().filter(|(_, _, pixel)| pixel.0[0] < below).count()
    };
    (count(&seen(&made)), count(&ours))
}

#[test]
fn simple_and_composite_glyphs_look_alike_in_two_readers() {
    // simple glyphs, composite glyphs, composite glyphs with moved components
    for (text, font) in [("Hamburg €&@", LATIN), ("Éñåçőǻḯ", LATIN), ("بسم الله الرَّحمٰن", ARABIC), ("لا إله إلّا", NASKH)]
    {
        let (poppler, ours) = dark_pixels(
            &pages(vec![vec![DisplayItem::Glyphs(run(text, font, 60.0, 40.0, 300.0))]]),
            [0, 0, 595, 842],
            128,
        );
        assert!(ours > 1_000 && poppler.abs_diff(ours) < ours / 20, "{text}: {poppler}, {ours}");
    }
}

#[test]
fn hinting_and_unused_tables_are_removed() {
    let made = pdf(&pages(vec![vec![DisplayItem::Glyphs(run("Waraq É", LATIN, 12.0, 40.0, 300.0))]]));
    let fonts = embedded_fonts(&made);
    assert_eq!(fonts.len(), 1);
    let tables = tables(&fonts[0]);
    let names: Vec<&str> = tables.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["glyf", "head", "hhea", "hmtx", "loca", "maxp", "name", "post"]);
    let name = String::from_utf8_lossy(tables[6].1).replace('\0', "");
    assert!(name.contains("Carlito") && name.contains("Copyright"), "{name}");
    assert!(tables[0].1.len() < 900, "{}", tables[0].1.len());
    assert!(reader("pdffonts", &["FILE"], &made).contains("Carlito"));
    assert_eq!(text_of(&made).trim(), "Waraq É");
}

/// Every shipped font must be reduced, none embedded unchanged.
#[test]
fn every_shipped_font_is_reduced() {
    for file in waraq_fonts::files() {
        let mut document = pages(vec![vec![DisplayItem::Glyphs(run("A", LATIN, 12.0, 40.0, 300.0))]]);
        document.fonts[LATIN.index()].data = std::sync::Arc::new(file.data);
        let DisplayItem::Glyphs(drawn) = &mut document.pages[0].items[0].item else { unreachable!() };
        // the glyphs with ids 1 to 3, which every font has
        drawn.glyphs = (1..4).map(|id| Glyph { id, ..drawn.glyphs[0].clone() }).collect();
        let made = waraq_render::pdf(&document, &PdfOptions::plain()).unwrap();
        assert_eq!(made.warnings, [], "{}", file.family);
        let fonts = embedded_fonts(&made.bytes);
        assert_eq!(fonts.len(), 1, "{}", file.family);
        for (table, data) in tables(&fonts[0]) {
            let instructions = ["fpgm", "prep", "cvt "].contains(&table.as_str());
            assert!(!instructions && (table != "post" || data.len() == 32), "{}: {table}", file.family);
        }
    }
}

#[test]
fn the_label_of_an_unreadable_picture_is_drawn() {
    let mut document = pages(vec![vec![
        DisplayItem::Glyphs(run("x", LATIN, 12.0, 40.0, 300.0)),
        DisplayItem::Image(PlacedImage::whole(ImageId(0), Rect { x: 40.0, y: 40.0, width: 200.0, height: 100.0 })),
    ]]);
    document.images = vec![image(ImageFormat::Png, b"no picture".to_vec())];
    let made = waraq_render::pdf(&document, &PdfOptions::plain()).unwrap().bytes;
    assert!(text_of(&made).contains("PNG picture"));
    let (poppler, ours) = dark_pixels(&document, [50, 50, 180, 80], 0xC0);
    assert!(ours > 40 && poppler.abs_diff(ours) < ours / 3, "{poppler} {ours}");
}

#[test]
fn damaged_fonts_do_not_fail() {
    let whole = pages(vec![vec![DisplayItem::Glyphs(run("Éñå Waraq", LATIN, 12.0, 40.0, 300.0))]]);
    let sound: Vec<u8> = (*whole.fonts[0].data).as_ref().to_vec();
    let directory = 12 + 16 * usize::from(sound[5]);
    let mut damaged: Vec<Vec<u8>> = (0..40).map(|part| sound[..sound.len() / 40 * part].to_vec()).collect();
    damaged.extend((4..directory).step_by(3).map(|at| {
        let mut font = sound.clone();
        font[at] ^= 0xA5;
        font
    }));
    let glyf =
        tables(&sound).iter().find(|(name, _)| name == "glyf").unwrap().1.as_ptr() as usize - sound.as_ptr() as usize;
    damaged.extend((0..400).map(|step| {
        let mut font = sound.clone();
        for at in (glyf + step..sound.len()).step_by(401) {
            font[at] = font[at].wrapping_mul(31).wrapping_add(step as u8);
        }
        font
    }));
    for font in damaged {
        let mut document = whole.clone();
        document.fonts[FontId(0).index()].data = std::sync::Arc::new(font);
        if let Ok(made) = waraq_render::pdf(&document, &PdfOptions::plain()) {
            assert!(made.bytes.starts_with(b"%PDF"));
        }
    }
}
