//! Lines and their available space.

use std::ops::Range;
use std::sync::Arc;

use waraq_docx::CountedMemory;
use waraq_docx::tree::{Break, Drawing, NodeId, NoteKind};

use crate::page::{Link, Rect, TaggedItem, total_size};

/// A position in a paragraph's text between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineStart {
    /// Byte offset in the text.
    pub(super) byte: usize,
    /// Number of lines before this position.
    pub(super) line_index: usize,
    /// Number of consecutive lines before this position that end in an automatic hyphen.
    pub(super) consecutive_hyphens: u32,
    /// True after the last line of the paragraph.
    pub(super) is_after_last_line: bool,
}

impl LineStart {
    /// Returns true if the line before this position ends in an automatic hyphen.
    pub fn is_after_automatic_hyphen(&self) -> bool {
        self.consecutive_hyphens > 0
    }

    /// Returns the same position with the limit of consecutive hyphens reached: the next line does not end in an automatic
    /// hyphen.
    pub fn without_next_hyphen(self) -> Self {
        Self { consecutive_hyphens: u32::MAX, ..self }
    }
}

/// The available width of the next line, in points, before indents. `left` is measured from the left edge of the column,
/// also in right-to-left paragraphs. Without floating objects, `left` is 0 and `width` is the column width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineSlot {
    pub left: f32,
    pub width: f32,
    /// Width of the whole column. Indents and tab stops are measured from its edges, even beside floating objects.
    pub column_width: f32,
}

impl LineSlot {
    /// Creates a slot with the full column width, without floating objects.
    pub fn whole_column(width: f32) -> Self {
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
    /// Left edge of the visible text, without indents. Borders, shading and change bars use it. `text_right` is the right
    /// edge.
    pub text_left: f32,
    pub text_right: f32,
    /// Glyphs, underlines, highlights and inline pictures in painting order.
    pub items: Vec<TaggedItem>,
    pub links: Vec<(Rect, Arc<Link>)>,
    /// Areas of field values, each with the index of its field.
    pub value_areas: Vec<(Rect, u32)>,
    /// Drawings anchored in this line, each with the x position of its anchor.
    pub anchors: Vec<(Arc<Drawing>, f32)>,
    /// Drawings in the text that `flow` paints into the given areas: text boxes, shapes, groups and horizontal rules.
    pub inline_drawings: Vec<(Arc<Drawing>, Rect)>,
    /// Footnotes and endnotes with a reference in this line, by their kind and id.
    pub notes: Vec<(NoteKind, i64)>,
    /// Names of the bookmarks that start in this line.
    pub bookmarks: Vec<Arc<str>>,
    /// Ranges of `items` that belong to a formula or a picture.
    pub objects: Vec<(Range<usize>, NodeId)>,
    /// Comments whose reference is in this line, each with its x position.
    pub comments: Vec<(Arc<str>, f32)>,
    /// True if the line contains a tracked change.
    pub has_tracked_change: bool,
    /// The reason why the line ended.
    pub end: LineEnd,
    /// Accounts for the memory of the line.
    pub(crate) counted_memory: Option<CountedMemory>,
}

impl Line {
    /// Returns the approximate memory of the line in bytes.
    pub(crate) fn memory(&self) -> usize {
        // The factor 2 includes the fragment of a column that the line becomes.
        2 * size_of::<Self>() + total_size(&self.items)
    }
}

/// The reason why a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// The line is full.
    #[default]
    Wrapped,
    /// A break in the text.
    Break(Break),
    /// The end of the paragraph.
    Paragraph,
}

/// Widths of a paragraph in points, from which the columns of a table are fitted to their content.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContentWidths {
    /// Width of the widest part without a break opportunity.
    pub min_content: f32,
    /// Width of the paragraph if its lines end only at breaks in the text.
    pub max_content: f32,
    /// The same width without trailing tabs.
    pub max_content_without_tabs: f32,
    /// Width of the widest object in the text, such as a picture. Unlike a word, an object cannot be divided.
    pub widest_object: f32,
}
