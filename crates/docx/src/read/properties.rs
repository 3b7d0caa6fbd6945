//! The parts `docProps/core.xml`, `app.xml` and `custom.xml`, as needed for fields and the PDF.

use super::xml::{Element, Ns};
use crate::tree::CoreProperties;

fn child_text(root: Element<'_>, ns: Ns, name: &str) -> Option<String> {
    let text = root.child(ns, name)?.text().trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reads the core properties.
pub(crate) fn read_core(root: Element<'_>) -> CoreProperties {
    CoreProperties {
        title: child_text(root, Ns::DublinCore, "title"),
        subject: child_text(root, Ns::DublinCore, "subject"),
        creator: child_text(root, Ns::DublinCore, "creator"),
        description: child_text(root, Ns::DublinCore, "description"),
        category: child_text(root, Ns::CoreProperties, "category"),
        language: child_text(root, Ns::DublinCore, "language"),
        keywords: child_text(root, Ns::CoreProperties, "keywords"),
        last_modified_by: child_text(root, Ns::CoreProperties, "lastModifiedBy"),
        revision: child_text(root, Ns::CoreProperties, "revision"),
        created: child_text(root, Ns::DublinCoreTerms, "created"),
        modified: child_text(root, Ns::DublinCoreTerms, "modified"),
    }
}

/// Returns the names and values of the extended properties.
pub(crate) fn read_extended(root: Element<'_>) -> Vec<(&str, &str)> {
    let elements = root.children().filter(|element| element.ns() == Ns::ExtendedProperties);
    elements.map(|element| (element.name(), element.text().trim())).filter(|(_, value)| !value.is_empty()).collect()
}

/// Returns the names and values of the custom properties.
pub(crate) fn read_custom(root: Element<'_>) -> Vec<(&str, &str)> {
    custom_properties(root).into_iter().map(|(name, value)| (name, value.text())).collect()
}

/// Returns the name of each custom property, and the element that contains the value, such as `vt:lpwstr`.
pub(crate) fn custom_properties(root: Element<'_>) -> Vec<(&str, Element<'_>)> {
    let values = root.children_with_name(Ns::CustomProperties, "property").filter_map(|property| {
        let value = property.children().find(|value| value.ns() == Ns::VariantTypes)?;
        Some((property.attr("name")?, value))
    });
    values.collect()
}
