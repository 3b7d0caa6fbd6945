//! What the clock does in the cloud about long lists: snapshots of them are made.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::background::Background;

/// Looks each `every` whether a snapshot is to be made, until `ended`.
pub async fn drive(background: Arc<Background>, every: Duration, ended: CancellationToken) {
    let mut timer = tokio::time::interval(every);
    // The first turn is at once, and a house that starts has other work.
    timer.tick().await;
    loop {
        tokio::select! {
            _ = timer.tick() => {}
            () = ended.cancelled() => return,
        }
        if let Err(error) = background.make_snapshots().await {
            tracing::warn!(error = format!("{error:#}"), "snapshots of lists could not be made");
        }
    }
}
