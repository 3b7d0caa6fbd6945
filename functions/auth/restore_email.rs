//! POST /auth/restore-email: reverts a change of e-mail address with the token of a mailed link. All sessions of the
//! account end, its password is deleted, and a link to set a new one is mailed to the address. Opening the link alone
//! has no effect, because mail scanners open links.

use std::sync::Arc;

use functions::http::{Failure, Guest, Json, State};
use functions::wire::session::Done;
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
    (status = 200, body = Done),
))]
pub async fn restore_email(
    State(cloud): State<Arc<Cloud>>,
    from: Guest,
    Json(request): Json<RestoreEmailRequest>,
) -> Result<Json<Done>, Failure> {
    cloud.registrar()?.restore_address(cloud.identity(), &request.token, &from.source).await?;
    Ok(Json(Done::new("The account has this address again. A link to a new password was sent to it.")))
}

functions::route!(restore_email, refuses: [InvalidRestoreLink, EmailTaken, AccountBusy, TooManyAttempts]);
