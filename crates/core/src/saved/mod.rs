//! Saved documents: filled documents kept in an account, with their values and files.
//!
//! Records and files are in two stores, and a process may stop between any two writes. Three steps keep the stores consistent:
//!
//! - An *announcement* of the files is written first. It is a record that expires.
//! - Then the files are written, under a name that was never used before.
//! - Then the record of the document is written, if the announcement still exists. The same transaction deletes the
//!   announcement.
//!
//! An edit writes new files and announces the old ones until no link to them is valid any longer. Deleting a document announces
//! its files until it can no longer be undeleted. When an announcement is deleted or expires, [`Library::announcement_gone`]
//! deletes the files unless a record points to them. So every record points to existing files, and unreferenced files are
//! deleted.

mod record;
mod search;

use std::sync::Arc;

use async_trait::async_trait;

pub use record::{Deleted, FileSet, SavedDocument, SavedFiles, SavedTemplate, picture_key};
pub use search::{Found, SavedSearch, SavedSort};

use crate::catalogue::Templates;
use crate::clock::new_id;
use crate::editing::followed;
use crate::files::{Files, Handed, Handing};
use crate::publishing::{DOCX, Filled};
use crate::template::{Status, Template, checked_title, document_not_found};
use crate::{Chance, Clock, Error, ErrorCode, Result, Timestamp, field_help};
use waraq_rules::help::ShownHelp;

/// Maximum number of documents in one account. Lists read all of them.
pub const MOST_SAVED: u64 = 5_000;
/// How long, in seconds, a deleted document can be undeleted.
pub const RESTORABLE_SECONDS: u64 = 7 * 24 * 3_600;
/// How long, in seconds, unreferenced files are kept: files of a failed request, and files that an edit has replaced. Requests
/// end after half a minute, and links to files after fifteen minutes.
pub const LEFT_OVER_SECONDS: u64 = 3_600;
/// Maximum number of attempts when other requests change the same document.
const TRIES: u32 = 16;

/// Names and values, in the order of the template's fields.
pub type NamedValues = Vec<(String, String)>;

/// A document to write, in one transaction with the other writes of the request.
#[derive(Debug, Clone)]
pub struct Save {
    /// The new state of the document.
    pub document: SavedDocument,
    pub values: NamedValues,
    /// The state that is replaced. `None` if the document is new.
    pub before: Option<Before>,
}

/// The state of a document on which a change is based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    pub version: u32,
    pub files: FileSet,
}

/// The store of saved documents. All reads are consistent.
#[async_trait]
pub trait SavedDocuments: Send + Sync {
    /// Returns every document of an account, in no particular order. Deleted documents are left out.
    async fn documents(&self, owner: &str) -> Result<Vec<SavedDocument>>;

    /// Returns the deleted documents that are still stored.
    async fn deleted_documents(&self, owner: &str) -> Result<Vec<Deleted>>;

    async fn document(&self, owner: &str, id: &str) -> Result<Option<SavedDocument>>;

    /// Returns a document and its values, both of the same version.
    async fn document_and_values(&self, owner: &str, id: &str) -> Result<Option<(SavedDocument, NamedValues)>>;

    /// Returns a deleted document, if it is still stored.
    async fn deleted(&self, owner: &str, id: &str) -> Result<Option<Deleted>>;

    /// Returns the values of a document, deleted or not. `None` if the document does not exist.
    async fn values(&self, owner: &str, id: &str) -> Result<Option<NamedValues>>;

    /// Announces files that will be written. The announcement expires at `until`.
    async fn announce(&self, files: &FileSet, until: Timestamp) -> Result<()>;

    /// Counts a download. Returns false if the document does not exist.
    async fn count_download(&self, owner: &str, id: &str) -> Result<bool>;

    /// Marks a document as deleted if it has not changed since it was read. Announces its files until it can no longer be
    /// undeleted. Returns false if it has changed.
    async fn delete(&self, document: &SavedDocument, now: Timestamp) -> Result<bool>;

    /// Undeletes a document if it has not changed since it was read. Returns false if it has changed.
    async fn restore(&self, deleted: &Deleted) -> Result<bool>;

    /// Permanently deletes a deleted document and its values, if it has not changed since it was read. Returns false if it has
    /// changed.
    async fn forget(&self, deleted: &Deleted) -> Result<bool>;
}

