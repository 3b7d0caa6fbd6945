//! Converts page drafts to pages. Paints the bodies first, and the headers and footers when all page numbers are known.

use std::sync::Arc;

use waraq_docx::tree::{
    NotePosition, NumberRestart, PageBorders, PageNumber, RelativeTo, Rgb, SectionProperties, VerticalAlignment,
};

use super::areas::{self, Frame};
use super::border::{self, thickness, untagged};
use super::comments;
use super::context::LayoutContext;
use super::decorate;
use super::field_results::Pagination;
use super::float::anchor_of;
use super::fragment::{Float, FloatContent};
use super::geometry::positive_length_or;
use super::header::{self, HeaderCache, HeaderHeights, HeaderPage, PageEdge};
use super::notes;
use super::page_draft::{Band, PageColumn, PageDraft};
use super::paint::{Canvas, Painter};
use super::spacing::visible_border;
use crate::geometry::VerticalExtent;
use crate::page::{Destination, DisplayItem, OutlineEntry, Page, Pages, Point, Rect, TaggedItem, total_size};
use crate::text::single_line;

/// The pages of one layout pass.
pub(super) struct PaintedPages {
    /// The painted pages.
    pub pages: Pages,
    /// True if the text of the pages shows outdated page numbers.
    pub outdated: bool,
}

/// Paints all pages of a layout pass.
pub(super) fn paint_pages<'a>(ctx: &LayoutContext<'a>, mut drafts: Vec<PageDraft<'a>>) -> PaintedPages {
    let mut pages = Pages::default();
    let mut known = Pagination { page_count: Some(drafts.len()), ..Pagination::default() };
    known.section_page_counts = vec![0; ctx.document.sections.len()];
    // All pages share one painter, because it keeps the remaining content of merged cells for the next page.
    let mut painter = Painter::new(ctx, Frame::default());
    let mut line_number = 0;
    for index in 0..drafts.len() {
        let goes_on = continues_on_next_page(&drafts, index);
        align_vertically(ctx, &mut drafts[index], goes_on);
    }
    for (index, draft) in drafts.iter_mut().enumerate() {
        if ctx.meter().must_stop() {
            break;
        }
        if let Some(count) = known.section_page_counts.get_mut(draft.numbering.section) {
            *count += 1;
        }
        ctx.field_results.set_current_page(draft.numbering);
        let label =
            draft.numbering.format.format_number(i64::from(draft.numbering.number), ctx.document.language.as_deref());
        let mut canvas = paint_body(&mut painter, draft, &mut line_number);
        let strips = comments::comment_strips(ctx, draft, &std::mem::take(&mut canvas.comments));
        for bookmark in &canvas.bookmarks {
            let Point { x, y } = bookmark.position;
            pages.destinations.push(Destination { name: bookmark.name.to_string(), page: index, x, y });
            let page = || PageNumber { number: Some(draft.numbering.number), label: label.clone() };
            known.bookmark_pages.entry(Arc::clone(&bookmark.name)).or_insert_with(page);
        }
        for heading in &canvas.headings {
            let (title, level) = (heading.title.clone(), heading.level);
            pages.outline.push(OutlineEntry { title, level, page: index, y: heading.y });
        }
        for text in &canvas.styled_texts {
            known.styled_text_pages.entry(*text).or_insert(index);
        }
        for note in &canvas.footnotes {
            known.note_pages.entry(*note).or_insert(index);
        }
        // The lines of this page are painted now, so their memory can be freed.
        draft.bands = Vec::new();
        let mut items = canvas.take_items();
        items.extend(strips.items);
        items.shrink_to_fit();
        ctx.meter().allocate(total_size(&items));
        let (width, height) = (draft.areas.page.width + strips.width, draft.areas.page.height);
        pages.pages.push(Page { width, height, label, items });
    }
    let mut stale = ctx.field_results.update_pagination(known);
    let mut repeats = HeaderCache::default();
    for (draft, page) in drafts.iter().zip(&mut pages.pages) {
        if draft.blank || ctx.meter().must_stop() {
            continue;
        }
        ctx.field_results.set_current_page(draft.numbering);
        let of = HeaderPage {
            numbering: draft.numbering,
            kind: draft.header_kind,
            areas: &draft.areas,
            depends_on_page: draft.header_depends_on_page,
        };
        let mut paint = |edge| repeats.paint_header(ctx, edge, of);
        let [header, footer] =
            ctx.field_results.without_recording(|| [PageEdge::Top, PageEdge::Bottom].map(&mut paint));
        if draft.header_depends_on_page {
            let (header_height, footer_height) = (header.height, footer.height);
            let heights = HeaderHeights { header_height, footer_height, ..HeaderHeights::default() };
            stale |= heights.body_area(&draft.areas) != draft.body;
        }
        let (mut items, text) = (header.before_body, footer.after_body);
        items.extend(footer.before_body);
        let borders = page_border_items(ctx, draft);
        let behind =
            ctx.document.sections.get(draft.numbering.section).is_some_and(|s| s.properties.page_borders.behind);
        let (first, last) = if behind { (borders, Vec::new()) } else { (Vec::new(), borders) };
        items.splice(0..0, first);
        ctx.meter().allocate(total_size(&items) + total_size(&text));
        items.reserve_exact(page.items.len() + text.len() + last.len());
        items.append(&mut page.items);
        items.extend(text);
        items.extend(last);
        page.items = items;
    }
    PaintedPages { pages, outdated: stale }
}

