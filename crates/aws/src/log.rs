//! The stamp and the log of a kind of rows, such as templates. They tell readers which rows are new, without relying on
//! a lagging index or on clocks. The log has one numbered entry for each write, and the stamp is the number of the last
//! entry.
//!
//! Every write of a row of a kind is one transaction of three writes:
//!
//! - the row itself;
//! - the stamp, from n to n + 1, on the condition that it is n;
//! - the log entry n + 1, which names the row.
//!
//! A reader that knows the rows as of stamp m reads the stamp. If it is n > m, the reader reads the entries m + 1 to n
//! and the rows they name. All these reads are consistent reads of the base table.
//!
//! One stamp allows one writer at a time. A kind with many concurrent writers therefore has several shards, each with
//! its own stamp and log. A row is always in the same shard, and readers follow all shards. The stamps of all shards
//! are in one partition, so that one query reads them. A check whether a list in memory is current therefore costs one
//! read unit, for any number of shards.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::Update;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use waraq_core::audit_log::{AuditEvent, AuditLogEntry};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::{Item, get_number, get_text, n, parse_data, s};
use crate::fault::unavailable;
use crate::items::{
    SHARDS, audit_events_kind, log_entry, log_number, log_partition, shard_of, stamp_key, stamp_partition, stamp_shard,
};
use crate::table::{ConditionalWrite, Table};

/// A kind of rows, such as the rows of templates, and the number of shards of its change log.
#[derive(Debug, Clone, Copy)]
pub struct RowKind {
    name: &'static str,
    shards: u8,
}

/// The rows of templates. Only admins write them, and rarely, so one shard is enough.
pub const TEMPLATES: RowKind = RowKind { name: "template", shards: 1 };
/// The rows of listed accounts. All users write them, so several shards are needed.
pub const USERS: RowKind = RowKind { name: "account", shards: SHARDS };

/// Number of shards whose logs are read concurrently.
const SHARDS_AT_ONCE: usize = 8;

impl RowKind {
    pub fn name(self) -> &'static str {
        self.name
    }

    fn partition(self, shard: u8) -> String {
        if self.shards == 1 { self.name.to_owned() } else { format!("{}#{shard}", self.name) }
    }

    fn stamp_key(self, shard: u8) -> Item {
        stamp_key(self.name, (self.shards > 1).then_some(shard))
    }
}

/// A position in the log of a kind of rows: the number of writes in each shard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogPosition(Vec<u64>);

impl LogPosition {
    /// Returns whether the position has as many shards as this kind.
    pub fn has_shards_of(&self, kind: RowKind) -> bool {
        self.0.len() == usize::from(kind.shards)
    }

    /// Returns the total number of writes. A kind never has more rows than this.
    pub fn writes(&self) -> u64 {
        self.0.iter().fold(0, |all, stamp| all.saturating_add(*stamp))
    }

    /// Returns the number of writes since an earlier position.
    pub fn since(&self, earlier: &Self) -> u64 {
        self.0.iter().zip(&earlier.0).fold(0, |all, (to, from)| all.saturating_add(to.saturating_sub(*from)))
    }

    /// Returns whether this position is earlier than `other` in at least one shard.
    pub fn is_before(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(from, to)| from < to)
    }

    /// Returns whether this position is later than `other` in at least one shard.
    pub fn is_after(&self, other: &Self) -> bool {
        other.is_before(self)
    }

    pub fn shards(&self) -> u64 {
        self.0.len() as u64
    }

    /// Returns a position that has, for each shard, the later of the two numbers.
    pub fn or_later(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(one, other)| *one.max(other)).collect())
    }

    /// Returns an earlier position: in each shard, the number of writes is lower by `writes`, but at least 0.
    pub fn earlier_by(&self, writes: u64) -> Self {
        Self(self.0.iter().map(|stamp| stamp.saturating_sub(writes)).collect())
    }
}

/// Returns the current position of the log of a kind, by a consistent read.
pub async fn position(table: &Table, kind: RowKind) -> Result<LogPosition> {
    if kind.shards == 1 {
        return Ok(LogPosition(vec![stamp(table, kind, 0).await?]));
    }
    let (from, to) = (stamp_shard(0), stamp_shard(kind.shards));
    let mut position = vec![0; usize::from(kind.shards)];
    for stamp in table.query_range(&stamp_partition(kind.name), &from, &to).await? {
        let shard = get_text(&stamp, "sk").and_then(|shard| shard.parse::<usize>().ok());
        if let Some(place) = shard.and_then(|shard| position.get_mut(shard)) {
            *place = get_number(&stamp, "n").unwrap_or(0);
        }
    }
    Ok(LogPosition(position))
}

