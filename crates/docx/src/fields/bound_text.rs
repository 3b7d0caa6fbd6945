//! Content controls that are bound to data of the document (§17.5.2.6), while a template is filled.
//!
//! Word shows the data, not the text of the control. So a value that is filled into a control is also written to the data,
//! and every control bound to changed data shows the new data.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use quick_xml::escape::escape;

use super::edits::apply_edits;
use super::scan::{ContentControl, Index};
use super::text_parts::ScannedPart;
use crate::package::xml::attribute_ranges;
use crate::read::binding::{Binding, DataNode, DataStore, bound_node, data_stores};
use crate::{Package, Result};

/// The bound content controls of one part. Only controls whose data changes when the template is filled are included.
#[derive(Debug, Default)]
pub(super) struct BoundControls {
    /// The controls whose content is replaced with their data. The key is the index of the control, and the value is
    /// the new text.
    pub replaced: BTreeMap<Index, String>,
    /// The controls that stay bound although their content changes, because their data changes in the same way.
    pub kept: HashSet<Index>,
}

impl ScannedPart<'_> {
    /// Returns the bound content controls: the index and the binding.
    pub(super) fn bindings(&self) -> impl Iterator<Item = (Index, Binding)> {
        let controls = self.scan.controls.iter().enumerate().filter(|(_, control)| !control.deleted);
        controls.filter_map(|(at, control)| Some((at, self.binding_of(control)?)))
    }

    fn binding_of(&self, control: &ContentControl) -> Option<Binding> {
        let markups = control.bindings.iter().filter_map(|range| self.source.get(range.clone()));
        let markup = markups.into_iter().find(|markup| is_data_binding(markup))?;
        // The element is read without its namespace declarations, so only local names count.
        let value = |name: &str| {
            let (_, range) =
                attribute_ranges(markup).find(|(key, _)| key.rsplit(':').next().is_some_and(|local| local == name))?;
            quick_xml::escape::unescape(markup.get(range)?).ok().map(std::borrow::Cow::into_owned)
        };
        Some(Binding {
            store: value("storeItemID").unwrap_or_default().to_ascii_uppercase(),
            path: value("xpath").filter(|path| !path.is_empty())?,
        })
    }
}

/// Returns `true` if the markup of an element is that of a `w:dataBinding` or `w15:dataBinding`.
pub(super) fn is_data_binding(markup: &str) -> bool {
    let name = markup.trim_start_matches('<').split([' ', '/', '>', '\t', '\n', '\r']).next().unwrap_or_default();
    name.rsplit(':').next() == Some("dataBinding")
}

/// Writes the new texts of bound content controls to their data. Then finds the controls whose content must change
/// because their data changed.
///
/// `package` is the template. `filled` is the same package after its parts without paragraphs were filled. `value_of`
/// returns the value of a field. Returns the package with the written data, and the bound controls of each part in
/// `parts`. The list of bound controls is empty if no control is bound.
pub(super) fn fill_bound_data(
    package: &Package,
    filled: Package,
    parts: &[&ScannedPart<'_>],
    value_of: &dyn Fn(&str) -> String,
) -> Result<(Package, Vec<BoundControls>)> {
    let bindings: Vec<Vec<(Index, Binding)>> = parts.iter().map(|part| part.bindings().collect()).collect();
    if bindings.iter().all(Vec::is_empty) {
        return Ok((filled, Vec::new()));
    }
    let contents: Vec<HashMap<Index, String>> =
        parts.iter().zip(&bindings).map(|(part, bound)| new_contents(part, bound, value_of)).collect();
    let before = DataReader { package, stores: data_stores(package) };
    let written = {
        let after = DataReader { package: &filled, stores: data_stores(&filled) };
        let mut edits = DataEdits::new();
        for (bound, contents) in bindings.iter().zip(&contents) {
            for (control, binding) in bound {
                if let Some(text) = contents.get(control) {
                    after.write(binding, text, before.text(binding)?.as_deref(), &mut edits)?;
                }
            }
        }
        edits
    };
    let mut filled = filled;
    for (part, edits) in written {
        let Some(text) = filled.part_text(&part) else { continue };
        let text = apply_edits(text, edits)?;
        filled = filled.with_part(&part, text.into_bytes());
    }
    let after = DataReader { package: &filled, stores: data_stores(&filled) };
    let mut controls = Vec::with_capacity(parts.len());
    for (part, (bound, contents)) in parts.iter().zip(bindings.iter().zip(&contents)) {
        let mut changes = BoundControls::default();
        for (index, binding) in bound {
            let Some(new) = after.text(binding)? else { continue };
            let is_empty = new.trim().is_empty();
            if before.text(binding)?.as_deref() == Some(new.as_str())
                || part.field_controls.binary_search(index).is_ok()
                || (is_empty && contents.contains_key(index))
            {
                continue;
            }
            let Some(control) = part.scan.controls.get(*index).filter(|control| !control.has_objects) else { continue };
            if !control.kind.shows_data() {
                continue;
            }
            // Word shows a prompt in a control that is bound to empty data, so such a control loses its binding.
            if !is_empty {
                changes.kept.insert(*index);
            }
            let shown = control.kind.shown_text(new);
            if contents.get(index) != Some(&shown) {
                changes.replaced.insert(*index, shown);
            }
        }
        controls.push(changes);
    }
    drop(after);
    Ok((filled, controls))
}

/// Returns the new texts of the bound controls that contain a field or are a field.
fn new_contents(
    part: &ScannedPart<'_>,
    bound: &[(Index, Binding)],
    value_of: &dyn Fn(&str) -> String,
) -> HashMap<Index, String> {
    let bound: HashSet<Index> = bound.iter().map(|(index, _)| *index).collect();
    let (mut texts, mut with_fields) = (HashMap::<Index, String>::new(), HashSet::new());
    for (paragraph, found) in part.scan.paragraphs.iter().zip(&part.paragraph_fields) {
        let control_of = |at: usize| {
            let cell = paragraph.cells.get(at)?;
            part.scan.control_chain(cell.control).find(|control| bound.contains(control))
        };
        let mut matches = found.matches.iter().peekable();
        let mut at = 0;
        while at < paragraph.cells.len() {
            let field = matches.next_if(|one| one.cells.start <= at);
            let control = control_of(at);
            if let Some(field) = field {
                if let Some(control) = control.filter(|control| control_of(field.cells.end - 1) == Some(*control)) {
                    texts.entry(control).or_default().push_str(&value_of(&field.name));
                    with_fields.insert(control);
                }
                at = field.cells.end.max(at + 1);
                continue;
            }
            if let (Some(control), Some(cell)) = (control, paragraph.cells.get(at))
                && found.escapes.binary_search(&at).is_err()
            {
                texts.entry(control).or_default().push(cell.character);
            }
            at += 1;
        }
    }
    texts.retain(|control, _| with_fields.contains(control));
    for index in part.field_controls.iter().filter(|index| bound.contains(index)) {
        let control = part.scan.controls.get(*index);
        let text = control.and_then(|control| control.kind.stored_text(value_of(&control.name())));
        texts.extend(text.map(|text| (*index, text)));
    }
    texts
}

/// The edits that write data. The key is the name of the part that contains the data. The value has the form that
/// [`apply_edits`] expects.
type DataEdits = BTreeMap<String, BTreeMap<usize, (usize, String)>>;

/// Reads the data to which content controls are bound.
struct DataReader<'p> {
    package: &'p Package,
    stores: Vec<DataStore<'p>>,
}

