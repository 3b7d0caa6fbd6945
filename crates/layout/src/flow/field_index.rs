//! The places in the document to which fields refer: bookmarks, SET fields, table cells, and the positions of the fields
//! themselves.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use waraq_docx::tree::{
    Block, CellSelection, ComputedField, Content, Document, FieldExpression, FieldOperation, LengthUnit, NodeId,
    NoteKind, Paragraph, Row, Table, VerticalMerge,
};

use super::header::PageEdge;
use super::walk;

/// Maximum depth of nested blocks. Deeper blocks are not indexed.
const MAX_DEPTH: u8 = 40;
/// Maximum number of bookmarks that are open at the same time.
const MAX_OPEN_BOOKMARKS: usize = 1_000;

/// The content of all paragraphs in reading order, with the positions of fields, bookmarks and table cells. Each
/// position is an index or a range of indices in `items`.
#[derive(Default)]
pub(super) struct FieldIndex<'a> {
    pub items: Vec<Item<'a>>,
    bookmarks: HashMap<String, Bookmark>,
    /// The SET fields of each bookmark, in document order. The key is the name in lower case.
    assignments: HashMap<String, Vec<Assignment<'a>>>,
    fields: HashMap<NodeId, FieldPosition>,
    tables: Vec<IndexedTable>,
    /// The number of items of the body. Items after them are in headers, footers and notes.
    body_length: usize,
    /// The number of words and of characters of the body. It is counted when the first field needs it.
    text_length: OnceCell<TextLength>,
}

/// The length of a text.
#[derive(Default)]
struct TextLength {
    words: usize,
    characters: usize,
}

/// An inline of a paragraph, or the end of a paragraph.
#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Inline(&'a Content),
    /// An inline whose text is hidden (w:vanish).
    Hidden(&'a Content),
    ParagraphEnd,
}

/// The position of a field in the document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FieldPosition {
    /// Index of the field in [`FieldIndex::items`]. `None` if the field was not indexed. All SET fields then count as
    /// fields before it.
    pub item: Option<usize>,
    /// The cell that contains the field. `None` if the field is not in a table.
    pub cell: Option<CellPosition>,
}

/// The position of a cell: the indices of the table, of the row in the table, and of the cell in the row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct CellPosition {
    pub table: usize,
    pub row: usize,
    pub cell: usize,
}

/// A bookmark: the range of its items, and the cell in which it begins.
#[derive(Debug, Clone)]
struct Bookmark {
    items: Range<usize>,
    cell: Option<CellPosition>,
}

/// A SET field.
struct Assignment<'a> {
    item: usize,
    field: &'a FieldExpression,
}

#[derive(Default)]
struct IndexedTable {
    rows: Vec<Vec<IndexedCell>>,
}

struct IndexedCell {
    /// Index of the first grid column of the cell.
    column: usize,
    /// Number of grid columns of the cell.
    span: usize,
    /// The cell continues the cell above it.
    is_continued: bool,
    items: Range<usize>,
}

