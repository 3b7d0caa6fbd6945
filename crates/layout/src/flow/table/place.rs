//! Lays out the rows of tables into a column.

use std::rc::Rc;

use waraq_docx::tree::{Block, FrameAnchor, RowHeight, Table, TablePosition, Wrap, WrapSides};

use super::super::areas::Frame;
use super::super::column::{End, Filler};
use super::super::float::{self, NARROWEST_SLOT, frame_place};
use super::super::geometry::positive;
use super::super::spacing::as_paragraph;
use super::super::unit::{
    Content, Cut, Exclusion, Float, FloatContent, Keep, Resume, RowLayout, RowPiece, TableLayout, Unit, Within,
};
use super::cut::{self, Urgency};
use super::{measure, merged};
use crate::page::Rect;

/// Lays out a table from `resume`. Returns `None` if the table is complete, else the reason why the column ended.
pub(crate) fn set<'a>(filler: &mut Filler<'_, 'a>, resume: &Resume, table: &'a Table) -> Option<End> {
    let mut layout = measured(filler, resume.block, table);
    if layout.rows.is_empty() {
        return None;
    }
    let (first, mut from) = match &resume.within {
        Within::Table { row, cut, .. } => (*row, cut.clone()),
        _ => (0, None),
    };
    // If an earlier column has rows of the table, the table is laid out row by row here too.
    if first == 0 && from.is_none() && floats_away(filler, &layout) {
        return None;
    }
    let goes_on = first > 0 || from.is_some();
    if !goes_on {
        let (flowing, own) = (filler.cursor.y + filler.cursor.space_below, top_of_floating(filler, &layout));
        let reachable = own + layout.rows[0].height <= lowest(filler, &layout, own);
        filler.cursor.y = if reachable { flowing.max(own) } else { flowing };
        beside_floats(filler, &mut layout);
    } else {
        repeat_header(filler, &layout, resume, first);
    }
    filler.cursor.space_below = 0.0;
    filler.cursor.fresh = false;
    for row in first..layout.rows.len() {
        let broken_here = row == first && resume.after_hard_break;
        if from.is_none() && !broken_here && breaks_page(filler, &layout, row) {
            let within = if row == 0 { Within::Start } else { Within::Table { row, cut: None, merged: Rc::default() } };
            let next = Resume { block: resume.block, within, after_hard_break: true };
            return Some(End::PageBreak(with_merged(filler, next)));
        }
        if let Some(end) = set_row(filler, &layout, resume, row, from.take()) {
            return Some(end);
        }
    }
    if goes_on {
        float_rest(filler, &layout);
    }
    filler.cursor.above = None;
    filler.cursor.keeps_next = layout.rows.last().is_some_and(row_keeps_next);
    None
}

/// Moves a table beside floats if there is space, else below them, as in Word. A table does not become narrower, and at its
/// left and right it may be closer to a float than text may be.
fn beside_floats<'a>(filler: &mut Filler<'_, 'a>, layout: &mut Rc<TableLayout<'a>>) {
    let first_row = layout.rows.first().map_or(0.0, |row| row.height);
    let (left, right) = (layout.x + 0.5, layout.x + layout.width - 0.5);
    for _ in 0..filler.filled.floats.len() + filler.given.outer.len() {
        let y = filler.cursor.y;
        // A row that is split at the end of the column does not reach floats below the column.
        let height = first_row.min(filler.given.frame.height - y).max(0.0);
        let crosses = |e: &&Exclusion| {
            let beside = e.object.x >= right || e.object.right() <= left;
            !beside && e.area.y < y + height && e.area.bottom() > y + 0.01
        };
        let Some(bottom) = filler.exclusions().filter(crosses).map(|e| e.area.bottom()).reduce(f32::min) else {
            return;
        };
        if let Some(x) = room_beside(filler, layout, height) {
            *layout = Rc::new(TableLayout { x, ..TableLayout::clone(layout) });
            return;
        }
        filler.cursor.y = bottom;
    }
}

/// Returns the left edge of a gap between floats that fits the whole table.
fn room_beside(filler: &Filler<'_, '_>, layout: &TableLayout<'_>, height: f32) -> Option<f32> {
    let (y, slots) = float::slots(filler.exclusions(), filler.cursor.y, height, filler.given.frame.width);
    if (y - filler.cursor.y).abs() > 0.01 {
        return None;
    }
    // The cell margins may extend beyond the gap, as they do beyond the column.
    let hang = (-layout.x).max(0.0);
    let fits = slots.iter().find(|slot| slot.width + hang * 2.0 >= layout.width - 0.5)?;
    Some(layout.x.clamp(fits.left - hang, (fits.left + fits.width + hang - layout.width).max(fits.left - hang)))
}

