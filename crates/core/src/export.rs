//! Everything that is kept of a person, as one zip that is handed to him.
//!
//! ```text
//! account.json            his account
//! changes.json            when it was changed
//! support-messages.json   what he wrote to the help center
//! known-answers.json      what is offered again of what he filled in, where he has switched that on
//! photo.jpg
//! saved-documents.json    his saved documents, the deleted ones that are still kept too: what they are made of and what he filled in
//! documents/0001 ….pdf    each as it was saved, and as a Word file
//! ```
//!
//! The zip is written piece by piece and never whole in memory: what it holds can be many times what a function has.

use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::accounts::Account;
use crate::belongings::Belongings;
use crate::clock::new_id;
use crate::files::{Files, answer_key, media_key};
use crate::known_answers::KnownAnswersOf;
use crate::limits::{Attempts, EXPORTS};
use crate::saved::{SavedDocument, SavedDocuments};
use crate::support::SupportMessages;
use crate::{Chance, Clock, Error, Result, Timestamp};

/// A zip of at most so many bytes is handed out as it is.
const LARGEST_WHOLE: usize = 4_000_000;
/// Bytes of a part of an upload: S3 takes none that is smaller, but for the last.
const PART: usize = 8 << 20;

/// A zip that is ready.
#[derive(Debug)]
pub enum Exported {
    Whole(Vec<u8>),
    /// Kept as a file for a day, under this key.
    Kept(String),
}

/// What an export reaches.
pub struct Exporter<'a> {
    pub belongings: &'a dyn Belongings,
    pub support: &'a dyn SupportMessages,
    pub saved: &'a dyn SavedDocuments,
    pub answers: &'a dyn KnownAnswersOf,
    pub files: &'a dyn Files,
    pub attempts: &'a dyn Attempts,
    pub clock: &'a dyn Clock,
    pub chance: &'a dyn Chance,
}

impl Exporter<'_> {
    /// What the zip is to be called: the same in every language, with the day.
    pub fn file_name(&self) -> String {
        let day: String = self.clock.now().rfc3339().chars().take(10).collect();
        format!("waraq-{day}.zip")
    }

    /// # Errors
    /// `too_many_attempts` where somebody asks for it more often than [`EXPORTS`].
    pub async fn export(&self, account: &Account) -> Result<Exported> {
        EXPORTS.take(self.attempts, &account.id, self.clock.now()).await?;
        let mut zip = Zip::new(self);
        zip.json("account.json", &account_json(account)).await?;
        let changes = self.belongings.changes_of(&account.id).await?;
        let changes: Vec<String> = changes.into_iter().map(|at| at.rfc3339()).collect();
        zip.json("changes.json", &json!({ "changedAt": changes })).await?;
        let messages = self.support.messages_of(&account.id).await?;
        let messages: Vec<Value> = messages
            .into_iter()
            .map(|message| {
                let answers = message.answers.iter().map(|answer| {
                    json!({ "message": answer.message, "answeredAt": answer.answered_at.rfc3339() })
                });
                json!({ "_id": message.id, "email": message.email, "message": message.message, "language": message.language,
                    "createdAt": message.created_at.rfc3339(), "answers": answers.collect::<Vec<Value>>() })
            })
            .collect();
        zip.json("support-messages.json", &json!({ "supportMessages": messages })).await?;
        if let Some(known) = self.answers.known_answers(&account.id).await? {
            zip.json("known-answers.json", &json!({ "knownAnswers": known.answers })).await?;
        }
        if let Some(name) = &account.photo
            && let Some(photo) = self.files.get(&media_key(name)).await?
        {
            zip.file("photo.jpg", &photo, CompressionMethod::Stored).await?;
        }
        self.saved_documents(account, &mut zip).await?;
        zip.finish().await
    }

    async fn saved_documents(&self, account: &Account, zip: &mut Zip<'_>) -> Result<()> {
        let kept = self.saved.documents(&account.id).await?.into_iter().map(|document| (document, None));
        let deleted = self.saved.deleted_documents(&account.id).await?.into_iter();
        let mut all: Vec<(SavedDocument, Option<Timestamp>)> =
            kept.chain(deleted.map(|deleted| (deleted.document, Some(deleted.at)))).collect();
        all.sort_by(|(one, _), (other, _)| one.id.cmp(&other.id));
        let fetched = stream::iter(all.into_iter().enumerate().map(|(place, (document, deleted_at))| async move {
            let files = document.file_set();
            let (id, docx, pdf) = (document.id.clone(), files.docx(), files.pdf());
            let read = (self.saved.values(&account.id, &id), self.files.get(&docx), self.files.get(&pdf));
            let (values, docx, pdf) = futures_util::future::join3(read.0, read.1, read.2).await;
            Ok::<_, Error>((
                place + 1,
                document,
                deleted_at,
                values?.unwrap_or_default(),
                [("docx", docx?), ("pdf", pdf?)],
            ))
        }));
        // In their order, some ahead: a thousand reads one after the other would take longer than a call may.
        let mut fetched = fetched.buffered(AHEAD);
        let mut records = Vec::new();
        while let Some(document) = fetched.next().await {
            let (number, document, deleted_at, values, files) = document?;
            let mut names = serde_json::Map::new();
            for (ending, bytes) in files {
                // Of one that was changed at this moment: its files are the next state's.
                let Some(bytes) = bytes else { continue };
                let name = format!("documents/{number:04} {}.{ending}", in_a_path(&document.title));
                zip.file(&name, &bytes, CompressionMethod::Stored).await?;
                names.insert(ending.to_owned(), name.into());
            }
            let values: Vec<Value> = values.into_iter().map(|(name, value)| json!({ name: value })).collect();
            records.push(json!({
                "_id": document.id,
                "title": document.title,
                "version": document.version,
                "template": {
                    "_id": document.template.id, "templateVersion": document.template.version, "title": document.template.title,
                    "categories": document.template.categories, "language": document.template.language,
                    "country": document.template.country,
                },
                "fieldsAndValues": values,
                "files": names,
                "usageCount": document.uses,
                "createdAt": document.created_at.rfc3339(),
                "updatedAt": document.updated_at.rfc3339(),
                "deletedAt": deleted_at.map(Timestamp::rfc3339),
            }));
        }
        zip.json("saved-documents.json", &json!({ "savedDocuments": records })).await
    }
}

