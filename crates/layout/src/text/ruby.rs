//! Ruby text above or beside its base (§17.3.3.25). If one of them is narrower, it takes as much space in the line as the wider
//! one.
//!
//! The base is part of the text of the paragraph, between two invisible objects. The first object holds the ruby text. If the
//! ruby text is wider than the base, the objects take up the difference.

use std::ops::Range;
use std::sync::Arc;

use unicode_script::{Script, UnicodeScript};
use waraq_docx::tree::{Content, FitText, Inline, Paragraph, ParagraphProperties, Ruby, RubyAlignment, RunProperties};

use super::Context;
use super::line::{Line, LineLink, LineSlot};
use super::lines::ParagraphLines;
use super::measure::finite_or_zero;
use super::paint::Painter;
use super::segments::Segment;
use super::source::{BreakBefore, Clusters, Extent, ParagraphSource, RubyLine, RubyText, SpanKind, WidthChange};
use crate::geometry::move_item;
use crate::page::DisplayItem as PageItem;

/// Width in points of the column in which ruby text is laid out. It is so large that the text has only one line.
const MAX_RUBY_WIDTH: f32 = 20_000.0;
/// Maximum number of letters of ruby text in a vertical stack.
const MAX_STACKED_LETTERS: usize = 100;
/// Height above the baseline at which ruby text is centred beside an empty base, in points.
const EMPTY_BASE_MIDDLE: f32 = 4.0;

/// Lays out the ruby texts of a paragraph. Widens each base that must be spread to the width of its ruby text. Returns the
/// changes in width of the two invisible objects around each base.
pub(super) fn lay_out_rubies(
    source: &mut ParagraphSource,
    clusters: &Clusters,
    paragraph: &Paragraph,
    context: &Context<'_>,
) -> Vec<WidthChange> {
    let mut added_widths = Vec::new();
    for RubyRange { ruby, spans } in ruby_ranges(source) {
        let (Some(first), Some(last)) = (source.spans.get(spans.start), source.spans.get(spans.end)) else { continue };
        let (bytes, inside) = (first.start..last.end, first.end..last.start);
        let inside = clusters.index_at(inside.start)..clusters.index_at(inside.end);
        let letters = clusters.list.get(inside).unwrap_or_default();
        let mut base = letters.iter().map(|cluster| cluster.advance).sum::<f32>();
        let item = |cluster| clusters.item(cluster);
        let reversed =
            clusters.get(clusters.index_at(bytes.start)).and_then(item).is_some_and(|item| item.level % 2 == 1);
        let middle = letters.first().and_then(item).map(Extent::of_item);
        let layout = RubyLayout { ruby: &ruby, paragraph, context };
        let mut reading = match ruby.alignment {
            RubyAlignment::Beside => layout.text_beside(middle),
            _ => layout.text_above(None),
        };
        let room = reading.width - base;
        if room < 0.0 {
            if let Some(width) = spread_width(ruby.alignment, reading.letter_count, reading.width, base) {
                reading = layout.text_above(Some(width));
            }
        } else if let Some(width) = spread_width(ruby.alignment, letters.len(), base, reading.width) {
            base = width;
            for span in source.spans.get_mut(spans.start + 1..spans.end).unwrap_or_default() {
                span.run = with_fit_width(&span.run, Some(width));
            }
        }
        let room = (reading.width - base).max(0.0);
        let (before, after) = match ruby.alignment {
            RubyAlignment::Left => (0.0, room),
            RubyAlignment::Right => (room, 0.0),
            // Ruby text beside its base needs space of its own, at the right of the base.
            RubyAlignment::Beside => (0.0, reading.width),
            _ => (room / 2.0, room / 2.0),
        };
        let (before, after) = if reversed { (after, before) } else { (before, after) };
        if let Some(first) = source.spans.get_mut(spans.start) {
            added_widths.push(WidthChange { end_byte: first.end, width: before });
            added_widths.push(WidthChange { end_byte: bytes.end, width: after });
            first.kind = SpanKind::RubyText(Arc::new(RubyText { base_bytes: bytes, ..reading }));
        }
    }
    added_widths
}

/// A ruby in the text of a paragraph.
struct RubyRange {
    /// The properties and the content of the ruby text.
    ruby: Arc<Ruby>,
    /// Indices of the ruby's spans, from the object before the base up to, but not including, the object after it.
    spans: Range<usize>,
}

/// Returns the rubies of a paragraph.
fn ruby_ranges(source: &ParagraphSource) -> Vec<RubyRange> {
    let mut units = Vec::new();
    let mut open = None;
    for (index, span) in source.spans.iter().enumerate() {
        match &span.kind {
            SpanKind::RubyStart(ruby) => open = Some((Arc::clone(ruby), index)),
            SpanKind::RubyEnd => {
                units.extend(open.take().map(|(ruby, start)| RubyRange { ruby, spans: start..index }));
            }
            _ => {}
        }
    }
    units
}

