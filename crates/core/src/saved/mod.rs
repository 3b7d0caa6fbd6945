//! Documents kept in an account: their values, and their files as they were saved.
//!
//! Records and files are in two stores, and a process may die between any two writes. So files are written first, under a name that was
//! never used before, and *announced* before that: an announcement is a record that goes away by itself after a while. The record of
//! the document is written on the condition that its files are still announced, in one transaction that takes the announcement back. An edit
//! writes new files and announces the old ones, as deleting does, each for the time they may still be needed. When an announcement goes, whoever
//! is told of it takes away the files unless a record points to them ([`Library::announcement_gone`]). So no record points to files that are not there, and
//! no files stay that no record points to.

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

/// Documents of one account: a list looks through all of them.
pub const MOST_SAVED: u64 = 5_000;
/// How long deleting can be undone.
pub const RESTORABLE_SECONDS: u64 = 7 * 24 * 3_600;
/// How long files stay which a request has written that came to nothing, or which an edit has replaced: requests end after half a
/// minute, and links to files after fifteen.
pub const LEFT_OVER_SECONDS: u64 = 3_600;
/// Times a document that others change meanwhile is read again.
const TRIES: u32 = 16;

/// Names and values, in the order of the template's fields.
pub type NamedValues = Vec<(String, String)>;

/// A document to be written, with everything else in the same transaction.
#[derive(Debug, Clone)]
pub struct Save {
    /// As it will be.
    pub document: SavedDocument,
    pub values: NamedValues,
    /// What it replaces; `None`: it is new.
    pub before: Option<Before>,
}

/// The state of a document that a change is based on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Before {
    pub version: u32,
    pub files: FileSet,
}

/// Where saved documents are kept. Reads are of now.
#[async_trait]
pub trait SavedDocuments: Send + Sync {
    /// Every document of an account but the deleted ones, in no order.
    async fn documents(&self, owner: &str) -> Result<Vec<SavedDocument>>;

    /// The deleted ones that are still kept.
    async fn deleted_documents(&self, owner: &str) -> Result<Vec<Deleted>>;

    async fn document(&self, owner: &str, id: &str) -> Result<Option<SavedDocument>>;

    /// A document and its values, both of the same version.
    async fn document_and_values(&self, owner: &str, id: &str) -> Result<Option<(SavedDocument, NamedValues)>>;

    /// A deleted document, as long as it is kept.
    async fn deleted(&self, owner: &str, id: &str) -> Result<Option<Deleted>>;

    /// The values of a document, deleted or not; `None` if there is none.
    async fn values(&self, owner: &str, id: &str) -> Result<Option<NamedValues>>;

    /// Says that files will be there, and until when that is to be remembered.
    async fn announce(&self, files: &FileSet, until: Timestamp) -> Result<()>;

    /// Counts a download; false if there is no such document.
    async fn count_download(&self, owner: &str, id: &str) -> Result<bool>;

    /// Marks a document as deleted, on the condition that it is as it was read, and announces its files until the end of the time in which
    /// that can be undone; false if it is not so any more.
    async fn delete(&self, document: &SavedDocument, now: Timestamp) -> Result<bool>;

    /// Undoes that, on the condition that it is still deleted as it was read; false if it is not.
    async fn restore(&self, deleted: &Deleted) -> Result<bool>;

    /// Forgets a deleted document and its values, on the condition that it is still deleted as it was read; false if it is not.
    async fn forget(&self, deleted: &Deleted) -> Result<bool>;
}

/// What a caller wants a document made of and kept as.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// The saved document it is an edit of; `None`: a new one.
    pub document: Option<String>,
    /// The version of it that was edited.
    pub version: Option<u32>,
    /// The template's version; `None`: the document's own, of a new one the newest.
    pub template_version: Option<u32>,
    /// `None`: as it is called already, a new one like its template.
    pub title: Option<String>,
}

/// What a document is made of.
#[derive(Debug, Clone)]
pub struct Basis {
    /// In the version that is filled.
    pub template: Arc<Template>,
    pub title: String,
    /// The document that is edited.
    pub before: Option<SavedDocument>,
}

/// A document with its values and files.
#[derive(Debug)]
pub struct Opened {
    pub document: SavedDocument,
    pub values: NamedValues,
    /// Whichever were asked for.
    pub docx: Option<Handed>,
    pub pdf: Option<Handed>,
}

/// Which files are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Both,
    Docx,
    Pdf,
}

