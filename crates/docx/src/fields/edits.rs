//! Edits of byte ranges of a part. Values replace characters; all other bytes are unchanged.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use quick_xml::escape::partial_escape;

use super::bidi::{ValueContext, begins_with_digit, has_right_to_left};
use super::bound_text::is_data_binding;
use super::markup::{self, HostRun, MarkupPosition};
use super::scan::{Index, PartScan, TextCell};
use crate::package::xml::attribute_ranges;
use crate::{Error, Result};

/// The value that replaces an occurrence of a field.
pub(super) struct FieldValue {
    pub text: String,
    /// The index of the field in the list of fields, from 0. The mark before the value contains this index. `None`: the
    /// value gets no marks.
    pub field: Option<u32>,
    /// The markup of the picture that is shown instead of the text. `None`: the text is shown.
    pub picture: Option<String>,
}

impl FieldValue {
    /// Creates a value without marks.
    pub(super) fn of_text(text: String) -> Self {
        Self { text, field: None, picture: None }
    }
}

/// The edits of one part.
pub(super) struct Editor<'t> {
    source: &'t str,
    story: &'t PartScan,
    /// The edits. The key is the byte offset where the replaced range starts. The value is the byte offset where the
    /// range ends, and the markup that replaces the range.
    edits: BTreeMap<usize, (usize, String)>,
    /// The text elements that get `xml:space="preserve"`.
    preserved_texts: BTreeSet<Index>,
    /// The content controls whose text changes. They lose their data bindings, except those in `kept_bindings`.
    unbound_controls: BTreeSet<Index>,
    /// The content controls that keep their data bindings, because their data changes in the same way.
    kept_bindings: HashSet<Index>,
}

impl<'t> Editor<'t> {
    pub(super) fn new(source: &'t str, story: &'t PartScan) -> Self {
        Self {
            source,
            story,
            edits: BTreeMap::new(),
            preserved_texts: BTreeSet::new(),
            unbound_controls: BTreeSet::new(),
            kept_bindings: HashSet::new(),
        }
    }

    /// Keeps the data bindings of these content controls even if their text changes.
    pub(super) fn keep_bindings(&mut self, controls: HashSet<Index>) {
        self.kept_bindings = controls;
    }

