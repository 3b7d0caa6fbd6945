//! Converts adjacent rows of a table in a column to items: first shading and content, then borders.

use std::rc::Rc;

use waraq_docx::tree::{Border, RowHeight, TableBorders, TextDirection};

use super::super::areas::Frame;
use super::super::border::{self, plain, thickness};
use super::super::decorate::lighten;
use super::super::geometry::{above, positive};
use super::super::paint::Painter;
use super::super::spacing::visible;
use super::super::unit::{CellLayout, Cut, Merge, Point, RowLayout, RowPiece, TableLayout};
use super::borders::{edge, insets};
use super::cut;
use crate::geometry::IDENTITY;
use crate::page::{Item, Placed, Rect, Transform};
use crate::text::is_dark;

/// A row, or a part of it, with its top and height on the canvas.
type Set<'p, 'a> = (&'p RowPiece<'a>, f32, f32);

/// Paints adjacent rows of a table. `x` is the left edge of the column.
pub(crate) fn rows<'a>(painter: &mut Painter<'_, 'a>, rows: &[Set<'_, 'a>], x: f32) {
    let Some((first, ..)) = rows.first() else { return };
    let table = Rc::clone(&first.table);
    let left = x + table.x;
    for (index, (piece, ..)) in rows.iter().enumerate() {
        let Some(row) = table.rows.get(piece.row) else { continue };
        for (number, cell) in row.cells.iter().enumerate() {
            // A merged cell is painted once in each column, in its first row there.
            if matches!(cell.merge, Merge::Covered { .. }) && !is_first(rows, index) {
                continue;
            }
            let Some((start, source)) = table.source(piece.row, cell) else { continue };
            let area = cell_area(rows, index, cell, left);
            if let Some(color) = source.cell.shading.or(table.table.properties.shading) {
                painter.canvas.body.push(plain(Item::Rectangle { area, color, opacity: 1.0 }));
            }
            let outer = painter.artifact;
            painter.artifact |= piece.repeated;
            let before = painter.canvas.body.len();
            contents(painter, (rows, index), number, (start, source), area, row.top_border);
            painter.artifact = outer;
            if source.cell.shading.is_some_and(is_dark) {
                lighten(painter.canvas.body.get_mut(before..).unwrap_or_default());
            }
        }
    }
    let mut lines = Vec::new();
    if table.table.properties.cell_spacing > 0.0 {
        separate_borders(&mut lines, &table, rows, left);
    } else {
        collapsed_borders(&mut lines, &table, rows, left);
    }
    painter.canvas.body.extend(lines);
}

/// Returns true if the row with this index is the first one in its column, or the first one after repeated header rows.
fn is_first(rows: &[Set<'_, '_>], index: usize) -> bool {
    let repeated = |index: usize| rows.get(index).is_some_and(|(piece, ..)| piece.repeated);
    index.checked_sub(1).is_none_or(|above| repeated(above) && !repeated(index))
}

/// Returns the area of a cell on the canvas. A merged cell covers all of its rows in this column.
fn cell_area(rows: &[Set<'_, '_>], index: usize, cell: &CellLayout<'_>, left: f32) -> Rect {
    let (piece, y, mut height) = rows[index];
    if let Some((start, CellLayout { merge: Merge::Start(span), .. })) = piece.table.source(piece.row, cell) {
        let covered = |other: &RowPiece<'_>| other.row < start + span && other.repeated == piece.repeated;
        let inside = rows.iter().skip(index).take_while(|(other, ..)| covered(other));
        height = inside.map(|(_, _, height)| *height).sum::<f32>().max(height);
    }
    Rect::new(left + cell.x, y, cell.width, height)
}

/// Paints the content of the cell `number` of a row. `source` is that cell, or the cell that covers it in a vertical merge, and
/// `start` is the row of the table in which `source` begins.
fn contents<'a>(
    painter: &mut Painter<'_, 'a>,
    (rows, index): (&[Set<'_, 'a>], usize),
    number: usize,
    (start, source): (usize, &CellLayout<'a>),
    area: Rect,
    top_border: f32,
) {
    let (piece, ..) = rows[index];
    let (from, to) = if source.merge == Merge::None {
        let point = |cut: &Option<Rc<Cut>>| cut.as_ref()?.get(number).cloned();
        (point(&piece.from), point(&piece.to))
    } else {
        // The content begins here if this is the top of the cell's first row. Otherwise it resumes where the previous column
        // ended.
        let begins = start == piece.row && piece.from.is_none();
        let begun = if begins { Some(Point::default()) } else { painter.merged.remove(&source.cell.id) };
        let Some(from) = begun else { return };
        let end = end(rows, index, source, start);
        let to = rest_of_merged(painter, source, &from, (area, top_border), end);
        (Some(from), to)
    };
    place(painter, source, (from.as_ref(), to.as_ref()), area, top_border, piece);
}

