//! First-fit line breaking: adds clusters to a line until it is full, and measures its tabs.

use std::ops::Range;

use waraq_docx::tree::{TabKind, TabLeader};

use super::east_asian::{CLOSING, OPENING};
use super::line::LineEnd;
use super::source::{BreakBefore, Cluster, ClusterKind, Clusters, ParagraphSource, SpanKind};
use super::tabs::{ResolvedTabStop, TabStopResolver};

/// The clusters of a line and the widths of its tabs. Positions are measured from the column's leading edge.
#[derive(Debug, Clone, Default)]
pub(super) struct FilledLine {
    pub clusters: Range<usize>,
    /// Index of the cluster after the last visible one. The spaces and breaks from here to the end of the line hang beyond
    /// the edge.
    pub content_end: usize,
    /// Width of the text, including tabs but not hanging spaces.
    pub width: f32,
    pub tabs: Vec<TabWidth>,
    /// Width of the hyphen that is drawn at the line end, or `None` without a hyphen.
    pub hyphen_width: Option<f32>,
    /// True for an automatic hyphen, false for a soft hyphen in the text.
    pub has_automatic_hyphen: bool,
    /// True if the line ends inside a word without a break opportunity.
    pub cuts_word: bool,
    /// Clusters that become narrower because punctuation is compressed, each with its (negative) change in width.
    pub compressed: Vec<(usize, f32)>,
    pub end: LineEnd,
}

/// The computed width of a tab.
#[derive(Debug, Clone, Copy)]
pub(super) struct TabWidth {
    pub cluster: usize,
    pub width: f32,
    pub leader: TabLeader,
}

/// The inputs of line breaking for one line.
pub(super) struct LineBreaker<'a> {
    pub source: &'a ParagraphSource,
    pub clusters: &'a Clusters,
    /// Index of the line's first cluster.
    pub first_cluster: usize,
    pub stops: TabStopResolver<'a>,
    /// Start position of the line's text.
    pub start: f32,
    /// End position of the available space.
    pub edge: f32,
    /// Byte offset of the text at which the line ends at the latest.
    pub max_end_byte: usize,
    /// The decimal separator of the paragraph's language.
    pub decimal_separator: char,
    /// Maximum gap at the end of a line that is not hyphenated (§17.15.1.53 w:hyphenationZone). `None` if words are not
    /// hyphenated or the limit of consecutive hyphens is reached.
    pub hyphenation_zone: Option<f32>,
    /// True if the line is justified and its spaces may shrink to fit one more word.
    pub may_shrink_spaces: bool,
    /// True if East Asian punctuation may be compressed to fit one more letter.
    pub may_compress_punctuation: bool,
    /// Returns the width of the hyphen that is drawn if the line ends before this cluster.
    pub hyphen_width: &'a dyn Fn(usize) -> f32,
}

/// Tolerance in points: a word that ends this far beyond the edge still fits. Word and LibreOffice measure in device units,
/// so their widths are rounded.
const FIT_TOLERANCE: f32 = 0.01;
/// Additional tolerance as a fraction of the line width, if all letters of the line have the same width. With letters of
/// different widths, the rounding errors of Word cancel out. With letters of one width they add up: 78 letters of Courier
/// New at 10 pt, in 468 pt, become 0.05 % narrower.
const MONOSPACE_TOLERANCE: f32 = 0.0005;
/// Difference in points below which two widths are equal.
const EQUAL_WIDTH_TOLERANCE: f32 = 0.001;

/// A tab whose width depends on the text after it: a centred, end-aligned or decimal tab.
struct PendingTab {
    cluster: usize,
    /// Start position of the tab.
    from: f32,
    stop: ResolvedTabStop,
    /// Width of the text after the tab so far.
    text_width: f32,
    /// Width of the text between the tab and the decimal separator. `None` while no separator is found.
    integer_width: Option<f32>,
    /// True if the text after the tab is a number in a right-to-left paragraph.
    is_right_to_left_number: bool,
}

