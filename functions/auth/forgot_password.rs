//! POST /auth/forgot-password: sends a mail with a link to set a new password. The response does not reveal whether the
//! address has an account.

use std::sync::Arc;

use functions::http::{Accepted, Failure, Guest, Json, State};
use functions::wire::session::Done;
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgotPasswordRequest {
    pub email: String,
}

#[utoipa::path(post, path = "/api/v1/auth/forgot-password", tag = "auth", request_body = ForgotPasswordRequest, responses(
    (status = 200, body = Done),
))]
pub async fn forgot_password(
    State(cloud): State<Arc<Cloud>>,
    from: Guest,
    Accepted(language): Accepted,
    Json(request): Json<ForgotPasswordRequest>,
) -> Result<Json<Done>, Failure> {
    cloud.registrar()?.forgot_password(&request.email, &from.source, language).await?;
    Ok(Json(Done::new("If there is an account with this address, a link was sent to it.")))
}

functions::route!(forgot_password, refuses: [InvalidEmail, MailWait, TooManyAttempts, TooManyMails]);
