//! Windows metafiles are shown through their bitmaps ([MS-EMF], [MS-WMF], [MS-EMFPLUS]).

mod support;

use support::*;
use waraq_layout::{DisplayItem, ImageFormat, ImageId, Pages, PlacedImage, Rect};
use waraq_render::PdfOptions;

const RED: [u8; 3] = [220, 20, 20];
const BLUE: [u8; 3] = [20, 20, 220];

/// Returns a page with one metafile, 100 by 100 points at (100, 100).
fn document(format: ImageFormat, data: Vec<u8>) -> Pages {
    let area = Rect { x: 100.0, y: 100.0, width: 100.0, height: 100.0 };
    let placed = PlacedImage::whole(ImageId(0), area);
    let mut document = pages(vec![vec![DisplayItem::Image(placed)]]);
    document.images = vec![image(format, data)];
    document
}

fn pixel_at(document: &Pages, x: u32, y: u32) -> [u8; 3] {
    let png = waraq_render::png(document, 0, 1.0).unwrap();
    let picture = image::load_from_memory(&png.bytes).unwrap().into_rgb8();
    picture.get_pixel(x, y).0
}

fn near(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) < 12)
}

fn words(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// Returns the header and the pixels of a bitmap of 4 by 4 pixels.
fn dib(color: [u8; 3]) -> (Vec<u8>, Vec<u8>) {
    let mut head = words(&[40, 4, 4]);
    head.extend([1, 0, 24, 0]);
    head.extend(words(&[0, 48, 0, 0, 0, 0]));
    (head, [color[2], color[1], color[0]].repeat(16))
}

fn record(kind: i32, content: &[u8]) -> Vec<u8> {
    let mut record = words(&[kind, content.len() as i32 + 8]);
    record.extend(content);
    record
}

/// Returns a record that draws a bitmap at (x, y) with a width and height.
fn bitmap_record(color: [u8; 3], [x, y, width, height]: [i32; 4]) -> Vec<u8> {
    let (head, bits) = dib(color);
    let mut content = words(&[0, 0, 0, 0, x, y, 0, 0, 4, 4, 80, 40, 120, 48, 0, 0x00CC_0020, width, height]);
    content.extend(head);
    content.extend(bits);
    record(81, &content)
}

/// Returns a metafile of 200 by 200 device pixels.
fn enhanced(records: &[Vec<u8>]) -> Vec<u8> {
    // The device has 10 pixels for each millimetre, so 0.01 mm is 0.1 pixel.
    let mut header = words(&[0, 0, 199, 199, 0, 0, 2_000, 2_000]);
    header.extend(b" EMF");
    header.extend(words(&[0x10000, 0, 0, 0, 0, 0, 0, 1_000, 1_000, 100, 100]));
    let mut file = record(1, &header);
    records.iter().for_each(|record| file.extend(record));
    file.extend(record(14, &words(&[0, 0, 20])));
    file
}

fn warnings(document: &Pages) -> Vec<&'static str> {
    let made = waraq_render::pdf(document, &PdfOptions::plain()).unwrap();
    check(&made.bytes);
    made.warnings.iter().map(|warning| warning.code.as_str()).collect()
}

#[test]
fn a_metafile_of_one_bitmap_is_drawn_completely() {
    let emf = document(ImageFormat::Emf, enhanced(&[bitmap_record(RED, [0, 0, 200, 200])]));
    assert!(near(pixel_at(&emf, 110, 110), RED) && near(pixel_at(&emf, 190, 190), RED));
    assert_eq!(warnings(&emf), [""; 0]);
}

#[test]
fn bitmaps_are_drawn_at_their_positions() {
    let both = [bitmap_record(RED, [0, 0, 100, 100]), bitmap_record(BLUE, [100, 100, 100, 100])];
    let emf = document(ImageFormat::Emf, enhanced(&both));
    assert!(near(pixel_at(&emf, 120, 120), RED) && near(pixel_at(&emf, 180, 180), BLUE));
    assert!(near(pixel_at(&emf, 180, 120), [255, 255, 255]), "nothing where nothing is drawn");
    // A window twice as large as its viewport halves all coordinates.
    let window =
        [record(9, &words(&[200, 200])), record(11, &words(&[100, 100])), bitmap_record(RED, [0, 0, 200, 200])];
    let emf = document(ImageFormat::Emf, enhanced(&window));
    assert!(near(pixel_at(&emf, 120, 120), RED) && near(pixel_at(&emf, 180, 180), [255, 255, 255]));
}

/// A damaged PNG on the same page must not cause the warning of the metafile a second time.
#[test]
fn missing_content_gives_one_warning() {
    let rectangle = record(43, &words(&[0, 0, 10, 10]));
    let mut both = document(ImageFormat::Emf, enhanced(&[bitmap_record(RED, [0, 0, 200, 200]), rectangle]));
    let mut noise = 1_u32;
    let picture = image::RgbaImage::from_fn(400, 400, |_, _| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgba(noise.to_be_bytes())
    });
    let mut torn = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut torn, image::ImageFormat::Png).unwrap();
    let mut torn = torn.into_inner();
    torn.truncate(600_000);
    both.images.push(image(ImageFormat::Png, torn));
    let area = Rect { x: 300.0, y: 100.0, width: 100.0, height: 100.0 };
    let placed = DisplayItem::Image(PlacedImage::whole(ImageId(1), area));
    // drawn before the metafile
    both.pages[0].items.insert(0, waraq_layout::TaggedItem { item: placed, element: None });
    assert_eq!(warnings(&both), ["picture_unreadable", "picture_incomplete"], "in the order they are drawn in");
}

