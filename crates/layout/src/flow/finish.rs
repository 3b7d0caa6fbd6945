//! Converts page drafts to pages. Paints the bodies first, and the headers and footers when all page numbers are known.

use std::sync::Arc;

use waraq_docx::tree::{
    NotePosition, NumberRestart, PageBorders, RelativeTo, Rgb, SectionProperties, VerticalAlignment,
};

use super::answers::Known;
use super::areas::{self, Frame};
use super::border::{self, plain, thickness};
use super::comments;
use super::decorate;
use super::draft::{Band, Column, Draft};
use super::float::anchor_of;
use super::geometry::positive;
use super::header::{self, Edge, Repeats};
use super::notes;
use super::paint::{Canvas, Painter};
use super::setter::Setter;
use super::spacing::visible;
use super::unit::{Float, FloatContent};
use crate::page::{Destination, Item, OutlineEntry, Page, Pages, Placed, Rect, memory};
use crate::text::single_line;

/// Paints all drafts. Returns the pages, and true if their text shows outdated page numbers.
pub(super) fn finish<'a>(setter: &Setter<'a>, mut drafts: Vec<Draft<'a>>) -> (Pages, bool) {
    let mut pages = Pages::default();
    let mut known = Known { pages: Some(drafts.len()), ..Known::default() };
    known.section_pages = vec![0; setter.document.sections.len()];
    // All pages share one painter, because it keeps the remaining content of merged cells for the next page.
    let mut painter = Painter::new(setter, Frame::default());
    let mut line_number = 0;
    for index in 0..drafts.len() {
        let goes_on = goes_on(&drafts, index);
        align(setter, &mut drafts[index], goes_on);
    }
    for (index, draft) in drafts.iter_mut().enumerate() {
        if setter.meter().is_over() {
            break;
        }
        if let Some(count) = known.section_pages.get_mut(draft.state.section) {
            *count += 1;
        }
        setter.answers.set_page(draft.state);
        let label = draft.state.format.write(i64::from(draft.state.number), setter.document.language.as_deref());
        let mut canvas = body(&mut painter, draft, &mut line_number);
        let (balloons, strip) = comments::beside(setter, draft, &std::mem::take(&mut canvas.comments));
        for (name, x, y) in &canvas.bookmarks {
            pages.destinations.push(Destination { name: name.to_string(), page: index, x: *x, y: *y });
            known.bookmarks.entry(Arc::clone(name)).or_insert_with(|| label.clone());
        }
        for (title, level, y) in &canvas.headings {
            pages.outline.push(OutlineEntry { title: title.clone(), level: *level, page: index, y: *y });
        }
        for note in &canvas.notes {
            known.note_pages.entry(*note).or_insert(index);
        }
        // The lines are painted, so their memory can be freed.
        draft.bands = Vec::new();
        let mut items = canvas.flatten();
        items.extend(balloons);
        items.shrink_to_fit();
        setter.meter().hold(memory(&items));
        let (width, height) = (draft.areas.page.width + strip, draft.areas.page.height);
        pages.pages.push(Page { width, height, label, items });
    }
    let stale = setter.answers.learn(known);
    let mut repeats = Repeats::default();
    for (draft, page) in drafts.iter().zip(&mut pages.pages) {
        if draft.blank || setter.meter().is_over() {
            continue;
        }
        setter.answers.set_page(draft.state);
        let mut paint = |edge| repeats.paint(setter, edge, draft.state, draft.header, &draft.areas);
        let [header, footer] = setter.answers.provisionally(|| [Edge::Top, Edge::Bottom].map(&mut paint));
        let (mut items, text) = (header.first, footer.last);
        items.extend(footer.first);
        let borders = page_borders(setter, draft);
        let behind =
            setter.document.sections.get(draft.state.section).is_some_and(|s| s.properties.page_borders.behind);
        let (first, last) = if behind { (borders, Vec::new()) } else { (Vec::new(), borders) };
        items.splice(0..0, first);
        setter.meter().hold(memory(&items) + memory(&text));
        items.reserve_exact(page.items.len() + text.len() + last.len());
        items.append(&mut page.items);
        items.extend(text);
        items.extend(last);
        page.items = items;
    }
    (pages, stale)
}

