//! POST /auth/resend-otp: sends another code for a registration. (To get another code for a change of address, repeat
//! change-email.)

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, RequestSource, State};
use functions::wire::session::Confirmation;
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResendOtpRequest {
    #[serde(deserialize_with = "functions::wire::id")]
    #[schema(max_length = 64)]
    pub user_id: String,
}

#[utoipa::path(post, path = "/api/v1/auth/resend-otp", tag = "auth", request_body = ResendOtpRequest, responses(
    (status = 200, body = Confirmation),
))]
pub async fn resend_otp(
    State(cloud): State<Arc<Cloud>>,
    from: RequestSource,
    AcceptedLanguage(language): AcceptedLanguage,
    Json(request): Json<ResendOtpRequest>,
) -> Result<Json<Confirmation>, Failure> {
    cloud.account_service()?.resend_code(&request.user_id, &from.source, language).await?;
    Ok(Json(Confirmation::new("Another code was sent.")))
}

functions::route!(resend_otp, refuses: [RegistrationEnded, MailWait, TooManyAttempts, TooManyMails]);