/// Paints the body of a page. `line_number` is the number of the most recently numbered line, and is updated.
fn paint_body<'a>(painter: &mut Painter<'_, 'a>, draft: &PageDraft<'a>, line_number: &mut u32) -> Canvas {
    let ctx = painter.ctx;
    let mut line_numbers = Vec::new();
    let mut restarted = false;
    for (index, band) in draft.bands.iter().enumerate() {
        let properties = ctx.document.sections.get(band.section).map(|section| &section.properties);
        let notes_below: f32 = draft.bands[index + 1..].iter().map(Band::notes_height).sum();
        for column in &band.columns {
            painter.frame = column.frame;
            let lines_before = painter.canvas.baselines.len();
            painter.paint_fragments(&column.fragments, column.area.x, column.area.y);
            for float in &column.floats {
                painter.paint_float(float, column.area.x, column.area.y);
            }
            let baselines = &painter.canvas.baselines[lines_before..];
            if let Some(properties) = properties {
                let first = column.fragments.first().is_some_and(|fragment| fragment.resume.block == 0);
                let start =
                    LineNumberStart { page_begins: !restarted, section_begins: draft.first_of_section && first };
                push_line_numbers(ctx, properties, baselines, column, line_number, start, &mut line_numbers);
                restarted = true;
            }
            let bottom = match notes::footnote_position(ctx, band.section) {
                NotePosition::BeneathText => {
                    (column.area.y + column.bottom + column.space_below + column.notes.height).min(draft.body.bottom())
                }
                _ => draft.body.bottom() - notes_below,
            };
            paint_column_notes(painter, column, bottom);
        }
        if let (Some(placed), Some(column)) = (&band.separator, band.columns.last()) {
            placed.separator.paint(painter, column.area.x, placed.top);
        }
        if let Some(properties) = properties.filter(|p| p.columns.separator) {
            push_column_separators(&mut painter.canvas.body, properties, draft, band);
        }
    }
    let bars = change_bar_items(&std::mem::take(&mut painter.canvas.changed_lines), draft);
    painter.canvas.body.extend(bars);
    painter.canvas.body.extend(line_numbers);
    std::mem::take(&mut painter.canvas)
}

/// Returns the change bars: vertical lines in the margin beside lines of text with tracked changes.
fn change_bar_items(changed: &[VerticalExtent], draft: &PageDraft<'_>) -> Vec<TaggedItem> {
    const DISTANCE: f32 = 12.0;
    const WIDTH: f32 = 0.75;
    let margin = draft.areas.margin;
    let x = (margin.x - DISTANCE).max(WIDTH);
    let mut lines = changed.to_vec();
    lines.sort_by(|a, b| a.top.total_cmp(&b.top));
    let mut bars: Vec<VerticalExtent> = Vec::new();
    for line in lines {
        match bars.last_mut() {
            Some(last) if line.top <= last.bottom + 0.5 => last.bottom = last.bottom.max(line.bottom),
            _ => bars.push(line),
        }
    }
    let bar = |VerticalExtent { top, bottom }| {
        let area = Rect::new(x, top, WIDTH, bottom - top);
        untagged(DisplayItem::Rectangle { area, color: Rgb(0, 0, 0), opacity: 1.0 })
    };
    bars.into_iter().map(bar).collect()
}

