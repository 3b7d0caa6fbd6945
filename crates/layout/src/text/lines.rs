//! A paragraph shaped once, broken line by line.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use waraq_docx::Held;
use waraq_docx::tree::{
    Alignment, Break, Content, Inline, Justification, MathAlignment, Paragraph, Placement, RunProperties, TabKind,
};

use super::Context;
use super::fill::{Filled, Room};
use super::height::{self, LineExtent};
use super::itemize;
use super::line::{ContentWidths, Line, LineEnd, LineStart, Slot};
use super::measure::{finite, length};
use super::memory::{self, Look, Shaped, Turn};
use super::place::{Painter, word_glyphs};
use super::segments::Setting;
use super::shape::TATWEEL;
use super::source::{BreakBefore, Cluster, ClusterKind, Clusters, Extent, Marker, Source, SpanKind};
use super::tabs::Stops;
use super::{bidi, east_asian, fit, hyphenate, ruby};
use crate::math::boxes::Piece;
use crate::page::{GlyphRun, Item as PageItem, PathCommand, Placed, StrokePath};

/// How often a line is filled again for letters that are parted at its end: each time it ends earlier.
const MOST_CUTS: usize = 8;

/// To fill a line and to set it, besides what each of its letters takes.
const LINE_WORK: usize = 20;

/// A paragraph shaped once, broken line by line.
pub struct ParagraphLines<'a> {
    paragraph: &'a Paragraph,
    context: &'a Context<'a>,
    shaped: Rc<Shaped>,
    /// The shapes, with words cut at line ends.
    clusters: Rc<Clusters>,
    place: LineStart,
    /// Of lines that were known from before: not yet cut into the shapes, from `behind` on.
    known: Vec<Slot>,
    behind: LineStart,
    /// The last line, where it is kept.
    last: Option<u32>,
    /// What is known of the height of the next one.
    next_height: Option<f32>,
    /// What all this takes.
    _held: Held,
}

impl<'a> ParagraphLines<'a> {
    pub fn new(paragraph: &'a Paragraph, context: &'a Context<'a>) -> Self {
        context.fonts.begin(paragraph);
        let mut source = Source::new(paragraph, context, single_line);
        let mut held = Held::of(context.fonts.meter());
        if !held.more(source.memory()) {
            source = Source::default();
        }
        let place = LineStart { at: 0, line: 0, hyphens: 0, done: false };
        let look = Look::of(paragraph, context);
        let memory = context.memory.filter(|_| memory::is_comparable(&source));
        let shaped = match memory.and_then(|memory| memory.find(&source, &look)) {
            Some(shaped) => {
                context.fonts.meter().spend(shaped.work);
                shaped
            }
            None => {
                let shaped = Rc::new(shape(source, look, paragraph, context, memory.is_some()));
                memory.inspect(|memory| memory.keep(&shaped));
                shaped
            }
        };
        let (clusters, known) = (Rc::clone(&shaped.clusters), Vec::new());
        let (last, next_height) = (None, None);
        Self { paragraph, context, shaped, clusters, place, known, behind: place, last, next_height, _held: held }
    }

    /// The next line in the slot, `None` after the last. An empty paragraph has one line.
    pub fn next_line(&mut self, slot: Slot) -> Option<Line> {
        if self.place.done || self.context.fonts.meter().is_over() {
            return None;
        }
        let bits = [slot.left, slot.width, slot.column_width].map(f32::to_bits);
        let turn = Turn { after: self.last, place: self.place, slot: bits };
        if let Some(lines) = &self.shaped.lines
            && let Some((line, number, after, next_height)) = lines.borrow().find(&turn, self.context)
        {
            (self.place, self.last, self.next_height) = (after, Some(number), Some(next_height));
            self.known.push(slot);
            return Some(line);
        }
        self.catch_up();
        let meter = self.context.fonts.meter();
        let before = meter.work();
        let filled = self.fill(slot);
        let mut line = self.set(&filled, slot);
        meter.spend(LINE_WORK + filled.clusters.len() / 4);
        line.held = Some(Held::new(meter, line.memory()));
        self.advance(&filled);
        (self.behind, self.next_height, self.last) = (self.place, None, None);
        if let Some(lines) = &self.shaped.lines {
            let work = usize::try_from(meter.work().saturating_sub(before)).unwrap_or(usize::MAX);
            let next_height = self.next_height();
            self.last = Some(lines.borrow_mut().keep(turn, &line, self.place, next_height, self.context, work));
        }
        Some(line)
    }

