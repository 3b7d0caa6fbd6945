//! GET /documents/getDashboardData: usage statistics of the product, for admins. The response also lists the most used
//! templates and the templates that were never used.

use std::collections::BTreeMap;
use std::sync::Arc;

use functions::http::{AcceptedLanguage, Admin, Failure, Json, State};
use functions::wire::{Document, document};
use serde::Serialize;
use utoipa::ToSchema;
use waraq_aws::Cloud;
use waraq_core::Timestamp;
use waraq_core::analytics::{MONTHS, templates_in_use};

#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardResponse {
    pub data: DashboardData,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DashboardData {
    /// Number of all templates, including those that are not in the catalogue.
    pub total_documents: u64,
    /// Number of accounts with a verified e-mail address.
    pub total_users: u64,
    /// Total number of times that templates have been filled.
    pub total_downloads: u64,
    /// Number of existing accounts by the month of their creation, for the last twelve months including the current
    /// one. Months without accounts are left out.
    pub users_by_month: Vec<MonthCount>,
    /// Number of times that templates were filled, by month, in the format of `usersByMonth`.
    pub downloads_by_month: Vec<MonthCount>,
    /// The most used templates of the catalogue, at most five. Use counts may be a minute old.
    pub top_documents: Vec<Document>,
    /// The oldest templates of the catalogue that were never used, at most five.
    pub unused_documents: Vec<Document>,
    /// Number of templates of the catalogue that were never used.
    pub total_unused_documents: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct MonthCount {
    pub year: u32,
    /// The month in UTC, 1 to 12.
    pub month: u32,
    pub count: u64,
}

#[utoipa::path(get, path = "/api/v1/documents/getDashboardData", tag = "documents", security(("bearer" = [])), responses(
    (status = 200, body = DashboardResponse),
))]
pub async fn dashboard(
    State(cloud): State<Arc<Cloud>>,
    Admin(_): Admin,
    AcceptedLanguage(names): AcceptedLanguage,
) -> Result<Json<DashboardResponse>, Failure> {
    let (counts, rows) = tokio::try_join!(cloud.counters().counts(), cloud.templates().rows())?;
    let templates = templates_in_use(&rows);
    let now = cloud.clock().now();
    Ok(Json(DashboardResponse {
        data: DashboardData {
            total_documents: templates.total as u64,
            total_users: counts.users,
            total_downloads: counts.uses,
            users_by_month: last_twelve_months(&counts.users_by_month, now),
            downloads_by_month: last_twelve_months(&counts.uses_by_month, now),
            top_documents: templates.top.into_iter().map(|(template, uses)| document(template, uses, names)).collect(),
            unused_documents: templates.unused.into_iter().map(|template| document(template, 0, names)).collect(),
            total_unused_documents: templates.unused_total as u64,
        },
    }))
}

/// Returns the entries of the last twelve months including the current one, oldest first. `months` has keys such as
/// `2026-11`. Months with the count 0 are left out.
fn last_twelve_months(months: &BTreeMap<String, u64>, now: Timestamp) -> Vec<MonthCount> {
    let number = |month: &str| -> Option<(u32, u32)> {
        let (year, month) = month.split_once('-')?;
        Some((year.parse().ok()?, month.parse().ok()?))
    };
    let index = |(year, month): (u32, u32)| year as usize * 12 + month as usize;
    let Some(this_month) = number(&now.month()).map(index) else { return Vec::new() };
    let entries = months.iter().filter_map(|(month, count)| number(month).map(|month| (month, *count)));
    let lately = entries.filter(|(month, count)| {
        *count > 0 && (this_month.saturating_sub(MONTHS - 1)..=this_month).contains(&index(*month))
    });
    lately.map(|((year, month), count)| MonthCount { year, month, count }).collect()
}

functions::route!(dashboard);
