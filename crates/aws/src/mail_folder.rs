//! The mailer of an installation without SES. It writes each mail to a file.

use std::path::{Path, PathBuf};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use waraq_core::accounts::Address;
use waraq_core::mail::{Mailer, RenderedMail};
use waraq_core::{Clock, Error, Result};

use crate::durable::{sync_folder, write_durably};
use crate::system::SystemClock;

/// A sent mail, in the form in which a file stores it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SentMail {
    pub id: String,
    pub kind: String,
    pub to: String,
    /// The address for replies, if the mail has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_to: Option<String>,
    pub subject: String,
    pub text: String,
    pub html: String,
    pub language: String,
    /// The time of sending, in RFC 3339 format.
    pub sent_at: String,
}

/// A folder with one file for each mail. The file has the id of the mail as its name. Later mails have greater ids.
#[derive(Debug, Clone)]
pub struct MailFolder(PathBuf);

impl MailFolder {
    pub fn new(path: PathBuf) -> Self {
        Self(path)
    }

    fn file(&self, id: &str) -> PathBuf {
        self.0.join(format!("{id}.json"))
    }

    /// Writes a mail to its file, atomically. The file is on the disk before the mail leaves the outbox.
    pub async fn store(&self, mail: SentMail) -> std::io::Result<()> {
        let (folder, path) = (self.0.clone(), self.file(&mail.id));
        let written = tokio::task::spawn_blocking(move || write_mail(&folder, &path, &mail)).await;
        written.unwrap_or_else(|error| Err(std::io::Error::other(error)))
    }

    /// Returns all mails, newest first.
    pub fn mails(&self) -> std::io::Result<Vec<SentMail>> {
        let mut names: Vec<PathBuf> = match std::fs::read_dir(&self.0) {
            Ok(files) => files.filter_map(|file| file.ok().map(|file| file.path())).collect(),
            // The folder does not exist before the first mail.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        names.retain(|name| name.extension().is_some_and(|ending| ending == "json"));
        names.sort_unstable_by(|one, other| other.cmp(one));
        Ok(names.iter().filter_map(|name| serde_json::from_slice(&std::fs::read(name).ok()?).ok()).collect())
    }
}

#[async_trait]
impl Mailer for MailFolder {
    async fn send(&self, message: &RenderedMail) -> Result<()> {
        // An address that SES could not deliver to is refused here too.
        Address::of_mail(&message.to)?;
        let mail = SentMail {
            id: message.id.clone(),
            kind: message.kind.to_owned(),
            to: message.to.clone(),
            reply_to: message.reply_to.clone(),
            subject: message.subject.clone(),
            text: message.text.clone(),
            html: message.html.clone(),
            language: message.language.to_owned(),
            // Uses the system clock, even if a test sets another.
            sent_at: SystemClock.now().rfc3339(),
        };
        let written = self.store(mail).await;
        written.map_err(|error| Error::unavailable(format!("a mail cannot be written: {}", error.kind())))
    }
}

fn write_mail(folder: &Path, path: &Path, mail: &SentMail) -> std::io::Result<()> {
    if !folder.exists() {
        std::fs::create_dir_all(folder)?;
        folder.parent().map_or(Ok(()), sync_folder)?;
    }
    write_durably(path, &path.with_extension("half"), &serde_json::to_vec_pretty(mail)?)
}
