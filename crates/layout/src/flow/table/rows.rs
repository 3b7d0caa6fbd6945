//! Lays out the rows of tables into a column.

use std::rc::Rc;

use waraq_docx::tree::{Block, FrameAnchor, RowHeight, Table, TablePosition, Wrap, WrapSides};

use super::super::areas::Frame;
use super::super::column::{ColumnBuilder, ColumnEnd, TableKey};
use super::super::float::{self, MIN_SLOT_WIDTH, frame_position};
use super::super::fragment::{
    BreakPosition, BreakToken, Exclusion, Float, FloatContent, FloatRow, Fragment, FragmentContent, Keep, RowBreak,
    RowFragment, RowLayout, TableLayout,
};
use super::super::geometry::positive_length_or;
use super::super::spacing::as_paragraph;
use super::row_break::{self, BreakUrgency};
use super::{measure, merged};
use crate::page::Rect;

/// Lays out a table from `resume`. Returns `None` if the table is complete, else the reason why the column ended.
pub(crate) fn lay_out_table<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    resume: &BreakToken,
    table: &'a Table,
) -> Option<ColumnEnd> {
    let mut layout = measured_table(builder, resume.block, table);
    if layout.rows.is_empty() {
        return None;
    }
    let (first, mut from) = match &resume.position {
        BreakPosition::Table { row, row_break, .. } => (*row, row_break.clone()),
        _ => (0, None),
    };
    // A table that already has rows in an earlier column is laid out row by row here too, not as a float.
    if first == 0 && from.is_none() && lay_out_as_float(builder, &layout) {
        return None;
    }
    let goes_on = first > 0 || from.is_some();
    if !goes_on {
        let (flowing, own) = (builder.cursor.y + builder.cursor.space_below, floating_top(builder, &layout));
        let reachable = own + layout.rows[0].height <= lowest_row_bottom(builder, &layout, own);
        builder.cursor.y = if reachable { flowing.max(own) } else { flowing };
        move_beside_floats(builder, &mut layout);
    } else {
        repeat_header(builder, &layout, resume, first);
    }
    builder.cursor.space_below = 0.0;
    builder.cursor.keeps_space_before = false;
    for row in first..layout.rows.len() {
        let broken_here = row == first && resume.after_hard_break;
        if from.is_none() && !broken_here && begins_page(builder, &layout, row) {
            let within = if row == 0 {
                BreakPosition::Start
            } else {
                BreakPosition::Table { row, row_break: None, merged_cells: Rc::default() }
            };
            let next = BreakToken { block: resume.block, position: within, after_hard_break: true };
            return Some(ColumnEnd::PageBreak(with_merged_cells(builder, next)));
        }
        if let Some(end) = lay_out_row(builder, &layout, resume, row, from.take()) {
            return Some(end);
        }
    }
    if goes_on {
        float_last_part(builder, &layout);
    }
    builder.cursor.above = None;
    builder.cursor.keeps_next = layout.rows.last().is_some_and(row_keeps_next);
    None
}

/// Moves a table beside floats if there is enough space, else below them, as in Word. The width of the table does not change.
/// Text keeps a distance from a float at its left or right. A table may be closer to the float.
fn move_beside_floats<'a>(builder: &mut ColumnBuilder<'_, 'a>, layout: &mut Rc<TableLayout<'a>>) {
    let first_row = layout.rows.first().map_or(0.0, |row| row.height);
    let (left, right) = (layout.x + 0.5, layout.x + layout.width - 0.5);
    for _ in 0..builder.output.floats.len() + builder.input.outer_floats.len() {
        let y = builder.cursor.y;
        // Only the height up to the end of the column matters: a row that is split there does not reach floats below the
        // column.
        let height = first_row.min(builder.input.frame.height - y).max(0.0);
        let crosses = |e: &&Exclusion| {
            let beside = e.object.x >= right || e.object.right() <= left;
            !beside && e.area.y < y + height && e.area.bottom() > y + 0.01
        };
        let Some(bottom) = builder.exclusions().filter(crosses).map(|e| e.area.bottom()).reduce(f32::min) else {
            return;
        };
        if let Some(x) = gap_beside_floats(builder, layout, height) {
            *layout = Rc::new(TableLayout { x, ..TableLayout::clone(layout) });
            return;
        }
        builder.cursor.y = bottom;
    }
}

