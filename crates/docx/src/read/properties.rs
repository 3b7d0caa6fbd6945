//! docProps/core.xml, app.xml and custom.xml, as far as fields and the PDF need them.

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

/// The extended properties: names and values.
pub(crate) fn extended(root: Element<'_>) -> Vec<(&str, &str)> {
    let elements = root.children().filter(|element| element.ns() == Ns::ExtendedProperties);
    elements.map(|element| (element.name(), element.text().trim())).filter(|(_, value)| !value.is_empty()).collect()
}

/// The custom properties: names and values.
pub(crate) fn custom(root: Element<'_>) -> Vec<(&str, &str)> {
    let values = root.all(Ns::CustomProperties, "property").filter_map(|property| {
        let value = property.children().find(|value| value.ns() == Ns::VariantTypes)?;
        Some((property.plain("name")?, value.text()))
    });
    values.collect()
}
