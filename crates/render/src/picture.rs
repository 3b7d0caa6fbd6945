//! Pictures of a document, decoded within bounds.

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageBuffer, ImageReader, Limits, Pixel};
use waraq_layout::{Image, ImageFormat};

use crate::metafile;

/// Pictures with more pixels are not decoded (a page of A3 at 600 dpi has 70 million).
pub(crate) const MAX_PIXELS: u64 = 80_000_000;
pub(crate) const MAX_SIDE: u32 = 30_000;
/// What a decoder may allocate for one picture.
const MAX_BYTES: u64 = 400 << 20;

/// Why a picture becomes a labelled box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable {
    /// Of the warning: `picture_unreadable`, `picture_too_large`, `picture_format`.
    pub code: &'static str,
    pub message: String,
    /// What the box says.
    pub label: &'static str,
}

/// Decodes a picture and shrinks it if it has far more pixels than `wanted`.
pub(crate) fn decode(image: &Image, wanted: (f32, f32)) -> Result<DynamicImage, Unreadable> {
    if matches!(image.format, ImageFormat::Emf | ImageFormat::Wmf)
        && let Some((picture, _)) = metafile::bitmaps(&image.data)
    {
        return Ok(shrink(picture, wanted));
    }
    let format = codec(image)?;
    let unreadable = |error: image::ImageError| Unreadable {
        code: "picture_unreadable",
        message: format!("the picture {} cannot be read: {error}", image.part),
        label: label(image.format),
    };
    let reader = |data: Arc<[u8]>| {
        let mut reader = ImageReader::with_format(Cursor::new(data), format);
        let mut limits = Limits::no_limits();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_BYTES);
        reader.limits(limits);
        reader
    };
    let (width, height) = reader(image.data.clone()).into_dimensions().map_err(unreadable)?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS || width > MAX_SIDE || height > MAX_SIDE {
        return Err(Unreadable {
            code: "picture_too_large",
            message: format!("the picture {} is too large: {width} × {height} pixels", image.part),
            label: label(image.format),
        });
    }
    let picture = reader(image.data.clone()).decode().map_err(unreadable)?;
    Ok(shrink(picture, wanted))
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
            code: "picture_format",
            message: format!("the picture {} is of a kind that cannot be drawn: {}", image.part, label(image.format)),
            label: label(image.format),
        }),
    }
}

/// A picture with far more pixels than its place on paper can show is averaged down.
fn shrink(picture: DynamicImage, wanted: (f32, f32)) -> DynamicImage {
    if !is_too_fine((picture.width(), picture.height()), wanted) {
        return picture;
    }
    let (width, height) = pixels(wanted);
    match picture {
        DynamicImage::ImageLuma8(pixels) => averaged(&pixels, width, height).into(),
        DynamicImage::ImageLumaA8(pixels) => averaged(&pixels, width, height).into(),
        DynamicImage::ImageRgb8(pixels) => averaged(&pixels, width, height).into(),
        DynamicImage::ImageRgba8(pixels) => averaged(&pixels, width, height).into(),
        deeper if deeper.color().has_alpha() => averaged(&deeper.into_rgba8(), width, height).into(),
        deeper => averaged(&deeper.into_rgb8(), width, height).into(),
    }
}

/// Whether a picture of so many pixels has far more than `wanted`. One only a little too fine stays as it is: averaging it
/// would soften it for nothing.
pub(crate) fn is_too_fine((width, height): (u32, u32), wanted: (f32, f32)) -> bool {
    let too_fine = |has: u32, wants: u32| u64::from(has) * 2 > u64::from(wants) * 3;
    let (wanted_width, wanted_height) = pixels(wanted);
    too_fine(width, wanted_width) && too_fine(height, wanted_height)
}

fn pixels((width, height): (f32, f32)) -> (u32, u32) {
    let whole = |pixels: f32| pixels.ceil().clamp(1.0, MAX_SIDE as f32) as u32;
    (whole(width), whole(height))
}

/// Each pixel is the mean of those it stands for; of those every one counts once. (Sizes are not larger than the picture's.)
fn averaged<P: Pixel<Subpixel = u8>>(
    picture: &ImageBuffer<P, Vec<u8>>,
    width: u32,
    height: u32,
) -> ImageBuffer<P, Vec<u8>> {
    let channels = usize::from(P::CHANNEL_COUNT);
    let (from_width, from_height) = (picture.width() as usize, picture.height() as usize);
    let (to_width, to_height) = (width as usize, height as usize);
    // of the rows that become one; first these, for they are added many at a time (no more than `MAX_SIDE` of them)
    let mut sums = vec![0_u32; from_width * channels];
    let mut row_count = 0.0_f64;
    let mut made = ImageBuffer::new(width, height);
    let mut to_rows = made.chunks_exact_mut(to_width * channels);
    for (y, row) in picture.as_raw().chunks_exact((from_width * channels).max(1)).enumerate() {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += u32::from(*value));
        row_count += 1.0;
        if (y + 1) * to_height / from_height == y * to_height / from_height {
            continue;
        }
        let mut x = 0;
        let to_row = to_rows.next().into_iter().flat_map(|row| row.chunks_exact_mut(channels));
        for (column, to_pixel) in to_row.enumerate() {
            let end = (column + 1) * from_width / to_width;
            let pixels = sums.get(x * channels..end * channels).unwrap_or_default();
            let share = 1.0 / ((end - x) as f64 * row_count).max(1.0);
            let mut all = [0.0_f64; 4];
            for pixel in pixels.chunks_exact(channels) {
                all.iter_mut().zip(pixel).for_each(|(all, sum)| *all += f64::from(*sum));
            }
            to_pixel.iter_mut().zip(all).for_each(|(value, all)| *value = (all * share + 0.5) as u8);
            x = end;
        }
        sums.fill(0);
        row_count = 0.0;
    }
    made
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma, RgbaImage};

    use super::*;

    #[test]
    fn every_pixel_counts_once_in_the_mean() {
        let gray = GrayImage::from_fn(5, 4, |x, y| Luma([(x * 10 + y) as u8]));
        let small = averaged(&gray, 2, 2);
        // columns 0 and 1, then 2 to 4; rows 0 and 1, then 2 and 3
        assert_eq!(small.as_raw(), &[6, 31, 8, 33]);
        let one = averaged(&RgbaImage::from_pixel(7, 9, image::Rgba([1, 2, 3, 255])), 3, 4);
        assert!(one.pixels().all(|pixel| pixel.0 == [1, 2, 3, 255]) && one.dimensions() == (3, 4));
    }

    #[test]
    fn a_picture_far_too_fine_is_shrunk_and_one_a_little_too_fine_is_not() {
        let picture = || DynamicImage::ImageRgb16(image::ImageBuffer::new(90, 60));
        let small = shrink(picture(), (30.0, 20.0));
        assert_eq!((small.width(), small.height()), (30, 20));
        assert_eq!(shrink(picture(), (80.0, 50.0)).width(), 90);
    }
}
