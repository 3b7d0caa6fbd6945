//! DELETE /users/me: deletes the caller's account after a check of the password or of a mailed code. When the response
//! is sent, the account can no longer be used. Then `account-cleanup` deletes its files and records, and resumes after
//! interruptions.

use std::sync::Arc;

use functions::http::{Error, ErrorCode, Failure, Json, NoContent, RequestSource, State, User};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::accounts::DeletionProof;

/// The password of the account or a mailed code. Exactly one of the two is required.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeleteMeRequest {
    pub password: Option<String>,
    /// The code sent by POST /users/me/deletion-code.
    pub code: Option<String>,
}

#[utoipa::path(delete, path = "/api/v1/users/me", tag = "users", request_body = DeleteMeRequest, security(("bearer" = [])), responses(
    (status = 204),
))]
pub async fn delete_me(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    from: RequestSource,
    Json(request): Json<DeleteMeRequest>,
) -> Result<NoContent, Failure> {
    let given = |text: &Option<String>| text.as_ref().is_some_and(|text| !text.is_empty());
    let proof = match (&request.password, &request.code) {
        (Some(password), code) if !password.is_empty() && !given(code) => DeletionProof::Password(password),
        (password, Some(code)) if !code.is_empty() && !given(password) => DeletionProof::Code(code),
        _ => {
            let message = "Please enter your password, or the code that we sent you.";
            let error = Error::new(ErrorCode::PasswordOrCodeRequired, message);
            return Err(error.with_fields(["password", "code"]).into());
        }
    };
    cloud.account_service()?.delete_own(cloud.password_store(), &account, proof, &from.source).await?;
    Ok(NoContent)
}

functions::route!(
    delete_me,
    refuses: [PasswordOrCodeRequired, WrongPassword, InvalidOtp, LastAdmin, AccountBusy, TooManyAttempts]
);