impl<'a> FieldIndex<'a> {
    /// Creates the index. It is empty if the document has no field that refers to another place.
    pub fn from_document(document: &'a Document) -> Self {
        let mut builder = IndexBuilder::default();
        for section in &document.sections {
            builder.add_blocks(&section.blocks, 0);
        }
        builder.index.body_length = builder.index.items.len();
        for blocks in blocks_outside_body(document) {
            builder.add_blocks(blocks, 0);
        }
        let index = builder.index;
        let needed = builder.needed;
        document.meter.allocate(index.items.len().saturating_mul(size_of::<Item<'_>>()));
        if needed { index } else { Self::default() }
    }

    /// Returns the position of a field.
    pub fn position(&self, field: NodeId) -> FieldPosition {
        self.fields.get(&field).copied().unwrap_or_default()
    }

    /// Returns the last SET field that defines the bookmark and is before the item with the index `before`. If `before`
    /// is `None`, returns the last such field in the document.
    pub fn assignment(&self, bookmark: &str, before: Option<usize>) -> Option<&'a FieldExpression> {
        let assignments = self.assignments.get(&bookmark.to_lowercase())?;
        let count = before.map_or(assignments.len(), |item| assignments.partition_point(|known| known.item < item));
        assignments.get(count.checked_sub(1)?).map(|known| known.field)
    }

    /// Returns true if the document has a bookmark with this name, or a SET field that defines it.
    pub fn has_bookmark(&self, bookmark: &str) -> bool {
        let name = bookmark.to_lowercase();
        self.bookmarks.contains_key(&name) || self.assignments.contains_key(&name)
    }

    /// Returns the items of a bookmark.
    pub fn bookmark_items(&self, bookmark: &str) -> Option<&[Item<'a>]> {
        self.items.get(self.bookmarks.get(&bookmark.to_lowercase())?.items.clone())
    }

    /// Returns the first note reference in a bookmark.
    pub fn note_in_bookmark(&self, bookmark: &str) -> Option<(NoteKind, i64)> {
        self.bookmark_items(bookmark)?.iter().find_map(|item| match item {
            Item::Inline(Content::NoteReference { kind, id, .. })
            | Item::Hidden(Content::NoteReference { kind, id, .. }) => Some((*kind, *id)),
            _ => None,
        })
    }

    /// Returns the items of a cell.
    pub fn cell_items(&self, cell: CellPosition) -> &[Item<'a>] {
        let found = self.tables.get(cell.table).and_then(|table| table.rows.get(cell.row)?.get(cell.cell));
        found.and_then(|cell| self.items.get(cell.items.clone())).unwrap_or_default()
    }

    /// Returns the number of words or characters of the body.
    pub fn text_length(&self, unit: LengthUnit) -> usize {
        let length =
            self.text_length.get_or_init(|| text_length(self.items.get(..self.body_length).unwrap_or_default()));
        match unit {
            LengthUnit::Words => length.words,
            LengthUnit::Characters => length.characters,
        }
    }

    /// Returns the positions of the selected cells, in the order in which a formula reads them. The selection starts at
    /// the cell with the bookmark `table`. Without `table`, it starts at `from`, the cell with the formula. Returns
    /// `None` if the start is in no table.
    pub fn cells(
        &self,
        table: Option<&str>,
        selection: CellSelection,
        from: Option<CellPosition>,
    ) -> Option<Vec<CellPosition>> {
        let from = match table {
            Some(name) => self.bookmarks.get(&name.to_lowercase())?.cell?,
            None => from?,
        };
        let rows = &self.tables.get(from.table)?.rows;
        let at = |row: usize, cell: usize| CellPosition { table: from.table, row, cell };
        let column = rows.get(from.row)?.get(from.cell)?.column;
        // Cells that are merged with the cell above them have no text of their own.
        let in_column = |row: usize| {
            let covers = |cell: &IndexedCell| (cell.column..cell.column.saturating_add(cell.span)).contains(&column);
            let cells = rows.get(row)?;
            let cell = cells.iter().position(covers)?;
            (!cells.get(cell)?.is_continued).then(|| at(row, cell))
        };
        Some(match selection {
            CellSelection::Above => (0..from.row).rev().filter_map(in_column).collect(),
            CellSelection::Below => (from.row + 1..rows.len()).filter_map(in_column).collect(),
            CellSelection::Left => (0..from.cell).rev().map(|cell| at(from.row, cell)).collect(),
            CellSelection::Right => (from.cell + 1..rows.get(from.row)?.len()).map(|cell| at(from.row, cell)).collect(),
            CellSelection::Rectangle { columns, rows: selected } => {
                let (first, last) = selected.unwrap_or((0, usize::MAX));
                let (left, right) = columns.unwrap_or((0, usize::MAX));
                let selected = rows.iter().enumerate().take(last.saturating_add(1)).skip(first);
                let cells = selected.flat_map(|(row, cells)| (0..cells.len()).map(move |cell| (row, cell)));
                let cells = cells.filter(|(_, cell)| (left..=right).contains(cell));
                cells.map(|(row, cell)| at(row, cell)).collect()
            }
        })
    }
}

/// Returns the blocks of headers, footers and notes. Blocks that several sections share occur once.
pub(super) fn blocks_outside_body(document: &Document) -> Vec<&Vec<Block>> {
    let headers = headers_and_footers(document).into_iter().map(|(blocks, _)| blocks);
    let notes = document.footnotes.values().chain(document.endnotes.values()).map(|note| &note.blocks);
    headers.chain(notes).collect()
}

/// Returns the blocks of each header and footer, and the edge of the page. Blocks that several sections share occur once.
pub(super) fn headers_and_footers(document: &Document) -> Vec<(&Vec<Block>, PageEdge)> {
    let mut found = Vec::new();
    let mut known = HashSet::new();
    for section in &document.sections {
        for (set, edge) in [(&section.headers, PageEdge::Top), (&section.footers, PageEdge::Bottom)] {
            for blocks in [&set.default, &set.first, &set.even].into_iter().flatten() {
                if known.insert(std::ptr::from_ref(&**blocks)) {
                    found.push((&**blocks, edge));
                }
            }
        }
    }
    found
}

fn text_length(items: &[Item<'_>]) -> TextLength {
    let mut length = TextLength::default();
    let mut in_word = false;
    for item in items {
        let text = match item {
            Item::ParagraphEnd => " ",
            Item::Inline(content) | Item::Hidden(content) => walk::inline_text(content),
        };
        for character in text.chars() {
            let is_counted = !character.is_whitespace();
            length.characters += usize::from(is_counted);
            length.words += usize::from(is_counted && !in_word);
            in_word = is_counted;
        }
    }
    length
}

/// Adds the content of blocks to an index.
#[derive(Default)]
struct IndexBuilder<'a> {
    index: FieldIndex<'a>,
    /// The bookmarks whose end was not reached yet. Each has its name in lower case, the index of its first item, and
    /// the cell in which it begins.
    open: Vec<(String, usize, Option<CellPosition>)>,
    cell: Option<CellPosition>,
    /// True if at least one field needs the index.
    needed: bool,
}

impl<'a> IndexBuilder<'a> {
    fn add_blocks(&mut self, blocks: &'a [Block], depth: u8) {
        if depth > MAX_DEPTH {
            return;
        }
        for block in blocks {
            match block {
                Block::Paragraph(paragraph) => self.add_paragraph(paragraph, depth),
                Block::Table(table) => self.add_table(table, depth),
            }
        }
    }

