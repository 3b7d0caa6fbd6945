//! Checks of the field settings that an admin enters, such as labels, hints and choices. See [`waraq_rules::field_settings`].

use std::collections::BTreeSet;

use waraq_rules::derivation;
use waraq_rules::field_settings::MAX_PICTURE_MILLIMETRES;
pub use waraq_rules::field_settings::{
    FieldSettings, SettingName, ShownFieldSettings, TemplateFieldSettings, ValueKind,
};
use waraq_rules::{
    FieldType, MAX_LIST_DEPTH, MAX_LIST_ROWS, Structure, StructuredField, check_count, check_names, name,
};

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

/// Checks the field settings `said` that an admin has entered for a template with this `structure`. Returns the settings in the
/// order of the fields; settings without any value are left out. The settings of columns are checked like those of fields; errors
/// name them as `items[].price`. `guessed` are the detected settings, from which a field may take its choices.
///
/// # Errors
/// `too_many_fields`, `unknown_field`, `duplicate_field`, `invalid_field_help`, and the errors of [`derivation::check_structure`].
pub fn checked_settings(
    said: Vec<FieldSettings>,
    structure: &Structure,
    guessed: &[FieldSettings],
) -> Result<Vec<FieldSettings>> {
    check_count(count_settings(&said, 0)?)?;
    let said = checked_level(said, &structure.0, guessed, "")?;
    let bytes = serde_json::to_vec(&said).map_err(|error| Error::internal(format!("help of fields: {error}")))?.len();
    if bytes > MOST_BYTES {
        let message = format!("The field settings have {bytes} bytes; at most {MOST_BYTES} are allowed.");
        return Err(Error::new(ErrorCode::InvalidFieldHelp, message).with_limit(MOST_BYTES as u64));
    }
    let help = TemplateFieldSettings { overridden: said, detected: Vec::new() };
    derivation::check_structure(&help.derivations(), structure)?;
    Ok(help.overridden_for(structure, &Default::default()))
}

/// Returns the number of settings of fields and columns. `depth` is the number of lists around them.
fn count_settings(said: &[FieldSettings], depth: usize) -> Result<usize> {
    if depth > MAX_LIST_DEPTH {
        let message = format!("Lists can be in lists up to a depth of {MAX_LIST_DEPTH}.");
        return Err(Error::new(ErrorCode::InvalidFieldHelp, message).with_limit(MAX_LIST_DEPTH as u64));
    }
    let columns = said.iter().filter_map(|help| help.columns.as_deref());
    columns.map(|columns| count_settings(columns, depth + 1)).try_fold(said.len(), |sum, count| Ok(sum + count?))
}

/// Checks the settings of the fields of a template or of the columns of a list. `before` is the text before each name in errors,
/// such as `items[].`.
fn checked_level(
    said: Vec<FieldSettings>,
    fields: &[StructuredField],
    guessed: &[FieldSettings],
    before: &str,
) -> Result<Vec<FieldSettings>> {
    let mut said: Vec<FieldSettings> =
        said.into_iter().map(|help| FieldSettings { field: name::normalize(&help.field), ..help }).collect();
    let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
    if before.is_empty() {
        check_names(said.iter().map(|help| help.field.as_str()), &names)?;
    } else if let Some(unknown) = said.iter().find(|help| !names.contains(&help.field.as_str())) {
        let path = format!("{before}{}", unknown.field);
        let error = Error::new(ErrorCode::UnknownField, format!("The template has no column “{path}”."));
        return Err(error.with_fields([path]));
    }
    let mut known = BTreeSet::new();
    if let Some(twice) = said.iter().find(|help| !known.insert(help.field.as_str())) {
        let path = format!("{before}{}", twice.field);
        return Err(Error::new(ErrorCode::DuplicateField, format!("Given twice: “{path}”.")).with_fields([path]));
    }
    said.retain(|help| !help.is_empty());
    let checked = said.into_iter().map(|help| {
        let field = fields.iter().find(|field| field.name == help.field);
        let guess = guessed.iter().find(|guess| guess.field == help.field);
        match field {
            Some(field) => checked_setting(help, field, guess, before),
            None => Err(Error::internal("a checked field is missing")),
        }
    });
    checked.collect()
}

