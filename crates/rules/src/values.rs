//! The values of the fields of a document, and the checks that refuse invalid values.

use std::collections::{BTreeMap, BTreeSet};

use crate::structure::{DeclaredType, DeclaredTypes, FieldType, Structure, StructuredField};
use crate::value::{Row, Value};
use crate::{ErrorCode, name, parse_yes_no};

/// Maximum number of characters of one value.
pub const MAX_VALUE_CHARACTERS: usize = 10_000;
/// Maximum size of all names and values together, in UTF-8 bytes.
pub const MAX_VALUES_BYTES: usize = 200_000;

/// Maximum number of fields in a template, and of values in a request.
pub const MAX_FIELDS: usize = 2_000;

/// Maximum number of rows of one list.
pub const MAX_LIST_ROWS: usize = 500;
/// Maximum number of rows of all lists of a document together. The rows of lists in rows count too.
pub const MAX_ROWS: usize = 2_000;
/// Maximum number of lists around a value: a list may contain lists, up to this depth.
pub const MAX_LIST_DEPTH: usize = 4;
/// Maximum size of the file of one picture, in bytes.
pub const MAX_PICTURE_BYTES: usize = 1_000_000;

/// Checks that the number of fields or values does not exceed [`MAX_FIELDS`].
///
/// # Errors
/// [`ErrorCode::TooManyFields`].
pub fn check_count(count: usize) -> Result<(), RuleViolation> {
    if count <= MAX_FIELDS {
        return Ok(());
    }
    let message = format!("A template can have at most {MAX_FIELDS} fields, and a request as many values.");
    let refused = RuleViolation::new(ErrorCode::TooManyFields, message, [""; 0]);
    Err(RuleViolation { limit: Some(MAX_FIELDS), ..refused })
}

/// Checks that all `names` are in `fields`, the fields of a template.
///
/// # Errors
/// [`ErrorCode::UnknownField`], with the most similar existing name for each unknown one.
pub fn check_names<'a, F: AsRef<str>>(
    names: impl IntoIterator<Item = &'a str>,
    fields: &[F],
) -> Result<(), RuleViolation> {
    let known: BTreeSet<&str> = fields.iter().map(AsRef::as_ref).collect();
    let unknown: Vec<&str> = names.into_iter().filter(|name| !known.contains(name)).collect();
    if unknown.is_empty() { Ok(()) } else { Err(unknown_fields_error(&unknown, fields)) }
}

/// The error for input that violates a rule: one code, and the names of all fields to which the code applies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct RuleViolation {
    /// The rule that is violated.
    pub code: ErrorCode,
    /// A message in English, in one sentence.
    pub message: String,
    /// The names of the fields that violate the rule. Fields of the template are in the order of the template, other
    /// names in alphabetical order.
    pub fields: Vec<String>,
    /// The most similar field name of the template for each of `fields`, or `None` if no name is similar. Empty unless
    /// the code is [`ErrorCode::UnknownField`].
    pub suggestions: Vec<Option<String>>,
    /// The limit that was exceeded, for example the maximum number of characters of a value. `None` if the rule has no
    /// limit.
    pub limit: Option<usize>,
}

impl RuleViolation {
    pub(crate) fn new(
        code: ErrorCode,
        message: impl Into<String>,
        fields: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let fields = fields.into_iter().map(Into::into).collect();
        Self { code, message: message.into(), fields, suggestions: Vec::new(), limit: None }
    }
}

/// Returns whether a value prints nothing: it is empty or has only white space and invisible characters.
pub fn is_empty(value: &str) -> bool {
    value.chars().all(|character| character.is_whitespace() || name::is_ignorable(character))
}

/// The values of the fields, by normalised field name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, Value>);

impl Values {
    /// Creates values from pairs of name and value. Names are normalised like those in the document.
    ///
    /// # Errors
    /// [`ErrorCode::DuplicateField`], with all names that appear twice.
    pub fn from_pairs<N: AsRef<str>, V: Into<Value>>(
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, RuleViolation> {
        let mut values = BTreeMap::new();
        let mut duplicates = BTreeSet::new();
        for (raw, value) in pairs {
            let name = name::normalize(raw.as_ref());
            if values.insert(name.clone(), value.into()).is_some() {
                duplicates.insert(name);
            }
        }
        if duplicates.is_empty() {
            return Ok(Self(values));
        }
        let twice: Vec<String> = duplicates.into_iter().take(MAX_NAMES_IN_ERROR).collect();
        Err(RuleViolation::new(ErrorCode::DuplicateField, format!("Given twice: {}.", quote_names(&twice)), twice))
    }

    /// Returns the text of a field by its normalised name. Returns `None` if the field has no value, or another value than a
    /// text.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_text)
    }

