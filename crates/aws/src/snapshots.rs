//! Snapshots of lists in the bucket: when they are written, and when a reader trusts them.
//!
//! Reading a list of many rows from the index takes long. After many writes of a kind of rows, a scheduled function
//! therefore writes all rows of the kind to one file, `snapshots/<kind>`. See [`crate::snapshot`] for the format. The
//! function always reads the index and never the previous file, so that an error in one file does not survive in the
//! next.
//!
//! A reader loads the rows of the file. It then reads later writes from the log of the base table. It starts at the
//! position up to which the file certainly contains every write. A reader trusts a file only if
//!
//! - the file is complete and of this version;
//! - the log of this table has reached the position of the file and has the same entry there. A table recovered from a
//!   backup, or the file of another table, has another history, and its rows may differ from those of this table;
//! - the log still holds all entries since then.
//!
//! Otherwise the reader reads the index, and the log message says why. S3 replaces a file as a whole, so two concurrent
//! writers do no harm: the last file stays, and both are correct. A file is written again within a day, and the bucket
//! keeps the previous version for one more day. After that, nothing of a deleted account is left.

use std::collections::VecDeque;
use std::sync::Arc;

use aws_sdk_s3::error::ProvideErrorMetadata;
use waraq_core::files::{Files, Upload};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::Item;
use crate::fault::unavailable;
use crate::files::Bucket;
use crate::log::{self, LogPosition};
use crate::snapshot::{
    self, MAGIC_AND_VERSION, PartType, SnapshotEnd, SnapshotHead, SnapshotReader, decode_part, unreadable,
};
use crate::table::Table;
use crate::warm::{ListKind, counters_of, from_start};

/// Default number of rows above which a list has a snapshot.
pub const SNAPSHOT_ROWS: u64 = 50_000;
/// A snapshot is replaced after `min_rows / REPLACE_DIVISOR` writes.
const REPLACE_DIVISOR: u64 = 25;
/// The age after which a snapshot is replaced, in seconds. A deleted account stays in the file for at most this time.
const MAX_AGE_SECONDS: u64 = 24 * 3_600;
/// Number of parts of a snapshot that are decoded concurrently.
const PARTS_AT_ONCE: usize = 4;
/// Minimum size of a part of the upload in bytes, except for the last part. S3 requires at least 5 MB.
const UPLOAD_PART_BYTES: usize = 8 * 1024 * 1024;

/// The snapshots in the bucket. The bucket's client is built at its first use, because most lists are too short to have
/// a snapshot.
#[derive(Clone)]
pub struct Snapshots {
    pub bucket: Arc<dyn Fn() -> Bucket + Send + Sync>,
    /// A list with more rows than this number has a snapshot, a file with all its rows.
    pub min_rows: u64,
}

/// The content of a snapshot.
pub struct LoadedSnapshot<L: ListKind> {
    pub loading: L::Loading,
    pub counted: Vec<L::Counter>,
    /// A position of the log. The loaded rows include all writes up to this position.
    pub from: LogPosition,
    /// The current position of the log.
    pub now: LogPosition,
    pub at: Timestamp,
}

/// The outcome of an attempt to write a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotRun {
    /// The list is too short for a snapshot. If the file of an earlier, longer list existed, it was deleted.
    TooFewRows,
    /// The snapshot is recent, and few rows were written since.
    Fresh,
    /// A new snapshot was written.
    Made { rows: u64, bytes: u64 },
}

/// The decoded content of a part of a snapshot.
enum DecodedPart<L: ListKind> {
    Rows(Vec<L::PreparedRow>),
    Counted(Vec<L::Counter>),
    End(SnapshotEnd),
}

/// The prefix of the keys of snapshots.
const PREFIX: &str = "snapshots/";

fn key<L: ListKind>() -> String {
    format!("{PREFIX}{}", L::KIND.name())
}

impl Snapshots {
    /// Returns whether a list may have enough rows for a snapshot. `position` is the position of the list's log. A list
    /// never has more rows than its log has writes.
    pub fn may_exist_for(&self, position: &LogPosition) -> bool {
        position.writes() > self.min_rows
    }

