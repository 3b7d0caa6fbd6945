//! Templates of the catalogue.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use waraq_rules::Structure;

use crate::one_line::{LineError, one_line};
use crate::{Error, ErrorCode, Result, Timestamp, files};

/// Maximum number of characters in a title.
pub const LONGEST_TITLE: usize = 200;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TemplateStatus {
    /// The template is visible to all users in the catalogue.
    Active,
    /// The template is hidden from all users except admins.
    Inactive,
}

/// A stored picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The SHA-256 hash of the bytes, which is the file name under `/media/`.
    pub hash: String,
    /// The width in pixels.
    pub width: u32,
    pub height: u32,
}

/// A template, without its files and its number of uses. The number of uses is stored separately because it changes often.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    pub id: String,
    /// The id of the account that owns a private template (see [`crate::private_templates`]). `None` for templates of the catalogue.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    pub title: String,
    /// The canonical names of the categories; see [`crate::category`].
    pub categories: Vec<String>,
    /// Words and phrases by which a search finds the template, in addition to the title (see [`crate::keyword`]). Templates that
    /// were published before keywords were introduced have none.
    #[serde(default)]
    pub keywords: Vec<String>,
    /// The language code, one of [`crate::language::TEMPLATE_LANGUAGES`].
    pub language: String,
    /// The country code (see [`crate::country`]). `None` if the template is for no particular country.
    pub country: Option<String>,
    /// The field names in reading order, without duplicates.
    pub fields: Vec<String>,
    /// The fields with their types and columns. Empty if all fields are texts, as in templates that were published before fields
    /// had types. [`Template::structure`] returns the structure of every template.
    #[serde(default, rename = "structure", skip_serializing_if = "Structure::is_plain")]
    pub stored_structure: Structure,
    pub status: TemplateStatus,
    /// The version number, starting at 1. An edit with a new file increases it by one.
    pub version: u32,
    /// The number of times the template was changed. It prevents lost updates: a change is written only if the stored template
    /// still has the revision that was read.
    #[serde(default)]
    pub revision: u32,
    /// The name that the files of this version have in their keys. It is an id that was unused when the files were written, so
    /// two edits never write the same files. If empty, the version number is the name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub files: String,
    /// The name that the PDF has in its key, if the PDF was rendered again after a change of title or language. If empty, the PDF
    /// has the same name as the other files (`files`).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pdf: String,
    /// Renamed fields: name in the previous version → name in this version.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub renamed: BTreeMap<String, String>,
    /// The number of pages of the template without values.
    pub pages: u32,
    /// A picture of the first page with sample values, for high-density screens. `None` if the template has no picture.
    pub picture: Option<Picture>,
    /// The picture of the first page with sample values, for screens of normal density. `None` in templates that were published
    /// before this picture was introduced.
    #[serde(default)]
    pub small_picture: Option<Picture>,
    /// The size of the .docx file in bytes.
    pub file_bytes: u64,
    pub pdf_bytes: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

impl Template {
    /// Returns the fields with their types, in the order of `fields`.
    pub fn structure(&self) -> Structure {
        if self.stored_structure.is_plain() {
            Structure::of_texts(self.fields.iter().cloned())
        } else {
            self.stored_structure.clone()
        }
    }

    /// Sets the structure and the field names.
    pub fn set_structure(&mut self, structure: Structure) {
        self.fields = structure.names().map(str::to_owned).collect();
        self.stored_structure = if structure.is_plain() { Structure::default() } else { structure };
    }

    /// Returns the name that the files of this version have in their keys, for another version with the same files.
    pub fn files_name(&self) -> String {
        if self.files.is_empty() { self.version.to_string() } else { self.files.clone() }
    }

    /// Returns the key of the .docx file. The file under a key never changes.
    pub fn docx_key(&self) -> String {
        docx_key((self.owner.as_deref(), &self.id), self.version, &self.files)
    }

    /// Returns the key of the PDF of the template without values.
    pub fn pdf_key(&self) -> String {
        let name = if self.pdf.is_empty() { self.files_name() } else { self.pdf.clone() };
        match &self.owner {
            None => files::pdf_key(&self.id, name),
            Some(owner) => format!("{}{name}.pdf", files::private_template_prefix(owner, &self.id)),
        }
    }
}

/// Returns the key of the .docx file of a template version. `owner` is the account that owns a private template. `files` is the name
/// that the files of the version have in their keys. If empty, the version number is the name.
pub fn docx_key((owner, id): (Option<&str>, &str), version: u32, files: &str) -> String {
    let name = if files.is_empty() { version.to_string() } else { files.to_owned() };
    match owner {
        None => files::template_key(id, name),
        Some(owner) => format!("{}{name}.docx", files::private_template_prefix(owner, id)),
    }
}

/// Returns the error for a template or saved document that does not exist or that the caller must not see.
pub fn document_not_found() -> Error {
    Error::new(ErrorCode::DocumentNotFound, "Document not found")
}

/// Normalizes and checks a title: a single line of 1 to [`LONGEST_TITLE`] characters.
///
/// # Errors
/// `title_too_long`, `invalid_title`.
pub fn checked_title(typed: &str) -> Result<String> {
    one_line(typed, LONGEST_TITLE).map_err(|fault| {
        let error = match fault {
            LineError::TooLong => {
                let message = format!("A title has at most {LONGEST_TITLE} characters.");
                Error::new(ErrorCode::TitleTooLong, message).with_limit(LONGEST_TITLE as u64)
            }
            LineError::Empty | LineError::Invisible(_) => {
                Error::new(ErrorCode::InvalidTitle, "A title is one line without invisible characters.")
            }
        };
        error.with_fields(["title"])
    })
}
