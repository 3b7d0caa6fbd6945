//! Builds the [`Tree`] of a part from parser events.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::namespaces::{Ns, namespace_of_uri};
use super::{Attribute, Node, Tree};
use crate::{CountedMemory, Meter};

/// Maximum nesting depth of elements. Deeper parts are refused, because the code that reads the tree is recursive.
const DEPTH_LIMIT: usize = 256;
/// Work units to read an element, its attributes and its text.
const NODE_WORK: usize = 2;
/// Maximum number of attributes of an element, and of namespace prefixes in scope.
const ATTRIBUTE_LIMIT: usize = 1_024;

/// The role of an open tag in the tree.
enum OpenTag {
    /// An element that is in the tree, by the index of its node.
    Node(usize),
    /// An mc:AlternateContent. `taken` is true once one of its branches has been chosen.
    AlternateContent { taken: bool },
    /// The chosen branch of an mc:AlternateContent. Its children belong to the nearest node around mc:AlternateContent.
    Branch,
}

pub(super) struct Builder<'a, 'm> {
    source: &'a str,
    meter: &'m Meter,
    tree: Tree<'a>,
    /// The open tags. The number is the length of `scope` before the tag was opened.
    open: Vec<(OpenTag, usize)>,
    /// The namespace prefixes in scope, innermost last.
    scope: Vec<(&'a str, Ns)>,
    /// The last prefix that was resolved, and its namespace. The next prefix is nearly always the same.
    last_resolved: Option<(&'a str, Ns)>,
}

/// The result of a parsing step. The error is a message with a byte position.
pub(super) type Parsed<T> = std::result::Result<T, String>;

impl<'a, 'm> Builder<'a, 'm> {
    pub(super) fn new(source: &'a str, meter: &'m Meter) -> Self {
        // The lists are allocated once, at their maximum length. Otherwise they would be copied when they grow, and up
        // to half of each would stay empty. For a large part, this is half of the memory for reading it.
        let (tags, equal_signs) = count_tags_and_equal_signs(source);
        let most = usize::try_from(meter.memory_left() / 4).unwrap_or(usize::MAX);
        let nodes = Vec::with_capacity(tags.min(most / size_of::<Node<'_>>()));
        let attributes = Vec::with_capacity(equal_signs.min(most / size_of::<Attribute<'_>>()));
        Self {
            source,
            meter,
            tree: Tree { source, nodes, attributes, counted_memory: CountedMemory::empty(meter) },
            open: Vec::new(),
            scope: vec![("xml", Ns::Xml), ("", Ns::None)],
            last_resolved: None,
        }
    }

    /// Parses the part.
    pub(super) fn build(mut self) -> Parsed<Tree<'a>> {
        let mut reader = Reader::from_str(self.source);
        let mut before = 0;
        loop {
            let event = reader.read_event().map_err(|error| error_at(reader.error_position(), &error.to_string()))?;
            let after = reader.buffer_position();
            match event {
                Event::Start(tag) => {
                    if !self.start_element(&tag, before)? {
                        reader.read_to_end(tag.name()).map_err(|error| error_at(after, &error.to_string()))?;
                    }
                }
                Event::Empty(tag) => {
                    if self.start_element(&tag, before)? {
                        self.end_element(after);
                    }
                }
                Event::End(_) => self.end_element(after),
                Event::Text(text) => self.append_text(text.into_inner()),
                Event::CData(text) => self.append_text(text.into_inner()),
                Event::GeneralRef(reference) => {
                    let text = resolve_reference(&reference).ok_or_else(|| error_at(before, "unknown entity"))?;
                    self.append_text(Cow::Owned(text));
                }
                Event::DocType(_) => return Err(error_at(before, "a document type is not allowed")),
                Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
                Event::Eof => break,
            }
            before = reader.buffer_position();
        }
        if !self.open.is_empty() {
            return Err("ends before its elements do".into());
        }
        if self.tree.nodes.is_empty() {
            return Err("has no root element".into());
        }
        Ok(self.tree)
    }

    /// Starts an element. `before` is the byte offset of its start tag. Returns false for a branch of
    /// `mc:AlternateContent` that is not read. The caller then skips the content of the branch.
    fn start_element(&mut self, tag: &BytesStart<'_>, before: u64) -> Parsed<bool> {
        if self.open.len() >= DEPTH_LIMIT {
            return Err(error_at(before, "elements are nested too deeply"));
        }
        let scope = self.scope.len();
        let name = self.source_slice(tag.name().into_inner());
        let attributes = self.read_attributes(tag, before)?;
        let (prefix, local) = split_prefix(name).unwrap_or(("", name));
        let ns = self.namespace(prefix);
        let open = match (ns, local) {
            (Ns::Mc, "AlternateContent") => {
                self.tree.attributes.truncate(attributes.0 as usize);
                OpenTag::AlternateContent { taken: false }
            }
            (Ns::Mc, "Choice" | "Fallback") => {
                let take = local == "Fallback" || self.supports_required_namespaces(attributes);
                self.tree.attributes.truncate(attributes.0 as usize);
                match self.open.last_mut() {
                    Some((OpenTag::AlternateContent { taken }, _)) if take && !*taken => *taken = true,
                    _ => {
                        self.leave_scope(scope);
                        return Ok(false);
                    }
                }
                OpenTag::Branch
            }
            _ => self.push_node(ns, local, attributes, before)?,
        };
        self.open.push((open, scope));
        Ok(true)
    }

    /// Adds a node to the tree. `before` is the byte offset of its start tag.
    fn push_node(&mut self, ns: Ns, name: &'a str, attributes: (u32, u32), before: u64) -> Parsed<OpenTag> {
        if !(self.meter.spend(NODE_WORK) && self.tree.counted_memory.grow(size_of::<Node<'_>>())) {
            return Err(error_at(before, "too much to read"));
        }
        let index = self.tree.nodes.len();
        if index > 0 && !self.open.iter().any(|(open, _)| matches!(open, OpenTag::Node(_))) {
            return Err(error_at(before, "has more than one root element"));
        }
        let (first, start) = (index as u32 + 1, before as u32);
        let (inside, source) = ((first, first), (start, start));
        self.tree.nodes.push(Node { ns, name, text: Cow::Borrowed(""), attributes, descendants: inside, source });
        Ok(OpenTag::Node(index))
    }

    /// Ends the innermost open element. `after` is the byte offset after its end tag.
    fn end_element(&mut self, after: u64) {
        let Some((open, scope)) = self.open.pop() else { return };
        self.leave_scope(scope);
        let count = self.tree.nodes.len() as u32;
        if let OpenTag::Node(index) = open
            && let Some(node) = self.tree.nodes.get_mut(index)
        {
            (node.descendants.1, node.source.1) = (count, after as u32);
        }
    }

    /// Adds text to the innermost open element.
    fn append_text(&mut self, piece: Cow<'a, str>) {
        let Some((OpenTag::Node(index), _)) = self.open.last() else { return };
        let Some(node) = self.tree.nodes.get_mut(*index) else { return };
        if node.text.is_empty() { node.text = piece } else { node.text.to_mut().push_str(&piece) }
    }

    /// Adds the attributes of a tag to the list and returns their range. Namespace declarations are added to the scope
    /// instead.
    fn read_attributes(&mut self, tag: &BytesStart<'_>, before: u64) -> Parsed<(u32, u32)> {
        let start = self.tree.attributes.len();
        let mut attributes = tag.attributes();
        attributes.with_checks(false);
        for attribute in attributes {
            let attribute = attribute.map_err(|error| error_at(before, &error.to_string()))?;
            if self.tree.attributes.len() - start >= ATTRIBUTE_LIMIT || self.scope.len() >= ATTRIBUTE_LIMIT {
                return Err(error_at(before, "too many attributes"));
            }
            let key = self.source_slice(attribute.key.into_inner());
            let raw = self.source_slice(&attribute.value);
            let value = if raw.bytes().any(|byte| matches!(byte, b'&' | b'\n' | b'\t' | b'\r')) {
                let value = attribute.normalized_value(quick_xml::XmlVersion::Explicit1_0);
                Cow::Owned(value.map_err(|error| error_at(before, &error.to_string()))?.into_owned())
            } else {
                Cow::Borrowed(raw)
            };
            match split_prefix(key) {
                Some(("xmlns", prefix)) => self.declare_prefix(prefix, namespace_of_uri(&value)),
                None if key == "xmlns" => self.declare_prefix("", namespace_of_uri(&value)),
                // The prefix may be declared by a later attribute, so it is resolved below.
                _ => {
                    self.tree.counted_memory.grow(size_of::<Attribute<'_>>());
                    self.tree.attributes.push(Attribute { ns: Ns::None, name: key, value });
                }
            }
        }
        for index in start..self.tree.attributes.len() {
            let Some((prefix, local)) = self.tree.attributes.get(index).and_then(|a| split_prefix(a.name)) else {
                continue;
            };
            let ns = self.namespace(prefix);
            if let Some(attribute) = self.tree.attributes.get_mut(index) {
                (attribute.ns, attribute.name) = (ns, local);
            }
        }
        Ok((start as u32, self.tree.attributes.len() as u32))
    }

    fn declare_prefix(&mut self, prefix: &'a str, ns: Ns) {
        self.scope.push((prefix, ns));
        self.last_resolved = None;
    }

    fn leave_scope(&mut self, length: usize) {
        if self.scope.len() > length {
            self.scope.truncate(length);
            self.last_resolved = None;
        }
    }

    /// Returns the namespace of a prefix.
    fn namespace(&mut self, prefix: &'a str) -> Ns {
        if let Some((_, ns)) = self.last_resolved.filter(|(known, _)| *known == prefix) {
            return ns;
        }
        let ns = self.in_scope(prefix);
        self.last_resolved = Some((prefix, ns));
        ns
    }

    fn in_scope(&self, prefix: &str) -> Ns {
        self.scope.iter().rev().find(|(known, _)| *known == prefix).map_or(Ns::Other, |(_, ns)| *ns)
    }

    /// Returns true if all namespaces that an `mc:Choice` requires are known. `attributes` is the range of its
    /// attributes.
    fn supports_required_namespaces(&self, attributes: (u32, u32)) -> bool {
        let known = |prefix: &str| self.in_scope(prefix) != Ns::Other;
        let attributes = self.tree.attributes.get(attributes.0 as usize..attributes.1 as usize).unwrap_or_default();
        let requires = attributes.iter().find(|attribute| attribute.name == "Requires");
        requires.is_some_and(|requires| {
            let mut prefixes = requires.value.split_whitespace().peekable();
            prefixes.peek().is_some() && prefixes.all(known)
        })
    }

    /// Returns a string of the current event as a slice of the source, which lives longer than the event.
    fn source_slice(&self, piece: &str) -> &'a str {
        if piece.is_empty() {
            return "";
        }
        let offset = (piece.as_ptr() as usize).wrapping_sub(self.source.as_ptr() as usize);
        self.meter.expect_text(self.source.get(offset..offset.saturating_add(piece.len())))
    }
}

/// Returns upper bounds for the number of elements and the number of attributes in a part. They are the numbers of
/// start tags and of equal signs.
fn count_tags_and_equal_signs(source: &str) -> (usize, usize) {
    let bytes = source.as_bytes();
    memchr::memchr2_iter(b'<', b'=', bytes).fold((0, 0), |(tags, equal_signs), at| match bytes.get(at..at + 2) {
        Some([b'<', b'/' | b'!' | b'?']) => (tags, equal_signs),
        Some([b'<', _]) => (tags + 1, equal_signs),
        _ => (tags, equal_signs + 1),
    })
}

/// Splits a name into its prefix and local name. Returns `None` without a prefix.
fn split_prefix(name: &str) -> Option<(&str, &str)> {
    // A plain loop is the fastest search in such short strings.
    let colon = name.bytes().position(|byte| byte == b':')?;
    Some((name.get(..colon)?, name.get(colon + 1..)?))
}

/// Returns an error message that contains the byte position of the error.
fn error_at(position: u64, problem: &str) -> String {
    format!("{problem} (byte {position})")
}

/// Resolves the five predefined entities of XML and character references.
fn resolve_reference(reference: &quick_xml::events::BytesRef<'_>) -> Option<String> {
    if reference.is_char_ref() {
        return reference.resolve_char_ref().ok().flatten().map(String::from);
    }
    quick_xml::escape::resolve_predefined_entity(&reference.xml10_content()).map(String::from)
}
