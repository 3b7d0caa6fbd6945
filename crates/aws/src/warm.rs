//! Lists a warm process keeps in memory, following the log.
//!
//! A reader asks for the stamp; what was written since its list was made is read from the log and the base table (see [`log`]). What is
//! counted without a stamp (uses) is taken over from the index about once a minute.
//!
//! A cold process reads a snapshot, where there are many rows and one is there (see [`crate::snapshots`]), else the index; and then the log
//! from where either may have been behind.

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

/// How old the counts of uses in a list may be.
const USES_AGE_SECONDS: u64 = 60;

/// Counters changed this long before the last look are looked at again: the index lags behind, and clocks differ.
const USES_OVERLAP_SECONDS: u64 = 300;

/// Rows of a kind as a list has them in memory.
#[async_trait]
pub trait Listed: Default + Send + 'static {
    /// What readers are handed; a version of it stays as it is while they read.
    type Rows: Clone + Send + Sync;
    /// Rows as they are being loaded, in no order yet; some may be there twice.
    type Loading: Send;
    /// What a list shows of a row, and so what a snapshot keeps of it.
    type Kept: Serialize + DeserializeOwned + Send + 'static;
    /// A row that is ready to be taken into the list: what of that is work is done.
    type New: Send + 'static;
    /// What was counted of a row.
    type Counted: Serialize + DeserializeOwned + Send + 'static;

    const KIND: Kind;
    /// How far the index may lag behind the table, in writes of a shard: that many of the log's last entries are replayed after a full load.
    const REPLAYED: u64;
    /// The attributes [`Self::kept`] asks a row for.
    const ATTRIBUTES: &'static [&'static str];
    /// The attributes [`Self::counted`] asks for.
    const COUNTED_ATTRIBUTES: &'static [&'static str];
    /// Whether rows have what is counted in themselves.
    const COUNTED_IN_ROWS: bool;

    /// The key of a row by its id.
    fn key(id: &str) -> Item;

    /// The id of a row by its item.
    fn id(row: &Item) -> Option<&str>;

    /// The kinds of the index that the rows are of.
    fn kinds() -> Vec<String>;

    /// The kinds of the index that what is counted is of, ordered by when it was counted on last.
    fn counted_kinds() -> Vec<String>;

    fn kept(row: &Item) -> Result<Self::Kept>;

    /// `None` where an item of those kinds counts nothing.
    fn counted(item: &Item) -> Result<Option<Self::Counted>>;

    fn new_row(kept: Self::Kept) -> Self::New;

    async fn begin(table: &Table) -> Result<Self::Loading>;

    fn add(loading: &mut Self::Loading, rows: Vec<Self::New>);

    fn loaded(loading: Self::Loading) -> Self::Rows;

    /// Takes over rows as of now, and takes away those that are gone.
    fn take(rows: &mut Self::Rows, written: &[Item], gone: &[String]) -> Result<()>;

    /// Takes over what was counted.
    fn count(&mut self, rows: &mut Arc<Self::Rows>, counted: Vec<Self::Counted>);
}

/// What is counted on a page of the index.
pub fn counted_of<L: Listed>(items: &[Item]) -> Result<Vec<L::Counted>> {
    items.iter().filter_map(|item| L::counted(item).transpose()).collect()
}

fn new_rows_of<L: Listed>(items: &[Item]) -> Result<Vec<L::New>> {
    items.iter().map(|item| L::kept(item).map(L::new_row)).collect()
}

/// Kinds of the index, each from its beginning.
pub fn whole(kinds: Vec<String>) -> Vec<(String, String)> {
    kinds.into_iter().map(|kind| (kind, String::new())).collect()
}

pub struct Warm<L: Listed> {
    table: Table,
    snapshots: Snapshots,
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
    pub fn new(table: Table, snapshots: Snapshots) -> Self {
        Self { table, snapshots, known: Mutex::new(None) }
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
            match self.count(known).await {
                Ok(()) => known.counted = Some(now),
                // Old counts are better than no list.
                Err(error) => tracing::warn!(cause = error.cause.as_deref(), "uses could not be read"),
            }
        }
        Ok(Arc::clone(&known.rows))
    }

    /// Everything: a snapshot, or the index; then the log's entries since.
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
        // Of the last the index may not know yet.
        self.replay(&mut rows, &position.back(L::REPLAYED), &position).await?;
        Ok(Known { position, rows: Arc::new(rows), listed: L::default(), counted: None })
    }

    /// `None` where there is none, or none of use: the index has everything too.
    async fn load_snapshot(&self) -> Option<Known<L>> {
        let kind = L::KIND.name();
        match self.known_by_snapshot().await {
            Ok(Some(known)) => Some(known),
            Ok(None) => {
                tracing::info!(kind, "no snapshot is there: the list is read of the index");
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

    /// Takes over what was counted since the last look, or ever.
    async fn count(&self, known: &mut Known<L>) -> Result<()> {
        if known.counted.is_none() && L::COUNTED_IN_ROWS {
            // A list that was just loaded has it.
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
