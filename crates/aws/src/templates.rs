//! The DynamoDB implementation of [`Templates`] and [`AuditLog`].

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use waraq_core::audit_log::{AccountChange, AuditEvent, AuditLog, AuditLogEntry, CategoryChange};
use waraq_core::catalogue::{ListedTemplate, PreparedRow, PublishKey, TemplateRows, Templates, UnsortedRows};
use waraq_core::category::Categories;
use waraq_core::editing::template_changed;
use waraq_core::field_settings::TemplateFieldSettings;
use waraq_core::filling::key_reused;
use waraq_core::publishing::{Diagnostic, Published};
use waraq_core::template::Template;
use waraq_core::{Error, ErrorCode, Result};

use crate::attributes::{Item, get_number, get_text, n, parse_data};
use crate::idempotency::{put_record, record_of_key};
use crate::items::{
    CATEGORIES, SHARDS, TEMPLATE_AND_USES, TEMPLATE_HELP, TEMPLATE_VERSIONS, UNSHARDED_TEMPLATES, USE_COUNTERS, USES,
    categories, categories_key, idempotency_record, template_help, template_help_key, template_key, template_kind_of,
    template_of, template_partition, template_row, template_version, template_version_key, use_counter,
    use_counters_kind, uses_partition, version_of_help,
};
use crate::log::{self, LogConflict, NextLogEntry, RowKind, TEMPLATES, USERS};
use crate::snapshots::Snapshots;
use crate::system::back_off;
use crate::table::{ConditionalWrite, Table, TransactionOutcome};
use crate::warm::{ListKind, WarmList};

/// Maximum number of attempts to write a template. An attempt fails if another template is written at the same time.
const TRIES: u32 = 64;

/// Number of template versions that a process keeps in memory.
const MOST_VERSIONS: usize = 1_000;

/// The reason why a template is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TemplateRefusal {
    /// A template with this id exists.
    IdTaken,
    /// The template has been changed since the caller read it: its revision differs.
    Changed,
    /// A record with the same Idempotency-Key exists.
    KeyUsed,
    /// Another template was written at the same time, or the log already has an entry with the next number.
    Log(LogConflict),
}

/// Returns the log conflicts among the reasons for which a transaction was refused.
fn log_conflicts(refused: &[TemplateRefusal]) -> Vec<LogConflict> {
    let conflict = |refusal: &TemplateRefusal| match refusal {
        TemplateRefusal::Log(conflict) => Some(*conflict),
        _ => None,
    };
    refused.iter().filter_map(conflict).collect()
}

/// The saved response of a request that published a template.
#[derive(Serialize, Deserialize)]
struct SavedResponse {
    content_hash: String,
    template: Template,
    findings: Vec<Diagnostic>,
}

pub struct Catalogue {
    table: Table,
    warm: WarmList<TemplateList>,
    /// Versions by template id and number. They never change, so cached ones stay correct.
    versions: Mutex<HashMap<(String, u32), Arc<Template>>>,
}

impl Catalogue {
    pub fn new(table: Table, snapshots: Snapshots) -> Self {
        Self { warm: WarmList::new(table.clone(), snapshots), table, versions: Mutex::default() }
    }
}

/// The list of templates as a [`ListKind`]. The rows contain only the total number of uses, so this type keeps the use
/// counters: for each template id, the number of uses in each counter.
#[derive(Default)]
pub struct TemplateList {
    counters: HashMap<Box<str>, [u32; USE_COUNTERS as usize]>,
}

#[async_trait]
impl ListKind for TemplateList {
    type Rows = TemplateRows;
    type Loading = UnsortedRows;
    type ListedRow = ListedTemplate;
    type PreparedRow = PreparedRow;
    /// Template id, shard and number of uses.
    type Counter = (Box<str>, u8, u32);

