//! Profile photos. An uploaded picture becomes a small square JPEG without metadata.

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, GenericImageView, ImageFormat, RgbImage, RgbaImage};

pub use crate::picture_decoder::MOST_PIXELS;
use crate::picture_decoder::{self, DecodeError, DecodedPicture};
use crate::{Error, ErrorCode, Result};

/// Maximum size in bytes of an uploaded photo.
pub const LARGEST_PHOTO_BYTES: usize = 2_000_000;
/// Maximum side length of a stored photo in pixels.
pub const SIDE: u32 = 512;

const JPEG_QUALITY: u8 = 85;

/// Converts an uploaded picture to a profile photo. The result is rotated by the EXIF orientation, cropped to the square in the
/// middle, and at most 512 pixels wide. Transparent parts become white, and metadata is removed. An animation becomes its first
/// frame.
///
/// A process decodes one photo at a time, so that it needs the memory for only one photo (at most about 300 MB). This function
/// blocks until no other photo is being decoded, so async code must not call it directly.
///
/// # Errors
/// `photo_too_large` (bytes), `photo_type`, `photo_dimensions` (pixels), `photo_unreadable`; `unavailable` if too many photos
/// wait.
pub fn profile_photo(bytes: &[u8]) -> Result<Vec<u8>> {
    if bytes.len() > LARGEST_PHOTO_BYTES {
        let message = format!("A photo has at most {} MB.", LARGEST_PHOTO_BYTES / 1_000_000);
        let error = Error::new(ErrorCode::PhotoTooLarge, message);
        return Err(error.with_fields(["file"]).with_limit(LARGEST_PHOTO_BYTES as u64));
    }
    let square = picture_decoder::one_at_a_time(|| decode_square(bytes))?;
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY);
    on_white(&square).write_with_encoder(encoder).map_err(|error| Error::internal(format!("a photo: {error}")))?;
    Ok(jpeg)
}

fn refused(code: ErrorCode, message: &str) -> Error {
    Error::new(code, message).with_fields(["file"])
}

fn decode_error(error: DecodeError) -> Error {
    match error {
        DecodeError::Format => refused(ErrorCode::PhotoType, "A photo must be a JPEG, PNG, WebP, GIF or BMP image."),
        DecodeError::Empty => refused(ErrorCode::PhotoUnreadable, "This picture has no pixels."),
        DecodeError::Damaged(cause) => {
            let message = "This picture is damaged. Please choose another one.";
            Error { cause: Some(cause), ..refused(ErrorCode::PhotoUnreadable, message) }
        }
        DecodeError::TooManyPixels(most) => {
            let message = format!("A photo of this kind has at most {} megapixels.", most / 1_000_000);
            refused(ErrorCode::PhotoDimensions, &message).with_limit(most)
        }
    }
}

fn decode_square(bytes: &[u8]) -> Result<DynamicImage> {
    use ImageFormat::{Bmp, Gif, Jpeg, Png, WebP};
    let decoded = picture_decoder::decode(bytes, &[Jpeg, Png, WebP, Gif, Bmp]).map_err(decode_error)?;
    let DecodedPicture { image, orientation } = decoded;
    let mut small = DynamicImage::ImageRgba8(center_square(&image));
    drop(image);
    // The picture is rotated after scaling, which is cheaper. Cropping to the middle gives the same result before or after
    // rotation.
    small.apply_orientation(orientation);
    Ok(small)
}

/// Returns the square in the middle of a picture, scaled down to at most [`SIDE`] pixels. Only the square is processed: scaling a
/// very long picture as a whole would take many times its own memory.
fn center_square(image: &DynamicImage) -> RgbaImage {
    let (width, height) = image.dimensions();
    let from = width.min(height);
    let side = from.min(SIDE);
    let square = image.view((width - from) / 2, (height - from) / 2, from, from);
    if from <= 4 * SIDE {
        return imageops::resize(&*square, side, side, FilterType::CatmullRom);
    }
    // The fast filter reads each pixel once. Its result is small enough for the better filter.
    let averaged = imageops::thumbnail(&*square, 2 * SIDE, 2 * SIDE);
    imageops::resize(&averaged, side, side, FilterType::CatmullRom)
}

