//! The text of a page in reading order, with positions: for selection, search, copying and screen readers.

use std::collections::BTreeMap;

use serde::Serialize;
use waraq_layout::geometry::{self, IDENTITY, MAX_DEPTH};
use waraq_layout::{
    DisplayItem, Element, ElementId, ElementKind, GlyphRun, Link, Page, Pages, Rect, TaggedItem, Transform,
};

/// The text of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageText {
    /// The text of the page in reading order, without headers, footers and page numbers.
    pub body: Vec<Node>,
    /// Headers, footers and page numbers.
    pub artifacts: Vec<Node>,
}

/// A node in the text of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Node {
    /// A piece of text.
    Text(Text),
    /// A link to a URI or to a destination in the document.
    Link {
        /// The target of the link.
        #[serde(flatten)]
        target: Target,
        /// The clickable area, used if the link has no text.
        area: Area,
        /// The text of the link.
        content: Vec<Node>,
    },
    /// An element of the document's structure.
    Element {
        /// The role for screen readers.
        #[serde(flatten)]
        role: Role,
        /// The text, links and elements inside, in reading order.
        content: Vec<Node>,
    },
}

/// Text with one font, size and direction.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Text {
    /// The letters in logical order.
    pub text: String,
    /// The left end of the baseline, in points from the left of the page.
    pub x: f32,
    /// The baseline, in points from the top of the page.
    pub y: f32,
    /// The width of the text in points.
    pub width: f32,
    /// The font size of the text in points.
    pub size: f32,
    /// The clockwise rotation of the text in degrees.
    #[serde(skip_serializing_if = "is_zero")]
    pub angle: f32,
    /// `true` if the letters are read from right to left.
    pub right_to_left: bool,
    /// The language (BCP 47), or `None` if it is the language of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// `true` if a tab or a line end separates this text from the previous one in the paragraph.
    pub apart: bool,
}

/// A rectangle on a page, in points.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Area {
    /// The left edge of the rectangle, in points from the left of the page.
    pub x: f32,
    /// The top edge of the rectangle, in points from the top of the page.
    pub y: f32,
    /// The width of the rectangle in points.
    pub width: f32,
    /// The height of the rectangle in points.
    pub height: f32,
}

/// The target of a link.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Target {
    /// A URI. The caller must check its scheme before it follows the link.
    Uri(String),
    /// The name of a destination in [`crate::LayoutOutcome::Pages`].
    Destination(String),
}

/// The role of an element for screen readers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "role")]
pub enum Role {
    /// A paragraph or a caption.
    Paragraph,
    /// A heading.
    Heading {
        /// The level, from 1.
        level: u8,
    },
    /// A list. It contains only list items.
    List,
    /// An item of a list.
    ListItem,
    /// A table.
    Table,
    /// A row of a table.
    Row,
    /// A header cell.
    #[serde(rename_all = "camelCase")]
    Header {
        /// `true` if the cell is the header of its row, `false` if it is the header of its column.
        of_row: bool,
        /// Number of columns that the cell spans.
        columns: u16,
        /// Number of rows that the cell spans.
        rows: u16,
    },
    /// Any other cell.
    Cell {
        /// Number of columns that the cell spans.
        columns: u16,
        /// Number of rows that the cell spans.
        rows: u16,
    },
    /// A picture, shape or chart.
    Figure {
        /// The alternative text.
        description: String,
    },
    /// A formula.
    Formula {
        /// The formula in words.
        description: String,
    },
    /// A footnote or an endnote.
    Note,
    /// An element without a role.
    Group,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

/// Maximum depth of the tree. Deeper elements become siblings of the elements at this depth. The depth is limited,
/// because the tree is built, sent and displayed recursively.
const MAX_TREE_DEPTH: usize = 60;

/// Returns the text of a page in reading order.
pub fn page_text(pages: &Pages, page: &Page) -> PageText {
    let elements = &pages.structure;
    let mut found =
        TextCollector { elements, contents: BTreeMap::new(), artifacts: ElementContent::default(), piece_count: 0 };
    found.collect_items(&page.items, None, &IDENTITY, 0);
    let artifacts = std::mem::take(&mut found.artifacts).into_paragraphs();
    PageText { body: found.tree(), artifacts }
}

/// Collects the content of a page. `contents` has the content of each element, by the index of the element.
struct TextCollector<'a> {
    elements: &'a [Element],
    contents: BTreeMap<usize, ElementContent>,
    artifacts: ElementContent,
    /// Number of text pieces and figures found so far. A new piece or figure increases it by 1 and gets the result as
    /// its drawing order.
    piece_count: usize,
}

