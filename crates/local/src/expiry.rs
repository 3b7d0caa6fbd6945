//! Deletes expired items (DynamoDB's TTL), and runs the account clean-up for the deleted items.
//!
//! A sweep deletes the expired items. The stream of the embedded database is enabled only during a sweep, because this
//! database never drops a stream record, and scans all records for each new one. Therefore a sweep also deletes the
//! records that were processed. A late sweep does no harm, because the product itself compares the expiry time of an item
//! with the clock.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use dynoxide::Database;
use dynoxide::actions::create_table::StreamSpecification;
use dynoxide::actions::get_records::{GetRecordsRequest, Record};
use dynoxide::actions::get_shard_iterator::GetShardIteratorRequest;
use dynoxide::actions::update_table::UpdateTableRequest;
use dynoxide::streams::{shard_id, stream_arn};
use rusqlite::Connection;
use tokio_util::sync::CancellationToken;

use crate::background::{Background, CleanupResult};
use crate::folder::DataFolder;

/// Name of the file with the sequence number of the last processed record of the stream.
pub const POSITION: &str = "stream-position";

/// Number of stream records that are deleted in one transaction. Other writes wait meanwhile.
const RECORDS_PER_DELETE: u32 = 1_000;

pub struct Expiry {
    pub database: Database,
    /// The file of `database`.
    pub database_path: PathBuf,
    pub table: String,
    pub background: Arc<Background>,
    pub folder: Arc<DataFolder>,
}

impl Expiry {
    /// Deletes expired items at the start and then at each interval `every`, until `ended`.
    pub async fn drive(self, every: std::time::Duration, ended: CancellationToken) {
        let mut timer = tokio::time::interval(every);
        loop {
            tokio::select! {
                _ = timer.tick() => {}
                () = ended.cancelled() => return,
            }
            if let Err(error) = self.sweep().await {
                tracing::warn!(error = format!("{error:#}"), "expired items could not be deleted");
            }
        }
    }

    /// Deletes expired items, and passes the new records of the stream to the account clean-up. Saves the position in
    /// the stream only after the clean-up. If the process is killed before, the next start processes the same records
    /// again.
    async fn sweep(&self) -> Result<()> {
        let (database, path, table) = (self.database.clone(), self.database_path.clone(), self.table.clone());
        let position = self.position()?;
        let records = tokio::task::spawn_blocking(move || {
            if let Some(position) = &position {
                delete_processed(&path, &table, position)?;
            }
            sweep_and_read(&database, &table, position)
        })
        .await??;
        let Some(last) = records.last().map(|record| record.dynamodb.sequence_number.clone()) else { return Ok(()) };
        let CleanupResult { forgotten, files, failed } =
            self.background.clean_up_accounts(serde_json::to_value(&records)?).await?;
        if failed > 0 {
            bail!("{failed} of {} records are not done", records.len());
        }
        tracing::info!(records = records.len(), forgotten, files, "expired items were deleted");
        self.folder.write_file(POSITION, last.as_bytes())
    }

    fn position(&self) -> Result<Option<String>> {
        let Some(position) = self.folder.read_file(POSITION)? else { return Ok(None) };
        let position = String::from_utf8(position).ok().filter(|position| stored_number(position).is_some());
        let damaged = || {
            format!(
                "{} is damaged. Delete it: all records are then processed again",
                self.folder.path(POSITION).display()
            )
        };
        position.map(Some).with_context(damaged)
    }
}

/// The difference between the sequence number of a record in the API, which has 21 digits as in DynamoDB, and its number in the
/// table of records.
const SEQUENCE_NUMBER_OFFSET: u128 = 100_000_000_000_000_000_000;

/// Returns the number that a record with this sequence number has in the table of records.
fn stored_number(sequence_number: &str) -> Option<i64> {
    let number = sequence_number.parse::<u128>().ok()?.checked_sub(SEQUENCE_NUMBER_OFFSET)?;
    i64::try_from(number).ok()
}

/// Deletes the stream records before the record `position`. That record is kept, because the database numbers the next
/// record after the last one it has.
fn delete_processed(database: &Path, table: &str, position: &str) -> Result<()> {
    const DELETE: &str = "DELETE FROM _stream_records WHERE id IN (SELECT id FROM _stream_records \
        WHERE table_name = ?1 AND CAST(sequence_number AS INTEGER) < ?2 ORDER BY id LIMIT ?3)";
    let connection = Connection::open(database)?;
    let position = stored_number(position).context("a position that is no sequence number")?;
    while connection.execute(DELETE, (table, position, RECORDS_PER_DELETE))? > 0 {}
    Ok(())
}

/// Deletes expired items, and returns the records of the stream after the sequence number `after`. If `after` is
/// `None`, returns all records.
fn sweep_and_read(database: &Database, table: &str, after: Option<String>) -> Result<Vec<Record>> {
    set_stream(database, table, true)?;
    let records = database.sweep_ttl().map_err(fault).and_then(|_| records(database, table, after));
    set_stream(database, table, false)?;
    records
}

fn set_stream(database: &Database, table: &str, on: bool) -> Result<()> {
    let specification =
        StreamSpecification { stream_enabled: on, stream_view_type: on.then(|| "KEYS_ONLY".to_owned()) };
    let request = UpdateTableRequest {
        table_name: table.to_owned(),
        stream_specification: Some(specification),
        ..UpdateTableRequest::default()
    };
    database.update_table(request).map(|_| ()).map_err(fault)
}

fn records(database: &Database, table: &str, after: Option<String>) -> Result<Vec<Record>> {
    let kind = if after.is_some() { "AFTER_SEQUENCE_NUMBER" } else { "TRIM_HORIZON" };
    let request = GetShardIteratorRequest {
        stream_arn: stream_arn(table, "local"),
        shard_id: shard_id(table),
        shard_iterator_type: kind.to_owned(),
        sequence_number: after,
    };
    let mut next = database.get_shard_iterator(request).map_err(fault)?.shard_iterator;
    let mut records = Vec::new();
    while let Some(shard_iterator) = next {
        let page = database.get_records(GetRecordsRequest { shard_iterator, limit: None }).map_err(fault)?;
        next = page.next_shard_iterator.filter(|_| !page.records.is_empty());
        records.extend(page.records);
    }
    Ok(records)
}

fn fault(error: dynoxide::DynoxideError) -> anyhow::Error {
    anyhow!("{error}")
}
