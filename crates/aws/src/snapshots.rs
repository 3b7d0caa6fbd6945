//! Snapshots of lists in the bucket: when they are written, and when a reader trusts them.
//!
//! Reading a list of many rows from the index takes long. After many writes of a kind, a scheduled function keeps a
//! snapshot of it in one file, `snapshots/<kind>`. See [`crate::snapshot`] for the format. The function always
//! reads the index and never the previous file, so that an error in one file does not survive in the next. A reader
//! loads the rows of the file. Then it reads the log of the base table from the position up to which the rows are
//! certainly complete, as after a load from the index. It trusts a file only if
//!
//! - the file is complete and of this version;
//! - the log of this table has reached the position of the file and has the same entry there. A table recovered from a
//!   backup, or the file of another table, has another history, and its rows may differ from those of this table;
//! - the log still holds all entries since then.
//!
//! Otherwise it reads the index, and the log message says why. S3 replaces a file as a whole, so two concurrent writers
//! do no harm: the last file stays, and both are correct. A file is written again within a day, and the bucket keeps
//! the previous version for one more day. After that, nothing of a deleted account is left.

use std::collections::VecDeque;
use std::sync::Arc;

use aws_sdk_s3::error::ProvideErrorMetadata;
use waraq_core::files::{Files, Upload};
use waraq_core::{Error, Result, Timestamp};

use crate::attributes::Item;
use crate::fault::unavailable;
use crate::files::Bucket;
use crate::log::{self, Position};
use crate::snapshot::{self, BEGINNING, End, Head, Part, Reader, content, unreadable};
use crate::table::Table;
use crate::warm::{Listed, counted_of, whole};

/// Default number of rows above which a kind has a snapshot.
pub const SNAPSHOT_ROWS: u64 = 50_000;
/// Determines when a snapshot is replaced: after `rows / WORTH` writes.
const WORTH: u64 = 25;
/// The age after which a snapshot is replaced, in seconds. A deleted account stays in the file for at most this time.
const AGE_SECONDS: u64 = 24 * 3_600;
/// Number of parts of a file that are decoded concurrently.
const PARTS_AT_ONCE: usize = 4;
/// Bytes that are sent in one part of the upload. The minimum of S3 is 5 MB, except for the last part.
const SENT_AT_ONCE: usize = 8 * 1024 * 1024;

/// The snapshots in the bucket. The bucket's client is built at its first use, because most lists are too short.
#[derive(Clone)]
pub struct Snapshots {
    pub bucket: Arc<dyn Fn() -> Bucket + Send + Sync>,
    /// The number of rows above which a list has a snapshot.
    pub rows: u64,
}

/// The content of a snapshot.
pub struct Read<L: Listed> {
    pub loading: L::Loading,
    pub counted: Vec<L::Counted>,
    /// Every row is at least as new as this position.
    pub from: Position,
    /// The current position of the log.
    pub now: Position,
    pub at: Timestamp,
}

/// The outcome of a run of the writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// The list is short: its snapshot does not exist or was deleted.
    Few,
    /// The snapshot is recent, and few rows were written since.
    Fresh,
    /// A new snapshot was written.
    Made { rows: u64, bytes: u64 },
}

/// The content of a part.
enum Found<L: Listed> {
    Rows(Vec<L::New>),
    Counted(Vec<L::Counted>),
    End(End),
}

/// The prefix of the keys of snapshots.
const PREFIX: &str = "snapshots/";

fn key<L: Listed>() -> String {
    format!("{PREFIX}{}", L::KIND.name())
}

impl Snapshots {
    /// Returns whether a kind may have a snapshot. A kind never has more rows than writes.
    pub fn are_of(&self, position: &Position) -> bool {
        position.writes() > self.rows
    }

