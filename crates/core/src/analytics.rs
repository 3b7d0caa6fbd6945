//! What the product is used for, in numbers. They are counted where something happens, in the transaction in which it happens: so they are
//! exact, and reading them costs one call however many people and templates there are.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use crate::Result;
use crate::catalogue::{ListedTemplate, Rows};
use crate::template::Status;

/// Months a chart shows, the present one the last (specification §9).
pub const MONTHS: usize = 12;
/// Templates a list of the dashboard shows.
pub const SHOWN: usize = 5;

/// Counted ever since, and by month (`2026-11`, UTC).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Accounts there are whose address is proven.
    pub users: u64,
    /// Of these, by when they were made.
    pub users_by_month: BTreeMap<String, u64>,
    /// Documents made.
    pub uses: u64,
    pub uses_by_month: BTreeMap<String, u64>,
}

/// Where it is counted.
#[async_trait]
pub trait Counters: Send + Sync {
    /// As of now.
    async fn counts(&self) -> Result<Counts>;
}

/// What an admin may want to do something about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplatesInUse {
    /// All there are, those out of the catalogue too.
    pub total: usize,
    /// Of the catalogue, the most used first, with their uses: [`SHOWN`] at most.
    pub top: Vec<(ListedTemplate, u64)>,
    /// Of the catalogue, how many were never used; the oldest of them, [`SHOWN`] at most.
    pub unused_total: usize,
    pub unused: Vec<ListedTemplate>,
}

pub fn templates_in_use(rows: &Rows) -> TemplatesInUse {
    let active = || rows.newest_first().filter(|row| row.status == Status::Active);
    // In the order of places, equally used ones stay newest first.
    let mut top: BTreeSet<(Reverse<u64>, usize)> = BTreeSet::new();
    for (place, row) in active().enumerate().filter(|(_, row)| row.uses() > 0) {
        top.insert((Reverse(row.uses()), place));
        if top.len() > SHOWN {
            top.pop_last();
        }
    }
    let unused = || active().rev().filter(|row| row.uses() == 0);
    let shown = |place: usize| active().nth(place).map(|row| (rows.template(row), row.uses()));
    TemplatesInUse {
        total: rows.total(),
        top: top.into_iter().filter_map(|(_, place)| shown(place)).collect(),
        unused_total: unused().count(),
        unused: unused().take(SHOWN).map(|row| rows.template(row)).collect(),
    }
}
