//! POST /my-templates: saves a Word file of the caller as a private template.

use std::sync::Arc;

use functions::engine::{UNREADABLE_FILE, WithRenderPermit};
use functions::http::{AcceptedLanguage, Created, Failure, Form, IdempotencyKey, State, User};
use functions::wire::my_templates::{MyTemplateResponse, my_template_response};
use functions::wire::template_file::{field_help, template_file};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::limits::PRIVATE_TEMPLATE_WRITES;
use waraq_core::publishing::Upload;

/// The parts of the multipart form.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct MyTemplateForm {
    /// The title of the template: 1 to 200 characters.
    pub title: String,
    /// A .docx of at most 4 MB. For a larger file, use `upload`.
    #[schema(format = Binary, required = false)]
    pub file: String,
    /// The id of an uploaded file, instead of `file`. The id is the `upload` in the response of POST /my-templates/upload.
    /// Send the file to the `url` of that response first.
    #[schema(required = false)]
    pub upload: String,
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

#[utoipa::path(post, path = "/api/v1/my-templates", tag = "my templates",
    params(("Idempotency-Key" = Option<String>, Header)),
    request_body(content = MyTemplateForm, content_type = "multipart/form-data"), security(("bearer" = [])), responses(
    (status = 201, body = MyTemplateResponse),
))]
pub async fn create(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    IdempotencyKey(key): IdempotencyKey,
    WithRenderPermit(making, form): WithRenderPermit<Form>,
) -> Result<Created<MyTemplateResponse>, Failure> {
    PRIVATE_TEMPLATE_WRITES.count_attempt(cloud.attempts(), &caller.id, cloud.clock().now()).await?;
    let upload = Upload {
        title: form.text_part("title")?.unwrap_or_default(),
        language: form.text_part("language")?.unwrap_or_default(),
        country: form.text_part("country")?.unwrap_or_default(),
        help: field_help(&form)?.unwrap_or_default(),
        docx: template_file(&cloud, &form, &caller.id).await?.unwrap_or_default(),
        ..Upload::default()
    };
    let templates = cloud.templates_of_owner(&caller.id);
    let publisher = making.private_publisher(&cloud, &templates);
    let published = publisher.publish(upload, Some((caller.id, key)), None).await?;
    Ok(Created(my_template_response(published, 0, names)))
}

functions::route!(create, refuses: [TitleAndFileRequired, TitleTooLong, InvalidTitle, UnknownLanguage, UnknownCountry, InvalidFieldHelp, DerivationSource, DerivationCycle, InvalidDerivation, UnknownField, DuplicateField, TooManyFields, FileTooLarge, UploadNotFound, TemplateRefused, TooManyTemplates, DocumentTooSlow, TooManyAttempts] + UNREADABLE_FILE);
