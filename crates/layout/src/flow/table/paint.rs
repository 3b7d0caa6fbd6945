//! Converts adjacent rows of a table in a column to items: first shading and content, then borders.

use std::rc::Rc;

use waraq_docx::tree::{Border, RowHeight, TableBorders, TextDirection};
use waraq_rules::DiagnosticCode;

use super::super::areas::Frame;
use super::super::border::{self, thickness, untagged};
use super::super::context::LayoutContext;
use super::super::decorate::turn_black_text_white;
use super::super::fragment::{
    CellBreak, CellLayout, CoveringCell, MergeRole, RowBreak, RowFragment, RowLayout, TableLayout, UnboundedColumn,
};
use super::super::geometry::{positive_length_or, space_above_text};
use super::super::paint::Painter;
use super::super::spacing::visible_border;
use super::super::text_box::CUT_OFF_TOLERANCE;
use super::borders::{TextInsets, text_insets, winning_border};
use super::row_break;
use crate::geometry::IDENTITY;
use crate::page::{DisplayItem, Point, Rect, TaggedItem, Transform};
use crate::text::is_dark;

/// A row of a table with its position on the canvas. If the row is split, this is the part of the row in the current column.
#[derive(Clone, Copy)]
pub(crate) struct PlacedRow<'p, 'a> {
    /// The row, or the part of the row that is in the current column.
    pub fragment: &'p RowFragment<'a>,
    /// Distance of the row's top from the top of the canvas, in points.
    pub top: f32,
    /// Height of the row, or of its part, in points.
    pub height: f32,
}

/// Paints adjacent rows of a table. `x` is the left edge of the column.
pub(crate) fn paint_rows<'a>(painter: &mut Painter<'_, 'a>, rows: &[PlacedRow<'_, 'a>], x: f32) {
    let Some(first) = rows.first() else { return };
    let table = Rc::clone(&first.fragment.table);
    let left = x + table.x;
    for (index, PlacedRow { fragment: row_fragment, .. }) in rows.iter().enumerate() {
        let Some(row) = table.rows.get(row_fragment.row) else { continue };
        for (number, cell) in row.cells.iter().enumerate() {
            // A merged cell is painted once in each column, in its first row there.
            if matches!(cell.merge, MergeRole::Covered { .. }) && !is_first_in_column(rows, index) {
                continue;
            }
            let Some(covering) = table.covering_cell(row_fragment.row, cell) else { continue };
            let shading = covering.cell.cell.shading;
            let area = cell_area(rows, index, cell, left);
            if let Some(color) = shading.or(table.table.properties.shading) {
                painter.canvas.body.push(untagged(DisplayItem::Rectangle { area, color, opacity: 1.0 }));
            }
            let outer = painter.artifact;
            painter.artifact |= row_fragment.repeated;
            let before = painter.canvas.body.len();
            paint_cell(painter, rows, index, number, covering, area, row.top_border);
            painter.artifact = outer;
            if shading.is_some_and(is_dark) {
                turn_black_text_white(painter.canvas.body.get_mut(before..).unwrap_or_default());
            }
        }
    }
    let mut lines = Vec::new();
    if table.table.properties.cell_spacing > 0.0 {
        draw_separate_borders(&mut lines, &table, rows, left);
    } else {
        draw_collapsed_borders(&mut lines, &table, rows, left);
    }
    painter.canvas.body.extend(lines);
}

/// Returns true if the row with this index is the first one in its column, or the first one after repeated header rows.
fn is_first_in_column(rows: &[PlacedRow<'_, '_>], index: usize) -> bool {
    let repeated = |index: usize| rows.get(index).is_some_and(|row| row.fragment.repeated);
    index.checked_sub(1).is_none_or(|above| repeated(above) && !repeated(index))
}

