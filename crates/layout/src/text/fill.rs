//! First-fit line breaking: adds clusters to a line until it is full, and measures its tabs.

use std::ops::Range;

use waraq_docx::tree::{TabKind, TabLeader};

use super::east_asian::{CLOSING, OPENING};
use super::line::LineEnd;
use super::source::{BreakBefore, Cluster, ClusterKind, Clusters, Source, SpanKind};
use super::tabs::{Stop, Stops};

/// The clusters of a line and the widths of its tabs. Positions are measured from the column's leading edge.
#[derive(Debug, Clone, Default)]
pub(super) struct Filled {
    pub clusters: Range<usize>,
    /// Index of the cluster after the last visible one. The spaces and breaks from here to the end of the line hang beyond
    /// the edge.
    pub content_end: usize,
    /// Width of the text, including tabs but not hanging spaces.
    pub width: f32,
    pub tabs: Vec<TabWidth>,
    /// Width of the hyphen that is drawn at the line end, or `None` without a hyphen.
    pub hyphen: Option<f32>,
    /// True for an automatic hyphen, false for a soft hyphen in the text.
    pub automatic: bool,
    /// True if the line ends inside a word without a break opportunity.
    pub cuts_word: bool,
    /// Clusters that become narrower because punctuation is compressed, each with its (negative) change in width.
    pub squeezed: Vec<(usize, f32)>,
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
pub(super) struct Room<'a> {
    pub source: &'a Source,
    pub clusters: &'a Clusters,
    /// Index of the line's first cluster.
    pub from: usize,
    pub stops: Stops<'a>,
    /// Start position of the line's text.
    pub start: f32,
    /// End position of the available space.
    pub edge: f32,
    /// Byte offset of the text at which the line ends at the latest.
    pub until: usize,
    /// The decimal separator of the paragraph's language.
    pub decimal: char,
    /// Maximum gap at the end of a line that is not hyphenated (§17.15.1.53 w:hyphenationZone). `None` if words are not
    /// hyphenated or the limit of consecutive hyphens is reached.
    pub hyphenation_zone: Option<f32>,
    /// True if the line is justified and its spaces may shrink to fit one more word.
    pub shrinks: bool,
    /// True if East Asian punctuation may be compressed to fit one more letter.
    pub compresses: bool,
    /// Returns the width of the hyphen that is drawn if the line ends before this cluster.
    pub hyphen_width: &'a dyn Fn(usize) -> f32,
}

/// Tolerance in points: a word that ends this far beyond the edge still fits. Word and LibreOffice measure in device units,
/// so their widths are rounded.
const SLACK: f32 = 0.01;
/// Additional tolerance as a fraction of the line width, if all letters of the line have the same width. With letters of
/// different widths, the rounding errors of Word cancel out. With letters of one width they add up: 78 letters of Courier
/// New at 10 pt, in 468 pt, become 0.05 % narrower.
const SLACK_SHARE_EVEN: f32 = 0.0005;
/// Difference in points below which two widths are equal.
const EVEN: f32 = 0.001;

/// A tab whose width depends on the text after it: a centred, end-aligned or decimal tab.
struct Pending {
    cluster: usize,
    /// Start position of the tab.
    from: f32,
    stop: Stop,
    /// Width of the text after the tab so far.
    text: f32,
    /// Width of the text between the tab and the decimal separator. `None` while no separator is found.
    whole: Option<f32>,
    /// True if the text after the tab is a number in a right-to-left paragraph.
    mirrored: bool,
}

/// The positions and widths of a line while clusters are added to it.
struct Pen<'a> {
    room: &'a Room<'a>,
    /// End position of the text, without a pending tab and the text after it.
    x: f32,
    edge: f32,
    /// True if a tab stop beyond the edge extended the line.
    widened: bool,
    pending: Option<Pending>,
    tabs: Vec<TabWidth>,
    /// The smallest and the largest advance of a letter in the line.
    letters: (f32, f32),
}

impl<'a> Pen<'a> {
    fn new(room: &'a Room<'a>) -> Self {
        let (x, edge, letters) = (room.start, room.edge, (f32::MAX, 0.0));
        Self { room, x, edge, widened: false, pending: None, tabs: Vec::new(), letters }
    }

    /// Returns the position up to which text fits, including the tolerance.
    fn limit(&self) -> f32 {
        let even = self.letters.1 - self.letters.0 < EVEN;
        let share = if even { SLACK_SHARE_EVEN } else { 0.0 };
        self.edge + (self.room.edge - self.room.start).clamp(0.0, 2_000.0) * share + SLACK
    }

