//! Content controls bound to data of the document (§17.5.2.6 `w:dataBinding`): properties or custom XML parts.
//!
//! Word shows the current data instead of the text that was saved in the control.

use std::sync::Arc;

use super::part_reader::{PartReader, SharedContext};
use super::xml::{Element, Ns, Tree};
use crate::Package;
use crate::tree::*;

/// The store ids (w:storeItemID) of the core properties (`CORE`) and of the extended properties (`EXTENDED`).
const CORE: &str = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}";
const EXTENDED: &str = "{6668398D-A668-4E3E-A5EB-62B293D839F1}";
/// The maximum number of custom XML parts that are read.
const MAX_STORES: usize = 64;

/// A part with data that content controls may be bound to.
pub(crate) struct DataStore<'p> {
    /// The store id (w:storeItemID) in upper case. Empty if the part has none.
    pub id: String,
    pub part: String,
    tree: Tree<'p>,
}

/// The data that a content control is bound to (w:dataBinding).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Binding {
    /// The store id in upper case. If the id is empty, the first store that has data at the path is used.
    pub store: String,
    /// The path in the store, in the form that Word writes: `/ns0:a[1]/ns0:b[2]/@c`.
    pub path: String,
}

/// The place of data in a store.
#[derive(Clone, Copy)]
pub(crate) enum DataNode<'t> {
    /// The text of an element.
    Element(Element<'t>),
    /// An attribute: its element and its value.
    Attribute(Element<'t>, &'t str),
}

impl<'t> DataNode<'t> {
    pub(crate) fn text(self) -> &'t str {
        match self {
            DataNode::Element(element) => element.text(),
            DataNode::Attribute(_, value) => value,
        }
    }
}

impl DataStore<'_> {
    pub(crate) fn is_custom_xml(&self) -> bool {
        self.id != CORE && self.id != EXTENDED
    }
}

/// Finds the node that a control is bound to. Returns the part name of the data store, and the node. Returns `None` if
/// the node does not exist. Increases `visited` by the number of elements that were searched.
pub(crate) fn bound_node<'t>(
    stores: &'t [DataStore<'_>],
    binding: &Binding,
    visited: &mut usize,
) -> Option<(&'t str, DataNode<'t>)> {
    let mut found = stores.iter().filter(|store| binding.store.is_empty() || store.id == binding.store);
    found.find_map(|store| Some((store.part.as_str(), node_at_path(store.tree.root()?, &binding.path, visited)?)))
}

/// Returns all data stores of the package. Broken parts are skipped.
pub(crate) fn data_stores(package: &Package) -> Vec<DataStore<'_>> {
    let parse = |part: &str| package.parse_part(part).ok()?;
    let properties = [(CORE, "core-properties"), (EXTENDED, "extended-properties")];
    let properties = properties.into_iter().filter_map(|(id, kind)| {
        let part = package.related_parts("", kind).next()?;
        Some(DataStore { id: id.to_owned(), part: part.to_owned(), tree: parse(part)? })
    });
    let custom = package.related_parts(package.main_part(), "customXml").take(MAX_STORES).filter_map(|part| {
        let properties_tree = package.related_parts(part, "customXmlProps").next().and_then(parse);
        let id = properties_tree.as_ref().and_then(Tree::root).and_then(|root| root.attribute(Ns::Other, "itemID"));
        let id = id.unwrap_or_default().to_ascii_uppercase();
        Some(DataStore { id, part: part.to_owned(), tree: parse(part)? })
    });
    properties.chain(custom).collect()
}

impl SharedContext<'_> {
    /// Returns the text that a control is bound to. Returns `None` if the control is not bound or the data is empty.
    /// The control then shows its saved content.
    ///
    /// Increases `visited` by the number of elements that were searched.
    fn bound_text(&self, control: Element<'_>, visited: &mut usize) -> Option<String> {
        let properties = control.child(Ns::W, "sdtPr")?;
        let binding = properties.child(Ns::W, "dataBinding")?;
        let list = properties.child(Ns::W, "dropDownList").or_else(|| properties.child(Ns::W, "comboBox"));
        if list.is_none() && properties.child(Ns::W, "text").is_none() {
            return None;
        }
        let binding = Binding {
            store: binding.word_attribute("storeItemID").unwrap_or_default().to_ascii_uppercase(),
            path: binding.word_attribute("xpath")?.to_owned(),
        };
        let (_, node) = bound_node(&self.stores, &binding, visited)?;
        let value = Some(node.text()).filter(|value| !value.trim().is_empty())?;
        let entry = list.and_then(|list| {
            list.children_with_name(Ns::W, "listItem").find(|item| item.word_attribute("value") == Some(value))
        });
        Some(entry.and_then(|item| item.word_attribute("displayText")).unwrap_or(value).to_owned())
    }
}

