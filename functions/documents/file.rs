//! POST /documents/file: an admin publishes a template.

use functions::http::{Created, Error, Multipart};
use functions::wire::{Document, ErrorBody, Finding};
use serde::Serialize;
use utoipa::ToSchema;

/// The parts of the multipart form.
#[derive(Debug, ToSchema)]
pub struct FileForm {
    /// 1 to 200 characters.
    pub title: String,
    /// A .docx of at most 4 MB.
    #[schema(format = Binary)]
    pub file: String,
    /// Names joined by commas; `general` if empty.
    #[schema(required = false)]
    pub categories: String,
    /// A language's code; `en` if empty.
    #[schema(required = false)]
    pub language: String,
    /// A country's `_id`; none if empty.
    #[schema(required = false)]
    pub country: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FileResponse {
    pub document: Document,
    /// What the check and the typesetting warned of.
    pub findings: Vec<Finding>,
}

#[utoipa::path(post, path = "/api/v1/documents/file", tag = "documents",
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body(content = FileForm, content_type = "multipart/form-data"), security(("bearer" = [])), responses(
    (status = 201, body = FileResponse),
    (status = 400, body = ErrorBody, description = "title_and_file_required, title_too_long, not_a_docx, unknown_language, unknown_country, invalid_category"),
    (status = 401, body = ErrorBody), (status = 403, body = ErrorBody),
    (status = 413, body = ErrorBody, description = "file_too_large"),
    (status = 422, body = ErrorBody, description = "template_refused with every finding, or the code of a file that cannot be opened"),
))]
pub async fn file(_form: Multipart) -> Result<Created<FileResponse>, Error> {
    Err(Error::unfinished())
}