/// The positions and widths of a line while clusters are added to it.
struct LinePosition<'a> {
    breaker: &'a LineBreaker<'a>,
    /// End position of the text, without a pending tab and the text after it.
    x: f32,
    edge: f32,
    /// True if a tab stop beyond the edge extended the line.
    is_extended: bool,
    pending_tab: Option<PendingTab>,
    tabs: Vec<TabWidth>,
    /// The smallest and the largest advance of a letter in the line.
    letter_widths: (f32, f32),
}

impl<'a> LinePosition<'a> {
    fn new(room: &'a LineBreaker<'a>) -> Self {
        let (x, edge, letters) = (room.start, room.edge, (f32::MAX, 0.0));
        Self { breaker: room, x, edge, is_extended: false, pending_tab: None, tabs: Vec::new(), letter_widths: letters }
    }

    /// Returns the position up to which text fits, including the tolerance.
    fn limit(&self) -> f32 {
        let even = self.letter_widths.1 - self.letter_widths.0 < EQUAL_WIDTH_TOLERANCE;
        let share = if even { MONOSPACE_TOLERANCE } else { 0.0 };
        self.edge + (self.breaker.edge - self.breaker.start).clamp(0.0, 2_000.0) * share + FIT_TOLERANCE
    }

    /// Returns the end position of the text if the line ended here.
    fn extent(&self) -> f32 {
        match &self.pending_tab {
            Some(pending) => pending.from + pending.width() + pending.text_width,
            None => self.x,
        }
    }

    /// Computes the width of the pending tab, if there is one.
    fn finish_pending_tab(&mut self) {
        if let Some(pending) = self.pending_tab.take() {
            let width = pending.width();
            self.x = pending.from + width + pending.text_width;
            self.tabs.push(TabWidth { cluster: pending.cluster, width, leader: pending.stop.leader });
        }
    }

    /// Adds a width after the text.
    fn add_width(&mut self, width: f32) {
        match &mut self.pending_tab {
            Some(pending) => pending.text_width += width,
            None => self.x += width,
        }
    }

    /// Adds a cluster that is not a tab.
    fn add_cluster(&mut self, index: usize, cluster: &Cluster) {
        if let Some(pending) = &mut self.pending_tab
            && pending.stop.kind == TabKind::Decimal
        {
            let character = self.breaker.character(cluster);
            if index == pending.cluster + 1 {
                let right_to_left = self.breaker.stops.paragraph.properties.bidi;
                pending.is_right_to_left_number =
                    right_to_left && character.is_some_and(|c| c.is_numeric() || matches!(c, '-' | '+' | '('));
            }
            if pending.integer_width.is_none() && character.is_some_and(|c| self.breaker.is_decimal(c)) {
                pending.integer_width = Some(pending.text_width);
            }
        }
        if cluster.kind == ClusterKind::Text && cluster.advance > 0.0 {
            self.letter_widths = (self.letter_widths.0.min(cluster.advance), self.letter_widths.1.max(cluster.advance));
        }
        self.add_width(cluster.advance);
    }

    /// Adds a tab. Returns false if it does not fit and belongs to the next line.
    fn add_tab(&mut self, index: usize, cluster: &Cluster, first: bool) -> bool {
        self.finish_pending_tab();
        let mut stop = self.breaker.tab_stop(cluster, self.x);
        if stop.position > self.limit() {
            if stop.kind != TabKind::Start {
                // The text of such a stop may extend into the margin. The author positioned the stop there.
                self.edge = stop.position.max(self.breaker.column_edge());
                self.is_extended = true;
            } else if self.is_extended {
                // In a line that such a stop extended, a tab after the last stop ends at the edge. Only the text after the
                // tab may move to the next line.
                stop.position = self.x.max(self.edge);
            } else if !first {
                return false;
            } else {
                stop.position = self.x.max(self.breaker.edge);
            }
        }
        let from = self.x;
        self.pending_tab = Some(PendingTab {
            cluster: index,
            from,
            stop,
            text_width: 0.0,
            integer_width: None,
            is_right_to_left_number: false,
        });
        if stop.kind == TabKind::Start {
            self.finish_pending_tab();
        }
        true
    }
}

