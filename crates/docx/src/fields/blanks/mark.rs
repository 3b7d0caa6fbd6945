//! Marking: turns blanks and other places of a document into fields.

use serde::{Deserialize, Serialize};
use waraq_rules::field_settings::ValueKind;
use waraq_rules::name;

use super::format::StyleTable;
use super::marking::PartMarker;
use super::unmark::MarkChange;
use super::{Blank, BlankForm};
use crate::fields::scan::KeptCells;
use crate::fields::text_parts;
use crate::{Package, Result};

/// The maximum number of marks in one call of [`mark_fields`].
pub const MAX_MARKS: usize = 2_000;

/// A place that becomes a field. Its JSON is a blank with a name; other members are ignored.
///
/// The kind and the range decide what is written:
///
/// | kind | range | result |
/// |---|---|---|
/// | any | text | `{{name}}` in the formatting of the first character, without highlight and placeholder style |
/// | any | empty | `{{name}}` at this position |
/// | `yes_no` | check box | `{{#name}}☒{{/name}}{{^name}}☐{{/name}}` |
/// | `yes_no` | a part of a paragraph | `{{#name}}` before the text and `{{/name}}` after it |
/// | `yes_no` | empty, complete text, or several paragraphs | optional paragraphs: the tags in paragraphs of their own |
/// | `list` | a paragraph in a table | the row is repeated: tags in its first and last cell |
/// | `picture`, `signature`, `qr_code` | one picture | the alternative text of the picture becomes `{{name}}` |
///
/// A content control without a tag gets the name as its tag. A form field is replaced by `{{name}}`, and a merge field is
/// replaced if its name changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct FieldMark {
    /// The name of the field.
    pub name: String,
    /// The part of the package. Empty: the main part.
    pub part: String,
    /// The number of the paragraph in the part, from 1.
    pub paragraph: usize,
    /// The number of the last paragraph, for optional paragraphs. `None`: only one paragraph.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_paragraph: Option<usize>,
    /// The start in the characters of the paragraph, as in [`Blank::start`].
    pub start: usize,
    /// The end in the characters of the paragraph.
    pub end: usize,
    /// The form of the blank. `None`: a place that the author chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<BlankForm>,
    /// The index of the content control, form field or merge field in the part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<usize>,
    /// The numbers of the paragraphs that only continue the line of the blank. They are removed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub continuation: Vec<usize>,
    /// The kind of the value.
    pub kind: ValueKind,
}

impl From<&Blank> for FieldMark {
    fn from(blank: &Blank) -> Self {
        Self {
            name: blank.name.clone(),
            part: blank.part.clone(),
            paragraph: blank.paragraph,
            last_paragraph: None,
            start: blank.start,
            end: blank.end,
            form: Some(blank.form),
            object: blank.object,
            continuation: blank.continuation.clone(),
            kind: blank.kind,
        }
    }
}

/// The reason why a place was not marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SkipReason {
    /// The name is not valid for a field.
    InvalidName,
    /// The part, the paragraph, the range or the object does not exist.
    NotFound,
    /// The place overlaps another mark.
    Overlap,
    /// The place contains a picture, a field or another object that text cannot replace, or the section would begin and end
    /// in different containers.
    NotReplaceable,
    /// There are more than [`MAX_MARKS`] marks.
    TooMany,
}

/// A place that was not marked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SkippedMark {
    /// The index of the mark in the list of marks, from 0.
    pub mark: usize,
    /// The name of the mark.
    pub name: String,
    /// The reason.
    pub reason: SkipReason,
}

/// A marked document. Its JSON is the report without the document.
#[derive(Debug, Clone, Serialize)]
pub struct Marked {
    /// The document. Parts without marks are the same bytes as before.
    #[serde(skip)]
    pub package: Package,
    /// The number of places that are fields now.
    pub marked: usize,
    /// The places that were not marked.
    pub skipped: Vec<SkippedMark>,
    /// The changed bytes, for [`super::unmark_fields`].
    pub changes: Vec<MarkChange>,
}

/// Turns places of a document into fields. Marks that cannot be written are skipped with a reason. All bytes outside the
/// places stay the same, except `xml:space` and the data bindings of content controls whose text changes.
///
/// # Errors
/// The errors of [`crate::fields::list`].
pub fn mark_fields(package: &Package, marks: &[FieldMark]) -> Result<Marked> {
    let parts = text_parts::scan_text_parts(package, KeptCells::All)?;
    let styles = StyleTable::read(package)?;
    let main = package.main_part();
    let mut marked = Marked { package: package.clone(), marked: 0, skipped: Vec::new(), changes: Vec::new() };
    let mut skip = |at: usize, mark: &FieldMark, reason| {
        marked.skipped.push(SkippedMark { mark: at, name: mark.name.clone(), reason });
    };
    let mut by_part: Vec<Vec<(usize, &FieldMark, String)>> = vec![Vec::new(); parts.len()];
    for (at, mark) in marks.iter().enumerate() {
        let name = name::normalize(&mark.name);
        let wanted = if mark.part.is_empty() { main } else { mark.part.trim_start_matches('/') };
        let part = parts.iter().position(|part| part.scan.part.eq_ignore_ascii_case(wanted));
        match part {
            _ if at >= MAX_MARKS => skip(at, mark, SkipReason::TooMany),
            _ if !name::is_valid(&name) || name.starts_with(['#', '^', '/']) => {
                skip(at, mark, SkipReason::InvalidName);
            }
            None => skip(at, mark, SkipReason::NotFound),
            Some(part) => {
                if let Some(marks) = by_part.get_mut(part) {
                    marks.push((at, mark, name));
                }
            }
        }
    }
    let mut count = 0;
    for (part, mut marks) in parts.iter().zip(by_part) {
        if marks.is_empty() {
            continue;
        }
        // Insertions come after replacements, so that an insertion can be written before a replaced text.
        marks.sort_by_key(|(_, mark, _)| PartMarker::order_of(mark));
        let mut marker = PartMarker::new(part, &styles, package.meter());
        for (at, mark, name) in marks {
            match marker.mark(mark, &name) {
                Ok(()) => count += 1,
                Err(reason) => skip(at, mark, reason),
            }
        }
        package.meter().outcome()?;
        let (text, changes) = marker.finish(package.part_text(&part.scan.part).unwrap_or_default())?;
        if let Some(text) = text {
            marked.package = marked.package.with_part(&part.scan.part, text.into_bytes());
            marked.changes.extend(changes);
        }
    }
    marked.marked = count;
    marked.skipped.sort_by_key(|skipped| skipped.mark);
    package.meter().outcome()?;
    Ok(marked)
}
