//! Clean-up of deleted accounts, which in the cloud is triggered by the table's stream.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::background::Background;

/// Cleans up all accounts that have a deletion marker, until `ended`. This is done at the start, at each interval
/// `every`, and whenever `deleted` signals that an account may have been deleted.
pub async fn drive(background: Arc<Background>, every: Duration, deleted: Arc<Notify>, ended: CancellationToken) {
    let mut timer = tokio::time::interval(every);
    loop {
        tokio::select! {
            _ = timer.tick() => {}
            () = deleted.notified() => {}
            () = ended.cancelled() => return,
        }
        if let Err(error) = background.clean_up_accounts(serde_json::json!([])).await {
            tracing::warn!(error = format!("{error:#}"), "the account clean-up failed");
        }
    }
}
