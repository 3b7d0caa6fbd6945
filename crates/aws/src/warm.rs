//! Lists that a warm process keeps in memory and updates from the log.
//!
//! A reader reads the stamp; rows that were written since the list was loaded are read from the log and the base table
//! (see [`log`]). Counters of uses have no stamp and are updated from the index about once a minute.
//!
//! A cold process reads a snapshot if the list is long and a snapshot exists (see [`crate::snapshots`]), and the index
//! otherwise. Then it reads the log from the position where either may have been behind.

use std::collections::HashSet;
use std::sync::Arc;

use async_trait::async_trait;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::Item;
use crate::items::order;
use crate::log::{self, Kind, Position};
use crate::snapshots::Snapshots;
use crate::table::Table;

/// Maximum age of the use counts in a list, in seconds.
const USES_AGE_SECONDS: u64 = 60;

/// Overlap of two reads of the counters, in seconds. Counters that changed shortly before the last read are read again,
/// because the index lags behind and clocks differ.
const USES_OVERLAP_SECONDS: u64 = 300;

/// The rows of a kind in the form in which a list keeps them in memory.
#[async_trait]
pub trait Listed: Default + Send + 'static {
    /// The rows that readers receive. They do not change while a reader uses them.
    type Rows: Clone + Send + Sync;
    /// The rows while they are loaded: unordered, possibly with duplicates.
    type Loading: Send;
    /// The part of a row that a list shows and a snapshot stores.
    type Kept: Serialize + DeserializeOwned + Send + 'static;
    /// A row that is ready to be added to the list; the expensive preparation is done.
    type New: Send + 'static;
    /// The counter of a row.
    type Counted: Serialize + DeserializeOwned + Send + 'static;

    const KIND: Kind;
    /// Maximum lag of the index in writes per shard: that many log entries are replayed after a full load.
    const REPLAYED: u64;
    /// The attributes of a row that [`Self::kept`] needs.
    const ATTRIBUTES: &'static [&'static str];
    /// The attributes of a counter that [`Self::counted`] needs.
    const COUNTED_ATTRIBUTES: &'static [&'static str];
    /// Whether the rows contain their counters.
    const COUNTED_IN_ROWS: bool;

    /// The key of the row with this id.
    fn key(id: &str) -> Item;

    /// The id of a row.
    fn id(row: &Item) -> Option<&str>;

    /// The kinds of the index that contain the rows.
    fn kinds() -> Vec<String>;

    /// The kinds of the index that contain the counters, ordered by the time of their last change.
    fn counted_kinds() -> Vec<String>;

    fn kept(row: &Item) -> Result<Self::Kept>;

    /// Returns the counter in an item, or `None` if it has none.
    fn counted(item: &Item) -> Result<Option<Self::Counted>>;

    fn new_row(kept: Self::Kept) -> Self::New;

    async fn begin(table: &Table) -> Result<Self::Loading>;

    fn add(loading: &mut Self::Loading, rows: Vec<Self::New>);

    fn loaded(loading: Self::Loading) -> Self::Rows;

    /// Replaces the written rows and removes the deleted ones.
    fn take(rows: &mut Self::Rows, written: &[Item], gone: &[String]) -> Result<()>;

    /// Updates the counters.
    fn count(&mut self, rows: &mut Arc<Self::Rows>, counted: Vec<Self::Counted>);
}

/// Returns the counters on a page of the index.
pub fn counted_of<L: Listed>(items: &[Item]) -> Result<Vec<L::Counted>> {
    items.iter().filter_map(|item| L::counted(item).transpose()).collect()
}

fn new_rows_of<L: Listed>(items: &[Item]) -> Result<Vec<L::New>> {
    items.iter().map(|item| L::kept(item).map(L::new_row)).collect()
}

/// Returns each kind with a start key that reads it from the beginning.
pub fn whole(kinds: Vec<String>) -> Vec<(String, String)> {
    kinds.into_iter().map(|kind| (kind, String::new())).collect()
}

pub struct Warm<L: Listed> {
    table: Table,
    snapshots: Snapshots,
    known: Mutex<Option<Known<L>>>,
}

struct Known<L: Listed> {
    /// The position of the log up to which the rows are current.
    position: Position,
    rows: Arc<L::Rows>,
    listed: L,
    /// The time at which the counters were last read. `None` if they have not been read yet.
    counted: Option<Timestamp>,
}

impl<L: Listed> Warm<L> {
    pub fn new(table: Table, snapshots: Snapshots) -> Self {
        Self { table, snapshots, known: Mutex::new(None) }
    }

