//! Pens, brushes and fonts of a metafile ([MS-EMF] 2.2, [MS-WMF] 2.2.1).

use super::bytes::{i16_coordinate, i32_coordinate};
use super::text::{decode_text, decode_utf16};
use crate::{Dash, Rgb};

pub(super) const WHITE: Rgb = Rgb(255, 255, 255);

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pen {
    /// The dash pattern. A pen with `None` draws nothing.
    pub dash: Option<Dash>,
    /// The width in logical units or, if `has_device_width` is true, in device pixels.
    pub width: f64,
    /// True if `width` is in device pixels.
    pub has_device_width: bool,
    /// True if lines have round caps.
    pub has_round_caps: bool,
    pub color: Rgb,
}

impl Pen {
    pub const NONE: Self = Self { dash: None, ..Self::BLACK };
    pub const BLACK: Self = Self {
        dash: Some(Dash::Solid),
        width: 0.0,
        has_device_width: false,
        has_round_caps: true,
        color: Rgb(0, 0, 0),
    };
    pub const WHITE: Self = Self { color: WHITE, ..Self::BLACK };

    /// Creates a pen with this style ([MS-WMF] 2.1.1.23).
    pub fn new(style: u32, width: f64, color: Rgb) -> Self {
        let dash = match style & 0xF {
            0 | 6 => Some(Dash::Solid),
            1 | 7 => Some(Dash::Dash),
            2 | 8 => Some(Dash::Dot),
            3 | 4 => Some(Dash::DashDot),
            _ => None,
        };
        Self { dash, width: width.abs(), has_device_width: false, has_round_caps: style & 0xF00 == 0, color }
    }
}

/// The fill colour. `None` fills nothing.
pub(super) type Brush = Option<Rgb>;

/// Returns a brush with this style ([MS-WMF] 2.1.1.4): solid, empty, hatched or patterned. A hatch or a pattern is
/// replaced by a mix of `color` and white.
pub(super) fn new_brush(style: u32, color: Rgb) -> Brush {
    match style {
        0 => Some(color),
        1 => None,
        // Hatched and patterned brushes are replaced by a mix of the colour and white, because half of the background
        // is visible through them.
        _ => Some(Rgb(color.0.midpoint(255), color.1.midpoint(255), color.2.midpoint(255))),
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Font {
    /// The height in logical units. A positive number is the line height, a negative one the font size.
    pub height: f64,
    /// The rotation in tenths of a degree, counterclockwise.
    pub escapement: f64,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub strike: bool,
    pub charset: u8,
    pub family: String,
}

impl Font {
    /// Reads a font. If `wide` is true, the font has 32-bit integers and UTF-16 ([MS-EMF] 2.2.13), else 16-bit integers
    /// and bytes ([MS-WMF] 2.2.1.2).
    pub fn parse(data: &[u8], wide: bool) -> Option<Self> {
        let number =
            |index: usize| if wide { i32_coordinate(data, 4 * index) } else { i16_coordinate(data, 2 * index) };
        let bytes = data.get(if wide { 20 } else { 10 }..)?;
        let flag = |at: usize| bytes.get(at).is_some_and(|byte| *byte != 0);
        let name = bytes.get(8..)?;
        let name = name.get(..if wide { 64 } else { 32 }).unwrap_or(name);
        Some(Self {
            height: number(0)?,
            escapement: number(2)?,
            bold: number(4)? >= 600.0,
            italic: flag(0),
            underline: flag(1),
            strike: flag(2),
            charset: *bytes.get(3)?,
            family: if wide {
                decode_utf16(name).split('\0').take(1).collect()
            } else {
                decode_text(name, &Self::default())
            },
        })
    }
}

/// A pen, brush or font that one record creates and another record selects.
#[derive(Debug, Clone)]
pub(super) enum GraphicsObject {
    Pen(Pen),
    Brush(Brush),
    Font(Font),
    /// An unsupported object. It is stored because it occupies an index of the object table.
    Other,
}

/// Returns the colour whose bytes are red, green and blue, from the lowest byte on. The highest byte is unused.
pub(super) fn color_from_u32(value: u32) -> Rgb {
    let [red, green, blue, _] = value.to_le_bytes();
    Rgb(red, green, blue)
}