/// Paints the notes of a column. Their lowest line ends at `bottom`.
fn paint_column_notes<'a>(painter: &mut Painter<'_, 'a>, column: &PageColumn<'a>, bottom: f32) {
    let notes = &column.notes;
    let (x, mut y) = (column.area.x, bottom - notes.height);
    if let Some(separator) = &notes.separator {
        separator.paint(painter, x, y);
        y += separator.height;
    }
    let frame = painter.frame;
    painter.frame = frame.inner(column.area.width);
    for fragment in &notes.fragments {
        painter.paint_between(&fragment.content, Some(&fragment.from), Some(&fragment.to), x, y);
        y += fragment.height;
    }
    if let Some(notice) = &notes.notice {
        let artifact = std::mem::replace(&mut painter.artifact, true);
        painter.paint_unbounded(notice, x, y);
        painter.artifact = artifact;
    }
    painter.frame = frame;
}

/// Adds the vertical lines that separate columns (§17.6.4).
fn push_column_separators(
    items: &mut Vec<TaggedItem>,
    properties: &SectionProperties,
    draft: &PageDraft<'_>,
    band: &Band<'_>,
) {
    let mut columns = areas::column_spans(properties, draft.body.width);
    columns.sort_by(|a, b| a.left.total_cmp(&b.left));
    let Some(top) = band.columns.first().map(|column| column.area.y) else { return };
    for pair in columns.windows(2) {
        if let [column, next] = pair {
            let x = draft.body.x + (column.left + column.width + next.left) / 2.0;
            let area = Rect::new(x - 0.25, top, 0.5, (band.bottom - top).max(0.0));
            items.push(untagged(DisplayItem::Rectangle { area, color: Rgb(0, 0, 0), opacity: 1.0 }));
        }
    }
}

/// Tells whether a column begins a page or a section, where line numbering may restart.
#[derive(Clone, Copy)]
struct LineNumberStart {
    /// True for the first column of a page.
    page_begins: bool,
    /// True for the first column of a section.
    section_begins: bool,
}

/// Adds line numbers in the margin (§17.6.8). `count` is the number of the most recently numbered line. `start` tells whether
/// the numbering may restart at this column.
fn push_line_numbers(
    ctx: &LayoutContext<'_>,
    properties: &SectionProperties,
    baselines: &[f32],
    column: &PageColumn<'_>,
    count: &mut u32,
    start: LineNumberStart,
    items: &mut Vec<TaggedItem>,
) {
    let Some(rule) = &properties.line_numbers else { return };
    let restart = match rule.restart {
        NumberRestart::EachPage => start.page_begins,
        NumberRestart::EachSection => start.section_begins,
        NumberRestart::Continuous => *count == 0,
    };
    if restart {
        *count = rule.start.max(1) - 1;
    }
    let context = ctx.text_context(column.frame.section);
    let distance = if rule.distance > 0.0 { positive_length_or(rule.distance, 18.0) } else { 18.0 };
    for baseline in baselines {
        *count = count.saturating_add(1);
        if !count.is_multiple_of(rule.every.max(1)) {
            continue;
        }
        let line = single_line(context, &count.to_string(), &ctx.document.line_number_run);
        let x = column.area.x - distance - line.width;
        items.extend(line.runs.into_iter().map(|run| untagged(DisplayItem::Glyphs(run.translated(x, *baseline)))));
    }
}

/// Returns the borders of a page (§17.6.10).
fn page_border_items(ctx: &LayoutContext<'_>, draft: &PageDraft<'_>) -> Vec<TaggedItem> {
    let mut items = Vec::new();
    let Some(section) = ctx.document.sections.get(draft.numbering.section) else { return items };
    let b: &PageBorders = &section.properties.page_borders;
    if (b.first_page_only && !draft.first_of_section) || (b.not_first_page && draft.first_of_section) {
        return items;
    }
    let (page, margin) = (draft.areas.page, draft.areas.margin);
    let [top, bottom, left, right] = [b.top, b.bottom, b.left, b.right].map(visible_border);
    let place = |border: Option<waraq_docx::tree::Border>, from_page: f32, from_text: f32, inwards: f32| {
        let space = border.map_or(0.0, |border| positive_length_or(border.space, 0.0) + thickness(Some(border)) / 2.0);
        if b.from_text { from_text - inwards * space } else { from_page + inwards * space }
    };
    // Borders measured from the text also surround header and footer (w:bordersDoNotSurroundHeader is not supported).
    let has_header = header::header_blocks(&section.headers, draft.header_kind).is_some();
    let has_footer = header::header_blocks(&section.footers, draft.header_kind).is_some();
    let text_top = if has_header { draft.areas.header_top.min(margin.y) } else { margin.y };
    let text_bottom = if has_footer { draft.areas.footer_bottom.max(margin.bottom()) } else { margin.bottom() };
    let y1 = place(top, page.y, text_top, 1.0);
    let y2 = place(bottom, page.bottom(), text_bottom, -1.0);
    let x1 = place(left, page.x, margin.x, 1.0);
    let x2 = place(right, page.right(), margin.right(), -1.0);
    if let Some(border) = right.or(bottom).filter(|border| border.shadow) {
        let (above, below) = (thickness(top) / 2.0, thickness(bottom) / 2.0);
        decorate::paint_box_shadow(&mut items, &border, Rect::new(x1, y1 - above, x2 - x1, y2 - y1 + above + below));
    }
    let (top_left, bottom_right) = (Point { x: x1, y: y1 }, Point { x: x2, y: y2 });
    border::draw_box(&mut items, [top, bottom, left, right], top_left, bottom_right, true);
    items
}

