//! The logical structure of the document (ISO 32000-1 §14.8). It is built once from the tree, before layout.

use std::collections::{HashMap, HashSet};

use waraq_docx::tree::{
    Block, Content, Document, Drawing, NodeId, NoteKind, Paragraph, Placement, Table, TableProperties, VerticalMerge,
};

use super::spacing::visible;
use super::table::grid::{InGrid, grid};
use super::unit::Merge;
use super::walk;
use crate::page::{Element, ElementId, ElementKind};

/// The structure elements, and the element of each node of the document tree.
#[derive(Default)]
pub(super) struct Elements {
    pub all: Vec<Element>,
    by_node: HashMap<NodeId, ElementId>,
    /// Ids of the footnotes that already have an element. It is below the paragraph with their first mark.
    footnotes: HashSet<i64>,
    /// Outline levels of the headings that the next content is below. They determine the depth of the next heading.
    headings: Vec<u8>,
}

impl Elements {
    pub fn of(document: &Document) -> Self {
        let mut elements = Self::default();
        for section in &document.sections {
            elements.blocks(&section.blocks, None, document, 0);
        }
        for note in document.endnotes.values() {
            let element = elements.add(ElementKind::Note, None);
            elements.blocks(&note.blocks, Some(element), document, 0);
        }
        elements
    }

    pub fn get(&self, node: NodeId) -> Option<ElementId> {
        self.by_node.get(&node).copied()
    }

    fn add(&mut self, kind: ElementKind, parent: Option<ElementId>) -> ElementId {
        let id = ElementId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(Element { kind, parent });
        id
    }

    fn blocks(&mut self, blocks: &[Block], parent: Option<ElementId>, document: &Document, depth: u8) {
        if depth > 30 {
            return;
        }
        // The open lists, outermost first: the list level, the element of the list, and the body of its last item.
        let mut lists: Vec<(u8, ElementId, ElementId)> = Vec::new();
        for block in blocks {
            match block {
                Block::Paragraph(paragraph) => {
                    let parent = self.in_list(paragraph, parent, &mut lists);
                    self.paragraph(paragraph, parent, document, depth);
                }
                Block::Table(table) => {
                    lists.clear();
                    self.table(table, parent, document, depth);
                }
            }
        }
    }

    /// Returns the parent of a paragraph. For a list paragraph, this is the body of a new list item.
    fn in_list(
        &mut self,
        paragraph: &Paragraph,
        parent: Option<ElementId>,
        lists: &mut Vec<(u8, ElementId, ElementId)>,
    ) -> Option<ElementId> {
        let heading = paragraph.properties.outline_level.is_some();
        let Some((_, level)) = paragraph.properties.numbering.filter(|_| paragraph.label.is_some() && !heading) else {
            lists.clear();
            return parent;
        };
        while lists.last().is_some_and(|(open, ..)| *open > level) {
            lists.pop();
        }
        let list = match lists.pop() {
            Some((open, list, _)) if open == level => list,
            Some(outer) => {
                let body = outer.2;
                lists.push(outer);
                self.add(ElementKind::List, Some(body))
            }
            None => self.add(ElementKind::List, parent),
        };
        let item = self.add(ElementKind::ListItem, Some(list));
        let body = self.add(ElementKind::ListBody, Some(item));
        lists.push((level, list, body));
        Some(body)
    }

