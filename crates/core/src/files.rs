//! The port to files.

use async_trait::async_trait;

use crate::Result;

/// Where bytes are kept. Keys are paths without a leading slash: `templates/<id>/1.docx`.
#[async_trait]
pub trait Files: Send + Sync {
    /// Keeps `bytes` under `key`; what was there before is replaced.
    async fn put(&self, key: &str, content_type: &'static str, bytes: Vec<u8>) -> Result<()>;

    /// `None` if nothing is kept under `key`.
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>>;

    /// An address from which anybody who has it can fetch the file for fifteen minutes, named `file_name`.
    async fn link(&self, key: &str, file_name: &str) -> Result<String>;
}

/// Where a template's parts are kept.
pub fn template_key(id: &str, version: u32) -> String {
    format!("templates/{id}/{version}.docx")
}

/// The pages of the empty template.
pub fn pdf_key(id: &str, version: u32) -> String {
    format!("pdf/{id}/{version}.pdf")
}

/// A picture, by the SHA-256 of its bytes.
pub fn media_key(hash: &str) -> String {
    format!("media/{hash}")
}

/// What one answer hands out that was too large for it, or that must be answered again.
pub fn answer_key(id: &str, ending: &str) -> String {
    format!("answers/{id}.{ending}")
}

/// SHA-256 in lower-case hexadecimal.
pub fn content_hash(bytes: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The media type of a picture, by its first bytes.
pub fn picture_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => "application/octet-stream",
    }
}
