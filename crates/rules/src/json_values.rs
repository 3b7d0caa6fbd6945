//! Values in JSON. A number keeps its digits as written: `1234567.10`, `1e3`, or an integer of any length.
//!
//! | Value | JSON |
//! |---|---|
//! | [`Value::Text`] | a string, or a number as it is written |
//! | [`Value::YesNo`] | a boolean |
//! | [`Value::List`] | an array of objects, one for each row; `["a"]` is short for `[{".": "a"}]` |
//! | [`Value::Picture`] | `{"image": "data:image/png;base64,…", "alternativeText": "…"}` |

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::values::{MAX_LIST_DEPTH, MAX_PICTURE_BYTES, MAX_ROWS};
use crate::{ErrorCode, Picture, PictureFormat, Row, RuleViolation, Value, Values, name};

/// The name of the only column of a list whose rows are single values. In the template it is written `{{.}}`.
pub const ENTRY_COLUMN: &str = ".";

/// A value in JSON: a text, a number or a boolean. A number becomes a text with the same digits.
///
/// Deserialize it from JSON text. A [`serde_json::Value`], a flattened type or an untagged type has lost the digits already.
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

impl Values {
    /// Creates values from JSON text: `{"name": value, …}` or `[{"name": value}, …]`, the format of `fieldsAndValues`. See
    /// the table above for the JSON of each value.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidValues`] for other formats, [`ErrorCode::DuplicateField`], [`ErrorCode::TooManyRows`],
    /// [`ErrorCode::UnreadablePicture`], [`ErrorCode::ValuePictureTooLarge`].
    pub fn from_json(json: &[u8]) -> Result<Self, RuleViolation> {
        let objects: NamedValues = serde_json::from_slice(json).map_err(|error| {
            let message = if error.is_data() {
                "Values must be an object of names and values, or a list of such objects.".to_owned()
            } else {
                format!("The values are no JSON: {error}.")
            };
            RuleViolation::new(ErrorCode::InvalidValues, message, [""; 0])
        })?;
        let values = objects.0.into_iter().map(|(name, raw)| match value_of(&raw) {
            Ok(value) => Ok((name, value)),
            Err(error) => Err(error.violation(&name)),
        });
        Self::from_pairs(values.collect::<Result<Vec<_>, _>>()?)
    }
}

/// Reads the value of the field `name` from JSON. See the table above.
///
/// # Errors
/// [`ErrorCode::InvalidValues`], [`ErrorCode::DuplicateField`], [`ErrorCode::TooManyRows`],
/// [`ErrorCode::UnreadablePicture`], [`ErrorCode::ValuePictureTooLarge`].
pub fn value_from_json(name: &str, json: &RawValue) -> Result<Value, RuleViolation> {
    value_of(json).map_err(|error| error.violation(name))
}

/// The reason why a value in JSON is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonProblem {
    /// The type of the JSON is wrong: null, an object without `image`, or a list with other entries than objects and texts.
    OtherType,
    /// A column of a row is given twice.
    DuplicateColumn,
    /// There are more rows than [`MAX_ROWS`], or more lists in lists than [`MAX_LIST_DEPTH`].
    TooManyRows,
    /// The `image` must be a base64 data URL of a PNG or JPEG.
    UnreadablePicture,
    PictureTooLarge,
}

impl JsonProblem {
    fn code(self) -> ErrorCode {
        match self {
            Self::OtherType => ErrorCode::InvalidValues,
            Self::DuplicateColumn => ErrorCode::DuplicateField,
            Self::TooManyRows => ErrorCode::TooManyRows,
            Self::UnreadablePicture => ErrorCode::UnreadablePicture,
            Self::PictureTooLarge => ErrorCode::ValuePictureTooLarge,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Self::OtherType => "is not a text, a boolean, a list of objects or a picture",
            Self::DuplicateColumn => "has the same column twice in a row",
            Self::TooManyRows => "has too many rows",
            Self::UnreadablePicture => "is not a PNG or JPEG as a base64 data URL",
            Self::PictureTooLarge => "is a picture that is too large",
        }
    }

    fn violation(self, name: String) -> RuleViolation {
        let message = format!("The value of the field “{name}” {}.", self.message());
        let limit = match self {
            Self::TooManyRows => Some(MAX_ROWS),
            Self::PictureTooLarge => Some(MAX_PICTURE_BYTES),
            _ => None,
        };
        RuleViolation { limit, ..RuleViolation::new(self.code(), message, [name]) }
    }
}

/// A [`JsonProblem`] with its place in the value.
#[derive(Debug, Clone, PartialEq, Eq)]
struct JsonError {
    problem: JsonProblem,
    /// The column with the problem, such as `[3].price`. Empty for a problem of the whole value.
    path: String,
}

