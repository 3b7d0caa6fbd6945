//! A Lambda function that delivers the mails in the outbox. It sends new mails when the table's stream reports them,
//! and retries undelivered mails each minute. Locally, the gateway runs the same code.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::metrics::{self, Metric};
use functions::http::{Error, lambda};
use functions::stream::StreamEvent;
use serde::Serialize;
use waraq_aws::{Cloud, OUTBOX_PREFIX};

/// The result of the function. It never lists failed records: an undelivered mail stays in the outbox for the next
/// scheduled run and does not block later mails.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutboxResult {
    /// Number of mails that will be retried.
    pub left: usize,
}

pub async fn outbox(cloud: Arc<Cloud>, event: StreamEvent) -> Result<OutboxResult, Error> {
    let post = cloud.outbox_sender()?;
    if event.records.is_empty() {
        let left = post.deliver_all().await?;
        let age = left.oldest.map_or(0, |oldest| cloud.clock().now().seconds().saturating_sub(oldest.seconds()));
        metrics::write_metrics(&[(Metric::MailsWaiting, left.mails as u64), (Metric::OldestMailSeconds, age)]);
        return Ok(OutboxResult { left: left.mails });
    }
    let mut left = 0;
    for record in &event.records {
        let Some(id) = record.dynamodb.keys.pk.text.strip_prefix(OUTBOX_PREFIX) else { continue };
        left += usize::from(post.deliver(id).await? == waraq_core::mail::DeliveryOutcome::Postponed);
    }
    Ok(OutboxResult { left })
}

pub fn main() -> ExitCode {
    lambda::run_events("outbox", outbox)
}

#[cfg(test)]
mod tests {
    use functions::stream::StreamEvent;

    #[test]
    fn stream_and_schedule_events_are_parsed() {
        let stream: StreamEvent = serde_json::from_str(include_str!("../events/outbox.json")).unwrap();
        assert!(stream.records[0].dynamodb.keys.pk.text.starts_with(super::OUTBOX_PREFIX));
        let clock: StreamEvent =
            serde_json::from_str(r#"{"source":"aws.events","detail-type":"Scheduled Event"}"#).unwrap();
        assert!(clock.records.is_empty());
    }
}
