//! Lays out paragraphs into a column, line by line.

use waraq_docx::tree::{Anchor, Break, Content as Inline, Drawing, HyphenAtPageEnd, Paragraph, RelativeTo, Wrap};

use super::column::{ColumnBuilder, ColumnEnd, ColumnInput, ColumnOutput, Cursor, ParagraphTraits, PreparedParagraph};
use super::fragment::{
    BreakPosition, BreakToken, Exclusion, Float, FloatContent, Fragment, FragmentContent, Keep, LineFragment,
    ParagraphProgress, footnote_ids,
};
use super::{drawing, float, spacing};
use crate::page::{Point, Rect};
use crate::text::{Line, LineEnd, LineSlot, LineStart, ParagraphLines};

/// Maximum number of lines of a paragraph in a column. The limit on the length of the text is not sufficient, because a line may
/// be only one character wide.
const MAX_LINES: usize = 200_000;

/// A paragraph while it is laid out, with the progress so far.
struct ParagraphState<'p, 'a> {
    block: usize,
    paragraph: &'a Paragraph,
    traits: &'p ParagraphTraits<'a>,
    progress: ParagraphProgress,
    /// True if a page or column break ended the last line.
    after_hard_break: bool,
    /// Index of the first float whose anchor is not in a line yet. The index counts the floats of the column.
    next_float: usize,
}

/// Lays out a paragraph from `resume`. Returns `None` if the paragraph is complete, else the reason why the column ended.
pub(super) fn lay_out_paragraph<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    resume: &BreakToken,
    paragraph: &'a Paragraph,
) -> Option<ColumnEnd> {
    if spacing::is_hidden(paragraph) {
        return None;
    }
    let (start, done) = match resume.position {
        BreakPosition::Paragraph(start, done) => (Some(start), done),
        _ => (None, ParagraphProgress::default()),
    };
    let (input, block) = (&builder.input, resume.block);
    let breaks_page = paragraph.properties.page_break_before && start.is_none() && !resume.after_hard_break;
    let page_begun = builder.output.fragments.is_empty() && input.frame.at_page_top;
    if breaks_page && !input.is_invisible_section_end(block) && input.obeys_breaks() && !page_begun {
        return Some(ColumnEnd::PageBreak(BreakToken { after_hard_break: true, ..resume.clone() }));
    }
    if done.lines == 0 {
        builder.cursor.y += space_above(builder, resume, paragraph);
    }
    let PreparedParagraph { traits, mut lines, .. } = prepare_paragraph(builder, block, paragraph, start);
    let float = builder.output.floats.len();
    place_anchored(builder, traits.anchored_drawings.get(done.anchors..).unwrap_or_default());
    let after_hard_break = resume.after_hard_break;
    let mut state =
        ParagraphState { block, paragraph, traits: &traits, progress: done, after_hard_break, next_float: float };
    let end = lay_out_lines(builder, &mut state, &mut lines);
    if end.is_some() {
        // Drawings whose anchors move to the next column move with them.
        let fragments = builder.output.fragments.iter().filter(|fragment| fragment.resume.block == block);
        builder.output.floats.truncate(float + fragments.filter_map(Fragment::line).map(anchor_count).sum::<usize>());
        builder.cache.divided_paragraph = Some(PreparedParagraph { block, traits, lines });
    }
    builder.cursor = Cursor {
        y: builder.cursor.y,
        space_below: spacing::space_after(paragraph),
        above: Some(paragraph),
        keeps_next: paragraph.properties.keep_next,
        keeps_space_before: false,
    };
    end
}

