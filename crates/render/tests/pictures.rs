//! Pictures in the PDF: embedded, shared, cropped, limited. A page drawn as a picture must look like the page.

mod support;

use support::*;
use waraq_layout::{
    DisplayItem, ImageFormat, ImageId, Paint, PathCommand, PlacedImage, Point, Rect, Rgb, StrokePath, TaggedItem,
    Transform,
};
use waraq_render::{PdfOptions, Picture};

const RED: [u8; 3] = [220, 20, 30];

fn placed(id: usize, x: f32, y: f32, width: f32, height: f32) -> DisplayItem {
    let area = Rect { x, y, width, height };
    DisplayItem::Image(PlacedImage::whole(ImageId(id), area))
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let decoded = image::load_from_memory(&picture.bytes).unwrap().into_rgb8();
    assert_eq!((decoded.width(), decoded.height()), (picture.width, picture.height));
    decoded.get_pixel(x, y).0
}

fn near(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 6)
}

#[test]
fn a_jpeg_is_embedded_unchanged_and_once() {
    let jpeg = encoded(image::ImageFormat::Jpeg, 64, 32, RED);
    let mut document = pages(vec![
        vec![placed(0, 50.0, 50.0, 64.0, 32.0), placed(0, 50.0, 150.0, 128.0, 64.0)],
        vec![placed(0, 50.0, 50.0, 64.0, 32.0)],
    ]);
    document.images = vec![image(ImageFormat::Jpeg, jpeg.clone())];
    let bytes = pdf(&document);
    check(&bytes);
    let found = bytes.windows(jpeg.len()).filter(|window| *window == jpeg).count();
    assert_eq!(found, 1);
}

#[test]
fn every_kind_of_pixels_is_drawn_in_the_pdf_and_in_the_picture() {
    let kinds = [
        (ImageFormat::Png, image::ImageFormat::Png),
        (ImageFormat::Jpeg, image::ImageFormat::Jpeg),
        (ImageFormat::Gif, image::ImageFormat::Gif),
        (ImageFormat::Bmp, image::ImageFormat::Bmp),
        (ImageFormat::Tiff, image::ImageFormat::Tiff),
        (ImageFormat::WebP, image::ImageFormat::WebP),
    ];
    let items = (0..kinds.len()).map(|index| placed(index, 50.0, 50.0 + 60.0 * index as f32, 40.0, 40.0)).collect();
    let mut document = pages(vec![items]);
    document.images = kinds.iter().map(|(ours, theirs)| image(*ours, encoded(*theirs, 20, 20, RED))).collect();
    let bytes = pdf(&document);
    check(&bytes);
    let listed = reader("pdfimages", &["-list", "FILE"], &bytes);
    assert_eq!(listed.lines().count() - 2, kinds.len(), "{listed}");
    let picture = waraq_render::png(&document, 0, 1.0).unwrap();
    for (index, kind) in kinds.iter().enumerate() {
        let seen = pixel(&picture, 70, 70 + 60 * index as u32);
        assert!(near(seen, RED), "{kind:?}: {seen:?}");
    }
}

#[test]
fn a_cropped_picture_fills_its_area() {
    // left half red, right half blue; the left half is cut off
    let mut source = image::RgbImage::from_pixel(40, 20, image::Rgb([0, 0, 250]));
    for x in 0..20 {
        for y in 0..20 {
            source.put_pixel(x, y, image::Rgb(RED));
        }
    }
    let mut png = std::io::Cursor::new(Vec::new());
    source.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let area = Rect { x: 100.0, y: 100.0, width: 60.0, height: 60.0 };
    let crop = [0.5, 0.0, 0.0, 0.0];
    let mut document =
        pages(vec![vec![DisplayItem::Image(PlacedImage { crop, ..PlacedImage::whole(ImageId(0), area) })]]);
    document.images = vec![image(ImageFormat::Png, png.into_inner())];
    check(&pdf(&document));
    let picture = waraq_render::png(&document, 0, 1.0).unwrap();
    assert!(near(pixel(&picture, 110, 130), [0, 0, 250]));
    assert!(near(pixel(&picture, 150, 130), [0, 0, 250]));
    assert!(near(pixel(&picture, 90, 130), [255, 255, 255]), "nothing beside the area");
}

