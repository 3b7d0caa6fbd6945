//! Sends the mails in the outbox. In the cloud, the table's stream starts the function that sends them.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use crate::background::Background;

/// Delay before an undelivered mail is retried.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Sends waiting mails at the start, and then whenever `written` signals that there may be a new mail, until `ended`.
pub async fn drive(background: Arc<Background>, written: Arc<Notify>, ended: CancellationToken) {
    loop {
        let left = background.send_mails().await;
        if let Err(error) = &left {
            tracing::warn!(error = format!("{error:#}"), "the mails in the outbox could not be sent");
        }
        let again = async {
            match left {
                Ok(0) => std::future::pending().await,
                _ => tokio::time::sleep(RETRY_DELAY).await,
            }
        };
        tokio::select! {
            () = written.notified() => {}
            () = again => {}
            () = ended.cancelled() => return,
        }
    }
}
