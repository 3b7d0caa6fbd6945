//! POST /documents/{id}/fill-fields: a template filled, as PDF and as Word file. Each success counts one use.

use functions::http::{Error, Json, Path};
use functions::wire::{ErrorBody, FieldAndValue, Finding};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FillRequest {
    /// One object with a single key per field; every field of the template must be there, empty text is legal.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, String>>)]
    pub fields_and_values: Vec<FieldAndValue>,
    /// Also keep the document in the account (needs a token).
    #[serde(default)]
    pub save: bool,
    /// A field left empty prints nothing instead of a dotted line.
    #[serde(default)]
    pub blank: bool,
}

/// Past 4 MB of files together the answer carries `fileUrl` and `pdfUrl` (signed, 15 minutes) instead of `file` and `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FillResponse {
    /// The finished pages in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdf: Option<String>,
    /// The filled .docx in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pdf_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_url: Option<String>,
    /// What both are to be called, without ending: made of the title.
    pub file_name: String,
    pub pages: u32,
    /// What could not be set as the file asks.
    pub warnings: Vec<Finding>,
}

#[utoipa::path(post, path = "/api/v1/documents/{id}/fill-fields", tag = "documents",
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = FillRequest,
    security((), ("bearer" = [])), responses(
    (status = 200, body = FillResponse),
    (status = 400, body = ErrorBody, description = "missing_fields with all names, unknown_field with a hint, duplicate_field, illegal_character, value_too_long, values_too_long"),
    (status = 401, body = ErrorBody, description = "login_required: save without a token"),
    (status = 404, body = ErrorBody, description = "document_not_found"),
    (status = 429, body = ErrorBody, description = "too_many_requests, with Retry-After"),
))]
pub async fn fill_fields(Path(_id): Path, Json(_request): Json<FillRequest>) -> Result<Json<FillResponse>, Error> {
    Err(Error::unfinished())
}
