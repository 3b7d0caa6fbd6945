//! The settings of all fields of a template, and the settings as the form shows them.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::{FieldSettings, Meaning, Party, SettingName, ValueKind, meaning};
use crate::derivation::{self, Derivation, Derivations, DerivedPath, path_in};
use crate::{FieldType, MaxPictureSize, PictureSizes, Structure, StructuredField};

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

/// The settings of a field or column as the form shows them.
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
    /// The settings of the columns of a list, in reading order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false, no_recursion))]
    pub columns: Vec<ShownFieldSettings>,
    /// The number of rows that a list needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_rows: Option<u16>,
    /// The number of rows that a list may have. Missing if only the general limit of 500 applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rows: Option<u16>,
    /// The maximum width of a picture, a signature or a QR code, in millimetres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_width: Option<u16>,
    /// The maximum height of a picture, a signature or a QR code, in millimetres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_height: Option<u16>,
    /// The names of the settings that an admin has overridden. All other settings are detected.
    #[serde(rename = "said", default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub overridden: Vec<SettingName>,
    /// The detected settings, without those of columns. Missing if nothing was detected, or if an admin has overridden none of
    /// the settings.
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
    /// Returns the settings for the form of a template in which all fields are texts. See
    /// [`TemplateFieldSettings::for_structure`]. A field keeps its kind even if values of this kind are no texts.
    pub fn for_form(&self, fields: &[String]) -> Vec<ShownFieldSettings> {
        let (overridden, detected) = (by_field(&self.overridden), by_field(&self.detected));
        let shown = fields.iter().map(|field| {
            let find = |known: &HashMap<&str, &FieldSettings>| known.get(field.as_str()).map(|help| (*help).clone());
            shown_settings(field, find(&overridden), find(&detected))
        });
        let mut shown: Vec<ShownFieldSettings> = shown.collect();
        meaning::detect_meanings(&mut shown);
        shown
    }

    /// Returns the settings for the form: one entry for each field of `structure`, in the same order, and in it one for each
    /// column of a list. The type of a field in `structure` decides whether its kind is a list, yes/no, picture, signature or
    /// QR code.
    pub fn for_structure(&self, structure: &Structure) -> Vec<ShownFieldSettings> {
        let mut shown = shown_fields(&structure.0, &self.overridden, &self.detected);
        meaning::detect_meanings(&mut shown);
        shown
    }

    /// Returns the overridden settings for a new version of the template with this `structure`. `renamed` maps old names of
    /// fields to new ones; columns keep their names. Settings of missing fields and columns are dropped, and so are
    /// derivations from missing fields, and the columns of a field that is no longer a list.
    pub fn overridden_for(&self, structure: &Structure, renamed: &BTreeMap<String, String>) -> Vec<FieldSettings> {
        let moved: Vec<FieldSettings> = self
            .overridden
            .iter()
            .map(|help| {
                let field = renamed.get(&help.field).unwrap_or(&help.field).clone();
                FieldSettings { field, ..help.clone() }
            })
            .collect();
        moved_settings(moved, &structure.0, &mut Vec::new(), structure, renamed)
    }

    /// Returns the derivations of all derived fields and columns. Only admins define derivations, so they are among the
    /// overridden settings.
    pub fn derivations(&self) -> Derivations {
        let mut derivations = Derivations::new();
        collect_derivations(&self.overridden, &mut Vec::new(), &mut derivations);
        derivations
    }

    /// Returns the maximum sizes of pictures. Only admins set them, so they are among the overridden settings.
    pub fn picture_sizes(&self) -> PictureSizes {
        let mut sizes = PictureSizes::default();
        collect_picture_sizes(&self.overridden, &mut Vec::new(), &mut sizes);
        sizes
    }

    /// Removes the derivations of all fields and columns.
    pub fn remove_derivations(&mut self) {
        remove_derivations(&mut self.overridden);
    }

    /// Returns the derivations of the fields and columns that `structure` has as texts.
    pub fn derivations_in(&self, structure: &Structure) -> Derivations {
        let mut derivations = self.derivations();
        derivations.retain(|path, _| structure.has_text_at(&DerivedPath::parse(path)));
        derivations
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

/// Returns the shown settings of one field, without those of its columns. `overridden` and `detected` are its settings.
fn shown_settings(
    field: &str,
    overridden: Option<FieldSettings>,
    detected: Option<FieldSettings>,
) -> ShownFieldSettings {
    let settings = |known: Option<FieldSettings>| FieldSettings {
        columns: None,
        ..known.unwrap_or_else(|| FieldSettings::empty(field))
    };
    let (overridden, detected) = (settings(overridden), settings(detected));
    let names: Vec<SettingName> = overridden.present_settings().collect();
    let hidden = (!names.is_empty() && !detected.is_empty()).then(|| detected.clone());
    let all = overridden.or(detected);
    ShownFieldSettings {
        field: all.field,
        label: all.label.unwrap_or_default(),
        hint: all.hint.unwrap_or_default(),
        example: all.example.unwrap_or_default(),
        group: all.group.unwrap_or_default(),
        kind: all.kind.unwrap_or_default(),
        choices: all.choices.unwrap_or_default(),
        derivation: all.derivation,
        columns: Vec::new(),
        min_rows: all.min_rows,
        max_rows: all.max_rows,
        max_width: all.max_width,
        max_height: all.max_height,
        overridden: names,
        detected: hidden,
        meaning: None,
        party: None,
    }
}

/// Returns the shown settings of the fields of a template or the columns of a list.
fn shown_fields(
    fields: &[StructuredField],
    overridden: &[FieldSettings],
    detected: &[FieldSettings],
) -> Vec<ShownFieldSettings> {
    let (overridden, detected) = (by_field(overridden), by_field(detected));
    let one = |field: &StructuredField| {
        let find = |known: &HashMap<&str, &FieldSettings>| known.get(field.name.as_str()).map(|help| (*help).clone());
        let (own, guess) = (find(&overridden), find(&detected));
        let columns = |of: &Option<FieldSettings>| of.as_ref().and_then(|of| of.columns.clone()).unwrap_or_default();
        let columns = shown_fields(&field.columns, &columns(&own), &columns(&guess));
        let shown = shown_settings(&field.name, own, guess);
        let kind =
            if shown.kind.field_type() == field.field_type { shown.kind } else { ValueKind::of_type(field.field_type) };
        ShownFieldSettings { kind, columns, ..shown }
    };
    fields.iter().map(one).collect()
}

/// Returns the settings of `fields`, in their order. `settings` have the new names already, but their derivations do not.
/// `lists` are the lists around `fields`.
fn moved_settings<'s>(
    settings: Vec<FieldSettings>,
    fields: &'s [StructuredField],
    lists: &mut Vec<&'s str>,
    structure: &Structure,
    renamed: &BTreeMap<String, String>,
) -> Vec<FieldSettings> {
    let mut by_name: HashMap<String, FieldSettings> =
        settings.into_iter().map(|help| (help.field.clone(), help)).collect();
    let mut moved = Vec::new();
    for field in fields {
        let Some(mut help) = by_name.remove(&field.name) else { continue };
        let is_column = |name: &str| !lists.is_empty() && fields.iter().any(|field| field.name == name);
        for source in help.derivation.iter_mut().flat_map(Derivation::sources_mut) {
            if let Some(new) = renamed.get(source).filter(|_| !is_column(source)) {
                source.clone_from(new);
            }
        }
        help.derivation = help.derivation.filter(|made| derivation::has_all_sources(made, structure, lists));
        if field.field_type == FieldType::List {
            lists.push(&field.name);
            let columns =
                help.columns.map(|columns| moved_settings(columns, &field.columns, lists, structure, renamed));
            help.columns = columns.filter(|columns| !columns.is_empty());
            lists.pop();
        } else {
            (help.columns, help.min_rows, help.max_rows) = (None, None, None);
        }
        if !help.is_empty() {
            moved.push(help);
        }
    }
    moved
}

