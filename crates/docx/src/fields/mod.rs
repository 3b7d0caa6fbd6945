//! The fields of a template: found, checked, filled.
//!
//! A field is `{{name}}` in a paragraph's text, however Word cut that text into runs; a merge field (`MERGEFIELD`); or a
//! plain-text content control with a tag. [`list`] names them in reading order, [`check`] says what is wrong with them,
//! [`fill`] puts values in their places and leaves every other byte of the document as it was.
//!
//! ```no_run
//! use waraq_docx::{Package, fields};
//!
//! # fn main() -> waraq_docx::Result<()> {
//! let package = Package::open(&std::fs::read("letter.docx").unwrap_or_default())?;
//! for field in fields::list(&package)? {
//!     println!("{}", field.name);
//! }
//! let values = fields::Values::from_pairs([("Nom du client", "Zoé & fils")])?;
//! let filled: Vec<u8> = fields::fill(&package, &values, fields::FillOptions::default())?.to_bytes()?;
//! # Ok(())
//! # }
//! ```

mod bidi;
mod check;
mod edits;
mod external;
mod fill;
pub(crate) mod marks;
mod markup;
mod matching;
mod renew;
mod scan;
mod scanner;
mod stories;
mod surroundings;

pub use check::{Checked, check};
pub use fill::{EmptyValue, FillOptions, Template, fill};
pub use renew::renew;
use serde::Serialize;
pub use surroundings::surroundings;
pub use waraq_rules::name::{MAX_NAME_CHARACTERS, is_valid, normalize};
pub use waraq_rules::{Finding, FindingCode, MAX_VALUE_CHARACTERS, MAX_VALUES_BYTES, Severity, Values};

use crate::{Package, Result};

/// What a field is in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// `{{name}}`
    Text,
    /// `MERGEFIELD name`
    Merge,
    /// A plain-text content control whose tag is the name.
    Control,
}

/// A field of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    /// As [`normalize`] makes it.
    pub name: String,
    /// Of its first occurrence.
    pub kind: FieldKind,
    /// How often it occurs; what is written twice for old and new readers counts once.
    pub occurrences: usize,
}

/// The document's fields, each once, in order of their first occurrence: body (notes and text boxes at their anchors),
/// headers, footers.
///
/// # Errors
/// `malformed_xml`, `xml_too_deep` of a part that holds text.
pub fn list(package: &Package) -> Result<Vec<Field>> {
    Ok(stories::fields(&stories::read(package)?))
}
