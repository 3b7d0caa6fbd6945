//! Values of fields in requests.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use waraq_rules::ValueText;

/// A field's name and value, sent as an object with a single key. A number or a boolean becomes the
/// text that is written in the JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedValue(pub String, pub String);

impl<'de> Deserialize<'de> for NamedValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneKey;

        impl<'de> Visitor<'de> for OneKey {
            type Value = NamedValue;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("an object with one key, the field's name")
            }

            // A serde map would silently keep the last of two values with the same name.
            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<NamedValue, A::Error> {
                let first = object.next_entry()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                let first: (String, ValueText) = first;
                match object.next_entry::<String, ValueText>()? {
                    None => Ok(NamedValue(first.0, first.1.0)),
                    Some(_) => Err(A::Error::invalid_length(2, &self)),
                }
            }
        }

        deserializer.deserialize_map(OneKey)
    }
}

/// Converts values into the pairs of name and value that core expects.
pub fn pairs(values: Vec<NamedValue>) -> Vec<(String, String)> {
    values.into_iter().map(|NamedValue(name, value)| (name, value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_booleans_are_texts_as_written() {
        let json = r#"[{"a": 1234567.10}, {"b": 12345678901234567890123}, {"c": 1e3}, {"d": true}, {"e": "0.10"}]"#;
        let values = pairs(serde_json::from_str(json).unwrap());
        let texts: Vec<&str> = values.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(texts, ["1234567.10", "12345678901234567890123", "1e3", "true", "0.10"]);
        for refused in [r#"{"a": null}"#, r#"{"a": []}"#, r#"{"a": {}}"#, "{}", r#"{"a": 1, "b": 2}"#] {
            assert!(serde_json::from_str::<NamedValue>(refused).is_err(), "{refused}");
        }
    }
}
