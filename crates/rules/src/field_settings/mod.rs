//! Field settings that help users to fill in a form: label, hint, example, group, kind and choices.
//!
//! When the file of a template is uploaded, [`detect_settings`] detects the settings of each field from its name and the text around it in
//! the document. Admins can override them. [`TemplateFieldSettings`] contains the overridden and the detected settings, each as a list of
//! [`FieldSettings`]. [`TemplateFieldSettings::for_structure`] returns the settings for the form. The settings of a list contain those of
//! its columns.
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
mod column_words;
mod detect;
mod kinds;
mod meaning;
mod meaning_phrases;
mod readable;
mod template;
mod words;
mod yes_no_label;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::FieldType;
use crate::derivation::Derivation;

pub(crate) use column_words::{AmountRole, IN_WORDS, amount_role};
pub use detect::{detect_settings, detect_structure_settings};
pub use meaning::{Meaning, Party};
pub(crate) use readable::{capitalized, readable_name};
pub use template::{ShownFieldSettings, TemplateFieldSettings};
pub(crate) use words::NameWords;

/// Maximum width and height of a picture field, in millimetres. This is the long side of an A3 page.
pub const MAX_PICTURE_MILLIMETRES: u16 = 420;

/// The kind of a value. It selects the input in the form. The kinds `yes_no`, `list`, `picture`, `signature` and `qr_code` also
/// decide the type of the values ([`ValueKind::field_type`]). The value of every other kind is a text, and any text is accepted.
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
    /// Yes or no, as a switch. The section of this name is kept or removed.
    YesNo,
    /// A list of rows. The section of this name is repeated for each row.
    List,
    /// A picture that the user uploads.
    Picture,
    /// A signature that the user draws, types or uploads.
    Signature,
    /// A text that is printed as a QR code.
    QrCode,
}

impl ValueKind {
    /// Returns the type of the values of this kind.
    pub fn field_type(self) -> FieldType {
        match self {
            Self::YesNo => FieldType::YesNo,
            Self::List => FieldType::List,
            Self::Picture => FieldType::Picture,
            Self::Signature => FieldType::Signature,
            Self::QrCode => FieldType::QrCode,
            Self::Text
            | Self::LongText
            | Self::Date
            | Self::Amount
            | Self::Number
            | Self::Choice
            | Self::Email
            | Self::Phone => FieldType::Text,
        }
    }

    /// Returns the kind of fields of a type. A text has the kind `text`.
    pub fn of_type(field_type: FieldType) -> Self {
        match field_type {
            FieldType::Text => Self::Text,
            FieldType::YesNo => Self::YesNo,
            FieldType::List => Self::List,
            FieldType::Picture => Self::Picture,
            FieldType::Signature => Self::Signature,
            FieldType::QrCode => Self::QrCode,
        }
    }
}

/// The overridden or detected settings of one field or column. `None` means that a setting is not set. An empty text or list means that an
/// admin removed the detected setting.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "openapi", schema(as = FieldHelp))]
pub struct FieldSettings {
    /// The name of the field or column.
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
    /// The derivation of the value from other fields. It is never detected. A column is derived from columns of the same row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation>,
    /// The settings of the columns of a list. Columns without settings may be missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub columns: Option<Vec<FieldSettings>>,
    /// The number of rows that a list needs in the form, from 0 to 500. It is never detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_rows: Option<u16>,
    /// The number of rows that a list may have in the form, from `minRows` to 500. It is never detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rows: Option<u16>,
    /// The maximum width of a picture, a signature or a QR code, in millimetres from 1 to 420. It is never detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_width: Option<u16>,
    /// The maximum height of a picture, a signature or a QR code, in millimetres from 1 to 420. It is never detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_height: Option<u16>,
}

impl FieldSettings {
    /// Creates empty settings of a field.
    pub fn empty(field: impl Into<String>) -> Self {
        Self { field: field.into(), ..Self::default() }
    }

    /// Returns whether none of the settings of the field and of its columns is set.
    pub fn is_empty(&self) -> bool {
        self.present_settings().next().is_none() && self.columns.iter().flatten().all(Self::is_empty)
    }

    /// Returns the names of the settings that are set. The columns have settings of their own.
    fn present_settings(&self) -> impl Iterator<Item = SettingName> {
        let said = [
            (SettingName::Label, self.label.is_some()),
            (SettingName::Hint, self.hint.is_some()),
            (SettingName::Example, self.example.is_some()),
            (SettingName::Group, self.group.is_some()),
            (SettingName::Kind, self.kind.is_some()),
            (SettingName::Choices, self.choices.is_some()),
            (SettingName::Derivation, self.derivation.is_some()),
            (SettingName::MinRows, self.min_rows.is_some()),
            (SettingName::MaxRows, self.max_rows.is_some()),
            (SettingName::MaxWidth, self.max_width.is_some()),
            (SettingName::MaxHeight, self.max_height.is_some()),
        ];
        said.into_iter().filter(|(_, is)| *is).map(|(part, _)| part)
    }

    /// Returns these settings, and copies the settings that are `None` in `self` from `other`. The settings of each column are
    /// completed in the same way.
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
            columns: match (self.columns, other.columns) {
                (Some(own), Some(others)) => Some(complete_columns(own, others)),
                (own, others) => own.or(others),
            },
            min_rows: self.min_rows.or(other.min_rows),
            max_rows: self.max_rows.or(other.max_rows),
            max_width: self.max_width.or(other.max_width),
            max_height: self.max_height.or(other.max_height),
        }
    }
}

/// Completes the settings of each column in `own` by those in `others`, and appends the columns that are only in `others`.
fn complete_columns(own: Vec<FieldSettings>, others: Vec<FieldSettings>) -> Vec<FieldSettings> {
    let mut others_by_name: HashMap<String, FieldSettings> =
        others.iter().map(|column| (column.field.clone(), column.clone())).collect();
    let mut columns: Vec<FieldSettings> = own
        .into_iter()
        .map(|column| match others_by_name.remove(&column.field) {
            Some(other) => column.or(other),
            None => column,
        })
        .collect();
    columns.extend(others.into_iter().filter(|column| others_by_name.contains_key(&column.field)));
    columns
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
    /// The setting [`FieldSettings::min_rows`].
    MinRows,
    /// The setting [`FieldSettings::max_rows`].
    MaxRows,
    /// The setting [`FieldSettings::max_width`].
    MaxWidth,
    /// The setting [`FieldSettings::max_height`].
    MaxHeight,
}

/// The surroundings of a field where it first occurs in the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FieldContext {
    /// The name of the field. A column of a list has its name or its path, such as `items[].price`.
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
