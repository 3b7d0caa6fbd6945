//! GET /documents/{id}: a template with its file and the pages of the empty template.

use functions::http::{Error, Json, Path};
use functions::wire::{Document, ErrorBody};
use serde::Serialize;
use utoipa::ToSchema;

/// Past 4 MB of files together the answer carries `fileUrl` and `pdfUrl` (signed, 15 minutes) instead of `file` and `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentResponse {
    pub document: Document,
    /// The .docx in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The empty template as PDF in base64, made at publishing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdf: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdf_url: Option<String>,
}

#[utoipa::path(get, path = "/api/v1/documents/{id}", tag = "documents", params(("id" = String, Path)), security((), ("bearer" = [])), responses(
    (status = 200, body = DocumentResponse),
    (status = 404, body = ErrorBody, description = "document_not_found; also for a template out of the catalogue, unless an admin asks"),
))]
pub async fn get(Path(_id): Path) -> Result<Json<DocumentResponse>, Error> {
    Err(Error::unfinished())
}
