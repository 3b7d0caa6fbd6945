//! Decodes the pictures of a document within limits of size and memory.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat as Codec, ImageReader, Limits};
use png::{BitDepth, ColorType, Decoder, Reader, Transformations};
use waraq_layout::{Image, ImageFormat};
use waraq_rules::FindingCode;

/// Maximum number of pixels of a picture that is decoded (a page of A3 at 600 dpi has 70 million).
const MAX_PIXELS: u64 = 80_000_000;
const MAX_SIDE: u32 = 30_000;
/// Maximum memory in bytes that a decoder may allocate for one picture.
const MAX_BYTES: u64 = 400 << 20;

/// The reason why a picture becomes a labelled box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unreadable {
    pub code: FindingCode,
    pub message: String,
}

fn decode(image: &Image) -> Result<DynamicImage, Unreadable> {
    let refuse = |code, why: String| Unreadable { code, message: format!("the picture {} {why}", image.part) };
    let (label, codec) = known(image.format);
    let Some(codec) = codec else {
        return Err(refuse(FindingCode::PictureFormat, format!("is of a kind that cannot be drawn: {label}")));
    };
    let unreadable =
        |error: image::ImageError| refuse(FindingCode::PictureUnreadable, format!("cannot be read: {error}"));
    let reader = || {
        let mut reader = ImageReader::with_format(Cursor::new(&image.data), codec);
        reader.limits(limits(MAX_SIDE, MAX_BYTES));
        reader
    };
    let (width, height) = reader().into_dimensions().map_err(unreadable)?;
    if !may_be_decoded((width, height)) {
        return Err(refuse(FindingCode::PictureTooLarge, format!("is too large: {width} × {height} pixels")));
    }
    reader().decode().map_err(unreadable)
}

/// Returns limits for a decoder: the maximum length of a side in pixels and the maximum memory in bytes.
pub(crate) fn limits(side: u32, bytes: u64) -> Limits {
    let mut limits = Limits::no_limits();
    (limits.max_image_width, limits.max_image_height) = (Some(side), Some(side));
    limits.max_alloc = Some(bytes);
    limits
}

fn may_be_decoded((width, height): (u32, u32)) -> bool {
    u64::from(width) * u64::from(height) <= MAX_PIXELS && width <= MAX_SIDE && height <= MAX_SIDE
}

/// Returns the label of the box drawn in place of a picture of this format.
pub(crate) fn label(format: ImageFormat) -> &'static str {
    known(format).0
}

