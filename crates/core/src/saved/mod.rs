//! Saved documents: filled documents kept in an account, with their values and files.
//!
//! Records and files are in two stores, and a process may stop between any two writes. Three steps keep the stores consistent:
//!
//! - An *announcement* is written first. It is a record that lists the files and expires.
//! - Then the files are written, under a name that was never used before.
//! - Then the record of the document is written, if the announcement still exists. The same transaction deletes the
//!   announcement.
//!
//! An edit writes new files. It also announces the old files, and this announcement expires when no link to them is valid any longer.
//! The deletion of a document announces its files too. That announcement expires when the document can no longer be undeleted. When
//! an announcement is deleted or expires, [`SavedDocumentService::end_announcement`] deletes the files unless a record points to
//! them. So every record points to existing files, and unreferenced files are deleted.

mod listing;
mod newer_template;
mod record;
mod search;
mod stored_values;

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

pub use listing::{ListedDocument, MAX_LISTED_VALUE_BYTES, listed_values, words_of};
pub use newer_template::NewerTemplate;
pub(crate) use newer_template::empty_value;
pub use record::{DeletedDocument, FileSet, SavedDocument, SavedFiles, SavedTemplate, picture_key};
pub use search::{SavedDocumentPage, SavedSearch, SavedSort};
pub use stored_values::{
    MAX_PICTURES_BYTES, NamedValues, StoredPicture, StoredRow, StoredValue, StoredValues, ValuePictures, check_pictures,
};

use crate::catalogue::Templates;
use crate::clock::new_id;
use crate::files::{DeliveredFile, FileDelivery, Files};
use crate::publishing::{DOCX, FilledFiles};
use crate::template::{Template, TemplateStatus, checked_title, document_not_found};
use crate::{Clock, Error, ErrorCode, RandomSource, Result, Timestamp, field_settings};
use waraq_rules::Structure;
use waraq_rules::field_settings::ShownFieldSettings;

/// Maximum number of documents in one account. It is limited because a list reads all documents of the account.
pub const MOST_SAVED: u64 = 5_000;
/// How long, in seconds, a deleted document can be undeleted.
pub const UNDELETE_SECONDS: u64 = 7 * 24 * 3_600;
/// How long, in seconds, files to which no record points are kept. These are files of a failed request, and files that an edit has
/// replaced. The time is long enough, because requests end after half a minute, and links to files expire after fifteen minutes.
pub const UNREFERENCED_LIFE_SECONDS: u64 = 3_600;
/// Maximum number of attempts to write a document that other requests change at the same time.
const TRIES: u32 = 16;

/// A saved document to write. It is written in one transaction with the other writes of the request.
#[derive(Debug, Clone)]
pub struct DocumentWrite {
    /// The new state of the document.
    pub document: SavedDocument,
    pub values: StoredValues,
    /// The state of the document before the edit. `None` if the document is new.
    pub before: Option<PreviousState>,
}

/// The state of a document before an edit. If the stored document has another version, the edit is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreviousState {
    pub version: u32,
    pub files: FileSet,
}

/// The store of saved documents. All reads are consistent.
#[async_trait]
pub trait SavedDocuments: Send + Sync {
    /// Returns every document of an account, in no particular order. Deleted documents are left out.
    async fn documents(&self, owner: &str) -> Result<Vec<SavedDocument>>;

    /// Returns the deleted documents of an account that are still stored.
    async fn deleted_documents(&self, owner: &str) -> Result<Vec<DeletedDocument>>;

    async fn document(&self, owner: &str, id: &str) -> Result<Option<SavedDocument>>;

    /// Returns a document and its values, both of the same version.
    async fn document_and_values(&self, owner: &str, id: &str) -> Result<Option<(SavedDocument, StoredValues)>>;

    /// Returns a deleted document, if it is still stored.
    async fn deleted_document(&self, owner: &str, id: &str) -> Result<Option<DeletedDocument>>;

