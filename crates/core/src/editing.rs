//! Changes of published templates: edit, deactivate, activate, restore a version, and changes of categories.
//!
//! A change is written only if the stored template has the revision that was read. If two changes are made at once, the second
//! fails and nothing is lost. An edit with a file creates a new version. Saved documents keep their version.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::audit_log::{AuditEvent, CategoryChange, ChangedPart, TemplateChange, TemplatePart, changed_parts};
use crate::catalogue::{PublishKey, Published, TemplateRows, Templates};
use crate::category::{Categories, Category};
use crate::clock::new_id;
use crate::files::content_hash;
use crate::publishing::{
    DeclaredFields, Publisher, checked_country, checked_file, checked_language, empty_template_options,
};
use crate::template::{Template, TemplateStatus, checked_title, document_not_found};
use crate::{Clock, Error, ErrorCode, Result, field_settings, keyword};
use waraq_rules::field_settings::{FieldSettings, TemplateFieldSettings, ValueKind};
use waraq_rules::{Structure, StructuredField};

/// Maximum number of attempts to write a template that other requests change at the same time.
const TRIES: u32 = 16;

/// An edit of a template. A value that is `None` stays unchanged. An empty text has the same effect as in an upload: it sets the
/// default value. Only the title cannot be empty.
#[derive(Debug, Clone, Default)]
pub struct Edit {
    /// The revision that the admin last saw. If the template has another revision now, the edit is refused. `None` skips this
    /// check.
    pub revision: Option<u32>,
    pub title: Option<String>,
    pub categories: Option<String>,
    pub keywords: Option<String>,
    pub language: Option<String>,
    pub country: Option<String>,
    /// The new file, which creates a new version. `None` keeps the file and the version.
    pub docx: Option<Vec<u8>>,
    /// Fields that the new file renames: name in the old file → name in the new file. If a saved document moves to the new version,
    /// it keeps the values of these fields.
    pub renamed: BTreeMap<String, String>,
    /// The settings of all fields. If there is a new file, these are the fields of the new file. Settings of fields that are not
    /// listed are removed. `None` keeps the settings.
    pub help: Option<Vec<FieldSettings>>,
}

/// Returns the error for a template that another request has changed in the meantime.
pub fn template_changed() -> Error {
    Error::new(ErrorCode::TemplateChanged, "Someone else has changed the template in the meantime.")
}

impl Edit {
    /// Returns the template with the new title, categories, keywords, language and country. The new file is not applied here.
    fn apply(&self, before: &Template, record: &Categories) -> Result<Template> {
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

    /// Returns a hash of the edit, by which a repeated request is recognized.
    fn fingerprint(&self, id: &str) -> String {
        let file = self.docx.as_deref().map(content_hash);
        let parts = [&self.title, &self.categories, &self.keywords, &self.language, &self.country, &file];
        let Self { revision, renamed, help, .. } = self;
        let text = serde_json::json!(["edit", id, revision, parts, renamed, help]).to_string();
        content_hash(text.as_bytes())
    }
}

impl Publisher<'_> {
    /// Edits a template on behalf of the account `admin`. `key` is the Idempotency-Key: a repeated request gets the first
    /// response.
    ///
    /// # Errors
    /// `document_not_found`; `template_changed` if the template has another revision than `edit.revision`, or if another edit was
    /// written first. The errors of publishing are also possible.
    pub async fn edit(&self, id: &str, edit: Edit, admin: &str, key: Option<String>) -> Result<Published> {
        let content_hash = edit.fingerprint(id);
        let key = key.map(|key| PublishKey { who: admin.to_owned(), key, content_hash });
        if let Some(done) = self.done_under(key.as_ref()).await? {
            return Ok(done);
        }
        let before = self.templates.template_without_uses(id).await?.ok_or_else(document_not_found)?;
        if edit.revision.is_some_and(|revision| revision != before.revision) {
            // An earlier attempt of the same request may have changed the template.
            return self.done_under(key.as_ref()).await?.ok_or_else(template_changed);
        }
        let mut template = edit.apply(&before, &self.templates.categories().await?)?;
        let now = self.clock.now();
        let mut findings = Vec::new();
        let known = stored_field_settings(self.templates, &before).await?;
        let mut help = known.clone();
        let has_file = edit.docx.is_some();
        if let Some(docx) = edit.docx {
            checked_file(&docx)?;
            template.version = before.version.saturating_add(1);
            // The file names are unique, so that two simultaneous edits do not overwrite each other's files.
            template.files = new_id(self.clock, self.random);
            template.pdf = String::new();
            let docx = Arc::new(docx);
            let declared = edit.help.clone().unwrap_or_else(|| renamed_settings(&known, &edit.renamed));
            let mut examined = self.check_and_render(&template, &docx, &declared, now).await?;
            check_renamed(&edit.renamed, &before.fields, &examined.fields)?;
            template.renamed = edit.renamed;
            self.declare_types(&mut examined, &template, &docx, &declared).await?;
            help = TemplateFieldSettings {
                overridden: known.overridden_for(&examined.structure, &template.renamed),
                detected: std::mem::take(&mut examined.detected),
            };
            if let Some(said) = edit.help {
                help.overridden = field_settings::checked_settings(said, &examined.structure, &help.detected)?;
            }
            findings = self.store_files(&mut template, docx, examined).await?;
        } else if !edit.renamed.is_empty() {
            return Err(invalid_rename("Fields are renamed by a new file."));
        } else {
            if let Some(said) = edit.help {
                let declared = self.declared_fields(&template, &said).await?;
                if declared.structure != before.structure() {
                    help.detected = declared.detected;
                }
                help.overridden = field_settings::checked_settings(said, &declared.structure, &help.detected)?;
                apply_types(&mut template, declared.structure);
            }
            if template.title != before.title || template.language != before.language {
                self.render_again(&mut template, now).await?;
            }
        }
        let mut changes = changed_parts(&before, &template);
        if !has_file {
            // A version that was made for other types of fields has no new file.
            changes.retain(|change| change.part != TemplatePart::File);
        }
        changes.extend(field_settings_change(&known, &help, &template));
        if changes.is_empty() {
            return Ok(Published { template: before, findings });
        }
        template.revision = before.revision.saturating_add(1);
        template.updated_at = now;
        let (docx, pdf) = (template.docx_key(), template.pdf_key());
        let deed = AuditEvent { by: Some(admin.to_owned()), what: TemplateChange::Edited { changes } };
        let kept = (help != known || template.version != before.version).then_some(&help);
        let done = self.templates.replace(&before, Published { template, findings }, kept, key.as_ref(), &deed).await;
        let lost = match &done {
            // Another attempt of the same request finished first, with files of its own.
            Ok(published) => published.template.pdf_key() != pdf,
            Err(error) => error.code == ErrorCode::TemplateChanged,
        };
        // The files of this attempt are not used. If deleting them fails, they only take up space.
        for (ours, known) in [(docx, before.docx_key()), (pdf, before.pdf_key())] {
            if lost && ours != known {
                let _ = self.files.remove(&ours).await;
            }
        }
        done
    }

