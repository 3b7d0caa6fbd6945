//! multipart/form-data, as browsers send forms with files.

use std::convert::Infallible;

use bytes::Bytes;
use futures_util::stream;
use http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;

use super::{Call, Error, Extract, Json};

/// One part of a form.
#[derive(Debug)]
pub struct Part {
    pub name: String,
    /// As the browser names it; only for files.
    pub file_name: Option<String>,
    pub content: Bytes,
}

/// A form, whole.
#[derive(Debug)]
pub struct Multipart(pub Vec<Part>);

/// More than any form here has: a body of thousands of empty parts is not worth reading.
const MOST_PARTS: usize = 32;

impl Multipart {
    /// The text of a part; `None` if it is not there. Not UTF-8 is refused.
    pub fn text(&self, name: &str) -> Result<Option<String>, Error> {
        let Some(part) = self.0.iter().find(|part| part.name == name) else { return Ok(None) };
        match std::str::from_utf8(&part.content) {
            Ok(text) => Ok(Some(text.to_owned())),
            Err(_) => Err(Error::invalid("invalid_body", format!("{name} is not UTF-8.")).with_fields([name])),
        }
    }

    pub fn file(&self, name: &str) -> Option<&Part> {
        self.0.iter().find(|part| part.name == name)
    }
}

impl Extract for Multipart {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let content_type = call.parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let boundary = multer::parse_boundary(content_type)
            .map_err(|_| Error::invalid("form_expected", "The body must be multipart/form-data."))?;
        let body = stream::iter([Ok::<_, Infallible>(call.body.clone())]);
        let mut form = multer::Multipart::new(body, boundary);
        let broken = |error| Error::invalid("invalid_body", format!("The form cannot be read: {error}."));
        let mut parts = Vec::new();
        while let Some(field) = form.next_field().await.map_err(broken)? {
            if parts.len() == MOST_PARTS {
                return Err(Error::invalid("invalid_body", format!("The form has more than {MOST_PARTS} parts.")));
            }
            let name = field.name().unwrap_or_default().to_owned();
            let file_name = field.file_name().map(str::to_owned);
            parts.push(Part { name, file_name, content: field.bytes().await.map_err(broken)? });
        }
        Ok(Multipart(parts))
    }
}

/// A body that is a form where it brings a file, and JSON where it does not.
#[derive(Debug)]
pub enum JsonOrForm<T> {
    Json(T),
    Form(Multipart),
}

impl<T: DeserializeOwned + Send> Extract for JsonOrForm<T> {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let content_type = call.parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        if content_type.to_ascii_lowercase().starts_with("multipart/form-data") {
            return Multipart::extract(call).await.map(Self::Form);
        }
        Json::extract(call).await.map(|Json(value)| Self::Json(value))
    }
}