fn measured<'a>(filler: &mut Filler<'_, 'a>, block: usize, table: &'a Table) -> Rc<TableLayout<'a>> {
    let key = (block, filler.given.frame.width.to_bits());
    if let Some(layout) = filler.memory.tables.get(&key) {
        return Rc::clone(layout);
    }
    let layout = Rc::new(measure::measure(filler.given.setter, table, &filler.given.frame));
    if filler.given.bounded() {
        filler.memory.tables.insert(key, Rc::clone(&layout));
    }
    layout
}

/// Repeats header rows at the top of a column (§17.4.78), if they leave space for other rows.
fn repeat_header<'a>(filler: &mut Filler<'_, 'a>, layout: &Rc<TableLayout<'a>>, resume: &Resume, first: usize) {
    let height: f32 = layout.rows.iter().take(layout.header_rows).map(|row| row.height).sum();
    if first < layout.header_rows || layout.header_rows == 0 || height > filler.given.frame.height * 0.6 {
        return;
    }
    for row in 0..layout.header_rows {
        let piece = RowPiece { table: Rc::clone(layout), row, from: None, to: None, repeated: true };
        let height = layout.rows[row].height;
        let unit = Unit {
            y: filler.cursor.y,
            height,
            keep: Keep::Head,
            resume: resume.clone(),
            content: Content::Row(piece),
            notes: Vec::new(),
        };
        filler.push(unit);
    }
    filler.filled.repeated = filler.filled.units.len();
}

/// Lays out a row from the break `from` on: completely, or as much of it as fits. Returns `None` if the row is complete, else
/// the reason why the column ended.
fn set_row<'a>(
    filler: &mut Filler<'_, 'a>,
    layout: &Rc<TableLayout<'a>>,
    resume: &Resume,
    row: usize,
    from: Option<Rc<Cut>>,
) -> Option<End> {
    let last = row + 1 == layout.rows.len();
    let height = merged::height(&filler.filled, layout, row, from.as_deref())
        .unwrap_or_else(|| layout.piece_height(row, from.as_deref(), None));
    let height = height + if last { layout.bottom_border } else { 0.0 };
    let within = match (row, &from) {
        (0, None) => Within::Start,
        _ => Within::Table { row, cut: from.clone(), merged: Rc::default() },
    };
    let at = Resume { block: resume.block, within, after_hard_break: row == 0 && resume.after_hard_break };
    let (y, keep) = (filler.cursor.y, row_keep(filler.cursor.keeps_next, layout, row));
    let unit = |height: f32, to: Option<Rc<Cut>>, notes: Vec<i64>| {
        let piece = RowPiece { table: Rc::clone(layout), row, from: from.clone(), to, repeated: false };
        Unit { y, height, keep, resume: at.clone(), content: Content::Row(piece), notes }
    };
    let notes = cut::notes(layout, row, from.as_deref(), None);
    let free = filler.given.frame.height - (filler.height_of_notes(&notes) + layout.border_below(row)) - y;
    let begins = filler.filled.units.iter().find(|unit| unit.resume.block == resume.block);
    let lowest = lowest(filler, layout, begins.map_or(y, |unit| unit.y));
    if height > free && y + height <= lowest && lowest > filler.given.frame.height {
        filler.push(unit(height, None, notes));
        return None;
    }
    let part = match height > free + 0.01 {
        true => part(filler, layout, row, from.as_deref(), height),
        false => None,
    };
    let Some((points, height)) = part else {
        // If no column is as high as the height rule requires, the row is made lower, so that content aligned to its bottom or
        // centre stays in this column.
        let lower = filler.must() && height > free && layout.rows.get(row).is_some_and(|row| row.higher_than_content);
        let height = if lower { free.max(layout.content_height(row)) } else { height };
        return filler.admit(unit(height, None, notes));
    };
    let points = Rc::new(points);
    let notes = cut::notes(layout, row, from.as_deref(), Some(&points));
    filler.push(unit(height, Some(Rc::clone(&points)), notes));
    let within = Within::Table { row, cut: Some(points), merged: Rc::default() };
    Some(End::Full(Resume { block: resume.block, within, after_hard_break: false }))
}

