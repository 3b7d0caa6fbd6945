//! GET /media/{hash}: a picture by the hash of its content. An `<img>` sends no token, so anybody may.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use functions::http::{Error, Failure, Path, State};
use functions::wire::ErrorBody;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use waraq_aws::Cloud;
use waraq_core::files::media_key;

#[utoipa::path(get, path = "/media/{hash}", tag = "media", params(("hash" = String, Path, description = "SHA-256 in hexadecimal")), responses(
    (status = 200, content_type = "image/webp", description = "immutable"),
    (status = 404, body = ErrorBody, description = "media_not_found"),
))]
pub async fn media(State(cloud): State<Arc<Cloud>>, Path(hash): Path<String>) -> Result<Response, Failure> {
    let not_found = || Error::not_found("media_not_found", "There is no such picture.");
    if hash.len() != 64 || !hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(not_found().into());
    }
    let picture = cloud.files().get(&media_key(&hash)).await?.ok_or_else(not_found)?;
    let content_type = waraq_core::files::picture_type(&picture);
    let headers = [(CONTENT_TYPE, content_type), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, picture).into_response())
}

functions::route!(media);
