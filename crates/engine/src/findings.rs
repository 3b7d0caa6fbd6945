//! What is wrong with a template, and what of a document cannot be set.

use waraq_docx::fields::Checked;
use waraq_rules::Finding;

use crate::{Budget, Package, Result};

/// What is wrong with a template's fields, at once. It is not set for this: what only setting shows is in
/// `Pages::warnings` and `Pdf::warnings`; [`with_warnings`] puts all in one list.
pub fn check(package: &Package) -> Result<Vec<Finding>> {
    Ok(of(&package.within(&Budget::default()))?.findings)
}

/// The same with the fields, counting against the package's own budget.
pub(crate) fn of(package: &Package) -> Result<Checked> {
    waraq_docx::fields::check(package)
}

/// The findings and what setting the document added to them.
pub fn with_warnings(mut findings: Vec<Finding>, warnings: impl IntoIterator<Item = Finding>) -> Vec<Finding> {
    let same = |known: &Finding, warning: &Finding| {
        known.code == warning.code && known.message == warning.message && known.part == warning.part
    };
    for warning in warnings {
        if !findings.iter().any(|known| same(known, &warning)) {
            findings.push(warning);
        }
    }
    findings
}