#[test]
fn missing_content_gives_a_warning() {
    let rectangle = record(43, &words(&[0, 0, 10, 10]));
    let emf = document(ImageFormat::Emf, enhanced(&[bitmap_record(RED, [0, 0, 200, 200]), rectangle.clone()]));
    assert_eq!(warnings(&emf), ["picture_incomplete"]);
    let without = document(ImageFormat::Emf, enhanced(&[rectangle]));
    assert_eq!(warnings(&without), ["picture_format"]);
    assert!(text_of(&waraq_render::pdf(&without, &PdfOptions::plain()).unwrap().bytes).contains("EMF picture"));
}

#[test]
fn a_picture_file_inside_an_enhanced_metafile_plus_is_shown() {
    let png = encoded(image::ImageFormat::Png, 8, 8, BLUE);
    let mut object = words(&[0, 0, 1, 0, 0, 0, 0, 1]);
    object[0..4].copy_from_slice(&(png.len() as i32 + 28).to_le_bytes());
    object[4..8].copy_from_slice(&0xDBC0_1002_u32.to_le_bytes());
    object.extend(&png);
    let mut plus = b"EMF+".to_vec();
    plus.extend([0x08, 0x40, 0, 5]);
    plus.extend((object.len() as u32 + 8).to_le_bytes());
    plus.extend(object);
    let mut comment = words(&[plus.len() as i32]);
    comment.extend(plus);
    let emf = document(ImageFormat::Emf, enhanced(&[record(70, &comment)]));
    assert!(near(pixel_at(&emf, 150, 150), BLUE));
}

/// Returns a placeable WMF metafile of 400 by 400 units with one bitmap in its left half.
fn placeable_wmf() -> Vec<u8> {
    let halves = |numbers: &[i16]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
    let mut file = 0x9AC6_CDD7_u32.to_le_bytes().to_vec();
    file.extend(halves(&[0, 0, 0, 400, 400, 1_000, 0, 0, 0]));
    file.extend(halves(&[1, 9, 0x300, 0, 0, 0, 0, 0, 0]));
    let (head, bits) = dib(RED);
    let mut content = words(&[0x00CC_0020]);
    content.extend(halves(&[0, 4, 4, 0, 0, 400, 200, 0, 0]));
    content.extend(head);
    content.extend(bits);
    file.extend(((content.len() as u32 + 6) / 2).to_le_bytes());
    file.extend(0x0F43_u16.to_le_bytes());
    file.extend(content);
    file.extend(halves(&[3, 0, 0]));
    file
}

#[test]
fn a_wmf_shows_its_bitmap() {
    let wmf = document(ImageFormat::Wmf, placeable_wmf());
    assert!(near(pixel_at(&wmf, 120, 150), RED) && near(pixel_at(&wmf, 180, 150), [255, 255, 255]));
    assert_eq!(warnings(&wmf), [""; 0]);
    // Without the placeable header and without a window, the area of the bitmap is the whole picture.
    let bare = document(ImageFormat::Wmf, placeable_wmf()[22..].to_vec());
    assert!(near(pixel_at(&bare, 120, 150), RED) && near(pixel_at(&bare, 180, 150), RED));
}

#[test]
fn only_the_source_area_of_a_bitmap_is_drawn() {
    let (head, _) = dib(RED);
    let row: Vec<u8> = [RED, RED, BLUE, BLUE].iter().flat_map(|color| [color[2], color[1], color[0]]).collect();
    // The source starts at column 2 and is two columns wide.
    let mut content = words(&[0, 0, 0, 0, 0, 0, 2, 0, 2, 4, 80, 40, 120, 48, 0, 0x00CC_0020, 200, 200]);
    content.extend(head);
    content.extend(row.repeat(4));
    let emf = document(ImageFormat::Emf, enhanced(&[record(81, &content)]));
    assert!(near(pixel_at(&emf, 110, 150), BLUE) && near(pixel_at(&emf, 190, 150), BLUE));
}

#[test]
fn damaged_and_hostile_metafiles_do_not_fail() {
    let (emf, wmf) = (enhanced(&[bitmap_record(RED, [0, 0, 200, 200])]), placeable_wmf());
    for (format, file) in [(ImageFormat::Emf, &emf), (ImageFormat::Wmf, &wmf)] {
        for end in (0..file.len()).step_by(7) {
            waraq_render::png(&document(format, file[..end].to_vec()), 0, 0.1).unwrap();
        }
        for at in (0..file.len()).step_by(3) {
            for value in [0, 0x7F, 0xFF] {
                let mut changed = file.clone();
                changed[at..(at + 4).min(file.len())].fill(value);
                waraq_render::png(&document(format, changed), 0, 0.1).unwrap();
            }
        }
    }
    // Thousands of bitmaps, each as large as allowed.
    let many: Vec<Vec<u8>> = (0..5_000).map(|_| bitmap_record(RED, [-100, -100, 399, 399])).collect();
    waraq_render::png(&document(ImageFormat::Emf, enhanced(&many)), 0, 0.1).unwrap();
}
