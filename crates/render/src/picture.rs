//! Decodes the pictures of a document within limits of size and memory.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat as Codec, ImageReader, Limits};
use png::{BitDepth, ColorType, Decoder, Reader, Transformations};
use waraq_layout::{Image, ImageFormat};
use waraq_rules::DiagnosticCode;

/// Maximum number of pixels of a picture that is decoded (a page of A3 at 600 dpi has 70 million).
const MAX_PIXELS: u64 = 80_000_000;
const MAX_SIDE: u32 = 30_000;
/// Maximum memory in bytes that a decoder may allocate for one picture.
const MAX_BYTES: u64 = 400 << 20;

/// The reason why a picture becomes a labelled box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub code: DiagnosticCode,
    pub message: String,
}

fn decode(image: &Image) -> Result<DynamicImage, Unreadable> {
    let refuse = |code, why: String| Unreadable { code, message: format!("the picture {} {why}", image.part) };
    let (label, codec) = label_and_codec(image.format);
    let Some(codec) = codec else {
        return Err(refuse(DiagnosticCode::PictureFormat, format!("is of a kind that cannot be drawn: {label}")));
    };
    let unreadable =
        |error: image::ImageError| refuse(DiagnosticCode::PictureUnreadable, format!("cannot be read: {error}"));
    let reader = || {
        let mut reader = ImageReader::with_format(Cursor::new(&image.data), codec);
        reader.limits(decoder_limits(MAX_SIDE, MAX_BYTES));
        reader
    };
    let (width, height) = reader().into_dimensions().map_err(unreadable)?;
    if !is_within_limits((width, height)) {
        return Err(refuse(DiagnosticCode::PictureTooLarge, format!("is too large: {width} × {height} pixels")));
    }
    reader().decode().map_err(unreadable)
}

/// Returns limits for a decoder: the maximum length of a side in pixels and the maximum memory in bytes.
pub(crate) fn decoder_limits(side: u32, bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    (limits.max_image_width, limits.max_image_height) = (Some(side), Some(side));
    limits.max_alloc = Some(bytes);
    limits
}

fn is_within_limits((width, height): (u32, u32)) -> bool {
    u64::from(width) * u64::from(height) <= MAX_PIXELS && width <= MAX_SIDE && height <= MAX_SIDE
}

/// Returns the label of the box drawn in place of a picture of this format.
pub(crate) fn label(format: ImageFormat) -> &'static str {
    label_and_codec(format).0
}

/// Returns the label of a picture format, and the decoder for its pixels. The decoder is `None` for vector formats and
/// for unknown formats.
fn label_and_codec(format: ImageFormat) -> (&'static str, Option<Codec>) {
    match format {
        ImageFormat::Png => ("PNG picture", Some(Codec::Png)),
        ImageFormat::Jpeg => ("JPEG picture", Some(Codec::Jpeg)),
        ImageFormat::Gif => ("GIF picture", Some(Codec::Gif)),
        ImageFormat::Bmp => ("BMP picture", Some(Codec::Bmp)),
        ImageFormat::Tiff => ("TIFF picture", Some(Codec::Tiff)),
        ImageFormat::WebP => ("WebP picture", Some(Codec::WebP)),
        ImageFormat::Svg => ("SVG picture", None),
        ImageFormat::Emf => ("EMF picture", None),
        ImageFormat::Wmf => ("WMF picture", None),
        ImageFormat::Unknown => ("Picture", None),
    }
}

/// Returns `true` if a picture has more than 1.5 times the `wanted` pixels in both directions. A picture that is only a little
/// larger keeps its size, because averaging would blur it without making the file much smaller.
fn exceeds_resolution((width, height): (u32, u32), wanted: (f32, f32)) -> bool {
    let too_fine = |has: u32, wants: u32| u64::from(has) * 2 > u64::from(wants) * 3;
    let (wanted_width, wanted_height) = whole_pixels(wanted);
    too_fine(width, wanted_width) && too_fine(height, wanted_height)
}

fn whole_pixels((width, height): (f32, f32)) -> (u32, u32) {
    let whole = |pixels: f32| pixels.ceil().clamp(1.0, MAX_SIDE as f32) as u32;
    (whole(width), whole(height))
}

/// A picture in the form PDF needs: eight bits a channel, with colour and opacity separated (ISO 32000-1, 11.6.5.3).
pub(crate) struct PdfPixels {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// `true` if the colour has one channel, not three.
    pub gray: bool,
    pub color: Vec<u8>,
    /// The opacity of each pixel, or `None` if all pixels are opaque.
    pub alpha: Option<Vec<u8>>,
}

