//! A template that is scanned once and filled many times.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use waraq_rules::{DeclaredTypes, Structure, Value, Values};

use super::Field;
use super::fill::{FillOptions, checked_values, fill_parts};
use super::pictures;
use super::retyping::{TextChange, text_changes};
use super::sections::{self, Expanded, FlatName, Scope, Sections, TemplateTypes, find_sections, template_types};
use super::text_parts::{self, ScannedPart};
use crate::{Budget, Package, Result};

/// A template that is scanned once and filled many times.
pub struct Template {
    package: Package,
    parts: Vec<ScannedPart<'static>>,
    sections: Sections,
    types: TemplateTypes,
    /// True if no types were declared. A text is then written into the alternative text of a picture.
    is_undeclared: bool,
    last_fill: Mutex<Option<LastFill>>,
}

/// The last filling of a template. Its expansion is used again while only texts change.
struct LastFill {
    /// The shape of the values for which the sections were expanded.
    shape: Vec<usize>,
    /// `None` for a template without sections.
    expanded: Option<Expanded>,
    /// All values, also of the fields in rows.
    values: Values,
}

impl LastFill {
    /// Returns the parts of the template, expanded.
    fn parts<'p>(&'p self, parts: &'p [ScannedPart<'static>]) -> Vec<&'p ScannedPart<'p>> {
        match &self.expanded {
            Some(expanded) => expanded.all_parts(parts),
            None => parts.iter().collect(),
        }
    }
}

/// The place of a value that is filled into a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ValuePlace {
    /// The index of the field in [`Template::fields`]. For a value in a list, this is the outermost list.
    pub field: u32,
    /// The numbers of the rows that contain the value, from 0. The row of the outermost list is the first.
    pub rows: Vec<u32>,
    /// The names of the columns inside the outermost list. The last one is the column of the value.
    pub columns: Vec<String>,
}

impl Template {
    /// Scans the template of a package. The document suggests the types of the fields.
    ///
    /// # Errors
    /// Returns the errors of [`super::list`].
    pub fn scan(package: Package) -> Result<Self> {
        Self::scan_with_types(package, &DeclaredTypes::new())
    }

    /// Scans the template of a package. `declared` has the types that the author declares for fields.
    ///
    /// # Errors
    /// Returns the errors of [`super::list`].
    pub fn scan_with_types(package: Package, declared: &DeclaredTypes) -> Result<Self> {
        let parts: Vec<ScannedPart<'static>> =
            text_parts::scan_with_fields(&package)?.into_iter().map(ScannedPart::into_owned).collect();
        let sections = find_sections(&parts);
        let types = template_types(&parts, &sections, declared);
        let is_undeclared = declared.is_empty();
        Ok(Self { package, parts, sections, types, is_undeclared, last_fill: Mutex::default() })
    }

    /// Returns the package of the template, as it was given to [`Template::scan`].
    pub fn package(&self) -> &Package {
        &self.package
    }

    /// Returns the fields of the template in reading order, without duplicates and without the columns of lists.
    pub fn fields(&self) -> &[Field] {
        &self.types.fields
    }

    /// Returns the types of the fields, in the order of [`Template::fields`].
    pub fn structure(&self) -> &Structure {
        &self.types.structure
    }

    /// Fills the template with `values`, and adds a mark before and after each value. The mark before a value contains
    /// the index of its place in the returned list. The first places are those of [`Template::fields`], in the same order.
    ///
    /// The filled package is for [`crate::read()`] with [`crate::ReadOptions::values`] and must not be given to users.
    /// All later work on that package, such as reading it, counts against `budget`. [`FillOptions::structure`] is ignored,
    /// because the types are known since the scan.
    ///
    /// # Errors
    /// Returns the errors of [`super::fill()`].
    pub fn fill_marked(
        &self,
        values: &Values,
        options: FillOptions<'_>,
        budget: &Budget,
    ) -> Result<(Package, Vec<ValuePlace>)> {
        let (values, structure) = self.checked_values(values)?;
        let options = FillOptions { structure: Some(&structure), ..options };
        let shape = self.shape(&values);
        let mut cached = self.lock_last_fill();
        let expanded = match cached.take().filter(|last| last.shape == shape) {
            Some(last) => last.expanded,
            None if self.sections.is_empty() => None,
            None => Some(sections::expand(&self.package.with_budget(budget), &self.parts, &self.sections, &values)?),
        };
        let package = expanded.as_ref().map_or(&self.package, |expanded| &expanded.package).with_budget(budget);
        let values = expanded.as_ref().map_or(values.clone(), |expanded| expanded.flat_values(&values));
        let last = LastFill { shape, expanded, values };
        let filled = fill_parts(&package, &last.parts(&self.parts), &last.values, options, &self.mark_names(&last))?;
        let mut places: Vec<ValuePlace> =
            (0..).zip(&self.types.fields).map(|(field, _)| ValuePlace { field, ..ValuePlace::default() }).collect();
        if let Some(expanded) = &last.expanded {
            let numbers: HashMap<&str, u32> = fields_by_name(&self.types.fields);
            places.extend(expanded.names.iter().map(|flat| place(&numbers, &expanded.scopes, flat)));
        }
        *cached = Some(last);
        Ok((filled, places))
    }

