//! GET /support-messages: lists messages of the help center, newest first.

use std::sync::Arc;

use functions::http::{Admin, Error, ErrorCode, Failure, Json, LONGEST_ID, Query, State};
use functions::wire::support::DeskMessage;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use waraq_aws::Cloud;
use waraq_core::support::{MESSAGES_PER_PAGE, MessageStatus};

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
#[into_params(parameter_in = Query)]
pub struct MessagesQuery {
    /// Lists only messages with this status: `open` (the default) or `closed`.
    pub status: Option<String>,
    /// The `next` of the previous page. Lists only the messages after that page, which are older.
    pub before: Option<String>,
    /// Messages per page, 1 to 100; the default is 20.
    pub limit: Option<usize>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MessagesResponse {
    pub support_messages: Vec<DeskMessage>,
    /// The value of `before` for the next page; null on the last page.
    pub next: Option<String>,
}

#[utoipa::path(get, path = "/api/v1/support-messages", tag = "support", params(MessagesQuery), security(("bearer" = [])), responses(
    (status = 200, body = MessagesResponse),
))]
pub async fn list(
    State(cloud): State<Arc<Cloud>>,
    Admin(_): Admin,
    Query(query): Query<MessagesQuery>,
) -> Result<Json<MessagesResponse>, Failure> {
    let (status, limit) = query.checked()?;
    let before = query.before.as_deref().filter(|id| !id.is_empty());
    let page = cloud.support_messages().list(status, before, limit).await?;
    let support_messages = page.messages.into_iter().map(DeskMessage::from).collect();
    Ok(Json(MessagesResponse { support_messages, next: page.next }))
}

impl MessagesQuery {
    fn checked(&self) -> Result<(MessageStatus, usize), Error> {
        let refused = |field: &str, message: &str| {
            Err(Error::new(ErrorCode::InvalidQuery, message.to_owned()).with_fields([field]))
        };
        if self.before.as_ref().is_some_and(|id| id.len() > LONGEST_ID) {
            return refused("before", "before is the `next` of another page.");
        }
        let limit = self.limit.unwrap_or(MESSAGES_PER_PAGE);
        if !(1..=100).contains(&limit) {
            return refused("limit", "A page has 1 to 100 messages.");
        }
        match self.status.as_deref().unwrap_or_default() {
            "" | "open" => Ok((MessageStatus::Open, limit)),
            "closed" => Ok((MessageStatus::Closed, limit)),
            _ => refused("status", "status is open or closed."),
        }
    }
}

functions::route!(list);
