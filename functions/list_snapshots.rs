//! No route: makes snapshots of lists that are long, so that a cold function reads a file instead of the whole index (`waraq_aws::snapshots` has
//! the whole of it). The clock wakes it each hour; where nothing is to be done it reads a few stamps. Locally the gateway drives the same code.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::{Error, lambda};
use serde::{Deserialize, Serialize};
use waraq_aws::{Cloud, SnapshotTurn};

/// What the clock says matters to nobody.
#[derive(Debug, Default, Deserialize)]
pub struct Woken {}

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Done {
    /// Snapshots that were made.
    pub made: usize,
}

pub async fn list_snapshots(cloud: Arc<Cloud>, _: Woken) -> Result<Done, Error> {
    let mut done = Done::default();
    for (list, turn) in ["templates", "users"].into_iter().zip(cloud.make_snapshots().await?) {
        if let SnapshotTurn::Made { rows, bytes } = turn {
            done.made += 1;
            tracing::info!(list, rows, bytes, "a snapshot is made");
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
    fn what_wakes_it() {
        serde_json::from_str::<super::Woken>(include_str!("../events/list-snapshots.json")).unwrap();
    }
}
