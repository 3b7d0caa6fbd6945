//! The repetitions of Carbone: the marks `[i]`, up to the example of the next entry with marks `[i+1]`.
//!
//! The lists of a document are converted completely or not at all, by their outermost list. A list that is only converted
//! in one place would have marks left that belong to no list.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::carbone::{Entry, Found, MAX_LEVELS, Names};
use super::{Change, Mark};
use crate::fields::scan::{Index, ScannedParagraph};
use crate::fields::text_parts::ScannedPart;

/// One repetition of a list.
#[derive(Debug)]
struct Region {
    part: usize,
    /// The key of the outermost list around this one, or of this one.
    root: String,
    /// The number of lists around this one.
    level: usize,
    /// The index of the first mark with `[i]`.
    first: usize,
    /// The indices of the first and the last mark with `[i+1]`. `None`: the example of the next entry is missing.
    next: Option<(usize, usize)>,
}

/// The content that a region repeats.
#[derive(Debug)]
enum Extent {
    /// The text of a paragraph from the first mark to the first mark of the next entry.
    Text,
    /// A row of a table. The tags are in its first and its last mark with these indices.
    Row { first: usize, last: usize, removed: Range<usize> },
    /// Rows or paragraphs. The tags get rows or paragraphs of their own.
    Blocks { start: usize, removed: Range<usize>, is_row: bool, prefix: String },
}

/// The tags of one region.
#[derive(Debug)]
struct Placed {
    part: usize,
    name: String,
    first: usize,
    next: (usize, usize),
    extent: Extent,
}

/// The repetitions of a document.
pub(super) struct Loops {
    /// The outermost lists that have no equivalent.
    refused: BTreeSet<String>,
    /// The regions of converted lists. A region comes after the regions around it.
    placed: Vec<Placed>,
}

pub(super) fn find_loops(parts: &[ScannedPart<'_>], found: &[Vec<Found<'_>>], names: &Names) -> Loops {
    let mut refused = BTreeSet::new();
    let mut regions: Vec<Region> = Vec::new();
    for (part, found) in found.iter().enumerate() {
        regions_of(part, found, &mut regions, &mut refused);
    }
    regions.sort_by_key(|region| (region.part, region.level, region.first));
    let mut placed = Vec::new();
    for region in &regions {
        let one =
            region.next.zip(parts.get(region.part)).zip(found.get(region.part)).and_then(|((next, part), found)| {
                let name = names.list(&found.get(region.first)?.mark, region.level)?;
                let extent = extent_of(part, found, region, next)?;
                Some(Placed { part: region.part, name, first: region.first, next, extent })
            });
        match one {
            Some(one) => placed.push((region.root.clone(), one)),
            None => {
                refused.insert(region.root.clone());
            }
        }
    }
    let placed = placed.into_iter().filter(|(root, _)| !refused.contains(root)).map(|(_, one)| one).collect();
    Loops { refused, placed }
}

/// Finds the regions of one part. Adds the outermost lists with marks that belong to no region to `refused`.
fn regions_of(part: usize, found: &[Found<'_>], regions: &mut Vec<Region>, refused: &mut BTreeSet<String>) {
    // The index of the last region of each list.
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, one) in found.iter().enumerate() {
        let Some(root) = one.mark.levels.first().map(|level| level.key.clone()) else { continue };
        let is_other = one.mark.levels.iter().any(|level| level.index == Entry::Other);
        if is_other || one.mark.levels.len() > MAX_LEVELS {
            refused.insert(root);
            continue;
        }
        for (level, list) in one.mark.levels.iter().enumerate() {
            let region = last.get(list.key.as_str()).and_then(|&at| regions.get_mut(at));
            if list.index == Entry::Next {
                match region {
                    Some(region) => region.next = Some((region.next.map_or(at, |(first, _)| first), at)),
                    None => {
                        refused.insert(root.clone());
                    }
                }
                // The lists in the next entry are part of the example.
                break;
            }
            if region.is_none_or(|region| region.next.is_some()) {
                last.insert(&list.key, regions.len());
                regions.push(Region { part, root: root.clone(), level, first: at, next: None });
            }
        }
    }
}

