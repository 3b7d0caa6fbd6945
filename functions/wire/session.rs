//! Sessions and confirmations.

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
    /// The token for `Authorization: Bearer …`. After half its lifetime, responses have the
    /// header `X-Renewal-Due: true`; POST /auth/refresh then returns a new token.
    pub token: String,
    pub expires_at: String,
}

/// The response of a call that returns only a message.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Done)]
pub struct Confirmation {
    /// The confirmation in English.
    pub message: String,
}

impl Confirmation {
    pub fn new(message: &str) -> Self {
        Self { message: message.to_owned() }
    }
}

/// Issues a new token for an account. It is valid for 30 days with `remember`, else for 12 hours.
pub async fn session(cloud: &Cloud, account: &Account, remember: bool) -> Result<Session> {
    let signer = cloud.signer().await?.ok_or_else(|| Error::internal("this function has no key to sign tokens"))?;
    let issued = signer.issue(account, remember, cloud.clock().now())?;
    Ok(Session { user: UserRecord::from(account), token: issued.token, expires_at: issued.expires_at.rfc3339() })
}
