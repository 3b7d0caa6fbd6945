//! GET /categories.

use functions::http::{Error, Json, Names};
use functions::wire::{ErrorBody, Category};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct CategoriesResponse {
    pub categories: Vec<Category>,
}

#[utoipa::path(get, path = "/api/v1/categories", tag = "lookups", params(functions::http::NamesQuery), responses(
    (status = 200, body = CategoriesResponse),
    (status = 503, body = ErrorBody),
))]
pub async fn categories(_names: Names) -> Result<Json<CategoriesResponse>, Error> {
    Err(Error::unfinished())
}
