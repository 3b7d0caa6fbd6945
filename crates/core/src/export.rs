//! Export of everything that is stored about a person, as a zip file for that person.
//!
//! ```text
//! account.json            the account
//! changes.json            the times at which it was changed
//! support-messages.json   the messages to the help center
//! known-answers.json      the saved answers, if the feature is on
//! photo.jpg
//! saved-documents.json    the saved documents with their values, including deleted ones that are still stored
//! documents/0001 ….pdf    each document as it was saved, also as a Word file
//! documents/0001 pictures/1.png   the pictures in its values
//! templates.json          the private templates
//! templates/0001 ….docx   the Word file of each private template
//! ```
//!
//! The zip file is written in parts and is never in memory as a whole. It may be many times larger than the memory of a
//! function.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use waraq_rules::PictureFormat;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::accounts::Account;
use crate::clock::new_id;
use crate::files::{Files, media_key, response_file_key};
use crate::limits::{Attempts, EXPORTS};
use crate::personal_records::PersonalRecords;
use crate::private_templates::PrivateTemplates;
use crate::saved::{SavedDocument, SavedDocuments, StoredValue, ValuePictures};
use crate::saved_answers::SavedAnswerStore;
use crate::support::SupportMessages;
use crate::{Clock, Error, RandomSource, Result, Timestamp};

/// Maximum size in bytes of a zip file that is part of the response. Larger files are stored instead.
const LARGEST_INLINE_BYTES: usize = 4_000_000;
/// Size in bytes of one part of an upload. S3 requires at least 5 MB, except for the last part.
const PART_BYTES: usize = 8 << 20;

/// A finished zip file: its bytes, or the key under which a large file is stored.
#[derive(Debug)]
pub enum ExportedFile {
    Bytes(Vec<u8>),
    /// The key of the stored file, which is deleted after a day.
    StoredFile(String),
}

/// The service that exports the data of an account. Its fields are its dependencies, such as stores and the clock.
pub struct Exporter<'a> {
    pub personal_records: &'a dyn PersonalRecords,
    pub support: &'a dyn SupportMessages,
    pub saved: &'a dyn SavedDocuments,
    pub templates: &'a dyn PrivateTemplates,
    pub answers: &'a dyn SavedAnswerStore,
    pub files: &'a dyn Files,
    pub attempts: &'a dyn Attempts,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
}

impl Exporter<'_> {
    /// Returns the name of the zip file. It contains the date and is the same in every language.
    pub fn file_name(&self) -> String {
        let day: String = self.clock.now().rfc3339().chars().take(10).collect();
        format!("waraq-{day}.zip")
    }

    /// Exports the data of an account.
    ///
    /// # Errors
    /// `too_many_attempts` if the account exceeds [`EXPORTS`].
    pub async fn export(&self, account: &Account) -> Result<ExportedFile> {
        EXPORTS.count_attempt(self.attempts, &account.id, self.clock.now()).await?;
        let mut zip = Zip::new(self, &account.id);
        zip.add_json("account.json", &account_json(account)).await?;
        let changes = self.personal_records.change_times(&account.id).await?;
        let changes: Vec<String> = changes.into_iter().map(|at| at.rfc3339()).collect();
        zip.add_json("changes.json", &json!({ "changedAt": changes })).await?;
        let messages = self.support.messages_of_account(&account.id).await?;
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
        zip.add_json("support-messages.json", &json!({ "supportMessages": messages })).await?;
        if let Some(known) = self.answers.saved_answers(&account.id).await? {
            zip.add_json("known-answers.json", &json!({ "knownAnswers": known.answers })).await?;
        }
        if let Some(name) = &account.photo
            && let Some(photo) = self.files.get(&media_key(name)).await?
        {
            zip.add_file("photo.jpg", &photo, CompressionMethod::Stored).await?;
        }
        self.saved_documents(account, &mut zip).await?;
        self.private_templates(account, &mut zip).await?;
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
            let picture_bytes = document.files.value_picture_bytes;
            let pictures = async {
                match picture_bytes {
                    0 => Ok(None),
                    _ => self.files.get(&files.value_pictures()).await,
                }
            };
            let read = (self.saved.values(&account.id, &id), self.files.get(&docx), self.files.get(&pdf), pictures);
            let (values, docx, pdf, pictures) = futures_util::future::join4(read.0, read.1, read.2, read.3).await;
            let pictures = pictures?.map(|json| ValuePictures::from_json(&json)).transpose()?.unwrap_or_default();
            let values = (values?.unwrap_or_default(), pictures);
            Ok::<_, Error>((place + 1, document, deleted_at, values, [("docx", docx?), ("pdf", pdf?)]))
        }));
        // Several documents are read at the same time, and the results keep their order. A thousand reads one after the other
        // would exceed the time limit of a request.
        let mut fetched = fetched.buffered(CONCURRENT_READS);
        let mut records = Vec::new();
        while let Some(document) = fetched.next().await {
            let (number, document, deleted_at, (values, pictures), files) = document?;
            let mut names = serde_json::Map::new();
            for (ending, bytes) in files {
                // The document was edited during the export, and its old files were deleted. They are left out.
                let Some(bytes) = bytes else { continue };
                let name = format!("documents/{number:04} {}.{ending}", path_safe_title(&document.title));
                zip.add_file(&name, &bytes, CompressionMethod::Stored).await?;
                names.insert(ending.to_owned(), name.into());
            }
            let mut picture_files = PictureFiles::new(number);
            let values: Vec<Value> = values
                .into_iter()
                .map(|(name, value)| json!({ name: exported_value(value, &pictures, &mut picture_files) }))
                .collect();
            for (hash, name) in picture_files.names {
                if let Some(picture) = pictures.get(&hash) {
                    zip.add_file(&name, &picture.bytes, CompressionMethod::Stored).await?;
                }
            }
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
        zip.add_json("saved-documents.json", &json!({ "savedDocuments": records })).await
    }
}