    fn add_paragraph(&mut self, paragraph: &'a Paragraph, depth: u8) {
        for inline in &paragraph.inlines {
            let item = self.index.items.len();
            let is_hidden = inline.run.hidden;
            let content = &inline.content;
            self.index.items.push(if is_hidden { Item::Hidden(content) } else { Item::Inline(content) });
            match &inline.content {
                Content::BookmarkStart(name) if self.open.len() < MAX_OPEN_BOOKMARKS => {
                    self.open.push((name.to_lowercase(), item, self.cell));
                }
                Content::BookmarkEnd(name) => {
                    let name = name.to_lowercase();
                    if let Some(at) = self.open.iter().position(|(open, ..)| *open == name) {
                        let (name, start, cell) = self.open.swap_remove(at);
                        self.index.bookmarks.entry(name).or_insert(Bookmark { items: start..item, cell });
                    }
                }
                Content::Field { field, .. } => self.add_field(field, item),
                _ => {}
            }
        }
        self.index.items.push(Item::ParagraphEnd);
        for inline in &paragraph.inlines {
            if let Content::Drawing(drawing) = &inline.content {
                walk::visit_text_boxes(drawing, &mut |blocks| self.add_blocks(blocks, depth + 1));
            }
        }
    }

    fn add_field(&mut self, field: &'a ComputedField, item: usize) {
        self.needed |= field.origin().is_some() || matches!(field, ComputedField::TextLength { .. });
        let Some(origin) = field.origin() else { return };
        self.index.fields.insert(origin.id, FieldPosition { item: Some(item), cell: self.cell });
        if let ComputedField::Expression(expression) = field
            && let FieldOperation::Set { bookmark, .. } = &expression.operation
        {
            let assignments = self.index.assignments.entry(bookmark.to_lowercase()).or_default();
            assignments.push(Assignment { item, field: expression });
        }
    }

    fn add_table(&mut self, table: &'a Table, depth: u8) {
        let outer = self.cell;
        let index = self.index.tables.len();
        self.index.tables.push(IndexedTable::default());
        for (row_index, row) in table.rows.iter().enumerate() {
            let mut cells = Vec::with_capacity(row.cells.len());
            let Row { grid_before, cells: row_cells, .. } = row;
            let mut column = *grid_before;
            for (cell_index, cell) in row_cells.iter().enumerate() {
                self.cell = Some(CellPosition { table: index, row: row_index, cell: cell_index });
                let start = self.index.items.len();
                self.add_blocks(&cell.blocks, depth + 1);
                cells.push(IndexedCell {
                    column,
                    span: cell.span,
                    is_continued: cell.vertical_merge == VerticalMerge::Continue,
                    items: start..self.index.items.len(),
                });
                column = column.saturating_add(cell.span);
            }
            if let Some(table) = self.index.tables.get_mut(index) {
                table.rows.push(cells);
            }
        }
        self.cell = outer;
    }
}
