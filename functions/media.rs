//! GET /media/{hash}: returns a picture by the hash of its content, or the picture of a saved document by its
//! unguessable name. Both are public, because an `<img>` sends no token.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use functions::http::{Error, ErrorCode, Failure, Path, State};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use waraq_aws::Cloud;
use waraq_core::files::media_key;
use waraq_core::saved::picture_key;

#[utoipa::path(get, path = "/media/{hash}", tag = "media", params(("hash" = String, Path, description = "64 hexadecimal digits, or a saved document's own name for it")), responses(
    (status = 200, content_type = "image/webp", description = "immutable"),
))]
pub async fn media(State(cloud): State<Arc<Cloud>>, Path(hash): Path<String>) -> Result<Response, Failure> {
    let not_found = || Error::new(ErrorCode::MediaNotFound, "Picture not found.");
    let is_hash = hash.len() == 64 && hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    // The picture of a saved document is private to its owner, so only their browser may cache it.
    let (key, cache) = match picture_key(&hash) {
        Some(key) => (key, "private, max-age=31536000, immutable"),
        None if is_hash => (media_key(&hash), "public, max-age=31536000, immutable"),
        None => return Err(not_found().into()),
    };
    let picture = cloud.files().get(&key).await?.ok_or_else(not_found)?;
    let headers = [(CONTENT_TYPE, waraq_core::files::picture_type(&picture)), (CACHE_CONTROL, cache)];
    Ok((headers, picture).into_response())
}

functions::route!(media, refuses: [MediaNotFound]);
