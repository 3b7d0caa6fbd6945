//! A Windows metafile as what it draws ([MS-EMF], [MS-WMF]).

use crate::{Dash, ImageId, PathCommand, Rgb};

/// Marks in painting order, in points from the top left corner of a sheet of this size, y downwards.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metafile {
    pub width: f32,
    pub height: f32,
    pub marks: Vec<MetafileMark>,
    /// It draws more than is drawn here.
    pub incomplete: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct MetafileMark {
    pub drawn: Drawn,
    /// What is seen of it: left, top, right, bottom.
    pub clip: Option<[f32; 4]>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Drawn {
    Filled {
        path: Vec<PathCommand>,
        color: Rgb,
        /// What an even number of its edges surrounds stays empty.
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
        /// Left, top, width, height.
        area: [f32; 4],
        /// Cut off at each side as a share: left, top, right, bottom.
        crop: [f32; 4],
        flip_horizontal: bool,
        flip_vertical: bool,
    },
}

/// One line of text at a point.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetafileText {
    pub text: String,
    pub x: f32,
    pub y: f32,
    /// Which part of the text stands at the point.
    pub horizontal: TextEdge,
    pub vertical: TextEdge,
    /// Degrees clockwise about the point.
    pub turned: f32,
    /// The letters' size, or, if `size_of_line`, the height of their line.
    pub size: f32,
    pub size_of_line: bool,
    /// How wide the text is made, where the metafile says.
    pub width: Option<f32>,
    pub family: String,
    pub bold: bool,
    pub italic: bool,
    pub underline: bool,
    pub strike: bool,
    pub color: Rgb,
    /// Of the ground it is written on.
    pub ground: Option<Rgb>,
}

/// Of a text along or across its line: `Start` is its left or its top, `Base` its middle or its baseline, `End` its right or
/// its bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextEdge {
    #[default]
    Start,
    Base,
    End,
}