    /// Cuts the lines that were known into the shapes, as if they had been broken just now.
    fn catch_up(&mut self) {
        let known = std::mem::take(&mut self.known);
        if known.is_empty() {
            return;
        }
        self.place = self.behind;
        for slot in known {
            let filled = self.fill(slot);
            self.advance(&filled);
        }
        self.behind = self.place;
    }

    /// The height the next line would have, to ask for its slot before it is set. Taken from the text at its beginning: a
    /// taller letter or picture further on shows only when the line is set.
    pub fn next_height(&self) -> f32 {
        if let Some(height) = self.next_height {
            return height;
        }
        let index = self.index_of(self.place.at);
        let extent = match self.clusters.get(index) {
            Some(_) => self.extent(index..index + 1, None),
            None => LineExtent { all: self.shaped.mark, text: self.shaped.mark },
        };
        height::line(extent, &self.paragraph.properties, self.context.line_pitch).height
    }

    /// Whether the next line would begin with a word that this slot is too narrow for, and would cut it.
    pub(crate) fn cuts_a_word(&mut self, slot: Slot) -> bool {
        if self.place.done {
            return false;
        }
        self.context.fonts.meter().spend(LINE_WORK);
        self.catch_up();
        self.cut(self.place.at);
        self.fill_until(slot, usize::MAX).cuts_word
    }

    /// Remembers the place in the paragraph, to break it again (another page, another width).
    pub fn start(&self) -> LineStart {
        self.place
    }

    pub fn rewind(&mut self, start: LineStart) {
        self.clusters = Rc::clone(&self.shaped.clusters);
        self.known.clear();
        (self.place, self.behind, self.last, self.next_height) = (start, start, None, None);
    }

