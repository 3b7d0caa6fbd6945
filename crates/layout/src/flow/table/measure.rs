//! Measures the columns, cells and rows of a table.

use std::rc::Rc;

use waraq_docx::tree::{Block, Justification, Row, RowHeight, Table, TextDirection};

use super::super::areas::Frame;
use super::super::border::thickness;
use super::super::float::{aligned, frame_place};
use super::super::geometry::{positive, sane};
use super::super::setter::Setter;
use super::super::unit::{CellLayout, Galley, Merge, RowLayout, TableLayout};
use super::borders::{edge, insets};
use super::columns;
use super::grid::{InGrid, grid};

/// Work units charged to the meter for each cell, in addition to its content.
const CELL_WORK: usize = 30;

pub(super) fn measure<'a>(setter: &Setter<'a>, table: &'a Table, frame: &Frame) -> TableLayout<'a> {
    let (rows, count) = grid(table);
    let widths = columns::widths(setter, table, &rows, count, frame);
    let (mut edges, mut width) = (vec![0.0_f32], 0.0);
    for column in widths {
        width += positive(column, 0.0);
        edges.push(width);
    }
    let mut layouts = Vec::with_capacity(rows.len());
    for (row, cells) in table.rows.iter().zip(&rows) {
        // In Word, every cell of a row has the largest top margin of the row.
        let own = cells.iter().filter(|in_grid| !matches!(in_grid.merge, Merge::Covered { .. }));
        let top_margin = own.map(|in_grid| positive(in_grid.cell.margins.top, 0.0)).fold(0.0, f32::max);
        let set = |in_grid: &InGrid<'a>| {
            setter.meter().spend(CELL_WORK);
            setter.meter().hold(size_of::<CellLayout<'_>>());
            cell(setter, table, row, in_grid, &edges, top_margin, frame)
        };
        let cells = cells.iter().map(set).collect();
        let layout = row_layout(table, row, cells, layouts.last());
        layouts.push(layout);
    }
    stretch(&mut layouts);
    turn_merged(setter, &mut layouts, frame);
    let header_rows = layouts.iter().take_while(|row| row.row.header).count();
    let bottom = layouts.last().map_or(0.0, |row| {
        row.cells.iter().map(|cell| thickness(edge(cell.cell.borders.bottom, None))).fold(0.0, f32::max)
    });
    let spacing = positive(table.properties.cell_spacing, 0.0);
    let x = left_edge(setter, table, table.properties.alignment, frame, width);
    for row in &mut layouts {
        let Some(alignment) = row.row.alignment.filter(|alignment| *alignment != table.properties.alignment) else {
            continue;
        };
        // §17.4.27: each row of a table may have its own alignment.
        let shift = left_edge(setter, table, alignment, frame, width) - x;
        row.cells.iter_mut().for_each(|cell| cell.x += shift);
    }
    TableLayout { table, x, width, rows: layouts, header_rows, bottom_border: if spacing > 0.0 { 0.0 } else { bottom } }
}

/// Returns the left edge of the table relative to its column.
fn left_edge(setter: &Setter<'_>, table: &Table, alignment: Justification, frame: &Frame, width: f32) -> f32 {
    let properties = &table.properties;
    let right_to_left = properties.bidi_visual;
    if let Some(position) = properties.position {
        return frame_place(position.horizontal_anchor, position.x, width, frame, true, 0.0);
    }
    let base = aligned(alignment, frame.width, width, right_to_left);
    if alignment != Justification::Start {
        return base;
    }
    let [left, right] = columns::hangs(setter, table);
    let indent = sane(properties.indent, 0.0) - if right_to_left { right } else { left };
    if right_to_left { base - indent } else { base + indent }
}

/// Lays out a cell of a row. `edges` has the positions of the edges between the grid columns.
fn cell<'a>(
    setter: &Setter<'a>,
    table: &'a Table,
    row: &'a Row,
    in_grid: &InGrid<'a>,
    edges: &[f32],
    top_margin: f32,
    frame: &Frame,
) -> CellLayout<'a> {
    let at = |index: usize| edges.get(index).or(edges.last()).copied().unwrap_or(0.0);
    let (left, right) = (at(in_grid.first), at(in_grid.end));
    let spacing = positive(table.properties.cell_spacing, 0.0);
    let width = (right - left - 2.0 * spacing).max(1.0);
    let total = edges.last().copied().unwrap_or(0.0);
    let x = spacing + if table.properties.bidi_visual { total - right } else { left };
    let (cell, merge) = (in_grid.cell, in_grid.merge);
    let margins = &cell.margins;
    let (before, after) = insets(cell);
    let inside = (width - before - after).max(1.0);
    let turned = match (cell.text_direction, row.height) {
        (TextDirection::Horizontal, _) => None,
        (_, RowHeight::AtLeast(height) | RowHeight::Exactly(height)) if height > 1.0 => {
            let around = top_margin + positive(margins.bottom, 0.0) + 2.0 * spacing;
            Some((positive(height, 72.0) - around).max(6.0))
        }
        _ => {
            let wants = columns::content_widths(setter, &cell.blocks, frame.section, frame.depth);
            Some(wants.most.clamp(12.0, 400.0) + 0.5)
        }
    };
    let galley = match merge {
        Merge::Covered { .. } => Galley::default(),
        // This cell is laid out later, when the heights of its rows are known. To do it here too would double the work at each
        // level of nested tables.
        Merge::Start(_) if turned.is_some() => Galley::default(),
        _ => {
            let inner = Frame { in_cell: true, ..frame.inner(turned.unwrap_or(inside)) };
            setter.galley(seen(&cell.blocks), inner)
        }
    };
    CellLayout { cell, x, width, galley: Rc::new(galley), merge, turned, top_margin }
}

