//! Field settings that help users to fill in a form: label, hint, example, group, kind and choices.
//!
//! When the file of a template is uploaded, [`detect_settings`] detects the settings of each field from its name and the text around it in
//! the document. Admins can override them. [`TemplateFieldSettings`] contains the overridden and the detected settings, each as a list of
//! [`FieldSettings`]. [`TemplateFieldSettings::for_form`] returns the settings for the form.
//!
//! The meaning of a value ([`Meaning`]) is detected whenever settings are shown, and is never stored.
//!
//! ```
//! use waraq_rules::field_settings::{FieldSettings, TemplateFieldSettings, ValueKind, detect_settings};
//!
//! let fields = ["Invoice date".to_owned(), "montant_total".to_owned()];
//! let hint = Some("As on the invoice".into());
//! let overridden = vec![FieldSettings { hint, ..FieldSettings::empty("montant_total") }];
//! let detected = detect_settings(&fields, &[]);
//! let shown = TemplateFieldSettings { overridden, detected }.for_form(&fields);
//! assert_eq!((shown[0].kind, shown[1].kind), (ValueKind::Date, ValueKind::Amount));
//! assert_eq!((shown[1].label.as_str(), shown[1].hint.as_str()), ("Montant total", "As on the invoice"));
//! ```

mod choices;
mod detect;
mod kinds;
mod meaning;
mod words;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::derivation::{Derivation, Derivations};

pub use detect::detect_settings;
pub use meaning::{Meaning, Party};

/// The kind of a value. It only selects the input in the form. Every value is a text, and a text is accepted whatever the kind is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// A text of one line.
    #[default]
    Text,
    /// A text of several lines.
    LongText,
    /// A calendar date.
    Date,
    /// An amount of money. The form groups its digits.
    Amount,
    /// A number that is not an amount of money.
    Number,
    /// The user can choose a value from a list or type another one.
    Choice,
    /// An e-mail address.
    Email,
    /// A telephone number.
    Phone,
}

/// The overridden or detected settings of one field. `None` means that a setting is not set. An empty text or list means that an
/// admin removed the detected setting.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", schema(as = FieldHelp))]
pub struct FieldSettings {
    /// The name of the field.
    pub field: String,
    /// The label in the form. An empty label means that the form shows the field's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// A hint for the user, in one sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// An example of a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// The heading in the form. Neighbouring fields with the same heading form a group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The kind of input. A field without a kind has the kind `text`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ValueKind>,
    /// The choices of a `choice` field. Other values are accepted too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// The derivation of the value from other fields. It is never detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation>,
}

impl FieldSettings {
    /// Creates empty settings of a field.
    pub fn empty(field: impl Into<String>) -> Self {
        Self { field: field.into(), ..Self::default() }
    }

    /// Returns whether none of the settings is set.
    pub fn is_empty(&self) -> bool {
        self.present_settings().next().is_none()
    }

    /// Returns the names of the settings that are set.
    fn present_settings(&self) -> impl Iterator<Item = SettingName> {
        let said = [
            (SettingName::Label, self.label.is_some()),
            (SettingName::Hint, self.hint.is_some()),
            (SettingName::Example, self.example.is_some()),
            (SettingName::Group, self.group.is_some()),
            (SettingName::Kind, self.kind.is_some()),
            (SettingName::Choices, self.choices.is_some()),
            (SettingName::Derivation, self.derivation.is_some()),
        ];
        said.into_iter().filter(|(_, is)| *is).map(|(part, _)| part)
    }

    /// Returns these settings, and copies the settings that are `None` in `self` from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            field: self.field,
            label: self.label.or(other.label),
            hint: self.hint.or(other.hint),
            example: self.example.or(other.example),
            group: self.group.or(other.group),
            kind: self.kind.or(other.kind),
            choices: self.choices.or(other.choices),
            derivation: self.derivation.or(other.derivation),
        }
    }
}

/// The name of one setting in [`FieldSettings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schema(as = HelpPart))]
pub enum SettingName {
    /// The setting [`FieldSettings::label`].
    Label,
    /// The setting [`FieldSettings::hint`].
    Hint,
    /// The setting [`FieldSettings::example`].
    Example,
    /// The setting [`FieldSettings::group`].
    Group,
    /// The setting [`FieldSettings::kind`].
    Kind,
    /// The setting [`FieldSettings::choices`].
    Choices,
    /// The setting [`FieldSettings::derivation`].
    Derivation,
}

/// The settings of the fields in one version of a template. A field that is in neither list has the kind text and no
/// other settings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TemplateFieldSettings {
    /// The settings that admins have entered. They take precedence over the detected settings.
    #[serde(rename = "said", default, skip_serializing_if = "Vec::is_empty")]
    pub overridden: Vec<FieldSettings>,
    /// The settings that were detected from field names and the surrounding text when the file was uploaded.
    #[serde(rename = "guessed", default, skip_serializing_if = "Vec::is_empty")]
    pub detected: Vec<FieldSettings>,
}

