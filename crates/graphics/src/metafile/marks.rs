//! The marks that a Windows metafile draws ([MS-EMF], [MS-WMF]).

use crate::{Dash, ImageId, PathCommand, Rgb};

/// Marks in painting order. Coordinates are in points from the top left corner of the sheet, with y downwards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metafile {
    pub width: f32,
    pub height: f32,
    pub marks: Vec<MetafileMark>,
    /// Whether the metafile draws something that is not supported.
    pub incomplete: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MetafileMark {
    pub drawn: Drawn,
    /// The visible part: left, top, right, bottom.
    pub clip: Option<[f32; 4]>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Drawn {
    Filled {
        path: Vec<PathCommand>,
        color: Rgb,
        /// Whether the even-odd rule is used: areas enclosed an even number of times stay empty.
        even_odd: bool,
    },
    Stroked {
        path: Vec<PathCommand>,
        color: Rgb,
        width: f32,
        dash: Dash,
        round_caps: bool,
    },
    Text(Box<MetafileText>),
    Picture {
        image: ImageId,
        /// The box: left, top, width, height.
        area: [f32; 4],
        /// The cropped share at each side: left, top, right, bottom.
        crop: [f32; 4],
        flip_horizontal: bool,
        flip_vertical: bool,
    },
}

/// A line of text at a point.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetafileText {
    pub text: String,
    pub x: f32,
    pub y: f32,
    /// The part of the text that is at the point.
    pub horizontal: TextEdge,
    pub vertical: TextEdge,
    /// The rotation about the point, in degrees clockwise.
    pub turned: f32,
    /// The font size, or the line height if `size_of_line` is set.
    pub size: f32,
    pub size_of_line: bool,
    /// The width of the text, if the metafile specifies it.
    pub width: Option<f32>,
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub strike: bool,
    pub color: Rgb,
    /// The background colour behind the text.
    pub ground: Option<Rgb>,
}

/// The part of a text at its point. In horizontal direction it is the left edge, the middle or the right edge. In
/// vertical direction it is the top, the baseline or the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextEdge {
    #[default]
    Start,
    Base,
    End,
}
