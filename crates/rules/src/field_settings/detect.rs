//! Detects field settings from the names of the fields and the text around them.

use std::collections::{BTreeMap, HashMap};

use super::choices::detect_choices;
use super::column_words::{AmountRole, amount_role};
use super::kinds::{is_beside_currency, kind_of_name};
use super::words::NameWords;
use super::yes_no_label::yes_no_label;
use super::{FieldContext, FieldSettings, ValueKind, capitalized, readable_name};
use crate::derivation::{Language, path_in};
use crate::{ENTRY_COLUMN, FieldType, MAX_LIST_DEPTH, Structure, StructuredField};

/// Approximate maximum size in bytes of all detected settings of a template. There is a limit because the settings are
/// stored with the template, and the size of a stored template is limited.
const MAX_BYTES: usize = 100_000;

/// Minimum number of fields for groups. If a template has fewer fields, they are not grouped by headings.
const MIN_GROUPED_FIELDS: usize = 6;

/// Maximum number of characters of a heading. Longer headings are ignored.
const MAX_HEADING_CHARACTERS: usize = 80;
/// Maximum number of characters of a label in a table cell or before a colon. Longer labels are ignored.
const MAX_LABEL_CHARACTERS: usize = 40;

/// Detects the settings of `fields`, which are in reading order and are texts. `around` contains the text around some or
/// all of the fields. The result has no entries for fields without detected settings.
pub fn detect_settings(fields: &[String], around: &[FieldContext]) -> Vec<FieldSettings> {
    detect_structure_settings(&Structure::of_texts(fields), around, None)
}

/// Detects the settings of the fields of a template and of the columns of its lists. `around` contains the text around some
/// or all of them. `language` is the language of the template (BCP 47), in which questions for yes/no fields are asked;
/// without it, the language is detected from the name of the field. The result has no entries for fields and columns
/// without detected settings.
pub fn detect_structure_settings(
    structure: &Structure,
    around: &[FieldContext],
    language: Option<&str>,
) -> Vec<FieldSettings> {
    let contexts = around.iter().map(|one| (one.field.as_str(), one)).collect();
    let mut detector = Detector { contexts, language: language.and_then(Language::from_code), bytes: 0 };
    let groups = detect_groups(&structure.0, &detector.contexts);
    detector.detect_fields(&structure.0, &groups, &mut Vec::new())
}

struct Detector<'a> {
    /// The text around fields and columns, by their name or path.
    contexts: HashMap<&'a str, &'a FieldContext>,
    /// The language of the template, if it is known and supported.
    language: Option<Language>,
    /// The approximate size of the settings detected so far, in bytes.
    bytes: usize,
}

