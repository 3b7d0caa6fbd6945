//! Settings of lists and their columns: merging, the settings in the form, and detection.

use std::collections::BTreeMap;

use waraq_rules::derivation::{Currency, Derivation};
use waraq_rules::field_settings::{
    FieldContext, FieldSettings, SettingName, ShownFieldSettings, TemplateFieldSettings, ValueKind,
    detect_structure_settings,
};
use waraq_rules::{FieldType, Structure, StructuredField};

fn field(name: &str, field_type: FieldType, columns: &[StructuredField]) -> StructuredField {
    StructuredField { name: name.to_owned(), field_type, columns: columns.to_vec() }
}

fn list(name: &str, columns: &[&str]) -> StructuredField {
    let columns: Vec<StructuredField> = columns.iter().map(|name| StructuredField::text(*name)).collect();
    field(name, FieldType::List, &columns)
}

fn label(name: &str, label: &str) -> FieldSettings {
    FieldSettings { label: Some(label.to_owned()), ..FieldSettings::empty(name) }
}

fn with_columns(name: &str, columns: &[FieldSettings]) -> FieldSettings {
    FieldSettings { columns: Some(columns.to_vec()), ..FieldSettings::empty(name) }
}

fn sum(of: &[&str]) -> Derivation {
    Derivation::Sum { of: of.iter().map(|&name| name.to_owned()).collect(), currency: Some(Currency::Eur) }
}

#[test]
fn kinds_decide_the_type_of_values() {
    for (kind, field_type) in [
        ("yes_no", FieldType::YesNo),
        ("list", FieldType::List),
        ("picture", FieldType::Picture),
        ("signature", FieldType::Signature),
        ("qr_code", FieldType::QrCode),
        ("long_text", FieldType::Text),
        ("choice", FieldType::Text),
    ] {
        let read: ValueKind = serde_json::from_str(&format!("\"{kind}\"")).unwrap();
        assert_eq!(read.field_type(), field_type, "{kind}");
        assert_eq!(ValueKind::of_type(field_type).field_type(), field_type);
    }
}

#[test]
fn the_json_of_settings_is_stable() {
    for kept in [
        r#"{"field":"Date","label":"Day","kind":"date"}"#,
        r#"{"field":"items","columns":[{"field":"price","kind":"amount"}],"minRows":1,"maxRows":20}"#,
        r#"{"field":"logo","kind":"picture","maxWidth":60,"maxHeight":30}"#,
    ] {
        let settings: FieldSettings = serde_json::from_str(kept).unwrap();
        assert_eq!(serde_json::to_string(&settings).unwrap(), kept);
    }
}