impl DataReader<'_> {
    fn node(&self, binding: &Binding) -> Result<Option<(&str, DataNode<'_>)>> {
        let mut visited = 0;
        let node = bound_node(&self.stores, binding, &mut visited);
        let meter = self.package.meter();
        if !meter.spend(visited) || meter.must_stop() {
            meter.outcome()?;
        }
        Ok(node)
    }

    fn text(&self, binding: &Binding) -> Result<Option<String>> {
        Ok(self.node(binding)?.map(|(_, node)| node.text().to_owned()))
    }

    /// Adds the edit that replaces bound data with `text`. `before` is the text of the data in the template. Data that
    /// filling has already changed is not replaced. If several controls are bound to the same data, only the first edit
    /// is kept.
    fn write(&self, binding: &Binding, text: &str, before: Option<&str>, edits: &mut DataEdits) -> Result<()> {
        let Some((part, node)) = self.node(binding)? else { return Ok(()) };
        if before != Some(node.text()) || node.text() == text {
            return Ok(());
        }
        if let Some((range, markup)) = self.edit(part, node, &binding.path, text) {
            edits.entry(part.to_owned()).or_default().entry(range.start).or_insert((range.end, markup));
        }
        Ok(())
    }

    /// Returns the byte range of a node in its part, and the markup that replaces this range to give the node a new
    /// text. Returns `None` for an element that contains other elements.
    fn edit(&self, part: &str, node: DataNode<'_>, path: &str, text: &str) -> Option<(Range<usize>, String)> {
        let (DataNode::Element(element) | DataNode::Attribute(element, _)) = node;
        let markup = element.source();
        let start = element.source_start();
        let whole = self.package.part_text(part)?;
        // The byte order mark of a part is not in its tree.
        if whole.get(start..start + markup.len()) != Some(markup) {
            return None;
        }
        let escaped = escape(text).replace('\r', "&#13;");
        let tag_end = start_tag_end(markup)?;
        match node {
            DataNode::Attribute(..) => {
                let name = path.rsplit(['@', ':', '/']).next()?;
                let tag = markup.get(..tag_end)?;
                let (_, range) = attribute_ranges(tag).find(|(key, _)| key.rsplit(':').next() == Some(name))?;
                Some((start + range.start..start + range.end, escaped.replace('\n', "&#10;")))
            }
            DataNode::Element(element) if element.children().next().is_some() => None,
            DataNode::Element(_) => {
                let open = markup.get(..=tag_end)?;
                if let Some(open) = open.strip_suffix("/>") {
                    let name = open.trim_start_matches('<').split_whitespace().next()?;
                    return Some((start..start + markup.len(), format!("{open}>{escaped}</{name}>")));
                }
                let end = markup.rfind("</")?;
                Some((start + tag_end + 1..start + end, escaped))
            }
        }
    }
}

/// Returns the byte offset of the `>` that ends the start tag of an element. The value of an attribute may contain `>`.
fn start_tag_end(markup: &str) -> Option<usize> {
    let mut quote = None;
    markup.char_indices().find_map(|(at, character)| match (quote, character) {
        (None, '>') => Some(at),
        (None, '"' | '\'') => {
            quote = Some(character);
            None
        }
        (Some(open), _) if open == character => {
            quote = None;
            None
        }
        _ => None,
    })
}
