//! The error type of this crate: a stable code for programs and an English sentence for people.

use serde::Serialize;
use waraq_rules::ErrorCode;

/// The reason why a document or the values of its fields are refused. The meaning of a `code` never changes. The
/// frontend translates errors by their code.
///
/// Serialised as `{"code", "message"}`, with `"part"`, `"fields"`, `"suggestions"` and `"limit"` if they apply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Error {
    /// The code of the reason, for programs.
    pub code: ErrorCode,
    /// A message in English, in one sentence.
    pub message: String,
    /// The name of the package part that contains the error, such as `word/document.xml`. `None` if the error is not in
    /// a particular part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<String>,
    /// The names of the fields that caused the error. Empty if no field caused the error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The most similar existing name for each of `fields`, or `None` if no name is similar. Empty unless the code is
    /// `unknown_field`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Option<String>>,
    /// The limit that was exceeded, in the unit that the message names. `None` if the error is not about a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
}

impl Error {
    /// Creates an error without a part, fields or a limit.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), part: None, fields: Vec::new(), suggestions: Vec::new(), limit: None }
    }

    /// Creates an `internal` error: a bug of this program, not a fault of the document.
    pub fn internal(what: impl std::fmt::Display) -> Self {
        debug_assert!(false, "{what}");
        Self::new(ErrorCode::Internal, format!("The document cannot be worked on, by a fault of this program: {what}."))
    }

    /// Adds the name of the package part that contains the error.
    #[must_use]
    pub fn in_part(mut self, part: impl Into<String>) -> Self {
        self.part = Some(part.into());
        self
    }

    /// Adds the names of the fields that caused the error.
    #[must_use]
    pub fn with_fields(mut self, fields: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.fields = fields.into_iter().map(Into::into).collect();
        self
    }
}

impl From<waraq_rules::RuleViolation> for Error {
    fn from(refused: waraq_rules::RuleViolation) -> Self {
        let waraq_rules::RuleViolation { code, message, fields, suggestions, limit } = refused;
        Self { code, message, part: None, fields, suggestions, limit }
    }
}

/// The result of reading a document.
pub type Result<T> = std::result::Result<T, Error>;
