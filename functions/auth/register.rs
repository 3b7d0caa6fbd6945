//! POST /auth/register: creates an account that must be verified with a code sent by mail. If the address already has
//! an account, the owner of that account receives a notice by mail. The response is the same in both cases, so that it
//! does not reveal whether the address has an account.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Created, Failure, Json, RequestSource, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::accounts::Registration;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RegisterRequest {
    /// The user name: 1 to 60 characters.
    pub user_name: String,
    pub email: String,
    /// The password: 8 to 256 characters, without other rules.
    pub password: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegisterResponse {
    /// The id for verify-otp and resend-otp.
    pub user_id: String,
    pub message: String,
}

#[utoipa::path(post, path = "/api/v1/auth/register", tag = "auth", request_body = RegisterRequest,
    params(("Accept-Language" = Option<String>, Header, description = "The language of the mail and of the account")), responses(
    (status = 201, body = RegisterResponse),
))]
pub async fn register(
    State(cloud): State<Arc<Cloud>>,
    from: RequestSource,
    AcceptedLanguage(language): AcceptedLanguage,
    Json(request): Json<RegisterRequest>,
) -> Result<Created<RegisterResponse>, Failure> {
    let RegisterRequest { user_name, email, password } = request;
    let registration = Registration { user_name, email, password, language };
    let user_id = cloud.account_service()?.register(cloud.password_store(), registration, &from.source).await?;
    Ok(Created(RegisterResponse { user_id, message: "A code was sent to this address.".to_owned() }))
}

functions::route!(register, refuses: [FieldsRequired, InvalidUserName, InvalidEmail, UndeliverableEmail, InvalidPassword, MailWait, TooManyAttempts, TooManyMails]);
