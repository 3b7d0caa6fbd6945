//! GET /my-templates: lists the private templates of the caller.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, State, User};
use functions::wire::{Document, document};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::private_templates::MOST_PRIVATE_TEMPLATES;

#[derive(Debug, Serialize, ToSchema)]
pub struct MyTemplatesResponse {
    /// All private templates of the caller, newest first.
    pub data: Vec<Document>,
    /// Number of private templates of the caller.
    pub total: u64,
    /// Maximum number of private templates of one account.
    pub limit: u64,
}

#[utoipa::path(get, path = "/api/v1/my-templates", tag = "my templates", security(("bearer" = [])), responses(
    (status = 200, body = MyTemplatesResponse),
))]
pub async fn list(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
) -> Result<Json<MyTemplatesResponse>, Failure> {
    let templates = cloud.private_templates().private_templates(&caller.id).await?;
    let total = templates.len() as u64;
    let data = templates.into_iter().map(|(template, uses)| document(template, uses, names)).collect();
    Ok(Json(MyTemplatesResponse { data, total, limit: MOST_PRIVATE_TEMPLATES }))
}

functions::route!(list);