/// Returns true if the section at the end of a page continues on the next page. (Word does not justify the last page of a
/// section vertically.)
fn continues_on_next_page(drafts: &[PageDraft<'_>], index: usize) -> bool {
    let (Some(draft), Some(next)) = (drafts.get(index), drafts.get(index + 1)) else { return false };
    let last = draft.bands.last().map_or(draft.numbering.section, |band| band.section);
    next.numbering.section == last && !next.first_of_section && !next.blank
}

/// Moves the content of a page down as the vertical alignment of its section requires (§17.6.23). `goes_on` is true if the
/// section continues on the next page.
fn align_vertically(ctx: &LayoutContext<'_>, draft: &mut PageDraft<'_>, goes_on: bool) {
    let Some(section) = ctx.document.sections.get(draft.numbering.section) else { return };
    let bottom = draft.bands.iter().flat_map(|band| &band.columns).map(|column| column.area.y + column.bottom);
    let bottom = bottom.fold(draft.body.y, f32::max);
    let spare = draft.notes_top() - bottom;
    // If a height is not finite, the content cannot be aligned.
    if spare <= 0.0 || !spare.is_finite() || draft.bands.is_empty() {
        return;
    }
    match section.properties.vertical_alignment {
        VerticalAlignment::Top => {}
        VerticalAlignment::Center => move_content_down(draft, spare / 2.0),
        VerticalAlignment::Bottom => move_content_down(draft, spare),
        VerticalAlignment::Justified if goes_on && draft.bands.len() == 1 => {
            let notes_top = draft.notes_top();
            for column in draft.bands.iter_mut().flat_map(|band| &mut band.columns) {
                let spare = notes_top - column.area.y - column.bottom;
                justify_vertically(column, spare);
            }
        }
        VerticalAlignment::Justified => {}
    }
}

/// Moves all content of a page down by `by` points.
fn move_content_down(draft: &mut PageDraft<'_>, by: f32) {
    for band in &mut draft.bands {
        for column in &mut band.columns {
            shift_fragments(column, by, |_| by);
        }
        if let Some(placed) = &mut band.separator {
            placed.top += by;
        }
        band.bottom += by;
    }
}

/// Distributes `spare` points evenly between the paragraphs of a column.
fn justify_vertically(column: &mut PageColumn<'_>, spare: f32) {
    let begins = |index: usize| index > 0 && column.fragments[index].line().is_some_and(|line| line.first);
    let starts: Vec<usize> = (0..column.fragments.len()).filter(|&index| begins(index)).collect();
    if starts.is_empty() || spare <= 0.0 {
        return;
    }
    let step = spare / starts.len() as f32;
    shift_fragments(column, spare, |fragment| {
        starts.iter().take_while(|&&start| start <= fragment).count() as f32 * step
    });
}

/// Moves the bottom of a column down by `bottom` points, and the fragment with index `i` down by `down(i)` points. A float
/// moves with the fragment in which it is anchored.
fn shift_fragments(column: &mut PageColumn<'_>, bottom: f32, down: impl Fn(usize) -> f32) {
    for (index, fragment) in column.fragments.iter_mut().enumerate() {
        fragment.y += down(index);
    }
    for float in column.floats.iter_mut().filter(|float| moves_with_text(float)) {
        float.area.y += down(float.fragment_index);
    }
    column.bottom += bottom;
}

/// Returns true if a float is positioned relative to its anchor instead of the page.
fn moves_with_text(float: &Float<'_>) -> bool {
    let FloatContent::Drawing(drawing) = &float.content else { return true };
    anchor_of(drawing).is_none_or(|anchor| {
        matches!(
            anchor.vertical.relative_to,
            RelativeTo::Paragraph | RelativeTo::Line | RelativeTo::Character | RelativeTo::Column
        )
    })
}
