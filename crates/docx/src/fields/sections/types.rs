//! The types of the fields: which sections are lists, and which fields are columns of which list.

use std::collections::{HashMap, HashSet};

use waraq_rules::{DeclaredTypes, DiagnosticCode, ENTRY_COLUMN, FieldType, Structure, StructuredField};

use super::{SectionProblem, Sections};
use crate::fields::scan::TextCell;
use crate::fields::text_parts::{self, Occurrence, ScannedPart};
use crate::fields::{Field, FieldKind};

/// The fields of a template with their types.
#[derive(Debug, Default)]
pub(in crate::fields) struct TemplateTypes {
    /// The fields outside lists, in reading order.
    pub fields: Vec<Field>,
    /// The same fields with their types and the columns of lists.
    pub structure: Structure,
    /// The names of all fields and columns, in reading order.
    pub all_names: Vec<String>,
    /// The fields whose use contradicts their types.
    pub problems: Vec<SectionProblem>,
}

/// Returns the fields of a template with their types. `declared` has the types that the author declares.
///
/// A name inside a list is a column of the list, unless the same name is also used in a level around the list. Sections that
/// are no lists do not change the level of the names in them.
pub(in crate::fields) fn template_types(
    parts: &[ScannedPart<'_>],
    sections: &Sections,
    declared: &DeclaredTypes,
) -> TemplateTypes {
    let occurrences = text_parts::occurrences_in_reading_order(parts, sections);
    let around: Vec<Option<usize>> = occurrences.iter().map(|one| section_around(one, sections)).collect();
    let lists = list_sections(&occurrences, &around, sections, declared);
    let lists_around = |around: &Option<usize>| -> Vec<usize> {
        let mut chain: Vec<usize> = sections.chain(*around).filter(|id| lists.contains(id)).collect();
        chain.reverse();
        chain
    };
    let contexts: Vec<Vec<usize>> = around.iter().map(lists_around).collect();
    let (mut levels, resolved) = Levels::resolve(&occurrences, &contexts, &lists, declared);
    let mut types = TemplateTypes::default();
    let mut places = HashMap::new();
    for (one, level) in occurrences.iter().zip(&resolved) {
        let Some(level) = *level else {
            types.problems.extend(problem_at(one, DiagnosticCode::EntryOutsideList, parts));
            continue;
        };
        levels.add(level, one, one.section.is_some_and(|id| lists.contains(&id)));
        if level == TOP {
            add_field(&mut types.fields, &mut places, one);
        }
    }
    for field in &mut types.fields {
        field.occurrences = field.occurrences.max(1);
    }
    for (one, level) in occurrences.iter().zip(&resolved).filter(|(one, _)| one.section.is_none() && !one.fallback) {
        if level.is_some_and(|level| levels.is_list(level, &one.name)) {
            types.problems.extend(problem_at(one, DiagnosticCode::ListUsedAsText, parts));
        }
    }
    types.structure = Structure(levels.columns_of(TOP));
    let mut seen = HashSet::new();
    types.all_names = occurrences.into_iter().map(|one| one.name).filter(|name| seen.insert(name.clone())).collect();
    types
}

/// Returns the innermost section around an occurrence. For the occurrence of a section, the section itself does not count.
fn section_around(one: &Occurrence, sections: &Sections) -> Option<usize> {
    if let Some(section) = one.section {
        return sections.all.get(section).and_then(|section| section.parent);
    }
    let anchored = || one.anchor.and_then(|anchor| sections.around(0, anchor));
    sections.around(one.part, one.offset).or_else(anchored)
}

/// Returns the sections that are lists.
///
/// The type that the author declares decides. A section without a declared type is a list if a section of the same name
/// repeats rows or a list item, or contains `{{.}}`.
fn list_sections(
    occurrences: &[Occurrence],
    around: &[Option<usize>],
    sections: &Sections,
    declared: &DeclaredTypes,
) -> HashSet<usize> {
    let mut suggested: HashSet<&str> = sections
        .used()
        .filter(|(_, section)| section.suggests_list)
        .map(|(_, section)| section.name.as_str())
        .collect();
    let entries = occurrences.iter().zip(around).filter(|(one, _)| one.name == ENTRY_COLUMN);
    for (_, around) in entries {
        let mut chain = sections.chain(*around).filter_map(|id| sections.all.get(id));
        suggested.extend(chain.find(|section| !section.inverted).map(|section| section.name.as_str()));
    }
    let mut lists = HashSet::new();
    // The declared columns of each list, by section.
    let mut columns: HashMap<usize, &DeclaredTypes> = HashMap::new();
    for (id, section) in sections.used() {
        let levels = sections.chain(section.parent).filter_map(|outer| columns.get(&outer).copied());
        let known = levels.chain([declared]).find_map(|level| level.get(&section.name));
        let is_list =
            known.map_or(suggested.contains(section.name.as_str()), |known| known.field_type == FieldType::List);
        if is_list && !section.inverted {
            lists.insert(id);
            columns.extend(known.map(|known| (id, &known.columns)));
        }
    }
    lists
}

/// The level of the fields outside lists.
const TOP: usize = 0;

/// The fields outside lists, and the columns of each list.
struct Levels<'d>(Vec<Level<'d>>);

