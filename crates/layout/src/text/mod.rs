//! A paragraph becomes lines.
//!
//! The flow asks for one line after the other and says each time how wide it may be, since floating objects narrow lines
//! and only the flow knows at which height a line stands.

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

/// What the paragraph's text depends on besides the paragraph.
pub struct Context<'a> {
    /// From [`crate::FontBook::for_document`], one for the whole document: it numbers the fonts that are used.
    pub fonts: &'a DocumentFonts,
    pub settings: &'a Settings,
    /// Text of fields that only the flow knows: page numbers, dates, references.
    pub fields: &'a dyn FieldText,
    /// From w:docGrid, if lines snap to it.
    pub line_pitch: Option<f32>,
    /// Paragraphs as they were set before.
    pub memory: Option<&'a LineMemory>,
}

/// [`single_line`], handed to formulas: they stand in lines, and there is text in them.
pub(crate) type SingleLine = fn(&Context<'_>, &str, &RunProperties) -> (Vec<GlyphRun>, f32);

/// Answers what a field shows now. Page numbers of the first pass may be guesses: the flow lays out again if they were wrong.
pub trait FieldText {
    /// In a language (a BCP 47 tag): that of the run the field stands in. `None`: the field's cached result.
    fn text(&self, field: &Field, language: Option<&str>) -> Option<String>;
    /// The mark of a note: "3", "iv", "*".
    fn note(&self, kind: NoteKind, id: i64) -> String;
    /// The number of the note whose content is being set.
    fn note_mark(&self) -> String;
}
