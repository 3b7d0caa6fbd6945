//! POST /documents/{id}/save: saves a filled template in the account: as a new document, as a new version of a saved
//! document, or as a copy of a saved document.

use std::sync::Arc;

use functions::engine::WithRenderPermit;
use functions::http::{
    AcceptedLanguage, CreatedOrUpdated, Error, ErrorCode, Failure, IdempotencyKey, Json, Path, State, User,
};
use functions::wire::optional_id;
use functions::wire::saved::{ListedDocument, saved_document};
use functions::wire::values::{FieldValueInput, NamedValue, fields_and_values};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::filling::{FillingRequest, RequestKey};
use waraq_core::limits::FILL_PER_USER;
use waraq_core::private_templates::TemplatesOfAccount;
use waraq_core::saved::{DocumentOptions, listed_values};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaveRequest {
    /// One object for each field, with the field's name as its only key. Every field of the template is required; empty
    /// text is allowed.
    #[schema(value_type = Option<Vec<std::collections::BTreeMap<String, FieldValueInput>>>)]
    pub fields_and_values: Option<Vec<NamedValue>>,
    /// The id of the caller's saved document to copy, instead of `fieldsAndValues`. The copy has the values, the files
    /// and the template version of that document.
    #[serde(default, deserialize_with = "optional_id")]
    pub duplicate_of: Option<String>,
    /// Title of the document: one line of at most 200 characters. If it is missing or empty, an edited document keeps
    /// its title and a new document gets the title of its template.
    pub title: Option<String>,
    /// The id of the caller's saved document to edit.
    #[serde(default, deserialize_with = "optional_id")]
    pub saved_document_id: Option<String>,
    /// The `version` of the saved document on which the edit is based. Required with `savedDocumentId`.
    pub version: Option<u32>,
    /// The version of the template to fill. The default is the version of the edited document, or the newest version
    /// for a new document.
    pub template_version: Option<u32>,
    /// If true, nothing is printed for an empty field. Otherwise, a dotted line is printed.
    #[serde(default)]
    pub blank: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SaveResponse {
    pub saved_document: ListedDocument,
}

#[utoipa::path(post, path = "/api/v1/documents/{id}/save", tag = "saved documents",
    params(("id" = String, Path, description = "The template's"), ("Idempotency-Key" = Option<String>, Header)), request_body = SaveRequest,
    security(("bearer" = [])), responses(
    (status = 201, body = SaveResponse, description = "A new document"),
    (status = 200, body = SaveResponse, description = "An edit"),
))]
pub async fn save(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    WithRenderPermit(making, Json(request)): WithRenderPermit<Json<SaveRequest>>,
) -> Result<CreatedOrUpdated<SaveResponse>, Failure> {
    FILL_PER_USER.count_attempt(cloud.attempts(), &caller.id, cloud.clock().now()).await?;
    let key = key.map(|key| RequestKey { who: caller.id.clone(), key });
    let private = cloud.templates_of_owner(&caller.id);
    let templates = TemplatesOfAccount { catalogue: cloud.templates(), private: &private };
    let filler = making.filler_of(&cloud, &templates);
    let new = request.saved_document_id.is_none();
    // The response has the values of the request, so that a repeated request gets the same response after further edits.
    let mut sent = None;
    let document = match (request.fields_and_values, &request.duplicate_of) {
        (Some(values), None) => {
            let values = making.values(values).await?;
            sent = Some(values.clone());
            let asked = FillingRequest {
                template_id: id,
                values,
                blank: request.blank,
                user_id: Some(caller.id),
                key,
                options: DocumentOptions {
                    document: request.saved_document_id,
                    version: request.version,
                    template_version: request.template_version,
                    title: request.title,
                },
            };
            filler.save(asked).await?
        }
        (None, Some(of)) if new => filler.duplicate(&caller.id, &id, (of, request.title.as_deref()), key).await?,
        _ => {
            let message = "Send either fieldsAndValues or duplicateOf. A duplicate is always a new document.";
            return Err(Error::new(ErrorCode::InvalidBody, message).with_fields(["fieldsAndValues"]).into());
        }
    };
    let structure = filler.library.structure(&document).await?;
    let values = sent.map(|values| listed_values(&values, &structure)).transpose()?;
    let saved_document = ListedDocument {
        current_document_data: values.map(fields_and_values),
        document: saved_document(&document, structure, names),
        deleted_at: None,
        undelete_until: None,
    };
    Ok(CreatedOrUpdated { new, body: SaveResponse { saved_document } })
}

functions::route!(save, refuses: [MissingFields, UnknownField, DuplicateField, IllegalCharacter, ValueTooLong, ValuesTooLong, TooManyFields, WrongValueType, TooManyRows, UnreadablePicture, ValuePictureTooLarge, QrCodeTooLong, TitleTooLong, InvalidTitle, DocumentNotFound, DocumentChanged, TooManyDocuments, DocumentTooSlow, TooComplex, TooManyAttempts]);
