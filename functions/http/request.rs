//! Extractors for the body, the path, the query and the headers of a request. They wrap axum's extractors, check size
//! limits first, and refuse requests with error codes.

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, RawPathParams, Request};
use http::StatusCode;
use http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE};
use http::request::Parts;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;
use waraq_core::InterfaceLanguage;

use super::{Error, ErrorCode, Failure, Json};

/// Limit on a body in bytes. A Lambda event has at most 6 MB (6,291,456 bytes), which must hold the headers and the
/// form in base64 (a third longer).
pub const LARGEST_BODY_BYTES: usize = 4_700_000;
/// Limit on a JSON body in bytes. That is enough for all texts of a document with every letter escaped, or for 3 MB of
/// pictures in base64.
const LARGEST_JSON_BYTES: usize = 4_000_000;
/// Limit on a query string in bytes. That is enough for fifty categories and a title, percent-encoded.
const LONGEST_QUERY: usize = 8_000;
/// Limit on an id in bytes. A hash has 64 digits.
pub const LONGEST_ID: usize = 64;
/// Limit on an Idempotency-Key in characters.
const LONGEST_KEY: usize = 200;

/// Returns the error for a body that could not be read: too large, or damaged in transit.
pub(super) fn unreadable_body(status: StatusCode) -> Failure {
    if status == StatusCode::PAYLOAD_TOO_LARGE {
        return too_large(LARGEST_BODY_BYTES);
    }
    Error::new(ErrorCode::InvalidBody, "The request body is incomplete.").into()
}

fn too_large(limit: usize) -> Failure {
    let message = format!("This request has at most {} MB.", limit as f64 / 1_000_000.0);
    Error::new(ErrorCode::RequestTooLarge, message).with_limit(limit as u64).into()
}

pub(super) fn content_type(request: &Request) -> String {
    let value = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().to_ascii_lowercase()
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        if !content_type(&request).starts_with("application/json") {
            let message = "The body must be JSON (Content-Type: application/json).";
            return Err(Error::new(ErrorCode::JsonExpected, message).into());
        }
        let body =
            Bytes::from_request(request, state).await.map_err(|rejection| unreadable_body(rejection.status()))?;
        if body.len() > LARGEST_JSON_BYTES {
            return Err(too_large(LARGEST_JSON_BYTES));
        }
        let invalid =
            |why: &str| Failure(Error::new(ErrorCode::InvalidBody, format!("The request body is invalid: {why}.")));
        // serde's derived structs also accept an array with their fields in order.
        if !body.trim_ascii_start().starts_with(b"{") {
            return Err(invalid("it is no object"));
        }
        serde_json::from_slice(&body).map(Json).map_err(|error| invalid(&error.to_string()))
    }
}

/// The parameters of the query string, deserialised into `T`.
#[derive(Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let invalid = |message: String| Failure(Error::new(ErrorCode::InvalidQuery, message));
        if parts.uri.query().is_some_and(|query| query.len() > LONGEST_QUERY) {
            return Err(invalid(format!("A query has at most {LONGEST_QUERY} bytes.")));
        }
        let query = axum::extract::Query::try_from_uri(&parts.uri);
        let query = query.map_err(|rejection| invalid(format!("The query is invalid: {rejection}.")));
        Ok(Self(query?.0))
    }
}

/// The `{…}` parameters of the route's path: a `String` for one, a tuple for several.
#[derive(Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let invalid = || {
            let message = format!("An id has at most {LONGEST_ID} bytes of UTF-8.");
            Failure(Error::new(ErrorCode::InvalidId, message).with_limit(LONGEST_ID as u64))
        };
        let raw = RawPathParams::from_request_parts(parts, state).await.map_err(|_| invalid())?;
        if raw.iter().any(|(_, value)| value.len() > LONGEST_ID) {
            return Err(invalid());
        }
        let path = axum::extract::Path::from_request_parts(parts, state).await;
        Ok(Self(path.map_err(|_| invalid())?.0))
    }
}

/// The header `Idempotency-Key`: the client's key for a call, or `None`. A repeated call with the same key has no
/// further effect and gets the same response.
#[derive(Debug, Clone)]
pub struct IdempotencyKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let Some(value) = parts.headers.get("idempotency-key") else { return Ok(Self(None)) };
        match value.to_str() {
            Ok(key) if (1..=LONGEST_KEY).contains(&key.len()) => Ok(Self(Some(key.to_owned()))),
            _ => {
                let message = format!("Idempotency-Key must be 1 to {LONGEST_KEY} visible ASCII characters.");
                Err(Error::new(ErrorCode::InvalidIdempotencyKey, message).into())
            }
        }
    }
}

/// The interface language that matches the Accept-Language header best, or English if none matches.
#[derive(Debug, Clone, Copy)]
pub struct AcceptedLanguage(pub InterfaceLanguage);

impl<S: Send + Sync> FromRequestParts<S> for AcceptedLanguage {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let header = parts.headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Ok(Self(InterfaceLanguage::preferred(header.unwrap_or_default())))
    }
}

/// The language of names in the response: the query parameter `lang`. If `lang` is missing, it is the language that
/// matches Accept-Language best, or English if none matches.
#[derive(Debug, Clone, Copy)]
pub struct NamesLanguage(pub InterfaceLanguage);

/// The query parameters of [`NamesLanguage`].
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct NamesQuery {
    /// The language of names in the response: `en`, `fr` or `ar`. The default is taken from Accept-Language.
    pub lang: Option<String>,
}

impl<S: Send + Sync> FromRequestParts<S> for NamesLanguage {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let Query(query) = Query::<NamesQuery>::from_request_parts(parts, state).await?;
        let Some(code) = query.lang.filter(|code| !code.is_empty()) else {
            return Ok(NamesLanguage(AcceptedLanguage::from_request_parts(parts, state).await?.0));
        };
        let language = InterfaceLanguage::from_code(&code);
        language.map(NamesLanguage).ok_or_else(|| {
            Error::new(ErrorCode::UnknownLanguage, "lang must be en, fr or ar.").with_fields(["lang"]).into()
        })
    }
}
