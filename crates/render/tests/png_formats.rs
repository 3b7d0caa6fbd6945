//! PNG files of every colour type, valid and damaged, alone and together.

mod support;

use std::borrow::Cow;

use png::{BitDepth, ColorType};
use support::*;
use waraq_layout::{DisplayItem, ImageFormat, ImageId, Pages, PlacedImage, Rect};
use waraq_render::{PdfOptions, StandardClaim};

const WIDTH: u32 = 45;
const HEIGHT: u32 = 31;

/// Encodes a PNG with a gradient, in any colour type and bit depth.
fn png(color: ColorType, depth: BitDepth, change: impl Fn(&mut png::Info<'static>)) -> Vec<u8> {
    let mut info = png::Info::with_size(WIDTH, HEIGHT);
    (info.color_type, info.bit_depth) = (color, depth);
    if color == ColorType::Indexed {
        // fewer entries than the pixels use
        info.palette = Some(Cow::Owned((0..12).map(|value| value * 20).collect()));
    }
    change(&mut info);
    let row = info.raw_row_length() - 1;
    let pixels: Vec<u8> = (0..row * HEIGHT as usize).map(|at| (at % row * 5 + at / row) as u8).collect();
    let mut file = Vec::new();
    let encoder = png::Encoder::with_info(&mut file, info).unwrap();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    file
}

fn page_with_picture(file: &[u8]) -> Pages {
    let area = Rect { x: 50.0, y: 50.0, width: WIDTH as f32, height: HEIGHT as f32 };
    let placed = PlacedImage::whole(ImageId(0), area);
    let mut document = pages(vec![vec![DisplayItem::Image(placed)]]);
    document.images = vec![image(ImageFormat::Png, file.to_vec())];
    document
}

/// Returns the byte range of each chunk of a kind, from its length to its checksum.
fn chunks(file: &[u8], kind: &[u8; 4]) -> Vec<std::ops::Range<usize>> {
    let (mut found, mut at) = (Vec::new(), 8);
    while let Some(length) = file.get(at..at + 4) {
        let end = at + 12 + u32::from_be_bytes(length.try_into().unwrap()) as usize;
        if file[at + 4..at + 8] == *kind {
            found.push(at..end);
        }
        at = end;
    }
    found
}

fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut crc = flate2::Crc::new();
    crc.update(kind);
    crc.update(content);
    [&(content.len() as u32).to_be_bytes()[..], kind, content, &crc.sum().to_be_bytes()].concat()
}

fn compressed_pixels(file: &[u8]) -> Vec<u8> {
    chunks(file, b"IDAT").into_iter().flat_map(|range| file[range.start + 8..range.end - 4].to_vec()).collect()
}

/// Returns the same file with other IDAT chunks.
fn with_pixels(file: &[u8], pieces: &[&[u8]]) -> Vec<u8> {
    let (first, end) = (chunks(file, b"IDAT")[0].start, chunks(file, b"IEND")[0].start);
    let idat: Vec<u8> = pieces.iter().flat_map(|piece| chunk(b"IDAT", piece)).collect();
    [&file[..first], &idat, &file[end..]].concat()
}

/// Asserts that a page with this PNG looks like a page with the same picture as a BMP file.
fn assert_drawn_like_bitmap(file: &[u8]) {
    let mut bitmap = std::io::Cursor::new(Vec::new());
    image::load_from_memory(file).unwrap().into_rgb8().write_to(&mut bitmap, image::ImageFormat::Bmp).unwrap();
    let (as_it_is, mut other) = (page_with_picture(file), page_with_picture(file));
    other.images = vec![image(ImageFormat::Bmp, bitmap.into_inner())];
    for options in [PdfOptions::plain(), PdfOptions { pdf_a: StandardClaim::IfPossibleOrWarn, ..PdfOptions::plain() }] {
        let [made, wanted] = [&as_it_is, &other].map(|pages| waraq_render::pdf(pages, &options).unwrap().bytes);
        check(&made);
        let (made, wanted) = (seen(&made), seen(&wanted));
        assert_eq!(made.dimensions(), wanted.dimensions());
        // gray may be rounded differently from the same colour in RGB
        let differ = |(a, b): (&u8, &u8)| a.abs_diff(*b) > 1;
        assert_eq!(made.as_raw().iter().zip(wanted.as_raw()).filter(|pair| differ(*pair)).count(), 0);
        assert!(made.pixels().any(|pixel| pixel.0 != [255, 255, 255]), "nothing is seen");
    }
}

