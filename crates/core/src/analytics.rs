//! Usage figures. Each action and its count are written in the same transaction, so the figures are exact. One call reads all
//! figures, however many accounts and templates there are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use crate::Result;
use crate::catalogue::{ListedTemplate, TemplateRows};
use crate::template::TemplateStatus;

/// Number of months in a chart; the current month is the last (specification §9).
pub const MONTHS: usize = 12;
/// Maximum number of templates in each list on the admin's dashboard.
pub const DASHBOARD_TEMPLATES: usize = 5;

/// The usage counters: totals, and numbers for each month. The keys of the maps are months in UTC, such as `2026-11`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of accounts with a verified address.
    pub users: u64,
    /// The number of accounts with a verified address, by the month in which the account was created.
    pub users_by_month: BTreeMap<String, u64>,
    /// The number of filled documents.
    pub uses: u64,
    pub uses_by_month: BTreeMap<String, u64>,
}

/// The store of the usage counters.
#[async_trait]
pub trait Counters: Send + Sync {
    /// Returns the usage counters. The read is consistent.
    async fn counts(&self) -> Result<Counts>;
}

/// Figures about the use of templates, for the admin's dashboard.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplatesInUse {
    /// The number of all templates, including inactive ones.
    pub total: usize,
    /// The most used active templates with their numbers of uses, most used first. At most [`DASHBOARD_TEMPLATES`].
    pub top: Vec<(ListedTemplate, u64)>,
    /// The number of active templates that were never used. The list `unused` has the oldest of these templates, at most
    /// [`DASHBOARD_TEMPLATES`].
    pub unused_total: usize,
    pub unused: Vec<ListedTemplate>,
}

pub fn templates_in_use(rows: &TemplateRows) -> TemplatesInUse {
    let active = || rows.newest_first().filter(|row| row.status == TemplateStatus::Active);
    // Templates with equal uses are ordered by their position, so they stay newest first.
    let mut top: BTreeSet<(Reverse<u64>, usize)> = BTreeSet::new();
    for (place, row) in active().enumerate().filter(|(_, row)| row.uses() > 0) {
        top.insert((Reverse(row.uses()), place));
        if top.len() > DASHBOARD_TEMPLATES {
            top.pop_last();
        }
    }
    let unused = || active().rev().filter(|row| row.uses() == 0);
    let shown = |place: usize| active().nth(place).map(|row| (rows.template(row), row.uses()));
    TemplatesInUse {
        total: rows.total(),
        top: top.into_iter().filter_map(|(_, place)| shown(place)).collect(),
        unused_total: unused().count(),
        unused: unused().take(DASHBOARD_TEMPLATES).map(|row| rows.template(row)).collect(),
    }
}
