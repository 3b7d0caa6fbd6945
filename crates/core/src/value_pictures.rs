//! Pictures in values. An uploaded picture is encoded again: smaller, upright and without metadata.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, GenericImageView, ImageFormat};
use waraq_rules::{MAX_PICTURE_BYTES, Picture, PictureFormat, Value};

use crate::picture_decoder::{self, DecodeError, DecodedPicture};
use crate::{Error, ErrorCode, Result, plain_jpeg};

/// Maximum width and height of a stored picture in pixels.
pub const MOST_SIDE: u32 = 2_000;
const JPEG_QUALITY: u8 = 85;
/// Minimum width and height in pixels below which a picture is not scaled down further.
const LEAST_SIDE: u32 = 16;

/// Encodes a picture again. The result is rotated by the EXIF orientation, at most [`MOST_SIDE`] pixels wide and high, and has
/// at most [`MAX_PICTURE_BYTES`] bytes. Metadata is removed.
///
/// A picture with transparent parts becomes a PNG. Another picture becomes a JPEG, but an opaque PNG, such as a logo, stays a
/// PNG if that is smaller. A JPEG without metadata and within the limits is returned as it is, so it loses no quality when a saved
/// document is edited.
///
/// A process decodes one picture at a time. This function blocks until no other picture is being decoded, so async code must
/// not call it directly.
///
/// # Errors
/// `unreadable_picture`; `value_picture_too_large` (bytes or pixels); `unavailable` if too many pictures wait.
pub fn reencode(picture: &Picture) -> Result<Picture> {
    if picture.bytes.len() > MAX_PICTURE_BYTES {
        let message = format!("A picture has at most {MAX_PICTURE_BYTES} bytes.");
        return Err(Error::new(ErrorCode::ValuePictureTooLarge, message).with_limit(MAX_PICTURE_BYTES as u64));
    }
    let format = match picture.format {
        PictureFormat::Png => ImageFormat::Png,
        PictureFormat::Jpeg => ImageFormat::Jpeg,
    };
    picture_decoder::one_at_a_time(|| {
        let decoded = picture_decoder::decode(&picture.bytes, &[format]).map_err(refused)?;
        let longer_side = decoded.image.width().max(decoded.image.height());
        if format == ImageFormat::Jpeg && longer_side <= MOST_SIDE && plain_jpeg::is_plain(&picture.bytes) {
            return Ok(picture.clone());
        }
        let (format, bytes) = encode(upright(decoded), picture.format)?;
        Ok(Picture { format, bytes: bytes.into(), alternative_text: picture.alternative_text.clone() })
    })
}

/// Encodes all pictures in a value again, as [`reencode`] does. The rows of lists are included. `field` is the name of the field.
///
/// # Errors
/// The errors of [`reencode`], with the name of the field, such as `items[3].photo`.
pub fn reencode_value(value: &mut Value, field: &str) -> Result<()> {
    match value {
        Value::Picture(picture) => *picture = reencode(picture).map_err(|error| error.with_fields([field]))?,
        Value::List(rows) => {
            for (at, row) in rows.iter_mut().enumerate() {
                for (name, value) in row.iter_mut() {
                    reencode_value(value, &format!("{field}[{at}].{name}"))?;
                }
            }
        }
        Value::Text(_) | Value::YesNo(_) => {}
    }
    Ok(())
}

fn refused(error: DecodeError) -> Error {
    let unreadable = || Error::new(ErrorCode::UnreadablePicture, "This picture is no PNG or JPEG that can be read.");
    match error {
        DecodeError::Format | DecodeError::Empty => unreadable(),
        DecodeError::Damaged(cause) => Error { cause: Some(cause), ..unreadable() },
        DecodeError::TooManyPixels(most) => {
            let message = format!("A picture of this kind has at most {} megapixels.", most / 1_000_000);
            Error::new(ErrorCode::ValuePictureTooLarge, message).with_limit(most)
        }
    }
}

