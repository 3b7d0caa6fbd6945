//! Computes all derived values of a document, in the order in which they depend on each other.
//!
//! The work is linear: the rows of each list are collected once, and each derivation is computed once per row.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::compute::{ComputedValue, SourceValue, Sources, compute};
use super::{Derivation, Derivations, DerivedPath, DerivedValues, NoValueReason, Source, TemplateLocale};
use crate::{Row, Value, Values, is_empty};

/// Derives the fields and columns that have no value in `values`, and writes the results into `values`. A field that
/// cannot be derived becomes empty. Returns the results, with the reasons for fields that cannot be derived.
///
/// Values that exceed a limit of rows ([`Values::check_row_counts`]) stay as they are, and the result is empty.
pub fn fill_derived_values(values: &mut Values, derivations: &Derivations, setting: &TemplateLocale) -> DerivedValues {
    let cells = derived_cells(values, derivations, setting);
    for cell in &cells {
        let Some(row) = row_at(values.as_row_mut(), &cell.path.lists, &cell.rows) else { continue };
        match &cell.result {
            Ok(text) => {
                row.insert(cell.path.name.to_owned(), Value::Text(text.clone()));
            }
            Err(_) => {
                row.entry(cell.path.name.to_owned()).or_insert_with(|| Value::Text(String::new()));
            }
        }
    }
    by_key(cells)
}

/// Derives the values of all derived fields and columns except those into which the user has typed a value. Each result is
/// a text, or the reason why the field has no value. A value that the user typed into a derived field is also used by the
/// fields that depend on this field.
///
/// The result is empty if `values` exceed a limit of rows ([`Values::check_row_counts`]).
pub fn derive_values(derivations: &Derivations, setting: &TemplateLocale, values: &Values) -> DerivedValues {
    by_key(derived_cells(values, derivations, setting))
}

fn by_key(cells: Vec<DerivedCell>) -> DerivedValues {
    cells.into_iter().map(|cell| (cell.path.in_row(&cell.rows), cell.result)).collect()
}

/// Returns the row that `lists` and row numbers lead to.
fn row_at<'v>(mut row: &'v mut Row, lists: &[&str], rows: &[usize]) -> Option<&'v mut Row> {
    for (list, number) in lists.iter().zip(rows) {
        let Some(Value::List(rows)) = row.get_mut(*list) else { return None };
        row = rows.get_mut(*number)?;
    }
    Some(row)
}

/// The result of a derivation in one row.
struct DerivedCell<'d> {
    path: DerivedPath<'d>,
    /// The row numbers from 0, one for each list of the path.
    rows: Vec<usize>,
    result: Result<String, NoValueReason>,
}

fn derived_cells<'d>(values: &Values, derivations: &'d Derivations, setting: &TemplateLocale) -> Vec<DerivedCell<'d>> {
    if derivations.is_empty() || values.check_row_counts().is_err() {
        return Vec::new();
    }
    let mut levels = Levels::new(values.as_row());
    let mut nodes: Vec<Node> = derivations
        .iter()
        .map(|(path, derivation)| {
            let path = DerivedPath::parse(path);
            let level = levels.level(&path.lists);
            Node { path, level, derivation, results: None }
        })
        .collect();
    for node in &nodes {
        for source in node.derivation.sources() {
            if let Source::Column { list, .. } | Source::List(list) = source {
                levels.child(node.level, list);
            }
        }
    }
    let places: BTreeMap<(usize, &str), usize> =
        nodes.iter().enumerate().map(|(at, node)| ((node.level, node.path.name), at)).collect();
    let sources: Vec<Vec<usize>> = nodes.iter().map(|node| source_nodes(node, &levels, &places)).collect();

    let mut waiting: BTreeSet<usize> = (0..nodes.len()).collect();
    // Each round derives the fields whose sources are not waiting for their own value. Fields in a cycle get no value.
    loop {
        let is_ready = |at: &usize| sources.get(*at).is_none_or(|of| of.iter().all(|source| !waiting.contains(source)));
        let ready: Vec<usize> = waiting.iter().copied().filter(is_ready).collect();
        if ready.is_empty() {
            break;
        }
        for at in ready {
            let Some(node) = nodes.get(at) else { continue };
            let results = node_results(node, &levels, &nodes, &places, setting);
            if let Some(node) = nodes.get_mut(at) {
                node.results = Some(results);
            }
            waiting.remove(&at);
        }
    }
    nodes.into_iter().flat_map(|node| node_cells(node, &levels)).collect()
}

