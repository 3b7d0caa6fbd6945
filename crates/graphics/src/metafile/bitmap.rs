//! Converts the bitmaps of a metafile to separate picture files ([MS-WMF] 2.2.2.9).

use kurbo::{Rect, Size};

use super::bytes::{i32_at, u16_at, u32_at};

/// The raster operations AND, OR and XOR ([MS-WMF] 2.1.1.31). A bitmap that is drawn with AND is a mask: it hides parts
/// of the next bitmap, which is drawn with OR or XOR.
const MASK_OPERATION: u32 = 0x0088_00C6;
const PAINT_OPERATION: u32 = 0x00EE_0086;
const INVERT_OPERATION: u32 = 0x0066_0046;

/// Maximum number of pixels of a bitmap that is decoded.
const MAX_PIXELS: usize = 16_000_000;

/// A device-independent bitmap: its header with the colour table, and its bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dib<'d> {
    pub header: &'d [u8],
    pub bits: &'d [u8],
}

impl<'d> Dib<'d> {
    /// Splits the data of a bitmap into its header and its bits, which directly follow the colour table.
    pub fn from_packed(data: &'d [u8]) -> Option<Self> {
        let size = u32_at(data, 0)? as usize;
        let (depth, compression, used) = (u16_at(data, 14)?, u32_at(data, 16)?, u32_at(data, 32)?);
        let colors = match (used, depth) {
            (0, 1..=8) => 1_usize << depth,
            _ => used.min(256) as usize,
        };
        let masks = if compression == 3 && size == 40 { 12 } else { 0 };
        let length = size.checked_add(masks + 4 * colors)?;
        Some(Self { header: data.get(..length)?, bits: data.get(length..)? })
    }

    pub fn size(&self) -> Option<Size> {
        let (width, height) = (i32_at(self.header, 4)?, i32_at(self.header, 8)?);
        (width > 0 && height != 0).then_some(Size::new(f64::from(width), f64::from(height).abs()))
    }

    /// Returns true if the first row in the file is the bottom row.
    fn is_bottom_up(&self) -> bool {
        i32_at(self.header, 8).is_some_and(|height| height > 0)
    }

    /// Returns the fraction that each side of the bitmap loses if only `part` is shown: left, top, right, bottom. If
    /// `from_below` is true, the coordinates of `part` start at the first row in the file, which may be the bottom row.
    /// If `part` is not inside the bitmap, all fractions are 0. Returns `None` if the header has no valid size.
    pub fn crop(&self, part: Rect, from_below: bool) -> Option<[f32; 4]> {
        let Size { width, height } = self.size()?;
        let top = if from_below && self.is_bottom_up() { height - part.y1 } else { part.y0 };
        let sides = [part.x0 / width, top / height, 1.0 - part.x1 / width, 1.0 - (top + part.height()) / height];
        let sound =
            part.width() > 0.0 && part.height() > 0.0 && sides.iter().all(|side| (-0.001..0.999).contains(side));
        Some(if sound { sides.map(|side| side.max(0.0) as f32) } else { [0.0; 4] })
    }

    /// Returns the bitmap as a picture file. An embedded JPEG or PNG is returned unchanged; other bitmaps get a file
    /// header.
    pub fn picture_file(&self) -> Option<Vec<u8>> {
        if u32_at(self.header, 0)? < 40 || self.bits.is_empty() {
            return None;
        }
        if matches!(u32_at(self.header, 16)?, 4 | 5) {
            return Some(self.bits.to_vec());
        }
        let mut file = bitmap_file_header(self.header.len(), self.bits.len())?;
        file.extend_from_slice(self.header);
        file.extend_from_slice(self.bits);
        Some(file)
    }

    /// Decodes the pixels from top to bottom, as red, green, blue and opacity. `blended` is true if the fourth byte of
    /// a pixel is its opacity. Returns `None` if the format is not supported.
    fn decode_pixels(&self, blended: bool) -> Option<Pixels> {
        let Size { width, height } = self.size()?;
        let (width, height) = (width as usize, height as usize);
        let (depth, compression) = (usize::from(u16_at(self.header, 14)?), u32_at(self.header, 16)?);
        let plain = compression == 0 || compression == 3 && depth == 32;
        if !plain || !matches!(depth, 1 | 4 | 8 | 24 | 32) || width.checked_mul(height)? > MAX_PIXELS {
            return None;
        }
        let stride = (width * depth).div_ceil(32) * 4;
        let palette = self.header.get(u32_at(self.header, 0)? as usize..)?;
        let mut pixels = Vec::with_capacity(width * height);
        for row in 0..height {
            let row = if self.is_bottom_up() { height - 1 - row } else { row };
            let line = self.bits.get(row * stride..(row + 1) * stride)?;
            for x in 0..width {
                let bytes = match depth {
                    24 => line.get(x * 3..x * 3 + 3)?,
                    32 => line.get(x * 4..x * 4 + 4)?,
                    _ => {
                        let byte = usize::from(*line.get(x * depth / 8)?);
                        let index = byte >> (8 - depth - x * depth % 8) & ((1 << depth) - 1);
                        palette.get(index * 4..index * 4 + 3)?
                    }
                };
                let [blue, green, red] = [*bytes.first()?, *bytes.get(1)?, *bytes.get(2)?];
                let opacity = bytes.get(3).copied().filter(|_| blended).unwrap_or(255);
                pixels.push([red, green, blue, opacity]);
            }
        }
        Some(Pixels { width, pixels })
    }

