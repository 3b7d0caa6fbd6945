//! First-fit line breaking: adds clusters to a line until it is full, and measures its tabs.

use std::ops::Range;

use waraq_docx::tree::{TabKind, TabLeader};

use super::east_asian::{CLOSING, OPENING};
use super::line::LineEnd;
use super::source::{BreakBefore, Cluster, ClusterKind, Clusters, ParagraphSource, SpanKind};
use super::tabs::{ResolvedTabStop, TabStopResolver};

/// The clusters of a line and the widths of its tabs. Positions are in points from the column's leading edge.
#[derive(Debug, Clone, Default)]
pub(super) struct FilledLine {
    pub clusters: Range<usize>,
    /// Index of the cluster after the last visible one. The spaces and breaks from this index to the end of the line hang
    /// beyond the edge.
    pub content_end: usize,
    /// Width of the text in points. It includes tabs, but not the spaces that hang beyond the edge.
    pub width: f32,
    pub tabs: Vec<TabWidth>,
    /// Width in points of the hyphen that is drawn at the line end, or `None` without a hyphen.
    pub hyphen_width: Option<f32>,
    /// True if the hyphen is automatic, false if it is a soft hyphen in the text.
    pub has_automatic_hyphen: bool,
    /// True if the line ends inside a word without a break opportunity.
    pub cuts_word: bool,
    /// Clusters that become narrower because their punctuation is compressed. Each has the change in its width, which is
    /// negative.
    pub compressed: Vec<CompressedCluster>,
    pub end: LineEnd,
}

/// A cluster whose punctuation is compressed.
#[derive(Debug, Clone, Copy)]
pub(super) struct CompressedCluster {
    /// Index of the cluster.
    pub cluster: usize,
    /// Change of the cluster's width in points, which is negative.
    pub change: f32,
}

/// A cluster whose punctuation may be compressed.
struct CompressibleCluster {
    /// Index of the cluster.
    cluster: usize,
    /// Width in points that the cluster can lose.
    width: f32,
}

/// The smallest and the largest advance of the letters of a line, in points.
struct AdvanceRange {
    /// The smallest advance.
    smallest: f32,
    /// The largest advance.
    largest: f32,
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
    /// Position at which the text of the line starts, in points from the column's leading edge.
    pub start: f32,
    /// Position at which the available space ends, in points from the column's leading edge.
    pub edge: f32,
    /// Byte offset in the text at which the line must end at the latest.
    pub max_end_byte: usize,
    /// The decimal separator of the paragraph's language.
    pub decimal_separator: char,
    /// The hyphenation zone in points (§17.15.1.53 w:hyphenationZone). A word is hyphenated only if the gap at the end of the
    /// line would otherwise be larger than this zone. `None` if words are not hyphenated, or if the limit of consecutive hyphens
    /// is reached.
    pub hyphenation_zone: Option<f32>,
    /// True if the line is justified and its spaces may shrink to fit one more word.
    pub may_shrink_spaces: bool,
    /// True if East Asian punctuation may be compressed to fit one more letter.
    pub may_compress_punctuation: bool,
    /// A function that returns the width of the hyphen that is drawn if the line ends before the cluster with this index.
    pub hyphen_width: &'a dyn Fn(usize) -> f32,
}

/// Tolerance in points. A word that extends beyond the edge by at most this distance still fits. Word and LibreOffice measure
/// in device units, so their widths are rounded.
const FIT_TOLERANCE: f32 = 0.01;
/// Additional tolerance as a fraction of the line width, if all letters of the line have the same width. With letters of
/// different widths, the rounding errors of Word cancel out. With letters of one width they add up: 78 letters of Courier
/// New at 10 pt, in 468 pt, become 0.05 % narrower.
const MONOSPACE_TOLERANCE: f32 = 0.0005;
/// Two widths count as equal if their difference is smaller than this, in points.
const EQUAL_WIDTH_TOLERANCE: f32 = 0.001;

