//! docProps/core.xml, app.xml and custom.xml, as far as fields and the PDF need them.

use std::collections::HashMap;

use super::xml::{Element, Ns, Tree};
use crate::tree::CoreProperties;

fn text(root: Element<'_>, ns: Ns, name: &str) -> Option<String> {
    let text = root.child(ns, name)?.text().trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// The core properties part.
pub(crate) fn read_core(tree: &Tree<'_>, properties: &mut CoreProperties) {
    let Some(root) = tree.root() else { return };
    properties.title = text(root, Ns::DublinCore, "title");
    properties.subject = text(root, Ns::DublinCore, "subject");
    properties.creator = text(root, Ns::DublinCore, "creator");
    properties.description = text(root, Ns::DublinCore, "description");
    properties.language = text(root, Ns::DublinCore, "language");
    properties.keywords = text(root, Ns::CoreProperties, "keywords");
    properties.last_modified_by = text(root, Ns::CoreProperties, "lastModifiedBy");
    properties.revision = text(root, Ns::CoreProperties, "revision");
    properties.created = text(root, Ns::DublinCoreTerms, "created");
    properties.modified = text(root, Ns::DublinCoreTerms, "modified");
}

/// The extended properties part, by the names DOCPROPERTY uses.
pub(crate) fn read_extended(tree: &Tree<'_>) -> HashMap<String, String> {
    let elements = tree.root().into_iter().flat_map(Element::children);
    let values = elements.filter(|element| element.ns() == Ns::ExtendedProperties && !element.text().trim().is_empty());
    values.map(|element| (element.name().to_ascii_lowercase(), element.text().trim().to_owned())).collect()
}

/// The custom properties part: names in lower case, values as text.
pub(crate) fn read_custom(tree: &Tree<'_>) -> HashMap<String, String> {
    let elements = tree.root().into_iter().flat_map(|root| root.all(Ns::CustomProperties, "property"));
    let values = elements.filter_map(|property| {
        let value = property.children().find(|value| value.ns() == Ns::VariantTypes)?;
        Some((property.plain("name")?.to_lowercase(), value.text().to_owned()))
    });
    values.collect()
}
