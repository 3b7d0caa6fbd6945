//! Private templates in the table. See [`waraq_core::private_templates`] for their life cycle.
//!
//! All items of an account's templates are in one partition, and the rows have neighbouring sort keys, so that one query reads the
//! list. The items are not in the index, and their writes are not in the log.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::Update;
use waraq_core::audit_log::{AuditEvent, CategoryChange};
use waraq_core::catalogue::{PublishKey, TemplateRows, Templates};
use waraq_core::category::Categories;
use waraq_core::editing::template_changed;
use waraq_core::field_settings::TemplateFieldSettings;
use waraq_core::private_templates::{MOST_PRIVATE_TEMPLATES, PrivateTemplates, is_private_id, too_many_templates};
use waraq_core::publishing::Published;
use waraq_core::template::Template;
use waraq_core::token::session_ended;
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{Item, get_number, get_text, n, parse_data, s};
use crate::fault::unavailable;
use crate::items::{
    self, PRIVATE_ROWS, PRIVATE_USES, private_help_key, private_partition, private_range, private_template_key,
    private_uses_key, private_version_key, profile_key, sortable_time, template_of_private_uses, user_kind,
    version_of_help,
};
use crate::table::{ConditionalWrite, Table, TransactionOutcome};
use crate::templates::{response_write, saved_response};

/// The reason why a private template is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PrivateTemplateRefusal {
    /// The account no longer exists, or it has the maximum number of private templates.
    Account,
    /// The template has changed since it was read.
    Changed,
    /// A record with the same Idempotency-Key exists.
    KeyUsed,
}

#[async_trait]
impl PrivateTemplates for Table {
    async fn private_templates(&self, owner: &str) -> Result<Vec<(Template, u64)>> {
        let partition = private_partition(owner);
        let (rows, counters) = tokio::try_join!(
            self.query_range(&partition, PRIVATE_ROWS.0, PRIVATE_ROWS.1),
            self.query_range(&partition, PRIVATE_USES.0, PRIVATE_USES.1),
        )?;
        let count = |item: &Item| Some((template_of_private_uses(get_text(item, "sk")?)?.to_owned(), uses(Some(item))));
        let counts: HashMap<String, u64> = counters.iter().filter_map(count).collect();
        let with_uses = |item: &Item| {
            let template: Template = parse_data(item)?;
            let uses = counts.get(&template.id).copied().unwrap_or(0);
            Ok((template, uses))
        };
        // Ids start with the time of creation.
        rows.iter().rev().map(with_uses).collect()
    }

    async fn field_settings_of(&self, template: &Template) -> Result<Option<TemplateFieldSettings>> {
        let item = self.get(private_help_key(owner_of(template)?, &template.id, template.version)).await?;
        item.as_ref().map(parse_data).transpose()
    }

    async fn announce_template(&self, owner: &str, id: &str, until: Timestamp) -> Result<()> {
        let announcement = items::template_announcement(owner, id, until);
        let put = self.client().put_item().table_name(self.name()).set_item(Some(announcement));
        put.send().await.map(|_| ()).map_err(unavailable)
    }

    async fn delete_template(&self, template: &Template, now: Timestamp, announced_until: Timestamp) -> Result<bool> {
        let owner = owner_of(template)?;
        let row = self
            .delete(private_template_key(owner, &template.id))
            .condition_expression("revision = :known")
            .expression_attribute_values(":known", n(template.revision));
        let announcement = items::template_announcement(owner, &template.id, announced_until);
        let writes = vec![
            ConditionalWrite::delete(row, Some(PrivateTemplateRefusal::Changed))?,
            ConditionalWrite::put(self.put(announcement), None)?,
            self.count_templates(owner, -1, now)?,
        ];
        match self.transact(writes).await? {
            TransactionOutcome::Done => Ok(true),
            TransactionOutcome::Refused(refused) if refused.contains(&PrivateTemplateRefusal::Account) => {
                Err(session_ended())
            }
            TransactionOutcome::Refused(_) => Ok(false),
        }
    }