/// Returns the area of a cell on the canvas. A merged cell covers all of its rows in this column.
fn cell_area(rows: &[PlacedRow<'_, '_>], index: usize, cell: &CellLayout<'_>, left: f32) -> Rect {
    let PlacedRow { fragment: row_fragment, top, mut height } = rows[index];
    if let Some(CoveringCell { first_row, cell: CellLayout { merge: MergeRole::Start(span), .. } }) =
        row_fragment.table.covering_cell(row_fragment.row, cell)
    {
        let covered = |other: &RowFragment<'_>| other.row < first_row + span && other.repeated == row_fragment.repeated;
        let inside = rows.iter().skip(index).take_while(|other| covered(other.fragment));
        height = inside.map(|row| row.height).sum::<f32>().max(height);
    }
    Rect::new(left + cell.x, top, cell.width, height)
}

/// Paints the content of a cell. `number` is the index of the cell in its row. `index` is the index of the row in `rows`.
/// `covering` contains the cell whose content is painted. This is the cell itself, or the cell that covers it in a vertical
/// merge.
fn paint_cell<'a>(
    painter: &mut Painter<'_, 'a>,
    rows: &[PlacedRow<'_, 'a>],
    index: usize,
    number: usize,
    covering: CoveringCell<'_, 'a>,
    area: Rect,
    top_border: f32,
) {
    let row_fragment = rows[index].fragment;
    let CoveringCell { first_row: start, cell: source } = covering;
    let (from, to) = if source.merge == MergeRole::None {
        let cell_break = |row_break: &Option<Rc<RowBreak>>| row_break.as_ref()?.get(number).cloned();
        (cell_break(&row_fragment.from), cell_break(&row_fragment.to))
    } else {
        // The content of the cell begins here if this is the top of the cell's first row. Otherwise it resumes where it ended
        // in the previous column.
        let begins = start == row_fragment.row && row_fragment.from.is_none();
        let begun = if begins { Some(CellBreak::default()) } else { painter.merged.remove(&source.cell.id) };
        let Some(from) = begun else { return };
        let end = last_covered_row(rows, index, source, start);
        let to = merged_content_end(painter, source, &from, area.height - top_border, end);
        (Some(from), to)
    };
    paint_cell_content(painter, source, from.as_ref(), to.as_ref(), area, top_border, row_fragment);
}

/// Returns the last of the rows that a merged cell covers, if that row ends in this column.
fn last_covered_row<'p, 'a>(
    rows: &[PlacedRow<'p, 'a>],
    index: usize,
    source: &CellLayout<'_>,
    start: usize,
) -> Option<&'p RowFragment<'a>> {
    let last = rows.get(index..)?.iter().find(|row| source.ends_in(start, row.fragment.row));
    last.map(|row| row.fragment).filter(|row_fragment| row_fragment.to.is_none())
}

/// Returns the break at which the content of a merged cell ends in this column, or `None` if all remaining content is in this
/// column. If the cell continues in the next column, its content resumes there at the same break, which is stored in `painter`.
/// `height` is the height of the cell in this column below its top border. `end` is the cell's last row, if that row ends in this
/// column.
fn merged_content_end(
    painter: &mut Painter<'_, '_>,
    cell: &CellLayout<'_>,
    from: &CellBreak,
    height: f32,
    end: Option<&RowFragment<'_>>,
) -> Option<CellBreak> {
    // Rotated text is painted completely where its cell begins, because its lines run along all rows of the cell.
    if cell.rotated_line_length.is_some() {
        return None;
    }
    let rest = || row_break::break_if_overflowing(&cell.content, from, height - cell.vertical_margins());
    match end {
        // A row with an exact height clips its content. Any other row shows all remaining content, even if that is higher than
        // expected.
        Some(row_fragment) if has_exact_height(row_fragment) => {
            let to = rest().filter(|to| to.is_after(from))?;
            let first = cell.content.fragments.get(to.fragment_index);
            warn_if_cut_off(painter.ctx, &cell.content, first.map_or(f32::INFINITY, |fragment| fragment.y));
            Some(to)
        }
        Some(_) => None,
        None => {
            let to = rest()?;
            painter.merged.insert(cell.cell.id, to.clone());
            Some(to)
        }
    }
}

