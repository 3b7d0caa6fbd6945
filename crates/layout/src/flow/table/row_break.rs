//! Finds the position at which a row that does not fit is divided (ECMA-376 part 1, §17.4.6). The content of all cells is
//! divided at the same height.

use std::ops::Range;
use std::rc::Rc;

use super::super::fragment::{
    CellBreak, CellLayout, CoveringCell, Fragment, Keep, MergeRole, RowBreak, RowFragment, TableLayout, UnboundedColumn,
};

/// The rules that the search for a break in a row may ignore. They are ignored only if the search would otherwise fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BreakUrgency {
    /// The search ignores no rule.
    None,
    /// Content that should stay together may be divided, because no page has more space.
    IgnoreKeeps,
    /// In addition to ignoring keep rules, content that fits on no page may extend beyond the available space.
    Overflow,
}

impl TableLayout<'_> {
    /// Returns the height of the part of a row between two breaks. If `from` is `None`, the part begins at the top of the row.
    /// If `to` is `None`, it ends at the bottom.
    pub fn part_height(&self, row: usize, from: Option<&RowBreak>, to: Option<&RowBreak>) -> f32 {
        match self.rows.get(row) {
            Some(layout) if from.is_none() && to.is_none() => layout.height,
            _ => self.content_between(row, from, to),
        }
    }

    /// Returns the height that the content of a row needs, regardless of its height rule.
    pub fn content_height(&self, row: usize) -> f32 {
        self.content_between(row, None, None)
    }

    fn content_between(&self, row: usize, from: Option<&RowBreak>, to: Option<&RowBreak>) -> f32 {
        let Some(layout) = self.rows.get(row) else { return 0.0 };
        let mut height = 0.0_f32;
        for (index, cell) in layout.cells.iter().enumerate().filter(|(_, cell)| cell.merge == MergeRole::None) {
            let start = from.and_then(|row_break| row_break.get(index));
            let end = to.and_then(|row_break| row_break.get(index));
            let margins = cell.vertical_margins();
            height = height.max(height_between(&cell.content, start, end) + margins);
        }
        height + layout.top_border
    }
}

/// Returns the top of the fragment at which an unbounded column resumes after a break. `None` is the start of the column.
fn top_after_break(content: &UnboundedColumn<'_>, cell_break: Option<&CellBreak>) -> f32 {
    match cell_break {
        // The space above the first line belongs to that line, so the top is 0.
        None | Some(CellBreak { fragment_index: 0, inner: None }) => 0.0,
        Some(cell_break) => {
            content.fragments.get(cell_break.fragment_index).map_or(content.height, |fragment| fragment.y)
        }
    }
}

/// Returns the lowest bottom of these fragments and of their floats.
fn lowest_bottom(content: &UnboundedColumn<'_>, fragments: Range<usize>) -> f32 {
    let last = fragments.clone().last().and_then(|last| content.fragments.get(last)).map_or(0.0, Fragment::bottom);
    let before = content.floats.partition_point(|float| float.fragment_index < fragments.start);
    let floats = content.floats.iter().skip(before).take_while(|float| float.fragment_index < fragments.end);
    floats.filter_map(|float| float.exclusion).map(|exclusion| exclusion.area.bottom()).fold(last, f32::max)
}

/// Returns the height of the content of an unbounded column between two breaks. If `from` is `None`, the content begins at the
/// top of the column. If `to` is `None`, it ends at the bottom.
pub(super) fn height_between(content: &UnboundedColumn<'_>, from: Option<&CellBreak>, to: Option<&CellBreak>) -> f32 {
    if let (Some(start), Some(end)) = (from, to)
        && start.fragment_index == end.fragment_index
        && let Some(inner) = &end.inner
    {
        // Both breaks are in the same row of a nested table. (To measure this row twice would double the time at each level of
        // nested tables.)
        let Some(row) = content.fragments.get(end.fragment_index).and_then(Fragment::row_fragment) else { return 0.0 };
        return nested_row_height(&row.table, row.row, start.inner.as_deref(), Some(inner));
    }
    let start =
        top_after_break(content, from) + from.map_or(0.0, |cell_break| height_before_break(content, cell_break));
    let end = match to {
        None => content.height,
        Some(cell_break) => match (&cell_break.inner, content.fragments.get(cell_break.fragment_index)) {
            (Some(inner), Some(fragment)) => {
                let Some(row) = fragment.row_fragment() else { return 0.0 };
                fragment.y + nested_row_height(&row.table, row.row, None, Some(inner))
            }
            _ => lowest_bottom(content, 0..cell_break.fragment_index),
        },
    };
    (end - start).max(0.0)
}

