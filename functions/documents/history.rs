//! GET /documents/{id}/history: who has done what to a template, and when, for admins.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, Path, State};
use functions::wire::history::{Doer, Doers};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::history::{Entry, Part, What};
use waraq_core::template::document_not_found;

/// One thing that was done.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    pub at: String,
    /// Null: nobody signed in, as where the starting catalogue was published.
    pub by: Option<Doer>,
    pub what: Deed,
    /// Of an edit, what it has changed.
    pub changes: Vec<PartChange>,
    /// Of a restored version, its number and that of the version it is.
    pub template_version: Option<u32>,
    pub from_version: Option<u32>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Deed {
    Published,
    Edited,
    Deactivated,
    Activated,
    Restored,
}

/// One part that an edit has changed; empty texts: there was none, or is none.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartChange {
    pub part: Part,
    /// Titles; names of categories; codes of languages and countries; of the file, the version's number; of fields, the
    /// names of those of which another thing is said than before.
    pub from: String,
    pub to: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryResponse {
    /// The newest first.
    pub history: Vec<HistoryEntry>,
}

#[utoipa::path(get, path = "/api/v1/documents/{id}/history", tag = "documents", params(("id" = String, Path)),
    security(("bearer" = [])), responses(
    (status = 200, body = HistoryResponse),
))]
pub async fn history(
    State(cloud): State<Arc<Cloud>>,
    Admin(_): Admin,
    Path(id): Path<String>,
) -> Result<Json<HistoryResponse>, Failure> {
    cloud.templates().row(&id).await?.ok_or_else(document_not_found)?;
    let entries = cloud.history().of_template(&id).await?;
    let doers = Doers::of(&cloud, &entries).await?;
    let history = entries.into_iter().map(|entry| described(entry, &doers)).collect();
    Ok(Json(HistoryResponse { history }))
}

fn described(entry: Entry, doers: &Doers) -> HistoryEntry {
    let what = entry.deed.what.clone();
    let mut described = HistoryEntry {
        at: entry.at.rfc3339(),
        by: doers.of_entry(&entry),
        what: Deed::Edited,
        changes: Vec::new(),
        template_version: None,
        from_version: None,
    };
    match what {
        What::Published { .. } => described.what = Deed::Published,
        What::Edited { changes } => {
            let changes = changes.into_iter();
            described.changes =
                changes.map(|change| PartChange { part: change.part, from: change.from, to: change.to }).collect();
        }
        What::Deactivated => described.what = Deed::Deactivated,
        What::Activated => described.what = Deed::Activated,
        What::Restored { version, from } => {
            described.what = Deed::Restored;
            (described.template_version, described.from_version) = (Some(version), Some(from));
        }
    }
    described
}

functions::route!(history, refuses: [DocumentNotFound]);
