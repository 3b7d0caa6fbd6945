//! What is kept of a saved document.

use serde::{Deserialize, Serialize};

use super::RESTORABLE_SECONDS;
use crate::Timestamp;
use crate::template::Template;

/// A saved document but for its values. A list reads all of an account's, so it is small: its keys say whose it is and which, and
/// the fields are those of the template's version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedDocument {
    pub id: String,
    /// The account.
    pub owner: String,
    pub title: String,
    /// 1 at first, one more with each edit.
    pub version: u32,
    pub template: SavedTemplate,
    /// A field left empty prints nothing instead of a dotted line.
    pub blank: bool,
    pub pages: u32,
    pub files: SavedFiles,
    /// Its downloads, counted beside the record.
    #[serde(default)]
    pub uses: u64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// The template as it was when the document was saved.
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

/// The files of one state of a document. They are written once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedFiles {
    /// An id, never used before.
    pub name: String,
    pub docx_bytes: u64,
    pub pdf_bytes: u64,
    /// The size of the first page's picture in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub picture: Option<(u32, u32)>,
}

/// A deleted document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deleted {
    pub document: SavedDocument,
    pub at: Timestamp,
}

/// Whose files, of which document, and the name they go by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSet {
    pub owner: String,
    pub document: String,
    pub name: String,
}

impl SavedTemplate {
    pub fn of(template: &Template) -> Self {
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

    /// What the picture of its first page is called under `/media/`. Nobody guesses the name of the files; whoever has it may see the
    /// picture, for an `<img>` sends no token.
    pub fn picture_name(&self) -> Option<String> {
        self.files.picture.map(|_| format!("{}-{}", self.owner, self.files.name))
    }
}

impl Deleted {
    /// Until when that can be undone.
    pub fn ends_at(&self) -> Timestamp {
        self.at.plus_seconds(RESTORABLE_SECONDS)
    }
}

impl FileSet {
    pub fn docx(&self) -> String {
        format!("saved/{}/{}.docx", self.owner, self.name)
    }

    pub fn pdf(&self) -> String {
        format!("saved/{}/{}.pdf", self.owner, self.name)
    }

    /// Of the first page.
    pub fn picture(&self) -> String {
        format!("saved/{}/{}.webp", self.owner, self.name)
    }
}

/// Where the picture is kept that `/media/` knows by `name`; `None` if no picture of a saved document is called so.
pub fn picture_key(name: &str) -> Option<String> {
    let is_id = |id: &str| id.len() == 26 && id.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'z'));
    let (owner, files) = name.split_once('-').filter(|(owner, files)| is_id(owner) && is_id(files))?;
    Some(format!("saved/{owner}/{files}.webp"))
}

#[cfg(test)]
mod tests {
    use super::picture_key;

    #[test]
    fn names_of_pictures() {
        let id = "01kc4n0000000000000000000b";
        assert_eq!(picture_key(&format!("{id}-{id}")), Some(format!("saved/{id}/{id}.webp")));
        for other in [id, "", "-", "../x-y", &format!("{id}-..%2f{}", &id[5..]), &format!("{id}-{}", id.to_uppercase())]
        {
            assert_eq!(picture_key(other), None, "{other}");
        }
    }
}
