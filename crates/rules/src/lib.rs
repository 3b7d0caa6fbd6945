//! The rules for templates that the engine and `waraq_core` share: valid field names, required values, derived values, field
//! settings, and all error and diagnostic codes.
//!
//! The crate works on plain text and knows neither XML nor HTTP. The engine, `waraq_core` (the logic of the product), the
//! command line and the browser use it. All of them therefore refuse the same input with the same codes.
//!
//! # Main types and modules
//!
//! - [`name`] normalises and checks field names.
//! - [`Values`] contains the values of a document, by field name, and checks them.
//! - [`ErrorCode`] is the reason why a document, its values or a request are refused.
//! - [`Diagnostic`] is a diagnostic about a document, and [`DiagnosticCode`] its code.
//! - [`derivation`] derives values from others: an amount in words, a date in words, a sum.
//! - [`field_settings`] contains the settings of a field in the form: its label, hint, kind and others.
//!
//! # Limits and errors
//!
//! A template has at most [`MAX_FIELDS`] fields. A value has at most [`MAX_VALUE_CHARACTERS`] characters, and all names
//! and values together have at most [`MAX_VALUES_BYTES`] bytes. A violation is a [`RuleViolation`] error with one code
//! and the names of all fields to which the code applies.
//!
//! # Example
//!
//! ```
//! use waraq_rules::{ErrorCode, Values};
//!
//! let values = Values::from_pairs([("Nom du  client", "Zoé"), ("Dat", "")]).unwrap();
//! let refused = values.check(&["Nom du client", "Date"]).unwrap_err();
//! assert_eq!(refused.code, ErrorCode::UnknownField);
//! assert_eq!((refused.fields, refused.suggestions), (vec!["Dat".to_owned()], vec![Some("Date".to_owned())]));
//! ```

#![warn(missing_docs)]

pub mod derivation;
mod diagnostic;
mod error;
pub mod field_settings;
pub mod format;
mod json_values;
pub mod name;
mod picture_size;
mod structure;
mod value;
mod values;
mod yes_no;

pub use diagnostic::{Diagnostic, DiagnosticCode, ForeignMark, Severity, TemplateProgram};
pub use error::{ErrorCode, ErrorKind};
pub use json_values::{ENTRY_COLUMN, ValueText, value_from_json};
pub use picture_size::{MaxPictureSize, PictureSize, PictureSizes, path_without_rows};
pub use structure::{DeclaredType, DeclaredTypes, FieldType, Structure, StructuredField};
pub use value::{Picture, PictureFormat, Row, Value};
pub use values::{
    MAX_FIELDS, MAX_LIST_DEPTH, MAX_LIST_ROWS, MAX_PICTURE_BYTES, MAX_ROWS, MAX_VALUE_CHARACTERS, MAX_VALUES_BYTES,
    RuleViolation, Values, check_count, check_names, is_empty, is_xml_character,
};
pub use yes_no::{parse_yes_no, yes_no_words};
