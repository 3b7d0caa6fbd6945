//! Snapshots of long lists, which a schedule makes in the cloud.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::background::Background;

/// Makes the snapshots that are due at each interval `every`, until `ended`.
pub async fn drive(background: Arc<Background>, every: Duration, ended: CancellationToken) {
    let mut timer = tokio::time::interval(every);
    // The first tick is immediate; it is skipped because the start has other work.
    timer.tick().await;
    loop {
        tokio::select! {
            _ = timer.tick() => {}
            () = ended.cancelled() => return,
        }
        if let Err(error) = background.make_snapshots().await {
            tracing::warn!(error = format!("{error:#}"), "snapshots of lists could not be written");
        }
    }
}