    /// Returns the value of a field by its normalised name, or `None` if the field has no value.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Returns the values like a row of a list.
    pub(crate) fn as_row(&self) -> &Row {
        &self.0
    }

    /// Returns the values like a row of a list, so that the caller can change them.
    pub(crate) fn as_row_mut(&mut self) -> &mut Row {
        &mut self.0
    }

    /// Sets the value of a field. `name` must be normalised.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// Returns the types of the values that are lists. A document alone does not always tell whether a section is a list or
    /// depends on a yes/no answer.
    pub fn list_types(&self) -> DeclaredTypes {
        let mut types = DeclaredTypes::new();
        add_list_types(&mut types, &self.0);
        types
    }

    /// Returns the names and values in alphabetical order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Checks that the values fit a template in which all fields are texts. See [`Values::check_structure`].
    ///
    /// # Errors
    /// The errors of [`Values::check_structure`].
    pub fn check<F: AsRef<str>>(&self, fields: &[F]) -> Result<(), RuleViolation> {
        self.check_structure(&Structure::of_texts(fields.iter().map(|name| name.as_ref().to_owned())))
    }

    /// Converts values to the types of their fields, where that is possible:
    ///
    /// - For a text field, a boolean becomes the text `true` or `false`.
    /// - For a yes/no field, a text becomes the answer that [`crate::parse_yes_no`] reads. An empty text is no.
    /// - For a list field, an empty text becomes a list without rows.
    ///
    /// Other values stay as they are. The columns of lists are converted too.
    pub fn convert_to(&mut self, structure: &Structure) {
        convert_row(&mut self.0, &structure.0, 0);
    }

    /// Checks that the values fit the structure of a template. Every field and every column in every row needs a value,
    /// which may be empty. The error lists all fields with the same problem. A column is listed with its list and its row,
    /// counted from 0: `items[3].price`.
    ///
    /// # Errors
    /// The first of these errors that applies: [`ErrorCode::ValuesTooLong`], [`ErrorCode::TooManyRows`],
    /// [`ErrorCode::UnknownField`] with the most similar existing names, [`ErrorCode::MissingFields`],
    /// [`ErrorCode::WrongValueType`], [`ErrorCode::IllegalCharacter`], [`ErrorCode::ValueTooLong`],
    /// [`ErrorCode::ValuePictureTooLarge`].
    pub fn check_structure(&self, structure: &Structure) -> Result<(), RuleViolation> {
        let total: usize = self.0.iter().map(|(name, value)| name.len() + text_bytes(value)).sum();
        if total > MAX_VALUES_BYTES {
            let longest = self.0.iter().max_by_key(|(_, value)| text_bytes(value)).map(|(name, _)| name);
            let message = format!("The values have {total} bytes in total; at most {MAX_VALUES_BYTES} are allowed.");
            let mut refused = RuleViolation::new(ErrorCode::ValuesTooLong, message, longest);
            refused.limit = Some(MAX_VALUES_BYTES);
            return Err(refused);
        }
        self.check_row_counts()?;
        let names: Vec<&str> = structure.names().collect();
        check_names(self.0.keys().map(String::as_str), &names)?;
        let mut problems = Problems::default();
        problems.check_row(&self.0, &structure.0, "");
        let checks = [
            (ErrorCode::UnknownField, problems.unknown, "The template has no column".to_owned(), None),
            (ErrorCode::MissingFields, problems.missing, "There is no value for".to_owned(), None),
            (ErrorCode::WrongValueType, problems.wrong_type, "The value has another type than".to_owned(), None),
            (
                ErrorCode::IllegalCharacter,
                problems.illegal,
                "No Word document can hold a character in the value of".to_owned(),
                None,
            ),
            (
                ErrorCode::ValueTooLong,
                problems.too_long,
                format!("More than {MAX_VALUE_CHARACTERS} characters are in the value of"),
                Some(MAX_VALUE_CHARACTERS),
            ),
            (
                ErrorCode::ValuePictureTooLarge,
                problems.too_large,
                format!("More than {MAX_PICTURE_BYTES} bytes are in the picture of"),
                Some(MAX_PICTURE_BYTES),
            ),
        ];
        for (code, named, sentence, limit) in checks {
            if !named.is_empty() {
                let named = &named[..named.len().min(MAX_NAMES_IN_ERROR)];
                let refused = RuleViolation::new(code, format!("{sentence} {}.", quote_names(named)), named);
                let suggestions = if code == ErrorCode::UnknownField { vec![None; named.len()] } else { Vec::new() };
                return Err(RuleViolation { limit, suggestions, ..refused });
            }
        }
        Ok(())
    }

