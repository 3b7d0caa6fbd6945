//! The logical structure of the document (ISO 32000-1 §14.8). It is built once from the tree, before layout.

use std::collections::{HashMap, HashSet};

use waraq_docx::tree::{
    Block, Content, Document, Drawing, Label, NodeId, NoteKind, NumberFormat, Paragraph, Placement, Table,
    TableProperties, VerticalMerge,
};

use super::fragment::MergeRole;
use super::spacing::visible_border;
use super::table::grid::{GridCell, grid_cells};
use super::walk;
use crate::page::{Element, ElementId, ElementKind, ListNumbering};

/// The structure elements, and the element of each node of the document tree.
#[derive(Default)]
pub(super) struct Elements {
    pub all: Vec<Element>,
    by_node: HashMap<NodeId, ElementId>,
    /// The element of the label of each list item, by the paragraph of the item.
    labels: HashMap<NodeId, ElementId>,
    /// Ids of the footnotes that already have an element. The element of a footnote is a child of the paragraph that has the
    /// footnote's first mark.
    footnotes: HashSet<i64>,
    /// Outline levels of the headings that enclose the next content, outermost first. The last level is that of the nearest
    /// heading above this content. The levels determine the depth of the next heading.
    headings: Vec<u8>,
}

impl Elements {
    pub fn from_document(document: &Document) -> Self {
        let mut elements = Self::default();
        for section in &document.sections {
            elements.add_blocks(&section.blocks, None, document, 0);
        }
        for note in document.endnotes.values() {
            let element = elements.add_element(ElementKind::Note, None);
            elements.add_blocks(&note.blocks, Some(element), document, 0);
        }
        elements
    }

    pub fn get(&self, node: NodeId) -> Option<ElementId> {
        self.by_node.get(&node).copied()
    }

    /// Returns the element of the label of a list item.
    pub fn label_of(&self, paragraph: NodeId) -> Option<ElementId> {
        self.labels.get(&paragraph).copied()
    }

    fn add_element(&mut self, kind: ElementKind, parent: Option<ElementId>) -> ElementId {
        let id = ElementId(u32::try_from(self.all.len()).unwrap_or(u32::MAX));
        self.all.push(Element { kind, parent });
        id
    }

    fn add_blocks(&mut self, blocks: &[Block], parent: Option<ElementId>, document: &Document, depth: u8) {
        if depth > 30 {
            return;
        }
        // The open lists, outermost first.
        let mut lists: Vec<OpenList> = Vec::new();
        for block in blocks {
            match block {
                Block::Paragraph(paragraph) => {
                    let parent = self.list_item_body(paragraph, parent, &mut lists);
                    self.add_paragraph(paragraph, parent, document, depth);
                }
                Block::Table(table) => {
                    lists.clear();
                    self.add_table(table, parent, document, depth);
                }
            }
        }
    }

    /// Returns the parent element for a paragraph. For a list paragraph, adds a list item and returns the body of this item.
    fn list_item_body(
        &mut self,
        paragraph: &Paragraph,
        parent: Option<ElementId>,
        lists: &mut Vec<OpenList>,
    ) -> Option<ElementId> {
        let heading = paragraph.properties.outline_level.is_some();
        let numbering = paragraph.properties.numbering.filter(|_| !heading);
        let Some(((id, level), label)) = numbering.zip(paragraph.label.as_ref()) else {
            lists.clear();
            return parent;
        };
        while lists.last().is_some_and(|open| open.level > level || (open.level == level && open.id != id)) {
            lists.pop();
        }
        let kind = ElementKind::List(list_numbering(label));
        let list = match lists.pop() {
            Some(open) if open.level == level => open.list,
            Some(outer) => {
                let body = outer.last_body;
                lists.push(outer);
                self.add_element(kind, Some(body))
            }
            None => self.add_element(kind, parent),
        };
        let item = self.add_element(ElementKind::ListItem, Some(list));
        let label = self.add_element(ElementKind::Label, Some(item));
        self.labels.insert(paragraph.id, label);
        let body = self.add_element(ElementKind::ListBody, Some(item));
        lists.push(OpenList { id, level, list, last_body: body });
        Some(body)
    }

    fn add_paragraph(&mut self, paragraph: &Paragraph, parent: Option<ElementId>, document: &Document, depth: u8) {
        let kind = self.heading_depth(paragraph).map_or(ElementKind::Paragraph, ElementKind::Heading);
        let element = self.add_element(kind, parent);
        self.by_node.insert(paragraph.id, element);
        for inline in &paragraph.inlines {
            match &inline.content {
                Content::Drawing(drawing) => self.add_drawing(drawing, element, document, depth),
                Content::NoteReference { kind: NoteKind::Footnote, id, .. } => {
                    if let Some(note) = document.footnotes.get(id)
                        && self.footnotes.insert(*id)
                    {
                        let element = self.add_element(ElementKind::Note, Some(element));
                        self.add_blocks(&note.blocks, Some(element), document, depth + 1);
                    }
                }
                Content::Math(math) => {
                    let alternative_text = math.text.clone();
                    let formula = self.add_element(ElementKind::Formula { alternative_text }, Some(element));
                    self.by_node.insert(math.id, formula);
                }
                _ => {}
            }
        }
    }

