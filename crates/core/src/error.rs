//! The one error that crosses every boundary: a stable code for machines, an English sentence for people.

use serde::Serialize;
use waraq_rules::{ErrorCode, ErrorKind, Finding};

pub type Result<T> = std::result::Result<T, Error>;

/// What else is known about a failure; each is there only where it says something. Its JSON is part of the wire.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ErrorDetails {
    /// The fields (of the request or of the template) it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// For each of `fields` the nearest real name or null, where they are not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Option<String>>,
    /// The limit that was passed, in the unit the message names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Seconds after which trying again makes sense; also in the header Retry-After.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    /// Every finding of a refused upload.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// The account a login has to verify first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Error {
    pub code: ErrorCode,
    /// English. For [`ErrorKind::Internal`] and [`ErrorKind::Unavailable`] it names no cause: that is in `cause`.
    pub message: String,
    pub details: Box<ErrorDetails>,
    /// For the log only.
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

    /// The request needs somebody signed in.
    pub fn unauthenticated() -> Self {
        Self::new(ErrorCode::LoginRequired, "Please log in.")
    }

    /// Try again in `retry_after` seconds.
    pub fn too_many(code: ErrorCode, message: impl Into<String>, retry_after: u64) -> Self {
        let mut error = Self::new(code, message);
        error.details.retry_after = Some(retry_after);
        error
    }

    /// Another system failed. `cause` is logged, not sent.
    pub fn unavailable(cause: impl Into<String>) -> Self {
        let message = "This cannot be done just now. Please try again.";
        let mut error = Self::too_many(ErrorCode::Unavailable, message, 1);
        error.cause = Some(cause.into());
        error
    }

    /// Something that should not be. `cause` is logged, not sent.
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

    pub fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        self.details.findings = findings;
        self
    }
}

impl From<waraq_rules::Refused> for Error {
    fn from(refused: waraq_rules::Refused) -> Self {
        let waraq_rules::Refused { code, message, fields, suggestions, limit } = refused;
        let mut error = Self::new(code, message).with_fields(fields);
        error.details.suggestions = suggestions;
        error.details.limit = limit.and_then(|limit| u64::try_from(limit).ok());
        error
    }
}