    async fn delete_leftovers(&self, owner: &str, id: &str) -> Result<Option<Vec<Template>>> {
        if self.get(private_template_key(owner, id)).await?.is_some() {
            return Ok(None);
        }
        let partition = private_partition(owner);
        let [versions, help] = ["V", "HELP"].map(|kind| private_range(kind, id));
        let (versions, help) = tokio::try_join!(
            self.query_range(&partition, &versions.0, &versions.1),
            self.query_range(&partition, &help.0, &help.1),
        )?;
        let templates = versions.iter().map(parse_data).collect::<Result<_>>()?;
        let key_of = |item: &Item| ["pk", "sk"].map(|name| Some((name.to_owned(), item.get(name)?.clone())));
        let keys = help.iter().chain(&versions).map(|item| key_of(item).into_iter().flatten().collect());
        // The versions are deleted last, because they name the pictures.
        for key in std::iter::once(private_uses_key(owner, id)).chain(keys) {
            self.delete_item(key).await?;
        }
        Ok(Some(templates))
    }
}

impl Table {
    /// Returns the write that adds `more`, which may be negative, to the number of an account's private templates. It is refused
    /// if the account does not exist or if the number would exceed the limit. It also moves the row in the index, so that lists of
    /// users find the new number.
    fn count_templates(
        &self,
        owner: &str,
        more: i8,
        at: Timestamp,
    ) -> Result<ConditionalWrite<PrivateTemplateRefusal>> {
        let room =
            if more > 0 { " AND (attribute_not_exists(private_templates) OR private_templates < :most)" } else { "" };
        let mut update = Update::builder()
            .table_name(self.name())
            .set_key(Some(profile_key(owner)))
            .update_expression("ADD private_templates :more SET kind = :kind, kind_order = :at")
            .condition_expression(format!("attribute_exists(pk){room}"))
            .expression_attribute_values(":more", n(more))
            .expression_attribute_values(":kind", s(user_kind(owner)))
            .expression_attribute_values(":at", s(sortable_time(at)));
        if more > 0 {
            update = update.expression_attribute_values(":most", n(MOST_PRIVATE_TEMPLATES));
        }
        ConditionalWrite::update(update, Some(PrivateTemplateRefusal::Account))
    }
}

/// Returns the number of uses in an item with such a counter.
fn uses(counter: Option<&Item>) -> u64 {
    counter.and_then(|counter| get_number(counter, "uses")).unwrap_or(0)
}

fn owner_of(template: &Template) -> Result<&str> {
    template.owner.as_deref().ok_or_else(|| Error::internal("a private template without an owner"))
}

/// The private templates of one account. An id in another form than that of a private template is the id of no template.
pub struct PrivateTemplateStore {
    table: Table,
    owner: String,
}

impl PrivateTemplateStore {
    pub(crate) fn new(table: Table, owner: String) -> Self {
        Self { table, owner }
    }

    /// The id of the account.
    pub fn owner(&self) -> &str {
        &self.owner
    }

    /// Executes `writes` in one transaction with the idempotency record. Returns `published`, or the earlier response if
    /// the same request was executed before.
    async fn write(
        &self,
        mut writes: Vec<ConditionalWrite<PrivateTemplateRefusal>>,
        published: Published,
        key: Option<&PublishKey>,
    ) -> Result<Published> {
        if let Some(key) = key {
            writes.push(response_write(&self.table, &published, key, PrivateTemplateRefusal::KeyUsed)?);
        }
        let TransactionOutcome::Refused(refused) = self.table.transact(writes).await? else { return Ok(published) };
        if refused.contains(&PrivateTemplateRefusal::KeyUsed)
            && let Some(key) = key
            && let Some(before) = self.published_under(key).await?
        {
            return Ok(before);
        }
        if refused.contains(&PrivateTemplateRefusal::Account) {
            // The account may have been deleted while its template was rendered.
            let there = self.table.get(profile_key(&self.owner)).await?.is_some();
            return Err(if there { too_many_templates() } else { session_ended() });
        }
        if refused.contains(&PrivateTemplateRefusal::Changed) {
            return Err(template_changed());
        }
        Err(Error::unavailable("a private template was refused without a reason"))
    }
}

#[async_trait]
impl Templates for PrivateTemplateStore {
    /// Returns an empty list, because lists are those of the catalogue. [`PrivateTemplates`] lists private templates.
    async fn rows(&self) -> Result<Arc<TemplateRows>> {
        Ok(Arc::default())
    }

    async fn template(&self, id: &str) -> Result<Option<(Template, u64)>> {
        let Some(template) = self.template_without_uses(id).await? else { return Ok(None) };
        let counter = self.table.get(private_uses_key(&self.owner, id)).await?;
        Ok(Some((template, uses(counter.as_ref()))))
    }

