//! Lines and their available space.

use std::ops::Range;
use std::sync::Arc;

use waraq_docx::CountedMemory;
use waraq_docx::tree::{Break, Drawing, NodeId, NoteKind};

use crate::page::{Link, Rect, TaggedItem, total_size};

/// A position between two lines of a paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LineStart {
    /// Byte offset of the position in the paragraph's text.
    pub(super) byte: usize,
    /// Number of lines before this position.
    pub(super) line_index: usize,
    /// Number of consecutive lines before this position that end in an automatic hyphen.
    pub(super) consecutive_hyphens: u32,
    /// True if this position is after the last line of the paragraph.
    pub(super) is_after_last_line: bool,
}

impl LineStart {
    /// Returns true if the line before this position ends in an automatic hyphen.
    pub(crate) fn is_after_automatic_hyphen(&self) -> bool {
        self.consecutive_hyphens > 0
    }

    /// Returns the same position, changed so that the limit of consecutive hyphens is reached. The next line then does not end
    /// in an automatic hyphen.
    pub(crate) fn without_next_hyphen(self) -> Self {
        Self { consecutive_hyphens: u32::MAX, ..self }
    }
}

/// The space that is available for the next line, in points. Indents are not subtracted yet. `left` is measured from the left
/// edge of the column, also in right-to-left paragraphs. Without floating objects, `left` is 0 and `width` is the column width.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LineSlot {
    /// Left edge of the slot, measured from the left edge of the column.
    pub left: f32,
    /// Width of the slot.
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

/// A line of a paragraph. Lengths are in points. Positions are relative to the column's left edge (x) and to the line's top
/// (y).
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// Distance from the line's top to the top of the next line, including line spacing.
    pub height: f32,
    /// The part of the height that is line spacing below the text.
    pub spacing_below: f32,
    /// Distance from the line's top to its baseline.
    pub baseline: f32,
    /// Left edge of the visible text; the indent is not part of it. Bookmarks in the line have this position.
    pub text_left: f32,
    /// Right edge of the visible text.
    pub text_right: f32,
    /// Glyphs, underlines, highlights and inline pictures in painting order.
    pub items: Vec<TaggedItem>,
    /// The links in this line, from left to right.
    pub links: Vec<LineLink>,
    /// The areas of field values in this line.
    pub value_areas: Vec<ValueArea>,
    /// Drawings anchored in this line.
    pub anchors: Vec<LineAnchor>,
    /// Drawings in the text of this line that `flow` must paint: text boxes, shapes, groups and horizontal rules.
    pub inline_drawings: Vec<InlineDrawing>,
    /// Footnotes and endnotes with a reference in this line.
    pub notes: Vec<NoteReference>,
    /// Names of the bookmarks that start in this line.
    pub bookmarks: Vec<Arc<str>>,
    /// The inlines that begin in this line and have a character style to which STYLEREF fields refer. Each inline is given by its
    /// index in the paragraph.
    pub styled_texts: Vec<u32>,
    /// Ranges of `items` that belong to a formula or a picture, in ascending order.
    pub objects: Vec<ObjectItems>,
    /// The items of the numbering label, as a range of indices in `items`. Empty if the line has no label.
    pub label_items: Range<usize>,
    /// Comments whose reference is in this line.
    pub comments: Vec<LineComment>,
    /// True if the line contains a tracked change.
    pub has_tracked_change: bool,
    /// The reason why the line ended.
    pub end: LineEnd,
    /// The counted memory of the line. The memory meter counts it until the line is dropped.
    pub(crate) counted_memory: Option<CountedMemory>,
}

impl Line {
    /// Returns the approximate memory of the line in bytes.
    pub(crate) fn memory(&self) -> usize {
        // The factor 2 is for the line itself and for the fragment of a column that it becomes.
        2 * size_of::<Self>() + total_size(&self.items)
    }
}

/// A link in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineLink {
    /// The area that leads to the target. For linked text, it has the full height of the line.
    pub area: Rect,
    /// The target of the link.
    pub target: Arc<Link>,
}

/// The value of a field, or a part of it, in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueArea {
    /// The area of the value, with the full height of the line. An empty value has the width 0.
    pub area: Rect,
    /// The index of the field among the template's fields.
    pub field: u32,
}

/// A drawing anchored in a line.
#[derive(Debug, Clone)]
pub struct LineAnchor {
    /// The anchored drawing. It is not part of the line itself.
    pub drawing: Arc<Drawing>,
    /// The x coordinate of the anchor, in points from the left edge of the column.
    pub x: f32,
}

/// A drawing in the text of a line.
#[derive(Debug, Clone)]
pub struct InlineDrawing {
    /// The drawing.
    pub drawing: Arc<Drawing>,
    /// The area of the drawing.
    pub area: Rect,
}

/// A reference to a footnote or an endnote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoteReference {
    /// The kind of the note.
    pub kind: NoteKind,
    /// The id of the note. Footnotes and endnotes have separate ids.
    pub id: i64,
}

/// The items of a line that belong to a formula or a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectItems {
    /// Range of indices in [`Line::items`].
    pub items: Range<usize>,
    /// The formula or the picture.
    pub node: NodeId,
}

/// A reference to a comment in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct LineComment {
    /// The id of the comment.
    pub id: Arc<str>,
    /// The x coordinate of the comment reference, in points from the left edge of the column.
    pub x: f32,
}

/// The reason why a line ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineEnd {
    /// The line ended because it is full.
    #[default]
    Wrapped,
    /// The text has a line, page or column break here.
    Break(Break),
    /// The paragraph ends here.
    Paragraph,
}

/// Widths of a paragraph in points. The columns of a table are fitted to them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ContentWidths {
    /// Sum of the indents and the width of the widest part of the text that has no break opportunity inside.
    pub min_content: f32,
    /// Width that the paragraph would have if its lines ended only at breaks in the text.
    pub max_content: f32,
    /// Width that the paragraph would have if its lines ended only at breaks in the text, without the width of trailing tabs.
    pub max_content_without_tabs: f32,
    /// Sum of the indents and the width of the widest object in the text, such as a picture. 0 if the text has no objects.
    /// Unlike a word, an object cannot be divided.
    pub widest_object: f32,
}
