//! Paragraphs into a column, line by line.

use std::collections::HashSet;
use std::rc::Rc;

use waraq_docx::tree::{Break, Content as Inline, Drawing, Paragraph, RelativeTo, Wrap};

use super::drawing;
use super::fill::{End, Filler};
use super::float::{self, Float, FloatContent};
use super::notes::NoteRoom;
use super::spacing;
use super::unit::{Content, Keep, LineUnit, Resume, Unit, Within, footnotes};
use crate::page::Rect;
use crate::text::{Line, LineEnd, Mark, ParagraphLines, Slot};

/// A paragraph of more lines than this is refused: its lines may be as narrow as a character, its text is bounded already.
const MOST_LINES: usize = 200_000;

/// What of a paragraph every column asks that has lines of it: looked up once, or a paragraph of many lines on many pages
/// would be searched from end to end for each of them.
pub(super) struct Looks<'a> {
    /// Its anchored drawings, in the order of their anchors.
    anchored: Vec<&'a Drawing>,
    /// Its lines depend on the page they are on.
    shows_page: bool,
    ending_break: Option<usize>,
}

impl<'a> Looks<'a> {
    fn of(paragraph: &'a Paragraph) -> Self {
        let anchored = anchored(paragraph).collect();
        Self { anchored, shows_page: shows_page(paragraph), ending_break: ending_break(paragraph) }
    }
}

fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of) as usize
}

/// Where in a paragraph the setting stands.
struct Place {
    line: usize,
    anchors: usize,
    hard_breaks: usize,
    /// A hard break ended the last line.
    after_hard_break: bool,
}

impl Place {
    fn within(&self, mark: Mark) -> Within {
        Within::Paragraph { mark, line: self.line, anchors: self.anchors, breaks: self.hard_breaks }
    }
}