/// Returns the label of a picture format and its decoder, if there is one.
fn known(format: ImageFormat) -> (&'static str, Option<Codec>) {
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
fn is_too_fine((width, height): (u32, u32), wanted: (f32, f32)) -> bool {
    let too_fine = |has: u32, wants: u32| u64::from(has) * 2 > u64::from(wants) * 3;
    let (wanted_width, wanted_height) = pixels(wanted);
    too_fine(width, wanted_width) && too_fine(height, wanted_height)
}

fn pixels((width, height): (f32, f32)) -> (u32, u32) {
    let whole = |pixels: f32| pixels.ceil().clamp(1.0, MAX_SIDE as f32) as u32;
    (whole(width), whole(height))
}

/// A picture in the form PDF needs: eight bits a channel, with colour and opacity separated (ISO 32000-1, 11.6.5.3).
pub(crate) struct Apart {
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// `true` if the colour has one channel, not three.
    pub gray: bool,
    pub color: Vec<u8>,
    /// The opacity of each pixel, or `None` if all pixels are opaque.
    pub alpha: Option<Vec<u8>>,
}

impl Apart {
    /// Decodes a picture and scales it down by averaging if it has far more pixels than `wanted` (width and height).
    pub(crate) fn decode(image: &Image, wanted: (f32, f32)) -> Result<Self, Unreadable> {
        if image.format == ImageFormat::Png
            && let Some(apart) = Self::of_png(&image.data, wanted)
        {
            return Ok(apart);
        }
        decode(image).map(|picture| Self::of(picture, wanted))
    }

    /// Decodes a PNG row by row, without holding the whole picture in memory. Returns `None` for interlaced or animated
    /// files, for other depths than eight bits a channel, and for damaged files.
    fn of_png(data: &[u8], wanted: (f32, f32)) -> Option<Self> {
        let limits = png::Limits { bytes: usize::try_from(MAX_BYTES).ok()? };
        let mut decoder = Decoder::new_with_limits(Cursor::new(data), limits);
        decoder.set_transformations(Transformations::EXPAND);
        decoder.set_ignore_text_chunk(true);
        decoder.set_ignore_iccp_chunk(true);
        let reader = decoder.read_info().ok()?;
        let info = reader.info();
        if info.interlaced || info.frame_control.is_some() || !may_be_decoded(info.size()) {
            return None;
        }
        match reader.output_color_type() {
            (ColorType::Grayscale, BitDepth::Eight) => Rows::<1>::of_png(reader, wanted),
            (ColorType::GrayscaleAlpha, BitDepth::Eight) => Rows::<2>::of_png(reader, wanted),
            (ColorType::Rgb, BitDepth::Eight) => Rows::<3>::of_png(reader, wanted),
            (ColorType::Rgba, BitDepth::Eight) => Rows::<4>::of_png(reader, wanted),
            _ => None,
        }
    }

    /// Converts a decoded picture, scaled down as in [`Apart::decode`].
    pub(crate) fn of(picture: DynamicImage, wanted: (f32, f32)) -> Self {
        let size = (picture.width(), picture.height());
        match picture.color().channel_count() {
            1 => Rows::<1>::of_pixels(picture.into_luma8().into_raw(), size, wanted),
            2 => Rows::<2>::of_pixels(picture.into_luma_alpha8().into_raw(), size, wanted),
            3 => Rows::<3>::of_pixels(picture.into_rgb8().into_raw(), size, wanted),
            _ => Rows::<4>::of_pixels(picture.into_rgba8().into_raw(), size, wanted),
        }
    }
}

/// Collects the rows of a picture of `N` channels, and scales them down if needed. With two or four channels, the last one is
/// the opacity.
struct Rows<const N: usize> {
    /// Scales the rows down. `None` if the picture keeps its size.
    means: Option<Means<N>>,
    size: (u32, u32),
    color: Vec<u8>,
    alpha: Vec<u8>,
}

impl<const N: usize> Rows<N> {
    const HAS_ALPHA: bool = N == 2 || N == 4;

    fn new(from: (u32, u32), wanted: (f32, f32)) -> Self {
        let size = if is_too_fine(from, wanted) { pixels(wanted) } else { from };
        let means = (size != from).then(|| Means::new(from, size));
        Self { means, size, color: Vec::new(), alpha: Vec::new() }
    }

    fn of_png<R: std::io::BufRead + std::io::Seek>(mut reader: Reader<R>, wanted: (f32, f32)) -> Option<Apart> {
        let from = reader.info().size();
        let mut rows = Self::new(from, wanted);
        rows.reserve();
        let mut row = vec![0; reader.output_line_size(from.0)?];
        while reader.read_row(&mut row).ok()?.is_some() {
            rows.add(&row);
        }
        Some(rows.done())
    }

    fn of_pixels(pixels: Vec<u8>, from: (u32, u32), wanted: (f32, f32)) -> Apart {
        let mut rows = Self::new(from, wanted);
        if rows.means.is_none() && !Self::HAS_ALPHA {
            return Self { color: pixels, ..rows }.done();
        }
        rows.reserve();
        pixels.chunks((from.0 as usize * N).max(1)).for_each(|row| rows.add(row));
        rows.done()
    }

    fn reserve(&mut self) {
        let pixels = self.size.0 as usize * self.size.1 as usize;
        let alpha = if Self::HAS_ALPHA { pixels } else { 0 };
        self.color.reserve_exact(pixels * N - alpha);
        self.alpha.reserve_exact(alpha);
    }

    fn add(&mut self, row: &[u8]) {
        let kept = match &mut self.means {
            Some(means) => means.add(row),
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

    fn done(self) -> Apart {
        let Self { size, color, alpha, .. } = self;
        let opaque = alpha.iter().all(|opacity| *opacity == 255);
        Apart { size, gray: N <= 2, color, alpha: (!opaque).then_some(alpha) }
    }
}

/// Scales a picture down row by row. Each new pixel is the mean of the pixels it replaces, and each old pixel counts once.
struct Means<const N: usize> {
    /// Number of rows of the original picture, and of the smaller one.
    heights: (usize, usize),
    /// Number of rows read so far.
    taken: usize,
    /// Number of rows read for the current row of the smaller picture.
    rows: usize,
    /// Column sums of the current rows. A sum cannot overflow, because at most `MAX_SIDE` rows are added. Columns are
    /// averaged afterwards.
    sums: Vec<[u32; N]>,
    /// Number of old columns in each new column.
    columns: Vec<usize>,
    /// The last complete row of the smaller picture.
    made: Vec<[u8; N]>,
}

impl<const N: usize> Means<N> {
    /// Creates a scaler from the width and height before (`from`) and after (`to`). `to` must not be larger than `from`.
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

    /// Adds the next row. Returns a row of the smaller picture if it is now complete.
    fn add(&mut self, row: &[u8]) -> Option<&[u8]> {
        self.sums.as_flattened_mut().iter_mut().zip(row).for_each(|(sum, value)| *sum += u32::from(*value));
        let (from_height, to_height) = self.heights;
        self.rows += 1;
        self.taken += 1;
        // the row is complete if this old row is the last one in it
        if self.taken * to_height % from_height.max(1) >= to_height {
            return None;
        }
        let mut left = self.sums.as_slice();
        for (mean, columns) in self.made.iter_mut().zip(&self.columns) {
            let (pixels, after) = left.split_at_checked(*columns)?;
            left = after;
            let mut all = [0_u64; N];
            for pixel in pixels {
                all.iter_mut().zip(pixel).for_each(|(all, sum)| *all += u64::from(*sum));
            }
            let count = (columns * self.rows) as f64;
            mean.iter_mut().zip(all).for_each(|(mean, all)| *mean = (all as f64 / count + 0.5) as u8);
        }
        self.sums.fill([0; N]);
        self.rows = 0;
        Some(self.made.as_flattened())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pixel_counts_once_in_the_mean() {
        let gray = (0..4).flat_map(|y| (0..5).map(move |x| x * 10 + y)).collect();
        let small = Rows::<1>::of_pixels(gray, (5, 4), (2.0, 2.0));
        // columns 0 and 1, then 2 to 4; rows 0 and 1, then 2 and 3
        assert_eq!(small.color, [6, 31, 8, 33]);
        let one = Rows::<4>::of_pixels([1, 2, 3, 254].repeat(7 * 9), (7, 9), (3.0, 4.0));
        assert_eq!((one.size, one.color, one.alpha), ((3, 4), [1, 2, 3].repeat(12), Some(vec![254; 12])));
    }

    #[test]
    fn a_picture_far_too_fine_is_shrunk_and_one_a_little_too_fine_is_not() {
        let size = |wanted| Apart::of(DynamicImage::ImageRgb16(image::ImageBuffer::new(90, 60)), wanted).size;
        assert_eq!(size((30.0, 20.0)), (30, 20));
        assert_eq!(size((80.0, 50.0)), (90, 60));
    }
}
