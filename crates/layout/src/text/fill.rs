//! First fit: as many clusters as the line has room for, tabs measured on the way.

use std::ops::Range;

use waraq_docx::tree::{TabKind, TabLeader};

use super::east_asian::{CLOSING, OPENING};
use super::line::LineEnd;
use super::source::{BreakBefore, Cluster, ClusterKind, Clusters, Source, SpanKind};
use super::tabs::{Stop, Stops};

/// A line's clusters and how wide its tabs are; places are measured from the column's leading edge.
#[derive(Debug, Clone, Default)]
pub(super) struct Filled {
    pub clusters: Range<usize>,
    /// Where the text ends and hanging spaces begin.
    pub content_end: usize,
    /// Width of the text, tabs included, hanging spaces not.
    pub width: f32,
    pub tabs: Vec<TabWidth>,
    /// A hyphen shows at the line's end, this wide.
    pub hyphen: Option<f32>,
    /// The hyphen is the layout's, not the author's.
    pub automatic: bool,
    /// It ends within a word that has no place to be broken.
    pub cuts_word: bool,
    /// Clusters whose room punctuation gives away, and how much of it, below nothing.
    pub squeezed: Vec<(usize, f32)>,
    pub end: LineEnd,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct TabWidth {
    pub cluster: usize,
    pub width: f32,
    pub leader: TabLeader,
}

/// What filling depends on.
pub(super) struct Room<'a> {
    pub source: &'a Source,
    pub clusters: &'a Clusters,
    /// The first of the line.
    pub from: usize,
    pub stops: Stops<'a>,
    /// Where the line's text begins.
    pub start: f32,
    /// Where it must end.
    pub edge: f32,
    /// The byte of the text that the line ends at, if it comes so far.
    pub until: usize,
    /// The decimal separator of the paragraph's language.
    pub decimal: char,
    /// Words are parted between syllables where the line would else end further than this before the edge
    /// (§17.15.1.53 w:hyphenationZone); `None`: they are not, or no more lines in a row may end so.
    pub hyphenation_zone: Option<f32>,
    /// The line is justified and its spaces may shrink for a word more.
    pub shrinks: bool,
    /// East Asian punctuation gives way for a letter more.
    pub compresses: bool,
    /// Of the hyphen that shows if the line ends before this cluster.
    pub hyphen_width: &'a dyn Fn(usize) -> f32,
}

/// Rounding must not push a word that just fits to the next line: Word and LibreOffice measure in device units. Letters of many
/// widths are rounded up and down and come out even; where all are equally wide (78 of Courier New at 10 pt, in 468 pt) the
/// line is half a thousandth narrower than the font's own.
const SLACK: f32 = 0.01;
const SLACK_SHARE_EVEN: f32 = 0.0005;
/// Widths closer than this are the same.
const EVEN: f32 = 0.001;

/// A tab whose width depends on the text after it.
struct Pending {
    cluster: usize,
    /// Where the tab begins.
    from: f32,
    stop: Stop,
    /// Width of the text after it so far, and of that before the decimal separator.
    text: f32,
    whole: Option<f32>,
    /// It begins like one, in a paragraph from right to left.
    mirrored: bool,
}

/// Widths as the line grows.
struct Pen<'a> {
    room: &'a Room<'a>,
    x: f32,
    edge: f32,
    /// A stop past the edge let it grow.
    widened: bool,
    pending: Option<Pending>,
    tabs: Vec<TabWidth>,
    /// The narrowest and the widest letter.
    letters: (f32, f32),
}

impl<'a> Pen<'a> {
    fn new(room: &'a Room<'a>) -> Self {
        let (x, edge, letters) = (room.start, room.edge, (f32::MAX, 0.0));
        Self { room, x, edge, widened: false, pending: None, tabs: Vec::new(), letters }
    }

    /// Up to where text may reach.
    fn limit(&self) -> f32 {
        let even = self.letters.1 - self.letters.0 < EVEN;
        let share = if even { SLACK_SHARE_EVEN } else { 0.0 };
        self.edge + (self.room.edge - self.room.start).clamp(0.0, 2_000.0) * share + SLACK
    }

    /// Where the text would end if the line ended here.
    fn extent(&self) -> f32 {
        match &self.pending {
            Some(pending) => pending.from + pending.width() + pending.text,
            None => self.x,
        }
    }

    fn settle(&mut self) {
        if let Some(pending) = self.pending.take() {
            let width = pending.width();
            self.x = pending.from + width + pending.text;
            self.tabs.push(TabWidth { cluster: pending.cluster, width, leader: pending.stop.leader });
        }
    }

    fn add(&mut self, width: f32) {
        match &mut self.pending {
            Some(pending) => pending.text += width,
            None => self.x += width,
        }
    }

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