/// Paints the part of a cell's content between two breaks, vertically aligned in the area of the cell.
fn paint_cell_content<'a>(
    painter: &mut Painter<'_, 'a>,
    cell: &CellLayout<'a>,
    from: Option<&CellBreak>,
    to: Option<&CellBreak>,
    area: Rect,
    top_border: f32,
    row_fragment: &RowFragment<'a>,
) {
    let TextInsets { left, right } = text_insets(cell.cell);
    let bottom = positive_length_or(cell.cell.margins.bottom, 0.0);
    let top = cell.top_margin;
    let inside = Rect::new(
        area.x + left,
        area.y + top + top_border,
        (area.width - left - right).max(0.0),
        (area.height - top - bottom - top_border).max(0.0),
    );
    let exact = has_exact_height(row_fragment);
    if exact && cell.merge == MergeRole::None {
        let space = match cell.rotated_line_length {
            Some(_) => area.width - left,
            None => area.height - top - top_border,
        };
        warn_if_cut_off(painter.ctx, &cell.content, space);
    }
    if let Some(length) = cell.rotated_line_length {
        return match exact && cell.content.height > inside.width + 0.5 {
            true => paint_clipped(painter, area, |painter| paint_rotated(painter, cell, inside, length)),
            false => paint_rotated(painter, cell, inside, length),
        };
    }
    let height = row_break::height_between(&cell.content, from, to);
    let spare = (inside.height - height).max(0.0);
    let shift = space_above_text(cell.cell.vertical_alignment, spare);
    let frame = painter.frame;
    painter.frame = frame.inner(inside.width);
    if exact && height > inside.height + 0.5 && cell.merge == MergeRole::None {
        paint_clipped(painter, area, |painter| painter.paint_between(&cell.content, from, to, inside.x, inside.y));
    } else {
        painter.paint_between(&cell.content, from, to, inside.x, inside.y + shift);
    }
    painter.frame = frame;
}

/// Adds a warning if a row with an exact height cuts off text of a cell. `space` is the distance in points from the top of the
/// first line to the end of the cell. It is measured at a right angle to the lines.
fn warn_if_cut_off(ctx: &LayoutContext<'_>, content: &UnboundedColumn<'_>, space: f32) {
    if let Some(paragraph) = content.first_line_below(space + CUT_OFF_TOLERANCE) {
        let message = "A table row of fixed height is too low for its text: what does not fit is not seen.";
        ctx.warn_at_paragraph(paragraph, DiagnosticCode::TextCutOff, message);
    }
}

fn has_exact_height(row_fragment: &RowFragment<'_>) -> bool {
    row_fragment.table.rows.get(row_fragment.row).is_some_and(|row| matches!(row.row.height, RowHeight::Exactly(_)))
}

/// Calls `paint`, and clips the items that `paint` adds. `area` is the visible area. Used for rows with an exact height.
fn paint_clipped<'s, 'a>(painter: &mut Painter<'s, 'a>, area: Rect, paint: impl FnOnce(&mut Painter<'s, 'a>)) {
    let outer = std::mem::take(&mut painter.canvas.body);
    paint(painter);
    let items = std::mem::replace(&mut painter.canvas.body, outer);
    painter.canvas.body.push(untagged(DisplayItem::Group { transform: IDENTITY, clip: Some(area), items }));
}

/// Paints the content of a cell whose text runs up or down (§17.4.72). `length` is the length of the lines in points.
fn paint_rotated<'a>(painter: &mut Painter<'_, 'a>, cell: &CellLayout<'a>, inside: Rect, length: f32) {
    let outer = std::mem::take(&mut painter.canvas.body);
    let frame = painter.frame;
    let column = painter.table_column.take();
    // If the cell continues on the next page, only its height on this page is available. The lines are therefore broken again
    // for that length.
    let shorter = inside.height + 0.5 < length && cell.merge != MergeRole::None;
    let length = if shorter { inside.height.max(6.0) } else { length };
    let within = Frame { in_cell: true, ..frame.inner(length) };
    let again = shorter.then(|| painter.ctx.lay_out_unbounded(&cell.cell.blocks, within));
    let content = again.as_ref().unwrap_or(&*cell.content);
    painter.frame = within;
    painter.paint_unbounded(content, 0.0, 0.0);
    painter.frame = frame;
    painter.table_column = column;
    let items = std::mem::replace(&mut painter.canvas.body, outer);
    // The lines of rotated text are beside each other in the width of the cell. The vertical alignment of the cell therefore
    // applies in that direction.
    let spare = (inside.width - content.height).max(0.0);
    let shift = space_above_text(cell.cell.vertical_alignment, spare);
    let transform = match cell.cell.text_direction {
        TextDirection::Up => {
            Transform { a: 0.0, b: -1.0, c: 1.0, d: 0.0, e: inside.x + shift, f: inside.y + inside.height.max(length) }
        }
        _ => Transform { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: inside.right() - shift, f: inside.y },
    };
    painter.canvas.body.push(TaggedItem { item: DisplayItem::Group { transform, clip: None, items }, element: None });
}

