//! Checks derivations against the structure of a template.

use std::collections::{BTreeMap, BTreeSet};

use super::path::path_in;
use super::{Derivation, Derivations, DerivedPath, MAX_COLUMN_SOURCES, MAX_DERIVATIONS, MAX_SOURCES, Source};
use crate::{ErrorCode, FieldType, MAX_LIST_DEPTH, RuleViolation, Structure, StructuredField};

/// Checks the derivations of a template in which all fields are texts. See [`check_structure`].
///
/// # Errors
/// The errors of [`check_structure`].
pub fn check<F: AsRef<str>>(derivations: &Derivations, fields: &[F]) -> Result<(), RuleViolation> {
    check_structure(derivations, &Structure::of_texts(fields.iter().map(|name| name.as_ref().to_owned())))
}

/// Checks that all derivations are valid: the fields and columns exist on the right level and have the right type, no
/// field depends on itself directly or indirectly, and no limit is exceeded. Errors name columns as `items[].total`.
///
/// # Errors
/// - [`ErrorCode::DerivationSource`], with the names that are not fields on their level, or whose type is wrong: a list or
///   picture is given where a text is needed, or a text where a list is needed.
/// - [`ErrorCode::DerivationCycle`], with the fields of a cycle and the fields that depend on a cycle.
/// - [`ErrorCode::InvalidDerivation`], with the fields that have too few sources, too many sources or the same source
///   twice. If there are more than [`MAX_DERIVATIONS`] derivations, the error lists no fields. If the derived columns have
///   more than [`MAX_COLUMN_SOURCES`] sources together, the error lists these columns.
pub fn check_structure(derivations: &Derivations, structure: &Structure) -> Result<(), RuleViolation> {
    let refuse = |code, message: &str, fields: Vec<String>| Err(RuleViolation::new(code, message, fields));
    if derivations.len() > MAX_DERIVATIONS {
        let message = format!("A template can have at most {MAX_DERIVATIONS} derived fields.");
        let refused = RuleViolation::new(ErrorCode::InvalidDerivation, message, [""; 0]);
        return Err(RuleViolation { limit: Some(MAX_DERIVATIONS), ..refused });
    }
    check_source_counts(derivations)?;

    let mut wrong: BTreeSet<String> = BTreeSet::new();
    let mut sources: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (key, derivation) in derivations {
        let resolved = Place::new(structure, DerivedPath::parse(key)).map(|place| place.resolve_sources(derivation));
        match resolved {
            Some(resolved) => {
                let mut known = Vec::new();
                for source in resolved {
                    match source {
                        Ok(path) => known.push(path),
                        Err(path) => {
                            wrong.insert(path);
                        }
                    }
                }
                sources.insert(key, known);
            }
            None => {
                wrong.insert(key.clone());
            }
        }
    }
    if !wrong.is_empty() {
        let message = "A derived field or one of its sources is not a field of the template, or has the wrong type.";
        return refuse(ErrorCode::DerivationSource, message, wrong.into_iter().collect());
    }
    let cyclic = fields_in_cycles(&sources);
    if !cyclic.is_empty() {
        return refuse(ErrorCode::DerivationCycle, "Derived fields depend on each other.", cyclic);
    }
    Ok(())
}

/// Checks the number of sources of each derivation, and of all derived columns together.
fn check_source_counts(derivations: &Derivations) -> Result<(), RuleViolation> {
    let is_wrong = |derivation: &Derivation| {
        let sources = derivation.sources();
        let fewest = if matches!(derivation, Derivation::Product { .. }) { 2 } else { 1 };
        let is_twice = |(at, source): (usize, &Source)| sources.iter().take(at).any(|before| before == source);
        !(fewest..=MAX_SOURCES).contains(&sources.len()) || sources.iter().enumerate().any(is_twice)
    };
    let refuse = |limit, message, fields: Vec<&str>| {
        Err(RuleViolation { limit: Some(limit), ..RuleViolation::new(ErrorCode::InvalidDerivation, message, fields) })
    };
    let wrong: Vec<&str> = derivations.iter().filter(|(_, made)| is_wrong(made)).map(|(key, _)| key.as_str()).collect();
    if !wrong.is_empty() {
        let message =
            format!("A derived field must have 1 to {MAX_SOURCES} source fields, each once, and a product at least 2.");
        return refuse(MAX_SOURCES, message, wrong);
    }
    let in_lists = || derivations.iter().filter(|(key, _)| !DerivedPath::parse(key).lists.is_empty());
    if in_lists().map(|(_, derivation)| derivation.sources().len()).sum::<usize>() > MAX_COLUMN_SOURCES {
        let message = format!("All derived columns together can have at most {MAX_COLUMN_SOURCES} sources.");
        return refuse(MAX_COLUMN_SOURCES, message, in_lists().map(|(key, _)| key.as_str()).collect());
    }
    Ok(())
}