/// The settings of a field as the form shows them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schema(as = ShownHelp))]
pub struct ShownFieldSettings {
    /// The name of the field.
    pub field: String,
    /// The label in the form. Omitted if the field's name is used.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub label: String,
    /// A hint for the user, in one sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub hint: String,
    /// An example of a value.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub example: String,
    /// The heading in the form. Neighbouring fields with the same heading form a group. Omitted for fields without a
    /// heading.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub group: String,
    /// The kind of input in the form.
    pub kind: ValueKind,
    /// The choices of a `choice` field. Other values are accepted too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub choices: Vec<String>,
    /// The derivation of the value from other fields. It applies while the user has typed no value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation>,
    /// The names of the settings that an admin has overridden. All other settings are detected.
    #[serde(rename = "said", default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub overridden: Vec<SettingName>,
    /// The detected settings. Missing if nothing was detected, or if an admin has overridden none of the settings.
    #[serde(rename = "guessed", default, skip_serializing_if = "Option::is_none")]
    pub detected: Option<FieldSettings>,
    /// The meaning of the value, if it can be detected. The form then offers values that the user entered before for
    /// the same meaning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Meaning>,
    /// The party that the value belongs to. Missing if no party was detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<Party>,
}

impl TemplateFieldSettings {
    /// Returns the settings for the form, one entry for each of `fields`, in the same order.
    pub fn for_form(&self, fields: &[String]) -> Vec<ShownFieldSettings> {
        let (said, guessed) = (by_field(&self.overridden), by_field(&self.detected));
        let of = |known: &HashMap<&str, &FieldSettings>, field: &str| {
            known.get(field).map_or_else(|| FieldSettings::empty(field), |help| (*help).clone())
        };
        let shown = fields.iter().map(|field| {
            let said = of(&said, field);
            let parts: Vec<SettingName> = said.present_settings().collect();
            let guess = of(&guessed, field);
            let hidden = (!parts.is_empty() && !guess.is_empty()).then(|| guess.clone());
            let all = said.or(guess);
            ShownFieldSettings {
                field: all.field,
                label: all.label.unwrap_or_default(),
                hint: all.hint.unwrap_or_default(),
                example: all.example.unwrap_or_default(),
                group: all.group.unwrap_or_default(),
                kind: all.kind.unwrap_or_default(),
                choices: all.choices.unwrap_or_default(),
                derivation: all.derivation,
                overridden: parts,
                detected: hidden,
                meaning: None,
                party: None,
            }
        });
        let mut shown: Vec<ShownFieldSettings> = shown.collect();
        meaning::detect_meanings(&mut shown);
        shown
    }

    /// Returns the overridden settings for a new version of the template with `fields`. `renamed` maps old names to new ones.
    /// Settings of fields that are not in `fields` are dropped, and so are derivations from such fields.
    pub fn overridden_for(&self, fields: &[String], renamed: &BTreeMap<String, String>) -> Vec<FieldSettings> {
        let moved: Vec<FieldSettings> = self
            .overridden
            .iter()
            .map(|help| {
                let now = |name: &String| renamed.get(name).unwrap_or(name).clone();
                let mut derivation = help.derivation.clone();
                for source in derivation.iter_mut().flat_map(Derivation::sources_mut) {
                    *source = now(source);
                }
                let derivation = derivation.filter(|made| made.sources().iter().all(|source| fields.contains(source)));
                FieldSettings { field: now(&help.field), derivation, ..help.clone() }
            })
            .filter(|help| !help.is_empty())
            .collect();
        in_field_order(&moved, fields)
    }

    /// Returns the derivations of all derived fields. Only admins define derivations, so they are among the overridden
    /// settings.
    pub fn derivations(&self) -> Derivations {
        let made = self.overridden.iter().filter_map(|help| Some((help.field.clone(), help.derivation.clone()?)));
        made.collect()
    }

    /// Returns the names of the fields whose overridden settings differ from those in `before`.
    pub fn changed_fields(&self, before: &Self) -> Vec<String> {
        let (now, then) = (by_field(&self.overridden), by_field(&before.overridden));
        let mut names: Vec<&str> =
            self.overridden.iter().chain(&before.overridden).map(|help| help.field.as_str()).collect();
        names.dedup();
        let mut known = std::collections::HashSet::new();
        names.retain(|name| now.get(name) != then.get(name) && known.insert(*name));
        names.into_iter().map(str::to_owned).collect()
    }
}

/// Returns the entries of `help` that belong to one of `fields`, in the order of `fields`.
fn in_field_order(help: &[FieldSettings], fields: &[String]) -> Vec<FieldSettings> {
    let known = by_field(help);
    fields.iter().filter_map(|field| known.get(field.as_str()).map(|help| (*help).clone())).collect()
}

fn by_field(help: &[FieldSettings]) -> HashMap<&str, &FieldSettings> {
    help.iter().map(|help| (help.field.as_str(), help)).collect()
}

