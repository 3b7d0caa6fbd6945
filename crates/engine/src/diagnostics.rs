//! Diagnostics of templates and documents.

use waraq_docx::fields::TemplateCheck;
use waraq_rules::Diagnostic;

use crate::{Budget, Package, Result};

/// Returns the problems of a template's fields. The template is not laid out. Problems found during layout and
/// rendering are in `Pages::warnings` and `Pdf::warnings`; [`with_warnings`] joins all of them in one list.
///
/// # Errors
/// The errors of [`fields()`](crate::fields()).
pub fn check(package: &Package) -> Result<Vec<Diagnostic>> {
    Ok(check_fields(&package.with_budget(&Budget::default()))?.findings)
}

/// Returns the fields of a template and their problems. The work counts against the budget of `package`.
pub(crate) fn check_fields(package: &Package) -> Result<TemplateCheck> {
    waraq_docx::fields::check(package)
}

/// Appends the warnings of layout and rendering to the diagnostics of a template, without duplicates.
pub fn with_warnings(mut findings: Vec<Diagnostic>, warnings: impl IntoIterator<Item = Diagnostic>) -> Vec<Diagnostic> {
    let same = |known: &Diagnostic, warning: &Diagnostic| {
        known.code == warning.code && known.message == warning.message && known.part == warning.part
    };
    for warning in warnings {
        if !findings.iter().any(|known| same(known, &warning)) {
            findings.push(warning);
        }
    }
    findings
}
