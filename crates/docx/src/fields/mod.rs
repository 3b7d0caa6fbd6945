//! The fields of a template: finding, checking and filling.
//!
//! A field has one of these forms:
//! - `{{name}}` in the text of a paragraph, however Word splits the text into runs
//! - a picture whose complete alternative text is `{{name}}`
//! - a merge field (`MERGEFIELD`, a part of an `ADDRESSBLOCK` or `GREETINGLINE`, or the answer to a `FILLIN` or `ASK`)
//! - a content control with a tag: text, a date, a list or a check box
//!
//! [`list`] returns the fields in reading order, [`check()`] reports problems, and [`fill()`] replaces fields with
//! values. All other bytes of the document stay the same. [`convert_marks`] converts a template of
//! another program, such as docxtpl. [`detect_blanks`] finds the blanks of an ordinary document, and
//! [`mark_fields`] turns them into fields.
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
mod blanks;
mod bound_text;
mod check;
mod check_fields;
mod check_slots;
mod containers;
mod control_kind;
mod edits;
mod external;
mod field_codes;
mod fill;
mod fill_codes;
mod fill_controls;
mod fill_merge;
mod foreign;
mod form_fields;
mod mail_merge;
mod markup;
mod matching;
mod merge;
mod pictures;
mod retyping;
mod scan;
mod scanner;
mod sections;
mod stores;
mod surroundings;
mod template;
mod text_parts;
mod unsafe_links;
mod update;
pub(crate) mod value_marks;

pub use blanks::{
    Blank, BlankForm, Confidence, DetectedBlanks, FieldMark, FoundPlaces, MAX_BLANKS, MAX_MARKS, MAX_OTHER_PLACES,
    MarkChange, Marked, Place, Selection, SkipReason, SkippedMark, Unmarked, detect_blanks, find_places, mark_fields,
    unmark_fields,
};
pub use check::{TemplateCheck, check, check_with_types};
pub use control_kind::ControlInput;
pub use fill::{EmptyValue, FillOptions, fill};
pub use foreign::{Converted, RemainingMark, convert_marks};
pub use retyping::TextChange;
use serde::Serialize;
pub use surroundings::surroundings;
pub use template::{Template, ValuePlace};
pub use update::{FieldTexts, LaidOutResults, update_field_results};
pub use waraq_rules::field_settings::ValueKind;
pub use waraq_rules::name::{MAX_NAME_CHARACTERS, is_valid, normalize};
pub use waraq_rules::{
    DeclaredType, DeclaredTypes, Diagnostic, DiagnosticCode, ForeignMark, MAX_VALUE_CHARACTERS, MAX_VALUES_BYTES,
    Severity, Structure, TemplateProgram, Values,
};

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
    /// A section `{{#name}} … {{/name}}`: a list, or a yes/no field.
    Section,
    /// A picture whose complete alternative text is `{{name}}`. The name occurs nowhere else.
    Picture,
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
/// anchors), headers, footers. The columns of lists are not included.
///
/// # Errors
/// `malformed_xml` or `xml_too_deep` of a part with text, and the errors of the package's budget.
pub fn list(package: &Package) -> Result<Vec<Field>> {
    Ok(scan_types(package, &DeclaredTypes::new())?.fields)
}

/// Returns the types of the fields, in the order of [`list`]. A list contains its columns.
///
/// `declared` has the types that the author declares. The document suggests the types of all other fields: a section is a
/// list if it repeats rows of a table or an item of a list, or if it contains `{{.}}`. Every other section is a yes/no field.
///
/// # Errors
/// The errors of [`list`].
pub fn structure(package: &Package, declared: &DeclaredTypes) -> Result<Structure> {
    Ok(scan_types(package, declared)?.structure)
}

fn scan_types(package: &Package, declared: &DeclaredTypes) -> Result<sections::TemplateTypes> {
    let parts = text_parts::scan_with_fields(package)?;
    Ok(sections::template_types(&parts, &sections::find_sections(&parts), declared))
}
