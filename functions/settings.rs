//! GET /settings: the settings of this installation that the frontend needs: sign-in with Google, the home page, the
//! mobile app and the operator.

use std::sync::Arc;

use functions::http::{Failure, Json, State};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsResponse {
    /// Settings of the sign-in with Google; null if it is not offered.
    pub google: Option<GoogleSettings>,
    /// URL of the marketing site; `/` if the installation has none.
    pub home_url: String,
    /// URL of the mobile app; null if the installation has none.
    pub app_url: Option<String>,
    /// The operator of this installation; null if it is not configured yet.
    pub operator: Option<Operator>,
}

/// The operator, as named in the terms of use and the privacy notice.
#[derive(Debug, Serialize, ToSchema)]
pub struct Operator {
    pub name: String,
    /// A postal address, on one line.
    pub seat: String,
    /// An e-mail address or the URL of a page.
    pub contact: String,
}

/// Settings of the sign-in with Google, for the library Amplify Auth.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoogleSettings {
    pub region: String,
    pub user_pool_id: String,
    /// The id of the public client of the user pool.
    pub client_id: String,
    /// Domain of the hosted sign-in, without a scheme.
    pub domain: String,
    pub scopes: Vec<String>,
}

/// The scopes to request. The Cognito call GetUser needs the last one.
const SCOPES: [&str; 4] = ["openid", "email", "profile", "aws.cognito.signin.user.admin"];

#[utoipa::path(get, path = "/api/v1/settings", tag = "lookups", responses(
    (status = 200, body = SettingsResponse),
))]
pub async fn settings(State(cloud): State<Arc<Cloud>>) -> Result<Json<SettingsResponse>, Failure> {
    let settings = cloud.settings();
    let google = settings.google.as_ref().map(|google| GoogleSettings {
        region: google.region.clone(),
        user_pool_id: google.user_pool_id.clone(),
        client_id: google.client_id.clone(),
        domain: google.domain.clone(),
        scopes: SCOPES.map(str::to_owned).to_vec(),
    });
    let home_url = settings.installation.home_url.clone().unwrap_or_else(|| "/".to_owned());
    let operator = settings.installation.operator.as_ref().map(|operator| Operator {
        name: operator.name.clone(),
        seat: operator.seat.clone(),
        contact: operator.contact.clone(),
    });
    Ok(Json(SettingsResponse { google, home_url, app_url: settings.installation.app_url.clone(), operator }))
}

functions::route!(settings);
