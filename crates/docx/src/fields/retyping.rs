//! Values that change while a form is filled in. If only the text of some values changes, the document that was read from the
//! filled template is changed too, instead of filling and reading the template again at each key.

use std::collections::HashMap;

use waraq_rules::{Values, is_empty};

use super::bidi::{ValueContext, begins_with_digit, has_right_to_left, remove_direction_controls};
use super::edits::Editor;
use super::markup::{self, HostRun, with_line_breaks};
use super::matching::{FieldMatch, ParagraphFields};
use super::scan::{Index, TextCell};
use super::text_parts::ScannedPart;

/// A value whose text changes in a document that was read with [`crate::ReadOptions::values`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextChange {
    /// The number in the marks around the value.
    pub mark: u32,
    /// The text between the marks.
    pub before: String,
    /// The text that replaces it.
    pub after: String,
    /// The number of places where the value is printed.
    pub occurrences: usize,
}

/// Returns the changes of the values in `changed`, which has the numbers of their marks by name. Returns `None` if a value is
/// also used outside the text of paragraphs, or if its old or new text is more than a text inside one run. The template must
/// then be filled again.
pub(super) fn text_changes(
    parts: &[&ScannedPart<'_>],
    before: &Values,
    after: &Values,
    changed: &HashMap<&str, u32>,
) -> Option<Vec<TextChange>> {
    let mut changes: HashMap<&str, TextChange> = HashMap::new();
    for part in parts {
        if has_other_uses(part, changed) {
            return None;
        }
        for (index, found) in part.paragraph_fields.iter().enumerate() {
            if !found.matches.iter().any(|one| changed.contains_key(one.name.as_str())) {
                continue;
            }
            let paragraph = ParagraphValues::new(part, index, found);
            for one in &found.matches {
                let Some((name, &mark)) = changed.get_key_value(one.name.as_str()) else { continue };
                let (before, after) = (paragraph.text(one, before)?, paragraph.text(one, after)?);
                let change = TextChange { mark, before, after, occurrences: 0 };
                let known = changes.entry(name).or_insert_with(|| change.clone());
                if (&known.before, &known.after) != (&change.before, &change.after) {
                    return None;
                }
                known.occurrences += 1;
            }
        }
    }
    (changes.len() == changed.len()).then(|| changes.into_values().collect())
}

/// Returns true if the part uses one of the fields in an attribute, a field code, a merge field, a content control or a store,
/// or if it has a table of contents, which repeats texts of the document.
fn has_other_uses(part: &ScannedPart<'_>, changed: &HashMap<&str, u32>) -> bool {
    let is_changed = |name: &str| changed.contains_key(name);
    let scan = &part.scan;
    part.slot_fields.iter().flat_map(|slot| &slot.matches).any(|one| is_changed(&one.name))
        || scan.merge_field_names().any(|(_, name)| is_changed(&name))
        || scan.codes.iter().any(|code| {
            code.fields.iter().any(|one| is_changed(&one.name))
                || code.asked.as_ref().is_some_and(|asked| is_changed(&asked.name))
        })
        || part.field_controls.iter().filter_map(|&at| scan.controls.get(at)).any(|control| is_changed(&control.name()))
        || part.source.contains("TOC")
}

/// The fields of one paragraph.
struct ParagraphValues<'t, 'p> {
    part: &'t ScannedPart<'p>,
    index: Index,
    found: &'t ParagraphFields,
    editor: Editor<'t>,
}

impl<'t, 'p> ParagraphValues<'t, 'p> {
    fn new(part: &'t ScannedPart<'p>, index: Index, found: &'t ParagraphFields) -> Self {
        Self { part, index, found, editor: Editor::new(&part.source, &part.scan) }
    }

    /// Returns the text of a field between its marks. Returns `None` if the value is empty, or if it is not only text inside the
    /// author's run.
    fn text(&self, field: &FieldMatch, values: &Values) -> Option<String> {
        let value = values.get(&field.name).filter(|value| !is_empty(value))?;
        let paragraph = self.part.scan.paragraphs.get(self.index)?;
        let cells = paragraph.cells.get(field.cells.clone())?;
        let host: &TextCell = cells.iter().find(|cell| !cell.span.is_empty())?;
        let is_bound = |at: Index| self.part.scan.controls.get(at).is_some_and(|control| !control.bindings.is_empty());
        if host.text.is_none() || self.part.scan.control_chain(host.control).any(is_bound) {
            return None;
        }
        let run = self.part.scan.runs.get(host.run)?;
        let context = self.context(paragraph.cells.get(field.cells.end..)?, values);
        let host_run = HostRun { can_split: host.is_run_child, ..HostRun::from_run(&self.part.source, run, context) };
        markup::text_in_run(&remove_direction_controls(&with_line_breaks(value)), &host_run)
    }

    /// Returns the context of a field before the cells `following`, as filling computes it.
    fn context(&self, following: &[TextCell], values: &Values) -> ValueContext {
        let mut context = self.editor.value_context(Some(self.index), 0);
        let of_values = |one: &FieldMatch| values.get(&one.name).is_some_and(|text| has_right_to_left(text.chars()));
        context.has_right_to_left |= self.found.matches.iter().any(of_values);
        context.digit_follows = begins_with_digit(following.iter().map(|cell| cell.character));
        context
    }
}
