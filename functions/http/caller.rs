//! Who calls. Asking for one of these in a handler's signature is the authorisation.

use http::header::AUTHORIZATION;
use waraq_core::accounts::{Account, Role};
use waraq_core::token::session_ended;

use super::{Call, Error, Extract, Who};

/// Somebody signed in.
#[derive(Debug, Clone)]
pub struct User(pub Account);

/// An admin.
#[derive(Debug, Clone)]
pub struct Admin(pub Account);

/// Somebody signed in, or a guest.
#[derive(Debug, Clone)]
pub struct MaybeUser(pub Option<Account>);

/// Whom a request comes from, whoever it is: for limits.
#[derive(Debug, Clone)]
pub struct Guest {
    pub source: String,
}

impl Extract for Guest {
    async fn extract(call: &mut Call) -> Result<Self, Error> {
        Ok(Self { source: call.source.clone() })
    }
}

impl Extract for MaybeUser {
    const WHO: Who = Who::MaybeUser;

    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let Some(header) = call.parts.headers.get(AUTHORIZATION) else { return Ok(Self(None)) };
        let header = header.to_str().unwrap_or("");
        let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Error::unauthenticated());
        }
        let now = call.cloud.clock().now();
        let claims = call.cloud.verify(token.trim()).await?;
        // Read as of now: somebody deleted, demoted or signed out is so at once.
        let account = call.cloud.accounts().account(&claims.sub).await?;
        let account =
            account.filter(|account| account.token_version == claims.token_version).ok_or_else(session_ended)?;
        if claims.wants_renewal(now)
            && let Some(signer) = call.cloud.signer().await?
        {
            call.renewed_token = Some(signer.issue(&account, claims.remember, now)?.token);
        }
        Ok(Self(Some(account)))
    }
}

impl Extract for User {
    const WHO: Who = Who::User;

    async fn extract(call: &mut Call) -> Result<Self, Error> {
        MaybeUser::extract(call).await?.0.map(User).ok_or_else(Error::unauthenticated)
    }
}

impl Extract for Admin {
    const WHO: Who = Who::Admin;

    async fn extract(call: &mut Call) -> Result<Self, Error> {
        let User(account) = User::extract(call).await?;
        if account.role == Role::Admin { Ok(Admin(account)) } else { Err(Error::forbidden()) }
    }
}
