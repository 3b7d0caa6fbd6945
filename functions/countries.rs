//! GET /countries.

use functions::http::{Error, Json, Names};
use functions::wire::{ErrorBody, Country};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct CountriesResponse {
    pub countries: Vec<Country>,
}

#[utoipa::path(get, path = "/api/v1/countries", tag = "lookups", params(functions::http::NamesQuery), responses(
    (status = 200, body = CountriesResponse),
    (status = 503, body = ErrorBody),
))]
pub async fn countries(_names: Names) -> Result<Json<CountriesResponse>, Error> {
    Err(Error::unfinished())
}
