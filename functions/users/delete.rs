//! DELETE /users/{id}: deletes an account, for admins. The account is deleted when the response is sent;
//! `gone-accounts` then deletes its files and records, and resumes after interruptions.

use std::sync::Arc;

use functions::http::{Admin, Done, Failure, Path, State};
use waraq_aws::Cloud;

#[utoipa::path(delete, path = "/api/v1/users/{id}", tag = "users", params(("id" = String, Path)), security(("bearer" = [])), responses(
    (status = 204, description = "It is deleted, or is being deleted already"),
))]
pub async fn delete(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Path(id): Path<String>,
) -> Result<Done, Failure> {
    cloud.registrar()?.delete_user(&admin, cloud.belongings(), &id).await?;
    Ok(Done)
}

functions::route!(delete, refuses: [OwnAccount, UserNotFound, LastAdmin, AccountBusy]);
