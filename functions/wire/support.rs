//! Messages of the help center as admins see them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_core::support::{self, SupportMessage};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum MessageStatus {
    Open,
    Closed,
}

impl From<MessageStatus> for support::MessageStatus {
    fn from(status: MessageStatus) -> Self {
        match status {
            MessageStatus::Open => Self::Open,
            MessageStatus::Closed => Self::Closed,
        }
    }
}

/// A message with its status and replies.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMessage {
    #[serde(rename = "_id")]
    pub id: String,
    /// The id of the sender's account; null for a guest. The address of a guest is not verified.
    pub user_id: Option<String>,
    pub email: String,
    pub message: String,
    /// The interface language in which the message was written: `en`, `fr`, `ar`.
    pub language: String,
    pub status: MessageStatus,
    /// Replies, oldest first.
    pub answers: Vec<MessageReply>,
    /// Version number: increases with each change.
    pub version: u64,
    pub created_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = MessageAnswer)]
pub struct MessageReply {
    pub message: String,
    pub answered_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeskMessageResponse {
    pub support_message: DeskMessage,
}

impl From<SupportMessage> for DeskMessage {
    fn from(kept: SupportMessage) -> Self {
        let answers = kept
            .answers
            .into_iter()
            .map(|answer| MessageReply { message: answer.message, answered_at: answer.answered_at.rfc3339() });
        Self {
            id: kept.id,
            user_id: kept.user_id,
            email: kept.email,
            message: kept.message,
            language: kept.language,
            status: match kept.status {
                support::MessageStatus::Open => MessageStatus::Open,
                support::MessageStatus::Closed => MessageStatus::Closed,
            },
            answers: answers.collect(),
            version: kept.version,
            created_at: kept.created_at.rfc3339(),
        }
    }
}
