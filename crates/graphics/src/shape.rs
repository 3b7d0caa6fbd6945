//! Pictures, outlines, fills and lines (DrawingML: ECMA-376 part 1, §20; VML: part 4, §19), in one model.

use std::sync::Arc;

use serde::{Serialize, Serializer};
use strum::EnumString;

use crate::Metafile;

/// sRGB.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Serialize for Rgb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(red, green, blue) = self;
        serializer.collect_str(&format_args!("#{red:02x}{green:02x}{blue:02x}"))
    }
}

/// Which of the document's pictures, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageId(pub usize);

#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub image: ImageId,
    /// What it draws, if it is a metafile of more than bitmaps.
    pub metafile: Option<Arc<Metafile>>,
    /// Cut off at each side as a share of the picture: left, top, right, bottom.
    pub crop: [f32; 4],
    pub turn: Turn,
    pub outline: Option<Stroke>,
    /// What is seen of it in its box.
    pub geometry: Geometry,
    /// 1 is the picture as it is; less of one that is washed out or lets through what is behind.
    pub opacity: f32,
}

/// How something stands in its box: mirrored about its middle, and turned clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Turn {
    pub rotation: f32,
    pub flip_horizontal: bool,
    pub flip_vertical: bool,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub enum Geometry {
    #[default]
    Rectangle,
    /// Radius as a share of the shorter side.
    RoundedRectangle(f32),
    Ellipse,
    /// From the top left to the bottom right corner of the box.
    Line,
    /// A custom geometry, or a preset that was turned into one.
    Paths(Vec<ShapePath>),
}

/// A part of a shape's outline, in shares of its box (§20.1.9.15).
#[derive(Debug, Clone, PartialEq)]
pub struct ShapePath {
    pub commands: Vec<PathCommand>,
    pub fill: PathFill,
    pub stroked: bool,
}

/// §20.1.10.37
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PathFill {
    /// As the shape is.
    Shape,
    None,
    /// The shape's colours, this share of the way to white.
    Lighter(f32),
    /// The same to black.
    Darker(f32),
}

impl PathFill {
    /// By the name it has in a file; what is not known is filled as the shape.
    #[must_use]
    pub fn of_word(word: &str) -> Self {
        match word {
            "none" => Self::None,
            "lighten" => Self::Lighter(0.4),
            "lightenLess" => Self::Lighter(0.2),
            "darken" => Self::Darker(0.4),
            "darkenLess" => Self::Darker(0.2),
            _ => Self::Shape,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PathCommand {
    Move(f32, f32),
    Line(f32, f32),
    Cubic(f32, f32, f32, f32, f32, f32),
    Close,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Fill {
    Solid {
        color: Rgb,
        opacity: f32,
    },
    /// Colours by position (0 to 1) along an angle.
    Gradient {
        stops: Vec<(f32, Rgb)>,
        angle: f32,
    },
    Picture(ImageId),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    pub color: Rgb,
    pub width: f32,
    pub dash: Dash,
    /// At the first point of what is open.
    pub start: Option<LineHead>,
    pub end: Option<LineHead>,
}

/// What a line ends in (§20.1.8.38, §20.1.8.57).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineHead {
    pub kind: LineHeadKind,
    /// Along the line, in widths of it.
    pub length: f32,
    /// Across the line, in widths of it.
    pub width: f32,
}

/// §20.1.10.33
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum LineHeadKind {
    #[strum(serialize = "triangle", serialize = "block")]
    Triangle,
    /// A triangle with a notch in its back.
    #[strum(serialize = "stealth", serialize = "classic")]
    Stealth,
    Diamond,
    Oval,
    /// Two strokes from the tip.
    #[strum(serialize = "open", serialize = "arrow")]
    Open,
}

impl LineHead {
    /// By the words of DrawingML and of VML (part 4, §19.1.2.21), which are the same three sizes; `None` where there is to be none.
    #[must_use]
    pub fn of_words(kind: Option<&str>, length: Option<&str>, width: Option<&str>) -> Option<Self> {
        let kind = kind?.parse().ok()?;
        let size = |word| match word {
            Some("sm" | "short" | "narrow") => 2.0,
            Some("lg" | "long" | "wide") => 5.0,
            _ => 3.0,
        };
        Some(Self { kind, length: size(length), width: size(width) })
    }
}

/// In files by the words of DrawingML and of VML.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Dash {
    #[default]
    Solid,
    /// A dot and three times its length of nothing.
    Dot,
    /// A dot and its length of nothing (sysDot).
    #[strum(serialize = "sysDot", serialize = "1 1", serialize = "shortdot")]
    DenseDot,
    Dash,
    /// Three and one (sysDash).
    #[strum(serialize = "sysDash", serialize = "3 1", serialize = "shortdash")]
    DenseDash,
    #[strum(serialize = "lgDash", serialize = "longdash")]
    LongDash,
    #[strum(
        serialize = "dashDot",
        serialize = "lgDashDot",
        serialize = "sysDashDot",
        serialize = "lgDashDotDot",
        serialize = "sysDashDotDot",
        serialize = "dashdot",
        serialize = "longdashdot"
    )]
    DashDot,
}
