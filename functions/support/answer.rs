//! POST /support-messages/{id}/answer: sends an admin's reply to the sender by mail, in the language of the message.

use std::sync::Arc;

use functions::http::{Admin, Failure, IdempotencyKey, Json, Path, State};
use functions::wire::support::{DeskMessage, DeskMessageResponse};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::support::ReplyRequest;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = AnswerBody)]
pub struct ReplyBody {
    /// The text of the reply: 1 to 5,000 characters.
    pub message: String,
    /// The version of the message that the client last saw.
    pub version: u64,
    /// If true, the reply also closes the message.
    #[serde(default)]
    pub close: bool,
}

#[utoipa::path(post, path = "/api/v1/support-messages/{id}/answer", tag = "support", request_body = ReplyBody,
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), security(("bearer" = [])), responses(
    (status = 200, body = DeskMessageResponse),
))]
pub async fn answer(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    Json(ReplyBody { message, version, close }): Json<ReplyBody>,
) -> Result<Json<DeskMessageResponse>, Failure> {
    let request = ReplyRequest { id, message, version, close, key };
    let message = cloud.support_desk().reply(&admin, cloud.code_secret()?, request).await?;
    Ok(Json(DeskMessageResponse { support_message: DeskMessage::from(message) }))
}

functions::route!(
    answer,
    refuses: [MessageRequired, MessageTooLong, MessageNotFound, MessageChanged, TooManyAnswers]
);
