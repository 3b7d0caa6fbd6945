//! Checks of the field settings that an admin enters, such as labels, hints and choices. See [`waraq_rules::field_settings`].

use std::collections::BTreeSet;

use waraq_rules::derivation::{self, Derivation};
pub use waraq_rules::field_settings::{
    FieldSettings, SettingName, ShownFieldSettings, TemplateFieldSettings, ValueKind,
};
use waraq_rules::{check_count, check_names, name};

use crate::one_line::{LineError, one_line};
use crate::template::Template;
use crate::{Error, ErrorCode, Result};

/// Maximum number of characters in a label.
pub const LONGEST_LABEL: usize = 100;
pub const LONGEST_HINT: usize = 300;
pub const LONGEST_EXAMPLE: usize = 200;
pub const LONGEST_GROUP: usize = 100;
pub const LONGEST_CHOICE: usize = 200;
/// Maximum number of choices of one field.
pub const MOST_CHOICES: usize = 50;
/// Maximum size in bytes of the field settings that an admin can store for one template. A table item has at most 400 kB, and
/// also contains the detected settings.
pub const MOST_BYTES: usize = 100_000;

/// Checks the field settings `said` that an admin has entered for a template with these `fields`. Returns the settings in the order
/// of the fields; settings without any value are left out. `guessed` are the detected settings, from which a field may take its
/// choices.
///
/// # Errors
/// `too_many_fields`, `unknown_field`, `duplicate_field`, `invalid_field_help`, and the errors of [`derivation::check`].
pub fn checked_settings(
    said: Vec<FieldSettings>,
    fields: &[String],
    guessed: &[FieldSettings],
) -> Result<Vec<FieldSettings>> {
    check_count(said.len())?;
    let mut said: Vec<FieldSettings> =
        said.into_iter().map(|help| FieldSettings { field: name::normalize(&help.field), ..help }).collect();
    check_names(said.iter().map(|help| help.field.as_str()), fields)?;
    let mut known = BTreeSet::new();
    if let Some(twice) = said.iter().find(|help| !known.insert(help.field.as_str())) {
        let error = Error::new(ErrorCode::DuplicateField, format!("Given twice: “{}”.", twice.field));
        return Err(error.with_fields([&twice.field]));
    }
    said.retain(|help| !help.is_empty());
    let said: Vec<FieldSettings> =
        said.into_iter().map(|help| checked_setting(help, guessed)).collect::<Result<_>>()?;
    let bytes = serde_json::to_vec(&said).map_err(|error| Error::internal(format!("help of fields: {error}")))?.len();
    if bytes > MOST_BYTES {
        let message = format!("The field settings have {bytes} bytes; at most {MOST_BYTES} are allowed.");
        return Err(Error::new(ErrorCode::InvalidFieldHelp, message).with_limit(MOST_BYTES as u64));
    }
    let help = TemplateFieldSettings { overridden: said, detected: Vec::new() };
    derivation::check(&help.derivations(), fields)?;
    Ok(help.overridden_for(fields, &Default::default()))
}

fn checked_setting(help: FieldSettings, guessed: &[FieldSettings]) -> Result<FieldSettings> {
    let field = help.field;
    let text = |text: Option<String>, what: &str, most: usize| match text {
        Some(typed) => checked_text(&typed, what, most, &field).map(Some),
        None => Ok(None),
    };
    let label = text(help.label, "label", LONGEST_LABEL)?;
    let hint = text(help.hint, "hint", LONGEST_HINT)?;
    let example = text(help.example, "example", LONGEST_EXAMPLE)?;
    let group = text(help.group, "heading", LONGEST_GROUP)?;
    let choices = help.choices.map(|choices| checked_choices(&choices, &field)).transpose()?;
    let guess = || guessed.iter().find(|guess| guess.field == field).and_then(|guess| guess.choices.as_ref());
    if help.kind == Some(ValueKind::Choice) && choices.as_ref().or_else(guess).is_none_or(Vec::is_empty) {
        return Err(refused(&field, "A field of the kind choice needs at least one choice.".to_owned(), None));
    }
    let mut derivation = help.derivation;
    for source in derivation.iter_mut().flat_map(Derivation::sources_mut) {
        *source = name::normalize(source);
    }
    Ok(FieldSettings { field, label, hint, example, group, kind: help.kind, choices, derivation })
}

/// Checks the choices of a field. Returns the choices in the given order. Duplicates and empty choices are left out.
fn checked_choices(choices: &[String], field: &str) -> Result<Vec<String>> {
    if choices.len() > MOST_CHOICES {
        return Err(refused(field, format!("A field has at most {MOST_CHOICES} choices."), Some(MOST_CHOICES)));
    }
    let mut checked: Vec<String> = Vec::new();
    for typed in choices {
        let choice = checked_text(typed, "choice", LONGEST_CHOICE, field)?;
        if !choice.is_empty() && !checked.contains(&choice) {
            checked.push(choice);
        }
    }
    Ok(checked)
}

