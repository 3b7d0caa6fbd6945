//! The text of a page in reading order, with positions: for selection, search, copying and screen readers.

use std::collections::BTreeMap;

use serde::Serialize;
use waraq_layout::geometry::{self, IDENTITY, MAX_DEPTH};
use waraq_layout::{Element, ElementId, ElementKind, GlyphRun, Item, Link, Page, Pages, Placed, Rect, Transform};

/// The text of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PageText {
    /// The content of the document in reading order.
    pub body: Vec<Node>,
    /// Headers, footers and page numbers.
    pub artifacts: Vec<Node>,
}

/// A node in the text of a page.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum Node {
    Text(Text),
    /// A link to a URI or to a destination in the document.
    Link {
        #[serde(flatten)]
        target: Target,
        /// The clickable area, used if the link has no text.
        area: Area,
        content: Vec<Node>,
    },
    Element {
        #[serde(flatten)]
        role: Role,
        content: Vec<Node>,
    },
}

/// Neighbouring letters in logical order.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Text {
    pub text: String,
    /// The left end of the baseline, in points.
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub size: f32,
    /// The clockwise rotation in degrees.
    #[serde(skip_serializing_if = "is_zero")]
    pub angle: f32,
    pub right_to_left: bool,
    /// The language (BCP 47) if it differs from the document's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// `true` if a tab or a line end separates this text from the text before.
    pub apart: bool,
}

/// A rectangle in points.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Area {
    pub x: f32,
    pub y: f32,
    pub width: f32,
    pub height: f32,
}

/// The target of a link.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Target {
    Uri(String),
    /// The name of a destination in [`crate::Outcome::Pages`].
    Destination(String),
}

/// The role of an element for screen readers.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", tag = "role")]
pub enum Role {
    Paragraph,
    Heading {
        level: u8,
    },
    List,
    ListItem,
    Table,
    Row,
    #[serde(rename_all = "camelCase")]
    Header {
        of_row: bool,
        columns: u16,
        rows: u16,
    },
    Cell {
        columns: u16,
        rows: u16,
    },
    Figure {
        description: String,
    },
    Formula {
        description: String,
    },
    Note,
    /// An element without a role.
    Group,
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f32) -> bool {
    *number == 0.0
}

/// Maximum depth of the tree. Deeper elements are left out.
const DEEPEST: usize = 60;

/// Returns the text of a page in reading order.
pub fn of(pages: &Pages, page: &Page) -> PageText {
    let elements = &pages.structure;
    let mut found = Found { elements, of: BTreeMap::new(), artifacts: Own::default(), drawn: 0 };
    found.items(&page.items, None, &IDENTITY, 0);
    let artifacts = std::mem::take(&mut found.artifacts).lines();
    PageText { body: found.tree(), artifacts }
}

/// The content of a page, by element.
struct Found<'a> {
    elements: &'a [Element],
    of: BTreeMap<usize, Own>,
    artifacts: Own,
    /// Number of pieces found so far.
    drawn: usize,
}

/// The direct content of an element.
#[derive(Default)]
struct Own {
    pieces: Vec<Piece>,
    links: Vec<(Area, Target)>,
    children: Vec<(usize, usize)>,
}

struct Piece {
    /// The position in drawing order.
    drawn: usize,
    /// Start of the piece in the text of its paragraph.
    at: u32,
    /// End of the piece in the text of its paragraph.
    end: u32,
    text: Text,
}

