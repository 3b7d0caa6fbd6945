//! Snapshots of lists in the bucket: who writes them, and what of them a reader trusts.
//!
//! A list of many rows takes long to read of the index. So where a kind was written more often than so many times, a function that the clock
//! wakes keeps one file of it, `snapshots/<kind>` (see [`crate::snapshot`] for what is in it), made of the index each time, never
//! of the file before: what is wrong in one does not live on in the next. A reader takes the rows of it, and then follows the log from
//! where they may have been behind, in the base table, as after any other load. It trusts a file only where
//!
//! - it is whole, and of this version;
//! - this table's log has come so far, and says there what it said when the file was made: a table that was restored, or another's file, has
//!   another past (then rows may be of a time that this table has not had);
//! - the log still holds everything since.
//!
//! Otherwise it reads the index, and its log says why. A file is replaced whole (S3 shows a part of none), so two that write at once do no
//! harm: the last one stays, and each is right. Nothing of an account that is gone stays: whatever is written, a file is made anew within a
//! day, and the bucket keeps the one before for one more.

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

/// Rows that a kind has at least where a snapshot is kept, if nothing else is set.
pub const SNAPSHOT_ROWS: u64 = 50_000;
/// A snapshot is made anew once this share of those rows was written since,
const WORTH: u64 = 25;
/// or once it is this old: so long one who is gone is in it.
const AGE_SECONDS: u64 = 24 * 3_600;
/// Parts of a file that are read at once.
const PARTS_AT_ONCE: usize = 4;
/// Bytes that are sent at once; S3 takes no fewer than 5 MB, but at the end.
const SENT_AT_ONCE: usize = 8 * 1024 * 1024;

/// Where snapshots lie. The bucket's client is made when it is first needed: most lists never are so long.
#[derive(Clone)]
pub struct Snapshots {
    pub bucket: Arc<dyn Fn() -> Bucket + Send + Sync>,
    /// How many rows a list has more than, if there is a snapshot of it.
    pub rows: u64,
}

/// What was read.
pub struct Read<L: Listed> {
    pub loading: L::Loading,
    pub counted: Vec<L::Counted>,
    /// The rows are as of no earlier than this.
    pub from: Position,
    /// How far the log is now.
    pub now: Position,
    pub at: Timestamp,
}

/// What became of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// There are few rows; there is no snapshot, or no longer.
    Few,
    /// There is one, and little was written since.
    Fresh,
    /// There is a new one.
    Made { rows: u64, bytes: u64 },
}

/// What is in a part.
enum Found<L: Listed> {
    Rows(Vec<L::New>),
    Counted(Vec<L::Counted>),
    End(End),
}

/// How the keys of snapshots begin.
const PREFIX: &str = "snapshots/";

fn key<L: Listed>() -> String {
    format!("{PREFIX}{}", L::KIND.name())
}

impl Snapshots {
    /// Whether there may be one of a kind that was written so far: it has no more rows than were written.
    pub fn are_of(&self, position: &Position) -> bool {
        position.writes() > self.rows
    }

    /// The snapshot of a list; `None` where there is none.
    ///
    /// # Errors
    /// Where it is of no use; the cause says why.
    pub async fn read<L: Listed>(&self, table: &Table) -> Result<Option<Read<L>>> {
        let Some((mut reader, head)) = self.opened::<L>().await? else { return Ok(None) };
        let position = of_this_past::<L>(table, &head.position, &head.last).await?;
        let mut loading = L::begin(table).await?;
        // What was written since is read row by row: a part of all rows, if it is to be quicker than reading all.
        if position.since(&head.from) > self.rows.max(2 * L::REPLAYED * head.from.shards()) {
            return Err(Error::internal("too old: too much was written since"));
        }
        let (mut rows, mut counted) = (0u64, Vec::new());
        let (mut under_way, mut ended) = (VecDeque::new(), false);
        loop {
            while !ended && under_way.len() < PARTS_AT_ONCE {
                match reader.next().await? {
                    // Each in a task of its own: reading them is mostly work of the processor.
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
                    // Of what was written while it was made there may be something in it, too.
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
            // Who may not list the bucket is not told whether it is there.
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

    /// Makes the snapshot of a list, where there are many rows and the one there is, if any, is old.
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
            // Before that it is not known whether it is to be written.
            if rows > self.rows {
                file.send_if_much().await?;
            }
        }
        if rows <= self.rows {
            // Of a time when there were more.
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
        // Only now: what was read may be as of then.
        let until = log::position(table, L::KIND).await?;
        let last = log::last(table, L::KIND, &until).await?;
        file.written.extend(snapshot::part(Part::End, &End { rows, counted, until, last })?);
        Ok(Turn::Made { rows, bytes: file.finish().await? })
    }
}

/// That this table's log was once at a position and said this there; how far it is now. (Asked for each time: a snapshot that was made just now is
/// of a later position than a list was asked for.)
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

/// A page of rows as a part, and how many there are.
fn rows_part<L: Listed>(items: &[Item]) -> Result<(u64, Vec<u8>)> {
    let kept: Vec<L::Kept> = items.iter().map(L::kept).collect::<Result<_>>()?;
    Ok((kept.len() as u64, snapshot::part(Part::Rows, &kept)?))
}

/// The same of what is counted.
fn counted_part<L: Listed>(items: &[Item]) -> Result<(u64, Vec<u8>)> {
    let counted = counted_of::<L>(items)?;
    Ok((counted.len() as u64, snapshot::part(Part::Counted, &counted)?))
}

/// A snapshot on its way into the bucket.
struct File<'a> {
    bucket: &'a Bucket,
    key: String,
    upload: Option<Box<dyn Upload + 'a>>,
    /// And not yet sent.
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

    /// How many bytes it has. From now on it is there.
    async fn finish(mut self) -> Result<u64> {
        self.send().await?;
        if let Some(upload) = self.upload {
            upload.finish().await?;
        }
        Ok(self.bytes)
    }
}
