//! Uploads of files that are too large for a form. The client requests an upload, and receives a URL and an id. It sends the file to
//! the URL. Later requests refer to the file by the id.
//!
//! A file can be used only by the account that uploaded it. The bucket deletes it after a day. An uploaded file is checked like
//! a file in a form.

use async_trait::async_trait;

use crate::clock::new_id;
use crate::files::upload_key;
use crate::publishing::{DOCX, LARGEST_FILE_BYTES, file_too_large};
use crate::{Clock, Error, ErrorCode, RandomSource, Result};

/// The store for files that clients upload directly.
#[async_trait]
pub trait Uploads: Send + Sync {
    /// Returns an upload URL that is valid for fifteen minutes. Anyone who has the URL can upload exactly `bytes` bytes of this
    /// content type.
    async fn upload_url(&self, key: &str, content_type: &'static str, bytes: u64) -> Result<String>;

    /// Returns the uploaded file, or `None` if it does not exist. At most `most_bytes` bytes are read.
    ///
    /// # Errors
    /// `file_too_large` if the file has more than `most_bytes` bytes.
    async fn uploaded_file(&self, key: &str, most_bytes: u64) -> Result<Option<Vec<u8>>>;
}

/// A URL to which a client uploads the file of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadUrl {
    /// The id of the upload. Later requests refer to the file by this id.
    pub id: String,
    pub url: String,
    pub content_type: &'static str,
}

/// The service for direct uploads. Its fields are its dependencies, such as the store and the clock.
pub struct DirectUploads<'a> {
    pub uploads: &'a dyn Uploads,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
}

impl DirectUploads<'_> {
    /// Creates an upload URL for a template's file of `bytes` bytes. `who` is the account id.
    ///
    /// # Errors
    /// `file_too_large`; `invalid_body` if `bytes` is 0.
    pub async fn create_upload(&self, who: &str, bytes: u64) -> Result<UploadUrl> {
        if bytes == 0 {
            return Err(Error::new(ErrorCode::InvalidBody, "The file is empty.").with_fields(["bytes"]));
        }
        if bytes > LARGEST_FILE_BYTES as u64 {
            return Err(file_too_large(LARGEST_FILE_BYTES).with_fields(["bytes"]));
        }
        let id = new_id(self.clock, self.random);
        let url = self.uploads.upload_url(&upload_key(who, &id), DOCX, bytes).await?;
        Ok(UploadUrl { id, url, content_type: DOCX })
    }

    /// Returns the file that the account `who` uploaded under this id.
    ///
    /// # Errors
    /// `upload_not_found`, `file_too_large`.
    pub async fn file(&self, who: &str, id: &str) -> Result<Vec<u8>> {
        // Ids from [`new_id`] have only letters and digits. Other text must not become part of a key.
        let ours = !id.is_empty() && id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let sent = if ours {
            self.uploads.uploaded_file(&upload_key(who, id), LARGEST_FILE_BYTES as u64).await?
        } else {
            None
        };
        let message = "This upload was not finished or is more than a day old. Please upload the file again.";
        sent.ok_or_else(|| Error::new(ErrorCode::UploadNotFound, message).with_fields(["upload"]))
    }
}
