//! Content controls that show data of the document (§17.5.2.6 `w:dataBinding`): its properties, or its parts of custom XML.
//! Word shows what stands there now, whatever stood in the control when the document was saved.

use std::sync::Arc;

use super::story::{Shared, Story};
use super::xml::{Element, Ns, Tree};
use crate::Package;
use crate::tree::*;

/// The store ids of the core and the extended properties.
const CORE: &str = "{6C3C8BC8-F283-45AE-878A-BAB7291924A1}";
const EXTENDED: &str = "{6668398D-A668-4E3E-A5EB-62B293D839F1}";
/// Parts of custom XML past this many are not looked into.
const STORE_LIMIT: usize = 64;

/// Data that controls may be bound to.
pub(crate) struct Store<'p> {
    id: String,
    tree: Tree<'p>,
}

/// All there is. What is broken holds no data.
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
    /// The text a control is bound to; `None` where it is not, or nothing stands there: the control shows what it has.
    /// `looked` grows by the elements that were looked at.
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

/// The text at a path of names and places, as Word writes them: `/ns0:a[1]/ns0:b[2]/@c`. Prefixes are not looked at.
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
    /// The text a control shows instead of what stands in it. In the code of a field, it is the code that counts.
    pub(crate) fn bound(&mut self, control: Element<'t>) -> Option<Bound> {
        // Controls without end, each bound to the end of a long part, would cost its length for each.
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

/// What a control shows.
pub(crate) struct Bound {
    text: String,
    /// What stood there was an invitation to write, in a look of its own.
    placeholder: bool,
}

impl Bound {
    /// Puts the text in the place of what the control holds, from `start` on, in the look of its first text; `own` is the
    /// look of the control itself. `false`: it holds more than text, which stays.
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

    /// The same for paragraphs: the first shows the text, and the others are gone.
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