    pub(super) fn delete(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            let edit = self.edits.entry(range.start).or_insert((range.end, String::new()));
            edit.0 = edit.0.max(range.end);
        }
    }

    /// Inserts markup at a byte position. Several insertions at one position keep the order of the calls.
    pub(super) fn insert(&mut self, at: usize, markup: String) {
        let edit = self.edits.entry(at).or_insert((at, String::new()));
        edit.1.push_str(&markup);
    }

    /// Inserts markup at a byte position, before all other edits that start there.
    pub(super) fn insert_before(&mut self, at: usize, markup: &str) {
        let edit = self.edits.entry(at).or_insert((at, String::new()));
        edit.1.insert_str(0, markup);
    }

    /// Replaces the bytes of `range` with markup.
    pub(super) fn replace_range(&mut self, range: Range<usize>, markup: String) {
        self.edits.insert(range.start, (range.end, markup));
    }

    /// Replaces the characters in `cells` with a value. The value takes the place of the first cell that has bytes.
    /// Returns `false` if no cell has bytes.
    ///
    /// The value has the formatting of the run of that cell, or the `w:rPr` in `properties_override`. Cells without
    /// bytes, such as pictures, are not changed.
    pub(super) fn replace_cells(
        &mut self,
        cells: &[&TextCell],
        value: &FieldValue,
        properties_override: Option<&str>,
        around: ValueContext,
    ) -> bool {
        let first = cells.iter().position(|cell| !cell.span.is_empty());
        let Some((host, rest)) = first.and_then(|first| cells.get(first..)?.split_first()) else { return false };
        let Some(run) = self.story.runs.get(host.run) else { return true };
        let host_run = HostRun {
            properties_override,
            can_split: host.is_run_child,
            field: value.field,
            picture: value.picture.as_deref(),
            ..HostRun::from_run(self.source, run, around)
        };
        let position =
            if host.text.is_some() { MarkupPosition::InsideText } else { MarkupPosition::BetweenRunChildren };
        let markup = markup::value_markup(&value.text, &host_run, position);
        self.replace_with_markup(host, rest.iter().copied(), markup);
        true
    }

    /// Replaces the character of `first` with markup, and deletes the characters in `rest`.
    fn replace_with_markup<'c>(
        &mut self,
        first: &'c TextCell,
        rest: impl IntoIterator<Item = &'c TextCell>,
        markup: String,
    ) {
        self.record_changed_cell(first);
        let (mut replaced, mut markup) = (first.span.clone(), Some(markup));
        let mut last = first;
        for cell in rest {
            if (cell.text, cell.control) != (last.text, last.control) {
                self.record_changed_cell(cell);
            }
            last = cell;
            // Characters side by side are one edit, because a part can contain many thousands of fields.
            if cell.span.start == replaced.end {
                replaced.end = cell.span.end;
                continue;
            }
            self.replace_or_delete(std::mem::replace(&mut replaced, cell.span.clone()), markup.take());
        }
        self.replace_or_delete(replaced, markup);
    }

    fn replace_or_delete(&mut self, range: Range<usize>, markup: Option<String>) {
        match markup {
            Some(markup) => self.replace_range(range, markup),
            None => self.delete(range),
        }
    }

    /// Replaces the characters in `cells` with text. The text has the formatting of the first character, which must be
    /// the text of a run. Unlike a value, the text gets no runs of its own for its direction.
    pub(super) fn replace_with_text(&mut self, cells: &[TextCell], text: &str) {
        let Some((first, rest)) = cells.split_first() else { return };
        self.replace_with_markup(first, rest, partial_escape(text).into_owned());
    }

    /// Records what else must change when the character of `cell` is edited. The `w:t` that contains the character gets
    /// `xml:space="preserve"`. The content controls around the character lose their data bindings.
    pub(super) fn record_changed_cell(&mut self, cell: &TextCell) {
        self.preserved_texts.extend(cell.text);
        self.unbind(cell.control);
    }

    /// Records that `control` and all controls around it lose their data bindings. Does nothing for `None`.
    pub(super) fn unbind(&mut self, control: Option<Index>) {
        self.unbound_controls.extend(self.story.control_chain(control));
    }

    /// Returns the context of a value in `paragraph`. `None`: the value is not in a paragraph. The value ends at byte
    /// `end` of the part.
    pub(super) fn value_context(&self, paragraph: Option<Index>, end: usize) -> ValueContext {
        let paragraph = paragraph.and_then(|at| self.story.paragraphs.get(at));
        let right_to_left = paragraph.is_some_and(|paragraph| paragraph.bidi);
        let cells = paragraph.map(|paragraph| paragraph.cells.as_slice()).unwrap_or_default();
        let characters = cells.iter().map(|cell| cell.character);
        let after = cells.iter().filter(|cell| cell.span.start >= end).map(|cell| cell.character);
        let digit_follows = begins_with_digit(after);
        ValueContext { right_to_left, has_right_to_left: right_to_left || has_right_to_left(characters), digit_follows }
    }

    /// Returns the text of the part after all edits, or `None` if there are no edits.
    ///
    /// # Errors
    /// `internal` if an edit starts or ends inside a UTF-8 character, because applying such an edit would lose text.
    pub(super) fn finish(self) -> Result<Option<String>> {
        let source = self.source;
        let edits = self.into_edits();
        if edits.is_empty() { Ok(None) } else { apply_edits(source, edits).map(Some) }
    }

    /// Returns all edits. Each edit is a start byte, an end byte and the text that replaces the range.
    pub(super) fn into_edits(mut self) -> BTreeMap<usize, (usize, String)> {
        for text in std::mem::take(&mut self.preserved_texts).into_iter().filter_map(|at| self.story.texts.get(at)) {
            if text.preserve {
                continue;
            }
            let tag = self.source.get(text.start_tag.clone()).unwrap_or_default();
            match attribute_ranges(tag).find(|(name, _)| *name == "xml:space").map(|(_, value)| value) {
                // Replace the value, because a duplicate attribute would break the part.
                Some(value) => {
                    self.replace_range(
                        text.start_tag.start + value.start..text.start_tag.start + value.end,
                        "preserve".into(),
                    );
                }
                None => self.insert(text.start_tag.end - 1, " xml:space=\"preserve\"".into()),
            }
        }
        for at in std::mem::take(&mut self.unbound_controls) {
            let Some(control) = self.story.controls.get(at) else { continue };
            let is_kept = self.kept_bindings.contains(&at);
            for range in &control.bindings {
                let markup = self.source.get(range.clone()).unwrap_or_default();
                if !(is_kept && is_data_binding(markup)) {
                    self.delete(range.clone());
                }
            }
        }
        self.edits
    }
}

/// Returns `source` after the edits. Each edit is a start byte, an end byte and the text that replaces the range.
pub(super) fn apply_edits(source: &str, edits: BTreeMap<usize, (usize, String)>) -> Result<String> {
    let slice = |range: Range<usize>| {
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
        text.push_str(slice(at..start)?);
        text.push_str(&replacement);
        at = end.max(start);
    }
    text.push_str(slice(at..source.len())?);
    Ok(text)
}

/// Returns the markup of a new run with the value, for a field that has no text to replace.
pub(super) fn new_run(value: &FieldValue, prefix: &str, properties: &str, around: ValueContext) -> String {
    let open = format!("<{prefix}r>");
    let host = HostRun {
        prefix,
        start_tag: &open,
        properties,
        properties_override: None,
        can_split: true,
        context: around,
        field: value.field,
        picture: value.picture.as_deref(),
    };
    markup::value_markup(&value.text, &host, MarkupPosition::BetweenRuns)
}
