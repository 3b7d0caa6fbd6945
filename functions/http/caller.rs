//! Who calls. Asking for one of these in a handler's signature is the authorisation.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use http::header::AUTHORIZATION;
use http::request::Parts;
use lambda_http::RequestExt;
use lambda_http::request::RequestContext;
use waraq_aws::Cloud;
use waraq_core::accounts::{Account, Role, UserRows};
use waraq_core::token::{Claims, session_ended};

use super::route::Renewed;
use super::{Error, Failure, source};

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

impl FromRequestParts<Arc<Cloud>> for Guest {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        let peer = match parts.request_context_ref() {
            Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.clone().unwrap_or_default(),
            _ => {
                let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
                peer.map_or_else(String::new, |ConnectInfo(peer)| peer.ip().to_string())
            }
        };
        Ok(Self { source: source::of(&parts.headers, &peer, |sent| cloud.is_origin_secret(sent)) })
    }
}

/// What the token of a request says, if one is sent: it is ours, and has not run out.
async fn claims(parts: &Parts, cloud: &Cloud) -> Result<Option<Claims>, Failure> {
    let Some(header) = parts.headers.get(AUTHORIZATION) else { return Ok(None) };
    let header = header.to_str().unwrap_or("");
    let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Error::unauthenticated().into());
    }
    Ok(Some(cloud.verify(token.trim()).await?))
}

impl FromRequestParts<Arc<Cloud>> for MaybeUser {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        let Some(claims) = claims(parts, cloud).await? else { return Ok(Self(None)) };
        let now = cloud.clock().now();
        // Read as of now: somebody deleted, demoted or signed out is so at once.
        let account = cloud.accounts().account(&claims.sub).await?;
        let account =
            account.filter(|account| account.token_version == claims.token_version).ok_or_else(session_ended)?;
        if claims.wants_renewal(now)
            && let Some(signer) = cloud.signer().await?
            && let Some(Renewed(renewed)) = parts.extensions.get()
        {
            let token = signer.issue(&account, claims.remember, now)?.token;
            renewed.get_or_init(|| token);
        }
        Ok(Self(Some(account)))
    }
}

impl FromRequestParts<Arc<Cloud>> for User {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        let MaybeUser(account) = MaybeUser::from_request_parts(parts, cloud).await?;
        Ok(Self(account.ok_or_else(Error::unauthenticated)?))
    }
}

impl FromRequestParts<Arc<Cloud>> for Admin {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        let User(account) = User::from_request_parts(parts, cloud).await?;
        if account.role == Role::Admin { Ok(Self(account)) } else { Err(Error::forbidden().into()) }
    }
}

/// Everybody there is, for an admin. A list that is in memory already says itself who is an admin, as of now: he is not asked for apart.
pub struct AdminsUsers(pub Arc<UserRows>);

impl FromRequestParts<Arc<Cloud>> for AdminsUsers {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        if let Some(claims) = claims(parts, cloud).await?
            && !claims.wants_renewal(cloud.clock().now())
            && let Some(users) = cloud.users().users_at_hand().await?
            && users.is_admin(&claims.sub, claims.token_version)
        {
            return Ok(Self(users));
        }
        // Nobody has a list read who may not see it; and refusals are as everywhere.
        Admin::from_request_parts(parts, cloud).await?;
        Ok(Self(cloud.users().users().await?))
    }
}
