//! The engine as functions for JavaScript. Requests, outcomes and the text of a page are JSON. An error is a
//! `waraq_docx::Error` as JSON. A drawing is an array of numbers (see `drawing`). The methods have the same names and
//! the same meaning as the methods of [`Engine`].
#![allow(unsafe_code)]

use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{DeriveRequest, DocumentId, Engine, LayoutRequest, derive};

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

type Result<T> = std::result::Result<T, String>;

#[wasm_bindgen]
impl Preview {
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn open(&mut self, bytes: Vec<u8>) -> Result<DocumentId> {
        self.0.open(bytes).map_err(|error| json(&error))
    }

    pub fn close(&mut self, document: DocumentId) {
        self.0.close(document);
    }

    pub fn fields(&self, document: DocumentId) -> String {
        json(&self.0.fields(document))
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
