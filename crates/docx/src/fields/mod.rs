//! The fields of a template: finding, checking and filling.
//!
//! A field has one of three forms:
//! - `{{name}}` in the text of a paragraph, however Word splits the text into runs
//! - a merge field (`MERGEFIELD`, a part of an `ADDRESSBLOCK` or `GREETINGLINE`, or the answer to a `FILLIN` or `ASK`)
//! - a content control with a tag: text, a date, a list or a check box
//!
//! [`list`] returns the fields in reading order, [`check()`] reports problems, and [`fill()`] replaces fields with
//! values. All other bytes of the document stay the same.
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

mod attributes;
mod bidi;
mod blank_lines;
mod bound_text;
mod check;
mod check_fields;
mod check_slots;
mod control_kind;
mod edits;
mod external;
mod field_codes;
mod fill;
mod fill_codes;
mod fill_controls;
mod fill_merge;
mod mail_merge;
mod markup;
mod matching;
mod merge;
mod scan;
mod scanner;
mod stores;
mod surroundings;
mod text_parts;
mod update;
pub(crate) mod value_marks;

pub use check::{TemplateCheck, check};
pub use control_kind::ControlInput;
pub use fill::{EmptyValue, FillOptions, Template, fill};
use serde::Serialize;
pub use surroundings::surroundings;
pub use update::{FieldTexts, LaidOutResults, update_field_results};
pub use waraq_rules::name::{MAX_NAME_CHARACTERS, is_valid, normalize};
pub use waraq_rules::{Diagnostic, DiagnosticCode, MAX_VALUE_CHARACTERS, MAX_VALUES_BYTES, Severity, Values};

use crate::{Package, Result};

/// The form of a field in the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldKind {
    /// Text of the form `{{name}}`.
    Text,
    /// A merge field `MERGEFIELD name`, a part of an address block or greeting, or the answer to a prompt (FILLIN, ASK).
    Merge,
    /// A content control whose tag is the name.
    Control,
}

/// A field of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Field {
    /// The name, normalized by [`normalize`].
    pub name: String,
    /// The kind of the first occurrence.
    pub kind: FieldKind,
    /// The number of occurrences. An occurrence in an `mc:Choice` and its copy in the `mc:Fallback` count once.
    pub occurrences: usize,
    /// The input that the first content control of the field asks for. `None`: the field is in no content control, or
    /// the control accepts any text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<ControlInput>,
}

/// Returns each field of the document once, in the order of first occurrence: body (with notes and text boxes at their
/// anchors), headers, footers.
///
/// # Errors
/// `malformed_xml` or `xml_too_deep` of a part with text, and the errors of the package's budget.
pub fn list(package: &Package) -> Result<Vec<Field>> {
    Ok(text_parts::fields_in_reading_order(&text_parts::scan_with_fields(package)?))
}