/// The surroundings of a field where it first occurs in the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldContext {
    /// The name of the field.
    pub field: String,
    /// The text before the field in its paragraph, from the previous field on. It has at most
    /// [`MAX_CONTEXT_CHARACTERS`] characters.
    pub before: String,
    /// The text after the field in its paragraph, up to the next field. It has at most [`MAX_CONTEXT_CHARACTERS`]
    /// characters.
    pub after: String,
    /// The label of the table cell with the field. This is the text of the previous cell in the row. If the previous
    /// cell is empty, missing or has a field, the label is the column heading. Empty for a cell without a label.
    pub cell_label: String,
    /// The last heading before the field in the document. Empty if the field is before the first heading, or if the
    /// heading itself contains a field.
    pub heading: String,
    /// The kind that the content control of the field prescribes: a date, a long text or a choice. `None`: the field is
    /// not in a content control, or the content control accepts any text.
    pub control_kind: Option<ValueKind>,
    /// The choices that the content control of the field lists. Empty unless `control_kind` is a choice.
    pub control_choices: Vec<String>,
}

/// Maximum number of characters of the text before or after a field in a [`FieldContext`].
pub const MAX_CONTEXT_CHARACTERS: usize = 80;

/// Returns a field name in readable form: `date_de_naissance` → `Date de naissance`, `ClientName` → `Client name`.
pub(crate) fn readable_name(name: &str) -> String {
    if name.contains(' ') {
        return name.to_owned();
    }
    let mut words: Vec<String> = Vec::new();
    for piece in name.split('_').filter(|piece| !piece.is_empty()) {
        words.extend(split_camel_case(piece));
    }
    let readable = words.join(" ");
    let mut letters = readable.chars();
    match letters.next() {
        Some(first) if words.len() > 1 || name.contains('_') => first.to_uppercase().chain(letters).collect(),
        _ => readable,
    }
}

/// Splits a name in camel case: `ClientName` → `Client`, `name`; `numeroTVA` → `numero`, `TVA`. Words after the first become lower
/// case, unless they have several capitals.
fn split_camel_case(piece: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut lower_before = false;
    for letter in piece.chars() {
        if lower_before && letter.is_uppercase() {
            words.push(String::new());
        }
        if words.is_empty() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.push(letter);
        }
        lower_before = letter.is_lowercase();
    }
    let capitals = |word: &str| word.chars().filter(|letter| letter.is_uppercase()).count() > 1;
    let lowered = |(at, word): (usize, String)| if at == 0 || capitals(&word) { word } else { word.to_lowercase() };
    words.into_iter().enumerate().map(lowered).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|field| (*field).to_owned()).collect()
    }

    #[test]
    fn names_with_underscores_and_camel_case_become_readable() {
        for (name, expected) in [
            ("date_de_naissance", "Date de naissance"),
            ("ClientName", "Client name"),
            ("numeroTVA", "Numero TVA"),
            ("IBAN", "IBAN"),
            ("nom", "nom"),
            ("Nom du client", "Nom du client"),
            ("اسم_العميل", "اسم العميل"),
            ("__", ""),
            ("NOM_CLIENT", "NOM CLIENT"),
        ] {
            assert_eq!(readable_name(name), expected);
        }
    }

    #[test]
    fn overridden_settings_replace_detected_ones() {
        let fields = names(&["A", "B"]);
        let help = TemplateFieldSettings {
            overridden: vec![FieldSettings {
                group: Some(String::new()),
                kind: Some(ValueKind::Text),
                ..FieldSettings::empty("B")
            }],
            detected: vec![
                FieldSettings { group: Some("Parties".into()), ..FieldSettings::empty("A") },
                FieldSettings {
                    group: Some("Parties".into()),
                    kind: Some(ValueKind::Date),
                    ..FieldSettings::empty("B")
                },
            ],
        };
        let shown = help.for_form(&fields);
        assert_eq!(
            (shown[0].group.as_str(), shown[0].kind, &shown[0].overridden),
            ("Parties", ValueKind::Text, &vec![])
        );
        assert_eq!((shown[1].group.as_str(), shown[1].kind), ("", ValueKind::Text));
        assert_eq!(shown[1].overridden, [SettingName::Group, SettingName::Kind]);
        assert_eq!((&shown[0].detected, shown[1].detected.as_ref()), (&None, help.detected.last()));
        let wire = serde_json::to_string(&shown[0]).unwrap();
        assert_eq!(wire, r#"{"field":"A","group":"Parties","kind":"text"}"#);
    }

    #[test]
    fn overridden_settings_follow_a_renamed_field() {
        let said = |field: &str| FieldSettings { hint: Some(format!("of {field}")), ..FieldSettings::empty(field) };
        let help =
            TemplateFieldSettings { overridden: vec![said("Old"), said("Gone"), said("Stays")], detected: Vec::new() };
        let renamed = BTreeMap::from([("Old".to_owned(), "New".to_owned())]);
        let now = help.overridden_for(&names(&["Stays", "New"]), &renamed);
        assert_eq!(now, [said("Stays"), FieldSettings { field: "New".into(), ..said("Old") }]);
        let after = TemplateFieldSettings { overridden: now, detected: Vec::new() };
        assert_eq!(after.changed_fields(&help), ["New", "Old", "Gone"]);
        assert_eq!(after.changed_fields(&after), Vec::<String>::new());
    }
}
