//! Users in audit logs.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Result;
use waraq_core::history::Entry;

/// The user who caused an audit event.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Doer {
    #[serde(rename = "_id")]
    pub id: String,
    /// The name; null if the account is deleted.
    pub name: Option<String>,
}

/// Names of the users of audit events, by id.
pub struct Doers(HashMap<String, Option<String>>);

impl Doers {
    /// Looks up the names at the time of the call, so that a deleted account leaves no name behind.
    pub async fn of<W>(cloud: &Cloud, entries: &[Entry<W>]) -> Result<Self> {
        let mut names = HashMap::new();
        for id in entries.iter().filter_map(|entry| entry.deed.by.as_ref()) {
            if !names.contains_key(id) {
                let account = cloud.accounts().account(id).await?;
                names.insert(id.clone(), account.map(|account| account.shown_name().to_owned()));
            }
        }
        Ok(Self(names))
    }

    pub fn of_entry<W>(&self, entry: &Entry<W>) -> Option<Doer> {
        let id = entry.deed.by.clone()?;
        Some(Doer { name: self.0.get(&id).cloned().flatten(), id })
    }
}