/// A tab whose width depends on the text after it: a centred, end-aligned or decimal tab.
struct PendingTab {
    cluster: usize,
    /// Position at which the tab starts, in points from the column's leading edge.
    from: f32,
    stop: ResolvedTabStop,
    /// Width in points of the text that was added to the line after the tab.
    text_width: f32,
    /// Width in points of the text between the tab and the decimal separator. `None` while no separator is found.
    integer_width: Option<f32>,
    /// True if the text after the tab is a number in a right-to-left paragraph.
    is_right_to_left_number: bool,
}

/// The positions and widths of a line while clusters are added to it.
struct LinePosition<'a> {
    breaker: &'a LineBreaker<'a>,
    /// Position at which the text ends, in points from the column's leading edge. A pending tab and the text after it are not
    /// included.
    x: f32,
    edge: f32,
    /// True if a tab stop beyond the edge of the line moved the edge outwards.
    is_extended: bool,
    pending_tab: Option<PendingTab>,
    tabs: Vec<TabWidth>,
    letter_advances: AdvanceRange,
}

impl<'a> LinePosition<'a> {
    fn new(room: &'a LineBreaker<'a>) -> Self {
        Self {
            breaker: room,
            x: room.start,
            edge: room.edge,
            is_extended: false,
            pending_tab: None,
            tabs: Vec::new(),
            letter_advances: AdvanceRange { smallest: f32::MAX, largest: 0.0 },
        }
    }

    /// Returns the position up to which text fits, including the tolerance.
    fn limit(&self) -> f32 {
        let even = self.letter_advances.largest - self.letter_advances.smallest < EQUAL_WIDTH_TOLERANCE;
        let share = if even { MONOSPACE_TOLERANCE } else { 0.0 };
        self.edge + (self.breaker.edge - self.breaker.start).clamp(0.0, 2_000.0) * share + FIT_TOLERANCE
    }

    /// Returns the end position that the text would have if the line ended here.
    fn extent(&self) -> f32 {
        match &self.pending_tab {
            Some(pending) => pending.from + pending.width() + pending.text_width,
            None => self.x,
        }
    }

    /// Computes the width of the pending tab, if there is one. The tab is then no longer pending.
    fn finish_pending_tab(&mut self) {
        if let Some(pending) = self.pending_tab.take() {
            let width = pending.width();
            self.x = pending.from + width + pending.text_width;
            self.tabs.push(TabWidth { cluster: pending.cluster, width, leader: pending.stop.leader });
        }
    }