    /// Reads the snapshot of a list. Returns `None` if it does not exist.
    ///
    /// # Errors
    /// Fails if the snapshot cannot be used; the cause says why.
    pub async fn read<L: Listed>(&self, table: &Table) -> Result<Option<Read<L>>> {
        let Some((mut reader, head)) = self.opened::<L>().await? else { return Ok(None) };
        let position = of_this_past::<L>(table, &head.position, &head.last).await?;
        let mut loading = L::begin(table).await?;
        // Newer writes are read row by row. They must be a fraction of all rows, or reading the index is quicker.
        if position.since(&head.from) > self.rows.max(2 * L::REPLAYED * head.from.shards()) {
            return Err(Error::internal("too old: too much was written since"));
        }
        let (mut rows, mut counted) = (0u64, Vec::new());
        let (mut under_way, mut ended) = (VecDeque::new(), false);
        loop {
            while !ended && under_way.len() < PARTS_AT_ONCE {
                match reader.next().await? {
                    // Each part is decoded in a task of its own, because decoding is mostly CPU work.
                    Some((part, compressed)) => {
                        under_way.push_back(tokio::spawn(async move { found::<L>(part, &compressed) }));
                    }
                    None => ended = true,
                }
            }
            let Some(next) = under_way.pop_front() else { return Err(unreadable("it has no end")) };
            match next.await.map_err(|error| Error::internal(error.to_string()))?? {
                Found::Rows(new) => {
                    rows += new.len() as u64;
                    L::add(&mut loading, new);
                }
                Found::Counted(more) => counted.extend(more),
                Found::End(end) => {
                    if (end.rows, end.counted) != (rows, counted.len() as u64) || !end.until.is_of(L::KIND) {
                        return Err(unreadable("it has not what it says it has"));
                    }
                    // The file may contain rows that were written while it was created.
                    let now = of_this_past::<L>(table, &end.until, &end.last).await?;
                    return Ok(Some(Read { loading, counted, from: head.from, now, at: head.at }));
                }
            }
        }
    }

    async fn opened<L: Listed>(&self) -> Result<Option<(Reader, Head)>> {
        let bucket = (self.bucket)();
        let body = match bucket.client.get_object().bucket(&bucket.name).key(key::<L>()).send().await {
            Ok(found) => found.body,
            // S3 responds with AccessDenied for a missing file if the caller may not list the bucket.
            Err(error) if matches!(error.code(), Some("NoSuchKey" | "AccessDenied")) => return Ok(None),
            Err(error) => return Err(unavailable(error)),
        };
        let mut reader = Reader::new(body, bucket.patience.attempt).await?;
        let head = reader.head().await?;
        if head.kind != L::KIND.name() || !head.from.is_of(L::KIND) || !head.position.is_of(L::KIND) {
            return Err(unreadable("it is of another kind"));
        }
        Ok(Some((reader, head)))
    }

    /// Writes the snapshot of a list if the list has many rows and its present snapshot is missing or old.
    pub async fn make<L: Listed>(&self, table: &Table) -> Result<Turn> {
        let position = log::position(table, L::KIND).await?;
        if !self.are_of(&position) {
            return Ok(Turn::Few);
        }
        let at = table.clock().now();
        match self.head_of_use::<L>(table).await {
            Ok(Some(head)) if self.is_fresh(&head, &position, at) => return Ok(Turn::Fresh),
            Ok(_) => {}
            Err(error) => {
                let (kind, cause) = (L::KIND.name(), error.cause.as_deref());
                tracing::warn!(kind, cause, "a snapshot is of no use: it is made anew");
            }
        }
        let last = log::last(table, L::KIND, &position).await?;
        let head = Head { kind: L::KIND.name().to_owned(), from: position.back(L::REPLAYED), position, last, at };
        self.write::<L>(table, &head).await
    }

    async fn head_of_use<L: Listed>(&self, table: &Table) -> Result<Option<Head>> {
        let Some((_, head)) = self.opened::<L>().await? else { return Ok(None) };
        of_this_past::<L>(table, &head.position, &head.last).await?;
        Ok(Some(head))
    }

    fn is_fresh(&self, head: &Head, position: &Position, now: Timestamp) -> bool {
        position.since(&head.position) < (self.rows / WORTH).max(1) && now < head.at.plus_seconds(AGE_SECONDS)
    }