    /// Returns the values of a document, deleted or not. `None` if the document does not exist.
    async fn values(&self, owner: &str, id: &str) -> Result<Option<StoredValues>>;

    /// Returns the values of the documents with these ids, by id. Documents that do not exist are left out.
    async fn values_of_all(&self, owner: &str, ids: &[&str]) -> Result<BTreeMap<String, StoredValues>>;

    /// Returns the words of the values of all documents of an account, deleted or not, by id (see [`words_of`]).
    async fn words(&self, owner: &str) -> Result<BTreeMap<String, String>>;

    /// Replaces the record `before` by `renamed`, which has the next version, if the document has not changed since it was read. If
    /// it has changed, does nothing and returns false.
    async fn rename(&self, before: &SavedDocument, renamed: &SavedDocument) -> Result<bool>;

    /// Writes an announcement: a record of files that will be written soon. It expires at `until` (see [`crate::saved`]).
    async fn announce(&self, files: &FileSet, until: Timestamp) -> Result<()>;

    /// Counts a download of a document. Returns false if the document does not exist.
    async fn count_download(&self, owner: &str, id: &str) -> Result<bool>;

    /// Marks a document as deleted if the document has not changed since it was read. Also records that the document's files must be
    /// deleted once the document can no longer be undeleted. If the document has changed, does nothing and returns false.
    async fn delete(&self, document: &SavedDocument, now: Timestamp) -> Result<bool>;

    /// Undeletes a document if it has not changed since it was read. If it has changed, does nothing and returns false.
    async fn undelete(&self, deleted: &DeletedDocument) -> Result<bool>;

    /// Permanently deletes a deleted document and its values, if it has not changed since it was read. If it has changed, does
    /// nothing and returns false.
    async fn delete_permanently(&self, deleted: &DeletedDocument) -> Result<bool>;
}

/// Options of a request to fill a template: the document to edit, the template version and the title.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct DocumentOptions {
    /// The saved document to edit. `None` creates a new one.
    pub document: Option<String>,
    /// The version of the document that the client last saw. If the document has another version now, the request is refused.
    /// `None` skips this check.
    pub version: Option<u32>,
    /// The version of the template. `None` keeps the version with which the document was made; a new document gets the newest
    /// version.
    pub template_version: Option<u32>,
    /// The title. `None` keeps the title of the document; a new document gets the title of its template.
    pub title: Option<String>,
}

/// The template, the title and the previous state of a document that is about to be rendered.
#[derive(Debug, Clone)]
pub struct FillBasis {
    /// The template, in the version to fill.
    pub template: Arc<Template>,
    pub title: String,
    /// The saved document to edit. `None` if the document is new.
    pub before: Option<SavedDocument>,
}

/// A saved document with its values and files.
#[derive(Debug)]
pub struct DocumentWithFiles {
    pub document: SavedDocument,
    pub values: NamedValues,
    /// The .docx file, if it was requested.
    pub docx: Option<DeliveredFile>,
    pub pdf: Option<DeliveredFile>,
}

/// The files that a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedFiles {
    Both,
    Docx,
    Pdf,
}

/// The service for saved documents. Its fields are its dependencies, such as stores and the clock.
pub struct SavedDocumentService<'a> {
    pub documents: &'a dyn SavedDocuments,
    pub templates: &'a dyn Templates,
    pub files: &'a dyn Files,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
}

/// Returns the error for a document that another request has changed since it was read.
pub fn document_changed() -> Error {
    let message = "The document was changed elsewhere in the meantime.";
    Error::new(ErrorCode::DocumentChanged, message)
}

/// Returns the error for an account that already has [`MOST_SAVED`] documents.
pub fn too_many_documents() -> Error {
    let message = format!("An account can have at most {MOST_SAVED} documents. Please delete some first.");
    Error::new(ErrorCode::TooManyDocuments, message).with_limit(MOST_SAVED)
}

