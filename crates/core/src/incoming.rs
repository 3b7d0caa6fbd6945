//! Files that are too large for a form: who sends one asks for an address, puts it there himself, and from then on names it.
//!
//! What was put there is his alone, for a day; the bucket forgets it then. Nothing of it is trusted before it is read: it is looked at as a
//! file that comes in a form is.

use async_trait::async_trait;

use crate::clock::new_id;
use crate::files::upload_key;
use crate::publishing::{DOCX, LARGEST_FILE_BYTES, file_too_large};
use crate::{Chance, Clock, Error, ErrorCode, Result};

/// Where people put files themselves.
#[async_trait]
pub trait Uploads: Send + Sync {
    /// An address to which, for fifteen minutes, whoever has it can send just so many bytes of this type.
    async fn address(&self, key: &str, content_type: &'static str, bytes: u64) -> Result<String>;

    /// What was sent; `None` if nothing was. More than `most_bytes` is not read.
    ///
    /// # Errors
    /// `file_too_large`.
    async fn sent(&self, key: &str, most_bytes: u64) -> Result<Option<Vec<u8>>>;
}

/// A template's file on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// What it is called from now on.
    pub id: String,
    pub url: String,
    pub content_type: &'static str,
}

/// What receiving files reaches.
pub struct Incoming<'a> {
    pub uploads: &'a dyn Uploads,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
}

impl Incoming<'_> {
    /// Where the account `who` may put a template's file of so many bytes.
    ///
    /// # Errors
    /// `file_too_large`, `invalid_body`.
    pub async fn address(&self, who: &str, bytes: u64) -> Result<Address> {
        if bytes == 0 {
            return Err(Error::new(ErrorCode::InvalidBody, "An empty file is no template.").with_fields(["bytes"]));
        }
        if bytes > LARGEST_FILE_BYTES as u64 {
            return Err(file_too_large(LARGEST_FILE_BYTES).with_fields(["bytes"]));
        }
        let id = new_id(self.clock, self.chance);
        let url = self.uploads.address(&upload_key(who, &id), DOCX, bytes).await?;
        Ok(Address { id, url, content_type: DOCX })
    }

    /// The file that the account `who` put at the address of this id.
    ///
    /// # Errors
    /// `upload_not_found`, `file_too_large`.
    pub async fn file(&self, who: &str, id: &str) -> Result<Vec<u8>> {
        // Ids are ours: of letters and digits. Anything else must not become part of a key.
        let ours = !id.is_empty() && id.len() <= 64 && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let sent = if ours { self.uploads.sent(&upload_key(who, id), LARGEST_FILE_BYTES as u64).await? } else { None };
        let message = "There is no such upload: it was never finished, or it is more than a day old.";
        sent.ok_or_else(|| Error::new(ErrorCode::UploadNotFound, message).with_fields(["upload"]))
    }
}
