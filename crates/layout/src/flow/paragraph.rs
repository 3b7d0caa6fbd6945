//! Lays out paragraphs into a column, line by line.

use waraq_docx::tree::{
    Anchor, Break, Content as Inline, Drawing, Field, HyphenAtPageEnd, Paragraph, RelativeTo, Wrap,
};

use super::column::{Cursor, End, Filled, Filler, Given, Looks};
use super::unit::{Content, Exclusion, Float, FloatContent, Keep, LineUnit, Progress, Resume, Unit, Within, footnotes};
use super::{drawing, float, spacing};
use crate::page::Rect;
use crate::text::{Line, LineEnd, LineStart, ParagraphLines, Slot};

/// Maximum number of lines of a paragraph in a column. The length of the text is already limited, but a line may have the width
/// of a single character.
const MOST_LINES: usize = 200_000;

/// A paragraph during layout, with its progress.
struct Setting<'p, 'a> {
    block: usize,
    paragraph: &'a Paragraph,
    looks: &'p Looks<'a>,
    done: Progress,
    /// True if a page or column break ended the last line.
    after_hard_break: bool,
    /// Index of the drawing of the next anchor among the column's floats.
    float: usize,
}

/// Lays out a paragraph from `resume`. Returns `None` if the paragraph is complete, else the reason why the column ended.
pub(super) fn set<'a>(filler: &mut Filler<'_, 'a>, resume: &Resume, paragraph: &'a Paragraph) -> Option<End> {
    if spacing::vanishes(paragraph) {
        return None;
    }
    let (start, done) = match resume.within {
        Within::Paragraph(start, done) => (Some(start), done),
        _ => (None, Progress::default()),
    };
    let (given, block) = (&filler.given, resume.block);
    let breaks_page = paragraph.properties.page_break_before && start.is_none() && !resume.after_hard_break;
    let page_begun = filler.filled.units.is_empty() && given.frame.page_start;
    if breaks_page && !given.closes_unseen(block) && given.obeys_breaks() && !page_begun {
        return Some(End::PageBreak(Resume { after_hard_break: true, ..resume.clone() }));
    }
    if done.lines == 0 {
        filler.cursor.y += space_above(filler, resume, paragraph);
    }
    let (looks, mut lines) = looked_up(filler, block, paragraph, start);
    let float = filler.filled.floats.len();
    place_anchored(filler, looks.anchored.get(done.anchors..).unwrap_or_default());
    let after_hard_break = resume.after_hard_break;
    let mut setting = Setting { block, paragraph, looks: &looks, done, after_hard_break, float };
    let end = set_lines(filler, &mut setting, &mut lines);
    if end.is_some() {
        // Drawings whose anchors move to the next column move with them.
        let units = filler.filled.units.iter().filter(|unit| unit.resume.block == block);
        filler.filled.floats.truncate(float + units.filter_map(Unit::line).map(anchors_of).sum::<usize>());
        filler.memory.broken = Some((block, looks, lines));
    }
    filler.cursor = Cursor {
        y: filler.cursor.y,
        space_below: spacing::below(paragraph),
        above: Some(paragraph),
        keeps_next: paragraph.properties.keep_next,
        fresh: false,
    };
    end
}

/// Returns the space above a paragraph's first line.
fn space_above(filler: &Filler<'_, '_>, resume: &Resume, paragraph: &Paragraph) -> f32 {
    let Filler { given, cursor, filled, .. } = filler;
    // Word drops the space before a paragraph at the top of a page, even after a page break at the end of the previous
    // paragraph. It keeps the space on the first page of a section, and after a break that belongs to the paragraph itself.
    let top = filled.units.is_empty();
    let begins_page = resume.after_hard_break || paragraph.properties.page_break_before;
    let first_of_box = top && (resume.block == 0 || !given.bounded());
    let auto_at_start = first_of_box && paragraph.properties.spacing.before_auto;
    if (top && !cursor.fresh && !begins_page) || auto_at_start {
        return 0.0;
    }
    // Here too, only the larger of the two spaces between paragraphs applies. The space below the upper paragraph is already
    // there, perhaps on the previous page, so it is subtracted.
    let there = if top { cursor.above.map_or(given.text_above.space, spacing::below) } else { 0.0 };
    let settings = &given.setter.document.settings;
    // Paragraphs of the same style count as adjacent even if a section ends between them (§17.3.1.9).
    let above = cursor.above.or(given.text_above.paragraph.filter(|_| top));
    let gap = spacing::gap(above, cursor.space_below.max(there), paragraph, settings);
    (gap - there).max(0.0)
}

