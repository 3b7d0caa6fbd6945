//! Makes snapshots of long lists. In the cloud, a schedule triggers this.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::background::Background;

/// Makes all snapshots that are due. Repeats this at each interval `every`, until `ended`.
pub async fn drive(background: Arc<Background>, every: Duration, ended: CancellationToken) {
    let mut timer = tokio::time::interval(every);
    // The first tick comes at once. It is skipped, because other work is done at the start.
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
