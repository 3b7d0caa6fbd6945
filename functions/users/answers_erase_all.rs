//! DELETE /users/me/answers: deletes all saved answers of the caller. The feature stays switched on.

use std::sync::Arc;

use functions::http::{Failure, NoContent, State, User};
use waraq_aws::Cloud;

#[utoipa::path(delete, path = "/api/v1/users/me/answers", tag = "users", security(("bearer" = [])), responses(
    (status = 204, description = "None is kept"),
))]
pub async fn answers_erase_all(State(cloud): State<Arc<Cloud>>, User(account): User) -> Result<NoContent, Failure> {
    cloud.saved_answers().delete_all_answers(&account.id).await?;
    Ok(NoContent)
}

functions::route!(answers_erase_all);