async fn stamp(table: &Table, kind: RowKind, shard: u8) -> Result<u64> {
    let item = table.get(kind.stamp_key(shard)).await?;
    Ok(item.as_ref().and_then(|item| get_number(item, "n")).unwrap_or(0))
}

/// The next entry of a log, which records a write of one row. If another writer is quicker, the transaction of this
/// writer is refused. This writer then repeats the transaction and keeps using this value.
#[derive(Debug)]
pub struct NextLogEntry<'a> {
    kind: RowKind,
    id: &'a str,
    now: Timestamp,
    /// Assumed number of log entries after the entry whose number is in the stamp. It is 0 unless the stamp is behind
    /// its log (see [`NextLogEntry::refused`]). The next entry comes after these entries.
    uncounted: u64,
}

/// The reason why the writes of [`NextLogEntry::writes`] are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogConflict {
    /// The stamp has changed: another row of the same shard was written at the same time.
    Stamp,
    /// The log already has an entry with the number of the new entry.
    Entry,
}

impl<'a> NextLogEntry<'a> {
    /// Creates the next log entry for a write of the row `id` at the time `now`.
    pub fn new(kind: RowKind, id: &'a str, now: Timestamp) -> Self {
        Self { kind, id, now, uncounted: 0 }
    }

    /// Returns the writes of the stamp and of the log entry. The caller must execute them in the transaction that
    /// writes the row. `event` is the audit event of the write, which [`audit_events`] can read later. If one of these
    /// writes is refused, the transaction is refused with `condition(conflict)`, a value of the caller's type for
    /// reasons. The caller must then call [`Self::refused`] and this function again.
    pub async fn writes<C: Copy, W: Serialize>(
        &self,
        table: &Table,
        event: Option<&AuditEvent<W>>,
        condition: impl Fn(LogConflict) -> C,
    ) -> Result<[ConditionalWrite<C>; 2]> {
        let shard = shard_of(self.id, self.kind.shards);
        let stamp = stamp(table, self.kind, shard).await?;
        let partition = self.kind.partition(shard);
        let next = stamp.saturating_add(self.uncounted).saturating_add(1);
        let update = Update::builder()
            .table_name(table.name())
            .set_key(Some(self.kind.stamp_key(shard)))
            .update_expression("SET n = :next")
            .condition_expression(if stamp == 0 { "attribute_not_exists(pk)" } else { "n = :known" })
            .expression_attribute_values(":next", n(next));
        let update = if stamp == 0 { update } else { update.expression_attribute_values(":known", n(stamp)) };
        Ok([
            ConditionalWrite::update(update, Some(condition(LogConflict::Stamp)))?,
            table.put_new(log_entry(&partition, next, self.id, event, self.now)?, condition(LogConflict::Entry))?,
        ])
    }

    /// Prepares the next attempt after the transaction was refused. `conflicts` has those reasons of the refusal that
    /// are log conflicts.
    ///
    /// If the entry exists and the stamp is unchanged, the stamp is behind its log, for example after a recovery from a
    /// backup. The next attempt then assumes one entry after the stamp. Further attempts assume 3 entries, then 7 and
    /// so on, so that few attempts are enough. The entry may therefore leave a gap in the log. Readers notice the gap
    /// and read the whole list again.
    pub fn refused(&mut self, conflicts: &[LogConflict]) {
        self.uncounted = if conflicts == [LogConflict::Entry] { self.uncounted.saturating_mul(2) + 1 } else { 0 };
    }
}

/// The rows that were written between two positions of the log.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WrittenRows {
    /// The ids of the rows, each id once.
    pub ids: Vec<String>,
    /// True if the log has an entry for each number between the positions. Without these entries, more rows may have been
    /// written than `ids` names.
    pub is_complete: bool,
}

