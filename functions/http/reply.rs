//! What goes back.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;

use super::{Error, Json};

/// An answer, ready to be sent.
#[derive(Debug, Clone)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Bytes,
    /// The error it tells of, for the log.
    pub failure: Option<Box<Error>>,
}

impl Reply {
    /// `value` as JSON. What cannot be written as JSON is our fault: a 500.
    pub fn json(status: u16, value: &impl Serialize) -> Self {
        match serde_json::to_vec(value) {
            Ok(body) => {
                let mut reply = Self::bytes(status, "application/json", body);
                // An answer may hang on who asks; only what names its content by hash may be kept.
                reply.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
                reply
            }
            Err(error) => Self::from(Error::internal(format!("an answer cannot be written as JSON: {error}"))),
        }
    }

    pub fn bytes(status: u16, content_type: &'static str, body: impl Into<Bytes>) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        Self { status, headers, body: body.into(), failure: None }
    }

    /// A value that cannot be a header is left out.
    pub fn set_header(&mut self, name: &'static str, value: &str) {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
    }
}

#[derive(Serialize)]
struct ErrorOnTheWire<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a waraq_core::Details>,
}

impl From<Error> for Reply {
    fn from(error: Error) -> Self {
        let details = (*error.details != waraq_core::Details::default()).then_some(&*error.details);
        let body = ErrorOnTheWire { code: &error.code, message: &error.message, details };
        // Strings and numbers only: this cannot fail, and an empty body would still carry the status.
        let bytes = serde_json::to_vec(&body).unwrap_or_default();
        let mut reply = Self::bytes(error.kind.status(), "application/json", bytes);
        reply.headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(seconds) = error.details.retry_after {
            reply.headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        reply.failure = Some(Box::new(error));
        reply
    }
}

impl<T: Serialize> From<Json<T>> for Reply {
    fn from(Json(value): Json<T>) -> Self {
        Self::json(200, &value)
    }
}

/// 201 with JSON.
#[derive(Debug)]
pub struct Created<T>(pub T);

impl<T: Serialize> From<Created<T>> for Reply {
    fn from(Created(value): Created<T>) -> Self {
        Self::json(201, &value)
    }
}
