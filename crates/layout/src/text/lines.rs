//! A paragraph that is shaped once and then broken line by line.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;

use waraq_docx::CountedMemory;
use waraq_docx::tree::{
    Alignment, Break, Content, Inline, Justification, MathAlignment, Paragraph, Placement, RunProperties, TabKind,
};

use super::Context;
use super::height::{self, LineExtent};
use super::itemize;
use super::line::{ContentWidths, Line, LineEnd, LineSlot, LineStart};
use super::line_breaking::{FilledLine, LineBreaker};
use super::line_cache::{self, FormattingKey, LineKey, ReusedLine, ShapedParagraph};
use super::measure::{clamp_size, finite_or_zero};
use super::paint::{Painter, short_text_glyphs};
use super::segments::{PlacedSegments, SegmentPlacer};
use super::shape::TATWEEL;
use super::source::{
    BreakBefore, Cluster, ClusterKind, Clusters, Extent, Marker, ParagraphSource, PlacedMarker, SpanKind,
};
use super::tabs::TabStopResolver;
use super::{bidi, east_asian, fit, hyphenate, ruby};
use crate::geometry::HorizontalExtent;
use crate::math::boxes::FormulaFragment;
use crate::page::{DisplayItem as PageItem, GlyphRun, PathCommand, StrokePath, TaggedItem};

/// Maximum number of times that a line is filled again because the word at its end was cut and shaped again. Each time, the
/// line becomes shorter.
const MAX_REFILLS: usize = 8;

/// Work units to fill and lay out a line, in addition to those for its letters.
const LINE_WORK: usize = 20;

/// A paragraph that is shaped once and then broken line by line.
pub struct ParagraphLines<'a> {
    paragraph: &'a Paragraph,
    context: &'a Context<'a>,
    shaped: Rc<ShapedParagraph>,
    /// The shaped clusters. Where a word was cut at the end of a line, its two parts are shaped separately here.
    clusters: Rc<Clusters>,
    /// Start of the next line.
    position: LineStart,
    /// Slots of the cached lines that were returned since `applied_position`. Such a line may cut a word at its end. The two
    /// parts of this word are not shaped separately in `clusters` yet.
    unapplied_slots: Vec<LineSlot>,
    /// Start of the first line in `unapplied_slots`, or of the next line if `unapplied_slots` is empty.
    applied_position: LineStart,
    /// Number that identifies the previous line in the cache. `None` if the previous line is not cached or does not exist.
    previous_line: Option<u32>,
    /// Estimated height of the next line in points, if the cache contains it, else `None`.
    next_height: Option<f32>,
    /// Counts the memory of the paragraph until this value is dropped.
    _counted_memory: CountedMemory,
}

/// The start and end position of the text of a line, in points from the leading edge of the column.
#[derive(Debug, Clone, Copy)]
struct TextBounds {
    /// The start position, after the indents.
    start: f32,
    /// The end position.
    end: f32,
}

/// The alignment of a line.
struct LineAlignment {
    /// The alignment of the line in its available width.
    alignment: Alignment,
    /// Width in points of the widest line of a displayed formula if the lines are aligned as a group, else `None`.
    group_width: Option<f32>,
}