    /// Returns the fields of a published template with the types that `settings` declare.
    async fn declared_fields(&self, template: &Template, settings: &[FieldSettings]) -> Result<DeclaredFields> {
        let docx = self.files.get(&template.docx_key()).await?;
        let docx = docx.ok_or_else(|| Error::internal("a template without its file"))?;
        let options = empty_template_options(template, self.clock.now());
        self.engine.declared_fields(Arc::new(docx), settings, &options).await
    }

    async fn done_under(&self, key: Option<&PublishKey>) -> Result<Option<Published>> {
        match key {
            Some(key) => self.templates.published_under(key).await,
            None => Ok(None),
        }
    }
}

/// Restores an earlier version as a new version, on behalf of the account `admin`. The title, the other properties and the
/// field settings stay as they are, but the fields have the types of that version. Fields that were renamed after that version get
/// their old names back.
///
/// # Errors
/// `document_not_found` if the version does not exist; `template_changed` if the template has another revision.
pub async fn restore_version(
    templates: &dyn Templates,
    clock: &dyn Clock,
    id: &str,
    version: u32,
    revision: Option<u32>,
    admin: &str,
) -> Result<Template> {
    let before = templates.template_without_uses(id).await?.ok_or_else(document_not_found)?;
    if revision.is_some_and(|revision| revision != before.revision) {
        return Err(template_changed());
    }
    let all = templates.all_versions(id).await?;
    let earlier = all.iter().find(|known| known.version == version).ok_or_else(document_not_found)?;
    if version == before.version {
        return Ok(before);
    }
    let template = Template {
        version: before.version.saturating_add(1),
        revision: before.revision.saturating_add(1),
        // The new version uses the files of the earlier one. Stored files never change.
        files: earlier.files_name(),
        pdf: earlier.pdf.clone(),
        fields: earlier.fields.clone(),
        stored_structure: earlier.stored_structure.clone(),
        renamed: reverse_renames(&all, version, before.version),
        pages: earlier.pages,
        picture: earlier.picture.clone(),
        small_picture: earlier.small_picture.clone(),
        file_bytes: earlier.file_bytes,
        pdf_bytes: earlier.pdf_bytes,
        updated_at: clock.now(),
        ..before.clone()
    };
    let then = stored_field_settings(templates, earlier).await?;
    let structure = template.structure();
    let now = stored_field_settings(templates, &before).await?.overridden_for(&structure, &template.renamed);
    // A field that the current version does not have gets its settings from the earlier version.
    let overridden = restored_settings(now, &then.overridden, &structure.0);
    let mut help = TemplateFieldSettings { overridden, detected: then.detected };
    // Current and earlier settings together may contain derivations that depend on each other. If so, all derivations are
    // dropped.
    if waraq_rules::derivation::check_structure(&help.derivations(), &structure).is_err() {
        help.remove_derivations();
    }
    let what = TemplateChange::Restored { version: template.version, from: version };
    let deed = AuditEvent { by: Some(admin.to_owned()), what };
    let published = Published { template, findings: Vec::new() };
    Ok(templates.replace(&before, published, Some(&help), None, &deed).await?.template)
}