/// Returns the last of the rows that a merged cell covers, if that row ends in this column.
fn end<'p, 'a>(rows: &[Set<'p, 'a>], index: usize, source: &CellLayout<'_>, start: usize) -> Option<&'p RowPiece<'a>> {
    let last = rows.get(index..)?.iter().find(|(piece, ..)| source.ends_in(start, piece.row));
    last.map(|(piece, ..)| *piece).filter(|piece| piece.to.is_none())
}

/// Returns the break at which the content of a merged cell ends in this column, or `None` if it ends completely. If the cell
/// continues in the next column, stores the break for it. `end` is the cell's last row, if that row ends in this column.
fn rest_of_merged(
    painter: &mut Painter<'_, '_>,
    cell: &CellLayout<'_>,
    from: &Point,
    (area, top_border): (Rect, f32),
    end: Option<&RowPiece<'_>>,
) -> Option<Point> {
    // Rotated text is painted completely where its cell begins, because its lines run along all rows of the cell.
    if cell.turned.is_some() {
        return None;
    }
    let rest = || cut::rest(&cell.galley, from, area.height - top_border - cell.vertical_margins());
    match end {
        // A row with exact height clips its content. Any other row shows all remaining content, even if it is higher than
        // expected.
        Some(piece) if is_exact(piece) => rest().filter(|to| to.is_beyond(from)),
        Some(_) => None,
        None => {
            let to = rest()?;
            painter.merged.insert(cell.cell.id, to.clone());
            Some(to)
        }
    }
}

/// Paints the content of a cell between two breaks, vertically aligned in the area of the cell.
fn place<'a>(
    painter: &mut Painter<'_, 'a>,
    cell: &CellLayout<'a>,
    (from, to): (Option<&Point>, Option<&Point>),
    area: Rect,
    top_border: f32,
    piece: &RowPiece<'a>,
) {
    let (left, right) = insets(cell.cell);
    let bottom = positive(cell.cell.margins.bottom, 0.0);
    let top = cell.top_margin;
    let inside = Rect::new(
        area.x + left,
        area.y + top + top_border,
        (area.width - left - right).max(0.0),
        (area.height - top - bottom - top_border).max(0.0),
    );
    let exact = is_exact(piece);
    if let Some(length) = cell.turned {
        return match exact && cell.galley.height > inside.width + 0.5 {
            true => clipped(painter, area, |painter| turned(painter, cell, inside, length)),
            false => turned(painter, cell, inside, length),
        };
    }
    let height = cut::height_between(&cell.galley, from, to);
    let spare = (inside.height - height).max(0.0);
    let shift = above(cell.cell.vertical_alignment, spare);
    let frame = painter.frame;
    painter.frame = frame.inner(inside.width);
    if exact && height > inside.height + 0.5 && cell.merge == Merge::None {
        clipped(painter, area, |painter| painter.part(&cell.galley, from, to, inside.x, inside.y));
    } else {
        painter.part(&cell.galley, from, to, inside.x, inside.y + shift);
    }
    painter.frame = frame;
}

fn is_exact(piece: &RowPiece<'_>) -> bool {
    piece.table.rows.get(piece.row).is_some_and(|row| matches!(row.row.height, RowHeight::Exactly(_)))
}

/// Clips to `area` what `paint` paints, for a row with exact height.
fn clipped<'s, 'a>(painter: &mut Painter<'s, 'a>, area: Rect, paint: impl FnOnce(&mut Painter<'s, 'a>)) {
    let outer = std::mem::take(&mut painter.canvas.body);
    paint(painter);
    let items = std::mem::replace(&mut painter.canvas.body, outer);
    painter.canvas.body.push(plain(Item::Group { transform: IDENTITY, clip: Some(area), items }));
}