    fn stops(&self, column_width: f32) -> Stops<'_> {
        Stops { paragraph: self.paragraph, settings: self.context.settings, column_width }
    }

    fn index_of(&self, byte: usize) -> usize {
        self.clusters.at(byte).min(self.clusters.len())
    }

    /// Where the line's text may stand, from the leading edge of the column.
    fn room(&self, slot: Slot) -> (f32, f32) {
        let properties = &self.paragraph.properties;
        let column = finite(slot.column_width).clamp(0.0, 100_000.0);
        let (left, width) = (finite(slot.left), finite(slot.width).max(0.0));
        let (from, to) = if properties.bidi { (column - left - width, column - left) } else { (left, left + width) };
        let first = if self.place.line == 0 { finite(properties.indent.first_line) } else { 0.0 };
        let wrapped = self.formula_at(self.index_of(self.place.at)).is_some_and(|piece| piece.continues);
        let wrapped = if wrapped { self.context.settings.formula_wrap_indent.min(column / 4.0) } else { 0.0 };
        let indented = finite(properties.indent.start) + first + wrapped;
        // Text beside a float begins at the float, however it is indented; without one it may stand in the margin.
        let start = if from > 0.01 { indented.max(from) } else { indented };
        let edge = (column - finite(properties.indent.end)).min(if to < column - 0.01 { to } else { f32::MAX });
        (start, edge)
    }

    fn fill(&mut self, slot: Slot) -> Filled {
        self.cut(self.place.at);
        let mut until = usize::MAX;
        let mut filled = self.fill_until(slot, until);
        // A cut inside a joined word makes other shapes of other widths: fill again with them. Where the line then ends
        // earlier, the letters at the cut that was too far are joined again.
        for _ in 0..MOST_CUTS {
            if filled.end != LineEnd::Wrapped {
                break;
            }
            let end = self.clusters.start(filled.clusters.end);
            let mended = end < until && until != usize::MAX && self.mend(until);
            if !self.cut(end) && !mended {
                break;
            }
            until = end;
            filled = self.fill_until(slot, until);
        }
        filled
    }

    /// No further than to this byte of the text.
    fn fill_until(&self, slot: Slot, until: usize) -> Filled {
        let (start, edge) = self.room(slot);
        let room = Room {
            source: &self.shaped.source,
            clusters: &self.clusters,
            from: self.index_of(self.place.at),
            stops: self.stops(slot.column_width),
            start: if self.place.line == 0 { start - self.label_shift() } else { start },
            edge,
            until,
            decimal: self.decimal(),
            hyphenation_zone: self.hyphenation_zone(),
            shrinks: self.shrinks(),
            compresses: self.context.settings.compress_punctuation,
            hyphen_width: &|index| self.hyphen_width(index),
        };
        room.fill()
    }

    /// Since compatibility mode 15 (Word 2013) spaces of justified lines shrink as well as grow.
    fn shrinks(&self) -> bool {
        self.paragraph.properties.alignment == Alignment::Both && self.context.settings.compatibility_mode >= 15
    }

    /// `None` where no more lines in a row may end in a hyphen (§17.15.1.22 w:consecutiveHyphenLimit).
    fn hyphenation_zone(&self) -> Option<f32> {
        let settings = self.context.settings;
        let limit = if settings.consecutive_hyphen_limit == 0 { u32::MAX } else { settings.consecutive_hyphen_limit };
        (self.place.hyphens < limit).then(|| finite(settings.hyphenation_zone).max(0.0))
    }

    /// Parts the letters before and after this byte, where they are shaped together. Returns whether they were.
    fn cut(&mut self, byte: usize) -> bool {
        let index = self.index_of(byte);
        if self.clusters.get(index).is_none_or(|cluster| !cluster.unsafe_to_break) {
            return false;
        }
        if Rc::ptr_eq(&self.clusters, &self.shaped.clusters) {
            self.context.fonts.meter().spend(self.clusters.list.len() / 16);
        }
        let from = self.line_start(index);
        Rc::make_mut(&mut self.clusters).cut(index, from, &self.shaped.source, self.context.fonts)
    }

    /// Takes a cut back.
    fn mend(&mut self, byte: usize) -> bool {
        let index = self.index_of(byte);
        let from = self.line_start(index);
        Rc::make_mut(&mut self.clusters).mend(index, from, &self.shaped.source, self.context.fonts)
    }

    /// The first cluster whose shape may depend on this one: not of a line that is set.
    fn line_start(&self, index: usize) -> usize {
        Some(self.index_of(self.place.at)).filter(|start| *start < index).unwrap_or_default()
    }

    /// A label that ends (or is centred) at the first line's indent begins before it (w:lvlJc).
    fn label_shift(&self) -> f32 {
        let Some(label) = &self.paragraph.label else { return 0.0 };
        let share = match label.alignment {
            Justification::Start => return 0.0,
            Justification::Center => 0.5,
            Justification::End => 1.0,
        };
        let end = self.index_of(self.shaped.source.label_text_end);
        (0..end).filter_map(|index| self.clusters.get(index)).map(|cluster| cluster.advance).sum::<f32>() * share
    }

    fn decimal(&self) -> char {
        let language = self.paragraph.mark.language.latin.as_deref().unwrap_or_default();
        let comma = ["fr", "de", "es", "it", "nl", "pt", "pl", "ru", "tr", "sv", "da", "nb", "fi", "cs", "el", "id"];
        let primary = language.split('-').next().unwrap_or_default();
        if comma.contains(&primary) { ',' } else { '.' }
    }

    /// Of the hyphen that shows if the line ends before this cluster.
    fn hyphen_width(&self, index: usize) -> f32 {
        index.checked_sub(1).map_or(0.0, |last| self.word_width(last, "-"))
    }

    /// Of a short text in the look of a cluster.
    fn word_width(&self, index: usize, text: &str) -> f32 {
        let covers = |face| text.chars().all(|c| self.context.fonts.covers(face, c));
        let item = self.clusters.get(index).and_then(|cluster| self.clusters.item(cluster));
        let Some(item) = item.filter(|item| covers(item.choice.face)) else { return 0.0 };
        let Some(span) = self.shaped.source.spans.get(item.span) else { return 0.0 };
        word_glyphs(self.context, item, &span.run, text).iter().map(|glyph| glyph.advance).sum()
    }

    fn advance(&mut self, filled: &Filled) {
        self.place.at = self.clusters.start(filled.clusters.end);
        self.place.line += 1;
        self.place.hyphens = if filled.automatic { self.place.hyphens + 1 } else { 0 };
        self.place.done = filled.end != LineEnd::Wrapped && self.is_last(filled);
    }

    /// After a line break at the end Word has one more, empty line; after a page break only the mark, which needs none
    /// unless drawings are anchored there: these are on the next page, and so is the mark.
    fn is_last(&self, filled: &Filled) -> bool {
        let all = filled.clusters.end >= self.clusters.len();
        all && match filled.end {
            LineEnd::Break(Break::Line | Break::LineClear) => false,
            LineEnd::Break(Break::Page | Break::Column) => {
                let end = self.clusters.start(filled.clusters.end);
                let anchored = |(at, marker): &(usize, Marker)| *at >= end && matches!(marker, Marker::Anchor(_));
                !self.shaped.source.markers.iter().any(anchored)
            }
            LineEnd::Wrapped | LineEnd::Paragraph => true,
        }
    }

    /// Of all that stands in the line; `mark` where the paragraph mark stands there too. Beside text the mark makes the line no higher above
    /// the baseline, only deeper, as in Word (measured where marks of 11 and 12 points end lines of 8). Where pictures stand alone there is no text.
    fn extent(&self, clusters: std::ops::Range<usize>, mark: Option<Extent>) -> LineExtent {
        let mut drawings = false;
        let mut last = u32::MAX;
        let breaks = clusters.len() > 1;
        let unseen = |cluster: &Cluster| self.is_blank(cluster) || matches!(cluster.kind, ClusterKind::Break(_));
        let line = self.clusters.list.get(clusters).unwrap_or_default();
        let only_blanks = line.iter().all(unseen);
        let mark = mark.map(|mark| if only_blanks { mark } else { Extent { ascent: 0.0, ..mark } });
        let (mut all, mut text) = (mark.unwrap_or_default(), Extent::default());
        for cluster in line {
            // In Word blanks have no say beside what is to be seen or the paragraph mark, nor has a break beside text.
            let blank = (!only_blanks || mark.is_some()) && self.is_blank(cluster);
            let silent = blank || breaks && matches!(cluster.kind, ClusterKind::Break(_));
            if silent || cluster.item == last {
                continue;
            }
            last = cluster.item;
            let Some(item) = self.clusters.item(cluster) else { continue };
            let extent = match self.shaped.source.spans.get(item.span).map(|span| &span.kind) {
                Some(SpanKind::Object(drawing)) => {
                    let height = length(drawing.height);
                    all.include(Extent { ascent: height, descent: 0.0 }.raised(item.raise));
                    if !matches!(drawing.placement, Placement::Rule(_)) {
                        drawings = true;
                        continue;
                    }
                    // A rule's line is a line of text too, by Word's page starts behind rules.
                    Extent::of(item)
                }
                Some(SpanKind::RubyEnd) => continue,
                Some(SpanKind::Reading(reading)) => reading.extent.raised(item.raise),
                Some(SpanKind::Math(piece)) => {
                    Extent { ascent: piece.ink.ascent, descent: piece.ink.descent }.raised(item.raise)
                }
                _ => Extent::of(item),
            };
            all.include(extent);
            text.include(extent);
        }
        if text == Extent::default() {
            if !drawings {
                text = self.shaped.mark;
            }
        } else if let Some(mark) = mark {
            text.include(mark);
        }
        LineExtent { all, text }
    }

    fn set(&self, filled: &Filled, slot: Slot) -> Line {
        let mark = (filled.end == LineEnd::Paragraph).then_some(self.shaped.mark);
        let extent = self.extent(filled.clusters.clone(), mark);
        let properties = &self.paragraph.properties;
        let height::LineHeight { height, baseline, spacing_below } =
            height::line(extent, properties, self.context.line_pitch);
        let (start, edge) = self.room(slot);
        let first = self.place.line == 0;
        let (alignment, group_width) = self.alignment(filled);
        let tatweel = |index: usize| self.word_width(index, TATWEEL);
        let setting = Setting {
            source: &self.shaped.source,
            clusters: &self.clusters,
            edges: &self.shaped.edges,
            alignment,
            right_to_left: properties.bidi,
            do_not_expand_shift_return: self.context.settings.do_not_expand_shift_return,
            column_width: finite(slot.column_width),
            body: if first { self.index_of(self.shaped.source.label_end) } else { 0 },
            start: if first { start - self.label_shift() } else { start },
            edge,
            group_width,
            tatweel: &tatweel,
        };
        let (segments, stretch) = setting.segments(filled);
        let column = setting.column_width;
        let bounds = if properties.bidi { (column - edge, column - start) } else { (start, edge) };
        let mut line = Line { height, baseline, spacing_below, end: filled.end, ..Line::default() };
        let painter = Painter {
            context: self.context,
            paragraph: self.paragraph,
            source: &self.shaped.source,
            clusters: &self.clusters,
            stretch,
            baseline,
            height,
            bounds,
        };
        painter.paint(&segments, &mut line);
        let last = self.is_last(filled);
        let end = if last { usize::MAX } else { self.clusters.start(filled.clusters.end) };
        painter.markers(self.place.at..end, &segments, &mut line);
        painter.values(self.place.at..end, &segments, &mut line);
        line.changed |= last && self.paragraph.mark.revision.is_some();
        self.bars(&mut line, column);
        line
    }

    /// The piece of a displayed formula that this cluster is.
    fn formula_at(&self, index: usize) -> Option<&Piece> {
        match &self.clusters.span(self.clusters.get(index)?, &self.shaped.source)?.kind {
            SpanKind::Math(piece) if piece.display.is_some() => Some(piece),
            _ => None,
        }
    }

    /// A displayed formula has an alignment of its own; one that is too long for a line begins at its edge.
    fn alignment(&self, filled: &Filled) -> (Alignment, Option<f32>) {
        let own = self.paragraph.properties.alignment;
        let Some(piece) = filled.clusters.clone().find_map(|index| self.formula_at(index)) else { return (own, None) };
        let Some(display) = piece.display else { return (own, None) };
        if piece.continues || filled.end == LineEnd::Wrapped {
            return (Alignment::Start, None);
        }
        let alignment = match display.alignment {
            MathAlignment::Start => Alignment::Start,
            MathAlignment::End => Alignment::End,
            MathAlignment::Center | MathAlignment::CenterAsGroup => Alignment::Center,
        };
        (alignment, display.group_width)
    }

    /// A tab, or one of the spaces that Word does not count: no-break spaces and those of other widths are counted like letters.
    fn is_blank(&self, cluster: &Cluster) -> bool {
        let text = self.shaped.source.text.get(cluster.start as usize..).unwrap_or_default();
        cluster.kind == ClusterKind::Tab || text.starts_with([' ', '\u{2002}', '\u{2003}', '\u{2005}', '\u{3000}'])
    }

    /// Widths for auto-fit columns, indents included.
    pub fn content_widths(&self) -> ContentWidths {
        let indent = &self.paragraph.properties.indent;
        let (start, end) = (finite(indent.start), finite(indent.end));
        let first = start + finite(indent.first_line);
        let stops = self.stops(f32::MAX / 4.0);
        let (mut longest, mut widest, mut solid, mut text) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
        let (mut piece, mut x, mut spaces) = (0.0_f32, first, 0.0_f32);
        for index in 0..self.clusters.len() {
            let Some(cluster) = self.clusters.get(index) else { break };
            if !matches!(cluster.break_before, BreakBefore::No | BreakBefore::Syllable) {
                longest = longest.max(piece);
                piece = 0.0;
            }
            match cluster.kind {
                ClusterKind::Break(_) => {
                    widest = widest.max(x);
                    (x, spaces) = (start, 0.0);
                }
                ClusterKind::Space => spaces += cluster.advance,
                ClusterKind::Tab => {
                    let to = stops.next(x + spaces, false).position;
                    piece += (to - x).clamp(0.0, 720.0);
                    (x, spaces) = (to, 0.0);
                }
                ClusterKind::Text | ClusterKind::Object => {
                    x += std::mem::take(&mut spaces) + cluster.advance;
                    text = text.max(x);
                    piece += cluster.advance;
                    if cluster.kind == ClusterKind::Object {
                        solid = solid.max(cluster.advance);
                    }
                }
            }
        }
        let indents = start.max(first).max(0.0) + end.max(0.0);
        ContentWidths {
            least: longest.max(piece) + indents,
            most: widest.max(x) + end.max(0.0),
            text: text + end.max(0.0),
            solid: if solid > 0.0 { solid + indents } else { 0.0 },
        }
    }

    /// Bar tabs draw a line through every line of the paragraph (§17.18.84).
    fn bars(&self, line: &mut Line, column: f32) {
        for tab in self.paragraph.properties.tabs.iter().filter(|tab| tab.kind == TabKind::Bar).take(64) {
            let position = finite(tab.position);
            let x = if self.paragraph.properties.bidi { column - position } else { position };
            let path = vec![PathCommand::Move(x, 0.0), PathCommand::Line(x, line.height)];
            let color = crate::page::Rgb(0, 0, 0);
            line.items.push(Placed { item: PageItem::Stroke(StrokePath::solid(path, color, 0.5)), element: None });
        }
    }
}

