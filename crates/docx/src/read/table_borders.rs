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

/// Lays the borders of a region over a cell's: at its edges its outer borders, within it its inside ones.
fn region(cell: &mut BorderFormat, borders: &BorderFormat, edges: &Place) {
    let side = |edge: bool, outer: Option<Border>, inner: Option<Border>| if edge { outer } else { inner };
    cell.over(&BorderFormat {
        top: side(edges.first_row, borders.top, borders.inside_horizontal),
        bottom: side(edges.last_row, borders.bottom, borders.inside_horizontal),
        start: side(edges.first_column, borders.start, borders.inside_vertical),
        end: side(edges.last_column, borders.end, borders.inside_vertical),
        ..*borders
    });
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
    let mut sides = BorderFormat::default();
    // `table` already lies over the style's w:tblBorders.
    region(&mut sides, table, place);
    if let Some(style) = style {
        region(&mut sides, &style.whole.cell.borders, place);
        for (condition, format) in style.matching(mask) {
            let edges = edges_of(condition, place);
            region(&mut sides, &format.table.borders, &edges);
            region(&mut sides, &format.cell.borders, &edges);
        }
    }
    if let Some(exceptions) = exceptions {
        region(&mut sides, exceptions, place);
    }
    // A cell has no inside: its own borders are its sides.
    sides.over(cell);
    let BorderFormat { top, bottom, start, end, diagonal_down: down, diagonal_up: up, .. } = sides;
    let (left, right) = if right_to_left { (end, start) } else { (start, end) };
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
