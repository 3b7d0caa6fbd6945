//! The built frontend: its files, and its page for every address that is none.

use std::path::Path;

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use tower::ServiceExt;
use tower_http::services::{ServeDir, ServeFile};

const NOT_BUILT: &str = "The frontend is not built. `cargo xtask dev` builds it; the API is under /api/v1.\n";

pub async fn answer(folder: Option<&Path>, request: Request) -> Response {
    let Some(folder) = folder else { return (StatusCode::NOT_FOUND, NOT_BUILT).into_response() };
    let files = ServeDir::new(folder).append_index_html_on_directories(false);
    // Vite names what lies in assets by its content. A missing script must not become a page.
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

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    #[tokio::test]
    async fn files_the_page_and_nothing_outside_the_folder() {
        let data = tempfile::tempdir().unwrap();
        let folder = data.path().join("dist");
        std::fs::create_dir_all(folder.join("assets")).unwrap();
        std::fs::write(data.path().join("secret"), "secret").unwrap();
        std::fs::write(folder.join("index.html"), "the page").unwrap();
        std::fs::write(folder.join("assets/a.js"), "a script").unwrap();
        let ask = async |path: &str| {
            let response = answer(Some(&folder), Request::get(path).body(Body::empty()).unwrap()).await;
            let kept = response.headers().get("cache-control").map(|kept| kept.to_str().unwrap().to_owned());
            let body = axum::body::to_bytes(response.into_body(), 1_000).await.unwrap();
            (String::from_utf8(body.into()).unwrap(), kept.unwrap_or_default())
        };
        assert_eq!(ask("/assets/a.js").await, ("a script".into(), "public, max-age=31536000, immutable".into()));
        assert_eq!(ask("/assets/b.js").await.0, "There is no such file.\n");
        for path in
            ["/", "/documents/1", "/../secret", "/%2e%2e/secret", "/a/%2e%2e%2f%2e%2e/secret", "/%ff", "/assets"]
        {
            assert_eq!(ask(path).await, ("the page".into(), "no-cache".into()), "{path}");
        }
    }
}