    /// Returns the nesting depth of a heading, or `None` for other paragraphs. Headings begin at depth 1 and become deeper by
    /// one at a time, regardless of their styles. Authors choose levels for their appearance, but users of screen readers must
    /// not miss a level (ISO 14289-1, 7.4.2).
    fn heading_depth(&mut self, paragraph: &Paragraph) -> Option<u8> {
        let level = paragraph.properties.outline_level.filter(|level| *level < 9)?.min(5);
        let drawn = paragraph.inlines.iter().any(|inline| matches!(inline.content, Content::Drawing(_)));
        if !drawn && walk::paragraph_text(paragraph).is_empty() {
            return None;
        }
        while self.headings.pop_if(|above| *above >= level).is_some() {}
        self.headings.push(level);
        u8::try_from(self.headings.len()).ok()
    }

    /// Adds the elements of a drawing. A drawing with text boxes gets the elements of the blocks in these boxes. Any other
    /// drawing becomes a figure, except a horizontal rule.
    fn add_drawing(&mut self, drawing: &Drawing, parent: ElementId, document: &Document, depth: u8) {
        let mut boxes = Vec::new();
        walk::visit_text_boxes(drawing, &mut |blocks| boxes.push(blocks));
        let is_rule = matches!(drawing.placement, Placement::Rule(_));
        if boxes.is_empty() && !is_rule {
            let alternative_text = drawing.description.as_deref().map(str::to_owned);
            let figure = self.add_element(ElementKind::Figure { alternative_text }, Some(parent));
            self.by_node.insert(drawing.id, figure);
        }
        for blocks in boxes {
            self.add_blocks(blocks, Some(parent), document, depth + 1);
        }
    }

    fn add_table(&mut self, table: &Table, parent: Option<ElementId>, document: &Document, depth: u8) {
        if is_layout_table(table) {
            for cell in table.rows.iter().flat_map(|row| &row.cells) {
                self.add_blocks(&cell.blocks, parent, document, depth + 1);
            }
            return;
        }
        let element = self.add_element(ElementKind::Table, parent);
        for (row, cells) in table.rows.iter().zip(grid_cells(table).rows) {
            let row_element = self.add_element(ElementKind::TableRow, Some(element));
            for (index, GridCell { cell, merge, .. }) in cells.iter().enumerate() {
                if cell.vertical_merge == VerticalMerge::Continue {
                    continue;
                }
                let rows = if let MergeRole::Start(rows) = merge { *rows } else { 1 };
                let columns = u16::try_from(cell.span.max(1)).unwrap_or(u16::MAX);
                let rows = u16::try_from(rows).unwrap_or(u16::MAX);
                let of_row = table.properties.header_column && index == 0 && row.grid_before == 0;
                let kind = if row.header || of_row {
                    ElementKind::TableHeader { of_row: !row.header, columns, rows }
                } else {
                    ElementKind::TableCell { columns, rows }
                };
                let cell_element = self.add_element(kind, Some(row_element));
                self.by_node.insert(cell.id, cell_element);
                self.add_blocks(&cell.blocks, Some(cell_element), document, depth + 1);
            }
        }
    }
}

/// Returns the kind of a list from the label of its first item.
fn list_numbering(label: &Label) -> ListNumbering {
    match label.format {
        NumberFormat::None => ListNumbering::None,
        NumberFormat::Bullet => match label.text.trim() {
            "o" | "○" | "◦" | "❍" | "⚬" => ListNumbering::Circle,
            "▪" | "■" | "□" | "▫" | "◼" | "◾" | "❑" | "❒" => ListNumbering::Square,
            _ => ListNumbering::Disc,
        },
        NumberFormat::UpperRoman => ListNumbering::UpperRoman,
        NumberFormat::LowerRoman => ListNumbering::LowerRoman,
        NumberFormat::UpperLetter | NumberFormat::RussianUpper => ListNumbering::UpperAlpha,
        NumberFormat::LowerLetter
        | NumberFormat::RussianLower
        | NumberFormat::ArabicAlpha
        | NumberFormat::ArabicAbjad
        | NumberFormat::Hebrew1
        | NumberFormat::Hebrew2
        | NumberFormat::ThaiLetters => ListNumbering::LowerAlpha,
        _ => ListNumbering::Decimal,
    }
}

/// A list to which further items may be added.
struct OpenList {
    /// The id of the numbering (w:numId).
    id: i64,
    /// List level, where 0 is the top level.
    level: u8,
    /// The element of the list.
    list: ElementId,
    /// The body of the last item that was added to the list.
    last_body: ElementId,
}

/// Returns true if a table is used only for layout, for example for names above signature lines, an address beside a logo, or a
/// box around text. Such a table has no headers. It also has only one column, or it has no borders and no shading. Screen readers
/// should not announce it as a table (PDF/UA-1, 7.5).
fn is_layout_table(table: &Table) -> bool {
    let TableProperties { borders, shading, header_column, .. } = &table.properties;
    if *header_column || table.rows.iter().any(|row| row.header) {
        return false;
    }
    let outer = [borders.top, borders.bottom, borders.left, borders.right];
    let inner = [borders.inside_horizontal, borders.inside_vertical];
    let ruled = outer.into_iter().chain(inner).any(|border| visible_border(border).is_some());
    let shaded = shading.is_some() || table.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.shading.is_some());
    table.rows.iter().all(|row| row.cells.len() <= 1) || !(ruled || shaded)
}
