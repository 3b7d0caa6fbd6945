//! Drawings in the text, and text in drawings. `waraq_graphics` defines how shapes look.

use std::sync::Arc;

use super::{
    Alignment, Anchor, Block, Fill, Geometry, Link, NodeId, Orientation, Picture, RunProperties, Stroke,
    VerticalAlignment,
};

/// A picture, shape, group or chart in the text.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// The identifier of the drawing, for the structure tree of the PDF.
    pub id: NodeId,
    /// The width before rotation, in points.
    pub width: f32,
    /// The height before rotation, in points.
    pub height: f32,
    /// The position: in the line, or anchored to the page or the text.
    pub placement: Placement,
    /// The content of the drawing.
    pub graphic: Graphic,
    /// The alternative text, if the document has one.
    pub description: Option<Arc<str>>,
    /// The link of the whole drawing (a:hlinkClick or the href attribute of VML). `None`: the drawing is not a link.
    pub link: Option<Arc<Link>>,
}

/// The position of a drawing.
#[derive(Debug, Clone)]
pub enum Placement {
    /// The drawing is placed in the line like a character.
    Inline,
    /// The drawing floats at a position on the page (wp:anchor).
    Anchored(Box<Anchor>),
    /// The drawing is a horizontal rule.
    Rule(HorizontalRule),
}

/// A horizontal rule (part 4, §19.1.2.19 o:hr, o:hralign, o:hrpct). The line of the rule has no other content. The
/// width available to the rule is the distance between the indents of the paragraph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HorizontalRule {
    /// The width as a fraction of the available width; 1.0 is the full width. `None`: the rule is as wide as
    /// [`Drawing::width`].
    pub width_fraction: Option<f32>,
    /// The alignment of the rule. `Start` always means left, even in a right-to-left paragraph.
    pub alignment: Alignment,
}

/// The content of a drawing or of a child of a group.
#[derive(Debug, Clone)]
pub enum Graphic {
    /// A bitmap, an SVG or a metafile.
    Picture(Picture),
    /// A shape, possibly with text.
    Shape(Box<Shape>),
    /// Several drawings that are moved and rotated together.
    Group(Group),
    /// A chart with its cached values.
    Chart(Box<super::Chart>),
    /// An object that cannot be drawn, with a label for its box: "Chart", "SmartArt", "Embedded object" …
    Unsupported {
        /// The label in English.
        label: String,
    },
}

/// A shape. The default is a rectangle without fill and outline.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    /// The outline of the shape.
    pub geometry: Geometry,
    /// The rotation and the mirroring of the shape.
    pub turn: Orientation,
    /// The fill of the area inside the outline. `None` is transparent.
    pub fill: Option<Fill>,
    /// The line along the outline. `None` draws no line.
    pub stroke: Option<Stroke>,
    /// The text in the shape. `None`: the shape has no text.
    pub text: Option<TextBox>,
    /// The edges of the text area: left, top, right, bottom as fractions of the shape's box. `None`: the whole box.
    pub text_area: Option<[f32; 4]>,
}

/// The number that identifies a text box in [`Document::text_chains`](super::Document::text_chains).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextBoxId(pub usize);

/// The text of a shape, with its insets, alignment and direction.
#[derive(Debug, Clone, Default)]
pub struct TextBox {
    /// The identifier of the box, for chains of linked text boxes. `None`: the box is in no chain.
    pub id: Option<TextBoxId>,
    /// The text of the box. In a chain of linked text boxes, only the text of the first box is used.
    pub blocks: Vec<Block>,
    /// The insets in points: left, top, right, bottom.
    pub insets: [f32; 4],
    /// The vertical alignment of the text in the text area of the shape (anchor of a:bodyPr).
    pub vertical_alignment: VerticalAlignment,
    /// The direction of the lines (vert of a:bodyPr).
    pub text_direction: super::TextDirection,
    /// The shape is made as high as its text (a:spAutoFit, mso-fit-shape-to-text).
    pub auto_fit: bool,
    /// Lines are not wrapped at the width of the box: they end only at line breaks and paragraph ends (wrap `none`).
    pub no_wrap: bool,
    /// WordArt that is drawn instead of `blocks`. `None`: the box has ordinary text.
    pub word_art: Option<WordArt>,
}

/// Lines of text scaled to the size of their box (v:textpath, part 4, §19.1.2.23; a:prstTxWarp, part 1, §21.1.2.1.28).
#[derive(Debug, Clone)]
pub struct WordArt {
    /// The lines from top to bottom. None of them is empty.
    pub lines: Vec<String>,
    /// The formatting of all lines.
    pub run: Arc<RunProperties>,
    /// The horizontal alignment of the lines in the box. It is ignored if `fitted` is `true`.
    pub alignment: Alignment,
    /// The text is stretched to the width and height of the box. If `false`, the text has the font size of `run`.
    pub fitted: bool,
}

/// A group of drawings. The boxes of the children are already scaled. They are in points, relative to the top left
/// corner of the group.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// The rotation and the mirroring of the whole group.
    pub turn: Orientation,
    /// The children in painting order.
    pub children: Vec<GroupChild>,
}

/// A child of a group with its box.
#[derive(Debug, Clone)]
pub struct GroupChild {
    /// The left edge of the box in points, from the left edge of the group.
    pub x: f32,
    /// The top edge of the box in points, from the top edge of the group.
    pub y: f32,
    /// The width before rotation, in points.
    pub width: f32,
    /// The height before rotation, in points.
    pub height: f32,
    /// The content of the box.
    pub graphic: Graphic,
}
