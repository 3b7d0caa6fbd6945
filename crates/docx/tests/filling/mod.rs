//! Listing and filling of the fields of a document under construction.

#![allow(dead_code, reason = "each test file uses a part of these functions")]

#[path = "../reopened/mod.rs"]
mod reopened;

use reopened::reopened;
use waraq_docx::Package;
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields::{self, FillOptions, Values};

/// Returns the name of each field, and how often it occurs.
pub fn names(document: &DocumentBuilder) -> Vec<(String, usize)> {
    let package = Package::open(&document.to_bytes()).unwrap();
    fields::list(&package).unwrap().into_iter().map(|field| (field.name, field.occurrences)).collect()
}

/// Fills a document, and opens the saved file again, as Word would do.
pub fn fill(document: &DocumentBuilder, values: &[(&str, &str)]) -> Package {
    let package = Package::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let filled = fields::fill(&package, &values, FillOptions::default()).unwrap();
    reopened(&package, &filled)
}
