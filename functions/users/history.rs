//! GET /users/{id}/history: the audit log of an account, for admins.

use std::sync::Arc;

use functions::http::{Admin, Error, ErrorCode, Failure, Json, Path, State};
use functions::wire::Role;
use functions::wire::audit_log::{Actor, Actors};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::audit_log::{AccountChange, AccountPart, AuditLogEntry};

/// An audit event of an account. The old and new values are not saved.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserHistoryEntry {
    pub at: String,
    /// The user who made the change, possibly the account's owner; null for changes without a signed-in user.
    pub by: Option<Actor>,
    pub what: UserEventKind,
    /// The parts of the profile that were changed.
    pub parts: Vec<AccountPart>,
    /// The new role, if the role changed.
    pub role: Option<Role>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = UserDeed)]
pub enum UserEventKind {
    Joined,
    Changed,
    RoleChanged,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UserHistoryResponse {
    /// Audit events, newest first. Changes made before the audit log existed are missing.
    pub history: Vec<UserHistoryEntry>,
}

#[utoipa::path(get, path = "/api/v1/users/{id}/history", tag = "users", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 200, body = UserHistoryResponse),
))]
pub async fn history(
    State(cloud): State<Arc<Cloud>>,
    Admin(_): Admin,
    Path(id): Path<String>,
) -> Result<Json<UserHistoryResponse>, Failure> {
    let account = cloud.accounts().account(&id).await?.filter(|account| account.verified);
    account.ok_or_else(|| Error::new(ErrorCode::UserNotFound, "User not found. The account may have been deleted."))?;
    let entries = cloud.audit_log().account_events(&id).await?;
    let doers = Actors::look_up(&cloud, &entries).await?;
    let history = entries.into_iter().map(|entry| history_entry(entry, &doers)).collect();
    Ok(Json(UserHistoryResponse { history }))
}

fn history_entry(entry: AuditLogEntry<AccountChange>, doers: &Actors) -> UserHistoryEntry {
    let by = doers.actor_of(&entry);
    let (what, parts, role) = match entry.event.what {
        AccountChange::Joined => (UserEventKind::Joined, Vec::new(), None),
        AccountChange::Changed { parts } => (UserEventKind::Changed, parts, None),
        AccountChange::RoleChanged { role } => (UserEventKind::RoleChanged, Vec::new(), Some(role.into())),
    };
    UserHistoryEntry { at: entry.at.rfc3339(), by, what, parts, role }
}

functions::route!(history, refuses: [UserNotFound]);