/// The document to edit, the version to use and the title that a caller asks for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// The saved document to edit. `None` creates a new one.
    pub document: Option<String>,
    /// The version of the document the client last saw.
    pub version: Option<u32>,
    /// The version of the template. `None` means the one the document was made with, or the newest for a new document.
    pub template_version: Option<u32>,
    /// The title. `None` keeps the title of the document; a new document gets the title of its template.
    pub title: Option<String>,
}

/// The inputs of a document that is about to be rendered.
#[derive(Debug, Clone)]
pub struct Basis {
    /// The template, in the version to fill.
    pub template: Arc<Template>,
    pub title: String,
    /// The document to edit.
    pub before: Option<SavedDocument>,
}

/// A document with its values and files.
#[derive(Debug)]
pub struct Opened {
    pub document: SavedDocument,
    pub values: NamedValues,
    /// The .docx file, if it was requested.
    pub docx: Option<Handed>,
    pub pdf: Option<Handed>,
}

/// The requested files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Both,
    Docx,
    Pdf,
}

/// A newer version of a document's template, and the effect on the document's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewerTemplate {
    pub version: u32,
    pub fields: Vec<String>,
    /// The field settings that the form shows.
    pub help: Vec<ShownHelp>,
    /// Fields of the document that have another name in the newer version, as (old name, new name). Their values are kept.
    pub renamed: Vec<(String, String)>,
    /// Fields that the document does not have.
    pub added: Vec<String>,
    /// Fields of the document that the newer version does not have.
    pub dropped: Vec<String>,
}

/// The service for saved documents, with the ports it needs.
pub struct Library<'a> {
    pub documents: &'a dyn SavedDocuments,
    pub templates: &'a dyn Templates,
    pub files: &'a dyn Files,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
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

