//! POST /my-templates/{id}/duplicate: copies a private template of the caller.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Created, Failure, IdempotencyKey, Json, Path, State, User};
use functions::wire::my_templates::{MyTemplateResponse, my_template_response};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::limits::PRIVATE_TEMPLATE_WRITES;
use waraq_core::private_templates::{Copier, PrivateOwner};

#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DuplicateRequest {
    /// Title of the copy: 1 to 200 characters. If it is missing or empty, the copy has the title of the original.
    pub title: Option<String>,
}

#[utoipa::path(post, path = "/api/v1/my-templates/{id}/duplicate", tag = "my templates",
    params(("id" = String, Path), ("Idempotency-Key" = Option<String>, Header)), request_body = DuplicateRequest,
    security(("bearer" = [])), responses(
    (status = 201, body = MyTemplateResponse, description = "The copy, with the newest version only"),
))]
pub async fn duplicate(
    State(cloud): State<Arc<Cloud>>,
    User(caller): User,
    AcceptedLanguage(names): AcceptedLanguage,
    Path(id): Path<String>,
    IdempotencyKey(key): IdempotencyKey,
    Json(request): Json<DuplicateRequest>,
) -> Result<Created<MyTemplateResponse>, Failure> {
    PRIVATE_TEMPLATE_WRITES.count_attempt(cloud.attempts(), &caller.id, cloud.clock().now()).await?;
    let templates = cloud.templates_of_owner(&caller.id);
    let owner = PrivateOwner { id: &caller.id, store: cloud.private_templates() };
    let copier = Copier {
        templates: &templates,
        owner,
        files: cloud.files(),
        clock: cloud.clock(),
        random: cloud.random_source(),
    };
    let copy = copier.duplicate(&id, request.title.as_deref(), key).await?;
    Ok(Created(my_template_response(copy, 0, names)))
}

functions::route!(duplicate, refuses: [DocumentNotFound, TitleTooLong, InvalidTitle, TooManyTemplates, TooManyAttempts]);