/// Returns the left edge of a gap between floats into which the whole table fits, or `None` if every gap is too narrow.
fn gap_beside_floats(builder: &ColumnBuilder<'_, '_>, layout: &TableLayout<'_>, height: f32) -> Option<f32> {
    let free = float::find_slots(builder.exclusions(), builder.cursor.y, height, builder.input.frame.width);
    if (free.y - builder.cursor.y).abs() > 0.01 {
        return None;
    }
    // The cell margins of the table may extend beyond the gap, as they may extend beyond the column.
    let hang = (-layout.x).max(0.0);
    let fits = free.slots.iter().find(|slot| slot.width + hang * 2.0 >= layout.width - 0.5)?;
    Some(layout.x.clamp(fits.left - hang, (fits.left + fits.width + hang - layout.width).max(fits.left - hang)))
}

fn measured_table<'a>(builder: &mut ColumnBuilder<'_, 'a>, block: usize, table: &'a Table) -> Rc<TableLayout<'a>> {
    let key = TableKey { block, column_width_bits: builder.input.frame.width.to_bits() };
    if let Some(layout) = builder.cache.tables.get(&key) {
        return Rc::clone(layout);
    }
    let layout = Rc::new(measure::measure_table(builder.input.ctx, table, &builder.input.frame));
    if builder.input.has_limited_height() {
        builder.cache.tables.insert(key, Rc::clone(&layout));
    }
    layout
}

/// Repeats the header rows of a table at the top of a column (§17.4.78), if enough space remains for other rows.
fn repeat_header<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    layout: &Rc<TableLayout<'a>>,
    resume: &BreakToken,
    first: usize,
) {
    let height: f32 = layout.rows.iter().take(layout.header_rows).map(|row| row.height).sum();
    if first < layout.header_rows || layout.header_rows == 0 || height > builder.input.frame.height * 0.6 {
        return;
    }
    for row in 0..layout.header_rows {
        let row_fragment = RowFragment { table: Rc::clone(layout), row, from: None, to: None, repeated: true };
        let height = layout.rows[row].height;
        let fragment = Fragment {
            y: builder.cursor.y,
            height,
            keep: Keep::HeaderRows,
            resume: resume.clone(),
            content: FragmentContent::Row(row_fragment),
            notes: Vec::new(),
        };
        builder.push(fragment);
    }
    builder.output.repeated_rows = builder.output.fragments.len();
}

