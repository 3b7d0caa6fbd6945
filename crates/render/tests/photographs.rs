//! Photographs and drawings: a reader sees every pixel unchanged, or the mean of the pixels it replaces.

mod support;

use image::{DynamicImage, GrayAlphaImage, GrayImage, LumaA, RgbImage, Rgba, RgbaImage};
use support::*;
use waraq_layout::{DisplayItem, ImageFormat, ImageId, PlacedImage, Rect};

const WIDTH: u32 = 240;
const HEIGHT: u32 = 180;

/// Returns noise that depends only on the position.
fn grain(x: u32, y: u32) -> u8 {
    ((x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)).wrapping_mul(2_246_822_519) >> 28) as u8
}

fn photograph(x: u32, y: u32) -> [u8; 4] {
    let channel = |value: u32| value as u8 + grain(x, y);
    [channel(40 + x / 2), channel(60 + y / 2), channel(90 + (x + y) / 4), channel(120 + x / 3)]
}

/// Returns the pixel of a repeated pattern.
fn drawing(x: u32, y: u32) -> [u8; 4] {
    if grain(x % 24, y % 16) < 5 { [200, 30, 40, 255] } else { [250, 240, 200, 128] }
}

fn document(picture: &DynamicImage) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    document_with_size(file.into_inner(), 120.0, 90.0)
}

fn document_with_size(png: Vec<u8>, width: f32, height: f32) -> Vec<u8> {
    let area = Rect { x: 50.0, y: 50.0, width, height };
    let mut document = pages(vec![vec![DisplayItem::Image(PlacedImage::whole(ImageId(0), area))]]);
    document.images = vec![image(ImageFormat::Png, png)];
    let bytes = pdf(&document);
    check(&bytes);
    bytes
}

/// Returns the colours and the opacity of the picture in a PDF, extracted by Poppler's `pdfimages`. Without opacity, returns the
/// colours twice.
fn extract_picture(pdf: &[u8], has_opacity: bool) -> [DynamicImage; 2] {
    let path = saved(pdf);
    let prefix = path.with_extension("picture");
    let made = std::process::Command::new("pdfimages").arg("-png").args([&path, &prefix]).status().unwrap();
    assert!(made.success());
    std::fs::remove_file(path).unwrap();
    let names = [0, usize::from(has_opacity)].map(|number| format!("{}-{number:03}.png", prefix.display()));
    let pictures = names.clone().map(|name| image::open(name).unwrap());
    names.iter().take(1 + usize::from(has_opacity)).for_each(|name| std::fs::remove_file(name).unwrap());
    pictures
}

#[test]
fn pixels_of_photographs_and_drawings_are_unchanged() {
    for of in [photograph, drawing] {
        let picture = RgbaImage::from_fn(WIDTH, HEIGHT, |x, y| Rgba(of(x, y)));
        let [color, opacity] = extract_picture(&document(&picture.clone().into()), true);
        let expected = RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
            let [r, g, b, _] = picture.get_pixel(x, y).0;
            image::Rgb([r, g, b])
        });
        assert!(color.into_rgb8() == expected);
        assert!(opacity.into_luma8() == GrayImage::from_fn(WIDTH, HEIGHT, |x, y| image::Luma([of(x, y)[3]])));

        let gray = GrayAlphaImage::from_fn(WIDTH, HEIGHT, |x, y| LumaA([of(x, y)[0], of(x, y)[3]]));
        let [color, opacity] = extract_picture(&document(&gray.into()), true);
        assert!(color.into_luma8() == GrayImage::from_fn(WIDTH, HEIGHT, |x, y| image::Luma([of(x, y)[0]])));
        assert!(opacity.into_luma8() == GrayImage::from_fn(WIDTH, HEIGHT, |x, y| image::Luma([of(x, y)[3]])));
    }
}

/// The picture is drawn 12 points wide, which is 50 pixels at 300 dpi. Each is the mean of 4.8 by 3.6 pixels.
#[test]
fn pictures_above_300_dpi_are_scaled_down_by_averaging() {
    let mean = |x: u32, y: u32, channel: usize| {
        let across = x * WIDTH / 50..(x + 1) * WIDTH / 50;
        let down = (y * HEIGHT).div_ceil(50)..((y + 1) * HEIGHT).div_ceil(50);
        let values: Vec<u32> =
            down.flat_map(|y| across.clone().map(move |x| u32::from(photograph(x, y)[channel]))).collect();
        values.iter().sum::<u32>() as f32 / values.len() as f32
    };
    let picture = DynamicImage::from(RgbaImage::from_fn(WIDTH, HEIGHT, |x, y| Rgba(photograph(x, y))));
    let kinds = [
        ("eight bits", picture.clone()),
        ("sixteen bits", picture.to_rgba16().into()),
        ("no opacity", picture.to_rgb8().into()),
        (
            "gray",
            GrayAlphaImage::from_fn(WIDTH, HEIGHT, |x, y| LumaA([photograph(x, y)[0], photograph(x, y)[3]])).into(),
        ),
    ];
    for (kind, picture) in kinds {
        let mut file = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
        let bytes = document_with_size(file.into_inner(), 12.0, 12.0);
        check(&bytes);
        let [color, opacity] = extract_picture(&bytes, picture.color().has_alpha());
        let (color, opacity) = (color.into_rgb8(), opacity.into_luma8());
        assert_eq!(color.dimensions(), (50, 50), "{kind}");
        for (x, y, pixel) in color.enumerate_pixels() {
            for (channel, value) in pixel.0.into_iter().enumerate() {
                let expected = mean(x, y, if kind == "gray" { 0 } else { channel });
                assert!((f32::from(value) - expected).abs() < 1.01, "{kind} {x} {y}: {value} for {expected}");
            }
            if picture.color().has_alpha() {
                let value = f32::from(opacity.get_pixel(x, y).0[0]);
                assert!((value - mean(x, y, 3)).abs() < 1.01, "{kind} {x} {y}: opacity {value}");
            }
        }
    }
}

/// Rows are decoded one by one. Missing rows at the end must still be an error.
#[test]
fn a_truncated_picture_becomes_a_labelled_box() {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = RgbaImage::from_fn(WIDTH, HEIGHT, |x, y| Rgba(photograph(x, y)));
    picture.write_to(&mut file, image::ImageFormat::Png).unwrap();
    let mut file = file.into_inner();
    file.truncate(file.len() * 9 / 10);
    for width in [120.0, 12.0] {
        let area = Rect { x: 50.0, y: 50.0, width, height: 90.0 };
        let mut document = pages(vec![vec![DisplayItem::Image(PlacedImage::whole(ImageId(0), area))]]);
        document.images = vec![image(ImageFormat::Png, file.clone())];
        let made = waraq_render::pdf(&document, &waraq_render::PdfOptions::plain()).unwrap();
        check(&made.bytes);
        assert_eq!(made.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), ["picture_unreadable"]);
    }
}