    /// Returns the end position of the text if the line ended here.
    fn extent(&self) -> f32 {
        match &self.pending {
            Some(pending) => pending.from + pending.width() + pending.text,
            None => self.x,
        }
    }

    /// Computes the width of the pending tab, if there is one.
    fn settle(&mut self) {
        if let Some(pending) = self.pending.take() {
            let width = pending.width();
            self.x = pending.from + width + pending.text;
            self.tabs.push(TabWidth { cluster: pending.cluster, width, leader: pending.stop.leader });
        }
    }

    /// Adds a width after the text.
    fn add(&mut self, width: f32) {
        match &mut self.pending {
            Some(pending) => pending.text += width,
            None => self.x += width,
        }
    }

    /// Adds a cluster that is not a tab.
    fn text(&mut self, index: usize, cluster: &Cluster) {
        if let Some(pending) = &mut self.pending
            && pending.stop.kind == TabKind::Decimal
        {
            let character = self.room.character(cluster);
            if index == pending.cluster + 1 {
                let right_to_left = self.room.stops.paragraph.properties.bidi;
                pending.mirrored =
                    right_to_left && character.is_some_and(|c| c.is_numeric() || matches!(c, '-' | '+' | '('));
            }
            if pending.whole.is_none() && character.is_some_and(|c| self.room.is_decimal(c)) {
                pending.whole = Some(pending.text);
            }
        }
        if cluster.kind == ClusterKind::Text && cluster.advance > 0.0 {
            self.letters = (self.letters.0.min(cluster.advance), self.letters.1.max(cluster.advance));
        }
        self.add(cluster.advance);
    }

    /// Adds a tab. Returns false if it does not fit and belongs to the next line.
    fn tab(&mut self, index: usize, cluster: &Cluster, first: bool) -> bool {
        self.settle();
        let mut stop = self.room.stop(cluster, self.x);
        if stop.position > self.limit() {
            if stop.kind != TabKind::Start {
                // The text of such a stop may extend into the margin. The author positioned the stop there.
                self.edge = stop.position.max(self.room.column_edge());
                self.widened = true;
            } else if self.widened {
                // In a line that such a stop extended, a tab after the last stop ends at the edge. Only the text after the
                // tab may move to the next line.
                stop.position = self.x.max(self.edge);
            } else if !first {
                return false;
            } else {
                stop.position = self.x.max(self.room.edge);
            }
        }
        let from = self.x;
        self.pending = Some(Pending { cluster: index, from, stop, text: 0.0, whole: None, mirrored: false });
        if stop.kind == TabKind::Start {
            self.settle();
        }
        true
    }
}

impl Pending {
    /// Returns the width of the tab for the text so far.
    fn width(&self) -> f32 {
        let before = match self.stop.kind {
            TabKind::Start | TabKind::Bar => 0.0,
            TabKind::Center => self.text / 2.0,
            TabKind::End => self.text,
            // In a right-to-left paragraph, the fraction is before the stop.
            TabKind::Decimal => match self.whole {
                Some(whole) if self.mirrored => self.text - whole,
                None if self.mirrored => 0.0,
                whole => whole.unwrap_or(self.text),
            },
        };
        (self.stop.position - self.from - before).max(0.0)
    }
}