/// Lays out a row from the break `from` on: the whole rest, or as much of it as fits. Returns `None` if the row is complete,
/// else the reason why the column ended.
fn lay_out_row<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    layout: &Rc<TableLayout<'a>>,
    resume: &BreakToken,
    row: usize,
    from: Option<Rc<RowBreak>>,
) -> Option<ColumnEnd> {
    let last = row + 1 == layout.rows.len();
    let height = merged::height_with_merged(&builder.output, layout, row, from.as_deref())
        .unwrap_or_else(|| layout.part_height(row, from.as_deref(), None));
    let height = height + if last { layout.bottom_border } else { 0.0 };
    let within = match (row, &from) {
        (0, None) => BreakPosition::Start,
        _ => BreakPosition::Table { row, row_break: from.clone(), merged_cells: Rc::default() },
    };
    let at =
        BreakToken { block: resume.block, position: within, after_hard_break: row == 0 && resume.after_hard_break };
    let (y, keep) = (builder.cursor.y, keep_before_row(builder.cursor.keeps_next, layout, row));
    let fragment = |height: f32, to: Option<Rc<RowBreak>>, notes: Vec<i64>| {
        let row_fragment = RowFragment { table: Rc::clone(layout), row, from: from.clone(), to, repeated: false };
        Fragment { y, height, keep, resume: at.clone(), content: FragmentContent::Row(row_fragment), notes }
    };
    let notes = row_break::referenced_notes(layout, row, from.as_deref(), None);
    let free = builder.input.frame.height - (builder.notes_height_with(&notes) + layout.border_below(row)) - y;
    let begins = builder.output.fragments.iter().find(|fragment| fragment.resume.block == resume.block);
    let lowest = lowest_row_bottom(builder, layout, begins.map_or(y, |fragment| fragment.y));
    if height > free && y + height <= lowest && lowest > builder.input.frame.height {
        builder.push(fragment(height, None, notes));
        return None;
    }
    let part = match height > free + 0.01 {
        true => find_fitting_part(builder, layout, row, from.as_deref(), height),
        false => None,
    };
    let Some(RowPart { row_break, height }) = part else {
        // If the height rule requires more height than any column has, the row is made lower. Content that is aligned to its
        // bottom or centre then stays in this column.
        let lower =
            builder.must_accept() && height > free && layout.rows.get(row).is_some_and(|row| row.higher_than_content);
        let height = if lower { free.max(layout.content_height(row)) } else { height };
        return builder.push_if_fits(fragment(height, None, notes));
    };
    let row_break = Rc::new(row_break);
    let notes = row_break::referenced_notes(layout, row, from.as_deref(), Some(&row_break));
    builder.push(fragment(height, Some(Rc::clone(&row_break)), notes));
    let within = BreakPosition::Table { row, row_break: Some(row_break), merged_cells: Rc::default() };
    Some(ColumnEnd::Full(BreakToken { block: resume.block, position: within, after_hard_break: false }))
}

/// The part of a row that fits in a column.
struct RowPart {
    /// The break at which the part ends.
    row_break: RowBreak,
    /// Height of the part in points.
    height: f32,
}

/// Returns the part of a row, from the break `from` on, that fits together with its footnotes. Returns `None` if no part fits.
/// `whole` is the height of the row from that break on.
fn find_fitting_part<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    layout: &TableLayout<'a>,
    row: usize,
    from: Option<&RowBreak>,
    whole: f32,
) -> Option<RowPart> {
    let (must, top, bottom) = (builder.must_accept(), builder.cursor.y, builder.input.frame.height);
    let (mut room, mut highest) = ((bottom - builder.notes_height_with(&[]) - top).min(whole - 0.02), whole);
    loop {
        let row_break = find_allowed_break(must, layout, row, from, room)?;
        let height = merged::part_height_with_merged(&builder.output, layout, row, from, &row_break, room, must);
        room =
            bottom - builder.notes_height_with(&row_break::referenced_notes(layout, row, from, Some(&row_break))) - top;
        // If the part and its footnotes do not fit, try a smaller part, which may reference fewer footnotes. If no smaller part
        // is found, the part is accepted.
        if height <= room + 0.01 || height >= highest {
            return Some(RowPart { row_break, height });
        }
        highest = height;
    }
}

/// Returns a break for a row that does not fit, or `None` if the row is not split (§17.4.6). `must` is true if the row must be
/// split. If `must` is false, a row whose height rule requires more space than is left moves to the next page as a whole, as in
/// Word.
fn find_allowed_break(
    must: bool,
    layout: &TableLayout<'_>,
    row: usize,
    from: Option<&RowBreak>,
    room: f32,
) -> Option<RowBreak> {
    let properties = layout.rows.get(row)?.row;
    let exact = matches!(properties.height, RowHeight::Exactly(_));
    let least = match properties.height {
        RowHeight::AtLeast(least) => positive_length_or(least, 0.0),
        RowHeight::Auto | RowHeight::Exactly(_) => 0.0,
    };
    let border = layout.rows.get(row)?.top_border;
    let whole = from.is_none() && least > 0.0 && least + border > room + 0.01;
    if exact || (whole && !must) || (properties.keep_together && !must) || (row < layout.header_rows && !must) {
        return None;
    }
    let urgency = if must { BreakUrgency::Overflow } else { BreakUrgency::None };
    row_break::find_row_break(layout, row, from, room, urgency, false)
        .or_else(|| merged::break_after_own_content(layout, row, from, room, must))
}

