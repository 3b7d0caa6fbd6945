//! Empty table cells beside a label or below a heading of a column.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use waraq_rules::name;

use super::candidates::{Candidate, Collector};
use super::lines::is_inside;
use super::{BlankForm, Confidence};
use crate::fields::scan::{Index, PartScan};
use crate::fields::text_parts::ScannedPart;

/// The maximum number of characters and words of a label.
const MAX_LABEL_CHARACTERS: usize = 80;
const MAX_LABEL_WORDS: usize = 12;
/// The maximum number of rows below a heading whose empty cells are blanks. More rows are a list to write by hand.
const MAX_ROWS: usize = 60;

/// The number of bytes after the start of a cell in which its properties are searched.
const MAX_PROPERTIES_BYTES: usize = 2_000;

/// A cell of a table.
#[derive(Debug, Default)]
struct Cell {
    paragraphs: Vec<Index>,
    /// The text of the cell. It is cut after [`MAX_LABEL_CHARACTERS`] + 1 characters.
    text: String,
    /// The cell has neither characters nor objects.
    is_empty: bool,
    /// The cell continues the cell above it (w:vMerge).
    is_merged: bool,
    /// The cell contains a blank or a field.
    has_blank: bool,
    /// The number of columns that the cell covers.
    span: usize,
}

impl Cell {
    /// Returns `true` if people fill in the cell, or a part of it.
    fn is_open(&self) -> bool {
        self.is_empty || self.has_blank
    }

    /// Returns the text if it can be a label.
    fn label(&self) -> Option<&str> {
        let text = self.text.trim();
        let is_short =
            text.chars().count() <= MAX_LABEL_CHARACTERS && text.split_whitespace().count() <= MAX_LABEL_WORDS;
        (is_short && !self.has_blank && text.chars().any(char::is_alphabetic)).then_some(text)
    }
}