/// Returns the break of a row such that the part above it fits together with its footnotes, and the height of that part.
/// `whole` is the height of the row from the break `from` on.
fn part<'a>(
    filler: &mut Filler<'_, 'a>,
    layout: &TableLayout<'a>,
    row: usize,
    from: Option<&Cut>,
    whole: f32,
) -> Option<(Cut, f32)> {
    let (must, top, bottom) = (filler.must(), filler.cursor.y, filler.given.frame.height);
    let (mut room, mut highest) = ((bottom - filler.height_of_notes(&[]) - top).min(whole - 0.02), whole);
    loop {
        let points = split(must, layout, row, from, room)?;
        let height = merged::part(&filler.filled, layout, row, (from, &points), (room, must));
        room = bottom - filler.height_of_notes(&cut::notes(layout, row, from, Some(&points))) - top;
        // If the part and its footnotes do not fit, try a smaller part, which may reference fewer footnotes. A part that did
        // not get smaller is accepted.
        if height <= room + 0.01 || height >= highest {
            return Some((points, height));
        }
        highest = height;
    }
}

/// Returns the break of a row that does not fit, if the row may (§17.4.6) or must be split. As in Word, a row whose height rule
/// requires more space than is left moves to the next page as a whole.
fn split(must: bool, layout: &TableLayout<'_>, row: usize, from: Option<&Cut>, room: f32) -> Option<Cut> {
    let properties = layout.rows.get(row)?.row;
    let exact = matches!(properties.height, RowHeight::Exactly(_));
    let least = match properties.height {
        RowHeight::AtLeast(least) => positive(least, 0.0),
        RowHeight::Auto | RowHeight::Exactly(_) => 0.0,
    };
    let border = layout.rows.get(row)?.top_border;
    let whole = from.is_none() && least > 0.0 && least + border > room + 0.01;
    if exact || (whole && !must) || (properties.keep_together && !must) || (row < layout.header_rows && !must) {
        return None;
    }
    let urgency = if must { Urgency::Overflow } else { Urgency::None };
    cut::cut(layout, row, from, (room, urgency), false).or_else(|| merged::cut_whole(layout, row, from, room, must))
}

fn row_keep(above_keeps_next: bool, layout: &TableLayout<'_>, row: usize) -> Keep {
    let keeps = match row.checked_sub(1).and_then(|above| layout.rows.get(above)) {
        Some(above) => row_keeps_next(above),
        None => above_keeps_next,
    };
    Keep::Free.with(Keep::Next, keeps).with(Keep::Head, row > 0 && row <= layout.header_rows)
}

/// Lays out a floating table (§17.4.57) as a float, if the page has space for it. Otherwise returns false: as in Word, a table
/// that is divided between pages is laid out row by row, and only its last part becomes a float ([`float_rest`]).
fn floats_away<'a>(filler: &mut Filler<'_, 'a>, layout: &Rc<TableLayout<'a>>) -> bool {
    if position(filler, layout).is_none() {
        return false;
    }
    let height = layout.height();
    let frame = &filler.given.frame;
    let y = top_of_floating(filler, layout);
    if filler.given.bounded() {
        let longer = height > frame.margin.height.min(frame.height);
        if longer || (y + height > lowest(filler, layout, y) && !filler.filled.units.is_empty()) {
            return false;
        }
    }
    let mut top = 0.0;
    let pieces = (0..layout.rows.len()).map(|row| {
        let (above, height) = (top, layout.rows[row].height);
        top += height;
        (RowPiece { table: Rc::clone(layout), row, from: None, to: None, repeated: false }, above, height)
    });
    let notes: Vec<i64> = (0..layout.rows.len()).flat_map(|row| cut::notes(layout, row, None, None)).collect();
    filler.call(&notes);
    push_float(filler, layout, (y, height), pieces.collect(), notes);
    true
}

/// Returns the position of a floating table, or `None` if the table is laid out in the flow. In a cell, a table higher than
/// half a page is laid out in the flow, because a float in a cell cannot be divided between pages. A table in a cell that
/// leaves no space for text at its sides is also laid out in the flow, which looks the same.
fn position(filler: &Filler<'_, '_>, layout: &TableLayout<'_>) -> Option<TablePosition> {
    let position = layout.table.properties.position?;
    let frame = &filler.given.frame;
    let half_a_page = || {
        let section = filler.given.setter.document.sections.get(frame.section);
        section.map_or(0.0, |section| positive(section.properties.page_height, 792.0) / 2.0)
    };
    let in_its_text = || position.vertical_anchor == FrameAnchor::Text && layout.height() <= half_a_page();
    let floats = !frame.in_cell || (frame.width - layout.width >= NARROWEST_SLOT && in_its_text());
    floats.then_some(position)
}

