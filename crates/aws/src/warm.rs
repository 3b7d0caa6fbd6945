//! Lists that a warm process keeps in memory and updates from the log.
//!
//! A reader reads the stamp first. It then finds in the log which rows were written since the list was loaded, and
//! reads these rows from the base table (see [`log`]). Counters of uses have no stamp and are updated from the index
//! about once a minute.
//!
//! A process that has just started reads a snapshot if the list is long and a snapshot exists (see
//! [`crate::snapshots`]), and the index otherwise. Both may lack the latest writes. The process then reads these writes
//! from the log.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::Item;
use crate::items::sortable_time;
use crate::log::{self, LogPosition, RowKind, WrittenRows};
use crate::snapshots::Snapshots;
use crate::table::Table;

/// Maximum age of the use counts in a list, in seconds.
const USES_AGE_SECONDS: u64 = 60;

/// Overlap of two reads of the counters, in seconds. Counters that changed shortly before the last read are read again,
/// because the index lags behind and clocks differ.
const USES_OVERLAP_SECONDS: u64 = 300;

/// A kind of list: how its rows are read from the table and kept in memory.
#[async_trait]
pub trait ListKind: Default + Send + 'static {
    /// The rows that readers receive. They do not change while a reader uses them.
    type Rows: Clone + Send + Sync;
    /// The rows while they are loaded: unordered, possibly with duplicates.
    type Loading: Send;
    /// The part of a row that a list shows and a snapshot stores.
    type ListedRow: Serialize + DeserializeOwned + Send + 'static;
    /// A row that is ready to be added to the list; the expensive preparation is done.
    type PreparedRow: Send + 'static;
    /// A counter that belongs to a row, such as its number of uses.
    type Counter: Serialize + DeserializeOwned + Send + 'static;

    const KIND: RowKind;
    /// Maximum lag of the index behind the table, in writes per shard. After the list was loaded from the index, this
    /// number of the latest log entries of each shard is replayed.
    const MAX_INDEX_LAG: u64;
    /// The names of the attributes that [`Self::parse_row`] needs.
    const ATTRIBUTES: &'static [&'static str];
    /// The names of the attributes that [`Self::parse_counter`] needs.
    const COUNTER_ATTRIBUTES: &'static [&'static str];
    /// True if the counters are attributes of the rows, false if they are items of their own.
    const COUNTERS_IN_ROWS: bool;

    /// Returns the key of the row with this id.
    fn key(id: &str) -> Item;

    /// Returns the id of a row, or `None` if the item is not a row of this list.
    fn id(row: &Item) -> Option<&str>;

    /// Returns the values of the attribute `kind` in the rows of this list. The index is read by this attribute.
    fn kinds() -> Vec<String>;

    /// Returns the values of the attribute `kind` in the counters of this list. The index orders the counters of a kind
    /// by the time of their last change.
    fn counter_kinds() -> Vec<String>;

    fn parse_row(row: &Item) -> Result<Self::ListedRow>;

    /// Returns the counter in an item, or `None` if it has none.
    fn parse_counter(item: &Item) -> Result<Option<Self::Counter>>;

    fn prepare_row(kept: Self::ListedRow) -> Self::PreparedRow;

    async fn begin_loading(table: &Table) -> Result<Self::Loading>;

    fn add_rows(loading: &mut Self::Loading, rows: Vec<Self::PreparedRow>);

    fn finish_loading(loading: Self::Loading) -> Self::Rows;

    /// Adds or replaces the rows in `written`, and removes the rows with the ids in `gone`.
    fn apply_changes(rows: &mut Self::Rows, written: &[Item], gone: &[String]) -> Result<()>;

    /// Updates the counts in `rows` with counters that were read from the index.
    fn update_counters(&mut self, rows: &mut Arc<Self::Rows>, counted: Vec<Self::Counter>);
}

/// Parses the counters on a page of the index.
pub fn counters_of<L: ListKind>(items: &[Item]) -> Result<Vec<L::Counter>> {
    items.iter().filter_map(|item| L::parse_counter(item).transpose()).collect()
}

fn new_rows_of<L: ListKind>(items: &[Item]) -> Result<Vec<L::PreparedRow>> {
    items.iter().map(|item| L::parse_row(item).map(L::prepare_row)).collect()
}

/// Pairs each kind with an empty `kind_order`, so that [`Table::pages_of_kinds`] reads all items of the kind.
pub fn from_start(kinds: Vec<String>) -> Vec<(String, String)> {
    kinds.into_iter().map(|kind| (kind, String::new())).collect()
}

pub struct WarmList<L: ListKind> {
    table: Table,
    snapshots: Snapshots,
    loaded: Mutex<Option<LoadedList<L>>>,
}

struct LoadedList<L: ListKind> {
    /// The position of the log up to which the rows are current.
    position: LogPosition,
    rows: Arc<L::Rows>,
    listed: L,
    /// The time at which the counters were last read. `None` if they have not been read yet.
    counted_at: Option<Timestamp>,
}

impl<L: ListKind> WarmList<L> {
    pub fn new(table: Table, snapshots: Snapshots) -> Self {
        Self { table, snapshots, loaded: Mutex::new(None) }
    }

    /// Returns whether the list is loaded. If another task uses the list at this moment, the result is false, because
    /// this function does not wait.
    pub fn is_loaded(&self) -> bool {
        self.loaded.try_lock().is_ok_and(|known| known.is_some())
    }

