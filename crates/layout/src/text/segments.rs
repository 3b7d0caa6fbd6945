//! Splits a filled line into segments, justifies them and computes their positions from left to right. This is the step
//! between filling a line and painting it.

use std::ops::Range;

use waraq_docx::tree::{Alignment, Break, TabLeader};

use super::bidi::{DirectionEdge, visual_order};
use super::kashida::{self, Kashida};
use super::line::LineEnd;
use super::line_breaking::FilledLine;
use super::source::{ClusterKind, Clusters, ParagraphSource};

/// A part of a line that is painted at once: adjacent clusters of one item, or a single tab, object, break or hyphen.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub clusters: Range<usize>,
    pub item: usize,
    pub level: u8,
    pub kind: SegmentKind,
    /// Distance of the segment from the left edge of the column, in points.
    pub x: f32,
    pub width: f32,
    /// True if the segment contains the spaces that hang at the end of the line.
    pub hanging: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SegmentKind {
    Text,
    Tab(TabLeader),
    Object,
    Break,
    Hyphen,
}

/// The width that justification adds to the clusters of a line, in points.
pub(super) struct AddedWidths {
    /// Index of the line's first cluster.
    first: usize,
    /// Added width of each cluster, including kashidas.
    added: Vec<f32>,
    /// The kashidas that `added` includes, sorted by cluster.
    kashidas: Vec<Kashida>,
}

impl AddedWidths {
    fn add_width(&mut self, index: usize, width: f32) {
        if let Some(added) = index.checked_sub(self.first).and_then(|at| self.added.get_mut(at)) {
            *added += width;
        }
    }

    /// Returns the added width of a cluster.
    pub fn width_of(&self, index: usize) -> f32 {
        index.checked_sub(self.first).and_then(|at| self.added.get(at)).copied().unwrap_or(0.0)
    }

    /// Returns the width in points of the kashida after a cluster, or 0 without a kashida.
    pub fn kashida_width(&self, index: usize) -> f32 {
        let found = self.kashidas.binary_search_by_key(&index, |kashida| kashida.cluster);
        found.ok().and_then(|at| self.kashidas.get(at)).map_or(0.0, |kashida| kashida.width)
    }
}

/// The inputs that determine the positions of the segments of a line.
pub(super) struct SegmentPlacer<'a> {
    pub source: &'a ParagraphSource,
    pub clusters: &'a Clusters,
    /// The start and end positions of text whose direction differs from that of its surroundings. Empty if all text runs from
    /// left to right.
    pub direction_edges: &'a [DirectionEdge],
    pub alignment: Alignment,
    pub right_to_left: bool,
    pub do_not_expand_shift_return: bool,
    pub column_width: f32,
    /// Index of the first cluster after the numbering label.
    pub body_start: usize,
    /// Position at which the text starts, in points from the leading edge of the column. `edge` is the position at which the
    /// available space ends.
    pub start: f32,
    pub edge: f32,
    /// Width in points of the widest line of a displayed formula if the lines are aligned as a group, else `None`.
    pub group_width: Option<f32>,
    /// A function that returns the width of a tatweel after the cluster with this index.
    pub tatweel_width: &'a dyn Fn(usize) -> f32,
}

/// A justified line.
struct JustifiedLine {
    /// Distance in points between the start of the line and its text.
    shift: f32,
    /// The widths that justification adds.
    added_widths: AddedWidths,
}

/// The segments of a line.
pub(super) struct PlacedSegments {
    /// The segments from left to right.
    pub segments: Vec<Segment>,
    /// The widths that justification adds. The widths of the segments already include them.
    pub added_widths: AddedWidths,
}