impl Library<'_> {
    /// Returns a page of an account's documents, their total number, and the fields of the template of each document on the
    /// page.
    pub async fn list(&self, owner: &str, search: &SavedSearch) -> Result<(Found, Vec<Vec<String>>)> {
        let found = search.run(self.documents.documents(owner).await?);
        let versions: Vec<(&str, u32)> =
            found.page.iter().map(|document| (document.template.id.as_str(), document.template.version)).collect();
        let templates = self.templates.versions(&versions).await?;
        let fields = templates.into_iter().map(|known| known.map(|known| known.fields.clone()).unwrap_or_default());
        Ok((found, fields.collect()))
    }

    /// Resolves a caller's wish to a template version, a title and the document to edit.
    ///
    /// # Errors
    /// `document_not_found`, `document_changed`, `login_required`, `title_too_long`, `invalid_title`.
    pub async fn basis(&self, template_id: &str, owner: Option<&str>, wish: &Wish) -> Result<Basis> {
        let title = wish.title.as_deref().filter(|title| !title.trim().is_empty()).map(checked_title).transpose()?;
        let before = match &wish.document {
            None => None,
            Some(id) => {
                let owner = owner.ok_or_else(Error::unauthenticated)?;
                let document = self.documents.document(owner, id).await?;
                let document = document.filter(|document| document.template.id == template_id);
                Some(document.ok_or_else(document_not_found)?)
            }
        };
        if before.as_ref().zip(wish.version).is_some_and(|(before, version)| before.version != version) {
            return Err(document_changed());
        }
        let newest = self.templates.row(template_id).await?.ok_or_else(document_not_found)?;
        if before.is_none() && newest.status != Status::Active {
            return Err(document_not_found());
        }
        let own = before.as_ref().map(|before| before.template.version);
        let version = wish.template_version.or(own).unwrap_or(newest.version);
        let template = if version == newest.version {
            Arc::new(newest)
        } else {
            let known = self.templates.versions(&[(template_id, version)]).await?;
            known.into_iter().flatten().next().ok_or_else(document_not_found)?
        };
        let known_title = || before.as_ref().map_or_else(|| template.title.clone(), |before| before.title.clone());
        Ok(Basis { title: title.unwrap_or_else(known_title), template, before })
    }

    /// Writes the files of a filled document. Returns the record to write.
    pub async fn keep(
        &self,
        owner: &str,
        basis: Basis,
        (values, blank): (NamedValues, bool),
        filled: &Filled,
        now: Timestamp,
    ) -> Result<Save> {
        let Basis { template, title, before } = basis;
        let template = match &before {
            Some(before) if before.template.version == template.version => before.template.clone(),
            _ => SavedTemplate::of(&template),
        };
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
            },
            uses: before.as_ref().map_or(0, |before| before.uses),
            created_at: before.as_ref().map_or(now, |before| before.created_at),
            updated_at: now,
        };
        let set = document.file_set();
        self.documents.announce(&set, now.plus_seconds(LEFT_OVER_SECONDS)).await?;
        self.files.put(&set.docx(), DOCX, filled.docx.clone()).await?;
        self.files.put(&set.pdf(), PDF, filled.pdf.clone()).await?;
        if let Some(picture) = &filled.first_page {
            self.files.put(&set.picture(), PICTURE, picture.bytes.clone()).await?;
        }
        let before = before.map(|before| Before { version: before.version, files: before.file_set() });
        Ok(Save { document, values, before })
    }

    /// Copies the files of a document. Returns the record of the copy, with the same values and template version. The template
    /// may be inactive.
    pub async fn copy(&self, owner: &str, template_id: &str, id: &str, title: Option<&str>) -> Result<Save> {
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
        self.documents.announce(&to, now.plus_seconds(LEFT_OVER_SECONDS)).await?;
        self.copy_file(&from.docx(), &to.docx(), DOCX).await?;
        self.copy_file(&from.pdf(), &to.pdf(), PDF).await?;
        if document.files.picture.is_some() {
            self.copy_file(&from.picture(), &to.picture(), PICTURE).await?;
        }
        Ok(Save { document, values, before: None })
    }

    async fn copy_file(&self, from: &str, to: &str, content_type: &'static str) -> Result<()> {
        let bytes = self.kept(from).await?;
        self.files.put(to, content_type, bytes).await
    }

    async fn kept(&self, key: &str) -> Result<Vec<u8>> {
        self.files.get(key).await?.ok_or_else(|| Error::internal(format!("{key} is not kept")))
    }

    /// Opens a document with its values and files. Counts one download if only one of the files is requested.
    pub async fn open(&self, owner: &str, id: &str, wanted: Wanted, handing: &Handing) -> Result<Opened> {
        let opened = self.documents.document_and_values(owner, id).await?;
        let (mut document, values) = opened.ok_or_else(document_not_found)?;
        let (set, kept) = (document.file_set(), &document.files);
        let (docx_wanted, pdf_wanted) = (wanted != Wanted::Pdf, wanted != Wanted::Docx);
        let bytes = if docx_wanted { kept.docx_bytes } else { 0 } + if pdf_wanted { kept.pdf_bytes } else { 0 };
        let hand = async |key: String, ending: &str| -> Result<Handed> {
            if bytes <= handing.most_carried_bytes {
                return self.kept(&key).await.map(Handed::Bytes);
            }
            let name = format!("{}.{ending}", (handing.file_name)(&document.title));
            self.files.link(&key, &name).await.map(Handed::Link)
        };
        let docx = if docx_wanted { Some(hand(set.docx(), "docx").await?) } else { None };
        let pdf = if pdf_wanted { Some(hand(set.pdf(), "pdf").await?) } else { None };
        if wanted != Wanted::Both && self.documents.count_download(owner, id).await? {
            document.uses += 1;
        }
        Ok(Opened { document, values, docx, pdf })
    }

    /// Returns the newer version of a document's template, if there is one and the template is active.
    pub async fn newer_template(
        &self,
        document: &SavedDocument,
        values: &NamedValues,
    ) -> Result<Option<NewerTemplate>> {
        let row = self.templates.row(&document.template.id).await?;
        let newer = row.filter(|row| row.status == Status::Active && row.version > document.template.version);
        let Some(row) = newer else { return Ok(None) };
        let versions = self.templates.all_versions(&row.id).await?;
        let had: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
        let followed = followed(&versions, document.template.version, row.version, &had);
        let renamed = row.fields.iter().filter_map(|now| followed.get(now).map(|old| (old.clone(), now.clone())));
        let renamed = renamed.filter(|(old, now)| old != now).collect();
        let added = row.fields.iter().filter(|name| !followed.contains_key(*name)).cloned().collect();
        let dropped = had.into_iter().filter(|name| followed.values().all(|old| old != name)).collect();
        let help = self.help(&row.id, row.version, &row.fields).await?;
        Ok(Some(NewerTemplate { version: row.version, fields: row.fields, help, renamed, added, dropped }))
    }

    /// Returns the field settings that the form shows for `fields`, the fields of a template's version.
    pub async fn help(&self, template_id: &str, version: u32, fields: &[String]) -> Result<Vec<ShownHelp>> {
        let kept = self.templates.help(template_id, version).await?;
        Ok(kept.unwrap_or_else(|| field_help::by_names(fields)).shown(fields))
    }

    /// Deletes a document. It can be undeleted for [`RESTORABLE_SECONDS`]. Succeeds if the document is already deleted.
    pub async fn delete(&self, owner: &str, id: &str) -> Result<()> {
        for _ in 0..TRIES {
            let Some(document) = self.documents.document(owner, id).await? else {
                let deleted = self.restorable(owner, id).await?;
                return deleted.map(|_| ()).ok_or_else(document_not_found);
            };
            if self.documents.delete(&document, self.clock.now()).await? {
                return Ok(());
            }
        }
        Err(Error::unavailable("a document was always changed meanwhile"))
    }

    /// Undeletes a document. Succeeds if the document is not deleted.
    pub async fn restore(&self, owner: &str, id: &str) -> Result<SavedDocument> {
        for _ in 0..TRIES {
            if let Some(deleted) = self.restorable(owner, id).await?
                && self.documents.restore(&deleted).await?
            {
                return Ok(deleted.document);
            }
            if let Some(document) = self.documents.document(owner, id).await? {
                return Ok(document);
            }
            if self.restorable(owner, id).await?.is_none() {
                return Err(document_not_found());
            }
        }
        Err(Error::unavailable("a document was always changed meanwhile"))
    }

    async fn restorable(&self, owner: &str, id: &str) -> Result<Option<Deleted>> {
        let deleted = self.documents.deleted(owner, id).await?;
        Ok(deleted.filter(|deleted| deleted.ends_at() > self.clock.now()))
    }

    /// Returns the fields of the template version a document was made from.
    pub async fn fields(&self, document: &SavedDocument) -> Result<Vec<String>> {
        let wanted = [(document.template.id.as_str(), document.template.version)];
        let known = self.templates.versions(&wanted).await?.into_iter().flatten().next();
        Ok(known.map(|known| known.fields.clone()).unwrap_or_default())
    }

    /// Returns every document of an account, including the deleted ones that are still stored. Their values are in
    /// [`SavedDocuments::values`], their files in [`SavedDocument::file_set`].
    pub async fn everything(&self, owner: &str) -> Result<Vec<SavedDocument>> {
        let mut documents = self.documents.documents(owner).await?;
        documents.extend(self.documents.deleted_documents(owner).await?.into_iter().map(|deleted| deleted.document));
        documents.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(documents)
    }

    /// Handles the end of an announcement: it expired, or a record points to its files now. Deletes the files if they are no
    /// longer needed. If the document can no longer be undeleted, its record is deleted first. Repeated calls do no harm. Returns
    /// whether files were deleted.
    pub async fn announcement_gone(&self, files: &FileSet) -> Result<bool> {
        let points = |document: &SavedDocument| document.files.name == files.name;
        if self.documents.document(&files.owner, &files.document).await?.as_ref().is_some_and(points) {
            return Ok(false);
        }
        if let Some(deleted) = self.documents.deleted(&files.owner, &files.document).await?
            && points(&deleted.document)
        {
            if deleted.ends_at() > self.clock.now() {
                // The store's clock may differ, or the document was deleted, undeleted and deleted again, and this announcement
                // is of the first deletion.
                self.documents.announce(files, deleted.ends_at()).await?;
                return Ok(false);
            }
            if !self.documents.forget(&deleted).await? {
                return Ok(false);
            }
        }
        // The document may have been undeleted since the first check.
        if self.documents.document(&files.owner, &files.document).await?.as_ref().is_some_and(points) {
            return Ok(false);
        }
        for key in [files.docx(), files.pdf(), files.picture()] {
            self.files.remove(&key).await?;
        }
        Ok(true)
    }

    fn new_id(&self) -> String {
        new_id(self.clock, self.chance)
    }
}

/// The media types of stored files other than [`DOCX`].
const PDF: &str = "application/pdf";
const PICTURE: &str = "image/webp";
