//! GET /countries: lists the countries of ISO 3166 by name.

use functions::http::{Failure, Json, NamesLanguage};
use functions::wire::Country;
use serde::Serialize;
use utoipa::ToSchema;
use waraq_core::country as core_country;

#[derive(Debug, Serialize, ToSchema)]
pub struct CountriesResponse {
    pub countries: Vec<Country>,
}

#[utoipa::path(get, path = "/api/v1/countries", tag = "lookups", params(functions::http::NamesQuery), responses(
    (status = 200, body = CountriesResponse),
))]
pub async fn countries(NamesLanguage(names): NamesLanguage) -> Result<Json<CountriesResponse>, Failure> {
    let named = |country: &core_country::Country| Country { id: country.code.into(), name: country.name(names).into() };
    Ok(Json(CountriesResponse { countries: core_country::countries(names).into_iter().map(named).collect() }))
}

functions::route!(countries);