impl<'a> ParagraphLines<'a> {
    /// Shapes a paragraph, or takes the shaped paragraph from [`Context::line_cache`]. The first line begins at the start of
    /// the paragraph.
    pub fn new(paragraph: &'a Paragraph, context: &'a Context<'a>) -> Self {
        context.fonts.begin_paragraph(paragraph);
        let mut source = ParagraphSource::new(paragraph, context, single_line);
        let mut held = CountedMemory::empty(context.fonts.meter());
        if !held.grow(source.estimated_bytes()) {
            source = ParagraphSource::default();
        }
        let place = LineStart { byte: 0, line_index: 0, consecutive_hyphens: 0, is_after_last_line: false };
        let look = FormattingKey::of(paragraph, context);
        let memory = context.line_cache.filter(|_| line_cache::is_cacheable(&source));
        let shaped = match memory.and_then(|memory| memory.find_paragraph(&source, &look)) {
            Some(shaped) => {
                context.fonts.meter().spend(shaped.work);
                shaped
            }
            None => {
                let shaped = Rc::new(shape_paragraph(source, look, paragraph, context, memory.is_some()));
                memory.inspect(|memory| memory.insert_paragraph(&shaped));
                shaped
            }
        };
        let (clusters, known) = (Rc::clone(&shaped.clusters), Vec::new());
        let (last, next_height) = (None, None);
        Self {
            paragraph,
            context,
            shaped,
            clusters,
            position: place,
            unapplied_slots: known,
            applied_position: place,
            previous_line: last,
            next_height,
            _counted_memory: held,
        }
    }

    /// Lays out the next line in this slot and returns it. Returns `None` after the last line, or if the budget is used up. An
    /// empty paragraph has one line.
    pub fn next_line(&mut self, slot: LineSlot) -> Option<Line> {
        if self.position.is_after_last_line || self.context.fonts.meter().must_stop() {
            return None;
        }
        let bits = [slot.left, slot.width, slot.column_width].map(f32::to_bits);
        let key = LineKey { previous_line: self.previous_line, start: self.position, slot_bits: bits };
        if let Some(lines) = &self.shaped.cached_lines
            && let Some(reused) = lines.borrow().get(&key, self.context)
        {
            let ReusedLine { line, number, next_start, next_height } = reused;
            (self.position, self.previous_line, self.next_height) = (next_start, Some(number), Some(next_height));
            self.unapplied_slots.push(slot);
            return Some(line);
        }
        self.apply_cached_cuts();
        let meter = self.context.fonts.meter();
        let before = meter.work();
        let filled = self.fill_line(slot);
        let mut line = self.lay_out_line(&filled, slot);
        meter.spend(LINE_WORK + filled.clusters.len() / 4);
        line.counted_memory = Some(CountedMemory::new(meter, line.memory()));
        self.advance(&filled);
        (self.applied_position, self.next_height, self.previous_line) = (self.position, None, None);
        if let Some(lines) = &self.shaped.cached_lines {
            let work = usize::try_from(meter.work().saturating_sub(before)).unwrap_or(usize::MAX);
            let next_height = self.next_height();
            self.previous_line =
                Some(lines.borrow_mut().insert(key, &line, self.position, next_height, self.context, work));
        }
        Some(line)
    }

    /// Applies the word cuts of lines from the cache to `clusters`. For this purpose, the lines are filled again. If a line cuts
    /// a word at its end, the two parts of the word are shaped separately.
    fn apply_cached_cuts(&mut self) {
        let known = std::mem::take(&mut self.unapplied_slots);
        if known.is_empty() {
            return;
        }
        self.position = self.applied_position;
        for slot in known {
            let filled = self.fill_line(slot);
            self.advance(&filled);
        }
        self.applied_position = self.position;
    }

    /// Returns the estimated height of the next line in points. The caller needs it to choose the slot of the line. The
    /// estimate uses only the first cluster, because taller letters or pictures later in the line are known only after the line
    /// is laid out.
    pub(crate) fn next_height(&self) -> f32 {
        if let Some(height) = self.next_height {
            return height;
        }
        let index = self.cluster_at(self.position.byte);
        let extent = match self.clusters.get(index) {
            Some(_) => self.extent_of_clusters(index..index + 1, None),
            None => LineExtent { all: self.shaped.mark_extent, text: self.shaped.mark_extent },
        };
        height::line_height(extent, &self.paragraph.properties, self.context.line_pitch).height
    }

