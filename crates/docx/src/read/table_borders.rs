//! The borders of one cell out of table style, conditional formats, table and cell (§17.4.38, §17.4.66, §17.7.6).

use super::table_style::{Condition, TableStyle};
use crate::tree::{Border, TableBorders};

/// Where a cell lies in its table.
pub(crate) struct Place {
    pub first_row: bool,
    pub last_row: bool,
    pub first_column: bool,
    pub last_column: bool,
}

/// Lays the borders of a region over a cell's: at its edges its outer borders, within it its inside ones.
fn region(cell: &mut TableBorders, borders: &TableBorders, edges: &Place) {
    let side = |edge: bool, outer: Option<Border>, inner: Option<Border>| if edge { outer } else { inner };
    cell.lay(&TableBorders {
        top: side(edges.first_row, borders.top, borders.inside_horizontal),
        bottom: side(edges.last_row, borders.bottom, borders.inside_horizontal),
        left: side(edges.first_column, borders.left, borders.inside_vertical),
        right: side(edges.last_column, borders.right, borders.inside_vertical),
        ..*borders
    });
}

/// A table's own borders win over its style's, conditional formats over both, a row's exceptions over all. What the cell itself
/// says comes after.
pub(crate) fn cell_borders(
    style: Option<&TableStyle<'_>>,
    mask: u16,
    table: &TableBorders,
    exceptions: &TableBorders,
    place: &Place,
) -> TableBorders {
    let mut sides = TableBorders::default();
    // `table` already lies over the style's w:tblBorders.
    region(&mut sides, table, place);
    if let Some(style) = style {
        region(&mut sides, &style.whole.cell_borders, place);
        for (condition, part) in style.matching(mask) {
            let edges = edges_of(condition, place);
            region(&mut sides, &part.table_borders, &edges);
            region(&mut sides, &part.cell_borders, &edges);
        }
    }
    region(&mut sides, exceptions, place);
    sides
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
