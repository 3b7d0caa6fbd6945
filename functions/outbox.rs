//! A Lambda function that delivers the mails in the outbox. It sends new mails when the table's stream reports them,
//! and retries undelivered mails each minute. Locally, the gateway runs the same code.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::metrics::{self, Metric};
use functions::http::{Error, lambda};
use functions::stream::StreamEvent;
use serde::Serialize;
use waraq_aws::{Cloud, OUTBOX_PREFIX};
use waraq_core::mail::DeliveryReport;

/// The result of the function. It never lists failed records: an undelivered mail stays in the outbox for the next
/// scheduled run and does not block later mails.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutboxResult {
    /// Number of mails that will be retried.
    pub left: usize,
}

pub async fn outbox(cloud: Arc<Cloud>, event: StreamEvent) -> Result<OutboxResult, Error> {
    let sender = cloud.outbox_sender()?;
    if event.records.is_empty() {
        let report = sender.deliver_all().await?;
        let age = report.oldest.map_or(0, |oldest| cloud.clock().now().seconds().saturating_sub(oldest.seconds()));
        write_removals(&report);
        metrics::write_metrics(&[(Metric::MailsWaiting, report.remaining as u64), (Metric::OldestMailSeconds, age)]);
        return Ok(OutboxResult { left: report.remaining });
    }
    let mut report = DeliveryReport::default();
    for record in &event.records {
        let Some(id) = record.dynamodb.keys.pk.text.strip_prefix(OUTBOX_PREFIX) else { continue };
        report.count(sender.deliver(id).await?);
    }
    write_removals(&report);
    Ok(OutboxResult { left: report.remaining })
}

/// Writes the metrics of mails that were removed without being sent.
fn write_removals(report: &DeliveryReport) {
    if report.expired + report.undeliverable > 0 {
        metrics::write_metrics(&[
            (Metric::MailsExpired, report.expired as u64),
            (Metric::MailsUndeliverable, report.undeliverable as u64),
        ]);
    }
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
