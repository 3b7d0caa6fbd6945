//! A paragraph becomes lines.
//!
//! The flow asks for one line after the other and says each time how wide it may be, since floating objects narrow lines
//! and only the flow knows at which height a line stands.

use std::ops::Range;
use std::sync::Arc;

use waraq_docx::Held;
use waraq_docx::tree::{Break, Drawing, NoteKind, Settings};

mod bidi;
mod clusters;
mod connect;
mod decorate;
mod east_asian;
mod fill;
mod fit;
mod height;
mod hyphenate;
mod itemize;
mod joining;
mod kashida;
mod lines;
mod measure;
mod memory;
mod place;
mod prepare;
mod ruby;
mod segments;
mod shape;
mod single;
mod slots;
mod symbols;
mod tabs;

use crate::DocumentFonts;
use crate::page::{LinkTarget, Placed, Rect, memory};

pub(crate) use decorate::revision_color;
pub use lines::{ContentWidths, Mark, ParagraphLines};
pub use memory::LineMemory;
pub(crate) use place::{color as run_color, is_plain};
pub(crate) use shape::ShapeCache;
pub(crate) use single::line_extent;
pub use single::single_line;

/// What the paragraph's text depends on besides the paragraph.
pub struct Context<'a> {
    /// From [`crate::FontBook::for_document`], one for the whole document: it numbers the fonts that are used.
    pub fonts: &'a DocumentFonts,
    pub settings: &'a Settings,
    /// Text of fields that only the flow knows: page numbers, dates, references.
    pub fields: &'a dyn FieldText,
    /// From w:docGrid, if lines snap to it.
    pub line_pitch: Option<f32>,
    /// Hidden text (w:vanish) is set like any other.
    pub show_hidden: bool,
    /// Paragraphs as they were set before.
    pub memory: Option<&'a LineMemory>,
}

/// Answers what a field shows now. Page numbers of the first pass may be guesses: the flow lays out again if they were wrong.
pub trait FieldText {
    /// `None`: the field's cached result.
    fn text(&self, field: &waraq_docx::tree::Field) -> Option<String>;
    /// The same in a language (a BCP 47 tag): that of the run the field stands in.
    fn text_in(&self, field: &waraq_docx::tree::Field, _language: Option<&str>) -> Option<String> {
        self.text(field)
    }
    /// The mark of a note: "3", "iv", "*".
    fn note(&self, kind: NoteKind, id: i64) -> String;
    /// The number of the note whose content is being set.
    fn note_mark(&self) -> String;
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
    /// From the line's top to its baseline.
    pub baseline: f32,
    /// Ink extent of the text in the line, indents taken off: for borders, shading, change bars.
    pub text_left: f32,
    pub text_right: f32,
    /// Glyphs, underlines, highlights, inline pictures, in painting order; y relative to the line's top.
    pub items: Vec<Placed>,
    pub links: Vec<(Rect, LinkTarget)>,
    /// Pieces of fields' values, each with its field's number.
    pub values: Vec<(Rect, u32)>,
    /// Anchored drawings whose anchor is in this line, with the anchor's x.
    pub anchors: Vec<(Arc<Drawing>, f32)>,
    /// Inline drawings that hold blocks (text boxes, shapes, groups): the flow draws them at this place (top left corner).
    pub inline_drawings: Vec<(Arc<Drawing>, f32, f32)>,
    pub notes: Vec<(NoteKind, i64)>,
    pub bookmarks: Vec<Arc<str>>,
    /// Which of the items are a formula's, and which of the paragraph's formulas that is.
    pub formulas: Vec<(Range<usize>, usize)>,
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
