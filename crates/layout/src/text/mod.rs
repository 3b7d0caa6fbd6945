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
pub use line::{
    ContentWidths, InlineDrawing, Line, LineAnchor, LineComment, LineEnd, LineLink, LineSlot, LineStart, NoteReference,
    ObjectItems, ValueArea,
};
pub use line_cache::LineCache;
pub use lines::ParagraphLines;
pub(crate) use lines::{SingleLineText, line_extent, single_line};
pub(crate) use paint::{is_dark, text_color as run_color};
pub(crate) use source::{Extent, GlyphStretch, LineMetrics};

use waraq_docx::tree::{ComputedField, NoteKind, RunProperties, Settings};

use crate::fonts::DocumentFonts;

/// Inputs of text layout that are not part of the paragraph.
pub struct Context<'a> {
    /// Fonts of the document, from [`crate::FontBook::for_document`]. Create this value once per document, because it assigns
    /// ids to the fonts that the document uses.
    pub fonts: &'a DocumentFonts,
    /// Settings of the document.
    pub settings: &'a Settings,
    /// Provides the text of fields whose values only `flow` knows: page numbers, dates, references.
    pub fields: &'a dyn FieldText,
    /// Line pitch in points from w:docGrid. `None` if lines do not snap to the grid.
    pub line_pitch: Option<f32>,
    /// Cached lines of the previous layout of the same document. `None` disables the cache.
    pub line_cache: Option<&'a LineCache>,
}

/// The type of [`single_line`]. Formulas use this function to lay out their text. They get it as a parameter, because an import
/// would create a cycle. (Files of `text` call the module `math`.)
pub(crate) type SingleLine = fn(&Context<'_>, &str, &RunProperties) -> SingleLineText;

/// Provides the current text of fields. In the first layout pass, page numbers can be estimates. If they are wrong, the
/// document is laid out again.
pub trait FieldText {
    /// Returns the text of a field. `language` is the BCP 47 tag of the run that contains the field, or `None` if the run has
    /// no language. Returns `None` if the result that the document stores for the field must be used.
    fn field_text(&self, field: &ComputedField, language: Option<&str>) -> Option<String>;
    /// Returns true if lines must report the text with this character style, because STYLEREF fields may show the text.
    fn locates_style(&self, _style: &str) -> bool {
        false
    }
    /// Returns the mark of a note, for example "3", "iv" or "*".
    fn note_mark_text(&self, kind: NoteKind, id: i64) -> String;
    /// Returns the mark of the note whose content is being laid out.
    fn current_note_mark(&self) -> String;
}
