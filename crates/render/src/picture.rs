//! Pictures of a document, decoded within bounds.

use std::io::Cursor;

use bytes::Bytes;
use image::{DynamicImage, ImageBuffer, ImageReader, Limits, Pixel};
use png::{BitDepth, ColorType, Decoder, Reader, Transformations};
use waraq_layout::{Image, ImageFormat};
use waraq_rules::FindingCode;

use crate::metafile;

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

/// A picture as PDF wants it: eight bits a channel, colour and opacity apart (ISO 32000-1, 11.6.5.3).
pub(crate) struct Apart {
    /// Width and height.
    pub size: (u32, u32),
    /// One channel of colour, not three.
    pub gray: bool,
    pub color: Vec<u8>,
    /// `None`: full everywhere.
    pub alpha: Option<Vec<u8>>,
}

impl Apart {
    /// Decodes a picture and shrinks it if it has far more pixels than `wanted`.
    pub(crate) fn decode(image: &Image, wanted: (f32, f32)) -> Result<Self, Unreadable> {
        if image.format == ImageFormat::Png
            && let Some(apart) = Self::of_png(&image.data, wanted)
        {
            return Ok(apart);
        }
        decode(image, wanted).map(Self::of)
    }

    /// A PNG, which is not held whole in between. `None`: it is one of those that come otherwise than row by row, eight bits
    /// a channel, or not sound.
    fn of_png(data: &[u8], wanted: (f32, f32)) -> Option<Self> {
        let limits = png::Limits { bytes: usize::try_from(MAX_BYTES).ok()? };
        let mut decoder = Decoder::new_with_limits(Cursor::new(data), limits);
        decoder.set_transformations(Transformations::EXPAND);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let mut reader = decoder.read_info().ok()?;
        let info = reader.info();
        if info.interlaced || info.frame_control.is_some() || !may_be_decoded(info.size()) {
            return None;
        }
        let from = info.size();
        let to = if is_too_fine(from, wanted) { pixels(wanted) } else { from };
        match reader.output_color_type() {
            (ColorType::Grayscale, BitDepth::Eight) => rows::<_, 1>(&mut reader, from, to),
            (ColorType::GrayscaleAlpha, BitDepth::Eight) => rows::<_, 2>(&mut reader, from, to),
            (ColorType::Rgb, BitDepth::Eight) => rows::<_, 3>(&mut reader, from, to),
            (ColorType::Rgba, BitDepth::Eight) => rows::<_, 4>(&mut reader, from, to),
            _ => None,
        }
    }

    fn of(picture: DynamicImage) -> Self {
        let size = (picture.width(), picture.height());
        match picture.color().channel_count() {
            1 => Split::<1>::whole(size, picture.into_luma8().into_raw()),
            2 => Split::<2>::whole(size, picture.into_luma_alpha8().into_raw()),
            3 => Split::<3>::whole(size, picture.into_rgb8().into_raw()),
            _ => Split::<4>::whole(size, picture.into_rgba8().into_raw()),
        }
    }
}

/// The rows of `N` channels that are left of a picture.
fn rows<R: std::io::BufRead + std::io::Seek, const N: usize>(
    reader: &mut Reader<R>,
    from: (u32, u32),
    to: (u32, u32),
) -> Option<Apart> {
    let mut row = vec![0; reader.output_line_size(from.0)?];
    let mut split = Split::<N>::new(to);
    if from == to {
        while reader.read_row(&mut row).ok()?.is_some() {
            split.add(&row);
        }
    } else {
        let mut means = Means::<N>::new(from, to);
        while reader.read_row(&mut row).ok()?.is_some() {
            if let Some(mean) = means.add(&row) {
                split.add(mean);
            }
        }
    }
    Some(split.done())
}

/// Splits the last of two or four channels off.
struct Split<const N: usize> {
    size: (u32, u32),
    color: Vec<u8>,
    alpha: Vec<u8>,
}

impl<const N: usize> Split<N> {
    const HAS_ALPHA: bool = N == 2 || N == 4;

