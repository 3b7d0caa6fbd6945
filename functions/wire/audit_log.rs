//! Users in audit logs.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Result;
use waraq_core::audit_log::AuditLogEntry;

/// The user who caused an audit event.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Doer)]
pub struct Actor {
    #[serde(rename = "_id")]
    pub id: String,
    /// The name of the user; null if the account is deleted.
    pub name: Option<String>,
}

/// Names of the users of audit events, by user id. The name is `None` if the account is deleted.
pub struct Actors(HashMap<String, Option<String>>);

impl Actors {
    /// Looks up the current names of the users. The audit log stores only their ids, so that a deleted account leaves
    /// no name behind.
    pub async fn look_up<W>(cloud: &Cloud, entries: &[AuditLogEntry<W>]) -> Result<Self> {
        let mut names = HashMap::new();
        for id in entries.iter().filter_map(|entry| entry.event.by.as_ref()) {
            if !names.contains_key(id) {
                let account = cloud.accounts().account(id).await?;
                names.insert(id.clone(), account.map(|account| account.display_name().to_owned()));
            }
        }
        Ok(Self(names))
    }

    pub fn actor_of<W>(&self, entry: &AuditLogEntry<W>) -> Option<Actor> {
        let id = entry.event.by.clone()?;
        Some(Actor { name: self.0.get(&id).cloned().flatten(), id })
    }
}