/// Returns the space in points above the first line of a paragraph.
fn space_above(builder: &ColumnBuilder<'_, '_>, resume: &BreakToken, paragraph: &Paragraph) -> f32 {
    let ColumnBuilder { input, cursor, output, .. } = builder;
    // Word drops the space before a paragraph at the top of a page, even after a page break at the end of the previous
    // paragraph. It keeps the space on the first page of a section, and after a break that belongs to the paragraph itself.
    let top = output.fragments.is_empty();
    let begins_page = resume.after_hard_break || paragraph.properties.page_break_before;
    let first_of_box = top && (resume.block == 0 || !input.has_limited_height());
    let auto_at_start = first_of_box && paragraph.properties.spacing.before_auto;
    if (top && !cursor.keeps_space_before && !begins_page) || auto_at_start {
        return 0.0;
    }
    // Here too, only the larger of the two spaces between paragraphs applies. The space below the upper paragraph is already
    // there, perhaps on the previous page. It is therefore subtracted.
    let there = if top { cursor.above.map_or(input.text_above.space, spacing::space_after) } else { 0.0 };
    let settings = &input.ctx.document.settings;
    // Paragraphs of the same style count as adjacent even if a section ends between them (§17.3.1.9).
    let above = cursor.above.or(input.text_above.paragraph.filter(|_| top));
    let gap = spacing::space_between(above, cursor.space_below.max(there), paragraph, settings);
    (gap - there).max(0.0)
}

/// Returns the properties and the lines of a paragraph. If the previous column divided the paragraph, both are taken from the
/// cache. Otherwise, the paragraph is shaped and both are computed.
fn prepare_paragraph<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    block: usize,
    paragraph: &'a Paragraph,
    start: Option<LineStart>,
) -> PreparedParagraph<'a> {
    let context = builder.input.ctx.text_context(builder.input.frame.section);
    let (traits, kept) = match builder.cache.divided_paragraph.take().filter(|known| known.block == block) {
        Some(PreparedParagraph { traits, lines, .. }) => (traits, Some(lines)),
        None => {
            let (shows_page, ending_break) = (depends_on_page(paragraph), ending_break(paragraph));
            (
                ParagraphTraits {
                    anchored_drawings: anchored_drawings(paragraph).collect(),
                    depends_on_page: shows_page,
                    ending_break,
                },
                None,
            )
        }
    };
    let kept = kept.filter(|_| start.is_some() && !traits.depends_on_page);
    let mut lines = kept.unwrap_or_else(|| ParagraphLines::new(paragraph, context));
    start.inspect(|start| lines.rewind(*start));
    PreparedParagraph { block, traits, lines }
}

