//! GET /languages.

use functions::http::{Error, Json, Names};
use functions::wire::{ErrorBody, Language};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct LanguagesResponse {
    pub languages: Vec<Language>,
}

#[utoipa::path(get, path = "/api/v1/languages", tag = "lookups", params(functions::http::NamesQuery), responses(
    (status = 200, body = LanguagesResponse),
    (status = 503, body = ErrorBody),
))]
pub async fn languages(_names: Names) -> Result<Json<LanguagesResponse>, Error> {
    Err(Error::unfinished())
}
