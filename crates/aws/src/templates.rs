//! Templates in the table.

use std::sync::Arc;

use async_trait::async_trait;
use aws_sdk_dynamodb::types::{Put, TransactWriteItem};
use serde::{Deserialize, Serialize};
use waraq_core::catalogue::{PublishKey, Rows, Templates};
use waraq_core::filling::key_reused;
use waraq_core::publishing::{Finding, Published};
use waraq_core::template::Template;
use waraq_core::{Clock, Error, ErrorKind, Result, Timestamp};

use crate::cloud::{SystemClock, unavailable};
use crate::log::{self, Kind};
use crate::table::{EXPIRES_AT, Item, Outcome, Table, data, item, n, number, pause, s, text, with_data};
use crate::warm::Warm;

pub const TEMPLATES: Kind = Kind("template");
/// The `kind` of their rows in the index.
pub const TEMPLATE_ROWS: &str = "TEMPLATE";

/// Seconds an Idempotency-Key is remembered.
pub const KEY_LIFE_SECONDS: u64 = 24 * 3_600;

/// Writers that may stand in each other's way before one gives up.
const TRIES: u32 = 64;

/// What an upload was answered.
#[derive(Serialize, Deserialize)]
struct Answer {
    content_hash: String,
    template: Template,
    findings: Vec<Finding>,
}

pub struct Catalogue {
    table: Table,
    warm: Warm,
}

impl Catalogue {
    pub fn new(table: Table) -> Self {
        Self { warm: Warm::new(table.clone()), table }
    }
}

pub fn template_pk(id: &str) -> String {
    format!("TPL#{id}")
}

pub fn key_pk(who: &str, key: &str) -> String {
    format!("IDEM#{who}#{key}")
}

pub fn put(table: &Table, item: Item) -> aws_sdk_dynamodb::types::builders::PutBuilder {
    Put::builder().table_name(table.name()).set_item(Some(item))
}

/// A record under an Idempotency-Key, written only where none is that still counts.
pub fn key_record(table: &Table, mut record: Item, now: Timestamp) -> Result<TransactWriteItem> {
    record.insert(EXPIRES_AT.to_owned(), n(now.plus_seconds(KEY_LIFE_SECONDS).seconds()));
    let put = put(table, record)
        .condition_expression("attribute_not_exists(pk) OR expires_at < :now")
        .expression_attribute_values(":now", n(now.seconds()));
    Ok(TransactWriteItem::builder().put(put.build().map_err(unavailable)?).build())
}

/// The record under an Idempotency-Key, unless its time is over.
pub async fn record_under(table: &Table, who: &str, key: &str, now: Timestamp) -> Result<Option<Item>> {
    let record = table.get(key_pk(who, key), "IDEM").await?;
    Ok(record.filter(|record| number(record, EXPIRES_AT).is_some_and(|end| end >= now.seconds())))
}

#[async_trait]
impl Templates for Catalogue {
    async fn rows(&self) -> Result<Arc<Rows>> {
        self.warm.rows().await
    }

    async fn template(&self, id: &str) -> Result<Option<(Template, u64)>> {
        let items = self.table.between(&template_pk(id), "META", "USE#~").await?;
        let Some(row) = items.iter().find(|item| text(item, "sk") == Some("META")) else { return Ok(None) };
        let shards = items.iter().filter(|item| text(item, "sk").is_some_and(|sk| sk.starts_with("USE#")));
        let uses = shards.filter_map(|shard| number(shard, "uses")).sum();
        Ok(Some((data(row)?, uses)))
    }

    async fn row(&self, id: &str) -> Result<Option<Template>> {
        self.table.get(template_pk(id), "META").await?.as_ref().map(data).transpose()
    }

    async fn add(&self, published: Published, key: Option<&PublishKey>) -> Result<Published> {
        let now = SystemClock.now();
        for attempt in 0..TRIES {
            let stamp = log::stamp(&self.table, TEMPLATES).await?;
            let writes = self.writes(&published, key, stamp, now)?;
            let Outcome::Refused(refused) = self.table.transact(writes).await? else { return Ok(published) };
            let failed = |place: usize| refused.get(place).copied().unwrap_or(false);
            if failed(KEY_PLACE)
                && let Some(key) = key
                && let Some(before) = self.published_under(key).await?
            {
                return Ok(before);
            }
            if failed(ROW_PLACE) {
                let message = "There is a template of this id already.";
                return Err(Error::new(ErrorKind::Conflict, "template_exists", message));
            }
            pause(attempt).await;
        }
        Err(Error::unavailable("other writers were always quicker"))
    }

    async fn published_under(&self, key: &PublishKey) -> Result<Option<Published>> {
        let Some(record) = record_under(&self.table, &key.who, &key.key, SystemClock.now()).await? else {
            return Ok(None);
        };
        // A record of another call under the same key has other data.
        let answer: Answer = data(&record).map_err(|_| key_reused())?;
        if answer.content_hash != key.content_hash {
            return Err(key_reused());
        }
        Ok(Some(Published { template: answer.template, findings: answer.findings }))
    }
}

/// Where the row and the key's record stand among the writes.
const ROW_PLACE: usize = 0;
const KEY_PLACE: usize = 4;

impl Catalogue {
    fn writes(
        &self,
        published: &Published,
        key: Option<&PublishKey>,
        stamp: u64,
        now: Timestamp,
    ) -> Result<Vec<TransactWriteItem>> {
        let template = &published.template;
        let mut row = with_data(item(template_pk(&template.id), "META"), template)?;
        row.insert("kind".to_owned(), s(TEMPLATE_ROWS));
        row.insert("kind_order".to_owned(), s(&template.id));
        let version = with_data(item(template_pk(&template.id), format!("V#{:05}", template.version)), template)?;
        let new = |item| {
            let put = put(&self.table, item).condition_expression("attribute_not_exists(pk)");
            Ok::<_, Error>(TransactWriteItem::builder().put(put.build().map_err(unavailable)?).build())
        };
        let mut writes = vec![new(row)?, new(version)?];
        writes.extend(log::entry(&self.table, TEMPLATES, stamp, &template.id, now)?);
        if let Some(key) = key {
            let answer = Answer {
                content_hash: key.content_hash.clone(),
                template: template.clone(),
                findings: published.findings.clone(),
            };
            let record = with_data(item(key_pk(&key.who, &key.key), "IDEM"), &answer)?;
            writes.push(key_record(&self.table, record, now)?);
        }
        Ok(writes)
    }
}