/// Returns the rows written after `from` and up to `to`.
pub async fn written_rows(table: &Table, kind: RowKind, from: &LogPosition, to: &LogPosition) -> Result<WrittenRows> {
    let shards = (0..kind.shards).zip(from.0.iter().zip(&to.0)).filter(|(_, (from, to))| from < to);
    let shards = shards.map(|(shard, (from, to))| {
        let log = log_partition(&kind.partition(shard));
        let (first, last, expected) = (log_number(from + 1), log_number(*to), to - from);
        async move {
            let entries = table.query_range(&log, &first, &last).await?;
            Ok::<_, Error>((entries.len() as u64 == expected, entries))
        }
    });
    // Collects first, because a stream of borrowing closures is not `Send` for every lifetime.
    let shards: Vec<_> = shards.collect();
    let mut shards = stream::iter(shards).buffer_unordered(SHARDS_AT_ONCE);
    let mut written = WrittenRows { ids: Vec::new(), is_complete: true };
    while let Some((is_complete, entries)) = shards.try_next().await? {
        written.is_complete &= is_complete;
        written.ids.extend(entries.iter().filter_map(|entry| get_text(entry, "id")).map(str::to_owned));
    }
    written.ids.sort();
    written.ids.dedup();
    Ok(written)
}

/// Returns the log entry at the position `at` for each shard, as a text with the id of the row and the time of the
/// write. The text is `None` for a shard without such an entry. If two tables have the same entry at a position, all
/// their earlier writes are the same too. A reader compares the entries to verify that a snapshot comes from this
/// table.
pub async fn last_entries(table: &Table, kind: RowKind, at: &LogPosition) -> Result<Vec<Option<String>>> {
    let shards = (0..kind.shards).zip(&at.0).map(|(shard, number)| {
        let (log, number) = (log_partition(&kind.partition(shard)), log_number(*number));
        async move {
            let entries = table.query_range(&log, &number, &number).await?;
            let said = |entry: &Item| Some(format!("{} {}", get_text(entry, "id")?, get_text(entry, "at")?));
            Ok(entries.first().and_then(said))
        }
    });
    let shards: Vec<_> = shards.collect();
    stream::iter(shards).buffered(SHARDS_AT_ONCE).try_collect().await
}

/// Number of latest log entries that [`audit_events`] reads from the log itself, because the index may not have them yet.
const LATEST_ENTRIES: u64 = 100;

/// Returns the audit events of a row, newest first. They are read from the index and from the end of the log.
pub async fn audit_events<W: DeserializeOwned>(
    table: &Table,
    kind: RowKind,
    id: &str,
) -> Result<Vec<AuditLogEntry<W>>> {
    let shard = shard_of(id, kind.shards);
    let partition = kind.partition(shard);
    let to = stamp(table, kind, shard).await?;
    let mut entries = table.items_of_kind(&audit_events_kind(&partition, id), "").await?;
    let (log, from) = (log_partition(&partition), to.saturating_sub(LATEST_ENTRIES) + 1);
    let latest = table.query_range(&log, &log_number(from), &log_number(to)).await?;
    entries.extend(latest.into_iter().filter(|entry| get_text(entry, "id") == Some(id)));
    // Orders entries by number and removes duplicates. Entries from before audit events existed have no data.
    let entries = entries.iter().filter_map(|entry| Some((get_text(entry, "sk")?, entry)));
    let entries: BTreeMap<&str, &Item> = entries.filter(|(_, entry)| entry.contains_key("data")).collect();
    let read = |entry: &Item| -> Result<AuditLogEntry<W>> {
        let at = get_text(entry, "at").and_then(Timestamp::from_rfc3339);
        let at = at.ok_or_else(|| Error::internal("an entry of the log without a time"))?;
        Ok(AuditLogEntry {
            at,
            event: AuditEvent { by: get_text(entry, "by").map(str::to_owned), what: parse_data(entry)? },
        })
    };
    entries.into_values().rev().map(read).collect()
}

/// Returns the times at which a row was written, oldest first. Reads the whole log of its shard, so use it rarely.
pub async fn write_times(table: &Table, kind: RowKind, id: &str) -> Result<Vec<Timestamp>> {
    let log = log_partition(&kind.partition(shard_of(id, kind.shards)));
    let query = table.client().query().table_name(table.name()).consistent_read(true);
    let query = query.key_condition_expression("pk = :pk").expression_attribute_values(":pk", s(log));
    let query = query.filter_expression("id = :id").expression_attribute_values(":id", s(id));
    let mut entries = query.into_paginator().items().send();
    let mut times = Vec::new();
    while let Some(entry) = entries.next().await {
        let entry = entry.map_err(unavailable)?;
        times.extend(get_text(&entry, "at").and_then(Timestamp::from_rfc3339));
    }
    Ok(times)
}
