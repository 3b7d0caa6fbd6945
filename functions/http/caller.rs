//! Extractors for the caller. A handler authorises its callers by naming one of these types in its signature.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::{ConnectInfo, FromRequestParts};
use http::header::AUTHORIZATION;
use http::request::Parts;
use lambda_http::RequestExt;
use lambda_http::request::RequestContext;
use waraq_aws::Cloud;
use waraq_core::accounts::{Account, Role, UserRows};
use waraq_core::token::{Claims, session_ended};

use super::route::RenewalDue;
use super::{Error, Failure, source};

/// A signed-in user.
#[derive(Debug, Clone)]
pub struct User(pub Account);

/// A signed-in user with the claims of their token.
#[derive(Debug, Clone)]
pub struct TokenHolder {
    pub account: Account,
    pub claims: Claims,
}

/// An admin.
#[derive(Debug, Clone)]
pub struct Admin(pub Account);

/// A signed-in user, or `None` for a guest.
#[derive(Debug, Clone)]
pub struct MaybeUser(pub Option<Account>);

/// The source address of a request, used by rate limits. Every request has one.
#[derive(Debug, Clone)]
pub struct RequestSource {
    pub source: String,
}

impl FromRequestParts<Arc<Cloud>> for RequestSource {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        let peer = match parts.request_context_ref() {
            Some(RequestContext::ApiGatewayV2(context)) => context.http.source_ip.clone().unwrap_or_default(),
            _ => {
                let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
                peer.map_or_else(String::new, |ConnectInfo(peer)| peer.ip().to_string())
            }
        };
        Ok(Self { source: source::source_address(&parts.headers, &peer, |sent| cloud.is_origin_secret(sent)) })
    }
}

/// Returns the verified claims of the request's bearer token, or `None` if the request has no token. An invalid or
/// expired token is an error.
async fn claims(parts: &Parts, cloud: &Cloud) -> Result<Option<Claims>, Failure> {
    let Some(header) = parts.headers.get(AUTHORIZATION) else { return Ok(None) };
    let header = header.to_str().unwrap_or("");
    let (scheme, token) = header.split_once(' ').unwrap_or((header, ""));
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(Error::unauthenticated().into());
    }
    let claims = cloud.verify(token.trim()).await?;
    if claims.needs_renewal(cloud.clock().now())
        && let Some(RenewalDue(due)) = parts.extensions.get()
    {
        due.store(true, Ordering::Relaxed);
    }
    Ok(Some(claims))
}

/// The account of the request's bearer token with the token's claims. `None` for a guest. Stored in the request after the first
/// check, so that a second extractor of the same request does not check the token and read the account again.
#[derive(Debug, Clone)]
struct CheckedCaller(Option<Arc<(Account, Claims)>>);

/// Returns the account of the request's bearer token with the token's claims, or `None` if the request has no token.
async fn account(parts: &mut Parts, cloud: &Cloud) -> Result<Option<Arc<(Account, Claims)>>, Failure> {
    if let Some(CheckedCaller(caller)) = parts.extensions.get() {
        return Ok(caller.clone());
    }
    let caller = match claims(parts, cloud).await? {
        Some(claims) => {
            // Read with strong consistency, so that a deletion, a demotion or a logout takes effect at once.
            let account = cloud.accounts().account(&claims.sub).await?;
            let account = account.filter(|account| account.accepts(&claims));
            Some(Arc::new((account.ok_or_else(session_ended)?, claims)))
        }
        None => None,
    };
    parts.extensions.insert(CheckedCaller(caller.clone()));
    Ok(caller)
}

impl FromRequestParts<Arc<Cloud>> for MaybeUser {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        Ok(Self(account(parts, cloud).await?.map(|caller| caller.0.clone())))
    }
}

impl FromRequestParts<Arc<Cloud>> for TokenHolder {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        let caller = account(parts, cloud).await?.ok_or_else(Error::unauthenticated)?;
        Ok(Self { account: caller.0.clone(), claims: caller.1.clone() })
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

/// All users, for a route that only admins may call. If the list of users is in memory, the caller's role is looked up
/// there first. The list can be trusted, because it is always up to date. Otherwise, the role is read from the caller's
/// account.
pub struct AdminsUsers(pub Arc<UserRows>);

impl FromRequestParts<Arc<Cloud>> for AdminsUsers {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, cloud: &Arc<Cloud>) -> Result<Self, Failure> {
        if let Some(claims) = claims(parts, cloud).await?
            && let Some(users) = cloud.users().users_if_loaded().await?
            && users.is_admin(&claims.sub, claims.token_version)
        {
            return Ok(Self(users));
        }
        // The list is read only after this check has authorised the caller. It refuses the same callers as the check above.
        Admin::from_request_parts(parts, cloud).await?;
        Ok(Self(cloud.users().users().await?))
    }
}
