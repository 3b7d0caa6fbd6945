//! What derived fields say, as the form shows it while it is filled in.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use waraq_rules::derivation::{Derivations, Setting, Unsaid, fill_in};
use waraq_rules::{Refused, Values};

/// What they are made of.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeriveRequest {
    pub derivations: Derivations,
    /// The template's (BCP 47).
    pub language: String,
    /// The template's (ISO 3166).
    pub country: Option<String>,
    pub values: BTreeMap<String, String>,
}

/// What they say.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Derived {
    /// Every value, with theirs.
    pub values: BTreeMap<String, String>,
    /// Those that nobody has typed.
    pub derived: BTreeMap<String, Said>,
}

/// What one says, or why nothing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Said {
    Text(String),
    Unsaid(Unsaid),
}

/// As the server makes them when it fills a template.
///
/// # Errors
/// Those of [`Values::from_pairs`].
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