/// A newer version of the template a document was made of, and what would become of its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewerTemplate {
    pub version: u32,
    pub fields: Vec<String>,
    /// What its form shows of them.
    pub help: Vec<ShownHelp>,
    /// Fields of the document that have another name there, which their values follow: the old name, the new.
    pub renamed: Vec<(String, String)>,
    /// Fields it has and the document has not.
    pub added: Vec<String>,
    /// Fields of the document that it has no more.
    pub dropped: Vec<String>,
}

/// Everything that is done with saved documents.
pub struct Library<'a> {
    pub documents: &'a dyn SavedDocuments,
    pub templates: &'a dyn Templates,
    pub files: &'a dyn Files,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
}

/// Somebody else changed the document, since it was read.
pub fn document_changed() -> Error {
    let message = "The document was changed elsewhere meanwhile.";
    Error::new(ErrorCode::DocumentChanged, message)
}

/// An account has as many documents as it may.
pub fn too_many_documents() -> Error {
    let message = format!("An account keeps at most {MOST_SAVED} documents.");
    Error::new(ErrorCode::TooManyDocuments, message).with_limit(MOST_SAVED)
}

impl Library<'_> {
    /// One page of an account's documents, how many there are, and the fields of each one's template.
    pub async fn list(&self, owner: &str, search: &SavedSearch) -> Result<(Found, Vec<Vec<String>>)> {
        let found = search.run(self.documents.documents(owner).await?);
        let versions: Vec<(&str, u32)> =
            found.page.iter().map(|document| (document.template.id.as_str(), document.template.version)).collect();
        let templates = self.templates.versions(&versions).await?;
        let fields = templates.into_iter().map(|known| known.map(|known| known.fields.clone()).unwrap_or_default());
        Ok((found, fields.collect()))
    }

    /// What somebody's wish makes a document of: a template of the catalogue, or what one of his documents was made of.
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

    /// Keeps the files of a filled document, and answers what is to be written so that it is kept itself.
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

    /// What is to be written so that a document is there twice: values, files, the version of its template. A deactivated template does
    /// not matter.
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

    /// A document with its values and files; one download is counted where only one of them is wanted.
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

    /// The newer version of a document's template, if it is in the catalogue and has one.
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

    /// What the form shows of `fields`, which are those of a template's version.
    pub async fn help(&self, template_id: &str, version: u32, fields: &[String]) -> Result<Vec<ShownHelp>> {
        let kept = self.templates.help(template_id, version).await?;
        Ok(kept.unwrap_or_else(|| field_help::by_names(fields)).shown(fields))
    }

    /// Deletes a document, so that it can be restored for [`RESTORABLE_SECONDS`]. One that is deleted already stays so.
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

    /// Undoes that. One that is not deleted stays as it is.
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

    /// The fields of the template a document was made of.
    pub async fn fields(&self, document: &SavedDocument) -> Result<Vec<String>> {
        let wanted = [(document.template.id.as_str(), document.template.version)];
        let known = self.templates.versions(&wanted).await?.into_iter().flatten().next();
        Ok(known.map(|known| known.fields.clone()).unwrap_or_default())
    }

    /// Everything kept of an account, the deleted documents that can be restored among it; each one's values are
    /// [`SavedDocuments::values`], its files those of [`SavedDocument::file_set`].
    pub async fn everything(&self, owner: &str) -> Result<Vec<SavedDocument>> {
        let mut documents = self.documents.documents(owner).await?;
        documents.extend(self.documents.deleted_documents(owner).await?.into_iter().map(|deleted| deleted.document));
        documents.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(documents)
    }

    /// An announcement is gone: its time was over, or a record points to its files now. Takes away the files nobody needs, after the record
    /// of a document whose deletion cannot be undone any more. Done again it does no harm. Whether files were taken away.
    pub async fn announcement_gone(&self, files: &FileSet) -> Result<bool> {
        let points = |document: &SavedDocument| document.files.name == files.name;
        if self.documents.document(&files.owner, &files.document).await?.as_ref().is_some_and(points) {
            return Ok(false);
        }
        if let Some(deleted) = self.documents.deleted(&files.owner, &files.document).await?
            && points(&deleted.document)
        {
            if deleted.ends_at() > self.clock.now() {
                // Whoever took it away has another clock; or it was deleted, restored and deleted again, and this is of the first time.
                self.documents.announce(files, deleted.ends_at()).await?;
                return Ok(false);
            }
            if !self.documents.forget(&deleted).await? {
                return Ok(false);
            }
        }
        // Restored between the two looks it is pointed to again.
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

/// The media types of what is kept besides [`DOCX`].
const PDF: &str = "application/pdf";
const PICTURE: &str = "image/webp";
