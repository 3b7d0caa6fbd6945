//! Filling of templates by edits of byte ranges. All other bytes of a part are unchanged.

use std::collections::{BTreeMap, HashMap};

use super::Field;
use super::attributes::{self, SlotKind};
use super::bidi::{begins_with_digit, has_right_to_left, remove_direction_controls};
use super::bound_text::{self, BoundControls};
use super::edits::{Editor, FieldValue};
use super::external;
use super::mail_merge;
use super::markup::with_line_breaks;
use super::matching::FieldMatch;
use super::scan::{Index, PartScan, TextCell};
use super::text_parts::{self, ScannedPart};
use crate::{Budget, Error, Package, Result};
use waraq_rules::{Values, is_empty};

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
pub struct FillOptions<'a> {
    /// The text for fields without a value. The default is [`EmptyValue::Blank`].
    pub empty: EmptyValue,
    /// The country (ISO 3166) that determines the format of dates and numbers in merge fields. `None`: the region in
    /// the language tag of the text is used.
    pub country: Option<&'a str>,
}

/// Twenty-four dots, which look the same in any font and both directions.
const DOTTED_LINE: &str = "........................";

/// Fills the fields of a document with `values`.
///
/// Parts without fields are identical to those of `package`, but an external attached template is removed.
///
/// # Errors
/// Returns the errors of [`Values::check`], with the names of the fields, and the errors of [`super::list`].
pub fn fill(package: &Package, values: &Values, options: FillOptions<'_>) -> Result<Package> {
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

    /// Returns the fields of the template in reading order, without duplicates.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Fills the template with `values`, and adds a mark before and after each value. The mark before a value contains
    /// the index of the field in [`Template::fields`].
    ///
    /// The filled package is for [`crate::read()`] with [`crate::ReadOptions::values`] and must not be given to users.
    /// All later work on that package, such as reading it, counts against `budget`.
    ///
    /// # Errors
    /// Returns the errors of [`fill`].
    pub fn fill_marked(&self, values: &Values, options: FillOptions<'_>, budget: &Budget) -> Result<Package> {
        fill_parts(&self.package.with_budget(budget), (&self.parts, &self.fields), values, options, true)
    }
}

