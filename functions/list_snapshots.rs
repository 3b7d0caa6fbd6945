//! A Lambda function that writes snapshots of long lists. With a snapshot, other functions read one file at a cold
//! start instead of the whole index (see `waraq_aws::snapshots`). A schedule invokes this function each hour. If no
//! snapshot is due, the function reads only a few stamps (numbers of the last write). Locally, the gateway runs the
//! same code.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::{Error, lambda};
use serde::{Deserialize, Serialize};
use waraq_aws::{Cloud, SnapshotRun};

/// The scheduled event. Its content is ignored.
#[derive(Debug, Default, Deserialize)]
pub struct ScheduledEvent {}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct SnapshotsResult {
    /// Number of snapshots that this run wrote.
    pub made: usize,
}

pub async fn list_snapshots(cloud: Arc<Cloud>, _: ScheduledEvent) -> Result<SnapshotsResult, Error> {
    let mut done = SnapshotsResult::default();
    for (list, turn) in ["templates", "users"].into_iter().zip(cloud.write_due_snapshots().await?) {
        if let SnapshotRun::Made { rows, bytes } = turn {
            done.made += 1;
            tracing::info!(list, rows, bytes, "a snapshot was written");
        }
    }
    Ok(done)
}

pub fn main() -> ExitCode {
    lambda::run_events("list-snapshots", list_snapshots)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sample_schedule_event_is_parsed() {
        serde_json::from_str::<super::ScheduledEvent>(include_str!("../events/list-snapshots.json")).unwrap();
    }
}
