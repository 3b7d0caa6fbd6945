//! GET /settings: what the page must know of this house: whether and where Google's users sign in, the home page, the app,
//! who runs it.

use std::sync::Arc;

use functions::http::{Failure, Json, State};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsResponse {
    /// Null: there is no button.
    pub google: Option<GoogleSettings>,
    /// The marketing site; the product itself where there is none.
    pub home_url: String,
    /// The mobile app; null: there is none.
    pub app_url: Option<String>,
    /// Who runs this house; null: whoever does has not said so yet.
    pub operator: Option<Operator>,
}

/// Whom the terms of use and the privacy notice name.
#[derive(Debug, Serialize, ToSchema)]
pub struct Operator {
    pub name: String,
    /// A postal address, on one line.
    pub seat: String,
    /// An address of e-mail, or of a page.
    pub contact: String,
}

/// What Amplify Auth is configured with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoogleSettings {
    pub region: String,
    pub user_pool_id: String,
    /// The pool's public client.
    pub client_id: String,
    /// Of the hosted sign-in, without a scheme.
    pub domain: String,
    pub scopes: Vec<String>,
}

/// GetUser wants the last one.
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
    let home_url = settings.house.home_url.clone().unwrap_or_else(|| "/".to_owned());
    let operator = settings.house.operator.as_ref().map(|operator| Operator {
        name: operator.name.clone(),
        seat: operator.seat.clone(),
        contact: operator.contact.clone(),
    });
    Ok(Json(SettingsResponse { google, home_url, app_url: settings.house.app_url.clone(), operator }))
}

functions::route!(settings);
