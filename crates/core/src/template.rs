//! A template of the catalogue.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::one_line::{Fault, one_line};
use crate::{Error, ErrorCode, Result, Timestamp, files};

/// Characters of a title.
pub const LONGEST_TITLE: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// In the catalogue.
    Active,
    /// Only admins see it.
    Inactive,
}

/// A picture kept as media.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// SHA-256 of its bytes: its name under `/media/`.
    pub hash: String,
    /// Pixels.
    pub width: u32,
    pub height: u32,
}

/// Everything about a template but its files, and but its uses, which change too often to be kept in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    pub id: String,
    pub title: String,
    /// Canonical names, see [`crate::category`].
    pub categories: Vec<String>,
    /// Words it is found by besides its title, see [`crate::keyword`]. Templates from before there were any have none.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// A code of [`crate::language::TEMPLATE_LANGUAGES`].
    pub language: String,
    /// A code of [`crate::country`], or of none.
    pub country: Option<String>,
    /// Names in reading order, each once.
    pub fields: Vec<String>,
    pub status: Status,
    /// From 1; an edit with a file makes the next.
    pub version: u32,
    /// One more with each change. An edit is made on the condition that the template is of the revision it is of.
    #[serde(default)]
    pub revision: u32,
    /// What the files of this version are called: an id never used before, so that no two edits write the same. Empty: as the version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub files: String,
    /// What its PDF is called where that was set again, since it says the title. Empty: as the files.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pdf: String,
    /// Fields of the version before that have another name in this one: the old name, the new.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renamed: BTreeMap<String, String>,
    /// Pages of the empty template.
    pub pages: u32,
    /// The first page with a sample of what is to be filled in, for dense screens.
    pub picture: Option<Picture>,
    /// The same for screens of usual density. Templates from before there was one have none.
    #[serde(default)]
    pub small_picture: Option<Picture>,
    /// Bytes of the .docx and of the empty template's PDF.
    pub file_bytes: u64,
    pub pdf_bytes: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Template {
    /// Where its .docx is kept. The bytes there never change.
    pub fn docx_key(&self) -> String {
        docx_key(&self.id, self.version, &self.files)
    }

    /// Where the pages of the empty template are kept.
    pub fn pdf_key(&self) -> String {
        match (self.pdf.as_str(), self.files.as_str()) {
            ("", "") => files::pdf_key(&self.id, self.version),
            ("", files) => files::pdf_key(&self.id, files),
            (pdf, _) => files::pdf_key(&self.id, pdf),
        }
    }
}

/// Where the .docx of a version is kept whose files are called so.
pub fn docx_key(id: &str, version: u32, files: &str) -> String {
    if files.is_empty() { files::template_key(id, version) } else { files::template_key(id, files) }
}

/// There is no such template or saved document, or it is not for who asks.
pub fn document_not_found() -> Error {
    Error::new(ErrorCode::DocumentNotFound, "Document not found")
}

/// A title as it is kept: one line of 1 to [`LONGEST_TITLE`] characters.
///
/// # Errors
/// `title_too_long`, `invalid_title`.
pub fn checked_title(typed: &str) -> Result<String> {
    one_line(typed, LONGEST_TITLE).map_err(|fault| {
        let error = match fault {
            Fault::TooLong => {
                let message = format!("A title has at most {LONGEST_TITLE} characters.");
                Error::new(ErrorCode::TitleTooLong, message).with_limit(LONGEST_TITLE as u64)
            }
            Fault::Empty | Fault::Invisible(_) => {
                Error::new(ErrorCode::InvalidTitle, "A title is one line without invisible characters.")
            }
        };
        error.with_fields(["title"])
    })
}