/// A paragraph's text becomes shapes.
fn shape(mut source: Source, look: Look, paragraph: &Paragraph, context: &Context<'_>, kept: bool) -> Shaped {
    let before = context.fonts.meter().work();
    let directions = bidi::directions(&source, &paragraph.properties);
    let levels = directions.as_ref().map(|directions| &*directions.levels);
    let shapes = |source: &Source| Clusters::new(source, itemize::items(source, levels, context.fonts), context.fonts);
    let mut clusters = shapes(&source);
    let rooms = ruby::set(&mut source, &clusters, paragraph, context);
    if let Some(trims) = fit::apply(&mut source, &clusters) {
        clusters = shapes(&source);
        clusters.widen(&trims);
    }
    clusters.widen(&rooms);
    clusters.widen(&east_asian::rooms(&source, &clusters.items, paragraph.properties.east_asian_spacing));
    if context.settings.compress_punctuation {
        clusters.widen(&east_asian::closed_up(&source, &clusters));
    }
    if !paragraph.properties.suppress_auto_hyphens {
        clusters.mark_syllables(&hyphenate::places(&source, context.settings));
    }
    if !rooms.is_empty() {
        clusters.keep_rubies(&source);
    }
    let mark = itemize::mark_extent(&paragraph.mark, context.fonts);
    let edges = directions.map(|directions| directions.edges).unwrap_or_default();
    let work = usize::try_from(context.fonts.meter().work().saturating_sub(before)).unwrap_or(usize::MAX);
    let lines = kept.then(RefCell::default);
    Shaped { source, clusters: Rc::new(clusters), edges, mark, look, work, lines, used: Cell::default() }
}

