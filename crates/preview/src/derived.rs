//! Computes the values of derived fields, which a form shows while a user fills it in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use waraq_rules::derivation::{Derivations, Setting, Unsaid, fill_in};
use waraq_rules::{Refused, Values};

/// The input of [`derive`].
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeriveRequest {
    /// The derivations of the template, by field.
    pub derivations: Derivations,
    /// The language of the template (BCP 47).
    pub language: String,
    /// The country of the template (ISO 3166).
    pub country: Option<String>,
    /// The values that the user typed, by field.
    pub values: BTreeMap<String, String>,
}

/// The result of [`derive`].
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Derived {
    /// All values by field, including those of derived fields.
    pub values: BTreeMap<String, String>,
    /// The results of the derived fields that the user has not filled in.
    pub derived: BTreeMap<String, Said>,
}

/// The result of a derived field: its text, or the reason why it has none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Said {
    /// The derived text.
    Text(String),
    /// The reason why the field has no value.
    #[serde(rename = "unsaid")]
    Unsaid(Unsaid),
}

/// Returns the values of derived fields, as the server computes them when it fills a template.
///
/// # Errors
/// The errors of [`Values::from_pairs`].
pub fn derive(request: DeriveRequest) -> Result<Derived, Refused> {
    let setting = Setting { language: &request.language, country: request.country.as_deref() };
    let mut values = Values::from_pairs(request.values)?;
    let derived = fill_in(&mut values, &request.derivations, &setting);
    let said = |said: Result<String, Unsaid>| said.map_or_else(Said::Unsaid, Said::Text);
    Ok(Derived {
        values: values.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        derived: derived.into_iter().map(|(field, outcome)| (field, said(outcome))).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_and_what_is_not() {
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
}