/// Paints text that runs up or down (§17.4.72).
fn turned<'a>(painter: &mut Painter<'_, 'a>, cell: &CellLayout<'a>, inside: Rect, length: f32) {
    let outer = std::mem::take(&mut painter.canvas.body);
    let frame = painter.frame;
    let column = painter.column.take();
    // If the cell continues on the next page, only the height on this page is available, so the lines are broken again for that
    // length.
    let shorter = inside.height + 0.5 < length && cell.merge != Merge::None;
    let length = if shorter { inside.height.max(6.0) } else { length };
    let within = Frame { in_cell: true, ..frame.inner(length) };
    let again = shorter.then(|| painter.setter.galley(&cell.cell.blocks, within));
    let galley = again.as_ref().unwrap_or(&*cell.galley);
    painter.frame = within;
    painter.galley(galley, 0.0, 0.0);
    painter.frame = frame;
    painter.column = column;
    let items = std::mem::replace(&mut painter.canvas.body, outer);
    // The lines of rotated text follow each other across the width of the cell, so the vertical alignment applies in that
    // direction.
    let spare = (inside.width - galley.height).max(0.0);
    let shift = above(cell.cell.vertical_alignment, spare);
    let transform = match cell.cell.text_direction {
        TextDirection::Up => {
            Transform { a: 0.0, b: -1.0, c: 1.0, d: 0.0, e: inside.x + shift, f: inside.y + inside.height.max(length) }
        }
        _ => Transform { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: inside.right() - shift, f: inside.y },
    };
    painter.canvas.body.push(Placed { item: Item::Group { transform, clip: None, items }, element: None });
}

/// Draws the borders of cells that share their edges, each edge once.
fn collapsed_borders(items: &mut Vec<Placed>, table: &TableLayout<'_>, rows: &[Set<'_, '_>], left: f32) {
    for (index, (piece, y, height)) in rows.iter().enumerate() {
        let Some(row) = table.rows.get(piece.row) else { continue };
        let above = index.checked_sub(1).and_then(|above| table.rows.get(rows.get(above)?.0.row));
        let last = index + 1 == rows.len();
        let bottom_room = if last && piece.row + 1 == table.rows.len() { table.bottom_border } else { 0.0 };
        let (top, bottom) = (*y, y + height - bottom_room);
        vertical_edges(items, row, left, top, bottom + bottom_room);
        let goes_on =
            index.checked_sub(1).and_then(|above| rows.get(above)).is_some_and(|(a, ..)| a.row + 1 == piece.row);
        top_edges(items, row, (above, goes_on), left, top);
        if last {
            for cell in &row.cells {
                let border = visible(cell.cell.borders.bottom);
                let middle = bottom + thickness(border) / 2.0;
                horizontal(items, border, left + cell.x, left + cell.x + cell.width, middle, corner(row, None));
            }
        }
        for cell in &row.cells {
            if !matches!(cell.merge, Merge::Covered { .. }) {
                diagonals(items, &cell.cell.borders, cell_area(rows, index, cell, left));
            }
        }
    }
}