/// Sets a short text in one font on one line (labels of boxes, separators, line numbers): glyphs from x = 0 with the baseline
/// at y = 0, and the width. The text's own direction decides the order of its letters.
pub fn single_line(context: &Context<'_>, text: &str, run: &RunProperties) -> (Vec<GlyphRun>, f32) {
    let run = Arc::new(run.clone());
    let content = Content::Text(text.chars().filter(|c| !c.is_control()).collect());
    let inlines = vec![Inline { content, run: Arc::clone(&run), link: None }];
    let paragraph = Paragraph { mark: run, inlines, ..Paragraph::default() };
    let mut lines = ParagraphLines::new(&paragraph, context);
    let Some(line) = lines.next_line(Slot::column(100_000.0)) else { return (Vec::new(), 0.0) };
    let glyphs = |placed: Placed| match placed.item {
        PageItem::Glyphs(run) => Some(GlyphRun { y: run.y - line.baseline, ..run }),
        _ => None,
    };
    let runs: Vec<GlyphRun> = line.items.into_iter().filter_map(glyphs).collect();
    let end = |run: &GlyphRun| run.x + run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>();
    let width = runs.iter().map(end).fold(0.0, f32::max);
    (runs, width)
}

/// How far the lines of this look go above and below their baseline.
pub(crate) fn line_extent(context: &Context<'_>, run: &RunProperties) -> (f32, f32) {
    let extent = itemize::mark_extent(run, context.fonts);
    (extent.ascent, extent.descent)
}
