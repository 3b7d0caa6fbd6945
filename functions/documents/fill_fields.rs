//! POST /documents/{id}/fill-fields: a template filled, as PDF and as Word file. Each success counts one use.

use std::sync::Arc;

use functions::engine::Making;
use functions::http::{Error, Failure, Guest, IdempotencyKey, Json, MaybeUser, Path, State};
use functions::wire::ErrorBody;
use functions::wire::files::{FilePair, carry, file_name};
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::files::{Files, answer_key};
use waraq_core::filling::{Document, Filler, Request, UseKey, check_count};
use waraq_core::limits::FILL_PER_USER;
use waraq_core::publishing::{DOCX, Finding};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FillRequest {
    /// One object with a single key per field; every field of the template must be there, empty text is legal.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, String>>)]
    pub fields_and_values: Vec<NamedValue>,
    /// Also keep the document in the account (needs a token).
    #[serde(default)]
    pub save: bool,
    /// A field left empty prints nothing instead of a dotted line.
    #[serde(default)]
    pub blank: bool,
}

/// A field's name and its value, as an object with that one key.
#[derive(Debug)]
pub struct NamedValue(String, String);

impl<'de> Deserialize<'de> for NamedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneKey;

        impl<'de> Visitor<'de> for OneKey {
            type Value = NamedValue;

            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("an object with one key, the field's name")
            }

            // A map of serde's would keep the last of two values under one name.
            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<NamedValue, A::Error> {
                let first = object.next_entry()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                match object.next_entry::<String, String>()? {
                    None => Ok(NamedValue(first.0, first.1)),
                    Some(_) => Err(A::Error::invalid_length(2, &self)),
                }
            }
        }

        deserializer.deserialize_map(OneKey)
    }
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
    (status = 400, body = ErrorBody, description = "missing_fields, unknown_field with suggestions, duplicate_field, each with all names; illegal_character, value_too_long, values_too_long, too_many_fields, invalid_id"),
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
    check_count(request.fields_and_values.len())?;
    let request = Request {
        template_id: id,
        values: request.fields_and_values.into_iter().map(|NamedValue(name, value)| (name, value)).collect(),
        blank: request.blank,
        user_id: caller.map(|account| account.id),
        key: key.map(|key| UseKey { who: making.who.clone(), key }),
    };
    Ok(Json(answer(&cloud, filler.fill(request).await?).await?))
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
    Ok(FillResponse { files, file_name: name, pages: filled.pages, warnings: filled.warnings })
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
