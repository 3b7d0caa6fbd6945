//! GET /categories/history: the audit log of renamed, merged and separated categories, for admins.

use std::collections::BTreeMap;
use std::sync::Arc;

use functions::http::{Admin, Failure, Json, State};
use functions::wire::audit_log::{Actor, Actors};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::audit_log::{AuditLogEntry, CategoryChange};

/// An audit event of a category.
#[derive(Debug, Serialize, ToSchema)]
pub struct CategoryHistoryEntry {
    pub at: String,
    pub by: Option<Actor>,
    pub what: CategoryEventKind,
    /// The name of the category as it is in the `categories` of templates.
    pub category: String,
    /// For a merge, the category that remains. For a separation, the category into which `category` had been merged.
    /// Otherwise null.
    pub other: Option<String>,
    /// For a rename, `from` contains the old names and `to` the new names, by interface language. Both are empty for
    /// other events.
    pub from: BTreeMap<String, String>,
    pub to: BTreeMap<String, String>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CategoryDeed)]
pub enum CategoryEventKind {
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
    let entries = cloud.audit_log().category_events().await?;
    let doers = Actors::look_up(&cloud, &entries).await?;
    let history = entries.into_iter().map(|entry| history_entry(entry, &doers)).collect();
    Ok(Json(CategoryHistoryResponse { history }))
}

fn history_entry(entry: AuditLogEntry<CategoryChange>, doers: &Actors) -> CategoryHistoryEntry {
    let (at, by) = (entry.at.rfc3339(), doers.actor_of(&entry));
    let (what, category, other, from, to) = match entry.event.what {
        CategoryChange::Renamed { name, from, to } => (CategoryEventKind::Renamed, name, None, from, to),
        CategoryChange::Merged { name, into } => {
            (CategoryEventKind::Merged, name, Some(into), BTreeMap::new(), BTreeMap::new())
        }
        CategoryChange::Separated { name, from } => {
            (CategoryEventKind::Separated, name, Some(from), BTreeMap::new(), BTreeMap::new())
        }
    };
    CategoryHistoryEntry { at, by, what, category, other, from, to }
}

functions::route!(categories_history);
