//! What goes back. Nobody may keep it: an answer may hang on who asks.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use waraq_core::ErrorDetails;

use super::Error;
use crate::wire::ErrorBody;

/// A body in JSON: taken from a request, or sent with status 200.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// 201 with JSON.
#[derive(Debug)]
pub struct Created<T>(pub T);

/// 200 with JSON, or 201 where something was made that was not there before.
#[derive(Debug)]
pub struct Saved<T> {
    pub new: bool,
    pub body: T,
}

/// 204: done, and nothing to say.
#[derive(Debug)]
pub struct Done;

impl IntoResponse for Done {
    fn into_response(self) -> Response {
        (StatusCode::NO_CONTENT, [(CACHE_CONTROL, "no-store")]).into_response()
    }
}

impl<T: Serialize> IntoResponse for Saved<T> {
    fn into_response(self) -> Response {
        if self.new { Created(self.body).into_response() } else { Json(self.body).into_response() }
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        // What cannot be written as JSON is our fault.
        let body = serde_json::to_vec(&self.0).map_err(|error| Error::internal(format!("an answer: {error}")));
        let headers = [(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")];
        body.map(|body| (headers, body)).map_err(Failure).into_response()
    }
}

impl<T: Serialize> IntoResponse for Created<T> {
    fn into_response(self) -> Response {
        let mut response = Json(self.0).into_response();
        if response.status() == StatusCode::OK {
            *response.status_mut() = StatusCode::CREATED;
        }
        response
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

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let Self(error) = self;
        let details = Some(&*error.details).filter(|details| **details != ErrorDetails::default()).cloned();
        let body = ErrorBody { code: error.code, message: error.message.clone(), details };
        let status = StatusCode::from_u16(error.kind().status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(body)).into_response();
        if let Some(seconds) = error.details.retry_after {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(Failed(Arc::new(error)));
        response
    }
}
