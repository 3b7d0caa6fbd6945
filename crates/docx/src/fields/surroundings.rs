//! The text around fields, from which the kind of a field's value can be detected.

use std::collections::BTreeSet;

use waraq_rules::help::{MOST_AROUND, Surroundings};
use waraq_rules::{MAX_FIELDS, name};

use crate::tree::{Block, Break, Cell, Content, Document, Paragraph, Row, Table};

/// The deepest outline level (from 0) that counts as a heading.
const DEEPEST_HEADING: u8 = 2;

/// The maximum nesting depth of tables.
const DEEPEST_TABLE: usize = 8;

/// Returns the text around the first occurrence of each `{{name}}` in the body. Fields of other kinds are skipped, and
/// so are text boxes, notes, headers and footers.
pub fn surroundings(document: &Document) -> Vec<Surroundings> {
    let mut reader = Reader::default();
    for section in &document.sections {
        reader.blocks(&section.blocks, "", 0);
    }
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<Surroundings>,
    known: BTreeSet<String>,
    heading: String,
}

impl Reader {
    fn blocks(&mut self, blocks: &[Block], cell: &str, depth: usize) {
        for block in blocks {
            if self.found.len() >= MAX_FIELDS {
                return;
            }
            match block {
                Block::Paragraph(paragraph) => self.paragraph(paragraph, cell),
                Block::Table(table) if depth < DEEPEST_TABLE => self.table(table, depth),
                Block::Table(_) => {}
            }
        }
    }

    fn paragraph(&mut self, paragraph: &Paragraph, cell: &str) {
        let text = text_of(paragraph);
        let pieces = pieces_of(&text);
        // A heading with a field is not used, because its text is not known.
        if paragraph.properties.outline_level.is_some_and(|level| level <= DEEPEST_HEADING) {
            let says = pieces.len() == 1 && !text.trim().is_empty();
            self.heading = if says { name::normalize(&text) } else { String::new() };
        }
        for (at, piece) in pieces.iter().enumerate() {
            let Piece::Field(field) = piece else { continue };
            if !self.known.insert(field.clone()) {
                continue;
            }
            let beside = |at: Option<usize>| match at.and_then(|at| pieces.get(at)) {
                Some(Piece::Text(text)) => *text,
                _ => "",
            };
            let (before, after) = (beside(at.checked_sub(1)), beside(Some(at + 1)));
            let skipped = before.chars().count().saturating_sub(MOST_AROUND);
            self.found.push(Surroundings {
                field: field.clone(),
                before: before.chars().skip(skipped).collect(),
                after: after.chars().take(MOST_AROUND).collect(),
                cell: cell.to_owned(),
                heading: self.heading.clone(),
            });
        }
    }

    fn table(&mut self, table: &Table, depth: usize) {
        // A first row without fields contains the column headings.
        let head =
            table.rows.first().filter(|row| table.rows.len() > 1 && row.cells.iter().all(|cell| !holds_field(cell)));
        for row in &table.rows {
            let mut column = row.grid_before;
            let mut label = String::new();
            for cell in &row.cells {
                let named = if label.is_empty() {
                    head.and_then(|head| named(head, column)).unwrap_or_default()
                } else {
                    label
                };
                self.blocks(&cell.blocks, &named, depth + 1);
                label = if holds_field(cell) { String::new() } else { cell_text(cell) };
                column += cell.span;
            }
        }
    }
}

/// Returns the text of the header cell above this grid column.
fn named(head: &Row, column: usize) -> Option<String> {
    let mut at = head.grid_before;
    for cell in &head.cells {
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
    let texts: Vec<String> = paragraphs(cell).map(text_of).collect();
    let text = name::normalize(&texts.join(" "));
    text.chars().take(MOST_AROUND).collect()
}

fn holds_field(cell: &Cell) -> bool {
    paragraphs(cell).any(|paragraph| text_of(paragraph).contains("{{"))
}

fn text_of(paragraph: &Paragraph) -> String {
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

enum Piece<'t> {
    Text(&'t str),
    /// A field with this normalized name.
    Field(String),
}

/// Splits the text of a paragraph at its fields.
fn pieces_of(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        let Some((inside, after)) = behind.split_once("}}") else { break };
        let name = name::normalize(inside);
        pieces.push(Piece::Text(before));
        if name::is_valid(&name) && !before.ends_with('\\') {
            pieces.push(Piece::Field(name));
        }
        rest = after;
    }
    pieces.push(Piece::Text(rest));
    pieces
}
