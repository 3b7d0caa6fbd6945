//! What the product is used for, in numbers. They are counted where something happens, in the transaction in which it happens: so they are
//! exact, and reading them costs one call however many people and templates there are.

use std::collections::BTreeMap;

use async_trait::async_trait;

use crate::Result;
use crate::catalogue::Rows;
use crate::template::{Status, Template};

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
    pub top: Vec<(Template, u64)>,
    /// Of the catalogue, how many were never used; the oldest of them, [`SHOWN`] at most.
    pub unused_total: usize,
    pub unused: Vec<Template>,
}

pub fn templates_in_use(rows: &Rows) -> TemplatesInUse {
    let active = || rows.templates().filter(|template| template.status == Status::Active);
    let mut used: Vec<(&Template, u64)> =
        active().map(|template| (template, rows.uses(&template.id))).filter(|(_, uses)| *uses > 0).collect();
    // Stable: equally used ones stay newest first.
    used.sort_by_key(|(_, uses)| std::cmp::Reverse(*uses));
    let unused: Vec<&Template> = active().filter(|template| rows.uses(&template.id) == 0).collect();
    TemplatesInUse {
        total: rows.templates().count(),
        top: used.into_iter().take(SHOWN).map(|(template, uses)| (template.clone(), uses)).collect(),
        unused_total: unused.len(),
        unused: unused.into_iter().rev().take(SHOWN).cloned().collect(),
    }
}
