//! The trait for file storage, and the keys of files.

use std::fmt::Display;

use async_trait::async_trait;

use crate::Result;
use crate::template::Template;

/// A file store. Keys are paths without a leading slash: `templates/<id>/1.docx`.
#[async_trait]
pub trait Files: Send + Sync {
    /// Stores `bytes` under `key`, replacing an existing file.
    async fn put(&self, key: &str, content_type: &'static str, bytes: Vec<u8>) -> Result<()>;

    /// Returns the file under `key`, or `None` if it does not exist.
    async fn get(&self, key: &str) -> Result<Option<Vec<u8>>>;

    /// Starts an upload in parts. The file exists only after [`Upload::finish`]. An unfinished upload leaves no file.
    async fn upload(&self, key: &str, content_type: &'static str) -> Result<Box<dyn Upload + '_>>;

    /// Permanently deletes every file whose key starts with `prefix`, including older versions if the store keeps them.
    /// Succeeds if no file matches.
    async fn remove_all(&self, prefix: &str) -> Result<()>;

    /// Deletes the file under `key`. Succeeds if it does not exist.
    async fn remove(&self, key: &str) -> Result<()>;

    /// Returns a URL that is valid for fifteen minutes. Anyone who has the URL can download the file. The downloaded file gets the
    /// name `file_name`.
    async fn link(&self, key: &str, file_name: &str) -> Result<String>;
}

/// An upload in parts.
#[async_trait]
pub trait Upload: Send {
    /// Adds the next part. Every part except the last one must have at least 5 MB.
    async fn add_part(&mut self, bytes: Vec<u8>) -> Result<()>;

    /// Finishes the upload. The file exists after this call.
    async fn finish(self: Box<Self>) -> Result<()>;
}

/// Options for returning files. The files are part of the response if they fit into it, or else are returned as links.
#[derive(Debug, Clone, Copy)]
pub struct FileDelivery {
    /// Maximum total size in bytes of the files in one response.
    pub max_inline_bytes: u64,
    /// A function that returns the file name, without extension, for a document title.
    pub file_name: fn(&str) -> String,
}

/// A file in a response: its bytes, or a link to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveredFile {
    Bytes(Vec<u8>),
    Link(String),
}

/// Returns the key of the .docx file of a template. `name` is the name that the files of the version have in their keys: an id or
/// the version number, see [`crate::template::Template::files`].
pub fn template_key(id: &str, name: impl Display) -> String {
    format!("templates/{id}/{name}.docx")
}

/// Returns the key of the PDF of the template without values. `name` is the name that the PDF has in its key: an id or the version
/// number, see [`crate::template::Template::pdf`].
pub fn pdf_key(id: &str, name: impl Display) -> String {
    format!("pdf/{id}/{name}.pdf")
}

/// Returns the key prefix of the files of an account's private templates.
pub fn private_templates_prefix(owner: &str) -> String {
    format!("private/{owner}/")
}

/// Returns the key prefix of the files of one private template.
pub fn private_template_prefix(owner: &str, id: &str) -> String {
    format!("{}{id}/", private_templates_prefix(owner))
}

/// Returns the name under `/media/` of a picture of a template: the hash of `bytes`. Of a private template it is the first half of
/// the hash of its owner's id, then half a hash of template and picture, so that the picture can be deleted with the template and
/// with the account.
pub fn template_picture_name(template: &Template, bytes: &[u8]) -> String {
    let Some(owner) = &template.owner else { return content_hash(bytes) };
    let parts = format!("{}/{}/{}", template.id, template.files_name(), content_hash(bytes));
    half_hash(owner.as_bytes()) + &half_hash(parts.as_bytes())
}

/// Returns the key prefix of all files that an account has saved.
pub fn saved_prefix(user_id: &str) -> String {
    format!("saved/{user_id}/")
}

/// Returns the key prefix of an account's photos, and of the pictures of its private templates.
pub fn photo_prefix(user_id: &str) -> String {
    media_key(&private_pictures_prefix(user_id))
}

/// Returns the name of a photo under `/media/`: the first half of the hash of the account id, then the first half of the hash of
/// `bytes`. Two accounts with the same picture have two files, so that each can be deleted with its account.
pub fn photo_name(user_id: &str, bytes: &[u8]) -> String {
    half_hash(user_id.as_bytes()) + &half_hash(bytes)
}

/// Returns the beginning of the names under `/media/` of an account's photos, and of the pictures of its private templates.
pub(crate) fn private_pictures_prefix(user_id: &str) -> String {
    half_hash(user_id.as_bytes())
}

/// Returns the first 128 bits of the SHA-256 hash of `bytes`, in lower-case hexadecimal.
fn half_hash(bytes: &[u8]) -> String {
    content_hash(bytes).chars().take(32).collect()
}

/// Returns the key of a file that is served under `/media/`. `hash` is the hash of the content in hexadecimal; photos have a name
/// from [`photo_name`] instead.
pub fn media_key(hash: &str) -> String {
    format!("media/{hash}")
}

/// Returns the key of a file that is too large for a response, so the response has a link to it. `user_id` is the account that
/// receives the response, `None` for a guest. `ending` is the file extension.
pub fn response_file_key(user_id: Option<&str>, id: &str, ending: &str) -> String {
    format!("{}{id}.{ending}", response_files_prefix(user_id.unwrap_or("guest")))
}

/// Returns the key prefix of files that are too large for a response to this account. The files are deleted after a day, or with
/// the account.
pub fn response_files_prefix(user_id: &str) -> String {
    format!("answers/{user_id}/")
}

/// Returns the key of a file that an account has uploaded directly. `id` is the id of the upload.
pub fn upload_key(user_id: &str, id: &str) -> String {
    format!("{}{id}.docx", uploads_prefix(user_id))
}

/// Returns the key prefix of all direct uploads of an account.
pub fn uploads_prefix(user_id: &str) -> String {
    format!("{UPLOADS_PREFIX}{user_id}/")
}

/// The key prefix of all files that were uploaded directly. They are deleted after a day.
pub const UPLOADS_PREFIX: &str = "uploads/";

/// Returns the SHA-256 hash of `bytes` in lower-case hexadecimal.
pub fn content_hash(bytes: &[u8]) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, bytes);
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Detects the media type of a PNG, JPEG or WebP picture from its magic bytes. Returns `application/octet-stream` for other files.
pub fn picture_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => "image/png",
        [0xff, 0xd8, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => "application/octet-stream",
    }
}
