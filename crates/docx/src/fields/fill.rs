//! Filling of templates by edits of byte ranges. All other bytes of a part are unchanged.

use std::collections::HashMap;

use super::Field;
use super::bidi::{begins_with_digit, has_right_to_left, remove_direction_controls};
use super::edits::{Editor, FieldValue, new_run};
use super::external;
use super::markup::{self, HostRun, MarkupPosition};
use super::scan::{ContentControl, Index, MergeField, PartScan, TextCell};
use super::text_parts::{self, ScannedPart};
use crate::{Budget, Package, Result};
use waraq_rules::{Values, is_empty, name};

/// The text that replaces a field whose value is empty or contains only white space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum EmptyValue {
    /// The field is removed, and nothing is shown in its place.
    #[default]
    Blank,
    /// A dotted line replaces the field, to be filled in by hand.
    DottedLine,
}

/// Options for filling a document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FillOptions {
    /// The text for fields without a value. The default is [`EmptyValue::Blank`].
    pub empty: EmptyValue,
}

/// Twenty-four dots, which look the same in any font and both directions.
const DOTTED_LINE: &str = "........................";

/// Fills the fields of a document with `values`.
///
/// Parts without fields are identical to those of `package`, but an external attached template is removed.
///
/// # Errors
/// Returns the errors of [`Values::check`], with the names of the fields, and the errors of [`super::list`].
pub fn fill(package: &Package, values: &Values, options: FillOptions) -> Result<Package> {
    let parts = text_parts::scan_with_fields(package)?;
    let fields = text_parts::fields_in_reading_order(&parts);
    fill_parts(package, (&parts, &fields), values, options, false)
}

/// A template that is scanned once and filled many times.
pub struct Template {
    package: Package,
    parts: Vec<ScannedPart<'static>>,
    fields: Vec<Field>,
}

impl Template {
    /// Scans the template of a package.
    ///
    /// # Errors
    /// Returns the errors of [`super::list`].
    pub fn scan(package: Package) -> Result<Self> {
        let parts: Vec<ScannedPart<'static>> =
            text_parts::scan_with_fields(&package)?.into_iter().map(ScannedPart::into_owned).collect();
        let fields = text_parts::fields_in_reading_order(&parts);
        Ok(Self { package, parts, fields })
    }

    /// Returns the package of the template, as it was given to [`Template::scan`].
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// Returns the fields, as returned by [`super::list`].
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Fills the template like [`fill`], and adds marks around each value. A mark contains the index of the field in
    /// [`Template::fields`].
    ///
    /// The result is for [`crate::read()`] with [`crate::ReadOptions::values`] and must not be given to users. Later
    /// work on it counts against `budget`.
    ///
    /// # Errors
    /// Returns the errors of [`fill`].
    pub fn fill_marked(&self, values: &Values, options: FillOptions, budget: &Budget) -> Result<Package> {
        fill_parts(&self.package.with_budget(budget), (&self.parts, &self.fields), values, options, true)
    }
}

