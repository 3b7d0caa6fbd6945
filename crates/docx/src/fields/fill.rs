//! Filling of templates by edits of byte ranges. All other bytes of a part are unchanged.

use std::collections::{BTreeMap, HashMap};

use super::attributes::{self, SlotKind};
use super::bidi::{begins_with_digit, has_right_to_left, remove_direction_controls};
use super::bound_text::{self, BoundControls};
use super::edits::{Editor, FieldValue};
use super::external;
use super::mail_merge;
use super::markup::with_line_breaks;
use super::matching::FieldMatch;
use super::pictures::{self, FieldPicture, FieldPictures, PartPictures, PicturePlacer};
use super::scan::{Index, PartScan, ScannedDrawing, TextCell};
use super::sections::{self, find_sections, template_types};
use super::text_parts::{self, ScannedPart};
use super::unsafe_links;
use crate::{Error, Package, Result};
use waraq_rules::{PictureSizes, Structure, Values, is_empty};

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
    /// The types of the fields. `None`: the types that the document suggests. A picture whose alternative text is a field
    /// is then replaced by a picture, but a text is written into the alternative text.
    pub structure: Option<&'a Structure>,
    /// The maximum sizes of pictures in text. Other fields have the default sizes of [`PictureSize`].
    ///
    /// [`PictureSize`]: waraq_rules::PictureSize
    pub picture_sizes: Option<&'a PictureSizes>,
}

/// Twenty-four dots, which look the same in any font and both directions.
const DOTTED_LINE: &str = "........................";

/// The maximum number of values with marks. A larger number has no character of its own in a mark.
const MAX_MARKS: u32 = 100_000;

/// Fills the fields of a document with `values`.
///
/// Parts without fields are identical to those of `package`, but an external attached template is removed, and links that
/// open a file or a program of the reader's computer become harmless.
///
/// # Errors
/// Returns the errors of [`Values::check_structure`], with the names of the fields, the errors of [`super::list`], and
/// `too_complex` if the lists have so many rows that the document becomes too large.
pub fn fill(package: &Package, values: &Values, options: FillOptions<'_>) -> Result<Package> {
    let parts = text_parts::scan_with_fields(package)?;
    let sections = find_sections(&parts);
    let declared = options.structure.map(Structure::declared_types).unwrap_or_default();
    let types = template_types(&parts, &sections, &declared);
    let structure = match options.structure {
        Some(_) => types.structure,
        None => pictures::with_texts_as_given(types.structure, values),
    };
    let values = checked_values(values, &structure, &parts)?;
    let options = FillOptions { structure: Some(&structure), ..options };
    if sections.is_empty() {
        let parts: Vec<&ScannedPart<'_>> = parts.iter().collect();
        return fill_parts(package, &parts, &values, options, &[]).map(unsafe_links::without_unsafe_links);
    }
    let expanded = sections::expand(package, &parts, &sections, &values)?;
    let values = expanded.flat_values(&values);
    let filled = fill_parts(&expanded.package, &expanded.all_parts(&parts), &values, options, &[])?;
    Ok(unsafe_links::without_unsafe_links(filled))
}