/// Returns the height of the part of a nested table's row between two breaks. It includes the content of the merged cells that
/// end in the row.
pub(crate) fn nested_row_height(
    table: &TableLayout<'_>,
    row: usize,
    from: Option<&RowBreak>,
    to: Option<&RowBreak>,
) -> f32 {
    let own = table.part_height(row, from, to);
    let Some(layout) = table.rows.get(row).filter(|_| from.is_some() || to.is_some()) else { return own };
    let merged =
        layout.cells.iter().enumerate().filter(|(_, cell)| cell.merge != MergeRole::None).map(|(index, cell)| {
            let Some(content) = cell_content(table, row, cell) else { return 0.0 };
            let start = from.and_then(|row_break| row_break.get(index)).unwrap_or(&content.start);
            let end = to.and_then(|row_break| row_break.get(index));
            let source = content.cell;
            height_between(&source.content, Some(start), end) + source.vertical_margins() + layout.top_border
        });
    merged.fold(own, f32::max)
}

/// The content that a cell shows in one row.
struct CellContent<'l, 'a> {
    /// The cell whose content is shown.
    cell: &'l CellLayout<'a>,
    /// The break at which the content begins in the row.
    start: CellBreak,
}

/// Returns the content of a cell in a row of a nested table. For a vertically merged cell that ends in this row, the start of
/// the content follows from the heights of the rows above. Page breaks between these rows are ignored. Returns `None` for
/// merged cells that end in another row or are rotated.
fn cell_content<'l, 'a>(
    table: &'l TableLayout<'a>,
    row: usize,
    cell: &'l CellLayout<'a>,
) -> Option<CellContent<'l, 'a>> {
    let CoveringCell { first_row: start, cell: source } = table.covering_cell(row, cell)?;
    if source.merge == MergeRole::None {
        return Some(CellContent { cell: source, start: CellBreak::default() });
    }
    if source.rotated_line_length.is_some() || !source.ends_in(start, row) {
        return None;
    }
    let above = table.rows.get(start..row)?;
    let room = above.iter().map(|row| row.height).sum::<f32>() - above.first()?.top_border;
    let begun =
        find_break(&source.content, &CellBreak::default(), room - source.vertical_margins(), BreakUrgency::None);
    Some(CellContent { cell: source, start: begun })
}

/// Finds a break in a row so that the part above the break is at most `room` points high. Returns `None` if the row has no such
/// break, or if nothing would remain below it. With `BreakUrgency::None`, each cell that has content left must have a line of it
/// above the break. If the row is in a nested table (`nested` is true), merged cells that end in the row are divided too. (In
/// other rows, the module [merged](super::merged) divides them.)
pub(super) fn find_row_break(
    table: &TableLayout<'_>,
    row: usize,
    from: Option<&RowBreak>,
    room: f32,
    urgency: BreakUrgency,
    nested: bool,
) -> Option<RowBreak> {
    let layout = table.rows.get(row)?;
    let mut row_break = RowBreak::with_capacity(layout.cells.len());
    let (mut progress, mut left_over, mut stays) = (false, false, Vec::new());
    for (index, cell) in layout.cells.iter().enumerate() {
        let content = if nested || cell.merge == MergeRole::None { cell_content(table, row, cell) } else { None };
        let content = content.filter(|_| cell.rotated_line_length.is_none());
        let Some(CellContent { cell, start: begun }) = content else {
            row_break.push(CellBreak { fragment_index: cell.content.fragments.len(), inner: None });
            continue;
        };
        let start = from.and_then(|row_break| row_break.get(index)).cloned().unwrap_or(begun);
        let inside = room - layout.top_border - cell.vertical_margins();
        let cell_break = find_break(&cell.content, &start, inside, urgency);
        let fragments = cell.content.fragments.len();
        let moved = cell_break.is_after(&start);
        if !moved && start.fragment_index < fragments && urgency == BreakUrgency::None {
            // Word moves the whole row if the first line of any cell does not fit.
            return None;
        }
        progress |= moved;
        if !moved && start.fragment_index < fragments {
            stays.push((index, start.fragment_index + 1));
        }
        left_over |= cell_break.fragment_index < fragments;
        row_break.push(cell_break);
    }
    if urgency == BreakUrgency::Overflow && !progress {
        // The next content fits on no page. In each cell, its first fragment extends beyond the end of this page, and the rest
        // follows on the next page.
        for (index, fragment) in stays {
            progress = true;
            if let Some(cell_break) = row_break.get_mut(index) {
                *cell_break = CellBreak { fragment_index: fragment, inner: None };
            }
        }
    }
    (progress && left_over).then_some(row_break)
}

