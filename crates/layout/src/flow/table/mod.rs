//! Tables (ECMA-376 part 1, §17.4): measured once, set row by row.

pub(super) mod borders;
mod columns;
pub(super) use columns::content_widths;
mod cut;
pub(super) use cut::{Urgency, cut_galley, nested_height};
mod measure;
mod merged;
mod paint;
pub(super) use paint::paint;
mod place;
mod shading;
pub(super) use shading::{is_dark, lighten};

use std::rc::Rc;

use waraq_docx::tree::{Cell, Row, Table};

use super::unit::{Cut, Galley};

/// A table whose columns and rows are measured.
#[derive(Clone)]
pub(super) struct TableLayout<'a> {
    pub table: &'a Table,
    /// From the column's left edge.
    pub x: f32,
    pub width: f32,
    pub rows: Vec<RowLayout<'a>>,
    /// Rows at the top that are set again on every page.
    pub header_rows: usize,
    /// Below the last row, for its borders.
    pub bottom_border: f32,
}

#[derive(Clone)]
pub(super) struct RowLayout<'a> {
    pub row: &'a Row,
    pub cells: Vec<CellLayout<'a>>,
    pub height: f32,
    /// Room for the borders above its cells.
    pub top_border: f32,
    /// How much of its height is there only for a cell that is merged over rows.
    pub stretched: f32,
    /// Its rule, not its content, makes it as high as it is.
    pub higher_than_content: bool,
}

#[derive(Clone)]
pub(super) struct CellLayout<'a> {
    pub cell: &'a Cell,
    /// From the table's left edge.
    pub x: f32,
    pub width: f32,
    pub galley: Rc<Galley<'a>>,
    pub merge: Merge,
    /// Of a cell whose text is turned: the length of its lines.
    pub turned: Option<f32>,
    /// The largest of its row.
    pub top_margin: f32,
}

/// A cell's part in a vertical merge (§17.4.84).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Merge {
    None,
    /// It covers so many rows.
    Start(usize),
    /// It is covered by the cell of that row.
    Covered {
        row: usize,
        cell: usize,
    },
}

impl TableLayout<'_> {
    /// By which it is known in other columns, and where it is painted.
    pub fn address(&self) -> usize {
        std::ptr::from_ref(self.table) as usize
    }

    pub fn height(&self) -> f32 {
        self.rows.iter().map(|row| row.height).sum::<f32>() + self.bottom_border
    }

    /// The height of the part of a row between two cuts.
    pub fn piece_height(&self, row: usize, from: Option<&Cut>, to: Option<&Cut>) -> f32 {
        match self.rows.get(row) {
            Some(layout) if from.is_none() && to.is_none() => layout.height,
            _ => self.content_between(row, from, to),
        }
    }

    /// The height that a row's own content asks for, whatever its rule.
    pub fn content_height(&self, row: usize) -> f32 {
        self.content_between(row, None, None)
    }

    fn content_between(&self, row: usize, from: Option<&Cut>, to: Option<&Cut>) -> f32 {
        let Some(layout) = self.rows.get(row) else { return 0.0 };
        let mut height = 0.0_f32;
        for (index, cell) in layout.cells.iter().enumerate().filter(|(_, cell)| cell.merge == Merge::None) {
            let start = from.and_then(|cut| cut.get(index));
            let end = to.and_then(|cut| cut.get(index));
            let margins = cell.vertical_margins();
            height = height.max(cut::height_between(&cell.galley, start, end) + margins);
        }
        height + layout.top_border
    }
}

impl CellLayout<'_> {
    /// Whether this is merged over the rows from `start`, its own, to `row`.
    fn ends_in(&self, start: usize, row: usize) -> bool {
        matches!(self.merge, Merge::Start(span) if start + span == row + 1)
    }

    pub fn vertical_margins(&self) -> f32 {
        self.top_margin + super::geometry::positive(self.cell.margins.bottom, 0.0)
    }
}