    /// Returns true if the next line in this slot would begin with a word that is too wide for the slot, so that the word would
    /// be cut.
    pub(crate) fn next_line_cuts_word(&mut self, slot: LineSlot) -> bool {
        if self.position.is_after_last_line {
            return false;
        }
        self.context.fonts.meter().spend(LINE_WORK);
        self.apply_cached_cuts();
        self.shape_sides_separately(self.position.byte);
        self.fill_until(slot, usize::MAX).cuts_word
    }

    /// Returns the current position in the paragraph. A caller can return to this position with [`Self::rewind`] and break the
    /// lines again, for example on another page or with another width.
    pub fn position(&self) -> LineStart {
        self.position
    }

    /// Moves back to a position that [`Self::position`] returned.
    pub fn rewind(&mut self, start: LineStart) {
        self.clusters = Rc::clone(&self.shaped.clusters);
        self.unapplied_slots.clear();
        (self.position, self.applied_position, self.previous_line, self.next_height) = (start, start, None, None);
    }

    fn tab_stops(&self, column_width: f32) -> TabStopResolver<'_> {
        TabStopResolver { paragraph: self.paragraph, settings: self.context.settings, column_width }
    }

    fn cluster_at(&self, byte: usize) -> usize {
        self.clusters.index_at(byte).min(self.clusters.len())
    }

    /// Returns the start and end position of the text of the next line.
    fn text_bounds(&self, slot: LineSlot) -> TextBounds {
        let properties = &self.paragraph.properties;
        let column = finite_or_zero(slot.column_width).clamp(0.0, 100_000.0);
        let (left, width) = (finite_or_zero(slot.left), finite_or_zero(slot.width).max(0.0));
        let (from, to) = if properties.bidi { (column - left - width, column - left) } else { (left, left + width) };
        let first = if self.position.line_index == 0 { finite_or_zero(properties.indent.first_line) } else { 0.0 };
        let wrapped =
            self.display_formula_at(self.cluster_at(self.position.byte)).is_some_and(|piece| piece.allows_break_before);
        let wrapped = if wrapped { self.context.settings.formula_wrap_indent.min(column / 4.0) } else { 0.0 };
        let indented = finite_or_zero(properties.indent.start) + first + wrapped;
        // Text beside a floating object begins at the edge of the free space or after it. Without a floating object, a negative
        // indent may move the text into the margin.
        let start = if from > 0.01 { indented.max(from) } else { indented };
        let end = (column - finite_or_zero(properties.indent.end)).min(if to < column - 0.01 { to } else { f32::MAX });
        TextBounds { start, end }
    }

    /// Fills the next line. If the line ends inside a word, the word is cut there and its parts are shaped separately.
    fn fill_line(&mut self, slot: LineSlot) -> FilledLine {
        self.shape_sides_separately(self.position.byte);
        let mut until = usize::MAX;
        let mut filled = self.fill_until(slot, until);
        // A cut inside a word of joined letters changes shapes and widths, so the line is filled again with the new widths. If
        // the line then ends earlier, the letters at the former cut are joined again.
        for _ in 0..MAX_REFILLS {
            if filled.end != LineEnd::Wrapped {
                break;
            }
            let end = self.clusters.start(filled.clusters.end);
            let mended = end < until && until != usize::MAX && self.shape_sides_together(until);
            if !self.shape_sides_separately(end) && !mended {
                break;
            }
            until = end;
            filled = self.fill_until(slot, until);
        }
        filled
    }

    /// Fills the next line. It ends at the byte offset `until` of the text at the latest.
    fn fill_until(&self, slot: LineSlot, until: usize) -> FilledLine {
        let TextBounds { start, end: edge } = self.text_bounds(slot);
        let room = LineBreaker {
            source: &self.shaped.source,
            clusters: &self.clusters,
            first_cluster: self.cluster_at(self.position.byte),
            stops: self.tab_stops(slot.column_width),
            start: if self.position.line_index == 0 { start - self.label_shift() } else { start },
            edge,
            max_end_byte: until,
            decimal_separator: self.decimal_separator(),
            hyphenation_zone: self.hyphenation_zone(),
            may_shrink_spaces: self.may_shrink_spaces(),
            may_compress_punctuation: self.context.settings.compress_punctuation,
            hyphen_width: &|index| self.hyphen_width(index),
        };
        room.fill_line()
    }

    /// Returns true if the spaces of the paragraph may shrink to fit one more word. Word shrinks them in justified
    /// paragraphs since compatibility mode 15 (Word 2013).
    fn may_shrink_spaces(&self) -> bool {
        self.paragraph.properties.alignment == Alignment::Both && self.context.settings.compatibility_mode >= 15
    }

    /// Returns the hyphenation zone in points. Returns `None` if the next line must not end in an automatic hyphen, because the
    /// lines before it have reached the limit of consecutive hyphens (§17.15.1.22 w:consecutiveHyphenLimit).
    fn hyphenation_zone(&self) -> Option<f32> {
        let settings = self.context.settings;
        let limit = if settings.consecutive_hyphen_limit == 0 { u32::MAX } else { settings.consecutive_hyphen_limit };
        (self.position.consecutive_hyphens < limit).then(|| finite_or_zero(settings.hyphenation_zone).max(0.0))
    }

    /// Shapes the two parts of a cut word separately, if they were shaped together before. The cut is at this byte offset.
    /// Returns true if the shapes changed.
    fn shape_sides_separately(&mut self, byte: usize) -> bool {
        let index = self.cluster_at(byte);
        if self.clusters.get(index).is_none_or(|cluster| !cluster.unsafe_to_break) {
            return false;
        }
        if Rc::ptr_eq(&self.clusters, &self.shaped.clusters) {
            self.context.fonts.meter().spend(self.clusters.list.len() / 16);
        }
        let from = self.reshape_start(index);
        Rc::make_mut(&mut self.clusters).shape_sides_separately(index, from, &self.shaped.source, self.context.fonts)
    }

    /// Shapes the two parts of a word as one word again, after the cut between them was removed. The cut was at this byte offset.
    /// Returns true if the shapes changed.
    fn shape_sides_together(&mut self, byte: usize) -> bool {
        let index = self.cluster_at(byte);
        let from = self.reshape_start(index);
        Rc::make_mut(&mut self.clusters).shape_sides_together(index, from, &self.shaped.source, self.context.fonts)
    }

    /// Returns the first cluster that may be shaped again because a word is cut at the cluster `index`. Clusters of earlier
    /// lines are never shaped again.
    fn reshape_start(&self, index: usize) -> usize {
        Some(self.cluster_at(self.position.byte)).filter(|start| *start < index).unwrap_or_default()
    }

    /// Returns the distance in points by which the label begins before the indent of the first line. It is 0 unless the
    /// label is centred or right-aligned (w:lvlJc).
    fn label_shift(&self) -> f32 {
        let Some(label) = &self.paragraph.label else { return 0.0 };
        let fraction = match label.alignment {
            Justification::Start => return 0.0,
            Justification::Center => 0.5,
            Justification::End => 1.0,
        };
        let end = self.cluster_at(self.shaped.source.label_text_end);
        (0..end).filter_map(|index| self.clusters.get(index)).map(|cluster| cluster.advance).sum::<f32>() * fraction
    }

    /// Returns the decimal separator in the language of the paragraph. Decimal tabs align numbers at this character.
    fn decimal_separator(&self) -> char {
        let language = self.paragraph.mark.language.latin.as_deref().unwrap_or_default();
        let comma = ["fr", "de", "es", "it", "nl", "pt", "pl", "ru", "tr", "sv", "da", "nb", "fi", "cs", "el", "id"];
        let primary = language.split('-').next().unwrap_or_default();
        if comma.contains(&primary) { ',' } else { '.' }
    }

    /// Returns the width of the hyphen that is drawn if the line ends before the cluster `index`.
    fn hyphen_width(&self, index: usize) -> f32 {
        index.checked_sub(1).map_or(0.0, |last| self.short_text_width(last, "-"))
    }

    /// Returns the width of a short text in the formatting of a cluster, or 0 if the font of the cluster lacks a character.
    fn short_text_width(&self, index: usize, text: &str) -> f32 {
        let has_all_characters = |face| text.chars().all(|c| self.context.fonts.covers(face, c));
        let item = self.clusters.get(index).and_then(|cluster| self.clusters.item(cluster));
        let Some(item) = item.filter(|item| has_all_characters(item.face_choice.face)) else { return 0.0 };
        let Some(span) = self.shaped.source.spans.get(item.span) else { return 0.0 };
        short_text_glyphs(self.context, item, &span.run, text).iter().map(|glyph| glyph.advance).sum()
    }

    /// Moves to the start of the next line.
    fn advance(&mut self, filled: &FilledLine) {
        self.position.byte = self.clusters.start(filled.clusters.end);
        self.position.line_index += 1;
        self.position.consecutive_hyphens =
            if filled.has_automatic_hyphen { self.position.consecutive_hyphens + 1 } else { 0 };
        self.position.is_after_last_line = filled.end != LineEnd::Wrapped && self.is_last(filled);
    }

    /// Returns true if this is the last line of the paragraph. If the text ends with a line break, an empty line follows as in
    /// Word, so this line is not the last. If the text ends with a page or column break, only the paragraph mark follows. The
    /// mark gets a line only if drawings are anchored there. These drawings and the mark are then on the next page.
    fn is_last(&self, filled: &FilledLine) -> bool {
        let all = filled.clusters.end >= self.clusters.len();
        all && match filled.end {
            LineEnd::Break(Break::Line | Break::LineClear) => false,
            LineEnd::Break(Break::Page | Break::Column) => {
                let end = self.clusters.start(filled.clusters.end);
                let anchored = |placed: &PlacedMarker| placed.byte >= end && matches!(placed.marker, Marker::Anchor(_));
                !self.shaped.source.markers.iter().any(anchored)
            }
            LineEnd::Wrapped | LineEnd::Paragraph => true,
        }
    }

    /// Returns the extent of a line. `mark` is the extent of the paragraph mark, or `None` if the line does not contain the
    /// mark. In a line with text, the mark increases only the descent, as in Word (measured with marks of 11 and 12 points at
    /// the end of lines of 8 points). A line that contains only pictures has no text extent.
    fn extent_of_clusters(&self, clusters: std::ops::Range<usize>, mark: Option<Extent>) -> LineExtent {
        let mut drawings = false;
        let mut last = u32::MAX;
        let breaks = clusters.len() > 1;
        let is_invisible = |cluster: &Cluster| self.is_blank(cluster) || matches!(cluster.kind, ClusterKind::Break(_));
        let line = self.clusters.list.get(clusters).unwrap_or_default();
        let only_blanks = line.iter().all(is_invisible);
        let mark = mark.map(|mark| if only_blanks { mark } else { Extent { ascent: 0.0, ..mark } });
        let (mut all, mut text) = (mark.unwrap_or_default(), Extent::default());
        for cluster in line {
            // In Word, spaces and tabs do not affect the height of a line that has visible content or the paragraph mark.
            // Breaks do not affect the height of a line with text.
            let blank = (!only_blanks || mark.is_some()) && self.is_blank(cluster);
            let is_ignored = blank || breaks && matches!(cluster.kind, ClusterKind::Break(_));
            if is_ignored || cluster.item == last {
                continue;
            }
            last = cluster.item;
            let Some(item) = self.clusters.item(cluster) else { continue };
            let extent = match self.shaped.source.spans.get(item.span).map(|span| &span.kind) {
                Some(SpanKind::Object(drawing)) => {
                    let height = clamp_size(drawing.height);
                    all.include(Extent { ascent: height, descent: 0.0 }.moved_up(item.raise));
                    if !matches!(drawing.placement, Placement::Rule(_)) {
                        drawings = true;
                        continue;
                    }
                    // A line with a horizontal rule is at least as high as a line of text. This follows from the page starts of
                    // Word after rules.
                    Extent::of_item(item)
                }
                Some(SpanKind::RubyEnd) => continue,
                Some(SpanKind::RubyText(reading)) => reading.extent.moved_up(item.raise),
                Some(SpanKind::Formula(piece)) => {
                    Extent { ascent: piece.content.ascent, descent: piece.content.descent }.moved_up(item.raise)
                }
                _ => Extent::of_item(item),
            };
            all.include(extent);
            text.include(extent);
        }
        if text == Extent::default() {
            if !drawings {
                text = self.shaped.mark_extent;
            }
        } else if let Some(mark) = mark {
            text.include(mark);
        }
        LineExtent { all, text }
    }

    /// Lays out a line whose clusters are already chosen.
    fn lay_out_line(&self, filled: &FilledLine, slot: LineSlot) -> Line {
        let mark = (filled.end == LineEnd::Paragraph).then_some(self.shaped.mark_extent);
        let extent = self.extent_of_clusters(filled.clusters.clone(), mark);
        let properties = &self.paragraph.properties;
        let height::LineHeight { height, baseline, spacing_below } =
            height::line_height(extent, properties, self.context.line_pitch);
        let TextBounds { start, end: edge } = self.text_bounds(slot);
        let first = self.position.line_index == 0;
        let LineAlignment { alignment, group_width } = self.alignment(filled);
        let tatweel = |index: usize| self.short_text_width(index, TATWEEL);
        let placer = SegmentPlacer {
            source: &self.shaped.source,
            clusters: &self.clusters,
            direction_edges: &self.shaped.direction_edges,
            alignment,
            right_to_left: properties.bidi,
            do_not_expand_shift_return: self.context.settings.do_not_expand_shift_return,
            column_width: finite_or_zero(slot.column_width),
            body_start: if first { self.cluster_at(self.shaped.source.label_end) } else { 0 },
            start: if first { start - self.label_shift() } else { start },
            edge,
            group_width,
            tatweel_width: &tatweel,
        };
        let PlacedSegments { segments, added_widths } = placer.segments(filled);
        let column = placer.column_width;
        let text_edges = if properties.bidi {
            HorizontalExtent { left: column - edge, right: column - start }
        } else {
            HorizontalExtent { left: start, right: edge }
        };
        let mut line = Line { height, baseline, spacing_below, end: filled.end, ..Line::default() };
        let painter = Painter {
            context: self.context,
            paragraph: self.paragraph,
            source: &self.shaped.source,
            clusters: &self.clusters,
            added_widths,
            baseline,
            height,
            text_edges,
        };
        painter.paint(&segments, &mut line);
        let last = self.is_last(filled);
        let end = if last { usize::MAX } else { self.clusters.start(filled.clusters.end) };
        painter.add_markers(self.position.byte..end, &segments, &mut line);
        painter.add_value_areas(self.position.byte..end, &segments, &mut line);
        line.has_tracked_change |= last && self.paragraph.mark.revision.is_some();
        self.add_bar_tabs(&mut line, column);
        line
    }

    /// Returns the part of a displayed formula that the cluster `index` represents, or `None` for any other cluster.
    fn display_formula_at(&self, index: usize) -> Option<&FormulaFragment> {
        match &self.clusters.span(self.clusters.get(index)?, &self.shaped.source)?.kind {
            SpanKind::Formula(piece) if piece.display.is_some() => Some(piece),
            _ => None,
        }
    }

    /// Returns the alignment of a line. A displayed formula has its own alignment. A displayed formula that is too long for one
    /// line is aligned to the start.
    fn alignment(&self, filled: &FilledLine) -> LineAlignment {
        let own = LineAlignment { alignment: self.paragraph.properties.alignment, group_width: None };
        let Some(piece) = filled.clusters.clone().find_map(|index| self.display_formula_at(index)) else {
            return own;
        };
        let Some(display) = piece.display else { return own };
        if piece.allows_break_before || filled.end == LineEnd::Wrapped {
            return LineAlignment { alignment: Alignment::Start, group_width: None };
        }
        let alignment = match display.alignment {
            MathAlignment::Start => Alignment::Start,
            MathAlignment::End => Alignment::End,
            MathAlignment::Center | MathAlignment::CenterAsGroup => Alignment::Center,
        };
        LineAlignment { alignment, group_width: display.group_width }
    }

    /// Returns true for tabs and for the spaces that do not affect the line height in Word. No-break spaces and other space
    /// characters affect the line height like letters.
    fn is_blank(&self, cluster: &Cluster) -> bool {
        let text = self.shaped.source.text.get(cluster.start as usize..).unwrap_or_default();
        cluster.kind == ClusterKind::Tab || text.starts_with([' ', '\u{2002}', '\u{2003}', '\u{2005}', '\u{3000}'])
    }

    /// Returns the widths of the paragraph, including its indents. They determine the widths of auto-fit columns of tables.
    pub fn content_widths(&self) -> ContentWidths {
        let indent = &self.paragraph.properties.indent;
        let (start, end) = (finite_or_zero(indent.start), finite_or_zero(indent.end));
        let first = start + finite_or_zero(indent.first_line);
        let stops = self.tab_stops(f32::MAX / 4.0);
        let (mut longest, mut widest, mut solid, mut text) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
        let (mut unbreakable_width, mut x, mut spaces) = (0.0_f32, first, 0.0_f32);
        for index in 0..self.clusters.len() {
            let Some(cluster) = self.clusters.get(index) else { break };
            if !matches!(cluster.break_before, BreakBefore::No | BreakBefore::Syllable) {
                longest = longest.max(unbreakable_width);
                unbreakable_width = 0.0;
            }
            match cluster.kind {
                ClusterKind::Break(_) => {
                    widest = widest.max(x);
                    (x, spaces) = (start, 0.0);
                }
                ClusterKind::Space => spaces += cluster.advance,
                ClusterKind::Tab => {
                    let to = stops.next_stop(x + spaces, false).position;
                    unbreakable_width += (to - x).clamp(0.0, 720.0);
                    (x, spaces) = (to, 0.0);
                }
                ClusterKind::Text | ClusterKind::Object => {
                    x += std::mem::take(&mut spaces) + cluster.advance;
                    text = text.max(x);
                    unbreakable_width += cluster.advance;
                    if cluster.kind == ClusterKind::Object {
                        solid = solid.max(cluster.advance);
                    }
                }
            }
        }
        let indents = start.max(first).max(0.0) + end.max(0.0);
        ContentWidths {
            min_content: longest.max(unbreakable_width) + indents,
            max_content: widest.max(x) + end.max(0.0),
            max_content_without_tabs: text + end.max(0.0),
            widest_object: if solid > 0.0 { solid + indents } else { 0.0 },
        }
    }

    /// Adds the vertical lines of the paragraph's bar tabs to a line. They cross every line of the paragraph (§17.18.84).
    fn add_bar_tabs(&self, line: &mut Line, column: f32) {
        for tab in self.paragraph.properties.tabs.iter().filter(|tab| tab.kind == TabKind::Bar).take(64) {
            let position = finite_or_zero(tab.position);
            let x = if self.paragraph.properties.bidi { column - position } else { position };
            let path = vec![PathCommand::Move(x, 0.0), PathCommand::Line(x, line.height)];
            let color = crate::page::Rgb(0, 0, 0);
            line.items.push(TaggedItem { item: PageItem::Stroke(StrokePath::solid(path, color, 0.5)), element: None });
        }
    }
}