/// Removes the empty paragraph that must follow a nested table at the end of a cell. It takes no space in Word.
fn seen(blocks: &[Block]) -> &[Block] {
    match blocks {
        [before @ .., Block::Table(_), Block::Paragraph(last)] if last.inlines.is_empty() && last.label.is_none() => {
            blocks.get(..=before.len()).unwrap_or(blocks)
        }
        _ => blocks,
    }
}

/// Lays out rotated text of vertically merged cells along all their rows.
fn turn_merged<'a>(setter: &Setter<'a>, rows: &mut [RowLayout<'a>], frame: &Frame) {
    for index in 0..rows.len() {
        for number in 0..rows[index].cells.len() {
            let cell = &rows[index].cells[number];
            let (Merge::Start(span), Some(_)) = (cell.merge, cell.turned) else { continue };
            let height: f32 = rows[index..].iter().take(span).map(|row| row.height).sum();
            let length = (height - cell.vertical_margins() - rows[index].top_border).max(6.0);
            let inner = Frame { in_cell: true, ..frame.inner(length) };
            let galley = setter.galley(&cell.cell.blocks, inner);
            let cell = &mut rows[index].cells[number];
            cell.galley = Rc::new(galley);
            cell.turned = Some(length);
        }
    }
}

/// Computes the height of a row from its highest cell and its height rule (§17.4.81).
fn row_layout<'a>(
    table: &Table,
    row: &'a Row,
    cells: Vec<CellLayout<'a>>,
    above: Option<&RowLayout<'_>>,
) -> RowLayout<'a> {
    let spacing = positive(table.properties.cell_spacing, 0.0);
    let border = |cell: &CellLayout<'_>| {
        let over = above.and_then(|above| above.cells.iter().find(|over| over.x + over.width > cell.x + 0.5));
        thickness(edge(cell.cell.borders.top, over.and_then(|over| over.cell.borders.bottom)))
    };
    let own = cells.iter().filter(|cell| !matches!(cell.merge, Merge::Covered { .. }));
    let top_border = own.map(border).fold(0.0, f32::max);
    let needs = |cell: &CellLayout<'_>| cell.vertical_margins() + cell.turned.unwrap_or(cell.galley.height);
    let content = cells.iter().filter(|cell| cell.merge == Merge::None).map(needs).fold(0.0, f32::max);
    let natural = content + top_border + 2.0 * spacing;
    let height = match row.height {
        RowHeight::Auto => natural,
        // The height rule does not include the border. (In the two documents where it matters, 19 more pages then begin with
        // the same text as in Word, and no page fewer.)
        RowHeight::AtLeast(least) => natural.max(positive(least, 0.0) + top_border),
        RowHeight::Exactly(exact) => positive(exact, natural),
    };
    let higher_than_content = height > natural + 0.01;
    RowLayout { row, cells, height, top_border: top_border + spacing, stretched: 0.0, higher_than_content }
}

/// Makes the last row of each vertically merged cell higher, if the cell needs more height than its rows have.
fn stretch(rows: &mut [RowLayout<'_>]) {
    for index in 0..rows.len() {
        for cell in 0..rows[index].cells.len() {
            let Merge::Start(span) = rows[index].cells[cell].merge else { continue };
            let cell = &rows[index].cells[cell];
            if cell.turned.is_some() {
                continue;
            }
            let needs = cell.vertical_margins() + cell.galley.height + rows[index].top_border;
            let has: f32 = rows[index..].iter().take(span).map(|row| row.height).sum();
            if let Some(last) = rows.get_mut(index + span - 1)
                && !matches!(last.row.height, RowHeight::Exactly(_))
                && needs > has
            {
                last.height += needs - has;
                last.stretched += needs - has;
            }
        }
    }
}
