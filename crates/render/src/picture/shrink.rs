//! Pictures averaged down, row by row: as they are decoded, none need be there whole.

use image::{DynamicImage, ImageBuffer, Pixel};

use super::{is_too_fine, pixels};

/// A picture with far more pixels than its place on paper can show is averaged down.
pub(super) fn shrink(picture: DynamicImage, wanted: (f32, f32)) -> DynamicImage {
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
pub(super) struct Means<const N: usize> {
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
    pub(super) fn new(from: (u32, u32), to: (u32, u32)) -> Self {
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
    pub(super) fn add(&mut self, row: &[u8]) -> Option<&[u8]> {
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