    fn new(size: (u32, u32)) -> Self {
        let pixels = size.0 as usize * size.1 as usize;
        let alpha = if Self::HAS_ALPHA { pixels } else { 0 };
        Self { size, color: Vec::with_capacity(pixels * N - alpha), alpha: Vec::with_capacity(alpha) }
    }

    fn whole(size: (u32, u32), pixels: Vec<u8>) -> Apart {
        if Self::HAS_ALPHA {
            let mut split = Self::new(size);
            pixels.chunks((size.0 as usize * N).max(1)).for_each(|row| split.add(row));
            return split.done();
        }
        Self { size, color: pixels, alpha: Vec::new() }.done()
    }

    fn add(&mut self, row: &[u8]) {
        if !Self::HAS_ALPHA {
            self.color.extend_from_slice(row);
            return;
        }
        let (pixels, _) = row.as_chunks::<N>();
        let start = self.color.len();
        self.color.resize(start + pixels.len() * (N - 1), 0);
        let colors = self.color.get_mut(start..).unwrap_or_default().chunks_exact_mut((N - 1).max(1));
        for (color, pixel) in colors.zip(pixels) {
            color.iter_mut().zip(pixel).for_each(|(to, from)| *to = *from);
        }
        self.alpha.extend(pixels.iter().filter_map(|pixel| pixel.last()));
    }

    fn done(self) -> Apart {
        let Self { size, color, alpha } = self;
        let opaque = alpha.iter().all(|opacity| *opacity == 255);
        Apart { size, gray: N <= 2, color, alpha: (!opaque).then_some(alpha) }
    }
}

/// A picture with far more pixels than its place on paper can show is averaged down.
fn shrink(picture: DynamicImage, wanted: (f32, f32)) -> DynamicImage {
    let size = (picture.width(), picture.height());
    if !is_too_fine(size, wanted) {
        return picture;
    }
    let wanted = pixels(wanted);
    match picture {
        DynamicImage::ImageLuma8(pixels) => averaged::<_, 1>(&pixels, wanted).into(),
        DynamicImage::ImageLumaA8(pixels) => averaged::<_, 2>(&pixels, wanted).into(),
        DynamicImage::ImageRgb8(pixels) => averaged::<_, 3>(&pixels, wanted).into(),
        DynamicImage::ImageRgba8(pixels) => averaged::<_, 4>(&pixels, wanted).into(),
        deeper if deeper.color().has_alpha() => averaged::<_, 4>(&deeper.into_rgba8(), wanted).into(),
        deeper => averaged::<_, 3>(&deeper.into_rgb8(), wanted).into(),
    }
}

/// Of a picture of `N` channels.
fn averaged<P: Pixel<Subpixel = u8>, const N: usize>(
    picture: &ImageBuffer<P, Vec<u8>>,
    (width, height): (u32, u32),
) -> ImageBuffer<P, Vec<u8>> {
    let mut means = Means::<N>::new(picture.dimensions(), (width, height));
    let mut made = Vec::with_capacity(width as usize * height as usize * N);
    for row in picture.as_raw().chunks_exact((picture.width() as usize * N).max(1)) {
        made.extend_from_slice(means.add(row).unwrap_or_default());
    }
    ImageBuffer::from_raw(width, height, made).unwrap_or_else(|| ImageBuffer::new(width, height))
}

/// The rows of a smaller picture: each pixel is the mean of those it stands for; of those every one counts once.
struct Means<const N: usize> {
    /// Rows before and after.
    heights: (usize, usize),
    /// Rows taken, in all and of those that become one.
    taken: usize,
    rows: usize,
    /// First rows become one, for they are added many at a time (no more than `MAX_SIDE` of them), then columns.
    sums: Vec<[u32; N]>,
    /// How many columns become one, for each.
    columns: Vec<usize>,
    made: Vec<[u8; N]>,
}

