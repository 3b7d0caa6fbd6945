//! PATCH /support-messages/{id}: closes or reopens a message.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, Path, State};
use functions::wire::support::{DeskMessage, DeskMessageResponse, MessageStatus};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateMessageBody {
    pub status: MessageStatus,
}

#[utoipa::path(patch, path = "/api/v1/support-messages/{id}", tag = "support", request_body = UpdateMessageBody,
    params(("id" = String, Path)), security(("bearer" = [])), responses(
    (status = 200, body = DeskMessageResponse),
))]
pub async fn update(
    State(cloud): State<Arc<Cloud>>,
    Admin(_): Admin,
    Path(id): Path<String>,
    Json(request): Json<UpdateMessageBody>,
) -> Result<Json<DeskMessageResponse>, Failure> {
    let message = cloud.support_desk().set_status(&id, request.status.into()).await?;
    Ok(Json(DeskMessageResponse { support_message: DeskMessage::from(message) }))
}

functions::route!(update, refuses: [MessageNotFound]);