/// Shapes the text of a paragraph. `is_cached` is true if the lines of the paragraph will be cached.
fn shape_paragraph(
    mut source: ParagraphSource,
    look: FormattingKey,
    paragraph: &Paragraph,
    context: &Context<'_>,
    is_cached: bool,
) -> ShapedParagraph {
    let before = context.fonts.meter().work();
    let directions = bidi::resolve_directions(&source, &paragraph.properties);
    let levels = directions.as_ref().map(|directions| &*directions.levels);
    let shape_source = |source: &ParagraphSource| {
        Clusters::new(source, itemize::itemize(source, levels, context.fonts), context.fonts)
    };
    let mut clusters = shape_source(&source);
    let ruby_spacing = ruby::lay_out_rubies(&mut source, &clusters, paragraph, context);
    if let Some(trims) = fit::apply_fit(&mut source, &clusters) {
        clusters = shape_source(&source);
        clusters.change_widths(&trims);
    }
    clusters.change_widths(&ruby_spacing);
    let spacing = east_asian::extra_spacing(&source, &clusters.items, paragraph.properties.east_asian_spacing);
    clusters.change_widths(&spacing);
    if context.settings.compress_punctuation {
        clusters.change_widths(&east_asian::punctuation_compression(&source, &clusters));
    }
    if !paragraph.properties.suppress_auto_hyphens {
        clusters.mark_hyphenation_points(&hyphenate::hyphenation_points(&source, context.settings));
    }
    if !ruby_spacing.is_empty() {
        clusters.forbid_breaks_in_ruby_bases(&source);
    }
    let mark = itemize::mark_extent(&paragraph.mark, context.fonts);
    let edges = directions.map(|directions| directions.edges).unwrap_or_default();
    let work = usize::try_from(context.fonts.meter().work().saturating_sub(before)).unwrap_or(usize::MAX);
    let lines = is_cached.then(RefCell::default);
    ShapedParagraph {
        source,
        clusters: Rc::new(clusters),
        direction_edges: edges,
        mark_extent: mark,
        formatting: look,
        work,
        cached_lines: lines,
        last_used: Cell::default(),
    }
}