impl Exporter<'_> {
    async fn private_templates(&self, account: &Account, zip: &mut Zip<'_>) -> Result<()> {
        let mut records = Vec::new();
        // The oldest template is the first one.
        for (place, (template, uses)) in
            self.templates.private_templates(&account.id).await?.into_iter().rev().enumerate()
        {
            // The template was edited or deleted during the export. Its file is left out.
            let file = self.files.get(&template.docx_key()).await?;
            let name = format!("templates/{:04} {}.docx", place + 1, path_safe_title(&template.title));
            if let Some(bytes) = &file {
                zip.add_file(&name, bytes, CompressionMethod::Stored).await?;
            }
            let settings = self.templates.field_settings_of(&template).await?;
            records.push(json!({
                "_id": template.id,
                "title": template.title,
                "templateVersion": template.version,
                "language": template.language,
                "country": template.country,
                "fields": template.fields,
                "fieldSettings": settings.map(|settings| settings.overridden),
                "file": file.map(|_| name),
                "usageCount": uses,
                "createdAt": template.created_at.rfc3339(),
                "updatedAt": template.updated_at.rfc3339(),
            }));
        }
        zip.add_json("templates.json", &json!({ "templates": records })).await
    }
}

/// The names in the zip file of the pictures in the values of one document, by the hash of the picture.
struct PictureFiles {
    folder: String,
    names: BTreeMap<String, String>,
}

impl PictureFiles {
    fn new(document_number: usize) -> Self {
        Self { folder: format!("documents/{document_number:04} pictures"), names: BTreeMap::new() }
    }

    fn name(&mut self, hash: String, format: PictureFormat) -> String {
        let ending = match format {
            PictureFormat::Png => "png",
            PictureFormat::Jpeg => "jpg",
        };
        let name = format!("{}/{}.{ending}", self.folder, self.names.len() + 1);
        self.names.entry(hash).or_insert(name).clone()
    }
}

/// Returns a value as JSON. A picture becomes an object with the name of its file. The file of a picture is null if the document
/// was edited during the export, so that its old pictures are gone.
fn exported_value(value: StoredValue, pictures: &ValuePictures, files: &mut PictureFiles) -> Value {
    match value {
        StoredValue::Text(text) => text.into(),
        StoredValue::YesNo(yes) => yes.into(),
        StoredValue::List(rows) => {
            let row = |row: crate::saved::StoredRow| {
                let columns = row.into_iter().map(|(name, value)| (name, exported_value(value, pictures, files)));
                Value::Object(columns.collect())
            };
            rows.into_iter().map(row).collect()
        }
        StoredValue::Picture(picture) => {
            let format = pictures.get(&picture.hash).map(|kept| kept.format);
            let file = format.map(|format| files.name(picture.hash, format));
            json!({ "file": file, "alternativeText": picture.alternative_text })
        }
    }
}