/// Returns the picture in its EXIF orientation, scaled down to at most [`MOST_SIDE`] pixels on each side.
fn upright(DecodedPicture { image, orientation }: DecodedPicture) -> DynamicImage {
    // The picture is rotated after scaling, which is cheaper.
    let mut image = if image.width().max(image.height()) > MOST_SIDE { scaled(&image, MOST_SIDE) } else { image };
    image.apply_orientation(orientation);
    image
}

/// Scales a picture down so that its longer side has `side` pixels. Pixels have eight bits per channel afterwards.
fn scaled(image: &DynamicImage, side: u32) -> DynamicImage {
    let (width, height) = image.dimensions();
    let longer = u64::from(width.max(height)).max(1);
    let shorter = |length: u32| u32::try_from(u64::from(length) * u64::from(side) / longer).unwrap_or(side).max(1);
    let (to_width, to_height) = (shorter(width), shorter(height));
    if image.color().has_alpha() {
        DynamicImage::ImageRgba8(imageops::thumbnail(&image.to_rgba8(), to_width, to_height))
    } else if longer > u64::from(side) * 2 {
        // The fast filter reads each pixel once.
        DynamicImage::ImageRgb8(imageops::thumbnail(&image.to_rgb8(), to_width, to_height))
    } else {
        DynamicImage::ImageRgb8(imageops::resize(&image.to_rgb8(), to_width, to_height, FilterType::CatmullRom))
    }
}

/// Encodes a picture. If the result has more than [`MAX_PICTURE_BYTES`] bytes, the picture is scaled down until it fits.
fn encode(mut image: DynamicImage, source: PictureFormat) -> Result<(PictureFormat, Vec<u8>)> {
    loop {
        let (format, bytes) = encode_once(&image, source)?;
        let side = image.width().max(image.height());
        if bytes.len() <= MAX_PICTURE_BYTES || side <= LEAST_SIDE {
            return Ok((format, bytes));
        }
        // The number of bytes grows about as the number of pixels does. A tenth is left as a margin.
        let scale = (MAX_PICTURE_BYTES as f64 / bytes.len() as f64).sqrt() * 0.9;
        let smaller = (f64::from(side) * scale) as u32;
        image = scaled(&image, smaller.clamp(LEAST_SIDE, side.saturating_sub(1).max(LEAST_SIDE)));
    }
}

fn encode_once(image: &DynamicImage, source: PictureFormat) -> Result<(PictureFormat, Vec<u8>)> {
    let failed = |error: image::ImageError| Error::internal(format!("a picture: {error}"));
    let png = |image: &DynamicImage| -> Result<Vec<u8>> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).map_err(failed)?;
        Ok(bytes.into_inner())
    };
    if is_transparent(image) {
        return Ok((PictureFormat::Png, png(&DynamicImage::ImageRgba8(image.to_rgba8()))?));
    }
    let rgb = DynamicImage::ImageRgb8(image.to_rgb8());
    let mut jpeg = Vec::new();
    rgb.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, JPEG_QUALITY)).map_err(failed)?;
    if source == PictureFormat::Png {
        let png = png(&rgb)?;
        if png.len() <= jpeg.len() {
            return Ok((PictureFormat::Png, png));
        }
    }
    Ok((PictureFormat::Jpeg, jpeg))
}

