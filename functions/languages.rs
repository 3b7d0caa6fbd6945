//! GET /languages: lists the languages in which templates can be written.

use std::time::Duration;

use functions::http::caching::SharedJson;
use functions::http::{Failure, NamesLanguage};
use functions::wire::{Language, known_language};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_core::language::TEMPLATE_LANGUAGES;

/// How long browsers and the CDN keep the list. It only changes with a new version of the product.
const MAX_AGE: Duration = Duration::from_secs(3_600);

#[derive(Debug, Serialize, ToSchema)]
pub struct LanguagesResponse {
    pub languages: Vec<Language>,
}

#[utoipa::path(get, path = "/api/v1/languages", tag = "lookups", params(functions::http::NamesQuery), responses(
    (status = 200, body = LanguagesResponse),
    (status = 304, description = "The client has the current version."),
))]
pub async fn languages(NamesLanguage(names): NamesLanguage) -> Result<SharedJson<LanguagesResponse>, Failure> {
    let languages = TEMPLATE_LANGUAGES.iter().map(|known| known_language(known, names)).collect();
    Ok(SharedJson { body: LanguagesResponse { languages }, max_age: MAX_AGE })
}

functions::route!(languages);