/// Returns the width in points to which the narrower text is spread, or `None` if it is not spread. The narrower text is the base
/// or the ruby text. `letters` is its number of letters, and `narrow` is its width. `wide` is the width of the wider text.
fn spread_width(alignment: RubyAlignment, letters: usize, narrow: f32, wide: f32) -> Option<f32> {
    match alignment {
        RubyAlignment::Distribute if letters > 1 => Some(wide),
        RubyAlignment::DistributeWithSpace if letters > 1 => Some(wide - (wide - narrow) / letters as f32),
        _ => None,
    }
}

/// Returns the run with w:fitText, so that its text gets this width. If `width` is `None`, the run does not change.
fn with_fit_width(run: &Arc<RunProperties>, width: Option<f32>) -> Arc<RunProperties> {
    match width {
        Some(width) if run.fit.is_none() => {
            let fit = Some(FitText { width, id: i64::MIN });
            Arc::new(RunProperties { fit, ..(**run).clone() })
        }
        _ => Arc::clone(run),
    }
}

/// The inputs for the layout of one ruby text.
struct RubyLayout<'a> {
    ruby: &'a Ruby,
    paragraph: &'a Paragraph,
    context: &'a Context<'a>,
}

impl RubyLayout<'_> {
    /// Lays out the ruby text in one line above the base. If `width` is given, the text is spread to this width.
    fn text_above(&self, width: Option<f32>) -> RubyText {
        let inlines = self.ruby.reading.iter().filter(|inline| is_ruby_content(inline));
        let inlines =
            inlines.map(|inline| Inline { run: with_fit_width(&inline.run, width), ..inline.clone() }).collect();
        let raise = finite_or_zero(self.ruby.raise).clamp(0.0, 1_638.0);
        let Some(line) = self.lay_out_line(inlines) else { return self.empty_text() };
        let (width, letter_count) = ((line.text_right - line.text_left).max(0.0), count_letters(&line));
        let extent = Extent { ascent: raise + line.baseline, descent: line.height - line.baseline - raise };
        let (x, y) = (-line.text_left, -raise - line.baseline);
        RubyText { lines: vec![RubyLine { line, x, y }], letter_count, width, extent, ..self.empty_text() }
    }

    /// Lays out the letters of the ruby text in a vertical stack, centred beside the middle of the base. `base` is the extent
    /// of the base, or `None` if the base is empty.
    fn text_beside(&self, base: Option<Extent>) -> RubyText {
        let mut lines = Vec::new();
        for inline in self.ruby.reading.iter().filter(|inline| is_ruby_content(inline)) {
            for letter in split_letters(inline) {
                if lines.len() < MAX_STACKED_LETTERS {
                    lines.extend(self.lay_out_line(vec![letter]).filter(|line| line.text_right > line.text_left));
                }
            }
        }
        let width = lines.iter().map(|line| line.text_right - line.text_left).fold(0.0, f32::max);
        let height: f32 = lines.iter().map(|line| line.height).sum();
        let middle = base.map_or(EMPTY_BASE_MIDDLE, |base| (base.ascent - base.descent) / 2.0);
        let mut top = -middle - height / 2.0;
        let place = |line: Line| {
            let y = top;
            top += line.height;
            let x = (width - (line.text_right - line.text_left)) / 2.0 - line.text_left;
            RubyLine { line, x, y }
        };
        let lines = lines.into_iter().map(place).collect();
        let extent = Extent { ascent: middle + height / 2.0, descent: height / 2.0 - middle };
        RubyText { lines, width, extent, ..self.empty_text() }
    }

    /// Returns an empty ruby text.
    fn empty_text(&self) -> RubyText {
        let alignment = self.ruby.alignment;
        RubyText {
            lines: Vec::new(),
            letter_count: 0,
            width: 0.0,
            extent: Extent::default(),
            alignment,
            base_bytes: 0..0,
        }
    }

    /// Lays out inlines on one line. Returns `None` if all of them are hidden.
    fn lay_out_line(&self, inlines: Vec<Inline>) -> Option<Line> {
        let mark = Arc::clone(&inlines.iter().find(|inline| !inline.run.hidden)?.run);
        let around = &self.paragraph.properties;
        let properties = ParagraphProperties {
            bidi: around.bidi,
            directions_from_letters: around.directions_from_letters,
            shading: around.shading,
            snap_to_grid: false,
            suppress_auto_hyphens: true,
            ..ParagraphProperties::default()
        };
        let paragraph = Paragraph { properties: Arc::new(properties), mark, inlines, ..Paragraph::default() };
        ParagraphLines::new(&paragraph, self.context).next_line(LineSlot::whole_column(MAX_RUBY_WIDTH))
    }
}

