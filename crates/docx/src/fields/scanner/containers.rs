//! Tables, rows, cells and text containers, and the elements between a paragraph and its runs.

use std::ops::Range;

use super::Scanner;
use super::open_elements::ElementKind;
use crate::fields::containers::{Container, InlineElement, ScannedRow, ScannedTable};
use crate::fields::scan::Index;

/// The elements between a paragraph and its runs that can be closed and opened again without a change of meaning:
/// insertions, moved text, links, smart tags and directions.
const SPLITTABLE: [&str; 6] = ["ins", "moveTo", "hyperlink", "smartTag", "bdo", "dir"];

impl Scanner<'_> {
    fn enter(&mut self, inner: Container) {
        self.outer_containers.push(std::mem::replace(&mut self.container, inner));
    }

    pub(super) fn close_container(&mut self) {
        self.container = self.outer_containers.pop().unwrap_or_default();
    }

    /// Handles the start of a note, a comment or a text box.
    pub(super) fn open_story(&mut self) {
        self.story.containers.stories += 1;
        self.enter(Container { story: self.story.containers.stories, ..Container::default() });
    }

    pub(super) fn open_table(&mut self, tag: &Range<usize>) -> ElementKind {
        let at = self.story.containers.tables.len();
        self.story.containers.tables.push(ScannedTable { range: tag.clone(), outer: self.container });
        self.enter(Container { table: Some(at), row: None, ..self.container });
        ElementKind::Table(at)
    }

    pub(super) fn close_table(&mut self, at: Index, whole: Range<usize>) {
        self.close_container();
        if let Some(table) = self.story.containers.tables.get_mut(at) {
            table.range = whole;
        }
    }

    pub(super) fn open_row(&mut self, tag: &Range<usize>) -> ElementKind {
        let at = self.story.containers.rows.len();
        let parent = self.open_elements.last().map_or(0, |frame| frame.start);
        self.story.containers.rows.push(ScannedRow { range: tag.clone(), table: self.container.table, parent });
        self.enter(Container { row: Some(at), ..self.container });
        ElementKind::Row(at)
    }

    pub(super) fn close_row(&mut self, at: Index, whole: Range<usize>) {
        self.close_container();
        if let Some(row) = self.story.containers.rows.get_mut(at) {
            row.range = whole;
        }
    }

    pub(super) fn open_cell(&mut self) -> ElementKind {
        let cells = &mut self.story.containers.cells;
        cells.push(self.container.row);
        let cell = Some(cells.len() - 1);
        self.enter(Container { cell, ..self.container });
        ElementKind::Cell
    }

    /// Records an element that can contain runs of the open paragraph. Returns `None` for all other elements.
    pub(super) fn open_inline_element(&mut self, kind: ElementKind, local: &str, tag: &Range<usize>) -> Option<Index> {
        let outer = self.open_elements.last()?;
        let is_inline = outer.kind == ElementKind::Paragraph || outer.inline_element.is_some();
        if !is_inline || matches!(kind, ElementKind::Run(_) | ElementKind::ParagraphProperties) {
            return None;
        }
        let elements = &mut self.story.containers.inline_elements;
        let (parent, can_split) = (outer.inline_element, SPLITTABLE.contains(&local));
        elements.push(InlineElement { parent, start_tag: tag.clone(), can_split });
        self.story.held.grow(size_of::<InlineElement>());
        Some(elements.len() - 1)
    }

    /// Returns the innermost inline element at this position, and `true` if the position is inside a run.
    pub(super) fn place_of_run(&self) -> (Option<Index>, bool) {
        let parent = self.open_elements.last().and_then(|frame| frame.inline_element);
        (parent, matches!(self.innermost_text_container(), ElementKind::Run(_)))
    }
}
