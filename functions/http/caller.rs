//! Who calls. Asking for one of these in a handler's signature is the authorisation.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, FromRequestParts};
use http::header::AUTHORIZATION;
use http::request::Parts;
use lambda_http::RequestExt;
use lambda_http::request::RequestContext;
use waraq_aws::Cloud;
use waraq_core::accounts::{Account, Role};
use waraq_core::token::session_ended;

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

impl FromRequestParts<Arc<Cloud>> for MaybeUser {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        let Some(header) = parts.headers.get(AUTHORIZATION) else { return Ok(Self(None)) };
        let header = header.to_str().unwrap_or("");
        let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
        if !scheme.eq_ignore_ascii_case("bearer") {
            return Err(Error::unauthenticated().into());
        }
        let now = cloud.clock().now();
        let claims = cloud.verify(token.trim()).await?;
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
