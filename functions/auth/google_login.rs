//! POST /auth/google-login: exchanges a Google user's access token, issued by the Cognito user pool, for a session
//! token.

use std::sync::Arc;

use functions::http::{AcceptedLanguage, Error, ErrorCode, Failure, Json, RequestSource, State};
use functions::wire::session::{Session, session};
use serde::Deserialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GoogleLoginRequest {
    /// An access token that Cognito issued. It must be issued for the user pool and the client that GET /settings
    /// returns.
    pub access_token: String,
    /// If true, the session lasts 30 days instead of 12 hours.
    #[serde(default)]
    pub remember: bool,
}

#[utoipa::path(post, path = "/api/v1/auth/google-login", tag = "auth", request_body = GoogleLoginRequest, responses(
    (status = 200, body = Session),
))]
pub async fn google_login(
    State(cloud): State<Arc<Cloud>>,
    from: RequestSource,
    AcceptedLanguage(language): AcceptedLanguage,
    Json(request): Json<GoogleLoginRequest>,
) -> Result<Json<Session>, Failure> {
    let unavailable = || Error::new(ErrorCode::GoogleUnavailable, "Signing in with Google is not available here.");
    let google = cloud.google().ok_or_else(unavailable)?;
    let registrar = cloud.account_service()?;
    let account =
        registrar.google_login(cloud.password_store(), google, &request.access_token, &from.source, language).await?;
    Ok(Json(session(&cloud, &account, request.remember).await?))
}

functions::route!(google_login, refuses: [GoogleRefused, GoogleUnavailable, AccountBusy, TooManyAttempts]);
