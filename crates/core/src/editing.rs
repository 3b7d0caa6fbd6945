//! A template of the catalogue is changed: by an edit, taken out, brought back.
//!
//! Every change is written on the condition that the template is of the revision that was read, so that of two at once the second is told
//! and nothing is lost. An edit with a file makes a new version; documents that were saved keep theirs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::catalogue::{PublishKey, Published, Rows, Templates};
use crate::category::{Categories, Category};
use crate::clock::new_id;
use crate::files::content_hash;
use crate::history::{CategoryWhat, Change, Deed, Part, What, changes};
use crate::publishing::{Publisher, checked_country, checked_file, checked_language};
use crate::template::{Status, Template, checked_title, document_not_found};
use crate::{Clock, Error, ErrorCode, Result, field_help, keyword};
use waraq_rules::help::{FieldHelp, TemplateHelp};

/// Times a template that others change meanwhile is read again.
const TRIES: u32 = 16;

/// What an admin changes of a template; what is `None` stays. Empty texts mean the defaults, as in an upload.
#[derive(Debug, Clone, Default)]
pub struct Edit {
    /// The revision that was edited; `None`: whichever is found.
    pub revision: Option<u32>,
    pub title: Option<String>,
    pub categories: Option<String>,
    pub keywords: Option<String>,
    pub language: Option<String>,
    pub country: Option<String>,
    /// Makes a new version.
    pub docx: Option<Vec<u8>>,
    /// Fields that have another name in the new file: the old name, the new. Values of saved documents follow.
    pub renamed: BTreeMap<String, String>,
    /// All that is said of the fields, of a new file those of that; what is said of one that is not named is taken back.
    pub help: Option<Vec<FieldHelp>>,
}

/// Somebody else has changed the template.
pub fn template_changed() -> Error {
    Error::new(ErrorCode::TemplateChanged, "The template was changed by somebody else meanwhile.")
}

