//! Windows metafiles ([MS-EMF], [MS-WMF], [MS-EMFPLUS]) by the bitmaps in them.
//!
//! What most metafiles in documents are is a wrapper around one bitmap: that is drawn where it stood. Those that draw lines,
//! fills and text are read and laid out before they come here; where one does come here (as a bullet, or as the filling of
//! a shape), its bitmaps are shown and a warning says that the rest is left out.

use std::io::Cursor;

use image::{DynamicImage, ImageReader, Limits, RgbaImage, imageops};

/// Bitmaps of one metafile that are looked at.
const MOST_BITMAPS: usize = 64;
/// Records of one metafile that are walked.
const MOST_RECORDS: usize = 200_000;
/// Pixels of the picture that is put together, and of all bitmaps that are read for it.
const MOST_PIXELS: f64 = 4_000_000.0;
const MOST_READ: u64 = 40_000_000;

/// A bitmap and where it is drawn, in the metafile's own units.
struct Drawn {
    bitmap: RgbaImage,
    area: [f64; 4],
}

/// What was found in a metafile.
#[derive(Default)]
struct Found {
    drawn: Vec<Drawn>,
    /// Pixels read so far.
    read: u64,
    /// Something is drawn that is no bitmap.
    other: bool,
}

/// The bitmaps of a metafile where they stand, and whether that is all it draws. `None`: it has none.
pub(crate) fn bitmaps(data: &[u8]) -> Option<(DynamicImage, bool)> {
    let (found, bounds) = if data.get(40..44) == Some(b" EMF") { enhanced(data)? } else { old(data)? };
    let whole = !found.other;
    Some((put_together(found.drawn, bounds)?, whole))
}

impl Found {
    fn add(&mut self, bitmap: Option<RgbaImage>, area: [f64; 4]) {
        let Some(bitmap) = bitmap else {
            self.other = true;
            return;
        };
        if self.drawn.len() < MOST_BITMAPS && area.iter().all(|side| side.is_finite()) {
            self.drawn.push(Drawn { bitmap, area });
        }
    }

    fn read(&mut self, data: &[u8], format: Option<image::ImageFormat>) -> Option<RgbaImage> {
        let reader = |data| {
            let mut reader = ImageReader::new(Cursor::new(data));
            match format {
                Some(format) => reader.set_format(format),
                None => reader = reader.with_guessed_format().ok()?,
            }
            let mut limits = Limits::no_limits();
            limits.max_image_width = Some(20_000);
            limits.max_image_height = Some(20_000);
            limits.max_alloc = Some(200 << 20);
            reader.limits(limits);
            Some(reader)
        };
        let (width, height) = reader(data)?.into_dimensions().ok()?;
        self.read = self.read.saturating_add(u64::from(width) * u64::from(height));
        if self.read > MOST_READ || self.drawn.len() >= MOST_BITMAPS || width == 0 || height == 0 {
            return None;
        }
        Some(reader(data)?.decode().ok()?.into_rgba8())
    }

    /// A device-independent bitmap: its head (with colours) and its bits.
    fn dib(&mut self, head: &[u8], bits: &[u8], alpha: bool) -> Option<RgbaImage> {
        if u32_at(head, 0)? < 40 || bits.is_empty() {
            return None;
        }
        // As a file: the head of one before it.
        let offset = 14 + head.len();
        let mut file = Vec::with_capacity(offset + bits.len());
        file.extend_from_slice(b"BM");
        file.extend_from_slice(&u32::try_from(offset + bits.len()).ok()?.to_le_bytes());
        file.extend_from_slice(&[0; 4]);
        file.extend_from_slice(&u32::try_from(offset).ok()?.to_le_bytes());
        file.extend_from_slice(head);
        file.extend_from_slice(bits);
        let mut bitmap = self.read(&file, Some(image::ImageFormat::Bmp))?;
        if alpha && u16_at(head, 14)? == 32 {
            with_alpha(&mut bitmap, bits, i32_at(head, 8)? > 0);
        }
        Some(bitmap)
    }
}

