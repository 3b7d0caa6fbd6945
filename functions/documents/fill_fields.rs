//! POST /documents/{id}/fill-fields: fills a template and returns it as PDF and as Word file. Each success counts one
//! use.

use std::sync::Arc;

use functions::engine::WithRenderPermit;
use functions::http::{AcceptedLanguage, Error, Failure, IdempotencyKey, Json, MaybeUser, Path, State};
use functions::wire::filled::{FillResponse, fill_response};
use functions::wire::optional_id;
use functions::wire::saved::saved_document;
use functions::wire::values::{FieldValueInput, NamedValue};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::filling::{FillingRequest, RequestKey};
use waraq_core::limits::FILL_PER_USER;
use waraq_core::saved::DocumentOptions;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FillRequest {
    /// One object for each field, with the field's name as its only key. Every field of the template is required; empty
    /// text is allowed.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, FieldValueInput>>)]
    pub fields_and_values: Vec<NamedValue>,
    /// If true, the document is also saved in the account, in the transaction that counts the use. Saving requires a
    /// token.
    #[serde(default)]
    pub save: bool,
    /// The id of the caller's saved document to edit. The template version of that document is filled, even if the
    /// template is not in the catalogue any longer.
    #[serde(default, deserialize_with = "optional_id")]
    pub saved_document_id: Option<String>,
    /// The `version` of the saved document on which the edit is based. Required to save the edit.
    pub version: Option<u32>,
    /// The version of the template to fill. The default is the version of the document in `savedDocumentId`. Without
    /// `savedDocumentId`, the default is the newest version.
    pub template_version: Option<u32>,
    /// Title of the document: one line of at most 200 characters. If it is missing or empty, a saved document keeps its
    /// title and a new document gets the title of its template.
    pub title: Option<String>,
    /// If true, nothing is printed for an empty field. Otherwise, a dotted line is printed.
    #[serde(default)]
    pub blank: bool,
}

#[utoipa::path(post, path = "/api/v1/documents/{id}/fill-fields", tag = "documents",
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = FillRequest,
    security((), ("bearer" = [])), responses(
    (status = 200, body = FillResponse),
))]
pub async fn fill_fields(
    State(cloud): State<Arc<Cloud>>,
    MaybeUser(caller): MaybeUser,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    WithRenderPermit(making, Json(request)): WithRenderPermit<Json<FillRequest>>,
) -> Result<Json<FillResponse>, Failure> {
    if (request.save || request.saved_document_id.is_some()) && caller.is_none() {
        return Err(Error::unauthenticated().into());
    }
    let limit = if caller.is_some() { FILL_PER_USER } else { cloud.fill_limit() };
    limit.count_attempt(cloud.attempts(), &making.who, cloud.clock().now()).await?;
    let asked = FillingRequest {
        template_id: id,
        values: making.values(request.fields_and_values).await?,
        blank: request.blank,
        user_id: caller.map(|account| account.id),
        key: key.map(|key| RequestKey { who: making.who.clone(), key }),
        options: DocumentOptions {
            document: request.saved_document_id,
            version: request.version,
            template_version: request.template_version,
            title: request.title,
        },
    };
    let user_id = asked.user_id.clone();
    let made = making.filler(&cloud).fill(asked, request.save).await?;
    let saved = match &made.saved {
        Some(document) => Some(saved_document(document, cloud.saved_documents().structure(document).await?, names)),
        None => None,
    };
    Ok(Json(FillResponse { saved_document: saved, ..fill_response(&cloud, user_id.as_deref(), made).await? }))
}

functions::route!(fill_fields, refuses: [MissingFields, UnknownField, DuplicateField, IllegalCharacter, ValueTooLong, ValuesTooLong, TooManyFields, WrongValueType, TooManyRows, UnreadablePicture, ValuePictureTooLarge, QrCodeTooLong, TitleTooLong, InvalidTitle, DocumentNotFound, DocumentChanged, TooManyDocuments, DocumentTooSlow, TooComplex, TooManyAttempts, LoginRequired]);
