//! Document properties and variables, and the fields that show them (§17.16.5: DOCPROPERTY, DOCVARIABLE, INFO, TITLE and
//! similar fields).

use std::collections::HashMap;

use jiff::civil::DateTime;
use rust_decimal::Decimal;

use super::field_code::FieldCode;
use super::part_reader::PartReader;
use super::properties;
use super::xml::{Element, Tree};
use crate::Package;
use crate::tree::{ComputedField, CoreProperties, PropertyValue};

/// The fields that show a property or variable of the document.
pub(crate) const PROPERTY_FIELDS: [&str; 10] = [
    "AUTHOR",
    "COMMENTS",
    "DOCPROPERTY",
    "DOCVARIABLE",
    "INFO",
    "KEYWORDS",
    "LASTSAVEDBY",
    "REVNUM",
    "SUBJECT",
    "TITLE",
];

/// The properties of a document.
#[derive(Debug, Default)]
pub(crate) struct DocumentProperties {
    pub core: CoreProperties,
    /// The extended properties by their lower-case names.
    pub extended: HashMap<String, String>,
    /// The custom properties by their lower-case names.
    custom: HashMap<String, PropertyValue>,
}

impl DocumentProperties {
    /// Reads the properties of a package. A property part that is missing or broken gives no properties.
    pub(crate) fn read(package: &Package) -> Self {
        let parse =
            |kind: &str| package.related_parts("", kind).next().and_then(|part| package.parse_part(part).ok()?);
        let (core, extended, custom) =
            (parse("core-properties"), parse("extended-properties"), parse("custom-properties"));
        let extended = extended.as_ref().and_then(Tree::root).map(properties::read_extended).unwrap_or_default();
        let custom = custom.as_ref().and_then(Tree::root).map(properties::custom_properties).unwrap_or_default();
        Self {
            core: core.as_ref().and_then(Tree::root).map(properties::read_core).unwrap_or_default(),
            extended: extended.into_iter().map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect(),
            custom: custom.into_iter().map(|(name, value)| (name.to_lowercase(), typed_value(value))).collect(),
        }
    }

    /// Returns the property with this name, regardless of letter case. Returns `None` if the document does not have the
    /// property. The counts of pages and words are never returned, because those in the file may be outdated.
    fn value(&self, name: &str) -> Option<PropertyValue> {
        let core = &self.core;
        let date = |text: &Option<String>| text.as_deref().and_then(parse_date).map(PropertyValue::Date);
        let name = name.to_lowercase();
        let text = match name.as_str() {
            "title" => &core.title,
            "subject" => &core.subject,
            "author" => &core.creator,
            "keywords" => &core.keywords,
            "comments" => &core.description,
            "category" => &core.category,
            "lastsavedby" => &core.last_modified_by,
            "revisionnumber" => &core.revision,
            "createtime" => return date(&core.created),
            "lastsavedtime" => return date(&core.modified),
            "pages" | "words" | "characters" | "lines" | "paragraphs" => return None,
            _ => {
                let extended = || self.extended.get(&name).cloned().map(PropertyValue::Text);
                return self.custom.get(&name).cloned().or_else(extended);
            }
        };
        text.clone().map(PropertyValue::Text)
    }
}

/// Returns the value in an element of a custom property, such as `vt:i4`. A value that does not fit its type is text.
fn typed_value(element: Element<'_>) -> PropertyValue {
    let text = element.text();
    let value = text.trim();
    let parsed = match element.name() {
        "i1" | "i2" | "i4" | "i8" | "int" | "ui1" | "ui2" | "ui4" | "ui8" | "uint" | "r4" | "r8" | "decimal" | "cy" => {
            let number = value.parse().or_else(|_| Decimal::from_scientific(value));
            number.ok().map(PropertyValue::Number)
        }
        "bool" => match value.to_ascii_lowercase().as_str() {
            "true" | "1" => Some(PropertyValue::Boolean(true)),
            "false" | "0" => Some(PropertyValue::Boolean(false)),
            _ => None,
        },
        "filetime" | "date" => parse_date(value).map(PropertyValue::Date),
        _ => None,
    };
    parsed.unwrap_or_else(|| PropertyValue::Text(text.to_owned()))
}

/// Parses a date and time (ISO 8601) and returns it in UTC. A date without an offset counts as UTC.
pub(crate) fn parse_date(text: &str) -> Option<DateTime> {
    match text.trim().parse::<jiff::Timestamp>() {
        Ok(moment) => Some(jiff::tz::Offset::UTC.to_datetime(moment)),
        Err(_) => text.trim().parse().ok(),
    }
}

impl PartReader<'_, '_> {
    /// Returns the field that shows a property or variable of the document. Returns `None` for other fields, and if the
    /// document does not have the property.
    pub(crate) fn property_field(&mut self, code: &FieldCode) -> Option<ComputedField> {
        let value = self.property_of(code)?;
        let bytes = if let PropertyValue::Text(text) = &value { text.len() } else { 0 };
        let affordable = self.state.charge_repeated_bytes(bytes);
        let origin = self.field_origin();
        affordable.then(|| ComputedField::Property { origin, value, format: code.format() })
    }

    fn property_of(&self, code: &FieldCode) -> Option<PropertyValue> {
        let properties = &self.shared.properties;
        match code.name.as_str() {
            // A field with an argument sets the property, and its result shows the new value.
            "TITLE" | "SUBJECT" | "AUTHOR" | "KEYWORDS" | "COMMENTS" | "LASTSAVEDBY" if code.arguments.is_empty() => {
                properties.value(&code.name)
            }
            "EDITTIME" => properties.value("totaltime"),
            "REVNUM" if code.arguments.is_empty() => properties.value("revisionnumber"),
            "DOCVARIABLE" => {
                let variables = &self.shared.settings.settings.variables;
                let name = code.first_argument()?;
                let found = variables.get(name).or_else(|| {
                    variables.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
                });
                found.cloned().map(PropertyValue::Text)
            }
            "INFO" if code.arguments.len() > 1 => None,
            "DOCPROPERTY" | "INFO" => properties.value(code.first_argument()?),
            _ => None,
        }
    }
}
