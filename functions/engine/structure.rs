//! The types of the fields of a template.

use waraq_core::field_settings::FieldSettings;
use waraq_engine::Package;
use waraq_rules::{DeclaredType, DeclaredTypes, FieldType, Structure, StructuredField, name};

/// Returns the fields of a template with their types. The kinds in `settings` override the types that the document suggests.
/// A kind that is impossible for a field is ignored: only a section can be a list or a yes/no field.
pub(super) fn structure(template: &Package, settings: &[FieldSettings]) -> waraq_engine::Result<Structure> {
    let suggested = waraq_engine::structure(template, &DeclaredTypes::new())?;
    let declared = declared_types(settings, &suggested.0);
    if declared.is_empty() { Ok(suggested) } else { waraq_engine::structure(template, &declared) }
}

/// Returns the types that `settings` declare. `suggested` has the types that the document suggests for the same fields.
fn declared_types(settings: &[FieldSettings], suggested: &[StructuredField]) -> DeclaredTypes {
    let mut declared = DeclaredTypes::new();
    for setting in settings {
        let field = name::normalize(&setting.field);
        let known = suggested.iter().find(|known| known.name == field);
        let columns = setting.columns.as_deref().unwrap_or_default();
        let columns = declared_types(columns, known.map(|known| &*known.columns).unwrap_or_default());
        let field_type = match (setting.kind, known) {
            (Some(kind), None) => kind.field_type(),
            (Some(kind), Some(known)) if is_section(kind.field_type()) == is_section(known.field_type) => {
                kind.field_type()
            }
            // The settings of columns say that the field is a list.
            (_, Some(known)) if !columns.is_empty() => known.field_type,
            _ => continue,
        };
        declared.insert(field, DeclaredType { field_type, columns });
    }
    declared
}

fn is_section(field_type: FieldType) -> bool {
    matches!(field_type, FieldType::List | FieldType::YesNo)
}

#[cfg(test)]
mod tests {
    use waraq_core::field_settings::ValueKind;

    use super::*;

    fn setting(field: &str, kind: Option<ValueKind>, columns: Vec<FieldSettings>) -> FieldSettings {
        FieldSettings { kind, columns: Some(columns), ..FieldSettings::empty(field) }
    }

    fn section(name: &str, field_type: FieldType) -> StructuredField {
        StructuredField { name: name.to_owned(), field_type, columns: vec![StructuredField::text("photo")] }
    }

    #[test]
    fn possible_kinds_are_declared() {
        let suggested =
            [section("items", FieldType::List), section("paid", FieldType::YesNo), StructuredField::text("name")];
        let photo = || vec![setting("photo", Some(ValueKind::Picture), Vec::new())];
        let settings = [
            setting(" items ", None, photo()),
            setting("paid", Some(ValueKind::List), photo()),
            setting("name", Some(ValueKind::List), Vec::new()),
        ];
        let columns = || {
            DeclaredTypes::from([(
                "photo".to_owned(),
                DeclaredType { field_type: FieldType::Picture, columns: DeclaredTypes::new() },
            )])
        };
        let list = || DeclaredType { field_type: FieldType::List, columns: columns() };
        let expected = DeclaredTypes::from([("items".to_owned(), list()), ("paid".to_owned(), list())]);
        assert_eq!(declared_types(&settings, &suggested), expected);
        let wrong = [setting("items", Some(ValueKind::Text), Vec::new())];
        assert!(declared_types(&wrong, &suggested).is_empty());
    }
}