/// Returns the properties and the lines of a paragraph. If the previous column divided the paragraph, they were kept; otherwise
/// they are computed, and the paragraph is shaped.
fn looked_up<'a>(
    filler: &mut Filler<'_, 'a>,
    block: usize,
    paragraph: &'a Paragraph,
    start: Option<LineStart>,
) -> (Looks<'a>, ParagraphLines<'a>) {
    let context = filler.given.setter.context(filler.given.frame.section);
    let (looks, kept) = match filler.memory.broken.take().filter(|(known, ..)| *known == block) {
        Some((_, looks, lines)) => (looks, Some(lines)),
        None => {
            let (shows_page, ending_break) = (shows_page(paragraph), ending_break(paragraph));
            (Looks { anchored: anchored(paragraph).collect(), shows_page, ending_break }, None)
        }
    };
    let kept = kept.filter(|_| start.is_some() && !looks.shows_page);
    let mut lines = kept.unwrap_or_else(|| ParagraphLines::new(paragraph, context));
    start.inspect(|start| lines.rewind(*start));
    (looks, lines)
}

/// Lays out the remaining lines of a paragraph. Returns `None` if all fit, else the reason why the column ended.
fn set_lines<'a>(
    filler: &mut Filler<'_, 'a>,
    setting: &mut Setting<'_, 'a>,
    lines: &mut ParagraphLines<'a>,
) -> Option<End> {
    let (block, paragraph) = (setting.block, setting.paragraph);
    let properties = &paragraph.properties;
    let first_line = setting.done.lines;
    while setting.done.lines < first_line + MOST_LINES {
        let start = lines.start();
        let height = lines.next_height();
        let above = if setting.done.lines == 0 { spacing::border_above(paragraph, filler.cursor.above) } else { 0.0 };
        let exclusions = filler.given.outer.len() + filler.filled.floats.len();
        filler.given.setter.meter().spend(exclusions / 16);
        let top = filler.cursor.y + above;
        let (y, slots) = float::slots(filler.exclusions(), top, height, filler.given.frame.width);
        let Some((line, beside)) = next_pieces(lines, &slots) else { break };
        let end_of_line = beside.last().map_or(line.end, |piece| piece.end);
        let hard = matches!(end_of_line, LineEnd::Break(Break::Page | Break::Column));
        let ends_here = hard && setting.looks.ending_break == Some(setting.done.breaks);
        let last = end_of_line == LineEnd::Paragraph || ends_here;
        // In cells Word allows single lines before and after a page break. (In five documents, 11 of 24 page breaks inside
        // paragraphs of cells have a single line before or after them.)
        let widow = properties.widow_control
            && !filler.given.frame.in_cell
            && (setting.done.lines == 1 || (last && setting.done.lines > 0));
        let goes = filler.given.setter.document.settings.hyphen_at_page_end == HyphenAtPageEnd::LineGoes;
        let parted = goes && start.parts_a_word() && !filler.given.frame.in_cell;
        let keeps_with_above = setting.done.lines == 0 && filler.cursor.keeps_next;
        let below = filler.given.blocks.get(block + 1);
        let border_below = if last { spacing::border_below(paragraph, below) } else { 0.0 };
        let first = setting.done.lines == 0;
        let unit = LineUnit { paragraph, line, beside, first, last, border_above: above, border_below };
        let anchors = anchors_of(&unit);
        let within = if first { Within::Start } else { Within::Paragraph(start, setting.done) };
        let unit = Unit {
            y: y - above,
            height: unit.border_above + unit.pieces().map(|piece| piece.height).fold(0.0, f32::max) + unit.border_below,
            keep: Keep::Free
                .with(Keep::Next, keeps_with_above)
                .with(Keep::Lines, properties.keep_lines && !first)
                .with(Keep::Widow, widow || parted),
            resume: Resume { block, within, after_hard_break: first && setting.after_hard_break },
            notes: unit.pieces().flat_map(footnotes).collect(),
            content: Content::Line(Box::new(unit)),
        };
        if first && filler.given.closes_unseen(block) && !filler.has_room(&unit) {
            return None;
        }
        if let Some(end) = filler.admit(unit) {
            return Some(unparted_at_end(filler, block, lines, end));
        }
        place_in_line(filler, setting);
        setting.done.lines += 1;
        setting.done.anchors += anchors;
        setting.float += anchors;
        setting.after_hard_break = hard;
        if end_of_line == LineEnd::Break(Break::LineClear) {
            filler.cursor.y = below_floats(filler);
        }
        if hard && ends_here && (filler.given.closes_section(block) || filler.given.closes_unseen(block + 1)) {
            return None;
        }
        if hard && filler.given.obeys_breaks() {
            setting.done.breaks += 1;
            let within = if ends_here { Within::Start } else { Within::Paragraph(lines.start(), setting.done) };
            let page = end_of_line == LineEnd::Break(Break::Page);
            let after_hard_break = !(page && ends_here);
            let next = Resume { block: block + usize::from(ends_here), within, after_hard_break };
            return Some(if page { End::PageBreak(next) } else { End::ColumnBreak(next) });
        }
        setting.done.breaks += usize::from(hard);
        if last || filler.cursor.y > filler.given.enough {
            return None;
        }
    }
    if setting.done.lines >= first_line + MOST_LINES {
        filler.given.setter.meter().refuse();
    }
    None
}