fn fill_parts(
    package: &Package,
    (parts, fields): (&[ScannedPart<'_>], &[Field]),
    values: &Values,
    options: FillOptions,
    marked: bool,
) -> Result<Package> {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    values.check(&names)?;
    let numbers = if marked { names.into_iter().zip(0..).collect() } else { HashMap::new() };
    let mut filled = external::without_attached_template(package.clone());
    for part in parts {
        let (story, editor) = (&part.scan, Editor::new(&part.source, &part.scan));
        let filler = PartFiller { part, story, values, options, numbers: &numbers, editor };
        if let Some(text) = filler.fill_part()? {
            filled = filled.with_part(&part.scan.part, text.into_bytes());
        }
    }
    Ok(filled)
}

struct PartFiller<'t, 'p> {
    part: &'t ScannedPart<'p>,
    story: &'t PartScan,
    values: &'t Values,
    options: FillOptions,
    /// The numbers of the fields by name, for the marks around the values. Empty if the values are not marked.
    numbers: &'t HashMap<&'t str, u32>,
    editor: Editor<'t>,
}

/// The characters that belong to each merge field or content control, by its index in [`PartScan`].
type CellsByField<'t> = HashMap<Index, Vec<&'t TextCell>>;

impl<'t, 'p> PartFiller<'t, 'p> {
    /// Returns the filled text of the part, or `None` if nothing changes.
    fn fill_part(mut self) -> Result<Option<String>> {
        for (index, found) in self.part.paragraph_fields.iter().enumerate() {
            let Some(paragraph) = self.story.paragraphs.get(index) else { continue };
            for &escape in &found.escapes {
                if let Some(cell) = paragraph.cells.get(escape) {
                    self.editor.delete(cell.span.clone());
                }
            }
            if found.matches.is_empty() {
                continue;
            }
            let mut around = self.editor.value_context(Some(index), 0);
            around.has_right_to_left |=
                found.matches.iter().any(|one| has_right_to_left(self.value_of(&one.name).text.chars()));
            for one in &found.matches {
                let cells: Vec<&TextCell> = paragraph.cells.get(one.cells.clone()).unwrap_or_default().iter().collect();
                let after = paragraph.cells.get(one.cells.end..).unwrap_or_default();
                around.digit_follows = begins_with_digit(after.iter().map(|cell| cell.character));
                self.editor.replace_cells(&cells, &self.value_of(&one.name), None, around);
            }
        }
        let (mut merge_cells, mut control_cells) = self.cells_by_field();
        for (index, merge, name) in self.story.named_merge_fields() {
            self.fill_merge(merge, &name, &merge_cells.remove(&index).unwrap_or_default());
        }
        for &index in &self.part.field_controls {
            if let Some(control) = self.story.controls.get(index) {
                self.fill_control(control, &control_cells.remove(&index).unwrap_or_default());
            }
        }
        self.editor.finish()
    }

    fn value_of(&self, name: &str) -> FieldValue {
        let text = match (self.values.get(name).filter(|value| !is_empty(value)), self.options.empty) {
            (Some(value), _) => remove_direction_controls(value),
            (None, EmptyValue::DottedLine) => DOTTED_LINE.to_owned(),
            (None, EmptyValue::Blank) => String::new(),
        };
        FieldValue { text, field: self.numbers.get(name).copied() }
    }

    /// Returns the characters of each merge field, and those of each content control that is a field. A character in
    /// both belongs to the control.
    fn cells_by_field(&self) -> (CellsByField<'t>, CellsByField<'t>) {
        let (mut merge_cells, mut control_cells) = (HashMap::new(), HashMap::new());
        for cell in self.story.paragraphs.iter().flat_map(|paragraph| &paragraph.cells) {
            let control =
                self.story.control_chain(cell.control).find(|at| self.part.field_controls.binary_search(at).is_ok());
            if let Some(control) = control {
                control_cells.entry(control).or_insert_with(Vec::new).push(cell);
            } else if let Some(merge) = cell.merge_field {
                merge_cells.entry(merge).or_insert_with(Vec::new).push(cell);
            }
        }
        (merge_cells, control_cells)
    }

    fn fill_merge(&mut self, merge: &MergeField, name: &str, cells: &[&TextCell]) {
        let value = self.value_of(name);
        let end = merge.deleted_ranges.iter().map(|range| range.end).max().unwrap_or(merge.start);
        let around = self.editor.value_context(merge.paragraph, end);
        if !self.editor.replace_cells(cells, &value, None, around) {
            let run = merge.run.and_then(|run| self.story.runs.get(run));
            let markup = run.map(|run| {
                let host = HostRun::from_run(&self.part.source, run, around);
                markup::value_markup(
                    &value.text,
                    &HostRun { can_split: merge.is_run_child, field: value.field, ..host },
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

    fn fill_control(&mut self, control: &ContentControl, cells: &[&TextCell]) {
        let value = self.value_of(&name::normalize(control.tag.as_deref().unwrap_or_default()));
        let source: &str = &self.part.source;
        let control_properties = control.properties.clone().and_then(|range| source.get(range)).unwrap_or_default();
        let properties_override = control.showing_placeholder.then_some(control_properties);
        self.editor.delete(control.range.start..control.content.start);
        self.editor.delete(control.content.end..control.range.end);
        let around = {
            let paragraph = control.paragraph.or(control.first_paragraph.as_ref().map(|(at, _)| *at));
            self.editor.value_context(paragraph, control.range.end)
        };
        let run = || new_run(&value, &control.prefix, control_properties, around);
        match &control.first_paragraph {
            _ if self.editor.replace_cells(cells, &value, properties_override, around) => {}
            _ if control.paragraph.is_some() => {
                if control.content.is_empty() && control.content.end >= control.range.end {
                    self.editor.replace_range(control.range.clone(), run());
                } else {
                    self.editor.insert(control.content.start, run());
                }
            }
            Some((_, range)) if range.is_empty() => self.editor.insert(range.start, run()),
            Some((_, range)) => {
                let open = source.get(range.clone()).unwrap_or_default().trim_end_matches("/>");
                self.editor.replace_range(range.clone(), format!("{open}>{}</{}p>", run(), control.prefix));
            }
            None => {}
        }
        self.editor.unbind(control.parent);
    }
}