/// Paints the body of a page. `line_number` is the number of the last numbered line.
fn body<'a>(painter: &mut Painter<'_, 'a>, draft: &Draft<'a>, line_number: &mut u32) -> Canvas {
    let setter = painter.setter;
    let mut line_numbers = Vec::new();
    let mut restarted = false;
    for (index, band) in draft.bands.iter().enumerate() {
        let properties = setter.document.sections.get(band.section).map(|section| &section.properties);
        let notes_below: f32 = draft.bands[index + 1..].iter().map(Band::notes_height).sum();
        for column in &band.columns {
            painter.frame = column.frame;
            let lines_before = painter.canvas.baselines.len();
            painter.units(&column.units, column.area.x, column.area.y);
            for float in &column.floats {
                painter.float(float, column.area.x, column.area.y);
            }
            let baselines = &painter.canvas.baselines[lines_before..];
            if let Some(properties) = properties {
                let first = column.units.first().is_some_and(|unit| unit.resume.block == 0);
                let restart = (!restarted, draft.first_of_section && first);
                number_lines(setter, properties, baselines, column, line_number, restart, &mut line_numbers);
                restarted = true;
            }
            let bottom = match notes::position(setter, band.section) {
                NotePosition::BeneathText => {
                    (column.area.y + column.bottom + column.space_below + column.notes.height).min(draft.body.bottom())
                }
                _ => draft.body.bottom() - notes_below,
            };
            notes_of(painter, column, bottom);
        }
        if let (Some((separator, y)), Some(column)) = (&band.separator, band.columns.last()) {
            separator.paint(painter, column.area.x, *y);
        }
        if let Some(properties) = properties.filter(|p| p.columns.separator) {
            separators(&mut painter.canvas.body, properties, draft, band);
        }
    }
    let bars = change_bars(&std::mem::take(&mut painter.canvas.changed), draft);
    painter.canvas.body.extend(bars);
    painter.canvas.body.extend(line_numbers);
    std::mem::take(&mut painter.canvas)
}

/// Returns the bars in the margin beside lines with tracked changes. `changed` has the top and the bottom of each such line.
fn change_bars(changed: &[(f32, f32)], draft: &Draft<'_>) -> Vec<Placed> {
    const DISTANCE: f32 = 12.0;
    const WIDTH: f32 = 0.75;
    let margin = draft.areas.margin;
    let x = (margin.x - DISTANCE).max(WIDTH);
    let mut lines = changed.to_vec();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut bars: Vec<(f32, f32)> = Vec::new();
    for (top, bottom) in lines {
        match bars.last_mut() {
            Some(last) if top <= last.1 + 0.5 => last.1 = last.1.max(bottom),
            _ => bars.push((top, bottom)),
        }
    }
    let bar = |(top, bottom): (f32, f32)| {
        let area = Rect::new(x, top, WIDTH, bottom - top);
        plain(Item::Rectangle { area, color: Rgb(0, 0, 0), opacity: 1.0 })
    };
    bars.into_iter().map(bar).collect()
}

/// Paints the notes of a column so that they end at `bottom`.
fn notes_of<'a>(painter: &mut Painter<'_, 'a>, column: &Column<'a>, bottom: f32) {
    let notes = &column.notes;
    let (x, mut y) = (column.area.x, bottom - notes.height);
    if let Some(separator) = &notes.separator {
        separator.paint(painter, x, y);
        y += separator.height;
    }
    let frame = painter.frame;
    painter.frame = frame.inner(column.area.width);
    for piece in &notes.pieces {
        painter.part(&piece.galley, Some(&piece.from), Some(&piece.to), x, y);
        y += piece.height;
    }
    if let Some(notice) = &notes.notice {
        let artifact = std::mem::replace(&mut painter.artifact, true);
        painter.galley(notice, x, y);
        painter.artifact = artifact;
    }
    painter.frame = frame;
}

