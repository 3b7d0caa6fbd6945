//! The error type of all crates and of the API: a stable code for machines and an English message for people.

use serde::Serialize;
use waraq_rules::{Diagnostic, ErrorCode, ErrorKind};

pub type Result<T> = std::result::Result<T, Error>;

/// Details of an error. The JSON form of the details is part of the API. Details that do not apply are left out of the JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetails {
    /// The names of the fields (of the request or of the template) that caused the error.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// For each entry of `fields`, the nearest existing name, or null if no name is near. Present only for unknown fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Option<String>>,
    /// The limit that was exceeded, in the unit that the message names. `None` for errors that are not about a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Seconds to wait before trying again. The Retry-After header has the same value. `None` if no wait is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// All diagnostics of a template file that was refused. Empty for other errors.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Diagnostic>,
    /// The id of the account whose address must be verified before the user can log in. `None` for other errors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Error {
    pub code: ErrorCode,
    /// The message in English. For [`ErrorKind::Internal`] and [`ErrorKind::Unavailable`] it does not contain the cause; see
    /// `cause`.
    pub message: String,
    pub details: Box<ErrorDetails>,
    /// The cause of the error. It is logged, but not sent to the client. `None` if no cause is recorded.
    pub cause: Option<String>,
}

impl Error {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Box::default(), cause: None }
    }

    pub fn kind(&self) -> ErrorKind {
        self.code.kind()
    }

    pub fn forbidden() -> Self {
        Self::new(ErrorCode::Forbidden, "Your account may not do this.")
    }

    /// Creates the error for a request that requires a signed-in user.
    pub fn unauthenticated() -> Self {
        Self::new(ErrorCode::LoginRequired, "Please log in.")
    }

    /// Creates an error that asks the client to try again after `retry_after` seconds.
    pub fn too_many(code: ErrorCode, message: impl Into<String>, retry_after: u64) -> Self {
        let mut error = Self::new(code, message);
        error.details.retry_after = Some(retry_after);
        error
    }

    /// Creates the error for a failure of another system. `cause` is logged, but not sent to the client.
    pub fn unavailable(cause: impl Into<String>) -> Self {
        let message = "The service is temporarily unavailable. Please try again.";
        let mut error = Self::too_many(ErrorCode::Unavailable, message, 1);
        error.cause = Some(cause.into());
        error
    }

    /// Creates the error for a bug or an inconsistent state. `cause` is logged, but not sent to the client.
    pub fn internal(cause: impl Into<String>) -> Self {
        let mut error = Self::new(ErrorCode::Internal, "Something went wrong on our side.");
        error.cause = Some(cause.into());
        error
    }

    pub fn with_fields(mut self, fields: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.details.fields = fields.into_iter().map(Into::into).collect();
        self
    }

    pub fn with_limit(mut self, limit: u64) -> Self {
        self.details.limit = Some(limit);
        self
    }

    pub fn with_findings(mut self, findings: Vec<Diagnostic>) -> Self {
        self.details.findings = findings;
        self
    }
}

impl From<waraq_rules::RuleViolation> for Error {
    fn from(refused: waraq_rules::RuleViolation) -> Self {
        let waraq_rules::RuleViolation { code, message, fields, suggestions, limit } = refused;
        let mut error = Self::new(code, message).with_fields(fields);
        error.details.suggestions = suggestions;
        error.details.limit = limit.and_then(|limit| u64::try_from(limit).ok());
        error
    }
}