impl PendingTab {
    /// Returns the width of the tab for the text so far.
    fn width(&self) -> f32 {
        let before = match self.stop.kind {
            TabKind::Start | TabKind::Bar => 0.0,
            TabKind::Center => self.text_width / 2.0,
            TabKind::End => self.text_width,
            // In a right-to-left paragraph, the fraction is before the stop.
            TabKind::Decimal => match self.integer_width {
                Some(whole) if self.is_right_to_left_number => self.text_width - whole,
                None if self.is_right_to_left_number => 0.0,
                whole => whole.unwrap_or(self.text_width),
            },
        };
        (self.stop.position - self.from - before).max(0.0)
    }
}

impl LineBreaker<'_> {
    /// Returns the end of the column. If a floating object limits the line, returns the end of the line.
    fn column_edge(&self) -> f32 {
        let column = self.stops.column_width;
        let beside_a_float = self.edge + self.stops.paragraph.properties.indent.end.max(0.0) < column - 1.0;
        if beside_a_float { self.edge } else { column }
    }

    /// Returns the stop of a tab that begins at `x`.
    fn tab_stop(&self, cluster: &Cluster, x: f32) -> ResolvedTabStop {
        match self.clusters.span(cluster, self.source).map(|span| &span.kind) {
            Some(SpanKind::Tab(Some(positioned))) => {
                let stop = self.stops.positioned_tab_stop(*positioned);
                // If the text is already beyond the position, the tab has no width.
                ResolvedTabStop { position: stop.position.max(x), ..stop }
            }
            Some(SpanKind::LabelTab) => self.stops.next_stop(x, true),
            _ => self.stops.next_stop(x, false),
        }
    }

    fn character(&self, cluster: &Cluster) -> Option<char> {
        self.source.text.get(cluster.start as usize..)?.chars().next()
    }

    fn is_decimal(&self, character: char) -> bool {
        character == self.decimal_separator || character == '٫'
    }

    /// Fills the line.
    pub fn fill_line(&self) -> FilledLine {
        let line = self.find_end();
        let mut pen = LinePosition::new(self);
        let content_end = self.content_end(line.clusters.end);
        for index in self.first_cluster..content_end {
            let Some(cluster) = self.clusters.get(index) else { break };
            match cluster.kind {
                ClusterKind::Tab => {
                    pen.add_tab(index, cluster, true);
                }
                _ => pen.add_cluster(index, cluster),
            }
        }
        pen.finish_pending_tab();
        let mut width = pen.x - self.start + line.hyphen_width.unwrap_or(0.0);
        let first = pen.tabs.last().map_or(self.first_cluster, |tab| tab.cluster + 1);
        let squeezed = self.compress(first..content_end, width - (self.edge - self.start));
        width += squeezed.iter().map(|(_, change)| change).sum::<f32>();
        FilledLine { content_end, width, tabs: pen.tabs, compressed: squeezed, ..line }
    }

    /// Returns a line that ends before this cluster.
    fn line_until(&self, at: usize, end: LineEnd) -> FilledLine {
        FilledLine { clusters: self.first_cluster..at, end, ..FilledLine::default() }
    }

    /// Returns the clusters that become narrower when punctuation is compressed to half its width, each with the width in
    /// points that it can lose (§17.18.7 ST_CharacterSpacing).
    fn compressible(&self, line: Range<usize>) -> impl Iterator<Item = (usize, f32)> + '_ {
        let first = line.start;
        line.filter(|_| self.may_compress_punctuation).filter_map(move |index| {
            let cluster = self.clusters.get(index)?;
            let square = self.clusters.item(cluster)?.size;
            let character = self.character(cluster).filter(|c| !c.is_ascii() && cluster.advance > square * 0.9)?;
            let at = match character {
                _ if CLOSING.contains(character) => index,
                _ if OPENING.contains(character) => index.saturating_sub(1).max(first),
                _ => return None,
            };
            Some((at, cluster.advance / 2.0))
        })
    }

    /// Returns the changes in width of the punctuation of a line that is `over` points too wide.
    fn compress(&self, line: Range<usize>, over: f32) -> Vec<(usize, f32)> {
        if !self.may_compress_punctuation || over <= 0.0 {
            return Vec::new();
        }
        let all: f32 = self.compressible(line.clone()).map(|(_, width)| width).sum();
        let share = (over / all.max(over)).min(1.0);
        self.compressible(line).map(|(at, width)| (at, -width * share)).collect()
    }

    /// Returns the end of the line without trailing spaces and breaks.
    fn content_end(&self, end: usize) -> usize {
        let hangs = |index: &usize| {
            self.clusters.get(*index).is_some_and(|c| matches!(c.kind, ClusterKind::Space | ClusterKind::Break(_)))
        };
        (self.first_cluster..end).rev().take_while(hangs).last().unwrap_or(end)
    }

    /// Finds the end of the line. The caller computes its width and its tabs.
    fn find_end(&self) -> FilledLine {
        let (clusters, from) = (self.clusters, self.first_cluster);
        let mut pen = LinePosition::new(self);
        let mut candidates = BreakCandidates::default();
        // Spaces hang at the line end. Their width counts only if other content follows.
        let mut spaces = 0.0;
        for index in from..clusters.len() {
            let Some(cluster) = clusters.get(index) else { break };
            if index > from {
                candidates.record(index, cluster, &pen);
                if cluster.start as usize >= self.max_end_byte {
                    return candidates.end_full_line(index, self);
                }
            }
            match cluster.kind {
                ClusterKind::Break(kind) => return self.line_until(index + 1, LineEnd::Break(kind)),
                ClusterKind::Space => spaces += cluster.advance,
                ClusterKind::Tab => {
                    pen.add_width(std::mem::take(&mut spaces));
                    if !pen.add_tab(index, cluster, index == from) {
                        return candidates.end_full_line(index.max(from + 1), self);
                    }
                }
                ClusterKind::Text | ClusterKind::Object => {
                    pen.add_width(std::mem::take(&mut spaces));
                    pen.add_cluster(index, cluster);
                    if pen.extent() > pen.limit() {
                        return shrink_to_fit_word(index, &pen, &candidates)
                            .unwrap_or_else(|| candidates.end_full_line(index.max(from + 1), self));
                    }
                }
            }
        }
        self.line_until(clusters.len(), LineEnd::Paragraph)
    }

    /// Ends the line before this cluster, inside a word without a break opportunity. Spaces at this position still hang at
    /// the end of the line.
    fn break_inside_word(&self, mut at: usize) -> FilledLine {
        while self.clusters.get(at).is_some_and(|cluster| cluster.kind == ClusterKind::Space) {
            at += 1;
        }
        let end = if at < self.clusters.len() { LineEnd::Wrapped } else { LineEnd::Paragraph };
        FilledLine { cuts_word: true, ..self.line_until(at, end) }
    }
}

