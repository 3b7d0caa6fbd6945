//! Edits of byte ranges of a part. Values replace characters; all other bytes are unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::bidi::{Around, begins_with_digit, has_right_to_left};
use super::markup::{self, Host, Place};
use super::scan::{Cell, Index, Story};
use crate::{Error, Result};

/// A value that replaces a field.
pub(super) struct Value {
    pub text: String,
    /// The number of the field, if its position is to be marked.
    pub field: Option<u32>,
}

/// The edits of one part.
pub(super) struct Editor<'t> {
    source: &'t str,
    story: &'t Story,
    /// The edits by start position: end position and replacement.
    edits: BTreeMap<usize, (usize, String)>,
    /// The text elements that get `xml:space="preserve"`.
    texts: BTreeSet<Index>,
    /// The content controls that lose their data bindings.
    unbound: BTreeSet<Index>,
}

impl<'t> Editor<'t> {
    pub(super) fn new(source: &'t str, story: &'t Story) -> Self {
        Self { source, story, edits: BTreeMap::new(), texts: BTreeSet::new(), unbound: BTreeSet::new() }
    }

    pub(super) fn delete(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            let edit = self.edits.entry(range.start).or_insert((range.end, String::new()));
            edit.0 = edit.0.max(range.end);
        }
    }

    /// Inserts markup at a position, after earlier insertions there.
    pub(super) fn insert(&mut self, at: usize, markup: String) {
        let edit = self.edits.entry(at).or_insert((at, String::new()));
        edit.1.push_str(&markup);
    }

    /// Replaces a byte range with markup.
    pub(super) fn put(&mut self, range: Range<usize>, markup: String) {
        self.edits.insert(range.start, (range.end, markup));
    }

    /// Replaces the first cell that has bytes with a value, and deletes the cells after it. Returns `false` if no cell
    /// has bytes.
    ///
    /// The value has the formatting of the cell's run, or the `w:rPr` in `instead`. Cells without bytes, such as
    /// pictures, are not changed.
    pub(super) fn replace(&mut self, cells: &[&Cell], value: &Value, instead: Option<&str>, around: Around) -> bool {
        let first = cells.iter().position(|cell| !cell.span.is_empty());
        let Some((host, rest)) = first.and_then(|first| cells.get(first..)?.split_first()) else { return false };
        let Some(run) = self.story.runs.get(host.run) else { return true };
        let looks = Host { instead, splits: host.direct, field: value.field, ..Host::of(self.source, run, around) };
        let place = if host.text.is_some() { Place::Text } else { Place::Run };
        let markup = markup::of_value(&value.text, &looks, place);
        self.put(host.span.clone(), markup);
        self.touch(host);
        for cell in rest {
            self.delete(cell.span.clone());
            self.touch(cell);
        }
        true
    }

    /// Records the text element whose white space must be preserved, and the controls whose data binding must be
    /// removed.
    fn touch(&mut self, cell: &Cell) {
        self.texts.extend(cell.text);
        self.unbind(cell.control);
    }

    /// Records that a control and its parents lose their data bindings.
    pub(super) fn unbind(&mut self, control: Option<Index>) {
        self.unbound.extend(self.story.control_chain(control));
    }

    /// Returns the context of a value that ends at byte `end` of the part, in this paragraph.
    pub(super) fn around(&self, paragraph: Option<Index>, end: usize) -> Around {
        let paragraph = paragraph.and_then(|at| self.story.paragraphs.get(at));
        let right_to_left = paragraph.is_some_and(|paragraph| paragraph.bidi);
        let cells = paragraph.map(|paragraph| paragraph.cells.as_slice()).unwrap_or_default();
        let characters = cells.iter().map(|cell| cell.character);
        let after = cells.iter().filter(|cell| cell.span.start >= end).map(|cell| cell.character);
        let digit_follows = begins_with_digit(after);
        Around { right_to_left, mixed: right_to_left || has_right_to_left(characters), digit_follows }
    }

    /// Returns the edited part, or `None` without edits.
    ///
    /// # Errors
    /// `internal` if an edit is not on a character boundary, because text would be lost.
    pub(super) fn finish(mut self) -> Result<Option<String>> {
        for text in std::mem::take(&mut self.texts).into_iter().filter_map(|at| self.story.texts.get(at)) {
            if text.preserve {
                continue;
            }
            let tag = self.source.get(text.open.clone()).unwrap_or_default();
            match attribute_value(tag, "xml:space") {
                // Replace the value, because a duplicate attribute would break the part.
                Some(value) => {
                    self.put(text.open.start + value.start..text.open.start + value.end, "preserve".into());
                }
                None => self.insert(text.open.end - 1, " xml:space=\"preserve\"".into()),
            }
        }
        for control in std::mem::take(&mut self.unbound).into_iter().filter_map(|at| self.story.controls.get(at)) {
            for range in &control.bindings {
                self.delete(range.clone());
            }
        }
        if self.edits.is_empty() { Ok(None) } else { apply(self.source, self.edits).map(Some) }
    }
}

/// Returns the range of an attribute's value in a start tag, without quotes.
fn attribute_value(tag: &str, name: &str) -> Option<Range<usize>> {
    let mut at = tag.find(char::is_whitespace)?;
    loop {
        let rest = tag.get(at..)?;
        let (key, after) = rest.split_once('=')?;
        let value = after.trim_start();
        let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
        let start = tag.len() - value.len() + 1;
        let end = start + tag.get(start..)?.find(quote)?;
        if key.trim() == name {
            return Some(start..end);
        }
        at = end + 1;
    }
}

/// Applies the edits (start position to end position and replacement) to the text.
fn apply(source: &str, edits: BTreeMap<usize, (usize, String)>) -> Result<String> {
    let piece = |range: Range<usize>| {
        let outside = || Error::internal(format!("an edit at byte {} of {}", range.start, source.len()));
        source.get(range.clone()).ok_or_else(outside)
    };
    // Reserve the exact size: growing would use up to twice the memory for long values.
    let added: usize = edits.values().map(|(_, replacement)| replacement.len()).sum();
    let mut text = String::with_capacity(source.len() + added);
    let mut at = 0;
    for (start, (end, replacement)) in edits {
        // An edit inside a deleted range is skipped.
        if start < at {
            continue;
        }
        text.push_str(piece(at..start)?);
        text.push_str(&replacement);
        at = end.max(start);
    }
    text.push_str(piece(at..source.len())?);
    Ok(text)
}

/// Creates a new run for a value that replaces no text.
pub(super) fn new_run(value: &Value, prefix: &str, properties: &str, around: Around) -> String {
    let open = format!("<{prefix}r>");
    let host = Host { prefix, open: &open, properties, instead: None, splits: true, around, field: value.field };
    markup::of_value(&value.text, &host, Place::Paragraph)
}
