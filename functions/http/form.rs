//! multipart/form-data bodies, as browsers send forms with files.

use std::collections::HashMap;

use axum::body::Bytes;
use axum::extract::{FromRequest, Multipart, Request};
use serde::de::DeserializeOwned;

use super::request::{content_type, unreadable_body};
use super::{Error, ErrorCode, Failure, Json};

/// A complete form: its parts by name. A repeated name is refused.
#[derive(Debug)]
pub struct Form(HashMap<String, Bytes>);

/// Limit on the number of parts. Every form of the API has fewer parts. The limit stops bodies of thousands of empty
/// parts.
const MOST_PARTS: usize = 32;
/// Limit on a text part in bytes. The longest legal text is 20 categories of 60 characters.
const LONGEST_TEXT: usize = 20_000;

impl Form {
    /// Returns the text of a part, or `None` if the form has no such part. Text that is not UTF-8 or over the limit is
    /// an error.
    pub fn text_part(&self, name: &str) -> Result<Option<String>, Error> {
        let Some(part) = self.file_part(name) else { return Ok(None) };
        let refused = |message: String| Error::new(ErrorCode::InvalidBody, message).with_fields([name]);
        if part.len() > LONGEST_TEXT {
            return Err(refused(format!("{name} has at most {LONGEST_TEXT} bytes.")).with_limit(LONGEST_TEXT as u64));
        }
        match std::str::from_utf8(part) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(refused(format!("{name} is not UTF-8."))),
        }
    }

    pub fn file_part(&self, name: &str) -> Option<&Bytes> {
        self.0.get(name)
    }
}

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let expected = |_| Error::new(ErrorCode::FormExpected, "The body must be multipart/form-data.");
        let invalid = |message: &str| Failure(Error::new(ErrorCode::InvalidBody, message));
        let mut form = Multipart::from_request(request, state).await.map_err(expected)?;
        let mut parts = HashMap::new();
        while let Some(field) = form.next_field().await.map_err(|error| unreadable_body(error.status()))? {
            if parts.len() == MOST_PARTS {
                return Err(invalid(&format!("A form has at most {MOST_PARTS} parts.")));
            }
            let Some(name) = field.name().map(str::to_owned) else {
                return Err(invalid("A part of the form has no name."));
            };
            let content = field.bytes().await.map_err(|error| unreadable_body(error.status()))?;
            if parts.insert(name, content).is_some() {
                return Err(invalid("A part of the form is there twice."));
            }
        }
        Ok(Self(parts))
    }
}

/// A body that is a form if the Content-Type is `multipart/form-data`, and JSON otherwise. Clients send a form to add a
/// file.
#[derive(Debug)]
pub enum JsonOrForm<T> {
    Json(T),
    Form(Form),
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for JsonOrForm<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        if content_type(&request).starts_with("multipart/form-data") {
            return Form::from_request(request, state).await.map(Self::Form);
        }
        Json::from_request(request, state).await.map(|Json(value)| Self::Json(value))
    }
}
