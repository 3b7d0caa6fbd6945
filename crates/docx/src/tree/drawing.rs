//! Drawings in the text, and text in drawings. `waraq_graphics` defines how shapes look.

use std::sync::Arc;

use super::{
    Alignment, Anchor, Block, Fill, Geometry, Link, NodeId, Orientation, Picture, RunProperties, Stroke,
    VerticalAlignment,
};

#[derive(Debug, Clone)]
pub struct Drawing {
    pub id: NodeId,
    /// The size before rotation, in points.
    pub width: f32,
    pub height: f32,
    pub placement: Placement,
    pub graphic: Graphic,
    /// The alternative text, if the document has one.
    pub description: Option<Arc<str>>,
    pub link: Option<Arc<Link>>,
}

#[derive(Debug, Clone)]
pub enum Placement {
    /// The drawing is placed in the line like a character.
    Inline,
    Anchored(Box<Anchor>),
    Rule(HorizontalRule),
}

/// A horizontal rule, alone in its line from indent to indent (part 4, §19.1.2.19 o:hr, o:hralign, o:hrpct).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HorizontalRule {
    /// The width as a fraction of the available width. `None`: the rule has the width of the drawing.
    pub width_fraction: Option<f32>,
    /// The alignment of the rule. `Start` is left for both text directions.
    pub alignment: Alignment,
}

#[derive(Debug, Clone)]
pub enum Graphic {
    Picture(Picture),
    Shape(Box<Shape>),
    Group(Group),
    Chart(Box<super::Chart>),
    /// An object that cannot be drawn, with a label for its box: "Chart", "SmartArt", "Embedded object" …
    Unsupported {
        label: String,
    },
}

/// A shape. The default is a rectangle without fill and outline.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    pub geometry: Geometry,
    pub turn: Orientation,
    pub fill: Option<Fill>,
    pub stroke: Option<Stroke>,
    pub text: Option<TextBox>,
    /// The edges of the text area: left, top, right, bottom as fractions of the shape's box. `None`: the whole box.
    pub text_area: Option<[f32; 4]>,
}

/// The identifier of a text box in [`Document::text_chains`](super::Document::text_chains).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextBoxId(pub usize);

#[derive(Debug, Clone, Default)]
pub struct TextBox {
    /// The identifier in a chain of linked text boxes. `None`: the box is in no chain.
    pub id: Option<TextBoxId>,
    /// The text of the box. Ignored in a box that continues the text of another box.
    pub blocks: Vec<Block>,
    /// The insets in points: left, top, right, bottom.
    pub insets: [f32; 4],
    pub vertical_alignment: VerticalAlignment,
    pub text_direction: super::TextDirection,
    /// The height of the shape follows its text (a:spAutoFit, mso-fit-shape-to-text).
    pub auto_fit: bool,
    pub no_wrap: bool,
    /// WordArt that replaces the blocks.
    pub word_art: Option<WordArt>,
}

/// Lines of text scaled to the size of their box (v:textpath, part 4, §19.1.2.23; a:prstTxWarp, part 1, §21.1.2.1.28).
#[derive(Debug, Clone)]
pub struct WordArt {
    pub lines: Vec<String>,
    pub run: Arc<RunProperties>,
    pub alignment: Alignment,
    /// The text is stretched to the width and height of the box. If `false`, the text has the size of its run.
    pub fitted: bool,
}

/// A group of drawings. The boxes of the children are scaled, in points relative to the group's top left corner.
#[derive(Debug, Clone, Default)]
pub struct Group {
    pub turn: Orientation,
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