/// Lays out the remaining lines of a paragraph. Returns `None` if all fit, else the reason why the column ended.
fn lay_out_lines<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    state: &mut ParagraphState<'_, 'a>,
    lines: &mut ParagraphLines<'a>,
) -> Option<ColumnEnd> {
    let (block, paragraph) = (state.block, state.paragraph);
    let properties = &paragraph.properties;
    let first_line = state.progress.lines;
    while state.progress.lines < first_line + MAX_LINES {
        let start = lines.position();
        let height = lines.next_height();
        let above =
            if state.progress.lines == 0 { spacing::border_above(paragraph, builder.cursor.above) } else { 0.0 };
        let exclusions = builder.input.outer_floats.len() + builder.output.floats.len();
        builder.input.ctx.meter().spend(exclusions / 16);
        let top = builder.cursor.y + above;
        let free = float::find_slots(builder.exclusions(), top, height, builder.input.frame.width);
        let Some(LineParts { first: line, others: beside }) = next_line_parts(lines, &free.slots) else { break };
        let end_of_line = beside.last().map_or(line.end, |part| part.end);
        let hard = matches!(end_of_line, LineEnd::Break(Break::Page | Break::Column));
        let ends_here = hard && state.traits.ending_break == Some(state.progress.breaks);
        let last = end_of_line == LineEnd::Paragraph || ends_here;
        // In cells Word allows single lines before and after a page break. (In five documents, 11 of 24 page breaks inside
        // paragraphs of cells have a single line before or after them.)
        let widow = properties.widow_control
            && !builder.input.frame.in_cell
            && (state.progress.lines == 1 || (last && state.progress.lines > 0));
        let goes = builder.input.ctx.document.settings.hyphen_at_page_end == HyphenAtPageEnd::LineGoes;
        let parted = goes && start.is_after_automatic_hyphen() && !builder.input.frame.in_cell;
        let keeps_with_above = state.progress.lines == 0 && builder.cursor.keeps_next;
        let below = builder.input.blocks.get(block + 1);
        let border_below = if last { spacing::border_below(paragraph, below) } else { 0.0 };
        let first = state.progress.lines == 0;
        let fragment = LineFragment {
            paragraph,
            line,
            parts_beside_floats: beside,
            first,
            last,
            border_above: above,
            border_below,
        };
        let anchors = anchor_count(&fragment);
        let within = if first { BreakPosition::Start } else { BreakPosition::Paragraph(start, state.progress) };
        let fragment = Fragment {
            y: free.y - above,
            height: fragment.border_above
                + fragment.parts().map(|part| part.height).fold(0.0, f32::max)
                + fragment.border_below,
            keep: Keep::Free
                .strengthened_if(Keep::Next, keeps_with_above)
                .strengthened_if(Keep::Lines, properties.keep_lines && !first)
                .strengthened_if(Keep::Widow, widow || parted),
            resume: BreakToken { block, position: within, after_hard_break: first && state.after_hard_break },
            notes: fragment.parts().flat_map(footnote_ids).collect(),
            content: FragmentContent::Line(Box::new(fragment)),
        };
        if first && builder.input.is_invisible_section_end(block) && !builder.fits(&fragment) {
            return None;
        }
        if let Some(end) = builder.push_if_fits(fragment) {
            return Some(move_hyphenated_word(builder, block, lines, end));
        }
        update_anchored_positions(builder, state);
        state.progress.lines += 1;
        state.progress.anchors += anchors;
        state.next_float += anchors;
        state.after_hard_break = hard;
        if end_of_line == LineEnd::Break(Break::LineClear) {
            builder.cursor.y = below_floats(builder);
        }
        if hard
            && ends_here
            && (builder.input.ends_section_before_page(block) || builder.input.is_invisible_section_end(block + 1))
        {
            return None;
        }
        if hard && builder.input.obeys_breaks() {
            state.progress.breaks += 1;
            let within = if ends_here {
                BreakPosition::Start
            } else {
                BreakPosition::Paragraph(lines.position(), state.progress)
            };
            let page = end_of_line == LineEnd::Break(Break::Page);
            let after_hard_break = !(page && ends_here);
            let next = BreakToken { block: block + usize::from(ends_here), position: within, after_hard_break };
            return Some(if page { ColumnEnd::PageBreak(next) } else { ColumnEnd::ColumnBreak(next) });
        }
        state.progress.breaks += usize::from(hard);
        if last || builder.cursor.y > builder.input.sufficient_height {
            return None;
        }
    }
    if state.progress.lines >= first_line + MAX_LINES {
        builder.input.ctx.meter().refuse_document();
    }
    None
}

/// Handles a column that ends with a hyphenated word. If the document does not allow this, the last line is laid out again
/// without an automatic hyphen. The whole word then moves to the next column. Returns the changed end of the column.
fn move_hyphenated_word<'a>(
    builder: &mut ColumnBuilder<'_, 'a>,
    block: usize,
    lines: &mut ParagraphLines<'a>,
    mut end: ColumnEnd,
) -> ColumnEnd {
    let settings = &builder.input.ctx.document.settings;
    let wanted = settings.hyphen_at_page_end == HyphenAtPageEnd::WordGoes && !builder.input.frame.in_cell;
    let ColumnEnd::Full(next) = &mut end else { return end };
    let BreakPosition::Paragraph(after, _) = &mut next.position else { return end };
    let last = builder.output.fragments.last().filter(|last| last.resume.block == block);
    if !wanted || next.block != block || !after.is_after_automatic_hyphen() {
        return end;
    }
    let Some(Fragment { y, resume, content: FragmentContent::Line(set), .. }) = last else { return end };
    let BreakPosition::Paragraph(start, _) = resume.position else { return end };
    let (top, width) = (y + set.border_above, builder.input.frame.width);
    let free = float::find_slots(builder.exclusions(), top, set.line.height, width);
    let [slot] = free.slots[..] else { return end };
    lines.rewind(start.without_next_hyphen());
    let Some(line) = lines.next_line(slot) else { return end };
    let same =
        line.end == LineEnd::Wrapped && line.notes == set.line.notes && line.anchors.len() == set.line.anchors.len();
    if same
        && line.height <= set.line.height
        && let Some(FragmentContent::Line(set)) = builder.output.fragments.last_mut().map(|last| &mut last.content)
    {
        *after = lines.position();
        set.line = line;
    }
    end
}

