//! PUT /my-templates/{id}: changes a private template of the caller.

use std::sync::Arc;

use functions::engine::{UNREADABLE_FILE, WithRenderPermit};
use functions::http::{AcceptedLanguage, Failure, Form, IdempotencyKey, Json, Path, State, User};
use functions::wire::my_templates::{MyTemplateResponse, my_template_response};
use functions::wire::template_file::{field_help, renamed, revision, template_file};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::catalogue::Templates as _;
use waraq_core::editing::Edit;
use waraq_core::limits::PRIVATE_TEMPLATE_WRITES;
use waraq_core::template::document_not_found;

/// The parts of the multipart form. A missing part leaves its value unchanged.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct MyTemplateUpdateForm {
    /// The title of the template: 1 to 200 characters.
    #[schema(required = false)]
    pub title: String,
    /// Code of the language; `en` if empty.
    #[schema(required = false)]
    pub language: String,
    /// The `_id` of a country; no country if empty.
    #[schema(required = false)]
    pub country: String,
    /// A .docx of at most 4 MB (for a larger file, use `upload`). The file creates a new version of the template. Saved
    /// documents keep their version.
    #[schema(format = Binary, required = false)]
    pub file: String,
    /// The id of an uploaded file, instead of `file`. The id is the `upload` in the response of POST /my-templates/upload.
    /// Send the file to the `url` of that response first.
    #[schema(required = false)]
    pub upload: String,
    /// Renamed fields: a JSON object with old names as keys and names in the new file as values. If a saved document is
    /// moved to the new version, its values move to the new names.
    #[schema(required = false)]
    pub renamed: String,
    /// Field settings: a JSON list of `FieldSettings` that replaces all earlier settings. If there is a new file, the
    /// names are those of the new file. Fields that are not in the list get detected settings. Without this part,
    /// earlier settings are kept, also for renamed fields.
    #[schema(required = false)]
    pub field_help: String,
    /// The `revision` of the template on which the edit is based. If the template has changed since, the call fails
    /// with 409 `template_changed`. Without it, the edit applies to the current revision.
    #[schema(required = false)]
    pub revision: u32,
}

#[utoipa::path(put, path = "/api/v1/my-templates/{id}", tag = "my templates",
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)),
    request_body(content = MyTemplateUpdateForm, content_type = "multipart/form-data"), security(("bearer" = [])), responses(
    (status = 200, body = MyTemplateResponse),
))]
pub async fn update(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    WithRenderPermit(making, form): WithRenderPermit<Form>,
) -> Result<Json<MyTemplateResponse>, Failure> {
    PRIVATE_TEMPLATE_WRITES.count_attempt(cloud.attempts(), &caller.id, cloud.clock().now()).await?;
    let edit = Edit {
        revision: revision(&form)?,
        title: form.text_part("title")?,
        categories: None,
        keywords: None,
        language: form.text_part("language")?,
        country: form.text_part("country")?,
        renamed: renamed(&form)?,
        help: field_help(&form)?,
        docx: template_file(&cloud, &form, &caller.id).await?,
    };
    let templates = cloud.templates_of_owner(&caller.id);
    let edited = making.private_publisher(&cloud, &templates).edit(&id, edit, &caller.id, key).await?;
    let (_, uses) = templates.template(&id).await?.ok_or_else(document_not_found)?;
    Ok(Json(my_template_response(edited, uses, names)))
}

functions::route!(update, refuses: [TitleAndFileRequired, TitleTooLong, InvalidTitle, UnknownLanguage, UnknownCountry, InvalidFieldHelp, DerivationSource, DerivationCycle, InvalidDerivation, UnknownField, DuplicateField, TooManyFields, FileTooLarge, UploadNotFound, TemplateRefused, TemplateChanged, DocumentNotFound, DocumentTooSlow, TooManyAttempts] + UNREADABLE_FILE);
