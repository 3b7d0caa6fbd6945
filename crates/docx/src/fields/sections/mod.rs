//! Sections (`{{#name}} … {{/name}}`): finding, checking and expanding.
//!
//! A template with sections is filled in two steps. [`expand`] copies the content of each section once for each row of its
//! list, and removes the tags. The expanded parts are then scanned and filled like any other template. [`rename`] gives
//! each field in a row a name of its own, such as `items[3].price`.

mod expand;
mod extents;
mod find;
mod ids;
mod problems;
mod rename;
mod render;
mod scopes;
mod types;

use std::collections::HashSet;
use std::ops::Range;

use waraq_rules::DiagnosticCode;

use super::scan::Index;

pub(super) use expand::{Expanded, expand};
pub(super) use find::find_sections;
pub(super) use problems::report_problems;
pub(super) use rename::FlatName;
pub(super) use scopes::Scope;
pub(super) use types::{TemplateTypes, template_types};

/// A pair of tags with the same name, and the content between them.
#[derive(Debug)]
pub(super) struct Section {
    /// The normalized name.
    pub name: String,
    /// The section begins with `{{^name}}`. It is kept if the list is empty or the answer is no.
    pub inverted: bool,
    /// The index of the part that contains the section.
    pub part: usize,
    /// The innermost section around this one, as an index into [`Sections::all`]. For a section in a note, it may be a section
    /// around the reference to the note.
    pub parent: Option<usize>,
    /// The sections in this one, in the same part and in the order of their bytes.
    pub children: Vec<usize>,
    pub open: TagPlace,
    pub close: TagPlace,
    /// The bytes that the section replaces, with its tags.
    pub range: Range<usize>,
    /// The bytes that are repeated. They are inside `range`.
    pub body: Range<usize>,
    pub extent: Extent,
    /// The document suggests that the section is a list: it repeats rows or a list item, or contains `{{.}}`.
    pub suggests_list: bool,
    /// The tags are in an `mc:Fallback`.
    pub fallback: bool,
}

/// The place of a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TagPlace {
    pub paragraph: Index,
    /// The index of the tag in the tags of the paragraph.
    pub tag: usize,
}

/// The kind of content that a section repeats.
#[derive(Debug)]
pub(super) enum Extent {
    /// Complete rows of the table with this index.
    Rows { table: Index },
    /// Complete paragraphs and tables. `last` is the paragraph that replaces the section if its container must not end
    /// without a paragraph.
    Paragraphs { last: Index },
    /// A piece of a paragraph.
    Text(Box<[TextEnd; 4]>),
}

/// A position in the text of a run where the run is closed and opened again: before or after a tag.
#[derive(Debug)]
pub(super) struct TextEnd {
    pub run: Index,
    /// The elements around the run that are closed and opened again too, from the inside to the outside.
    pub elements: Vec<Index>,
}

/// The sections of all parts.
#[derive(Debug, Default)]
pub(super) struct Sections {
    /// All sections. A section comes after the sections around it.
    pub all: Vec<Section>,
    /// For each part, the sections that are in no other section of the part, in the order of their bytes.
    pub roots: Vec<Vec<usize>>,
    /// The indices of the sections that are not used because they are in too many others, in ascending order.
    pub dropped: Vec<usize>,
    /// The names of all sections.
    pub names: HashSet<String>,
    pub problems: Vec<SectionProblem>,
}

/// A tag or field with a problem.
#[derive(Debug)]
pub(super) struct SectionProblem {
    pub code: DiagnosticCode,
    pub part: usize,
    pub paragraph: Index,
    /// The characters of the tag or field in its paragraph.
    pub cells: Range<Index>,
    pub name: String,
}

impl Sections {
    /// Returns `true` if there are no sections.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns `true` if a section has this name.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Returns the sections that are used, with their indices. A section comes after the sections around it.
    pub(super) fn used(&self) -> impl Iterator<Item = (usize, &Section)> {
        self.all.iter().enumerate().filter(|(id, _)| self.dropped.binary_search(id).is_err())
    }

    /// Returns the innermost section of a part whose repeated content contains the byte offset `at`.
    pub(super) fn around(&self, part: usize, at: usize) -> Option<usize> {
        let mut found = None;
        let mut siblings: &[usize] = self.roots.get(part).map_or(&[], Vec::as_slice);
        loop {
            let begun = siblings.partition_point(|&id| self.all.get(id).is_some_and(|one| one.range.start <= at));
            let Some(&last) = begun.checked_sub(1).and_then(|last| siblings.get(last)) else { return found };
            let Some(section) = self.all.get(last).filter(|section| section.body.contains(&at)) else { return found };
            found = Some(last);
            siblings = &section.children;
        }
    }

    /// Returns a section and the sections around it, from the inside to the outside. Returns nothing for `None`.
    pub(super) fn chain(&self, inner: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(inner, |&id| self.all.get(id)?.parent.filter(|&parent| parent < id))
    }
}
