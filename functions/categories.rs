//! GET /categories: what templates are about, and how many of each there are.

use std::sync::Arc;

use functions::http::{Failure, Json, State};
use functions::wire::Category;
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::category;
use waraq_core::template::Status;

#[derive(Debug, Serialize, ToSchema)]
pub struct CategoriesResponse {
    pub categories: Vec<Category>,
}

#[utoipa::path(get, path = "/api/v1/categories", tag = "lookups", responses(
    (status = 200, body = CategoriesResponse),
))]
pub async fn categories(State(cloud): State<Arc<Cloud>>) -> Result<Json<CategoriesResponse>, Failure> {
    let rows = cloud.templates().rows().await?;
    let active = rows.templates().filter(|template| template.status == Status::Active);
    let known = category::categories(active.flat_map(|template| template.categories.iter().map(String::as_str)));
    let categories = known.into_iter().map(|category| Category {
        id: category.name.clone(),
        name: category.name,
        names: category.names.into_iter().map(|(code, name)| (code.to_owned(), name)).collect(),
        count: category.count,
    });
    Ok(Json(CategoriesResponse { categories: categories.collect() }))
}

functions::route!(categories);
