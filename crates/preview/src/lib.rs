//! The engine for the browser: a .docx and values become pages that are drawn, read and filled there.
//!
//! It is the code that sets the PDF (`waraq_docx`, `waraq_layout`), so the pages are those of the PDF to the glyph. What differs is how
//! fonts come: [`Engine::set`] names the font files that the document needs and that are not here, the caller fetches them
//! ([`Engine::add_font`]) and sets again.
//!
//! - [`Engine`]: documents that are open, and the fonts they share;
//! - [`drawing`]: a page as numbers for a canvas;
//! - [`text`]: a page's text in reading order, for selection, search and screen readers;
//! - [`derive`]: what derived fields say while a form is filled in;
//! - `browser`: the same as functions for JavaScript (WebAssembly only).

#[cfg(target_arch = "wasm32")]
mod browser;
mod derived;
mod document;
pub mod drawing;
mod engine;
mod fonts;
pub mod text;

pub use derived::{DeriveRequest, Derived, Said, derive};
pub use document::{Blank, Outcome, PageSize, Request, Spot};
pub use engine::{DocumentId, Engine};