    async fn template_without_uses(&self, id: &str) -> Result<Option<Template>> {
        if !is_private_id(id) {
            return Ok(None);
        }
        self.table.get(private_template_key(&self.owner, id)).await?.as_ref().map(parse_data).transpose()
    }

    async fn versions(&self, wanted: &[(&str, u32)]) -> Result<Vec<Option<Arc<Template>>>> {
        let mut missing: Vec<(&str, u32)> = wanted.iter().filter(|(id, _)| is_private_id(id)).copied().collect();
        missing.sort_unstable();
        missing.dedup();
        let mut read = HashMap::new();
        if !missing.is_empty() {
            let keys = missing.iter().map(|(id, version)| private_version_key(&self.owner, id, *version)).collect();
            for item in self.table.get_all(keys).await? {
                let template: Template = parse_data(&item)?;
                read.insert((template.id.clone(), template.version), Arc::new(template));
            }
        }
        Ok(wanted.iter().map(|(id, version)| read.get(&((*id).to_owned(), *version)).cloned()).collect())
    }

    async fn all_versions(&self, id: &str) -> Result<Vec<Template>> {
        let (from, to) = private_range("V", id);
        let items = self.table.query_range(&private_partition(&self.owner), &from, &to).await?;
        items.iter().map(parse_data).collect()
    }

    async fn field_settings(&self, id: &str, version: u32) -> Result<Option<TemplateFieldSettings>> {
        let item = self.table.get(private_help_key(&self.owner, id, version)).await?;
        item.as_ref().map(parse_data).transpose()
    }

    async fn all_field_settings(&self, id: &str) -> Result<BTreeMap<u32, TemplateFieldSettings>> {
        let (from, to) = private_range("HELP", id);
        let mut all = BTreeMap::new();
        for item in self.table.query_range(&private_partition(&self.owner), &from, &to).await? {
            if let Some(version) = get_text(&item, "sk").and_then(version_of_help) {
                all.insert(version, parse_data(&item)?);
            }
        }
        Ok(all)
    }

    /// Returns an empty record, because private templates have no categories.
    async fn categories(&self) -> Result<Categories> {
        Ok(Categories::default())
    }

    async fn write_categories(&self, _: &Categories, _: &AuditEvent<CategoryChange>) -> Result<bool> {
        Err(Error::internal("private templates have no categories"))
    }

    /// Adds a template and counts it, if the account has fewer than [`MOST_PRIVATE_TEMPLATES`].
    async fn insert(
        &self,
        published: Published,
        help: &TemplateFieldSettings,
        key: Option<&PublishKey>,
        _: &AuditEvent,
    ) -> Result<Published> {
        let (template, owner) = (&published.template, self.owner.as_str());
        let writes = vec![
            self.table.put_new(items::private_template_row(owner, template)?, PrivateTemplateRefusal::Changed)?,
            ConditionalWrite::put(self.table.put(items::private_template_version(owner, template)?), None)?,
            ConditionalWrite::put(self.table.put(items::private_template_help(owner, template, help)?), None)?,
            self.table.count_templates(owner, 1, template.updated_at)?,
        ];
        self.write(writes, published, key).await
    }

    async fn replace(
        &self,
        before: &Template,
        published: Published,
        help: Option<&TemplateFieldSettings>,
        key: Option<&PublishKey>,
        _: &AuditEvent,
    ) -> Result<Published> {
        let (template, owner) = (&published.template, self.owner.as_str());
        let row = self
            .table
            .put(items::private_template_row(owner, template)?)
            .condition_expression("revision = :known")
            .expression_attribute_values(":known", n(before.revision));
        let mut writes = vec![ConditionalWrite::put(row, Some(PrivateTemplateRefusal::Changed))?];
        // These writes need no condition: if the condition on the row does not hold, the whole transaction is refused.
        if template.version != before.version {
            writes
                .push(ConditionalWrite::put(self.table.put(items::private_template_version(owner, template)?), None)?);
        }
        if let Some(help) = help {
            writes.push(ConditionalWrite::put(
                self.table.put(items::private_template_help(owner, template, help)?),
                None,
            )?);
        }
        self.write(writes, published, key).await
    }

    async fn published_under(&self, key: &PublishKey) -> Result<Option<Published>> {
        saved_response(&self.table, key).await
    }
}
