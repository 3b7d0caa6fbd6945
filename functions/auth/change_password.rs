//! POST /auth/change-password: changes the password of the account and ends all its other sessions.

use std::sync::Arc;

use functions::http::{Failure, Json, RequestSource, State, User};
use functions::wire::UserRecord;
use functions::wire::session::{Session, session};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangePasswordRequest {
    pub old_password: String,
    /// The new password: 8 to 256 characters, without other rules.
    pub new_password: String,
    /// If true, the session lasts 30 days instead of 12 hours.
    #[serde(default)]
    pub remember: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePasswordResponse {
    pub message: String,
    pub user: UserRecord,
    /// The new session token, which replaces the token of this request.
    pub token: String,
    pub expires_at: String,
}

#[utoipa::path(post, path = "/api/v1/auth/change-password", tag = "auth", request_body = ChangePasswordRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = ChangePasswordResponse),
))]
pub async fn change_password(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    from: RequestSource,
    Json(request): Json<ChangePasswordRequest>,
) -> Result<Json<ChangePasswordResponse>, Failure> {
    let passwords = (request.old_password.as_str(), request.new_password.as_str());
    let account =
        cloud.account_service()?.change_password(cloud.password_store(), &account, passwords, &from.source).await?;
    let Session { user, token, expires_at } = session(&cloud, &account, request.remember).await?;
    Ok(Json(ChangePasswordResponse { message: "The password was changed.".to_owned(), user, token, expires_at }))
}

functions::route!(change_password, refuses: [WrongPassword, InvalidPassword, AccountBusy, TooManyAttempts]);