/// Adds the derivations in `settings` to `all`. `lists` are the lists around the fields.
fn collect_derivations<'s>(settings: &'s [FieldSettings], lists: &mut Vec<&'s str>, all: &mut Derivations) {
    for help in settings {
        if let Some(derivation) = &help.derivation {
            all.insert(path_in(lists.iter().copied(), &help.field), derivation.clone());
        }
        lists.push(&help.field);
        collect_derivations(help.columns.as_deref().unwrap_or_default(), lists, all);
        lists.pop();
    }
}

/// Adds the maximum sizes in `settings` to `all`. `lists` are the lists around the fields.
fn collect_picture_sizes<'s>(settings: &'s [FieldSettings], lists: &mut Vec<&'s str>, all: &mut PictureSizes) {
    for help in settings {
        let size = MaxPictureSize { max_width: help.max_width, max_height: help.max_height };
        if size != MaxPictureSize::default() {
            all.0.insert(path_in(lists.iter().copied(), &help.field), size);
        }
        lists.push(&help.field);
        collect_picture_sizes(help.columns.as_deref().unwrap_or_default(), lists, all);
        lists.pop();
    }
}

fn remove_derivations(settings: &mut [FieldSettings]) {
    for help in settings {
        help.derivation = None;
        remove_derivations(help.columns.as_deref_mut().unwrap_or_default());
    }
}

fn by_field(help: &[FieldSettings]) -> HashMap<&str, &FieldSettings> {
    help.iter().map(|help| (help.field.as_str(), help)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(fields: &[&str]) -> Vec<String> {
        fields.iter().map(|field| (*field).to_owned()).collect()
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
        let now = help.overridden_for(&Structure::of_texts(["Stays", "New"]), &renamed);
        assert_eq!(now, [said("Stays"), FieldSettings { field: "New".into(), ..said("Old") }]);
        let after = TemplateFieldSettings { overridden: now, detected: Vec::new() };
        assert_eq!(after.changed_fields(&help), ["New", "Old", "Gone"]);
        assert_eq!(after.changed_fields(&after), Vec::<String>::new());
    }
}
