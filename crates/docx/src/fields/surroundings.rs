//! The text around fields, from which the kind of a field's value can be detected.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use waraq_rules::field_settings::{FieldContext, MAX_CONTEXT_CHARACTERS, ValueKind};
use waraq_rules::{MAX_FIELDS, name, yes_no_words};

use super::matching;
use super::scan::TextCell;
use super::{ControlInput, Field};

use crate::tree::{Block, Break, Cell, Content, Document, Paragraph, Row, Table};

/// The deepest outline level (from 0) that counts as a heading.
const MAX_HEADING_LEVEL: u8 = 2;

/// The maximum nesting depth of tables. More deeply nested tables are skipped.
const MAX_TABLE_DEPTH: usize = 8;

/// Returns the text around the first occurrence of each `{{name}}` in the body. Text boxes, notes, headers and footers
/// are not searched.
///
/// A content control may prescribe the kind and the choices of its field ([`Field::input`]). Such a field has an entry
/// even if no text around it was found.
pub fn surroundings(document: &Document, fields: &[Field]) -> Vec<FieldContext> {
    let mut reader = SurroundingsReader::default();
    for section in &document.sections {
        reader.read_blocks(&section.blocks, "", 0);
    }
    let mut found = reader.found;
    let places: HashMap<String, usize> = found.iter().map(|one| one.field.clone()).zip(0..).collect();
    for (field, input) in fields.iter().filter_map(|field| Some((field, field.input.as_ref()?))) {
        let (kind, choices) = prescribed_settings(input, document.language.as_deref());
        if !places.contains_key(&field.name) {
            found.push(FieldContext { field: field.name.clone(), ..FieldContext::default() });
        }
        let place = places.get(&field.name).copied().unwrap_or(found.len() - 1);
        if let Some(context) = found.get_mut(place) {
            (context.control_kind, context.control_choices) = (Some(kind), choices);
        }
    }
    found
}

/// Returns the kind and the choices that a content control prescribes. `language` is the language of the template, in
/// which the choices of a check box are written.
fn prescribed_settings(input: &ControlInput, language: Option<&str>) -> (ValueKind, Vec<String>) {
    match input {
        ControlInput::Date => (ValueKind::Date, Vec::new()),
        ControlInput::LongText => (ValueKind::LongText, Vec::new()),
        ControlInput::Choice(choices) => (ValueKind::Choice, choices.clone()),
        ControlInput::YesNo => (ValueKind::Choice, yes_no_words(language).map(str::to_owned).to_vec()),
    }
}

#[derive(Default)]
struct SurroundingsReader {
    found: Vec<FieldContext>,
    known: BTreeSet<String>,
    heading: String,
}

impl SurroundingsReader {
    fn read_blocks(&mut self, blocks: &[Block], cell: &str, depth: usize) {
        for block in blocks {
            if self.found.len() >= MAX_FIELDS {
                return;
            }
            match block {
                Block::Paragraph(paragraph) => self.read_paragraph(paragraph, cell),
                Block::Table(table) if depth < MAX_TABLE_DEPTH => self.read_table(table, depth),
                Block::Table(_) => {}
            }
        }
    }

    fn read_paragraph(&mut self, paragraph: &Paragraph, cell: &str) {
        let text = paragraph_text(paragraph);
        let segments = split_at_fields(&text);
        // A heading with a field is not used, because its text is not known.
        if paragraph.properties.outline_level.is_some_and(|level| level <= MAX_HEADING_LEVEL) {
            let is_usable = segments.len() == 1 && !text.trim().is_empty();
            self.heading = if is_usable { name::normalize(&text) } else { String::new() };
        }
        for (at, piece) in segments.iter().enumerate() {
            let TextSegment::Field(field) = piece else { continue };
            if !self.known.insert(field.clone()) {
                continue;
            }
            let text_at = |at: Option<usize>| match at.and_then(|at| segments.get(at)) {
                Some(TextSegment::Text(text)) => text.as_str(),
                _ => "",
            };
            let (before, after) = (text_at(at.checked_sub(1)), text_at(Some(at + 1)));
            let skipped = before.chars().count().saturating_sub(MAX_CONTEXT_CHARACTERS);
            self.found.push(FieldContext {
                field: field.clone(),
                before: before.chars().skip(skipped).collect(),
                after: after.chars().take(MAX_CONTEXT_CHARACTERS).collect(),
                cell_label: cell.to_owned(),
                heading: self.heading.clone(),
                ..FieldContext::default()
            });
        }
    }

