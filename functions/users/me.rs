//! GET /users/me: returns the caller's account.

use functions::http::{Failure, Json, User};
use functions::wire::UserRecord;
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct MeResponse {
    pub user: UserRecord,
}

#[utoipa::path(get, path = "/api/v1/users/me", tag = "users", security(("bearer" = [])), responses(
    (status = 200, body = MeResponse),
))]
pub async fn me(User(account): User) -> Result<Json<MeResponse>, Failure> {
    Ok(Json(MeResponse { user: UserRecord::from(&account) }))
}

functions::route!(me);
