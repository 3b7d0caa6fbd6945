//! Sessions and confirmations.

use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::accounts::Account;
use waraq_core::clock::new_id;
use waraq_core::token::{Claims, LoginSession};
use waraq_core::{Error, Result};

use super::UserRecord;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub user: UserRecord,
    /// The token for `Authorization: Bearer …`. After half its lifetime, responses have the
    /// header `X-Renewal-Due: true`; POST /auth/refresh then returns a new token. Renewals end 7 days after the login, or
    /// 90 days with *remember me*.
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

/// Starts a session of an account. Its token is valid for 30 days with `remember`, else for 12 hours.
pub async fn session(cloud: &Cloud, account: &Account, remember: bool) -> Result<Session> {
    let id = new_id(cloud.clock(), cloud.random_source());
    issue(cloud, account, &LoginSession::new(id, remember, cloud.clock().now())).await
}

/// Issues a new token for the session of a token.
pub async fn renewed_session(cloud: &Cloud, account: &Account, claims: &Claims) -> Result<Session> {
    issue(cloud, account, &claims.session(new_id(cloud.clock(), cloud.random_source()))).await
}

async fn issue(cloud: &Cloud, account: &Account, session: &LoginSession) -> Result<Session> {
    let signer = cloud.signer().await?.ok_or_else(|| Error::internal("this function has no key to sign tokens"))?;
    let issued = signer.issue(account, session, cloud.clock().now())?;
    Ok(Session { user: UserRecord::from(account), token: issued.token, expires_at: issued.expires_at.rfc3339() })
}