/// Checks and normalizes a single-line text of at most `most` characters, which may be empty. `what` names the text in errors.
fn checked_text(typed: &str, what: &str, most: usize, field: &str) -> Result<String> {
    match one_line(typed, most) {
        Ok(line) => Ok(line),
        Err(LineError::Empty) => Ok(String::new()),
        Err(LineError::TooLong) => Err(refused(field, format!("A {what} has at most {most} characters."), Some(most))),
        Err(LineError::Invisible(_)) => {
            Err(refused(field, format!("A {what} is one line without invisible characters."), None))
        }
    }
}

fn refused(field: &str, message: String, limit: Option<usize>) -> Error {
    let error = Error::new(ErrorCode::InvalidFieldHelp, message).with_fields([field]);
    match limit {
        Some(limit) => error.with_limit(limit as u64),
        None => error,
    }
}

/// Returns the stored field settings `kept`. If they are `None` (old templates have no stored settings), detects the settings
/// from the field names.
pub fn stored_or_detected(kept: Option<TemplateFieldSettings>, template: &Template) -> TemplateFieldSettings {
    kept.unwrap_or_else(|| detected_from_names(&template.fields))
}

/// Returns the field settings that can be detected from the field names alone.
pub fn detected_from_names(fields: &[String]) -> TemplateFieldSettings {
    TemplateFieldSettings {
        overridden: Vec::new(),
        detected: waraq_rules::field_settings::detect_settings(fields, &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Vec<String> {
        vec!["Name".to_owned(), "Date".to_owned()]
    }

    fn refusal(help: FieldSettings) -> (ErrorCode, Vec<String>, Option<u64>) {
        let error = checked_settings(vec![help], &fields(), &[]).unwrap_err();
        (error.code, error.details.fields, error.details.limit)
    }

    #[test]
    fn settings_are_normalised_and_in_the_order_of_the_fields() {
        let date = FieldSettings { kind: Some(ValueKind::Text), ..FieldSettings::empty(" Date ") };
        let name = FieldSettings { hint: Some("  As in \n the passport ".into()), ..FieldSettings::empty("Name") };
        let kept = checked_settings(vec![date, name, FieldSettings::empty("Name")], &fields(), &[]);
        assert_eq!(kept.unwrap_err().code, ErrorCode::DuplicateField);
        let date = FieldSettings { kind: Some(ValueKind::Text), ..FieldSettings::empty(" Date ") };
        let name = FieldSettings { hint: Some("  As in \n the passport ".into()), ..FieldSettings::empty("Name") };
        let kept = checked_settings(vec![date, name], &fields(), &[]).unwrap();
        assert_eq!(kept[0], FieldSettings { hint: Some("As in the passport".into()), ..FieldSettings::empty("Name") });
        assert_eq!(kept[1], FieldSettings { kind: Some(ValueKind::Text), ..FieldSettings::empty("Date") });
        assert_eq!(checked_settings(vec![FieldSettings::empty("Name")], &fields(), &[]).unwrap(), []);
    }

    #[test]
    fn choices_are_required_deduplicated_and_limited() {
        let choices = |all: &[&str]| Some(all.iter().map(|choice| (*choice).to_owned()).collect::<Vec<_>>());
        let choice = FieldSettings { kind: Some(ValueKind::Choice), ..FieldSettings::empty("Name") };
        let given = FieldSettings { choices: choices(&["a", " ", "b", "a "]), ..choice.clone() };
        assert_eq!(checked_settings(vec![given], &fields(), &[]).unwrap()[0].choices, choices(&["a", "b"]));
        assert_eq!(refusal(choice.clone()), (ErrorCode::InvalidFieldHelp, vec!["Name".into()], None));
        let none = FieldSettings { choices: Some(Vec::new()), ..choice.clone() };
        assert_eq!(refusal(none).0, ErrorCode::InvalidFieldHelp);
        let guessed = [FieldSettings { choices: choices(&["x"]), ..FieldSettings::empty("Name") }];
        assert_eq!(checked_settings(vec![choice.clone()], &fields(), &guessed).unwrap(), std::slice::from_ref(&choice));
        let many = FieldSettings { choices: Some(vec!["x".into(); MOST_CHOICES + 1]), ..choice };
        assert_eq!(refusal(many).2, Some(50));
    }

    #[test]
    fn invalid_settings_are_refused() {
        let label = |label: String| FieldSettings { label: Some(label), ..FieldSettings::empty("Name") };
        assert_eq!(refusal(label("é".repeat(101))), (ErrorCode::InvalidFieldHelp, vec!["Name".into()], Some(100)));
        assert_eq!(refusal(label("a\u{200b}b".into())), (ErrorCode::InvalidFieldHelp, vec!["Name".into()], None));
        assert_eq!(refusal(FieldSettings::empty("Nam")).0, ErrorCode::UnknownField);
        let fields: Vec<String> = (0..400).map(|number| format!("Field {number}")).collect();
        let long =
            |field: &String| FieldSettings { hint: Some("x".repeat(300)), ..FieldSettings::empty(field.clone()) };
        let error = checked_settings(fields.iter().map(long).collect(), &fields, &[]).unwrap_err();
        assert_eq!((error.code, error.details.limit), (ErrorCode::InvalidFieldHelp, Some(100_000)));
        let many = vec![FieldSettings::empty("Name"); 2_001];
        assert_eq!(checked_settings(many, &fields, &[]).unwrap_err().code, ErrorCode::TooManyFields);
    }
}
