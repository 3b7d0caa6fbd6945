//! Values of fields in requests and responses.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::openapi::schema::{
    AdditionalProperties, ArrayBuilder, ObjectBuilder, OneOfBuilder, Schema, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};
use waraq_core::saved::NamedValues;
use waraq_core::{Error, ErrorCode};
use waraq_rules::Value;

/// A field's name and value, sent as an object with a single key. The value is read by [`named_values`].
#[derive(Debug, Clone)]
pub struct NamedValue {
    name: String,
    json: Box<RawValue>,
}

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
                let (name, json) = object.next_entry()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
                match object.next_entry::<String, Box<RawValue>>()? {
                    None => Ok(NamedValue { name, json }),
                    Some(_) => Err(A::Error::invalid_length(2, &self)),
                }
            }
        }

        deserializer.deserialize_map(OneKey)
    }
}

/// Reads the values of a request.
///
/// # Errors
/// `too_many_fields`; `invalid_body` for JSON that is no value; `duplicate_field` for a column that a row has twice;
/// `too_many_rows`; `unreadable_picture`; `value_picture_too_large`.
pub fn named_values(values: Vec<NamedValue>) -> Result<NamedValues, Error> {
    waraq_rules::check_count(values.len())?;
    let read = |NamedValue { name, json }: NamedValue| match waraq_rules::value_from_json(&name, &json) {
        Ok(value) => Ok((name, value)),
        Err(violation) if violation.code == ErrorCode::InvalidValues => {
            Err(Error::new(ErrorCode::InvalidBody, violation.message).with_fields(violation.fields))
        }
        Err(violation) => Err(violation.into()),
    };
    values.into_iter().map(read).collect()
}

/// One value of a form in a response: an object whose single key is the field's name.
pub type FieldAndValue = BTreeMap<String, Value>;

/// Converts values to the form in which they are sent to clients.
pub fn fields_and_values(values: NamedValues) -> Vec<FieldAndValue> {
    values.into_iter().map(|pair| BTreeMap::from([pair])).collect()
}

/// The schema of a value in a response.
pub struct FieldValue;

/// The schema of a value in a request.
pub struct FieldValueInput;

/// A picture as a value: a PNG or JPEG of at most 1 MB.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "camelCase")]
pub struct PictureValue {
    /// The file in base64, as a data URL: `data:image/png;base64,…` or `data:image/jpeg;base64,…`.
    pub image: String,
    /// A description for people who cannot see the picture. If it is missing, the name of the field is used.
    #[schema(required = false)]
    pub alternative_text: Option<String>,
}

type Schemas = Vec<(String, RefOr<Schema>)>;

/// Returns the schema of a value. `name` is the name of the schema, which describes the columns of lists too.
fn value_schema(name: &str, scalars: &[Type], about: &str) -> RefOr<Schema> {
    let row = ObjectBuilder::new()
        .additional_properties(Some(AdditionalProperties::RefOr(Ref::from_schema_name(name).into())));
    let scalars = scalars.iter().map(|scalar| ObjectBuilder::new().schema_type(SchemaType::new(scalar.clone())));
    let all = scalars.fold(OneOfBuilder::new(), |all, scalar| all.item(scalar));
    let all = all.item(ArrayBuilder::new().items(row)).item(Ref::from_schema_name("PictureValue"));
    all.description(Some(about)).into()
}

fn add_picture_schema(schemas: &mut Schemas) {
    schemas.push((PictureValue::name().into_owned(), PictureValue::schema()));
}

impl PartialSchema for FieldValue {
    fn schema() -> RefOr<Schema> {
        let about = "The value of a field: the string of a text field, the boolean of a yes/no field, the rows of a list \
                     (each an object with the names and values of its columns), or a picture.";
        value_schema("FieldValue", &[Type::String, Type::Boolean], about)
    }
}

impl ToSchema for FieldValue {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("FieldValue")
    }

    fn schemas(schemas: &mut Schemas) {
        add_picture_schema(schemas);
    }
}

impl PartialSchema for FieldValueInput {
    fn schema() -> RefOr<Schema> {
        let about = "The value of a field, by the type that the template's `structure` has for it. Text and QR code: a \
                     string, a number (which becomes a text with the same digits) or a boolean. Yes/no: a boolean, or a \
                     word for yes or no. List: an array with an object for each row, which has every column; at most \
                     500 rows, and 2,000 in all lists together. Picture and signature: an object, or an empty string for \
                     no picture; 3 MB in all pictures together. Errors name a column with its list and its row, counted \
                     from 0: `items[3].price`.";
        value_schema("FieldValueInput", &[Type::String, Type::Number, Type::Boolean], about)
    }
}

impl ToSchema for FieldValueInput {
    fn name() -> Cow<'static, str> {
        Cow::Borrowed("FieldValueInput")
    }

    fn schemas(schemas: &mut Schemas) {
        add_picture_schema(schemas);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Result<NamedValues, Error> {
        named_values(serde_json::from_str(json).unwrap())
    }

    #[test]
    fn numbers_are_texts_as_written() {
        let values = read(r#"[{"a": 1234567.10}, {"b": 12345678901234567890123}, {"c": 1e3}, {"d": "0.10"}]"#).unwrap();
        let texts: Vec<&str> = values.iter().map(|(_, value)| value.as_text().unwrap()).collect();
        assert_eq!(texts, ["1234567.10", "12345678901234567890123", "1e3", "0.10"]);
        assert_eq!(read(r#"[{"a": true}]"#).unwrap(), [("a".to_owned(), Value::YesNo(true))]);
        for refused in ["{}", r#"{"a": 1, "b": 2}"#, r#"{"a": 1, "a": 2}"#, "[]", "1"] {
            assert!(serde_json::from_str::<NamedValue>(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn values_are_sent_as_they_were_received() {
        let json = concat!(
            r#"[{"a":"x"},{"b":false},{"c":[{"d":"1","e":[{"f":true}]},{}]},"#,
            r#"{"g":{"image":"data:image/png;base64,iVBORw0KGgo=","alternativeText":"Logo"}}]"#
        );
        assert_eq!(serde_json::to_string(&fields_and_values(read(json).unwrap())).unwrap(), json);
    }

    #[test]
    fn invalid_values_are_refused_with_the_name_of_the_field() {
        let rows = format!("[{}]", vec!["{}"; 2_001].join(","));
        for (json, code) in [
            ("null", ErrorCode::InvalidBody),
            ("{}", ErrorCode::InvalidBody),
            ("[null]", ErrorCode::InvalidBody),
            (r#"[{"b": 1, " b": 2}]"#, ErrorCode::DuplicateField),
            (&rows, ErrorCode::TooManyRows),
            (r#"{"image": "data:image/svg+xml;base64,PHN2Zz4="}"#, ErrorCode::UnreadablePicture),
        ] {
            let error = read(&format!(r#"[{{"ok": 1}}, {{"a": {json}}}]"#)).unwrap_err();
            assert_eq!((error.code, error.details.fields), (code, vec!["a".to_owned()]), "{json}");
        }
        let error = read(r#"[{"a": [{}, {"b": null}]}]"#).unwrap_err();
        assert_eq!((error.code, error.details.fields), (ErrorCode::InvalidBody, vec!["a[1].b".to_owned()]));
        let many = format!("[{}]", vec![r#"{"a": 1}"#; 2_001].join(","));
        assert_eq!(read(&many).unwrap_err().code, ErrorCode::TooManyFields);
    }
}
