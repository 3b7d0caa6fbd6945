//! GET /documents/{id}/versions: lists all versions of a template, for admins.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, Path, State};
use functions::wire::Renamed;
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::field_settings::{ShownFieldSettings, TemplateFieldSettings, stored_or_detected};
use waraq_core::template::{Template, document_not_found};
use waraq_rules::StructuredField;

/// A published version of a template.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    pub template_version: u32,
    pub title: String,
    /// The names of the version's fields in reading order.
    pub fields: Vec<String>,
    /// The fields with their types and columns, in the order of `fields`.
    pub structure: Vec<StructuredField>,
    /// The settings of each field, in the order of `fields`.
    pub field_help: Vec<ShownFieldSettings>,
    /// Fields of the previous version that have another name in this version.
    pub renamed: Vec<Renamed>,
    /// Number of pages of the empty template.
    pub pages: u32,
    /// Path of a picture of the first page: `/media/<hash>`. Null for a version without a picture.
    pub thumbnail: Option<String>,
    pub created_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct VersionsResponse {
    /// Versions, newest first.
    pub versions: Vec<Version>,
}

#[utoipa::path(get, path = "/api/v1/documents/{id}/versions", tag = "documents", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 200, body = VersionsResponse),
))]
pub async fn versions(
    State(cloud): State<Arc<Cloud>>,
    Admin(_): Admin,
    Path(id): Path<String>,
) -> Result<Json<VersionsResponse>, Failure> {
    let versions = cloud.templates().all_versions(&id).await?;
    if versions.is_empty() {
        return Err(document_not_found().into());
    }
    let mut help = cloud.templates().all_field_settings(&id).await?;
    let version = |template: Template| version(help.remove(&template.version), template);
    Ok(Json(VersionsResponse { versions: versions.into_iter().rev().map(version).collect() }))
}

fn version(help: Option<TemplateFieldSettings>, template: Template) -> Version {
    Version {
        field_help: stored_or_detected(help, &template).for_structure(&template.structure()),
        structure: template.structure().0,
        template_version: template.version,
        title: template.title,
        fields: template.fields,
        renamed: template.renamed.into_iter().map(|(from, to)| Renamed { from, to }).collect(),
        pages: template.pages,
        thumbnail: template.picture.map(|picture| format!("/media/{}", picture.hash)),
        created_at: template.updated_at.rfc3339(),
    }
}

functions::route!(versions, refuses: [DocumentNotFound]);
