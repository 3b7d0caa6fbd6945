//! POST /documents/check: an admin sees what a template would be, before it is published. Nothing is kept.

use std::sync::Arc;

use functions::engine::{Making, UNREADABLE_FILE};
use functions::http::{Admin, Error, ErrorCode, Failure, Form, Json, State};
use functions::wire::files::{FilePair, carry, file_name};
use functions::wire::template_file::template_file;
use functions::wire::values::{NamedValue, pairs};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::clock::new_id;
use waraq_core::field_help::ShownHelp;
use waraq_core::files::{Handed, answer_key};
use waraq_core::language::template_language_of;
use waraq_core::limits::FILL_PER_USER;
use waraq_core::publishing::Finding;

/// The parts of the multipart form.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct CheckForm {
    /// A .docx of at most 4 MB; a larger one is an `upload`.
    #[schema(format = Binary, required = false)]
    pub file: String,
    /// Instead of `file`: the `upload` that POST /documents/upload has answered, once the file is there.
    #[schema(required = false)]
    pub upload: String,
    /// What the template is to be called.
    #[schema(required = false)]
    pub title: String,
    /// In JSON, as fill-fields takes them: the pages are those of the filled template.
    #[schema(required = false)]
    pub fields_and_values: String,
    /// `true`: a field left empty prints nothing instead of a dotted line.
    #[schema(required = false)]
    pub blank: bool,
}

/// Past 4 MB of PDF the answer carries `pdfUrl` (signed, 15 minutes) instead of `pdf`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CheckResponse {
    /// Errors keep it from being published, warnings do not.
    pub findings: Vec<Finding>,
    /// The names of its fields in reading order, one entry per name.
    pub fields: Vec<String>,
    /// What its form would show of each field, in the same order: all of it guessed.
    pub field_help: Vec<ShownHelp>,
    /// The language's code that most of its text is in, if the file says and templates can be in it.
    pub language: Option<String>,
    pub pages: u32,
    /// The pages alone.
    #[serde(flatten)]
    pub files: FilePair,
}

#[utoipa::path(post, path = "/api/v1/documents/check", tag = "documents",
    request_body(content = CheckForm, content_type = "multipart/form-data"), security(("bearer" = [])), responses(
    (status = 200, body = CheckResponse, description = "Also of a template with errors"),
))]
pub async fn check(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    making: Making,
    form: Form,
) -> Result<Json<CheckResponse>, Failure> {
    FILL_PER_USER.take(cloud.attempts(), &admin.id, cloud.clock().now()).await?;
    let docx = template_file(&cloud, &form, &admin.id).await?.unwrap_or_default();
    let title = form.text("title")?.unwrap_or_default();
    let blank = form.text("blank")?.is_some_and(|blank| blank == "true");
    let seen = making.publisher(&cloud).rehearse(docx, &title, values(&form)?, blank).await?;
    let field_help = seen.help();
    let pdf = if carry(seen.pdf.len() as u64) {
        Handed::Bytes(seen.pdf)
    } else {
        let key = answer_key(&new_id(cloud.clock(), cloud.chance()), "pdf");
        cloud.files().put(&key, "application/pdf", seen.pdf).await?;
        Handed::Link(cloud.files().link(&key, &format!("{}.pdf", file_name(&title))).await?)
    };
    Ok(Json(CheckResponse {
        field_help,
        findings: seen.findings,
        fields: seen.fields,
        language: seen.language.as_deref().and_then(template_language_of).map(|known| known.code.to_owned()),
        pages: seen.pages,
        files: FilePair::handed(None, Some(pdf)),
    }))
}

fn values(form: &Form) -> Result<Option<Vec<(String, String)>>, Error> {
    let Some(part) = form.file("fieldsAndValues").filter(|part| !part.is_empty()) else { return Ok(None) };
    let values: Vec<NamedValue> = serde_json::from_slice(part).map_err(|error| {
        let message = format!("fieldsAndValues is not what this call takes: {error}.");
        Error::new(ErrorCode::InvalidBody, message).with_fields(["fieldsAndValues"])
    })?;
    waraq_rules::check_count(values.len())?;
    Ok(Some(pairs(values)))
}

functions::route!(check, refuses: [TitleAndFileRequired, MissingFields, UnknownField, DuplicateField, IllegalCharacter, ValueTooLong, ValuesTooLong, TooManyFields, FileTooLarge, UploadNotFound, DocumentTooSlow, TooManyAttempts] + UNREADABLE_FILE);
