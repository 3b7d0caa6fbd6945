//! The values of a filling, and why they may be refused.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ErrorCode, name};

/// Characters of one value, at most.
pub const MAX_VALUE_CHARACTERS: usize = 10_000;
/// Bytes of all names and values in UTF-8, at most.
pub const MAX_VALUES_BYTES: usize = 200_000;

/// Fields of a template, and values of a request, at most.
pub const MAX_FIELDS: usize = 2_000;

/// Refuses more fields or values than a template may have.
///
/// # Errors
/// [`ErrorCode::TooManyFields`].
pub fn check_count(count: usize) -> Result<(), Refused> {
    if count <= MAX_FIELDS {
        return Ok(());
    }
    let message = format!("A template has at most {MAX_FIELDS} fields, and a request as many values.");
    let refused = Refused::new(ErrorCode::TooManyFields, message, [""; 0]);
    Err(Refused { limit: Some(MAX_FIELDS), ..refused })
}

/// Refuses names that are none of a template's `fields`, with the nearest real one for each.
///
/// # Errors
/// [`ErrorCode::UnknownField`].
pub fn check_known<'a, F: AsRef<str>>(names: impl IntoIterator<Item = &'a str>, fields: &[F]) -> Result<(), Refused> {
    let known: BTreeSet<&str> = fields.iter().map(AsRef::as_ref).collect();
    let unknown: Vec<&str> = names.into_iter().filter(|name| !known.contains(name)).collect();
    if unknown.is_empty() { Ok(()) } else { Err(unknown_fields(&unknown, fields)) }
}

/// The refusal of values: one code, and all fields that have it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {message}")]
pub struct Refused {
    pub code: ErrorCode,
    /// An English sentence.
    pub message: String,
    /// In the order of the template where they are its own, else in alphabetical order.
    pub fields: Vec<String>,
    /// For each of `fields` the nearest name the template has ([`ErrorCode::UnknownField`] only).
    pub suggestions: Vec<Option<String>>,
    /// What was passed: characters of a value, bytes of all.
    pub limit: Option<usize>,
}

impl Refused {
    pub(crate) fn new(
        code: ErrorCode,
        message: impl Into<String>,
        fields: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let fields = fields.into_iter().map(Into::into).collect();
        Self { code, message: message.into(), fields, suggestions: Vec::new(), limit: None }
    }
}

/// Is a value as good as none? White space and what no reader sees is; it prints what an empty one prints.
pub fn is_empty(value: &str) -> bool {
    value.chars().all(|character| character.is_whitespace() || name::is_ignorable(character))
}

/// A value per field, by its normalised name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, String>);

impl Values {
    /// From pairs of name and value; names are normalised as those in the document are.
    ///
    /// # Errors
    /// [`ErrorCode::DuplicateField`], naming all that come twice.
    pub fn from_pairs<N: AsRef<str>, V: Into<String>>(
        pairs: impl IntoIterator<Item = (N, V)>,
    ) -> Result<Self, Refused> {
        let mut values = BTreeMap::new();
        let mut twice = BTreeSet::new();
        for (raw, value) in pairs {
            let name = name::normalize(raw.as_ref());
            if values.insert(name.clone(), value.into()).is_some() {
                twice.insert(name);
            }
        }
        if twice.is_empty() {
            return Ok(Self(values));
        }
        let twice: Vec<String> = twice.into_iter().take(MOST_NAMED).collect();
        Err(Refused::new(ErrorCode::DuplicateField, format!("Given twice: {}.", quoted(&twice)), twice))
    }

    /// From JSON: `{"name": "value", …}` or `[{"name": "value"}, …]`, the shape of `fieldsAndValues`. Numbers and truth
    /// values are taken as they are written; nothing else is.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidValues`] for other shapes, [`ErrorCode::DuplicateField`].
    pub fn from_json(json: &serde_json::Value) -> Result<Self, Refused> {
        let invalid = || {
            let message = "Values are an object of names and texts, or a list of such objects.";
            Refused::new(ErrorCode::InvalidValues, message, [""; 0])
        };
        let objects: Vec<_> = match json {
            serde_json::Value::Object(object) => vec![object],
            serde_json::Value::Array(list) => {
                list.iter().map(|item| item.as_object().ok_or_else(invalid)).collect::<Result<_, _>>()?
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
                    return Err(Refused::new(ErrorCode::InvalidValues, message, [name]));
                }
            };
            pairs.push((name, text));
        }
        Self::from_pairs(pairs)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Gives a field that is not there an empty value.
    pub(crate) fn insert_missing(&mut self, name: &str) {
        self.0.entry(name.to_owned()).or_default();
    }