/// The fourth byte of each pixel as its opacity, the colours freed of it again.
fn with_alpha(bitmap: &mut RgbaImage, bits: &[u8], bottom_up: bool) {
    let (width, height) = (bitmap.width() as usize, bitmap.height() as usize);
    // Where all are nothing they are unused.
    if !bits.chunks_exact(4).any(|pixel| pixel.last().is_some_and(|alpha| *alpha > 0)) {
        return;
    }
    for (x, y, pixel) in bitmap.enumerate_pixels_mut() {
        let row = if bottom_up { height - 1 - y as usize } else { y as usize };
        let alpha = bits.get((row * width + x as usize) * 4 + 3).copied().unwrap_or(255);
        let [red, green, blue, opacity] = &mut pixel.0;
        for channel in [red, green, blue] {
            let freed = u32::from(*channel) * 255 / u32::from(alpha).max(1);
            *channel = u8::try_from(freed).unwrap_or(255);
        }
        *opacity = alpha;
    }
}

/// From logical units to the device's: window and viewport.
#[derive(Debug, Clone, Copy)]
struct Mapping {
    window: [f64; 4],
    viewport: [f64; 2],
    /// Of the viewport. Where no record gives one, a logical unit is the device's.
    scaled: Option<(f64, f64)>,
}

impl Mapping {
    const PLAIN: Self = Self { window: [0.0, 0.0, 1.0, 1.0], viewport: [0.0, 0.0], scaled: None };

    fn area(&self, [x, y, width, height]: [f64; 4]) -> [f64; 4] {
        let [wx, wy, ww, wh] = self.window;
        let [vx, vy] = self.viewport;
        let scale = |(vw, vh): (f64, f64)| (vw / ww, vh / wh);
        let (sx, sy) = self.scaled.filter(|_| ww != 0.0 && wh != 0.0).map_or((1.0, 1.0), scale);
        [vx + (x - wx) * sx, vy + (y - wy) * sy, width * sx, height * sy]
    }
}

/// [MS-EMF] 2.3: records of four-byte kinds and sizes.
fn enhanced(data: &[u8]) -> Option<(Found, [f64; 4])> {
    let bounds = frame(data)?;
    let mut found = Found::default();
    let mut plus = Vec::new();
    let mut mapping = Mapping::PLAIN;
    let mut rest = data;
    for _ in 0..MOST_RECORDS {
        let (Some(kind), Some(size)) = (u32_at(rest, 0), u32_at(rest, 4)) else { break };
        let Some(record) = rest.get(..size as usize).filter(|record| record.len() >= 8) else { break };
        rest = rest.get(size as usize..).unwrap_or_default();
        let pair = || Some((f64::from(i32_at(record, 8)?), f64::from(i32_at(record, 12)?)));
        match kind {
            9 => pair().into_iter().for_each(|(x, y)| [mapping.window[2], mapping.window[3]] = [x, y]),
            10 => pair().into_iter().for_each(|(x, y)| [mapping.window[0], mapping.window[1]] = [x, y]),
            11 => mapping.scaled = pair(),
            12 => pair().into_iter().for_each(|(x, y)| [mapping.viewport[0], mapping.viewport[1]] = [x, y]),
            14 => break,
            70 => plus.extend(record.get(12..)),
            76 | 77 | 80 | 81 | 114 | 116 => enhanced_bitmap(kind, record, &mapping, &mut found),
            2..=8 | 41..=47 | 53..=56 | 62..=64 | 71..=74 | 78 | 79 | 83..=92 | 96 | 97 | 108 | 118 => {
                found.other = true
            }
            _ => {}
        }
    }
    if found.drawn.is_empty() {
        for comment in plus {
            plus_bitmap(comment, bounds, &mut found);
        }
    }
    Some((found, bounds))
}

/// What the picture shows, in the device's pixels: its frame, else the bounds of what is drawn.
fn frame(data: &[u8]) -> Option<[f64; 4]> {
    let edge = |at| i32_at(data, at).map(f64::from);
    let bounds = [edge(8)?, edge(12)?, edge(16)? - edge(8)? + 1.0, edge(20)? - edge(12)? + 1.0];
    // The frame is in hundredths of a millimetre.
    let (x, y) = (edge(72)? / (edge(80)? * 100.0), edge(76)? / (edge(84)? * 100.0));
    let frame = [edge(24)? * x, edge(28)? * y, (edge(32)? - edge(24)?) * x, (edge(36)? - edge(28)?) * y];
    let sound = frame.iter().all(|side| side.is_finite()) && frame[2] >= 1.0 && frame[3] >= 1.0;
    Some(if sound { frame } else { bounds })
}

