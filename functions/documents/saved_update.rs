//! PATCH /documents/saved/{id}: changes the title of one of the caller's documents. Its files and values stay.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, Path, State, User};
use functions::wire::saved::{SavedDocument, saved_document};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::private_templates::TemplatesOfAccount;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RenameRequest {
    /// New title of the document: one line of at most 200 characters.
    pub title: String,
    /// The `version` of the document that the client last saw. If the document has another version now and another
    /// title, the request is refused. Without it, the title is changed in any case.
    pub version: Option<u32>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RenameResponse {
    pub saved_document: SavedDocument,
}

#[utoipa::path(patch, path = "/api/v1/documents/saved/{id}", tag = "saved documents", params(("id" = String, Path)),
    request_body = RenameRequest, security(("bearer" = [])), responses(
    (status = 200, body = RenameResponse),
))]
pub async fn saved_update(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
    Json(request): Json<RenameRequest>,
) -> Result<Json<RenameResponse>, Failure> {
    let private = cloud.templates_of_owner(&caller.id);
    let templates = TemplatesOfAccount { catalogue: cloud.templates(), private: &private };
    let library = cloud.saved_documents_from(&templates);
    let document = library.rename(&caller.id, &id, &request.title, request.version).await?;
    let structure = library.structure(&document).await?;
    Ok(Json(RenameResponse { saved_document: saved_document(&document, structure, names) }))
}

functions::route!(saved_update, refuses: [TitleTooLong, InvalidTitle, DocumentNotFound, DocumentChanged]);