/// Handles a column that ends within a hyphenated word. If the document does not allow this, lays out the last line again
/// without that word, so that the whole word moves to the next column. Returns the end of the column.
fn unparted_at_end<'a>(filler: &mut Filler<'_, 'a>, block: usize, lines: &mut ParagraphLines<'a>, mut end: End) -> End {
    let settings = &filler.given.setter.document.settings;
    let wanted = settings.hyphen_at_page_end == HyphenAtPageEnd::WordGoes && !filler.given.frame.in_cell;
    let End::Full(next) = &mut end else { return end };
    let Within::Paragraph(after, _) = &mut next.within else { return end };
    let last = filler.filled.units.last().filter(|last| last.resume.block == block);
    if !wanted || next.block != block || !after.parts_a_word() {
        return end;
    }
    let Some(Unit { y, resume, content: Content::Line(set), .. }) = last else { return end };
    let Within::Paragraph(start, _) = resume.within else { return end };
    let (top, width) = (y + set.border_above, filler.given.frame.width);
    let (_, slots) = float::slots(filler.exclusions(), top, set.line.height, width);
    let [slot] = slots[..] else { return end };
    lines.rewind(start.unparted());
    let Some(line) = lines.next_line(slot) else { return end };
    let same =
        line.end == LineEnd::Wrapped && line.notes == set.line.notes && line.anchors.len() == set.line.anchors.len();
    if same
        && line.height <= set.line.height
        && let Some(Content::Line(set)) = filler.filled.units.last_mut().map(|last| &mut last.content)
    {
        *after = lines.start();
        set.line = line;
    }
    end
}

/// Places the anchored drawings of a paragraph before its lines are broken, because the lines wrap around them.
fn place_anchored<'a>(filler: &mut Filler<'_, 'a>, anchored: &[&'a Drawing]) {
    let Filler { given, cursor, filled, .. } = filler;
    for &drawing in anchored {
        let Some(anchor) = float::anchor_of(drawing) else { continue };
        let area = float::drawing_area(drawing, anchor, &given.frame, (0.0, cursor.y));
        let area = drawing::grown(given.setter, drawing, area, &given.frame);
        let area = within_reach(given, area, anchor);
        // A drawing that is placed as if there were no table has no known position before the table is placed, so lines do not
        // wrap around it.
        let leaves = given.frame.in_cell && float::leaves_cells(anchor, &given.setter.document.settings);
        let in_the_way = anchor.wrap != Wrap::None && !leaves && filled.floats.len() < float::MOST_EXCLUSIONS;
        let distances = [anchor.distance_left, anchor.distance_right, anchor.distance_top, anchor.distance_bottom];
        let exclusion = in_the_way.then(|| Exclusion::around(area, distances, anchor.wrap));
        let (unit, notes) = (filled.units.len(), Vec::new());
        let (behind, z_order) = (anchor.behind_text, anchor.z_order);
        let content = FloatContent::Drawing(drawing);
        filled.floats.push(Float { area, exclusion, unit, behind, z_order, content, notes });
    }
}