fn extent_of(part: &ScannedPart<'_>, found: &[Found<'_>], region: &Region, next: (usize, usize)) -> Option<Extent> {
    let paragraph_of = |at: usize| -> Option<(Index, &ScannedParagraph)> {
        let index = found.get(at)?.token.paragraph;
        Some((index, part.scan.paragraphs.get(index)?))
    };
    let (first, first_paragraph) = paragraph_of(region.first)?;
    let (begin, begin_paragraph) = paragraph_of(next.0)?;
    let (end, end_paragraph) = paragraph_of(next.1)?;
    if first_paragraph.container.story != begin_paragraph.container.story {
        return None;
    }
    if first == begin {
        let is_plain = |at: &usize| found.get(*at).is_some_and(|one| one.token.is_replaceable);
        let is_simple = found.get(region.first).is_some_and(|one| !one.mark.is_formatted);
        return (end == begin && is_simple && [region.first, next.0, next.1].iter().all(is_plain))
            .then_some(Extent::Text);
    }
    let run = first_paragraph.cells.get(found.get(region.first)?.token.cells.start)?.run;
    let prefix = part.scan.runs.get(run)?.prefix.clone();
    if first_paragraph.container.cell == begin_paragraph.container.cell {
        let is_sibling =
            begin_paragraph.parent == first_paragraph.parent && end_paragraph.parent == first_paragraph.parent;
        let breaks = part.scan.paragraphs.get(begin..=end)?.iter().any(|paragraph| paragraph.has_section_break);
        let removed = begin_paragraph.range.start..end_paragraph.range.end;
        let start = first_paragraph.range.start;
        return (is_sibling && !breaks && !removed.is_empty() && start < removed.start).then_some(Extent::Blocks {
            start,
            removed,
            is_row: false,
            prefix,
        });
    }
    let containers = &part.scan.containers;
    let rows = |paragraph: &ScannedParagraph| -> Vec<(Index, Range<usize>, Option<Index>, usize)> {
        let chain = containers.chain(paragraph.container).filter_map(|outer| containers.row_of(outer));
        chain.map(|(at, row)| (at, row.range.clone(), row.table, row.parent)).collect()
    };
    let (around_begin, around_end) = (rows(begin_paragraph), rows(end_paragraph));
    let (row, first_row, begin_row) = rows(first_paragraph).into_iter().find_map(|row| {
        let other = around_begin.iter().find(|other| other.2 == row.2 && other.3 == row.3)?.clone();
        Some((row.0, row, other))
    })?;
    let end_row = around_end.into_iter().find(|other| other.2 == first_row.2 && other.3 == first_row.3)?;
    if begin_row.0 == row || first_row.1.start >= begin_row.1.start {
        return None;
    }
    let removed = begin_row.1.start..end_row.1.end;
    let start = first_row.1.start;
    let tags = || {
        let next_row = containers.rows.get(row + 1..)?.iter().find(|next| next.table == first_row.2)?;
        let before = |end: usize| found.partition_point(|one| one.token.bytes.start < end);
        let (from, to) = (before(first_row.1.start), before(first_row.1.end).checked_sub(1)?);
        let is_usable = |at: usize| {
            let one = found.get(at)?;
            let cell = paragraph_of(at)?.1.container;
            let is_own = cell.table == first_row.2 && one.mark.levels.len() == region.level + 1;
            (is_own && one.token.is_replaceable && !one.mark.is_formatted && one.mark.next_level().is_none())
                .then_some(cell.cell?)
        };
        let is_single = next_row.range.start == begin_row.1.start && is_usable(from)? != is_usable(to)?;
        (is_single && from == region.first).then_some((from, to))
    };
    Some(match tags() {
        Some((first, last)) => Extent::Row { first, last, removed },
        None => Extent::Blocks { start, removed, is_row: true, prefix },
    })
}

impl Loops {
    /// Returns `true` if the outermost list with this key is converted.
    pub(super) fn converts(&self, root: &str) -> bool {
        !self.refused.contains(root)
    }

    /// Adds the tags of the lists to the marks of a part. Returns the other changes.
    pub(super) fn apply(&self, part: usize, marks: &mut [Mark]) -> Vec<Change> {
        let (mut opened, mut closed) = (Vec::new(), Vec::new());
        let mut removed = Vec::new();
        for one in self.placed.iter().filter(|one| one.part == part) {
            let (open, close) = (format!("{{{{#{}}}}}", one.name), format!("{{{{/{}}}}}", one.name));
            match &one.extent {
                Extent::Text => {
                    if let Some(mark) = marks.get_mut(one.first) {
                        mark.before.push_str(&open);
                        mark.starts_list = true;
                    }
                    if let Some(mark) = marks.get_mut(one.next.0) {
                        mark.instead = Some(close);
                    }
                }
                Extent::Row { first, last, removed: range } => {
                    if let Some(mark) = marks.get_mut(*first) {
                        mark.before.push_str(&open);
                        mark.starts_list = true;
                    }
                    if let Some(mark) = marks.get_mut(*last) {
                        mark.after.insert_str(0, &close);
                    }
                    removed.push(Change::Remove(range.clone()));
                }
                Extent::Blocks { start, removed: range, is_row, prefix } => {
                    opened.push(Change::Insert(*start, tag_block(&open, *is_row, prefix)));
                    closed.push(Change::Insert(range.start, tag_block(&close, *is_row, prefix)));
                    removed.push(Change::Remove(range.clone()));
                }
            }
        }
        // A list ends before the list around it, and before the next list begins at the same place.
        closed.reverse();
        removed.into_iter().chain(closed).chain(opened).collect()
    }
}

/// Returns a paragraph or a row that contains only a tag. It vanishes when the template is filled.
fn tag_block(tag: &str, is_row: bool, prefix: &str) -> String {
    let tag = quick_xml::escape::partial_escape(tag);
    let paragraph = format!("<{prefix}p><{prefix}r><{prefix}t>{tag}</{prefix}t></{prefix}r></{prefix}p>");
    if is_row { format!("<{prefix}tr><{prefix}tc>{paragraph}</{prefix}tc></{prefix}tr>") } else { paragraph }
}
