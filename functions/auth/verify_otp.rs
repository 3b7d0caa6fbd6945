//! POST /auth/verify-otp: verifies the code of a registration and returns a session token.

use std::sync::Arc;

use functions::http::{Failure, Json, RequestSource, State};
use functions::wire::session::{Session, session};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct VerifyOtpRequest {
    /// The id returned by register or by a refused login.
    #[serde(deserialize_with = "functions::wire::id")]
    #[schema(max_length = 64)]
    pub user_id: String,
    /// The code from the mail: six digits. Arabic digits are accepted.
    pub otp: String,
    /// If true, the session lasts 30 days instead of 12 hours.
    #[serde(default)]
    pub remember: bool,
}

#[utoipa::path(post, path = "/api/v1/auth/verify-otp", tag = "auth", request_body = VerifyOtpRequest, responses(
    (status = 200, body = Session),
))]
pub async fn verify_otp(
    State(cloud): State<Arc<Cloud>>,
    from: RequestSource,
    Json(request): Json<VerifyOtpRequest>,
) -> Result<Json<Session>, Failure> {
    let registrar = cloud.account_service()?;
    let account = registrar.verify_registration(&request.user_id, &request.otp, &from.source).await?;
    Ok(Json(session(&cloud, &account, request.remember).await?))
}

functions::route!(verify_otp, refuses: [InvalidOtp, EmailTaken, AccountBusy, TooManyAttempts]);