    async fn write<L: Listed>(&self, table: &Table, head: &Head) -> Result<Turn> {
        let bucket = (self.bucket)();
        let mut file = File { bucket: &bucket, key: key::<L>(), upload: None, written: BEGINNING.to_vec(), bytes: 0 };
        file.written.extend(snapshot::part(Part::Head, head)?);
        let (mut rows, mut counted) = (0, 0);
        let mut pages = table.pages_of_kinds(whole(L::kinds()), L::ATTRIBUTES, rows_part::<L>);
        while let Some(page) = pages.recv().await {
            let (number, part) = page?;
            rows += number;
            file.written.extend(part);
            // A list with fewer rows gets no snapshot, so nothing is sent before the list exceeds the limit.
            if rows > self.rows {
                file.send_if_much().await?;
            }
        }
        if rows <= self.rows {
            // Deletes the snapshot from a time when there were more rows.
            bucket.remove(&file.key).await?;
            return Ok(Turn::Few);
        }
        if !L::COUNTED_IN_ROWS {
            let kinds = whole(L::counted_kinds());
            let mut pages = table.pages_of_kinds(kinds, L::COUNTED_ATTRIBUTES, counted_part::<L>);
            while let Some(page) = pages.recv().await {
                let (number, part) = page?;
                counted += number;
                file.written.extend(part);
                file.send_if_much().await?;
            }
        }
        // Reads the position only now, because the rows may be as new as this.
        let until = log::position(table, L::KIND).await?;
        let last = log::last(table, L::KIND, &until).await?;
        file.written.extend(snapshot::part(Part::End, &End { rows, counted, until, last })?);
        Ok(Turn::Made { rows, bytes: file.finish().await? })
    }
}

/// Checks that the log of this table reached a position and has these entries there, and returns the current position.
/// The current position is read each time, because a new snapshot may be later than the position that the caller has.
async fn of_this_past<L: Listed>(table: &Table, position: &Position, last: &[Option<String>]) -> Result<Position> {
    let now = log::position(table, L::KIND).await?;
    if position.is_after(&now) {
        return Err(Error::internal("of a future that this table has not had"));
    }
    if log::last(table, L::KIND, position).await? != last {
        return Err(Error::internal("of another past than this table has had"));
    }
    Ok(now)
}

fn found<L: Listed>(part: Part, compressed: &[u8]) -> Result<Found<L>> {
    match part {
        Part::Rows => {
            let kept: Vec<L::Kept> = content(compressed)?;
            Ok(Found::Rows(kept.into_iter().map(L::new_row).collect()))
        }
        Part::Counted => content(compressed).map(Found::Counted),
        Part::End => content(compressed).map(Found::End),
        Part::Head => Err(unreadable("it has two heads")),
    }
}

/// Returns a page of rows as a part, and their number.
fn rows_part<L: Listed>(items: &[Item]) -> Result<(u64, Vec<u8>)> {
    let kept: Vec<L::Kept> = items.iter().map(L::kept).collect::<Result<_>>()?;
    Ok((kept.len() as u64, snapshot::part(Part::Rows, &kept)?))
}

/// Returns a page of counters as a part, and their number.
fn counted_part<L: Listed>(items: &[Item]) -> Result<(u64, Vec<u8>)> {
    let counted = counted_of::<L>(items)?;
    Ok((counted.len() as u64, snapshot::part(Part::Counted, &counted)?))
}

/// A snapshot that is being uploaded.
struct File<'a> {
    bucket: &'a Bucket,
    key: String,
    upload: Option<Box<dyn Upload + 'a>>,
    /// Bytes that are written but not yet sent.
    written: Vec<u8>,
    bytes: u64,
}

impl File<'_> {
    async fn send_if_much(&mut self) -> Result<()> {
        if self.written.len() < SENT_AT_ONCE { Ok(()) } else { self.send().await }
    }

    async fn send(&mut self) -> Result<()> {
        if self.upload.is_none() {
            self.upload = Some(self.bucket.upload(&self.key, "application/octet-stream").await?);
        }
        let Some(upload) = &mut self.upload else { return Ok(()) };
        self.bytes += self.written.len() as u64;
        upload.part(std::mem::take(&mut self.written)).await
    }

    /// Completes the file, which makes it visible, and returns its size in bytes.
    async fn finish(mut self) -> Result<u64> {
        self.send().await?;
        if let Some(upload) = self.upload {
            upload.finish().await?;
        }
        Ok(self.bytes)
    }
}
