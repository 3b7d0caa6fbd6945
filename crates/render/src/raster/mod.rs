//! Pages become pictures, by tiny-skia, from the same outlines, pictures and paints as the PDF.

mod draw;
mod paint;

use std::io::Cursor;

use image::codecs::webp::WebPEncoder;
use image::{ExtendedColorType, ImageEncoder};
use tiny_skia::{Color, Pixmap};
use waraq_layout::{Page, Pages};
use waraq_rules::ErrorCode;

use crate::{Error, Picture};
use draw::Canvas;

/// A page of A0 at 150 dpi; four bytes each.
const MAX_PIXELS: f32 = 36_000_000.0;

pub(crate) fn png(pages: &Pages, page: usize, scale: f32) -> Result<Picture, Error> {
    let page = pages.pages.get(page).ok_or_else(|| Error::new(ErrorCode::NoSuchPage, "there is no such page"))?;
    let pixmap = draw(pages, page, scale)?;
    let (width, height) = (pixmap.width(), pixmap.height());
    let bytes = pixmap.encode_png().map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?;
    Ok(Picture { bytes, width, height })
}

pub(crate) fn thumbnail(pages: &Pages, width: u32) -> Result<Picture, Error> {
    let page = pages.pages.first().ok_or_else(|| Error::new(ErrorCode::NoSuchPage, "there is no page"))?;
    let pixmap = draw(pages, page, width as f32 / page.width.max(1.0))?;
    let (width, height) = (pixmap.width(), pixmap.height());
    // the page is opaque: three channels compress better than four
    let rgb: Vec<u8> = pixmap.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    let mut bytes = Cursor::new(Vec::new());
    WebPEncoder::new_lossless(&mut bytes)
        .write_image(&rgb, width, height, ExtendedColorType::Rgb8)
        .map_err(|error| Error::new(ErrorCode::Internal, error.to_string()))?;
    Ok(Picture { bytes: bytes.into_inner(), width, height })
}

fn draw(pages: &Pages, page: &Page, scale: f32) -> Result<Pixmap, Error> {
    let too_large = || Error::new(ErrorCode::PictureTooLarge, "the picture would be too large, or has no size");
    let (width, height) = ((page.width * scale).round(), (page.height * scale).round());
    let sound = width >= 1.0 && height >= 1.0 && width * height <= MAX_PIXELS && scale.is_finite();
    if !sound {
        return Err(too_large());
    }
    let mut pixmap = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
    pixmap.fill(Color::WHITE);
    Canvas::new(pages, page, scale, &mut pixmap).page(page);
    pages.meter.outcome().map_err(|error| Error::new(error.code, error.message))?;
    Ok(pixmap)
}
