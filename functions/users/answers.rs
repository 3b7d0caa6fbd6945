//! GET /users/me/answers: what the caller has filled in and is offered again, where he has switched that on.

use std::sync::Arc;

use functions::http::{Failure, Json, State, User};
use functions::wire::answers::AnswersResponse;
use waraq_aws::Cloud;

#[utoipa::path(get, path = "/api/v1/users/me/answers", tag = "users", security(("bearer" = [])), responses(
    (status = 200, body = AnswersResponse),
))]
pub async fn answers(State(cloud): State<Arc<Cloud>>, User(account): User) -> Result<Json<AnswersResponse>, Failure> {
    Ok(Json(cloud.remembering().known(&account.id).await?.into()))
}

functions::route!(answers);