    /// Reads the snapshot of a list. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Fails if the snapshot cannot be used; the cause says why.
    pub async fn load<L: ListKind>(&self, table: &Table) -> Result<Option<LoadedSnapshot<L>>> {
        let Some((mut reader, head)) = self.open::<L>().await? else { return Ok(None) };
        let position = check_history::<L>(table, &head.position, &head.last).await?;
        let mut loading = L::begin_loading(table).await?;
        // Newer writes are read row by row. They must be a fraction of all rows, or reading the index is quicker.
        if position.since(&head.from) > self.min_rows.max(2 * L::MAX_INDEX_LAG * head.from.shards()) {
            return Err(Error::internal("too old: too much was written since"));
        }
        let (mut rows, mut counted) = (0u64, Vec::new());
        let (mut under_way, mut ended) = (VecDeque::new(), false);
        loop {
            while !ended && under_way.len() < PARTS_AT_ONCE {
                match reader.next().await? {
                    // Each part is decoded in a task of its own, because decoding is mostly CPU work.
                    Some((part, compressed)) => {
                        under_way.push_back(tokio::spawn(async move { decode::<L>(part, &compressed) }));
                    }
                    None => ended = true,
                }
            }
            let Some(next) = under_way.pop_front() else { return Err(unreadable("it has no end")) };
            match next.await.map_err(|error| Error::internal(error.to_string()))?? {
                DecodedPart::Rows(new) => {
                    rows += new.len() as u64;
                    L::add_rows(&mut loading, new);
                }
                DecodedPart::Counted(more) => counted.extend(more),
                DecodedPart::End(end) => {
                    if (end.rows, end.counted) != (rows, counted.len() as u64) || !end.until.has_shards_of(L::KIND) {
                        return Err(unreadable("it has not what it says it has"));
                    }
                    // The file may contain rows that were written while it was created.
                    let now = check_history::<L>(table, &end.until, &end.last).await?;
                    return Ok(Some(LoadedSnapshot { loading, counted, from: head.from, now, at: head.at }));
                }
            }
        }
    }