/// Draws the borders of a table whose cells share their edges. Each edge is drawn once.
fn draw_collapsed_borders(items: &mut Vec<TaggedItem>, table: &TableLayout<'_>, rows: &[PlacedRow<'_, '_>], left: f32) {
    for (index, PlacedRow { fragment: row_fragment, top, height }) in rows.iter().enumerate() {
        let Some(row) = table.rows.get(row_fragment.row) else { continue };
        let row_above = index.checked_sub(1).and_then(|above| rows.get(above)).map(|row| row.fragment.row);
        let above = row_above.and_then(|above| table.rows.get(above));
        let last = index + 1 == rows.len();
        let bottom_room = if last && row_fragment.row + 1 == table.rows.len() { table.bottom_border } else { 0.0 };
        let bottom = top + height - bottom_room;
        draw_vertical_edges(items, row, left, *top, bottom + bottom_room);
        let goes_on = row_above.is_some_and(|above| above + 1 == row_fragment.row);
        draw_top_edges(items, row, above, goes_on, left, *top);
        if last {
            for cell in &row.cells {
                let border = visible_border(cell.cell.borders.bottom);
                let middle = bottom + thickness(border) / 2.0;
                draw_horizontal_edge(
                    items,
                    border,
                    left + cell.x,
                    left + cell.x + cell.width,
                    middle,
                    corner_extension(row, None),
                );
            }
        }
        for cell in &row.cells {
            if !matches!(cell.merge, MergeRole::Covered { .. }) {
                draw_diagonals(items, &cell.cell.borders, cell_area(rows, index, cell, left));
            }
        }
    }
}

/// Draws the edges between a row and the row above it, for each pair of adjacent cells. `goes_on` is true if the row above is
/// also the previous row of the table and not a repeated header. Merged cells then continue across the edge.
fn draw_top_edges(
    items: &mut Vec<TaggedItem>,
    row: &RowLayout<'_>,
    above: Option<&RowLayout<'_>>,
    goes_on: bool,
    left: f32,
    y: f32,
) {
    let middle = y + row.top_border / 2.0;
    let over_corner = corner_extension(row, above);
    for cell in &row.cells {
        if matches!(cell.merge, MergeRole::Covered { .. }) && goes_on {
            continue;
        }
        let (from, to) = (cell.x, cell.x + cell.width);
        let mut at = from;
        for over in above.into_iter().flat_map(|above| &above.cells) {
            let (start, end) = (over.x.max(from), (over.x + over.width).min(to));
            if end - start < 0.05 {
                continue;
            }
            let border = winning_border(cell.cell.borders.top, over.cell.borders.bottom);
            draw_horizontal_edge(items, border, left + start, left + end, middle, over_corner);
            at = at.max(end);
        }
        // Draw the part of the edge that has no cell above it.
        if to - at > 0.05 {
            draw_horizontal_edge(
                items,
                visible_border(cell.cell.borders.top),
                left + at,
                left + to,
                middle,
                over_corner,
            );
        }
    }
    // Draw the bottom edges of the cells above that have no cell below them.
    for over in above.into_iter().flat_map(|above| &above.cells) {
        let covered =
            row.cells.iter().any(|cell| cell.x < over.x + over.width - 0.05 && cell.x + cell.width > over.x + 0.05);
        if !covered {
            let (from, to) = (left + over.x, left + over.x + over.width);
            draw_horizontal_edge(items, visible_border(over.cell.borders.bottom), from, to, middle, over_corner);
        }
    }
}