/// Adds the vertical lines between columns (§17.6.4).
fn separators(items: &mut Vec<Placed>, properties: &SectionProperties, draft: &Draft<'_>, band: &Band<'_>) {
    let mut columns = areas::columns(properties, draft.body.width);
    columns.sort_by(|a, b| a.0.total_cmp(&b.0));
    let Some(top) = band.columns.first().map(|column| column.area.y) else { return };
    for pair in columns.windows(2) {
        if let [(left, width), (right, _)] = pair {
            let x = draft.body.x + (left + width + right) / 2.0;
            let area = Rect::new(x - 0.25, top, 0.5, (band.bottom - top).max(0.0));
            items.push(plain(Item::Rectangle { area, color: Rgb(0, 0, 0), opacity: 1.0 }));
        }
    }
}

/// Adds line numbers in the margin (§17.6.8). `count` is the number of the last line; the flags are true for the first column
/// of a page and for the first column of a section.
fn number_lines(
    setter: &Setter<'_>,
    properties: &SectionProperties,
    baselines: &[f32],
    column: &Column<'_>,
    count: &mut u32,
    (page_begins, section_begins): (bool, bool),
    items: &mut Vec<Placed>,
) {
    let Some(rule) = &properties.line_numbers else { return };
    let restart = match rule.restart {
        NumberRestart::EachPage => page_begins,
        NumberRestart::EachSection => section_begins,
        NumberRestart::Continuous => *count == 0,
    };
    if restart {
        *count = rule.start.max(1) - 1;
    }
    let context = setter.context(column.frame.section);
    let distance = if rule.distance > 0.0 { positive(rule.distance, 18.0) } else { 18.0 };
    for baseline in baselines {
        *count = count.saturating_add(1);
        if !count.is_multiple_of(rule.every.max(1)) {
            continue;
        }
        let (runs, width) = single_line(context, &count.to_string(), &setter.document.line_number_run);
        let x = column.area.x - distance - width;
        items.extend(runs.into_iter().map(|run| plain(Item::Glyphs(run.moved(x, *baseline)))));
    }
}

/// Returns the borders of a page (§17.6.10).
fn page_borders(setter: &Setter<'_>, draft: &Draft<'_>) -> Vec<Placed> {
    let mut items = Vec::new();
    let Some(section) = setter.document.sections.get(draft.state.section) else { return items };
    let b: &PageBorders = &section.properties.page_borders;
    if (b.first_page_only && !draft.first_of_section) || (b.not_first_page && draft.first_of_section) {
        return items;
    }
    let (page, margin) = (draft.areas.page, draft.areas.margin);
    let [top, bottom, left, right] = [b.top, b.bottom, b.left, b.right].map(visible);
    let place = |border: Option<waraq_docx::tree::Border>, from_page: f32, from_text: f32, inwards: f32| {
        let space = border.map_or(0.0, |border| positive(border.space, 0.0) + thickness(Some(border)) / 2.0);
        if b.from_text { from_text - inwards * space } else { from_page + inwards * space }
    };
    // Borders measured from the text also surround header and footer (w:bordersDoNotSurroundHeader is not supported).
    let has_header = header::blocks(&section.headers, draft.header).is_some();
    let has_footer = header::blocks(&section.footers, draft.header).is_some();
    let text_top = if has_header { draft.areas.header_top.min(margin.y) } else { margin.y };
    let text_bottom = if has_footer { draft.areas.footer_bottom.max(margin.bottom()) } else { margin.bottom() };
    let y1 = place(top, page.y, text_top, 1.0);
    let y2 = place(bottom, page.bottom(), text_bottom, -1.0);
    let x1 = place(left, page.x, margin.x, 1.0);
    let x2 = place(right, page.right(), margin.right(), -1.0);
    if let Some(border) = right.or(bottom).filter(|border| border.shadow) {
        let (above, below) = (thickness(top) / 2.0, thickness(bottom) / 2.0);
        decorate::shadow(&mut items, &border, Rect::new(x1, y1 - above, x2 - x1, y2 - y1 + above + below));
    }
    border::around(&mut items, [top, bottom, left, right], (x1, y1), (x2, y2), true);
    items
}

