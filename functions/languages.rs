//! GET /languages: lists the languages in which templates can be written.

use functions::http::{Failure, Json, NamesLanguage};
use functions::wire::{Language, known_language};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_core::language::TEMPLATE_LANGUAGES;

#[derive(Debug, Serialize, ToSchema)]
pub struct LanguagesResponse {
    pub languages: Vec<Language>,
}

#[utoipa::path(get, path = "/api/v1/languages", tag = "lookups", params(functions::http::NamesQuery), responses(
    (status = 200, body = LanguagesResponse),
))]
pub async fn languages(NamesLanguage(names): NamesLanguage) -> Result<Json<LanguagesResponse>, Failure> {
    let languages = TEMPLATE_LANGUAGES.iter().map(|known| known_language(known, names)).collect();
    Ok(Json(LanguagesResponse { languages }))
}

functions::route!(languages);