/// The last break opportunity of each kind that fits into the line.
#[derive(Default)]
struct BreakCandidates {
    /// The last regular break: its cluster, whether it is after a soft hyphen (which then becomes visible), and the end
    /// position of the text before it.
    regular: Option<(usize, bool, f32)>,
    /// The last break between syllables of the word after the regular break.
    syllable: Option<usize>,
    /// The last break after a slash.
    slash: Option<usize>,
}

impl BreakCandidates {
    /// Records the break opportunity before a cluster.
    fn record(&mut self, index: usize, cluster: &Cluster, pen: &LinePosition<'_>) {
        let fits = || pen.extent() + (pen.breaker.hyphen_width)(index) <= pen.limit();
        match cluster.break_before {
            BreakBefore::No => {}
            BreakBefore::Slash => self.slash = Some(index),
            BreakBefore::Syllable if pen.breaker.hyphenation_zone.is_some() && fits() => self.syllable = Some(index),
            BreakBefore::Hyphen if !fits() => {}
            BreakBefore::Syllable => {}
            kind @ (BreakBefore::Yes | BreakBefore::Hyphen) => {
                (self.regular, self.syllable) = (Some((index, kind == BreakBefore::Hyphen, pen.extent())), None);
            }
        }
    }

    /// Ends a line that is full. `index` is the first cluster that does not fit.
    fn end_full_line(&self, index: usize, room: &LineBreaker<'_>) -> FilledLine {
        let gap = self.regular.map_or(f32::MAX, |(_, _, extent)| room.edge - extent);
        let hyphen = |at| Some((room.hyphen_width)(at));
        if let Some(at) = self.syllable
            && room.hyphenation_zone.is_some_and(|zone| gap > zone)
        {
            return FilledLine {
                hyphen_width: hyphen(at),
                has_automatic_hyphen: true,
                ..room.line_until(at, LineEnd::Wrapped)
            };
        }
        match (self.regular, self.slash) {
            (Some((at, true, _)), _) => {
                FilledLine { hyphen_width: hyphen(at), ..room.line_until(at, LineEnd::Wrapped) }
            }
            (Some((at, false, _)), _) | (None, Some(at)) => room.line_until(at, LineEnd::Wrapped),
            (None, None) => room.break_inside_word(index),
        }
    }
}

