//! The values of the fields of a document, and the checks that refuse invalid values.

use std::collections::{BTreeMap, BTreeSet};

use crate::{ErrorCode, name};

/// Maximum number of characters of one value.
pub const MAX_VALUE_CHARACTERS: usize = 10_000;
/// Maximum size of all names and values together, in UTF-8 bytes.
pub const MAX_VALUES_BYTES: usize = 200_000;

/// Maximum number of fields in a template, and of values in a request.
pub const MAX_FIELDS: usize = 2_000;

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
pub struct Values(BTreeMap<String, String>);

impl Values {
    /// Creates values from pairs of name and value. Names are normalised like those in the document.
    ///
    /// # Errors
    /// [`ErrorCode::DuplicateField`], with all names that appear twice.
    pub fn from_pairs<N: AsRef<str>, V: Into<String>>(
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

    /// Returns the value of a field by its normalised name, or `None` if the field has no value.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Adds an empty value for a field, if the field has no value yet.
    pub(crate) fn insert_missing(&mut self, name: &str) {
        self.0.entry(name.to_owned()).or_default();
    }

    pub(crate) fn replace(&mut self, name: &str, value: &str) {
        self.0.insert(name.to_owned(), value.to_owned());
    }

    /// Returns the names and values in alphabetical order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Checks that the values fit the `fields` of a template, which are unique normalised names in reading order. Every
    /// field needs a value, which may be empty. The error lists all fields with the same problem.
    ///
    /// # Errors
    /// The first of these errors that applies: [`ErrorCode::ValuesTooLong`], [`ErrorCode::UnknownField`] with the most
    /// similar existing names, [`ErrorCode::MissingFields`], [`ErrorCode::IllegalCharacter`],
    /// [`ErrorCode::ValueTooLong`].
    pub fn check<F: AsRef<str>>(&self, fields: &[F]) -> Result<(), RuleViolation> {
        let total: usize = self.0.iter().map(|(name, value)| name.len() + value.len()).sum();
        if total > MAX_VALUES_BYTES {
            let longest = self.0.iter().max_by_key(|(_, value)| value.len()).map(|(name, _)| name);
            let message = format!("The values have {total} bytes in total; at most {MAX_VALUES_BYTES} are allowed.");
            let mut refused = RuleViolation::new(ErrorCode::ValuesTooLong, message, longest);
            refused.limit = Some(MAX_VALUES_BYTES);
            return Err(refused);
        }
        check_names(self.0.keys().map(String::as_str), fields)?;
        let missing = fields.iter().map(AsRef::as_ref).filter(|name| !self.0.contains_key(*name));
        let offenders = |bad: fn(&str) -> bool| -> Vec<&str> {
            let bad = |name: &&str| self.get(name).is_some_and(bad);
            fields.iter().map(AsRef::as_ref).filter(bad).collect()
        };
        // The vertical tab, a line break in Word, becomes a line break element.
        let illegal = |value: &str| !value.chars().all(|character| character == '\u{b}' || is_xml_character(character));
        let long = |value: &str| value.chars().nth(MAX_VALUE_CHARACTERS).is_some();
        let checks = [
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
        for (code, named, sentence) in checks {
            if !named.is_empty() {
                let mut refused = RuleViolation::new(code, format!("{sentence} {}.", quote_names(&named)), named);
                refused.limit = (code == ErrorCode::ValueTooLong).then_some(MAX_VALUE_CHARACTERS);
                return Err(refused);
            }
        }
        Ok(())
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
}
