//! GET /categories: lists the categories and the number of templates in each.

use std::sync::Arc;

use functions::http::{Failure, Json, State};
use functions::wire::categories::{CategoriesResponse, categories_response};
use waraq_aws::Cloud;

#[utoipa::path(get, path = "/api/v1/categories", tag = "lookups", responses(
    (status = 200, body = CategoriesResponse),
))]
pub async fn categories(State(cloud): State<Arc<Cloud>>) -> Result<Json<CategoriesResponse>, Failure> {
    Ok(Json(categories_response(&cloud).await?))
}

functions::route!(categories);
