//! POST /documents/file: publishes a template, for admins.

use std::sync::Arc;

use functions::engine::{UNREADABLE_FILE, WithRenderPermit};
use functions::http::{AcceptedLanguage, Admin, Created, Failure, Form, IdempotencyKey, State};
use functions::wire::template_file::{field_help, template_file};
use functions::wire::{Document, document_with_structure};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::publishing::{Diagnostic, Upload};

/// The parts of the multipart form.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct FileForm {
    /// The title of the template: 1 to 200 characters.
    pub title: String,
    /// A .docx of at most 4 MB. For a larger file, use `upload`.
    #[schema(format = Binary, required = false)]
    pub file: String,
    /// The id of an uploaded file, instead of `file`. The id is the `upload` in the response of POST /documents/upload.
    /// Send the file to the `url` of that response first.
    #[schema(required = false)]
    pub upload: String,
    /// Names of categories, separated by commas; `general` if empty.
    #[schema(required = false)]
    pub categories: String,
    /// At most thirty keywords, separated by commas. A keyword is a word or phrase of at most 60 characters. Searches
    /// look in the keywords as well as in the title.
    #[schema(required = false)]
    pub keywords: String,
    /// Code of the language; `en` if empty.
    #[schema(required = false)]
    pub language: String,
    /// The `_id` of a country; no country if empty.
    #[schema(required = false)]
    pub country: String,
    /// Field settings: a JSON list of `FieldSettings`. Settings that the list does not contain are detected.
    #[schema(required = false)]
    pub field_help: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct FileResponse {
    pub document: Document,
    /// Warnings from the check of the file and from its layout.
    pub findings: Vec<Diagnostic>,
}

#[utoipa::path(post, path = "/api/v1/documents/file", tag = "documents",
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body(content = FileForm, content_type = "multipart/form-data"), security(("bearer" = [])), responses(
    (status = 201, body = FileResponse),
))]
pub async fn file(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    AcceptedLanguage(names): AcceptedLanguage,
    IdempotencyKey(key): IdempotencyKey,
    WithRenderPermit(making, form): WithRenderPermit<Form>,
) -> Result<Created<FileResponse>, Failure> {
    let upload = Upload {
        title: form.text_part("title")?.unwrap_or_default(),
        categories: form.text_part("categories")?.unwrap_or_default(),
        keywords: form.text_part("keywords")?.unwrap_or_default(),
        language: form.text_part("language")?.unwrap_or_default(),
        country: form.text_part("country")?.unwrap_or_default(),
        help: field_help(&form)?.unwrap_or_default(),
        docx: template_file(&cloud, &form, &admin.id).await?.unwrap_or_default(),
    };
    let published = making.publisher(&cloud).publish(upload, Some((admin.id, key)), None).await?;
    Ok(Created(FileResponse {
        document: document_with_structure(published.template, 0, names),
        findings: published.findings,
    }))
}

functions::route!(file, refuses: [TitleAndFileRequired, TitleTooLong, InvalidTitle, UnknownLanguage, UnknownCountry, InvalidCategory, InvalidKeyword, InvalidFieldHelp, DerivationSource, DerivationCycle, InvalidDerivation, UnknownField, DuplicateField, TooManyFields, FileTooLarge, UploadNotFound, TemplateRefused, DocumentTooSlow] + UNREADABLE_FILE);
