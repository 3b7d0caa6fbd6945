//! No route: takes away the password of an account that is gone, as the table's stream tells of it. A registration nobody proved goes by
//! TTL, which knows nothing of Cognito. Locally the sweep of expired items drives the same code.

use std::process::ExitCode;
use std::sync::Arc;

use functions::http::{Error, lambda};
use functions::stream::Event;
use serde::Serialize;
use waraq_aws::{Cloud, account_of_profile};
use waraq_core::accounts::forget_password_of_gone;

#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Done {
    /// Accounts whose password is gone with them.
    pub forgotten: usize,
}

/// Tries every record; a fault is told at the end, and the platform sends all of them again: what is gone already is no fault.
pub async fn gone_accounts(cloud: Arc<Cloud>, event: Event) -> Result<Done, Error> {
    let (mut forgotten, mut fault) = (0, None);
    for record in event.records.iter().filter(|record| record.event_name == "REMOVE") {
        let keys = &record.dynamodb.keys;
        let Some(id) = account_of_profile(&keys.pk.text, &keys.sk.text) else { continue };
        match forget_password_of_gone(cloud.accounts(), cloud.identity(), id).await {
            Ok(gone) => forgotten += usize::from(gone),
            Err(error) => fault = Some(error),
        }
    }
    fault.map_or(Ok(Done { forgotten }), Err)
}

pub fn main() -> ExitCode {
    lambda::run_events("gone-accounts", gone_accounts)
}

#[cfg(test)]
mod tests {
    use functions::stream::Event;
    use waraq_aws::account_of_profile;

    #[test]
    fn what_wakes_it() {
        let stream: Event = serde_json::from_str(include_str!("../events/gone-accounts.json")).unwrap();
        let record = &stream.records[0];
        assert_eq!(record.event_name, "REMOVE");
        let keys = &record.dynamodb.keys;
        assert_eq!(account_of_profile(&keys.pk.text, &keys.sk.text), Some("01kc4n0000000000000000000b"));
        assert_eq!(account_of_profile(&keys.pk.text, "PASSWORD"), None);
    }
}