/// The content of an element, without the content of the elements inside it.
#[derive(Default)]
struct ElementContent {
    pieces: Vec<TextPiece>,
    links: Vec<(Area, Target)>,
    /// The child elements. Each of them has two numbers: the drawing order of its first content, and its index among
    /// all elements.
    children: Vec<(usize, usize)>,
}

/// The text of one glyph run of the page.
struct TextPiece {
    /// The position of the run in the drawing order of the page, counted from 1.
    drawing_order: usize,
    /// Start of the run in the text of its paragraph, in bytes.
    start: u32,
    /// End of the run in the text of its paragraph, in bytes.
    end: u32,
    text: Text,
}

impl TextCollector<'_> {
    fn collect_items(&mut self, items: &[TaggedItem], parent: Option<ElementId>, to_page: &Transform, depth: usize) {
        for placed in items {
            let element = placed.element.or(parent);
            match &placed.item {
                DisplayItem::Group { transform, items, .. } if depth < MAX_DEPTH => {
                    self.add_figure(element);
                    self.collect_items(items, element, &geometry::concatenate(to_page, transform), depth + 1);
                }
                DisplayItem::Repeated { items, .. } if depth < MAX_DEPTH => {
                    self.collect_items(items, element, to_page, depth + 1)
                }
                DisplayItem::Glyphs(run) => {
                    if let Some(text) = text_of_run(run, to_page) {
                        self.piece_count += 1;
                        let end = run.text_offset.saturating_add(run.text.len() as u32);
                        let piece = TextPiece { drawing_order: self.piece_count, start: run.text_offset, end, text };
                        self.content_of(element).pieces.push(piece);
                    }
                }
                DisplayItem::Link { area, target } => {
                    let area = geometry::transformed_bounds(to_page, area);
                    if geometry::is_finite_area(&area) {
                        let target = match &**target {
                            Link::Uri(uri) => Target::Uri(uri.clone()),
                            Link::Bookmark(name) => Target::Destination(name.clone()),
                        };
                        let Rect { x, y, width, height } = area;
                        self.content_of(element).links.push((Area { x, y, width, height }, target));
                    }
                }
                _ => self.add_figure(element),
            }
        }
    }

    /// If the element is a figure, adds it to the tree, because screen readers read its description even if it has no
    /// text.
    fn add_figure(&mut self, element: Option<ElementId>) {
        let figure = |id: &ElementId| {
            matches!(self.elements.get(id.0 as usize), Some(Element { kind: ElementKind::Figure { .. }, .. }))
        };
        if let Some(id) = element.filter(figure) {
            self.piece_count += 1;
            self.content_of(Some(id));
        }
    }

    /// Returns the content of an element. If the element is `None` or unknown, returns the content of the artifacts.
    fn content_of(&mut self, element: Option<ElementId>) -> &mut ElementContent {
        let known = element.map(|id| id.0 as usize).filter(|at| *at < self.elements.len());
        let Some(index) = known else { return &mut self.artifacts };
        self.attach_to_parents(index);
        self.contents.entry(index).or_default()
    }

    /// Adds an element to the children of its parent. Adds the parent to its own parent in the same way, and so on up
    /// to the root. Does nothing if the element has been added before. Callers use this function when content of the
    /// element is drawn.
    fn attach_to_parents(&mut self, mut index: usize) {
        while !self.contents.contains_key(&index) {
            self.contents.insert(index, ElementContent::default());
            let Some(parent) = self.parent(index) else { return };
            let drawn = self.piece_count;
            let new = !self.contents.contains_key(&parent);
            if new {
                self.attach_to_parents(parent);
            }
            if let Some(own) = self.contents.get_mut(&parent) {
                own.children.push((drawn, index));
            }
            index = parent;
        }
    }

    fn parent(&self, index: usize) -> Option<usize> {
        let parent = self.elements.get(index)?.parent?.0 as usize;
        (parent < index).then_some(parent)
    }

    fn tree(mut self) -> Vec<Node> {
        let roots: Vec<usize> = self.contents.keys().copied().filter(|&index| self.parent(index).is_none()).collect();
        roots.into_iter().flat_map(|root| self.nodes(root, 0)).collect()
    }

    /// Returns the node of an element. If `depth` is greater than [`MAX_TREE_DEPTH`], returns the element and all
    /// elements inside it as siblings.
    fn nodes(&mut self, index: usize, depth: usize) -> Vec<Node> {
        if depth > MAX_TREE_DEPTH {
            return self.flattened(index);
        }
        self.node(index, &mut |found, child| found.nodes(child, depth + 1)).into_iter().collect()
    }

    /// Returns the node of an element, or `None` if screen readers skip it. `child_nodes` returns the nodes of a child.
    fn node(&mut self, index: usize, child_nodes: &mut dyn FnMut(&mut Self, usize) -> Vec<Node>) -> Option<Node> {
        let own = self.contents.remove(&index)?;
        let elements = self.elements;
        let role = role(&elements.get(index)?.kind);
        let mut children = own.children.clone();
        if own.pieces.is_empty() {
            // rows and cells keep the order of the document, which may differ from the drawing order
            children.sort_by_key(|(_, child)| *child);
        }
        let mut content = own.into_nodes(&children, &mut |child| child_nodes(self, child));
        // the text of a figure without a description (a chart, a metafile) is read, but the figure is not announced
        let role = role.or((!content.is_empty()).then_some(Role::Group))?;
        if role == Role::List {
            content = content.into_iter().map(as_list_item).collect();
        }
        Some(Node::Element { role, content })
    }

    /// Returns an element and all elements inside it as siblings. An inner element without children stays at its
    /// position in the text of its parent. An inner element with children is placed after its parent. Tables and lists
    /// lose their roles.
    fn flattened(&mut self, index: usize) -> Vec<Node> {
        let mut nodes = Vec::new();
        let mut open = vec![index];
        while let Some(index) = open.pop() {
            let mut later = Vec::new();
            let node = self.node(index, &mut |found, child| {
                if found.contents.get(&child).is_some_and(|own| own.children.is_empty()) {
                    return found.node(child, &mut |_, _| Vec::new()).into_iter().collect();
                }
                later.push(child);
                Vec::new()
            });
            nodes.extend(node.and_then(without_structure));
            open.extend(later.into_iter().rev());
        }
        nodes
    }
}

