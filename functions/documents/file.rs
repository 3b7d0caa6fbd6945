//! POST /documents/file: an admin publishes a template.

use std::sync::Arc;

use functions::engine::{Making, UNREADABLE_FILE};
use functions::http::{Accepted, Admin, Created, Failure, Form, IdempotencyKey, State};
use functions::wire::template_file::{field_help, template_file};
use functions::wire::{Document, document};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::publishing::{Finding, Upload};

/// The parts of the multipart form.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct FileForm {
    /// 1 to 200 characters.
    pub title: String,
    /// A .docx of at most 4 MB; a larger one is an `upload`.
    #[schema(format = Binary, required = false)]
    pub file: String,
    /// Instead of `file`: the `upload` that POST /documents/upload has answered, once the file is there.
    #[schema(required = false)]
    pub upload: String,
    /// Names joined by commas; `general` if empty.
    #[schema(required = false)]
    pub categories: String,
    /// At most thirty words or phrases of at most 60 characters, joined by commas: what the template is found by besides its title.
    #[schema(required = false)]
    pub keywords: String,
    /// A language's code; `en` if empty.
    #[schema(required = false)]
    pub language: String,
    /// A country's `_id`; none if empty.
    #[schema(required = false)]
    pub country: String,
    /// In JSON, a list of `FieldHelp`: what is said of fields; the rest is guessed.
    #[schema(required = false)]
    pub field_help: String,
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
))]
pub async fn file(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Accepted(names): Accepted,
    IdempotencyKey(key): IdempotencyKey,
    making: Making,
    form: Form,
) -> Result<Created<FileResponse>, Failure> {
    let upload = Upload {
        title: form.text("title")?.unwrap_or_default(),
        categories: form.text("categories")?.unwrap_or_default(),
        keywords: form.text("keywords")?.unwrap_or_default(),
        language: form.text("language")?.unwrap_or_default(),
        country: form.text("country")?.unwrap_or_default(),
        help: field_help(&form)?.unwrap_or_default(),
        docx: template_file(&cloud, &form, &admin.id).await?.unwrap_or_default(),
    };
    let published = making.publisher(&cloud).publish(upload, Some((admin.id, key)), None).await?;
    Ok(Created(FileResponse { document: document(published.template, 0, names), findings: published.findings }))
}

functions::route!(file, refuses: [TitleAndFileRequired, TitleTooLong, InvalidTitle, UnknownLanguage, UnknownCountry, InvalidCategory, InvalidKeyword, InvalidFieldHelp, DerivationSource, DerivationCycle, InvalidDerivation, UnknownField, DuplicateField, TooManyFields, FileTooLarge, UploadNotFound, TemplateRefused, DocumentTooSlow] + UNREADABLE_FILE);
