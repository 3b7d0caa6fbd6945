//! POST /documents/{id}/try: fills a template to test it, for admins. Nothing is counted or saved.

use std::sync::Arc;

use functions::engine::WithRenderPermit;
use functions::http::{Admin, Failure, Json, Path, State};
use functions::wire::filled::{FillResponse, fill_response};
use functions::wire::values::{FieldValueInput, NamedValue};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::limits::FILL_PER_USER;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TryRequest {
    /// One object for each field, with the field's name as its only key. Every field of the template is required; empty
    /// text is allowed.
    #[schema(value_type = Vec<std::collections::BTreeMap<String, FieldValueInput>>)]
    pub fields_and_values: Vec<NamedValue>,
    /// If true, nothing is printed for an empty field. Otherwise, a dotted line is printed.
    #[serde(default)]
    pub blank: bool,
}

#[utoipa::path(post, path = "/api/v1/documents/{id}/try", tag = "documents", params(("id" = String, Path)),
    request_body = TryRequest, security(("bearer" = [])), responses(
    (status = 200, body = FillResponse, description = "Also of a template that is out of the catalogue"),
))]
pub async fn try_out(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Path(id): Path<String>,
    WithRenderPermit(making, Json(request)): WithRenderPermit<Json<TryRequest>>,
) -> Result<Json<FillResponse>, Failure> {
    FILL_PER_USER.count_attempt(cloud.attempts(), &admin.id, cloud.clock().now()).await?;
    let values = making.values(request.fields_and_values).await?;
    let made = making.filler(&cloud).preview(&id, values, request.blank).await?;
    Ok(Json(fill_response(&cloud, Some(&admin.id), made).await?))
}

functions::route!(try_out, refuses: [MissingFields, UnknownField, DuplicateField, IllegalCharacter, ValueTooLong, ValuesTooLong, TooManyFields, WrongValueType, TooManyRows, UnreadablePicture, ValuePictureTooLarge, QrCodeTooLong, DocumentNotFound, DocumentTooSlow, TooComplex, TooManyAttempts]);