    /// Returns a picture file in which the fourth byte of each pixel is its opacity. The colours in the bitmap are
    /// premultiplied by the opacity.
    pub fn blended_file(&self) -> Option<Vec<u8>> {
        let mut pixels = self.decode_pixels(true)?;
        // If the fourth byte is zero everywhere, it is unused.
        if pixels.pixels.iter().all(|pixel| pixel[3] == 0) {
            return self.picture_file();
        }
        for [red, green, blue, opacity] in &mut pixels.pixels {
            for channel in [red, green, blue] {
                let freed = u32::from(*channel) * 255 / u32::from(*opacity).max(1);
                *channel = u8::try_from(freed).unwrap_or(255);
            }
        }
        pixels.to_bitmap_file()
    }

    /// Returns a picture file that is opaque where the mask is black, and transparent where it is white. Returns `None`
    /// if the mask has another size.
    pub fn masked_file(&self, mask: &Dib<'_>) -> Option<Vec<u8>> {
        let (mut pixels, mask) = (self.decode_pixels(false)?, mask.decode_pixels(false)?);
        if pixels.width != mask.width || pixels.pixels.len() != mask.pixels.len() {
            return None;
        }
        for (pixel, mask) in pixels.pixels.iter_mut().zip(&mask.pixels) {
            pixel[3] = 255 - mask[0];
        }
        pixels.to_bitmap_file()
    }
}

/// Decoded pixels, row by row from the top.
struct Pixels {
    width: usize,
    pixels: Vec<[u8; 4]>,
}

impl Pixels {
    /// Returns a bitmap file with four channels and their bit masks ([MS-WMF] 2.2.2.4), top row first.
    fn to_bitmap_file(&self) -> Option<Vec<u8>> {
        const HEAD: usize = 108;
        let (width, pixels) = (u32::try_from(self.width).ok()?, self.pixels.len());
        let height = i32::try_from(pixels / self.width.max(1)).ok()?;
        // One plane of 32 bits, with bit masks for red, green, blue and opacity.
        let (kind, masks) = ([0x0020_0001, 3, 0, 0, 0, 0, 0], [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, 0xFF00_0000]);
        let fields = [HEAD as u32, width, (-height).cast_unsigned()].into_iter().chain(kind).chain(masks);
        let mut file = bitmap_file_header(HEAD, pixels * 4)?;
        file.extend(fields.flat_map(u32::to_le_bytes));
        file.resize(14 + HEAD, 0);
        for [red, green, blue, opacity] in &self.pixels {
            file.extend_from_slice(&[*blue, *green, *red, *opacity]);
        }
        Some(file)
    }
}

/// A mask and its box. The mask applies to the next bitmap if that bitmap has the same box.
pub(super) type Mask<'d> = (Dib<'d>, Rect);

/// Returns the picture file of a bitmap that is drawn into the box `area`, or `Some(None)` if the bitmap cannot be
/// converted. Returns `None` if the raster operation shows that the bitmap is only a mask. In this case, the mask is
/// stored in `waiting`, and the next bitmap is drawn through the mask.
pub(super) fn file_or_store_mask<'d>(
    dib: Dib<'d>,
    area: Rect,
    operation: Option<u32>,
    waiting: &mut Option<Mask<'d>>,
) -> Option<Option<Vec<u8>>> {
    let mask = waiting.take().filter(|(_, place)| *place == area);
    match (operation, mask) {
        (Some(MASK_OPERATION), _) => {
            *waiting = Some((dib, area));
            None
        }
        (Some(PAINT_OPERATION | INVERT_OPERATION), Some((mask, _))) => {
            Some(dib.masked_file(&mask).or_else(|| dib.picture_file()))
        }
        _ => Some(dib.picture_file()),
    }
}

/// Returns the header of a bitmap file. `head` and `bits` are the sizes of the bitmap header and of the bits, in bytes.
fn bitmap_file_header(head: usize, bits: usize) -> Option<Vec<u8>> {
    let offset = 14_usize.checked_add(head)?;
    let length = offset.checked_add(bits)?;
    let mut file = Vec::with_capacity(length);
    file.extend_from_slice(b"BM");
    file.extend_from_slice(&u32::try_from(length).ok()?.to_le_bytes());
    file.extend_from_slice(&[0; 4]);
    file.extend_from_slice(&u32::try_from(offset).ok()?.to_le_bytes());
    Some(file)
}
