//! Parses an XML part into a tree of elements. The elements borrow their strings from the text of the part.
//!
//! The nodes are in one list in document order, so a node is followed by its descendants. With one list, parsing a part
//! needs few allocations. Namespaces are resolved. `mc:AlternateContent` (ECMA-376 part 3) is replaced by the children of the
//! first Choice whose required namespaces are known, or else of the Fallback.

mod build;
mod namespaces;
pub mod values;

use std::borrow::Cow;

use self::build::Builder;
use waraq_rules::ErrorCode;

use crate::{CountedMemory, Error, Meter, Result};
pub use namespaces::{Ns, namespace_of_uri};

/// The elements of one part.
#[derive(Debug)]
pub struct Tree<'a> {
    source: &'a str,
    nodes: Vec<Node<'a>>,
    attributes: Vec<Attribute<'a>>,
    /// Counts the memory of the tree until it is dropped.
    counted_memory: CountedMemory,
}

#[derive(Debug)]
struct Node<'a> {
    ns: Ns,
    name: &'a str,
    /// The text directly inside the element. Mixed content does not occur in the vocabularies that are read here.
    text: Cow<'a, str>,
    /// The range of the node's attributes in the attribute list of the tree.
    attributes: (u32, u32),
    /// The range of the node's descendants in the node list of the tree. They directly follow the node.
    descendants: (u32, u32),
    /// The byte range of the element in the source text.
    source: (u32, u32),
}

#[derive(Debug)]
struct Attribute<'a> {
    ns: Ns,
    name: &'a str,
    value: Cow<'a, str>,
}

/// An element of a [`Tree`].
#[derive(Clone, Copy)]
pub struct Element<'t> {
    tree: &'t Tree<'t>,
    node: &'t Node<'t>,
}

impl<'a> Tree<'a> {
    /// Parses a part. `part` is its name, for error messages.
    ///
    /// # Errors
    /// Fails with `malformed_xml`, or with the errors of [`Meter::outcome`] if the budget is exceeded.
    pub fn parse(part: &str, bytes: &'a [u8], meter: &Meter) -> Result<Self> {
        let source = std::str::from_utf8(bytes)
            .map_err(|error| malformed(part, format!("not UTF-8 at byte {}", error.valid_up_to())))?;
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        if source.len() >= u32::MAX as usize {
            return Err(malformed(part, "too large".into()));
        }
        let parsed = Builder::new(source, meter).build();
        meter.outcome()?;
        parsed.map_err(|problem| malformed(part, problem))
    }

    /// Returns the root element. A parsed tree always has one.
    pub fn root(&self) -> Option<Element<'_>> {
        self.nodes.first().map(|node| Element { tree: self, node })
    }
}

fn malformed(part: &str, problem: String) -> Error {
    Error::new(ErrorCode::MalformedXml, format!("{part}: {problem}"))
}

impl<'t> Element<'t> {
    /// Returns the namespace of the element.
    pub fn ns(self) -> Ns {
        self.node.ns
    }

    /// Returns the local name of the element, without its prefix.
    pub fn name(self) -> &'t str {
        self.node.name
    }

    /// Returns true if the element has this namespace and local name.
    pub fn has_name(self, ns: Ns, name: &str) -> bool {
        self.node.ns == ns && self.node.name == name
    }

    /// Returns the text directly inside the element.
    pub fn text(self) -> &'t str {
        &self.node.text
    }

    /// Returns the source text of the element. Within one part, elements with the same source text have the same
    /// meaning.
    pub fn source(self) -> &'t str {
        self.tree.source.get(self.node.source.0 as usize..self.node.source.1 as usize).unwrap_or_default()
    }

    /// Returns the byte offset in the part at which the element begins. A byte order mark at the start of the part is not
    /// counted.
    pub fn offset(self) -> usize {
        self.node.source.0 as usize
    }

    /// Returns the byte offset of the element in the text of its part.
    pub fn source_start(self) -> usize {
        self.node.source.0 as usize
    }

    /// Returns true if `xml:space` is `preserve` on the element. If the element has no such attribute, that of the root
    /// of the part applies (XML 1.0, 2.10).
    pub fn preserves_space(self) -> bool {
        let own = self.attribute(Ns::Xml, "space");
        let space = own.or_else(|| self.tree.root().and_then(|root| root.attribute(Ns::Xml, "space")));
        space == Some("preserve")
    }

    /// Returns the child elements in document order.
    pub fn children(self) -> impl Iterator<Item = Element<'t>> + Clone {
        let tree = self.tree;
        let (first, end) = self.node.descendants;
        let at = move |place: u32| tree.nodes.get(place as usize..end as usize)?.first();
        std::iter::successors(at(first), move |before| at(before.descendants.1)).map(move |node| Element { tree, node })
    }

    /// Returns the first child with this name.
    pub fn child(self, ns: Ns, name: &str) -> Option<Element<'t>> {
        self.children().find(|child| child.has_name(ns, name))
    }

    /// Returns the first child with this local name in any namespace. DrawingML defines the same names in several
    /// namespaces.
    pub fn child_named(self, name: &str) -> Option<Element<'t>> {
        self.children().find(|child| child.name() == name)
    }

    /// Returns the children with this name.
    pub fn children_with_name(self, ns: Ns, name: &'t str) -> impl Iterator<Item = Element<'t>> {
        self.children().filter(move |child| child.has_name(ns, name))
    }

    /// Returns the first descendant with this name, in document order.
    pub fn descendant(self, ns: Ns, name: &str) -> Option<Element<'t>> {
        self.children()
            .find_map(|child| if child.has_name(ns, name) { Some(child) } else { child.descendant(ns, name) })
    }

    /// Returns the value of an attribute, or `None` if the element does not have it.
    pub fn attribute(self, ns: Ns, name: &str) -> Option<&'t str> {
        let (start, end) = self.node.attributes;
        self.tree
            .attributes
            .get(start as usize..end as usize)?
            .iter()
            .find_map(|attribute| (attribute.ns == ns && attribute.name == name).then_some(attribute.value.as_ref()))
    }

    /// Returns an attribute of WordprocessingML, with or without the prefix. Some programs omit the prefix.
    pub fn word_attribute(self, name: &str) -> Option<&'t str> {
        self.attribute(Ns::W, name).or_else(|| self.attribute(Ns::None, name))
    }

    /// Returns the attribute `w:val` of the element.
    pub fn val(self) -> Option<&'t str> {
        self.word_attribute("val")
    }

    /// Returns an attribute without a prefix, as in DrawingML and VML.
    pub fn attr(self, name: &str) -> Option<&'t str> {
        self.attribute(Ns::None, name)
    }

    /// Returns an attribute of the relationships namespace, such as `r:id` or `r:embed`.
    pub fn relationship_attribute(self, name: &str) -> Option<&'t str> {
        self.attribute(Ns::R, name)
    }

    /// Returns the attribute `w:val` of the first WordprocessingML child with this local name.
    pub fn child_val(self, name: &str) -> Option<&'t str> {
        self.child(Ns::W, name)?.val()
    }
}

#[cfg(test)]
mod tests;
