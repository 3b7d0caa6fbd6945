//! The logical structure (ISO 32000-1, 14.7 and 14.8) as krilla's tag tree.

use std::num::{NonZeroU16, NonZeroU32};

use krilla::tagging::{Identifier, ListNumbering, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree};
use waraq_layout::{Element, ElementId, ElementKind};

/// Maximum depth of the tag tree, because it is written recursively. Content of deeper elements moves up to this depth.
const MAX_DEPTH: usize = 100;

/// Collects the content of each element in drawing order.
pub(super) struct TagTreeBuilder<'a> {
    elements: &'a [Element],
    contents: Vec<ElementContent>,
    /// Annotations of links that belong to no element.
    links_without_element: Vec<Identifier>,
}

#[derive(Default, Clone)]
struct ElementContent {
    children: Vec<TagChild>,
    /// `true` if this element has been added to the children of its parent.
    is_attached: bool,
    /// The text of a heading. krilla needs it as the heading's title.
    title: String,
}

#[derive(Clone, Copy)]
enum TagChild {
    Marked(Identifier),
    Element(usize),
    /// A link whose element is not of kind link. It gets its own link tag.
    Link(Identifier),
}

impl<'a> TagTreeBuilder<'a> {
    pub(super) fn new(elements: &'a [Element]) -> Self {
        Self { elements, contents: vec![ElementContent::default(); elements.len()], links_without_element: Vec::new() }
    }

    /// Returns the id, or `None` if the structure has no such element.
    pub(super) fn existing(&self, id: Option<ElementId>) -> Option<ElementId> {
        id.filter(|id| (id.0 as usize) < self.elements.len())
    }

    /// Adds drawn content to an element.
    pub(super) fn add_drawn_content(&mut self, id: ElementId, identifier: Identifier) {
        self.attach_to_parents(id.0 as usize);
        if let Some(content) = self.contents.get_mut(id.0 as usize) {
            content.children.push(TagChild::Marked(identifier));
        }
    }

    /// Adds the annotation of a link to an element. If the element is not of kind link, the annotation gets its own link tag.
    pub(super) fn add_link(&mut self, id: Option<ElementId>, identifier: Identifier) {
        let Some(id) = self.existing(id) else {
            self.links_without_element.push(identifier);
            return;
        };
        let index = id.0 as usize;
        self.attach_to_parents(index);
        let is_link = self.elements.get(index).is_some_and(|element| element.kind == ElementKind::Link);
        if let Some(content) = self.contents.get_mut(index) {
            content.children.push(if is_link { TagChild::Marked(identifier) } else { TagChild::Link(identifier) });
        }
    }

    /// Adds text to the title of an element, if the element is a heading.
    pub(super) fn add_heading_text(&mut self, id: ElementId, text: &str) {
        let index = id.0 as usize;
        let is_heading = matches!(self.elements.get(index), Some(Element { kind: ElementKind::Heading(_), .. }));
        if let Some(content) = self.contents.get_mut(index).filter(|content| is_heading && content.title.len() < 1_000)
        {
            content.title.push_str(text);
        }
    }

    /// Adds an element to the children of its parent, then the parent to the children of its own parent, and so on up
    /// to the root. Stops at an element that has been added before. The caller calls this function when it draws
    /// content of the element. The tag of a note is therefore at the place where the note is drawn.
    fn attach_to_parents(&mut self, mut index: usize) {
        // a parent has a smaller index than its children, so this loop ends
        while let Some(parent) = self.parent(index) {
            let Some(content) = self.contents.get_mut(index).filter(|content| !content.is_attached) else { return };
            content.is_attached = true;
            if let Some(above) = self.contents.get_mut(parent) {
                above.children.push(TagChild::Element(index));
            }
            index = parent;
        }
    }

    fn parent(&self, index: usize) -> Option<usize> {
        let parent = self.elements.get(index)?.parent?.0 as usize;
        (parent < index).then_some(parent)
    }

    /// Builds the tree: the root elements in document order, with their drawn content below them.
    pub(super) fn into_tree(mut self, language: Option<String>) -> TagTree {
        let mut tree = TagTree::new().with_lang(language);
        for root in 0..self.elements.len() {
            if self.parent(root).is_none()
                && let Some(group) = self.build_group(root, 0)
            {
                tree.push(group);
            }
        }
        for identifier in std::mem::take(&mut self.links_without_element) {
            tree.push(link_group(identifier));
        }
        tree
    }

