//! DELETE /users/me: somebody's own account goes, proven by its password or by a mailed code. It is gone with this answer; its files and records
//! are taken away by `gone-accounts`, however often that is interrupted.

use std::sync::Arc;

use functions::http::{Done, Error, ErrorCode, Failure, Guest, Json, State, User};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::accounts::Proof;

/// One of the two.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteMeRequest {
    pub password: Option<String>,
    /// Of POST /users/me/deletion-code.
    pub code: Option<String>,
}

#[utoipa::path(delete, path = "/api/v1/users/me", tag = "users", request_body = DeleteMeRequest, security(("bearer" = [])), responses(
    (status = 204),
))]
pub async fn delete_me(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    from: Guest,
    Json(request): Json<DeleteMeRequest>,
) -> Result<Done, Failure> {
    let given = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
    let proof = match (&request.password, &request.code) {
        (Some(password), code) if !password.is_empty() && !given(code) => Proof::Password(password),
        (password, Some(code)) if !code.is_empty() && !given(password) => Proof::Code(code),
        _ => {
            let message = "Please give the password, or the code that was mailed to you.";
            let error = Error::new(ErrorCode::PasswordOrCodeRequired, message);
            return Err(error.with_fields(["password", "code"]).into());
        }
    };
    cloud.registrar()?.delete_own(cloud.identity(), &account, proof, &from.source).await?;
    Ok(Done)
}

functions::route!(
    delete_me,
    refuses: [PasswordOrCodeRequired, WrongPassword, InvalidOtp, LastAdmin, AccountBusy, TooManyAttempts]
);