/// A text laid out on one line.
#[derive(Default)]
pub(crate) struct SingleLineText {
    /// The glyphs, from x = 0 and with the baseline at y = 0.
    pub runs: Vec<GlyphRun>,
    /// The width in points.
    pub width: f32,
}

/// Lays out a short text in one font on one line (labels of boxes, separators, line numbers). The order of letters follows the
/// text's own direction.
pub(crate) fn single_line(context: &Context<'_>, text: &str, run: &RunProperties) -> SingleLineText {
    let run = Arc::new(run.clone());
    let content = Content::Text(text.chars().filter(|c| !c.is_control()).collect());
    let inlines = vec![Inline { content, run: Arc::clone(&run), link: None }];
    let paragraph = Paragraph { mark: run, inlines, ..Paragraph::default() };
    let mut lines = ParagraphLines::new(&paragraph, context);
    let Some(line) = lines.next_line(LineSlot::whole_column(100_000.0)) else { return SingleLineText::default() };
    let glyphs = |placed: TaggedItem| match placed.item {
        PageItem::Glyphs(run) => Some(GlyphRun { y: run.y - line.baseline, ..run }),
        _ => None,
    };
    let runs: Vec<GlyphRun> = line.items.into_iter().filter_map(glyphs).collect();
    let end = |run: &GlyphRun| run.x + run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>();
    let width = runs.iter().map(end).fold(0.0, f32::max);
    SingleLineText { runs, width }
}

/// Returns the ascent and descent of a line of text with this formatting.
pub(crate) fn line_extent(context: &Context<'_>, run: &RunProperties) -> Extent {
    itemize::mark_extent(run, context.fonts)
}