/// Returns the settings of restored fields or columns. A field that the current version does not have gets its settings from the
/// earlier version. The settings `then` declare the types in `fields`, so a kind with another type is replaced by the earlier kind.
fn restored_settings(
    now: Vec<FieldSettings>,
    then: &[FieldSettings],
    fields: &[StructuredField],
) -> Vec<FieldSettings> {
    let mut now: BTreeMap<String, FieldSettings> = now.into_iter().map(|help| (help.field.clone(), help)).collect();
    let declared = |kind: Option<ValueKind>| kind.unwrap_or_default().field_type();
    let restored = fields.iter().filter_map(|field| {
        let earlier = then.iter().find(|help| help.field == field.name);
        let Some(mut help) = now.remove(&field.name) else { return earlier.cloned() };
        let earlier_kind = earlier.and_then(|earlier| earlier.kind);
        if declared(help.kind) != declared(earlier_kind) {
            help.kind = earlier_kind;
        }
        let earlier_columns = earlier.and_then(|earlier| earlier.columns.as_deref()).unwrap_or_default();
        let columns = restored_settings(help.columns.unwrap_or_default(), earlier_columns, &field.columns);
        help.columns = Some(columns).filter(|columns| !columns.is_empty());
        Some(help).filter(|help| !help.is_empty())
    });
    restored.collect()
}

/// Gives the fields of a template new types. If a type changes, this makes a new version with the same files, so that the values
/// of saved documents fit their versions.
fn apply_types(template: &mut Template, structure: Structure) {
    if structure == template.structure() {
        return;
    }
    template.files = template.files_name();
    template.set_structure(structure);
    template.version = template.version.saturating_add(1);
    template.renamed = BTreeMap::new();
}

/// Returns the settings of an earlier version under the names that its fields have in the new version.
fn renamed_settings(known: &TemplateFieldSettings, renamed: &BTreeMap<String, String>) -> Vec<FieldSettings> {
    let settings = known.overridden.iter().cloned();
    settings
        .map(|settings| {
            let field = renamed.get(&settings.field).cloned();
            FieldSettings { field: field.unwrap_or_else(|| settings.field.clone()), ..settings }
        })
        .collect()
}

async fn stored_field_settings(templates: &dyn Templates, template: &Template) -> Result<TemplateFieldSettings> {
    let stored = templates.field_settings(&template.id, template.version).await?;
    Ok(field_settings::stored_or_detected(stored, template))
}

/// Maximum number of field names in one entry of the audit log.
const MAX_LOGGED_FIELDS: usize = 20;

/// Returns the change of field settings for the audit log, or `None` if no settings changed. Fields that were only renamed or
/// removed do not count.
fn field_settings_change(
    before: &TemplateFieldSettings,
    after: &TemplateFieldSettings,
    template: &Template,
) -> Option<ChangedPart> {
    let followed = TemplateFieldSettings {
        overridden: before.overridden_for(&template.structure(), &template.renamed),
        detected: Vec::new(),
    };
    let mut names = after.changed_fields(&followed);
    names.truncate(MAX_LOGGED_FIELDS);
    (!names.is_empty()).then(|| ChangedPart { part: TemplatePart::Fields, from: String::new(), to: names.join(", ") })
}

fn invalid_rename(message: &str) -> Error {
    Error::new(ErrorCode::InvalidBody, message).with_fields(["renamed"])
}

/// Checks the fields that a new file renames. Each old name must be a field of the old file only. Each new name must be a field
/// of the new file only, and must occur once.
fn check_renamed(renamed: &BTreeMap<String, String>, before: &[String], after: &[String]) -> Result<()> {
    let mut taken = BTreeSet::new();
    for (old, new) in renamed {
        if !before.contains(old) || after.contains(old) {
            return Err(invalid_rename("A field that is renamed was there, and is no more."));
        }
        if !after.contains(new) || before.contains(new) || !taken.insert(new) {
            return Err(invalid_rename("A field is renamed to one that is new, each to its own."));
        }
    }
    Ok(())
}

