//! POST /auth/restore-email: reverts a change of e-mail address with the token of a mailed link. All sessions of the
//! account end, its password is deleted, and a link to set a new password is mailed to the restored address. Opening
//! the link alone has no effect, because mail scanners open links.

use std::sync::Arc;

use functions::http::{Failure, Json, RequestSource, State};
use functions::wire::session::Confirmation;
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreEmailRequest {
    /// The token in the link's fragment: `/restore-email#token=…`.
    pub token: String,
}

#[utoipa::path(post, path = "/api/v1/auth/restore-email", tag = "auth", request_body = RestoreEmailRequest, responses(
    (status = 200, body = Confirmation),
))]
pub async fn restore_email(
    State(cloud): State<Arc<Cloud>>,
    from: RequestSource,
    Json(request): Json<RestoreEmailRequest>,
) -> Result<Json<Confirmation>, Failure> {
    cloud.account_service()?.revert_address_change(cloud.password_store(), &request.token, &from.source).await?;
    Ok(Json(Confirmation::new("The account has this address again. A link to a new password was sent to it.")))
}

functions::route!(restore_email, refuses: [InvalidRestoreLink, EmailTaken, AccountBusy, TooManyAttempts]);
