//! The catalogue a warm process keeps in memory, following the log.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;
use waraq_core::catalogue::Rows;
use waraq_core::template::Template;
use waraq_core::{Clock, Result, Timestamp};

use crate::cloud::SystemClock;
use crate::log;
use crate::table::{Table, data, item, number, text};
use crate::templates::{TEMPLATE_ROWS, TEMPLATES, template_pk};
use crate::uses::{SHARDS, order, shard_kind};

/// How old the counts of uses in a list may be.
const USES_AGE: Duration = Duration::from_secs(60);

/// How far the index may lag behind the table, in writes: that many of the log's last entries are replayed after a full load.
const REPLAYED: u64 = 1_000;

/// Counters changed this long before the last look are looked at again: the index lags behind, and clocks differ.
const USES_OVERLAP_SECONDS: u64 = 300;

pub struct Warm {
    table: Table,
    known: Mutex<Option<Known>>,
}

struct Known {
    /// The rows are as of this stamp.
    stamp: u64,
    rows: Arc<Rows>,
    /// By template, its shards.
    shards: HashMap<String, [u64; SHARDS as usize]>,
    uses_read: Option<(Instant, Timestamp)>,
}

impl Warm {
    pub fn new(table: Table) -> Self {
        Self { table, known: Mutex::new(None) }
    }

    /// The rows as of no earlier than this call.
    pub async fn rows(&self) -> Result<Arc<Rows>> {
        let stamp = log::stamp(&self.table, TEMPLATES).await?;
        let mut known = self.known.lock().await;
        let mut now_known = match known.take() {
            Some(known) => self.follow(known, stamp).await?,
            None => self.load(stamp).await?,
        };
        if now_known.uses_read.is_none_or(|(read, _)| read.elapsed() > USES_AGE)
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
    async fn load(&self, stamp: u64) -> Result<Known> {
        let items = self.table.of_kind(TEMPLATE_ROWS, "").await?;
        let templates: Vec<Template> = items.iter().map(data).collect::<Result<_>>()?;
        let mut rows = Rows::new(templates);
        if stamp > 0 {
            let from = stamp.saturating_sub(REPLAYED - 1).max(1);
            self.replay(&mut rows, from, stamp).await?;
        }
        Ok(Known { stamp, rows: Arc::new(rows), shards: HashMap::new(), uses_read: None })
    }

    async fn follow(&self, mut known: Known, stamp: u64) -> Result<Known> {
        // Another call may have followed further already.
        if stamp <= known.stamp {
            return Ok(known);
        }
        if self.replay(Arc::make_mut(&mut known.rows), known.stamp + 1, stamp).await? {
            known.stamp = stamp;
            return Ok(known);
        }
        self.load(stamp).await
    }

    /// Takes over the rows that the log's entries `from` to `to` name; false if the log no longer holds them all.
    async fn replay(&self, rows: &mut Rows, from: u64, to: u64) -> Result<bool> {
        let Some(ids) = log::written(&self.table, TEMPLATES, from, to).await? else { return Ok(false) };
        let keys = ids.iter().map(|id| item(template_pk(id), "META")).collect();
        for row in self.table.get_all(keys).await? {
            rows.put(data(&row)?);
        }
        Ok(true)
    }

    /// Takes over the counters that changed since the last look.
    async fn read_uses(&self, known: &mut Known) -> Result<()> {
        let now = SystemClock.now();
        let since = known.uses_read.map_or(0, |(_, at)| at.0.saturating_sub(USES_OVERLAP_SECONDS * 1_000));
        for shard in 0..SHARDS {
            for counter in self.table.of_kind(&shard_kind(shard), &order(Timestamp(since))).await? {
                let id = text(&counter, "pk").and_then(|pk| pk.strip_prefix("TPL#"));
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
        known.uses_read = Some((Instant::now(), now));
        Ok(())
    }
}
