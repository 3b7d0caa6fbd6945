//! Layout of a document tree (`waraq_docx::tree`) into pages of placed glyphs, lines, boxes and pictures.
//!
//! The crate knows neither XML nor PDF. It uses no clock, no network and no file system: fonts and the current time (for
//! DATE fields) are inputs. The same tree, fonts and options always give the same pages.
//!
//! # Main types and functions
//!
//! - [`layout()`] lays out a [`Document`]. [`layout_again`] lays out a document that changes while it is filled in; a
//!   [`LineCache`] keeps the lines of unchanged paragraphs from one call to the next.
//! - [`FontBook`] holds the available fonts. [`DocumentFonts`] selects the fonts of one document, from the book and from the
//!   fonts that the document embeds.
//! - [`LayoutOptions`] holds the inputs that are not part of the document, such as the current time.
//! - [`Pages`] is the result; see [`page`]. Renderers use the functions in [`geometry`] to draw the pages.
//! - [`text`] lays out single paragraphs.
//!
//! # Limits and errors
//!
//! The budget of the document's [`Meter`] limits the work and memory of a layout. Layout fails only with the errors of
//! [`Meter::outcome`]: `too_complex` beyond the budget, `cancelled` after a cancellation, `internal` after an internal error.
//! Content beyond other limits, such as [`LayoutOptions::max_pages`] or the depth of nested tables and groups, is left out.
//! Content that cannot be laid out as in Word, and fonts without a metric-compatible substitute, add diagnostics to
//! [`Pages::warnings`].
//!
//! # Example
//!
//! ```
//! use std::sync::Arc;
//!
//! use waraq_docx::tree::{Block, Content, Document, Inline, Paragraph, Section};
//! use waraq_layout::{FontBook, FontFile, FontSource, DisplayItem, LayoutOptions, layout};
//!
//! # fn main() -> waraq_docx::Result<()> {
//! let fonts = FontBook::new(waraq_fonts::files().iter().map(|file| FontSource {
//!     family: file.family.to_owned(),
//!     bold: file.bold,
//!     italic: file.italic,
//!     file: FontFile::Loaded(Arc::new(file.data)),
//! }));
//!
//! // Documents usually come from `waraq_docx::read`.
//! let word = Inline { content: Content::Text("Hello".to_owned()), run: Arc::default(), link: None };
//! let paragraph = Paragraph { inlines: vec![word], ..Paragraph::default() };
//! let section = Section { blocks: vec![Block::Paragraph(paragraph)], ..Section::default() };
//! let document = Document { sections: vec![section], ..Document::default() };
//!
//! let pages = layout(&document, &fonts, &LayoutOptions::default())?;
//! assert_eq!(pages.pages.len(), 1);
//! let items = &pages.pages[0].items;
//! assert!(items.iter().any(|placed| matches!(&placed.item, DisplayItem::Glyphs(run) if &*run.text == "Hello")));
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

mod flow;
pub mod fonts;
pub mod geometry;
mod math;
pub mod page;
pub mod text;

pub use fonts::{DocumentFonts, FontBook, FontFile, FontSource, MissingFont};
pub use page::*;
pub use text::LineCache;

use waraq_docx::Result;
use waraq_docx::tree::Document;

/// Layout inputs that are not part of the document.
#[derive(Debug, Clone)]
pub struct LayoutOptions {
    /// Current time in seconds since 1970-01-01T00:00:00Z, for DATE and TIME fields and for the creation date of the pages. 0
    /// means that the time is unknown.
    pub now: i64,
    /// Offset of the local time from UTC in minutes, positive to the east.
    pub utc_offset_minutes: i32,
    /// The country (ISO 3166) that overrides the region of the language in dates and numbers. `None`: the region of the language
    /// counts.
    pub country: Option<String>,
    /// True to show comments in a strip that is added at the right of the pages.
    pub show_comments: bool,
    /// The file name of the document, for FILENAME fields. `None`: these fields show the result that is stored in the document.
    pub file_name: Option<String>,
    /// Maximum number of pages. Layout stops after the last allowed page and adds a warning to [`Pages::warnings`].
    pub max_pages: usize,
}

impl Default for LayoutOptions {
    fn default() -> Self {
        Self { now: 0, utc_offset_minutes: 0, country: None, show_comments: false, file_name: None, max_pages: 2_000 }
    }
}

/// Lays out a document. Content that cannot be laid out produces a warning and a labelled placeholder box on the page.
///
/// # Errors
/// Returns only the errors of [`waraq_docx::Meter::outcome`].
pub fn layout(document: &Document, fonts: &FontBook, options: &LayoutOptions) -> Result<Pages> {
    flow::lay_out(document, fonts, options, None)
}

/// Lays out a document again after a change, and reuses the lines of unchanged paragraphs from `line_cache`. Each cache must be
/// used for one document only. The pages equal those of [`layout`]. The warnings can be fewer, because a warning about a reused
/// paragraph is not repeated.
///
/// # Errors
/// Returns the errors of [`layout`].
pub fn layout_again(
    document: &Document,
    fonts: &FontBook,
    options: &LayoutOptions,
    line_cache: &LineCache,
) -> Result<Pages> {
    flow::lay_out(document, fonts, options, Some(line_cache))
}
