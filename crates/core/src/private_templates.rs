//! Private templates: templates that belong to one account. Only this account can list, change and fill them.
//!
//! A private template is a [`Template`] with an owner. Publishing, editing and filling are the same as in the catalogue, but the
//! records are in a partition of the owner, and the files are under a key prefix of the owner. So a private template is never in
//! the change log, the lists, the searches and the analytics of the catalogue.
//!
//! The files and the old versions of a template are deleted later than its row, because requests in progress may still read them.
//! An *announcement* lists them: a record that expires. It is written before the files of a new template, and in the transaction
//! that deletes the row. When it expires, [`end_announcement`] deletes what no row needs.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use serde_json::json;
use waraq_rules::field_settings::TemplateFieldSettings;

use crate::audit_log::{AuditEvent, CategoryChange, TemplateChange};
use crate::catalogue::{PublishKey, Published, TemplateRows, Templates};
use crate::category::Categories;
use crate::clock::new_id;
use crate::files::{Files, content_hash, media_key, private_template_prefix, template_picture_name};
use crate::publishing::DOCX;
use crate::saved::UNREFERENCED_LIFE_SECONDS;
use crate::template::{Picture, Template, checked_title, document_not_found};
use crate::{Clock, Error, ErrorCode, RandomSource, Result, Timestamp, files};

/// Maximum number of private templates of one account.
pub const MOST_PRIVATE_TEMPLATES: u64 = 50;

/// The start of the id of every private template. Ids in the catalogue do not start with it.
const ID_PREFIX: &str = "my-";

/// Returns a new id for a private template.
pub fn new_private_id(clock: &dyn Clock, random: &dyn RandomSource) -> String {
    format!("{ID_PREFIX}{}", new_id(clock, random))
}

/// Returns whether an id has the form of the ids of private templates.
pub fn is_private_id(id: &str) -> bool {
    let rest = id.strip_prefix(ID_PREFIX).unwrap_or_default();
    rest.len() == 26 && rest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'z'))
}

/// Returns the error for an account that already has [`MOST_PRIVATE_TEMPLATES`] templates.
pub fn too_many_templates() -> Error {
    let message = format!("An account can have at most {MOST_PRIVATE_TEMPLATES} templates. Please delete some first.");
    Error::new(ErrorCode::TooManyTemplates, message).with_limit(MOST_PRIVATE_TEMPLATES)
}

/// The store of the private templates of all accounts. All reads are consistent. Single templates are read and written through
/// an implementation of [`Templates`] for one account.
#[async_trait]
pub trait PrivateTemplates: Send + Sync {
    /// Returns all private templates of an account with their numbers of uses, newest first.
    async fn private_templates(&self, owner: &str) -> Result<Vec<(Template, u64)>>;

    /// Returns the stored field settings of a template's newest version.
    async fn field_settings_of(&self, template: &Template) -> Result<Option<TemplateFieldSettings>>;

    /// Writes an announcement: a record which says that a template may be left without a row. It expires at `until`.
    async fn announce_template(&self, owner: &str, id: &str, until: Timestamp) -> Result<()>;

    /// Deletes the row of a template and writes an announcement in the same transaction, if the template has not changed since it
    /// was read. If it has changed, does nothing and returns false.
    async fn delete_template(&self, template: &Template, now: Timestamp, announced_until: Timestamp) -> Result<bool>;

    /// Deletes the versions, the field settings and the number of uses of a template whose row does not exist any more. Returns
    /// the versions, or `None` if the row exists; then nothing is deleted.
    async fn delete_leftovers(&self, owner: &str, id: &str) -> Result<Option<Vec<Template>>>;
}

/// The account for which a [`crate::publishing::Publisher`] publishes private templates.
#[derive(Clone, Copy)]
pub struct PrivateOwner<'a> {
    /// The id of the account.
    pub id: &'a str,
    pub store: &'a dyn PrivateTemplates,
}