/// Maximum number of documents that are read at the same time.
const CONCURRENT_READS: usize = 8;

/// Returns a title as a file name that is valid in every file system, without extension. At most 80 characters.
fn path_safe_title(title: &str) -> String {
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
        "name": account.display_name(),
        "userName": account.user_name,
        "email": account.email,
        "country": account.country,
        "language": account.language,
        "role": account.role,
        "downloads": account.downloads,
        "privateTemplates": account.private_templates,
        "createdAt": account.created_at.rfc3339(),
        "formerEmails": former,
        "google": google,
    })
}

/// The bytes of the zip file that are written but not uploaded yet.
#[derive(Clone, Default)]
struct UnsentBytes(Arc<Mutex<Vec<u8>>>);

impl UnsentBytes {
    fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn drain(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for UnsentBytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A zip file that is being written. When it gets large, its parts are uploaded to the file store.
struct Zip<'a> {
    exporter: &'a Exporter<'a>,
    /// The account that the export is for. Its id is part of the file's key.
    user_id: &'a str,
    pending: UnsentBytes,
    zip: ZipWriter<zip::write::StreamWriter<UnsentBytes>>,
    upload: Option<(String, Box<dyn crate::files::Upload + 'a>)>,
    time: DateTime,
}

fn fault(error: impl std::fmt::Display) -> Error {
    Error::internal(format!("an export: {error}"))
}

impl<'a> Zip<'a> {
    fn new(exporter: &'a Exporter<'a>, user_id: &'a str) -> Self {
        let pending = UnsentBytes::default();
        let zip = ZipWriter::new_stream(pending.clone());
        Self { exporter, user_id, pending, zip, upload: None, time: zip_time(&exporter.clock.now().rfc3339()) }
    }

    async fn add_json(&mut self, name: &str, value: &Value) -> Result<()> {
        let bytes = serde_json::to_vec_pretty(value).map_err(fault)?;
        self.add_file(name, &bytes, CompressionMethod::Deflated).await
    }

    async fn add_file(&mut self, name: &str, bytes: &[u8], method: CompressionMethod) -> Result<()> {
        let options = SimpleFileOptions::default().compression_method(method).last_modified_time(self.time);
        self.zip.start_file(name, options).map_err(fault)?;
        self.zip.write_all(bytes).map_err(fault)?;
        if self.pending.len() >= PART_BYTES { self.upload_part().await } else { Ok(()) }
    }

    async fn upload_part(&mut self) -> Result<()> {
        if self.upload.is_none() {
            let id = new_id(self.exporter.clock, self.exporter.random);
            let key = response_file_key(Some(self.user_id), &id, "zip");
            let upload = self.exporter.files.upload(&key, "application/zip").await?;
            self.upload = Some((key, upload));
        }
        let Some((_, upload)) = &mut self.upload else { return Ok(()) };
        upload.add_part(self.pending.drain()).await
    }

    async fn finish(mut self) -> Result<ExportedFile> {
        let Self { exporter, pending, zip, upload, .. } = &mut self;
        let zip = std::mem::replace(zip, ZipWriter::new_stream(UnsentBytes::default()));
        zip.finish().map_err(fault)?;
        if upload.is_none() && pending.len() <= LARGEST_INLINE_BYTES {
            return Ok(ExportedFile::Bytes(pending.drain()));
        }
        let _ = exporter;
        self.upload_part().await?;
        match self.upload {
            Some((key, upload)) => upload.finish().await.map(|()| ExportedFile::StoredFile(key)),
            None => Err(fault("nothing was kept")),
        }
    }
}

/// Converts `2026-11-21T09:30:00.000Z` to a zip timestamp. Invalid times become the earliest time of the zip format.
fn zip_time(rfc3339: &str) -> DateTime {
    let number = |from: usize, to: usize| rfc3339.get(from..to).and_then(|digits| digits.parse::<u16>().ok());
    let part = |from: usize| number(from, from + 2).and_then(|part| u8::try_from(part).ok()).unwrap_or_default();
    let year = number(0, 4).unwrap_or_default();
    DateTime::from_date_and_time(year, part(5), part(8), part(11), part(14), part(17)).unwrap_or_default()
}
