//! PATCH /users/{id}: changes the role of a user, for admins. All sessions of that user end.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, Path, State};
use functions::wire::{Role, UserRecord};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UpdateUserRequest {
    pub role: Role,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct UpdateUserResponse {
    pub user: UserRecord,
}

#[utoipa::path(patch, path = "/api/v1/users/{id}", tag = "users", params(("id" = String, Path)), request_body = UpdateUserRequest,
    security(("bearer" = [])), responses(
    (status = 200, body = UpdateUserResponse),
))]
pub async fn update(
    State(cloud): State<Arc<Cloud>>,
    Admin(admin): Admin,
    Path(id): Path<String>,
    Json(request): Json<UpdateUserRequest>,
) -> Result<Json<UpdateUserResponse>, Failure> {
    let account = cloud.account_service()?.change_role(&admin, &id, request.role.into()).await?;
    Ok(Json(UpdateUserResponse { user: UserRecord::from(&account) }))
}

functions::route!(update, refuses: [OwnAccount, UserNotFound, LastAdmin, AccountBusy]);
