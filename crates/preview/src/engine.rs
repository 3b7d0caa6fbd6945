//! The open documents and the fonts they share.

use std::collections::BTreeMap;

use waraq_docx::Result;
use waraq_layout::Pages;
use waraq_rules::Structure;

use crate::document::{Document, LayoutOutcome, LayoutRequest};
use crate::fonts::FontFiles;
use crate::{drawing, text};

/// The id of an open document.
pub type DocumentId = u32;

/// The open documents and the fonts that they share.
pub struct Engine {
    font_files: FontFiles,
    documents: BTreeMap<DocumentId, Document>,
    next: DocumentId,
}

impl Default for Engine {
    fn default() -> Self {
        Self { font_files: FontFiles::new(), documents: BTreeMap::new(), next: 0 }
    }
}

impl Engine {
    /// Opens a .docx file. The document suggests the types of its fields.
    ///
    /// # Errors
    /// The errors of [`waraq_docx::Package::open`] and [`waraq_docx::fields::list`].
    pub fn open(&mut self, bytes: Vec<u8>) -> Result<DocumentId> {
        self.open_with_structure(bytes, &Structure::default())
    }

    /// Opens a .docx file whose fields have the types in `structure`. The document suggests the types of other fields.
    ///
    /// # Errors
    /// The errors of [`Engine::open`].
    pub fn open_with_structure(&mut self, bytes: Vec<u8>, structure: &Structure) -> Result<DocumentId> {
        let document = Document::open(bytes, &structure.declared_types())?;
        self.next += 1;
        self.documents.insert(self.next, document);
        Ok(self.next)
    }

    /// Closes a document and frees its pages. Does nothing if no such document is open.
    pub fn close(&mut self, id: DocumentId) {
        self.documents.remove(&id);
    }

    /// Returns the names of the document's fields in reading order. [`crate::ValueArea::field`] is an index into this
    /// list. The list is empty if no such document is open.
    pub fn fields(&self, id: DocumentId) -> &[String] {
        self.documents.get(&id).map_or(&[], |document| &document.fields)
    }

    /// Returns the types of the document's fields, in the order of [`Engine::fields`]. The list is empty if no such document
    /// is open.
    pub fn structure(&self, id: DocumentId) -> Structure {
        self.documents.get(&id).map(|document| document.structure().clone()).unwrap_or_default()
    }

    /// Lays out a document. If font files are missing, returns their names and keeps the pages of the last layout.
    ///
    /// # Errors
    /// The errors of filling and layout, and `internal` if no such document is open.
    pub fn lay_out(&mut self, id: DocumentId, request: &LayoutRequest) -> Result<LayoutOutcome> {
        let document = self.documents.get_mut(&id).ok_or_else(unknown_document)?;
        document.lay_out(request, &self.font_files)
    }

    /// Adds a font file. Returns `false` if the product has no font file of that name.
    pub fn add_font(&mut self, file: &str, data: Vec<u8>) -> bool {
        self.font_files.add_file(file, data)
    }

    /// Returns the pages of the last layout, or `None` if the document has not been laid out.
    pub fn pages(&self, id: DocumentId) -> Option<&Pages> {
        self.documents.get(&id)?.pages.as_ref()
    }

    /// Returns the drawing of a page (counted from 0) in the format of [`drawing`], or `None` if the page does not exist.
    pub fn drawing(&mut self, id: DocumentId, page: usize) -> Option<Vec<f32>> {
        let document = self.documents.get_mut(&id)?;
        let keys = document.drawing_keys(&self.font_files);
        let pages = document.pages.as_ref()?;
        Some(drawing::page_drawing(pages, pages.pages.get(page)?, &keys))
    }

    /// Returns the text of a page (counted from 0) in reading order, or `None` if the page does not exist.
    pub fn text(&self, id: DocumentId, page: usize) -> Option<text::PageText> {
        let pages = self.pages(id)?;
        Some(text::page_text(pages, pages.pages.get(page)?))
    }

    /// Returns the outline of a glyph in font units, y upwards, as an SVG path. The path is empty if the font has no such glyph or
    /// the glyph has no outline. `font` is the key of the font in a drawing.
    pub fn outline(&self, id: DocumentId, font: usize, glyph: u16) -> String {
        let own = || self.documents.get(&id)?.embedded_font(font);
        let found = self.font_files.file(font).map(|data| (data, 0)).or_else(own);
        found.and_then(|(data, index)| drawing::glyph_outline(data, index, glyph)).unwrap_or_default()
    }

    /// Returns the bytes of a picture and their media type (`image/png`), or `None` if browsers cannot decode the
    /// format. `image` is the key of the picture in a drawing.
    pub fn image(&self, id: DocumentId, image: usize) -> Option<(&[u8], &'static str)> {
        self.documents.get(&id)?.image(image)
    }
}

fn unknown_document() -> waraq_docx::Error {
    waraq_docx::Error::new(waraq_rules::ErrorCode::Internal, "No such document is open.")
}