/// Maximum reduction of the spaces of a justified line to fit one more word, as a fraction of their width, as in Word.
/// ECMA-376 leaves this to the application. The two limits come from 41 page starts of Word inside justified paragraphs, in
/// five documents of compatibility mode 15: with them, 38 of the page starts are line starts here; without shrinking, 16.
/// In modes 12 and 14 the spaces only grow; 108 of 112 page starts match.
const MAX_SPACE_SHRINK: f32 = 0.25;
/// Maximum reduction of each space, as a fraction of the width by which the space would grow if the line ended before the
/// word.
const MAX_SHRINK_TO_GROWTH: f32 = 0.5;

/// Returns a line with one word more than fits, or `None` if its spaces and punctuation cannot shrink enough. `first_overflowing` is the
/// first cluster beyond the edge.
fn shrink_to_fit_word(
    first_overflowing: usize,
    pen: &LinePosition<'_>,
    places: &BreakCandidates,
) -> Option<FilledLine> {
    let (room, clusters) = (pen.breaker, pen.breaker.clusters);
    let (natural_end, hyphen, natural) = places.regular?;
    if !(room.may_shrink_spaces || room.may_compress_punctuation)
        || hyphen
        || pen.pending_tab.is_some()
        || pen.is_extended
    {
        return None;
    }
    // Text before the last tab does not shrink.
    let first = pen.tabs.last().map_or(room.first_cluster, |tab| tab.cluster + 1);
    let spaces_before = |end: usize| {
        let text = first.min(end)..room.content_end(end);
        let spaces = text.filter_map(|index| clusters.get(index)).filter(|cluster| cluster.kind == ClusterKind::Space);
        spaces.fold((0.0_f32, 0.0), |(count, width), cluster| (count + 1.0, width + cluster.advance))
    };
    let mut extent = pen.extent();
    let mut hanging = 0.0;
    let mut ending = room.line_until(clusters.len(), LineEnd::Paragraph);
    for index in first_overflowing + 1..clusters.len() {
        let cluster = clusters.get(index)?;
        if let ClusterKind::Break(kind) = cluster.kind {
            ending = room.line_until(index + 1, LineEnd::Break(kind));
            break;
        }
        if cluster.break_before == BreakBefore::Yes || cluster.start as usize >= room.max_end_byte {
            ending = room.line_until(index, LineEnd::Wrapped);
            break;
        }
        match cluster.kind {
            ClusterKind::Space => hanging += cluster.advance,
            _ => extent += std::mem::take(&mut hanging) + cluster.advance,
        }
        // Stops at a very long word, which would otherwise be scanned once for each of its lines.
        if extent > room.edge + (room.edge - room.start).max(0.0) {
            return None;
        }
    }
    let over = extent - room.edge;
    let (count, width) = spaces_before(ending.clusters.end);
    let (without, _) = spaces_before(natural_end);
    let fits = over <= width * MAX_SPACE_SHRINK;
    // Without the extra word, a line of one word has no space that could grow.
    let better = without == 0.0 || over / count <= (room.edge - natural) / without * MAX_SHRINK_TO_GROWTH;
    // Compressed punctuation is sufficient on its own if it can lose the whole excess width.
    let loose: f32 = room.compressible(first..room.content_end(ending.clusters.end)).map(|(_, width)| width).sum();
    (room.may_shrink_spaces && fits && better || loose > 0.0 && over <= loose).then_some(ending)
}