impl<'a> Detector<'a> {
    /// Detects the settings of the fields of the template, or of the columns of a list. `groups` are their groups, and
    /// `lists` are the lists around them.
    fn detect_fields<'s>(
        &mut self,
        fields: &'s [StructuredField],
        groups: &[Option<String>],
        lists: &mut Vec<&'s str>,
    ) -> Vec<FieldSettings> {
        let headings = if lists.is_empty() { Vec::new() } else { self.column_headings(fields, lists) };
        let mut detected = Vec::new();
        for (at, field) in fields.iter().enumerate() {
            let heading = headings.get(at).copied().flatten();
            let mut help = self.detect_one(field, lists, heading);
            help.group = groups.get(at).cloned().flatten();
            self.bytes += if help.is_empty() { 0 } else { approximate_size(&help) };
            if self.bytes > MAX_BYTES {
                break;
            }
            if field.field_type == FieldType::List && lists.len() < MAX_LIST_DEPTH {
                lists.push(&field.name);
                let columns = self.detect_fields(&field.columns, &[], lists);
                lists.pop();
                help.columns = Some(columns).filter(|columns| !columns.is_empty());
            }
            if !help.is_empty() {
                detected.push(help);
            }
        }
        detected
    }

    /// Detects the settings of a field or column, without its group and its columns. `heading` is the heading of a column.
    fn detect_one(&self, field: &StructuredField, lists: &[&str], heading: Option<&str>) -> FieldSettings {
        let name = &field.name;
        let readable = Some(readable_name(name)).filter(|label| label != name && !label.is_empty());
        let heading_label = heading.filter(|heading| heading != name).map(str::to_owned);
        let label = heading_label.clone().or_else(|| readable.clone());
        match field.field_type {
            FieldType::Text | FieldType::QrCode if name == ENTRY_COLUMN => {
                let label = heading_label.or_else(|| lists.last().map(|list| capitalized(&readable_name(list))));
                FieldSettings { label, ..FieldSettings::empty(name) }
            }
            FieldType::Text if lists.is_empty() => detect_field_settings(name, self.context(name, lists)),
            FieldType::Text => {
                let mut help = detect_field_settings(name, self.context(name, lists));
                help.kind = column_kind(help.kind, readable.as_deref().unwrap_or(name), heading);
                FieldSettings { label, ..help }
            }
            FieldType::YesNo => {
                FieldSettings { label: Some(yes_no_label(name, self.language)), ..FieldSettings::empty(name) }
            }
            FieldType::List => {
                let label = Some(capitalized(&readable_name(name))).filter(|label| label != name && !label.is_empty());
                FieldSettings { label, ..FieldSettings::empty(name) }
            }
            FieldType::Picture | FieldType::Signature | FieldType::QrCode => {
                FieldSettings { label, ..FieldSettings::empty(name) }
            }
        }
    }

    /// Returns the text around a field or column. Contexts of columns have the path or the name of the column.
    fn context(&self, name: &str, lists: &[&str]) -> Option<&'a FieldContext> {
        let path = path_in(lists.iter().copied(), name);
        self.contexts.get(path.as_str()).or_else(|| self.contexts.get(name)).copied()
    }

    /// Returns the headings of the columns of a list. Several columns with the same heading have none, because the
    /// heading does not distinguish them.
    fn column_headings(&self, fields: &[StructuredField], lists: &[&str]) -> Vec<Option<&'a str>> {
        let heading = |field: &StructuredField| {
            let label = self.context(&field.name, lists)?.cell_label.trim().trim_end_matches([':', '：']).trim_end();
            let is_usable = label.chars().any(char::is_alphanumeric)
                && !label.contains("{{")
                && label.chars().count() <= MAX_LABEL_CHARACTERS;
            is_usable.then_some(label)
        };
        let headings: Vec<Option<&str>> = fields.iter().map(heading).collect();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for heading in headings.iter().flatten() {
            *counts.entry(heading).or_default() += 1;
        }
        headings.iter().map(|heading| heading.filter(|heading| counts.get(heading) == Some(&1))).collect()
    }
}

/// Returns the kind of a column. `detected` is the kind that was detected from its name and the text around it. Headings of
/// columns are short and reliable, so they may show any kind.
fn column_kind(detected: Option<ValueKind>, name: &str, heading: Option<&str>) -> Option<ValueKind> {
    // The texts of table cells are short, whatever they describe.
    let detected = if heading.is_some() { detected.filter(|kind| *kind != ValueKind::LongText) } else { detected };
    let texts = || [Some(name), heading].into_iter().flatten();
    let by_role = |text: &str| match amount_role(text)? {
        AmountRole::Quantity | AmountRole::TaxRate => Some(ValueKind::Number),
        AmountRole::UnitPrice | AmountRole::Total | AmountRole::Subtotal | AmountRole::GrandTotal => {
            Some(ValueKind::Amount)
        }
        AmountRole::Discount | AmountRole::Tax | AmountRole::InWords => None,
    };
    detected
        .or_else(|| texts().find_map(by_role))
        .or_else(|| heading.and_then(kind_of_name).filter(|kind| *kind != ValueKind::LongText))
}

fn approximate_size(help: &FieldSettings) -> usize {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let choices: usize = help.choices.iter().flatten().map(|choice| choice.len() + 3).sum();
    help.field.len() + length(&help.label) + length(&help.group) + choices + 50
}

