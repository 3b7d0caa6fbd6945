//! GET /health: reports to monitoring that the function runs. The function reads neither the table nor the bucket, so
//! the response does not depend on other services. This route is the only one that accepts calls that bypass the CDN.

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