/// Returns the results of a node by row. Rows with a typed value are left out.
fn node_cells<'d>(node: Node<'d>, levels: &Levels) -> Vec<DerivedCell<'d>> {
    let Node { path, level, results, .. } = node;
    let count = levels.instances(level).len();
    let results = results.unwrap_or_else(|| {
        let typed = |at| levels.typed(level, at, path.name).is_some();
        (0..count).map(|at| (!typed(at)).then_some(Err(NoValueReason::Empty))).collect()
    });
    let cell = |(at, result): (usize, Option<Result<ComputedValue, NoValueReason>>)| {
        let result = result?.map(|computed| computed.text);
        Some(DerivedCell { path: path.clone(), rows: levels.row_numbers(level, at), result })
    };
    results.into_iter().enumerate().filter_map(cell).collect()
}

/// A derivation during the computation.
struct Node<'d> {
    path: DerivedPath<'d>,
    /// The index of the level of the derived field.
    level: usize,
    derivation: &'d Derivation,
    /// The result in each row of the level, or `None` for a row in which the user typed a value. `None` before the
    /// computation.
    results: Option<Vec<Option<Result<ComputedValue, NoValueReason>>>>,
}

/// The fields of the template, or the rows of one list.
struct Level<'d, 'v> {
    /// The level around the list and the name of the list. `None` for the fields of the template.
    list: Option<(usize, &'d str)>,
    /// The rows of the list in all rows around it, in order.
    instances: Vec<Instance<'v>>,
    /// The range in `instances` for each row of the level around the list. `None` if the row has no such list.
    ranges: Vec<Option<Range<usize>>>,
}

/// A row of a list.
struct Instance<'v> {
    /// The index of the row around the list on the level around it.
    parent: usize,
    /// The row number from 0.
    number: usize,
    row: &'v Row,
}

/// The levels that derivations use.
struct Levels<'d, 'v>(Vec<Level<'d, 'v>>);

impl<'d, 'v> Levels<'d, 'v> {
    fn new(fields: &'v Row) -> Self {
        let instances = vec![Instance { parent: 0, number: 0, row: fields }];
        Self(vec![Level { list: None, instances, ranges: Vec::new() }])
    }

    /// Returns the index of the level inside `lists`, and adds the level if it is missing.
    fn level(&mut self, lists: &[&'d str]) -> usize {
        lists.iter().fold(0, |level, list| self.child(level, list))
    }

    /// Returns the index of the level of a list on the level `parent`, and adds the level if it is missing.
    fn child(&mut self, parent: usize, list: &'d str) -> usize {
        if let Some(known) = self.known_child(parent, list) {
            return known;
        }
        let mut instances = Vec::new();
        let mut ranges = Vec::new();
        for (at, around) in self.instances(parent).iter().enumerate() {
            let Some(Value::List(rows)) = around.row.get(list) else {
                ranges.push(None);
                continue;
            };
            let from = instances.len();
            instances.extend(rows.iter().enumerate().map(|(number, row)| Instance { parent: at, number, row }));
            ranges.push(Some(from..instances.len()));
        }
        self.0.push(Level { list: Some((parent, list)), instances, ranges });
        self.0.len() - 1
    }

    fn known_child(&self, parent: usize, list: &str) -> Option<usize> {
        self.0.iter().position(|level| level.list == Some((parent, list)))
    }

    fn instances(&self, level: usize) -> &[Instance<'v>] {
        self.0.get(level).map(|level| level.instances.as_slice()).unwrap_or_default()
    }

    /// Returns the level around a list, or `None` for the fields of the template.
    fn around(&self, level: usize) -> Option<usize> {
        Some(self.0.get(level)?.list?.0)
    }

    /// Returns the value that the user typed, or `None` if it is empty or missing.
    fn typed(&self, level: usize, at: usize, name: &str) -> Option<&'v Value> {
        let value = self.instances(level).get(at)?.row.get(name)?;
        let is_typed = value.as_text().is_none_or(|text| !is_empty(text));
        is_typed.then_some(value)
    }

    /// Returns the numbers of a row and of the rows around it, outermost first.
    fn row_numbers(&self, mut level: usize, mut at: usize) -> Vec<usize> {
        let mut numbers = Vec::new();
        while let (Some(around), Some(instance)) = (self.around(level), self.instances(level).get(at)) {
            numbers.push(instance.number);
            (level, at) = (around, instance.parent);
        }
        numbers.reverse();
        numbers
    }
}

