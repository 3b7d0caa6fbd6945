//! Lists a warm process keeps in memory, following the log.
//!
//! A reader asks for the stamp; what was written since its list was made is read from the log and the base table (see [`log`]). What is
//! counted without a stamp (uses) is taken over from the index about once a minute.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use tokio::sync::Mutex;
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::Item;
use crate::log::{self, Kind, Position};
use crate::table::Table;

/// How old the counts of uses in a list may be.
const USES_AGE_SECONDS: u64 = 60;

/// Counters changed this long before the last look are looked at again: the index lags behind, and clocks differ.
const USES_OVERLAP_SECONDS: u64 = 300;

/// Rows of a kind as a list has them in memory.
#[async_trait]
pub trait Listed: Send + Sized {
    /// What readers are handed; a version of it stays as it is while they read.
    type Rows: Clone + Send + Sync;

    const KIND: Kind;
    /// How far the index may lag behind the table, in writes of a shard: that many of the log's last entries are replayed after a full load.
    const REPLAYED: u64;

    /// The key of a row by its id.
    fn key(id: &str) -> Item;

    /// The id of a row by its item.
    fn id(row: &Item) -> Option<&str>;

    /// Everything, by the index; and what is to be remembered beside it.
    async fn load(table: &Table) -> Result<(Self, Self::Rows)>;

    /// Takes over rows as of now, and takes away those that are gone.
    fn take(rows: &mut Self::Rows, written: &[Item], gone: &[String]) -> Result<()>;

    /// Takes over what was counted since a time, by the index. `None`: ever since.
    async fn count(&mut self, table: &Table, since: Option<Timestamp>, rows: &mut Arc<Self::Rows>) -> Result<()>;
}

pub struct Warm<L: Listed> {
    table: Table,
    known: Mutex<Option<Known<L>>>,
}

struct Known<L: Listed> {
    /// The rows are as of this.
    position: Position,
    rows: Arc<L::Rows>,
    listed: L,
    counted: Option<Timestamp>,
}

impl<L: Listed> Warm<L> {
    pub fn new(table: Table) -> Self {
        Self { table, known: Mutex::new(None) }
    }

    /// Whether there is a list already; nobody is waited for.
    pub fn is_loaded(&self) -> bool {
        self.known.try_lock().is_ok_and(|known| known.is_some())
    }

    /// The rows as of no earlier than this call.
    pub async fn rows(&self) -> Result<Arc<L::Rows>> {
        let position = log::position(&self.table, L::KIND).await?;
        let mut guard = self.known.lock().await;
        let followed = match &mut *guard {
            Some(known) => self.follow(known, &position).await?,
            None => false,
        };
        if !followed {
            // First, so that memory need not hold the old rows and the new.
            *guard = None;
            *guard = Some(self.load(position).await?);
        }
        let Some(known) = &mut *guard else { return Err(Error::internal("a list that was loaded is not there")) };
        let now = self.table.clock().now();
        if known.counted.is_none_or(|counted| now > counted.plus_seconds(USES_AGE_SECONDS)) {
            let since = known.counted.map(|at| Timestamp(at.0.saturating_sub(USES_OVERLAP_SECONDS * 1_000)));
            match known.listed.count(&self.table, since, &mut known.rows).await {
                Ok(()) => known.counted = Some(now),
                // Old counts are better than no list.
                Err(error) => tracing::warn!(cause = error.cause.as_deref(), "uses could not be read"),
            }
        }
        Ok(Arc::clone(&known.rows))
    }

    /// Everything: the index, then the log's last entries, since the index may not have them yet.
    async fn load(&self, position: Position) -> Result<Known<L>> {
        let (listed, mut rows) = L::load(&self.table).await?;
        self.replay(&mut rows, &position.back(L::REPLAYED), &position).await?;
        Ok(Known { position, rows: Arc::new(rows), listed, counted: None })
    }

    /// False where the log no longer holds all that was written since.
    async fn follow(&self, known: &mut Known<L>, position: &Position) -> Result<bool> {
        // Another call may have followed further already.
        if !known.position.is_before(position) {
            return Ok(true);
        }
        let followed = self.replay(Arc::make_mut(&mut known.rows), &known.position, position).await?;
        if followed {
            known.position = known.position.or_later(position);
        }
        Ok(followed)
    }

    /// Takes over the rows that the log names from one position to another; false if it no longer holds them all.
    async fn replay(&self, rows: &mut L::Rows, from: &Position, to: &Position) -> Result<bool> {
        let Some(ids) = log::written(&self.table, L::KIND, from, to).await? else { return Ok(false) };
        let written = self.table.get_all(ids.iter().map(|id| L::key(id)).collect()).await?;
        let there: HashSet<&str> = written.iter().filter_map(L::id).collect();
        let gone: Vec<String> = ids.iter().filter(|id| !there.contains(id.as_str())).cloned().collect();
        L::take(rows, &written, &gone)?;
        Ok(true)
    }
}