    /// Returns the rows. They include all writes that were made before this call.
    pub async fn rows(&self) -> Result<Arc<L::Rows>> {
        let position = log::position(&self.table, L::KIND).await?;
        let mut guard = self.loaded.lock().await;
        let followed = match &mut *guard {
            Some(known) => self.catch_up(known, &position).await?,
            None => false,
        };
        if !followed {
            // Drops the old rows first, so that the old and the new are not in memory together.
            *guard = None;
            *guard = Some(self.load(position).await?);
        }
        let Some(known) = &mut *guard else { return Err(Error::internal("a list that was loaded is not there")) };
        let now = self.table.clock().now();
        // The clock may have been set back since the last read.
        if known.counted_at.is_none_or(|counted| now < counted || now > counted.plus_seconds(USES_AGE_SECONDS)) {
            match self.refresh_counters(known).await {
                Ok(()) => known.counted_at = Some(now),
                // Old counts are better than no list.
                Err(error) => tracing::warn!(cause = error.cause.as_deref(), "the use counts could not be read"),
            }
        }
        Ok(Arc::clone(&known.rows))
    }

    /// Loads everything from a snapshot or the index, then replays the newer log entries.
    async fn load(&self, position: LogPosition) -> Result<LoadedList<L>> {
        if self.snapshots.may_exist_for(&position)
            && let Some(known) = self.load_snapshot().await
        {
            return Ok(known);
        }
        let mut loading = L::begin_loading(&self.table).await?;
        let mut pages = self.table.pages_of_kinds(from_start(L::kinds()), L::ATTRIBUTES, new_rows_of::<L>);
        while let Some(page) = pages.recv().await {
            L::add_rows(&mut loading, page?);
        }
        let mut rows = L::finish_loading(loading);
        // The index may not have the last writes yet.
        self.replay(&mut rows, &position.earlier_by(L::MAX_INDEX_LAG), &position).await?;
        Ok(LoadedList { position, rows: Arc::new(rows), listed: L::default(), counted_at: None })
    }

    /// Loads the list from its snapshot. Returns `None` if the snapshot is missing or unusable; the caller then reads the index.
    async fn load_snapshot(&self) -> Option<LoadedList<L>> {
        let kind = L::KIND.name();
        match self.read_snapshot().await {
            Ok(Some(known)) => Some(known),
            Ok(None) => {
                tracing::info!(kind, "there is no snapshot: the list is read from the index");
                None
            }
            Err(error) => {
                let cause = error.cause.as_deref();
                tracing::warn!(kind, cause, "a snapshot is of no use: the list is read of the index");
                None
            }
        }
    }

    async fn read_snapshot(&self) -> Result<Option<LoadedList<L>>> {
        let Some(read) = self.snapshots.load::<L>(&self.table).await? else { return Ok(None) };
        let mut rows = L::finish_loading(read.loading);
        if !self.replay(&mut rows, &read.from, &read.now).await? {
            return Err(Error::internal("the log no longer holds what was written since"));
        }
        let (mut listed, mut rows) = (L::default(), Arc::new(rows));
        if !L::COUNTERS_IN_ROWS {
            listed.update_counters(&mut rows, read.counted);
        }
        Ok(Some(LoadedList { position: read.now, rows, listed, counted_at: Some(read.at) }))
    }

    /// Updates a loaded list to `position` from the log. Returns false if the list must be loaded again, because the log does
    /// not hold all entries, or because the stamp was set back.
    async fn catch_up(&self, known: &mut LoadedList<L>, position: &LogPosition) -> Result<bool> {
        // Another call may have read newer rows since the caller read `position`. Only a position that is read now shows
        // that the stamp was set back.
        if known.position.is_after(position) && known.position.is_after(&log::position(&self.table, L::KIND).await?) {
            return Ok(false);
        }
        if !known.position.is_before(position) {
            return Ok(true);
        }
        let followed = self.replay(Arc::make_mut(&mut known.rows), &known.position, position).await?;
        if followed {
            known.position = known.position.or_later(position);
        }
        Ok(followed)
    }

    /// Reads the rows that were written between two positions of the log, and applies them to `rows`. Returns false if
    /// entries are missing in the log, so that rows may still be out of date.
    async fn replay(&self, rows: &mut L::Rows, from: &LogPosition, to: &LogPosition) -> Result<bool> {
        let WrittenRows { ids, is_complete } = log::written_rows(&self.table, L::KIND, from, to).await?;
        let written = self.table.get_all(ids.iter().map(|id| L::key(id)).collect()).await?;
        let there: HashSet<&str> = written.iter().filter_map(L::id).collect();
        let gone: Vec<String> = ids.iter().filter(|id| !there.contains(id.as_str())).cloned().collect();
        L::apply_changes(rows, &written, &gone)?;
        Ok(is_complete)
    }

    /// Reads the counters that changed since the last read. At the first call, reads all counters, unless they are
    /// attributes of the rows and are therefore already loaded.
    async fn refresh_counters(&self, known: &mut LoadedList<L>) -> Result<()> {
        if known.counted_at.is_none() && L::COUNTERS_IN_ROWS {
            // A list that was just loaded has current counters.
            return Ok(());
        }
        let since = known.counted_at.map_or(0, |at| at.0.saturating_sub(USES_OVERLAP_SECONDS * 1_000));
        let kinds = L::counter_kinds().into_iter().map(|kind| (kind, sortable_time(Timestamp(since)))).collect();
        let mut pages = self.table.pages_of_kinds(kinds, L::COUNTER_ATTRIBUTES, counters_of::<L>);
        let mut counted = Vec::new();
        while let Some(page) = pages.recv().await {
            counted.extend(page?);
        }
        if !counted.is_empty() {
            known.listed.update_counters(&mut known.rows, counted);
        }
        Ok(())
    }
}