fn fill_parts(
    package: &Package,
    (parts, fields): (&[ScannedPart<'_>], &[Field]),
    values: &Values,
    options: FillOptions<'_>,
    marked: bool,
) -> Result<Package> {
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    check_values(values, &names, parts)?;
    let numbers = if marked { names.into_iter().zip(0..).collect() } else { HashMap::new() };
    let fill_part = |filled: Package, part: &ScannedPart<'_>, bound: BoundControls| {
        let (story, mut editor) = (&part.scan, Editor::new(&part.source, &part.scan));
        editor.keep_bindings(bound.kept);
        let filler = PartFiller { part, story, values, options, numbers: &numbers, replaced: bound.replaced, editor };
        let text = filler.fill_part()?;
        Ok::<_, Error>(match text {
            Some(text) => filled.with_part(&part.scan.part, text.into_bytes()),
            None => filled,
        })
    };
    let value_of = |name: &str| value_text(values, options.empty, name);
    let (stores, texts): (Vec<_>, Vec<_>) = parts.iter().partition(|part| part.is_store());
    let filled = stores
        .into_iter()
        .try_fold(package.clone(), |filled, part| fill_part(filled, part, BoundControls::default()))?;
    // Bound controls show the stores, so the stores are filled first.
    let (mut filled, bound) = bound_text::fill_bound_data(package, filled, &texts, &value_of)?;
    let mut bound = bound.into_iter();
    for part in texts {
        filled = fill_part(filled, part, bound.next().unwrap_or_default())?;
    }
    Ok(external::without_attached_template(filled).into_document())
}

/// Checks the values of the fields `names`. Only the fields in [`mail_merge::optional_names`] may have no value.
fn check_values(values: &Values, names: &[&str], parts: &[ScannedPart<'_>]) -> Result<()> {
    if names.iter().all(|name| values.get(name).is_some()) {
        return Ok(values.check(names)?);
    }
    let optional = mail_merge::optional_names(parts);
    let is_checked = |name: &&str| values.get(name).is_some() || !optional.contains(*name);
    Ok(values.check(&names.iter().copied().filter(is_checked).collect::<Vec<_>>())?)
}

/// Returns the text that replaces a field.
fn value_text(values: &Values, empty: EmptyValue, name: &str) -> String {
    match (values.get(name).filter(|value| !is_empty(value)), empty) {
        (Some(value), _) => remove_direction_controls(&with_line_breaks(value)),
        (None, EmptyValue::DottedLine) => DOTTED_LINE.to_owned(),
        (None, EmptyValue::Blank) => String::new(),
    }
}

pub(super) struct PartFiller<'t, 'p> {
    pub(super) part: &'t ScannedPart<'p>,
    pub(super) story: &'t PartScan,
    pub(super) values: &'t Values,
    pub(super) options: FillOptions<'t>,
    /// The index of each field in the list of fields, by the name of the field. The marks before the values contain
    /// these indices. Empty if the values get no marks.
    numbers: &'t HashMap<&'t str, u32>,
    /// The content controls that show changed data. The key is the index of the control, and the value is the new text.
    replaced: BTreeMap<Index, String>,
    pub(super) editor: Editor<'t>,
}

/// The characters of each merge field, or of each content control. The key is the index of the merge field or content
/// control in its list in [`PartScan`].
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
            let is_kept = |one: &&FieldMatch| {
                let cell = paragraph.cells.get(one.cells.start);
                !self.story.control_chain(cell.and_then(|cell| cell.control)).any(|at| self.replaced.contains_key(&at))
            };
            let matches: Vec<&FieldMatch> = found.matches.iter().filter(is_kept).collect();
            for one in matches {
                let cells: Vec<&TextCell> = paragraph.cells.get(one.cells.clone()).unwrap_or_default().iter().collect();
                let after = paragraph.cells.get(one.cells.end..).unwrap_or_default();
                around.digit_follows = begins_with_digit(after.iter().map(|cell| cell.character));
                self.editor.replace_cells(&cells, &self.value_of(&one.name), None, around);
            }
        }
        let (mut merge_cells, mut control_cells) = self.cells_by_field();
        for (index, merge) in self.story.filled_merge_fields() {
            self.fill_merge(merge, &merge_cells.remove(&index).unwrap_or_default());
        }
        for code in &self.story.codes {
            self.fill_code(code);
        }
        for &index in &self.part.field_controls {
            if let Some(control) = self.story.controls.get(index) {
                self.fill_control(control, &control_cells.remove(&index).unwrap_or_default());
            }
        }
        self.show_changed_data();
        attributes::fill_slots(self.part, &mut self.editor, &|name, kind| {
            // A dotted line is no address.
            let empty = if kind == SlotKind::LinkTarget { EmptyValue::Blank } else { self.options.empty };
            value_text(self.values, empty, name)
        });
        self.delete_blank_lines();
        self.editor.finish()
    }

    /// Replaces the text of the content controls whose data changes.
    fn show_changed_data(&mut self) {
        if self.replaced.is_empty() {
            return;
        }
        let mut cells_of: HashMap<Index, Vec<&TextCell>> = HashMap::new();
        for cell in self.story.paragraphs.iter().flat_map(|paragraph| &paragraph.cells) {
            if let Some(at) = self.story.control_chain(cell.control).find(|at| self.replaced.contains_key(at)) {
                cells_of.entry(at).or_default().push(cell);
            }
        }
        for (at, text) in std::mem::take(&mut self.replaced) {
            let Some((control, cells)) = self.story.controls.get(at).zip(cells_of.remove(&at)) else { continue };
            let properties = control.properties.clone().and_then(|range| self.part.source.get(range));
            let properties_override = control.showing_placeholder.then_some(properties.unwrap_or_default());
            let paragraph = control.paragraph.or(control.first_paragraph.as_ref().map(|(at, _)| *at));
            let around = self.editor.value_context(paragraph, control.range.end);
            let value = FieldValue { text: remove_direction_controls(&text), field: None };
            self.editor.replace_cells(&cells, &value, properties_override, around);
        }
    }

    pub(super) fn value_of(&self, name: &str) -> FieldValue {
        FieldValue { text: value_text(self.values, self.options.empty, name), field: self.numbers.get(name).copied() }
    }

    /// Returns two maps: the characters of each merge field, and the characters of each content control that is a
    /// field. A character that is inside both is only in the second map.
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
}
