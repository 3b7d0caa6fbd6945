//! Somebody signed in.

use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::accounts::Account;
use waraq_core::{Error, Result};

use super::UserRecord;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub user: UserRecord,
    /// For `Authorization: Bearer …`. Past half its life any answer may carry its successor in `X-Renewed-Token`.
    pub token: String,
    pub expires_at: String,
}

/// What was done, for people.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// English.
    pub message: String,
}

impl Done {
    pub fn new(message: &str) -> Self {
        Self { message: message.to_owned() }
    }
}

/// A new token for an account. `remember`: it lives 30 days instead of 12 hours.
pub async fn session(cloud: &Cloud, account: &Account, remember: bool) -> Result<Session> {
    let signer = cloud.signer().await?.ok_or_else(|| Error::internal("this function has no key to sign tokens"))?;
    let issued = signer.issue(account, remember, cloud.clock().now())?;
    Ok(Session { user: UserRecord::from(account), token: issued.token, expires_at: issued.expires_at.rfc3339() })
}
