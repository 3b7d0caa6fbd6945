//! POST /auth/login: exchanges an e-mail address and a password for a session token.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Failure, Json, RequestSource, State};
use functions::wire::session::{Session, session};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    pub email: String,
    pub password: String,
    /// If true, the session lasts 30 days instead of 12 hours.
    #[serde(default)]
    pub remember: bool,
}

#[utoipa::path(post, path = "/api/v1/auth/login", tag = "auth", request_body = LoginRequest, responses(
    (status = 200, body = Session),
))]
pub async fn login(
    State(cloud): State<Arc<Cloud>>,
    from: RequestSource,
    AcceptedLanguage(language): AcceptedLanguage,
    Json(request): Json<LoginRequest>,
) -> Result<Json<Session>, Failure> {
    let credentials = (request.email.as_str(), request.password.as_str());
    let registrar = cloud.account_service()?;
    let account = registrar.login(cloud.password_store(), credentials, &from.source, language).await?;
    Ok(Json(session(&cloud, &account, request.remember).await?))
}

functions::route!(login, refuses: [EmailPasswordRequired, InvalidCredentials, EmailNotVerified, TooManyAttempts]);