/// Replaces the role by [`Role::Group`] if the node is a table, a list or a part of one. Returns `None` if such a node
/// has no text.
fn without_structure(node: Node) -> Option<Node> {
    match node {
        Node::Element {
            role:
                Role::Table
                | Role::Row
                | Role::Header { .. }
                | Role::Cell { .. }
                | Role::List
                | Role::ListItem
                | Role::Group,
            content,
        } => (!content.is_empty()).then_some(Node::Element { role: Role::Group, content }),
        other => Some(other),
    }
}

/// Wraps a node in a list item, because lists may only contain items. A node that is already a list item is not
/// wrapped.
fn as_list_item(node: Node) -> Node {
    match node {
        Node::Element { role: Role::ListItem, .. } => node,
        other => Node::Element { role: Role::ListItem, content: vec![other] },
    }
}

impl ElementContent {
    /// Returns the text and the links of the element, and the nodes of its `children`, in reading order. A link
    /// contains its text. A child is placed before the first text with a later position in the drawing order. `child`
    /// returns the nodes of a child.
    fn into_nodes(mut self, children: &[(usize, usize)], child: &mut dyn FnMut(usize) -> Vec<Node>) -> Vec<Node> {
        // stable sort: pieces with an equal start (for example an empty tab leader) keep their drawing order
        self.pieces.sort_by_key(|piece| piece.start);
        let mut content: Vec<Node> = Vec::new();
        let mut children = children.iter().peekable();
        let mut before: Option<u32> = None;
        let mut linked = vec![false; self.links.len()];
        for mut piece in std::mem::take(&mut self.pieces) {
            while let Some((_, index)) = children.next_if(|(drawn, _)| *drawn < piece.drawing_order) {
                content.extend(child(*index));
            }
            piece.text.apart = before.is_some_and(|end| piece.start > end);
            before = Some(piece.end);
            let link = self.links.iter().position(|(area, _)| area.contains_text(&piece.text));
            let text = Node::Text(piece.text);
            let Some((at, (area, target))) = link.and_then(|at| Some((at, self.links.get(at)?))) else {
                content.push(text);
                continue;
            };
            if let Some(seen) = linked.get_mut(at) {
                *seen = true;
            }
            match content.last_mut() {
                Some(Node::Link { target: last, content, .. }) if last == target => content.push(text),
                _ => content.push(Node::Link { target: target.clone(), area: *area, content: vec![text] }),
            }
        }
        for (_, index) in children {
            content.extend(child(*index));
        }
        for ((area, target), seen) in self.links.into_iter().zip(linked) {
            if !seen {
                content.push(Node::Link { target, area, content: Vec::new() });
            }
        }
        content
    }

