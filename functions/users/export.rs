//! GET /users/me/export: returns all data of the caller's account as a zip file.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use functions::http::{Failure, Json, State, User};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::export::ExportedFile;

/// All data of the account. If the zip file is larger than 4 MB, the response has `fileUrl` (signed, valid for 15
/// minutes) instead of `file`.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExportResponse {
    /// Suggested name of the zip file.
    pub file_name: String,
    /// The zip file in base64.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The address of the zip file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_url: Option<String>,
}

#[utoipa::path(get, path = "/api/v1/users/me/export", tag = "users", security(("bearer" = [])), responses(
    (status = 200, body = ExportResponse),
))]
pub async fn export(State(cloud): State<Arc<Cloud>>, User(account): User) -> Result<Json<ExportResponse>, Failure> {
    let exporter = cloud.exporter();
    let file_name = exporter.file_name();
    Ok(Json(match exporter.export(&account).await? {
        ExportedFile::Bytes(zip) => ExportResponse { file_name, file: Some(BASE64.encode(zip)), file_url: None },
        ExportedFile::StoredFile(key) => {
            let link = cloud.files().link(&key, &file_name).await?;
            ExportResponse { file_name, file: None, file_url: Some(link) }
        }
    }))
}

functions::route!(export, refuses: [TooManyAttempts]);
