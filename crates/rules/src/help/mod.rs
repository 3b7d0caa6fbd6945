//! What helps to fill a field in: its label, a hint, an example, the group it stands in, its kind, what may be chosen.
//!
//! What a value means ([`Meaning`]) is told whenever help is shown, and kept nowhere.
//!
//! An admin says of a field what he likes ([`FieldHelp`]); what he does not say is guessed from its name and from what stands around it
//! in the document ([`guess`]), once, when the file is uploaded. [`TemplateHelp`] is both, and [`TemplateHelp::shown`] what a form shows.
//!
//! ```
//! use waraq_rules::help::{FieldHelp, TemplateHelp, ValueKind, guess};
//!
//! let fields = ["Invoice date".to_owned(), "montant_total".to_owned()];
//! let said = vec![FieldHelp { hint: Some("As on the invoice".into()), ..FieldHelp::of("montant_total") }];
//! let shown = TemplateHelp { said, guessed: guess(&fields, &[]) }.shown(&fields);
//! assert_eq!((shown[0].kind, shown[1].kind), (ValueKind::Date, ValueKind::Amount));
//! assert_eq!((shown[1].label.as_str(), shown[1].hint.as_str()), ("Montant total", "As on the invoice"));
//! ```

mod choices;
mod guess;
mod kinds;
mod meaning;
mod words;

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::derivation::{Derivation, Derivations};

pub use guess::guess;
pub use meaning::{Meaning, Party};

/// What a value is. Every value is a text, and none is refused for its kind: a kind says how the form helps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    #[default]
    Text,
    /// Several lines.
    LongText,
    Date,
    /// Of money: digits are grouped.
    Amount,
    Number,
    /// One of a list, or anything else.
    Choice,
    Email,
    Phone,
}

/// What is said, or guessed, of one field; `None`: nothing. An empty text is said: there is none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FieldHelp {
    /// The field's name.
    pub field: String,
    /// What it is called in the form; empty: by its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub example: Option<String>,
    /// The heading it stands under in the form, with the fields before or after it that say the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<ValueKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub choices: Option<Vec<String>>,
    /// How its value is made of other fields'; of this nothing is guessed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation>,
}

impl FieldHelp {
    /// Nothing said of this field.
    pub fn of(field: impl Into<String>) -> Self {
        Self { field: field.into(), ..Self::default() }
    }

    /// Whether nothing is said.
    pub fn is_silent(&self) -> bool {
        self.parts().next().is_none()
    }

    /// What is said something of.
    fn parts(&self) -> impl Iterator<Item = HelpPart> {
        let said = [
            (HelpPart::Label, self.label.is_some()),
            (HelpPart::Hint, self.hint.is_some()),
            (HelpPart::Example, self.example.is_some()),
            (HelpPart::Group, self.group.is_some()),
            (HelpPart::Kind, self.kind.is_some()),
            (HelpPart::Choices, self.choices.is_some()),
            (HelpPart::Derivation, self.derivation.is_some()),
        ];
        said.into_iter().filter(|(_, is)| *is).map(|(part, _)| part)
    }

    /// The same, and where it says nothing, what `other` says.
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

/// A part of [`FieldHelp`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum HelpPart {
    Label,
    Hint,
    Example,
    Group,
    Kind,
    Choices,
    Derivation,
}

/// What is known of the fields of one version of a template; a field that is in neither list is a text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TemplateHelp {
    /// By an admin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<FieldHelp>,
    /// From names and surroundings, when the file was uploaded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guessed: Vec<FieldHelp>,
}

/// What the form shows of a field.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct ShownHelp {
    /// The field's name.
    pub field: String,
    /// What it is called; left out: by its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub label: String,
    /// A sentence about it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub hint: String,
    /// A value it may have.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub example: String,
    /// The heading it stands under, with the fields before and after it that say the same; left out: under none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub group: String,
    pub kind: ValueKind,
    /// What a `choice` offers; anything else may be entered too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub choices: Vec<String>,
    /// How its value is made of other fields', as long as nobody types one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<Derivation>,
    /// What of this an admin has said; the rest is guessed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(required = false))]
    pub said: Vec<HelpPart>,
    /// What is guessed, where something is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guessed: Option<FieldHelp>,
    /// What its value is, where that can be told: what somebody typed of the same meaning before is offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<Meaning>,
    /// Whose that is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<Party>,
}

impl TemplateHelp {
    /// What the form shows of `fields`, in their order.
    pub fn shown(&self, fields: &[String]) -> Vec<ShownHelp> {
        let (said, guessed) = (by_field(&self.said), by_field(&self.guessed));
        let of = |known: &HashMap<&str, &FieldHelp>, field: &str| {
            known.get(field).map_or_else(|| FieldHelp::of(field), |help| (*help).clone())
        };
        let shown = fields.iter().map(|field| {
            let said = of(&said, field);
            let parts: Vec<HelpPart> = said.parts().collect();
            let guess = of(&guessed, field);
            let hidden = (!parts.is_empty() && !guess.is_silent()).then(|| guess.clone());
            let all = said.or(guess);
            ShownHelp {
                field: all.field,
                label: all.label.unwrap_or_default(),
                hint: all.hint.unwrap_or_default(),
                example: all.example.unwrap_or_default(),
                group: all.group.unwrap_or_default(),
                kind: all.kind.unwrap_or_default(),
                choices: all.choices.unwrap_or_default(),
                derivation: all.derivation,
                said: parts,
                guessed: hidden,
                meaning: None,
                party: None,
            }
        });
        let mut shown: Vec<ShownHelp> = shown.collect();
        meaning::tell(&mut shown);
        shown
    }

