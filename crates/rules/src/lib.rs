//! What the engine and the product both hold templates to: how fields may be called, which values a filling needs, what may
//! be found, and why anything is refused.
//!
//! Plain rules over plain text: no XML, no HTTP. The engine, `core` (the product's own logic) and the command line ask here, so
//! that all of them refuse the same things with the same codes.
//!
//! - [`name`]: how a field's name is normalised and which names there may be; [`Values`]: what is to be filled in, by name;
//! - [`ErrorCode`]: why a document or its values are refused; [`FindingCode`]: what is wrong with a document that is not;
//! - [`derivation`]: values that are made of others (an amount in words, a sum);
//! - [`help`]: what a form shows of a field: its label, a hint, its kind.
//!
//! ```
//! use waraq_rules::{ErrorCode, Values};
//!
//! let values = Values::from_pairs([("Nom du  client", "Zoé"), ("Dat", "")]).unwrap();
//! let refused = values.check(&["Nom du client", "Date"]).unwrap_err();
//! assert_eq!(refused.code, ErrorCode::UnknownField);
//! assert_eq!((refused.fields, refused.suggestions), (vec!["Dat".to_owned()], vec![Some("Date".to_owned())]));
//! ```

pub mod derivation;
mod error;
mod finding;
pub mod help;
pub mod name;
mod values;

pub use error::{ErrorCode, ErrorKind};
pub use finding::{Finding, FindingCode, Severity};
pub use values::{
    MAX_FIELDS, MAX_VALUE_CHARACTERS, MAX_VALUES_BYTES, Refused, Values, check_count, check_known, is_empty,
    is_xml_character,
};
