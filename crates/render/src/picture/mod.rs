//! Pictures of a document, decoded within bounds.

mod apart;
mod shrink;

use std::io::Cursor;
use waraq_rules::FindingCode;

use bytes::Bytes;
use image::{DynamicImage, ImageReader, Limits};
use waraq_layout::{Image, ImageFormat};

use crate::metafile;
pub(crate) use apart::Apart;
use shrink::shrink;

/// Pictures with more pixels are not decoded (a page of A3 at 600 dpi has 70 million).
const MAX_PIXELS: u64 = 80_000_000;
const MAX_SIDE: u32 = 30_000;
/// What a decoder may allocate for one picture.
const MAX_BYTES: u64 = 400 << 20;

/// Why a picture becomes a labelled box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub code: FindingCode,
    pub message: String,
    /// What the box says.
    pub label: &'static str,
}

/// Decodes a picture and shrinks it if it has far more pixels than `wanted`.
fn decode(image: &Image, wanted: (f32, f32)) -> Result<DynamicImage, Unreadable> {
    if matches!(image.format, ImageFormat::Emf | ImageFormat::Wmf)
        && let Some((picture, _)) = metafile::bitmaps(&image.data)
    {
        return Ok(shrink(picture, wanted));
    }
    let format = codec(image)?;
    let unreadable = |error: image::ImageError| Unreadable {
        code: FindingCode::PictureUnreadable,
        message: format!("the picture {} cannot be read: {error}", image.part),
        label: label(image.format),
    };
    let reader = |data: Bytes| {
        let mut reader = ImageReader::with_format(Cursor::new(data), format);
        reader.limits(limits(MAX_SIDE, MAX_BYTES));
        reader
    };
    let (width, height) = reader(image.data.clone()).into_dimensions().map_err(unreadable)?;
    if !may_be_decoded((width, height)) {
        return Err(Unreadable {
            code: FindingCode::PictureTooLarge,
            message: format!("the picture {} is too large: {width} × {height} pixels", image.part),
            label: label(image.format),
        });
    }
    let picture = reader(image.data.clone()).decode().map_err(unreadable)?;
    Ok(shrink(picture, wanted))
}

/// What a decoder may make: no side longer than this, no more bytes.
pub(crate) fn limits(side: u32, bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    (limits.max_image_width, limits.max_image_height) = (Some(side), Some(side));
    limits.max_alloc = Some(bytes);
    limits
}

fn may_be_decoded((width, height): (u32, u32)) -> bool {
    u64::from(width) * u64::from(height) <= MAX_PIXELS && width <= MAX_SIDE && height <= MAX_SIDE
}

/// The label of a picture that cannot be shown.
pub(crate) fn label(format: ImageFormat) -> &'static str {
    match format {
        ImageFormat::Png => "PNG picture",
        ImageFormat::Jpeg => "JPEG picture",
        ImageFormat::Gif => "GIF picture",
        ImageFormat::Bmp => "BMP picture",
        ImageFormat::Tiff => "TIFF picture",
        ImageFormat::WebP => "WebP picture",
        ImageFormat::Svg => "SVG picture",
        ImageFormat::Emf => "EMF picture",
        ImageFormat::Wmf => "WMF picture",
        ImageFormat::Unknown => "Picture",
    }
}

fn codec(image: &Image) -> Result<image::ImageFormat, Unreadable> {
    match image.format {
        ImageFormat::Png => Ok(image::ImageFormat::Png),
        ImageFormat::Jpeg => Ok(image::ImageFormat::Jpeg),
        ImageFormat::Gif => Ok(image::ImageFormat::Gif),
        ImageFormat::Bmp => Ok(image::ImageFormat::Bmp),
        ImageFormat::Tiff => Ok(image::ImageFormat::Tiff),
        ImageFormat::WebP => Ok(image::ImageFormat::WebP),
        ImageFormat::Svg | ImageFormat::Emf | ImageFormat::Wmf | ImageFormat::Unknown => Err(Unreadable {
            code: FindingCode::PictureFormat,
            message: format!("the picture {} is of a kind that cannot be drawn: {}", image.part, label(image.format)),
            label: label(image.format),
        }),
    }
}

/// Whether a picture of so many pixels has far more than `wanted`. One only a little too fine stays as it is: averaging it
/// would soften it for nothing.
fn is_too_fine((width, height): (u32, u32), wanted: (f32, f32)) -> bool {
    let too_fine = |has: u32, wants: u32| u64::from(has) * 2 > u64::from(wants) * 3;
    let (wanted_width, wanted_height) = pixels(wanted);
    too_fine(width, wanted_width) && too_fine(height, wanted_height)
}

fn pixels((width, height): (f32, f32)) -> (u32, u32) {
    let whole = |pixels: f32| pixels.ceil().clamp(1.0, MAX_SIDE as f32) as u32;
    (whole(width), whole(height))
}
