//! Breaks a paragraph into lines.
//!
//! The `flow` module requests one line at a time and passes the available width of each line. Floating objects make lines
//! narrower, and only `flow` knows the vertical position of a line.

mod bidi;
mod clusters;
mod decorate;
mod east_asian;
mod fit;
mod font_slots;
mod height;
mod hyphenate;
mod itemize;
mod joining;
mod kashida;
mod line;
mod line_breaking;
mod line_cache;
mod lines;
mod measure;
mod paint;
mod prepare;
mod ruby;
mod segments;
pub(crate) mod shape;
mod source;
mod tabs;

pub(crate) use decorate::revision_color;
pub use line::{ContentWidths, Line, LineEnd, LineSlot, LineStart};
pub use line_cache::LineCache;
pub(crate) use lines::line_extent;
pub use lines::{ParagraphLines, single_line};
pub(crate) use paint::{is_dark, text_color as run_color};

use waraq_docx::tree::{ComputedField, NoteKind, RunProperties, Settings};

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
    pub line_cache: Option<&'a LineCache>,
}

/// The type of [`single_line`]. Formulas get this function as a parameter and use it for their text, so that `math` does
/// not import the files of `field_text` that call it.
pub(crate) type SingleLine = fn(&Context<'_>, &str, &RunProperties) -> (Vec<GlyphRun>, f32);

/// Provides the current text of fields. In the first pass, page numbers can be estimates; the document is then laid out
/// again.
pub trait FieldText {
    /// Returns the text of a field in a language (the BCP 47 tag of the run that contains the field). Returns `None` to use the
    /// field's cached result.
    fn field_text(&self, field: &ComputedField, language: Option<&str>) -> Option<String>;
    /// Returns the mark of a note, for example "3", "iv" or "*".
    fn note_mark_text(&self, kind: NoteKind, id: i64) -> String;
    /// Returns the number of the note whose content is being laid out.
    fn current_note_mark(&self) -> String;
}
