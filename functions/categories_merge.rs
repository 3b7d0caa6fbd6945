//! POST /categories/merge: merges one category into another.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, State};
use functions::wire::categories::{CategoriesResponse, categories_response};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::editing::merge_categories;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MergeCategoriesRequest {
    /// The category to merge into the other one. Afterwards, searches for its name find the other category.
    pub name: String,
    /// The category that remains.
    pub into: String,
}

#[utoipa::path(post, path = "/api/v1/categories/merge", tag = "lookups", request_body = MergeCategoriesRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = CategoriesResponse),
))]
pub async fn categories_merge(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Json(request): Json<MergeCategoriesRequest>,
) -> Result<Json<CategoriesResponse>, Failure> {
    merge_categories(cloud.templates(), &request.name, &request.into, &admin.id).await?;
    Ok(Json(categories_response(&cloud, None).await?))
}

functions::route!(categories_merge, refuses: [CategoryNotFound, InvalidCategory]);
