//! The engine for the browser: a .docx file and values become pages that the browser draws, reads and fills.
//!
//! The crate uses the same layout code as the PDF (`waraq_docx`, `waraq_layout`), so both have equal pages, glyph for glyph. The
//! font files are not part of the crate: [`Engine::lay_out`] returns the names of missing files. The caller downloads them, adds
//! them ([`Engine::add_font`]) and calls [`Engine::lay_out`] again.
//!
//! # Main types and functions
//!
//! - [`Engine`] holds the open documents and the fonts that they share.
//! - [`drawing`] converts a page to numbers for a canvas.
//! - [`text`] returns the text of a page in reading order, for selection, search and screen readers.
//! - [`detect`], [`mark`] and [`find`] turn blanks and selected texts of a document into fields.
//! - [`derive()`] computes the values of derived fields while a form is filled in.
//! - `browser` has the same functions for JavaScript (WebAssembly only).
//!
//! # Limits and errors
//!
//! Limits and errors are those of `waraq_docx` and `waraq_layout` with the default budget, for example `too_complex`. A
//! page or picture that does not exist is `None`.
//!
//! # Example
//!
//! ```
//! use waraq_docx::build::{DocumentBuilder, paragraph};
//! use waraq_preview::{Engine, LayoutOutcome, LayoutRequest};
//!
//! let mut engine = Engine::default();
//! let document = engine.open(DocumentBuilder::new(&paragraph("Dear {{name}},")).to_bytes())?;
//! assert_eq!(engine.fields(document), ["name"]);
//! let values = [("name".into(), "Zoé".into())].into();
//! let request = LayoutRequest { values: Some(values), ..LayoutRequest::default() };
//! while let LayoutOutcome::Fonts { files } = engine.lay_out(document, &request)? {
//!     for name in files {
//!         let at = waraq_fonts::faces().iter().position(|face| face.file == name).unwrap();
//!         engine.add_font(name, waraq_fonts::files()[at].data.to_vec());
//!     }
//! }
//! assert!(!engine.drawing(document, 0).unwrap().is_empty());
//! # Ok::<(), waraq_docx::Error>(())
//! ```

#![warn(missing_docs)]

mod blanks;
#[cfg(target_arch = "wasm32")]
mod browser;
mod convert;
mod derived;
mod document;
pub mod drawing;
mod engine;
mod fonts;
pub mod text;

pub use blanks::{MarkReport, detect, find, mark};
pub use convert::convert;
pub use derived::{DeriveRequest, DeriveResponse, DerivedValue, derive};
pub use document::{LayoutOutcome, LayoutRequest, LinkDestination, PageSize, ValueArea};
pub use engine::{DocumentId, Engine};