/// Documents that are fetched at once.
const AHEAD: usize = 8;

/// A title as part of a path that every file system takes.
fn in_a_path(title: &str) -> String {
    let odd = |letter: char| letter.is_control() || r#"/\:*?"<>|"#.contains(letter);
    let name: String = title.chars().take(80).map(|letter| if odd(letter) { '-' } else { letter }).collect();
    name.trim_matches(|letter: char| letter == '.' || letter.is_whitespace()).to_owned()
}

fn account_json(account: &Account) -> Value {
    let former: Vec<Value> = account
        .former_addresses
        .iter()
        .map(|former| json!({ "email": former.address, "changedAt": former.changed_at.rfc3339() }))
        .collect();
    let google: Vec<Value> = account
        .google
        .iter()
        .map(|link| json!({ "subject": link.subject, "linkedAt": link.linked_at.rfc3339() }))
        .collect();
    json!({
        "_id": account.id,
        "name": account.shown_name(),
        "userName": account.user_name,
        "email": account.email,
        "country": account.country,
        "language": account.language,
        "role": account.role,
        "downloads": account.downloads,
        "createdAt": account.created_at.rfc3339(),
        "formerEmails": former,
        "google": google,
    })
}

/// What was written and is not handed on yet.
#[derive(Clone, Default)]
struct Pending(Arc<Mutex<Vec<u8>>>);

impl Pending {
    fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A zip that is written in parts to the store once it is large.
struct Zip<'a> {
    exporter: &'a Exporter<'a>,
    pending: Pending,
    zip: ZipWriter<zip::write::StreamWriter<Pending>>,
    upload: Option<(String, Box<dyn crate::files::Upload + 'a>)>,
    time: DateTime,
}

fn fault(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("an export: {error}"))
}

impl<'a> Zip<'a> {
    fn new(exporter: &'a Exporter<'a>) -> Self {
        let pending = Pending::default();
        let zip = ZipWriter::new_stream(pending.clone());
        Self { exporter, pending, zip, upload: None, time: zip_time(&exporter.clock.now().rfc3339()) }
    }

    async fn json(&mut self, name: &str, value: &Value) -> Result<()> {
        let bytes = serde_json::to_vec_pretty(value).map_err(fault)?;
        self.file(name, &bytes, CompressionMethod::Deflated).await
    }

    async fn file(&mut self, name: &str, bytes: &[u8], method: CompressionMethod) -> Result<()> {
        let options = SimpleFileOptions::default().compression_method(method).last_modified_time(self.time);
        self.zip.start_file(name, options).map_err(fault)?;
        self.zip.write_all(bytes).map_err(fault)?;
        if self.pending.len() >= PART { self.hand_on().await } else { Ok(()) }
    }

    async fn hand_on(&mut self) -> Result<()> {
        if self.upload.is_none() {
            let id = new_id(self.exporter.clock, self.exporter.chance);
            let key = answer_key(&id, "zip");
            let upload = self.exporter.files.upload(&key, "application/zip").await?;
            self.upload = Some((key, upload));
        }
        let Some((_, upload)) = &mut self.upload else { return Ok(()) };
        upload.part(self.pending.take()).await
    }

    async fn finish(mut self) -> Result<Exported> {
        let Self { exporter, pending, zip, upload, .. } = &mut self;
        let zip = std::mem::replace(zip, ZipWriter::new_stream(Pending::default()));
        zip.finish().map_err(fault)?;
        if upload.is_none() && pending.len() <= LARGEST_WHOLE {
            return Ok(Exported::Whole(pending.take()));
        }
        let _ = exporter;
        self.hand_on().await?;
        match self.upload {
            Some((key, upload)) => upload.finish().await.map(|()| Exported::Kept(key)),
            None => Err(fault("nothing was kept")),
        }
    }
}

/// `2026-11-21T09:30:00.000Z` as a zip has it; the zip's own beginning of time where it cannot be had.
fn zip_time(rfc3339: &str) -> DateTime {
    let number = |from: usize, to: usize| rfc3339.get(from..to).and_then(|digits| digits.parse::<u16>().ok());
    let part = |from: usize| number(from, from + 2).and_then(|part| u8::try_from(part).ok()).unwrap_or_default();
    let year = number(0, 4).unwrap_or_default();
    DateTime::from_date_and_time(year, part(5), part(8), part(11), part(14), part(17)).unwrap_or_default()
}
