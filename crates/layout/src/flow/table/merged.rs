//! Vertically merged cells that a break divides (ECMA-376 part 1, §17.4.84). Content that does not fit above the break
//! continues below it. The last covered row is then as high as the remaining content needs.
//!
//! The division is computed twice: here for the heights of rows, and during painting for their content.

use std::rc::Rc;

use waraq_docx::tree::RowHeight;

use super::super::column::Filled;
use super::super::unit::{CellLayout, Cut, Merge, MergedRests, Point, TableLayout};
use super::cut;

/// The part of a merged cell in the current column.
struct Share<'l, 'a> {
    source: &'l CellLayout<'a>,
    /// The break at which the part begins.
    from: Point,
    /// Height of those rows of the cell that are already in the column.
    height: f32,
    top_border: f32,
    /// True if the cell begins in this column.
    begins: bool,
}

impl Share<'_, '_> {
    /// Returns the height of borders and margins.
    fn around(&self) -> f32 {
        self.top_border + self.source.vertical_margins()
    }

    /// Returns the break at which the cell resumes if the column ends after `more` further points, or `None` if the whole rest
    /// fits.
    fn rest(&self, more: f32) -> Option<Point> {
        cut::rest(&self.source.galley, &self.from, self.height + more - self.around())
    }

    /// Returns the additional height that the column needs for the first line of the part, if nothing fits in `more` further
    /// points.
    fn lacks_least(&self, more: f32) -> f32 {
        self.lacks(Some(&cut::least(&self.source.galley, &self.from, self.height + more - self.around())))
    }

    /// Returns the additional height that the column needs for the content of the cell up to the break `to`, or to its end.
    fn lacks(&self, to: Option<&Point>) -> f32 {
        cut::height_between(&self.source.galley, Some(&self.from), to) + self.around() - self.height
    }
}

/// Returns the breaks at which merged cells that cover this row resume in the next column. The column ends before the row, or
/// inside it if `begun` is true.
pub(super) fn rests(filled: &Filled<'_>, layout: &TableLayout<'_>, row: usize, begun: bool) -> Rc<MergedRests> {
    let rest = |cell: &CellLayout<'_>| {
        let (start, source) = layout.source(row, cell)?;
        if source.merge == Merge::None || source.turned.is_some() || (start == row && !begun) {
            return None;
        }
        Some((source.cell.id, share(filled, layout, row, (start, source))?.rest(0.0)?))
    };
    Rc::new(layout.cells(row).iter().filter_map(rest).collect())
}

/// Returns the height of a row from the break `from` on, including merged cells that end in it. Returns `None` if the measured
/// height of the row applies.
pub(super) fn height(filled: &Filled<'_>, layout: &TableLayout<'_>, row: usize, from: Option<&Cut>) -> Option<f32> {
    let exact = layout.rows.get(row).is_none_or(|row| matches!(row.row.height, RowHeight::Exactly(_)));
    let shares: Vec<_> = ending(layout, row).map(|cell| share(filled, layout, row, cell)).collect();
    let whole = from.is_none() && shares.iter().all(|share| share.as_ref().is_some_and(|share| share.begins));
    if exact || whole || shares.is_empty() {
        return None;
    }
    let lacks = shares.iter().flatten().map(|share| share.lacks(None));
    Some(lacks.fold(natural(layout, row, from), f32::max))
}

/// Returns the height of the part of a row between two breaks. It includes as much of the merged cells that end in the row as
/// fits in `room` points, and with `must` at least one line of each.
pub(super) fn part(
    filled: &Filled<'_>,
    layout: &TableLayout<'_>,
    row: usize,
    (from, to): (Option<&Cut>, &Cut),
    (room, must): (f32, bool),
) -> f32 {
    let part = layout.piece_height(row, from, Some(to));
    let ends =
        |(cell, point): (&CellLayout<'_>, &Point)| cell.merge != Merge::None || point.unit >= cell.galley.units.len();
    // The height rule may require more height than a column has.
    let least = natural(layout, row, from).min(room.max(layout.content_height(row)));
    let least = if layout.cells(row).iter().zip(to).all(ends) { least } else { 0.0 };
    let shares = ending(layout, row).filter_map(|cell| share(filled, layout, row, cell));
    let lacks = shares.map(|share| {
        let rest = share.rest(room);
        let stays = rest.as_ref().is_some_and(|rest| !rest.is_beyond(&share.from));
        if must && stays { share.lacks_least(room) } else { share.lacks(rest.as_ref()) }
    });
    lacks.fold(part.max(least), f32::max)
}

/// Returns the break after all of a row's own content, so that only the merged cells that end in the row continue below it.
/// Returns `None` if the own content does not fit, or if no merged cell ends in the row.
pub(super) fn cut_whole(
    layout: &TableLayout<'_>,
    row: usize,
    from: Option<&Cut>,
    room: f32,
    must: bool,
) -> Option<Cut> {
    let fits = must || natural(layout, row, from) <= room + 0.01;
    let goes_on = ending(layout, row).next().is_some();
    (fits && goes_on)
        .then(|| layout.cells(row).iter().map(|cell| Point { unit: cell.galley.units.len(), inner: None }).collect())
}

/// Returns the part of a merged cell in the current column, before a row of the cell is added to the column. `start` is the row
/// in which the cell `source` begins. Returns `None` if earlier columns already have all of its content.
fn share<'l, 'a>(
    filled: &Filled<'_>,
    layout: &'l TableLayout<'a>,
    row: usize,
    (start, source): (usize, &'l CellLayout<'a>),
) -> Option<Share<'l, 'a>> {
    let known = filled.merged.get(&source.cell.id);
    let (mut height, mut first, mut begins) = (0.0, row, start == row);
    for unit in filled.units.iter().rev() {
        let Some(piece) = unit.row() else { break };
        if piece.table.table.id != layout.table.id || piece.row < start || piece.repeated {
            break;
        }
        (height, first) = (height + unit.height, piece.row);
        begins = piece.row == start && piece.from.is_none();
    }
    let from = match known {
        Some(from) => from.clone(),
        None if begins => Point::default(),
        None => return None,
    };
    let top_border = layout.rows.get(first).map_or(0.0, |row| row.top_border);
    Some(Share { source, from, height, top_border, begins })
}

/// Returns the cells whose vertical merge ends in this row, each with its first row.
fn ending<'l, 'a>(layout: &'l TableLayout<'a>, row: usize) -> impl Iterator<Item = (usize, &'l CellLayout<'a>)> {
    let sources = layout.cells(row).iter().filter_map(move |cell| layout.source(row, cell));
    sources.filter(move |(start, source)| source.turned.is_none() && source.ends_in(*start, row))
}

/// Returns the height of a row from the break `from` on, without the height that only merged cells need.
fn natural(layout: &TableLayout<'_>, row: usize, from: Option<&Cut>) -> f32 {
    match from {
        None => layout.rows.get(row).map_or(0.0, |row| row.height - row.stretched),
        Some(_) => layout.piece_height(row, from, None),
    }
}
