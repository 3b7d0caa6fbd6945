//! PNGs that go into the file as they are. Their pixels are compressed as those of a `FlateDecode` stream with a PNG
//! predictor (ISO 32000-1, 7.4.4.4), so nothing need be decoded: it is only read through, lest a reader find less or other
//! than was promised.
//!
//! krilla takes no such stream; it is given a [stand-in](super::stand_in).

use std::io::Write;
use std::ops::Range;

use bytes::Bytes;
use flate2::{Crc, Decompress, FlushDecompress, Status};

use super::stand_in::Dictionary;
use crate::picture::{Head, MAX_PIXELS, MAX_SIDE};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const INFLATED_AT_ONCE: usize = 64 << 10;

/// A PNG without opacity, not interlaced, of eight bits a channel or less, all of which is there.
pub(super) struct Png {
    file: Bytes,
    /// Where its compressed pixels are in the file.
    pieces: Vec<Range<usize>>,
    width: u32,
    height: u32,
    bits: u8,
    colors: Colors,
}

enum Colors {
    Gray,
    Rgb,
    /// Red, green and blue of as many as the bits can name.
    Palette(Vec<u8>),
}

impl Colors {
    fn channels(&self) -> u8 {
        if matches!(self, Self::Rgb) { 3 } else { 1 }
    }
}

impl Png {
    /// `None`: it is not of this kind, nor of a size that is wanted (width and height), or not sound, and is to be decoded.
    pub(super) fn read(file: &Bytes, is_wanted: impl Fn((u32, u32)) -> bool) -> Option<Self> {
        let mut chunks = Chunks::of(file)?;
        let (kind, head) = chunks.next()?;
        let head = file.get(head).filter(|_| kind == *b"IHDR")?;
        let [w0, w1, w2, w3, h0, h1, h2, h3, bits, color, 0, 0, 0] = *head else { return None };
        let (width, height) = (u32::from_be_bytes([w0, w1, w2, w3]), u32::from_be_bytes([h0, h1, h2, h3]));
        if !matches!((color, bits), (0 | 3, 1 | 2 | 4 | 8) | (2, 8)) {
            return None;
        }
        let sides = 1..=MAX_SIDE;
        if !sides.contains(&width) || !sides.contains(&height) || u64::from(width) * u64::from(height) > MAX_PIXELS {
            return None;
        }
        if !is_wanted((width, height)) {
            return None;
        }
        let mut palette = None;
        let mut pieces: Vec<Range<usize>> = Vec::new();
        loop {
            let (kind, content) = chunks.next()?;
            match &kind {
                b"IEND" => break,
                // the checksum of a chunk and the length of the next one are between
                b"IDAT" if pieces.last().is_none_or(|last| last.end + 12 == content.start) => pieces.push(content),
                b"PLTE" if palette.is_none() && pieces.is_empty() => palette = Some(file.get(content)?),
                b"IDAT" | b"PLTE" | b"IHDR" | b"tRNS" => return None,
                _ => {}
            }
        }
        let colors = match (color, bits) {
            (0, 1 | 2 | 4 | 8) => Colors::Gray,
            (2, 8) => Colors::Rgb,
            (3, 1 | 2 | 4 | 8) => Colors::Palette(whole_palette(palette?, bits)?),
            _ => return None,
        };
        let png = Self { file: file.clone(), pieces, width, height, bits, colors };
        (png.is_worth_it() && png.is_sound().is_some()).then_some(png)
    }

    fn row_bytes(&self) -> usize {
        let bits = self.width as usize * usize::from(self.colors.channels()) * usize::from(self.bits);
        1 + bits.div_ceil(8)
    }

    fn compressed(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().filter_map(|piece| self.file.get(piece.clone()))
    }

    fn compressed_bytes(&self) -> usize {
        self.pieces.iter().map(Range::len).sum()
    }

    /// Pixels that were hardly compressed are compressed here.
    fn is_worth_it(&self) -> bool {
        let pixels = self.row_bytes() as u64 * u64::from(self.height);
        (self.compressed_bytes() as u64) < pixels.max(1 << 10) / 10 * 9
    }

