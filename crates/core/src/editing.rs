//! A template of the catalogue is changed: by an edit, taken out, brought back.
//!
//! Every change is written on the condition that the template is of the revision that was read, so that of two at once the second is told
//! and nothing is lost. An edit with a file makes a new version; documents that were saved keep theirs.

use std::sync::Arc;

use crate::catalogue::{PublishKey, Published, Templates};
use crate::clock::new_id;
use crate::files::content_hash;
use crate::filling::document_not_found;
use crate::history::{Deed, What, changes};
use crate::publishing::{Publisher, checked_country, checked_file, checked_language};
use crate::template::{Status, Template, checked_title};
use crate::{Clock, Error, ErrorCode, Result, category};

/// Times a template that others change meanwhile is read again.
const TRIES: u32 = 16;

/// What an admin changes of a template; what is `None` stays. Empty texts mean the defaults, as in an upload.
#[derive(Debug, Clone, Default)]
pub struct Edit {
    /// The revision that was edited; `None`: whichever is found.
    pub revision: Option<u32>,
    pub title: Option<String>,
    pub categories: Option<String>,
    pub language: Option<String>,
    pub country: Option<String>,
    /// Makes a new version.
    pub docx: Option<Vec<u8>>,
}

/// Somebody else has changed the template.
pub fn template_changed() -> Error {
    Error::new(ErrorCode::TemplateChanged, "The template was changed by somebody else meanwhile.")
}

impl Edit {
    /// What it makes of a template, the file left aside.
    fn applied(&self, before: &Template) -> Result<Template> {
        let mut template = before.clone();
        if let Some(title) = &self.title {
            if title.trim().is_empty() {
                let error = Error::new(ErrorCode::TitleAndFileRequired, "A template needs a title.");
                return Err(error.with_fields(["title"]));
            }
            template.title = checked_title(title)?;
        }
        if let Some(categories) = &self.categories {
            template.categories = category::parse_list(categories)?;
        }
        if let Some(language) = &self.language {
            template.language = checked_language(language)?;
        }
        if let Some(country) = &self.country {
            template.country = checked_country(country)?;
        }
        Ok(template)
    }

    /// The same edit of the same template has the same.
    fn fingerprint(&self, id: &str) -> String {
        let file = self.docx.as_deref().map(content_hash);
        let parts = [&self.title, &self.categories, &self.language, &self.country, &file];
        content_hash(format!("edit {id} {:?} {parts:?}", self.revision).as_bytes())
    }
}

impl Publisher<'_> {
    /// Changes a template, in the name of the account `admin`. With `key`, his Idempotency-Key, a second time answers as the first.
    ///
    /// # Errors
    /// `document_not_found`; `template_changed` where it is of another revision than was edited, or another edit was quicker; those of
    /// publishing.
    pub async fn edit(&self, id: &str, edit: Edit, admin: &str, key: Option<String>) -> Result<Published> {
        let content_hash = edit.fingerprint(id);
        let key = key.map(|key| PublishKey { who: admin.to_owned(), key, content_hash });
        if let Some(done) = self.done_under(key.as_ref()).await? {
            return Ok(done);
        }
        let before = self.templates.row(id).await?.ok_or_else(document_not_found)?;
        if edit.revision.is_some_and(|revision| revision != before.revision) {
            // The same request may have been quicker.
            return self.done_under(key.as_ref()).await?.ok_or_else(template_changed);
        }
        let mut template = edit.applied(&before)?;
        let now = self.clock.now();
        let mut findings = Vec::new();
        if let Some(docx) = edit.docx {
            checked_file(&docx)?;
            template.version = before.version.saturating_add(1);
            // A name of its own: of two edits at once neither writes over the other's files.
            template.files = new_id(self.clock, self.chance);
            findings = self.typeset(&mut template, Arc::new(docx), now).await?;
        }
        let changes = changes(&before, &template);
        if changes.is_empty() {
            return Ok(Published { template: before, findings });
        }
        template.revision = before.revision.saturating_add(1);
        template.updated_at = now;
        let (docx, pdf) = (template.docx_key(), template.pdf_key());
        let deed = Deed { by: Some(admin.to_owned()), what: What::Edited { changes } };
        let done = self.templates.change(&before, Published { template, findings }, key.as_ref(), &deed).await;
        let lost = match &done {
            // The same request was quicker, with files of its own.
            Ok(published) => published.template.docx_key() != docx,
            Err(error) => error.code == ErrorCode::TemplateChanged,
        };
        if lost && docx != before.docx_key() {
            // Nobody will ever ask for them; where they cannot be taken away they are merely unused.
            let _ = (self.files.remove(&docx).await, self.files.remove(&pdf).await);
        }
        done
    }

    async fn done_under(&self, key: Option<&PublishKey>) -> Result<Option<Published>> {
        match key {
            Some(key) => self.templates.published_under(key).await,
            None => Ok(None),
        }
    }
}

/// Takes a template out of the catalogue, or brings it back, in the name of the account `admin`. One that is so already stays as it is.
///
/// # Errors
/// `document_not_found`.
pub async fn set_status(
    templates: &dyn Templates,
    clock: &dyn Clock,
    id: &str,
    status: Status,
    admin: &str,
) -> Result<Template> {
    for _ in 0..TRIES {
        let before = templates.row(id).await?.ok_or_else(document_not_found)?;
        if before.status == status {
            return Ok(before);
        }
        let mut template = before.clone();
        template.status = status;
        template.revision = before.revision.saturating_add(1);
        template.updated_at = clock.now();
        let what = if status == Status::Active { What::Activated } else { What::Deactivated };
        let deed = Deed { by: Some(admin.to_owned()), what };
        match templates.change(&before, Published { template, findings: Vec::new() }, None, &deed).await {
            Ok(published) => return Ok(published.template),
            // An edit came between: its content stays, and this is done to it.
            Err(error) if error.code == ErrorCode::TemplateChanged => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::unavailable("a template was always changed meanwhile"))
}
