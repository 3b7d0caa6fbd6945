//! GET /users/me/answers: returns the caller's saved answers, if they have switched on this feature.

use std::sync::Arc;

use functions::http::{Failure, Json, State, User};
use functions::wire::saved_answers::AnswersResponse;
use waraq_aws::Cloud;

#[utoipa::path(get, path = "/api/v1/users/me/answers", tag = "users", security(("bearer" = [])), responses(
    (status = 200, body = AnswersResponse),
))]
pub async fn answers(State(cloud): State<Arc<Cloud>>, User(account): User) -> Result<Json<AnswersResponse>, Failure> {
    Ok(Json(cloud.saved_answers().answers(&account.id).await?.into()))
}

functions::route!(answers);
