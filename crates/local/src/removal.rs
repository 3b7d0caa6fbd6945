//! What the function behind the table's stream does in the cloud about accounts that are deleted: what is left of them is taken away.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::background::Background;

/// Goes on with every account that is marked: at the start, whenever `deleted` says that there may be another, and each `every`, until `ended`.
pub async fn drive(background: Arc<Background>, every: Duration, deleted: Arc<Notify>, ended: CancellationToken) {
    let mut timer = tokio::time::interval(every);
    loop {
        tokio::select! {
            _ = timer.tick() => {}
            () = deleted.notified() => {}
            () = ended.cancelled() => return,
        }
        if let Err(error) = background.remove_gone(serde_json::json!([])).await {
            tracing::warn!(error = format!("{error:#}"), "what is left of deleted accounts could not be taken away");
        }
    }
}