/// Fills the parts of a template without sections, or of an expanded template. `marked` has the names of the fields whose
/// values get marks. A mark contains the index of the name.
pub(super) fn fill_parts(
    package: &Package,
    parts: &[&ScannedPart<'_>],
    values: &Values,
    options: FillOptions<'_>,
    marked: &[&str],
) -> Result<Package> {
    let pictures = FieldPictures::new(package, values, options)?;
    let last_id = parts.iter().map(|part| part.scan.last_drawing_id).max().unwrap_or(0);
    let main_source = package.part_text(package.main_part()).unwrap_or_default();
    let placer = PicturePlacer::new(&pictures, last_id, main_source);
    let numbers: HashMap<&str, u32> = marked.iter().copied().zip(0..MAX_MARKS).collect();
    let fill_part = |filled: Package, part: &ScannedPart<'_>, bound: BoundControls| {
        let (story, mut editor) = (&part.scan, Editor::new(&part.source, &part.scan));
        editor.keep_bindings(bound.kept);
        let replaced = bound.replaced;
        let pictures = PartPictures::new(&placer, package, &part.scan.part, &part.source);
        let mut filler = PartFiller { part, story, values, options, numbers: &numbers, pictures, replaced, editor };
        filler.fill_part();
        let PartFiller { editor, pictures, .. } = filler;
        let Some(text) = editor.finish()? else { return Ok::<_, Error>(filled) };
        placer.attach(filled.with_part(&part.scan.part, text.into_bytes()), &part.scan.part, pictures.finish())
    };
    let value_of = |name: &str| value_text(values, &placer, options.empty, name);
    let (stores, texts): (Vec<_>, Vec<_>) = parts.iter().copied().partition(|part| part.is_store());
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

/// Returns the values in the form that fits the structure of the template, after they were checked. Only the fields in
/// [`mail_merge::optional_names`] may have no value.
///
/// # Errors
/// The errors of [`Values::check_structure`].
pub(super) fn checked_values(values: &Values, structure: &Structure, parts: &[ScannedPart<'_>]) -> Result<Values> {
    let mut values = values.clone();
    values.convert_to(structure);
    if structure.names().all(|name| values.value(name).is_some()) {
        values.check_structure(structure)?;
        return Ok(values);
    }
    let optional = mail_merge::optional_names(parts);
    let is_checked = |name: &str| values.value(name).is_some() || !optional.contains(name);
    let required = structure.0.iter().filter(|field| is_checked(&field.name)).cloned().collect();
    values.check_structure(&Structure(required))?;
    Ok(values)
}

/// Returns the text that replaces a field. For a picture, this is the alternative text.
fn value_text(values: &Values, placer: &PicturePlacer<'_>, empty: EmptyValue, name: &str) -> String {
    match placer.picture(name) {
        Some(FieldPicture::Shown(shown)) => return shown.description.clone(),
        // People sign by hand on a dotted line.
        Some(FieldPicture::Empty { is_signature: true }) if empty == EmptyValue::DottedLine => {
            return DOTTED_LINE.to_owned();
        }
        Some(FieldPicture::Empty { .. }) => return String::new(),
        None => {}
    }
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
    pub(super) pictures: PartPictures<'t>,
    /// The content controls that show changed data. The key is the index of the control, and the value is the new text.
    replaced: BTreeMap<Index, String>,
    pub(super) editor: Editor<'t>,
}

/// The characters of each merge field, or of each content control. The key is the index of the merge field or content
/// control in its list in [`PartScan`].
type CellsByField<'t> = HashMap<Index, Vec<&'t TextCell>>;

impl<'t, 'p> PartFiller<'t, 'p> {
    /// Records the edits that fill the part.
    fn fill_part(&mut self) {
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
            around.has_right_to_left |= found.matches.iter().any(|one| self.shows_right_to_left(&one.name));
            let is_kept = |one: &&FieldMatch| {
                let cell = paragraph.cells.get(one.cells.start);
                !self.story.control_chain(cell.and_then(|cell| cell.control)).any(|at| self.replaced.contains_key(&at))
            };
            let matches: Vec<&FieldMatch> = found.matches.iter().filter(is_kept).collect();
            for one in matches {
                let cells: Vec<&TextCell> = paragraph.cells.get(one.cells.clone()).unwrap_or_default().iter().collect();
                let after = paragraph.cells.get(one.cells.end..).unwrap_or_default();
                around.digit_follows = begins_with_digit(after.iter().map(|cell| cell.character));
                let position = cells.first().map_or(0, |cell| cell.span.start);
                self.editor.replace_cells(&cells, &self.value_at(&one.name, position), None, around);
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
        self.fill_frames();
        attributes::fill_slots(self.part, &mut self.editor, &|name, kind| {
            // A link whose target is empty must not point to a dotted line.
            let empty = if kind == SlotKind::LinkTarget { EmptyValue::Blank } else { self.options.empty };
            value_text(self.values, self.pictures.placer(), empty, name)
        });
        self.delete_blank_lines();
    }

    /// Replaces or removes the pictures whose alternative texts are picture fields.
    fn fill_frames(&mut self) {
        for frame in &self.part.frames {
            let Some(name) = self.part.frame_name(frame) else { continue };
            let Some(value) = self.pictures.placer().picture(name) else { continue };
            let Some(drawing) = self.story.drawings.get(frame.drawing) else { continue };
            if matches!(value, FieldPicture::Empty { .. }) {
                self.delete_picture_control(drawing);
            }
            let (mark, source) = (self.numbers.get(name).copied(), &self.part.source);
            pictures::fill_frame(drawing, value, mark, source, &self.pictures, &mut self.editor);
        }
    }

    /// Deletes the tags of the picture control around a drawing that is removed. A picture control without a picture is not
    /// valid.
    fn delete_picture_control(&mut self, drawing: &ScannedDrawing) {
        let control = drawing.control.and_then(|at| self.story.controls.get(at));
        if let Some(control) = control.filter(|control| control.kind.is_picture()) {
            self.editor.delete(control.range.start..control.content.start);
            self.editor.delete(control.content.end..control.range.end);
        }
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
            let value = FieldValue::of_text(remove_direction_controls(&text));
            self.editor.replace_cells(&cells, &value, properties_override, around);
        }
    }

    pub(super) fn value_of(&self, name: &str) -> FieldValue {
        let text = value_text(self.values, self.pictures.placer(), self.options.empty, name);
        FieldValue { field: self.numbers.get(name).copied(), ..FieldValue::of_text(text) }
    }

    /// Returns `true` if the value of a field is a text with right-to-left characters.
    fn shows_right_to_left(&self, name: &str) -> bool {
        let is_picture = matches!(self.pictures.placer().picture(name), Some(FieldPicture::Shown(_)));
        !is_picture && has_right_to_left(self.value_of(name).text.chars())
    }

    /// Returns the value that replaces a field at a byte offset of the part. A picture is then part of the value.
    pub(super) fn value_at(&self, name: &str, position: usize) -> FieldValue {
        let picture = match self.pictures.placer().picture(name) {
            Some(FieldPicture::Shown(shown)) => Some(self.pictures.inline(shown, name, position)),
            _ => None,
        };
        FieldValue { picture, ..self.value_of(name) }
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