/// Returns `true` if a pixel is not opaque.
fn is_transparent(image: &DynamicImage) -> bool {
    image.color().has_alpha() && image.to_rgba8().pixels().any(|pixel| pixel.0[3] < u8::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use image::{Rgb, RgbImage, Rgba, RgbaImage};
    use waraq_rules::Row;

    use super::*;

    fn picture(format: PictureFormat, bytes: Vec<u8>) -> Picture {
        Picture { format, bytes: bytes.into(), alternative_text: "A tree".to_owned() }
    }

    fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// A photo-like picture: the left half is red, the right half is blue, and every pixel differs a little.
    fn photo(width: u32, height: u32) -> DynamicImage {
        let noise = |x: u32, y: u32| u8::try_from((x * 31 + y * 17 + x * y) % 32).unwrap();
        DynamicImage::ImageRgb8(RgbImage::from_fn(width, height, |x, y| {
            if x < width / 2 { Rgb([220, noise(x, y), 10]) } else { Rgb([10, noise(x, y), 220]) }
        }))
    }

    fn shown(picture: &Picture) -> DynamicImage {
        let format = match picture.format {
            PictureFormat::Png => ImageFormat::Png,
            PictureFormat::Jpeg => ImageFormat::Jpeg,
        };
        image::load_from_memory_with_format(&picture.bytes, format).unwrap()
    }

    fn code(format: PictureFormat, bytes: Vec<u8>) -> &'static str {
        reencode(&picture(format, bytes)).unwrap_err().code.as_str()
    }

    /// A JPEG with an EXIF segment: a quarter turn clockwise, and a text as cameras write it.
    fn with_exif(jpeg: &[u8]) -> Vec<u8> {
        let tiff = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0 GPS 33.97 N 6.84 W";
        let mut segment = b"\xff\xe1".to_vec();
        segment.extend(u16::try_from(2 + 6 + tiff.len()).unwrap().to_be_bytes());
        segment.extend(b"Exif\0\0");
        segment.extend(tiff);
        let mut bytes = jpeg.to_vec();
        bytes.splice(2..2, segment);
        bytes
    }

    #[test]
    fn metadata_is_removed_and_the_orientation_applied() {
        let jpeg = with_exif(&encoded(&photo(300, 200), ImageFormat::Jpeg));
        let result = reencode(&picture(PictureFormat::Jpeg, jpeg)).unwrap();
        assert_eq!((result.format, result.alternative_text.as_str()), (PictureFormat::Jpeg, "A tree"));
        for secret in [&b"Exif"[..], b"GPS"] {
            assert!(!result.bytes.windows(secret.len()).any(|bytes| bytes == secret), "metadata is left");
        }
        let image = shown(&result).to_rgb8();
        assert_eq!(image.dimensions(), (200, 300));
        // The left side is now at the top, and the right side at the bottom.
        let (top, bottom) = (image.get_pixel(100, 30).0, image.get_pixel(100, 270).0);
        assert!(top[0] > 150 && bottom[2] > 150, "{top:?} {bottom:?}");
    }

    #[test]
    fn texts_in_png_files_are_removed() {
        let mut png = encoded(&photo(20, 20), ImageFormat::Png);
        // A tEXt chunk after IHDR. Decoders ignore its wrong checksum.
        let mut chunk = 12_u32.to_be_bytes().to_vec();
        chunk.extend(b"tEXtAuthor\0Secret");
        chunk.truncate(4 + 4 + 12);
        chunk.extend([0; 4]);
        png.splice(33..33, chunk);
        let result = reencode(&picture(PictureFormat::Png, png)).unwrap();
        assert!(!result.bytes.windows(6).any(|bytes| bytes == b"Author"));
    }

    #[test]
    fn large_pictures_are_scaled_down() {
        let result = reencode(&picture(PictureFormat::Jpeg, encoded(&photo(3_000, 1_200), ImageFormat::Jpeg))).unwrap();
        assert_eq!(shown(&result).dimensions(), (2_000, 800));
        let result = reencode(&picture(PictureFormat::Jpeg, encoded(&photo(40, 2_100), ImageFormat::Jpeg))).unwrap();
        assert_eq!(shown(&result).dimensions(), (38, 2_000));
        let small = reencode(&picture(PictureFormat::Jpeg, encoded(&photo(30, 20), ImageFormat::Jpeg))).unwrap();
        assert_eq!(shown(&small).dimensions(), (30, 20), "small pictures are not enlarged");
    }

    #[test]
    fn stored_pictures_stay_as_they_are() {
        let jpeg = with_exif(&encoded(&photo(300, 200), ImageFormat::Jpeg));
        let stored = reencode(&picture(PictureFormat::Jpeg, jpeg)).unwrap();
        assert_eq!(reencode(&stored).unwrap(), stored);
        let logo = RgbaImage::from_fn(50, 50, |x, _| Rgba([if x < 25 { 200 } else { 0 }, 0, 0, 255]));
        let logo = encoded(&DynamicImage::ImageRgba8(logo), ImageFormat::Png);
        let stored = reencode(&picture(PictureFormat::Png, logo)).unwrap();
        assert_eq!(reencode(&stored).unwrap(), stored);
    }

    #[test]
    fn transparent_pictures_stay_png_files() {
        let signature = RgbaImage::from_fn(600, 200, |x, y| Rgba([0, 0, 90, if (x + y) % 50 < 4 { 255 } else { 0 }]));
        let png = encoded(&DynamicImage::ImageRgba8(signature), ImageFormat::Png);
        let result = reencode(&picture(PictureFormat::Png, png)).unwrap();
        assert_eq!(result.format, PictureFormat::Png);
        assert_eq!(shown(&result).to_rgba8().get_pixel(300, 25).0[3], 0);
    }

    #[test]
    fn opaque_pictures_have_the_smaller_format() {
        let photo = encoded(&photo(500, 500), ImageFormat::Png);
        assert_eq!(reencode(&picture(PictureFormat::Png, photo)).unwrap().format, PictureFormat::Jpeg);
        let logo = RgbaImage::from_fn(500, 500, |x, _| Rgba([if x < 250 { 200 } else { 0 }, 0, 0, 255]));
        let logo = encoded(&DynamicImage::ImageRgba8(logo), ImageFormat::Png);
        assert_eq!(reencode(&picture(PictureFormat::Png, logo)).unwrap().format, PictureFormat::Png);
    }

    #[test]
    fn the_result_has_at_most_one_megabyte() {
        // Transparent noise grows when it is encoded as PNG with eight bits per channel.
        let mut seed = 1_u32;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 17;
            seed ^= seed << 5;
            seed.to_be_bytes()
        };
        let noise = DynamicImage::ImageRgba8(RgbaImage::from_fn(900, 900, |_, _| Rgba(random())));
        let (format, bytes) = encode(noise, PictureFormat::Png).unwrap();
        assert_eq!(format, PictureFormat::Png);
        assert!(bytes.len() <= MAX_PICTURE_BYTES, "{}", bytes.len());
        assert!(bytes.len() > MAX_PICTURE_BYTES / 2, "not smaller than necessary: {}", bytes.len());
    }

    #[test]
    fn pictures_that_cannot_be_used_are_refused() {
        use PictureFormat::{Jpeg, Png};
        let png = encoded(&photo(64, 64), ImageFormat::Png);
        assert_eq!(code(Png, b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()), "unreadable_picture");
        assert_eq!(code(Png, Vec::new()), "unreadable_picture");
        assert_eq!(code(Jpeg, png.clone()), "unreadable_picture");
        assert_eq!(code(Png, png[..png.len() / 2].to_vec()), "unreadable_picture");
        assert_eq!(code(Png, vec![0; MAX_PICTURE_BYTES + 1]), "value_picture_too_large");
        // 64 million equal pixels in a few kilobytes. The header tells the size, so nothing is decoded.
        let mut bomb = Cursor::new(Vec::new());
        image::GrayImage::new(8_000, 8_000).write_to(&mut bomb, ImageFormat::Png).unwrap();
        assert!(bomb.get_ref().len() < MAX_PICTURE_BYTES);
        let header_only = bomb.get_ref()[..60].to_vec();
        assert_eq!(code(Png, bomb.into_inner()), "value_picture_too_large");
        assert_eq!(code(Png, header_only), "value_picture_too_large");
    }

    #[test]
    fn pictures_in_rows_are_encoded_too() {
        let jpeg = with_exif(&encoded(&photo(30, 20), ImageFormat::Jpeg));
        let row = Row::from([("photo".to_owned(), Value::Picture(picture(PictureFormat::Jpeg, jpeg)))]);
        let mut value = Value::List(vec![row]);
        reencode_value(&mut value, "items").unwrap();
        let Value::List(rows) = &mut value else { panic!() };
        let Some(Value::Picture(kept)) = rows[0].get_mut("photo") else { panic!() };
        assert_eq!(shown(kept).dimensions(), (20, 30));
        kept.bytes = Arc::from(&b"GIF89a"[..]);
        let refused = reencode_value(&mut value, "items").unwrap_err();
        assert_eq!(
            (refused.code.as_str(), refused.details.fields),
            ("unreadable_picture", vec!["items[0].photo".to_owned()])
        );
    }
}
