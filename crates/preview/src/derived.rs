//! Computes the values of derived fields, which a form shows while a user fills it in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use waraq_rules::derivation::{Derivations, NoValueReason, TemplateLocale, fill_derived_values};
use waraq_rules::{RuleViolation, Value, Values};

/// The input of [`derive()`]: derivations, language, country and the values that the user typed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeriveRequest {
    /// The derivation of each derived field, by the name of the field. The key of a derived column is its path, such as
    /// `items[].total`.
    pub derivations: Derivations,
    /// The language of the template (BCP 47).
    pub language: String,
    /// The country of the template (ISO 3166). `None` if the template is not specific to a country.
    pub country: Option<String>,
    /// The values that the user typed, by the name of the field.
    pub values: BTreeMap<String, Value>,
}

/// The result of [`derive()`]: the values of all fields, and the outcome for each derived field that the user has not
/// filled in.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeriveResponse {
    /// The values of all fields, typed and derived, by the name of the field.
    pub values: BTreeMap<String, Value>,
    /// The results of the derived fields and columns that the user has not filled in, by the name of the field. The key of a
    /// column in the fourth row is `items[3].total`.
    pub derived: BTreeMap<String, DerivedValue>,
}

/// The result of a derived field: its text, or the reason why it has none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum DerivedValue {
    /// The derived text.
    Text(String),
    /// The reason why the field has no value.
    #[serde(rename = "unsaid")]
    Missing(NoValueReason),
}

/// Returns the values of derived fields and columns, as the server computes them when it fills a template.
///
/// # Errors
/// The errors of [`Values::from_pairs`] and [`Values::check_row_counts`].
pub fn derive(request: DeriveRequest) -> Result<DeriveResponse, RuleViolation> {
    let setting = TemplateLocale { language: &request.language, country: request.country.as_deref() };
    let mut values = Values::from_pairs(request.values)?;
    values.check_row_counts()?;
    let derived = fill_derived_values(&mut values, &request.derivations, &setting);
    let said = |said: Result<String, NoValueReason>| said.map_or_else(DerivedValue::Missing, DerivedValue::Text);
    Ok(DeriveResponse {
        values: values.iter().map(|(name, value)| (name.to_owned(), value.clone())).collect(),
        derived: derived.into_iter().map(|(field, outcome)| (field, said(outcome))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_reasons_are_written_as_json() {
        let request = r#"{
            "derivations": {
                "words": { "kind": "amount_in_words", "of": "amount", "currency": "MAD" },
                "day": { "kind": "date_in_words", "of": "date" }
            },
            "language": "fr", "country": "MA", "values": { "amount": "80 DH", "date": "demain", "words": "" }
        }"#;
        let derived = derive(serde_json::from_str(request).unwrap()).unwrap();
        assert_eq!(
            serde_json::to_value(derived).unwrap(),
            serde_json::json!({
                "values": { "amount": "80 DH", "date": "demain", "words": "quatre-vingts dirhams", "day": "" },
                "derived": { "words": { "text": "quatre-vingts dirhams" }, "day": { "unsaid": "no_date" } },
            })
        );
    }

    #[test]
    fn columns_of_lists_are_derived() {
        let request = r#"{
            "derivations": {
                "items[].total": { "kind": "product", "of": ["n", "price"], "currency": "EUR" },
                "sum": { "kind": "list_sum", "list": "items", "column": "total", "currency": "EUR" }
            },
            "language": "en", "values": { "items": [{ "n": 3, "price": "1.5" }, { "n": "" }, { "total": "2" }] }
        }"#;
        let derived = derive(serde_json::from_str(request).unwrap()).unwrap();
        assert_eq!(
            serde_json::to_value(derived).unwrap(),
            serde_json::json!({
                "values": {
                    "items": [{ "n": "3", "price": "1.5", "total": "4.50" }, { "n": "", "total": "" }, { "total": "2" }],
                    "sum": "6.50"
                },
                "derived": {
                    "items[0].total": { "text": "4.50" }, "items[1].total": { "unsaid": "empty" },
                    "sum": { "text": "6.50" }
                },
            })
        );
        let rows = vec!["{}"; 501].join(",");
        let request = format!(r#"{{ "values": {{ "items": [{rows}] }} }}"#);
        let refused = derive(serde_json::from_str(&request).unwrap()).unwrap_err();
        assert_eq!(refused.code, waraq_rules::ErrorCode::TooManyRows);
    }

    #[test]
    fn numbers_in_values_keep_their_digits() {
        let request = r#"{ "values": { "a": 1234567.10, "b": 12345678901234567890123, "c": true, "e": 1e3 } }"#;
        let derived = derive(serde_json::from_str(request).unwrap()).unwrap();
        let values: Vec<&str> = derived.values.values().filter_map(Value::as_text).collect();
        assert_eq!(values, ["1234567.10", "12345678901234567890123", "1e3"]);
        let request: crate::LayoutRequest = serde_json::from_str(r#"{ "values": { "a": 0.10 } }"#).unwrap();
        assert_eq!(request.values, Some(BTreeMap::from([("a".to_owned(), "0.10".into())])));
        let unfilled: crate::LayoutRequest = serde_json::from_str(r#"{ "values": null }"#).unwrap();
        assert_eq!((unfilled.values, crate::LayoutRequest::default().values), (None, None));
        assert!(serde_json::from_str::<DeriveRequest>(r#"{ "values": { "a": null } }"#).is_err());
    }
}