    const KIND: RowKind = TEMPLATES;
    const MAX_INDEX_LAG: u64 = 1_000;
    const ATTRIBUTES: &'static [&'static str] = &["data"];
    const COUNTER_ATTRIBUTES: &'static [&'static str] = &["pk", "sk", "uses"];
    const COUNTERS_IN_ROWS: bool = false;

    fn key(id: &str) -> Item {
        if id == CATEGORIES { categories_key() } else { template_key(id) }
    }

    fn id(row: &Item) -> Option<&str> {
        let pk = get_text(row, "pk")?;
        if pk == CATEGORIES { Some(pk) } else { template_of(pk) }
    }

    fn kinds() -> Vec<String> {
        (0..SHARDS).map(template_kind_of).chain([UNSHARDED_TEMPLATES.to_owned()]).collect()
    }

    fn counter_kinds() -> Vec<String> {
        (0..SHARDS).map(use_counters_kind).collect()
    }

    fn parse_row(row: &Item) -> Result<ListedTemplate> {
        parse_data::<Template>(row).map(ListedTemplate::from)
    }

    fn parse_counter(counter: &Item) -> Result<Option<Self::Counter>> {
        let counts = get_text(counter, "pk").zip(get_text(counter, "sk")).and_then(|(pk, sk)| use_counter(pk, sk));
        let uses = get_number(counter, "uses").map(|uses| u32::try_from(uses).unwrap_or(u32::MAX));
        Ok(counts.zip(uses).map(|((template, index), uses)| (template.into(), index, uses)))
    }

    fn prepare_row(kept: ListedTemplate) -> PreparedRow {
        kept.into()
    }

    async fn begin_loading(table: &Table) -> Result<UnsortedRows> {
        let record = table.get(categories_key()).await?;
        Ok(UnsortedRows::new(record.as_ref().map_or_else(|| Ok(Categories::default()), parse_data)?))
    }

    fn add_rows(loading: &mut UnsortedRows, rows: Vec<PreparedRow>) {
        loading.add_templates(rows);
    }

    fn finish_loading(loading: UnsortedRows) -> TemplateRows {
        loading.sorted()
    }

    fn apply_changes(rows: &mut TemplateRows, written: &[Item], gone: &[String]) -> Result<()> {
        let (records, templates): (Vec<&Item>, Vec<&Item>) =
            written.iter().partition(|item| get_text(item, "pk") == Some(CATEGORIES));
        rows.apply_changes(templates.into_iter().map(parse_data).collect::<Result<Vec<_>>>()?, gone);
        if let Some(record) = records.first() {
            rows.set_categories(parse_data(record)?);
        }
        Ok(())
    }

    fn update_counters(&mut self, rows: &mut Arc<TemplateRows>, counted: Vec<Self::Counter>) {
        let mut changed = Vec::with_capacity(counted.len());
        for (template, index, uses) in counted {
            let counters = self.counters.entry(template.clone()).or_default();
            if let Some(count) = counters.get_mut(usize::from(index)) {
                *count = uses;
            }
            changed.push(template);
        }
        let uses = |counters: &[u32; USE_COUNTERS as usize]| counters.iter().map(|count| u64::from(*count)).sum();
        let counted = changed.iter().filter_map(|template| Some((&**template, uses(self.counters.get(template)?))));
        Arc::make_mut(rows).update_uses(counted);
    }
}

#[async_trait]
impl Templates for Catalogue {
    async fn rows(&self) -> Result<Arc<TemplateRows>> {
        self.warm.rows().await
    }

    async fn template(&self, id: &str) -> Result<Option<(Template, u64)>> {
        let (from, to) = TEMPLATE_AND_USES;
        let (partition, counters) = (template_partition(id), uses_partition(id));
        let (items, counters) = tokio::try_join!(
            self.table.query_range(&partition, from, to),
            self.table.query_range(&counters, USES.0, USES.1),
        )?;
        let Some(row) = items.iter().find(|item| get_text(item, "sk") == Some("META")) else { return Ok(None) };
        // The row itself has no attribute `uses`.
        let uses = items.iter().chain(&counters).filter_map(|counter| get_number(counter, "uses")).sum();
        Ok(Some((parse_data(row)?, uses)))
    }

    async fn template_without_uses(&self, id: &str) -> Result<Option<Template>> {
        self.table.get(template_key(id)).await?.as_ref().map(parse_data).transpose()
    }

