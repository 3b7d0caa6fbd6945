//! PATCH /documents/{id}/activate: puts a deactivated template back into the catalogue.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Admin, Failure, Json, Path, State};
use functions::wire::{Document, document_with_structure};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::editing::set_status;
use waraq_core::template::{TemplateStatus, document_not_found};

#[derive(Debug, Serialize, ToSchema)]
pub struct ActivateResponse {
    pub document: Document,
}

#[utoipa::path(patch, path = "/api/v1/documents/{id}/activate", tag = "documents", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 200, body = ActivateResponse, description = "It is so, or was already"),
))]
pub async fn activate(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
) -> Result<Json<ActivateResponse>, Failure> {
    let template = set_status(cloud.templates(), cloud.clock(), &id, TemplateStatus::Active, &admin.id).await?;
    let (_, uses) = cloud.templates().template(&id).await?.ok_or_else(document_not_found)?;
    Ok(Json(ActivateResponse { document: document_with_structure(template, uses, names) }))
}

functions::route!(activate, refuses: [DocumentNotFound]);