fn keep_before_row(above_keeps_next: bool, layout: &TableLayout<'_>, row: usize) -> Keep {
    let keeps = match row.checked_sub(1).and_then(|above| layout.rows.get(above)) {
        Some(above) => row_keeps_next(above),
        None => above_keeps_next,
    };
    Keep::Free
        .strengthened_if(Keep::Next, keeps)
        .strengthened_if(Keep::HeaderRows, row > 0 && row <= layout.header_rows)
}

/// Lays out a floating table (§17.4.57) as a float and returns true. Returns false if the table is laid out in the flow, or if
/// the page has too little space for it. As in Word, a table with too little space is laid out row by row and divided between
/// pages. Only its last part then becomes a float ([`float_last_part`]).
fn lay_out_as_float<'a>(builder: &mut ColumnBuilder<'_, 'a>, layout: &Rc<TableLayout<'a>>) -> bool {
    if floating_position(builder, layout).is_none() {
        return false;
    }
    let height = layout.height();
    let frame = &builder.input.frame;
    let y = floating_top(builder, layout);
    if builder.input.has_limited_height() {
        let longer = height > frame.margin.height.min(frame.height);
        if longer || (y + height > lowest_row_bottom(builder, layout, y) && !builder.output.fragments.is_empty()) {
            return false;
        }
    }
    let mut top = 0.0;
    let row_fragments = (0..layout.rows.len()).map(|row| {
        let (above, height) = (top, layout.rows[row].height);
        top += height;
        let fragment = RowFragment { table: Rc::clone(layout), row, from: None, to: None, repeated: false };
        FloatRow { fragment, top: above, height }
    });
    let notes: Vec<i64> =
        (0..layout.rows.len()).flat_map(|row| row_break::referenced_notes(layout, row, None, None)).collect();
    builder.register_notes(&notes);
    push_float(builder, layout, y, height, row_fragments.collect(), notes);
    true
}

/// Returns the position properties of a floating table, or `None` if the table is laid out in the flow. In a cell, a table higher
/// than half a page is laid out in the flow, because a float in a cell cannot be divided between pages. If a table in a cell
/// leaves no space for text at its sides, it is also laid out in the flow, which looks the same.
fn floating_position(builder: &ColumnBuilder<'_, '_>, layout: &TableLayout<'_>) -> Option<TablePosition> {
    let position = layout.table.properties.position?;
    let frame = &builder.input.frame;
    let half_a_page = || {
        let section = builder.input.ctx.document.sections.get(frame.section);
        section.map_or(0.0, |section| positive_length_or(section.properties.page_height, 792.0) / 2.0)
    };
    let in_its_text = || position.vertical_anchor == FrameAnchor::Text && layout.height() <= half_a_page();
    let floats = !frame.in_cell || (frame.width - layout.width >= MIN_SLOT_WIDTH && in_its_text());
    floats.then_some(position)
}

/// Returns the lowest position that the bottom of a row may have, in a table that begins at `top`. A row that extends below this
/// position must be split. In general, the position is the bottom of the column. Up to compatibility mode 14, the position is
/// lower for a table that is positioned relative to the page. Such a table may be as high as the page's text area, although it
/// begins further down. It may thus extend into the bottom margin.
fn lowest_row_bottom(builder: &ColumnBuilder<'_, '_>, layout: &TableLayout<'_>, top: f32) -> f32 {
    let Frame { height, page, .. } = builder.input.frame;
    let on_page =
        floating_position(builder, layout).is_some_and(|position| position.vertical_anchor == FrameAnchor::Page);
    match on_page && builder.input.has_limited_height() && builder.input.ctx.document.settings.compatibility_mode < 15 {
        true => (top + height).min(page.bottom()).max(height),
        false => height,
    }
}

