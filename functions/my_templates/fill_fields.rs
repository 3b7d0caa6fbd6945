//! POST /my-templates/{id}/fill-fields: fills a private template of the caller and returns it as PDF and as Word file. Each
//! success counts one use.

use std::sync::Arc;

use functions::engine::WithRenderPermit;
use functions::http::{AcceptedLanguage, Failure, IdempotencyKey, Json, Path, State, User};
use functions::wire::filled::{FillRequest, FillResponse, fill_response};
use functions::wire::saved::saved_document;
use waraq_aws::Cloud;
use waraq_core::filling::{FillingRequest, RequestKey};
use waraq_core::limits::FILL_PER_USER;

#[utoipa::path(post, path = "/api/v1/my-templates/{id}/fill-fields", tag = "my templates",
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = FillRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = FillResponse),
))]
pub async fn fill_fields(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    WithRenderPermit(making, Json(request)): WithRenderPermit<Json<FillRequest>>,
) -> Result<Json<FillResponse>, Failure> {
    FILL_PER_USER.count_attempt(cloud.attempts(), &caller.id, cloud.clock().now()).await?;
    let (save, options) = (request.save, request.options());
    let asked = FillingRequest {
        template_id: id,
        values: making.values(request.fields_and_values).await?,
        blank: request.blank,
        user_id: Some(caller.id.clone()),
        key: key.map(|key| RequestKey { who: caller.id.clone(), key }),
        options,
    };
    let templates = cloud.templates_of_owner(&caller.id);
    let filler = making.filler_of(&cloud, &templates);
    let made = filler.fill(asked, save).await?;
    let saved = match &made.saved {
        Some(document) => Some(saved_document(document, filler.library.structure(document).await?, names)),
        None => None,
    };
    Ok(Json(FillResponse { saved_document: saved, ..fill_response(&cloud, Some(&caller.id), made).await? }))
}

functions::route!(fill_fields, refuses: [MissingFields, UnknownField, DuplicateField, IllegalCharacter, ValueTooLong, ValuesTooLong, TooManyFields, WrongValueType, TooManyRows, UnreadablePicture, ValuePictureTooLarge, QrCodeTooLong, TitleTooLong, InvalidTitle, DocumentNotFound, DocumentChanged, TooManyDocuments, DocumentTooSlow, TooComplex, TooManyAttempts]);
