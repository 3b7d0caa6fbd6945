//! The one error that crosses every boundary: a stable code for machines, an English sentence for people.

use serde::Serialize;

use waraq_rules::Finding;

pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure it is; it decides the status a caller sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The request says something that cannot be.
    Invalid,
    /// Nobody is signed in, or the proof of it does not hold.
    Unauthenticated,
    /// Somebody is signed in who may not.
    Forbidden,
    NotFound,
    MethodNotAllowed,
    /// It contradicts what is stored.
    Conflict,
    TooLarge,
    /// Well-formed, but the document inside is refused.
    Refused,
    /// Too often; [`Details::retry_after`] says when again.
    TooMany,
    /// Not now: another system did not answer, or writers keep colliding.
    Unavailable,
    /// Our fault. The cause is logged, never sent.
    Internal,
}

impl Kind {
    /// The HTTP status it is answered with.
    pub fn status(self) -> u16 {
        match self {
            Kind::Invalid => 400,
            Kind::Unauthenticated => 401,
            Kind::Forbidden => 403,
            Kind::NotFound => 404,
            Kind::MethodNotAllowed => 405,
            Kind::Conflict => 409,
            Kind::TooLarge => 413,
            Kind::Refused => 422,
            Kind::TooMany => 429,
            Kind::Unavailable => 503,
            Kind::Internal => 500,
        }
    }
}

/// What else is known; each only where it says something. Its JSON is part of the wire.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// For each of `fields` the nearest real name, where they are not known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// Seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Error {
    pub kind: Kind,
    /// Never changes its meaning; the frontend translates by it.
    pub code: String,
    /// English. For [`Kind::Internal`] and [`Kind::Unavailable`] it names no cause: that is in `cause`.
    pub message: String,
    pub details: Box<Details>,
    /// For the log only.
    pub cause: Option<String>,
}

impl Error {
    pub fn new(kind: Kind, code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { kind, code: code.into(), message: message.into(), details: Box::default(), cause: None }
    }

    pub fn invalid(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Kind::Invalid, code, message)
    }

    pub fn not_found(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(Kind::NotFound, code, message)
    }

    pub fn forbidden() -> Self {
        Self::new(Kind::Forbidden, "forbidden", "Your account may not do this.")
    }

    /// The request needs somebody signed in, or the token it carries does not hold (any more).
    pub fn unauthenticated() -> Self {
        Self::new(Kind::Unauthenticated, "login_required", "Please log in.")
    }

    /// Try again in `retry_after` seconds.
    pub fn too_many(code: impl Into<String>, message: impl Into<String>, retry_after: u64) -> Self {
        let mut error = Self::new(Kind::TooMany, code, message);
        error.details.retry_after = Some(retry_after);
        error
    }

    /// Another system failed. `cause` is logged, not sent.
    pub fn unavailable(cause: impl Into<String>) -> Self {
        let mut error = Self::new(Kind::Unavailable, "unavailable", "This cannot be done just now. Please try again.");
        error.cause = Some(cause.into());
        error.details.retry_after = Some(1);
        error
    }

    /// Something that should not be. `cause` is logged, not sent.
    pub fn internal(cause: impl Into<String>) -> Self {
        let mut error = Self::new(Kind::Internal, "internal", "Something went wrong on our side.");
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
        let mut error = Self::invalid(code.as_str(), message).with_fields(fields);
        error.details.suggestions = suggestions;
        error.details.limit = limit.and_then(|limit| u64::try_from(limit).ok());
        error
    }
}
