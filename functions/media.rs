//! GET /media/{hash}: a picture by the hash of its content. An `<img>` sends no token, so anybody may.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::{Error, Path, Reply};
use functions::wire::ErrorBody;
use waraq_aws::Cloud;
use waraq_core::files::media_key;

#[utoipa::path(get, path = "/media/{hash}", tag = "media", params(("hash" = String, Path, description = "SHA-256 in hexadecimal")), responses(
    (status = 200, content_type = "image/webp", description = "immutable"),
    (status = 404, body = ErrorBody, description = "media_not_found"),
))]
pub async fn media(cloud: Arc<Cloud>, Path(hash): Path) -> Result<Reply, Error> {
    let not_found = || Error::not_found("media_not_found", "There is no such picture.");
    if hash.len() != 64 || !hash.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(not_found());
    }
    let picture = cloud.files().get(&media_key(&hash)).await?.ok_or_else(not_found)?;
    let content_type = waraq_core::files::picture_type(&picture);
    let mut reply = Reply::bytes(200, content_type, picture);
    reply.set_header("cache-control", "public, max-age=31536000, immutable");
    Ok(reply)
}

pub fn main() -> ExitCode {
    functions::http::lambda::run("media", media)
}
