//! POST /users/me/answers: adds to the caller's saved answers, if they have switched on this feature. Answers that
//! cannot be saved are skipped.

use std::sync::Arc;

use functions::http::{Failure, Json, State, User};
use functions::wire::saved_answers::{AnswerInput, AnswersResponse};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AddAnswersRequest {
    pub answers: Vec<AnswerInput>,
}

#[utoipa::path(post, path = "/api/v1/users/me/answers", tag = "users", request_body = AddAnswersRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = AnswersResponse, description = "What is kept; where it is switched off nothing is"),
))]
pub async fn answers_add(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    Json(request): Json<AddAnswersRequest>,
) -> Result<Json<AnswersResponse>, Failure> {
    let filled_in = request.answers.into_iter().map(Into::into).collect();
    Ok(Json(cloud.saved_answers().add_answers(&account.id, filled_in).await?.into()))
}

functions::route!(answers_add, refuses: [TooManyFields]);