#[test]
fn hostile_and_unknown_pictures_become_labelled_boxes() {
    let mut huge = encoded(image::ImageFormat::Png, 4, 4, RED);
    // IHDR with width and height 2 147 483 647
    huge[16..24].copy_from_slice(&[0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF]);
    let mut torn = encoded(image::ImageFormat::Png, 64, 64, RED);
    torn.truncate(60);
    let mut document =
        pages(vec![(0..5).map(|index| placed(index, 50.0, 50.0 + 100.0 * index as f32, 150.0, 80.0)).collect()]);
    document.images = vec![
        image(ImageFormat::Png, huge),
        image(ImageFormat::Png, torn),
        image(ImageFormat::Jpeg, b"\xFF\xD8\xFF not one".to_vec()),
        image(ImageFormat::Emf, vec![1, 0, 0, 0]),
        image(ImageFormat::Tiff, vec![0x49, 0x49, 0x2A, 0, 0xFF, 0xFF, 0xFF, 0xFF]),
    ];
    let made = waraq_render::pdf(&document, &PdfOptions::plain()).unwrap();
    check(&made.bytes);
    let text = text_of(&made.bytes);
    for label in ["PNG picture", "JPEG picture", "EMF picture", "TIFF picture"] {
        assert!(text.contains(label), "{label} in {text:?}");
    }
    assert_eq!(made.warnings.len(), 5, "{:?}", made.warnings);
    let picture = waraq_render::png(&document, 0, 1.0).unwrap();
    assert!(!near(pixel(&picture, 60, 60), [255, 255, 255]), "the box is seen");
}

#[test]
fn an_svg_is_drawn_as_paths_in_pdf_and_png() {
    let svg = br##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">
        <path fill="#0000c8" fill-rule="evenodd" d="M0 0H10V10H0Z M4 4H6V6H4Z"/></svg>"##;
    let mut document = pages(vec![vec![placed(0, 100.0, 100.0, 100.0, 100.0)]]);
    document.images = vec![image(ImageFormat::Svg, svg.to_vec())];
    let bytes = pdf(&document);
    check(&bytes);
    assert_eq!(reader("pdfimages", &["-list", "FILE"], &bytes).lines().count(), 2, "paths, not pixels");
    let picture = waraq_render::png(&document, 0, 1.0).unwrap();
    assert!(near(pixel(&picture, 120, 120), [0, 0, 200]));
    assert!(near(pixel(&picture, 150, 150), [255, 255, 255]), "the hole");
    assert!(near(pixel(&picture, 220, 150), [255, 255, 255]));
}

#[test]
fn fills_strokes_gradients_groups_and_clips_are_drawn() {
    let square = |x: f32, y: f32, side: f32| {
        vec![
            PathCommand::Move(x, y),
            PathCommand::Line(x + side, y),
            PathCommand::Line(x + side, y + side),
            PathCommand::Line(x, y + side),
            PathCommand::Close,
        ]
    };
    let turned = DisplayItem::Group {
        // a quarter turn with its origin at (300, 100), clipped to half
        transform: Transform { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: 300.0, f: 100.0 },
        clip: Some(Rect { x: 0.0, y: 0.0, width: 50.0, height: 40.0 }),
        items: vec![TaggedItem {
            item: DisplayItem::Rectangle {
                area: Rect { x: 0.0, y: 0.0, width: 100.0, height: 40.0 },
                color: Rgb(0, 0, 200),
                opacity: 1.0,
            },
            element: None,
        }],
    };
    let gradient = Paint::Gradient {
        stops: vec![(0.0, Rgb(255, 0, 0)), (1.0, Rgb(0, 0, 255))],
        from: Point { x: 100.0, y: 300.0 },
        to: Point { x: 200.0, y: 300.0 },
    };
    let document = pages(vec![vec![
        DisplayItem::Rectangle {
            area: Rect { x: 100.0, y: 100.0, width: 50.0, height: 50.0 },
            color: Rgb(0, 0, 0),
            opacity: 0.5,
        },
        DisplayItem::FilledPath { path: square(100.0, 300.0, 100.0), paint: gradient, even_odd: false },
        DisplayItem::Stroke(StrokePath {
            path: vec![PathCommand::Move(100.0, 500.0), PathCommand::Line(300.0, 500.0)],
            color: Rgb(0, 128, 0),
            width: 10.0,
            dashes: vec![50.0],
            round_caps: false,
        }),
        turned,
    ]]);
    check(&pdf(&document));
    let picture = waraq_render::png(&document, 0, 1.0).unwrap();
    let seen = |x, y| pixel(&picture, x, y);
    assert!(near(seen(125, 125), [127, 127, 127]));
    assert!(near(seen(103, 350), [248, 0, 8]), "{:?}", seen(103, 350));
    assert!(near(seen(150, 350), [127, 0, 128]), "{:?}", seen(150, 350));
    assert!(near(seen(120, 500), [0, 128, 0]));
    assert!(near(seen(175, 500), [255, 255, 255]), "a gap between dashes");
    assert!(near(seen(280, 120), [0, 0, 200]), "turned to the left and downwards");
    assert!(near(seen(280, 170), [255, 255, 255]), "what the clip cuts off");
}

