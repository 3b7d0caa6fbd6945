//! Measures the columns, cells and rows of a table.

use std::rc::Rc;

use waraq_docx::tree::{Block, Justification, Row, RowHeight, Table, TextDirection};

use super::super::areas::Frame;
use super::super::border::thickness;
use super::super::context::LayoutContext;
use super::super::float::{aligned_x, frame_position};
use super::super::fragment::{CellLayout, MergeRole, RowLayout, TableLayout, UnboundedColumn};
use super::super::geometry::{length_or, positive_length_or};
use super::borders::{text_insets, winning_border};
use super::columns;
use super::grid::{GridCell, TableGrid, grid_cells};

/// Work units charged to the meter for each cell, in addition to the units for its content.
const CELL_WORK: usize = 30;

pub(super) fn measure_table<'a>(ctx: &LayoutContext<'a>, table: &'a Table, frame: &Frame) -> TableLayout<'a> {
    let TableGrid { rows, column_count } = grid_cells(table);
    let widths = columns::column_widths(ctx, table, &rows, column_count, frame);
    let (mut edges, mut width) = (vec![0.0_f32], 0.0);
    for column in widths {
        width += positive_length_or(column, 0.0);
        edges.push(width);
    }
    let mut layouts = Vec::with_capacity(rows.len());
    for (row, cells) in table.rows.iter().zip(&rows) {
        // In Word, the top margin of every cell is the largest top margin in the row.
        let own = cells.iter().filter(|in_grid| !matches!(in_grid.merge, MergeRole::Covered { .. }));
        let top_margin = own.map(|in_grid| positive_length_or(in_grid.cell.margins.top, 0.0)).fold(0.0, f32::max);
        let set = |in_grid: &GridCell<'a>| {
            ctx.meter().spend(CELL_WORK);
            ctx.meter().allocate(size_of::<CellLayout<'_>>());
            lay_out_cell(ctx, table, row, in_grid, &edges, top_margin, frame)
        };
        let cells = cells.iter().map(set).collect();
        let layout = measure_row(table, row, cells, layouts.last());
        layouts.push(layout);
    }
    stretch_merged_rows(&mut layouts);
    lay_out_rotated_merged_cells(ctx, &mut layouts, frame);
    let header_rows = layouts.iter().take_while(|row| row.row.header).count();
    let bottom = layouts.last().map_or(0.0, |row| {
        row.cells.iter().map(|cell| thickness(winning_border(cell.cell.borders.bottom, None))).fold(0.0, f32::max)
    });
    let spacing = positive_length_or(table.properties.cell_spacing, 0.0);
    let x = table_left_edge(ctx, table, table.properties.alignment, frame, width);
    for row in &mut layouts {
        let Some(alignment) = row.row.alignment.filter(|alignment| *alignment != table.properties.alignment) else {
            continue;
        };
        // §17.4.27: each row of a table may have its own alignment.
        let shift = table_left_edge(ctx, table, alignment, frame, width) - x;
        row.cells.iter_mut().for_each(|cell| cell.x += shift);
    }
    TableLayout { table, x, width, rows: layouts, header_rows, bottom_border: if spacing > 0.0 { 0.0 } else { bottom } }
}

/// Returns the left edge of a table in points, relative to the left edge of the text column. `width` is the width of the table.
fn table_left_edge(ctx: &LayoutContext<'_>, table: &Table, alignment: Justification, frame: &Frame, width: f32) -> f32 {
    let properties = &table.properties;
    let right_to_left = properties.bidi_visual;
    if let Some(position) = properties.position {
        return frame_position(position.horizontal_anchor, position.x, width, frame, true, 0.0);
    }
    let base = aligned_x(alignment, frame.width, width, right_to_left);
    if alignment != Justification::Start {
        return base;
    }
    let [left, right] = columns::margin_overhang(ctx, table);
    let indent = length_or(properties.indent, 0.0) - if right_to_left { right } else { left };
    if right_to_left { base - indent } else { base + indent }
}

/// Lays out a cell of a row. `edges` has the positions of the edges between the grid columns.
fn lay_out_cell<'a>(
    ctx: &LayoutContext<'a>,
    table: &'a Table,
    row: &'a Row,
    in_grid: &GridCell<'a>,
    edges: &[f32],
    top_margin: f32,
    frame: &Frame,
) -> CellLayout<'a> {
    let at = |index: usize| edges.get(index).or(edges.last()).copied().unwrap_or(0.0);
    let (left, right) = (at(in_grid.first_column), at(in_grid.end_column));
    let spacing = positive_length_or(table.properties.cell_spacing, 0.0);
    let width = (right - left - 2.0 * spacing).max(1.0);
    let total = edges.last().copied().unwrap_or(0.0);
    let x = spacing + if table.properties.bidi_visual { total - right } else { left };
    let (cell, merge) = (in_grid.cell, in_grid.merge);
    let margins = &cell.margins;
    let insets = text_insets(cell);
    let inside = (width - insets.left - insets.right).max(1.0);
    let turned = match (cell.text_direction, row.height) {
        (TextDirection::Horizontal, _) => None,
        (_, RowHeight::AtLeast(height) | RowHeight::Exactly(height)) if height > 1.0 => {
            let around = top_margin + positive_length_or(margins.bottom, 0.0) + 2.0 * spacing;
            Some((positive_length_or(height, 72.0) - around).max(6.0))
        }
        _ => {
            let wants = columns::content_widths(ctx, &cell.blocks, frame.section, frame.depth);
            Some(wants.max_content.clamp(12.0, 400.0) + 0.5)
        }
    };
    let content = match merge {
        MergeRole::Covered { .. } => UnboundedColumn::default(),
        // This cell is laid out later, when the heights of its rows are known. If it were laid out here too, the work would
        // double at each level of nested tables.
        MergeRole::Start(_) if turned.is_some() => UnboundedColumn::default(),
        _ => {
            let inner = Frame { in_cell: true, ..frame.inner(turned.unwrap_or(inside)) };
            ctx.lay_out_unbounded(without_trailing_paragraph(&cell.blocks), inner)
        }
    };
    CellLayout { cell, x, width, content: Rc::new(content), merge, rotated_line_length: turned, top_margin }
}