#[test]
fn settings_of_columns_are_completed_by_detected_ones() {
    let structure = Structure(vec![list("items", &["qty", "price", "total"]), StructuredField::text("total")]);
    let settings = TemplateFieldSettings {
        overridden: vec![FieldSettings {
            min_rows: Some(1),
            max_rows: Some(20),
            ..with_columns(
                "items",
                &[
                    FieldSettings { kind: Some(ValueKind::Amount), ..FieldSettings::empty("price") },
                    FieldSettings { derivation: Some(sum(&["qty"])), ..FieldSettings::empty("total") },
                ],
            )
        }],
        detected: vec![FieldSettings {
            label: Some("Items".into()),
            ..with_columns("items", &[label("price", "Unit price"), label("qty", "Quantity")])
        }],
    };
    let shown = settings.for_structure(&structure);
    let items = &shown[0];
    assert_eq!(
        (items.label.as_str(), items.kind, items.min_rows, items.max_rows),
        ("Items", ValueKind::List, Some(1), Some(20))
    );
    assert_eq!(items.overridden, [SettingName::MinRows, SettingName::MaxRows]);
    assert_eq!(items.detected, Some(label("items", "Items")));
    let columns: Vec<(&str, &str, ValueKind, usize)> = items
        .columns
        .iter()
        .map(|column| (column.field.as_str(), column.label.as_str(), column.kind, column.overridden.len()))
        .collect();
    assert_eq!(
        columns,
        [
            ("qty", "Quantity", ValueKind::Text, 0),
            ("price", "Unit price", ValueKind::Amount, 1),
            ("total", "", ValueKind::Text, 1)
        ]
    );
    assert_eq!(items.columns[1].detected, Some(label("price", "Unit price")));
    let derivations: Vec<String> = settings.derivations().into_keys().collect();
    assert_eq!(derivations, ["items[].total"]);
    assert_eq!(settings.derivations_in(&structure), settings.derivations());
    assert!(settings.derivations_in(&Structure::of_texts(["items", "total"])).is_empty());
    // Settings read back from their JSON are the same, and the form of a text field did not change.
    let json = serde_json::to_string(&shown).unwrap();
    assert_eq!(serde_json::from_str::<Vec<ShownFieldSettings>>(&json).unwrap(), shown);
    assert_eq!(serde_json::to_string(&shown[1]).unwrap(), r#"{"field":"total","kind":"text"}"#);
    // `or` keeps own settings and adds missing columns.
    let merged = settings.overridden[0].clone().or(settings.detected[0].clone());
    let names: Vec<&str> = merged.columns.iter().flatten().map(|column| column.field.as_str()).collect();
    assert_eq!(names, ["price", "total", "qty"]);
}

#[test]
fn the_type_of_a_field_decides_its_kind() {
    let structure = Structure(vec![
        StructuredField::text("a"),
        field("b", FieldType::YesNo, &[]),
        field("c", FieldType::Signature, &[]),
        StructuredField::text("d"),
    ]);
    let kind = |name: &str, kind| FieldSettings { kind: Some(kind), ..FieldSettings::empty(name) };
    let overridden = vec![kind("a", ValueKind::List), kind("b", ValueKind::Date), kind("d", ValueKind::Date)];
    let shown = TemplateFieldSettings { overridden, detected: Vec::new() }.for_structure(&structure);
    let kinds: Vec<ValueKind> = shown.iter().map(|settings| settings.kind).collect();
    assert_eq!(kinds, [ValueKind::Text, ValueKind::YesNo, ValueKind::Signature, ValueKind::Date]);
}

#[test]
fn settings_of_lists_follow_a_new_version() {
    let derived = |name: &str, of: &[&str]| FieldSettings { derivation: Some(sum(of)), ..FieldSettings::empty(name) };
    let list_sum =
        |list: &str| Derivation::ListSum { list: list.into(), column: "total".into(), currency: Some(Currency::Eur) };
    let settings = TemplateFieldSettings {
        overridden: vec![
            with_columns(
                "items",
                &[label("gone", "Gone"), derived("total", &["price", "rate"]), derived("other", &["gone"])],
            ),
            FieldSettings { derivation: Some(list_sum("items")), ..FieldSettings::empty("sum") },
            FieldSettings { max_rows: Some(3), ..with_columns("was a list", &[label("x", "X")]) },
        ],
        detected: Vec::new(),
    };
    let structure = Structure(vec![
        StructuredField::text("sum"),
        list("lines", &["price", "total", "other"]),
        StructuredField::text("Rate"),
        StructuredField::text("was a list"),
    ]);
    let renamed = BTreeMap::from([("items", "lines"), ("rate", "Rate"), ("price", "not a column")])
        .into_iter()
        .map(|(old, new)| (old.to_owned(), new.to_owned()))
        .collect();
    let moved = settings.overridden_for(&structure, &renamed);
    assert_eq!(
        moved,
        [
            FieldSettings { derivation: Some(list_sum("lines")), ..FieldSettings::empty("sum") },
            with_columns("lines", &[derived("total", &["price", "Rate"])]),
        ]
    );
    let after = TemplateFieldSettings { overridden: moved, detected: Vec::new() };
    let mut without = after.clone();
    without.remove_derivations();
    assert!(without.derivations().is_empty());
    assert_eq!(without.changed_fields(&after), ["sum", "lines"]);
}

/// Fields and columns with their headings, and the detected label and kind. A name before a dot is a list.
#[test]
fn settings_of_columns_are_detected() {
    use ValueKind::*;
    for (name, heading, expected_label, expected_kind) in [
        ("qty", "Quantity", "Quantity", Some(Number)),
        ("price", "Unit price (MAD)", "Unit price (MAD)", Some(Amount)),
        ("p", "Prix unitaire", "Prix unitaire", Some(Amount)),
        ("c3", "المجموع", "المجموع", Some(Amount)),
        ("الكمية", "", "", Some(Number)),
        ("heures", "Heures", "Heures", Some(Number)),
        ("d", "Date:", "Date", Some(Date)),
        ("vat", "VAT %", "VAT %", Some(Number)),
        ("unit_price", "", "Unit price", Some(Amount)),
        // The texts of table cells are short.
        ("description", "Description", "Description", None),
        ("description", "", "", Some(LongText)),
        ("note", "{{x}}", "", None),
        ("note", "A heading that is much too long for the label of a column", "", None),
        ("note", "—", "", None),
    ] {
        let structure = Structure(vec![list("items", &[name])]);
        let context =
            FieldContext { field: name.to_owned(), cell_label: heading.to_owned(), ..FieldContext::default() };
        let detected = detect_structure_settings(&structure, std::slice::from_ref(&context), None);
        let column = |settings: &[FieldSettings]| {
            let column = settings[0].columns.iter().flatten().next().cloned();
            column.map(|column| (column.label.unwrap_or_default(), column.kind)).unwrap_or_default()
        };
        assert_eq!(column(&detected), (expected_label.to_owned(), expected_kind), "{name} {heading}");
        // The context of a column may have its path.
        let context = FieldContext { field: format!("items[].{name}"), ..context };
        assert_eq!(detect_structure_settings(&structure, &[context], None), detected);
    }
    // A heading over two columns is the label of neither.
    let structure = Structure(vec![list("items", &["a", "b"])]);
    let context =
        |name: &str| FieldContext { field: name.into(), cell_label: "Article".into(), ..FieldContext::default() };
    let detected = detect_structure_settings(&structure, &[context("a"), context("b")], None);
    assert_eq!(detected, [label("items", "Items")]);
}

#[test]
fn labels_of_lists_and_yes_no_fields_are_detected() {
    let detected = |field: StructuredField, language: Option<&str>| {
        let settings = detect_structure_settings(&Structure(vec![field]), &[], language);
        settings.first().and_then(|settings| settings.label.clone()).unwrap_or_default()
    };
    for (name, language, expected) in [
        ("guarantor", None, "Guarantor: include?"),
        ("guarantor", Some("en-GB"), "Guarantor: include?"),
        ("with_deposit", None, "Deposit: include?"),
        ("hasDeposit", None, "Deposit: include?"),
        ("is_company", None, "Is company?"),
        ("garant", None, "Garant\u{a0}: inclure\u{a0}?"),
        ("avec_dépôt", None, "Dépôt\u{a0}: inclure\u{a0}?"),
        ("option", Some("fr"), "Option\u{a0}: inclure\u{a0}?"),
        ("ضامن", None, "ضامن: هل يُدرج؟"),
        ("مع_كفيل", None, "كفيل: هل يُدرج؟"),
        ("clause", Some("ar"), "Clause: هل يُدرج؟"),
    ] {
        assert_eq!(detected(field(name, FieldType::YesNo, &[]), language), expected, "{name}");
    }
    for (name, expected) in [("items", "Items"), ("order_lines", "Order lines"), ("Articles", ""), ("البنود", "")]
    {
        assert_eq!(detected(list(name, &[]), None), expected, "{name}");
    }
    let entries = detect_structure_settings(&Structure(vec![list("skills", &["."])]), &[], None);
    assert_eq!(entries, [FieldSettings { columns: Some(vec![label(".", "Skills")]), ..label("skills", "Skills") }]);
}

#[test]
fn the_size_of_detected_columns_is_limited() {
    let columns: Vec<String> = (0..2_000).map(|number| format!("unit_price_{number:0>60}")).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let detected = detect_structure_settings(&Structure(vec![list("items", &columns)]), &[], None);
    assert!(serde_json::to_vec(&detected).unwrap().len() < 200_000);
    assert!(detected[0].columns.as_ref().is_some_and(|columns| columns.len() > 100));
}
