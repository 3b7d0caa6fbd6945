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

/// A picture with its crop, orientation, outline, clip geometry and opacity.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The picture to draw.
    pub image: ImageId,
    /// The marks (drawn elements) of the picture, if the picture is a metafile that draws more than bitmaps. `None` for
    /// all other pictures.
    pub metafile: Option<Arc<Metafile>>,
    /// The fraction that is cropped at each side of the picture: left, top, right, bottom.
    pub crop: [f32; 4],
    /// The rotation and the flips of the picture in its box.
    pub orientation: Orientation,
    /// The line around the picture. `None` draws no line.
    pub outline: Option<Stroke>,
    /// The outline to which the picture is clipped in its box.
    pub geometry: Geometry,
    /// The opacity from 0 to 1. Washed-out and transparent pictures have less than 1.
    pub opacity: f32,
}

/// The rotation and the flips of an object. The object is first mirrored about the centre of its box, then rotated.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Orientation {
    /// The rotation in degrees clockwise.
    pub rotation: f32,
    /// The object is mirrored left to right.
    pub flip_horizontal: bool,
    /// The object is mirrored top to bottom.
    pub flip_vertical: bool,
}

/// The outline of a shape in its box.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Geometry {
    /// A rectangle that fills the box.
    #[default]
    Rectangle,
    /// A rectangle with round corners. The value is their radius as a fraction of the shorter side.
    RoundedRectangle(f32),
    /// An ellipse that touches the four sides of the box.
    Ellipse,
    /// A line from the top left to the bottom right corner of the box.
    Line,
    /// The paths of a custom geometry or of a preset.
    Paths(Vec<ShapePath>),
}

/// A path of the outline of a shape. Coordinates are fractions of its box (§20.1.9.15).
#[derive(Debug, Clone, PartialEq)]
pub struct ShapePath {
    /// The steps of the path, in drawing order.
    pub commands: Vec<PathCommand>,
    /// The fill of the area that the path encloses.
    pub fill: PathFill,
    /// True if the line of the shape is drawn along this path.
    pub stroked: bool,
}

/// The fill mode of a path (§20.1.10.37).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PathFill {
    /// The path has the fill of the shape.
    Shape,
    /// The path is not filled.
    None,
    /// The path has the fill of the shape, mixed with white. The value is the fraction of white.
    Lighter(f32),
    /// The path has the fill of the shape, mixed with black. The value is the fraction of black.
    Darker(f32),
}

impl PathFill {
    /// Parses the name of a fill mode. Unknown names mean the fill of the shape.
    #[must_use]
    pub(crate) fn from_name(word: &str) -> Self {
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
    /// Begins a new part of the path at this point: x and y.
    Move(f32, f32),
    /// A straight line to this point: x and y.
    Line(f32, f32),
    /// A cubic Bézier curve: two control points and the end point.
    Cubic(f32, f32, f32, f32, f32, f32),
    /// A straight line to the first point of the current part of the path. The line closes and ends this part.
    Close,
}

/// The fill of a shape.
#[derive(Debug, Clone, PartialEq)]
pub enum Fill {
    /// One colour for the whole area.
    Solid {
        /// The fill colour.
        color: Rgb,
        /// The opacity from 0 to 1.
        opacity: f32,
    },
    /// A linear gradient. Each stop has a position from 0 to 1 and a colour. The angle is in degrees clockwise.
    Gradient {
        /// The position and the colour of each stop, sorted by position. There are at least two stops.
        stops: Vec<(f32, Rgb)>,
        /// The direction of the gradient in degrees clockwise. 0 runs from left to right, 90 from top to bottom.
        angle: f32,
    },
    /// A picture stretched to the box of the shape.
    Picture(ImageId),
}

/// The appearance of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// The colour of the line. Lines are always opaque.
    pub color: Rgb,
    /// The width of the line in points, from 0 to 1,584.
    pub width: f32,
    /// The dash pattern of the line.
    pub dash: Dash,
    /// The line head at the first point of an open path. `None` draws no head.
    pub start: Option<LineHead>,
    /// The line head at the last point of an open path. `None` draws no head.
    pub end: Option<LineHead>,
}

/// The decoration at the end of a line (§20.1.8.38, §20.1.8.57).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineHead {
    /// The shape of the head.
    pub kind: LineHeadKind,
    /// The length of the head along the line, in line widths.
    pub length: f32,
    /// The width of the head across the line, in line widths.
    pub width: f32,
}

/// The shape of a line head (§20.1.10.33).
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum LineHeadKind {
    /// A filled triangle whose tip is the end of the line.
    #[strum(serialize = "triangle", serialize = "block")]
    Triangle,
    /// A triangle with a notch in its back.
    #[strum(serialize = "stealth", serialize = "classic")]
    Stealth,
    /// A filled diamond centred on the end of the line.
    Diamond,
    /// A filled ellipse centred on the end of the line.
    Oval,
    /// Two strokes that meet at the tip.
    #[strum(serialize = "open", serialize = "arrow")]
    Open,
}

impl LineHead {
    /// Creates a line head from the names of its shape, length and width. DrawingML and VML (part 4, §19.1.2.21) have
    /// the same three sizes under different names. Returns `None` if the line has no head.
    #[must_use]
    pub(crate) fn from_names(kind: Option<&str>, length: Option<&str>, width: Option<&str>) -> Option<Self> {
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
    /// A line without gaps. Also used for unknown patterns.
    #[default]
    Solid,
    /// Dots with gaps of three times their length.
    Dot,
    /// Dots with gaps of their own length (sysDot).
    #[strum(serialize = "sysDot", serialize = "1 1", serialize = "shortdot")]
    DenseDot,
    /// Dashes with a length of four line widths, and gaps of three line widths.
    Dash,
    /// Dashes with a length of three line widths, and gaps of one line width (sysDash).
    #[strum(serialize = "sysDash", serialize = "3 1", serialize = "shortdash")]
    DenseDash,
    /// Dashes with a length of eight line widths, and gaps of three line widths.
    #[strum(serialize = "lgDash", serialize = "longdash")]
    LongDash,
    /// Dashes and dots in turn. Patterns with two dots are drawn like those with one.
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
