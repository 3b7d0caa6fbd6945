//! Moving a saved document to a newer version of its template.

use std::collections::BTreeMap;

use waraq_rules::field_settings::ShownFieldSettings;
use waraq_rules::{FieldType, Row, Structure, StructuredField, Value, Values};

use super::{NamedValues, SavedDocument, SavedDocumentService};
use crate::Result;
use crate::editing::original_field_names;
use crate::template::TemplateStatus;

/// A newer version of a document's template, and the effect on the document's values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewerTemplate {
    pub version: u32,
    pub structure: Structure,
    /// The field settings that the form shows for the newer version.
    pub help: Vec<ShownFieldSettings>,
    /// Fields of the document that have another name in the newer version, as (old name, new name). Their values are kept.
    pub renamed: Vec<(String, String)>,
    /// Fields of the newer version for which the document has no value.
    pub added: Vec<String>,
    /// Fields of the document whose values the newer version does not take: it has no such field, or a field of another type.
    pub dropped: Vec<String>,
    /// The document's values under the names and with the types of the newer version, without `added`.
    pub values: NamedValues,
}

impl SavedDocumentService<'_> {
    /// Returns the newest version of a document's template if the document has an older version and the template is active.
    /// Otherwise returns `None`.
    pub async fn newer_template(
        &self,
        document: &SavedDocument,
        values: &NamedValues,
    ) -> Result<Option<NewerTemplate>> {
        let row = self.templates.template_without_uses(&document.template.id).await?;
        let newer = row.filter(|row| row.status == TemplateStatus::Active && row.version > document.template.version);
        let Some(row) = newer else { return Ok(None) };
        let versions = self.templates.all_versions(&row.id).await?;
        let had: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
        let followed = original_field_names(&versions, document.template.version, row.version, &had);
        let structure = row.structure();
        let help = self.help(&row.id, row.version, &structure).await?;
        let mut newer = NewerTemplate {
            version: row.version,
            structure: structure.clone(),
            help,
            renamed: Vec::new(),
            added: Vec::new(),
            dropped: Vec::new(),
            values: Vec::new(),
        };
        let known: BTreeMap<&str, &Value> = values.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let mut kept = Vec::new();
        for field in structure.0 {
            let old = followed.get(&field.name);
            let moved = old.and_then(|old| moved_value(known.get(old.as_str())?, &field));
            let (Some(old), Some(value)) = (old, moved) else {
                newer.added.push(field.name);
                continue;
            };
            kept.push(old.clone());
            if *old != field.name {
                newer.renamed.push((old.clone(), field.name.clone()));
            }
            newer.values.push((field.name, value));
        }
        newer.dropped = had.into_iter().filter(|name| !kept.contains(name)).collect();
        Ok(Some(newer))
    }
}

/// Returns a value as `field` takes it, or `None` if its type does not fit. In a list, columns that `field` does not have are
/// removed, and missing columns are empty.
fn moved_value(value: &Value, field: &StructuredField) -> Option<Value> {
    let mut values = Values::default();
    values.set(&field.name, value.clone());
    values.convert_to(&Structure(vec![field.clone()]));
    fitted(values.value(&field.name)?.clone(), field)
}

fn fitted(value: Value, field: &StructuredField) -> Option<Value> {
    match (field.field_type, value) {
        (FieldType::Text | FieldType::QrCode, Value::Text(text)) => Some(Value::Text(text)),
        (FieldType::YesNo, Value::YesNo(yes)) => Some(Value::YesNo(yes)),
        (FieldType::Picture | FieldType::Signature, Value::Picture(picture)) => Some(Value::Picture(picture)),
        (FieldType::Picture | FieldType::Signature, Value::Text(text)) if waraq_rules::is_empty(&text) => {
            Some(Value::Text(String::new()))
        }
        (FieldType::List, Value::List(rows)) => {
            let row = |mut row: Row| {
                let column = |column: &StructuredField| {
                    let value = row.remove(&column.name).and_then(|value| fitted(value, column));
                    (column.name.clone(), value.unwrap_or_else(|| empty_value(column.field_type)))
                };
                field.columns.iter().map(column).collect()
            };
            Some(Value::List(rows.into_iter().map(row).collect()))
        }
        _ => None,
    }
}

/// Returns the value of a field that the user has left empty.
pub(crate) fn empty_value(field_type: FieldType) -> Value {
    match field_type {
        FieldType::YesNo => Value::YesNo(false),
        FieldType::List => Value::List(Vec::new()),
        FieldType::Text | FieldType::QrCode | FieldType::Picture | FieldType::Signature => Value::Text(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(json: &str) -> Value {
        Values::from_json(json.as_bytes()).unwrap().value("x").unwrap().clone()
    }

    fn field(field_type: FieldType, columns: &[(&str, FieldType)]) -> StructuredField {
        let column = |(name, field_type): &(&str, FieldType)| StructuredField {
            name: (*name).to_owned(),
            field_type: *field_type,
            columns: Vec::new(),
        };
        StructuredField { name: "x".into(), field_type, columns: columns.iter().map(column).collect() }
    }

    #[test]
    fn values_are_moved_to_the_types_of_the_newer_version() {
        let list = field(FieldType::List, &[("Item", FieldType::Text), ("Paid", FieldType::YesNo)]);
        let cases = [
            (r#"{"x": "Zoé"}"#, field(FieldType::Text, &[]), Some(r#"{"x": "Zoé"}"#)),
            (r#"{"x": true}"#, field(FieldType::Text, &[]), Some(r#"{"x": "true"}"#)),
            (r#"{"x": "oui"}"#, field(FieldType::YesNo, &[]), Some(r#"{"x": true}"#)),
            (r#"{"x": ""}"#, field(FieldType::YesNo, &[]), Some(r#"{"x": false}"#)),
            (r#"{"x": "Zoé"}"#, field(FieldType::YesNo, &[]), None),
            (r#"{"x": ""}"#, field(FieldType::Signature, &[]), Some(r#"{"x": ""}"#)),
            (r#"{"x": "Zoé"}"#, field(FieldType::Picture, &[]), None),
            (r#"{"x": ""}"#, list.clone(), Some(r#"{"x": []}"#)),
            (r#"{"x": "Zoé"}"#, list.clone(), None),
            (r#"{"x": []}"#, field(FieldType::Text, &[]), None),
            (
                r#"{"x": [{"Item": "Chair", "Paid": "yes"}, {"Price": "1"}, {"Item": [], "Paid": "Zoé"}]}"#,
                list,
                Some(
                    r#"{"x": [{"Item": "Chair", "Paid": true}, {"Item": "", "Paid": false}, {"Item": "", "Paid": false}]}"#,
                ),
            ),
        ];
        for (json, field, expected) in cases {
            assert_eq!(moved_value(&values(json), &field), expected.map(values), "{json}");
        }
    }
}