#[test]
fn the_picture_of_a_page_looks_like_its_pdf() {
    let mut bold = run("Bold and slanted", LATIN, 24.0, 80.0, 200.0);
    bold.synthetic_bold = true;
    bold.synthetic_italic = true;
    let mut wide = run("wide", LATIN, 20.0, 80.0, 300.0);
    wide.scale_x = 1.5;
    for glyph in &mut wide.glyphs {
        glyph.advance *= 1.5;
    }
    let document = pages(vec![vec![
        DisplayItem::Glyphs(run("A page of paper", LATIN, 36.0, 80.0, 100.0)),
        DisplayItem::Glyphs(bold),
        DisplayItem::Glyphs(wide),
        DisplayItem::Glyphs(run("بِسْمِ اللَّهِ", NASKH, 36.0, 80.0, 420.0)),
    ]]);
    let ours = waraq_render::png(&document, 0, 1.0).unwrap();
    let ours = image::load_from_memory(&ours.bytes).unwrap().into_luma8();
    let path = saved(&pdf(&document));
    let theirs = path.with_extension("");
    let done = std::process::Command::new("pdftoppm")
        .args(["-r", "72", "-gray", "-png", "-singlefile"])
        .arg(&path)
        .arg(&theirs)
        .status()
        .unwrap();
    assert!(done.success());
    let theirs = image::open(theirs.with_extension("png")).unwrap().into_luma8();
    assert_eq!(ours.dimensions(), theirs.dimensions());
    let ink = |picture: &image::GrayImage| picture.pixels().map(|pixel| f64::from(255 - pixel.0[0])).sum::<f64>();
    let apart: f64 = ours.pixels().zip(theirs.pixels()).map(|(a, b)| f64::from(a.0[0].abs_diff(b.0[0]))).sum();
    // two rasterizers: shades at the edges differ, shapes do not
    assert!(apart < 0.25 * ink(&theirs), "{apart} of {}", ink(&theirs));
    assert!((ink(&ours) / ink(&theirs) - 1.0).abs() < 0.1);
}

#[test]
fn a_thumbnail_has_the_requested_width_and_is_small() {
    let lines =
        (0..40).map(|n| DisplayItem::Glyphs(run("A line of a contract", LATIN, 11.0, 72.0, 80.0 + 16.0 * n as f32)));
    let document = pages(vec![lines.collect()]);
    let picture = waraq_render::thumbnail(&document, 480).unwrap();
    assert_eq!((picture.width, picture.height), (480, 679));
    assert_eq!(&picture.bytes[8..12], b"WEBP");
    assert!(picture.bytes.len() < 60_000, "{} bytes", picture.bytes.len());
    assert_eq!(waraq_render::png(&document, 1, 1.0).unwrap_err().code, "no_such_page");
    assert_eq!(waraq_render::png(&document, 0, 1e6).unwrap_err().code, "picture_too_large");
}
