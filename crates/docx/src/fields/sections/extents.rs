//! The content that a pair of tags repeats: rows, paragraphs, or a piece of a paragraph.

use std::collections::HashMap;
use std::ops::Range;

use waraq_rules::{DiagnosticCode, name};

use super::{Extent, TagPlace, TextEnd};
use crate::fields::containers::Container;
use crate::fields::matching::TagMatch;
use crate::fields::scan::{Index, ScannedParagraph, TextCell};
use crate::fields::text_parts::ScannedPart;

/// The content that a pair of tags repeats.
#[derive(Debug)]
pub(super) struct SectionContent {
    pub range: Range<usize>,
    pub body: Range<usize>,
    pub extent: Extent,
    pub suggests_list: bool,
    /// There is nothing between the tags.
    pub is_empty: bool,
}

/// The paragraphs and Word fields of a part, prepared for the search of extents.
pub(super) struct ExtentFinder<'p> {
    part: &'p ScannedPart<'p>,
    /// The complex fields in the order in which they start, each with the index of the field around it.
    fields: Vec<(Range<usize>, Option<Index>)>,
    /// For each paragraph with tags: the first and the last character that is neither in a tag nor white space. `None`: there
    /// is no such character.
    contents: HashMap<Index, Option<(Index, Index)>>,
}

impl<'p> ExtentFinder<'p> {
    pub(super) fn new(part: &'p ScannedPart<'p>) -> Self {
        let mut ranges = part.scan.complex_fields.clone();
        ranges.sort_unstable_by_key(|range| range.start);
        let mut fields: Vec<(Range<usize>, Option<Index>)> = Vec::with_capacity(ranges.len());
        let mut open: Vec<Index> = Vec::new();
        for range in ranges {
            while open.last().and_then(|&at| fields.get(at)).is_some_and(|(outer, _)| outer.end <= range.start) {
                open.pop();
            }
            fields.push((range, open.last().copied()));
            open.push(fields.len() - 1);
        }
        let with_tags = part.paragraph_fields.iter().enumerate().filter(|(_, found)| !found.tags.is_empty());
        let contents = with_tags.map(|(at, found)| (at, content_of(part, at, &found.tags))).collect();
        Self { part, fields, contents }
    }

    /// Returns the content between two tags.
    ///
    /// # Errors
    /// The code of the problem if the tags cannot form a section.
    pub(super) fn content(&self, open: TagPlace, close: TagPlace) -> Result<SectionContent, DiagnosticCode> {
        let content = self.content_by_containers(open, close)?;
        // A Word field must not begin inside the section and end outside, or the other way round.
        let ends = [content.range.start, content.range.end, content.body.start, content.body.end];
        let field = self.field_around(content.range.start);
        if ends.into_iter().any(|at| self.field_around(at) != field) {
            return Err(DiagnosticCode::SectionAcrossContainers);
        }
        Ok(content)
    }

    fn content_by_containers(&self, open: TagPlace, close: TagPlace) -> Result<SectionContent, DiagnosticCode> {
        let across = DiagnosticCode::SectionAcrossContainers;
        let (first, last) = (self.paragraph(open).ok_or(across)?, self.paragraph(close).ok_or(across)?);
        if open.paragraph == close.paragraph {
            return self.piece(open, close);
        }
        if first.container.cell == last.container.cell {
            if !(self.has_only_tags(open.paragraph) && self.has_only_tags(close.paragraph)) {
                return Err(DiagnosticCode::SectionBesideText);
            }
            if first.parent != last.parent {
                return Err(across);
            }
            // A paragraph with a section break stays, because the settings of the pages before it are in it.
            let start = if first.has_section_break { first.range.end } else { first.range.start };
            let end = if last.has_section_break { last.range.start } else { last.range.end };
            return Ok(SectionContent {
                range: start..end,
                body: first.range.end..last.range.start,
                extent: Extent::Paragraphs { last: close.paragraph },
                suggests_list: false,
                is_empty: close.paragraph == open.paragraph + 1,
            });
        }
        self.rows(first.container, last.container)
    }

    /// Returns the rows that contain two positions in different cells.
    fn rows(&self, first: Container, last: Container) -> Result<SectionContent, DiagnosticCode> {
        let across = DiagnosticCode::SectionAcrossContainers;
        let containers = &self.part.scan.containers;
        let rows_around_last: Vec<_> = containers.chain(last).filter_map(|outer| containers.row_of(outer)).collect();
        let pair = containers.chain(first).filter_map(|outer| containers.row_of(outer)).find_map(|(_, row)| {
            let same_table = |other: &&(Index, &crate::fields::containers::ScannedRow)| other.1.table == row.table;
            rows_around_last.iter().find(same_table).map(|(_, other)| (row, *other))
        });
        let (first, last) = pair.ok_or(across)?;
        let table = first.table.ok_or(across)?;
        if first.parent != last.parent || first.range.start > last.range.start {
            return Err(across);
        }
        let range = first.range.start..last.range.end;
        let (first_vanishes, last_vanishes) =
            (self.row_has_only_tags(&first.range), self.row_has_only_tags(&last.range));
        let (body, is_empty) = if first.range == last.range {
            (range.clone(), first_vanishes)
        } else {
            let start = if first_vanishes { first.range.end } else { first.range.start };
            let end = if last_vanishes { last.range.start } else { last.range.end };
            (start..end, self.part.source.get(start..end).is_none_or(|between| between.trim().is_empty()))
        };
        Ok(SectionContent { range, body, extent: Extent::Rows { table }, suggests_list: true, is_empty })
    }

