//! The positions of cells in the table grid, and their vertical merges (ECMA-376 part 1, §17.4.17, §17.4.84).

use std::collections::HashMap;

use waraq_docx::tree::{Cell, Table, VerticalMerge};

use super::super::fragment::MergeRole;

/// Maximum number of grid columns. Word allows 63. A gridSpan in a hostile file must not create a million.
const MAX_COLUMNS: usize = 1_000;

/// A cell with its grid columns: those from `first_column` up to, but not including, `end_column`.
pub(crate) struct GridCell<'a> {
    pub cell: &'a Cell,
    pub first_column: usize,
    pub end_column: usize,
    pub merge: MergeRole,
}

/// The cells of a table in its grid.
pub(crate) struct TableGrid<'a> {
    /// The cells of each row.
    pub rows: Vec<Vec<GridCell<'a>>>,
    /// Number of grid columns, at least 1.
    pub column_count: usize,
}

/// Returns the cells of a table with their grid columns.
pub(crate) fn grid_cells(table: &Table) -> TableGrid<'_> {
    let mut count = table.grid.len().min(MAX_COLUMNS);
    let mut rows: Vec<Vec<GridCell<'_>>> = Vec::with_capacity(table.rows.len());
    /// The cell with which a vertical merge begins.
    #[derive(Clone, Copy)]
    struct MergeStart {
        /// Index of the row that contains the cell.
        row: usize,
        /// Index of the cell in that row.
        cell: usize,
    }
    // The merged cells that the next row may continue, by their first grid column.
    let mut open: HashMap<usize, MergeStart> = HashMap::new();
    for (index, row) in table.rows.iter().enumerate() {
        let mut column = row.grid_before.min(MAX_COLUMNS);
        let mut cells = Vec::with_capacity(row.cells.len());
        let mut next = HashMap::new();
        for (number, cell) in row.cells.iter().enumerate() {
            let first = column.min(MAX_COLUMNS - 1);
            let end = (first + cell.span.clamp(1, MAX_COLUMNS)).min(MAX_COLUMNS);
            column = end;
            let mut merge = MergeRole::None;
            match (cell.vertical_merge, open.get(&first).copied()) {
                (VerticalMerge::Continue, Some(start)) => {
                    let MergeStart { row, cell } = start;
                    merge = MergeRole::Covered { row, cell };
                    rows[row][cell].merge = MergeRole::Start(index - row + 1);
                    next.insert(first, start);
                }
                (VerticalMerge::Restart, _) => {
                    next.insert(first, MergeStart { row: index, cell: number });
                }
                // A cell that continues a merge that no cell has started is a normal cell.
                _ => {}
            }
            cells.push(GridCell { cell, first_column: first, end_column: end, merge });
        }
        count = count.max(column + row.grid_after.min(MAX_COLUMNS - column));
        rows.push(cells);
        open = next;
    }
    TableGrid { rows, column_count: count.max(1) }
}