/// A record that draws a bitmap. One without (a pattern) is another drawing.
fn enhanced_bitmap(kind: u32, record: &[u8], mapping: &Mapping, found: &mut Found) {
    let number = |at: usize| i32_at(record, at).map(f64::from);
    // Where the offsets of head and bits stand, and where the destination's size.
    let (offsets, size) = match kind {
        76 | 77 | 114 | 116 => (84, 32),
        80 => (48, 40),
        _ => (48, 72),
    };
    let bitmap = || {
        let at = |index: usize| u32_at(record, offsets + 4 * index).map(|at| at as usize);
        let (head, head_size, bits, bits_size) = (at(0)?, at(1)?, at(2)?, at(3)?);
        Some((record.get(head..head.checked_add(head_size)?)?, record.get(bits..bits.checked_add(bits_size)?)?))
    };
    let Some((head, bits)) = bitmap().filter(|(head, _)| head.len() >= 40) else {
        found.other = true;
        return;
    };
    let area = (|| Some([number(24)?, number(28)?, number(size)?, number(size + 4)?]))();
    let blended = kind == 114 && record.get(43).is_some_and(|format| *format == 1);
    let bitmap = found.dib(head, bits, blended);
    found.add(bitmap, mapping.area(area.unwrap_or_default()));
}

/// [MS-EMFPLUS] 2.3: an image object with a whole picture file in it.
fn plus_bitmap(comment: &[u8], bounds: [f64; 4], found: &mut Found) {
    let Some(mut rest) = comment.strip_prefix(b"EMF+") else { return };
    for _ in 0..MOST_RECORDS {
        let (Some(kind), Some(flags), Some(size)) = (u16_at(rest, 0), u16_at(rest, 2), u32_at(rest, 4)) else { break };
        let Some(record) = rest.get(..size as usize).filter(|record| record.len() >= 12) else { break };
        rest = rest.get(size as usize..).unwrap_or_default();
        let image =
            kind == 0x4008 && flags >> 8 & 0x7F == 5 && u32_at(record, 16) == Some(1) && u32_at(record, 36) == Some(1);
        if let Some(file) = record.get(40..).filter(|_| image) {
            let bitmap = found.read(file, None);
            found.add(bitmap, bounds);
        }
    }
}

/// [MS-WMF] 2.3: records of sizes in words and two-byte kinds.
fn old(data: &[u8]) -> Option<(Found, [f64; 4])> {
    let placeable = u32_at(data, 0) == Some(0x9AC6_CDD7);
    let edge = |at| i16_at(data, at).map(f64::from);
    let placed = placeable.then(|| Some([edge(6)?, edge(8)?, edge(10)? - edge(6)?, edge(12)? - edge(8)?])).flatten();
    let start = if placeable { 22 } else { 0 };
    let mut rest = data.get(start..)?;
    rest = rest.get(usize::from(u16_at(rest, 2)?) * 2..)?;
    let mut found = Found::default();
    let (mut origin, mut extent) = ((0.0, 0.0), None);
    for _ in 0..MOST_RECORDS {
        let (Some(words), Some(kind)) = (u32_at(rest, 0), u16_at(rest, 4)) else { break };
        let size = (words as usize).saturating_mul(2);
        let Some(record) = rest.get(..size).filter(|record| record.len() >= 6) else { break };
        rest = rest.get(size..).unwrap_or_default();
        let pair = || Some((f64::from(i16_at(record, 8)?), f64::from(i16_at(record, 6)?)));
        match kind {
            0 => break,
            0x020B => origin = pair().unwrap_or(origin),
            0x020C => extent = pair().or(extent),
            0x0F43 => old_bitmap(record, 28, &mut found),
            0x0B41 => old_bitmap(record, 26, &mut found),
            0x0940 => old_bitmap(record, 22, &mut found),
            0x0D33 => old_bitmap(record, 24, &mut found),
            0x0213 | 0x0324 | 0x0325 | 0x0418 | 0x041B | 0x0521 | 0x0538 | 0x061C | 0x061D | 0x0817 | 0x081A
            | 0x0830 | 0x0A32 | 0x0922 | 0x0B23 => found.other = true,
            _ => {}
        }
    }
    let bounds = placed.or_else(|| extent.map(|(width, height)| [origin.0, origin.1, width, height]));
    let first = || found.drawn.first().map(|drawn| drawn.area);
    let bounds = bounds.or_else(first)?;
    Some((found, bounds))
}

