//! The one error of this crate: a stable code for machines, an English sentence for people.

use serde::Serialize;
use waraq_rules::ErrorCode;

/// Why a document or its values are refused. `code` never changes its meaning; the frontend translates by it.
///
/// Serialised as `{"code", "message"}` and, where there is more to say, `"part"`, `"fields"` and `"suggestions"`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Error {
    pub code: ErrorCode,
    pub message: String,
    /// The part of the package it is in: `word/document.xml`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The names of the fields it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// For each of `fields` the nearest name the document has (`unknown_field` only).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Option<String>>,
    /// What was passed, in the unit the message names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

impl Error {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), part: None, fields: Vec::new(), suggestions: Vec::new(), limit: None }
    }

    /// What cannot be: a fault of ours, not of the document (`internal`).
    pub fn internal(what: impl std::fmt::Display) -> Self {
        debug_assert!(false, "{what}");
        Self::new(ErrorCode::Internal, format!("The document cannot be worked on, by a fault of this program: {what}."))
    }

    /// Names the part the error is in.
    #[must_use]
    pub fn in_part(mut self, part: impl Into<String>) -> Self {
        self.part = Some(part.into());
        self
    }

    /// Names the fields the error is about.
    #[must_use]
    pub fn about(mut self, fields: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.fields = fields.into_iter().map(Into::into).collect();
        self
    }
}

impl From<waraq_rules::Refused> for Error {
    fn from(refused: waraq_rules::Refused) -> Self {
        let waraq_rules::Refused { code, message, fields, suggestions, limit } = refused;
        Self { code, message, part: None, fields, suggestions, limit }
    }
}

pub type Result<T> = std::result::Result<T, Error>;
