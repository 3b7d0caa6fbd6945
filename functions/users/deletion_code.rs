//! POST /users/me/deletion-code: mails the caller a code with which they can delete their account without its password.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, RequestSource, State, User};
use functions::wire::session::Confirmation;
use waraq_aws::Cloud;

#[utoipa::path(post, path = "/api/v1/users/me/deletion-code", tag = "users", security(("bearer" = [])), responses(
    (status = 200, body = Confirmation),
))]
pub async fn deletion_code(
    State(cloud): State<Arc<Cloud>>,
    User(account): User,
    from: RequestSource,
    AcceptedLanguage(language): AcceptedLanguage,
) -> Result<Json<Confirmation>, Failure> {
    cloud.account_service()?.mail_deletion_code(&account, &from.source, language).await?;
    Ok(Json(Confirmation::new("A code was sent to your address.")))
}

functions::route!(deletion_code, refuses: [MailWait, TooManyAttempts]);