fn checked_setting(
    help: FieldSettings,
    field: &StructuredField,
    guess: Option<&FieldSettings>,
    before: &str,
) -> Result<FieldSettings> {
    let path = format!("{before}{}", field.name);
    let text = |text: Option<String>, what: &str, most: usize| match text {
        Some(typed) => checked_text(&typed, what, most, &path).map(Some),
        None => Ok(None),
    };
    let label = text(help.label, "label", LONGEST_LABEL)?;
    let hint = text(help.hint, "hint", LONGEST_HINT)?;
    let example = text(help.example, "example", LONGEST_EXAMPLE)?;
    let group = text(help.group, "heading", LONGEST_GROUP)?;
    let choices = help.choices.map(|choices| checked_choices(&choices, &path)).transpose()?;
    let guessed_choices = guess.and_then(|guess| guess.choices.as_ref());
    if help.kind == Some(ValueKind::Choice) && choices.as_ref().or(guessed_choices).is_none_or(Vec::is_empty) {
        return Err(refused(&path, "A field of the kind choice needs at least one choice.".to_owned(), None));
    }
    if let Some(kind) = help.kind {
        check_kind(kind, field.field_type, &path)?;
    }
    check_rows(help.min_rows, help.max_rows, &path)?;
    for length in [help.max_width, help.max_height].into_iter().flatten() {
        if !(1..=MAX_PICTURE_MILLIMETRES).contains(&length) {
            let message =
                format!("A picture is at most {MAX_PICTURE_MILLIMETRES} mm wide and high, and at least 1 mm.");
            return Err(refused(&path, message, Some(usize::from(MAX_PICTURE_MILLIMETRES))));
        }
    }
    let columns = match help.columns {
        Some(_) if field.field_type != FieldType::List => {
            return Err(refused(&path, "Only a list has columns.".to_owned(), None));
        }
        Some(columns) => {
            let guessed = guess.and_then(|guess| guess.columns.as_deref()).unwrap_or_default();
            Some(checked_level(columns, &field.columns, guessed, &format!("{path}[]."))?)
        }
        None => None,
    };
    let derivation = help.derivation.map(derivation::Derivation::normalize_names);
    let FieldSettings { kind, min_rows, max_rows, max_width, max_height, .. } = help;
    let field = field.name.clone();
    Ok(FieldSettings {
        field,
        label,
        hint,
        example,
        group,
        kind,
        choices,
        derivation,
        columns,
        min_rows,
        max_rows,
        max_width,
        max_height,
    })
}

/// Checks that a field of this type can have a kind. A section is a list or a yes/no field, and no other field is one. The author
/// chooses which of the two a section is.
fn check_kind(kind: ValueKind, field_type: FieldType, path: &str) -> Result<()> {
    let is_section = |field_type| matches!(field_type, FieldType::List | FieldType::YesNo);
    if is_section(kind.field_type()) == is_section(field_type) {
        return Ok(());
    }
    let message = if is_section(field_type) {
        "A section can only have the kind list or yes/no."
    } else {
        "Only a section can have the kind list or yes/no."
    };
    Err(refused(path, message.to_owned(), None))
}

