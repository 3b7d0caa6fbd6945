//! DELETE /my-templates/{id}: deletes a private template of the caller. Saved documents that were made from it stay.

use std::sync::Arc;

use functions::http::{Failure, NoContent, Path, State, User};
use waraq_aws::Cloud;
use waraq_core::private_templates::{self, PrivateOwner};

#[utoipa::path(delete, path = "/api/v1/my-templates/{id}", tag = "my templates", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 204, description = "It is deleted"),
))]
pub async fn delete(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    let templates = cloud.templates_of_owner(&caller.id);
    let owner = PrivateOwner { id: &caller.id, store: cloud.private_templates() };
    private_templates::delete(&templates, owner, cloud.clock(), &id).await?;
    Ok(NoContent)
}

functions::route!(delete, refuses: [DocumentNotFound]);