/// A bitmap whose destination stands in the four numbers before it: height, width, y, x.
fn old_bitmap(record: &[u8], at: usize, found: &mut Found) {
    let number = |at: usize| i16_at(record, at).map(f64::from);
    let area = (|| Some([number(at - 2)?, number(at - 4)?, number(at - 6)?, number(at - 8)?]))();
    let Some(dib) = record.get(at..) else { return };
    let bitmap = head_length(dib).and_then(|length| {
        let (head, bits) = (dib.get(..length)?, dib.get(length..)?);
        found.dib(head, bits, false)
    });
    found.add(bitmap, area.unwrap_or_default());
}

/// Of a bitmap's head with its colour masks and its table of colours.
fn head_length(dib: &[u8]) -> Option<usize> {
    let head = u32_at(dib, 0)? as usize;
    let (depth, compression, used) = (u16_at(dib, 14)?, u32_at(dib, 16)?, u32_at(dib, 32)?);
    let colors = match (used, depth) {
        (0, 1..=8) => 1_usize << depth,
        _ => used.min(256) as usize,
    };
    let masks = if compression == 3 && head == 40 { 12 } else { 0 };
    head.checked_add(masks + 4 * colors)
}

/// One picture of all bitmaps, as large as the sharpest of them asks for.
fn put_together(drawn: Vec<Drawn>, [left, top, width, height]: [f64; 4]) -> Option<DynamicImage> {
    let (flip_x, flip_y) = (width < 0.0, height < 0.0);
    let (width, height) = (width.abs(), height.abs());
    let covers = |one: &Drawn| one.area[2].abs() >= 0.95 * width && one.area[3].abs() >= 0.95 * height;
    if let [one] = &drawn[..]
        && covers(one)
    {
        return drawn.into_iter().next().map(|one| DynamicImage::ImageRgba8(turned(one.bitmap, one.area)));
    }
    if drawn.is_empty() || !(width >= 1.0 && height >= 1.0 && width.is_finite() && height.is_finite()) {
        return None;
    }
    let density = |one: &Drawn| f64::from(one.bitmap.width()) / one.area[2].abs().max(1e-6);
    let sharpest = drawn.iter().map(density).fold(0.01, f64::max);
    let scale = sharpest.min((MOST_PIXELS / (width * height)).sqrt());
    let pixels = |length: f64| (length * scale).round().clamp(1.0, 20_000.0) as u32;
    let mut canvas = RgbaImage::new(pixels(width), pixels(height));
    let mut painted = 0.0;
    for one in drawn {
        let [x, y, w, h] = one.area;
        let (x, y) = (if w < 0.0 { x + w } else { x }, if h < 0.0 { y + h } else { y });
        painted += w.abs().min(width * 2.0) * h.abs().min(height * 2.0) * scale * scale;
        // A bitmap far larger than the frame, or too many of them: somebody's trick.
        if w.abs() > width * 2.0 || h.abs() > height * 2.0 || painted > 16.0 * MOST_PIXELS {
            continue;
        }
        let bitmap = turned(one.bitmap, one.area);
        let sized = imageops::resize(&bitmap, pixels(w.abs()), pixels(h.abs()), imageops::FilterType::Triangle);
        let place = |at: f64, from: f64| ((at - from) * scale).round().clamp(-40_000.0, 40_000.0) as i64;
        let (from_x, from_y) = (if flip_x { left - width } else { left }, if flip_y { top - height } else { top });
        imageops::overlay(&mut canvas, &sized, place(x, from_x), place(y, from_y));
    }
    Some(DynamicImage::ImageRgba8(canvas))
}

/// Sizes below nothing mirror.
fn turned(mut bitmap: RgbaImage, area: [f64; 4]) -> RgbaImage {
    if area[2] < 0.0 {
        imageops::flip_horizontal_in_place(&mut bitmap);
    }
    if area[3] < 0.0 {
        imageops::flip_vertical_in_place(&mut bitmap);
    }
    bitmap
}

fn bytes_at<const N: usize>(data: &[u8], at: usize) -> Option<[u8; N]> {
    data.get(at..at.checked_add(N)?)?.try_into().ok()
}

fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    bytes_at(data, at).map(u16::from_le_bytes)
}

fn i16_at(data: &[u8], at: usize) -> Option<i16> {
    bytes_at(data, at).map(i16::from_le_bytes)
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    bytes_at(data, at).map(u32::from_le_bytes)
}

fn i32_at(data: &[u8], at: usize) -> Option<i32> {
    bytes_at(data, at).map(i32::from_le_bytes)
}
