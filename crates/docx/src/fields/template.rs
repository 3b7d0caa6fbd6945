//! A template that is scanned once and filled many times.

use std::collections::HashMap;
use std::sync::Mutex;

use waraq_rules::{DeclaredTypes, Structure, Value, Values};

use super::Field;
use super::fill::{FillOptions, checked_values, fill_parts};
use super::pictures;
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
    /// The last expansion, and the shape of the values for which it was made. It is used again while only texts change.
    expansion: Mutex<Option<(Vec<usize>, Expanded)>>,
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
        Ok(Self { package, parts, sections, types, is_undeclared, expansion: Mutex::default() })
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
        let structure = self.types.structure.clone();
        let structure = if self.is_undeclared { pictures::with_texts_as_given(structure, values) } else { structure };
        let values = checked_values(values, &structure, &self.parts)?;
        let options = FillOptions { structure: Some(&structure), ..options };
        let fields = self.types.fields.iter().map(|field| field.name.as_str());
        if self.sections.is_empty() {
            let (names, parts): (Vec<&str>, Vec<_>) = (fields.collect(), self.parts.iter().collect());
            let filled = fill_parts(&self.package.with_budget(budget), &parts, &values, options, &names)?;
            return Ok((filled, self.field_places()));
        }
        let shape = self.shape(&values);
        let mut cached = self.expansion.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let known = cached.take().filter(|(known, _)| *known == shape);
        let (shape, expanded) = match known {
            Some(known) => known,
            None => {
                let package = self.package.with_budget(budget);
                (shape, sections::expand(&package, &self.parts, &self.sections, &values)?)
            }
        };
        let flat = expanded.flat_values(&values);
        let names: Vec<&str> = fields.chain(expanded.names.iter().map(|flat| flat.name.as_str())).collect();
        let parts = expanded.all_parts(&self.parts);
        let filled = fill_parts(&expanded.package.with_budget(budget), &parts, &flat, options, &names)?;
        let mut places = self.field_places();
        let numbers: HashMap<&str, u32> = fields_by_name(&self.types.fields);
        places.extend(expanded.names.iter().map(|flat| place(&numbers, &expanded.scopes, flat)));
        *cached = Some((shape, expanded));
        Ok((filled, places))
    }

    fn field_places(&self) -> Vec<ValuePlace> {
        (0..).zip(&self.types.fields).map(|(field, _)| ValuePlace { field, ..ValuePlace::default() }).collect()
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
