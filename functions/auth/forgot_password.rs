//! POST /auth/forgot-password: sends a mail with a link to set a new password. The response does not reveal whether the
//! address has an account.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, RequestSource, State};
use functions::wire::session::Confirmation;
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgotPasswordRequest {
    pub email: String,
}

#[utoipa::path(post, path = "/api/v1/auth/forgot-password", tag = "auth", request_body = ForgotPasswordRequest, responses(
    (status = 200, body = Confirmation),
))]
pub async fn forgot_password(
    State(cloud): State<Arc<Cloud>>,
    from: RequestSource,
    AcceptedLanguage(language): AcceptedLanguage,
    Json(request): Json<ForgotPasswordRequest>,
) -> Result<Json<Confirmation>, Failure> {
    cloud.account_service()?.forgot_password(&request.email, &from.source, language).await?;
    Ok(Json(Confirmation::new("If there is an account with this address, a link was sent to it.")))
}

functions::route!(forgot_password, refuses: [InvalidEmail, MailWait, TooManyAttempts, TooManyMails]);
