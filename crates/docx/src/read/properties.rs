//! The parts `docProps/core.xml`, `app.xml` and `custom.xml`, as needed for fields and the PDF.

use super::xml::{Element, Ns};
use crate::tree::CoreProperties;

fn text(root: Element<'_>, ns: Ns, name: &str) -> Option<String> {
    let text = root.child(ns, name)?.text().trim();
    (!text.is_empty()).then(|| text.to_owned())
}

/// Reads the core properties.
pub(crate) fn core(root: Element<'_>) -> CoreProperties {
    CoreProperties {
        title: text(root, Ns::DublinCore, "title"),
        subject: text(root, Ns::DublinCore, "subject"),
        creator: text(root, Ns::DublinCore, "creator"),
        description: text(root, Ns::DublinCore, "description"),
        language: text(root, Ns::DublinCore, "language"),
        keywords: text(root, Ns::CoreProperties, "keywords"),
        last_modified_by: text(root, Ns::CoreProperties, "lastModifiedBy"),
        revision: text(root, Ns::CoreProperties, "revision"),
        created: text(root, Ns::DublinCoreTerms, "created"),
        modified: text(root, Ns::DublinCoreTerms, "modified"),
    }
}

/// Returns the names and values of the extended properties.
pub(crate) fn extended(root: Element<'_>) -> Vec<(&str, &str)> {
    let elements = root.children().filter(|element| element.ns() == Ns::ExtendedProperties);
    elements.map(|element| (element.name(), element.text().trim())).filter(|(_, value)| !value.is_empty()).collect()
}

/// Returns the names and values of the custom properties.
pub(crate) fn custom(root: Element<'_>) -> Vec<(&str, &str)> {
    let values = root.all(Ns::CustomProperties, "property").filter_map(|property| {
        let value = property.children().find(|value| value.ns() == Ns::VariantTypes)?;
        Some((property.plain("name")?, value.text()))
    });
    values.collect()
}