    /// Returns the artifacts (headers, footers, page numbers) in reading order. They have no elements, so each line
    /// becomes a paragraph. Text with nearly the same baseline is in the same line.
    fn into_paragraphs(mut self) -> Vec<Node> {
        let mut lines: Vec<ElementContent> = Vec::new();
        for piece in std::mem::take(&mut self.pieces) {
            let same = |line: &&mut ElementContent| {
                line.pieces.last().is_some_and(|last| (last.text.y - piece.text.y).abs() < last.text.size * 0.6)
            };
            match lines.last_mut().filter(same) {
                Some(line) => line.pieces.push(piece),
                None => lines.push(ElementContent { pieces: vec![piece], ..ElementContent::default() }),
            }
        }
        for link in self.links {
            let line = lines.iter().position(|line| line.pieces.iter().any(|piece| link.0.contains_text(&piece.text)));
            match line.and_then(|at| lines.get_mut(at)) {
                Some(line) => line.links.push(link),
                None => lines.push(ElementContent { links: vec![link], ..ElementContent::default() }),
            }
        }
        let element = |line: ElementContent| Node::Element {
            role: Role::Paragraph,
            content: line.into_nodes(&[], &mut |_| Vec::new()),
        };
        lines.into_iter().map(element).collect()
    }
}

impl Area {
    /// Returns `true` if the middle of a text's baseline is in this area.
    fn contains_text(&self, text: &Text) -> bool {
        let middle = text.x + text.width / 2.0;
        (self.x - 0.5..=self.x + self.width + 0.5).contains(&middle)
            && (self.y - 0.5..=self.y + self.height + 0.5).contains(&text.y)
    }
}

/// Returns the text of a run in page coordinates, or `None` if it is empty or its position is not finite.
fn text_of_run(run: &GlyphRun, through: &Transform) -> Option<Text> {
    let width: f32 = run.glyphs.iter().map(|glyph| glyph.advance).sum();
    let Transform { a, b, .. } = *through;
    let stretch = a.hypot(b);
    let angle = if b == 0.0 && a > 0.0 { 0.0 } else { b.atan2(a).to_degrees() };
    let text = Text {
        text: run.text.to_string(),
        x: a * run.x + through.c * run.y + through.e,
        y: b * run.x + through.d * run.y + through.f,
        width: width * stretch,
        size: run.size * stretch,
        angle,
        right_to_left: run.right_to_left,
        language: run.language.as_deref().map(str::to_owned),
        apart: false,
    };
    let sound = [text.x, text.y, text.width, text.size].iter().all(|number| number.is_finite());
    (sound && !text.text.is_empty() && text.size > 0.0).then_some(text)
}

