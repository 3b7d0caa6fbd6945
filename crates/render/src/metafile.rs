//! Draws the bitmaps of Windows metafiles.
//!
//! Most metafiles in documents contain only one bitmap, which is drawn at its position. Layout converts most metafiles
//! with lines, fills and text into items of the page. The exceptions include the metafiles of bullets and of fills of
//! shapes. This module draws only the bitmaps of such a metafile, and a warning says that the lines and the text are
//! left out.

use std::io::Cursor;

use image::{DynamicImage, ImageReader, RgbaImage, imageops};
use waraq_graphics::metafile::{PlayedMetafile, marks, play};

use crate::picture;

/// Maximum number of pixels of the combined picture.
const MAX_PIXELS: f64 = 4_000_000.0;
/// Maximum number of pixels of all bitmaps decoded for one metafile.
const MAX_DECODED_PIXELS: u64 = 40_000_000;

/// A bitmap and its area (x, y, width, height) in points.
struct PlacedBitmap {
    bitmap: RgbaImage,
    area: [f64; 4],
}

/// Returns one image with all bitmaps of a metafile at their positions. The flag is `true` if this image shows
/// everything that the metafile draws. Returns `None` if no bitmap can be drawn.
pub(crate) fn bitmaps(data: &[u8]) -> Option<(DynamicImage, bool)> {
    let PlayedMetafile { metafile, bitmaps, has_vector_marks: vector, whole_pictures: whole } = play(data)?;
    let (width, height) = (f64::from(metafile.width), f64::from(metafile.height));
    let mut complete = !vector && !metafile.incomplete;
    let mut decoded_pixels = 0;
    let mut drawn = Vec::new();
    for mark in &metafile.marks {
        let marks::MarkContent::Picture { image, area, crop, flip_horizontal, flip_vertical } = &mark.content else {
            continue;
        };
        let bitmap = bitmaps.get(image.0).and_then(|file| decode_bitmap(file, &mut decoded_pixels));
        complete &= bitmap.is_some();
        if let Some(bitmap) = bitmap {
            let mut bitmap = crop_bitmap(bitmap, *crop);
            if *flip_horizontal {
                imageops::flip_horizontal_in_place(&mut bitmap);
            }
            if *flip_vertical {
                imageops::flip_vertical_in_place(&mut bitmap);
            }
            drawn.push(PlacedBitmap { bitmap, area: area.map(f64::from) });
        }
    }
    for file in whole {
        drawn.extend(
            decode_bitmap(&file, &mut decoded_pixels)
                .map(|bitmap| PlacedBitmap { bitmap, area: [0.0, 0.0, width, height] }),
        );
    }
    Some((combine_bitmaps(drawn, width, height)?, complete))
}

/// Decodes a picture file, and adds its pixels to `decoded_pixels`, the number of pixels decoded so far. Returns `None`
/// if the file is damaged, or if the sum exceeds [`MAX_DECODED_PIXELS`].
fn decode_bitmap(file: &[u8], decoded_pixels: &mut u64) -> Option<RgbaImage> {
    let reader = || {
        let mut reader = ImageReader::new(Cursor::new(file)).with_guessed_format().ok()?;
        reader.limits(picture::decoder_limits(20_000, 200 << 20));
        Some(reader)
    };
    let (width, height) = reader()?.into_dimensions().ok()?;
    *decoded_pixels = decoded_pixels.saturating_add(u64::from(width) * u64::from(height));
    if *decoded_pixels > MAX_DECODED_PIXELS || width == 0 || height == 0 {
        return None;
    }
    Some(reader()?.decode().ok()?.into_rgba8())
}

/// Crops a bitmap. `crop` is the share of the width or height to remove at the left, top, right and bottom, from 0 to 1.
fn crop_bitmap(bitmap: RgbaImage, crop: [f32; 4]) -> RgbaImage {
    let (width, height) = bitmap.dimensions();
    let [left, right] = [crop[0], crop[2]].map(|share| (share * width as f32).round() as u32);
    let [top, bottom] = [crop[1], crop[3]].map(|share| (share * height as f32).round() as u32);
    if left + top + right + bottom == 0 {
        return bitmap;
    }
    let rest = |whole: u32, cut: u32| whole.saturating_sub(cut).max(1);
    imageops::crop_imm(&bitmap, left, top, rest(width, left + right), rest(height, top + bottom)).to_image()
}

/// Combines the bitmaps into one picture. `width` and `height` are the size of the metafile in points. The picture has the
/// resolution of the sharpest bitmap. Returns `None` if there are no bitmaps.
fn combine_bitmaps(mut drawn: Vec<PlacedBitmap>, width: f64, height: f64) -> Option<DynamicImage> {
    let covers = |one: &PlacedBitmap| one.area[2] >= 0.95 * width && one.area[3] >= 0.95 * height;
    if drawn.len() == 1 && drawn.first().is_some_and(covers) {
        return drawn.pop().map(|one| DynamicImage::ImageRgba8(one.bitmap));
    }
    if drawn.is_empty() {
        return None;
    }
    let density = |one: &PlacedBitmap| f64::from(one.bitmap.width()) / one.area[2].max(1e-6);
    let sharpest = drawn.iter().map(density).fold(0.01, f64::max);
    let scale = sharpest.min((MAX_PIXELS / (width * height)).sqrt());
    let pixels = |length: f64| (length * scale).round().clamp(1.0, 20_000.0) as u32;
    let mut canvas = RgbaImage::new(pixels(width), pixels(height));
    let mut painted = 0.0;
    for PlacedBitmap { bitmap, area: [x, y, w, h] } in drawn {
        painted += w.min(width * 2.0) * h.min(height * 2.0) * scale * scale;
        // A bitmap that is far larger than the metafile, or too many bitmaps, can only come from an attack.
        if w > width * 2.0 || h > height * 2.0 || painted > 16.0 * MAX_PIXELS {
            continue;
        }
        let sized = imageops::resize(&bitmap, pixels(w), pixels(h), imageops::FilterType::Triangle);
        let pixel_offset = |at: f64| (at * scale).round().clamp(-40_000.0, 40_000.0) as i64;
        imageops::overlay(&mut canvas, &sized, pixel_offset(x), pixel_offset(y));
    }
    Some(DynamicImage::ImageRgba8(canvas))
}
