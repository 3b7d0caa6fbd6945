//! What is wrong with a template, and what of a document cannot be set.

use serde::Serialize;
pub use waraq_docx::fields::Severity;
use waraq_layout::Warning;

use crate::{Budget, Package, Result};

/// One thing to mend, or to know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Stable, for machines.
    pub code: &'static str,
    pub severity: Severity,
    /// `word/document.xml`; empty: of the whole document.
    pub part: String,
    /// Of that part, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paragraph: Option<usize>,
    /// The text around it, or the font's name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub context: String,
    /// The names of the fields it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// An English sentence.
    pub message: String,
}

impl From<waraq_docx::fields::Finding> for Finding {
    fn from(found: waraq_docx::fields::Finding) -> Self {
        let waraq_docx::fields::Finding { code, severity, part, paragraph, context, fields, message } = found;
        Self { code, severity, part, paragraph, context, fields, message }
    }
}

impl From<Warning> for Finding {
    fn from(warning: Warning) -> Self {
        let Warning { code, part, paragraph, message } = warning;
        let (context, fields) = (String::new(), Vec::new());
        Self { code, severity: Severity::Warning, part, paragraph, context, fields, message }
    }
}

/// What is wrong with a template's fields and fonts, at once. It is not set for this: what only setting shows is in
/// `Pages::warnings` and `Pdf::warnings`; [`with_warnings`] puts all in one list.
pub fn check(package: &Package) -> Result<Vec<Finding>> {
    of(&package.within(&Budget::default()))
}

/// The same, counting against the package's own budget.
pub(crate) fn of(package: &Package) -> Result<Vec<Finding>> {
    let found = waraq_docx::fields::check(package, &waraq_fonts::is_metric_twin)?;
    Ok(found.into_iter().map(Finding::from).collect())
}

/// The findings and what setting the document added to them.
pub fn with_warnings(mut findings: Vec<Finding>, warnings: impl IntoIterator<Item = Warning>) -> Vec<Finding> {
    // the check has said of each font that it is not here, by the paragraph that uses it
    let said = |warning: &Warning| warning.code == "font_substituted";
    findings.extend(warnings.into_iter().filter(|warning| !said(warning)).map(Finding::from));
    findings
}
