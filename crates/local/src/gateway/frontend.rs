//! The built frontend: its files, and its page for every address that is none.

use std::path::{Component, Path, PathBuf};

use axum::body::Body;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};

const NOT_BUILT: &str = "The frontend is not built. `cargo xtask dev` builds it; the API is under /api/v1.\n";

pub async fn answer(folder: Option<&Path>, path: &str) -> Response {
    let Some(folder) = folder else { return text(StatusCode::NOT_FOUND, NOT_BUILT) };
    if let Some(file) = inside(folder, path)
        && let Ok(bytes) = tokio::fs::read(&file).await
    {
        // Vite names what lies in assets by its content.
        let kept = if path.starts_with("/assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
        return found(&file, bytes, kept);
    }
    // A missing script must not become a page.
    if path.starts_with("/assets/") {
        return text(StatusCode::NOT_FOUND, "There is no such file.\n");
    }
    let index = folder.join("index.html");
    match tokio::fs::read(&index).await {
        Ok(bytes) => found(&index, bytes, "no-cache"),
        Err(_) => text(StatusCode::NOT_FOUND, NOT_BUILT),
    }
}

/// The file a path names, if it stays inside the folder and names one at all.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = percent_encoding::percent_decode_str(path.trim_start_matches('/')).decode_utf8().ok()?.into_owned();
    let path = Path::new(&path);
    let plain = path.components().all(|component| matches!(component, Component::Normal(_)));
    (plain && path.components().next().is_some()).then(|| folder.join(path))
}

fn found(file: &Path, bytes: Vec<u8>, kept: &'static str) -> Response {
    let mut response = Response::new(Body::from(bytes));
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(file)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    response
}

fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|ending| ending.to_str()).unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        "pdf" => "application/pdf",
        _ => "application/octet-stream",
    }
}

fn text(status: StatusCode, text: &'static str) -> Response {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_outside_the_folder() {
        let folder = Path::new("/srv/dist");
        assert_eq!(inside(folder, "/assets/a.js"), Some(PathBuf::from("/srv/dist/assets/a.js")));
        for path in ["/", "", "/../secret", "/%2e%2e/secret", "/a/%2e%2e%2f%2e%2e/secret", "/%ff"] {
            assert_eq!(inside(folder, path), None, "{path}");
        }
    }
}