impl<const N: usize> Means<N> {
    /// Width and height before and after; neither becomes larger.
    fn new(from: (u32, u32), to: (u32, u32)) -> Self {
        let (from_width, to_width) = (from.0 as usize, to.0 as usize);
        let end = |column: usize| column * from_width / to_width;
        Self {
            heights: (from.1 as usize, to.1 as usize),
            taken: 0,
            rows: 0,
            sums: vec![[0; N]; from_width],
            columns: (0..to_width).map(|column| end(column + 1) - end(column)).collect(),
            made: vec![[0; N]; to_width],
        }
    }

    /// Takes the next row; the row that is done with it, if one is.
    fn add(&mut self, row: &[u8]) -> Option<&[u8]> {
        self.sums.as_flattened_mut().iter_mut().zip(row).for_each(|(sum, value)| *sum += u32::from(*value));
        let (from_height, to_height) = self.heights;
        let done = |rows: usize| rows * to_height / from_height.max(1);
        self.rows += 1;
        self.taken += 1;
        if done(self.taken) == done(self.taken - 1) {
            return None;
        }
        let mut share = Share::of(1);
        let mut left = self.sums.as_slice();
        for (mean, columns) in self.made.iter_mut().zip(&self.columns) {
            let (pixels, after) = left.split_at_checked(*columns)?;
            left = after;
            let mut all = [0_u64; N];
            for pixel in pixels {
                all.iter_mut().zip(pixel).for_each(|(all, sum)| *all += u64::from(*sum));
            }
            let count = columns * self.rows;
            if share.count != count {
                share = Share::of(count);
            }
            mean.iter_mut().zip(all).for_each(|(mean, all)| *mean = share.mean(all));
        }
        self.sums.fill([0; N]);
        self.rows = 0;
        Some(self.made.as_flattened())
    }
}

/// A division by the same number again and again.
struct Share {
    count: usize,
    /// What a fraction of 40 bits says of one by the count.
    reciprocal: u64,
}

impl Share {
    fn of(count: usize) -> Self {
        Self { count, reciprocal: (1_u64 << 40).div_ceil(count.max(1) as u64) }
    }

    /// Rounded; of no more than 900 million values of a byte each.
    fn mean(&self, sum: u64) -> u8 {
        u8::try_from((sum * self.reciprocal + (1 << 39)) >> 40).unwrap_or(u8::MAX)
    }
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, Luma, RgbaImage};

    use super::*;

    #[test]
    fn every_pixel_counts_once_in_the_mean() {
        let gray = GrayImage::from_fn(5, 4, |x, y| Luma([(x * 10 + y) as u8]));
        let small = averaged::<_, 1>(&gray, (2, 2));
        // columns 0 and 1, then 2 to 4; rows 0 and 1, then 2 and 3
        assert_eq!(small.as_raw(), &[6, 31, 8, 33]);
        let one = averaged::<_, 4>(&RgbaImage::from_pixel(7, 9, image::Rgba([1, 2, 3, 255])), (3, 4));
        assert!(one.pixels().all(|pixel| pixel.0 == [1, 2, 3, 255]) && one.dimensions() == (3, 4));
    }

    #[test]
    fn the_mean_of_very_many_is_as_exact_as_that_of_few() {
        for count in [1, 2, 3, 6, 255, 1_000_003, 900_000_000_u64] {
            let share = Share::of(count as usize);
            for value in [0, 1, 127, 254, 255] {
                assert_eq!(u64::from(share.mean(value * count)), value, "{count}");
                let half_a_step_less = (value * count).saturating_sub(count.div_ceil(2));
                assert!(u64::from(share.mean(half_a_step_less)) <= value, "{count}");
            }
        }
    }

    #[test]
    fn a_picture_far_too_fine_is_shrunk_and_one_a_little_too_fine_is_not() {
        let picture = || DynamicImage::ImageRgb16(image::ImageBuffer::new(90, 60));
        let small = shrink(picture(), (30.0, 20.0));
        assert_eq!((small.width(), small.height()), (30, 20));
        assert_eq!(shrink(picture(), (80.0, 50.0)).width(), 90);
    }
}
