//! GET /categories/history: the audit log of renamed, merged and separated categories, for admins.

use std::collections::BTreeMap;
use std::sync::Arc;

use functions::http::{Admin, Failure, Json, State};
use functions::wire::history::{Doer, Doers};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::history::{CategoryWhat, Entry};

/// An audit event.
#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryHistoryEntry {
    pub at: String,
    pub by: Option<Doer>,
    pub what: CategoryDeed,
    /// The name that templates carry.
    pub category: String,
    /// For a merge, the category that remains; for a separation, the category it was merged into.
    pub other: Option<String>,
    /// For a rename, the names before (`from`) and after (`to`), by interface language.
    pub from: BTreeMap<String, String>,
    pub to: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CategoryDeed {
    Renamed,
    Merged,
    Separated,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryHistoryResponse {
    /// Audit events, newest first. Changes made before the audit log existed are missing.
    pub history: Vec<CategoryHistoryEntry>,
}

#[utoipa::path(get, path = "/api/v1/categories/history", tag = "lookups", security(("bearer" = [])), responses(
    (status = 200, body = CategoryHistoryResponse),
))]
pub async fn categories_history(
    State(cloud): State<Arc<Cloud>>,
    Admin(_): Admin,
) -> Result<Json<CategoryHistoryResponse>, Failure> {
    let entries = cloud.history().of_categories().await?;
    let doers = Doers::of(&cloud, &entries).await?;
    let history = entries.into_iter().map(|entry| described(entry, &doers)).collect();
    Ok(Json(CategoryHistoryResponse { history }))
}

fn described(entry: Entry<CategoryWhat>, doers: &Doers) -> CategoryHistoryEntry {
    let (at, by) = (entry.at.rfc3339(), doers.of_entry(&entry));
    let (what, category, other, from, to) = match entry.deed.what {
        CategoryWhat::Renamed { name, from, to } => (CategoryDeed::Renamed, name, None, from, to),
        CategoryWhat::Merged { name, into } => {
            (CategoryDeed::Merged, name, Some(into), BTreeMap::new(), BTreeMap::new())
        }
        CategoryWhat::Separated { name, from } => {
            (CategoryDeed::Separated, name, Some(from), BTreeMap::new(), BTreeMap::new())
        }
    };
    CategoryHistoryEntry { at, by, what, category, other, from, to }
}

functions::route!(categories_history);
