//! GET /media/{hash}: a picture by the hash of its content. An `<img>` sends no token, so anybody may.

use functions::http::{Error, Path, Reply};
use functions::wire::ErrorBody;

#[utoipa::path(get, path = "/media/{hash}", tag = "media", params(("hash" = String, Path, description = "SHA-256 in hexadecimal")), responses(
    (status = 200, content_type = "image/png", description = "immutable"),
    (status = 404, body = ErrorBody, description = "media_not_found"),
))]
pub async fn media(Path(_hash): Path) -> Result<Reply, Error> {
    Err(Error::unfinished())
}
