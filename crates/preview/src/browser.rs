//! The engine as functions for JavaScript. Requests, outcomes and the text of a page are JSON. An error is a
//! `waraq_docx::Error` as JSON. A drawing is an array of numbers (see `drawing`). The methods have the same names and
//! the same meaning as the methods of [`Engine`].
#![allow(unsafe_code)]

use serde::Serialize;
use waraq_docx::fields::{FieldMark, Selection};
use waraq_rules::Structure;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{DeriveRequest, DocumentId, Engine, LayoutRequest, convert, derive, detect, find, mark};

/// The open documents and the fonts they share.
#[wasm_bindgen]
#[derive(Default)]
pub struct Preview(Engine);

/// The bytes of a picture and their media type.
#[wasm_bindgen(getter_with_clone)]
pub struct Picture {
    pub data: Vec<u8>,
    pub kind: String,
}

/// A changed document.
#[wasm_bindgen(getter_with_clone)]
pub struct Changed {
    /// The bytes of the .docx file.
    pub data: Vec<u8>,
    /// The report of the change as JSON: a [`waraq_docx::fields::Converted`] or a [`crate::MarkReport`].
    pub report: String,
}

type Result<T> = std::result::Result<T, String>;

#[wasm_bindgen]
impl Preview {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens a .docx file. `structure` is a [`Structure`] as JSON. Without it, the document suggests the types of its fields.
    pub fn open(&mut self, bytes: Vec<u8>, structure: Option<String>) -> Result<DocumentId> {
        let structure: Structure = match structure {
            Some(structure) => serde_json::from_str(&structure).map_err(|error| error.to_string())?,
            None => Structure::default(),
        };
        self.0.open_with_structure(bytes, &structure).map_err(|error| json(&error))
    }

    pub fn close(&mut self, document: DocumentId) {
        self.0.close(document);
    }

    pub fn fields(&self, document: DocumentId) -> String {
        json(&self.0.fields(document))
    }

    pub fn structure(&self, document: DocumentId) -> String {
        json(&self.0.structure(document))
    }

    #[wasm_bindgen(js_name = layOut)]
    pub fn lay_out(&mut self, document: DocumentId, request: &str) -> Result<String> {
        let request: LayoutRequest = serde_json::from_str(request).map_err(|error| error.to_string())?;
        self.0.lay_out(document, &request).map(|outcome| json(&outcome)).map_err(|error| json(&error))
    }

    /// Returns the values of derived fields. `request` is a [`DeriveRequest`] as JSON. This function needs no open
    /// document.
    pub fn derive(&self, request: &str) -> Result<String> {
        let request: DeriveRequest = serde_json::from_str(request).map_err(|error| error.to_string())?;
        derive(request).map(|derived| json(&derived)).map_err(|refused| json(&waraq_docx::Error::from(refused)))
    }

    /// Converts a template for another program. This function needs no open document.
    pub fn convert(&self, bytes: Vec<u8>) -> Result<Changed> {
        let (data, converted) = convert(bytes).map_err(|error| json(&error))?;
        Ok(Changed { data, report: json(&converted) })
    }

    /// Returns the blanks of a document as JSON. This function needs no open document.
    pub fn detect(&self, bytes: &[u8]) -> Result<String> {
        detect(bytes).map(|blanks| json(&blanks)).map_err(|error| json(&error))
    }

    /// Turns places of a document into fields. `marks` is a list of [`waraq_docx::fields::FieldMark`] as JSON. This function
    /// needs no open document.
    pub fn mark(&self, bytes: Vec<u8>, marks: &str) -> Result<Changed> {
        let marks: Vec<FieldMark> = serde_json::from_str(marks).map_err(|error| error.to_string())?;
        let (data, report) = mark(bytes, &marks).map_err(|error| json(&error))?;
        Ok(Changed { data, report: json(&report) })
    }

    /// Returns the places with a selected text as JSON. `selection` is a [`Selection`] as JSON. This function needs no open
    /// document.
    pub fn find(&self, bytes: &[u8], selection: &str) -> Result<String> {
        let selection: Selection = serde_json::from_str(selection).map_err(|error| error.to_string())?;
        find(bytes, &selection).map(|found| json(&found)).map_err(|error| json(&error))
    }

    #[wasm_bindgen(js_name = addFont)]
    pub fn add_font(&mut self, file: &str, data: Vec<u8>) -> bool {
        self.0.add_font(file, data)
    }

    pub fn drawing(&mut self, document: DocumentId, page: usize) -> Option<Vec<f32>> {
        self.0.drawing(document, page)
    }

    pub fn text(&self, document: DocumentId, page: usize) -> Option<String> {
        self.0.text(document, page).map(|text| json(&text))
    }

    pub fn outline(&self, document: DocumentId, font: usize, glyph: u16) -> String {
        self.0.outline(document, font, glyph)
    }

    pub fn image(&self, document: DocumentId, image: usize) -> Option<Picture> {
        let (data, kind) = self.0.image(document, image)?;
        Some(Picture { data: data.to_vec(), kind: kind.to_owned() })
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
