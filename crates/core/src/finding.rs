//! What is wrong with, or odd in, a document.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The template is refused.
    Error,
    Warning,
}

/// Something wrong with, or odd in, a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable: `unclosed`, `across_paragraphs` …
    pub code: String,
    pub severity: Severity,
    /// English.
    pub message: String,
    /// The part of the package: `word/document.xml`.
    pub part: Option<String>,
    /// The paragraph's number in its part, from 1.
    pub paragraph: Option<u32>,
    /// The text around it.
    pub context: Option<String>,
}