    /// Checks the number of rows of each list ([`MAX_LIST_ROWS`]), of all lists together ([`MAX_ROWS`]), and the depth of
    /// lists in lists ([`MAX_LIST_DEPTH`]).
    ///
    /// # Errors
    /// [`ErrorCode::TooManyRows`], with the field whose list exceeds the limit.
    pub fn check_row_counts(&self) -> Result<(), RuleViolation> {
        let mut total = 0;
        for (name, value) in &self.0 {
            count_rows(value, 1, &mut total).map_err(|(limit, message)| RuleViolation {
                limit: Some(limit),
                ..RuleViolation::new(ErrorCode::TooManyRows, message, [name])
            })?;
        }
        Ok(())
    }
}

/// Returns the size in bytes of all texts and column names in a value. Pictures have a limit of their own and do not
/// count.
fn text_bytes(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        Value::YesNo(_) => 1,
        Value::List(rows) => {
            rows.iter().flatten().map(|(name, value)| name.len() + text_bytes(value)).sum::<usize>() + rows.len()
        }
        Value::Picture(picture) => picture.alternative_text.len(),
    }
}

/// Adds the rows of a value to `total`. `depth` is the number of lists around the rows, with this list. Returns the limit
/// that is exceeded, with a message.
fn count_rows(value: &Value, depth: usize, total: &mut usize) -> Result<(), (usize, String)> {
    let Value::List(rows) = value else { return Ok(()) };
    *total += rows.len();
    let checks = [
        (depth, MAX_LIST_DEPTH, "Lists can be in lists up to a depth of"),
        (rows.len(), MAX_LIST_ROWS, "The maximum number of rows of a list is"),
        (*total, MAX_ROWS, "The maximum number of rows of all lists together is"),
    ];
    if let Some((_, limit, sentence)) = checks.into_iter().find(|(count, limit, _)| count > limit) {
        return Err((limit, format!("{sentence} {limit}.")));
    }
    rows.iter().flat_map(Row::values).try_for_each(|value| count_rows(value, depth + 1, total))
}

fn convert_row(row: &mut Row, fields: &[StructuredField], depth: usize) {
    for field in fields {
        let Some(value) = row.get_mut(&field.name) else { continue };
        match (field.field_type, &mut *value) {
            (FieldType::Text | FieldType::QrCode, Value::YesNo(yes)) => *value = Value::Text(yes.to_string()),
            (FieldType::YesNo, Value::Text(text)) => {
                if let Some(yes) = if is_empty(text) { Some(false) } else { parse_yes_no(text) } {
                    *value = Value::YesNo(yes);
                }
            }
            (FieldType::List, Value::Text(text)) if is_empty(text) => *value = Value::List(Vec::new()),
            (FieldType::List, Value::List(rows)) if depth < MAX_LIST_DEPTH => {
                for row in rows {
                    convert_row(row, &field.columns, depth + 1);
                }
            }
            _ => {}
        }
    }
}

/// The names of the fields and columns with each problem.
#[derive(Default)]
struct Problems {
    unknown: Vec<String>,
    missing: Vec<String>,
    wrong_type: Vec<String>,
    illegal: Vec<String>,
    too_long: Vec<String>,
    too_large: Vec<String>,
}

fn add_list_types(types: &mut DeclaredTypes, values: &Row) {
    for (name, value) in values {
        let Value::List(rows) = value else { continue };
        let list: &mut DeclaredType = types.entry(name.to_owned()).or_default();
        list.field_type = FieldType::List;
        for row in rows {
            add_list_types(&mut list.columns, row);
        }
    }
}

