//! The engine for the browser: a .docx file and values become pages that the browser draws, reads and fills.
//!
//! The layout code is the code that also lays out the PDF (`waraq_docx`, `waraq_layout`), so both have equal pages,
//! glyph for glyph. Fonts are the difference: [`Engine::set`] returns the names of missing font files. The caller
//! fetches them, adds them ([`Engine::add_font`]) and calls [`Engine::set`] again.
//!
//! - [`Engine`]: the open documents and the fonts they share;
//! - [`drawing`]: a page as numbers for a canvas;
//! - [`text`]: a page's text in reading order, for selection, search and screen readers;
//! - [`derive`]: the values of derived fields while a form is filled in;
//! - `browser`: the same functions for JavaScript (WebAssembly only).
//!
//! ```
//! use waraq_docx::build::{Document, paragraph};
//! use waraq_preview::{Engine, Outcome, Request};
//!
//! let mut engine = Engine::default();
//! let document = engine.open(Document::new(&paragraph("Dear {{name}},")).to_bytes())?;
//! assert_eq!(engine.fields(document), ["name"]);
//! let request = Request { values: Some([("name".into(), "Zoé".into())].into()), ..Request::default() };
//! while let Outcome::Fonts { files } = engine.set(document, &request)? {
//!     for name in files {
//!         let at = waraq_fonts::faces().iter().position(|face| face.file == name).unwrap();
//!         engine.add_font(name, waraq_fonts::files()[at].data.to_vec());
//!     }
//! }
//! assert!(!engine.drawing(document, 0).unwrap().is_empty());
//! # Ok::<(), waraq_docx::Error>(())
//! ```
//!
//! Limits and errors are those of `waraq_docx` and `waraq_layout` with the default budget, for example `too_complex`. A
//! page or picture that does not exist is `None`.

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
