//! Documents that are open, and the fonts they share.

use std::collections::BTreeMap;

use waraq_docx::Result;
use waraq_layout::Pages;

use crate::document::{Document, Outcome, Request};
use crate::fonts::Shelf;
use crate::{drawing, text};

/// A document that is open.
pub type DocumentId = u32;

/// Documents that are open, and the fonts they share.
pub struct Engine {
    shelf: Shelf,
    documents: BTreeMap<DocumentId, Document>,
    next: DocumentId,
}

impl Default for Engine {
    fn default() -> Self {
        Self { shelf: Shelf::new(), documents: BTreeMap::new(), next: 0 }
    }
}

impl Engine {
    /// Opens a .docx.
    ///
    /// # Errors
    /// Those of [`waraq_docx::Package::open`] and of [`waraq_docx::fields::list`].
    pub fn open(&mut self, bytes: Vec<u8>) -> Result<DocumentId> {
        let document = Document::open(bytes)?;
        self.next += 1;
        self.documents.insert(self.next, document);
        Ok(self.next)
    }

    /// Forgets a document and all that was made of it.
    pub fn close(&mut self, id: DocumentId) {
        self.documents.remove(&id);
    }

    /// The names of the document's fields, in order: [`crate::Blank::field`] counts in them.
    pub fn fields(&self, id: DocumentId) -> &[String] {
        self.documents.get(&id).map_or(&[], |document| &document.fields)
    }

    /// Sets a document. Where fonts are missing its pages stay those that were set last.
    ///
    /// # Errors
    /// Those of filling and of setting; a document that is not open is `not_found`.
    pub fn set(&mut self, id: DocumentId, request: &Request) -> Result<Outcome> {
        let document = self.documents.get_mut(&id).ok_or_else(unknown)?;
        document.set(request, &self.shelf)
    }

    /// Takes a font file in. `false`: none of that name is awaited.
    pub fn add_font(&mut self, file: &str, data: Vec<u8>) -> bool {
        self.shelf.add(file, data)
    }

    /// The pages that were set last.
    pub fn pages(&self, id: DocumentId) -> Option<&Pages> {
        self.documents.get(&id)?.pages.as_ref()
    }

    /// How a page (from 0) is drawn: see [`drawing`]. `None`: there is no such page.
    pub fn drawing(&mut self, id: DocumentId, page: usize) -> Option<Vec<f32>> {
        let document = self.documents.get_mut(&id)?;
        let keys = document.keys(&self.shelf);
        let pages = document.pages.as_ref()?;
        Some(drawing::of(pages, pages.pages.get(page)?, &keys))
    }

    /// A page's text in reading order. `None`: there is no such page.
    pub fn text(&self, id: DocumentId, page: usize) -> Option<text::PageText> {
        let pages = self.pages(id)?;
        Some(text::of(pages, pages.pages.get(page)?))
    }

    /// The path of a glyph in font units, y upwards, as SVG writes paths; empty where there is nothing to draw. `font` is a key of
    /// [`drawing`].
    pub fn outline(&self, id: DocumentId, font: usize, glyph: u16) -> String {
        let own = || self.documents.get(&id)?.font(font);
        let found = self.shelf.file(font).map(|data| (data, 0)).or_else(own);
        found.and_then(|(data, index)| drawing::outline(data, index, glyph)).unwrap_or_default()
    }

    /// A picture's bytes and their kind (`image/png`), for a browser to decode; `None`: it cannot. `image` is a key of [`drawing`].
    pub fn image(&self, id: DocumentId, image: usize) -> Option<(&[u8], &'static str)> {
        self.documents.get(&id)?.image(image)
    }
}

fn unknown() -> waraq_docx::Error {
    waraq_docx::Error::new(waraq_rules::ErrorCode::Internal, "No such document is open.")
}
