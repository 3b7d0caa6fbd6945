//! Filling of the fields of a mail merge with their switches.

use waraq_graphics::xml::Tree;
use waraq_rules::format::{FieldFormat, Locale};
use waraq_rules::{Value, is_empty};

use super::edits::{FieldValue, new_run};
use super::fill::PartFiller;
use super::mail_merge::Languages;
use super::markup::{self, HostRun, MarkupPosition};
use super::merge::{MergeContent, MergeValue};
use super::scan::{MergeField, TextCell};
use crate::Meter;

/// The language of text in documents without a language.
const FALLBACK_LANGUAGE: &str = "en-US";

impl PartFiller<'_, '_> {
    /// Returns the text that replaces a merge field. Returns `None` if the field has no valid name. Such a field is not
    /// replaced.
    ///
    /// `properties` is the `w:rPr` of the run that shows the text. It may be empty.
    pub(super) fn merge_value(&self, merge: &MergeField, properties: &str) -> Option<FieldValue> {
        let value = match &merge.content {
            MergeContent::Text(text) => FieldValue::of_text((*text).to_owned()),
            MergeContent::Value(value) => {
                let name = value.field_name()?;
                let mut replacement = self.value_at(&name, merge.start);
                if !self.is_empty_value(&name) {
                    replacement.text = self.formatted(value, &replacement.text, properties);
                } else if !value.default.is_empty() {
                    replacement.text = value.default.clone();
                }
                replacement
            }
            MergeContent::Block(block) => {
                let value =
                    |name: &str| if self.is_empty_value(name) { String::new() } else { self.value_of(name).text };
                let text = block.text(value);
                let field = block.names().next().and_then(|name| self.value_of(name).field);
                FieldValue { text, field, picture: None }
            }
        };
        Some(value)
    }

    /// Returns `true` if a merge field has no text. If its paragraph has a single line, an empty value that would be shown as
    /// a dotted line also counts as no text, because Word leaves out such a line. The dotted line of a prompt (FILLIN) stays,
    /// because the answer is written there by hand.
    pub(super) fn is_blank_merge(&self, merge: &MergeField, is_single_line: bool) -> bool {
        if is_single_line
            && let MergeContent::Value(value) = &merge.content
            && value.default.is_empty()
            && !value.is_prompt
            && value.field_name().is_some_and(|name| self.is_empty_value(&name))
        {
            return true;
        }
        self.merge_value(merge, "").is_some_and(|value| value.picture.is_none() && is_empty(&value.text))
    }

    /// Returns `true` if the field has no value, or only white space.
    pub(super) fn is_empty_value(&self, name: &str) -> bool {
        self.values.value(name).is_none_or(Value::is_empty)
    }

    fn formatted(&self, field: &MergeValue, text: &str, properties: &str) -> String {
        let shown = if field.format == FieldFormat::default() {
            text.to_owned()
        } else {
            let languages = Languages::in_markup(properties);
            let languages = languages.or(&self.part.merge.languages);
            let complex = is_complex_script(properties);
            let language = if complex { languages.complex_script } else { languages.left_to_right };
            let tag = language.as_deref().unwrap_or(FALLBACK_LANGUAGE);
            field.format.format_text(text, Locale { tag, country: self.options.country })
        };
        if is_empty(&shown) { shown } else { format!("{}{shown}{}", field.before, field.after) }
    }

    /// Returns the locale of text without a language of its own.
    pub(super) fn default_locale(&self) -> Locale<'_> {
        let language = self.part.merge.languages.left_to_right.as_deref();
        Locale { tag: language.unwrap_or(FALLBACK_LANGUAGE), country: self.options.country }
    }

    /// Replaces a merge field with its value. `cells` are the characters of its result.
    pub(super) fn fill_merge(&mut self, merge: &MergeField, cells: &[&TextCell]) {
        let host = cells.iter().find(|cell| !cell.span.is_empty()).map(|cell| cell.run).or(merge.run);
        let properties = host.and_then(|run| self.story.runs.get(run)).and_then(|run| run.properties.clone());
        let properties = properties.and_then(|range| self.part.source.get(range)).unwrap_or_default();
        let Some(value) = self.merge_value(merge, properties) else { return };
        let end = merge.deleted_ranges.iter().map(|range| range.end).max().unwrap_or(merge.start);
        let around = self.editor.value_context(merge.paragraph, end);
        if !self.editor.replace_cells(cells, &value, None, around) {
            let run = merge.run.and_then(|run| self.story.runs.get(run));
            let markup = run.map(|run| {
                let host = HostRun::from_run(&self.part.source, run, around);
                markup::value_markup(
                    &value.text,
                    &HostRun {
                        can_split: merge.is_run_child,
                        field: value.field,
                        picture: value.picture.as_deref(),
                        ..host
                    },
                    MarkupPosition::BetweenRunChildren,
                )
            });
            let end = merge.deleted_ranges.first().map_or(merge.start, |begin| begin.end);
            let markup = markup.unwrap_or_else(|| new_run(&value, &merge.prefix, "", around));
            self.editor.replace_range(merge.start..end, markup);
        }
        for range in &merge.deleted_ranges {
            self.editor.delete(range.clone());
        }
    }
}

impl Languages {
    /// Returns these languages. A language that is missing is taken from `defaults`.
    fn or(self, defaults: &Self) -> Self {
        Self {
            left_to_right: self.left_to_right.or_else(|| defaults.left_to_right.clone()),
            complex_script: self.complex_script.or_else(|| defaults.complex_script.clone()),
        }
    }
}

/// Returns `true` if the `w:rPr` of a run marks its text as right-to-left or as complex script (w:rtl, w:cs).
fn is_complex_script(properties: &str) -> bool {
    if !properties.contains("rtl") && !properties.contains("cs") {
        return false;
    }
    let tree = Tree::parse("", properties.as_bytes(), &Meter::default()).ok();
    let children = tree.iter().filter_map(Tree::root).flat_map(|root| root.children());
    let children: Vec<(&str, &str)> = children.map(|child| (child.name(), child.source())).collect();
    ["rtl", "cs"].into_iter().any(|name| markup::has_toggle(&children, name))
}
