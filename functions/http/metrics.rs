//! Business metrics. Each metric is a line of the log in CloudWatch's embedded metric format. Therefore writing a
//! metric needs no API call, which could fail. Only a deployed function writes metrics, because `STACK_NAME` is set
//! only there.

use std::io::Write;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use http::StatusCode;
use serde_json::{Map, Value, json};

/// The CloudWatch namespace of the metrics.
pub const NAMESPACE: &str = "Waraq";
/// The CloudWatch dimension whose value is the name of the stack.
pub const DIMENSION: &str = "Stack";

/// A metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// Number of filled documents.
    Fills,
    /// Number of accounts whose e-mail address was verified.
    SignUps,
    /// Number of template files that were refused at upload.
    RefusedUploads,
    /// Number of mails that wait in the outbox.
    MailsWaiting,
    /// Age in seconds of the oldest mail that waits in the outbox.
    OldestMailSeconds,
    /// Number of mails that were removed from the outbox because they expired before they could be sent.
    MailsExpired,
    /// Number of mails that were removed from the outbox because they can never be delivered.
    MailsUndeliverable,
    /// Number of records of the table's stream that a function failed to process.
    RecordsFailed,
}

impl Metric {
    pub const ALL: [Self; 8] = [
        Self::Fills,
        Self::SignUps,
        Self::RefusedUploads,
        Self::MailsWaiting,
        Self::OldestMailSeconds,
        Self::MailsExpired,
        Self::MailsUndeliverable,
        Self::RecordsFailed,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Fills => "Fills",
            Self::SignUps => "SignUps",
            Self::RefusedUploads => "RefusedUploads",
            Self::MailsWaiting => "MailsWaiting",
            Self::OldestMailSeconds => "OldestMailSeconds",
            Self::MailsExpired => "MailsExpired",
            Self::MailsUndeliverable => "MailsUndeliverable",
            Self::RecordsFailed => "RecordsFailed",
        }
    }

    fn unit(self) -> &'static str {
        if self == Self::OldestMailSeconds { "Seconds" } else { "Count" }
    }
}

/// The value of `STACK_NAME`, the name of the deployed stack. `None` if the function is not deployed.
static STACK: LazyLock<Option<String>> =
    LazyLock::new(|| std::env::var("STACK_NAME").ok().filter(|name| !name.is_empty()));

/// Returns the metric that a response of a function increases by one. `None` if the response increases no metric.
fn metric_of_response(function: &str, status: StatusCode) -> Option<Metric> {
    let refused = [StatusCode::PAYLOAD_TOO_LARGE, StatusCode::UNPROCESSABLE_ENTITY].contains(&status);
    match function {
        "documents-fill-fields" if status.is_success() => Some(Metric::Fills),
        "auth-verify-otp" if status.is_success() => Some(Metric::SignUps),
        "documents-file" | "documents-update" | "documents-check" if refused => Some(Metric::RefusedUploads),
        _ => None,
    }
}

/// Writes the metric that a response of `function` increases by one, if there is such a metric.
pub fn count_response(function: &str, status: StatusCode) {
    if let Some(figure) = metric_of_response(function, status) {
        write_metrics(&[(figure, 1)]);
    }
}

/// Writes metrics with one common timestamp. Does nothing if the function is not deployed.
pub fn write_metrics(figures: &[(Metric, u64)]) {
    let Some(stack) = STACK.as_deref() else { return };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let line = log_line(stack, u64::try_from(now).unwrap_or(u64::MAX), figures);
    // One write, so that other log lines cannot split this one. If the log cannot be written, the metric is lost.
    let _ = std::io::stdout().lock().write_all(format!("{line}\n").as_bytes());
}

fn log_line(stack: &str, now: u64, figures: &[(Metric, u64)]) -> Value {
    let metrics: Vec<Value> =
        figures.iter().map(|(figure, _)| json!({ "Name": figure.name(), "Unit": figure.unit() })).collect();
    let directive = json!({ "Namespace": NAMESPACE, "Dimensions": [[DIMENSION]], "Metrics": metrics });
    let mut line = Map::new();
    line.insert("_aws".to_owned(), json!({ "Timestamp": now, "CloudWatchMetrics": [directive] }));
    line.insert(DIMENSION.to_owned(), stack.into());
    line.extend(figures.iter().map(|(figure, value)| (figure.name().to_owned(), (*value).into())));
    Value::Object(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_line_has_the_embedded_metric_format() {
        let figures = [(Metric::MailsWaiting, 2), (Metric::OldestMailSeconds, 61)];
        assert_eq!(
            log_line("waraq", 1_793_523_600_000, &figures),
            json!({
                "_aws": { "Timestamp": 1_793_523_600_000u64, "CloudWatchMetrics": [{
                    "Namespace": "Waraq",
                    "Dimensions": [["Stack"]],
                    "Metrics": [{ "Name": "MailsWaiting", "Unit": "Count" }, { "Name": "OldestMailSeconds", "Unit": "Seconds" }],
                }] },
                "Stack": "waraq", "MailsWaiting": 2, "OldestMailSeconds": 61,
            })
        );
    }

    #[test]
    fn responses_are_counted_by_function_and_status() {
        assert_eq!(metric_of_response("documents-fill-fields", StatusCode::OK), Some(Metric::Fills));
        assert_eq!(metric_of_response("documents-fill-fields", StatusCode::BAD_REQUEST), None);
        assert_eq!(metric_of_response("auth-verify-otp", StatusCode::OK), Some(Metric::SignUps));
        assert_eq!(
            metric_of_response("documents-check", StatusCode::UNPROCESSABLE_ENTITY),
            Some(Metric::RefusedUploads)
        );
        assert_eq!(metric_of_response("documents-file", StatusCode::CREATED), None);
        assert_eq!(metric_of_response("users-update-me", StatusCode::PAYLOAD_TOO_LARGE), None);
    }
}
