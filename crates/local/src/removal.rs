//! What the function behind the table's stream does in the cloud about accounts that are deleted: what is left of them is taken away.

use std::sync::Arc;
use std::time::Duration;

use functions::gone_accounts::gone_accounts;
use functions::stream::Event;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use waraq_aws::Cloud;

/// Goes on with every account that is marked: at the start, whenever `deleted` says that there may be another, and each `every`, until `ended`.
pub async fn drive(cloud: Arc<Cloud>, every: Duration, deleted: Arc<Notify>, ended: CancellationToken) {
    let mut timer = tokio::time::interval(every);
    loop {
        tokio::select! {
            _ = timer.tick() => {}
            () = deleted.notified() => {}
            () = ended.cancelled() => return,
        }
        if let Err(error) = gone_accounts(Arc::clone(&cloud), Event::default()).await {
            tracing::warn!(code = %error.code, cause = error.cause.as_deref(), "what is left of deleted accounts could not be taken away");
        }
    }
}