/// Draws the edges between a row and the row above it, for each pair of adjacent cells. `goes_on` is true if the row above also
/// precedes the row in the table, and is not a repeated header, so that merged cells continue.
fn top_edges(
    items: &mut Vec<Placed>,
    row: &RowLayout<'_>,
    (above, goes_on): (Option<&RowLayout<'_>>, bool),
    left: f32,
    y: f32,
) {
    let middle = y + row.top_border / 2.0;
    let over_corner = corner(row, above);
    for cell in &row.cells {
        if matches!(cell.merge, Merge::Covered { .. }) && goes_on {
            continue;
        }
        let (from, to) = (cell.x, cell.x + cell.width);
        let mut at = from;
        for over in above.into_iter().flat_map(|above| &above.cells) {
            let (start, end) = (over.x.max(from), (over.x + over.width).min(to));
            if end - start < 0.05 {
                continue;
            }
            let border = edge(cell.cell.borders.top, over.cell.borders.bottom);
            horizontal(items, border, left + start, left + end, middle, over_corner);
            at = at.max(end);
        }
        // The part without a cell above it.
        if to - at > 0.05 {
            horizontal(items, visible(cell.cell.borders.top), left + at, left + to, middle, over_corner);
        }
    }
    // Bottom edges of cells above without a cell below them.
    for over in above.into_iter().flat_map(|above| &above.cells) {
        let covered =
            row.cells.iter().any(|cell| cell.x < over.x + over.width - 0.05 && cell.x + cell.width > over.x + 0.05);
        if !covered {
            let (from, to) = (left + over.x, left + over.x + over.width);
            horizontal(items, visible(over.cell.borders.bottom), from, to, middle, over_corner);
        }
    }
}

/// Returns half the thickness of the thickest vertical border of two adjacent rows. The horizontal borders between the rows are
/// extended by up to this length.
fn corner(row: &RowLayout<'_>, above: Option<&RowLayout<'_>>) -> f32 {
    let cells = row.cells.iter().chain(above.into_iter().flat_map(|above| &above.cells));
    let lines = cells.flat_map(|cell| [cell.cell.borders.left, cell.cell.borders.right]);
    lines.map(|border| thickness(visible(border))).fold(0.0, f32::max) / 2.0
}

fn horizontal(items: &mut Vec<Placed>, border: Option<Border>, from: f32, to: f32, y: f32, corner: f32) {
    if let Some(border) = border {
        // Borders meet at their centres, so the corner belongs to both of them.
        let over = (thickness(Some(border)) / 2.0).min(corner);
        border::draw(items, &border, (from - over, y), (to + over, y), false);
    }
}

fn vertical_edges(items: &mut Vec<Placed>, row: &RowLayout<'_>, left: f32, top: f32, bottom: f32) {
    let mut cells: Vec<&CellLayout<'_>> = row.cells.iter().collect();
    // Sort from left to right, also in right-to-left tables.
    cells.sort_by(|a, b| a.x.total_cmp(&b.x));
    let mut draw = |border: Option<Border>, x: f32| {
        if let Some(border) = border {
            border::draw(items, &border, (left + x, top), (left + x, bottom), false);
        }
    };
    for (index, cell) in cells.iter().enumerate() {
        let before = index.checked_sub(1).and_then(|before| cells.get(before));
        let touches = before.filter(|before| (before.x + before.width - cell.x).abs() < 0.5);
        draw(edge(cell.cell.borders.left, touches.and_then(|before| before.cell.borders.right)), cell.x);
        let next = cells.get(index + 1).filter(|next| (cell.x + cell.width - next.x).abs() < 0.5);
        if next.is_none() {
            draw(visible(cell.cell.borders.right), cell.x + cell.width);
        }
    }
}

fn diagonals(items: &mut Vec<Placed>, borders: &TableBorders, area: Rect) {
    if let Some(border) = visible(borders.diagonal_down) {
        border::draw_slanted(items, &border, (area.x, area.y), (area.right(), area.bottom()));
    }
    if let Some(border) = visible(borders.diagonal_up) {
        border::draw_slanted(items, &border, (area.x, area.bottom()), (area.right(), area.y));
    }
}

/// Draws borders of a table with cell spacing: four for each cell and four for the table (§17.4.45).
fn separate_borders(items: &mut Vec<Placed>, table: &TableLayout<'_>, rows: &[Set<'_, '_>], left: f32) {
    let spacing = positive(table.table.properties.cell_spacing, 0.0);
    let mut frame = |area: Rect, sides: [Option<Border>; 4]| {
        border::around(items, sides.map(visible), (area.x, area.y), (area.right(), area.bottom()), false);
    };
    for (index, (piece, ..)) in rows.iter().enumerate() {
        for cell in table.cells(piece.row).iter().filter(|cell| !matches!(cell.merge, Merge::Covered { .. })) {
            let area = cell_area(rows, index, cell, left);
            let area = Rect::new(area.x, area.y + spacing, area.width, (area.height - 2.0 * spacing).max(0.0));
            let b = &cell.cell.borders;
            frame(area, [b.top, b.bottom, b.left, b.right]);
        }
    }
    if let (Some((_, top, _)), Some((_, last, height))) = (rows.first(), rows.last()) {
        let b = &table.table.properties.borders;
        frame(Rect::new(left, *top, table.width, last + height - top), [b.top, b.bottom, b.left, b.right]);
    }
}
