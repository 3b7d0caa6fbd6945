//! Serves the built frontend: its files, and its page (`index.html`) for every other path.

use std::path::Path;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};

const NOT_BUILT: &str = "The frontend is not built. `cargo xtask dev` builds it; the API is under /api/v1.\n";

pub async fn serve_frontend(State(folder): State<Option<Arc<Path>>>, request: Request) -> Response {
    let Some(folder) = folder else { return (StatusCode::NOT_FOUND, NOT_BUILT).into_response() };
    let files = ServeDir::new(&folder).append_index_html_on_directories(false);
    // Vite names the files in assets by their content hash. A missing script must not be answered with the page.
    let asset = request.uri().path().starts_with("/assets/");
    let answered = if asset {
        files.oneshot(request).await.map(IntoResponse::into_response)
    } else {
        files
            .fallback(ServeFile::new(folder.join("index.html")))
            .oneshot(request)
            .await
            .map(IntoResponse::into_response)
    };
    let mut response = match answered {
        Ok(response) if response.status() != StatusCode::NOT_FOUND => response,
        _ if asset => return (StatusCode::NOT_FOUND, "There is no such file.\n").into_response(),
        _ => return (StatusCode::NOT_FOUND, NOT_BUILT).into_response(),
    };
    let kept = if asset { "public, max-age=31536000, immutable" } else { "no-cache" };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    response
}