/// Returns the lowest bottom that a row may have without being split, in a table that begins at `top`. This is the bottom of
/// the column, with one exception. Up to compatibility mode 14, a table positioned relative to the page may be as high as the
/// text area of the page even if it begins further down. It may thus extend into the bottom margin.
fn lowest(filler: &Filler<'_, '_>, layout: &TableLayout<'_>, top: f32) -> f32 {
    let Frame { height, page, .. } = filler.given.frame;
    let on_page = position(filler, layout).is_some_and(|position| position.vertical_anchor == FrameAnchor::Page);
    match on_page && filler.given.bounded() && filler.given.setter.document.settings.compatibility_mode < 15 {
        true => (top + height).min(page.bottom()).max(height),
        false => height,
    }
}

/// Returns the top of a floating table relative to the column.
fn top_of_floating(filler: &Filler<'_, '_>, layout: &TableLayout<'_>) -> f32 {
    let top = filler.cursor.y + filler.cursor.space_below;
    let Some(position) = position(filler, layout) else { return top };
    frame_place(position.vertical_anchor, position.y, layout.height(), &filler.given.frame, false, top)
}

/// Converts the last part of a floating table that was divided between pages to a float. As in Word, the text after the table
/// is then beside that part. (If another column has more space, the rows may still move there and stay in the flow.)
fn float_rest<'a>(filler: &mut Filler<'_, 'a>, layout: &Rc<TableLayout<'a>>) {
    if position(filler, layout).is_none() || !filler.given.frame.full || !filler.given.bounded() {
        return;
    }
    let units = std::mem::take(&mut filler.filled.units);
    filler.filled.repeated = 0;
    let height = filler.cursor.y;
    let notes = units.iter().flat_map(|unit| unit.notes.iter().copied()).collect();
    let pieces = units.into_iter().filter_map(|unit| match unit.content {
        Content::Row(piece) => Some((piece, unit.y, unit.height)),
        Content::Line(_) => None,
    });
    push_float(filler, layout, (0.0, height), pieces.collect(), notes);
    filler.cursor.y = 0.0;
}

/// Converts rows of a table to a float that text wraps around.
fn push_float<'a>(
    filler: &mut Filler<'_, 'a>,
    layout: &Rc<TableLayout<'a>>,
    (y, height): (f32, f32),
    pieces: Vec<(RowPiece<'a>, f32, f32)>,
    notes: Vec<i64>,
) {
    let Some(position) = position(filler, layout) else { return };
    let area = Rect { x: layout.x, y, width: layout.width, height };
    let distances = [position.distance_left, position.distance_right, position.distance_top, position.distance_bottom];
    filler.filled.floats.push(Float {
        area,
        exclusion: Some(Exclusion::around(area, distances, Wrap::Square(WrapSides::Both))),
        unit: filler.filled.units.len(),
        behind: false,
        z_order: 0,
        content: FloatContent::Table(Rc::new(pieces)),
        notes,
    });
}

/// Adds to a position inside a table the breaks at which merged cells resume in the next column. Other positions are returned
/// unchanged.
pub(crate) fn with_merged(filler: &mut Filler<'_, '_>, mut resume: Resume) -> Resume {
    if let Within::Table { row, cut, merged } = &mut resume.within
        && let Some(Block::Table(table)) = filler.given.blocks.get(resume.block)
    {
        let layout = measured(filler, resume.block, table);
        *merged = merged::rests(&filler.filled, &layout, *row, cut.is_some());
    }
    resume
}

/// Returns true if a row must begin on a new page, because the first paragraph of its first cell has a page break before it
/// (§17.3.1.23), as in Word.
fn breaks_page(filler: &Filler<'_, '_>, layout: &TableLayout<'_>, row: usize) -> bool {
    let page_begun = filler.filled.is_bare() && filler.given.frame.page_start;
    let first = layout.rows.get(row).and_then(|row| row.cells.first());
    let paragraph = first.and_then(|cell| as_paragraph(cell.cell.blocks.first()?));
    !page_begun && filler.given.obeys_breaks() && paragraph.is_some_and(|p| p.properties.page_break_before)
}

/// Returns true if a row must stay on the page of the next row, because the first paragraph of its first cell has w:keepNext,
/// as in Word.
fn row_keeps_next(row: &RowLayout<'_>) -> bool {
    row.cells
        .first()
        .is_some_and(|cell| cell.cell.blocks.first().and_then(as_paragraph).is_some_and(|p| p.properties.keep_next))
}
