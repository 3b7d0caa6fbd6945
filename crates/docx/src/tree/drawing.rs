//! Pictures, shapes and text boxes (DrawingML: ECMA-376 part 1, §20; VML: part 4, §19), in one model.

use std::sync::Arc;

use super::{Alignment, Block, ImageId, Link, Metafile, Rgb, RunProperties, VerticalAlignment};

#[derive(Debug, Clone)]
pub struct Drawing {
    /// The size it takes, before rotation, in points.
    pub width: f32,
    pub height: f32,
    pub placement: Placement,
    pub graphic: Graphic,
    /// Alternative text; `None`: none given.
    pub description: Option<String>,
    pub link: Option<Link>,
}

#[derive(Debug, Clone)]
pub enum Placement {
    /// As a character of the line.
    Inline,
    Anchored(Box<Anchor>),
}

/// §20.4.2.3
#[derive(Debug, Clone, PartialEq)]
pub struct Anchor {
    pub horizontal: HorizontalPosition,
    pub vertical: VerticalPositionInPage,
    pub wrap: Wrap,
    pub behind_text: bool,
    pub distance_top: f32,
    pub distance_bottom: f32,
    pub distance_left: f32,
    pub distance_right: f32,
    /// Later ones are painted over earlier ones.
    pub z_order: i64,
    pub allow_overlap: bool,
    /// Positions are relative to the cell rather than the page where it is anchored in a table.
    pub layout_in_cell: bool,
    /// Width or height as a share of page or margin (wp14:sizeRelH, sizeRelV), where given.
    pub relative_width: Option<(RelativeTo, f32)>,
    pub relative_height: Option<(RelativeTo, f32)>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HorizontalPosition {
    pub relative_to: RelativeTo,
    pub place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VerticalPositionInPage {
    pub relative_to: RelativeTo,
    pub place: Place,
}

/// §20.4.3.4, §20.4.3.5
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RelativeTo {
    Page,
    Margin,
    Column,
    Character,
    LeftMargin,
    RightMargin,
    TopMargin,
    BottomMargin,
    InsideMargin,
    OutsideMargin,
    Paragraph,
    Line,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    Offset(f32),
    /// Share of the width or height of what it is relative to (wp14:pctPosHOffset).
    Share(f32),
    /// Left or top.
    Start,
    Center,
    /// Right or bottom.
    End,
    Inside,
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// In front of or behind the text, which takes no notice.
    None,
    Square(WrapSides),
    /// Tight and through, with their polygons taken as their boxes.
    Tight(WrapSides),
    TopAndBottom,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrapSides {
    Both,
    Left,
    Right,
    Largest,
}

#[derive(Debug, Clone)]
pub enum Graphic {
    Picture(Picture),
    Shape(Box<Shape>),
    Group(Group),
    Chart(Box<super::Chart>),
    /// A horizontal rule of HTML origin (VML o:hr).
    Rule {
        color: Option<Rgb>,
        share_of_width: f32,
    },
    /// What cannot be set, with words for a labelled box: "Chart", "SmartArt", "Embedded object" …
    Unsupported {
        label: String,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub image: ImageId,
    /// What it draws, if it is a metafile of more than bitmaps.
    pub metafile: Option<Arc<Metafile>>,
    /// Cut off at each side as a share of the picture: left, top, right, bottom.
    pub crop: [f32; 4],
    pub rotation: f32,
    pub flip_horizontal: bool,
    pub flip_vertical: bool,
    pub outline: Option<Stroke>,
    /// What is seen of it in its box.
    pub geometry: Geometry,
    /// 1 is the picture as it is; less of one that is washed out or lets through what is behind.
    pub opacity: f32,
}

#[derive(Debug, Clone)]
pub struct Shape {
    pub geometry: Geometry,
    pub rotation: f32,
    pub flip_horizontal: bool,
    pub flip_vertical: bool,
    pub fill: Option<Fill>,
    pub stroke: Option<Stroke>,
    pub text: Option<TextBox>,
    /// Where in the box text stands: left, top, right, bottom in shares of it; `None`: all of it.
    pub text_area: Option<[f32; 4]>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Geometry {
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineHeadKind {
    Triangle,
    /// A triangle with a notch in its back.
    Stealth,
    Diamond,
    Oval,
    /// Two strokes from the tip.
    Open,
}

impl LineHead {
    /// By the words of DrawingML and of VML (part 4, §19.1.2.21), which are the same three sizes; `None` where there is to be none.
    #[must_use]
    pub fn of_words(kind: Option<&str>, length: Option<&str>, width: Option<&str>) -> Option<Self> {
        let kind = match kind? {
            "triangle" | "block" => LineHeadKind::Triangle,
            "stealth" | "classic" => LineHeadKind::Stealth,
            "diamond" => LineHeadKind::Diamond,
            "oval" => LineHeadKind::Oval,
            "arrow" | "open" => LineHeadKind::Open,
            _ => return None,
        };
        let size = |word| match word {
            Some("sm" | "short" | "narrow") => 2.0,
            Some("lg" | "long" | "wide") => 5.0,
            _ => 3.0,
        };
        Some(Self { kind, length: size(length), width: size(width) })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dash {
    #[default]
    Solid,
    /// A dot and three times its length of nothing.
    Dot,
    /// A dot and its length of nothing (sysDot).
    DenseDot,
    Dash,
    /// Three and one (sysDash).
    DenseDash,
    LongDash,
    DashDot,
}

/// What a text box is called in [`Document::text_chains`](super::Document::text_chains).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextBoxId(pub usize);

#[derive(Debug, Clone, Default)]
pub struct TextBox {
    /// `None`: in no chain.
    pub id: Option<TextBoxId>,
    /// Of a box that goes on with another's text nothing is shown.
    pub blocks: Vec<Block>,
    /// Left, top, right, bottom.
    pub insets: [f32; 4],
    pub vertical_alignment: VerticalAlignment,
    pub text_direction: super::TextDirection,
    /// The shape grows (or shrinks) to its text (a:spAutoFit, mso-fit-shape-to-text).
    pub auto_fit: bool,
    pub no_wrap: bool,
    /// In the place of blocks.
    pub word_art: Option<WordArt>,
}

/// Lines of text made as large as their box, or as large as it lets them be (v:textpath, part 4, §19.1.2.23; a:prstTxWarp, part 1,
/// §21.1.2.1.28).
#[derive(Debug, Clone)]
pub struct WordArt {
    pub lines: Vec<String>,
    pub run: Arc<RunProperties>,
    pub alignment: Alignment,
    /// Drawn out to the width and height of the box; else of the size of its run.
    pub fitted: bool,
}

/// Children with their boxes in points relative to the group's top left corner, already scaled.
#[derive(Debug, Clone, Default)]
pub struct Group {
    pub rotation: f32,
    pub flip_horizontal: bool,
    pub flip_vertical: bool,
    pub children: Vec<GroupChild>,
}

#[derive(Debug, Clone)]
pub struct GroupChild {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
    pub graphic: Graphic,
}
