//! POST /auth/refresh: exchanges a session token for a new one. Only the functions that return session tokens have the
//! key to sign them. This function uses the key only after it has verified the old token.

use std::sync::Arc;

use functions::http::{Failure, Json, State, TokenHolder};
use functions::wire::session::{Session, renewed_session};
use waraq_aws::Cloud;

#[utoipa::path(post, path = "/api/v1/auth/refresh", tag = "auth", security(("bearer" = [])), responses(
    (status = 200, body = Session, description = "The new token has the lifetime of the old one, 12 hours or 30 days, but not beyond 7 or 90 days after the login"),
))]
pub async fn refresh(
    State(cloud): State<Arc<Cloud>>,
    TokenHolder { account, claims }: TokenHolder,
) -> Result<Json<Session>, Failure> {
    Ok(Json(renewed_session(&cloud, &account, &claims).await?))
}

functions::route!(refresh);