/// Checks the minimum and maximum number of rows of a list.
fn check_rows(min: Option<u16>, max: Option<u16>, path: &str) -> Result<()> {
    let (fewest, most) = (usize::from(min.unwrap_or(0)), max.map_or(MAX_LIST_ROWS, usize::from));
    if fewest <= most && most <= MAX_LIST_ROWS {
        return Ok(());
    }
    let message =
        format!("The minimum number of rows must not exceed the maximum number, which is at most {MAX_LIST_ROWS}.");
    Err(refused(path, message, Some(MAX_LIST_ROWS)))
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
/// from the names of the fields.
pub fn stored_or_detected(kept: Option<TemplateFieldSettings>, template: &Template) -> TemplateFieldSettings {
    kept.unwrap_or_else(|| detected_from_names(&template.structure()))
}

/// Returns the field settings that can be detected from the names of the fields and columns alone.
pub fn detected_from_names(structure: &Structure) -> TemplateFieldSettings {
    let detected = waraq_rules::field_settings::detect_structure_settings(structure, &[], None);
    TemplateFieldSettings { overridden: Vec::new(), detected }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Structure {
        Structure::of_texts(["Name", "Date"])
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
        let error =
            checked_settings(fields.iter().map(long).collect(), &Structure::of_texts(&fields), &[]).unwrap_err();
        assert_eq!((error.code, error.details.limit), (ErrorCode::InvalidFieldHelp, Some(100_000)));
        let many = vec![FieldSettings::empty("Name"); 2_001];
        assert_eq!(
            checked_settings(many, &Structure::of_texts(&fields), &[]).unwrap_err().code,
            ErrorCode::TooManyFields
        );
    }

    fn list(columns: &[StructuredField]) -> Structure {
        let field = |name: &str, field_type| StructuredField { field_type, ..StructuredField::text(name) };
        let items = StructuredField { columns: columns.to_vec(), ..field("items", FieldType::List) };
        Structure(vec![
            StructuredField::text("Name"),
            items,
            field("ok", FieldType::YesNo),
            field("logo", FieldType::Picture),
        ])
    }

    #[test]
    fn columns_are_checked_like_fields() {
        let structure = list(&[StructuredField::text("price"), StructuredField::text("qty")]);
        let with_columns = |columns: Vec<FieldSettings>| {
            let items = FieldSettings { columns: Some(columns), ..FieldSettings::empty("items") };
            checked_settings(vec![items], &structure, &[])
        };
        let hint = |field: &str, hint: &str| FieldSettings { hint: Some(hint.into()), ..FieldSettings::empty(field) };
        let kept = with_columns(vec![hint("qty", " a "), FieldSettings::empty(" price ")]).unwrap();
        assert_eq!(kept[0].columns, Some(vec![hint("qty", "a")]));
        assert_eq!(with_columns(vec![FieldSettings::empty("price")]).unwrap(), []);
        let refusal = |columns| {
            let error = with_columns(columns).unwrap_err();
            (error.code, error.details.fields.join(" "))
        };
        assert_eq!(refusal(vec![hint("prise", "x")]), (ErrorCode::UnknownField, "items[].prise".into()));
        let twice = vec![hint("qty", "x"), hint(" qty", "y")];
        assert_eq!(refusal(twice), (ErrorCode::DuplicateField, "items[].qty".into()));
        let long = vec![hint("qty", &"x".repeat(301))];
        assert_eq!(refusal(long), (ErrorCode::InvalidFieldHelp, "items[].qty".into()));
        let choice = FieldSettings { kind: Some(ValueKind::Choice), ..FieldSettings::empty("qty") };
        assert_eq!(refusal(vec![choice.clone()]), (ErrorCode::InvalidFieldHelp, "items[].qty".into()));
        // The choices of a column may be detected ones.
        let guess = FieldSettings { choices: Some(vec!["a".into()]), ..FieldSettings::empty("qty") };
        let guessed = FieldSettings { columns: Some(vec![guess]), ..FieldSettings::empty("items") };
        let items = FieldSettings { columns: Some(vec![choice]), ..FieldSettings::empty("items") };
        assert_eq!(checked_settings(vec![items.clone()], &structure, &[guessed]).unwrap(), [items]);
        // Columns count as fields, and lists in lists have a limit.
        assert_eq!(refusal(vec![FieldSettings::empty("qty"); 2_000]).0, ErrorCode::TooManyFields);
        let nested = (0..5).fold(FieldSettings::empty("items"), |inner, _| FieldSettings {
            columns: Some(vec![inner]),
            ..FieldSettings::empty("items")
        });
        let error = checked_settings(vec![nested], &structure, &[]).unwrap_err();
        assert_eq!((error.code, error.details.limit), (ErrorCode::InvalidFieldHelp, Some(4)));
        // Sources of derived columns are normalised and must exist.
        let derived = |of: &str| {
            let product = derivation::Derivation::Product { of: vec!["qty".into(), of.into()], currency: None };
            vec![FieldSettings { derivation: Some(product), ..FieldSettings::empty("price") }]
        };
        assert_eq!(refusal(derived("rate")), (ErrorCode::DerivationSource, "items[].rate".into()));
        let kept = with_columns(derived(" Name ")).unwrap();
        assert_eq!(kept[0].columns, Some(derived("Name")));
    }

    #[test]
    fn kinds_rows_and_lengths_fit_the_field() {
        let structure = list(&[]);
        let accepts = |settings: FieldSettings| {
            let checked = checked_settings(vec![settings], &structure, &[]);
            checked.map_err(|error| assert_eq!(error.code, ErrorCode::InvalidFieldHelp)).is_ok()
        };
        for (field, kind, accepted) in [
            ("items", ValueKind::YesNo, true),
            ("ok", ValueKind::List, true),
            ("items", ValueKind::Date, false),
            ("ok", ValueKind::Picture, false),
            ("Name", ValueKind::List, false),
            ("Name", ValueKind::Signature, true),
            ("Name", ValueKind::QrCode, true),
            ("logo", ValueKind::Picture, true),
        ] {
            let settings = FieldSettings { kind: Some(kind), ..FieldSettings::empty(field) };
            assert_eq!(accepts(settings), accepted, "{field} {kind:?}");
        }
        for (min_rows, max_rows, accepted) in [
            (Some(0), Some(0), true),
            (Some(500), None, true),
            (None, Some(500), true),
            (Some(3), Some(2), false),
            (Some(501), None, false),
            (None, Some(501), false),
        ] {
            let settings = FieldSettings { min_rows, max_rows, ..FieldSettings::empty("items") };
            assert_eq!(accepts(settings), accepted, "{min_rows:?} {max_rows:?}");
        }
        for (length, accepted) in [(0, false), (1, true), (420, true), (421, false)] {
            let wide = FieldSettings { max_width: Some(length), ..FieldSettings::empty("logo") };
            let high = FieldSettings { max_height: Some(length), ..FieldSettings::empty("logo") };
            assert_eq!((accepts(wide), accepts(high)), (accepted, accepted), "{length}");
        }
        let columns =
            FieldSettings { columns: Some(Vec::new()), hint: Some("x".into()), ..FieldSettings::empty("Name") };
        assert!(!accepts(columns));
    }
}