/// Returns the last break in an unbounded column such that the content from `start` to the break is at most `room` points high.
/// Returns `start` if nothing fits.
pub(crate) fn find_break(
    content: &UnboundedColumn<'_>,
    start: &CellBreak,
    room: f32,
    urgency: BreakUrgency,
) -> CellBreak {
    let fragments = &content.fragments;
    let urgent = urgency != BreakUrgency::None;
    let top = top_after_break(content, Some(start));
    let begun = height_before_break(content, start);
    let fits = |index: usize| lowest_bottom(content, index..index + 1) - top - begun <= room + 0.01;
    let mut end = start.fragment_index;
    while end < fragments.len() && fits(end) {
        end += 1;
    }
    if end >= fragments.len() {
        return CellBreak { fragment_index: fragments.len(), inner: None };
    }
    // If the end of the available space is inside a row of a nested table, that row is divided as well.
    if let Some(RowFragment { table, row, .. }) = fragments[end].row_fragment() {
        let inner = (end == start.fragment_index).then_some(start.inner.as_deref()).flatten();
        let above = if end == start.fragment_index { 0.0 } else { fragments[end].y - top - begun };
        let splits = table.rows.get(*row).is_some_and(|layout| match layout.row.keep_together {
            // A row that should stay together is split only if it is at the top of a page and does not fit there. If a part of
            // it is on an earlier page, it may be split again.
            true => inner.is_some() || (urgent && end == start.fragment_index),
            false => inner.is_some() || urgent || !layout.higher_than_content,
        });
        // If the row is not at the top of the column, it can still move to the next column.
        let urgency = if end == start.fragment_index { urgency } else { BreakUrgency::None };
        if splits && let Some(row_break) = find_row_break(table, *row, inner, room - above, urgency, true) {
            return CellBreak { fragment_index: end, inner: Some(Rc::new(row_break)) };
        }
    }
    // Keep rules apply here too, unless every position violates one. Among equally good positions, choose the last.
    let place = (start.fragment_index + 1..=end).rev().min_by_key(|&index| fragments[index].keep);
    match place.filter(|&place| urgent || fragments[place].keep == Keep::Free) {
        Some(fragment) => CellBreak { fragment_index: fragment, inner: None },
        None => start.clone(),
    }
}

/// Returns the break at which content resumes in the next column, or `None` if all of it fits in `room` points. Keep rules are
/// ignored if they would prevent every break, because content must not extend beyond the available space. If not even one line
/// fits, the break is at `from`.
pub(super) fn break_if_overflowing(content: &UnboundedColumn<'_>, from: &CellBreak, room: f32) -> Option<CellBreak> {
    if height_between(content, Some(from), None) <= room + 0.5 {
        return None;
    }
    let to = Some(find_break(content, from, room, BreakUrgency::None)).filter(|to| to.is_after(from));
    Some(to.unwrap_or_else(|| find_break(content, from, room, BreakUrgency::IgnoreKeeps)))
}

/// Returns the first possible break after `from`. Used if none of the content fits. The break is after one line or, in a nested
/// table, after one line of each cell.
pub(super) fn first_break_after(content: &UnboundedColumn<'_>, from: &CellBreak, room: f32) -> CellBreak {
    let to = Some(find_break(content, from, room, BreakUrgency::Overflow)).filter(|to| to.is_after(from));
    to.unwrap_or(CellBreak { fragment_index: from.fragment_index + 1, inner: None })
}

/// Returns the height of the part above a break that is inside a row of a nested table. Returns 0 if the break is not inside a
/// row.
fn height_before_break(content: &UnboundedColumn<'_>, cell_break: &CellBreak) -> f32 {
    let (Some(inner), Some(fragment)) = (&cell_break.inner, content.fragments.get(cell_break.fragment_index)) else {
        return 0.0;
    };
    let Some(row) = fragment.row_fragment() else { return 0.0 };
    (fragment.height - nested_row_height(&row.table, row.row, Some(inner), None)).max(0.0)
}

/// Returns the ids of the footnotes referenced between two breaks of a row.
pub(super) fn referenced_notes(
    table: &TableLayout<'_>,
    row: usize,
    from: Option<&RowBreak>,
    to: Option<&RowBreak>,
) -> Vec<i64> {
    let mut notes = Vec::new();
    for (index, cell) in table.cells(row).iter().enumerate() {
        if matches!(cell.merge, MergeRole::Covered { .. }) {
            continue;
        }
        let start = from.and_then(|row_break| row_break.get(index)).map_or(0, |cell_break| cell_break.fragment_index);
        let end =
            to.and_then(|row_break| row_break.get(index)).map_or(usize::MAX, |cell_break| cell_break.fragment_index);
        let called = &cell.content.notes;
        let before = called.partition_point(|note| note.fragment_index < start);
        notes.extend(called.iter().skip(before).take_while(|note| note.fragment_index < end).map(|note| note.id));
    }
    notes
}
