//! A document tree (`waraq_docx::tree`) becomes pages of placed glyphs, lines, boxes and pictures. That is *to set* it, as a
//! typesetter does: the word is used so throughout.
//!
//! It knows nothing of XML and nothing of PDF. No clock, no network, no file system: fonts and the moment (for DATE fields)
//! are inputs. Same tree, fonts and options: same pages.
//!
//! What comes out is in [`page`], what renderers reckon with it in [`geometry`].

mod flow;
pub mod fonts;
pub mod geometry;
mod math;
pub mod page;
pub mod text;

pub use fonts::{DocumentFonts, FontBook, FontFile, FontSource};
pub use page::*;
pub use text::LineMemory;

use waraq_docx::Result;
use waraq_docx::tree::Document;

/// What is not in the document.
#[derive(Debug, Clone)]
pub struct Options {
    /// Seconds since 1970-01-01T00:00:00Z, for DATE and TIME fields and for when the pages were made; 0: no moment is known.
    pub now: i64,
    /// Minutes east of UTC.
    pub time_zone: i32,
    pub show_comments: bool,
    /// For FILENAME fields.
    pub file_name: Option<String>,
    /// Pages beyond this many are not made: [`Pages::warnings`] says so.
    pub max_pages: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { now: 0, time_zone: 0, show_comments: false, file_name: None, max_pages: 2_000 }
    }
}

/// Sets a document. What cannot be set is a warning, and on the page a box that says what it stands for.
///
/// # Errors
/// Those of [`waraq_docx::Meter::outcome`] alone.
pub fn layout(document: &Document, fonts: &FontBook, options: &Options) -> Result<Pages> {
    flow::layout(document, fonts, options, None)
}

/// The same for a document that is set again and again while it is filled in: what is as it was is taken from `memory`, which is of this
/// document alone. The pages are those of [`layout`]; warnings about what was kept are not repeated.
///
/// # Errors
/// Those of [`layout`].
pub fn layout_again(document: &Document, fonts: &FontBook, options: &Options, memory: &LineMemory) -> Result<Pages> {
    flow::layout(document, fonts, options, Some(memory))
}
