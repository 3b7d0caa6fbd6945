//! Splitting a row that does not fit (ECMA-376 part 1, §17.4.6): each cell's content is cut at the same height.

use std::ops::Range;
use std::rc::Rc;

use super::super::unit::{CellLayout, Cut, Galley, Keep, Merge, Point, RowPiece, TableLayout, Unit};

/// What is given up for a place to cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    None,
    /// What is to stay together: no page has more room.
    Cut,
    /// The room's end too, by what fits no page.
    Overflow,
}

impl TableLayout<'_> {
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
            height = height.max(height_between(&cell.galley, start, end) + margins);
        }
        height + layout.top_border
    }
}

/// Where the rest of a unit begins, below a point in the galley.
fn origin(galley: &Galley<'_>, point: Option<&Point>) -> f32 {
    match point {
        // What stands above its first line belongs to it.
        None | Some(Point { unit: 0, inner: None }) => 0.0,
        Some(point) => galley.units.get(point.unit).map_or(galley.height, |unit| unit.y),
    }
}

/// How far down units of a galley reach, and what floats with them.
fn bottom(galley: &Galley<'_>, units: Range<usize>) -> f32 {
    let last = units.clone().last().and_then(|last| galley.units.get(last)).map_or(0.0, Unit::bottom);
    let before = galley.floats.partition_point(|float| float.unit < units.start);
    let floats = galley.floats.iter().skip(before).take_while(|float| float.unit < units.end);
    floats.filter_map(|float| float.exclusion).map(|exclusion| exclusion.area.bottom()).fold(last, f32::max)
}

/// The height of what stands between two points of a galley; without an end, to the bottom.
pub(super) fn height_between(galley: &Galley<'_>, from: Option<&Point>, to: Option<&Point>) -> f32 {
    if let (Some(start), Some(end)) = (from, to)
        && start.unit == end.unit
        && let Some(inner) = &end.inner
    {
        // All of it is within one nested row. (Measured twice here, nested tables would take twice as long at each level.)
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

/// The height of a part of a row in a cell.
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

/// A cell's content, or that of the one that is merged over rows and ends in this, and where it begins in the row: by the
/// heights of the rows above, as if no break had gone through them.
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

/// Cuts a row's cells so that the part above is at most `room` high. `None`: there is no such place, or nothing is left
/// over. If it is urgent, a cell may stay behind without any of its lines. A row that is `nested` in a cell is cut with the rest of the cells
/// that are merged over rows and end in it. (Of those of other rows [merged](super::merged) knows.)
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
        // Nothing of what comes next fits any page: it stands beyond the end of this one, what follows on the next.
        for (index, unit) in stays {
            progress = true;
            if let Some(point) = points.get_mut(index) {
                *point = Point { unit, inner: None };
            }
        }
    }
    (progress && left_over).then_some(points)
}

/// The last place in a galley, from `start` on, down to which it is at most `room` high.
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
    // A nested row that straddles the place is cut itself.
    if let Some(RowPiece { table, row, .. }) = units[end].row() {
        let inner = (end == start.unit).then_some(start.inner.as_deref()).flatten();
        let above = if end == start.unit { 0.0 } else { units[end].y - top - begun };
        let splits = table.rows.get(*row).is_some_and(|layout| match layout.row.keep_together {
            // One that is to stay whole is split where it has a page to itself, and goes on as it was begun.
            true => inner.is_some() || (urgent && end == start.unit),
            false => inner.is_some() || urgent || !layout.higher_than_content,
        });
        // Not at the top of its room it may still begin in the next.
        let urgency = if end == start.unit { urgency } else { Urgency::None };
        if splits && let Some(points) = cut(table, *row, inner, (room - above, urgency), true) {
            return Point { unit: end, inner: Some(Rc::new(points)) };
        }
    }
    // Keeps hold here too, unless there is no other way; of equally good places the last.
    let place = (start.unit + 1..=end).rev().min_by_key(|&index| units[index].keep);
    match place.filter(|&place| urgent || units[place].keep == Keep::Free) {
        Some(unit) => Point { unit, inner: None },
        None => start.clone(),
    }
}

/// Where content goes on that has not all room; `None`: it has. Rather a line alone than one beyond the room's end, and none
/// where there is no room for one.
pub(super) fn rest(galley: &Galley<'_>, from: &Point, room: f32) -> Option<Point> {
    if height_between(galley, Some(from), None) <= room + 0.5 {
        return None;
    }
    let to = Some(cut_galley(galley, from, room, Urgency::None)).filter(|to| to.is_beyond(from));
    Some(to.unwrap_or_else(|| cut_galley(galley, from, room, Urgency::Cut)))
}

/// As little of content as there can be where nothing of it fits: a line of each cell that stands first.
pub(super) fn least(galley: &Galley<'_>, from: &Point, room: f32) -> Point {
    let to = Some(cut_galley(galley, from, room, Urgency::Overflow)).filter(|to| to.is_beyond(from));
    to.unwrap_or(Point { unit: from.unit + 1, inner: None })
}

/// How much of the unit at a point stands before the point.
fn height_before(galley: &Galley<'_>, point: &Point) -> f32 {
    let (Some(inner), Some(unit)) = (&point.inner, galley.units.get(point.unit)) else { return 0.0 };
    let Some(row) = unit.row() else { return 0.0 };
    (unit.height - nested_height(&row.table, row.row, Some(inner), None)).max(0.0)
}

/// Footnotes called between two cuts of a row.
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