    fn paragraph(&mut self, paragraph: &Paragraph, parent: Option<ElementId>, document: &Document, depth: u8) {
        let kind = self.heading(paragraph).map_or(ElementKind::Paragraph, ElementKind::Heading);
        let element = self.add(kind, parent);
        self.by_node.insert(paragraph.id, element);
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::Drawing(drawing) => self.drawing(drawing, element, document, depth),
                Content::NoteReference { kind: NoteKind::Footnote, id, .. } => {
                    if let Some(note) = document.footnotes.get(id)
                        && self.footnotes.insert(*id)
                    {
                        let element = self.add(ElementKind::Note, Some(element));
                        self.blocks(&note.blocks, Some(element), document, depth + 1);
                    }
                }
                Content::Math(math) => {
                    let alternative_text = math.text.clone();
                    let formula = self.add(ElementKind::Formula { alternative_text }, Some(element));
                    self.by_node.insert(math.id, formula);
                }
                _ => {}
            }
        }
    }

    /// Returns the nesting depth of a heading, or `None` for other paragraphs. Headings begin at level 1 and descend by one at
    /// a time, regardless of their styles. Authors choose levels for their appearance, but users of screen readers must not
    /// miss a level (ISO 14289-1, 7.4.2).
    fn heading(&mut self, paragraph: &Paragraph) -> Option<u8> {
        let level = paragraph.properties.outline_level.filter(|level| *level < 9)?.min(5);
        let drawn = paragraph.inlines.iter().any(|inline| matches!(inline.content, Content::Drawing(_)));
        if !drawn && walk::text_of_paragraph(paragraph).is_empty() {
            return None;
        }
        while self.headings.pop_if(|above| *above >= level).is_some() {}
        self.headings.push(level);
        u8::try_from(self.headings.len()).ok()
    }

    /// Adds the elements of a drawing. A drawing with text boxes gets the elements of their blocks. Any other drawing is a
    /// figure.
    fn drawing(&mut self, drawing: &Drawing, parent: ElementId, document: &Document, depth: u8) {
        let mut boxes = Vec::new();
        walk::boxes(drawing, &mut |blocks| boxes.push(blocks));
        let is_rule = matches!(drawing.placement, Placement::Rule(_));
        if boxes.is_empty() && !is_rule {
            let alternative_text = drawing.description.as_deref().map(str::to_owned);
            let figure = self.add(ElementKind::Figure { alternative_text }, Some(parent));
            self.by_node.insert(drawing.id, figure);
        }
        for blocks in boxes {
            self.blocks(blocks, Some(parent), document, depth + 1);
        }
    }

    fn table(&mut self, table: &Table, parent: Option<ElementId>, document: &Document, depth: u8) {
        if only_arranges(table) {
            for cell in table.rows.iter().flat_map(|row| &row.cells) {
                self.blocks(&cell.blocks, parent, document, depth + 1);
            }
            return;
        }
        let element = self.add(ElementKind::Table, parent);
        for (row, cells) in table.rows.iter().zip(grid(table).0) {
            let row_element = self.add(ElementKind::TableRow, Some(element));
            for (index, InGrid { cell, merge, .. }) in cells.iter().enumerate() {
                if cell.vertical_merge == VerticalMerge::Continue {
                    continue;
                }
                let rows = if let Merge::Start(rows) = merge { *rows } else { 1 };
                let columns = u16::try_from(cell.span.max(1)).unwrap_or(u16::MAX);
                let rows = u16::try_from(rows).unwrap_or(u16::MAX);
                let of_row = table.properties.header_column && index == 0 && row.grid_before == 0;
                let kind = if row.header || of_row {
                    ElementKind::TableHeader { of_row: !row.header, columns, rows }
                } else {
                    ElementKind::TableCell { columns, rows }
                };
                let cell_element = self.add(kind, Some(row_element));
                self.by_node.insert(cell.id, cell_element);
                self.blocks(&cell.blocks, Some(cell_element), document, depth + 1);
            }
        }
    }
}

/// Returns true if a table is used only for layout: names above signature lines, an address beside a logo, a box around text.
/// Such a table has no headers, and either a single column or neither borders nor shading. Screen readers should not announce
/// it as a table (PDF/UA-1, 7.5).
fn only_arranges(table: &Table) -> bool {
    let TableProperties { borders, shading, header_column, .. } = &table.properties;
    if *header_column || table.rows.iter().any(|row| row.header) {
        return false;
    }
    let outer = [borders.top, borders.bottom, borders.left, borders.right];
    let inner = [borders.inside_horizontal, borders.inside_vertical];
    let ruled = outer.into_iter().chain(inner).any(|border| visible(border).is_some());
    let shaded = shading.is_some() || table.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.shading.is_some());
    table.rows.iter().all(|row| row.cells.len() <= 1) || !(ruled || shaded)
}
