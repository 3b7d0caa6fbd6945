//! Pictures that are compressed by rows (a photograph) or as a whole (a drawing): a reader finds each pixel as it was.

mod support;

use image::{DynamicImage, GrayAlphaImage, GrayImage, LumaA, RgbImage, Rgba, RgbaImage};
use support::*;
use waraq_layout::{ImageFormat, ImageId, Item, PlacedImage, Rect};

const WIDTH: u32 = 240;
const HEIGHT: u32 = 180;

/// Of a place, never the same twice.
fn grain(x: u32, y: u32) -> u8 {
    ((x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(2_246_822_519) >> 28) as u8
}

fn photograph(x: u32, y: u32) -> [u8; 4] {
    let channel = |value: u32| value as u8 + grain(x, y);
    [channel(40 + x / 2), channel(60 + y / 2), channel(90 + (x + y) / 4), channel(120 + x / 3)]
}

/// A pattern that is repeated.
fn drawing(x: u32, y: u32) -> [u8; 4] {
    if grain(x % 24, y % 16) < 5 { [200, 30, 40, 255] } else { [250, 240, 200, 128] }
}

fn document(picture: &DynamicImage) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    let area = Rect { x: 50.0, y: 50.0, width: 120.0, height: 90.0 };
    let mut document = pages(vec![vec![Item::Image(PlacedImage::whole(ImageId(0), area))]]);
    document.images = vec![image(ImageFormat::Png, file.into_inner())];
    let bytes = pdf(&document);
    check(&bytes);
    bytes
}

/// The colours and the opacity, as Poppler takes them out.
fn taken_out(pdf: &[u8]) -> [DynamicImage; 2] {
    let path = saved(pdf);
    let prefix = path.with_extension("picture");
    let made = std::process::Command::new("pdfimages").arg("-png").args([&path, &prefix]).status().unwrap();
    assert!(made.success());
    std::fs::remove_file(path).unwrap();
    [0, 1].map(|number| {
        let name = format!("{}-{number:03}.png", prefix.display());
        let picture = image::open(&name).unwrap();
        std::fs::remove_file(name).unwrap();
        picture
    })
}

#[test]
fn every_pixel_of_a_photograph_and_of_a_drawing_is_as_it_was() {
    for of in [photograph, drawing] {
        let picture = RgbaImage::from_fn(WIDTH, HEIGHT, |x, y| Rgba(of(x, y)));
        let [color, opacity] = taken_out(&document(&picture.clone().into()));
        let expected = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
            let [r, g, b, _] = picture.get_pixel(x, y).0;
            image::Rgb([r, g, b])
        });
        assert!(color.into_rgb8() == expected);
        assert!(opacity.into_luma8() == GrayImage::from_fn(WIDTH, HEIGHT, |x, y| image::Luma([of(x, y)[3]])));

        let gray = GrayAlphaImage::from_fn(WIDTH, HEIGHT, |x, y| LumaA([of(x, y)[0], of(x, y)[3]]));
        let [color, opacity] = taken_out(&document(&gray.into()));
        assert!(color.into_luma8() == GrayImage::from_fn(WIDTH, HEIGHT, |x, y| image::Luma([of(x, y)[0]])));
        assert!(opacity.into_luma8() == GrayImage::from_fn(WIDTH, HEIGHT, |x, y| image::Luma([of(x, y)[3]])));
    }
}

#[test]
fn a_photograph_is_compressed_by_rows_and_a_drawing_is_not() {
    let made = |of: fn(u32, u32) -> [u8; 4]| document(&RgbaImage::from_fn(WIDTH, HEIGHT, |x, y| Rgba(of(x, y))).into());
    let by_rows = |pdf: &[u8]| pdf.windows(13).filter(|window| *window == b"/Predictor 15").count();
    let (photograph, drawing) = (made(photograph), made(drawing));
    assert_eq!((by_rows(&photograph), by_rows(&drawing)), (2, 0));
    // 173 kB of pixels
    assert!(photograph.len() < 125_000 && drawing.len() < 6_000, "{} {}", photograph.len(), drawing.len());
}
