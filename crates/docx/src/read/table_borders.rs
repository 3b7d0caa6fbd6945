//! The borders of one cell out of table style, conditional formats, table and cell (§17.4.38, §17.4.66, §17.7.6).

use super::table_format::BorderFormat;
use super::table_style::{Condition, TableStyle};
use crate::tree::{Border, CellBorders};

/// Where a cell lies in its table.
pub(crate) struct Place {
    pub first_row: bool,
    pub last_row: bool,
    pub first_column: bool,
    pub last_column: bool,
}

/// Borders of a cell by side in reading order.
#[derive(Default)]
struct Sides {
    top: Option<Border>,
    bottom: Option<Border>,
    start: Option<Border>,
    end: Option<Border>,
}

impl Sides {
    /// Lays the borders of a region over these: at its edges its outer borders, within it its inside ones.
    fn region(&mut self, borders: &BorderFormat, edges: &Place) {
        let side = |edge: bool, outer: Option<Border>, inner: Option<Border>| if edge { outer } else { inner };
        self.top = side(edges.first_row, borders.top, borders.inside_horizontal).or(self.top);
        self.bottom = side(edges.last_row, borders.bottom, borders.inside_horizontal).or(self.bottom);
        self.start = side(edges.first_column, borders.start, borders.inside_vertical).or(self.start);
        self.end = side(edges.last_column, borders.end, borders.inside_vertical).or(self.end);
    }
}

/// A table's own borders win over its style's, conditional formats over both, the cell's over all.
pub(crate) fn resolve_borders(
    style: Option<&TableStyle>,
    mask: u16,
    table: &BorderFormat,
    exceptions: Option<&BorderFormat>,
    cell: &BorderFormat,
    place: &Place,
    right_to_left: bool,
) -> CellBorders {
    let mut sides = Sides::default();
    let mut diagonals = (None, None);
    // `table` already lies over the style's w:tblBorders.
    sides.region(table, place);
    if let Some(style) = style {
        sides.region(&style.whole.cell.borders, place);
        diagonals = (style.whole.cell.borders.diagonal_down, style.whole.cell.borders.diagonal_up);
        for (condition, format) in style.matching(mask) {
            let edges = edges_of(condition, place);
            sides.region(&format.table.borders, &edges);
            sides.region(&format.cell.borders, &edges);
            diagonals.0 = format.cell.borders.diagonal_down.or(diagonals.0);
            diagonals.1 = format.cell.borders.diagonal_up.or(diagonals.1);
        }
    }
    if let Some(exceptions) = exceptions {
        sides.region(exceptions, place);
    }
    // A cell has no inside: its own borders are its sides.
    let top = cell.top.or(sides.top);
    let bottom = cell.bottom.or(sides.bottom);
    let (start, end) = (cell.start.or(sides.start), cell.end.or(sides.end));
    let (left, right) = if right_to_left { (end, start) } else { (start, end) };
    let (down, up) = (cell.diagonal_down.or(diagonals.0), cell.diagonal_up.or(diagonals.1));
    let (diagonal_down, diagonal_up) = if right_to_left { (up, down) } else { (down, up) };
    CellBorders { top, bottom, left, right, diagonal_down, diagonal_up }
}

/// Which of a cell's sides are edges of the region a condition is about.
fn edges_of(condition: Condition, place: &Place) -> Place {
    use Condition::*;
    // A row has all its upper and lower sides as edges, a column all its others, a corner is both.
    let rows = !matches!(condition, FirstColumn | LastColumn | OddColumns | EvenColumns);
    let columns = !matches!(condition, FirstRow | LastRow | OddRows | EvenRows);
    Place {
        first_row: rows || place.first_row,
        last_row: rows || place.last_row,
        first_column: columns || place.first_column,
        last_column: columns || place.last_column,
    }
}
