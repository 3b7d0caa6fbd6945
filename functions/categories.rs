//! GET /categories: lists the categories and the number of templates in each.

use std::sync::Arc;
use std::time::Duration;

use functions::http::caching::SharedJson;
use functions::http::{Failure, Query, State};
use functions::wire::categories::{CategoriesResponse, categories_response};
use serde::Deserialize;
use utoipa::IntoParams;
use waraq_aws::Cloud;

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct CategoriesQuery {
    /// Counts only templates in the language with this code. The default is all languages.
    pub lang: Option<String>,
}

#[utoipa::path(get, path = "/api/v1/categories", tag = "lookups", params(CategoriesQuery), responses(
    (status = 200, body = CategoriesResponse),
    (status = 304, description = "The client has the current version."),
))]
pub async fn categories(
    State(cloud): State<Arc<Cloud>>,
    Query(query): Query<CategoriesQuery>,
) -> Result<SharedJson<CategoriesResponse>, Failure> {
    let language = query.lang.as_deref().filter(|code| !code.is_empty());
    // The counts change with every publication, so that a kept list is always checked.
    Ok(SharedJson { body: categories_response(&cloud, language).await?, max_age: Duration::ZERO })
}

functions::route!(categories, refuses: [UnknownLanguage]);
