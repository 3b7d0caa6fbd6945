//! PUT /users/me/answers: switches the caller's saved answers on or off. Switching off deletes them.

use std::sync::Arc;

use functions::http::{Failure, Json, State, User};
use functions::wire::saved_answers::AnswersResponse;
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SwitchAnswersRequest {
    pub on: bool,
}

#[utoipa::path(put, path = "/api/v1/users/me/answers", tag = "users", request_body = SwitchAnswersRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = AnswersResponse),
))]
pub async fn answers_switch(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    Json(request): Json<SwitchAnswersRequest>,
) -> Result<Json<AnswersResponse>, Failure> {
    let remembering = cloud.saved_answers();
    let known = if request.on {
        Some(remembering.switch_on(&account.id).await?)
    } else {
        remembering.switch_off(&account.id).await?;
        None
    };
    Ok(Json(known.into()))
}

functions::route!(answers_switch);
