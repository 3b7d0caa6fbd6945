//! POST /auth/change-email: sends a code to a new address for the account. The response does not reveal whether another
//! account has that address.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, RequestSource, State, User};
use functions::wire::session::Confirmation;
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChangeEmailRequest {
    pub new_email: String,
}

#[utoipa::path(post, path = "/api/v1/auth/change-email", tag = "auth", request_body = ChangeEmailRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = Confirmation),
))]
pub async fn change_email(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    from: RequestSource,
    AcceptedLanguage(language): AcceptedLanguage,
    Json(request): Json<ChangeEmailRequest>,
) -> Result<Json<Confirmation>, Failure> {
    cloud.account_service()?.change_address(&account, &request.new_email, &from.source, language).await?;
    Ok(Json(Confirmation::new("A code was sent to the new address.")))
}

functions::route!(change_email, refuses: [InvalidEmail, UndeliverableEmail, SameEmail, MailWait, TooManyAttempts]);
