//! POST /auth/login: an address and a password for a token.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::{Error, Guest, Json};
use functions::wire::{ErrorBody, UserRecord};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::accounts::Door;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    pub email: String,
    pub password: String,
    /// The session lives 30 days instead of 12 hours.
    #[serde(default)]
    pub remember: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginResponse {
    pub user: UserRecord,
    /// For `Authorization: Bearer …`. Past half its life any answer may carry its successor in `X-Renewed-Token`.
    pub token: String,
    pub expires_at: String,
}

#[utoipa::path(post, path = "/api/v1/auth/login", tag = "auth", request_body = LoginRequest, responses(
    (status = 200, body = LoginResponse),
    (status = 400, body = ErrorBody, description = "email_password_required"),
    (status = 401, body = ErrorBody, description = "invalid_credentials; email_not_verified mentions OTP and carries userId"),
    (status = 429, body = ErrorBody, description = "too_many_attempts, with Retry-After"),
))]
pub async fn login(
    cloud: Arc<Cloud>,
    from: Guest,
    Json(request): Json<LoginRequest>,
) -> Result<Json<LoginResponse>, Error> {
    let door = Door {
        accounts: cloud.accounts(),
        identity: cloud.identity(),
        attempts: cloud.attempts(),
        clock: cloud.clock(),
    };
    let account = door.login(&request.email, &request.password, &from.source).await?;
    let signer = cloud.signer().await?.ok_or_else(|| Error::internal("this function has no key to sign tokens"))?;
    let issued = signer.issue(&account, request.remember, cloud.clock().now())?;
    Ok(Json(LoginResponse {
        user: UserRecord::from(&account),
        token: issued.token,
        expires_at: issued.expires_at.rfc3339(),
    }))
}

pub fn main() -> ExitCode {
    functions::http::lambda::run("auth-login", login)
}
