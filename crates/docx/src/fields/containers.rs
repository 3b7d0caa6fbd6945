//! The containers of paragraphs: text containers (body, header, note, comment, text box), tables, rows and cells; and the
//! elements between a paragraph and its runs.

use std::ops::Range;

use super::scan::Index;

/// The innermost container of a position in a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Container {
    /// The number of the text container. 0 is the part itself (body, header or footer). Each note, comment and text box has
    /// a number of its own.
    pub story: usize,
    /// The innermost table around the position, in the same text container.
    pub table: Option<Index>,
    /// The innermost row around the position, in the same text container.
    pub row: Option<Index>,
    /// The innermost cell around the position, in the same text container.
    pub cell: Option<Index>,
}

/// The containers of a part, in the order in which they start.
#[derive(Debug, Default)]
pub(super) struct Containers {
    pub tables: Vec<ScannedTable>,
    pub rows: Vec<ScannedRow>,
    /// The row of each cell.
    pub cells: Vec<Option<Index>>,
    /// The number of text containers besides the part itself.
    pub stories: usize,
    pub inline_elements: Vec<InlineElement>,
}

/// A table (w:tbl).
#[derive(Debug)]
pub(super) struct ScannedTable {
    pub range: Range<usize>,
    /// The container of the table.
    pub outer: Container,
}

/// A row of a table (w:tr).
#[derive(Debug)]
pub(super) struct ScannedRow {
    pub range: Range<usize>,
    /// The table of the row. `None`: the row is in no table.
    pub table: Option<Index>,
    /// The byte offset where the parent element of the row starts.
    pub parent: usize,
}

/// An element between a paragraph and its runs, such as an insertion or a link.
#[derive(Debug)]
pub(super) struct InlineElement {
    /// The element around this one. `None`: this element is a child of the paragraph.
    pub parent: Option<Index>,
    /// The byte range of the start tag.
    pub start_tag: Range<usize>,
    /// The element can be closed at any position and opened again.
    pub can_split: bool,
}

impl Containers {
    /// Returns the containers around `inner` in the same text container, from the inside to the outside. The first one is
    /// `inner` itself. Each of them is the position of a cell, except the last one.
    pub(super) fn chain(&self, inner: Container) -> impl Iterator<Item = Container> {
        std::iter::successors(Some(inner), |container| {
            let row = (*self.cells.get(container.cell?)?)?;
            let table = self.rows.get(row)?.table?;
            Some(self.tables.get(table)?.outer)
        })
    }

    /// Returns the row that contains the cell of a container.
    pub(super) fn row_of(&self, container: Container) -> Option<(Index, &ScannedRow)> {
        let row = (*self.cells.get(container.cell?)?)?;
        Some((row, self.rows.get(row)?))
    }

    /// Returns the elements around `inner`, from the inside to the outside. Returns nothing for `None`.
    pub(super) fn inline_chain(&self, inner: Option<Index>) -> impl Iterator<Item = Index> {
        std::iter::successors(inner, |&at| self.inline_elements.get(at)?.parent.filter(|&parent| parent < at))
    }
}