fn detect_field_settings(field: &str, around: Option<&FieldContext>) -> FieldSettings {
    let label = Some(readable_name(field)).filter(|label| label != field && !label.is_empty());
    let name = label.as_deref().unwrap_or(field);
    let (before, after, cell) = around.map_or(("", "", ""), |one| (&one.before, &one.after, &one.cell_label));
    let listed = around.map(|one| &one.control_choices).filter(|choices| !choices.is_empty()).cloned();
    let choices = match around.and_then(|one| one.control_kind) {
        None | Some(ValueKind::Choice) => listed.or_else(|| detect_choices(name, after)),
        Some(_) => None,
    };
    let kind = match (&choices, around.and_then(|one| one.control_kind)) {
        (Some(_), _) => Some(ValueKind::Choice),
        // A list without items is a text.
        (None, Some(kind)) if kind != ValueKind::Choice => Some(kind),
        _ => kind_of_name(name).or_else(|| detect_kind_from_context(name, before, after, cell)),
    };
    FieldSettings { label, kind, choices, ..FieldSettings::empty(field) }
}

/// Detects the kind of a field if [`kind_of_name`] returns `None` for its name. `before` and `after` are the text
/// around the field in its paragraph. `cell` is the label of the table cell, or empty.
fn detect_kind_from_context(name: &str, before: &str, after: &str, cell: &str) -> Option<ValueKind> {
    let words = NameWords::split(name);
    // `Date et lieu` names two things, so the value has no single kind.
    if words.names_two_things || words.contains_any(&["words", "letters", "lettres", "كتابه", "حروف"]) {
        return None;
    }
    if is_beside_currency(before, after) {
        return Some(ValueKind::Amount);
    }
    let short = |text: &str| text.chars().count() <= MAX_LABEL_CHARACTERS;
    // If a colon is directly before the field, as in `Date :`, the text before the colon is the label. If this label is
    // too long or shows no kind, the label of the table cell is used.
    let colon = before.trim_end().strip_suffix([':', '：']).map(|before| {
        let from = before.rfind(['.', ';', ',', '،', '؛', '|', '·', '–', '\t', '\n']).map_or(0, |at| at + 1);
        before.get(from..).unwrap_or(before).trim_start_matches(|letter: char| !letter.is_alphanumeric())
    });
    let labelled_kind = [colon.unwrap_or_default(), cell].into_iter().filter(|text| short(text)).find_map(kind_of_name);
    labelled_kind
        .filter(|kind| matches!(kind, ValueKind::Date | ValueKind::Amount | ValueKind::Email | ValueKind::Phone))
}

