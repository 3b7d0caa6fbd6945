//! The fonts that may be used, found by family, style and script.

use std::sync::Arc;

use waraq_docx::tree::{Document, Warning};

use crate::page::Font;

/// One font file, or one font of a collection.
#[derive(Clone)]
pub struct FontSource {
    /// `None`: read from the font, which parses it at once.
    pub family: Option<String>,
    pub bold: bool,
    pub italic: bool,
    pub data: Arc<dyn AsRef<[u8]> + Send + Sync>,
    /// Of a collection.
    pub index: u32,
}

/// Built once per process; cheap to clone and to use from many threads. Fonts are parsed when they are first used.
#[derive(Clone, Default)]
pub struct FontBook {}

impl FontBook {
    pub fn new(sources: impl IntoIterator<Item = FontSource>) -> Self {
        let _ = sources.into_iter().count();
        Self {}
    }

    /// The fonts for one document: those it embeds first, its font table as hints for substitution.
    pub fn for_document(&self, document: &Document) -> DocumentFonts {
        let _ = document;
        DocumentFonts {}
    }
}

/// The fonts of one document while it is set.
#[derive(Default)]
pub struct DocumentFonts {}

impl DocumentFonts {
    /// The fonts that lines were set in so far, by [`crate::FontId`]: what belongs into [`crate::Pages::fonts`].
    pub fn used(&self) -> Vec<Font> {
        Vec::new()
    }

    /// Families without a metric twin, characters no font has; each once.
    pub fn warnings(&self) -> Vec<Warning> {
        Vec::new()
    }
}
