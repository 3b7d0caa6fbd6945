//! What lines are made with.

use waraq_docx::tree::{Field, NoteKind, RunProperties, Settings};

use super::memory::LineMemory;
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

/// [`single_line`](super::single_line), handed to formulas: they stand in lines, and there is text in them.
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
