//! Breaks a paragraph into lines.
//!
//! The `flow` module requests one line at a time and passes the available width of each line. Floating objects make lines
//! narrower, and only `flow` knows the vertical position of a line.

mod bidi;
mod clusters;
mod decorate;
mod east_asian;
mod fill;
mod fit;
mod height;
mod hyphenate;
mod itemize;
mod joining;
mod kashida;
mod line;
mod lines;
mod measure;
mod memory;
mod place;
mod prepare;
mod ruby;
mod segments;
pub(crate) mod shape;
mod slots;
mod source;
mod tabs;

pub(crate) use decorate::revision_color;
pub use line::{ContentWidths, Line, LineEnd, LineStart, Slot};
pub(crate) use lines::line_extent;
pub use lines::{ParagraphLines, single_line};
pub use memory::LineMemory;
pub(crate) use place::{color as run_color, is_dark};

use waraq_docx::tree::{Field, NoteKind, RunProperties, Settings};

use crate::fonts::DocumentFonts;
use crate::page::GlyphRun;

/// Inputs of text layout that are not part of the paragraph.
pub struct Context<'a> {
    /// Fonts of the document, from [`crate::FontBook::for_document`]. Create them once per document, because they number
    /// the fonts that the document uses.
    pub fonts: &'a DocumentFonts,
    pub settings: &'a Settings,
    /// Provides the text of fields whose values only `flow` knows: page numbers, dates, references.
    pub fields: &'a dyn FieldText,
    /// Line pitch in points from w:docGrid, if lines snap to the grid.
    pub line_pitch: Option<f32>,
    /// Cached lines of the previous layout of the same document. `None` disables the cache.
    pub memory: Option<&'a LineMemory>,
}

/// The type of [`single_line`]. Formulas get this function as a parameter and use it for their text, so that `math` does
/// not import the files of `text` that call it.
pub(crate) type SingleLine = fn(&Context<'_>, &str, &RunProperties) -> (Vec<GlyphRun>, f32);

/// Provides the current text of fields. In the first pass, page numbers can be estimates; the document is then laid out
/// again.
pub trait FieldText {
    /// Returns the text of a field in a language (the BCP 47 tag of the run that contains the field). Returns `None` to use the
    /// field's cached result.
    fn text(&self, field: &Field, language: Option<&str>) -> Option<String>;
    /// Returns the mark of a note, for example "3", "iv" or "*".
    fn note(&self, kind: NoteKind, id: i64) -> String;
    /// Returns the number of the note whose content is being laid out.
    fn note_mark(&self) -> String;
}
