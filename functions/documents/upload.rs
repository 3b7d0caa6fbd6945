//! POST /documents/upload: creates an address to which an admin sends a template file that is too large for a form.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UploadRequest {
    /// Size of the file in bytes, at most 20,000,000. The address `url` accepts only a file of this size.
    pub bytes: u64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UploadResponse {
    /// Id of the file, for the part `upload` of a form. The id is valid for a day.
    pub upload: String,
    /// Address for a PUT request with the file. It is valid for fifteen minutes.
    pub url: String,
    /// The Content-Type header to send with the file.
    pub content_type: String,
}

#[utoipa::path(post, path = "/api/v1/documents/upload", tag = "documents", request_body = UploadRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = UploadResponse),
))]
pub async fn upload(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Json(request): Json<UploadRequest>,
) -> Result<Json<UploadResponse>, Failure> {
    let address = cloud.direct_uploads().create_upload(&admin.id, request.bytes).await?;
    Ok(Json(UploadResponse { upload: address.id, url: address.url, content_type: address.content_type.to_owned() }))
}

functions::route!(upload, refuses: [FileTooLarge]);
