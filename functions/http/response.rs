//! Response types. They are sent with `Cache-Control: no-store`, because they may depend on the caller. Responses that
//! may be kept are in [`super::caching`].

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use waraq_core::ErrorDetails;

use super::Error;
use crate::wire::ErrorBody;

/// A JSON body, extracted from a request or sent with status 200.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// A JSON response with status 201.
#[derive(Debug)]
pub struct Created<T>(pub T);

/// A JSON response with status 201 if a resource was created (`new`), else 200.
#[derive(Debug)]
pub struct CreatedOrUpdated<T> {
    pub new: bool,
    pub body: T,
}

/// An empty response with status 204.
#[derive(Debug)]
pub struct NoContent;

impl IntoResponse for NoContent {
    fn into_response(self) -> Response {
        (StatusCode::NO_CONTENT, [(CACHE_CONTROL, "no-store")]).into_response()
    }
}

impl<T: Serialize> IntoResponse for CreatedOrUpdated<T> {
    fn into_response(self) -> Response {
        if self.new { Created(self.body).into_response() } else { Json(self.body).into_response() }
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        // A value that cannot be serialised is a bug of the server.
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

/// An error as a response.
#[derive(Debug)]
pub struct Failure(pub Error);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self(error)
    }
}

/// The error behind a response, kept in the response's extensions for the log.
#[derive(Debug, Clone)]
pub(super) struct LoggedError(pub Arc<Error>);

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
        response.extensions_mut().insert(LoggedError(Arc::new(error)));
        response
    }
}
