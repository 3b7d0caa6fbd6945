//! What the function behind the table's stream does in the cloud: mails of the outbox are sent as they come.

use std::sync::Arc;
use std::time::Duration;

use functions::outbox::Done;
use functions::stream::Event;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use waraq_aws::Cloud;

/// How soon a mail that was not taken is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// Sends whatever waits at the start, then whenever `written` says that something may have been written, until `ended`.
pub async fn drive(cloud: Arc<Cloud>, written: Arc<Notify>, ended: CancellationToken) {
    loop {
        let left = functions::outbox::outbox(Arc::clone(&cloud), Event::default()).await;
        if let Err(error) = &left {
            tracing::warn!(code = %error.code, cause = error.cause.as_deref(), "the outbox could not be emptied");
        }
        let again = async {
            match left {
                Ok(Done { left: 0 }) => std::future::pending().await,
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