    /// Builds the tag of an element. Returns `None` if none of its content was drawn.
    fn build_group(&mut self, index: usize, depth: usize) -> Option<TagGroup> {
        let content = std::mem::take(self.contents.get_mut(index)?);
        let kind = self.elements.get(index)?.kind.clone();
        let mut leaves = content.children;
        if depth >= MAX_DEPTH {
            leaves = self.flattened(leaves);
        }
        if !leaves.iter().any(|leaf| !matches!(leaf, TagChild::Element(_))) {
            // rows, cells and list items keep the order of the document, which may differ from the drawing order
            leaves.sort_by_key(|leaf| if let TagChild::Element(child) = leaf { *child } else { 0 });
        }
        if let [TagChild::Element(only)] = leaves[..]
            && is_cell(&kind)
            && self.elements.get(only).is_some_and(|element| element.kind == ElementKind::Paragraph)
        {
            // the tag of a single paragraph adds no information to a cell, so the cell holds its content directly
            leaves = std::mem::take(&mut self.contents.get_mut(only)?.children);
        }
        let mut nodes: Vec<Node> = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            match leaf {
                TagChild::Marked(identifier) => nodes.push(identifier.into()),
                TagChild::Link(identifier) => nodes.push(link_group(identifier).into()),
                TagChild::Element(child) => nodes.extend(self.build_group(child, depth + 1).map(Node::from)),
            }
        }
        (!nodes.is_empty()).then(|| TagGroup::with_children(krilla_tag(&kind, content.title.trim()), nodes))
    }

    /// Replaces each element in `leaves` with the drawn content and the links of that element and of all elements below
    /// it. The result contains no elements.
    fn flattened(&mut self, leaves: Vec<TagChild>) -> Vec<TagChild> {
        let mut flat = Vec::new();
        let mut open: Vec<TagChild> = leaves.into_iter().rev().collect();
        while let Some(leaf) = open.pop() {
            match leaf {
                TagChild::Element(child) => {
                    if let Some(content) = self.contents.get_mut(child) {
                        open.extend(std::mem::take(&mut content.children).into_iter().rev());
                    }
                }
                other => flat.push(other),
            }
        }
        flat
    }
}

/// Returns `true` for table cells and list bodies, which may contain content without a paragraph around it (ISO
/// 32000-1, 14.8.4.3.3 and 14.8.4.3.4).
fn is_cell(kind: &ElementKind) -> bool {
    matches!(kind, ElementKind::TableCell { .. } | ElementKind::TableHeader { .. } | ElementKind::ListBody)
}

fn link_group(identifier: Identifier) -> TagGroup {
    TagGroup::with_children(Tag::Link, vec![identifier.into()])
}

fn list_numbering(numbering: waraq_layout::ListNumbering) -> ListNumbering {
    use waraq_layout::ListNumbering as Labels;
    match numbering {
        Labels::None => ListNumbering::None,
        Labels::Disc => ListNumbering::Disc,
        Labels::Circle => ListNumbering::Circle,
        Labels::Square => ListNumbering::Square,
        Labels::Decimal => ListNumbering::Decimal,
        Labels::UpperRoman => ListNumbering::UpperRoman,
        Labels::LowerRoman => ListNumbering::LowerRoman,
        Labels::UpperAlpha => ListNumbering::UpperAlpha,
        Labels::LowerAlpha => ListNumbering::LowerAlpha,
    }
}

fn krilla_tag(kind: &ElementKind, title: &str) -> TagKind {
    let span = |count: u16| NonZeroU32::new(u32::from(count)).filter(|count| count.get() > 1);
    match kind {
        ElementKind::Paragraph => Tag::P.into(),
        ElementKind::Heading(level) => {
            let level = NonZeroU16::new(u16::from(*level)).unwrap_or(NonZeroU16::MIN);
            Tag::Hn(level, (!title.is_empty()).then(|| title.to_owned())).into()
        }
        ElementKind::List(numbering) => Tag::L(list_numbering(*numbering)).into(),
        ElementKind::ListItem => Tag::LI.into(),
        ElementKind::Label => Tag::Lbl.into(),
        ElementKind::ListBody => Tag::LBody.into(),
        ElementKind::Table => Tag::Table.into(),
        ElementKind::TableRow => Tag::TR.into(),
        ElementKind::TableHeader { of_row, columns, rows } => {
            let scope = if *of_row { TableHeaderScope::Row } else { TableHeaderScope::Column };
            Tag::TH(scope).with_col_span(span(*columns)).with_row_span(span(*rows)).into()
        }
        ElementKind::TableCell { columns, rows } => {
            Tag::TD.with_col_span(span(*columns)).with_row_span(span(*rows)).into()
        }
        ElementKind::Figure { alternative_text } => Tag::Figure(alternative_text.clone()).into(),
        ElementKind::Formula { alternative_text } => Tag::Formula(Some(alternative_text.clone())).into(),
        ElementKind::Note => Tag::Note.into(),
        ElementKind::Link => Tag::Link.into(),
        ElementKind::TableOfContents => Tag::TOC.into(),
        ElementKind::Caption => Tag::Caption.into(),
    }
}
