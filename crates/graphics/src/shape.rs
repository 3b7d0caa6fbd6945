//! The common model of pictures, outlines, fills and lines of DrawingML (ECMA-376 part 1, §20) and VML (part 4, §19).

use std::sync::Arc;

use serde::{Serialize, Serializer};
use strum::EnumString;

use crate::Metafile;

/// An sRGB colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Serialize for Rgb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(red, green, blue) = self;
        serializer.collect_str(&format_args!("#{red:02x}{green:02x}{blue:02x}"))
    }
}

/// The index of a picture in the document, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ImageId(pub usize);

/// A picture with its crop, orientation and frame.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub image: ImageId,
    /// The drawing of a metafile that contains more than bitmaps.
    pub metafile: Option<Arc<Metafile>>,
    /// The fraction that is cropped at each side of the picture: left, top, right, bottom.
    pub crop: [f32; 4],
    pub orientation: Orientation,
    /// The line around the picture.
    pub outline: Option<Stroke>,
    /// The visible part of the picture in its box.
    pub geometry: Geometry,
    /// The opacity from 0 to 1. Washed-out and transparent pictures have less than 1.
    pub opacity: f32,
}

/// The orientation of an object: it is mirrored about the centre of its box, then rotated by `rotation` degrees
/// clockwise.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Orientation {
    pub rotation: f32,
    pub flip_horizontal: bool,
    pub flip_vertical: bool,
}

/// The outline of a shape in its box.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Geometry {
    #[default]
    Rectangle,
    /// The radius of the corners as a fraction of the shorter side.
    RoundedRectangle(f32),
    Ellipse,
    /// A line from the top left to the bottom right corner of the box.
    Line,
    /// The paths of a custom geometry or of a preset.
    Paths(Vec<ShapePath>),
}

/// A path of the outline of a shape. Coordinates are fractions of its box (§20.1.9.15).
#[derive(Debug, Clone, PartialEq)]
pub struct ShapePath {
    pub commands: Vec<PathCommand>,
    pub fill: PathFill,
    pub stroked: bool,
}

/// The fill mode of a path (§20.1.10.37).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PathFill {
    /// The fill of the shape.
    Shape,
    None,
    /// The fill of the shape, mixed with white. The value is the fraction of white.
    Lighter(f32),
    /// The fill of the shape, mixed with black. The value is the fraction of black.
    Darker(f32),
}

impl PathFill {
    /// Parses the name of a fill mode. Unknown names mean the fill of the shape.
    #[must_use]
    pub fn from_name(word: &str) -> Self {
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

/// A step of a path, in absolute coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PathCommand {
    Move(f32, f32),
    Line(f32, f32),
    /// A cubic Bézier curve: two control points and the end point.
    Cubic(f32, f32, f32, f32, f32, f32),
    Close,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Fill {
    Solid {
        color: Rgb,
        opacity: f32,
    },
    /// A linear gradient. Each stop has a position from 0 to 1 and a colour. The angle is in degrees clockwise.
    Gradient {
        stops: Vec<(f32, Rgb)>,
        angle: f32,
    },
    Picture(ImageId),
}

/// The appearance of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    pub color: Rgb,
    pub width: f32,
    pub dash: Dash,
    /// The line head at the first point of an open path.
    pub start: Option<LineHead>,
    /// The line head at the last point of an open path.
    pub end: Option<LineHead>,
}

/// The decoration at the end of a line (§20.1.8.38, §20.1.8.57).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineHead {
    pub kind: LineHeadKind,
    /// The length along the line, in line widths.
    pub length: f32,
    /// The width across the line, in line widths.
    pub width: f32,
}

/// The shape of a line head (§20.1.10.33).
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
    /// Two strokes that meet at the tip.
    #[strum(serialize = "open", serialize = "arrow")]
    Open,
}

impl LineHead {
    /// Parses the names of a line head. DrawingML and VML (part 4, §19.1.2.21) have the same three sizes under
    /// different names. Returns `None` if the line has no head.
    #[must_use]
    pub fn from_names(kind: Option<&str>, length: Option<&str>, width: Option<&str>) -> Option<Self> {
        let kind = kind?.parse().ok()?;
        let size = |word| match word {
            Some("sm" | "short" | "narrow") => 2.0,
            Some("lg" | "long" | "wide") => 5.0,
            _ => 3.0,
        };
        Some(Self { kind, length: size(length), width: size(width) })
    }
}

/// A dash pattern, parsed from the names of DrawingML and of VML.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Dash {
    #[default]
    Solid,
    /// Dots with gaps of three times their length.
    Dot,
    /// Dots with gaps of their own length (sysDot).
    #[strum(serialize = "sysDot", serialize = "1 1", serialize = "shortdot")]
    DenseDot,
    Dash,
    /// Dashes of three units with gaps of one unit (sysDash).
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