/// Maps the names that fields have in the version `to` to their names in the earlier version `from`. `fields` are the names in
/// `from`. Fields that `to` does not have are left out. `versions` must contain every version of the template.
pub fn original_field_names(versions: &[Template], from: u32, to: u32, fields: &[String]) -> BTreeMap<String, String> {
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

/// Returns the fields whose name in the version `to` differs from their name in the earlier version `from`. The map has the name in
/// `to` → the name in `from`.
fn reverse_renames(versions: &[Template], from: u32, to: u32) -> BTreeMap<String, String> {
    let fields = versions.iter().find(|known| known.version == from).map(|known| known.fields.clone());
    let followed = original_field_names(versions, from, to, &fields.unwrap_or_default());
    followed.into_iter().filter(|(now, old)| now != old).collect()
}

/// Deactivates or activates a template, on behalf of the account `admin`. Succeeds if the template already has the status.
///
/// # Errors
/// `document_not_found`.
pub async fn set_status(
    templates: &dyn Templates,
    clock: &dyn Clock,
    id: &str,
    status: TemplateStatus,
    admin: &str,
) -> Result<Template> {
    for _ in 0..TRIES {
        let before = templates.template_without_uses(id).await?.ok_or_else(document_not_found)?;
        if before.status == status {
            return Ok(before);
        }
        let mut template = before.clone();
        template.status = status;
        template.revision = before.revision.saturating_add(1);
        template.updated_at = clock.now();
        let what =
            if status == TemplateStatus::Active { TemplateChange::Activated } else { TemplateChange::Deactivated };
        let deed = AuditEvent { by: Some(admin.to_owned()), what };
        match templates.replace(&before, Published { template, findings: Vec::new() }, None, None, &deed).await {
            Ok(published) => return Ok(published.template),
            // Another edit was written first, so this loop reads the template again.
            Err(error) if error.code == ErrorCode::TemplateChanged => {}
            Err(error) => return Err(error),
        }
    }
    Err(Error::unavailable("a template was always changed meanwhile"))
}

/// Returns every category, including those that only inactive templates have.
fn all_categories(record: &Categories, rows: &TemplateRows) -> Vec<Category> {
    record.list(&rows.category_counts(None, None))
}

fn find_category(all: &[Category], name: &str) -> Result<Category> {
    let found = all.iter().find(|category| category.name == name).cloned();
    found.ok_or_else(|| Error::new(ErrorCode::CategoryNotFound, "Category not found."))
}

/// Sets the displayed names of a category, on behalf of the account `admin`. See [`Categories::rename`].
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
        let category = find_category(all, name)?;
        let from = category.names.into_iter().map(|(code, name)| (code.to_owned(), name)).collect();
        record.rename(name, names, all)?;
        let to = record.display_names(name);
        Ok((from != to).then(|| CategoryChange::Renamed { name: name.to_owned(), from, to }))
    })
    .await
}

/// Merges the category `name` into the category `into`, on behalf of the account `admin`.
///
/// # Errors
/// `category_not_found`, `invalid_category`.
pub async fn merge_categories(templates: &dyn Templates, name: &str, into: &str, admin: &str) -> Result<()> {
    change_categories(templates, admin, |record, all| {
        record.merge(&find_category(all, name)?, &find_category(all, into)?)?;
        Ok(Some(CategoryChange::Merged { name: name.to_owned(), into: into.to_owned() }))
    })
    .await
}

/// Separates a merged category again, on behalf of the account `admin`.
///
/// # Errors
/// `category_not_found` if the category is not merged; `category_name_taken` if a name of the separated category now belongs to
/// another category.
pub async fn separate_category(templates: &dyn Templates, name: &str, admin: &str) -> Result<()> {
    change_categories(templates, admin, |record, all| {
        let from = record.separate(name, all)?;
        Ok(Some(CategoryChange::Separated { name: name.to_owned(), from }))
    })
    .await
}

/// Applies `change` to the category record and writes it, with retries after write conflicts. `change` returns the audit event,
/// or `None` if nothing has to be written.
async fn change_categories(
    templates: &dyn Templates,
    admin: &str,
    change: impl Fn(&mut Categories, &[Category]) -> Result<Option<CategoryChange>>,
) -> Result<()> {
    for _ in 0..TRIES {
        let mut record = templates.categories().await?;
        let all = all_categories(&record, &*templates.rows().await?);
        let Some(what) = change(&mut record, &all)? else { return Ok(()) };
        record.revision = record.revision.saturating_add(1);
        if templates.write_categories(&record, &AuditEvent { by: Some(admin.to_owned()), what }).await? {
            return Ok(());
        }
    }
    Err(Error::unavailable("categories were always changed meanwhile"))
}
