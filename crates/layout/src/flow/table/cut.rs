//! Finds the break of a row that does not fit (ECMA-376 part 1, §17.4.6). The content of all cells is divided at the same
//! height.

use std::ops::Range;
use std::rc::Rc;

use super::super::unit::{CellLayout, Cut, Galley, Keep, Merge, Point, RowPiece, TableLayout, Unit};

/// The rules that the search for a break may ignore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// The search ignores no rule.
    None,
    /// Content that should stay together may be divided, because no page has more space.
    Cut,
    /// In addition, content that fits on no page may extend beyond the available space.
    Overflow,
}

impl TableLayout<'_> {
    /// Returns the height of the part of a row between two breaks. Without `from` it begins at the top of the row, without `to`
    /// it ends at the bottom.
    pub fn piece_height(&self, row: usize, from: Option<&Cut>, to: Option<&Cut>) -> f32 {
        match self.rows.get(row) {
            Some(layout) if from.is_none() && to.is_none() => layout.height,
            _ => self.content_between(row, from, to),
        }
    }

    /// Returns the height that the content of a row needs, regardless of its height rule.
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
            height = height.max(height_between(&cell.galley, start, end) + margins);
        }
        height + layout.top_border
    }
}

/// Returns the top of the fragment at a break in an unbounded column.
fn origin(galley: &Galley<'_>, point: Option<&Point>) -> f32 {
    match point {
        // The space above the first line belongs to that line.
        None | Some(Point { unit: 0, inner: None }) => 0.0,
        Some(point) => galley.units.get(point.unit).map_or(galley.height, |unit| unit.y),
    }
}

/// Returns the bottom of the lowest of these fragments and their floats.
fn bottom(galley: &Galley<'_>, units: Range<usize>) -> f32 {
    let last = units.clone().last().and_then(|last| galley.units.get(last)).map_or(0.0, Unit::bottom);
    let before = galley.floats.partition_point(|float| float.unit < units.start);
    let floats = galley.floats.iter().skip(before).take_while(|float| float.unit < units.end);
    floats.filter_map(|float| float.exclusion).map(|exclusion| exclusion.area.bottom()).fold(last, f32::max)
}

/// Returns the height of the content of an unbounded column between two breaks. Without `from` it begins at the top, without
/// `to` it ends at the bottom.
pub(super) fn height_between(galley: &Galley<'_>, from: Option<&Point>, to: Option<&Point>) -> f32 {
    if let (Some(start), Some(end)) = (from, to)
        && start.unit == end.unit
        && let Some(inner) = &end.inner
    {
        // Both breaks are in the same row of a nested table. (To measure this row twice would double the time at each level of
        // nested tables.)
        let Some(row) = galley.units.get(end.unit).and_then(Unit::row) else { return 0.0 };
        return nested_height(&row.table, row.row, start.inner.as_deref(), Some(inner));
    }
    let start = origin(galley, from) + from.map_or(0.0, |point| height_before(galley, point));
    let end = match to {
        None => galley.height,
        Some(point) => match (&point.inner, galley.units.get(point.unit)) {
            (Some(inner), Some(unit)) => {
                let Some(row) = unit.row() else { return 0.0 };
                unit.y + nested_height(&row.table, row.row, None, Some(inner))
            }
            _ => bottom(galley, 0..point.unit),
        },
    };
    (end - start).max(0.0)
}

/// Returns the height of the part of a nested table's row between two breaks, with the merged cells that end in the row.
pub(crate) fn nested_height(table: &TableLayout<'_>, row: usize, from: Option<&Cut>, to: Option<&Cut>) -> f32 {
    let own = table.piece_height(row, from, to);
    let Some(layout) = table.rows.get(row).filter(|_| from.is_some() || to.is_some()) else { return own };
    let merged = layout.cells.iter().enumerate().filter(|(_, cell)| cell.merge != Merge::None).map(|(index, cell)| {
        let Some((source, begun)) = with_merged(table, row, cell) else { return 0.0 };
        let start = from.and_then(|cut| cut.get(index)).unwrap_or(&begun);
        let end = to.and_then(|cut| cut.get(index));
        height_between(&source.galley, Some(start), end) + source.vertical_margins() + layout.top_border
    });
    merged.fold(own, f32::max)
}

