//! POST /auth/logout: ends the session of the token. Copies of the token and tokens that were renewed from it are refused
//! from then on. Sessions on other devices stay.

use std::sync::Arc;

use functions::http::{Failure, NoContent, State, TokenHolder};
use waraq_aws::Cloud;

#[utoipa::path(post, path = "/api/v1/auth/logout", tag = "auth", security(("bearer" = [])), responses(
    (status = 204, description = "The session has ended"),
))]
pub async fn logout(
    State(cloud): State<Arc<Cloud>>,
    TokenHolder { account, claims }: TokenHolder,
) -> Result<NoContent, Failure> {
    cloud.account_service()?.log_out(&account, &claims).await?;
    Ok(NoContent)
}

functions::route!(logout, refuses: [AccountBusy]);
