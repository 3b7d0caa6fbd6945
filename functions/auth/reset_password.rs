//! POST /auth/reset-password: sets a new password with the token of a mailed link. All sessions of the account end.

use std::sync::Arc;

use functions::http::{Failure, Json, RequestSource, State};
use functions::wire::session::Confirmation;
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ResetPasswordRequest {
    /// The token in the link's fragment: `/reset-password#token=…`.
    pub token: String,
    /// The new password: 8 to 256 characters, without other rules.
    pub new_password: String,
}

#[utoipa::path(post, path = "/api/v1/auth/reset-password", tag = "auth", request_body = ResetPasswordRequest, responses(
    (status = 200, body = Confirmation),
))]
pub async fn reset_password(
    State(cloud): State<Arc<Cloud>>,
    from: RequestSource,
    Json(request): Json<ResetPasswordRequest>,
) -> Result<Json<Confirmation>, Failure> {
    let registrar = cloud.account_service()?;
    registrar.reset_password(cloud.password_store(), &request.token, &request.new_password, &from.source).await?;
    Ok(Json(Confirmation::new("The password was changed. You can log in with it now.")))
}

functions::route!(reset_password, refuses: [InvalidResetLink, InvalidPassword, AccountBusy, TooManyAttempts]);