/// Removes the empty paragraph that must follow a nested table at the end of a cell. It takes no space in Word.
fn without_trailing_paragraph(blocks: &[Block]) -> &[Block] {
    match blocks {
        [before @ .., Block::Table(_), Block::Paragraph(last)] if last.inlines.is_empty() && last.label.is_none() => {
            blocks.get(..=before.len()).unwrap_or(blocks)
        }
        _ => blocks,
    }
}

/// Lays out the rotated text of vertically merged cells. Its lines are as long as all rows of the cell together.
fn lay_out_rotated_merged_cells<'a>(ctx: &LayoutContext<'a>, rows: &mut [RowLayout<'a>], frame: &Frame) {
    for index in 0..rows.len() {
        for number in 0..rows[index].cells.len() {
            let cell = &rows[index].cells[number];
            let (MergeRole::Start(span), Some(_)) = (cell.merge, cell.rotated_line_length) else { continue };
            let height: f32 = rows[index..].iter().take(span).map(|row| row.height).sum();
            let length = (height - cell.vertical_margins() - rows[index].top_border).max(6.0);
            let inner = Frame { in_cell: true, ..frame.inner(length) };
            let content = ctx.lay_out_unbounded(&cell.cell.blocks, inner);
            let cell = &mut rows[index].cells[number];
            cell.content = Rc::new(content);
            cell.rotated_line_length = Some(length);
        }
    }
}

/// Computes the height of a row from the height of its highest cell and from its height rule (§17.4.81).
fn measure_row<'a>(
    table: &Table,
    row: &'a Row,
    cells: Vec<CellLayout<'a>>,
    above: Option<&RowLayout<'_>>,
) -> RowLayout<'a> {
    let spacing = positive_length_or(table.properties.cell_spacing, 0.0);
    let border = |cell: &CellLayout<'_>| {
        let over = above.and_then(|above| above.cells.iter().find(|over| over.x + over.width > cell.x + 0.5));
        thickness(winning_border(cell.cell.borders.top, over.and_then(|over| over.cell.borders.bottom)))
    };
    let own = cells.iter().filter(|cell| !matches!(cell.merge, MergeRole::Covered { .. }));
    let top_border = own.map(border).fold(0.0, f32::max);
    let needs =
        |cell: &CellLayout<'_>| cell.vertical_margins() + cell.rotated_line_length.unwrap_or(cell.content.height);
    let content = cells.iter().filter(|cell| cell.merge == MergeRole::None).map(needs).fold(0.0, f32::max);
    let natural = content + top_border + 2.0 * spacing;
    let height = match row.height {
        RowHeight::Auto => natural,
        // The height in the rule does not include the border. (In the two documents where it matters, 19 more pages then begin
        // with the same text as in Word, and no page fewer.)
        RowHeight::AtLeast(least) => natural.max(positive_length_or(least, 0.0) + top_border),
        RowHeight::Exactly(exact) => positive_length_or(exact, natural),
    };
    let higher_than_content = height > natural + 0.01;
    RowLayout { row, cells, height, top_border: top_border + spacing, merged_excess_height: 0.0, higher_than_content }
}

/// If a vertically merged cell needs more height than its rows have, makes the last of these rows higher.
fn stretch_merged_rows(rows: &mut [RowLayout<'_>]) {
    for index in 0..rows.len() {
        for cell in 0..rows[index].cells.len() {
            let MergeRole::Start(span) = rows[index].cells[cell].merge else { continue };
            let cell = &rows[index].cells[cell];
            if cell.rotated_line_length.is_some() {
                continue;
            }
            let needs = cell.vertical_margins() + cell.content.height + rows[index].top_border;
            let has: f32 = rows[index..].iter().take(span).map(|row| row.height).sum();
            if let Some(last) = rows.get_mut(index + span - 1)
                && !matches!(last.row.height, RowHeight::Exactly(_))
                && needs > has
            {
                last.height += needs - has;
                last.merged_excess_height += needs - has;
            }
        }
    }
}
