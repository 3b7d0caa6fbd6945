//! Fields whose results are updated, and the bookmarks.

use std::ops::Range;

use quick_xml::events::BytesStart;

use super::Scanner;
use super::open_elements::ElementKind;
use crate::fields::scan::{Bookmark, BookmarkReference, Index, InsertPosition, ReferenceTarget};
use crate::package::attribute;
use crate::read::field_catalogue::{field_name, treatment};
use crate::read::field_code::FieldCode;
use crate::read::property_fields::PROPERTY_FIELDS;
use waraq_rules::format::FieldFormat;

/// A [`BookmarkReference`] whose end was not read yet.
pub(super) struct OpenReference {
    /// The byte offset where the field starts. This offset identifies the field.
    start: usize,
    target: ReferenceTarget,
    paragraph: Index,
    cell: Index,
}

/// Returns the target of the code of a field whose result is updated. Returns `None` for other fields.
pub(super) fn reference_target(instruction: &str) -> Option<ReferenceTarget> {
    let name = field_name(instruction);
    let is_computed = PROPERTY_FIELDS.contains(&name.as_str())
        || matches!(
            name.as_str(),
            "=" | "IF"
                | "COMPARE"
                | "QUOTE"
                | "REF"
                | "PAGEREF"
                | "NOTEREF"
                | "FTNREF"
                | "FOOTNOTEREF"
                | "CREATEDATE"
                | "SAVEDATE"
                | "FILENAME"
        );
    // A field with an unknown name shows the bookmark with this name.
    if !is_computed && (name.is_empty() || treatment(&name).is_some()) {
        return None;
    }
    let code = FieldCode::parse(instruction);
    let bookmark = code.first_argument().map(str::to_owned);
    let has_format = code.format() != FieldFormat::default() && !code.shows_plain_text();
    Some(match (name.as_str(), bookmark) {
        ("PAGEREF", Some(bookmark)) if !code.has_switch('p') && !has_format => ReferenceTarget::Page(bookmark),
        ("REF", Some(bookmark)) if code.shows_plain_text() => ReferenceTarget::Text(bookmark),
        _ => ReferenceTarget::Computed,
    })
}

impl Scanner<'_> {
    /// Returns the position of the next character: the index of its paragraph, and the index of its cell in that
    /// paragraph.
    fn position(&self) -> (Index, Index) {
        match self.paragraphs.last() {
            Some(&at) if matches!(self.innermost_text_container(), ElementKind::Paragraph | ElementKind::Run(_)) => {
                (at, self.story.paragraphs.get(at).map_or(0, |paragraph| paragraph.cells.len()))
            }
            _ => (self.story.paragraphs.len(), 0),
        }
    }

    pub(super) fn begin_bookmark(&mut self, tag: &BytesStart<'_>, span: &Range<usize>) -> ElementKind {
        // Skip bookmarks in fallback content, which repeats those of the `mc:Choice`, and bookmarks of table columns,
        // which have no text.
        if let Some(name) =
            attribute(tag, "name").filter(|_| self.fallback_depth == 0 && attribute(tag, "colFirst").is_none())
        {
            self.bookmarks.insert(attribute(tag, "id").unwrap_or_default(), self.story.bookmarks.len());
            self.story.bookmarks.push(Bookmark { name, bytes: span.clone(), start: self.position(), end: None });
        }
        ElementKind::Other
    }

    pub(super) fn end_bookmark(&mut self, tag: &BytesStart<'_>, span: &Range<usize>) -> ElementKind {
        let open = attribute(tag, "id").and_then(|id| self.bookmarks.remove(&id));
        let position = self.position();
        if let Some(bookmark) = open.and_then(|at| self.story.bookmarks.get_mut(at)) {
            bookmark.end = Some(position);
            bookmark.bytes.end = span.start;
        }
        ElementKind::Other
    }

    /// Handles the start of the result of a field. `start` is the byte offset where the field itself starts.
    pub(super) fn begin_reference(&mut self, start: usize, target: ReferenceTarget) {
        let Some(&paragraph) = self.paragraphs.last() else { return };
        if self.reference.is_some() || !self.is_in_visible_text() {
            return;
        }
        let cell = self.story.paragraphs.get(paragraph).map_or(0, |paragraph| paragraph.cells.len());
        self.reference = Some(OpenReference { start, target, paragraph, cell });
    }

    /// Handles the end of the complex field that starts at byte `start`. `span` is the byte range of its `end`
    /// character.
    pub(super) fn end_reference(&mut self, start: usize, span: &Range<usize>, separated: bool) {
        if let (&ElementKind::Run(run), Some(reference)) = (&self.parent(), self.take_reference(start)) {
            self.push_reference(reference, span.start, InsertPosition::Run { at: span.start, run, separated });
        }
    }

    /// Handles the end of the simple field that starts at byte `start`. `end` is the byte range of its end tag, or of
    /// the complete empty element.
    pub(super) fn end_simple_reference(&mut self, start: usize, end: Range<usize>) {
        let Some(reference) = self.take_reference(start) else { return };
        let markup = self.source.get(end.clone()).unwrap_or_default();
        let name = markup.trim_start_matches(['<', '/']);
        let prefix = name.split_once(':').filter(|_| !name.starts_with("fldSimple")).map_or("", |(prefix, _)| prefix);
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}:") };
        let result_end = end.start;
        let slot = if start == end.start {
            InsertPosition::EmptySimple { tag: end, prefix }
        } else {
            InsertPosition::Simple { at: end.start, prefix }
        };
        self.push_reference(reference, result_end, slot);
    }

    fn take_reference(&mut self, start: usize) -> Option<OpenReference> {
        self.reference.take_if(|open| open.start == start)
    }

    fn push_reference(&mut self, open: OpenReference, result_end: usize, slot: InsertPosition) {
        if self.paragraphs.last() != Some(&open.paragraph) {
            return;
        }
        let end = self.story.paragraphs.get(open.paragraph).map_or(0, |paragraph| paragraph.cells.len());
        let OpenReference { start, target, paragraph, cell } = open;
        self.story.references.push(BookmarkReference {
            target,
            bytes: start..result_end,
            paragraph,
            cells: cell..end,
            insert_position: slot,
        });
    }

    /// Drops the open reference if the closed paragraph contains its start. A result that continues in another
    /// paragraph is not updated.
    pub(super) fn drop_reference_of(&mut self, closed: Option<Index>) {
        self.reference.take_if(|open| Some(open.paragraph) == closed);
    }
}
