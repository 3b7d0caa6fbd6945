//! PATCH /documents/{id}/deactivate: removes a template from the catalogue. Admins still see it, and documents created
//! from it remain.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Admin, Failure, Json, Path, State};
use functions::wire::{Document, document_with_structure};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::editing::set_status;
use waraq_core::template::{TemplateStatus, document_not_found};

#[derive(Debug, Serialize, ToSchema)]
pub struct DeactivateResponse {
    pub document: Document,
}

#[utoipa::path(patch, path = "/api/v1/documents/{id}/deactivate", tag = "documents", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 200, body = DeactivateResponse, description = "It is so, or was already"),
))]
pub async fn deactivate(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
) -> Result<Json<DeactivateResponse>, Failure> {
    let template = set_status(cloud.templates(), cloud.clock(), &id, TemplateStatus::Inactive, &admin.id).await?;
    let (_, uses) = cloud.templates().template(&id).await?.ok_or_else(document_not_found)?;
    Ok(Json(DeactivateResponse { document: document_with_structure(template, uses, names) }))
}

functions::route!(deactivate, refuses: [DocumentNotFound]);
