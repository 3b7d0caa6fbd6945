//! POST /documents/{id}/fill-fields: a template filled, as PDF and as Word file. Each success counts one use.

use std::sync::Arc;

use functions::engine::Making;
use functions::http::{Error, Failure, Guest, IdempotencyKey, Json, MaybeUser, Path, State};
use functions::wire::files::{FilePair, carry, file_name};
use functions::wire::{ErrorBody, FieldAndValue, Finding};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::files::{Files, answer_key};
use waraq_core::filling::{Document, Filler, Request, UseKey, check_count};
use waraq_core::limits::FILL_PER_USER;
use waraq_core::publishing::DOCX;

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
    #[serde(flatten)]
    pub files: FilePair,
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
    (status = 400, body = ErrorBody, description = "missing_fields with all names, unknown_field with a hint, duplicate_field, illegal_character, value_too_long, values_too_long, too_many_fields, invalid_id"),
    (status = 401, body = ErrorBody, description = "login_required: save without a token"),
    (status = 404, body = ErrorBody, description = "document_not_found"),
    (status = 422, body = ErrorBody, description = "document_too_slow, too_complex"),
    (status = 429, body = ErrorBody, description = "too_many_attempts, too_busy, with Retry-After"),
))]
pub async fn fill_fields(
    State(cloud): State<Arc<Cloud>>,
    MaybeUser(caller): MaybeUser,
    from: Guest,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    making: Making,
    Json(request): Json<FillRequest>,
) -> Result<Json<FillResponse>, Failure> {
    if request.save {
        let kept_later =
            || Error::invalid("saving_unavailable", "Documents cannot be saved yet.").with_fields(["save"]);
        return Err(caller.map_or_else(Error::unauthenticated, |_| kept_later()).into());
    }
    let (limit, whose) = match &caller {
        Some(account) => (FILL_PER_USER, &account.id),
        None => (cloud.fill_limit(), &from.source),
    };
    limit.take(cloud.attempts(), whose, cloud.clock().now()).await?;
    let filler = Filler {
        templates: cloud.templates(),
        files: cloud.files(),
        typesetter: &making,
        uses: cloud.uses(),
        clock: cloud.clock(),
    };
    let request = Request {
        template_id: id,
        values: values(request.fields_and_values)?,
        blank: request.blank,
        user_id: caller.map(|account| account.id),
        key: key.map(|key| UseKey { who: making.who.clone(), key }),
    };
    Ok(Json(answer(&cloud, filler.fill(request).await?).await?))
}

/// Each object's single key and its value.
fn values(objects: Vec<FieldAndValue>) -> Result<Vec<(String, String)>, Error> {
    check_count(objects.len())?;
    let mut values = Vec::with_capacity(objects.len());
    for object in objects {
        let mut pairs = object.into_iter();
        match (pairs.next(), pairs.next()) {
            (Some(pair), None) => values.push(pair),
            _ => {
                let message = "Each object of fieldsAndValues has one key, the field's name.";
                return Err(Error::invalid("invalid_body", message).with_fields(["fieldsAndValues"]));
            }
        }
    }
    Ok(values)
}

async fn answer(cloud: &Cloud, document: Document) -> Result<FillResponse, Error> {
    let (filled, name) = (document.filled, file_name(&document.title));
    let files = if carry((filled.docx.len() + filled.pdf.len()) as u64) {
        FilePair::bytes(&filled.docx, &filled.pdf)
    } else {
        let id = waraq_core::clock::new_id(cloud.clock(), cloud.chance());
        FilePair::links(
            handed_out(cloud.files(), &answer_key(&id, "docx"), DOCX, filled.docx, &format!("{name}.docx")).await?,
            handed_out(cloud.files(), &answer_key(&id, "pdf"), "application/pdf", filled.pdf, &format!("{name}.pdf"))
                .await?,
        )
    };
    let warnings = filled.warnings.into_iter().map(Finding::from).collect();
    Ok(FillResponse { files, file_name: name, pages: filled.pages, warnings })
}

async fn handed_out(
    files: &dyn Files,
    key: &str,
    content_type: &'static str,
    bytes: Vec<u8>,
    name: &str,
) -> Result<String, Error> {
    files.put(key, content_type, bytes).await?;
    files.link(key, name).await
}

functions::route!(fill_fields);