    async fn versions(&self, wanted: &[(&str, u32)]) -> Result<Vec<Option<Arc<Template>>>> {
        let known = |(id, version): &(&str, u32)| self.versions().get(&((*id).to_owned(), *version)).cloned();
        let mut missing: Vec<(&str, u32)> = wanted.iter().filter(|wanted| known(wanted).is_none()).copied().collect();
        missing.sort_unstable();
        missing.dedup();
        let mut read = HashMap::new();
        if !missing.is_empty() {
            let keys = missing.iter().map(|(id, version)| template_version_key(id, *version)).collect();
            for item in self.table.get_all(keys).await? {
                let template: Template = parse_data(&item)?;
                read.insert((template.id.clone(), template.version), Arc::new(template));
            }
        }
        let of = |(id, version): &(&str, u32)| {
            read.get(&((*id).to_owned(), *version)).cloned().or_else(|| known(&(*id, *version)))
        };
        let found = wanted.iter().map(of).collect();
        let mut versions = self.versions();
        if versions.len() + read.len() > MOST_VERSIONS {
            versions.clear();
        }
        versions.extend(read);
        Ok(found)
    }

    async fn all_versions(&self, id: &str) -> Result<Vec<Template>> {
        let (from, to) = TEMPLATE_VERSIONS;
        self.table.query_range(&template_partition(id), from, to).await?.iter().map(parse_data).collect()
    }

    async fn field_settings(&self, id: &str, version: u32) -> Result<Option<TemplateFieldSettings>> {
        self.table.get(template_help_key(id, version)).await?.as_ref().map(parse_data).transpose()
    }

    async fn all_field_settings(&self, id: &str) -> Result<BTreeMap<u32, TemplateFieldSettings>> {
        let (from, to) = TEMPLATE_HELP;
        let mut all = BTreeMap::new();
        for item in self.table.query_range(&template_partition(id), from, to).await? {
            if let Some(version) = get_text(&item, "sk").and_then(version_of_help) {
                all.insert(version, parse_data(&item)?);
            }
        }
        Ok(all)
    }

    async fn categories(&self) -> Result<Categories> {
        let record = self.table.get(categories_key()).await?;
        record.as_ref().map_or_else(|| Ok(Categories::default()), parse_data)
    }

    async fn write_categories(&self, kept: &Categories, event: &AuditEvent<CategoryChange>) -> Result<bool> {
        let before = kept.revision.saturating_sub(1);
        let put = self.table.put(categories(kept)?);
        let put = if before == 0 {
            put.condition_expression("attribute_not_exists(pk)")
        } else {
            put.condition_expression("revision = :known").expression_attribute_values(":known", n(before))
        };
        let put = ConditionalWrite::put(put, Some(TemplateRefusal::Changed))?;
        let now = self.table.clock().now();
        // Changes of the categories are in the log of templates, so that lists of templates find them.
        let mut entry = NextLogEntry::new(TEMPLATES, CATEGORIES, now);
        for attempt in 0..TRIES {
            let logged = entry.writes(&self.table, Some(event), TemplateRefusal::Log).await?;
            let writes = std::iter::once(put.clone()).chain(logged).collect();
            match self.table.transact(writes).await? {
                TransactionOutcome::Done => return Ok(true),
                TransactionOutcome::Refused(refused) if refused.contains(&TemplateRefusal::Changed) => {
                    return Ok(false);
                }
                TransactionOutcome::Refused(refused) => {
                    entry.refused(&log_conflicts(&refused));
                    back_off(attempt).await;
                }
            }
        }
        Err(Error::unavailable("other writers were always quicker"))
    }

    async fn insert(
        &self,
        published: Published,
        help: &TemplateFieldSettings,
        key: Option<&PublishKey>,
        event: &AuditEvent,
    ) -> Result<Published> {
        let template = &published.template;
        let writes = vec![
            self.table.put_new(template_row(template)?, TemplateRefusal::IdTaken)?,
            self.table.put_new(template_version(template)?, TemplateRefusal::IdTaken)?,
            self.table.put_new(template_help(template, help)?, TemplateRefusal::IdTaken)?,
        ];
        self.write(writes, published, key, event).await
    }