    async fn open<L: ListKind>(&self) -> Result<Option<(SnapshotReader, SnapshotHead)>> {
        let bucket = (self.bucket)();
        let body = match bucket.client.get_object().bucket(&bucket.name).key(key::<L>()).send().await {
            Ok(found) => found.body,
            // S3 responds with AccessDenied for a missing file if the caller may not list the bucket.
            Err(error) if matches!(error.code(), Some("NoSuchKey" | "AccessDenied")) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let mut reader = SnapshotReader::new(body, bucket.timeouts.attempt).await?;
        let head = reader.head().await?;
        if head.kind != L::KIND.name() || !head.from.has_shards_of(L::KIND) || !head.position.has_shards_of(L::KIND) {
            return Err(unreadable("it is of another kind"));
        }
        Ok(Some((reader, head)))
    }

    /// Writes the snapshot of a list if the list has many rows and its present snapshot is missing or old.
    pub async fn write_if_due<L: ListKind>(&self, table: &Table) -> Result<SnapshotRun> {
        let position = log::position(table, L::KIND).await?;
        if !self.may_exist_for(&position) {
            return Ok(SnapshotRun::TooFewRows);
        }
        let at = table.clock().now();
        match self.usable_head::<L>(table).await {
            Ok(Some(head)) if self.is_fresh(&head, &position, at) => return Ok(SnapshotRun::Fresh),
            Ok(_) => {}
            Err(error) => {
                let (kind, cause) = (L::KIND.name(), error.cause.as_deref());
                tracing::warn!(kind, cause, "a snapshot is of no use: it is made anew");
            }
        }
        let last = log::last_entries(table, L::KIND, &position).await?;
        let head = SnapshotHead {
            kind: L::KIND.name().to_owned(),
            from: position.earlier_by(L::MAX_INDEX_LAG),
            position,
            last,
            at,
        };
        self.write::<L>(table, &head).await
    }

    async fn usable_head<L: ListKind>(&self, table: &Table) -> Result<Option<SnapshotHead>> {
        let Some((_, head)) = self.open::<L>().await? else { return Ok(None) };
        check_history::<L>(table, &head.position, &head.last).await?;
        Ok(Some(head))
    }

    fn is_fresh(&self, head: &SnapshotHead, position: &LogPosition, now: Timestamp) -> bool {
        position.since(&head.position) < (self.min_rows / REPLACE_DIVISOR).max(1)
            && now < head.at.plus_seconds(MAX_AGE_SECONDS)
    }

    async fn write<L: ListKind>(&self, table: &Table, head: &SnapshotHead) -> Result<SnapshotRun> {
        let bucket = (self.bucket)();
        let mut file = SnapshotUpload {
            bucket: &bucket,
            key: key::<L>(),
            upload: None,
            written: MAGIC_AND_VERSION.to_vec(),
            bytes: 0,
        };
        file.written.extend(snapshot::encode_part(PartType::Head, head)?);
        let (mut rows, mut counted) = (0, 0);
        let mut pages = table.pages_of_kinds(from_start(L::kinds()), L::ATTRIBUTES, rows_part::<L>);
        while let Some(page) = pages.recv().await {
            let (number, part) = page?;
            rows += number;
            file.written.extend(part);
            // A list with fewer rows gets no snapshot, so nothing is sent before the list exceeds the limit.
            if rows > self.min_rows {
                file.send_if_large().await?;
            }
        }
        if rows <= self.min_rows {
            // Deletes the snapshot from a time when there were more rows.
            bucket.remove(&file.key).await?;
            return Ok(SnapshotRun::TooFewRows);
        }
        if !L::COUNTERS_IN_ROWS {
            let kinds = from_start(L::counter_kinds());
            let mut pages = table.pages_of_kinds(kinds, L::COUNTER_ATTRIBUTES, counted_part::<L>);
            while let Some(page) = pages.recv().await {
                let (number, part) = page?;
                counted += number;
                file.written.extend(part);
                file.send_if_large().await?;
            }
        }
        // Reads the position only now, because the rows may be as new as this.
        let until = log::position(table, L::KIND).await?;
        let last = log::last_entries(table, L::KIND, &until).await?;
        file.written.extend(snapshot::encode_part(PartType::End, &SnapshotEnd { rows, counted, until, last })?);
        Ok(SnapshotRun::Made { rows, bytes: file.finish().await? })
    }
}

/// Checks that the log of this table has reached `position`, and that its entries at `position` are `last`. Returns the
/// current position of the log. This function reads it each time, because a new snapshot may be later than the position
/// that the caller knows.
async fn check_history<L: ListKind>(
    table: &Table,
    position: &LogPosition,
    last: &[Option<String>],
) -> Result<LogPosition> {
    let now = log::position(table, L::KIND).await?;
    if position.is_after(&now) {
        return Err(Error::internal("of a future that this table has not had"));
    }
    if log::last_entries(table, L::KIND, position).await? != last {
        return Err(Error::internal("of another past than this table has had"));
    }
    Ok(now)
}

fn decode<L: ListKind>(part: PartType, compressed: &[u8]) -> Result<DecodedPart<L>> {
    match part {
        PartType::Rows => {
            let kept: Vec<L::ListedRow> = decode_part(compressed)?;
            Ok(DecodedPart::Rows(kept.into_iter().map(L::prepare_row).collect()))
        }
        PartType::Counted => decode_part(compressed).map(DecodedPart::Counted),
        PartType::End => decode_part(compressed).map(DecodedPart::End),
        PartType::Head => Err(unreadable("it has two heads")),
    }
}

/// Encodes a page of rows as a part of a snapshot. Returns the number of rows and the bytes of the part.
fn rows_part<L: ListKind>(items: &[Item]) -> Result<(u64, Vec<u8>)> {
    let kept: Vec<L::ListedRow> = items.iter().map(L::parse_row).collect::<Result<_>>()?;
    Ok((kept.len() as u64, snapshot::encode_part(PartType::Rows, &kept)?))
}

/// Encodes a page of counters as a part of a snapshot. Returns the number of counters and the bytes of the part.
fn counted_part<L: ListKind>(items: &[Item]) -> Result<(u64, Vec<u8>)> {
    let counted = counters_of::<L>(items)?;
    Ok((counted.len() as u64, snapshot::encode_part(PartType::Counted, &counted)?))
}

/// A snapshot that is being uploaded.
struct SnapshotUpload<'a> {
    bucket: &'a Bucket,
    key: String,
    upload: Option<Box<dyn Upload + 'a>>,
    /// Bytes that are written but not yet sent.
    written: Vec<u8>,
    bytes: u64,
}

impl SnapshotUpload<'_> {
    async fn send_if_large(&mut self) -> Result<()> {
        if self.written.len() < UPLOAD_PART_BYTES { Ok(()) } else { self.send().await }
    }

    async fn send(&mut self) -> Result<()> {
        if self.upload.is_none() {
            self.upload = Some(self.bucket.upload(&self.key, "application/octet-stream").await?);
        }
        let Some(upload) = &mut self.upload else { return Ok(()) };
        self.bytes += self.written.len() as u64;
        upload.add_part(std::mem::take(&mut self.written)).await
    }

    /// Completes the upload, so that the file becomes visible. Returns the size of the file in bytes.
    async fn finish(mut self) -> Result<u64> {
        self.send().await?;
        if let Some(upload) = self.upload {
            upload.finish().await?;
        }
        Ok(self.bytes)
    }
}