    /// Returns the piece of a paragraph between two tags. A list item that contains nothing else is repeated completely.
    fn piece(&self, open: TagPlace, close: TagPlace) -> Result<SectionContent, DiagnosticCode> {
        let across = DiagnosticCode::SectionAcrossContainers;
        let paragraph = self.paragraph(open).ok_or(across)?;
        let (first, last) = (self.tag(open).ok_or(across)?, self.tag(close).ok_or(across)?);
        let is_empty = first.cells.end == last.cells.start;
        let is_whole = !is_empty
            && !paragraph.has_section_break
            && !paragraph.has_formula
            && self.is_blank_outside(open.paragraph, first.cells.start..last.cells.end);
        if is_whole && paragraph.is_list_item {
            let range = paragraph.range.clone();
            let extent = Extent::Paragraphs { last: open.paragraph };
            return Ok(SectionContent { body: range.clone(), range, extent, suggests_list: true, is_empty });
        }
        let cell = |at: Option<usize>| at.and_then(|at| paragraph.cells.get(at)).ok_or(across);
        let cells = [
            cell(Some(first.cells.start))?,
            cell(first.cells.end.checked_sub(1))?,
            cell(Some(last.cells.start))?,
            cell(last.cells.end.checked_sub(1))?,
        ];
        let ends = self.text_ends(cells).ok_or(across)?;
        let [before_open, after_open, before_close, after_close] = cells;
        Ok(SectionContent {
            range: before_open.span.start..after_close.span.end,
            body: after_open.span.end..before_close.span.start,
            extent: Extent::Text(Box::new(ends)),
            suggests_list: false,
            is_empty,
        })
    }

    /// Returns the positions where runs are closed and opened again. `cells` are the first and the last character of both
    /// tags. Returns `None` if the elements around the runs cannot be closed there.
    fn text_ends(&self, cells: [&TextCell; 4]) -> Option<[TextEnd; 4]> {
        let containers = &self.part.scan.containers;
        let mut chains: Vec<Vec<Index>> = Vec::with_capacity(cells.len());
        for cell in cells {
            let run = self.part.scan.runs.get(cell.run).filter(|run| !run.is_nested)?;
            if !cell.is_run_child || cell.text.is_none() {
                return None;
            }
            chains.push(containers.inline_chain(run.parent).collect());
        }
        let (shortest, others) = chains.split_first()?;
        // The innermost element that contains all four characters.
        let common = shortest.iter().find(|at| others.iter().all(|chain| chain.contains(at))).copied();
        let ends = cells.into_iter().zip(chains).map(|(cell, chain)| {
            let elements: Vec<Index> = chain.into_iter().take_while(|at| Some(*at) != common).collect();
            let can_split = |at: &Index| containers.inline_elements.get(*at).is_some_and(|element| element.can_split);
            elements.iter().all(can_split).then_some(TextEnd { run: cell.run, elements })
        });
        ends.collect::<Option<Vec<TextEnd>>>()?.try_into().ok()
    }

    fn paragraph(&self, place: TagPlace) -> Option<&'p ScannedParagraph> {
        self.part.scan.paragraphs.get(place.paragraph)
    }

    fn tag(&self, place: TagPlace) -> Option<&'p TagMatch> {
        self.part.paragraph_fields.get(place.paragraph)?.tags.get(place.tag)
    }

    /// Returns `true` if a paragraph contains tags and nothing else but white space.
    pub(super) fn has_only_tags(&self, paragraph: Index) -> bool {
        let scanned = self.part.scan.paragraphs.get(paragraph);
        self.contents.get(&paragraph) == Some(&None) && scanned.is_some_and(|scanned| !scanned.has_formula)
    }

    /// Returns `true` if a paragraph contains only tags and white space outside the characters `inside`.
    fn is_blank_outside(&self, paragraph: Index, inside: Range<Index>) -> bool {
        let content = self.contents.get(&paragraph).copied().flatten();
        content.is_none_or(|(first, last)| inside.start <= first && last < inside.end)
    }

    /// Returns `true` if a row contains tags and nothing else but white space.
    fn row_has_only_tags(&self, row: &Range<usize>) -> bool {
        let paragraphs = &self.part.scan.paragraphs;
        let first = paragraphs.partition_point(|paragraph| paragraph.range.start < row.start);
        let inside = paragraphs.iter().enumerate().skip(first).take_while(|(_, inner)| inner.range.start < row.end);
        let mut has_tags = false;
        for (at, paragraph) in inside {
            if self.has_only_tags(at) {
                has_tags = true;
            } else if !paragraph.is_blank {
                return false;
            }
        }
        has_tags
    }

    /// Returns the innermost complex field around a byte offset.
    fn field_around(&self, at: usize) -> Option<Index> {
        let begun = self.fields.partition_point(|(range, _)| range.start < at);
        let mut field = begun.checked_sub(1);
        while let Some((range, outer)) = field.and_then(|field| self.fields.get(field)) {
            if at < range.end {
                return field;
            }
            field = *outer;
        }
        None
    }
}

/// Returns the first and the last character of a paragraph that is neither in a tag nor white space.
fn content_of(part: &ScannedPart<'_>, paragraph: Index, tags: &[TagMatch]) -> Option<(Index, Index)> {
    let cells = part.scan.paragraphs.get(paragraph).map_or(&[][..], |paragraph| &paragraph.cells);
    let mut tags = tags.iter().peekable();
    let mut content = None;
    for (at, cell) in cells.iter().enumerate() {
        while tags.next_if(|tag| tag.cells.end <= at).is_some() {}
        let is_in_tag = tags.peek().is_some_and(|tag| tag.cells.contains(&at));
        if !is_in_tag && !cell.character.is_whitespace() && !name::is_ignorable(cell.character) {
            content = Some((content.map_or(at, |(first, _)| first), at));
        }
    }
    content
}