impl PrivateOwner<'_> {
    /// Checks that the account can have one more template. The check is repeated when the template is written.
    ///
    /// # Errors
    /// `too_many_templates`.
    pub(crate) async fn check_room(&self) -> Result<()> {
        let count = self.store.private_templates(self.id).await?.len() as u64;
        if count < MOST_PRIVATE_TEMPLATES { Ok(()) } else { Err(too_many_templates()) }
    }

    /// Announces a template whose files are about to be written.
    pub(crate) async fn announce(&self, id: &str, now: Timestamp) -> Result<()> {
        self.store.announce_template(self.id, id, now.plus_seconds(UNREFERENCED_LIFE_SECONDS)).await
    }
}

/// Maximum number of attempts to delete a template that other requests change at the same time.
const TRIES: u32 = 16;

/// The service that copies private templates. Its fields are its dependencies, such as stores and the clock.
pub struct Copier<'a> {
    /// The private templates of the account.
    pub templates: &'a dyn Templates,
    pub owner: PrivateOwner<'a>,
    pub files: &'a dyn Files,
    pub clock: &'a dyn Clock,
    pub random: &'a dyn RandomSource,
}

impl Copier<'_> {
    /// Copies a private template of the same account: its newest version, with its field settings. `title` is the title of the
    /// copy. `None` keeps the title. `key` is the Idempotency-Key: a repeated request gets the first response.
    ///
    /// # Errors
    /// `document_not_found`, `too_many_templates`, `title_too_long`, `invalid_title`.
    pub async fn duplicate(&self, id: &str, title: Option<&str>, key: Option<String>) -> Result<Published> {
        let owner = self.owner;
        let title = title.filter(|title| !title.trim().is_empty()).map(checked_title).transpose()?;
        let content_hash = content_hash(json!(["duplicate template", id, title]).to_string().as_bytes());
        let key = key.map(|key| PublishKey { who: owner.id.to_owned(), key, content_hash });
        if let Some(key) = &key
            && let Some(done) = self.templates.published_under(key).await?
        {
            return Ok(done);
        }
        let original = self.templates.template_without_uses(id).await?.ok_or_else(document_not_found)?;
        owner.check_room().await?;
        let help = self.templates.field_settings(id, original.version).await?.unwrap_or_default();
        let now = self.clock.now();
        let mut copy = Template {
            id: new_private_id(self.clock, self.random),
            title: title.unwrap_or_else(|| original.title.clone()),
            version: 1,
            revision: 0,
            files: String::new(),
            pdf: String::new(),
            renamed: BTreeMap::new(),
            created_at: now,
            updated_at: now,
            ..original.clone()
        };
        owner.announce(&copy.id, now).await?;
        self.copy_file(&original.docx_key(), &copy.docx_key(), DOCX).await?;
        self.copy_file(&original.pdf_key(), &copy.pdf_key(), "application/pdf").await?;
        copy.picture = self.copy_picture(original.picture.as_ref(), &copy).await?;
        copy.small_picture = self.copy_picture(original.small_picture.as_ref(), &copy).await?;
        let what = TemplateChange::Published { title: copy.title.clone() };
        let event = AuditEvent { by: Some(owner.id.to_owned()), what };
        let published = Published { template: copy, findings: Vec::new() };
        self.templates.insert(published, &help, key.as_ref(), &event).await
    }

    async fn copy_file(&self, from: &str, to: &str, content_type: &'static str) -> Result<()> {
        let bytes = self.files.get(from).await?.ok_or_else(|| Error::internal(format!("{from} is not kept")))?;
        self.files.put(to, content_type, bytes).await
    }

    async fn copy_picture(&self, picture: Option<&Picture>, to: &Template) -> Result<Option<Picture>> {
        let Some(picture) = picture else { return Ok(None) };
        let Some(bytes) = self.files.get(&media_key(&picture.hash)).await? else { return Ok(None) };
        let hash = template_picture_name(to, &bytes);
        self.files.put(&media_key(&hash), files::picture_type(&bytes), bytes).await?;
        Ok(Some(Picture { hash, ..*picture }))
    }
}

/// Deletes a private template. `templates` are the templates of the account `owner`. Saved documents that were made from the
/// template stay.
///
/// # Errors
/// `document_not_found`.
pub async fn delete(templates: &dyn Templates, owner: PrivateOwner<'_>, clock: &dyn Clock, id: &str) -> Result<()> {
    for _ in 0..TRIES {
        let template = templates.template_without_uses(id).await?.ok_or_else(document_not_found)?;
        let now = clock.now();
        let until = now.plus_seconds(UNREFERENCED_LIFE_SECONDS);
        if owner.store.delete_template(&template, now, until).await? {
            return Ok(());
        }
    }
    Err(Error::unavailable("a template was always changed meanwhile"))
}

