//! Pairing of tags, and the tree of sections.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use waraq_rules::{DiagnosticCode, MAX_LIST_DEPTH};

use super::extents::ExtentFinder;
use super::{Extent, Section, SectionProblem, Sections, TagPlace};
use crate::fields::matching::{TagMatch, TagSign};
use crate::fields::text_parts::{ScannedPart, note_anchors};

/// Finds the sections of all parts. The first part is the body.
pub(in crate::fields) fn find_sections(parts: &[ScannedPart<'_>]) -> Sections {
    let mut sections = Sections::default();
    let has_tags = |part: &ScannedPart<'_>| part.paragraph_fields.iter().any(|found| !found.tags.is_empty());
    if !parts.iter().any(has_tags) {
        sections.roots.resize(parts.len(), Vec::new());
        return sections;
    }
    for (index, part) in parts.iter().enumerate() {
        let found = PartFinder { index, part, sections: Vec::new(), problems: &mut sections.problems }.find();
        add_tree(part, found, &mut sections);
    }
    link_notes(parts, &mut sections);
    drop_deep_sections(parts, &mut sections);
    sections.names = sections.all.iter().map(|section| section.name.clone()).collect();
    sections
}

/// A start tag whose end tag was not read yet.
struct OpenTag<'p> {
    tag: &'p TagMatch,
    place: TagPlace,
}

/// The open tags of one text container, and those whose outer section has ended before them.
#[derive(Default)]
struct TagStack<'p> {
    open: Vec<OpenTag<'p>>,
    /// The number of open tags with each name.
    names: HashMap<&'p str, usize>,
    overtaken: HashMap<&'p str, Vec<OpenTag<'p>>>,
}

impl<'p> TagStack<'p> {
    fn push(&mut self, tag: &'p TagMatch, place: TagPlace) {
        *self.names.entry(&tag.name).or_default() += 1;
        self.open.push(OpenTag { tag, place });
    }

    /// Returns the last open tag with this name. The tags that were opened after it are no longer open.
    fn close(&mut self, name: &str) -> Option<OpenTag<'p>> {
        self.names.get(name).filter(|count| **count > 0)?;
        while let Some(last) = self.open.pop() {
            if let Some(count) = self.names.get_mut(last.tag.name.as_str()) {
                *count -= 1;
            }
            if last.tag.name == name {
                return Some(last);
            }
            self.overtaken.entry(&last.tag.name).or_default().push(last);
        }
        None
    }

    /// Removes a tag with this name that is no longer open. Returns `false` if there is none.
    fn take_overtaken(&mut self, name: &str) -> bool {
        self.overtaken.get_mut(name).is_some_and(|tags| tags.pop().is_some())
    }

    /// Returns the tags without an end tag.
    fn unclosed(self) -> impl Iterator<Item = OpenTag<'p>> {
        self.open.into_iter().chain(self.overtaken.into_values().flatten())
    }
}

struct PartFinder<'p, 's> {
    index: usize,
    part: &'p ScannedPart<'p>,
    sections: Vec<Section>,
    problems: &'s mut Vec<SectionProblem>,
}

impl<'p> PartFinder<'p, '_> {
    fn find(mut self) -> Vec<Section> {
        let extents = ExtentFinder::new(self.part);
        let mut stacks: BTreeMap<usize, TagStack<'p>> = BTreeMap::new();
        let part = self.part;
        for (at, (paragraph, found)) in part.scan.paragraphs.iter().zip(&part.paragraph_fields).enumerate() {
            let stack = if found.tags.is_empty() { continue } else { stacks.entry(paragraph.container.story) };
            let stack = stack.or_default();
            for (number, tag) in found.tags.iter().enumerate() {
                let place = TagPlace { paragraph: at, tag: number };
                if tag.sign != TagSign::Close {
                    stack.push(tag, place);
                } else if let Some(open) = stack.close(&tag.name) {
                    self.add_section(&extents, &open, tag, place);
                } else if stack.take_overtaken(&tag.name) {
                    self.report(DiagnosticCode::CrossedSections, tag, place);
                } else {
                    self.report(DiagnosticCode::UnopenedSection, tag, place);
                }
            }
        }
        for open in stacks.into_values().flat_map(TagStack::unclosed) {
            self.report(DiagnosticCode::UnclosedSection, open.tag, open.place);
        }
        self.sections
    }

    fn add_section(&mut self, extents: &ExtentFinder<'_>, open: &OpenTag<'_>, close: &TagMatch, place: TagPlace) {
        let content = match extents.content(open.place, place) {
            Ok(content) => content,
            Err(code) => return self.report(code, open.tag, open.place),
        };
        if content.is_empty {
            self.report(DiagnosticCode::EmptySection, open.tag, open.place);
        }
        let inverted = open.tag.sign == TagSign::OpenInverted;
        self.sections.push(Section {
            name: close.name.clone(),
            inverted,
            part: self.index,
            parent: None,
            children: Vec::new(),
            open: open.place,
            close: place,
            range: content.range,
            body: content.body,
            extent: content.extent,
            suggests_list: content.suggests_list && !inverted,
            fallback: self.part.scan.paragraphs.get(place.paragraph).is_some_and(|paragraph| paragraph.fallback),
        });
    }

    fn report(&mut self, code: DiagnosticCode, tag: &TagMatch, place: TagPlace) {
        let (paragraph, cells, name) = (place.paragraph, tag.cells.clone(), tag.name.clone());
        self.problems.push(SectionProblem { code, part: self.index, paragraph, cells, name });
    }
}

