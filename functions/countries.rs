//! GET /countries: lists the countries of ISO 3166 by name.

use std::time::Duration;

use functions::http::caching::SharedJson;
use functions::http::{Failure, NamesLanguage};
use functions::wire::Country;
use serde::Serialize;
use utoipa::ToSchema;
use waraq_core::country as core_country;

/// How long browsers and the CDN keep the list. It only changes with a new version of the product.
const MAX_AGE: Duration = Duration::from_secs(3_600);

#[derive(Debug, Serialize, ToSchema)]
pub struct CountriesResponse {
    pub countries: Vec<Country>,
}

#[utoipa::path(get, path = "/api/v1/countries", tag = "lookups", params(functions::http::NamesQuery), responses(
    (status = 200, body = CountriesResponse),
    (status = 304, description = "The client has the current version."),
))]
pub async fn countries(NamesLanguage(names): NamesLanguage) -> Result<SharedJson<CountriesResponse>, Failure> {
    let named = |country: &core_country::Country| Country { id: country.code.into(), name: country.name(names).into() };
    Ok(SharedJson {
        body: CountriesResponse { countries: core_country::countries(names).into_iter().map(named).collect() },
        max_age: MAX_AGE,
    })
}

functions::route!(countries);