/// Returns true for content that ruby text can contain. Other content is left out.
fn is_ruby_content(inline: &Inline) -> bool {
    matches!(inline.content, Content::Text(_) | Content::Field { .. })
}

/// Splits an inline into letters, each with its combining marks. A field counts as a single letter.
fn split_letters(inline: &Inline) -> Vec<Inline> {
    let Content::Text(text) = &inline.content else { return vec![inline.clone()] };
    let mut letters: Vec<String> = Vec::new();
    for character in text.chars().take(MAX_STACKED_LETTERS * 4) {
        match letters.last_mut() {
            Some(letter) if character.script() == Script::Inherited => letter.push(character),
            _ => letters.push(character.into()),
        }
    }
    letters.into_iter().map(|letter| Inline { content: Content::Text(letter), ..inline.clone() }).collect()
}

/// Returns the number of letters in a line.
fn count_letters(line: &Line) -> usize {
    let of = |item: &PageItem| match item {
        PageItem::Glyphs(run) => run.glyphs.chunk_by(|one, next| one.range == next.range).count(),
        _ => 0,
    };
    line.items.iter().map(|placed| of(&placed.item)).sum()
}

impl Clusters {
    /// Removes the break opportunities inside ruby bases. A line may break before a base if it may break before the first
    /// letter of the base.
    pub fn forbid_breaks_in_ruby_bases(&mut self, source: &ParagraphSource) {
        for span in &source.spans {
            let SpanKind::RubyText(reading) = &span.kind else { continue };
            let unit = self.index_at(reading.base_bytes.start)..self.index_at(reading.base_bytes.end);
            let Some([start, base @ ..]) = self.list.get_mut(unit) else { continue };
            let before = base.first().map_or(BreakBefore::No, |letter| letter.break_before);
            let breaks = !matches!(before, BreakBefore::No | BreakBefore::Syllable);
            if breaks && start.start as usize > source.label_end && start.break_before == BreakBefore::No {
                start.break_before = before;
            }
            base.iter_mut().for_each(|cluster| cluster.break_before = BreakBefore::No);
        }
    }
}

/// A ruby text with its position in a line.
pub(super) struct PlacedRuby<'a> {
    /// Index of the segment after which the ruby text is painted.
    pub after_segment: usize,
    text: &'a RubyText,
    x: f32,
    /// The y coordinate of the baseline of the base text, in points. The ruby text is above or beside this text.
    y: f32,
}

impl Painter<'_> {
    /// Returns the ruby texts of a line from left to right.
    pub fn placed_rubies(&self, segments: &[Segment]) -> Vec<PlacedRuby<'_>> {
        let mut readings = Vec::new();
        for (at, segment) in segments.iter().enumerate() {
            let Some((item, span)) = self.item_and_span(segment) else { continue };
            let SpanKind::RubyText(reading) = &span.kind else { continue };
            // The segments of a ruby base are adjacent.
            let inside = |segment: &&Segment| reading.base_bytes.contains(&self.clusters.start(segment.clusters.start));
            let (before, from) = segments.split_at(at);
            let leftmost = before.iter().rev().take_while(inside).last().unwrap_or(segment);
            let count = from.iter().take_while(inside).count();
            let after = (at + count).saturating_sub(1);
            let rightmost = segments.get(after).unwrap_or(segment);
            let room = rightmost.x + rightmost.width - leftmost.x - reading.width;
            let shift = match reading.alignment {
                RubyAlignment::Left => 0.0,
                RubyAlignment::Right | RubyAlignment::Beside => room,
                _ => room / 2.0,
            };
            readings.push(PlacedRuby {
                after_segment: after,
                text: reading,
                x: leftmost.x + shift,
                y: self.baseline - item.raise,
            });
        }
        readings
    }
}

impl PlacedRuby<'_> {
    pub fn paint(&self, out: &mut Vec<PageItem>, line: &mut Line) {
        for placed in &self.text.lines {
            let (set, x, y) = (&placed.line, self.x + placed.x, self.y + placed.y);
            for placed in &set.items {
                let mut item = placed.item.clone();
                move_item(&mut item, x, y);
                out.push(item);
            }
            let moved = |link: &LineLink| LineLink { area: link.area.translated(x, y), target: link.target.clone() };
            line.links.extend(set.links.iter().map(moved));
            line.has_tracked_change |= set.has_tracked_change;
        }
    }
}
