//! DELETE /users/me/answers/{id}: deletes one of the caller's saved answers.

use std::sync::Arc;

use functions::http::{Failure, NoContent, Path, State, User};
use waraq_aws::Cloud;

#[utoipa::path(delete, path = "/api/v1/users/me/answers/{id}", tag = "users", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 204, description = "It is erased, or was not there"),
))]
pub async fn answers_erase(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    cloud.saved_answers().delete_answer(&account.id, &id).await?;
    Ok(NoContent)
}

functions::route!(answers_erase);
