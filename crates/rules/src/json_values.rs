//! Values in JSON. A number keeps its digits as written: `1234567.10`, `1e3`, or an integer of any length.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::{ErrorCode, RuleViolation, Values};

/// A value in JSON: a text, a number or a boolean. A number becomes a text with the same digits.
///
/// It can only be deserialized directly from JSON text, not from a [`serde_json::Value`] or in a flattened or untagged type.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ValueText(pub String);

impl<'de> Deserialize<'de> for ValueText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        text_of(&raw).map(Self).ok_or_else(|| D::Error::custom("a value is not a text"))
    }
}

/// Returns the text of a value, or `None` if the value is an object, a list or null.
fn text_of(raw: &RawValue) -> Option<String> {
    let json = raw.get();
    match json.bytes().next()? {
        b'"' => serde_json::from_str(json).ok(),
        b'-' | b'0'..=b'9' | b't' | b'f' => Some(json.to_owned()),
        _ => None,
    }
}

/// Deserializes an object of names and values. It is intended for serde's `deserialize_with` attribute.
///
/// # Errors
/// The errors of the deserializer, and an error if a value is not a text, a number or a boolean.
pub fn deserialize_texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    let values = BTreeMap::<String, ValueText>::deserialize(deserializer)?;
    Ok(values.into_iter().map(|(name, ValueText(text))| (name, text)).collect())
}

/// Deserializes an object of names and values, or null. See [`deserialize_texts`].
///
/// # Errors
/// The errors of [`deserialize_texts`].
pub fn deserialize_optional_texts<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<BTreeMap<String, String>>, D::Error> {
    let values = Option::<BTreeMap<String, ValueText>>::deserialize(deserializer)?;
    Ok(values.map(|values| values.into_iter().map(|(name, ValueText(text))| (name, text)).collect()))
}

impl Values {
    /// Creates values from JSON text: `{"name": "value", …}` or `[{"name": "value"}, …]`, the format of
    /// `fieldsAndValues`. Numbers and booleans become texts as they are written; other types are refused.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidValues`] for other formats, [`ErrorCode::DuplicateField`].
    pub fn from_json(json: &[u8]) -> Result<Self, RuleViolation> {
        let objects: NamedValues = serde_json::from_slice(json).map_err(|error| {
            let message = if error.is_data() {
                "Values must be an object of names and texts, or a list of such objects.".to_owned()
            } else {
                format!("The values are no JSON: {error}.")
            };
            RuleViolation::new(ErrorCode::InvalidValues, message, [""; 0])
        })?;
        let texts = objects.0.into_iter().map(|(name, raw)| match text_of(&raw) {
            Some(text) => Ok((name, text)),
            None => {
                let message = format!("The value of the field “{name}” is not a text.");
                Err(RuleViolation::new(ErrorCode::InvalidValues, message, [name]))
            }
        });
        Self::from_pairs(texts.collect::<Result<Vec<_>, _>>()?)
    }
}

/// The names and values of one object, or of all objects in a list, in the order in which they are written.
struct NamedValues(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for NamedValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Objects;

        impl<'de> Visitor<'de> for Objects {
            type Value = NamedValues;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object of names and texts, or a list of such objects")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<NamedValues, A::Error> {
                let mut values = Vec::new();
                while let Some(entry) = object.next_entry()? {
                    values.push(entry);
                }
                Ok(NamedValues(values))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<NamedValues, A::Error> {
                let mut values = Vec::new();
                while let Some(object) = list.next_element::<Object>()? {
                    values.extend(object.0.0);
                }
                Ok(NamedValues(values))
            }
        }

        /// An object in a list.
        struct Object(NamedValues);

        impl<'de> Deserialize<'de> for Object {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_map(Objects).map(Self)
            }
        }

        deserializer.deserialize_any(Objects)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Pairs = Vec<(String, String)>;

    fn values(json: &str) -> Result<Pairs, (ErrorCode, Vec<String>)> {
        let values = Values::from_json(json.as_bytes()).map_err(|error| (error.code, error.fields))?;
        Ok(values.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    #[test]
    fn numbers_keep_their_digits() {
        for written in [
            "1234567.10",
            "12345678901234567890123",
            "1e3",
            "1E+400",
            "-0",
            "0.1",
            "0.10000000000000000000000001",
            "true",
            "false",
        ] {
            for json in [format!("{{\"a\": {written} }}"), format!("[{{\"a\":{written}}}]")] {
                assert_eq!(values(&json), Ok(vec![("a".to_owned(), written.to_owned())]), "{json}");
            }
            let text: ValueText = serde_json::from_str(written).unwrap();
            assert_eq!(text.0, written);
        }
        assert_eq!(values(r#"{"a": "é \"1.50\""}"#), Ok(vec![("a".to_owned(), "é \"1.50\"".to_owned())]));
    }

    #[test]
    fn other_formats_are_refused() {
        for json in ["1", "\"a\"", "null", "{", "", "[[]]", "[1]", "{\"a\" 1}", "{\"a\":01}", "{\"a\":1.}", "[{}] x"] {
            assert_eq!(values(json), Err((ErrorCode::InvalidValues, vec![])), "{json}");
        }
        for json in [r#"{"b": 1, "a": null}"#, r#"{"a": []}"#, r#"[{"a": {"b": 1}}]"#] {
            assert_eq!(values(json), Err((ErrorCode::InvalidValues, vec!["a".to_owned()])), "{json}");
        }
        for json in [r#"{"a": 1, "a": 2}"#, r#"[{"a": 1}, {" a": 2}]"#] {
            assert_eq!(values(json), Err((ErrorCode::DuplicateField, vec!["a".to_owned()])), "{json}");
        }
        assert_eq!((values("{}"), values("[]")), (Ok(vec![]), Ok(vec![])));
    }
}