impl SegmentPlacer<'_> {
    /// Justifies the line, and aligns it if it is not justified.
    fn justify(&self, line: &FilledLine) -> JustifiedLine {
        let slack = self.edge - self.start - line.width;
        let last = match line.end {
            LineEnd::Wrapped => false,
            LineEnd::Break(Break::Line | Break::LineClear) => self.do_not_expand_shift_return,
            LineEnd::Break(Break::Page | Break::Column) | LineEnd::Paragraph => true,
        };
        let shift = match self.alignment {
            Alignment::Center => {
                let room = self.group_width.map_or(slack, |group| self.edge - self.start - group);
                room.max(0.0) / 2.0
            }
            Alignment::End => slack.max(0.0),
            _ => 0.0,
        };
        let is_justified = match self.alignment {
            Alignment::Both | Alignment::LowKashida | Alignment::MediumKashida | Alignment::HighKashida => {
                !last || slack < 0.0
            }
            Alignment::Distribute => true,
            _ => false,
        };
        let Range { start: first, end } = line.clusters;
        let mut stretch = AddedWidths { first, added: vec![0.0; end.saturating_sub(first)], kashidas: Vec::new() };
        for compressed in &line.compressed {
            stretch.add_width(compressed.cluster, compressed.change);
        }
        // The slack is negative if the line holds one word more than fits (see `shrink_to_fit_word`). The spaces of the line
        // then become narrower.
        if !is_justified || slack == 0.0 {
            return JustifiedLine { shift, added_widths: stretch };
        }
        // Justification does not change the text before the last tab.
        let from = line.tabs.last().map_or(first, |tab| tab.cluster + 1).max(self.body_start);
        let to = line.content_end;
        if self.alignment == Alignment::Distribute {
            let gaps = from..to.saturating_sub(1);
            gaps.clone().for_each(|index| stretch.add_width(index, slack / gaps.len() as f32));
            return JustifiedLine { shift, added_widths: stretch };
        }
        let kashidas = kashida::distribute_kashidas(
            self.source,
            self.clusters,
            from..to,
            self.alignment,
            slack,
            self.tatweel_width,
        );
        kashidas.iter().for_each(|kashida| stretch.add_width(kashida.cluster, kashida.width));
        let rest = slack - kashidas.iter().map(|kashida| kashida.width).sum::<f32>();
        let is_space = |index: &usize| self.clusters.get(*index).is_some_and(|c| c.kind == ClusterKind::Space);
        let spaces: Vec<usize> = (from..to).filter(is_space).collect();
        spaces.iter().for_each(|&index| stretch.add_width(index, rest / spaces.len() as f32));
        JustifiedLine { shift, added_widths: AddedWidths { kashidas, ..stretch } }
    }

    /// Splits the line into segments and places them.
    pub fn segments(&self, line: &FilledLine) -> PlacedSegments {
        let JustifiedLine { shift, added_widths } = self.justify(line);
        let mut logical = self.split_into_segments(line, &added_widths);
        if let (Some(width), Some(last)) = (line.hyphen_width, line.content_end.checked_sub(1)) {
            self.add_hyphen(&mut logical, line, last, width);
        }
        let total: f32 = logical.iter().map(|segment| segment.width).sum();
        let pieces = logical.into_iter().flat_map(|segment| {
            // An edge between directions becomes an empty entry that has the level of the surroundings. A hyphen is not
            // separated from the word before it.
            let byte = self.clusters.start(segment.clusters.start);
            let edge = self.direction_edges.binary_search_by_key(&byte, |edge| edge.byte).ok();
            let edge = edge.filter(|_| segment.kind != SegmentKind::Hyphen).and_then(|at| self.direction_edges.get(at));
            edge.map(|edge| (edge.level, None)).into_iter().chain([(segment.level, Some(segment))])
        });
        let (levels, mut pieces): (Vec<u8>, Vec<Option<Segment>>) = pieces.unzip();
        let start = self.start + shift;
        let mut x = if self.right_to_left { self.column_width - start - total } else { start };
        let mut visual = Vec::with_capacity(pieces.len());
        for index in visual_order(&levels) {
            let Some(segment) = pieces.get_mut(index).and_then(Option::take) else { continue };
            let width = segment.width;
            visual.push(Segment { x, ..segment });
            x += width;
        }
        PlacedSegments { segments: visual, added_widths }
    }

    /// Splits the line into segments in logical order.
    fn split_into_segments(&self, line: &FilledLine, stretch: &AddedWidths) -> Vec<Segment> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut tabs = line.tabs.iter();
        for (index, level) in line.clusters.clone().zip(self.cluster_levels(line)) {
            let Some(cluster) = self.clusters.get(index) else { break };
            let item = cluster.item as usize;
            let hanging = index >= line.content_end;
            let (kind, width) = match cluster.kind {
                ClusterKind::Tab => {
                    let tab = tabs.find(|tab| tab.cluster == index);
                    let (width, leader) = tab.map_or((0.0, TabLeader::None), |tab| (tab.width, tab.leader));
                    (SegmentKind::Tab(leader), width)
                }
                ClusterKind::Break(_) => (SegmentKind::Break, 0.0),
                ClusterKind::Object => (SegmentKind::Object, cluster.advance),
                _ if hanging => (SegmentKind::Text, cluster.advance),
                _ => (SegmentKind::Text, cluster.advance + stretch.width_of(index)),
            };
            match segments.last_mut() {
                Some(last)
                    if kind == SegmentKind::Text
                        && last.kind == kind
                        && last.item == item
                        && last.level == level
                        && last.hanging == hanging =>
                {
                    last.clusters.end = index + 1;
                    last.width += width;
                }
                _ => segments.push(Segment { clusters: index..index + 1, item, level, kind, x: 0.0, width, hanging }),
            }
        }
        segments
    }

    /// Returns the bidirectional level of each cluster. Tabs have the direction of the paragraph (UAX #9, L1). White space before
    /// a tab or at the end of the line has this direction too.
    fn cluster_levels(&self, line: &FilledLine) -> Vec<u8> {
        let base = u8::from(self.right_to_left);
        let mut has_paragraph_level = false;
        let level = |index: usize| {
            let cluster = self.clusters.get(index)?;
            has_paragraph_level = match cluster.kind {
                ClusterKind::Tab | ClusterKind::Break(_) => true,
                ClusterKind::Space => has_paragraph_level || index >= line.content_end,
                ClusterKind::Text | ClusterKind::Object => false,
            };
            self.clusters.item(cluster).filter(|_| !has_paragraph_level).map(|item| item.level)
        };
        let mut levels: Vec<u8> = line.clusters.clone().rev().map(level).map(|level| level.unwrap_or(base)).collect();
        levels.reverse();
        levels
    }

    /// Inserts the hyphen of a divided word after the cluster `last`, which is the last cluster of the word in this line.
    fn add_hyphen(&self, segments: &mut Vec<Segment>, line: &FilledLine, last: usize, width: f32) {
        let Some(at) = segments.iter().rposition(|segment| segment.clusters.contains(&last)) else { return };
        let Some(before) = segments.get(at) else { return };
        let end = line.content_end;
        let mut hyphen = before.clone();
        (hyphen.clusters, hyphen.kind, hyphen.width) = (end..end, SegmentKind::Hyphen, width);
        segments.insert(at + 1, hyphen);
    }
}