impl PdfPixels {
    /// Decodes a picture and scales it down by averaging if it has far more pixels than `wanted` (width and height).
    pub(crate) fn decode(image: &Image, wanted: (f32, f32)) -> Result<Self, Unreadable> {
        if image.format == ImageFormat::Png
            && let Some(apart) = Self::from_png(&image.data, wanted)
        {
            return Ok(apart);
        }
        decode(image).map(|picture| Self::from_decoded(picture, wanted))
    }

    /// Decodes a PNG row by row, without holding the whole picture in memory. Returns `None` for interlaced or animated
    /// files, for other depths than eight bits a channel, and for damaged files.
    fn from_png(data: &[u8], wanted: (f32, f32)) -> Option<Self> {
        let limits = png::Limits { bytes: usize::try_from(MAX_BYTES).ok()? };
        let mut decoder = Decoder::new_with_limits(Cursor::new(data), limits);
        decoder.set_transformations(Transformations::EXPAND);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let reader = decoder.read_info().ok()?;
        let info = reader.info();
        if info.interlaced || info.frame_control.is_some() || !is_within_limits(info.size()) {
            return None;
        }
        match reader.output_color_type() {
            (ColorType::Grayscale, BitDepth::Eight) => RowCollector::<1>::from_png(reader, wanted),
            (ColorType::GrayscaleAlpha, BitDepth::Eight) => RowCollector::<2>::from_png(reader, wanted),
            (ColorType::Rgb, BitDepth::Eight) => RowCollector::<3>::from_png(reader, wanted),
            (ColorType::Rgba, BitDepth::Eight) => RowCollector::<4>::from_png(reader, wanted),
            _ => None,
        }
    }

    /// Converts a decoded picture, and scales it down by averaging if it has far more pixels than `wanted` (width and
    /// height).
    pub(crate) fn from_decoded(picture: DynamicImage, wanted: (f32, f32)) -> Self {
        let size = (picture.width(), picture.height());
        match picture.color().channel_count() {
            1 => RowCollector::<1>::from_pixels(picture.into_luma8().into_raw(), size, wanted),
            2 => RowCollector::<2>::from_pixels(picture.into_luma_alpha8().into_raw(), size, wanted),
            3 => RowCollector::<3>::from_pixels(picture.into_rgb8().into_raw(), size, wanted),
            _ => RowCollector::<4>::from_pixels(picture.into_rgba8().into_raw(), size, wanted),
        }
    }
}

/// Collects the rows of a picture of `N` channels, and scales them down if needed. With two or four channels, the last one is
/// the opacity.
struct RowCollector<const N: usize> {
    /// Scales the rows down, or `None` if the picture keeps its size.
    means: Option<RowScaler<N>>,
    size: (u32, u32),
    color: Vec<u8>,
    alpha: Vec<u8>,
}

impl<const N: usize> RowCollector<N> {
    const HAS_ALPHA: bool = N == 2 || N == 4;

    fn new(from: (u32, u32), wanted: (f32, f32)) -> Self {
        let size = if exceeds_resolution(from, wanted) { whole_pixels(wanted) } else { from };
        let means = (size != from).then(|| RowScaler::new(from, size));
        Self { means, size, color: Vec::new(), alpha: Vec::new() }
    }

    fn from_png<R: std::io::BufRead + std::io::Seek>(mut reader: Reader<R>, wanted: (f32, f32)) -> Option<PdfPixels> {
        let from = reader.info().size();
        let mut rows = Self::new(from, wanted);
        rows.reserve();
        let mut row = vec![0; reader.output_line_size(from.0)?];
        while reader.read_row(&mut row).ok()?.is_some() {
            rows.push_row(&row);
        }
        Some(rows.finish())
    }

    fn from_pixels(pixels: Vec<u8>, from: (u32, u32), wanted: (f32, f32)) -> PdfPixels {
        let mut rows = Self::new(from, wanted);
        if rows.means.is_none() && !Self::HAS_ALPHA {
            return Self { color: pixels, ..rows }.finish();
        }
        rows.reserve();
        pixels.chunks((from.0 as usize * N).max(1)).for_each(|row| rows.push_row(row));
        rows.finish()
    }

    fn reserve(&mut self) {
        let pixels = self.size.0 as usize * self.size.1 as usize;
        let alpha = if Self::HAS_ALPHA { pixels } else { 0 };
        self.color.reserve_exact(pixels * N - alpha);
        self.alpha.reserve_exact(alpha);
    }

