//! What the function behind the table's stream does in the cloud: mails of the outbox are sent as they come.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::background::Background;

/// How soon a mail that was not taken is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// Sends whatever waits at the start, then whenever `written` says that something may have been written, until `ended`.
pub async fn drive(background: Arc<Background>, written: Arc<Notify>, ended: CancellationToken) {
    loop {
        let left = background.send_mails().await;
        if let Err(error) = &left {
            tracing::warn!(error = format!("{error:#}"), "the outbox could not be emptied");
        }
        let again = async {
            match left {
                Ok(0) => std::future::pending().await,
                _ => tokio::time::sleep(AGAIN).await,
            }
        };
        tokio::select! {
            () = written.notified() => {}
            () = again => {}
            () = ended.cancelled() => return,
        }
    }
}
