//! What a metafile draws with: pens, brushes and fonts ([MS-EMF] 2.2, [MS-WMF] 2.2.1).

use super::bytes::{long, short};
use super::text::{decoded, utf16};
use crate::{Dash, Rgb};

pub(super) const WHITE: Rgb = Rgb(255, 255, 255);

#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pen {
    /// `None` draws nothing.
    pub dash: Option<Dash>,
    pub width: f64,
    /// The width is in the device's pixels.
    pub cosmetic: bool,
    pub round: bool,
    pub color: Rgb,
}

impl Pen {
    pub const NONE: Self = Self { dash: None, ..Self::BLACK };
    pub const BLACK: Self =
        Self { dash: Some(Dash::Solid), width: 0.0, cosmetic: false, round: true, color: Rgb(0, 0, 0) };
    pub const WHITE: Self = Self { color: WHITE, ..Self::BLACK };

    /// [MS-WMF] 2.1.1.23
    pub fn new(style: u32, width: f64, color: Rgb) -> Self {
        let dash = match style & 0xF {
            0 | 6 => Some(Dash::Solid),
            1 | 7 => Some(Dash::Dash),
            2 | 8 => Some(Dash::Dot),
            3 | 4 => Some(Dash::DashDot),
            _ => None,
        };
        Self { dash, width: width.abs(), cosmetic: false, round: style & 0xF00 == 0, color }
    }
}

/// `None` fills nothing.
pub(super) type Brush = Option<Rgb>;

/// [MS-WMF] 2.1.1.4: solid, none, or of lines or a pattern.
pub(super) fn brush(style: u32, color: Rgb) -> Brush {
    match style {
        0 => Some(color),
        1 => None,
        // Half of the ground shows.
        _ => Some(Rgb(color.0.midpoint(255), color.1.midpoint(255), color.2.midpoint(255))),
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Font {
    /// Above nothing of the line, below of the letters.
    pub height: f64,
    /// Tenths of degrees against the clock.
    pub escapement: f64,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub strike: bool,
    pub charset: u8,
    pub family: String,
}

impl Font {
    /// Of longs and letters of two bytes ([MS-EMF] 2.2.13), or of shorts and bytes ([MS-WMF] 2.2.1.2).
    pub fn read(data: &[u8], wide: bool) -> Option<Self> {
        let number = |index: usize| if wide { long(data, 4 * index) } else { short(data, 2 * index) };
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
            family: if wide { utf16(name).split('\0').take(1).collect() } else { decoded(name, &Self::default()) },
        })
    }
}

#[derive(Debug, Clone)]
pub(super) enum Object {
    Pen(Pen),
    Brush(Brush),
    Font(Font),
    /// Takes a place in the table all the same.
    Other,
}

/// Red, green, blue and a byte that says nothing.
pub(super) fn color(value: u32) -> Rgb {
    let [red, green, blue, _] = value.to_le_bytes();
    Rgb(red, green, blue)
}