    fn read_table(&mut self, table: &Table, depth: usize) {
        // A first row without fields contains the column headings.
        let header_row =
            table.rows.first().filter(|row| table.rows.len() > 1 && row.cells.iter().all(|cell| !has_field(cell)));
        for row in &table.rows {
            let mut column = row.grid_before;
            let mut label = String::new();
            for cell in &row.cells {
                let label_of_cell = if label.is_empty() {
                    header_row.and_then(|head| header_text(head, column)).unwrap_or_default()
                } else {
                    label
                };
                self.read_blocks(&cell.blocks, &label_of_cell, depth + 1);
                label = if has_field(cell) { String::new() } else { cell_text(cell) };
                column += cell.span;
            }
        }
    }
}

/// Returns the text of the header cell above this grid column. Returns `None` if no header cell is above it.
fn header_text(header_row: &Row, column: usize) -> Option<String> {
    let mut at = header_row.grid_before;
    for cell in &header_row.cells {
        if (at..at + cell.span).contains(&column) {
            return Some(cell_text(cell));
        }
        at += cell.span;
    }
    None
}

fn paragraphs(cell: &Cell) -> impl Iterator<Item = &Paragraph> {
    cell.blocks.iter().filter_map(|block| match block {
        Block::Paragraph(paragraph) => Some(paragraph),
        Block::Table(_) => None,
    })
}

fn cell_text(cell: &Cell) -> String {
    let texts: Vec<String> = paragraphs(cell).map(paragraph_text).collect();
    let text = name::normalize(&texts.join(" "));
    text.chars().take(MAX_CONTEXT_CHARACTERS).collect()
}

fn has_field(cell: &Cell) -> bool {
    paragraphs(cell).any(|paragraph| paragraph_text(paragraph).contains("{{"))
}

fn paragraph_text(paragraph: &Paragraph) -> String {
    let mut text = String::new();
    for inline in &paragraph.inlines {
        match &inline.content {
            Content::Text(piece) => text.push_str(piece),
            Content::Field { result, .. } => text.push_str(result),
            Content::Tab | Content::PositionedTab(_) => text.push('\t'),
            Content::Break(Break::Line | Break::LineClear) => text.push('\n'),
            _ => {}
        }
    }
    text
}

enum TextSegment {
    Text(String),
    /// A field `{{name}}`, as its normalized name.
    Field(String),
}

/// Splits the text of a paragraph at its fields. The tags of sections are left out, and invalid fields separate texts.
fn split_at_fields(text: &str) -> Vec<TextSegment> {
    let cells: Vec<TextCell> =
        text.char_indices().map(|(at, one)| TextCell::outside_paragraphs(one, at..at + one.len_utf8())).collect();
    let found = matching::find_fields(&cells, |_| false);
    let characters = |range: Range<usize>| cells.get(range).unwrap_or_default().iter().map(|cell| cell.character);
    let fields = found.matches.into_iter().map(|one| (one.cells, Some(Some(one.name))));
    let tags = found.tags.into_iter().map(|tag| (tag.cells, None));
    let is_field = |cells: &Range<usize>| {
        let start = cells.start..cells.end.min(cells.start + 2);
        characters(start).eq(['{', '{'])
    };
    let invalid = found.invalid_fields.into_iter().map(|one| one.cells).filter(is_field).map(|one| (one, Some(None)));
    let mut marks: Vec<(Range<usize>, Option<Option<String>>)> = fields.chain(tags).chain(invalid).collect();
    marks.sort_by_key(|(range, _)| range.start);
    let (mut segments, mut before, mut at) = (Vec::new(), String::new(), 0);
    for (range, mark) in marks {
        before.extend(characters(at..range.start.max(at)));
        at = range.end.max(at);
        if let Some(field) = mark {
            segments.push(TextSegment::Text(std::mem::take(&mut before)));
            segments.extend(field.map(TextSegment::Field));
        }
    }
    before.extend(characters(at..cells.len()));
    segments.push(TextSegment::Text(before));
    segments
}