/// Returns true if the last section of a page continues on the next page. (Word does not justify the last page of a section
/// vertically.)
fn goes_on(drafts: &[Draft<'_>], index: usize) -> bool {
    let (Some(draft), Some(next)) = (drafts.get(index), drafts.get(index + 1)) else { return false };
    let last = draft.bands.last().map_or(draft.state.section, |band| band.section);
    next.state.section == last && !next.first_of_section && !next.blank
}

/// Moves the content of a page down as the vertical alignment of its section requires (§17.6.23).
fn align(setter: &Setter<'_>, draft: &mut Draft<'_>, goes_on: bool) {
    let Some(section) = setter.document.sections.get(draft.state.section) else { return };
    let bottom = draft.bands.iter().flat_map(|band| &band.columns).map(|column| column.area.y + column.bottom);
    let bottom = bottom.fold(draft.body.y, f32::max);
    let spare = draft.notes_top() - bottom;
    // A height that is not finite has no centre.
    if spare <= 0.0 || !spare.is_finite() || draft.bands.is_empty() {
        return;
    }
    match section.properties.vertical_alignment {
        VerticalAlignment::Top => {}
        VerticalAlignment::Center => lower(draft, spare / 2.0),
        VerticalAlignment::Bottom => lower(draft, spare),
        VerticalAlignment::Justified if goes_on && draft.bands.len() == 1 => {
            let notes_top = draft.notes_top();
            for column in draft.bands.iter_mut().flat_map(|band| &mut band.columns) {
                let spare = notes_top - column.area.y - column.bottom;
                spread(column, spare);
            }
        }
        VerticalAlignment::Justified => {}
    }
}

/// Moves all content of a page down by `by` points.
fn lower(draft: &mut Draft<'_>, by: f32) {
    for band in &mut draft.bands {
        for column in &mut band.columns {
            shift(column, by, |_| by);
        }
        if let Some((_, y)) = &mut band.separator {
            *y += by;
        }
        band.bottom += by;
    }
}

/// Distributes the spare height evenly between the paragraphs of a column.
fn spread(column: &mut Column<'_>, spare: f32) {
    let begins = |index: usize| index > 0 && column.units[index].line().is_some_and(|line| line.first);
    let starts: Vec<usize> = (0..column.units.len()).filter(|&index| begins(index)).collect();
    if starts.is_empty() || spare <= 0.0 {
        return;
    }
    let step = spare / starts.len() as f32;
    shift(column, spare, |unit| starts.iter().take_while(|&&start| start <= unit).count() as f32 * step);
}

/// Moves the bottom of a column down by `bottom`, and the fragment with index `i` by `down(i)`, with the floats that are
/// anchored in it.
fn shift(column: &mut Column<'_>, bottom: f32, down: impl Fn(usize) -> f32) {
    for (index, unit) in column.units.iter_mut().enumerate() {
        unit.y += down(index);
    }
    for float in column.floats.iter_mut().filter(|float| goes_with_text(float)) {
        float.area.y += down(float.unit);
    }
    column.bottom += bottom;
}

/// Returns true if a float is positioned relative to its anchor instead of the page.
fn goes_with_text(float: &Float<'_>) -> bool {
    let FloatContent::Drawing(drawing) = &float.content else { return true };
    anchor_of(drawing).is_none_or(|anchor| {
        matches!(
            anchor.vertical.relative_to,
            RelativeTo::Paragraph | RelativeTo::Line | RelativeTo::Character | RelativeTo::Column
        )
    })
}