    pub(crate) fn replace(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.to_owned());
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Refuses values that do not fit a template's `fields` (normalised names, each once, in reading order): every field needs
    /// one, if an empty one. All fields that have the same trouble are named at once.
    ///
    /// # Errors
    /// In this order: [`ErrorCode::ValuesTooLong`], [`ErrorCode::UnknownField`] with the nearest real name for each,
    /// [`ErrorCode::MissingFields`], [`ErrorCode::IllegalCharacter`], [`ErrorCode::ValueTooLong`].
    pub fn check<F: AsRef<str>>(&self, fields: &[F]) -> Result<(), Refused> {
        let total: usize = self.0.iter().map(|(name, value)| name.len() + value.len()).sum();
        if total > MAX_VALUES_BYTES {
            let longest = self.0.iter().max_by_key(|(_, value)| value.len()).map(|(name, _)| name);
            let message = format!("All values together have {total} bytes; at most {MAX_VALUES_BYTES} are taken.");
            let mut refused = Refused::new(ErrorCode::ValuesTooLong, message, longest);
            refused.limit = Some(MAX_VALUES_BYTES);
            return Err(refused);
        }
        check_known(self.0.keys().map(String::as_str), fields)?;
        let missing = fields.iter().map(AsRef::as_ref).filter(|name| !self.0.contains_key(*name));
        let offenders = |bad: fn(&str) -> bool| -> Vec<&str> {
            let bad = |name: &&str| self.get(name).is_some_and(bad);
            fields.iter().map(AsRef::as_ref).filter(bad).collect()
        };
        let illegal = |value: &str| !value.chars().all(is_xml_character);
        let long = |value: &str| value.chars().nth(MAX_VALUE_CHARACTERS).is_some();
        let troubles = [
            (ErrorCode::MissingFields, missing.collect(), "There is no value for".to_owned()),
            (
                ErrorCode::IllegalCharacter,
                offenders(illegal),
                "No Word document can hold a character in the value of".into(),
            ),
            (
                ErrorCode::ValueTooLong,
                offenders(long),
                format!("More than {MAX_VALUE_CHARACTERS} characters are in the value of"),
            ),
        ];
        for (code, named, sentence) in troubles {
            if !named.is_empty() {
                let mut refused = Refused::new(code, format!("{sentence} {}.", quoted(&named)), named);
                refused.limit = (code == ErrorCode::ValueTooLong).then_some(MAX_VALUE_CHARACTERS);
                return Err(refused);
            }
        }
        Ok(())
    }
}

/// XML 1.0 §2.2, production 2.
pub fn is_xml_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Names that are no field's which are told, with the nearest name for each, and the names that are looked through for it:
/// comparing every name sent with every name there is takes minutes for a request of a few megabytes.
const MOST_NAMED: usize = 50;
const MOST_COMPARED: usize = 200;

fn unknown_fields<F: AsRef<str>>(unknown: &[&str], fields: &[F]) -> Refused {
    let (named, more) = unknown.split_at(unknown.len().min(MOST_NAMED));
    let known = || fields.iter().map(AsRef::as_ref).take(MOST_COMPARED);
    let suggestions: Vec<Option<String>> =
        named.iter().map(|name| name::nearest(name, known()).map(str::to_owned)).collect();
    let told: Vec<String> = named
        .iter()
        .zip(&suggestions)
        .map(|(name, nearest)| match nearest {
            Some(nearest) => format!("“{name}” (did you mean “{nearest}”?)"),
            None => format!("“{name}”"),
        })
        .collect();
    let more = if more.is_empty() { String::new() } else { format!(", nor {} others that are sent", more.len()) };
    let message = format!("The template has no field {}{more}.", told.join(", "));
    Refused { suggestions, ..Refused::new(ErrorCode::UnknownField, message, named.iter().copied()) }
}

fn quoted<N: AsRef<str>>(names: &[N]) -> String {
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
    fn all_fields_of_one_trouble_are_named() {
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
        for bad in ["\0", "a\u{b}", "\u{1f}", "\u{fffe}", "\u{ffff}"] {
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
    fn white_space_is_no_value() {
        for nothing in ["", "  ", "\u{a0}\t\n", "\u{200b}\u{200f}\u{feff}"] {
            assert!(is_empty(nothing), "{nothing:?}");
        }
        for something in ["-", " 0 ", "ـ"] {
            assert!(!is_empty(something), "{something:?}");
        }
    }
}
