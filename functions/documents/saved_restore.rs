//! POST /documents/saved/{id}/restore: undeletes one of the caller's documents.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, Path, State, User};
use functions::wire::saved::{SavedDocument, saved_document};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::private_templates::TemplatesOfAccount;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestoreResponse {
    pub saved_document: SavedDocument,
}

#[utoipa::path(post, path = "/api/v1/documents/saved/{id}/restore", tag = "saved documents", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 200, body = RestoreResponse, description = "It is there again, or was never away"),
))]
pub async fn saved_restore(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
) -> Result<Json<RestoreResponse>, Failure> {
    let private = cloud.templates_of_owner(&caller.id);
    let templates = TemplatesOfAccount { catalogue: cloud.templates(), private: &private };
    let library = cloud.saved_documents_from(&templates);
    let document = library.undelete(&caller.id, &id).await?;
    let fields = library.structure(&document).await?;
    Ok(Json(RestoreResponse { saved_document: saved_document(&document, fields, names) }))
}

functions::route!(saved_restore, refuses: [DocumentNotFound, TooManyDocuments]);
