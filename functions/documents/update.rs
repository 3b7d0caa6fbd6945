//! PATCH /documents/{id}: an admin changes a template.

use std::collections::BTreeMap;
use std::sync::Arc;

use functions::engine::{Making, UNREADABLE_FILE};
use functions::http::{Accepted, Admin, Error, ErrorCode, Failure, Form, IdempotencyKey, Json, Path, State};
use functions::wire::template_file::{field_help, template_file};
use functions::wire::{Document, document};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::editing::Edit;
use waraq_core::publishing::Finding;
use waraq_core::template::document_not_found;

/// The parts of the multipart form. What is missing stays as it is.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct UpdateForm {
    /// 1 to 200 characters.
    #[schema(required = false)]
    pub title: String,
    /// Names joined by commas; `general` if empty.
    #[schema(required = false)]
    pub categories: String,
    /// Words and phrases joined by commas, by which it is found besides its title; none if empty.
    #[schema(required = false)]
    pub keywords: String,
    /// A language's code; `en` if empty.
    #[schema(required = false)]
    pub language: String,
    /// A country's `_id`; none if empty.
    #[schema(required = false)]
    pub country: String,
    /// A .docx of at most 4 MB (a larger one is an `upload`): it makes a new version. Documents that were saved keep theirs.
    #[schema(format = Binary, required = false)]
    pub file: String,
    /// Instead of `file`: the `upload` that POST /documents/upload has answered, once the file is there.
    #[schema(required = false)]
    pub upload: String,
    /// An object in JSON: fields of the version before that have another name in the file, the old name to the new. Values of saved
    /// documents follow.
    #[schema(required = false)]
    pub renamed: String,
    /// In JSON, a list of `FieldHelp`: all that is said of fields, of a new file those of that; what is said of one that is not named is
    /// taken back. Without it what was said stays, and follows `renamed`.
    #[schema(required = false)]
    pub field_help: String,
    /// The `revision` that was edited: if the template is of another one by now, nothing is changed (409 `template_changed`). Without it
    /// the edit is of whichever is found.
    #[schema(required = false)]
    pub revision: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UpdateResponse {
    pub document: Document,
    /// What the check and the typesetting of a new file warned of.
    pub findings: Vec<Finding>,
}

#[utoipa::path(patch, path = "/api/v1/documents/{id}", tag = "documents",
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)),
    request_body(content = UpdateForm, content_type = "multipart/form-data"), security(("bearer" = [])), responses(
    (status = 200, body = UpdateResponse),
))]
pub async fn update(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Accepted(names): Accepted,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    making: Making,
    form: Form,
) -> Result<Json<UpdateResponse>, Failure> {
    let edit = Edit {
        revision: revision(&form)?,
        title: form.text("title")?,
        categories: form.text("categories")?,
        keywords: form.text("keywords")?,
        language: form.text("language")?,
        country: form.text("country")?,
        renamed: renamed(&form)?,
        help: field_help(&form)?,
        docx: template_file(&cloud, &form, &admin.id).await?,
    };
    let edited = making.publisher(&cloud).edit(&id, edit, &admin.id, key).await?;
    let (_, uses) = cloud.templates().template(&id).await?.ok_or_else(document_not_found)?;
    Ok(Json(UpdateResponse { document: document(edited.template, uses, names), findings: edited.findings }))
}

fn renamed(form: &Form) -> Result<BTreeMap<String, String>, Error> {
    let Some(part) = form.file("renamed").filter(|part| !part.is_empty()) else { return Ok(BTreeMap::new()) };
    let renamed: BTreeMap<String, String> = serde_json::from_slice(part)
        .map_err(|_| Error::new(ErrorCode::InvalidBody, "renamed is an object of names.").with_fields(["renamed"]))?;
    waraq_rules::check_count(renamed.len())?;
    Ok(renamed)
}

fn revision(form: &Form) -> Result<Option<u32>, Error> {
    let Some(text) = form.text("revision")? else { return Ok(None) };
    let revision = text
        .trim()
        .parse()
        .map_err(|_| Error::new(ErrorCode::InvalidBody, "revision is a number.").with_fields(["revision"]))?;
    Ok(Some(revision))
}

functions::route!(update, refuses: [TitleAndFileRequired, TitleTooLong, InvalidTitle, UnknownLanguage, UnknownCountry, InvalidCategory, InvalidKeyword, InvalidFieldHelp, DerivationSource, DerivationCycle, InvalidDerivation, UnknownField, DuplicateField, TooManyFields, FileTooLarge, UploadNotFound, TemplateRefused, TemplateChanged, DocumentNotFound, DocumentTooSlow] + UNREADABLE_FILE);