/// Finds the empty cells that people fill in. Also gives the blanks in cells the label of the cell before or the heading of
/// the column.
pub(super) fn find_empty_cells(
    (index, part): (usize, &ScannedPart<'_>),
    taken: &[Range<usize>],
    found: &mut Collector<'_>,
) {
    let with_blanks: HashSet<Index> = found
        .candidates
        .iter()
        .filter(|candidate| candidate.part == index)
        .map(|candidate| candidate.paragraph)
        .collect();
    let tables = read_tables(part, taken, &with_blanks);
    let mut labels: BTreeMap<Index, String> = BTreeMap::new();
    for rows in tables.values() {
        if !found.meter.spend(rows.values().map(BTreeMap::len).sum()) {
            return;
        }
        let rows = without_spacers(rows.values().map(|cells| cells.values().collect()).collect());
        let headings = headings_of(&rows);
        for (at, row) in rows.iter().enumerate() {
            find_in_row((index, at), row, &headings, &mut labels, found);
        }
    }
    for candidate in found.candidates.iter_mut().filter(|candidate| candidate.part == index) {
        if candidate.cell_label.is_none() {
            candidate.cell_label = labels.get(&candidate.paragraph).cloned();
        }
    }
}

/// Finds the blanks of a row. Records the labels of the paragraphs in cells that already contain blanks.
fn find_in_row(
    (part, number): (usize, usize),
    row: &[&Cell],
    headings: &[Option<String>],
    labels: &mut BTreeMap<Index, String>,
    found: &mut Collector<'_>,
) {
    let has_headings = headings.iter().any(Option::is_some);
    if has_headings && number == 0 {
        return;
    }
    let mut column = 0;
    let mut label_before: Option<&str> = None;
    let row_label = row.first().and_then(|cell| cell.label());
    for cell in row {
        let heading = headings.get(column).and_then(Option::as_deref);
        column += cell.span.max(1);
        let combined = match (label_before, heading) {
            (Some(label), Some(heading)) => {
                Some(format!("{} – {heading}", label.trim_end_matches([':', ' ', '\u{a0}'])))
            }
            (Some(label), None) => Some(label.to_owned()),
            (None, Some(heading)) => Some(match row_label.filter(|_| !cell.is_empty || has_headings) {
                Some(label) if column > 1 => format!("{} – {heading}", label.trim_end_matches([':', ' ', '\u{a0}'])),
                _ => heading.to_owned(),
            }),
            (None, None) => None,
        };
        if cell.has_blank {
            for &paragraph in &cell.paragraphs {
                if let Some(label) = &combined {
                    labels.insert(paragraph, label.clone());
                }
            }
        } else if cell.is_empty
            && !cell.is_merged
            && (number <= MAX_ROWS || !has_headings)
            && let (Some(label), Some(&paragraph)) = (&combined, cell.paragraphs.first())
        {
            let confidence = if heading.is_some() { Confidence::Medium } else { Confidence::High };
            found.push(Candidate {
                cell_label: Some(label.clone()),
                confidence,
                ..Candidate::new(part, paragraph, 0..0, BlankForm::EmptyCell)
            });
        }
        label_before = if cell.is_empty || cell.has_blank { None } else { cell.label().filter(|_| !has_headings) };
    }
}

/// Removes the columns that only keep other columns apart: empty in each row, between two headings with open cells below.
fn without_spacers(mut rows: Vec<Vec<&Cell>>) -> Vec<Vec<&Cell>> {
    let columns = rows.first().map_or(0, Vec::len);
    if rows.len() < 2 || columns < 4 || rows.iter().any(|row| row.len() != columns) {
        return rows;
    }
    let is_spacer = |column: usize| {
        rows.iter().enumerate().all(|(number, row)| match row.get(column - 1..column + 2) {
            Some([left, spacer, right]) if number == 0 => {
                left.label().is_some() && spacer.is_empty && right.label().is_some()
            }
            Some([left, spacer, right]) => left.is_open() && spacer.is_empty && right.is_open(),
            _ => false,
        })
    };
    let spacers: HashSet<usize> = (1..columns - 1).filter(|column| is_spacer(*column)).collect();
    for row in &mut rows {
        let mut columns = 0..;
        row.retain(|_| columns.next().is_none_or(|column| !spacers.contains(&column)));
    }
    rows
}

/// Returns the headings of the columns of a table, one for each grid column. The first row has the headings if all its cells
/// have text, and the rows below it have an empty cell or a blank in each column but the first.
fn headings_of(rows: &[Vec<&Cell>]) -> Vec<Option<String>> {
    let Some((head, body)) = rows.split_first().filter(|(head, body)| head.len() > 1 && !body.is_empty()) else {
        return Vec::new();
    };
    // The corner of a table with row labels may be empty.
    let is_head = head.iter().skip(1).all(|cell| cell.label().is_some()) && !head.iter().any(|cell| cell.has_blank);
    let is_body = body.iter().any(|row| row.len() > 1 && row.iter().skip(1).all(|cell| cell.is_open()));
    // Two columns may also be labels with values: then the first row has a value of its own.
    if !is_head || !is_body {
        return Vec::new();
    }
    let mut headings = Vec::new();
    for cell in head {
        let heading = cell.label().map(str::to_owned);
        headings.extend(std::iter::repeat_n(heading, cell.span.clamp(1, 64)));
    }
    headings
}

/// The cells of a part: table, row, cell.
type Tables = BTreeMap<Index, BTreeMap<Index, BTreeMap<Index, Cell>>>;

fn read_tables(part: &ScannedPart<'_>, taken: &[Range<usize>], with_blanks: &HashSet<Index>) -> Tables {
    let scan = &part.scan;
    let mut tables = Tables::new();
    for (at, paragraph) in scan.paragraphs.iter().enumerate().filter(|(_, paragraph)| !paragraph.fallback) {
        let Some(cell) = paragraph.container.cell else { continue };
        let Some((row, scanned_row)) = scan.containers.row_of(paragraph.container) else { continue };
        let Some(table) = scanned_row.table else { continue };
        let cell = tables.entry(table).or_default().entry(row).or_default().entry(cell).or_default();
        if cell.paragraphs.is_empty() {
            let between = part.source.get(paragraph.parent..paragraph.range.start).unwrap_or_default();
            let head = between.get(..MAX_PROPERTIES_BYTES).unwrap_or(between);
            cell.is_merged = is_continued(head);
            cell.span = grid_span(head);
            cell.is_empty = true;
        }
        cell.paragraphs.push(at);
        let has_object = paragraph.has_field
            || paragraph.has_formula
            || !taken.is_empty() && has_taken(taken, &paragraph.range)
            || paragraph.cells.iter().any(|cell| !cell.character.is_whitespace());
        cell.is_empty &= !has_object && paragraph.cells.is_empty();
        cell.has_blank |= with_blanks.contains(&at) || paragraph.has_field;
        let left = (MAX_LABEL_CHARACTERS + 1).saturating_sub(cell.text.chars().count());
        cell.text.extend(paragraph.cells.iter().map(|cell| cell.character).take(left));
        cell.text.push(' ');
    }
    mark_cells_with_tables(scan, &mut tables);
    tables
}

/// A cell with a table in it is not empty.
fn mark_cells_with_tables(scan: &PartScan, tables: &mut Tables) {
    for inner in &scan.containers.tables {
        let outer = inner.outer;
        let row = scan.containers.row_of(outer);
        let Some((cell, (row, scanned))) = outer.cell.zip(row) else { continue };
        let found = scanned.table.and_then(|table| tables.get_mut(&table)?.get_mut(&row)?.get_mut(&cell));
        if let Some(cell) = found {
            cell.is_empty = false;
            cell.has_blank = true;
        }
    }
}

fn has_taken(taken: &[Range<usize>], range: &Range<usize>) -> bool {
    let next = taken.partition_point(|one| one.end <= range.start);
    taken.get(next).is_some_and(|one| one.start < range.end) || is_inside(taken, range.start)
}

/// Returns `true` if the properties of a cell say that it continues the cell above it.
fn is_continued(markup: &str) -> bool {
    let Some(at) = markup.find("vMerge") else { return false };
    let tag = markup.get(at..).and_then(|rest| rest.split('>').next()).unwrap_or_default();
    !tag.contains("restart")
}

/// Returns the number of columns that a cell covers.
fn grid_span(markup: &str) -> usize {
    let value = markup.find("gridSpan").and_then(|at| {
        let tag = markup.get(at..)?.split('>').next()?;
        tag.split(['"', '\'']).nth(1)?.parse().ok()
    });
    value.unwrap_or(1).clamp(1, 64)
}

/// Returns the text of a label without signs at its end.
pub(super) fn clean_label(text: &str) -> String {
    name::normalize(text).trim_end_matches([':', '：', '*', ' ', '\u{a0}', '.']).to_owned()
}
