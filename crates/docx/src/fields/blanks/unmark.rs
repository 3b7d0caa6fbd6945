//! The reverse of marking.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::fields::edits::apply_edits;
use crate::{Package, Result};

/// A change that marking made to a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MarkChange {
    /// The part of the package.
    pub part: String,
    /// The byte offset of the inserted markup in the marked part.
    pub start: usize,
    /// The markup that marking inserted.
    pub inserted: String,
    /// The markup that was there before.
    pub removed: String,
}

/// A document without its marks. Its JSON is the report without the document.
#[derive(Debug, Clone, Serialize)]
pub struct Unmarked {
    /// The document.
    #[serde(skip)]
    pub package: Package,
    /// The number of changes that were undone.
    pub undone: usize,
    /// The number of changes that stay, because the document was changed at their places afterwards.
    pub kept: usize,
}

/// Undoes the changes of [`super::mark_fields`]. If only marking changed the document, all parts have their original bytes. A
/// change stays if the document has other bytes at its place now.
///
/// # Errors
/// The errors of the budget of the package.
pub fn unmark_fields(package: &Package, changes: &[MarkChange]) -> Result<Unmarked> {
    let mut by_part: BTreeMap<&str, Vec<&MarkChange>> = BTreeMap::new();
    for change in changes {
        by_part.entry(&change.part).or_default().push(change);
    }
    let mut unmarked = Unmarked { package: package.clone(), undone: 0, kept: 0 };
    for (part, changes) in by_part {
        let Some(text) = package.part_text(part) else {
            unmarked.kept += changes.len();
            continue;
        };
        if !package.meter().spend(text.len() / 8 + changes.len()) {
            package.meter().outcome()?;
        }
        let mut edits: BTreeMap<usize, (usize, String)> = BTreeMap::new();
        for change in changes {
            let end = change.start.saturating_add(change.inserted.len());
            let is_there = text.get(change.start..end) == Some(change.inserted.as_str());
            let before = edits.range(..=change.start).next_back();
            let after = edits.range(change.start..).next();
            let is_free = before
                .is_none_or(|(start, (before_end, _))| *before_end <= change.start && *start != change.start)
                && after.is_none_or(|(start, _)| *start >= end);
            if is_there && is_free {
                edits.insert(change.start, (end, change.removed.clone()));
            } else {
                unmarked.kept += 1;
            }
        }
        if !edits.is_empty() {
            unmarked.undone += edits.len();
            let restored = apply_edits(text, edits)?;
            unmarked.package = unmarked.package.with_part(part, restored.into_bytes());
        }
    }
    package.meter().outcome()?;
    Ok(unmarked)
}
