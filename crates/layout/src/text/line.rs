//! Lines, and where they may stand.

use std::ops::Range;
use std::sync::Arc;

use waraq_docx::Held;
use waraq_docx::tree::{Break, Drawing, NodeId, NoteKind};

use crate::page::{Link, Placed, Rect, memory};

/// A place in a paragraph's text, between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineStart {
    /// Byte of the text.
    pub(super) at: usize,
    /// Lines before it.
    pub(super) line: usize,
    /// Of those, how many in a row ended in the layout's own hyphen.
    pub(super) hyphens: u32,
    pub(super) done: bool,
}

impl LineStart {
    /// The line before it ends in the layout's own hyphen.
    pub fn parts_a_word(&self) -> bool {
        self.hyphens > 0
    }

    /// The same place, where the next line may not end so.
    pub fn unparted(self) -> Self {
        Self { hyphens: u32::MAX, ..self }
    }
}

/// Where the next line may stand: `left` and `width` on the page's x axis, relative to the column's left edge, before
/// indents. (`0.0..column width` without floats.)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot {
    pub left: f32,
    pub width: f32,
    /// Of the whole column: indents and tab stops are measured from its edges, whatever floats leave of it.
    pub column_width: f32,
}

impl Slot {
    /// The whole column, no floats in the way.
    pub fn column(width: f32) -> Self {
        Self { left: 0.0, width, column_width: width }
    }
}

/// One line of a paragraph, placed relative to the column's left edge (x) and to its own top (y).
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// From the line's top to the top of the next line, line spacing included.
    pub height: f32,
    /// Of the height, the line spacing below the text.
    pub spacing_below: f32,
    /// From the line's top to its baseline.
    pub baseline: f32,
    /// Ink extent of the text in the line, indents taken off: for borders, shading, change bars.
    pub text_left: f32,
    pub text_right: f32,
    /// Glyphs, underlines, highlights, inline pictures, in painting order; y relative to the line's top.
    pub items: Vec<Placed>,
    pub links: Vec<(Rect, Link)>,
    /// Pieces of fields' values, each with its field's number.
    pub values: Vec<(Rect, u32)>,
    /// Anchored drawings whose anchor is in this line, with the anchor's x.
    pub anchors: Vec<(Arc<Drawing>, f32)>,
    /// Inline drawings that hold blocks (text boxes, shapes, groups), and rules: the flow draws them into this box.
    pub inline_drawings: Vec<(Arc<Drawing>, Rect)>,
    pub notes: Vec<(NoteKind, i64)>,
    pub bookmarks: Vec<Arc<str>>,
    /// Which of the items are those of a formula or a picture.
    pub objects: Vec<(Range<usize>, NodeId)>,
    /// Comments whose reference is in this line, with its x.
    pub comments: Vec<(Arc<str>, f32)>,
    /// Something in it is a tracked change.
    pub changed: bool,
    /// Why the line ended.
    pub end: LineEnd,
    /// What it takes.
    pub(crate) held: Option<Held>,
}

impl Line {
    /// Bytes it takes, about.
    pub(crate) fn memory(&self) -> usize {
        // and the unit of a column that it becomes
        2 * size_of::<Self>() + memory(&self.items)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// Full.
    #[default]
    Wrapped,
    Break(Break),
    Paragraph,
}

/// What a column's content asks for, in points.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContentWidths {
    /// Of the longest piece that cannot be broken.
    pub least: f32,
    /// Of the paragraph in one line.
    pub most: f32,
    /// The same, without the tabs that end it.
    pub text: f32,
    /// Of the widest picture in the text: unlike a word it cannot be cut.
    pub solid: f32,
}
