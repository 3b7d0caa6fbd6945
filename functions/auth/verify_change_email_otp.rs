//! POST /auth/verify-change-email-otp: verifies the code sent to a new address. The account then has this address, and
//! all its other sessions end.

use std::sync::Arc;

use functions::http::{Failure, Json, State, User};
use functions::wire::session::{Session, session};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerifyChangeEmailOtpRequest {
    pub new_email: String,
    /// The code from the mail: six digits. Arabic digits are accepted.
    pub otp: String,
    /// If true, the session lasts 30 days instead of 12 hours.
    #[serde(default)]
    pub remember: bool,
}

#[utoipa::path(post, path = "/api/v1/auth/verify-change-email-otp", tag = "auth", request_body = VerifyChangeEmailOtpRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = Session, description = "The new token replaces the one the call was made with"),
))]
pub async fn verify_change_email_otp(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    Json(request): Json<VerifyChangeEmailOtpRequest>,
) -> Result<Json<Session>, Failure> {
    let registrar = cloud.account_service()?;
    let account = registrar.verify_address(&account, &request.new_email, &request.otp).await?;
    Ok(Json(session(&cloud, &account, request.remember).await?))
}

functions::route!(verify_change_email_otp, refuses: [InvalidOtp, EmailTaken, AccountBusy, TooManyAttempts]);