impl Problems {
    /// Checks one row, or the fields of the template. `before` is the text before each name, such as `items[3].`.
    fn check_row(&mut self, row: &Row, fields: &[StructuredField], before: &str) {
        if !before.is_empty() {
            let known: BTreeSet<&str> = fields.iter().map(|field| field.name.as_str()).collect();
            let unknown = row.keys().filter(|name| !known.contains(name.as_str()));
            self.unknown.extend(unknown.map(|name| format!("{before}{name}")));
        }
        for field in fields {
            let path = || format!("{before}{}", field.name);
            match (field.field_type, row.get(&field.name)) {
                (_, None) => self.missing.push(path()),
                (FieldType::Text | FieldType::QrCode, Some(Value::Text(text))) => self.check_text(text, path),
                (FieldType::Picture | FieldType::Signature, Some(Value::Text(text))) if is_empty(text) => {}
                (FieldType::Picture | FieldType::Signature, Some(Value::Picture(picture))) => {
                    if picture.bytes.len() > MAX_PICTURE_BYTES {
                        self.too_large.push(path());
                    }
                    self.check_text(&picture.alternative_text, path);
                }
                (FieldType::YesNo, Some(Value::YesNo(_))) => {}
                (FieldType::List, Some(Value::List(rows))) => {
                    for (at, row) in rows.iter().enumerate() {
                        self.check_row(row, &field.columns, &format!("{}[{at}].", path()));
                    }
                }
                (_, Some(_)) => self.wrong_type.push(path()),
            }
        }
    }

    fn check_text(&mut self, text: &str, path: impl Fn() -> String) {
        // The vertical tab, a line break in Word, becomes a line break element.
        if !text.chars().all(|character| character == '\u{b}' || is_xml_character(character)) {
            self.illegal.push(path());
        }
        if text.chars().nth(MAX_VALUE_CHARACTERS).is_some() {
            self.too_long.push(path());
        }
    }
}

/// Returns whether XML allows a character (XML 1.0 §2.2, production 2).
pub fn is_xml_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Maximum number of names in an error.
const MAX_NAMES_IN_ERROR: usize = 50;
/// Maximum number of fields with which an unknown name is compared. Comparing all names of a request of a few megabytes with all
/// fields would take minutes.
const MAX_COMPARED_FIELDS: usize = 200;

fn unknown_fields_error<F: AsRef<str>>(unknown: &[&str], fields: &[F]) -> RuleViolation {
    let (named, more) = unknown.split_at(unknown.len().min(MAX_NAMES_IN_ERROR));
    let known = || fields.iter().map(AsRef::as_ref).take(MAX_COMPARED_FIELDS);
    let suggestions: Vec<Option<String>> =
        named.iter().map(|name| name::nearest(name, known()).map(str::to_owned)).collect();
    let descriptions: Vec<String> = named
        .iter()
        .zip(&suggestions)
        .map(|(name, nearest)| match nearest {
            Some(nearest) => format!("“{name}” (did you mean “{nearest}”?)"),
            None => format!("“{name}”"),
        })
        .collect();
    let more = if more.is_empty() { String::new() } else { format!(", nor {} others that are sent", more.len()) };
    let message = format!("The template has no field {}{more}.", descriptions.join(", "));
    RuleViolation { suggestions, ..RuleViolation::new(ErrorCode::UnknownField, message, named.iter().copied()) }
}

