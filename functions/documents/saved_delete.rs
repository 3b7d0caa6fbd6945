//! DELETE /documents/saved/{id}: deletes one of the caller's documents. It can be undeleted for seven days.

use std::sync::Arc;

use functions::http::{Failure, NoContent, Path, State, User};
use waraq_aws::Cloud;

#[utoipa::path(delete, path = "/api/v1/documents/saved/{id}", tag = "saved documents", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 204, description = "It is deleted, or was already"),
))]
pub async fn saved_delete(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    Path(id): Path<String>,
) -> Result<NoContent, Failure> {
    cloud.saved_documents().delete(&caller.id, &id).await?;
    Ok(NoContent)
}

functions::route!(saved_delete, refuses: [DocumentNotFound]);
