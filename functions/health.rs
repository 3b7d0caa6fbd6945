//! GET /health: reports to monitoring that the function runs. It reads no store, so its result depends on the function
//! only. It is the only route that accepts calls which bypass the site's address.

use functions::http::{Failure, Json};
use serde::Serialize;
use utoipa::ToSchema;

#[derive(Debug, Serialize, ToSchema)]
pub struct HealthResponse {
    /// Always `ok`.
    pub status: &'static str,
}

#[utoipa::path(get, path = "/api/v1/health", tag = "lookups", responses((status = 200, body = HealthResponse)))]
pub async fn health() -> Result<Json<HealthResponse>, Failure> {
    Ok(Json(HealthResponse { status: "ok" }))
}

functions::route!(health);
