//! Vertically merged cells that a break divides (ECMA-376 part 1, §17.4.84). Content that does not fit above the break
//! continues below it. The last row of the merge is then as high as the remaining content needs.
//!
//! The division is computed twice: here for the heights of rows, and during painting for their content.

use std::rc::Rc;

use waraq_docx::tree::RowHeight;

use super::super::column::ColumnOutput;
use super::super::fragment::{CellBreak, CellLayout, CoveringCell, MergeRole, MergedCellBreaks, RowBreak, TableLayout};
use super::row_break;

/// The part of a merged cell in the current column.
struct MergedCellPart<'l, 'a> {
    source: &'l CellLayout<'a>,
    /// The break in the cell's content at which the part begins.
    from: CellBreak,
    /// Total height of the rows of the cell that are already in the column.
    height: f32,
    top_border: f32,
    /// True if the cell begins in this column.
    begins: bool,
}

impl MergedCellPart<'_, '_> {
    /// Returns the height of the cell's top border and of its top and bottom margins.
    fn borders_and_margins(&self) -> f32 {
        self.top_border + self.source.vertical_margins()
    }

    /// Returns the break at which the cell's content resumes in the next column. `more` is the height in points that this column
    /// still has below the rows that are already in it. Returns `None` if all remaining content fits.
    fn overflow_break(&self, more: f32) -> Option<CellBreak> {
        row_break::break_if_overflowing(
            &self.source.content,
            &self.from,
            self.height + more - self.borders_and_margins(),
        )
    }

    /// Returns the height by which the column must grow to contain the first line of the part. Called if none of the lines fits.
    /// `more` is the height in points that the column still has below its rows.
    fn missing_height_for_first_line(&self, more: f32) -> f32 {
        self.missing_height(Some(&row_break::first_break_after(
            &self.source.content,
            &self.from,
            self.height + more - self.borders_and_margins(),
        )))
    }

    /// Returns the additional height that the column needs for the content of the cell up to the break `to`. `None` is the end
    /// of the content.
    fn missing_height(&self, to: Option<&CellBreak>) -> f32 {
        row_break::height_between(&self.source.content, Some(&self.from), to) + self.borders_and_margins() - self.height
    }
}

/// Returns the breaks at which the merged cells that cover this row resume in the next column. If `begun` is true, the column
/// ends inside the row, otherwise before it.
pub(super) fn merged_cell_breaks(
    output: &ColumnOutput<'_>,
    layout: &TableLayout<'_>,
    row: usize,
    begun: bool,
) -> Rc<MergedCellBreaks> {
    let rest = |cell: &CellLayout<'_>| {
        let covering = layout.covering_cell(row, cell)?;
        let source = covering.cell;
        let begins_below = covering.first_row == row && !begun;
        if source.merge == MergeRole::None || source.rotated_line_length.is_some() || begins_below {
            return None;
        }
        Some((source.cell.id, merged_cell_part(output, layout, row, covering)?.overflow_break(0.0)?))
    };
    Rc::new(layout.cells(row).iter().filter_map(rest).collect())
}

/// Returns the height of the part of a row after the break `from`. The height includes the content of merged cells that end in
/// the row. Returns `None` if these cells do not change the height that was measured for the row.
pub(super) fn height_with_merged(
    output: &ColumnOutput<'_>,
    layout: &TableLayout<'_>,
    row: usize,
    from: Option<&RowBreak>,
) -> Option<f32> {
    let exact = layout.rows.get(row).is_none_or(|row| matches!(row.row.height, RowHeight::Exactly(_)));
    let shares: Vec<_> = cells_ending_in(layout, row).map(|cell| merged_cell_part(output, layout, row, cell)).collect();
    let whole = from.is_none() && shares.iter().all(|share| share.as_ref().is_some_and(|share| share.begins));
    if exact || whole || shares.is_empty() {
        return None;
    }
    let lacks = shares.iter().flatten().map(|share| share.missing_height(None));
    Some(lacks.fold(own_height(layout, row, from), f32::max))
}

