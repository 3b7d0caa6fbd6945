//! Breaks a paragraph into lines.
//!
//! The flow requests one line at a time and gives the available width for each. Floating objects make lines narrower, and only
//! the flow knows the vertical position of a line.

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
    /// Fonts of the whole document, from [`crate::FontBook::for_document`]. One value per document, because it numbers the used
    /// fonts.
    pub fonts: &'a DocumentFonts,
    pub settings: &'a Settings,
    /// Text of fields whose values only the flow knows: page numbers, dates, references.
    pub fields: &'a dyn FieldText,
    /// Line pitch in points from w:docGrid, if lines snap to the grid.
    pub line_pitch: Option<f32>,
    /// Paragraphs of earlier layouts.
    pub memory: Option<&'a LineMemory>,
}

/// The type of [`single_line`], which formulas receive to lay out the text they contain.
pub(crate) type SingleLine = fn(&Context<'_>, &str, &RunProperties) -> (Vec<GlyphRun>, f32);

/// Provides the current text of fields. Page numbers of the first pass may be guesses; the flow lays out again if they were
/// wrong.
pub trait FieldText {
    /// Returns the text of a field in a language (the BCP 47 tag of the run that contains the field). Returns `None` to use the
    /// field's cached result.
    fn text(&self, field: &Field, language: Option<&str>) -> Option<String>;
    /// Returns the mark of a note, for example "3", "iv" or "*".
    fn note(&self, kind: NoteKind, id: i64) -> String;
    /// Returns the number of the note whose content is being laid out.
    fn note_mark(&self) -> String;
}