/// Returns the cell whose content is shown in a row of a nested table, and the break at which its content begins in the row.
/// For a vertically merged cell that ends in this row, that break follows from the heights of the rows above; page breaks
/// between them are ignored. Returns `None` for merged cells that end in another row or are rotated.
fn with_merged<'l, 'a>(
    table: &'l TableLayout<'a>,
    row: usize,
    cell: &'l CellLayout<'a>,
) -> Option<(&'l CellLayout<'a>, Point)> {
    let (start, source) = table.source(row, cell)?;
    if source.merge == Merge::None {
        return Some((source, Point::default()));
    }
    if source.turned.is_some() || !source.ends_in(start, row) {
        return None;
    }
    let above = table.rows.get(start..row)?;
    let room = above.iter().map(|row| row.height).sum::<f32>() - above.first()?.top_border;
    let begun = cut_galley(&source.galley, &Point::default(), room - source.vertical_margins(), Urgency::None);
    Some((source, begun))
}

/// Returns the break of a row such that the part above it is at most `room` points high. Returns `None` if the row has no such
/// break, or if nothing would remain below it. Unless the urgency is `None`, a cell may have all of its lines below the break.
/// In a row that is `nested` in a cell, merged cells that end in the row are divided too. (In other rows, the module
/// [merged](super::merged) divides them.)
pub(super) fn cut(
    table: &TableLayout<'_>,
    row: usize,
    from: Option<&Cut>,
    (room, urgency): (f32, Urgency),
    nested: bool,
) -> Option<Cut> {
    let layout = table.rows.get(row)?;
    let mut points = Cut::with_capacity(layout.cells.len());
    let (mut progress, mut left_over, mut stays) = (false, false, Vec::new());
    for (index, cell) in layout.cells.iter().enumerate() {
        let content = if nested || cell.merge == Merge::None { with_merged(table, row, cell) } else { None };
        let Some((cell, begun)) = content.filter(|_| cell.turned.is_none()) else {
            points.push(Point { unit: cell.galley.units.len(), inner: None });
            continue;
        };
        let start = from.and_then(|cut| cut.get(index)).cloned().unwrap_or(begun);
        let inside = room - layout.top_border - cell.vertical_margins();
        let point = cut_galley(&cell.galley, &start, inside, urgency);
        let units = cell.galley.units.len();
        let moved = point.is_beyond(&start);
        if !moved && start.unit < units && urgency == Urgency::None {
            // Word moves the whole row if the first line of any cell does not fit.
            return None;
        }
        progress |= moved;
        if !moved && start.unit < units {
            stays.push((index, start.unit + 1));
        }
        left_over |= point.unit < units;
        points.push(point);
    }
    if urgency == Urgency::Overflow && !progress {
        // The next content fits on no page. Its first fragment in each cell extends beyond the end of this page, and the rest
        // follows on the next page.
        for (index, unit) in stays {
            progress = true;
            if let Some(point) = points.get_mut(index) {
                *point = Point { unit, inner: None };
            }
        }
    }
    (progress && left_over).then_some(points)
}

