//! POST /support-messages: sends a message to the help center. It is saved and mailed; replies go to the sender.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Created, Failure, IdempotencyKey, Json, MaybeUser, RequestSource, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::support::{NewMessageRequest, SupportMessage};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SupportMessageRequest {
    /// The address for replies. With a token, the address of the account is used instead.
    #[serde(default)]
    pub email: String,
    /// The text of the message: 1 to 5,000 characters.
    pub message: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportMessageResponse {
    pub support_message: SupportMessageRecord,
    /// A confirmation in English.
    pub message: String,
}

/// A message as it is saved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportMessageRecord {
    #[serde(rename = "_id")]
    pub id: String,
    pub email: String,
    pub message: String,
    pub created_at: String,
}

impl From<SupportMessage> for SupportMessageRecord {
    fn from(kept: SupportMessage) -> Self {
        Self { id: kept.id, email: kept.email, message: kept.message, created_at: kept.created_at.rfc3339() }
    }
}

#[utoipa::path(post, path = "/api/v1/support-messages", tag = "support", request_body = SupportMessageRequest,
    params(("Idempotency-Key" = Option<String>, Header),
        ("Accept-Language" = Option<String>, Header, description = "The language the sender is to be answered in")),
    security((), ("bearer" = [])), responses(
    (status = 201, body = SupportMessageResponse),
))]
pub async fn support_messages(
    State(cloud): State<Arc<Cloud>>,
    MaybeUser(account): MaybeUser,
    from: RequestSource,
    AcceptedLanguage(language): AcceptedLanguage,
    IdempotencyKey(key): IdempotencyKey,
    Json(request): Json<SupportMessageRequest>,
) -> Result<Created<SupportMessageResponse>, Failure> {
    let SupportMessageRequest { email, message } = request;
    let request = NewMessageRequest { account, email, message, language, source: from.source, key };
    let kept = cloud.help_center()?.receive(request).await?;
    let message = "Your message has been sent successfully!".to_owned();
    Ok(Created(SupportMessageResponse { support_message: kept.into(), message }))
}

functions::route!(
    support_messages,
    refuses: [EmailRequired, InvalidEmail, UndeliverableEmail, MessageRequired, MessageTooLong, TooManyAttempts]
);