    /// Adds a width at the end of the text, or at the end of the text after the pending tab.
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
            let AdvanceRange { smallest, largest } = &mut self.letter_advances;
            (*smallest, *largest) = (smallest.min(cluster.advance), largest.max(cluster.advance));
        }
        self.add_width(cluster.advance);
    }

    /// Adds a tab. `first` is true if the tab is the first cluster of the line. Returns false if the tab does not fit and
    /// belongs to the next line.
    fn add_tab(&mut self, index: usize, cluster: &Cluster, first: bool) -> bool {
        self.finish_pending_tab();
        let mut stop = self.breaker.tab_stop(cluster, self.x);
        if stop.position > self.limit() {
            if stop.kind != TabKind::Start {
                // The text at a centred, end-aligned or decimal stop may extend into the margin, because the author positioned
                // the stop there.
                self.edge = stop.position.max(self.breaker.column_edge());
                self.is_extended = true;
            } else if self.is_extended {
                // If such a stop made the line longer, a tab after the last stop ends at the edge of the line. Only the text
                // after the tab may move to the next line.
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
    /// Returns the current width of the tab in points. The width depends on the text that was already added after the tab.
    fn width(&self) -> f32 {
        let before = match self.stop.kind {
            TabKind::Start | TabKind::Bar => 0.0,
            TabKind::Center => self.text_width / 2.0,
            TabKind::End => self.text_width,
            // In a right-to-left paragraph, the fraction of a number is before the stop.
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
    /// Returns the position of the column's end, or of the line's end if a floating object limits the line.
    fn column_edge(&self) -> f32 {
        let column = self.stops.column_width;
        let beside_a_float = self.edge + self.stops.paragraph.properties.indent.end.max(0.0) < column - 1.0;
        if beside_a_float { self.edge } else { column }
    }

    /// Returns the tab stop for a tab that begins at `x`.
    fn tab_stop(&self, cluster: &Cluster, x: f32) -> ResolvedTabStop {
        match self.clusters.span(cluster, self.source).map(|span| &span.kind) {
            Some(SpanKind::Tab(Some(positioned))) => {
                let stop = self.stops.positioned_tab_stop(*positioned);
                // If the text already extends beyond the position of the stop, the tab has no width.
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

    /// Fills the line with clusters, and computes its width and the widths of its tabs.
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
        width += squeezed.iter().map(|cluster| cluster.change).sum::<f32>();
        FilledLine { content_end, width, tabs: pen.tabs, compressed: squeezed, ..line }
    }

    /// Returns a line that ends before the cluster `at`. Its widths are not computed yet.
    fn line_until(&self, at: usize, end: LineEnd) -> FilledLine {
        FilledLine { clusters: self.first_cluster..at, end, ..FilledLine::default() }
    }

    /// Returns the clusters of a line that would become narrower if their punctuation were compressed to half its width
    /// (§17.18.7 ST_CharacterSpacing).
    fn compressible(&self, line: Range<usize>) -> impl Iterator<Item = CompressibleCluster> + '_ {
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
            Some(CompressibleCluster { cluster: at, width: cluster.advance / 2.0 })
        })
    }

    /// Returns the change in width of each compressed punctuation mark, for a line that is `over` points too wide.
    fn compress(&self, line: Range<usize>, over: f32) -> Vec<CompressedCluster> {
        if !self.may_compress_punctuation || over <= 0.0 {
            return Vec::new();
        }
        let all: f32 = self.compressible(line.clone()).map(|cluster| cluster.width).sum();
        let share = (over / all.max(over)).min(1.0);
        let compressed = |CompressibleCluster { cluster, width }| CompressedCluster { cluster, change: -width * share };
        self.compressible(line).map(compressed).collect()
    }

    /// Returns the end of the line's content: the index after its last cluster that is not a trailing space or break.
    fn content_end(&self, end: usize) -> usize {
        let hangs = |index: &usize| {
            self.clusters.get(*index).is_some_and(|c| matches!(c.kind, ClusterKind::Space | ClusterKind::Break(_)))
        };
        (self.first_cluster..end).rev().take_while(hangs).last().unwrap_or(end)
    }

    /// Finds the end of the line. The caller must still compute the width and the tabs of the result.
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

    /// Ends the line before the cluster `at`, inside a word without a break opportunity. If spaces follow, they still hang at
    /// the end of this line.
    fn break_inside_word(&self, mut at: usize) -> FilledLine {
        while self.clusters.get(at).is_some_and(|cluster| cluster.kind == ClusterKind::Space) {
            at += 1;
        }
        let end = if at < self.clusters.len() { LineEnd::Wrapped } else { LineEnd::Paragraph };
        FilledLine { cuts_word: true, ..self.line_until(at, end) }
    }
}

/// The last break opportunity of each kind that fits into the line so far.
#[derive(Default)]
struct BreakCandidates {
    /// The last break after a space, a hyphen or similar.
    regular: Option<RegularBreak>,
    /// Index of the cluster after the last break between syllables. `None` if no such break follows the regular break.
    syllable: Option<usize>,
    /// Index of the cluster after the last slash at which the line may break.
    slash: Option<usize>,
}

/// A break after a space, a hyphen or similar.
#[derive(Clone, Copy)]
struct RegularBreak {
    /// Index of the cluster after the break.
    cluster: usize,
    /// True if the break is after a soft hyphen, which then becomes visible.
    after_soft_hyphen: bool,
    /// End position of the text before the break, in points from the leading edge of the column.
    text_end: f32,
}

impl BreakCandidates {
    /// Records the break opportunity before a cluster, if there is one and the hyphen that it needs fits into the line.
    fn record(&mut self, index: usize, cluster: &Cluster, pen: &LinePosition<'_>) {
        let fits = || pen.extent() + (pen.breaker.hyphen_width)(index) <= pen.limit();
        match cluster.break_before {
            BreakBefore::No => {}
            BreakBefore::Slash => self.slash = Some(index),
            BreakBefore::Syllable if pen.breaker.hyphenation_zone.is_some() && fits() => self.syllable = Some(index),
            BreakBefore::Hyphen if !fits() => {}
            BreakBefore::Syllable => {}
            kind @ (BreakBefore::Yes | BreakBefore::Hyphen) => {
                let after_soft_hyphen = kind == BreakBefore::Hyphen;
                self.regular = Some(RegularBreak { cluster: index, after_soft_hyphen, text_end: pen.extent() });
                self.syllable = None;
            }
        }
    }

    /// Ends a full line at its best break opportunity. `index` is the first cluster that does not fit. `room` has the inputs of
    /// line breaking.
    fn end_full_line(&self, index: usize, room: &LineBreaker<'_>) -> FilledLine {
        let gap = self.regular.map_or(f32::MAX, |regular| room.edge - regular.text_end);
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
            (Some(RegularBreak { cluster: at, after_soft_hyphen: true, .. }), _) => {
                FilledLine { hyphen_width: hyphen(at), ..room.line_until(at, LineEnd::Wrapped) }
            }
            (Some(RegularBreak { cluster: at, .. }), _) | (None, Some(at)) => room.line_until(at, LineEnd::Wrapped),
            (None, None) => room.break_inside_word(index),
        }
    }
}

/// Maximum reduction of the spaces of a justified line to fit one more word, as a fraction of their width, as in Word. ECMA-376
/// leaves this to the application. `MAX_SPACE_SHRINK` and `MAX_SHRINK_TO_GROWTH` were derived from 41 pages of Word that start
/// inside a justified paragraph, in five documents of compatibility mode 15. With both limits, 38 of these pages start at the
/// beginning of a line here too. Without shrinking, only 16 do. In modes 12 and 14, the spaces only grow, and 108 of 112 pages
/// match.
const MAX_SPACE_SHRINK: f32 = 0.25;
/// Maximum reduction of each space of a justified line to fit one more word. It is a fraction of the width by which the space
/// would grow if the line ended before that word.
const MAX_SHRINK_TO_GROWTH: f32 = 0.5;

/// Returns a line with one more word than fits. The spaces or the punctuation of the line will be made narrower later. Returns
/// `None` if they cannot be made narrow enough. `first_overflowing` is the index of the first cluster beyond the edge.
fn shrink_to_fit_word(
    first_overflowing: usize,
    pen: &LinePosition<'_>,
    places: &BreakCandidates,
) -> Option<FilledLine> {
    let (room, clusters) = (pen.breaker, pen.breaker.clusters);
    let RegularBreak { cluster: natural_end, after_soft_hyphen, text_end: natural } = places.regular?;
    if !(room.may_shrink_spaces || room.may_compress_punctuation)
        || after_soft_hyphen
        || pen.pending_tab.is_some()
        || pen.is_extended
    {
        return None;
    }
    // The spaces before the last tab are not made narrower.
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
        // Stop at a very long word, which would otherwise be scanned again for each of its lines.
        if extent > room.edge + (room.edge - room.start).max(0.0) {
            return None;
        }
    }
    let over = extent - room.edge;
    let (count, width) = spaces_before(ending.clusters.end);
    let (without, _) = spaces_before(natural_end);
    let fits = over <= width * MAX_SPACE_SHRINK;
    // If the line without the additional word has only one word, it has no spaces that could grow.
    let better = without == 0.0 || over / count <= (room.edge - natural) / without * MAX_SHRINK_TO_GROWTH;
    // Compression of the punctuation is sufficient on its own if it can make the line narrow enough.
    let punctuation = room.compressible(first..room.content_end(ending.clusters.end));
    let loose: f32 = punctuation.map(|cluster| cluster.width).sum();
    (room.may_shrink_spaces && fits && better || loose > 0.0 && over <= loose).then_some(ending)
}