/// Returns the last break in an unbounded column such that the content between `start` and the break is at most `room` points
/// high. Returns `start` if nothing fits.
pub(crate) fn cut_galley(galley: &Galley<'_>, start: &Point, room: f32, urgency: Urgency) -> Point {
    let units = &galley.units;
    let urgent = urgency != Urgency::None;
    let top = origin(galley, Some(start));
    let begun = height_before(galley, start);
    let fits = |index: usize| bottom(galley, index..index + 1) - top - begun <= room + 0.01;
    let mut end = start.unit;
    while end < units.len() && fits(end) {
        end += 1;
    }
    if end >= units.len() {
        return Point { unit: units.len(), inner: None };
    }
    // If the limit is inside a row of a nested table, that row is divided as well.
    if let Some(RowPiece { table, row, .. }) = units[end].row() {
        let inner = (end == start.unit).then_some(start.inner.as_deref()).flatten();
        let above = if end == start.unit { 0.0 } else { units[end].y - top - begun };
        let splits = table.rows.get(*row).is_some_and(|layout| match layout.row.keep_together {
            // A row that should stay together is split only if it is at the top of a page and does not fit there. If a part of
            // it is on an earlier page, it may be split again.
            true => inner.is_some() || (urgent && end == start.unit),
            false => inner.is_some() || urgent || !layout.higher_than_content,
        });
        // If the row is not at the top of the column, it can still move to the next column.
        let urgency = if end == start.unit { urgency } else { Urgency::None };
        if splits && let Some(points) = cut(table, *row, inner, (room - above, urgency), true) {
            return Point { unit: end, inner: Some(Rc::new(points)) };
        }
    }
    // Keep rules apply here too, unless every position breaks one. Among equally good positions, choose the last.
    let place = (start.unit + 1..=end).rev().min_by_key(|&index| units[index].keep);
    match place.filter(|&place| urgent || units[place].keep == Keep::Free) {
        Some(unit) => Point { unit, inner: None },
        None => start.clone(),
    }
}

/// Returns the break at which content resumes in the next column, or `None` if all of it fits in `room` points. If keep rules
/// prevent a break, they are ignored: to break them is better than to extend beyond the available space. If not even one line
/// fits, the break is at `from`.
pub(super) fn rest(galley: &Galley<'_>, from: &Point, room: f32) -> Option<Point> {
    if height_between(galley, Some(from), None) <= room + 0.5 {
        return None;
    }
    let to = Some(cut_galley(galley, from, room, Urgency::None)).filter(|to| to.is_beyond(from));
    Some(to.unwrap_or_else(|| cut_galley(galley, from, room, Urgency::Cut)))
}

/// Returns the first break after `from`, for content of which nothing fits. It is after one line; in a nested table, after one
/// line of each cell.
pub(super) fn least(galley: &Galley<'_>, from: &Point, room: f32) -> Point {
    let to = Some(cut_galley(galley, from, room, Urgency::Overflow)).filter(|to| to.is_beyond(from));
    to.unwrap_or(Point { unit: from.unit + 1, inner: None })
}

/// Returns the height of the part of a nested row above a break inside the row, or 0 if the break is not inside a row.
fn height_before(galley: &Galley<'_>, point: &Point) -> f32 {
    let (Some(inner), Some(unit)) = (&point.inner, galley.units.get(point.unit)) else { return 0.0 };
    let Some(row) = unit.row() else { return 0.0 };
    (unit.height - nested_height(&row.table, row.row, Some(inner), None)).max(0.0)
}

/// Returns the ids of the footnotes referenced between two breaks of a row.
pub(super) fn notes(table: &TableLayout<'_>, row: usize, from: Option<&Cut>, to: Option<&Cut>) -> Vec<i64> {
    let mut notes = Vec::new();
    for (index, cell) in table.cells(row).iter().enumerate() {
        if matches!(cell.merge, Merge::Covered { .. }) {
            continue;
        }
        let start = from.and_then(|cut| cut.get(index)).map_or(0, |point| point.unit);
        let end = to.and_then(|cut| cut.get(index)).map_or(usize::MAX, |point| point.unit);
        let called = &cell.galley.notes;
        let before = called.partition_point(|(unit, _)| *unit < start);
        notes.extend(called.iter().skip(before).take_while(|(unit, _)| *unit < end).map(|(_, note)| *note));
    }
    notes
}
