//! The marks that a Windows metafile draws ([MS-EMF], [MS-WMF]).

use crate::{Dash, ImageId, PathCommand, Rgb};

/// The marks of a metafile in painting order. Coordinates are in points from the top left corner of the sheet, with y
/// downwards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metafile {
    pub width: f32,
    pub height: f32,
    pub marks: Vec<MetafileMark>,
    /// True if the metafile draws something that is not supported.
    pub incomplete: bool,
}

/// One drawn element of a metafile.
#[derive(Debug, Clone, PartialEq)]
pub struct MetafileMark {
    pub content: MarkContent,
    /// The area outside which the mark is not visible: left, top, right, bottom. `None` shows the whole mark.
    pub clip: Option<[f32; 4]>,
}

/// The content of a mark.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkContent {
    Filled {
        path: Vec<PathCommand>,
        color: Rgb,
        /// True for the even-odd rule: areas that the path encloses an even number of times are not filled.
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
        /// The cropped fraction of each side: left, top, right, bottom.
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
    /// The horizontal position of the point in the text.
    pub horizontal: TextEdge,
    /// The vertical position of the point in the text.
    pub vertical: TextEdge,
    /// The rotation about the point, in degrees clockwise.
    pub rotation: f32,
    /// The font size or, if `size_is_line_height` is true, the line height, in points.
    pub size: f32,
    pub size_is_line_height: bool,
    /// The width of the text in points, if the metafile specifies it.
    pub width: Option<f32>,
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub strike: bool,
    pub color: Rgb,
    /// The background colour behind the text. `None` draws no background.
    pub background: Option<Rgb>,
}

/// The position of the point of a text in the text. Horizontally, these are the left edge, the middle and the right
/// edge. Vertically, they are the top, the baseline and the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextEdge {
    #[default]
    Start,
    Base,
    End,
}