/// Returns the top of a floating table relative to the column.
fn floating_top(builder: &ColumnBuilder<'_, '_>, layout: &TableLayout<'_>) -> f32 {
    let top = builder.cursor.y + builder.cursor.space_below;
    let Some(position) = floating_position(builder, layout) else { return top };
    frame_position(position.vertical_anchor, position.y, layout.height(), &builder.input.frame, false, top)
}

/// Converts the last part of a floating table that was divided between pages to a float. As in Word, the text after the table
/// is then beside that part. (If another column has more space, the rows may still move there and stay in the flow.)
fn float_last_part<'a>(builder: &mut ColumnBuilder<'_, 'a>, layout: &Rc<TableLayout<'a>>) {
    if floating_position(builder, layout).is_none()
        || !builder.input.frame.full_height
        || !builder.input.has_limited_height()
    {
        return;
    }
    let fragments = std::mem::take(&mut builder.output.fragments);
    builder.output.repeated_rows = 0;
    let height = builder.cursor.y;
    let notes = fragments.iter().flat_map(|fragment| fragment.notes.iter().copied()).collect();
    let row_fragments = fragments.into_iter().filter_map(|fragment| match fragment.content {
        FragmentContent::Row(row) => Some(FloatRow { fragment: row, top: fragment.y, height: fragment.height }),
        FragmentContent::Line(_) => None,
    });
    push_float(builder, layout, 0.0, height, row_fragments.collect(), notes);
    builder.cursor.y = 0.0;
}

/// Converts rows of a table to a float that text wraps around. `y` is the top of the float in the column.
fn push_float<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    layout: &Rc<TableLayout<'a>>,
    y: f32,
    height: f32,
    rows: Vec<FloatRow<'a>>,
    notes: Vec<i64>,
) {
    let Some(position) = floating_position(builder, layout) else { return };
    let area = Rect { x: layout.x, y, width: layout.width, height };
    let distances = [position.distance_left, position.distance_right, position.distance_top, position.distance_bottom];
    builder.output.floats.push(Float {
        area,
        exclusion: Some(Exclusion::around(area, distances, Wrap::Square(WrapSides::Both))),
        fragment_index: builder.output.fragments.len(),
        behind: false,
        z_order: 0,
        content: FloatContent::Table(Rc::new(rows)),
        notes,
    });
}

/// If the position `resume` is inside a table, adds the breaks at which merged cells resume in the next column. Returns other
/// positions unchanged.
pub(crate) fn with_merged_cells(builder: &mut ColumnBuilder<'_, '_>, mut resume: BreakToken) -> BreakToken {
    if let BreakPosition::Table { row, row_break, merged_cells: merged } = &mut resume.position
        && let Some(Block::Table(table)) = builder.input.blocks.get(resume.block)
    {
        let layout = measured_table(builder, resume.block, table);
        *merged = merged::merged_cell_breaks(&builder.output, &layout, *row, row_break.is_some());
    }
    resume
}

/// Returns true if a row must begin on a new page, because the first paragraph of its first cell has a page break before it
/// (§17.3.1.23), as in Word.
fn begins_page(builder: &ColumnBuilder<'_, '_>, layout: &TableLayout<'_>, row: usize) -> bool {
    let page_begun = builder.output.has_only_repeated_rows() && builder.input.frame.at_page_top;
    let first = layout.rows.get(row).and_then(|row| row.cells.first());
    let paragraph = first.and_then(|cell| as_paragraph(cell.cell.blocks.first()?));
    !page_begun && builder.input.obeys_breaks() && paragraph.is_some_and(|p| p.properties.page_break_before)
}

/// Returns true if a row must stay on the page of the next row, because the first paragraph of its first cell has w:keepNext,
/// as in Word.
fn row_keeps_next(row: &RowLayout<'_>) -> bool {
    row.cells
        .first()
        .is_some_and(|cell| cell.cell.blocks.first().and_then(as_paragraph).is_some_and(|p| p.properties.keep_next))
}
