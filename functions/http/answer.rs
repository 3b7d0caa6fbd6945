//! What goes back.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde::Serialize;

use super::Error;

/// A body in JSON: taken from a request, or sent with status 200.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// 201 with JSON.
#[derive(Debug)]
pub struct Created<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        json(StatusCode::OK, &self.0)
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        json(StatusCode::CREATED, &self.0)
    }
}

/// `value` as JSON, which nobody may keep: an answer may hang on who asks. What cannot be written as JSON is our fault: a 500.
fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(body) => (status, [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], body).into_response(),
        Err(error) => Failure(Error::internal(format!("an answer cannot be written as JSON: {error}"))).into_response(),
    }
}

/// An error as the answer to a request.
#[derive(Debug)]
pub struct Failure(pub Error);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

/// The error an answer tells of, beside it: for the log.
#[derive(Debug, Clone)]
pub(super) struct Failed(pub Arc<Error>);

#[derive(Serialize)]
struct ErrorOnTheWire<'a> {
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<&'a waraq_core::Details>,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Self(error) = self;
        let details = (*error.details != waraq_core::Details::default()).then_some(&*error.details);
        let body = ErrorOnTheWire { code: &error.code, message: &error.message, details };
        // Strings and numbers only: this cannot fail, and an empty body would still carry the status.
        let body = serde_json::to_vec(&body).unwrap_or_default();
        let status = StatusCode::from_u16(error.kind.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
        let mut response = (status, headers, body).into_response();
        if let Some(seconds) = error.details.retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Failed(Arc::new(error)));
        response
    }
}
