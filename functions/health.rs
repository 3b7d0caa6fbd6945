//! GET /health: that somebody answers, for whoever watches the house. It asks no store, so that it says what the function itself can do, and
//! it alone is answered to calls that do not come by the site's address.

use functions::http::{Failure, Json};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct HealthResponse {
    /// `ok`.
    pub status: &'static str,
}

#[utoipa::path(get, path = "/api/v1/health", tag = "lookups", responses((status = 200, body = HealthResponse)))]
pub async fn health() -> Result<Json<HealthResponse>, Failure> {
    Ok(Json(HealthResponse { status: "ok" }))
}

functions::route!(health);