/// Returns whether all sources of a derivation exist and have the right type. `lists` are the lists around the derived
/// field.
pub(crate) fn has_all_sources(derivation: &Derivation, structure: &Structure, lists: &[&str]) -> bool {
    let place = Levels::new(structure, lists).map(|levels| Place { levels, lists: lists.to_vec() });
    place.is_some_and(|place| place.resolve_sources(derivation).iter().all(Result::is_ok))
}

/// The fields of the template, and the columns of each list around a field, outermost first.
struct Levels<'s>(Vec<&'s [StructuredField]>);

impl<'s> Levels<'s> {
    /// Returns `None` if one of `lists` does not exist or is not a list.
    fn new(structure: &'s Structure, lists: &[&str]) -> Option<Self> {
        if lists.len() > MAX_LIST_DEPTH {
            return None;
        }
        let mut levels = vec![structure.0.as_slice()];
        for list in lists {
            let field = find(levels.last()?, list).filter(|field| field.field_type == FieldType::List)?;
            levels.push(&field.columns);
        }
        Some(Self(levels))
    }
}

fn find<'s>(fields: &'s [StructuredField], name: &str) -> Option<&'s StructuredField> {
    fields.iter().find(|field| field.name == name)
}

fn is_text(field: &StructuredField) -> bool {
    matches!(field.field_type, FieldType::Text | FieldType::QrCode)
}

/// The level of a derived field.
struct Place<'s, 'p> {
    levels: Levels<'s>,
    lists: Vec<&'p str>,
}

impl<'s, 'p> Place<'s, 'p> {
    /// Returns `None` if the field does not exist or is not a text.
    fn new(structure: &'s Structure, path: DerivedPath<'p>) -> Option<Self> {
        let levels = Levels::new(structure, &path.lists)?;
        find(levels.0.last()?, path.name).filter(|field| is_text(field))?;
        Some(Self { levels, lists: path.lists })
    }

    /// Returns the path of each source field and column, or as an error the path of a source that does not exist or has
    /// the wrong type. Lists as such have no path.
    fn resolve_sources(&self, derivation: &Derivation) -> Vec<Result<String, String>> {
        let here = |name: &str| path_in(self.lists.iter().copied(), name);
        let list_field = |list: &str| {
            let field = self.levels.0.last().and_then(|fields| find(fields, list));
            field.filter(|field| field.field_type == FieldType::List).ok_or_else(|| here(list))
        };
        let resolve = |source| match source {
            Source::Field(name) => {
                let mut levels = self.levels.0.iter().enumerate().rev();
                let found = levels.find_map(|(depth, fields)| Some((depth, find(fields, name)?)));
                let Some((depth, field)) = found else { return Some(Err(here(name))) };
                let path = path_in(self.lists.iter().take(depth).copied(), name);
                Some(if is_text(field) { Ok(path) } else { Err(path) })
            }
            Source::List(list) => list_field(list).err().map(Err),
            Source::Column { list, column } => Some(list_field(list).and_then(|field| {
                let path = path_in(self.lists.iter().copied().chain([list]), column);
                if find(&field.columns, column).is_some_and(is_text) { Ok(path) } else { Err(path) }
            })),
        };
        derivation.sources().into_iter().filter_map(resolve).collect()
    }
}

/// Returns the derived fields that are part of a cycle or depend on one. `sources` are the paths of the sources of each
/// derived field.
fn fields_in_cycles(sources: &BTreeMap<&str, Vec<String>>) -> Vec<String> {
    let mut waiting: BTreeSet<&str> = sources.keys().copied().collect();
    loop {
        let is_ready =
            |key: &&str| sources.get(*key).is_none_or(|of| of.iter().all(|source| !waiting.contains(source.as_str())));
        let ready: Vec<&str> = waiting.iter().copied().filter(|key| is_ready(key)).collect();
        if ready.is_empty() {
            return waiting.into_iter().map(str::to_owned).collect();
        }
        for key in ready {
            waiting.remove(key);
        }
    }
}
