//! PATCH /categories: changes the names of a category.

use std::collections::BTreeMap;
use std::sync::Arc;

use functions::http::{Admin, Failure, Json, State};
use functions::wire::categories::{CategoriesResponse, categories_response};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::editing::rename_category;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UpdateCategoryRequest {
    /// The name of the category as it is in the `categories` of templates. It does not change.
    pub name: String,
    /// Display names by interface language (`en`, `fr`, `ar`): 1 to 60 characters without commas. An empty name removes
    /// the name in that language. A language that is left out keeps its name.
    pub names: BTreeMap<String, String>,
}

#[utoipa::path(patch, path = "/api/v1/categories", tag = "lookups", request_body = UpdateCategoryRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = CategoriesResponse),
))]
pub async fn categories_update(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Json(request): Json<UpdateCategoryRequest>,
) -> Result<Json<CategoriesResponse>, Failure> {
    rename_category(cloud.templates(), &request.name, &request.names, &admin.id).await?;
    Ok(Json(categories_response(&cloud, None).await?))
}

functions::route!(categories_update, refuses: [CategoryNotFound, CategoryNameTaken, InvalidCategory]);