impl Found<'_> {
    fn items(&mut self, items: &[Placed], within: Option<ElementId>, through: &Transform, depth: usize) {
        for placed in items {
            let element = placed.element.or(within);
            match &placed.item {
                Item::Group { transform, items, .. } if depth < MAX_DEPTH => {
                    self.touch(element);
                    self.items(items, element, &geometry::concatenate(through, transform), depth + 1);
                }
                Item::Repeated { items, .. } if depth < MAX_DEPTH => self.items(items, element, through, depth + 1),
                Item::Glyphs(run) => {
                    if let Some(text) = text(run, through) {
                        self.drawn += 1;
                        let end = run.at.saturating_add(run.text.len() as u32);
                        let piece = Piece { drawn: self.drawn, at: run.at, end, text };
                        self.own(element).pieces.push(piece);
                    }
                }
                Item::Link { area, target } => {
                    let area = geometry::bounds(through, area);
                    if geometry::is_sound(&area) {
                        let target = match target {
                            Link::Uri(uri) => Target::Uri(uri.clone()),
                            Link::Bookmark(name) => Target::Destination(name.clone()),
                        };
                        let Rect { x, y, width, height } = area;
                        self.own(element).links.push((Area { x, y, width, height }, target));
                    }
                }
                _ => self.touch(element),
            }
        }
    }

    /// Records a figure as soon as any part of it is drawn.
    fn touch(&mut self, element: Option<ElementId>) {
        let figure = |id: &ElementId| {
            matches!(self.elements.get(id.0 as usize), Some(Element { kind: ElementKind::Figure { .. }, .. }))
        };
        if let Some(id) = element.filter(figure) {
            self.drawn += 1;
            self.own(Some(id));
        }
    }

    fn own(&mut self, element: Option<ElementId>) -> &mut Own {
        let known = element.map(|id| id.0 as usize).filter(|at| *at < self.elements.len());
        let Some(index) = known else { return &mut self.artifacts };
        self.hang(index);
        self.of.entry(index).or_default()
    }

    /// Adds an element to its parent's children when its first content is drawn.
    fn hang(&mut self, mut index: usize) {
        while !self.of.contains_key(&index) {
            self.of.insert(index, Own::default());
            let Some(parent) = self.parent(index) else { return };
            let drawn = self.drawn;
            let new = !self.of.contains_key(&parent);
            if new {
                self.hang(parent);
            }
            if let Some(own) = self.of.get_mut(&parent) {
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
        let roots: Vec<usize> = self.of.keys().copied().filter(|&index| self.parent(index).is_none()).collect();
        roots.into_iter().filter_map(|root| self.node(root, 0)).collect()
    }

    fn node(&mut self, index: usize, depth: usize) -> Option<Node> {
        let own = self.of.remove(&index)?;
        let role = role(&self.elements.get(index)?.kind)?;
        let mut children = own.children.clone();
        if own.pieces.is_empty() {
            // rows and cells follow the order of the document, in whatever order they are painted
            children.sort_by_key(|(_, child)| *child);
        }
        let mut content = own.inline(&children, &mut |child| {
            if depth < DEEPEST { self.node(child, depth + 1) } else { None }
        });
        if role == Role::List {
            content = content.into_iter().map(as_item).collect();
        }
        Some(Node::Element { role, content })
    }
}

/// Wraps a node in a list item, unless it is one, because lists may only contain items.
fn as_item(node: Node) -> Node {
    match node {
        Node::Element { role: Role::ListItem, .. } => node,
        other => Node::Element { role: Role::ListItem, content: vec![other] },
    }
}

impl Own {
    /// Returns the text in reading order, with links around their text and children in between.
    fn inline(mut self, children: &[(usize, usize)], child: &mut dyn FnMut(usize) -> Option<Node>) -> Vec<Node> {
        // stable sort: pieces with an equal start (an empty leader) keep their drawing order
        self.pieces.sort_by_key(|piece| piece.at);
        let mut content: Vec<Node> = Vec::new();
        let mut children = children.iter().peekable();
        let mut before: Option<u32> = None;
        let mut linked = vec![false; self.links.len()];
        for mut piece in std::mem::take(&mut self.pieces) {
            while let Some((_, index)) = children.next_if(|(drawn, _)| *drawn < piece.drawn) {
                content.extend(child(*index));
            }
            piece.text.apart = before.is_some_and(|end| piece.at > end);
            before = Some(piece.end);
            let link = self.links.iter().position(|(area, _)| area.holds(&piece.text));
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

    /// Like [`inline`](Self::inline), for content without an element: its paragraphs are separated by their position.
    fn lines(mut self) -> Vec<Node> {
        let mut lines: Vec<Own> = Vec::new();
        for piece in std::mem::take(&mut self.pieces) {
            let same = |line: &&mut Own| {
                line.pieces.last().is_some_and(|last| (last.text.y - piece.text.y).abs() < last.text.size * 0.6)
            };
            match lines.last_mut().filter(same) {
                Some(line) => line.pieces.push(piece),
                None => lines.push(Own { pieces: vec![piece], ..Own::default() }),
            }
        }
        for link in self.links {
            let line = lines.iter().position(|line| line.pieces.iter().any(|piece| link.0.holds(&piece.text)));
            match line.and_then(|at| lines.get_mut(at)) {
                Some(line) => line.links.push(link),
                None => lines.push(Own { links: vec![link], ..Own::default() }),
            }
        }
        let element = |line: Own| Node::Element { role: Role::Paragraph, content: line.inline(&[], &mut |_| None) };
        lines.into_iter().map(element).collect()
    }
}

impl Area {
    fn holds(&self, text: &Text) -> bool {
        let middle = text.x + text.width / 2.0;
        (self.x - 0.5..=self.x + self.width + 0.5).contains(&middle)
            && (self.y - 0.5..=self.y + self.height + 0.5).contains(&text.y)
    }
}

fn text(run: &GlyphRun, through: &Transform) -> Option<Text> {
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

/// Returns the role for screen readers, or `None` if they skip the element.
fn role(kind: &ElementKind) -> Option<Role> {
    Some(match kind {
        ElementKind::Paragraph | ElementKind::Caption => Role::Paragraph,
        ElementKind::Heading(level) => Role::Heading { level: *level },
        ElementKind::List => Role::List,
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