fn quote_names<N: AsRef<str>>(names: &[N]) -> String {
    names.iter().map(|name| format!("“{}”", name.as_ref())).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 3] = ["First name", "Last name", "Date"];

    fn refused(values: &[(&str, &str)]) -> (ErrorCode, Vec<String>) {
        let checked = Values::from_pairs(values.iter().copied()).and_then(|values| values.check(&FIELDS));
        let refused = checked.unwrap_err();
        (refused.code, refused.fields)
    }

    #[test]
    fn the_error_lists_all_fields_with_the_same_problem() {
        let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(refused(&[("Last name", "x")]), (ErrorCode::MissingFields, named(&["First name", "Date"])));
        assert_eq!(
            refused(&[("lastname", ""), ("Fisrt name", ""), ("Date", "")]),
            (ErrorCode::UnknownField, named(&["Fisrt name", "lastname"]))
        );
        assert_eq!(refused(&[("Date", ""), (" Date", "")]), (ErrorCode::DuplicateField, named(&["Date"])));
        let long = "é".repeat(MAX_VALUE_CHARACTERS + 1);
        assert_eq!(
            refused(&[("First name", &long), ("Last name", ""), ("Date", &long)]),
            (ErrorCode::ValueTooLong, named(&["First name", "Date"]))
        );
        for bad in ["\0", "a\u{c}", "\u{1f}", "\u{fffe}", "\u{ffff}"] {
            let found = refused(&[("First name", bad), ("Last name", bad), ("Date", "\t\r\n\u{7f}\u{10ffff}")]);
            assert_eq!(found, (ErrorCode::IllegalCharacter, named(&["First name", "Last name"])), "{bad:?}");
        }
    }

    #[test]
    fn each_unknown_name_has_the_nearest_real_one() {
        let values = Values::from_pairs([("lastname", ""), ("Dates", ""), ("Quux", "")]).unwrap();
        let refused = values.check(&FIELDS).unwrap_err();
        assert_eq!(refused.fields, ["Dates", "Quux", "lastname"]);
        assert_eq!(refused.suggestions, [Some("Date".to_owned()), None, Some("Last name".to_owned())]);
    }

    #[test]
    fn white_space_counts_as_empty() {
        for nothing in ["", "  ", "\u{a0}\t\n", "\u{200b}\u{200f}\u{feff}"] {
            assert!(is_empty(nothing), "{nothing:?}");
        }
        for something in ["-", " 0 ", "ـ"] {
            assert!(!is_empty(something), "{something:?}");
        }
    }

    fn invoice() -> Structure {
        let column = |name: &str, field_type| StructuredField { field_type, ..StructuredField::text(name) };
        let items = StructuredField {
            field_type: FieldType::List,
            columns: vec![column("item", FieldType::Text), column("photo", FieldType::Picture)],
            ..StructuredField::text("items")
        };
        Structure(vec![StructuredField::text("client"), items, column("guarantor", FieldType::YesNo)])
    }

    #[test]
    fn values_of_lists_are_checked_with_their_rows() {
        let checked = |json: &str| {
            let mut values = Values::from_json(json.as_bytes()).unwrap();
            values.convert_to(&invoice());
            values.check_structure(&invoice()).map_err(|refused| (refused.code, refused.fields))
        };
        let refused = |json: &str, code, fields: &[&str]| {
            let fields = fields.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(checked(json), Err((code, fields)), "{json}");
        };
        let rest = r#""client": "Zoé", "guarantor": "no""#;
        assert_eq!(
            checked(&format!(
                r#"{{ {rest}, "items": [{{"item": "Chair", "photo": ""}}, {{"item": true, "photo": ""}}] }}"#
            )),
            Ok(())
        );
        assert_eq!(checked(r#"{"client": "", "guarantor": "", "items": ""}"#), Ok(()), "old clients send texts");
        refused(
            &format!(r#"{{ {rest}, "items": [{{"item": "", "photo": ""}}, {{"item": "", "price": "1"}}] }}"#),
            ErrorCode::UnknownField,
            &["items[1].price"],
        );
        refused(&format!(r#"{{ {rest}, "items": [{{"photo": ""}}] }}"#), ErrorCode::MissingFields, &["items[0].item"]);
        refused(&format!(r#"{{ {rest}, "items": "Chair" }}"#), ErrorCode::WrongValueType, &["items"]);
        refused(
            &format!(r#"{{ {rest}, "items": [{{"item": [], "photo": "x"}}] }}"#),
            ErrorCode::WrongValueType,
            &["items[0].item", "items[0].photo"],
        );
        refused(
            r#"{"client": [], "guarantor": "perhaps", "items": []}"#,
            ErrorCode::WrongValueType,
            &["client", "guarantor"],
        );
        let long = "x".repeat(MAX_VALUE_CHARACTERS + 1);
        refused(
            &format!(r#"{{ {rest}, "items": [{{"item": "{long}", "photo": ""}}] }}"#),
            ErrorCode::ValueTooLong,
            &["items[0].item"],
        );
        let rows = vec![r#"{"item": "", "photo": ""}"#; MAX_LIST_ROWS + 1].join(",");
        refused(&format!(r#"{{ {rest}, "items": [{rows}] }}"#), ErrorCode::TooManyRows, &["items"]);
    }
}
