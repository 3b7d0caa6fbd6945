//! The records of saved documents.

use serde::{Deserialize, Serialize};

use super::UNDELETE_SECONDS;
use crate::Timestamp;
use crate::template::Template;

/// A saved document without its values. The record is small, because lists read all documents of an account. The field names are
/// not part of the record; they are stored with the template version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedDocument {
    pub id: String,
    /// The id of the account that owns the document.
    pub owner: String,
    pub title: String,
    /// The version, starting at 1. Each edit increases it by one.
    pub version: u32,
    pub template: SavedTemplate,
    /// If true, an empty field prints nothing instead of a dotted line.
    pub blank: bool,
    pub pages: u32,
    pub files: SavedFiles,
    /// The size of the stored values in bytes, without pictures. `None` if the document was saved before this member existed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_bytes: Option<u64>,
    /// The number of downloads. The store keeps this number apart from the rest of the record, so that a download and an edit do not
    /// conflict.
    #[serde(default)]
    pub uses: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The template with the properties that it had when the document was saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedTemplate {
    pub id: String,
    pub version: u32,
    pub title: String,
    pub categories: Vec<String>,
    pub language: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
}

/// The files of one version of a document. Files are written once and never changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFiles {
    /// The name that all files of this version have in their keys: an id that was never used before.
    pub name: String,
    pub docx_bytes: u64,
    pub pdf_bytes: u64,
    /// The width and height in pixels of the picture of the first page. `None` if the document has no picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<(u32, u32)>,
    /// The size of the pictures in the values. If it is not 0, [`FileSet::value_pictures`] exists.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub value_picture_bytes: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// A document that was deleted and is still stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeletedDocument {
    pub document: SavedDocument,
    pub at: Timestamp,
}

/// Identifies the files of one version of a document: the id of the account, the id of the document, and the name of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSet {
    pub owner: String,
    pub document: String,
    pub name: String,
}

impl SavedTemplate {
    pub fn from_template(template: &Template) -> Self {
        Self {
            id: template.id.clone(),
            version: template.version,
            title: template.title.clone(),
            categories: template.categories.clone(),
            language: template.language.clone(),
            country: template.country.clone(),
        }
    }
}

impl SavedDocument {
    pub fn file_set(&self) -> FileSet {
        FileSet { owner: self.owner.clone(), document: self.id.clone(), name: self.files.name.clone() }
    }

    /// Returns the name under `/media/` of the picture of the first page, or `None` if the document has no picture. An `<img>`
    /// element sends no token, so anyone who knows the name can see the picture. The name contains random bits and cannot be
    /// guessed.
    pub fn picture_name(&self) -> Option<String> {
        self.files.picture.map(|_| format!("{}-{}", self.owner, self.files.name))
    }
}

impl DeletedDocument {
    /// Returns the time until which the document can be undeleted.
    pub fn undelete_until(&self) -> Timestamp {
        self.at.plus_seconds(UNDELETE_SECONDS)
    }
}

impl FileSet {
    pub fn docx(&self) -> String {
        format!("saved/{}/{}.docx", self.owner, self.name)
    }

    pub fn pdf(&self) -> String {
        format!("saved/{}/{}.pdf", self.owner, self.name)
    }

    /// Returns the key of the picture of the first page.
    pub fn picture(&self) -> String {
        format!("saved/{}/{}.webp", self.owner, self.name)
    }

    /// Returns the key of the file with the pictures in the values.
    pub fn value_pictures(&self) -> String {
        format!("saved/{}/{}.pictures.json", self.owner, self.name)
    }
}

/// Returns the key of the picture of a saved document. `name` is the name of the picture under `/media/`. Returns `None` if `name`
/// does not have the form of such a name.
pub fn picture_key(name: &str) -> Option<String> {
    let is_id = |id: &str| id.len() == 26 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'z'));
    let (owner, files) = name.split_once('-').filter(|(owner, files)| is_id(owner) && is_id(files))?;
    Some(format!("saved/{owner}/{files}.webp"))
}

#[cfg(test)]
mod tests {
    use super::picture_key;

    #[test]
    fn picture_keys_need_valid_ids() {
        let id = "01kc4n0000000000000000000b";
        assert_eq!(picture_key(&format!("{id}-{id}")), Some(format!("saved/{id}/{id}.webp")));
        for other in [id, "", "-", "../x-y", &format!("{id}-..%2f{}", &id[5..]), &format!("{id}-{}", id.to_uppercase())]
        {
            assert_eq!(picture_key(other), None, "{other}");
        }
    }
}