impl From<JsonProblem> for JsonError {
    fn from(problem: JsonProblem) -> Self {
        Self { problem, path: String::new() }
    }
}

impl JsonError {
    fn violation(self, name: &str) -> RuleViolation {
        self.problem.violation(format!("{name}{}", self.path))
    }
}

impl<'de> Deserialize<'de> for Value {
    /// The limits of rows, depth and pictures are checked while the value is read.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        value_of(&raw).map_err(|error| D::Error::custom(format!("a value {}", error.problem.message())))
    }
}

/// Returns the value that JSON describes.
fn value_of(raw: &RawValue) -> Result<Value, JsonError> {
    read_value(raw, 1, &mut 0)
}

/// Reads a value. `depth` is the number of lists around it plus one. `rows` counts the rows of all lists.
fn read_value(raw: &RawValue, depth: usize, rows: &mut usize) -> Result<Value, JsonError> {
    match raw.get().bytes().next() {
        Some(b't') => Ok(Value::YesNo(true)),
        Some(b'f') => Ok(Value::YesNo(false)),
        Some(b'[') if depth > MAX_LIST_DEPTH => Err(JsonProblem::TooManyRows.into()),
        Some(b'[') => {
            let entries: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(|_| JsonProblem::OtherType)?;
            *rows += entries.len();
            if *rows > MAX_ROWS {
                return Err(JsonProblem::TooManyRows.into());
            }
            let entries = entries.into_iter().enumerate();
            entries.map(|entry| read_row(entry, depth, rows)).collect::<Result<_, _>>().map(Value::List)
        }
        Some(b'{') => Ok(Value::Picture(read_picture(raw)?)),
        _ => Ok(Value::Text(text_of(raw).ok_or(JsonProblem::OtherType)?)),
    }
}

/// Reads a row with its number, counted from 0.
fn read_row((at, raw): (usize, &RawValue), depth: usize, rows: &mut usize) -> Result<Row, JsonError> {
    if !raw.get().starts_with('{') {
        let text = text_of(raw).filter(|_| !raw.get().starts_with(['t', 'f'])).ok_or(JsonProblem::OtherType)?;
        return Ok(Row::from([(ENTRY_COLUMN.to_owned(), Value::Text(text))]));
    }
    let columns: NamedValues = serde_json::from_str(raw.get()).map_err(|_| JsonProblem::OtherType)?;
    let mut row = Row::new();
    for (column, raw) in columns.0 {
        let column = name::normalize(&column);
        let value = read_value(&raw, depth + 1, rows)
            .map_err(|error| JsonError { path: format!("[{at}].{column}{}", error.path), ..error })?;
        if row.insert(column, value).is_some() {
            return Err(JsonProblem::DuplicateColumn.into());
        }
    }
    Ok(row)
}

/// A picture in JSON.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct PictureJson {
    image: String,
    #[serde(default)]
    alternative_text: String,
}

