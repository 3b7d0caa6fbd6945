//! The catalogue a warm process keeps in memory, following the log.

use std::collections::HashMap;
use std::sync::Arc;

use tokio::sync::Mutex;
use waraq_core::catalogue::Rows;
use waraq_core::template::Template;
use waraq_core::{Result, Timestamp};

use crate::attributes::{data, number, text};
use crate::items::{SHARDS, TEMPLATE_ROWS, order, shard_kind, template_key, template_of};
use crate::log::{self, Position, TEMPLATES};
use crate::table::Table;

/// How old the counts of uses in a list may be.
const USES_AGE_SECONDS: u64 = 60;

/// How far the index may lag behind the table, in writes: that many of the log's last entries are replayed after a full load.
const REPLAYED: u64 = 1_000;

/// Counters changed this long before the last look are looked at again: the index lags behind, and clocks differ.
const USES_OVERLAP_SECONDS: u64 = 300;

pub struct Warm {
    table: Table,
    known: Mutex<Option<Known>>,
}

struct Known {
    /// The rows are as of this.
    position: Position,
    rows: Arc<Rows>,
    /// By template, its shards.
    shards: HashMap<String, [u64; SHARDS as usize]>,
    uses_read: Option<Timestamp>,
}

impl Warm {
    pub fn new(table: Table) -> Self {
        Self { table, known: Mutex::new(None) }
    }

    /// The rows as of no earlier than this call.
    pub async fn rows(&self) -> Result<Arc<Rows>> {
        let position = log::position(&self.table, TEMPLATES).await?;
        let mut known = self.known.lock().await;
        let mut now_known = match known.take() {
            Some(known) => self.follow(known, position).await?,
            None => self.load(position).await?,
        };
        let now = self.table.clock().now();
        if now_known.uses_read.is_none_or(|read| now > read.plus_seconds(USES_AGE_SECONDS))
            && let Err(error) = self.read_uses(&mut now_known).await
        {
            // Old counts are better than no list.
            tracing::warn!(cause = error.cause.as_deref(), "uses could not be read");
        }
        let rows = Arc::clone(&now_known.rows);
        *known = Some(now_known);
        Ok(rows)
    }

    /// Everything: the index, then the log's last entries, since the index may not have them yet.
    async fn load(&self, position: Position) -> Result<Known> {
        let items = self.table.of_kind(TEMPLATE_ROWS, "").await?;
        let templates: Vec<Template> = items.iter().map(data).collect::<Result<_>>()?;
        let mut rows = Rows::new(templates);
        self.replay(&mut rows, &position.back(REPLAYED), &position).await?;
        Ok(Known { position, rows: Arc::new(rows), shards: HashMap::new(), uses_read: None })
    }

    async fn follow(&self, mut known: Known, position: Position) -> Result<Known> {
        // Another call may have followed further already.
        if !known.position.is_before(&position) {
            return Ok(known);
        }
        if self.replay(Arc::make_mut(&mut known.rows), &known.position, &position).await? {
            known.position = position;
            return Ok(known);
        }
        self.load(position).await
    }

    /// Takes over the rows that the log names from one position to another; false if it no longer holds them all.
    async fn replay(&self, rows: &mut Rows, from: &Position, to: &Position) -> Result<bool> {
        let Some(ids) = log::written(&self.table, TEMPLATES, from, to).await? else { return Ok(false) };
        let keys = ids.iter().map(|id| template_key(id)).collect();
        for row in self.table.get_all(keys).await? {
            rows.put(data(&row)?);
        }
        Ok(true)
    }

    /// Takes over the counters that changed since the last look.
    async fn read_uses(&self, known: &mut Known) -> Result<()> {
        let now = self.table.clock().now();
        let since = known.uses_read.map_or(0, |at| at.0.saturating_sub(USES_OVERLAP_SECONDS * 1_000));
        for shard in 0..SHARDS {
            for counter in self.table.of_kind(&shard_kind(shard), &order(Timestamp(since))).await? {
                let id = text(&counter, "pk").and_then(template_of);
                if let (Some(id), Some(uses)) = (id, number(&counter, "uses")) {
                    let shards = known.shards.entry(id.to_owned()).or_default();
                    if let Some(count) = shards.get_mut(usize::from(shard)) {
                        *count = uses;
                    }
                }
            }
        }
        let uses = known.shards.iter().map(|(id, shards)| (id.clone(), shards.iter().sum())).collect();
        Arc::make_mut(&mut known.rows).set_uses(uses);
        known.uses_read = Some(now);
        Ok(())
    }
}
