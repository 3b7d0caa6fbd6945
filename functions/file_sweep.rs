//! A Lambda function that deletes unneeded files (see `waraq_core::file_sweep`). A schedule invokes it each day. On a local
//! server, `crates/local` runs the same code.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::{Error, lambda};
use functions::list_snapshots::ScheduledEvent;
use serde::Serialize;
use waraq_aws::Cloud;

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct SweepResult {
    /// Number of files that this run deleted.
    pub removed: usize,
}

pub async fn file_sweep(cloud: Arc<Cloud>, _: ScheduledEvent) -> Result<SweepResult, Error> {
    let removed = cloud.file_sweep().sweep().await?;
    if removed > 0 {
        tracing::info!(removed, "unneeded files were deleted");
    }
    Ok(SweepResult { removed })
}

pub fn main() -> ExitCode {
    lambda::run_events("file-sweep", file_sweep)
}

#[cfg(test)]
mod tests {
    #[test]
    fn sample_schedule_event_is_parsed() {
        serde_json::from_str::<super::ScheduledEvent>(include_str!("../events/file-sweep.json")).unwrap();
    }
}
