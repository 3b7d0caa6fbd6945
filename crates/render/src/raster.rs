//! Draws pages as pictures. The library hayro rasterizes the PDF of the page, so the page looks the same in the picture
//! and in the PDF.

use std::io::Cursor;

use hayro::hayro_interpret::{InterpreterSettings, TransformExt};
use hayro::hayro_syntax::Pdf;
use hayro::kurbo::Affine;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::vello_cpu::{Pixmap, RasterizerSettings, RenderContext, Resources, TargetInit};
use hayro::{RenderCache, RenderSettings, render_into};
use image::{ImageFormat, RgbImage};
use waraq_graphics::{Error, Result};
use waraq_layout::{Page, Pages};
use waraq_rules::ErrorCode;

use crate::{Picture, pdf};

/// Maximum number of pixels of a picture. A page of A0 at 150 dpi has about 35 million.
const MAX_PIXELS: f32 = 36_000_000.0;
/// Maximum length of a side in pixels, because hayro counts pixels in 16 bits.
const MAX_SIDE: f32 = 65_535.0;

/// Draws one page (counted from 0) as a PNG on white, with `scale` pixels for each point.
///
/// # Errors
/// `no_such_page`, `picture_too_large`, and the errors of [`pdf`](crate::pdf()).
pub fn png(pages: &Pages, page: usize, scale: f32) -> Result<Picture> {
    let page = pages.pages.get(page).ok_or_else(|| Error::new(ErrorCode::NoSuchPage, "there is no such page"))?;
    encode(&rasterize_page(pages, page, scale)?, ImageFormat::Png)
}

/// Draws the first page as a lossless WebP that is `width` pixels wide. The catalogue of templates shows such pictures.
///
/// # Errors
/// `no_such_page`, `picture_too_large`, and the errors of [`pdf`](crate::pdf()).
pub fn thumbnail(pages: &Pages, width: u32) -> Result<Picture> {
    let page = pages.pages.first().ok_or_else(|| Error::new(ErrorCode::NoSuchPage, "there is no page"))?;
    encode(&rasterize_page(pages, page, width as f32 / page.width.max(1.0))?, ImageFormat::WebP)
}

fn encode(drawn: &RgbImage, format: ImageFormat) -> Result<Picture> {
    let mut bytes = Cursor::new(Vec::new());
    drawn.write_to(&mut bytes, format).map_err(internal)?;
    Ok(Picture { bytes: bytes.into_inner(), width: drawn.width(), height: drawn.height() })
}

fn rasterize_page(pages: &Pages, page: &Page, scale: f32) -> Result<RgbImage> {
    let (width, height) = ((page.width * scale).round(), (page.height * scale).round());
    let side = 1.0..=MAX_SIDE;
    let is_valid = side.contains(&width) && side.contains(&height) && width * height <= MAX_PIXELS && scale.is_finite();
    if !is_valid {
        return Err(Error::new(ErrorCode::PictureTooLarge, "the picture would be too large, or has no size"));
    }
    let file = Pdf::new(pdf::page_pdf(pages, page, scale)?).map_err(|error| internal(format!("{error:?}")))?;
    let on_paper = file.pages().first().ok_or_else(|| internal("the PDF of the page has no page"))?;
    let mut context = RenderContext::new(width as u16, height as u16);
    // no hinting, as in the PDF: glyphs are not fitted to the pixel grid
    let settings = RenderSettings { hinting: false, ..RenderSettings::default() };
    let page_to_pixels = Affine::scale(f64::from(scale)) * on_paper.initial_transform(true).to_kurbo();
    render_into(
        on_paper,
        &RenderCache::new(),
        &InterpreterSettings::default(),
        &settings,
        &mut context,
        page_to_pixels,
    );
    context.flush();
    let mut drawn = Pixmap::new(context.width(), context.height());
    let paper = RasterizerSettings { target_init: TargetInit::Clear(WHITE), ..RasterizerSettings::default() };
    context.render_with(&mut drawn, &mut Resources::default(), paper);
    let rgb = drawn.data().iter().flat_map(|pixel| [pixel.r, pixel.g, pixel.b]).collect();
    RgbImage::from_raw(width as u32, height as u32, rgb).ok_or_else(|| internal("the picture lacks pixels"))
}

fn internal(why: impl std::fmt::Display) -> Error {
    Error::new(ErrorCode::Internal, why.to_string())
}