    fn push_row(&mut self, row: &[u8]) {
        let kept = match &mut self.means {
            Some(means) => means.push_row(row),
            None => Some(row),
        };
        let Some(row) = kept else { return };
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

    fn finish(self) -> PdfPixels {
        let Self { size, color, alpha, .. } = self;
        let opaque = alpha.iter().all(|opacity| *opacity == 255);
        PdfPixels { size, gray: N <= 2, color, alpha: (!opaque).then_some(alpha) }
    }
}

/// Scales a picture down row by row. Each new pixel is the mean of the pixels it replaces, and each old pixel counts once.
struct RowScaler<const N: usize> {
    /// Number of rows of the original picture, and number of rows of the smaller picture.
    heights: (usize, usize),
    /// Number of rows read so far.
    rows_read: usize,
    /// Number of rows read for the current row of the smaller picture.
    rows_in_current: usize,
    /// Column sums of the current rows. A sum cannot overflow, because at most `MAX_SIDE` rows are added. Columns are
    /// averaged afterwards.
    sums: Vec<[u32; N]>,
    /// Number of old columns in each new column.
    columns: Vec<usize>,
    /// The last complete row of the smaller picture.
    scaled_row: Vec<[u8; N]>,
}

impl<const N: usize> RowScaler<N> {
    /// Creates a scaler from the width and height before (`from`) and after (`to`). `to` must not be larger than `from`.
    fn new(from: (u32, u32), to: (u32, u32)) -> Self {
        let (from_width, to_width) = (from.0 as usize, to.0 as usize);
        let end = |column: usize| column * from_width / to_width;
        Self {
            heights: (from.1 as usize, to.1 as usize),
            rows_read: 0,
            rows_in_current: 0,
            sums: vec![[0; N]; from_width],
            columns: (0..to_width).map(|column| end(column + 1) - end(column)).collect(),
            scaled_row: vec![[0; N]; to_width],
        }
    }

    /// Adds the next row of the original picture. If a row of the smaller picture is now complete, returns that row,
    /// and otherwise `None`.
    fn push_row(&mut self, row: &[u8]) -> Option<&[u8]> {
        self.sums.as_flattened_mut().iter_mut().zip(row).for_each(|(sum, value)| *sum += u32::from(*value));
        let (from_height, to_height) = self.heights;
        self.rows_in_current += 1;
        self.rows_read += 1;
        // the new row is complete if this old row is the last one that belongs to it
        if self.rows_read * to_height % from_height.max(1) >= to_height {
            return None;
        }
        let mut left = self.sums.as_slice();
        for (mean, columns) in self.scaled_row.iter_mut().zip(&self.columns) {
            let (pixels, after) = left.split_at_checked(*columns)?;
            left = after;
            let mut all = [0_u64; N];
            for pixel in pixels {
                all.iter_mut().zip(pixel).for_each(|(all, sum)| *all += u64::from(*sum));
            }
            let count = (columns * self.rows_in_current) as f64;
            mean.iter_mut().zip(all).for_each(|(mean, all)| *mean = (all as f64 / count + 0.5) as u8);
        }
        self.sums.fill([0; N]);
        self.rows_in_current = 0;
        Some(self.scaled_row.as_flattened())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_counts_once_in_the_mean() {
        let gray = (0..4).flat_map(|y| (0..5).map(move |x| x * 10 + y)).collect();
        let small = RowCollector::<1>::from_pixels(gray, (5, 4), (2.0, 2.0));
        // columns 0 and 1, then 2 to 4; rows 0 and 1, then 2 and 3
        assert_eq!(small.color, [6, 31, 8, 33]);
        let one = RowCollector::<4>::from_pixels([1, 2, 3, 254].repeat(7 * 9), (7, 9), (3.0, 4.0));
        assert_eq!((one.size, one.color, one.alpha), ((3, 4), [1, 2, 3].repeat(12), Some(vec![254; 12])));
    }

    #[test]
    fn a_picture_far_too_fine_is_shrunk_and_one_a_little_too_fine_is_not() {
        let size =
            |wanted| PdfPixels::from_decoded(DynamicImage::ImageRgb16(image::ImageBuffer::new(90, 60)), wanted).size;
        assert_eq!(size((30.0, 20.0)), (30, 20));
        assert_eq!(size((80.0, 50.0)), (90, 60));
    }
}