    /// Returns whether the list is loaded, without waiting.
    pub fn is_loaded(&self) -> bool {
        self.known.try_lock().is_ok_and(|known| known.is_some())
    }

    /// Returns the rows, at least as new as this call.
    pub async fn rows(&self) -> Result<Arc<L::Rows>> {
        let position = log::position(&self.table, L::KIND).await?;
        let mut guard = self.known.lock().await;
        let followed = match &mut *guard {
            Some(known) => self.follow(known, &position).await?,
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
        if known.counted.is_none_or(|counted| now < counted || now > counted.plus_seconds(USES_AGE_SECONDS)) {
            match self.count(known).await {
                Ok(()) => known.counted = Some(now),
                // Old counts are better than no list.
                Err(error) => tracing::warn!(cause = error.cause.as_deref(), "the use counts could not be read"),
            }
        }
        Ok(Arc::clone(&known.rows))
    }

    /// Loads everything from a snapshot or the index, then replays the newer log entries.
    async fn load(&self, position: Position) -> Result<Known<L>> {
        if self.snapshots.are_of(&position)
            && let Some(known) = self.load_snapshot().await
        {
            return Ok(known);
        }
        let mut loading = L::begin(&self.table).await?;
        let mut pages = self.table.pages_of_kinds(whole(L::kinds()), L::ATTRIBUTES, new_rows_of::<L>);
        while let Some(page) = pages.recv().await {
            L::add(&mut loading, page?);
        }
        let mut rows = L::loaded(loading);
        // The index may not have the last writes yet.
        self.replay(&mut rows, &position.back(L::REPLAYED), &position).await?;
        Ok(Known { position, rows: Arc::new(rows), listed: L::default(), counted: None })
    }

    /// Loads the list from its snapshot. Returns `None` if the snapshot is missing or unusable; the caller then reads the index.
    async fn load_snapshot(&self) -> Option<Known<L>> {
        let kind = L::KIND.name();
        match self.known_by_snapshot().await {
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

    async fn known_by_snapshot(&self) -> Result<Option<Known<L>>> {
        let Some(read) = self.snapshots.read::<L>(&self.table).await? else { return Ok(None) };
        let mut rows = L::loaded(read.loading);
        if !self.replay(&mut rows, &read.from, &read.now).await? {
            return Err(Error::internal("the log no longer holds what was written since"));
        }
        let (mut listed, mut rows) = (L::default(), Arc::new(rows));
        if !L::COUNTED_IN_ROWS {
            listed.count(&mut rows, read.counted);
        }
        Ok(Some(Known { position: read.now, rows, listed, counted: Some(read.at) }))
    }

    /// Applies the newer log entries. Returns false if the log no longer holds all of them.
    async fn follow(&self, known: &mut Known<L>, position: &Position) -> Result<bool> {
        // Another call may have done this already.
        if !known.position.is_before(position) {
            return Ok(true);
        }
        let followed = self.replay(Arc::make_mut(&mut known.rows), &known.position, position).await?;
        if followed {
            known.position = known.position.or_later(position);
        }
        Ok(followed)
    }

    /// Reads the rows that the log names between two positions. Returns false if the log no longer holds all entries.
    async fn replay(&self, rows: &mut L::Rows, from: &Position, to: &Position) -> Result<bool> {
        let Some(ids) = log::written(&self.table, L::KIND, from, to).await? else { return Ok(false) };
        let written = self.table.get_all(ids.iter().map(|id| L::key(id)).collect()).await?;
        let there: HashSet<&str> = written.iter().filter_map(L::id).collect();
        let gone: Vec<String> = ids.iter().filter(|id| !there.contains(id.as_str())).cloned().collect();
        L::take(rows, &written, &gone)?;
        Ok(true)
    }

    /// Reads the counters that changed since the last read, or all of them.
    async fn count(&self, known: &mut Known<L>) -> Result<()> {
        if known.counted.is_none() && L::COUNTED_IN_ROWS {
            // A list that was just loaded has current counters.
            return Ok(());
        }
        let since = known.counted.map_or(0, |at| at.0.saturating_sub(USES_OVERLAP_SECONDS * 1_000));
        let kinds = L::counted_kinds().into_iter().map(|kind| (kind, order(Timestamp(since)))).collect();
        let mut pages = self.table.pages_of_kinds(kinds, L::COUNTED_ATTRIBUTES, counted_of::<L>);
        let mut counted = Vec::new();
        while let Some(page) = pages.recv().await {
            counted.extend(page?);
        }
        if !counted.is_empty() {
            known.listed.count(&mut known.rows, counted);
        }
        Ok(())
    }
}