/// Returns the heading of each field, or `None` for a field without a heading. Headings are used only if there are at
/// least two, and at least two fields per heading on average. Otherwise they do not make a form easier to read, and the
/// result is `None` for all fields.
fn detect_groups(fields: &[StructuredField], around: &HashMap<&str, &FieldContext>) -> Vec<Option<String>> {
    let none = vec![None; fields.len()];
    if fields.len() < MIN_GROUPED_FIELDS {
        return none;
    }
    let of = |field: &StructuredField| {
        let heading = around.get(field.name.as_str()).map_or("", |one| one.heading.as_str());
        let heading = heading.trim().trim_end_matches([':', '：', '.']).trim_end();
        Some(heading.to_owned()).filter(|text| !text.is_empty() && text.chars().count() <= MAX_HEADING_CHARACTERS)
    };
    let groups: Vec<Option<String>> = fields.iter().map(of).collect();
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for group in groups.iter().flatten() {
        *sizes.entry(group).or_default() += 1;
    }
    let grouped: usize = sizes.values().sum();
    if sizes.len() < 2 || grouped < sizes.len() * 2 { none } else { groups }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(name: &str) -> Option<ValueKind> {
        detect_field_settings(name, None).kind
    }

    #[test]
    fn kinds_by_names_in_three_languages() {
        use ValueKind::*;
        for (kind_of, names) in [
            (
                Date,
                &[
                    "Date",
                    "invoice_date",
                    "Date of birth",
                    "Due date 2",
                    "dateNaissance",
                    "Date d’échéance",
                    "تاريخ العقد",
                    "التاريخ",
                ][..],
            ),
            (
                Amount,
                &[
                    "Monthly rent",
                    "Total",
                    "total_ttc",
                    "Prix HT 3",
                    "Montant à payer",
                    "Dépôt de garantie",
                    "الراتب الإجمالي",
                    "المبلغ",
                ],
            ),
            (Number, &["Quantity 1", "Number of rooms", "Nombre d’enfants", "Qté 2", "عدد الغرف"]),
            (
                Email,
                &[
                    "E-mail",
                    "email",
                    "client_email",
                    "Your e-mail address",
                    "Adresse électronique",
                    "Courriel",
                    "البريد الإلكتروني",
                ],
            ),
            (Phone, &["Phone", "Phone number", "Numéro de téléphone", "Tél.", "رقم الهاتف", "الجوال"]),
            (LongText, &["Description", "Remarques", "ملاحظات"]),
            (Choice, &["Gender", "Civilité", "Madame ou Monsieur", "Marié (oui/non)", "الجنس", "الحالة الاجتماعية"]),
        ] {
            for name in names {
                assert_eq!(kind(name), Some(kind_of), "{name}");
            }
        }
    }

    #[test]
    fn names_without_a_clear_kind_have_none() {
        for name in [
            "Name",
            "Address",
            "Rent day",
            "Rent payment account",
            "Deposit scheme",
            "Amount in words",
            "Montant en toutes lettres",
            "المبلغ كتابة",
            "Date et lieu de naissance",
            "Telephone and e-mail",
            "تاريخ ومكان الميلاد",
            "Taux de TVA",
            "Mode de paiement",
            "Website or profile",
            "Salary period",
            "Job 1 dates",
            "Payment days",
            "Total hours",
            "يوم التحرير",
            "رقم الآيبان",
            "",
        ] {
            assert_eq!(kind(name), None, "{name}");
        }
    }

    #[test]
    fn the_kind_is_detected_from_the_text_around_the_field() {
        let kind = |name: &str, before: &str, after: &str, cell: &str| {
            let around = FieldContext {
                before: before.into(),
                after: after.into(),
                cell_label: cell.into(),
                ..FieldContext::default()
            };
            detect_field_settings(name, Some(&around)).kind
        };
        assert_eq!(kind("X", "the sum of €", "", ""), Some(ValueKind::Amount));
        assert_eq!(kind("X", "", " dinars", ""), Some(ValueKind::Amount));
        assert_eq!(kind("قيمة", "مبلغ ", " جنيه مصري", ""), Some(ValueKind::Amount));
        assert_eq!(kind("X", "Date : ", "", ""), Some(ValueKind::Date));
        assert_eq!(kind("X", "Fait à Tunis, le ", "", ""), None);
        assert_eq!(kind("X", "", "", "Téléphone"), Some(ValueKind::Phone));
        assert_eq!(kind("X", "", "", "Date et lieu"), None);
        assert_eq!(kind("Somme en lettres", "", " euros", ""), None);
        assert_eq!(kind("Conjoint", "", " (oui/non)", ""), Some(ValueKind::Choice));
        assert_eq!(kind("Conjoint", "", " (le père)", ""), None);
    }

    #[test]
    fn fields_are_grouped_by_headings_if_there_are_enough() {
        let fields: Vec<String> = (0..8).map(|number| format!("F{number}")).collect();
        let under = |headings: [&str; 8]| {
            let around = fields.iter().zip(headings).map(|(field, heading)| FieldContext {
                field: field.clone(),
                heading: heading.into(),
                ..FieldContext::default()
            });
            let guessed = detect_settings(&fields, &around.collect::<Vec<_>>());
            guessed.into_iter().map(|help| (help.field, help.group.unwrap_or_default())).collect::<Vec<_>>()
        };
        let grouped = under(["", "A:", "A:", "A:", "B", "B", "B", "B"]);
        assert_eq!(grouped.len(), 7);
        assert_eq!((grouped[0].1.as_str(), grouped[6].1.as_str()), ("A", "B"));
        assert_eq!(under(["A"; 8]), []);
        assert_eq!(under(["A", "B", "C", "D", "E", "F", "G", "H"]), []);
        assert_eq!(detect_settings(&fields[..5], &[]), []);
    }

    #[test]
    fn the_size_of_detected_settings_is_limited() {
        let fields: Vec<String> = (0..2_000).map(|number| format!("{}_{number:0>60}", "تاريخ_العقد_رقم")).collect();
        let guessed = detect_settings(&fields, &[]);
        assert!(!guessed.is_empty() && serde_json::to_vec(&guessed).unwrap().len() < 2 * MAX_BYTES);
    }
}
