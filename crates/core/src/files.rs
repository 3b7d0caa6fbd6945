//! The port to files.

use std::fmt::Display;

use async_trait::async_trait;

use crate::Result;

/// Where bytes are kept. Keys are paths without a leading slash: `templates/<id>/1.docx`.
#[async_trait]
pub trait Files: Send + Sync {
    /// Keeps `bytes` under `key`; what was there before is replaced.
    async fn put(&self, key: &str, content_type: &'static str, bytes: Vec<u8>) -> Result<()>;

    /// `None` if nothing is kept under `key`.
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>>;

    /// Begins a file that is kept in pieces and is there once it is finished; what is never finished leaves nothing.
    async fn upload(&self, key: &str, content_type: &'static str) -> Result<Box<dyn Upload + '_>>;

    /// Takes away every file whose key begins so, for good: where replaced files are kept, these too. It is no fault if there is none.
    async fn remove_all(&self, prefix: &str) -> Result<()>;

    /// Takes away what is kept under `key`, if anything is.
    async fn remove(&self, key: &str) -> Result<()>;

    /// An address from which anybody who has it can fetch the file for fifteen minutes, named `file_name`.
    async fn link(&self, key: &str, file_name: &str) -> Result<String>;
}

/// A file that is being written.
#[async_trait]
pub trait Upload: Send {
    /// The next piece: of at least 5 MB, but for the last.
    async fn part(&mut self, bytes: Vec<u8>) -> Result<()>;

    /// It is whole.
    async fn finish(self: Box<Self>) -> Result<()>;
}

/// How files are handed out: in an answer as long as they fit, else by links.
#[derive(Debug, Clone, Copy)]
pub struct Handing {
    /// Bytes of all files of an answer.
    pub most_carried_bytes: u64,
    /// What a file is called by the title of its document, without ending.
    pub file_name: fn(&str) -> String,
}

/// A file that is handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Handed {
    Bytes(Vec<u8>),
    Link(String),
}

/// Where the .docx of a template is kept that goes by this name.
pub fn template_key(id: &str, name: impl Display) -> String {
    format!("templates/{id}/{name}.docx")
}

/// The pages of the empty template.
pub fn pdf_key(id: &str, name: impl Display) -> String {
    format!("pdf/{id}/{name}.pdf")
}

/// Where everything lies that somebody has saved.
pub fn saved_prefix(user_id: &str) -> String {
    format!("saved/{user_id}/")
}

/// How the keys of somebody's photos begin.
pub fn photo_prefix(user_id: &str) -> String {
    media_key(&half_hash(user_id.as_bytes()))
}

/// What a photo is kept under as media: half a hash of whose it is, half a one of its bytes. So it is his alone and can go with him, though
/// somebody else may have the same picture.
pub fn photo_name(user_id: &str, bytes: &[u8]) -> String {
    half_hash(user_id.as_bytes()) + &half_hash(bytes)
}

/// 128 bits in lower-case hexadecimal.
fn half_hash(bytes: &[u8]) -> String {
    content_hash(bytes).chars().take(32).collect()
}

/// A picture, by the name of its content: 64 hexadecimal digits.
pub fn media_key(hash: &str) -> String {
    format!("media/{hash}")
}

/// What one answer hands out that was too large for it, or that must be answered again.
pub fn answer_key(id: &str, ending: &str) -> String {
    format!("answers/{id}.{ending}")
}

/// Where somebody puts a file himself.
pub fn upload_key(user_id: &str, id: &str) -> String {
    format!("{}{id}.docx", uploads_prefix(user_id))
}

/// Where everything lies that somebody has put there himself.
pub fn uploads_prefix(user_id: &str) -> String {
    format!("{UPLOADS_PREFIX}{user_id}/")
}

/// How the keys of files begin that people put there themselves: they are for the day.
pub const UPLOADS_PREFIX: &str = "uploads/";

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