/// Places the anchored drawings of a paragraph before its lines are broken, because the lines wrap around them.
fn place_anchored<'a>(builder: &mut ColumnBuilder<'_, 'a>, anchored: &[&'a Drawing]) {
    let ColumnBuilder { input, cursor, output, .. } = builder;
    for &drawing in anchored {
        let Some(anchor) = float::anchor_of(drawing) else { continue };
        let area = float::drawing_area(drawing, anchor, &input.frame, Point { x: 0.0, y: cursor.y });
        let area = drawing::fit_area_to_text(input.ctx, drawing, area, &input.frame);
        let area = keep_on_page(input, area, anchor);
        // A drawing that is positioned as if there were no table has no known position before the table is placed. Lines
        // therefore do not wrap around it.
        let leaves = input.frame.in_cell && float::ignores_cell(anchor, &input.ctx.document.settings);
        let in_the_way = anchor.wrap != Wrap::None && !leaves && output.floats.len() < float::MAX_EXCLUSIONS;
        let distances = [anchor.distance_left, anchor.distance_right, anchor.distance_top, anchor.distance_bottom];
        let exclusion = in_the_way.then(|| Exclusion::around(area, distances, anchor.wrap));
        let (fragment, notes) = (output.fragments.len(), Vec::new());
        let (behind, z_order) = (anchor.behind_text, anchor.z_order);
        let content = FloatContent::Drawing(drawing);
        output.floats.push(Float { area, exclusion, fragment_index: fragment, behind, z_order, content, notes });
    }
}

/// Updates the positions of drawings that are relative to a line or a character, after the line with their anchor was placed.
/// Drawings with text wrapping keep their position, because the lines were already broken around them.
fn update_anchored_positions(builder: &mut ColumnBuilder<'_, '_>, state: &ParagraphState<'_, '_>) {
    let ColumnOutput { fragments, floats, .. } = &mut builder.output;
    let Some(Fragment { y, content: FragmentContent::Line(set), .. }) = fragments.last() else { return };
    let y = y + set.border_above;
    let places = set.parts().flat_map(|part| &part.anchors);
    let drawings = state.traits.anchored_drawings.iter().skip(state.progress.anchors);
    let floats = floats.iter_mut().skip(state.next_float);
    for ((drawing, float), place) in drawings.zip(floats).zip(places) {
        let Some(anchor) = float::anchor_of(drawing).filter(|anchor| anchor.wrap == Wrap::None) else { continue };
        let area = float::drawing_area(drawing, anchor, &builder.input.frame, Point { x: place.x, y });
        if anchor.horizontal.relative_to == RelativeTo::Character {
            float.area.x = area.x;
        }
        if anchor.vertical.relative_to == RelativeTo::Line {
            float.area.y = area.y;
        }
    }
}

/// Returns the area of a drawing. As in Word, a drawing with text wrapping is moved up if it would extend below the page.
fn keep_on_page(input: &ColumnInput<'_, '_>, area: Rect, anchor: &Anchor) -> Rect {
    let page = &input.frame.page;
    if anchor.wrap == Wrap::None || page.height <= 0.0 || area.height > page.height || !input.has_limited_height() {
        return area;
    }
    Rect { y: area.y.min(page.bottom() - area.height), ..area }
}

/// Returns the vertical position below all floats that are beside the cursor (§17.3.3.1, w:clear).
fn below_floats(builder: &ColumnBuilder<'_, '_>) -> f32 {
    let y = builder.cursor.y;
    let beside = builder.exclusions().map(|e| e.area).filter(|area| area.y <= y && area.bottom() > y);
    beside.map(|area| area.bottom()).fold(y, f32::max)
}

