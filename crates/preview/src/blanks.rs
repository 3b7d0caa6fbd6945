//! Blanks of ordinary documents: what the editor of an author needs to turn them into fields.

use serde::Serialize;
use waraq_docx::fields::{
    DetectedBlanks, FieldMark, FoundPlaces, Selection, SkippedMark, detect_blanks, find_places, mark_fields,
};
use waraq_docx::{Budget, Package, Result};

/// The report of [`mark`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MarkReport {
    /// The number of places that are fields now.
    pub marked: usize,
    /// The places that were not marked.
    pub skipped: Vec<SkippedMark>,
}

/// Finds the blanks of a document and suggests a field for each of them.
///
/// # Errors
/// The errors of [`Package::open`] and [`detect_blanks`].
pub fn detect(bytes: &[u8]) -> Result<DetectedBlanks> {
    detect_blanks(&Package::open_with_budget(bytes.to_vec(), &Budget::default())?)
}

/// Turns places of a document into fields. Returns the bytes of the marked document and the report. If nothing is marked, the
/// bytes are those of the document.
///
/// # Errors
/// The errors of [`Package::open`] and [`mark_fields`].
pub fn mark(bytes: Vec<u8>, marks: &[FieldMark]) -> Result<(Vec<u8>, MarkReport)> {
    let marked = mark_fields(&Package::open_with_budget(bytes.clone(), &Budget::default())?, marks)?;
    let bytes = if marked.marked > 0 { marked.package.to_bytes()? } else { bytes };
    Ok((bytes, MarkReport { marked: marked.marked, skipped: marked.skipped }))
}

/// Finds the place that an author has selected on a page, and the other places with the same text.
///
/// # Errors
/// The errors of [`Package::open`] and [`find_places`].
pub fn find(bytes: &[u8], selection: &Selection) -> Result<FoundPlaces> {
    find_places(&Package::open_with_budget(bytes.to_vec(), &Budget::default())?, selection)
}