    /// `false`: the tab does not fit and belongs to the next line.
    fn tab(&mut self, index: usize, cluster: &Cluster, first: bool) -> bool {
        self.settle();
        let mut stop = self.room.stop(cluster, self.x);
        if stop.position > self.limit() {
            if stop.kind != TabKind::Start {
                // Text before such a stop may stand in the margin, as the author wanted it.
                self.edge = stop.position.max(self.room.column_edge());
                self.widened = true;
            } else if self.widened {
                // In such a line a tab past the last stop ends it; only the text after it may go to the next.
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
    fn width(&self) -> f32 {
        let before = match self.stop.kind {
            TabKind::Start | TabKind::Bar => 0.0,
            TabKind::Center => self.text / 2.0,
            TabKind::End => self.text,
            // From the right, it is the fraction of a number that stands before the stop.
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
    /// Where the column ends, or the text where something floats before that.
    fn column_edge(&self) -> f32 {
        let column = self.stops.column_width;
        let beside_a_float = self.edge + self.stops.paragraph.properties.indent.end.max(0.0) < column - 1.0;
        if beside_a_float { self.edge } else { column }
    }

    fn stop(&self, cluster: &Cluster, x: f32) -> Stop {
        match self.clusters.span(cluster, self.source).map(|span| &span.kind) {
            Some(SpanKind::Tab(Some(positioned))) => {
                let stop = self.stops.positioned(*positioned);
                // A place already passed: the tab has no width.
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

    /// Fills a line.
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

    /// A line that ends before this cluster.
    fn until(&self, at: usize, end: LineEnd) -> Filled {
        Filled { clusters: self.from..at, end, ..Filled::default() }
    }

    /// What punctuation may give away of its room, half of it (§17.18.7 ST_CharacterSpacing): clusters whose room it is, and how much.
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

    /// What it does give away in a line that is so much too wide.
    fn squeezed(&self, line: Range<usize>, over: f32) -> Vec<(usize, f32)> {
        if !self.compresses || over <= 0.0 {
            return Vec::new();
        }
        let all: f32 = self.loose(line.clone()).map(|(_, width)| width).sum();
        let share = (over / all.max(over)).min(1.0);
        self.loose(line).map(|(at, width)| (at, -width * share)).collect()
    }

    /// Without the spaces and breaks at the end.
    fn content_end(&self, end: usize) -> usize {
        let hangs = |index: &usize| {
            self.clusters.get(*index).is_some_and(|c| matches!(c.kind, ClusterKind::Space | ClusterKind::Break(_)))
        };
        (self.from..end).rev().take_while(hangs).last().unwrap_or(end)
    }

    fn find_end(&self) -> Filled {
        let (clusters, from) = (self.clusters, self.from);
        let mut pen = Pen::new(self);
        let mut places = Places::default();
        // Spaces hang: they count once something follows them.
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

    /// No opportunity: the word is cut before this cluster; spaces there still hang.
    fn emergency(&self, mut at: usize) -> Filled {
        while self.clusters.get(at).is_some_and(|cluster| cluster.kind == ClusterKind::Space) {
            at += 1;
        }
        let end = if at < self.clusters.len() { LineEnd::Wrapped } else { LineEnd::Paragraph };
        Filled { cuts_word: true, ..self.until(at, end) }
    }
}

/// The places a full line may end at, the last of each kind.
#[derive(Default)]
struct Places {
    /// Between words, or after a soft hyphen (which then shows); and where the text before it ends.
    regular: Option<(usize, bool, f32)>,
    /// Between syllables of the word after that.
    syllable: Option<usize>,
    slash: Option<usize>,
}

impl Places {
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

    /// The line is full at this cluster.
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

/// In a justified line Word takes one word more than there is room for, if its spaces then give way by no more than this share of
/// their width, and each by no more than this share of what it would grow by without the word. (ECMA-376 leaves it to the
/// application. Measured on the page starts that Word left inside justified paragraphs, 41 of them in five documents of
/// compatibility mode 15: 38 are then starts of lines, 16 without. In modes 12 and 14 the spaces only grow: 108 of 112.)
const MOST_SHRUNK: f32 = 0.25;
const SHRUNK_TO_GROWN: f32 = 0.5;

/// The end of the line with one word more than its room holds (`full` is the first cluster past the edge), where its spaces or its
/// punctuation may shrink for that.
fn shrunk(full: usize, pen: &Pen<'_>, places: &Places) -> Option<Filled> {
    let (room, clusters) = (pen.room, pen.room.clusters);
    let (natural_end, hyphen, natural) = places.regular?;
    if !(room.shrinks || room.compresses) || hyphen || pen.pending.is_some() || pen.widened {
        return None;
    }
    // Nothing before a tab gives way.
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
        // A word without end is not looked through for every line of it.
        if extent > room.edge + (room.edge - room.start).max(0.0) {
            return None;
        }
    }
    let over = extent - room.edge;
    let (count, width) = spaces_before(ending.clusters.end);
    let (without, _) = spaces_before(natural_end);
    let fits = over <= width * MOST_SHRUNK;
    // One word alone cannot grow at all.
    let better = without == 0.0 || over / count <= (room.edge - natural) / without * SHRUNK_TO_GROWN;
    // Punctuation gives way for as much as is needed of a letter, or of a word, and no further.
    let loose: f32 = room.loose(first..room.content_end(ending.clusters.end)).map(|(_, width)| width).sum();
    (room.shrinks && fits && better || loose > 0.0 && over <= loose).then_some(ending)
}