impl Room<'_> {
    /// Returns the end of the column. If a floating object limits the line, returns the end of the line.
    fn column_edge(&self) -> f32 {
        let column = self.stops.column_width;
        let beside_a_float = self.edge + self.stops.paragraph.properties.indent.end.max(0.0) < column - 1.0;
        if beside_a_float { self.edge } else { column }
    }

    /// Returns the stop of a tab that begins at `x`.
    fn stop(&self, cluster: &Cluster, x: f32) -> Stop {
        match self.clusters.span(cluster, self.source).map(|span| &span.kind) {
            Some(SpanKind::Tab(Some(positioned))) => {
                let stop = self.stops.positioned(*positioned);
                // If the text is already beyond the position, the tab has no width.
                Stop { position: stop.position.max(x), ..stop }
            }
            Some(SpanKind::LabelTab) => self.stops.next(x, true),
            _ => self.stops.next(x, false),
        }
    }

    fn character(&self, cluster: &Cluster) -> Option<char> {
        self.source.text.get(cluster.start as usize..)?.chars().next()
    }

    fn is_decimal(&self, character: char) -> bool {
        character == self.decimal || character == '٫'
    }

    /// Fills the line.
    pub fn fill(&self) -> Filled {
        let line = self.find_end();
        let mut pen = Pen::new(self);
        let content_end = self.content_end(line.clusters.end);
        for index in self.from..content_end {
            let Some(cluster) = self.clusters.get(index) else { break };
            match cluster.kind {
                ClusterKind::Tab => {
                    pen.tab(index, cluster, true);
                }
                _ => pen.text(index, cluster),
            }
        }
        pen.settle();
        let mut width = pen.x - self.start + line.hyphen.unwrap_or(0.0);
        let first = pen.tabs.last().map_or(self.from, |tab| tab.cluster + 1);
        let squeezed = self.squeezed(first..content_end, width - (self.edge - self.start));
        width += squeezed.iter().map(|(_, change)| change).sum::<f32>();
        Filled { content_end, width, tabs: pen.tabs, squeezed, ..line }
    }

    /// Returns a line that ends before this cluster.
    fn until(&self, at: usize, end: LineEnd) -> Filled {
        Filled { clusters: self.from..at, end, ..Filled::default() }
    }

    /// Returns the clusters that become narrower when punctuation is compressed to half its width, each with the width in
    /// points that it can lose (§17.18.7 ST_CharacterSpacing).
    fn loose(&self, line: Range<usize>) -> impl Iterator<Item = (usize, f32)> + '_ {
        let first = line.start;
        line.filter(|_| self.compresses).filter_map(move |index| {
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
    fn squeezed(&self, line: Range<usize>, over: f32) -> Vec<(usize, f32)> {
        if !self.compresses || over <= 0.0 {
            return Vec::new();
        }
        let all: f32 = self.loose(line.clone()).map(|(_, width)| width).sum();
        let share = (over / all.max(over)).min(1.0);
        self.loose(line).map(|(at, width)| (at, -width * share)).collect()
    }

    /// Returns the end of the line without trailing spaces and breaks.
    fn content_end(&self, end: usize) -> usize {
        let hangs = |index: &usize| {
            self.clusters.get(*index).is_some_and(|c| matches!(c.kind, ClusterKind::Space | ClusterKind::Break(_)))
        };
        (self.from..end).rev().take_while(hangs).last().unwrap_or(end)
    }

    /// Finds the end of the line. The caller computes its width and its tabs.
    fn find_end(&self) -> Filled {
        let (clusters, from) = (self.clusters, self.from);
        let mut pen = Pen::new(self);
        let mut places = Places::default();
        // Spaces hang at the line end. Their width counts only if other content follows.
        let mut spaces = 0.0;
        for index in from..clusters.len() {
            let Some(cluster) = clusters.get(index) else { break };
            if index > from {
                places.see(index, cluster, &pen);
                if cluster.start as usize >= self.until {
                    return places.ending(index, self);
                }
            }
            match cluster.kind {
                ClusterKind::Break(kind) => return self.until(index + 1, LineEnd::Break(kind)),
                ClusterKind::Space => spaces += cluster.advance,
                ClusterKind::Tab => {
                    pen.add(std::mem::take(&mut spaces));
                    if !pen.tab(index, cluster, index == from) {
                        return places.ending(index.max(from + 1), self);
                    }
                }
                ClusterKind::Text | ClusterKind::Object => {
                    pen.add(std::mem::take(&mut spaces));
                    pen.text(index, cluster);
                    if pen.extent() > pen.limit() {
                        return shrunk(index, &pen, &places)
                            .unwrap_or_else(|| places.ending(index.max(from + 1), self));
                    }
                }
            }
        }
        self.until(clusters.len(), LineEnd::Paragraph)
    }

    /// Ends the line before this cluster, inside a word without a break opportunity. Spaces at this position still hang at
    /// the end of the line.
    fn emergency(&self, mut at: usize) -> Filled {
        while self.clusters.get(at).is_some_and(|cluster| cluster.kind == ClusterKind::Space) {
            at += 1;
        }
        let end = if at < self.clusters.len() { LineEnd::Wrapped } else { LineEnd::Paragraph };
        Filled { cuts_word: true, ..self.until(at, end) }
    }
}

/// The last break opportunity of each kind that fits into the line.
#[derive(Default)]
struct Places {
    /// The last regular break: its cluster, whether it is after a soft hyphen (which then becomes visible), and the end
    /// position of the text before it.
    regular: Option<(usize, bool, f32)>,
    /// The last break between syllables of the word after the regular break.
    syllable: Option<usize>,
    /// The last break after a slash.
    slash: Option<usize>,
}

impl Places {
    /// Records the break opportunity before a cluster.
    fn see(&mut self, index: usize, cluster: &Cluster, pen: &Pen<'_>) {
        let fits = || pen.extent() + (pen.room.hyphen_width)(index) <= pen.limit();
        match cluster.break_before {
            BreakBefore::No => {}
            BreakBefore::Slash => self.slash = Some(index),
            BreakBefore::Syllable if pen.room.hyphenation_zone.is_some() && fits() => self.syllable = Some(index),
            BreakBefore::Hyphen if !fits() => {}
            BreakBefore::Syllable => {}
            kind @ (BreakBefore::Yes | BreakBefore::Hyphen) => {
                (self.regular, self.syllable) = (Some((index, kind == BreakBefore::Hyphen, pen.extent())), None);
            }
        }
    }

    /// Ends a line that is full. `index` is the first cluster that does not fit.
    fn ending(&self, index: usize, room: &Room<'_>) -> Filled {
        let gap = self.regular.map_or(f32::MAX, |(_, _, extent)| room.edge - extent);
        let hyphen = |at| Some((room.hyphen_width)(at));
        if let Some(at) = self.syllable
            && room.hyphenation_zone.is_some_and(|zone| gap > zone)
        {
            return Filled { hyphen: hyphen(at), automatic: true, ..room.until(at, LineEnd::Wrapped) };
        }
        match (self.regular, self.slash) {
            (Some((at, true, _)), _) => Filled { hyphen: hyphen(at), ..room.until(at, LineEnd::Wrapped) },
            (Some((at, false, _)), _) | (None, Some(at)) => room.until(at, LineEnd::Wrapped),
            (None, None) => room.emergency(index),
        }
    }
}

/// Maximum reduction of the spaces of a justified line to fit one more word, as a fraction of their width, as in Word.
/// ECMA-376 leaves this to the application. The two limits come from 41 page starts of Word inside justified paragraphs, in
/// five documents of compatibility mode 15: with them, 38 of the page starts are line starts here; without shrinking, 16.
/// In modes 12 and 14 the spaces only grow; 108 of 112 page starts match.
const MOST_SHRUNK: f32 = 0.25;
/// Maximum reduction of each space, as a fraction of the width by which the space would grow if the line ended before the
/// word.
const SHRUNK_TO_GROWN: f32 = 0.5;

/// Returns a line with one word more than fits, or `None` if its spaces and punctuation cannot shrink enough. `full` is the
/// first cluster beyond the edge.
fn shrunk(full: usize, pen: &Pen<'_>, places: &Places) -> Option<Filled> {
    let (room, clusters) = (pen.room, pen.room.clusters);
    let (natural_end, hyphen, natural) = places.regular?;
    if !(room.shrinks || room.compresses) || hyphen || pen.pending.is_some() || pen.widened {
        return None;
    }
    // Text before the last tab does not shrink.
    let first = pen.tabs.last().map_or(room.from, |tab| tab.cluster + 1);
    let spaces_before = |end: usize| {
        let text = first.min(end)..room.content_end(end);
        let spaces = text.filter_map(|index| clusters.get(index)).filter(|cluster| cluster.kind == ClusterKind::Space);
        spaces.fold((0.0_f32, 0.0), |(count, width), cluster| (count + 1.0, width + cluster.advance))
    };
    let mut extent = pen.extent();
    let mut hanging = 0.0;
    let mut ending = room.until(clusters.len(), LineEnd::Paragraph);
    for index in full + 1..clusters.len() {
        let cluster = clusters.get(index)?;
        if let ClusterKind::Break(kind) = cluster.kind {
            ending = room.until(index + 1, LineEnd::Break(kind));
            break;
        }
        if cluster.break_before == BreakBefore::Yes || cluster.start as usize >= room.until {
            ending = room.until(index, LineEnd::Wrapped);
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
    let fits = over <= width * MOST_SHRUNK;
    // Without the extra word, a line of one word has no space that could grow.
    let better = without == 0.0 || over / count <= (room.edge - natural) / without * SHRUNK_TO_GROWN;
    // Compressed punctuation is sufficient on its own if it can lose the whole excess width.
    let loose: f32 = room.loose(first..room.content_end(ending.clusters.end)).map(|(_, width)| width).sum();
    (room.shrinks && fits && better || loose > 0.0 && over <= loose).then_some(ending)
}