fn read_picture(raw: &RawValue) -> Result<Picture, JsonProblem> {
    let PictureJson { image, alternative_text } =
        serde_json::from_str(raw.get()).map_err(|_| JsonProblem::OtherType)?;
    let formats = [("data:image/png;base64,", PictureFormat::Png), ("data:image/jpeg;base64,", PictureFormat::Jpeg)];
    let found = formats.into_iter().find_map(|(start, format)| Some((image.strip_prefix(start)?, format)));
    let (data, format) = found.ok_or(JsonProblem::UnreadablePicture)?;
    if data.len() / 4 * 3 > MAX_PICTURE_BYTES + 3 {
        return Err(JsonProblem::PictureTooLarge);
    }
    let bytes = STANDARD.decode(data).map_err(|_| JsonProblem::UnreadablePicture)?;
    let signature: &[u8] = match format {
        PictureFormat::Png => b"\x89PNG\r\n\x1a\n",
        PictureFormat::Jpeg => b"\xff\xd8\xff",
    };
    if !bytes.starts_with(signature) {
        return Err(JsonProblem::UnreadablePicture);
    }
    if bytes.len() > MAX_PICTURE_BYTES {
        return Err(JsonProblem::PictureTooLarge);
    }
    Ok(Picture { format, bytes: bytes.into(), alternative_text })
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::YesNo(yes) => serializer.serialize_bool(*yes),
            Self::List(rows) => rows.serialize(serializer),
            Self::Picture(picture) => {
                let mut object = serializer.serialize_map(None)?;
                let data = STANDARD.encode(&picture.bytes);
                object.serialize_entry("image", &format!("data:{};base64,{data}", picture.format.media_type()))?;
                if !picture.alternative_text.is_empty() {
                    object.serialize_entry("alternativeText", &picture.alternative_text)?;
                }
                object.end()
            }
        }
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

    /// Returns the JSON of a value after reading it.
    fn read_again(json: &str) -> Result<String, (ErrorCode, Vec<String>)> {
        let values = Values::from_json(format!("{{\"a\": {json}}}").as_bytes());
        let values = values.map_err(|error| (error.code, error.fields))?;
        Ok(serde_json::to_string(values.value("a").unwrap()).unwrap())
    }

    fn values(json: &str) -> Result<Pairs, (ErrorCode, Vec<String>)> {
        let values = Values::from_json(json.as_bytes()).map_err(|error| (error.code, error.fields))?;
        Ok(values.iter().map(|(name, value)| (name.to_owned(), value.as_text().unwrap().to_owned())).collect())
    }

    #[test]
    fn numbers_keep_their_digits() {
        for written in
            ["1234567.10", "12345678901234567890123", "1e3", "1E+400", "-0", "0.1", "0.10000000000000000000000001"]
        {
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
        for json in [r#"{"b": 1, "a": null}"#, r#"{"a": [[]]}"#, r#"{"a": [true]}"#, r#"[{"a": {"b": 1}}]"#] {
            assert_eq!(values(json), Err((ErrorCode::InvalidValues, vec!["a".to_owned()])), "{json}");
        }
        for json in [r#"{"a": 1, "a": 2}"#, r#"[{"a": 1}, {" a": 2}]"#] {
            assert_eq!(values(json), Err((ErrorCode::DuplicateField, vec!["a".to_owned()])), "{json}");
        }
        assert_eq!((values("{}"), values("[]")), (Ok(vec![]), Ok(vec![])));
    }

    #[test]
    fn values_of_each_type_are_written_as_they_are_read() {
        let png = "{\"image\":\"data:image/png;base64,iVBORw0KGgo=\",\"alternativeText\":\"Logo\"}";
        let jpeg = "{\"image\":\"data:image/jpeg;base64,/9j/4A==\"}";
        let lists = r#"[{"item":"Chair","parts":[{"name":"leg"},{}]},{}]"#;
        for json in ["\"é\"", "true", "false", "[]", lists, png, jpeg] {
            assert_eq!(read_again(json), Ok(json.to_owned()));
        }
        assert_eq!(read_again("[\"x\", 1.50]"), Ok(r#"[{".":"x"},{".":"1.50"}]"#.to_owned()));
        assert_eq!(read_again(r#"[{" the  item ": 2}]"#), Ok(r#"[{"the item":"2"}]"#.to_owned()));
    }

    #[test]
    fn lists_and_pictures_over_a_limit_are_refused() {
        let refused = |json: &str| read_again(json).unwrap_err();
        let a = || vec!["a".to_owned()];
        let rows = |count: usize| format!("[{}]", vec!["{}"; count].join(","));
        assert!(read_again(&rows(MAX_ROWS)).is_ok());
        assert_eq!(refused(&rows(MAX_ROWS + 1)), (ErrorCode::TooManyRows, a()));
        let nested = |depth: usize| format!("{}[]{}", "[{\"a\":".repeat(depth), "}]".repeat(depth));
        assert!(read_again(&nested(MAX_LIST_DEPTH - 1)).is_ok());
        let innermost = format!("a{}", "[0].a".repeat(MAX_LIST_DEPTH));
        assert_eq!(refused(&nested(MAX_LIST_DEPTH)), (ErrorCode::TooManyRows, vec![innermost]));
        assert_eq!(refused(r#"[{"b": 1, " b": 2}]"#), (ErrorCode::DuplicateField, a()));
        let nested = refused(r#"[{}, {"b": [{" the  photo": {"image": ""}}]}]"#);
        assert_eq!(nested, (ErrorCode::UnreadablePicture, vec!["a[1].b[0].the photo".to_owned()]));
        for url in
            ["", "data:image/svg+xml;base64,PHN2Zz4=", "data:image/png;base64,?", "data:image/png;base64,/9j/4A=="]
        {
            assert_eq!(refused(&format!("{{\"image\":\"{url}\"}}")), (ErrorCode::UnreadablePicture, a()), "{url}");
        }
        let large = STANDARD.encode([b"\xff\xd8\xff".as_slice(), &vec![0; MAX_PICTURE_BYTES]].concat());
        let large = format!("{{\"image\":\"data:image/jpeg;base64,{large}\"}}");
        assert_eq!(refused(&large), (ErrorCode::ValuePictureTooLarge, a()));
    }
}