/// Returns the role for screen readers, or `None` for a figure without a description.
fn role(kind: &ElementKind) -> Option<Role> {
    Some(match kind {
        ElementKind::Paragraph | ElementKind::Caption => Role::Paragraph,
        ElementKind::Heading(level) => Role::Heading { level: *level },
        ElementKind::List(_) => Role::List,
        ElementKind::ListItem => Role::ListItem,
        ElementKind::Label | ElementKind::ListBody | ElementKind::Link | ElementKind::TableOfContents => Role::Group,
        ElementKind::Table => Role::Table,
        ElementKind::TableRow => Role::Row,
        ElementKind::TableHeader { of_row, columns, rows } => {
            Role::Header { of_row: *of_row, columns: *columns, rows: *rows }
        }
        ElementKind::TableCell { columns, rows } => Role::Cell { columns: *columns, rows: *rows },
        ElementKind::Figure { alternative_text } => {
            Role::Figure { description: alternative_text.clone().filter(|text| !text.trim().is_empty())? }
        }
        ElementKind::Formula { alternative_text } => Role::Formula { description: alternative_text.clone() },
        ElementKind::Note => Role::Note,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use waraq_layout::FontId;

    use super::*;

    /// Builds a page with one run, which is in the last of these elements, and returns its text. Each element is the
    /// parent of the next one.
    fn nested_body(kinds: Vec<ElementKind>) -> Vec<Node> {
        let run = GlyphRun {
            font: FontId(0),
            size: 10.0,
            color: waraq_layout::Rgb(0, 0, 0),
            x: 0.0,
            y: 0.0,
            text: Arc::from("words"),
            text_offset: 0,
            glyphs: Vec::new(),
            right_to_left: false,
            scale_x: 1.0,
            synthetic_bold: false,
            synthetic_italic: false,
            language: None,
            outlined: false,
            shadow: None,
        };
        let last = kinds.len() as u32 - 1;
        let items = vec![TaggedItem { item: DisplayItem::Glyphs(run), element: Some(ElementId(last)) }];
        let parent = |index: u32| index.checked_sub(1).map(ElementId);
        let structure = (0..).zip(kinds).map(|(index, kind)| Element { kind, parent: parent(index) }).collect();
        let page = Page { width: 100.0, height: 100.0, label: String::new(), items };
        page_text(&Pages { structure, ..Pages::default() }, &page).body
    }

    /// Follows nodes that have one child each down to the only text. Returns the depth of the text and the role of the
    /// element around it.
    fn depth_of_text(nodes: &[Node]) -> (usize, Option<&Role>) {
        match nodes {
            [Node::Element { role, content }] => {
                let (depth, last) = depth_of_text(content);
                (depth + 1, last.or(Some(role)))
            }
            [Node::Text(text)] if text.text == "words" => (0, None),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn text_in_very_deep_elements_is_kept_within_the_maximum_depth() {
        let cell = || ElementKind::TableCell { columns: 1, rows: 1 };
        for tables in [1, 19, 20, 21, 300] {
            let nested = (0..tables).flat_map(|_| [ElementKind::Table, ElementKind::TableRow, cell()]);
            let nodes = nested_body(nested.chain([ElementKind::Paragraph]).collect());
            let (depth, role) = depth_of_text(&nodes);
            assert!(depth <= MAX_TREE_DEPTH + 3 && depth >= (3 * tables + 1).min(MAX_TREE_DEPTH), "{tables}: {depth}");
            assert_eq!(role, Some(&Role::Paragraph), "{tables}");
        }
    }

    #[test]
    fn the_text_of_a_figure_is_kept_with_and_without_a_description() {
        for (description, expected) in [
            (None, Role::Group),
            (Some(" "), Role::Group),
            (Some("a chart"), Role::Figure { description: "a chart".into() }),
        ] {
            let figure = ElementKind::Figure { alternative_text: description.map(str::to_owned) };
            let nodes = nested_body(vec![ElementKind::Paragraph, figure]);
            assert_eq!(depth_of_text(&nodes), (2, Some(&expected)), "{description:?}");
        }
    }
}
