//! QR codes: their content is read back from the picture in the filled document.

mod pictures;

use pictures::*;
use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{self, FillOptions, Values};
use waraq_rules::{ErrorCode, FieldType};

/// Decodes a PNG with one bit per pixel, and reads the QR code in it.
fn content(bytes: &[u8]) -> String {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.bit_depth, info.color_type), (png::BitDepth::One, png::ColorType::Grayscale));
    let is_white = |x: usize, y: usize| pixels[y * info.line_size + x / 8] >> (7 - x % 8) & 1 == 1;
    for at in 0..32 {
        assert!(is_white(at, 0) && is_white(0, at) && is_white(31, at), "the quiet zone is four modules wide");
    }
    let grey = |x, y| if is_white(x, y) { 255 } else { 0 };
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(info.width as usize, info.height as usize, grey);
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1);
    let (meta, content) = grids[0].decode().unwrap();
    assert_eq!(meta.ecc_level, 0, "level M has the number 0");
    content
}

#[test]
fn the_code_contains_the_text() {
    let document = DocumentBuilder::new(&paragraph("Scan {{link}}"));
    let texts = ["https://example.org/?a=1&b=2", "7", "عقد إيجار رقم 7", "BEGIN:VCARD\nFN:Zoé\nEND:VCARD"];
    for text in texts.map(str::to_owned).into_iter().chain(["x".repeat(1_000)]) {
        let filled = fill(&document, &[("link", FieldType::QrCode, text.as_str().into())]);
        let shown = shown_pictures(&filled);
        assert_eq!(content(&shown[0].bytes), text);
        assert_eq!(shown[0].description, text.trim(), "the alternative text");
    }
}

#[test]
fn codes_are_at_least_two_centimetres_wide() {
    let width = |length: usize| {
        let document = DocumentBuilder::new(&paragraph("{{x}}"));
        let filled = fill(&document, &[("x", FieldType::QrCode, "a".repeat(length).as_str().into())]);
        shown_pictures(&filled)[0].size.0 * 25.4 / 72.0
    };
    assert!((width(1) - 20.0).abs() < 0.1);
    // Long texts have more modules. A module stays half a millimetre wide, up to the maximum of 80 mm.
    assert!((width(300) - 38.5).abs() < 5.0, "{}", width(300));
    assert!((width(2_331) - 80.0).abs() < 0.1);
}

#[test]
fn a_code_replaces_the_picture_in_a_frame() {
    let mut builder = DocumentBuilder::new("");
    let old = with_old_picture(&mut builder);
    let body = in_paragraph(&frame(1, &old, "{{x}}", false));
    let main = builder.parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1;
    let main = String::from_utf8(main).unwrap().replace("<w:body></w:body>", &format!("<w:body>{body}</w:body>"));
    let filled = fill(&builder.with_part("word/document.xml", main), &[("x", FieldType::QrCode, "hello".into())]);
    let shown = shown_pictures(&filled);
    assert_eq!(content(&shown[0].bytes), "hello");
    assert_eq!(shown[0].size, (1_000_000.0 / 12_700.0, 1_000_000.0 / 12_700.0));
}

#[test]
fn an_empty_text_has_no_code() {
    let filled = fill(&DocumentBuilder::new(&paragraph("a{{x}}b")), &[("x", FieldType::QrCode, " ".into())]);
    assert_eq!((shown_pictures(&filled), media(&filled).len()), (Vec::new(), 0));
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let package = Package::open(&DocumentBuilder::new(&paragraph("{{x}}")).to_bytes()).unwrap();
    let structure = structure(&[("x", FieldType::QrCode)]);
    let options = FillOptions { structure: Some(&structure), ..FillOptions::default() };
    let filled = |text: String| fields::fill(&package, &Values::from_pairs([("x", text)]).unwrap(), options);
    assert!(filled("a".repeat(2_331)).is_ok());
    let refused = filled("a".repeat(2_332)).unwrap_err();
    assert_eq!(refused.code, ErrorCode::QrCodeTooLong);
    assert_eq!((refused.fields, refused.limit), (vec!["x".to_owned()], Some(2_331)));
}