#[derive(Default)]
struct Level<'d> {
    /// The names that are used directly in this level.
    used: HashSet<String>,
    declared: Option<&'d DeclaredTypes>,
    /// The levels of the lists in this level, by the name of the list.
    lists: HashMap<String, usize>,
    columns: Vec<Column>,
    /// The indices of the columns by name.
    places: HashMap<String, usize>,
}

/// A field or column with its uses.
struct Column {
    name: String,
    is_list: bool,
    is_section: bool,
    is_text: bool,
    /// Each occurrence is the alternative text of a picture.
    is_picture: bool,
}

impl<'d> Levels<'d> {
    /// Returns the levels, and the level of each occurrence. The level of `{{.}}` outside lists is `None`. `contexts` has the
    /// lists around each occurrence, from the outside to the inside.
    fn resolve(
        occurrences: &[Occurrence],
        contexts: &[Vec<usize>],
        lists: &HashSet<usize>,
        declared: &'d DeclaredTypes,
    ) -> (Self, Vec<Option<usize>>) {
        let mut levels = Self(vec![Level { declared: Some(declared), ..Level::default() }]);
        let mut level_of: HashMap<usize, usize> = HashMap::new();
        let mut resolved = vec![None; occurrences.len()];
        let deepest = contexts.iter().map(Vec::len).max().unwrap_or(0);
        for depth in 0..=deepest {
            let at_depth = || (0..).zip(occurrences).zip(contexts).filter(|(_, context)| context.len() == depth);
            let chain = |context: &[usize], level_of: &HashMap<usize, usize>| -> Vec<usize> {
                let inner = context.iter().map(|list| level_of.get(list).copied().unwrap_or(TOP));
                std::iter::once(TOP).chain(inner).collect()
            };
            for ((_, one), context) in at_depth() {
                let innermost = chain(context, &level_of).last().copied().unwrap_or(TOP);
                if let Some(level) = levels.0.get_mut(innermost) {
                    level.used.insert(one.name.clone());
                }
            }
            for ((at, one), context) in at_depth() {
                let chain = chain(context, &level_of);
                let is_entry = one.name == ENTRY_COLUMN && one.section.is_none();
                let level = if is_entry {
                    chain.last().copied().filter(|_| depth > 0)
                } else {
                    let is_used =
                        |level: &usize| levels.0.get(*level).is_some_and(|level| level.used.contains(&one.name));
                    chain.into_iter().find(is_used)
                };
                if let Some(resolved) = resolved.get_mut::<usize>(at) {
                    *resolved = level;
                }
                if let (Some(list), Some(level)) = (one.section.filter(|id| lists.contains(id)), level) {
                    level_of.insert(list, levels.level_of_list(level, &one.name));
                }
            }
        }
        (levels, resolved)
    }

    /// Returns the level of the columns of a list. Adds the level if the list is new.
    fn level_of_list(&mut self, outer: usize, list: &str) -> usize {
        let new = self.0.len();
        let Some(level) = self.0.get_mut(outer) else { return TOP };
        if let Some(known) = level.lists.get(list) {
            return *known;
        }
        level.lists.insert(list.to_owned(), new);
        let declared = level.declared.and_then(|declared| declared.get(list)).map(|declared| &declared.columns);
        self.0.push(Level { declared, ..Level::default() });
        new
    }

