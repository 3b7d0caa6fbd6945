//! Drawings as they stand in the text, and text in them. What a shape looks like is `waraq_graphics`'.

use std::sync::Arc;

use super::{
    Alignment, Anchor, Block, Fill, Geometry, Link, NodeId, Picture, RunProperties, Stroke, Turn, VerticalAlignment,
};

#[derive(Debug, Clone)]
pub struct Drawing {
    pub id: NodeId,
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
    Rule(HorizontalRule),
}

/// A rule stands in its line alone, from indent to indent (part 4, §19.1.2.19 o:hr, o:hralign, o:hrpct).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HorizontalRule {
    /// `None`: as wide as the drawing says.
    pub share_of_width: Option<f32>,
    /// `Start` is the left, whatever the direction of the text.
    pub alignment: Alignment,
}

#[derive(Debug, Clone)]
pub enum Graphic {
    Picture(Picture),
    Shape(Box<Shape>),
    Group(Group),
    Chart(Box<super::Chart>),
    /// What cannot be set, with words for a labelled box: "Chart", "SmartArt", "Embedded object" …
    Unsupported {
        label: String,
    },
}

/// By default a rectangle that is neither filled nor drawn.
#[derive(Debug, Clone, Default)]
pub struct Shape {
    pub geometry: Geometry,
    pub turn: Turn,
    pub fill: Option<Fill>,
    pub stroke: Option<Stroke>,
    pub text: Option<TextBox>,
    /// Where in the box text stands: left, top, right, bottom in shares of it; `None`: all of it.
    pub text_area: Option<[f32; 4]>,
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
    pub turn: Turn,
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
