//! POST /my-templates/upload: creates an address to which a user sends a template file that is too large for a form.

use std::sync::Arc;

use functions::http::{Failure, Json, State, User};
use functions::wire::template_file::{UploadRequest, UploadResponse, upload_address};
use waraq_aws::Cloud;
use waraq_core::limits::PRIVATE_TEMPLATE_UPLOADS;

#[utoipa::path(post, path = "/api/v1/my-templates/upload", tag = "my templates", request_body = UploadRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = UploadResponse),
))]
pub async fn upload(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    Json(request): Json<UploadRequest>,
) -> Result<Json<UploadResponse>, Failure> {
    PRIVATE_TEMPLATE_UPLOADS.count_attempt(cloud.attempts(), &caller.id, cloud.clock().now()).await?;
    Ok(Json(upload_address(&cloud, &caller.id, &request).await?))
}

functions::route!(upload, refuses: [FileTooLarge, TooManyAttempts]);