/// Updates the positions of drawings that are relative to the line or the character of their anchor, after the line was placed.
/// Drawings with text wrapping keep their position, because the lines were broken for it.
fn place_in_line(filler: &mut Filler<'_, '_>, setting: &Setting<'_, '_>) {
    let Filled { units, floats, .. } = &mut filler.filled;
    let Some(Unit { y, content: Content::Line(set), .. }) = units.last() else { return };
    let y = y + set.border_above;
    let places = set.pieces().flat_map(|piece| &piece.anchors);
    let drawings = setting.looks.anchored.iter().skip(setting.done.anchors);
    let floats = floats.iter_mut().skip(setting.float);
    for ((drawing, float), (_, x)) in drawings.zip(floats).zip(places) {
        let Some(anchor) = float::anchor_of(drawing).filter(|anchor| anchor.wrap == Wrap::None) else { continue };
        let area = float::drawing_area(drawing, anchor, &filler.given.frame, (*x, y));
        if anchor.horizontal.relative_to == RelativeTo::Character {
            float.area.x = area.x;
        }
        if anchor.vertical.relative_to == RelativeTo::Line {
            float.area.y = area.y;
        }
    }
}

/// Moves a drawing up if it would extend below the page, as Word does.
fn within_reach(given: &Given<'_, '_>, area: Rect, anchor: &Anchor) -> Rect {
    let page = &given.frame.page;
    if anchor.wrap == Wrap::None || page.height <= 0.0 || area.height > page.height || !given.bounded() {
        return area;
    }
    Rect { y: area.y.min(page.bottom() - area.height), ..area }
}

/// Returns the position below all floats that are beside the cursor (§17.3.3.1, w:clear).
fn below_floats(filler: &Filler<'_, '_>) -> f32 {
    let y = filler.cursor.y;
    let beside = filler.exclusions().map(|e| e.area).filter(|area| area.y <= y && area.bottom() > y);
    beside.map(|area| area.bottom()).fold(y, f32::max)
}

/// Lays out one line in the slots at its height, divided into a part for each slot. Returns the first part and the others, or
/// `None` at the end of the paragraph. A word that is too wide for a slot moves to the next slot or line that is wide enough.
/// Without such a slot or line, the word is cut. (Word does not cut a word beside a float that has space on its other side.)
fn next_pieces(lines: &mut ParagraphLines<'_>, slots: &[Slot]) -> Option<(Line, Vec<Line>)> {
    let mut first: Option<Line> = None;
    let mut beside: Vec<Line> = Vec::new();
    for (index, slot) in slots.iter().enumerate() {
        let before = beside.last().or(first.as_ref());
        if before.is_some_and(|piece| piece.end != LineEnd::Wrapped) {
            break;
        }
        let later = slots.get(index + 1..).unwrap_or_default();
        let cuts = slots.len() > 1 && lines.cuts_a_word(*slot);
        if cuts && (before.is_some() || later.iter().any(|slot| !lines.cuts_a_word(*slot))) {
            continue;
        }
        let Some(line) = lines.next_line(*slot) else { break };
        if first.is_none() {
            first = Some(line);
        } else {
            beside.push(line);
        }
    }
    first.map(|line| (line, beside))
}

/// Returns the number of anchored drawings in a line.
fn anchors_of(unit: &LineUnit<'_>) -> usize {
    unit.pieces().map(|piece| piece.anchors.len()).sum()
}

/// Returns the anchored drawings of a paragraph in the order of their anchors.
fn anchored(paragraph: &Paragraph) -> impl Iterator<Item = &Drawing> {
    paragraph.inlines.iter().filter(|inline| !inline.run.hidden).filter_map(|inline| match &inline.content {
        Inline::Drawing(drawing) if float::anchor_of(drawing).is_some() => Some(&**drawing),
        _ => None,
    })
}

/// Returns true if the paragraph's lines show the number of their page, so that they must be shaped again on each page. (For a
/// paragraph with very many inlines this would take quadratic time, so it shows the number of its first page.)
fn shows_page(paragraph: &Paragraph) -> bool {
    const MOST_PIECES: usize = 2_000;
    const MOST_TEXT: usize = 100_000;
    let text = |inline: &waraq_docx::tree::Inline| match &inline.content {
        Inline::Text(text) => text.len(),
        _ => 0,
    };
    if paragraph.inlines.len() > MOST_PIECES || paragraph.inlines.iter().map(text).sum::<usize>() > MOST_TEXT {
        return false;
    }
    paragraph.inlines.iter().any(|inline| {
        matches!(&inline.content, Inline::Field { field: Field::Page(_) | Field::SectionPages(_) | Field::Section, .. })
    })
}

/// Returns the index, among the page and column breaks of a paragraph, of a break that is its last content. Such a paragraph
/// ends before the break, and its mark adds no empty line on the next page (as in Word, unless splitPgBreakAndParaMark is set).
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