/// Returns the node at a path such as `/ns0:a[1]/ns0:b[2]/@c`, the form that Word writes. Namespace prefixes are
/// ignored. Returns `None` if nothing is at this path. Increases `looked` by the number of elements that were searched.
fn node_at_path<'t>(root: Element<'t>, path: &str, looked: &mut usize) -> Option<DataNode<'t>> {
    let mut at: Option<Element<'t>> = None;
    for step in path.trim().strip_prefix('/')?.split('/') {
        let (name, index) = match step.split_once('[') {
            Some((name, place)) => (name, place.strip_suffix(']')?.trim().parse::<usize>().ok()?),
            None => (step, 1),
        };
        let name = name.rsplit(':').next().unwrap_or(name);
        let Some(parent) = at else {
            at = Some(root).filter(|root| root.name() == name && index == 1);
            at?;
            continue;
        };
        if name == "text()" {
            continue;
        }
        if let Some(name) = step.strip_prefix('@') {
            let local = name.rsplit(':').next()?;
            let value = parent.attr(name).or_else(|| parent.attribute(Ns::Other, local))?;
            return Some(DataNode::Attribute(parent, value));
        }
        let mut named = parent.children().inspect(|_| *looked += 1).filter(|child| child.name() == name);
        at = Some(named.nth(index.checked_sub(1)?)?);
    }
    at.map(DataNode::Element)
}

impl<'t> PartReader<'t, '_> {
    /// Returns the text that replaces the content of a bound control. Returns `None` if the control is not bound.
    pub(crate) fn read_bound_text(&mut self, control: Element<'t>) -> Option<BoundText> {
        // Stop if the limit is already exceeded, because each control may visit all elements of a large part.
        if !self.state.charge_repeated_bytes(0) {
            return None;
        }
        let mut visited = 0;
        let text = self.shared.bound_text(control, &mut visited);
        let affordable = self.state.charge_repeated_bytes(visited + text.as_ref().map_or(0, String::len));
        let text = text.filter(|_| affordable)?;
        let properties = control.child(Ns::W, "sdtPr");
        let placeholder = properties.and_then(|properties| properties.child(Ns::W, "showingPlcHdr"));
        let multiline = properties.and_then(|properties| properties.child(Ns::W, "text")?.word_attribute("multiLine"));
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\t', " ");
        let keeps_lines = multiline.is_some_and(|value| super::values::on_off(Some(value)));
        Some(BoundText {
            text: if keeps_lines { text } else { text.replace('\n', " ") },
            placeholder: placeholder.is_some_and(|shown| super::values::on_off(shown.val())),
        })
    }
}

/// The text shown by a bound content control.
pub(crate) struct BoundText {
    /// The text. It has line breaks only if the control may have several lines (w:multiLine).
    text: String,
    /// The control shows placeholder text. The bound text must not get the formatting of that placeholder text.
    placeholder: bool,
}

impl BoundText {
    /// Replaces the content of the control with the bound text. `start` is the index of the first inline of the
    /// control. The bound text gets the formatting of the first text in the control. If the control shows placeholder
    /// text or has no text, the bound text gets the formatting `control_run`.
    ///
    /// Returns `false` and changes nothing if the control contains more than text.
    pub(crate) fn replace_inlines(
        self,
        inlines: &mut Vec<Inline>,
        start: usize,
        control_run: Arc<RunProperties>,
    ) -> bool {
        let start = start.min(inlines.len());
        let current = inlines.get(start..).unwrap_or_default();
        let mut text = String::new();
        let mut first = None;
        for inline in current {
            match &inline.content {
                Content::Text(piece) => {
                    text.push_str(piece);
                    first.get_or_insert(inline);
                }
                Content::Tab | Content::Break(Break::Line) => text.push(' '),
                Content::CommentReference(_) => {}
                mark if mark.is_mark() => {}
                _ => return false,
            }
        }
        if text.split_whitespace().eq(self.text.split_whitespace()) {
            return true;
        }
        let run = first.filter(|_| !self.placeholder).map_or(control_run, |inline| inline.run.clone());
        let link = first.and_then(|inline| inline.link.clone());
        let removed: Vec<Inline> = inlines.drain(start..).collect();
        for (at, line) in self.text.split('\n').enumerate() {
            let line_break = (at > 0).then_some(Content::Break(Break::Line));
            let line = (!line.is_empty()).then(|| Content::Text(line.to_owned()));
            let contents = line_break.into_iter().chain(line);
            inlines.extend(contents.map(|content| Inline { content, run: run.clone(), link: link.clone() }));
        }
        let is_kept = |inline: &Inline| !matches!(inline.content, Content::Text(_) | Content::Tab | Content::Break(_));
        inlines.extend(removed.into_iter().filter(is_kept));
        true
    }

    /// Replaces the text of the paragraphs from `start` on. The first paragraph shows the bound text; the others are
    /// removed.
    pub(crate) fn replace_paragraphs(self, blocks: &mut Vec<Block>, start: usize) {
        let content = blocks.get_mut(start..).unwrap_or_default();
        if !content.iter().all(|block| matches!(block, Block::Paragraph(_))) {
            return;
        }
        let mut text = String::new();
        for block in content.iter() {
            let Block::Paragraph(paragraph) = block else { continue };
            for inline in &paragraph.inlines {
                if let Content::Text(piece) = &inline.content {
                    text.push_str(piece);
                }
            }
            text.push(' ');
        }
        let Some(Block::Paragraph(first)) = content.first_mut() else { return };
        if text.split_whitespace().ne(self.text.split_whitespace()) {
            let mark = first.mark.clone();
            if self.replace_inlines(&mut first.inlines, 0, mark) {
                blocks.truncate(start + 1);
            }
        }
    }
}
