//! POST /documents/{id}/fill-fields: fills a template and returns it as PDF and as Word file. Each success counts one
//! use.

use std::sync::Arc;

use functions::engine::WithRenderPermit;
use functions::http::{AcceptedLanguage, Error, Failure, IdempotencyKey, Json, MaybeUser, Path, State};
use functions::wire::filled::{FillRequest, FillResponse, fill_response};
use functions::wire::saved::saved_document;
use waraq_aws::Cloud;
use waraq_core::filling::{FillingRequest, RequestKey};
use waraq_core::limits::FILL_PER_USER;

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
    let (save, options) = (request.save, request.options());
    let asked = FillingRequest {
        template_id: id,
        values: making.values(request.fields_and_values).await?,
        blank: request.blank,
        user_id: caller.map(|account| account.id),
        key: key.map(|key| RequestKey { who: making.who.clone(), key }),
        options,
    };
    let user_id = asked.user_id.clone();
    let made = making.filler(&cloud).fill(asked, save).await?;
    let saved = match &made.saved {
        Some(document) => Some(saved_document(document, cloud.saved_documents().structure(document).await?, names)),
        None => None,
    };
    Ok(Json(FillResponse { saved_document: saved, ..fill_response(&cloud, user_id.as_deref(), made).await? }))
}

functions::route!(fill_fields, refuses: [MissingFields, UnknownField, DuplicateField, IllegalCharacter, ValueTooLong, ValuesTooLong, TooManyFields, WrongValueType, TooManyRows, UnreadablePicture, ValuePictureTooLarge, QrCodeTooLong, TitleTooLong, InvalidTitle, DocumentNotFound, DocumentChanged, TooManyDocuments, DocumentTooSlow, TooComplex, TooManyAttempts, LoginRequired]);
