//! POST /categories/separate: undoes the merge of a category.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, State};
use functions::wire::categories::{CategoriesResponse, categories_response};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::editing::separate_category;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeparateCategoryRequest {
    /// The category to separate. Its name is in the list `merged` of another category, its target. Categories that were
    /// merged into the separated category earlier stay merged into the target.
    pub name: String,
}

#[utoipa::path(post, path = "/api/v1/categories/separate", tag = "lookups", request_body = SeparateCategoryRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = CategoriesResponse),
))]
pub async fn categories_separate(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Json(request): Json<SeparateCategoryRequest>,
) -> Result<Json<CategoriesResponse>, Failure> {
    separate_category(cloud.templates(), &request.name, &admin.id).await?;
    Ok(Json(categories_response(&cloud, None).await?))
}

functions::route!(categories_separate, refuses: [CategoryNotFound, CategoryNameTaken]);
