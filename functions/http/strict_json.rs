//! JSON read strictly: a list is no object, and an object has each key once. serde's derived structs take a list for their fields in
//! order, and its maps keep the last of two equal keys; so a body is read into a tree first, which allows neither.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Error as _, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};
use serde_json::{Error, Number};

pub fn from_slice<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Error> {
    T::deserialize(serde_json::from_slice::<Tree>(bytes)?)
}

enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    List(Vec<Tree>),
    Object(BTreeMap<String, Tree>),
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TreeVisitor)
    }
}

struct TreeVisitor;

impl<'de> Visitor<'de> for TreeVisitor {
    type Value = Tree;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Number::from_f64(value).map_or(Tree::Null, Tree::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Tree, E> {
        Ok(Tree::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Tree, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(Tree::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Tree, A::Error> {
        let mut entries = BTreeMap::new();
        while let Some((key, value)) = object.next_entry::<String, Tree>()? {
            if entries.insert(key, value).is_some() {
                return Err(A::Error::custom("a key stands twice in an object"));
            }
        }
        Ok(Tree::Object(entries))
    }
}

impl<'de> Deserializer<'de> for Tree {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Null => visitor.visit_unit(),
            Self::Bool(value) => visitor.visit_bool(value),
            Self::Number(number) => number.deserialize_any(visitor),
            Self::Text(text) => visitor.visit_string(text),
            Self::List(items) => visitor.visit_seq(SeqDeserializer::new(items.into_iter())),
            Self::Object(entries) => visitor.visit_map(MapDeserializer::new(entries.into_iter())),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Self::Null => visitor.visit_none(),
            there => visitor.visit_some(there),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::List(_) => Err(Error::invalid_type(Unexpected::Seq, &visitor)),
            other => other.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Self::Text(name) => visitor.visit_enum(name.into_deserializer()),
            other => other.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Tree {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Asked {
        name: String,
        count: Option<u32>,
        #[serde(default)]
        inner: Vec<Inner>,
        #[serde(default)]
        map: BTreeMap<String, String>,
        kind: Option<Kind>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Inner {
        a: i8,
        b: f64,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Admin,
    }

    #[test]
    fn what_is_taken() {
        let asked: Asked = from_slice(
            r#"{"name":"ح","count":7,"inner":[{"a":-1,"b":2.5}],"map":{"k":"v"},"kind":"admin"}"#.as_bytes(),
        )
        .unwrap();
        assert_eq!(
            (asked.count, &asked.inner[0], &asked.map["k"]),
            (Some(7), &Inner { a: -1, b: 2.5 }, &"v".to_owned())
        );
        assert_eq!(asked.kind, Some(Kind::Admin));
        assert_eq!(from_slice::<Asked>(br#"{"name":"a","count":null}"#).unwrap().count, None);
    }

    #[test]
    fn what_is_refused() {
        for wrong in [
            r#"["a", 1]"#,
            r#"{"name":"a","name":"b"}"#,
            r#"{"name":"a","inner":[[1, 2.5]]}"#,
            r#"{"name":"a","map":{"k":"v","k":"v"}}"#,
            r#"{"name":"a","other":1}"#,
            r#"{"name":"a","kind":"other"}"#,
            r#"{"name":"a","count":-1}"#,
            r#"{"name":"a"} x"#,
            r#""a""#,
            "",
        ] {
            assert!(from_slice::<Asked>(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }
}
