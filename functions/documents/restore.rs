//! POST /documents/{id}/restore: restores an earlier version of a template as the newest version, under a new number.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Admin, Failure, Json, Path, State};
use functions::wire::{Document, document_with_structure};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::editing::restore_version;
use waraq_core::template::document_not_found;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RestoreVersionRequest {
    /// The number of the version to restore. The title and the settings of the template do not change.
    pub template_version: u32,
    /// The `revision` that the admin saw. If the template has changed since, the call fails with 409
    /// `template_changed`.
    pub revision: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct RestoreVersionResponse {
    pub document: Document,
}

#[utoipa::path(post, path = "/api/v1/documents/{id}/restore", tag = "documents", params(("id" = String, Path)),
    request_body = RestoreVersionRequest, security(("bearer" = [])), responses(
    (status = 200, body = RestoreVersionResponse, description = "It is the newest now, or was already"),
))]
pub async fn restore(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
    Json(request): Json<RestoreVersionRequest>,
) -> Result<Json<RestoreVersionResponse>, Failure> {
    let RestoreVersionRequest { template_version, revision } = request;
    let (templates, clock) = (cloud.templates(), cloud.clock());
    let template = restore_version(templates, clock, &id, template_version, revision, &admin.id).await?;
    let (_, uses) = cloud.templates().template(&id).await?.ok_or_else(document_not_found)?;
    Ok(Json(RestoreVersionResponse { document: document_with_structure(template, uses, names) }))
}

functions::route!(restore, refuses: [DocumentNotFound, TemplateChanged]);