    /// What was said, of the fields as they are called now: of those in `renamed` (the old name, the new) under their new names, of
    /// those that are not in `fields` nothing any more. One that was made of a field that is gone is made of nothing.
    pub fn said_of(&self, fields: &[String], renamed: &BTreeMap<String, String>) -> Vec<FieldHelp> {
        let moved: Vec<FieldHelp> = self
            .said
            .iter()
            .map(|help| {
                let now = |name: &String| renamed.get(name).unwrap_or(name).clone();
                let mut derivation = help.derivation.clone();
                for source in derivation.iter_mut().flat_map(Derivation::sources_mut) {
                    *source = now(source);
                }
                let derivation = derivation.filter(|made| made.sources().iter().all(|source| fields.contains(source)));
                FieldHelp { field: now(&help.field), derivation, ..help.clone() }
            })
            .filter(|help| !help.is_silent())
            .collect();
        in_order(&moved, fields)
    }

    /// How those fields are made that are made of others.
    pub fn derivations(&self) -> Derivations {
        let made = self.said.iter().filter_map(|help| Some((help.field.clone(), help.derivation.clone()?)));
        made.collect()
    }

    /// The names of the fields of which another thing is said than in `before`.
    pub fn said_otherwise(&self, before: &Self) -> Vec<String> {
        let (now, then) = (by_field(&self.said), by_field(&before.said));
        let mut names: Vec<&str> = self.said.iter().chain(&before.said).map(|help| help.field.as_str()).collect();
        names.dedup();
        let mut known = std::collections::HashSet::new();
        names.retain(|name| now.get(name) != then.get(name) && known.insert(*name));
        names.into_iter().map(str::to_owned).collect()
    }
}

/// Of those of `help` that are of `fields`, in their order.
fn in_order(help: &[FieldHelp], fields: &[String]) -> Vec<FieldHelp> {
    let known = by_field(help);
    fields.iter().filter_map(|field| known.get(field.as_str()).map(|help| (*help).clone())).collect()
}

fn by_field(help: &[FieldHelp]) -> HashMap<&str, &FieldHelp> {
    help.iter().map(|help| (help.field.as_str(), help)).collect()
}

/// What stands around a field where it comes first in the document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Surroundings {
    /// The field's name.
    pub field: String,
    /// The text of its paragraph before it and after it, up to the next field; at most [`MOST_AROUND`] characters each.
    pub before: String,
    pub after: String,
    /// What names its cell in a table: the cell before it in the row, else the head of its column.
    pub cell: String,
    /// The last heading before it.
    pub heading: String,
}

/// Characters of a text around a field that are looked at.
pub const MOST_AROUND: usize = 80;

/// A field's name as people would write it: `date_de_naissance` → `Date de naissance`, `ClientName` → `Client name`.
pub fn readable(name: &str) -> String {
    if name.contains(' ') {
        return name.to_owned();
    }
    let mut words: Vec<String> = Vec::new();
    for piece in name.split('_').filter(|piece| !piece.is_empty()) {
        words.extend(humps(piece));
    }
    let readable = words.join(" ");
    let mut letters = readable.chars();
    match letters.next() {
        Some(first) if words.len() > 1 || name.contains('_') => first.to_uppercase().chain(letters).collect(),
        _ => readable,
    }
}

/// `ClientName` → `Client`, `name`; `numeroTVA` → `numero`, `TVA`. A word of capitals stays as it is.
fn humps(piece: &str) -> Vec<String> {
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
    fn names_are_written_as_people_would() {
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
            assert_eq!(readable(name), expected);
        }
    }

    #[test]
    fn what_is_said_counts_before_what_is_guessed() {
        let fields = names(&["A", "B"]);
        let help = TemplateHelp {
            said: vec![FieldHelp { group: Some(String::new()), kind: Some(ValueKind::Text), ..FieldHelp::of("B") }],
            guessed: vec![
                FieldHelp { group: Some("Parties".into()), ..FieldHelp::of("A") },
                FieldHelp { group: Some("Parties".into()), kind: Some(ValueKind::Date), ..FieldHelp::of("B") },
            ],
        };
        let shown = help.shown(&fields);
        assert_eq!((shown[0].group.as_str(), shown[0].kind, &shown[0].said), ("Parties", ValueKind::Text, &vec![]));
        assert_eq!((shown[1].group.as_str(), shown[1].kind), ("", ValueKind::Text));
        assert_eq!(shown[1].said, [HelpPart::Group, HelpPart::Kind]);
        assert_eq!((&shown[0].guessed, shown[1].guessed.as_ref()), (&None, help.guessed.last()));
        let wire = serde_json::to_string(&shown[0]).unwrap();
        assert_eq!(wire, r#"{"field":"A","group":"Parties","kind":"text"}"#);
    }

    #[test]
    fn what_is_said_follows_a_rename() {
        let said = |field: &str| FieldHelp { hint: Some(format!("of {field}")), ..FieldHelp::of(field) };
        let help = TemplateHelp { said: vec![said("Old"), said("Gone"), said("Stays")], guessed: Vec::new() };
        let renamed = BTreeMap::from([("Old".to_owned(), "New".to_owned())]);
        let now = help.said_of(&names(&["Stays", "New"]), &renamed);
        assert_eq!(now, [said("Stays"), FieldHelp { field: "New".into(), ..said("Old") }]);
        let after = TemplateHelp { said: now, guessed: Vec::new() };
        assert_eq!(after.said_otherwise(&help), ["New", "Old", "Gone"]);
        assert_eq!(after.said_otherwise(&after), Vec::<String>::new());
    }
}