/// The parts of a line that floats divide.
struct LineParts {
    /// The leftmost part.
    first: Line,
    /// The other parts from left to right.
    others: Vec<Line>,
}

/// Lays out one line that floats may divide: one part in each of the slots. Returns `None` at the end of the paragraph. A word
/// that is too wide for a slot moves to the next slot or line that is wide enough. If every slot and line is too narrow, the
/// word is cut. (Word does not cut a word beside a float that has space on its other side.)
fn next_line_parts(lines: &mut ParagraphLines<'_>, slots: &[LineSlot]) -> Option<LineParts> {
    let mut first: Option<Line> = None;
    let mut beside: Vec<Line> = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        let before = beside.last().or(first.as_ref());
        if before.is_some_and(|part| part.end != LineEnd::Wrapped) {
            break;
        }
        let later = slots.get(index + 1..).unwrap_or_default();
        let cuts = slots.len() > 1 && lines.next_line_cuts_word(*slot);
        if cuts && (before.is_some() || later.iter().any(|slot| !lines.next_line_cuts_word(*slot))) {
            continue;
        }
        let Some(line) = lines.next_line(*slot) else { break };
        if first.is_none() {
            first = Some(line);
        } else {
            beside.push(line);
        }
    }
    first.map(|first| LineParts { first, others: beside })
}

/// Returns the number of drawings that are anchored in a line.
fn anchor_count(fragment: &LineFragment<'_>) -> usize {
    fragment.parts().map(|part| part.anchors.len()).sum()
}

/// Returns the anchored drawings of a paragraph in the order of their anchors.
fn anchored_drawings(paragraph: &Paragraph) -> impl Iterator<Item = &Drawing> {
    paragraph.inlines.iter().filter(|inline| !inline.run.hidden).filter_map(|inline| match &inline.content {
        Inline::Drawing(drawing) if float::anchor_of(drawing).is_some() => Some(&**drawing),
        _ => None,
    })
}

/// Returns true if the paragraph's lines show the number of their page, so that they must be shaped again on each page. (For a
/// paragraph with very many inlines this would take quadratic time. The function returns false then, and the paragraph shows
/// the number of its first page on all of its pages.)
fn depends_on_page(paragraph: &Paragraph) -> bool {
    const MAX_INLINES: usize = 2_000;
    const MAX_TEXT_BYTES: usize = 100_000;
    let text = |inline: &waraq_docx::tree::Inline| match &inline.content {
        Inline::Text(text) => text.len(),
        _ => 0,
    };
    if paragraph.inlines.len() > MAX_INLINES || paragraph.inlines.iter().map(text).sum::<usize>() > MAX_TEXT_BYTES {
        return false;
    }
    paragraph.inlines.iter().any(|inline| match &inline.content {
        Inline::Field { field, .. } => field.depends_on_page(),
        _ => false,
    })
}

/// If a page or column break is the last content of a paragraph, returns its index among all page and column breaks of the
/// paragraph. Otherwise returns `None`. After such a break, the paragraph mark adds no empty line on the next page, as in Word.
/// (Word adds one if splitPgBreakAndParaMark is set.)
fn ending_break(paragraph: &Paragraph) -> Option<usize> {
    let is_break = |inline: &waraq_docx::tree::Inline| {
        matches!(inline.content, Inline::Break(Break::Page | Break::Column)) && !inline.run.hidden
    };
    let at = paragraph.inlines.iter().rposition(is_break)?;
    let (before, after) = (paragraph.inlines.get(..at)?, paragraph.inlines.get(at + 1..)?);
    let nothing = after.iter().all(|inline| match &inline.content {
        Inline::BookmarkStart(_) | Inline::BookmarkEnd(_) | Inline::CommentReference(_) => true,
        Inline::Text(text) => text.is_empty() || inline.run.hidden,
        _ => false,
    });
    nothing.then(|| before.iter().filter(|inline| is_break(inline)).count())
}
