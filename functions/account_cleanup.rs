//! Account clean-up: a Lambda function that handles events instead of HTTP requests. The table's stream invokes it:
//! - for a new deletion marker, it deletes all remaining data of the account;
//! - for a registration that was never verified and that TTL has deleted, it deletes the password;
//! - for an expired announcement of files of saved documents, it deletes the files unless a record refers to them (see
//!   `waraq_core::saved`);
//! - for an expired announcement of a private template, it deletes the files and versions unless its row exists (see
//!   `waraq_core::private_templates`).
//!
//! A schedule also invokes the function, without records, to finish interrupted clean-ups. The scheduled run also does
//! the last step for each account: it deletes the deletion marker (see `waraq_core::accounts::SETTLE_SECONDS`). On a
//! local server, `crates/local` runs the same code.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::metrics::{self, Metric};
use functions::http::{Error, lambda};
use functions::stream::{FailedRecord, StreamEvent};
use serde::Serialize;
use waraq_aws::{Cloud, DELETION_MARKERS, account_of_profile, announced_files, announced_template};
use waraq_core::accounts::delete_password_of_missing_account;
use waraq_core::private_templates::end_announcement;

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct CleanupResult {
    /// Number of expired registrations whose password this run deleted.
    pub forgotten: usize,
    /// Number of saved document versions and of private templates whose files were deleted.
    pub files: usize,
    /// Number of accounts that still have a deletion marker. The next scheduled run continues with these accounts.
    pub left: usize,
    /// The records that failed. The platform must send them again.
    #[serde(rename = "batchItemFailures")]
    pub failed: Vec<FailedRecord>,
}

/// Processes every record and returns those that failed. The platform sends them again, together with all later
/// records, so repeating a deletion is not an error. Records that fail too often are stored in the dead-letter bucket;
/// `cargo xtask cloud STACK replay` processes them again.
pub async fn account_cleanup(cloud: Arc<Cloud>, event: StreamEvent) -> Result<CleanupResult, Error> {
    if event.records.is_empty() {
        return Ok(CleanupResult { left: cloud.account_cleanup().clean_up_all().await?, ..CleanupResult::default() });
    }
    let mut done = CleanupResult::default();
    for record in &event.records {
        let keys = &record.dynamodb.keys;
        let tried = match (record.event_name.as_str(), account_of_profile(&keys.pk.text, &keys.sk.text)) {
            ("REMOVE", Some(id)) => {
                let gone = delete_password_of_missing_account(cloud.accounts(), cloud.password_store(), id).await;
                gone.map(|gone| done.forgotten += usize::from(gone))
            }
            ("INSERT", None) if keys.pk.text == DELETION_MARKERS => {
                let finished = cloud.account_cleanup().clean_up(&keys.sk.text).await;
                finished.map(|finished| done.left += usize::from(!finished))
            }
            ("REMOVE", None) => match announced_files(&keys.pk.text, &keys.sk.text) {
                Some(files) => {
                    let gone = cloud.saved_documents().end_announcement(&files).await;
                    gone.map(|gone| done.files += usize::from(gone))
                }
                None => match announced_template(&keys.pk.text, &keys.sk.text) {
                    Some((owner, id)) => {
                        let gone = end_announcement(cloud.private_templates(), cloud.files(), owner, id).await;
                        gone.map(|gone| done.files += usize::from(gone))
                    }
                    None => Ok(()),
                },
            },
            _ => Ok(()),
        };
        if let Err(error) = tried {
            tracing::error!(code = %error.code, cause = error.cause.as_deref(), "a record is not done");
            done.failed.push(record.failed());
        }
    }
    if !done.failed.is_empty() {
        metrics::write_metrics(&[(Metric::RecordsFailed, done.failed.len() as u64)]);
    }
    Ok(done)
}

pub fn main() -> ExitCode {
    lambda::run_events("account-cleanup", account_cleanup)
}

#[cfg(test)]
mod tests {
    use functions::stream::StreamEvent;
    use waraq_aws::{DELETION_MARKERS, account_of_profile, announced_files};

    #[test]
    fn sample_stream_event_is_parsed() {
        let stream: StreamEvent = serde_json::from_str(include_str!("../events/account-cleanup.json")).unwrap();
        let [expired, deleted, files] = stream.records.as_slice() else { panic!("{stream:?}") };
        assert_eq!(expired.event_name, "REMOVE");
        assert_eq!(serde_json::to_value(expired.failed()).unwrap(), serde_json::json!({ "itemIdentifier": "112" }));
        let keys = &expired.dynamodb.keys;
        assert_eq!(account_of_profile(&keys.pk.text, &keys.sk.text), Some("01kc4n0000000000000000000b"));
        assert_eq!(account_of_profile(&keys.pk.text, "PASSWORD"), None);
        assert_eq!((deleted.event_name.as_str(), deleted.dynamodb.keys.pk.text.as_str()), ("INSERT", DELETION_MARKERS));
        let keys = &files.dynamodb.keys;
        assert_eq!(files.event_name, "REMOVE");
        let files = announced_files(&keys.pk.text, &keys.sk.text).unwrap();
        assert_eq!(files.pdf(), "saved/01kc4n0000000000000000000b/01kc4n0000000000000000000d.pdf");
    }
}