/// Returns the height of the part of a row between two breaks. The part includes content of the merged cells that end in the row,
/// as far as this content fits in `room` points. If `must` is true, the part includes at least one line of each of these cells.
pub(super) fn part_height_with_merged(
    output: &ColumnOutput<'_>,
    layout: &TableLayout<'_>,
    row: usize,
    from: Option<&RowBreak>,
    to: &RowBreak,
    room: f32,
    must: bool,
) -> f32 {
    let part = layout.part_height(row, from, Some(to));
    let ends = |(cell, cell_break): (&CellLayout<'_>, &CellBreak)| {
        cell.merge != MergeRole::None || cell_break.fragment_index >= cell.content.fragments.len()
    };
    // The height rule may require more height than a column has, so its height is limited.
    let least = own_height(layout, row, from).min(room.max(layout.content_height(row)));
    let least = if layout.cells(row).iter().zip(to).all(ends) { least } else { 0.0 };
    let shares = cells_ending_in(layout, row).filter_map(|cell| merged_cell_part(output, layout, row, cell));
    let lacks = shares.map(|share| {
        let rest = share.overflow_break(room);
        let stays = rest.as_ref().is_some_and(|rest| !rest.is_after(&share.from));
        if must && stays { share.missing_height_for_first_line(room) } else { share.missing_height(rest.as_ref()) }
    });
    lacks.fold(part.max(least), f32::max)
}

/// Returns a break of a row below all content of its cells that are not merged. Only the merged cells that end in the row
/// continue after this break. Returns `None` if no merged cell ends in the row, or if the content of the other cells is higher
/// than `room` points. If `must` is true, that content may be higher.
pub(super) fn break_after_own_content(
    layout: &TableLayout<'_>,
    row: usize,
    from: Option<&RowBreak>,
    room: f32,
    must: bool,
) -> Option<RowBreak> {
    let fits = must || own_height(layout, row, from) <= room + 0.01;
    let goes_on = cells_ending_in(layout, row).next().is_some();
    (fits && goes_on).then(|| {
        layout
            .cells(row)
            .iter()
            .map(|cell| CellBreak { fragment_index: cell.content.fragments.len(), inner: None })
            .collect()
    })
}

/// Returns the part of a merged cell that is in the current column. Called before a row of the cell is added to the column.
/// Returns `None` if earlier columns already have all of its content.
fn merged_cell_part<'l, 'a>(
    output: &ColumnOutput<'_>,
    layout: &'l TableLayout<'a>,
    row: usize,
    covering: CoveringCell<'l, 'a>,
) -> Option<MergedCellPart<'l, 'a>> {
    let CoveringCell { first_row: start, cell: source } = covering;
    let known = output.merged.get(&source.cell.id);
    let (mut height, mut first, mut begins) = (0.0, row, start == row);
    for fragment in output.fragments.iter().rev() {
        let Some(row_fragment) = fragment.row_fragment() else { break };
        if row_fragment.table.table.id != layout.table.id || row_fragment.row < start || row_fragment.repeated {
            break;
        }
        (height, first) = (height + fragment.height, row_fragment.row);
        begins = row_fragment.row == start && row_fragment.from.is_none();
    }
    let from = match known {
        Some(from) => from.clone(),
        None if begins => CellBreak::default(),
        None => return None,
    };
    let top_border = layout.rows.get(first).map_or(0.0, |row| row.top_border);
    Some(MergedCellPart { source, from, height, top_border, begins })
}

/// Returns the vertically merged cells that end in this row, each with the row in which it begins.
fn cells_ending_in<'l, 'a>(layout: &'l TableLayout<'a>, row: usize) -> impl Iterator<Item = CoveringCell<'l, 'a>> {
    let covering = layout.cells(row).iter().filter_map(move |cell| layout.covering_cell(row, cell));
    covering.filter(move |CoveringCell { first_row, cell }| {
        cell.rotated_line_length.is_none() && cell.ends_in(*first_row, row)
    })
}

/// Returns the height of a row from the break `from` on, without the additional height that only merged cells need.
fn own_height(layout: &TableLayout<'_>, row: usize, from: Option<&RowBreak>) -> f32 {
    match from {
        None => layout.rows.get(row).map_or(0.0, |row| row.height - row.merged_excess_height),
        Some(_) => layout.part_height(row, from, None),
    }
}