    /// Reads through the pixels: as many as the head says, each row by a filter there is, nothing behind them.
    fn is_sound(&self) -> Option<()> {
        let (row, wanted) = (self.row_bytes(), self.row_bytes() * self.height as usize);
        let mut inflate = Decompress::new(true);
        let mut pixels = vec![0; INFLATED_AT_ONCE];
        let (mut seen, mut ended) = (0, false);
        for mut piece in self.compressed() {
            loop {
                let (read, made) = (inflate.total_in(), inflate.total_out());
                let status = inflate.decompress(piece, &mut pixels, FlushDecompress::None).ok()?;
                piece = piece.get(usize::try_from(inflate.total_in() - read).ok()?..)?;
                let made = pixels.get(..usize::try_from(inflate.total_out() - made).ok()?)?;
                let mut filters = made.iter().skip((row - seen % row) % row).step_by(row);
                if !filters.all(|filter| *filter <= 4) {
                    return None;
                }
                seen += made.len();
                ended = status == Status::StreamEnd;
                if seen > wanted || (ended && !piece.is_empty()) {
                    return None;
                }
                // what is left in the decompressor comes out with the next piece, or has come out
                if ended || (piece.is_empty() && made.len() < INFLATED_AT_ONCE) {
                    break;
                }
                if made.is_empty() && inflate.total_in() == read {
                    return None;
                }
            }
        }
        (ended && seen == wanted).then_some(())
    }

    pub(super) fn head(&self) -> Head {
        Head { size: (self.width, self.height), gray: matches!(self.colors, Colors::Gray) }
    }

    /// Writes the object that krilla wrote for the stand-in, given the entries of its dictionary but for the length.
    pub(super) fn write(&self, out: &mut Vec<u8>, number: usize, entries: &str) -> Option<()> {
        let Dictionary { before, after, space } = Dictionary::read(entries)?;
        let (bits, channels) = (self.bits, self.colors.channels());
        write!(out, "{number} 0 obj\n<<{before}/ColorSpace").ok()?;
        match &self.colors {
            Colors::Gray | Colors::Rgb => out.extend_from_slice(space.as_bytes()),
            Colors::Palette(palette) => {
                write!(out, "[/Indexed{space} {}<", palette.len() / 3 - 1).ok()?;
                palette.iter().try_for_each(|value| write!(out, "{value:02x}")).ok()?;
                out.extend_from_slice(b">]");
            }
        }
        let predicted = predicted(usize::from(channels), bits, self.width);
        write!(out, "/BitsPerComponent {bits}{after}/Filter/FlateDecode{predicted}").ok()?;
        write!(out, "/Length {}>>\nstream\n", self.compressed_bytes()).ok()?;
        self.compressed().for_each(|piece| out.extend_from_slice(piece));
        out.extend_from_slice(b"\nendstream\nendobj\n");
        Some(())
    }
}

/// The entry that tells a reader how the rows of a PNG's pixels are filtered.
pub(super) fn predicted(channels: usize, bits: u8, width: u32) -> String {
    format!("/DecodeParms<</Predictor 15/Colors {channels}/BitsPerComponent {bits}/Columns {width}>>")
}

/// As decoders have it, what a palette does not say is black.
fn whole_palette(palette: &[u8], bits: u8) -> Option<Vec<u8>> {
    let most = 3 << bits;
    if palette.is_empty() || palette.len() > most || !palette.len().is_multiple_of(3) {
        return None;
    }
    let mut whole = palette.to_vec();
    whole.resize(most, 0);
    Some(whole)
}

/// The chunks of a file, as long as they are sound (ISO/IEC 15948, 5.3).
pub(super) struct Chunks<'a> {
    left: &'a [u8],
    at: usize,
}

impl<'a> Chunks<'a> {
    /// `None`: it is no PNG.
    pub(super) fn of(file: &'a [u8]) -> Option<Self> {
        Some(Self { left: file.strip_prefix(SIGNATURE)?, at: SIGNATURE.len() })
    }
}

impl Iterator for Chunks<'_> {
    /// Its kind, and where its content is in the file.
    type Item = ([u8; 4], Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let (length, rest) = self.left.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
        let (checked, rest) = rest.split_at_checked(length.checked_add(4)?)?;
        let (checksum, rest) = rest.split_first_chunk::<4>()?;
        let kind = *checked.first_chunk::<4>()?;
        let mut crc = Crc::new();
        crc.update(checked);
        if crc.sum() != u32::from_be_bytes(*checksum) {
            return None;
        }
        let content = self.at + 8..self.at + 8 + length;
        self.left = rest;
        self.at = content.end + 4;
        Some((kind, content))
    }
}
