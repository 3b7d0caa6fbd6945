//! The values of a filling, and why they may be refused (rule 6 of the design).

use std::collections::{BTreeMap, BTreeSet};

use super::name;
use crate::package::xml::is_xml_character;
use crate::{Error, Result};

/// Characters of one value, at most.
pub const MAX_VALUE_CHARACTERS: usize = 10_000;
/// Bytes of all values in UTF-8, at most.
pub const MAX_VALUES_BYTES: usize = 200_000;

/// A value per field, by its normalised name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, String>);

impl Values {
    /// From pairs of name and value; names are normalised as those in the document are.
    ///
    /// # Errors
    /// `duplicate_value`, naming the field, where a name comes twice with different values.
    pub fn from_pairs<N: AsRef<str>, V: Into<String>>(pairs: impl IntoIterator<Item = (N, V)>) -> Result<Self> {
        let mut values = BTreeMap::new();
        for (raw, value) in pairs {
            let name = name::normalize(raw.as_ref());
            let value = value.into();
            match values.get(&name) {
                Some(known) if *known != value => {
                    let message = format!("The field “{name}” is given two different values.");
                    return Err(Error::new("duplicate_value", message).about([name]));
                }
                _ => values.insert(name, value),
            };
        }
        Ok(Self(values))
    }

    /// From JSON: `{"name": "value", …}` or `[{"name": "value"}, …]`, the shape of `fieldsAndValues`. Numbers and truth
    /// values are taken as they are written; nothing else is.
    ///
    /// # Errors
    /// `invalid_values` for other shapes, `duplicate_value`.
    pub fn from_json(json: &serde_json::Value) -> Result<Self> {
        let invalid =
            || Error::new("invalid_values", "Values are an object of names and texts, or a list of such objects.");
        let objects: Vec<_> = match json {
            serde_json::Value::Object(object) => vec![object],
            serde_json::Value::Array(list) => {
                list.iter().map(|item| item.as_object().ok_or_else(invalid)).collect::<Result<_>>()?
            }
            _ => return Err(invalid()),
        };
        let mut pairs = Vec::new();
        for (name, value) in objects.into_iter().flatten() {
            let text = match value {
                serde_json::Value::String(text) => text.clone(),
                serde_json::Value::Number(_) | serde_json::Value::Bool(_) => value.to_string(),
                _ => {
                    let message = format!("The value of the field “{name}” is no text.");
                    return Err(Error::new("invalid_values", message).about([name]));
                }
            };
            pairs.push((name, text));
        }
        Self::from_pairs(pairs)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Refuses values that do not fit the document's `fields`, all offenders of a kind at once.
    pub(super) fn check(&self, fields: &[&str]) -> Result<()> {
        let known: BTreeSet<&str> = fields.iter().copied().collect();
        let unknown: Vec<&str> = self.0.keys().map(String::as_str).filter(|name| !known.contains(name)).collect();
        if !unknown.is_empty() {
            return Err(unknown_fields(&unknown, fields));
        }
        let missing: Vec<&str> = fields.iter().copied().filter(|name| !self.0.contains_key(*name)).collect();
        if !missing.is_empty() {
            let message = format!("No value for {}.", quoted(&missing));
            return Err(Error::new("missing_values", message).about(missing));
        }
        let offenders = |bad: fn(&str) -> bool| -> Vec<&str> {
            self.0.iter().filter(|(_, value)| bad(value)).map(|(name, _)| name.as_str()).collect()
        };
        let illegal = offenders(|value| value.chars().any(|character| !is_xml_character(character)));
        if !illegal.is_empty() {
            let message = format!("The value of {} has a character that no Word document can hold.", quoted(&illegal));
            return Err(Error::new("illegal_character", message).about(illegal));
        }
        let long = offenders(|value| value.chars().count() > MAX_VALUE_CHARACTERS);
        if !long.is_empty() {
            let message = format!("The value of {} is longer than {MAX_VALUE_CHARACTERS} characters.", quoted(&long));
            return Err(Error::new("value_too_long", message).about(long));
        }
        let total: usize = self.0.values().map(String::len).sum();
        if total > MAX_VALUES_BYTES {
            let longest =
                self.0.iter().max_by_key(|(_, value)| value.len()).map(|(name, _)| name.as_str()).unwrap_or_default();
            let message = format!(
                "All values together have {total} bytes; at most {MAX_VALUES_BYTES} are taken. The longest is that of “{longest}”."
            );
            return Err(Error::new("values_too_large", message).about([longest]));
        }
        Ok(())
    }
}

/// Unknown names that are told, with the nearest name for each, and the names that are looked through for it: comparing
/// every name sent with every name there is takes minutes for a request of a few megabytes.
const MOST_UNKNOWN: usize = 50;
const MOST_COMPARED: usize = 200;

fn unknown_fields(unknown: &[&str], fields: &[&str]) -> Error {
    let more = unknown.len().saturating_sub(MOST_UNKNOWN);
    let unknown = unknown.get(..unknown.len() - more).unwrap_or_default();
    let known = fields.get(..fields.len().min(MOST_COMPARED)).unwrap_or_default();
    let suggestions: Vec<Option<String>> =
        unknown.iter().map(|name| name::nearest(name, known.iter().copied()).map(str::to_owned)).collect();
    let told: Vec<String> = unknown
        .iter()
        .zip(&suggestions)
        .map(|(name, nearest)| match nearest {
            Some(nearest) => format!("“{name}” (did you mean “{nearest}”?)"),
            None => format!("“{name}”"),
        })
        .collect();
    let more = if more > 0 { format!(", nor {more} others that are sent") } else { String::new() };
    let mut error = Error::new("unknown_field", format!("The document has no field {}{more}.", told.join(", ")))
        .about(unknown.iter().copied());
    error.suggestions = suggestions;
    error
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("“{name}”")).collect::<Vec<_>>().join(", ")
}