    /// Returns the texts that change if `values` replace those of the last call of [`Template::fill_marked`] or of this
    /// function, which must have had the same options. The places of the values stay the same. Returns `None` if the template
    /// must be filled again, because more than texts in paragraphs changes.
    #[must_use]
    pub fn text_changes(&self, values: &Values) -> Option<Vec<TextChange>> {
        let (values, _) = self.checked_values(values).ok()?;
        let mut cached = self.lock_last_fill();
        let last = cached.as_mut().filter(|last| last.shape == self.shape(&values))?;
        let values = last.expanded.as_ref().map_or(values.clone(), |expanded| expanded.flat_values(&values));
        // The texts in a list have names of their own.
        let is_changed = |name: &str| match (values.value(name), last.values.value(name)) {
            (Some(Value::List(_)), Some(Value::List(_))) => false,
            (after, before) => after != before,
        };
        let names = self.mark_names(last);
        let changed = names.into_iter().zip(0..).filter(|(name, _)| is_changed(name)).collect();
        let changes = text_changes(&last.parts(&self.parts), &last.values, &values, &changed)?;
        last.values = values;
        Some(changes)
    }

    /// Returns the values in the form that fits the structure of the template, and the structure.
    fn checked_values(&self, values: &Values) -> Result<(Values, Structure)> {
        let structure = self.types.structure.clone();
        let structure = if self.is_undeclared { pictures::with_texts_as_given(structure, values) } else { structure };
        Ok((checked_values(values, &structure, &self.parts)?, structure))
    }

    /// Returns the names of the fields that get marks. The index of a name is the number in its marks.
    fn mark_names<'n>(&'n self, last: &'n LastFill) -> Vec<&'n str> {
        let in_rows = last.expanded.iter().flat_map(|expanded| &expanded.names);
        let fields = self.types.fields.iter().map(|field| field.name.as_str());
        fields.chain(in_rows.map(|flat| flat.name.as_str())).collect()
    }

    fn lock_last_fill(&self) -> MutexGuard<'_, Option<LastFill>> {
        self.last_fill.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the shape of the values: the number of rows of each list, and the answers that keep or remove sections. Values
    /// of the same shape have the same expansion.
    fn shape(&self, values: &Values) -> Vec<usize> {
        let mut shape = Vec::new();
        for (name, value) in values.iter() {
            add_shape(name, value, &self.sections, &mut shape);
        }
        shape
    }
}

fn fields_by_name(fields: &[Field]) -> HashMap<&str, u32> {
    fields.iter().map(|field| field.name.as_str()).zip(0..).collect()
}

/// Returns the place of a field in a row. `numbers` has the index of each field outside lists.
fn place(numbers: &HashMap<&str, u32>, scopes: &[Scope], flat: &FlatName) -> ValuePlace {
    let mut place = ValuePlace { columns: vec![flat.column.clone()], ..ValuePlace::default() };
    let mut at = flat.scope;
    while let Some(row) = scopes.get(at).filter(|_| at > 0) {
        place.rows.push(u32::try_from(row.row).unwrap_or(u32::MAX));
        place.columns.push(row.list.clone());
        // A scope is added after the scope that contains its list.
        at = row.owner.min(at - 1);
    }
    place.rows.reverse();
    let list = place.columns.pop().unwrap_or_default();
    place.columns.reverse();
    place.field = numbers.get(list.as_str()).copied().unwrap_or(u32::MAX);
    place
}

fn add_shape(name: &str, value: &Value, sections: &Sections, shape: &mut Vec<usize>) {
    let Value::List(rows) = value else {
        if sections.has_name(name) {
            shape.push(usize::from(value.is_empty()));
        }
        return;
    };
    shape.push(rows.len());
    for (name, value) in rows.iter().flatten() {
        add_shape(name, value, sections, shape);
    }
}

impl std::fmt::Debug for Template {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Template({:?})", self.package)
    }
}
