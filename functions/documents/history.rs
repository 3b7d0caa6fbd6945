//! GET /documents/{id}/history: the audit log of a template, for admins.

use std::sync::Arc;

use functions::http::{Admin, Failure, Json, Path, State};
use functions::wire::audit_log::{Actor, Actors};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::audit_log::{AuditLogEntry, TemplateChange, TemplatePart};
use waraq_core::template::document_not_found;

/// An audit event of a template.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryEntry {
    pub at: String,
    /// The user who made the change. Null for changes without a signed-in user, such as the publication of the first
    /// templates of a new installation.
    pub by: Option<Actor>,
    pub what: TemplateEventKind,
    /// The changes of an edit; empty for other events.
    pub changes: Vec<PartChange>,
    /// For a restored version, its new number (`templateVersion`) and the number of the version it was restored from
    /// (`fromVersion`). Otherwise null.
    pub template_version: Option<u32>,
    pub from_version: Option<u32>,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Deed)]
pub enum TemplateEventKind {
    Published,
    Edited,
    Deactivated,
    Activated,
    Restored,
}

/// A part of the template that an edit changed. An empty text in `from` or `to` means that there was no value.
#[derive(Debug, Serialize, ToSchema)]
pub struct PartChange {
    pub part: TemplatePart,
    /// The value before (`from`) and after (`to`) the edit: a title, names of categories, or a code of a language or
    /// country. For the file, the number of the version; for fields, the names of the fields whose settings changed.
    pub from: String,
    pub to: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct HistoryResponse {
    /// Audit events, newest first.
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
    cloud.templates().template_without_uses(&id).await?.ok_or_else(document_not_found)?;
    let entries = cloud.audit_log().template_events(&id).await?;
    let doers = Actors::look_up(&cloud, &entries).await?;
    let history = entries.into_iter().map(|entry| history_entry(entry, &doers)).collect();
    Ok(Json(HistoryResponse { history }))
}

fn history_entry(entry: AuditLogEntry, doers: &Actors) -> HistoryEntry {
    let what = entry.event.what.clone();
    let mut described = HistoryEntry {
        at: entry.at.rfc3339(),
        by: doers.actor_of(&entry),
        what: TemplateEventKind::Edited,
        changes: Vec::new(),
        template_version: None,
        from_version: None,
    };
    match what {
        TemplateChange::Published { .. } => described.what = TemplateEventKind::Published,
        TemplateChange::Edited { changes } => {
            let changes = changes.into_iter();
            described.changes =
                changes.map(|change| PartChange { part: change.part, from: change.from, to: change.to }).collect();
        }
        TemplateChange::Deactivated => described.what = TemplateEventKind::Deactivated,
        TemplateChange::Activated => described.what = TemplateEventKind::Activated,
        TemplateChange::Restored { version, from } => {
            described.what = TemplateEventKind::Restored;
            (described.template_version, described.from_version) = (Some(version), Some(from));
        }
    }
    described
}

functions::route!(history, refuses: [DocumentNotFound]);
