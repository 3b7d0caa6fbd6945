//! The marks that a Windows metafile draws ([MS-EMF], [MS-WMF]).

use crate::{Dash, ImageId, PathCommand, Rgb};

/// The elements that a metafile draws (marks), in painting order. Coordinates are in points from the top left corner of
/// the drawing area, with y downwards. The drawing area is the rectangle that the metafile fills in the document.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Metafile {
    /// The width of the drawing area in points.
    pub width: f32,
    /// The height of the drawing area in points.
    pub height: f32,
    /// The marks, in painting order.
    pub marks: Vec<MetafileMark>,
    /// True if the metafile draws something that is not supported.
    pub incomplete: bool,
}

/// One drawn element of a metafile.
#[derive(Debug, Clone, PartialEq)]
pub struct MetafileMark {
    /// The line, area, text or picture that is drawn.
    pub content: MarkContent,
    /// The area to which the mark is clipped, in points: left, top, right, bottom. `None` shows the whole mark.
    pub clip: Option<[f32; 4]>,
}

/// The content of a mark: a filled area, a line, a line of text or a bitmap.
#[derive(Debug, Clone, PartialEq)]
pub enum MarkContent {
    /// A filled area.
    Filled {
        /// The outline of the area, in points.
        path: Vec<PathCommand>,
        /// The fill colour. A hatched or patterned area is filled with one colour instead.
        color: Rgb,
        /// True for the even-odd rule: areas that the path encloses an even number of times are not filled.
        even_odd: bool,
    },
    /// A line.
    Stroked {
        /// The course of the line, in points.
        path: Vec<PathCommand>,
        /// The colour of the line.
        color: Rgb,
        /// The width of the line in points.
        width: f32,
        /// The dash pattern of the line.
        dash: Dash,
        /// True if the ends of the line are round instead of flat.
        round_caps: bool,
    },
    /// A line of text.
    Text(Box<MetafileText>),
    /// A bitmap.
    Picture {
        /// The id of the bitmap. In a [`PlayedMetafile`](super::PlayedMetafile), the id is an index into `bitmaps`. In
        /// a document, the id is an index into the images of the document.
        image: ImageId,
        /// The box of the bitmap in points: left, top, width, height.
        area: [f32; 4],
        /// The cropped fraction of each side: left, top, right, bottom.
        crop: [f32; 4],
        /// The picture is mirrored left to right.
        flip_horizontal: bool,
        /// The picture is mirrored top to bottom.
        flip_vertical: bool,
    },
}

/// A line of text at a point.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MetafileText {
    /// The characters of the text. Characters of symbol fonts are converted to Unicode.
    pub text: String,
    /// The horizontal position of the point at which the text is drawn, in points.
    pub x: f32,
    /// The vertical position of the point at which the text is drawn, in points.
    pub y: f32,
    /// The part of the text that is placed at `x`: its left edge, its middle or its right edge.
    pub horizontal: TextEdge,
    /// The part of the text that is placed at `y`: its top, its baseline or its bottom.
    pub vertical: TextEdge,
    /// The rotation about the point, in degrees clockwise.
    pub rotation: f32,
    /// The font size or, if `size_is_line_height` is true, the line height, in points.
    pub size: f32,
    /// True if `size` is the height of a line instead of the font size.
    pub size_is_line_height: bool,
    /// The width of the text in points. `None` if the metafile does not specify it.
    pub width: Option<f32>,
    /// The font family named in the metafile.
    pub family: String,
    /// The font is bold.
    pub bold: bool,
    /// The font is italic.
    pub italic: bool,
    /// The text is underlined.
    pub underline: bool,
    /// The text is struck through.
    pub strike: bool,
    /// The colour of the letters.
    pub color: Rgb,
    /// The background colour behind the text. `None` draws no background.
    pub background: Option<Rgb>,
}

/// The part of a text that is placed at the point of the text. Horizontally, it is the left edge, the middle or the
/// right edge. Vertically, it is the top, the baseline or the bottom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TextEdge {
    /// The left edge of the text or, for the vertical position, its top edge.
    #[default]
    Start,
    /// The middle of the text or, for the vertical position, its baseline.
    Base,
    /// The right edge of the text or, for the vertical position, its bottom edge.
    End,
}
