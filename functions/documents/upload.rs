//! POST /documents/upload: creates an address to which an admin sends a template file that is too large for a form.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, State};
use functions::wire::template_file::{UploadRequest, UploadResponse, upload_address};
use waraq_aws::Cloud;

#[utoipa::path(post, path = "/api/v1/documents/upload", tag = "documents", request_body = UploadRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = UploadResponse),
))]
pub async fn upload(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Json(request): Json<UploadRequest>,
) -> Result<Json<UploadResponse>, Failure> {
    Ok(Json(upload_address(&cloud, &admin.id, &request).await?))
}

functions::route!(upload, refuses: [FileTooLarge]);