impl<'a> Filler<'_, 'a> {
    /// Sets a paragraph from where `resume` says. `None`: it is done.
    pub fn paragraph(
        &mut self,
        resume: &Resume,
        paragraph: &'a Paragraph,
        notes: Option<&mut NoteRoom<'a>>,
    ) -> Option<End> {
        if spacing::vanishes(paragraph) {
            return None;
        }
        let (line, anchors, hard_breaks, mark) = match &resume.within {
            Within::Paragraph { mark, line, anchors, breaks } => (*line, *anchors, *breaks, Some(*mark)),
            _ => (0, 0, 0, None),
        };
        let closes = self.closes_section(resume.block);
        let empty_close = closes && is_empty(paragraph);
        let breaks_page = paragraph.properties.page_break_before && mark.is_none() && !resume.after_hard_break;
        if breaks_page && !empty_close && self.obeys_breaks() && !(self.units.is_empty() && self.frame.page_start) {
            return Some(End::PageBreak(Resume { after_hard_break: true, ..resume.clone() }));
        }
        self.above_first_line(resume, paragraph, line);
        let text_top = self.y;
        let looks = self.looks_of(paragraph);
        self.place_anchors(&looks, anchors, text_top);
        let mut lines = self.lines_of(paragraph, &looks, mark);
        let mut place = Place { line, anchors, hard_breaks, after_hard_break: resume.after_hard_break };
        let end = self.lines((resume.block, paragraph, &looks), &mut lines, &mut place, notes);
        if end.is_some() {
            // Drawings whose anchors went to the next column go with them.
            let kept = self.units.iter().filter(|u| u.resume.block == resume.block).map(anchors_in).sum::<usize>();
            self.drop_anchors(&looks, anchors, anchors + kept);
            self.memory.lines = Some((address(paragraph), lines));
            self.memory.looks = Some((address(paragraph), looks));
        }
        (self.above, self.row_above_keeps) = (Some(paragraph), false);
        self.space_below = spacing::below(paragraph);
        self.fresh = false;
        end
    }

    /// Whether this paragraph bears the mark of its section, and the next section begins a page of its own (§17.6.22, §17.18.77). Word
    /// then opens no page for what cannot be seen of the paragraph: a page break in it or before it, or an empty line without room.
    fn closes_section(&self, block: usize) -> bool {
        self.page_follows && self.bounded() && block + 1 == self.blocks.len()
    }

    /// Page and column breaks count in the text; not in a text without end, nor in endnotes, whose pages nobody breaks in Word.
    fn obeys_breaks(&self) -> bool {
        self.bounded() && !self.in_endnote
    }

    /// Whether what stands above is to stay with what comes next.
    pub fn keeps_next_above(&self) -> bool {
        self.row_above_keeps || self.above.is_some_and(|paragraph| paragraph.properties.keep_next)
    }

    /// The space and the borders above the first line.
    fn above_first_line(&mut self, resume: &Resume, paragraph: &'a Paragraph, line: usize) {
        let settings = &self.setter.document.settings;
        if line > 0 {
            return;
        }
        // Word drops the space before a paragraph that a natural break put at the top of a page, and keeps it after an
        // explicit one and on the first page.
        let at_natural_top = self.units.is_empty() && !self.fresh && !resume.after_hard_break;
        let first_of_box = self.units.is_empty() && (resume.block == 0 || !self.bounded());
        let auto_at_start = first_of_box && paragraph.properties.spacing.before_auto;
        if !at_natural_top && !auto_at_start {
            // Of the space that the band above leaves below itself the larger counts too, and it stands there already.
            let there = if self.units.is_empty() { self.space_of_band_above } else { 0.0 };
            let gap = spacing::gap(self.above, self.space_below.max(there), paragraph, settings);
            self.y += (gap - there).max(0.0);
        }
    }

    fn looks_of(&mut self, paragraph: &'a Paragraph) -> Rc<Looks<'a>> {
        let known = self.memory.looks.take().filter(|(known, _)| *known == address(paragraph));
        known.map_or_else(|| Rc::new(Looks::of(paragraph)), |(_, looks)| looks)
    }

    fn lines_of(&mut self, paragraph: &'a Paragraph, looks: &Looks<'a>, mark: Option<Mark>) -> ParagraphLines<'a> {
        let context = self.setter.context(self.frame.section);
        let Some(mark) = mark else { return ParagraphLines::new(paragraph, context) };
        let kept = self.memory.lines.take().filter(|(kept, _)| *kept == address(paragraph) && !looks.shows_page);
        let mut lines = kept.map_or_else(|| ParagraphLines::new(paragraph, context), |(_, lines)| lines);
        lines.rewind(mark);
        lines
    }

    fn lines(
        &mut self,
        (block, paragraph, looks): (usize, &'a Paragraph, &Looks<'a>),
        lines: &mut ParagraphLines<'a>,
        place: &mut Place,
        mut notes: Option<&mut NoteRoom<'a>>,
    ) -> Option<End> {
        let properties = &paragraph.properties;
        let first_line = place.line;
        while place.line < first_line + MOST_LINES {
            let mark = lines.mark();
            let height = lines.next_height();
            let above = if place.line == 0 { spacing::border_above(paragraph, self.above) } else { 0.0 };
            self.setter.meter().spend((self.outer.len() + self.floats.len()) / 16);
            let (y, slots) = float::slots(self.exclusions(), self.y + above, height, self.frame.width);
            let Some((line, beside)) = next_pieces(lines, &slots) else { break };
            let end_of_line = beside.last().map_or(line.end, |piece| piece.end);
            let hard = matches!(end_of_line, LineEnd::Break(Break::Page | Break::Column));
            let closes = self.closes_section(block);
            let ends_here = hard && looks.ending_break == Some(place.hard_breaks);
            let last = end_of_line == LineEnd::Paragraph || ends_here;
            // In cells Word leaves single lines on either side of a page's end (measured on the 24 marks inside paragraphs of cells, of
            // five documents: 11 have one line before or after them).
            let widow =
                properties.widow_control && !self.frame.in_cell && (place.line == 1 || (last && place.line > 0));
            let keeps_with_above = place.line == 0 && self.keeps_next_above();
            let unit = self.line_unit(block, paragraph, line, beside, (place.line == 0, last), above);
            let anchors = anchors_of(&unit);
            let within = if place.line == 0 { Within::Start } else { place.within(mark) };
            let unit = Unit {
                y: y - above,
                height: unit.border_above + line_height(&unit) + unit.border_below,
                keep: Keep::FREE
                    .with(Keep::NEXT, keeps_with_above)
                    .with(Keep::LINES, properties.keep_lines && place.line > 0)
                    .with(Keep::WIDOW, widow),
                resume: Resume { block, within, after_hard_break: place.line == 0 && place.after_hard_break },
                notes: notes_of(&unit),
                content: Content::Line(Box::new(unit)),
            };
            if closes && place.line == 0 && is_empty(paragraph) && !self.has_room(&unit, notes.as_deref_mut()) {
                return None;
            }
            if let Some(end) = self.admit(unit, notes.as_deref_mut()) {
                return Some(end);
            }
            self.place_in_line(paragraph, place.anchors, anchors);
            place.line += 1;
            place.anchors += anchors;
            place.after_hard_break = hard;
            if end_of_line == LineEnd::Break(Break::LineClear) {
                self.clear_floats();
            }
            if hard && ends_here && closes {
                return None;
            }
            if hard && self.obeys_breaks() {
                place.hard_breaks += 1;
                let within = if ends_here { Within::Start } else { place.within(lines.mark()) };
                let next = Resume { block: block + usize::from(ends_here), within, after_hard_break: true };
                let page = end_of_line == LineEnd::Break(Break::Page);
                return Some(if page { End::PageBreak(next) } else { End::ColumnBreak(next) });
            }
            place.hard_breaks += usize::from(hard);
            if last || self.y > self.enough {
                return None;
            }
        }
        if place.line >= first_line + MOST_LINES {
            self.setter.meter().refuse();
        }
        None
    }

    fn line_unit(
        &self,
        block: usize,
        paragraph: &'a Paragraph,
        line: Line,
        beside: Vec<Line>,
        (first, last): (bool, bool),
        border_above: f32,
    ) -> LineUnit<'a> {
        let border_below = if last { spacing::border_below(paragraph, self.blocks.get(block + 1)) } else { 0.0 };
        LineUnit { paragraph, line, beside, first, last, border_above, border_below }
    }

    /// Puts the anchored drawings of a paragraph on the page before its lines are broken: they wrap around them.
    fn place_anchors(&mut self, looks: &Looks<'a>, skip: usize, top: f32) {
        let unit = self.units.len();
        for &drawing in looks.anchored.iter().skip(skip) {
            let Some(anchor) = float::anchor_of(drawing) else { continue };
            let area = float::drawing_area(drawing, anchor, &self.frame, top, top, 0.0);
            let area = drawing::grown(self.setter, drawing, area, &self.frame);
            let area = self.within_reach(area, anchor);
            let exclusion =
                float::drawing_exclusion(anchor, area).filter(|_| self.floats.len() < float::MOST_EXCLUSIONS);
            let content = FloatContent::Drawing(drawing);
            let (behind, z_order) = (anchor.behind_text, anchor.z_order);
            let notes = Vec::new();
            self.floats.push(Float { area, exclusion, unit, behind, z_order, content, notes });
        }
    }

    /// Drawings whose place is told from the line or the character of their anchor get it now that the line stands. Those
    /// that text goes around keep the place that the lines were broken with.
    fn place_in_line(&mut self, paragraph: &'a Paragraph, before: usize, count: usize) {
        if count == 0 {
            return;
        }
        let Some((y, set)) = self.units.last().and_then(|unit| match &unit.content {
            Content::Line(line) => Some((unit.y + line.border_above, line)),
            Content::Row(_) => None,
        }) else {
            return;
        };
        let pieces = std::iter::once(&set.line).chain(&set.beside);
        let places: Vec<f32> = pieces.flat_map(|piece| piece.anchors.iter().map(|(_, x)| *x)).collect();
        for (drawing, x) in anchored(paragraph).skip(before).zip(places) {
            let Some(anchor) = float::anchor_of(drawing).filter(|anchor| anchor.wrap == Wrap::None) else { continue };
            let by_line = anchor.vertical.relative_to == RelativeTo::Line;
            let by_character = anchor.horizontal.relative_to == RelativeTo::Character;
            let this =
                |float: &&mut Float<'a>| matches!(float.content, FloatContent::Drawing(d) if std::ptr::eq(d, drawing));
            if let Some(float) = self.floats.iter_mut().rev().find(this) {
                let area = float::drawing_area(drawing, anchor, &self.frame, y, y, x);
                float.area.x = if by_character { area.x } else { float.area.x };
                float.area.y = if by_line { area.y } else { float.area.y };
            }
        }
    }

    /// Word pushes a drawing that would leave the page back onto it.
    fn within_reach(&self, area: Rect, anchor: &waraq_docx::tree::Anchor) -> Rect {
        let page = &self.frame.page;
        let wraps = anchor.wrap != waraq_docx::tree::Wrap::None;
        if !wraps || page.height <= 0.0 || area.height > page.height || !self.bounded() {
            return area;
        }
        Rect { y: area.y.min(page.bottom() - area.height), ..area }
    }

    /// Takes back the drawings of a paragraph beyond the `kept`-th.
    fn drop_anchors(&mut self, looks: &Looks<'a>, skip: usize, kept: usize) {
        let gone: HashSet<usize> =
            looks.anchored.iter().skip(skip.max(kept)).map(|drawing| address(*drawing)).collect();
        self.floats.retain(|float| match float.content {
            FloatContent::Drawing(drawing) => !gone.contains(&address(drawing)),
            _ => true,
        });
    }

    /// Goes on below everything that floats (§17.3.3.1, w:clear).
    fn clear_floats(&mut self) {
        let y = self.y;
        let bottom = self.exclusions().filter(|e| e.area.y <= y && e.area.bottom() > y).map(|e| e.area.bottom());
        self.y = bottom.fold(y, f32::max);
    }
}