impl SavedDocumentService<'_> {
    /// Returns the template version, the title and the document to edit that `options` ask for.
    ///
    /// # Errors
    /// `document_not_found`, `document_changed`, `login_required`, `title_too_long`, `invalid_title`.
    pub async fn resolve(
        &self,
        template_id: &str,
        owner: Option<&str>,
        options: &DocumentOptions,
    ) -> Result<FillBasis> {
        let title = options.title.as_deref().filter(|title| !title.trim().is_empty()).map(checked_title).transpose()?;
        let before = match &options.document {
            None => None,
            Some(id) => {
                let owner = owner.ok_or_else(Error::unauthenticated)?;
                let document = self.documents.document(owner, id).await?;
                let document = document.filter(|document| document.template.id == template_id);
                Some(document.ok_or_else(document_not_found)?)
            }
        };
        if before.as_ref().zip(options.version).is_some_and(|(before, version)| before.version != version) {
            return Err(document_changed());
        }
        let newest = self.templates.template_without_uses(template_id).await?.ok_or_else(document_not_found)?;
        if before.is_none() && newest.status != TemplateStatus::Active {
            return Err(document_not_found());
        }
        let own = before.as_ref().map(|before| before.template.version);
        let version = options.template_version.or(own).unwrap_or(newest.version);
        let template = if version == newest.version {
            Arc::new(newest)
        } else {
            let known = self.templates.versions(&[(template_id, version)]).await?;
            known.into_iter().flatten().next().ok_or_else(document_not_found)?
        };
        let known_title = || before.as_ref().map_or_else(|| template.title.clone(), |before| before.title.clone());
        Ok(FillBasis { title: title.unwrap_or_else(known_title), template, before })
    }

    /// Writes the files of a filled document to the file store. Returns the record that the caller must write.
    pub async fn store(
        &self,
        owner: &str,
        basis: FillBasis,
        (values, blank): (NamedValues, bool),
        filled: &FilledFiles,
        now: Timestamp,
    ) -> Result<DocumentWrite> {
        let FillBasis { template, title, before } = basis;
        let template = match &before {
            Some(before) if before.template.version == template.version => before.template.clone(),
            _ => SavedTemplate::from_template(&template),
        };
        let (values, value_bytes, pictures) = stored_values::to_stored(&values)?;
        let document = SavedDocument {
            id: before.as_ref().map_or_else(|| self.new_id(), |before| before.id.clone()),
            owner: owner.to_owned(),
            title,
            version: before.as_ref().map_or(1, |before| before.version.saturating_add(1)),
            template,
            blank,
            pages: filled.pages,
            files: SavedFiles {
                name: self.new_id(),
                docx_bytes: filled.docx.len() as u64,
                pdf_bytes: filled.pdf.len() as u64,
                picture: filled.first_page.as_ref().map(|picture| (picture.width, picture.height)),
                value_picture_bytes: pictures.bytes(),
            },
            value_bytes: Some(value_bytes),
            uses: before.as_ref().map_or(0, |before| before.uses),
            created_at: before.as_ref().map_or(now, |before| before.created_at),
            updated_at: now,
        };
        let set = document.file_set();
        self.documents.announce(&set, now.plus_seconds(UNREFERENCED_LIFE_SECONDS)).await?;
        self.files.put(&set.docx(), DOCX, filled.docx.clone()).await?;
        self.files.put(&set.pdf(), PDF, filled.pdf.clone()).await?;
        if let Some(picture) = &filled.first_page {
            self.files.put(&set.picture(), PICTURE, picture.bytes.clone()).await?;
        }
        if !pictures.is_empty() {
            self.files.put(&set.value_pictures(), JSON, pictures.to_json()?).await?;
        }
        let before = before.map(|before| PreviousState { version: before.version, files: before.file_set() });
        Ok(DocumentWrite { document, values, before })
    }

    /// Copies the files of the document `id`. Returns the record of the copy, which the caller must write. The copy has the same
    /// values and template version. The template may be inactive.
    pub async fn copy(&self, owner: &str, template_id: &str, id: &str, title: Option<&str>) -> Result<DocumentWrite> {
        let title = title.filter(|title| !title.trim().is_empty()).map(checked_title).transpose()?;
        let original = self.documents.document_and_values(owner, id).await?;
        let original = original.filter(|(document, _)| document.template.id == template_id);
        let (original, values) = original.ok_or_else(document_not_found)?;
        let now = self.clock.now();
        let from = original.file_set();
        let document = SavedDocument {
            id: self.new_id(),
            title: title.unwrap_or_else(|| original.title.clone()),
            version: 1,
            files: SavedFiles { name: self.new_id(), ..original.files.clone() },
            uses: 0,
            created_at: now,
            updated_at: now,
            ..original
        };
        let to = document.file_set();
        self.documents.announce(&to, now.plus_seconds(UNREFERENCED_LIFE_SECONDS)).await?;
        self.copy_file(&from.docx(), &to.docx(), DOCX).await?;
        self.copy_file(&from.pdf(), &to.pdf(), PDF).await?;
        if document.files.picture.is_some() {
            self.copy_file(&from.picture(), &to.picture(), PICTURE).await?;
        }
        if document.files.value_picture_bytes > 0 {
            self.copy_file(&from.value_pictures(), &to.value_pictures(), JSON).await?;
        }
        Ok(DocumentWrite { document, values, before: None })
    }

    async fn copy_file(&self, from: &str, to: &str, content_type: &'static str) -> Result<()> {
        let bytes = self.required_file(from).await?;
        self.files.put(to, content_type, bytes).await
    }

    async fn required_file(&self, key: &str) -> Result<Vec<u8>> {
        self.files.get(key).await?.ok_or_else(|| Error::internal(format!("{key} is not kept")))
    }

    /// Returns a document with its values and files. A request for only one of the two files is a download and is counted. A request
    /// for both files only opens the document and is not counted.
    pub async fn open(
        &self,
        owner: &str,
        id: &str,
        wanted: WantedFiles,
        handing: &FileDelivery,
    ) -> Result<DocumentWithFiles> {
        let opened = self.documents.document_and_values(owner, id).await?;
        let (mut document, values) = opened.ok_or_else(document_not_found)?;
        let (set, kept) = (document.file_set(), &document.files);
        let (docx_wanted, pdf_wanted) = (wanted != WantedFiles::Pdf, wanted != WantedFiles::Docx);
        let bytes = if docx_wanted { kept.docx_bytes } else { 0 }
            + if pdf_wanted { kept.pdf_bytes } else { 0 }
            + kept.value_picture_bytes;
        let hand = async |key: String, ending: &str| -> Result<DeliveredFile> {
            if bytes <= handing.max_inline_bytes {
                return self.required_file(&key).await.map(DeliveredFile::Bytes);
            }
            let name = format!("{}.{ending}", (handing.file_name)(&document.title));
            self.files.link(&key, &name).await.map(DeliveredFile::Link)
        };
        let pictures = match kept.value_picture_bytes {
            0 => ValuePictures::default(),
            _ => ValuePictures::from_json(&self.required_file(&set.value_pictures()).await?)?,
        };
        let values = stored_values::from_stored(values, &pictures)?;
        let docx = if docx_wanted { Some(hand(set.docx(), "docx").await?) } else { None };
        let pdf = if pdf_wanted { Some(hand(set.pdf(), "pdf").await?) } else { None };
        if wanted != WantedFiles::Both && self.documents.count_download(owner, id).await? {
            document.uses += 1;
        }
        Ok(DocumentWithFiles { document, values, docx, pdf })
    }

    /// Returns the field settings that the form shows for the fields of a template's version.
    pub async fn help(
        &self,
        template_id: &str,
        version: u32,
        structure: &Structure,
    ) -> Result<Vec<ShownFieldSettings>> {
        let kept = self.templates.field_settings(template_id, version).await?;
        Ok(kept.unwrap_or_else(|| field_settings::detected_from_names(structure)).for_structure(structure))
    }

    /// Deletes a document. It can be undeleted for [`UNDELETE_SECONDS`]. Succeeds if the document is already deleted.
    pub async fn delete(&self, owner: &str, id: &str) -> Result<()> {
        for _ in 0..TRIES {
            let Some(document) = self.documents.document(owner, id).await? else {
                let deleted = self.undeletable_document(owner, id).await?;
                return deleted.map(|_| ()).ok_or_else(document_not_found);
            };
            if self.documents.delete(&document, self.clock.now()).await? {
                return Ok(());
            }
        }
        Err(Error::unavailable("a document was always changed meanwhile"))
    }

    /// Undeletes a document. Succeeds if the document is not deleted.
    pub async fn undelete(&self, owner: &str, id: &str) -> Result<SavedDocument> {
        for _ in 0..TRIES {
            if let Some(deleted) = self.undeletable_document(owner, id).await?
                && self.documents.undelete(&deleted).await?
            {
                return Ok(deleted.document);
            }
            if let Some(document) = self.documents.document(owner, id).await? {
                return Ok(document);
            }
            if self.undeletable_document(owner, id).await?.is_none() {
                return Err(document_not_found());
            }
        }
        Err(Error::unavailable("a document was always changed meanwhile"))
    }

    async fn undeletable_document(&self, owner: &str, id: &str) -> Result<Option<DeletedDocument>> {
        let deleted = self.documents.deleted_document(owner, id).await?;
        Ok(deleted.filter(|deleted| deleted.undelete_until() > self.clock.now()))
    }

    /// Returns the structure of the template version from which a document was made. Empty if the version does not exist.
    pub async fn structure(&self, document: &SavedDocument) -> Result<Structure> {
        let wanted = [(document.template.id.as_str(), document.template.version)];
        let known = self.templates.versions(&wanted).await?.into_iter().flatten().next();
        Ok(known.map(|known| known.structure()).unwrap_or_default())
    }

    /// Returns every document of an account, including the deleted ones that are still stored. The result has neither values nor
    /// files. [`SavedDocuments::values`] returns the values, and [`SavedDocument::file_set`] the keys of the files.
    pub async fn all_documents(&self, owner: &str) -> Result<Vec<SavedDocument>> {
        let mut documents = self.documents.documents(owner).await?;
        documents.extend(self.documents.deleted_documents(owner).await?.into_iter().map(|deleted| deleted.document));
        documents.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(documents)
    }

    /// Handles an announcement that has expired or was deleted. Deletes the files that the announcement lists, unless the record of
    /// a document points to them. If the document is deleted and can no longer be undeleted, its record is deleted first. Repeated
    /// calls do no harm. Returns whether files were deleted.
    pub async fn end_announcement(&self, files: &FileSet) -> Result<bool> {
        let points = |document: &SavedDocument| document.files.name == files.name;
        if self.documents.document(&files.owner, &files.document).await?.as_ref().is_some_and(points) {
            return Ok(false);
        }
        if let Some(deleted) = self.documents.deleted_document(&files.owner, &files.document).await?
            && points(&deleted.document)
        {
            if deleted.undelete_until() > self.clock.now() {
                // The announcement ended too early. The clock of the store may differ, or the document was deleted, undeleted and
                // deleted again, and this is the announcement of the first deletion.
                self.documents.announce(files, deleted.undelete_until()).await?;
                return Ok(false);
            }
            if !self.documents.delete_permanently(&deleted).await? {
                return Ok(false);
            }
        }
        // The document may have been undeleted since the first check.
        if self.documents.document(&files.owner, &files.document).await?.as_ref().is_some_and(points) {
            return Ok(false);
        }
        for key in [files.docx(), files.pdf(), files.picture(), files.value_pictures()] {
            self.files.remove(&key).await?;
        }
        Ok(true)
    }

    fn new_id(&self) -> String {
        new_id(self.clock, self.random)
    }
}

/// The media types of stored files other than [`DOCX`].
const PDF: &str = "application/pdf";
const PICTURE: &str = "image/webp";
const JSON: &str = "application/json";
