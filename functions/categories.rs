//! GET /categories: lists the categories and the number of templates in each.

use std::sync::Arc;
use std::time::Duration;

use functions::http::caching::SharedJson;
use functions::http::{Failure, State};
use functions::wire::categories::{CategoriesResponse, categories_response};
use waraq_aws::Cloud;

#[utoipa::path(get, path = "/api/v1/categories", tag = "lookups", responses(
    (status = 200, body = CategoriesResponse),
    (status = 304, description = "The client has the current version."),
))]
pub async fn categories(State(cloud): State<Arc<Cloud>>) -> Result<SharedJson<CategoriesResponse>, Failure> {
    // The counts change with every publication, so that a kept list is always checked.
    Ok(SharedJson { body: categories_response(&cloud).await?, max_age: Duration::ZERO })
}

functions::route!(categories);
