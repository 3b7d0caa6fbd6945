//! Lines and their available space.

use std::ops::Range;
use std::sync::Arc;

use waraq_docx::Held;
use waraq_docx::tree::{Break, Drawing, NodeId, NoteKind};

use crate::page::{Link, Placed, Rect, memory};

/// A position in a paragraph's text between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineStart {
    /// Byte offset in the text.
    pub(super) at: usize,
    /// Number of lines before it.
    pub(super) line: usize,
    /// Number of consecutive lines before it that end in an automatic hyphen.
    pub(super) hyphens: u32,
    pub(super) done: bool,
}

impl LineStart {
    /// Returns true if the line before it ends in an automatic hyphen.
    pub fn parts_a_word(&self) -> bool {
        self.hyphens > 0
    }

    /// Returns the same position, but the next line may not end in an automatic hyphen.
    pub fn unparted(self) -> Self {
        Self { hyphens: u32::MAX, ..self }
    }
}

/// The available space of the next line. `left` and `width` are on the page's x axis, relative to the column's left edge,
/// before indents. (`0.0..column width` without floating objects.)
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slot {
    pub left: f32,
    pub width: f32,
    /// Width of the whole column. Indents and tab stops are measured from its edges, even beside floating objects.
    pub column_width: f32,
}

impl Slot {
    /// Creates a slot with the full column width, without floating objects.
    pub fn column(width: f32) -> Self {
        Self { left: 0.0, width, column_width: width }
    }
}

/// A line of a paragraph. Positions are relative to the column's left edge (x) and to the line's top (y).
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// Distance from the line's top to the top of the next line, including line spacing.
    pub height: f32,
    /// The part of the height that is line spacing below the text.
    pub spacing_below: f32,
    /// Distance from the line's top to its baseline.
    pub baseline: f32,
    /// Left edge of the visible text without indents, for borders, shading and change bars. `text_right` is its right edge.
    pub text_left: f32,
    pub text_right: f32,
    /// Glyphs, underlines, highlights and inline pictures in painting order.
    pub items: Vec<Placed>,
    pub links: Vec<(Rect, Link)>,
    /// Areas of field values, each with the index of its field.
    pub values: Vec<(Rect, u32)>,
    /// Drawings anchored in this line, each with the x position of its anchor.
    pub anchors: Vec<(Arc<Drawing>, f32)>,
    /// Inline drawings that contain blocks (text boxes, shapes, groups), and horizontal rules. The flow draws them into the
    /// given area.
    pub inline_drawings: Vec<(Arc<Drawing>, Rect)>,
    pub notes: Vec<(NoteKind, i64)>,
    pub bookmarks: Vec<Arc<str>>,
    /// Ranges of `items` that belong to a formula or a picture.
    pub objects: Vec<(Range<usize>, NodeId)>,
    /// Comments whose reference is in this line, each with its x position.
    pub comments: Vec<(Arc<str>, f32)>,
    /// True if the line contains a tracked change.
    pub changed: bool,
    /// The reason why the line ended.
    pub end: LineEnd,
    /// Accounts for the memory of the line.
    pub(crate) held: Option<Held>,
}

impl Line {
    /// Returns the approximate memory of the line in bytes.
    pub(crate) fn memory(&self) -> usize {
        // The factor 2 includes the fragment of a column that the line becomes.
        2 * size_of::<Self>() + memory(&self.items)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// The line is full.
    #[default]
    Wrapped,
    Break(Break),
    Paragraph,
}

/// The widths that the content of a column requires, in points.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContentWidths {
    /// Width of the longest piece that cannot be broken.
    pub least: f32,
    /// Width of the paragraph in one line.
    pub most: f32,
    /// Width of the paragraph in one line without trailing tabs.
    pub text: f32,
    /// Width of the widest picture in the text. Unlike a word, a picture cannot be cut.
    pub solid: f32,
}
