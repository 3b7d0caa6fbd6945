//! POST /documents/check: previews a template before an admin publishes it. Nothing is saved.

use std::sync::Arc;

use functions::engine::{UNREADABLE_FILE, WithRenderPermit};
use functions::http::{Admin, Failure, Form, Json, State};
use functions::wire::template_check::{CheckForm, CheckResponse, check_template};
use waraq_aws::Cloud;
use waraq_core::limits::FILL_PER_USER;

#[utoipa::path(post, path = "/api/v1/documents/check", tag = "documents",
    request_body(content = CheckForm, content_type = "multipart/form-data"), security(("bearer" = [])), responses(
    (status = 200, body = CheckResponse, description = "Also of a template with errors"),
))]
pub async fn check(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    WithRenderPermit(making, form): WithRenderPermit<Form>,
) -> Result<Json<CheckResponse>, Failure> {
    FILL_PER_USER.count_attempt(cloud.attempts(), &admin.id, cloud.clock().now()).await?;
    Ok(Json(check_template(&cloud, &making, &form, &admin.id).await?))
}

functions::route!(check, refuses: [TitleAndFileRequired, MissingFields, UnknownField, DuplicateField, IllegalCharacter, ValueTooLong, ValuesTooLong, TooManyFields, WrongValueType, TooManyRows, UnreadablePicture, ValuePictureTooLarge, QrCodeTooLong, InvalidFieldHelp, FileTooLarge, UploadNotFound, DocumentTooSlow, TooManyAttempts] + UNREADABLE_FILE);