    fn add(&mut self, level: usize, one: &Occurrence, is_list: bool) {
        let Some(level) = self.0.get_mut(level) else { return };
        let at = *level.places.entry(one.name.clone()).or_insert(level.columns.len());
        if at == level.columns.len() {
            level.columns.push(Column {
                name: one.name.clone(),
                is_list: false,
                is_section: false,
                is_text: false,
                is_picture: true,
            });
        }
        if let Some(column) = level.columns.get_mut(at) {
            column.is_list |= is_list;
            column.is_section |= one.section.is_some();
            column.is_text |= one.section.is_none();
            column.is_picture &= one.kind == FieldKind::Picture;
        }
    }

    fn is_list(&self, level: usize, name: &str) -> bool {
        let level = self.0.get(level);
        let column = level.and_then(|level| level.columns.get(*level.places.get(name)?));
        column.is_some_and(|column| column.is_list)
    }

    /// Returns the fields of a level with their types.
    fn columns_of(&self, level: usize) -> Vec<StructuredField> {
        let Some(level) = self.0.get(level) else { return Vec::new() };
        let field = |column: &Column| {
            let declared = level.declared.and_then(|declared| declared.get(&column.name));
            let field_type = match declared.map(|declared| declared.field_type) {
                // A list that is only asked if it is empty has no columns of its own in the document.
                Some(FieldType::List) if column.is_section => FieldType::List,
                _ if column.is_list => FieldType::List,
                // A text that is also a section is kept if the text is not empty.
                Some(FieldType::List | FieldType::YesNo) | None if column.is_section && !column.is_text => {
                    FieldType::YesNo
                }
                Some(FieldType::YesNo) if column.is_section => FieldType::YesNo,
                None if column.is_picture => FieldType::Picture,
                Some(FieldType::List | FieldType::YesNo) | None => FieldType::Text,
                Some(other) => other,
            };
            let columns = level.lists.get(&column.name).filter(|_| field_type == FieldType::List);
            let columns = columns.map(|&inner| self.columns_of(inner)).unwrap_or_default();
            StructuredField { name: column.name.clone(), field_type, columns }
        };
        level.columns.iter().map(field).collect()
    }
}

fn add_field(fields: &mut Vec<Field>, places: &mut HashMap<String, usize>, one: &Occurrence) {
    let at = *places.entry(one.name.clone()).or_insert_with(|| {
        fields.push(Field { name: one.name.clone(), kind: one.kind, occurrences: 0, input: None });
        fields.len() - 1
    });
    if let Some(field) = fields.get_mut(at) {
        field.occurrences += usize::from(!one.fallback);
        // Only a name that occurs in no text is the name of a picture.
        if field.kind == FieldKind::Picture {
            field.kind = one.kind;
        }
        if field.input.is_none() {
            field.input.clone_from(&one.input);
        }
    }
}

/// Returns a problem at an occurrence of a field in a paragraph. Returns `None` for other occurrences.
fn problem_at(one: &Occurrence, code: DiagnosticCode, parts: &[ScannedPart<'_>]) -> Option<SectionProblem> {
    if one.kind == FieldKind::Section || one.fallback {
        return None;
    }
    let part = parts.get(one.part)?;
    let begun = part.scan.paragraphs.partition_point(|paragraph| paragraph.range.start <= one.offset);
    /// The maximum number of paragraphs that are searched.
    const MAX_SEARCHED: usize = 100;
    // A paragraph in a text box begins inside the paragraph of the text box, so the match can be in an earlier one.
    let has_cell = |cells: &[TextCell], at: usize| cells.get(at).is_some_and(|cell| cell.span.start == one.offset);
    let found = part
        .scan
        .paragraphs
        .get(..begun)?
        .iter()
        .zip(&part.paragraph_fields)
        .enumerate()
        .rev()
        .take(MAX_SEARCHED)
        .find_map(|(index, (paragraph, found))| {
            let matched = found.matches.iter().find(|found| has_cell(&paragraph.cells, found.cells.start))?;
            Some((index, matched.cells.clone()))
        });
    let (paragraph, cells) = found.unwrap_or((begun.saturating_sub(1), 0..0));
    Some(SectionProblem { code, part: one.part, paragraph, cells, name: one.name.clone() })
}