/// One line, in as many pieces as there are slots at its height. A word that is wider than a slot goes to the next that holds it, or
/// to the next line, before it is cut: Word splits none beside a float that has room on its other side.
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

fn line_height(unit: &LineUnit<'_>) -> f32 {
    unit.beside.iter().map(|piece| piece.height).fold(unit.line.height, f32::max)
}

fn notes_of(unit: &LineUnit<'_>) -> Vec<i64> {
    std::iter::once(&unit.line).chain(&unit.beside).flat_map(footnotes).collect()
}

fn anchors_of(unit: &LineUnit<'_>) -> usize {
    unit.line.anchors.len() + unit.beside.iter().map(|piece| piece.anchors.len()).sum::<usize>()
}

fn anchors_in(unit: &Unit<'_>) -> usize {
    match &unit.content {
        Content::Line(line) => anchors_of(line),
        Content::Row(_) => 0,
    }
}

/// The anchored drawings of a paragraph in the order of their anchors.
pub(super) fn anchored(paragraph: &Paragraph) -> impl Iterator<Item = &Drawing> {
    paragraph.inlines.iter().filter(|inline| !inline.run.hidden).filter_map(|inline| match &inline.content {
        Inline::Drawing(drawing) if float::anchor_of(drawing).is_some() => Some(&**drawing),
        _ => None,
    })
}

/// Its lines depend on the page they are on: they are shaped anew on each. (A paragraph of very many pieces would be for as
/// many pages as it has: it keeps the number of its first.)
fn shows_page(paragraph: &Paragraph) -> bool {
    use waraq_docx::tree::Field;
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
        matches!(
            &inline.content,
            Inline::Field { field: Field::Page { .. } | Field::SectionPages { .. } | Field::Section, .. }
        )
    })
}

/// Nothing of it is to be seen but the room it takes: marks, and breaks.
fn is_empty(paragraph: &Paragraph) -> bool {
    let unseen = |inline: &waraq_docx::tree::Inline| {
        inline.content.is_mark() || matches!(inline.content, Inline::Break(_)) || inline.run.hidden
    };
    paragraph.inlines.iter().all(unseen) && paragraph.label.is_none()
}

/// The number (from 0) of the page or column break that is the last thing in its paragraph, if one is: then the paragraph
/// ends on that page and its mark makes no empty line on the next (Word, unless splitPgBreakAndParaMark).
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