/// Handles an announcement that has expired. Deletes the versions and files of the template, unless its row exists. Repeated calls
/// do no harm. Returns whether files were deleted.
pub async fn end_announcement(store: &dyn PrivateTemplates, files: &dyn Files, owner: &str, id: &str) -> Result<bool> {
    let Some(versions) = store.delete_leftovers(owner, id).await? else { return Ok(false) };
    for picture in versions.into_iter().flat_map(|version| [version.picture, version.small_picture]).flatten() {
        files.remove(&media_key(&picture.hash)).await?;
    }
    files.remove_all(&private_template_prefix(owner, id)).await?;
    Ok(true)
}

/// The templates from which one account can have saved documents: those of the catalogue and the private ones of the account. The
/// form of an id tells where a template is.
pub struct TemplatesOfAccount<'a> {
    pub catalogue: &'a dyn Templates,
    /// The private templates of the account.
    pub private: &'a dyn Templates,
}

impl TemplatesOfAccount<'_> {
    fn of(&self, id: &str) -> &dyn Templates {
        if is_private_id(id) { self.private } else { self.catalogue }
    }
}

#[async_trait]
impl Templates for TemplatesOfAccount<'_> {
    async fn rows(&self) -> Result<Arc<TemplateRows>> {
        self.catalogue.rows().await
    }

    async fn template(&self, id: &str) -> Result<Option<(Template, u64)>> {
        self.of(id).template(id).await
    }

    async fn template_without_uses(&self, id: &str) -> Result<Option<Template>> {
        self.of(id).template_without_uses(id).await
    }

    async fn versions(&self, wanted: &[(&str, u32)]) -> Result<Vec<Option<Arc<Template>>>> {
        let (private, public): (Vec<_>, Vec<_>) = wanted.iter().copied().partition(|(id, _)| is_private_id(id));
        let mut private = self.private.versions(&private).await?.into_iter();
        let mut public = self.catalogue.versions(&public).await?.into_iter();
        let next = |(id, _): &(&str, u32)| if is_private_id(id) { private.next() } else { public.next() }.flatten();
        Ok(wanted.iter().map(next).collect())
    }

    async fn all_versions(&self, id: &str) -> Result<Vec<Template>> {
        self.of(id).all_versions(id).await
    }

    async fn field_settings(&self, id: &str, version: u32) -> Result<Option<TemplateFieldSettings>> {
        self.of(id).field_settings(id, version).await
    }

    async fn all_field_settings(&self, id: &str) -> Result<BTreeMap<u32, TemplateFieldSettings>> {
        self.of(id).all_field_settings(id).await
    }

    async fn categories(&self) -> Result<Categories> {
        self.catalogue.categories().await
    }

    async fn write_categories(&self, categories: &Categories, event: &AuditEvent<CategoryChange>) -> Result<bool> {
        self.catalogue.write_categories(categories, event).await
    }

    async fn insert(
        &self,
        published: Published,
        help: &TemplateFieldSettings,
        key: Option<&PublishKey>,
        event: &AuditEvent,
    ) -> Result<Published> {
        self.of(&published.template.id).insert(published, help, key, event).await
    }

    async fn replace(
        &self,
        before: &Template,
        published: Published,
        help: Option<&TemplateFieldSettings>,
        key: Option<&PublishKey>,
        event: &AuditEvent,
    ) -> Result<Published> {
        self.of(&before.id).replace(before, published, help, key, event).await
    }

    async fn published_under(&self, key: &PublishKey) -> Result<Option<Published>> {
        self.private.published_under(key).await
    }
}

#[cfg(test)]
mod tests {
    use super::is_private_id;

    #[test]
    fn only_ids_of_private_templates_have_their_form() {
        assert!(is_private_id("my-01kc4n0000000000000000000b"));
        for other in ["", "my-", "my-lease", "01kc4n0000000000000000000b", "my-01kc4n000000000000000000#b"] {
            assert!(!is_private_id(other), "{other}");
        }
    }
}
