//! The pages of a case side by side with a reduced palette, so that the file is small and equal on every machine.

use std::collections::{BTreeMap, HashMap};
use std::io::Cursor;

use waraq_engine::Pages;

/// Pixels for each point.
const SCALE: f32 = 1.5;
/// Space in pixels between pages.
const GAP: usize = 6;
/// The colour between and below the pages.
const BACKGROUND: Colour = [170, 170, 170];

/// Minimum number of pixels of a colour that is kept exactly. Rarer colours belong to smoothed edges and are reduced to 16 steps
/// per channel.
const MIN_EXACT_PIXELS: usize = 64;

/// Red, green, blue.
pub type Colour = [u8; 3];

#[derive(Clone, PartialEq, Eq)]
pub struct Sheet {
    pub width: usize,
    pub height: usize,
    /// Pixels row by row.
    pub pixels: Vec<Colour>,
}

impl Sheet {
    pub fn blank(width: usize, height: usize) -> Self {
        Self { width, height, pixels: vec![BACKGROUND; width * height] }
    }

    /// Draws all pages, the first at the left.
    pub fn new(pages: &Pages) -> Self {
        let drawn: Vec<Self> = (0..pages.pages.len())
            .map(|page| Self::from_png(&waraq_engine::png(pages, page, SCALE).unwrap().bytes))
            .collect();
        let width = drawn.iter().map(|page| page.width).sum::<usize>() + GAP * drawn.len().saturating_sub(1);
        let mut sheet = Self::blank(width, drawn.iter().map(|page| page.height).max().unwrap_or(0));
        let mut left = 0;
        for page in &drawn {
            sheet.copy_from(page, left);
            left += page.width + GAP;
        }
        sheet.reduce_colours();
        sheet
    }

    fn reduce_colours(&mut self) {
        let alike = |one: &Colour, other: &Colour| one == other;
        let mut pixels: HashMap<Colour, usize> = HashMap::new();
        for stretch in self.pixels.chunk_by(alike) {
            *pixels.entry(stretch[0]).or_default() += stretch.len();
        }
        for stretch in self.pixels.chunk_by_mut(alike) {
            if pixels[&stretch[0]] < MIN_EXACT_PIXELS {
                let colour = round_to_steps(stretch[0]);
                stretch.fill(colour);
            }
        }
    }

    /// Copies another picture onto this one, with its left edge at `left` and its top edge at 0. Pixels outside of this picture are
    /// dropped.
    pub fn copy_from(&mut self, other: &Self, left: usize) {
        let width = other.width.min(self.width.saturating_sub(left));
        for (row, source) in self.pixels.chunks_mut(self.width.max(1)).zip(other.pixels.chunks(other.width.max(1))) {
            row[left..left + width].copy_from_slice(&source[..width]);
        }
    }

    pub fn from_png(bytes: &[u8]) -> Self {
        let picture = image::load_from_memory_with_format(bytes, image::ImageFormat::Png).unwrap().to_rgb8();
        let pixels = picture.pixels().map(|pixel| pixel.0).collect();
        Self { width: picture.width() as usize, height: picture.height() as usize, pixels }
    }

    /// Encodes as PNG: with a palette of 4 bits for up to 16 colours, with one of 8 bits for up to 256 colours, and otherwise
    /// without a palette.
    pub fn to_png(&self) -> Vec<u8> {
        let stretches = || self.pixels.chunk_by(|one, other| one == other);
        let mut palette: BTreeMap<Colour, u8> = stretches().map(|stretch| (stretch[0], 0)).collect();
        let colours = palette.len();
        for (entry, number) in palette.values_mut().zip(0..=u8::MAX) {
            *entry = number;
        }
        let rows = self.pixels.chunks(self.width.max(1));
        let indexed = |row: &[Colour]| row.iter().map(|colour| palette[colour]).collect::<Vec<u8>>();
        let (kind, depth, data): (_, _, Vec<u8>) = match colours {
            0..=16 => {
                let packed = |row: &[Colour]| pack_pairs(&indexed(row)).collect::<Vec<u8>>();
                (png::ColorType::Indexed, png::BitDepth::Four, rows.flat_map(packed).collect())
            }
            17..=256 => (png::ColorType::Indexed, png::BitDepth::Eight, rows.flat_map(indexed).collect()),
            _ => (png::ColorType::Rgb, png::BitDepth::Eight, self.pixels.as_flattened().to_vec()),
        };
        let mut bytes = Cursor::new(Vec::new());
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(kind);
        encoder.set_depth(depth);
        if kind == png::ColorType::Indexed {
            encoder.set_palette(palette.keys().copied().flatten().collect::<Vec<u8>>());
        }
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::NoFilter);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&data).unwrap();
        writer.finish().unwrap();
        bytes.into_inner()
    }
}

/// Packs pixels of four bits, two to a byte.
fn pack_pairs(row: &[u8]) -> impl Iterator<Item = u8> {
    row.chunks(2).map(|two| two[0] << 4 | two.get(1).copied().unwrap_or(0))
}

/// Rounds each channel to the nearest of 16 steps.
fn round_to_steps(colour: [u8; 3]) -> Colour {
    colour.map(|part| ((u16::from(part) + 8) / 17 * 17) as u8)
}
