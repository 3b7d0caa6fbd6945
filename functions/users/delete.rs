//! DELETE /users/{id}: deletes an account, for admins. When the response is sent, the account can no longer be used.
//! Then `account-cleanup` deletes its files and records, and resumes after interruptions.

use std::sync::Arc;

use functions::http::{Admin, Failure, NoContent, Path, State};
use waraq_aws::Cloud;

#[utoipa::path(delete, path = "/api/v1/users/{id}", tag = "users", params(("id" = String, Path)), security(("bearer" = [])), responses(
    (status = 204, description = "It is deleted, or is being deleted already"),
))]
pub async fn delete(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    cloud.account_service()?.delete_user(&admin, cloud.personal_records(), &id).await?;
    Ok(NoContent)
}

functions::route!(delete, refuses: [OwnAccount, UserNotFound, LastAdmin, AccountBusy]);