/// Returns half the thickness of the thickest vertical border of two adjacent rows. The horizontal borders between the rows are
/// extended by up to this length.
fn corner_extension(row: &RowLayout<'_>, above: Option<&RowLayout<'_>>) -> f32 {
    let cells = row.cells.iter().chain(above.into_iter().flat_map(|above| &above.cells));
    let lines = cells.flat_map(|cell| [cell.cell.borders.left, cell.cell.borders.right]);
    lines.map(|border| thickness(visible_border(border))).fold(0.0, f32::max) / 2.0
}

fn draw_horizontal_edge(items: &mut Vec<TaggedItem>, border: Option<Border>, from: f32, to: f32, y: f32, corner: f32) {
    if let Some(border) = border {
        // Borders meet at their centres, so the corner belongs to both of them.
        let over = (thickness(Some(border)) / 2.0).min(corner);
        border::draw_border(items, &border, Point { x: from - over, y }, Point { x: to + over, y }, false);
    }
}

fn draw_vertical_edges(items: &mut Vec<TaggedItem>, row: &RowLayout<'_>, left: f32, top: f32, bottom: f32) {
    let mut cells: Vec<&CellLayout<'_>> = row.cells.iter().collect();
    // Sort from left to right, also in right-to-left tables.
    cells.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut draw = |border: Option<Border>, x: f32| {
        if let Some(border) = border {
            let x = left + x;
            border::draw_border(items, &border, Point { x, y: top }, Point { x, y: bottom }, false);
        }
    };
    for (index, cell) in cells.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| cells.get(before));
        let touches = before.filter(|before| (before.x + before.width - cell.x).abs() < 0.5);
        draw(winning_border(cell.cell.borders.left, touches.and_then(|before| before.cell.borders.right)), cell.x);
        let next = cells.get(index + 1).filter(|next| (cell.x + cell.width - next.x).abs() < 0.5);
        if next.is_none() {
            draw(visible_border(cell.cell.borders.right), cell.x + cell.width);
        }
    }
}

fn draw_diagonals(items: &mut Vec<TaggedItem>, borders: &TableBorders, area: Rect) {
    let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
    if let Some(border) = visible_border(borders.diagonal_down) {
        border::draw_diagonal(items, &border, Point { x: left, y: top }, Point { x: right, y: bottom });
    }
    if let Some(border) = visible_border(borders.diagonal_up) {
        border::draw_diagonal(items, &border, Point { x: left, y: bottom }, Point { x: right, y: top });
    }
}

/// Draws borders of a table with cell spacing: four for each cell and four for the table (§17.4.45).
fn draw_separate_borders(items: &mut Vec<TaggedItem>, table: &TableLayout<'_>, rows: &[PlacedRow<'_, '_>], left: f32) {
    let spacing = positive_length_or(table.table.properties.cell_spacing, 0.0);
    let mut frame = |area: Rect, sides: [Option<Border>; 4]| {
        let (top_left, bottom_right) = (Point { x: area.x, y: area.y }, Point { x: area.right(), y: area.bottom() });
        border::draw_box(items, sides.map(visible_border), top_left, bottom_right, false);
    };
    for (index, row) in rows.iter().enumerate() {
        let is_covered = |cell: &CellLayout<'_>| matches!(cell.merge, MergeRole::Covered { .. });
        for cell in table.cells(row.fragment.row).iter().filter(|cell| !is_covered(cell)) {
            let area = cell_area(rows, index, cell, left);
            let area = Rect::new(area.x, area.y + spacing, area.width, (area.height - 2.0 * spacing).max(0.0));
            let b = &cell.cell.borders;
            frame(area, [b.top, b.bottom, b.left, b.right]);
        }
    }
    if let (Some(first), Some(last)) = (rows.first(), rows.last()) {
        let b = &table.table.properties.borders;
        let height = last.top + last.height - first.top;
        frame(Rect::new(left, first.top, table.width, height), [b.top, b.bottom, b.left, b.right]);
    }
}
