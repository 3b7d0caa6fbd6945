//! Responses that browsers and the CDN may keep (RFC 9111), and conditional requests (RFC 9110 §13).
//!
//! A response with the header `ETag` may be kept, and the client asks again with `If-None-Match`. If the tag is still the
//! same, the response has status 304 and no body.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::header::{ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use waraq_core::files::content_hash;

use super::{Error, Failure};

/// A JSON body that is the same for all callers who read the same language. Browsers and the CDN keep it for `max_age`.
#[derive(Debug)]
pub struct SharedJson<T> {
    pub body: T,
    pub max_age: Duration,
}

/// The tag of one version of a response, in quotation marks (RFC 9110 §8.8.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntityTag(String);

/// The header `If-None-Match`: the tags of the versions that the client has.
#[derive(Debug, Clone, Default)]
pub struct IfNoneMatch(Option<String>);

/// An empty response with status 304: the client has the current version of the response.
#[derive(Debug)]
pub struct NotModified(pub EntityTag);

impl EntityTag {
    /// Creates the tag of a response from everything on which the response depends.
    pub fn of_content(content: &[u8]) -> Self {
        Self(format!("\"{}\"", content_hash(content)))
    }

    /// Returns the headers with which the client may keep a response, but has to ask each time whether it has changed.
    pub fn revalidation_headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(VARY, HeaderValue::from_static("accept-language, authorization"));
        headers.extend(HeaderValue::from_str(&self.0).ok().map(|tag| (ETAG, tag)));
        headers
    }
}

impl IfNoneMatch {
    pub(super) fn from_headers(headers: &HeaderMap) -> Self {
        Self(headers.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok()).map(str::to_owned))
    }

    /// Returns whether the client has the version with this tag. Tags are compared without the sign of weak tags, `W/`
    /// (RFC 9110 §13.1.2).
    pub fn contains(&self, tag: &EntityTag) -> bool {
        self.contains_text(&tag.0)
    }

    fn contains_text(&self, tag: &str) -> bool {
        let strong = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
        let known = self.0.as_deref().unwrap_or_default();
        !tag.is_empty() && (known.trim() == "*" || known.split(',').any(|known| strong(known) == strong(tag)))
    }

    /// Removes the body of a response that the client already has, and sets the status 304.
    pub(super) fn apply(&self, response: &mut Response) {
        let tag = response.headers().get(ETAG).and_then(|tag| tag.to_str().ok()).unwrap_or_default();
        if response.status() == StatusCode::OK && self.contains_text(tag) {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            response.headers_mut().remove(CONTENT_TYPE);
            response.headers_mut().remove(CONTENT_LENGTH);
            *response.body_mut() = axum::body::Body::empty();
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for IfNoneMatch {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::from_headers(&parts.headers))
    }
}

impl<T: Serialize> IntoResponse for SharedJson<T> {
    fn into_response(self) -> Response {
        let body = match serde_json::to_vec(&self.body) {
            Ok(body) => body,
            Err(error) => return Failure(Error::internal(format!("an answer: {error}"))).into_response(),
        };
        let tag = EntityTag::of_content(&body).0;
        let cache = format!("public, max-age={}", self.max_age.as_secs());
        let headers = [
            (CONTENT_TYPE, "application/json".to_owned()),
            (CACHE_CONTROL, cache),
            (VARY, ACCEPT_LANGUAGE.to_string()),
            (ETAG, tag),
        ];
        (headers, body).into_response()
    }
}

impl IntoResponse for NotModified {
    fn into_response(self) -> Response {
        (StatusCode::NOT_MODIFIED, self.0.revalidation_headers()).into_response()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_in_a_list_also_if_they_are_weak() {
        let tag = EntityTag("\"a\"".to_owned());
        for (header, has) in [
            (Some("\"a\""), true),
            (Some("W/\"a\""), true),
            (Some("\"b\", W/\"a\" , \"c\""), true),
            (Some("*"), true),
            (Some("\"b\""), false),
            (Some("a"), false),
            (Some(""), false),
            (None, false),
        ] {
            assert_eq!(IfNoneMatch(header.map(str::to_owned)).contains(&tag), has, "{header:?}");
        }
    }
}