/// Returns the nodes from which a node is derived.
fn source_nodes(node: &Node, levels: &Levels, places: &BTreeMap<(usize, &str), usize>) -> Vec<usize> {
    let of = |source: Source| match source {
        Source::Field(name) => {
            let mut level = node.level;
            loop {
                if let Some(at) = places.get(&(level, name)) {
                    return Some(*at);
                }
                // A column that is not derived hides a field of the same name around the list.
                if levels.instances(level).iter().any(|instance| instance.row.contains_key(name)) {
                    return None;
                }
                level = levels.around(level)?;
            }
        }
        Source::List(_) => None,
        Source::Column { list, column } => places.get(&(levels.known_child(node.level, list)?, column)).copied(),
    };
    node.derivation.sources().into_iter().filter_map(of).collect()
}

/// Computes a derivation in all rows of its level.
fn node_results(
    node: &Node,
    levels: &Levels,
    nodes: &[Node],
    places: &BTreeMap<(usize, &str), usize>,
    setting: &TemplateLocale,
) -> Vec<Option<Result<ComputedValue, NoValueReason>>> {
    let one = |at| {
        if levels.typed(node.level, at, node.path.name).is_some() {
            return None;
        }
        Some(compute(node.derivation, setting, &RowSources { level: node.level, at, levels, nodes, places }))
    };
    (0..levels.instances(node.level).len()).map(one).collect()
}

/// The sources of a derivation in one row.
struct RowSources<'r, 'd, 'v> {
    level: usize,
    /// The index of the row on its level.
    at: usize,
    levels: &'r Levels<'d, 'v>,
    nodes: &'r [Node<'d>],
    places: &'r BTreeMap<(usize, &'r str), usize>,
}

impl<'r, 'v: 'r> RowSources<'r, '_, 'v> {
    /// Returns the value of a field or column on one level. Returns `None` if the row has no value under this name and it
    /// is not derived.
    fn value(&self, level: usize, at: usize, name: &str) -> Option<SourceValue<'r>> {
        let node = self.places.get(&(level, name)).and_then(|node| self.nodes.get(*node));
        if let Some(result) = node.and_then(|node| node.results.as_ref()?.get(at)?.as_ref()) {
            return Some(match result {
                Ok(ComputedValue { decimal: Some(decimal), .. }) => SourceValue::Number(*decimal),
                Ok(ComputedValue { decimal: None, .. }) => SourceValue::Other,
                Err(why) => SourceValue::Missing(*why),
            });
        }
        match self.levels.instances(level).get(at)?.row.get(name) {
            Some(Value::Text(text)) => Some(SourceValue::Typed(text)),
            Some(_) => Some(SourceValue::Other),
            None => node.map(|_| SourceValue::Missing(NoValueReason::Empty)),
        }
    }

    /// Returns the range of the rows of a list in the row, on the level of the list.
    fn rows(&self, list: &str) -> Option<(usize, Range<usize>)> {
        let level = self.levels.known_child(self.level, list)?;
        Some((level, self.levels.0.get(level)?.ranges.get(self.at)?.clone()?))
    }
}

impl<'r, 'v: 'r> Sources<'r> for RowSources<'r, '_, 'v> {
    fn field(&self, name: &str) -> SourceValue<'r> {
        let (mut level, mut at) = (self.level, self.at);
        loop {
            if let Some(value) = self.value(level, at, name) {
                return value;
            }
            let around = self.levels.around(level).zip(self.levels.instances(level).get(at));
            let Some((around, instance)) = around else { return SourceValue::Missing(NoValueReason::Empty) };
            (level, at) = (around, instance.parent);
        }
    }

    fn column(&self, list: &str, column: &str) -> impl Iterator<Item = SourceValue<'r>> {
        let (level, rows) = self.rows(list).unwrap_or_default();
        let missing = SourceValue::Missing(NoValueReason::Empty);
        rows.map(move |at| self.value(level, at, column).unwrap_or(missing))
    }

    fn count(&self, list: &str) -> Option<usize> {
        let (level, rows) = self.rows(list)?;
        let instances = self.levels.instances(level).get(rows)?;
        Some(instances.iter().filter(|instance| instance.row.values().any(|value| !value.is_empty())).count())
    }
}
