//! Values of fields in requests.

use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A field's name and value, sent as an object with a single key.
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
                match object.next_entry::<String, String>()? {
                    None => Ok(NamedValue(first.0, first.1)),
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
