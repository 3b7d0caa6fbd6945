//! Content controls bound to data of the document (§17.5.2.6 `w:dataBinding`): properties or custom XML parts.
//!
//! Word shows the current data instead of the text that was saved in the control.

use std::sync::Arc;

use super::story::{Shared, Story};
use super::xml::{Element, Ns, Tree};
use crate::Package;
use crate::tree::*;

/// The store ids of the core and the extended properties.
const CORE: &str = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}";
const EXTENDED: &str = "{6668398D-A668-4E3E-A5EB-62B293D839F1}";
/// The maximum number of custom XML parts that are read.
const STORE_LIMIT: usize = 64;

/// A part with data that content controls may be bound to.
pub(crate) struct Store<'p> {
    /// The store id (w:storeItemID) in upper case. Empty if the part has none.
    id: String,
    tree: Tree<'p>,
}

/// Returns all data stores of the package. Broken parts are skipped.
pub(crate) fn stores(package: &Package) -> Vec<Store<'_>> {
    let parse = |part: &str| package.tree(part).ok()?;
    let properties = [(CORE, "core-properties"), (EXTENDED, "extended-properties")];
    let properties = properties.into_iter().filter_map(|(id, kind)| {
        let tree = package.related("", kind).next().and_then(parse)?;
        Some(Store { id: id.to_owned(), tree })
    });
    let custom = package.related(package.main_part(), "customXml").take(STORE_LIMIT).filter_map(|part| {
        let described = package.related(part, "customXmlProps").next().and_then(parse);
        let id = described.as_ref().and_then(Tree::root).and_then(|root| root.attribute(Ns::Other, "itemID"));
        Some(Store { id: id.unwrap_or_default().to_ascii_uppercase(), tree: parse(part)? })
    });
    properties.chain(custom).collect()
}

impl Shared<'_> {
    /// Returns the text that a control is bound to. Returns `None` if it is not bound or the data is empty; it then
    /// shows its saved content.
    ///
    /// Adds the number of visited elements to `looked`.
    fn bound_text(&self, control: Element<'_>, looked: &mut usize) -> Option<String> {
        let properties = control.child(Ns::W, "sdtPr")?;
        let binding = properties.child(Ns::W, "dataBinding")?;
        let list = properties.child(Ns::W, "dropDownList").or_else(|| properties.child(Ns::W, "comboBox"));
        if list.is_none() && properties.child(Ns::W, "text").is_none() {
            return None;
        }
        let path = binding.w("xpath")?;
        let id = binding.w("storeItemID").unwrap_or_default().to_ascii_uppercase();
        let mut found = self.stores.iter().filter(|store| id.is_empty() || store.id == id);
        let value =
            found.find_map(|store| value(store.tree.root()?, path, looked)).filter(|value| !value.trim().is_empty())?;
        let entry = list.and_then(|list| list.all(Ns::W, "listItem").find(|item| item.w("value") == Some(value)));
        Some(entry.and_then(|item| item.w("displayText")).unwrap_or(value).to_owned())
    }
}

/// Returns the text at a path such as `/ns0:a[1]/ns0:b[2]/@c`, the form that Word writes. Namespace prefixes are
/// ignored.
fn value<'t>(root: Element<'t>, path: &str, looked: &mut usize) -> Option<&'t str> {
    let mut at: Option<Element<'t>> = None;
    for step in path.trim().strip_prefix('/')?.split('/') {
        let (name, place) = match step.split_once('[') {
            Some((name, place)) => (name, place.strip_suffix(']')?.trim().parse::<usize>().ok()?),
            None => (step, 1),
        };
        let name = name.rsplit(':').next().unwrap_or(name);
        let Some(parent) = at else {
            at = Some(root).filter(|root| root.name() == name && place == 1);
            at?;
            continue;
        };
        if name == "text()" {
            continue;
        }
        if let Some(name) = step.strip_prefix('@') {
            return parent.plain(name).or_else(|| parent.attribute(Ns::Other, name.rsplit(':').next()?));
        }
        let mut named = parent.children().inspect(|_| *looked += 1).filter(|child| child.name() == name);
        at = Some(named.nth(place.checked_sub(1)?)?);
    }
    at.map(Element::text)
}

impl<'t> Story<'t, '_> {
    /// Returns the text that replaces the content of a bound control. Returns `None` if the control is not bound.
    pub(crate) fn bound(&mut self, control: Element<'t>) -> Option<Bound> {
        // Limits the total cost, because each control may visit all elements of a large part.
        if !self.gathered.may_repeat(0) {
            return None;
        }
        let mut looked = 0;
        let text = self.shared.bound_text(control, &mut looked);
        let affordable = self.gathered.may_repeat(looked + text.as_ref().map_or(0, String::len));
        let text = text.filter(|_| affordable)?;
        let placeholder = control.child(Ns::W, "sdtPr").is_some_and(|properties| {
            properties.child(Ns::W, "showingPlcHdr").is_some_and(|shown| super::values::on_off(shown.val()))
        });
        Some(Bound { text: text.replace(['\r', '\n', '\t'], " "), placeholder })
    }
}

/// The text shown by a bound content control.
pub(crate) struct Bound {
    text: String,
    /// The control shows its placeholder, which has its own formatting.
    placeholder: bool,
}

impl Bound {
    /// Replaces the content of the control, which starts at `start`, with the bound text. The text gets the formatting
    /// of the first text in the control. If the control shows a placeholder or has no text, `own` is used.
    ///
    /// Returns `false` and changes nothing if the control contains more than text.
    pub(crate) fn show(self, inlines: &mut Vec<Inline>, start: usize, own: Arc<RunProperties>) -> bool {
        let start = start.min(inlines.len());
        let shown = inlines.get(start..).unwrap_or_default();
        let mut text = String::new();
        let mut first = None;
        for inline in shown {
            match &inline.content {
                Content::Text(piece) => {
                    text.push_str(piece);
                    first.get_or_insert(inline);
                }
                Content::Tab | Content::Break(Break::Line) => {}
                Content::CommentReference(_) => {}
                mark if mark.is_mark() => {}
                _ => return false,
            }
        }
        if text.split_whitespace().eq(self.text.split_whitespace()) {
            return true;
        }
        let run = first.filter(|_| !self.placeholder).map_or(own, |inline| inline.run.clone());
        let link = first.and_then(|inline| inline.link.clone());
        let taken: Vec<Inline> = inlines.drain(start..).collect();
        inlines.push(Inline { content: Content::Text(self.text), run, link });
        let stays = |inline: &Inline| !matches!(inline.content, Content::Text(_) | Content::Tab | Content::Break(_));
        inlines.extend(taken.into_iter().filter(stays));
        true
    }

    /// Replaces the text of the paragraphs from `start` on. The first paragraph shows the bound text; the others are
    /// removed.
    pub(crate) fn show_in(self, blocks: &mut Vec<Block>, start: usize) {
        let held = blocks.get_mut(start..).unwrap_or_default();
        if !held.iter().all(|block| matches!(block, Block::Paragraph(_))) {
            return;
        }
        let mut text = String::new();
        for block in held.iter() {
            let Block::Paragraph(paragraph) = block else { continue };
            for inline in &paragraph.inlines {
                if let Content::Text(piece) = &inline.content {
                    text.push_str(piece);
                }
            }
            text.push(' ');
        }
        let Some(Block::Paragraph(first)) = held.first_mut() else { return };
        if text.split_whitespace().ne(self.text.split_whitespace()) {
            let mark = first.mark.clone();
            if self.show(&mut first.inlines, 0, mark) {
                blocks.truncate(start + 1);
            }
        }
    }
}