/// Adds the sections of a part to `sections`, in the order of their bytes. Sets the parent of each section.
///
/// Sections that share a vanishing paragraph or row are trimmed, so that each section is either inside another one or beside
/// it. A section that overlaps another one in a different way is dropped with a problem.
fn add_tree(part: &ScannedPart<'_>, mut found: Vec<Section>, sections: &mut Sections) {
    found.sort_by_key(|section| (section.range.start, Reverse(section.range.end), section.open));
    let mut open: Vec<usize> = Vec::new();
    let mut roots = Vec::new();
    for mut section in found {
        let mut end_before = 0;
        while let Some(outer) = open.last().and_then(|&outer| sections.all.get(outer)) {
            if section.range.start < outer.range.end && section.range.end <= outer.range.end {
                break;
            }
            end_before = end_before.max(outer.range.end);
            open.pop();
        }
        let outer = open.last().and_then(|&outer| sections.all.get(outer));
        let bounds = outer.map_or(0..usize::MAX, |outer| outer.body.clone());
        let start = bounds.start.max(end_before);
        let clamp = |range: &Range<usize>| {
            let from = range.start.clamp(start, bounds.end.max(start));
            from..range.end.clamp(from, bounds.end.max(from))
        };
        let (range, body) = (clamp(&section.range), clamp(&section.body));
        if range.is_empty() {
            // Both tags vanish with a tag around them.
            continue;
        }
        // Rows and paragraphs that are printed cannot be in two sections that are not in each other.
        let is_text = matches!(section.extent, Extent::Text(_));
        if section.body.start < end_before || (is_text && range != section.range) {
            sections.problems.push(problem_of(DiagnosticCode::SectionAcrossContainers, part, &section));
            continue;
        }
        (section.range, section.body) = (range, body);
        let id = sections.all.len();
        section.parent = open.last().copied();
        match section.parent.and_then(|outer| sections.all.get_mut(outer)) {
            Some(outer) => outer.children.push(id),
            None => roots.push(id),
        }
        open.push(id);
        sections.all.push(section);
    }
    sections.roots.push(roots);
}

/// Returns a problem at the start tag of a section.
fn problem_of(code: DiagnosticCode, part: &ScannedPart<'_>, section: &Section) -> SectionProblem {
    let tags = part.paragraph_fields.get(section.open.paragraph).map(|found| &found.tags);
    let tag = tags.and_then(|tags| tags.get(section.open.tag));
    let cells = tag.map(|tag| tag.cells.clone()).unwrap_or_default();
    SectionProblem { code, part: section.part, paragraph: section.open.paragraph, cells, name: section.name.clone() }
}

/// Sets the parents of the sections in notes: the sections around the references to the notes.
fn link_notes(parts: &[ScannedPart<'_>], sections: &mut Sections) {
    let anchors = note_anchors(parts);
    for (index, part) in parts.iter().enumerate().filter(|(_, part)| part.notes_kind().is_some()) {
        for root in sections.roots.get(index).cloned().unwrap_or_default() {
            let anchor = sections.all.get(root).and_then(|section| part.note_anchor(section.range.start, &anchors));
            let around = anchor.and_then(|anchor| sections.around(0, anchor));
            if let Some(section) = sections.all.get_mut(root) {
                section.parent = around;
            }
        }
    }
}

/// Drops the sections that are in more sections than allowed.
fn drop_deep_sections(parts: &[ScannedPart<'_>], sections: &mut Sections) {
    // A section comes after the sections around it.
    let mut depths: Vec<usize> = Vec::with_capacity(sections.all.len());
    for section in &sections.all {
        let outer = section.parent.and_then(|parent| depths.get(parent)).copied().unwrap_or(0);
        depths.push(outer + 1);
    }
    let deep: Vec<usize> = (0..).zip(&depths).filter(|(_, depth)| **depth > MAX_LIST_DEPTH).map(|(id, _)| id).collect();
    for &id in &deep {
        // A section deeper than the first one that is too deep needs no report of its own.
        let is_first = depths.get(id) == Some(&(MAX_LIST_DEPTH + 1));
        let Some(section) = sections.all.get(id).filter(|_| is_first) else { continue };
        if let Some(part) = parts.get(section.part) {
            sections.problems.push(problem_of(DiagnosticCode::SectionsTooDeep, part, section));
        }
    }
    // They stay in the list, because sections refer to each other by index. No section has them as children.
    for section in &mut sections.all {
        section.children.retain(|child| deep.binary_search(child).is_err());
    }
    for roots in &mut sections.roots {
        roots.retain(|root| deep.binary_search(root).is_err());
    }
    sections.dropped = deep;
}