/// Draws a picture on white, because JPEG has no transparency.
fn on_white(image: &DynamicImage) -> RgbImage {
    let rgba = image.to_rgba8();
    let mut rgb = RgbImage::new(rgba.width(), rgba.height());
    for (to, from) in rgb.pixels_mut().zip(rgba.pixels()) {
        let [red, green, blue, alpha] = from.0.map(u32::from);
        let mixed = |colour: u32| u8::try_from((colour * alpha + 255 * (255 - alpha)) / 255).unwrap_or(u8::MAX);
        to.0 = [red, green, blue].map(mixed);
    }
    rgb
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::Rgba;

    use super::*;

    fn encoded(image: &RgbaImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        let image = DynamicImage::ImageRgba8(image.clone());
        let image = if format == ImageFormat::Jpeg { DynamicImage::ImageRgb8(image.to_rgb8()) } else { image };
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn kept(bytes: &[u8]) -> RgbImage {
        let photo = profile_photo(bytes).unwrap();
        assert_eq!(image::guess_format(&photo).unwrap(), ImageFormat::Jpeg);
        assert!(!photo.windows(4).any(|four| four == b"Exif"), "metadata is left");
        image::load_from_memory(&photo).unwrap().to_rgb8()
    }

    fn code(bytes: &[u8]) -> &'static str {
        profile_photo(bytes).unwrap_err().code.as_str()
    }

    /// A picture with a red left half, a blue right half and a transparent upper left quarter.
    fn sample(width: u32, height: u32) -> RgbaImage {
        RgbaImage::from_fn(width, height, |x, y| match (x < width / 2, y < height / 2) {
            (true, true) => Rgba([0, 0, 0, 0]),
            (true, false) => Rgba([255, 0, 0, 255]),
            (false, _) => Rgba([0, 0, 255, 255]),
        })
    }

    #[test]
    fn every_format_becomes_a_square() {
        use ImageFormat::{Bmp, Gif, Jpeg, Png, WebP};
        for format in [Jpeg, Png, WebP, Gif, Bmp] {
            let photo = kept(&encoded(&sample(720, 540), format));
            assert_eq!(photo.dimensions(), (512, 512), "{format:?}");
            let blue = photo.get_pixel(500, 250).0;
            assert!(blue[2] > 200 && blue[0] < 60, "{format:?}: {blue:?}");
            if matches!(format, Png | WebP | Gif) {
                assert!(photo.get_pixel(10, 10).0.iter().all(|colour| *colour > 240), "{format:?}: not on white");
            }
        }
        assert_eq!(kept(&encoded(&sample(40, 90), Png)).dimensions(), (40, 40), "small ones are not blown up");
    }

    #[test]
    fn photos_are_rotated_by_their_exif_orientation() {
        // An APP1 segment with one entry: orientation 6 (a quarter turn clockwise).
        let exif = b"\xff\xe1\x00\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let mut jpeg = encoded(&sample(400, 400), ImageFormat::Jpeg);
        jpeg.splice(2..2, exif.iter().copied());
        let photo = kept(&jpeg);
        let (top, bottom) = (photo.get_pixel(350, 50).0, photo.get_pixel(200, 380).0);
        // The left side is now at the top, and the right side at the bottom.
        assert!(bottom[2] > 200 && top[2] < 100, "{top:?} {bottom:?}");
    }

    #[test]
    fn invalid_photos_are_refused_with_their_code() {
        let png = encoded(&sample(64, 64), ImageFormat::Png);
        assert_eq!(code(&vec![0; LARGEST_PHOTO_BYTES + 1]), "photo_too_large");
        assert_eq!(code(b"<svg xmlns='http://www.w3.org/2000/svg'/>"), "photo_type");
        assert_eq!(code(b""), "photo_type");
        assert_eq!(code(&encoded(&sample(64, 64), ImageFormat::Tiff)), "photo_type");
        assert_eq!(code(&png[..png.len() / 2]), "photo_unreadable");
        // A header that claims 100,000 by 100,000 pixels.
        let mut bomb = png.clone();
        bomb[16..24].copy_from_slice(&[0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]);
        assert!(["photo_dimensions", "photo_unreadable"].contains(&code(&bomb)));
        let bmp = encoded(&sample(64, 64), ImageFormat::Bmp);
        let mut bomb = bmp.clone();
        // 60,000 by 60,000 pixels. The decoder for bitmaps accepts at most 65,535.
        bomb[18..26].copy_from_slice(&[0x60, 0xea, 0, 0, 0x60, 0xea, 0, 0]);
        assert_eq!(code(&bomb), "photo_dimensions");
        // With 16 bits a channel, half as many pixels are allowed.
        let deep = |width| {
            let mut png = Cursor::new(Vec::new());
            image::ImageBuffer::<image::Rgba<u16>, _>::new(width, 512).write_to(&mut png, ImageFormat::Png).unwrap();
            png.into_inner()
        };
        let error = profile_photo(&deep(24_500)).unwrap_err();
        assert_eq!((error.code.as_str(), error.details.limit), ("photo_dimensions", Some(12_500_000)));
        assert_eq!(kept(&deep(2_000)).dimensions(), (512, 512));
        // A real picture: 64 million equal pixels in a few kilobytes.
        let mut real = Cursor::new(Vec::new());
        image::GrayImage::new(8_000, 8_000).write_to(&mut real, ImageFormat::Png).unwrap();
        assert!(real.get_ref().len() < LARGEST_PHOTO_BYTES);
        assert_eq!(code(real.get_ref()), "photo_dimensions");
    }
}
