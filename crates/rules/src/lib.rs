//! What the engine and the product both hold templates to: how fields may be called, which values a filling needs, what may
//! be found, and why anything is refused.
//!
//! Plain rules over plain text: no XML, no HTTP. The engine, `core` and the command line ask here, so that all of them
//! refuse the same things with the same codes.
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