impl Edit {
    /// What it makes of a template, the file left aside.
    fn applied(&self, before: &Template, record: &Categories) -> Result<Template> {
        let mut template = before.clone();
        if let Some(title) = &self.title {
            if title.trim().is_empty() {
                let error = Error::new(ErrorCode::TitleAndFileRequired, "A template needs a title.");
                return Err(error.with_fields(["title"]));
            }
            template.title = checked_title(title)?;
        }
        if let Some(categories) = &self.categories {
            template.categories = record.parse_list(categories)?;
        }
        if let Some(keywords) = &self.keywords {
            template.keywords = keyword::parse_list(keywords)?;
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
        let parts = [&self.title, &self.categories, &self.keywords, &self.language, &self.country, &file];
        let Self { revision, renamed, help, .. } = self;
        content_hash(format!("edit {id} {revision:?} {parts:?} {renamed:?} {help:?}").as_bytes())
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
        let mut template = edit.applied(&before, &self.templates.categories().await?)?;
        let now = self.clock.now();
        let mut findings = Vec::new();
        let known = self.known_help(&before).await?;
        let mut help = known.clone();
        if let Some(docx) = edit.docx {
            checked_file(&docx)?;
            template.version = before.version.saturating_add(1);
            // A name of its own: of two edits at once neither writes over the other's files.
            template.files = new_id(self.clock, self.chance);
            template.pdf = String::new();
            let docx = Arc::new(docx);
            let mut examined = self.examined(&template, &docx, now).await?;
            check_renamed(&edit.renamed, &before.fields, &examined.fields)?;
            template.renamed = edit.renamed;
            let guessed = std::mem::take(&mut examined.guessed);
            help = TemplateHelp { said: known.said_of(&examined.fields, &template.renamed), guessed };
            if let Some(said) = edit.help {
                help.said = field_help::checked(said, &examined.fields, &help.guessed)?;
            }
            findings = self.keep(&mut template, docx, examined).await?;
        } else if !edit.renamed.is_empty() {
            return Err(wrongly_renamed("Fields are renamed by a new file."));
        } else {
            if let Some(said) = edit.help {
                help.said = field_help::checked(said, &before.fields, &help.guessed)?;
            }
            if template.title != before.title || template.language != before.language {
                self.set_again(&mut template, now).await?;
            }
        }
        let mut changes = changes(&before, &template);
        changes.extend(said_otherwise(&known, &help, &template));
        if changes.is_empty() {
            return Ok(Published { template: before, findings });
        }
        template.revision = before.revision.saturating_add(1);
        template.updated_at = now;
        let (docx, pdf) = (template.docx_key(), template.pdf_key());
        let deed = Deed { by: Some(admin.to_owned()), what: What::Edited { changes } };
        let kept = (help != known || template.version != before.version).then_some(&help);
        let done = self.templates.change(&before, Published { template, findings }, kept, key.as_ref(), &deed).await;
        let lost = match &done {
            // The same request was quicker, with files of its own.
            Ok(published) => published.template.pdf_key() != pdf,
            Err(error) => error.code == ErrorCode::TemplateChanged,
        };
        // Nobody will ever ask for them; where they cannot be taken away they are merely unused.
        for (ours, known) in [(docx, before.docx_key()), (pdf, before.pdf_key())] {
            if lost && ours != known {
                let _ = self.files.remove(&ours).await;
            }
        }
        done
    }

    /// Makes an earlier version the newest again, under a number of its own, in the name of the account `admin`. Title and settings stay
    /// as they are, and what is said of fields; fields that were renamed since get their old names back.
    ///
    /// # Errors
    /// `document_not_found` where there is no such version; `template_changed` where the template is of another revision.
    pub async fn restore(&self, id: &str, version: u32, revision: Option<u32>, admin: &str) -> Result<Template> {
        let before = self.templates.row(id).await?.ok_or_else(document_not_found)?;
        if revision.is_some_and(|revision| revision != before.revision) {
            return Err(template_changed());
        }
        let all = self.templates.all_versions(id).await?;
        let earlier = all.iter().find(|known| known.version == version).ok_or_else(document_not_found)?;
        if version == before.version {
            return Ok(before);
        }
        let template = Template {
            version: before.version.saturating_add(1),
            revision: before.revision.saturating_add(1),
            // The same files: bytes under a key never change.
            files: if earlier.files.is_empty() { earlier.version.to_string() } else { earlier.files.clone() },
            pdf: earlier.pdf.clone(),
            fields: earlier.fields.clone(),
            renamed: renamed_back(&all, version, before.version),
            pages: earlier.pages,
            picture: earlier.picture.clone(),
            small_picture: earlier.small_picture.clone(),
            file_bytes: earlier.file_bytes,
            pdf_bytes: earlier.pdf_bytes,
            updated_at: self.clock.now(),
            ..before.clone()
        };
        let then = self.known_help(earlier).await?;
        let now = self.known_help(&before).await?.said_of(&template.fields, &template.renamed);
        // Of fields that are there again, what was said when they were last there.
        let all = now.into_iter().chain(then.said).filter(|help| template.fields.contains(&help.field));
        let mut said: Vec<FieldHelp> = Vec::new();
        for help in all {
            if !said.iter().any(|known| known.field == help.field) {
                said.push(help);
            }
        }
        let mut help = TemplateHelp { said, guessed: then.guessed };
        // What is said now and what was said then may be made of each other.
        if waraq_rules::derivation::check(&help.derivations(), &template.fields).is_err() {
            help.said.iter_mut().for_each(|help| help.derivation = None);
        }
        let what = What::Restored { version: template.version, from: version };
        let deed = Deed { by: Some(admin.to_owned()), what };
        let published = Published { template, findings: Vec::new() };
        Ok(self.templates.change(&before, published, Some(&help), None, &deed).await?.template)
    }

    async fn known_help(&self, template: &Template) -> Result<TemplateHelp> {
        Ok(field_help::known(self.templates.help(&template.id, template.version).await?, template))
    }

    async fn done_under(&self, key: Option<&PublishKey>) -> Result<Option<Published>> {
        match key {
            Some(key) => self.templates.published_under(key).await,
            None => Ok(None),
        }
    }
}

/// Names that a history tells, at most.
const MOST_TOLD: usize = 20;

/// What is said of fields otherwise than before: of those that are called otherwise, or are there no more, only what was changed besides.
fn said_otherwise(before: &TemplateHelp, after: &TemplateHelp, template: &Template) -> Option<Change> {
    let followed = TemplateHelp { said: before.said_of(&template.fields, &template.renamed), guessed: Vec::new() };
    let mut names = after.said_otherwise(&followed);
    names.truncate(MOST_TOLD);
    (!names.is_empty()).then(|| Change { part: Part::Fields, from: String::new(), to: names.join(", ") })
}

fn wrongly_renamed(message: &str) -> Error {
    Error::new(ErrorCode::InvalidBody, message).with_fields(["renamed"])
}

/// A field is renamed from one that is gone to one that is new, and no two to the same.
fn check_renamed(renamed: &BTreeMap<String, String>, before: &[String], after: &[String]) -> Result<()> {
    let mut taken = BTreeSet::new();
    for (old, new) in renamed {
        if !before.contains(old) || after.contains(old) {
            return Err(wrongly_renamed("A field that is renamed was there, and is no more."));
        }
        if !after.contains(new) || before.contains(new) || !taken.insert(new) {
            return Err(wrongly_renamed("A field is renamed to one that is new, each to its own."));
        }
    }
    Ok(())
}

/// What became of each of `fields` of a version in a later one: by its name there, the name here; fields that are gone are left out.
/// `versions`: every one of the template's.
pub fn followed(versions: &[Template], from: u32, to: u32, fields: &[String]) -> BTreeMap<String, String> {
    let mut names: BTreeMap<String, String> = fields.iter().map(|name| (name.clone(), name.clone())).collect();
    for version in versions.iter().filter(|known| known.version > from && known.version <= to) {
        for now in names.values_mut() {
            if let Some(new) = version.renamed.get(now) {
                now.clone_from(new);
            }
        }
    }
    let last = versions.iter().find(|known| known.version == to);
    names.retain(|_, now| last.is_none_or(|last| last.fields.contains(now)));
    names.into_iter().map(|(old, now)| (now, old)).collect()
}

/// The names that fields of version `to` have in version `from`, which is earlier, where they are others.
fn renamed_back(versions: &[Template], from: u32, to: u32) -> BTreeMap<String, String> {
    let fields = versions.iter().find(|known| known.version == from).map(|known| known.fields.clone());
    let followed = followed(versions, from, to, &fields.unwrap_or_default());
    followed.into_iter().filter(|(now, old)| now != old).collect()
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
        match templates.change(&before, Published { template, findings: Vec::new() }, None, None, &deed).await {
            Ok(published) => return Ok(published.template),
            // An edit came between: its content stays, and this is done to it.
            Err(error) if error.code == ErrorCode::TemplateChanged => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::unavailable("a template was always changed meanwhile"))
}

/// Every category, with those that only templates out of the catalogue carry.
fn every(record: &Categories, rows: &Rows) -> Vec<Category> {
    record.list(&rows.carried(None))
}

fn found(all: &[Category], name: &str) -> Result<Category> {
    let found = all.iter().find(|category| category.name == name).cloned();
    found.ok_or_else(|| Error::new(ErrorCode::CategoryNotFound, "There is no such category."))
}

/// Gives a category names, by the codes of interface languages, as [`Categories::rename`] does, in the name of the account `admin`.
///
/// # Errors
/// `category_not_found`, `category_name_taken`, `invalid_category`.
pub async fn rename_category(
    templates: &dyn Templates,
    name: &str,
    names: &BTreeMap<String, String>,
    admin: &str,
) -> Result<()> {
    change_categories(templates, admin, |record, all| {
        let category = found(all, name)?;
        let from = category.names.into_iter().map(|(code, name)| (code.to_owned(), name)).collect();
        record.rename(name, names, all)?;
        let to = record.shown(name);
        Ok((from != to).then(|| CategoryWhat::Renamed { name: name.to_owned(), from, to }))
    })
    .await
}

/// Templates of one category count as those of another from now on, in the name of the account `admin`.
///
/// # Errors
/// `category_not_found`, `invalid_category`.
pub async fn merge_categories(templates: &dyn Templates, name: &str, into: &str, admin: &str) -> Result<()> {
    change_categories(templates, admin, |record, all| {
        record.merge(&found(all, name)?, &found(all, into)?)?;
        Ok(Some(CategoryWhat::Merged { name: name.to_owned(), into: into.to_owned() }))
    })
    .await
}

/// A category that was merged into another is one of its own again, in the name of the account `admin`.
///
/// # Errors
/// `category_not_found` where it is not merged into any; `category_name_taken` where another is called so by now.
pub async fn separate_category(templates: &dyn Templates, name: &str, admin: &str) -> Result<()> {
    change_categories(templates, admin, |record, all| {
        let from = record.separate(name, all)?;
        Ok(Some(CategoryWhat::Separated { name: name.to_owned(), from }))
    })
    .await
}

/// `change` says what it has done, or that there was nothing to do.
async fn change_categories(
    templates: &dyn Templates,
    admin: &str,
    change: impl Fn(&mut Categories, &[Category]) -> Result<Option<CategoryWhat>>,
) -> Result<()> {
    for _ in 0..TRIES {
        let mut record = templates.categories().await?;
        let all = every(&record, &*templates.rows().await?);
        let Some(what) = change(&mut record, &all)? else { return Ok(()) };
        record.revision = record.revision.saturating_add(1);
        if templates.keep_categories(&record, &Deed { by: Some(admin.to_owned()), what }).await? {
            return Ok(());
        }
    }
    Err(Error::unavailable("categories were always changed meanwhile"))
}
