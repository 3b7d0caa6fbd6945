//! JSON bodies.

use http::header::CONTENT_TYPE;
use serde::de::DeserializeOwned;

use super::{Call, Error, Extract};

/// A body in JSON: taken from a request, or sent with status 200.
#[derive(Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned + Send> Extract for Json<T> {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let content_type = call.parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        if !content_type.to_ascii_lowercase().starts_with("application/json") {
            return Err(Error::invalid("json_expected", "The body must be JSON (Content-Type: application/json)."));
        }
        serde_json::from_slice(&call.body)
            .map(Json)
            .map_err(|error| Error::invalid("invalid_body", format!("The body is not what this call takes: {error}.")))
    }
}
