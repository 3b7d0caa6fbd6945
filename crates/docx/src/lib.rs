//! Word documents (ECMA-376, WordprocessingML) in memory: opening, filling of templates, and reading into a document
//! tree.
//!
//! The crate works on bytes; it does not use the file system, the network or the clock. The usual order is
//! [`Package::open`], [`fields::fill`], [`read()`]. The layout then uses the [`tree::Document`].
//!
//! # Main types and functions
//!
//! - [`Package`] opens a `.docx` and saves it again.
//! - [`fields`] finds, checks and fills the fields of a template.
//! - [`tree`] is the document tree for the layout: styles are resolved, numbering is counted, units are points. It
//!   contains no XML, but some enumerations can be parsed from the values in files. [`read()`] creates it.
//! - [`Budget`] limits the work and memory of one document, and can cancel the work. The [`Meter`] of a [`Package`]
//!   counts its work and memory. [`CountedMemory`] is memory that is counted until it is dropped.
//! - [`inspect()`] returns properties, settings, comments and other data of a document.
//!
//! # Limits and errors
//!
//! Broken, encrypted or hostile documents are refused with an [`Error`], whose code gives the reason. The limits of a
//! package are in [`package::limits`]. Content that cannot be displayed gives a diagnostic in
//! [`tree::Document::warnings`] instead of an error.
//!
//! # Example
//!
//! ```
//! use waraq_docx::build::{DocumentBuilder, paragraph};
//! use waraq_docx::fields::{self, FillOptions, Values};
//! use waraq_docx::{Package, ReadOptions, read};
//!
//! # fn main() -> waraq_docx::Result<()> {
//! // The `build` feature creates small documents for tests.
//! let bytes = DocumentBuilder::new(&paragraph("Dear {{name}},")).to_bytes();
//! let package = Package::open(&bytes)?;
//! assert_eq!(fields::list(&package)?[0].name, "name");
//!
//! let values = Values::from_pairs([("name", "Zoé")])?;
//! let filled = fields::fill(&package, &values, FillOptions::default())?;
//! let document = read(&filled, &ReadOptions::default())?;
//! assert_eq!(document.sections.len(), 1);
//! assert!(!filled.to_bytes()?.is_empty());
//! # Ok(())
//! # }
//! ```

#![warn(missing_docs)]

#[cfg(feature = "build")]
pub mod build;
pub mod fields;
pub mod inspect;
pub mod package;
pub mod read;
pub mod tree;

pub use inspect::inspect;
pub use package::Package;
pub use read::{ReadOptions, TrackedChanges, read};
pub use waraq_graphics::{Budget, CountedMemory, Error, Meter, Result};