#[test]
fn every_colour_type_looks_like_the_same_bitmap() {
    use BitDepth::{Eight, Four, One, Two};
    for depth in [One, Two, Four, Eight] {
        assert_drawn_like_bitmap(&png(ColorType::Grayscale, depth, |_| {}));
        assert_drawn_like_bitmap(&png(ColorType::Indexed, depth, |info| {
            let most = 3 << depth as u8;
            let whole = info.palette.take().unwrap_or_default();
            info.palette = Some(Cow::Owned(whole.iter().copied().take(most).collect()));
        }));
    }
    assert_drawn_like_bitmap(&png(ColorType::Rgb, Eight, |_| {}));
    assert_drawn_like_bitmap(&png(ColorType::Rgb, BitDepth::Sixteen, |_| {}));
}

#[test]
fn pixels_in_many_idat_chunks_are_joined() {
    let file = png(ColorType::Rgb, BitDepth::Eight, |_| {});
    let pixels = compressed_pixels(&file);
    let pieces: Vec<&[u8]> = pixels.chunks(7).collect();
    assert_drawn_like_bitmap(&with_pixels(&file, &pieces));
}

/// Returns a square of noise as a PNG. The upper half is transparent. `red` is the red channel of all pixels.
fn half_transparent_noise(red: u8) -> Vec<u8> {
    let mut noise = 1_u32;
    let picture = image::RgbaImage::from_fn(64, 64, |_, y| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgba([red, (noise >> 24) as u8, (noise >> 16) as u8, if y < 32 { 0 } else { 255 }])
    });
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    file.into_inner()
}

#[test]
fn many_pictures_are_drawn_at_their_positions() {
    let area = |row: u32| Rect { x: 10.0, y: 10.0 + 100.0 * row as f32, width: 64.0, height: 64.0 };
    let placed = |id: u32, row| DisplayItem::Image(PlacedImage::whole(ImageId(id as usize), area(row)));
    let mut document =
        pages((0..4).map(|page| (0..8).map(|row| placed((page * 7 + row) % 28, row)).collect()).collect());
    // picture 3 is truncated, and picture 5 is not a picture
    document.images = (0..28).map(|id| image(ImageFormat::Png, half_transparent_noise(9 * id as u8))).collect();
    document.images[3].data.truncate(2_000);
    document.images[5].data = b"no picture".to_vec().into();
    let made = waraq_render::pdf(&document, &PdfOptions::plain()).unwrap();
    check(&made.bytes);
    assert_eq!(made.warnings.len(), 2, "{:?}", made.warnings);
    for _ in 0..3 {
        assert!(waraq_render::pdf(&document, &PdfOptions::plain()).unwrap().bytes == made.bytes);
    }
    let page = seen(&made.bytes);
    for row in [0, 1, 2, 4, 6, 7] {
        let (x, y) = (40, 10 + 100 * row);
        assert_eq!(page.get_pixel(x, y + 10).0, [255, 255, 255], "what is under it");
        assert!(page.get_pixel(x, y + 50).0[0].abs_diff(9 * row as u8) <= 2, "{row}: {:?}", page.get_pixel(x, y + 50));
    }
}

#[test]
fn damaged_pixel_data_is_drawn_or_labelled() {
    let file = png(ColorType::Grayscale, BitDepth::Eight, |_| {});
    let deflated = |bytes: &[u8]| {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, bytes).unwrap();
        encoder.finish().unwrap()
    };
    let all = (1 + WIDTH as usize) * HEIGHT as usize;
    let mut odd_filter = vec![0; all];
    odd_filter[(1 + WIDTH as usize) * 3] = 7;
    let sound = deflated(&vec![0; all]);
    let short = deflated(&vec![0; all - 1]);
    let long = deflated(&vec![0; 100 * all]);
    let more = [&sound[..], b"more"].concat();
    let torn = &sound[..sound.len() - 6];
    let wrong: [&[u8]; 5] = [&deflated(&odd_filter), &short, &long, &more, torn];
    assert_drawn_like_bitmap(&with_pixels(&file, &[&sound]));
    for pixels in wrong {
        let made = waraq_render::pdf(&page_with_picture(&with_pixels(&file, &[pixels])), &PdfOptions::plain()).unwrap();
        check(&made.bytes);
        let labelled = text_of(&made.bytes).contains("PNG picture");
        assert_eq!(labelled, !made.warnings.is_empty(), "{} bytes: {:?}", pixels.len(), made.warnings);
    }
}
