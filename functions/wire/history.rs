//! Histories on the wire: who has done what, and when.

use std::collections::HashMap;

use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Result;
use waraq_core::history::Entry;

/// Who has done it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Doer {
    #[serde(rename = "_id")]
    pub id: String,
    /// Null: the account is deleted.
    pub name: Option<String>,
}

/// Those who have done things, by their ids.
pub struct Doers(HashMap<String, Option<String>>);

impl Doers {
    /// Names are looked up now: an account that is deleted leaves none behind.
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