    async fn replace(
        &self,
        before: &Template,
        published: Published,
        help: Option<&TemplateFieldSettings>,
        key: Option<&PublishKey>,
        event: &AuditEvent,
    ) -> Result<Published> {
        let template = &published.template;
        // Rows that were written before revisions existed have none.
        let none_yet = if before.revision == 0 { " OR attribute_not_exists(revision)" } else { "" };
        let row = self
            .table
            .put(template_row(template)?)
            .condition_expression(format!("attribute_exists(pk) AND (revision = :known{none_yet})"))
            .expression_attribute_values(":known", n(before.revision));
        let mut writes = vec![ConditionalWrite::put(row, Some(TemplateRefusal::Changed))?];
        if template.version != before.version {
            writes.push(self.table.put_new(template_version(template)?, TemplateRefusal::Changed)?);
        }
        if let Some(help) = help {
            // This write needs no condition: if the condition on the row does not hold, the whole transaction is
            // refused.
            writes.push(ConditionalWrite::put(self.table.put(template_help(template, help)?), None)?);
        }
        self.write(writes, published, key, event).await
    }

    async fn published_under(&self, key: &PublishKey) -> Result<Option<Published>> {
        saved_response(&self.table, key).await
    }
}

/// Returns the response that is stored under an Idempotency-Key, or `None` if the key was not used yet.
pub(crate) async fn saved_response(table: &Table, key: &PublishKey) -> Result<Option<Published>> {
    let Some(record) = record_of_key(table, &key.who, &key.key, table.clock().now()).await? else {
        return Ok(None);
    };
    // A record that cannot be parsed belongs to another operation with the same key.
    let answer: SavedResponse = parse_data(&record).map_err(|_| key_reused())?;
    if answer.content_hash != key.content_hash {
        return Err(key_reused());
    }
    Ok(Some(Published { template: answer.template, findings: answer.findings }))
}

/// Returns the write that stores the response `published` under an Idempotency-Key.
pub(crate) fn response_write<C>(
    table: &Table,
    published: &Published,
    key: &PublishKey,
    condition: C,
) -> Result<ConditionalWrite<C>> {
    let now = table.clock().now();
    let kept = SavedResponse {
        content_hash: key.content_hash.clone(),
        template: published.template.clone(),
        findings: published.findings.clone(),
    };
    put_record(table, idempotency_record(&key.who, &key.key, &kept, now)?, now, condition)
}

impl Catalogue {
    fn versions(&self) -> MutexGuard<'_, HashMap<(String, u32), Arc<Template>>> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes `writes` in one transaction with the idempotency record and the log entry. Returns `published`, or the
    /// earlier response if the same request was executed before.
    async fn write(
        &self,
        mut writes: Vec<ConditionalWrite<TemplateRefusal>>,
        published: Published,
        key: Option<&PublishKey>,
        event: &AuditEvent,
    ) -> Result<Published> {
        let now = self.table.clock().now();
        let template = &published.template;
        if let Some(key) = key {
            writes.push(response_write(&self.table, &published, key, TemplateRefusal::KeyUsed)?);
        }
        let mut entry = NextLogEntry::new(TEMPLATES, &template.id, now);
        for attempt in 0..TRIES {
            let logged = entry.writes(&self.table, Some(event), TemplateRefusal::Log).await?;
            let all = writes.iter().cloned().chain(logged).collect();
            let TransactionOutcome::Refused(refused) = self.table.transact(all).await? else { return Ok(published) };
            if refused.contains(&TemplateRefusal::KeyUsed)
                && let Some(key) = key
                && let Some(before) = self.published_under(key).await?
            {
                return Ok(before);
            }
            if refused.contains(&TemplateRefusal::IdTaken) {
                let message = "There is a template of this id already.";
                return Err(Error::new(ErrorCode::TemplateExists, message));
            }
            if refused.contains(&TemplateRefusal::Changed) {
                return Err(template_changed());
            }
            entry.refused(&log_conflicts(&refused));
            back_off(attempt).await;
        }
        Err(Error::unavailable("other writers were always quicker"))
    }
}

#[async_trait]
impl AuditLog for Catalogue {
    async fn template_events(&self, id: &str) -> Result<Vec<AuditLogEntry>> {
        log::audit_events(&self.table, TEMPLATES, id).await
    }

    async fn category_events(&self) -> Result<Vec<AuditLogEntry<CategoryChange>>> {
        log::audit_events(&self.table, TEMPLATES, CATEGORIES).await
    }

    async fn account_events(&self, id: &str) -> Result<Vec<AuditLogEntry<AccountChange>>> {
        log::audit_events(&self.table, USERS, id).await
    }
}
