//! Derived values: an amount in words, a date in words, a sum.
//!
//! An admin defines how a field is derived from others ([`Derivation`]), and users need not type it. The server, the
//! command line and the browser all call [`derive_values()`], so the form shows the same text as the document. A value that a
//! user types into a derived field replaces the derived value until the user clears it. If a source value can be read in two
//! ways or not at all, the derived field stays empty and the reason is a [`NoValueReason`]. So a contract never contains a wrong amount.
//!
//! ```
//! use waraq_rules::derivation::{Case, Currency, Derivation, TemplateLocale, derive_values};
//!
//! let words = Derivation::AmountInWords { of: "Loyer".into(), currency: Some(Currency::Mad), case: Case::Nominative };
//! let derivations = [("Loyer en lettres".to_owned(), words)].into();
//! let locale = TemplateLocale { language: "fr", country: Some("MA") };
//! let derived = derive_values(&derivations, &locale, |field| (field == "Loyer").then_some("4 580,50 DH"));
//! assert_eq!(
//!     derived["Loyer en lettres"],
//!     Ok("quatre-mille-cinq-cent-quatre-vingts dirhams et cinquante centimes".to_owned())
//! );
//! ```

mod amount;
mod currency;
mod date;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub(crate) use amount::parse_decimal;
pub use amount::{Decimal, parse_amount};
pub use currency::Currency;
pub use date::parse_date_time;
pub(crate) use date::parse_time;
pub use words::{Case, Language, MAX_IN_WORDS, cardinal};
pub(crate) use words::{french::ordinal as french_ordinal, ordinal};

use self::date::{date_in_words, parse_date};
use crate::{ErrorCode, RuleViolation, Values, is_empty};

/// Maximum number of fields in a sum.
pub const MAX_SOURCES: usize = 100;

/// Maximum number of derived fields in a template.
pub const MAX_DERIVATIONS: usize = 100;

/// The way in which the value of a field is derived from other fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum Derivation {
    /// An amount in words, in the language of the template.
    AmountInWords {
        /// The field with the amount.
        of: String,
        /// The currency of the amount. Without a currency, only the number is written in words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
        /// The grammatical case of Arabic words. Other languages ignore it. The default is nominative.
        #[serde(default)]
        case: Case,
    },
    /// A date in words, in the language of the template.
    DateInWords {
        /// The field with the date.
        of: String,
        /// The grammatical case of Arabic words. Other languages ignore it. The default is nominative.
        #[serde(default)]
        case: Case,
    },
    /// The sum of amounts, in digits. Empty fields are ignored.
    Sum {
        /// The fields with the amounts.
        of: Vec<String>,
        /// The common currency of the amounts. The sum has the number of decimals of this currency. Without a currency,
        /// the sum has as many decimals as the amount with the most decimals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
    },
}

impl Derivation {
    /// Returns the names of the source fields, from which the value is derived.
    pub fn sources(&self) -> &[String] {
        match self {
            Self::AmountInWords { of, .. } | Self::DateInWords { of, .. } => std::slice::from_ref(of),
            Self::Sum { of, .. } => of,
        }
    }

    /// Returns the names of the source fields, so that the caller can rename them.
    pub fn sources_mut(&mut self) -> &mut [String] {
        match self {
            Self::AmountInWords { of, .. } | Self::DateInWords { of, .. } => std::slice::from_mut(of),
            Self::Sum { of, .. } => of,
        }
    }
}

/// The derivations of a template, by the name of the derived field.
pub type Derivations = BTreeMap<String, Derivation>;

/// The language and country of a template. They determine the format of numbers, and the language of amounts and dates
/// in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TemplateLocale<'a> {
    /// The language of the template, as a BCP 47 tag.
    pub language: &'a str,
    /// The country of the template (ISO 3166). `None` if the template is not specific to a country.
    pub country: Option<&'a str>,
}

impl TemplateLocale<'_> {
    fn language(&self) -> Option<Language> {
        Language::from_code(self.language)
    }
}

/// The reason why a derived field has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", schema(as = Unsaid))]
pub enum NoValueReason {
    /// The source fields are empty.
    Empty,
    /// The value of the source field is not an amount.
    NoAmount,
    /// A point or a comma could be the decimal separator or the group separator.
    AmbiguousAmount,
    /// The amount is in another currency than the one that the derivation requires.
    OtherCurrency,
    /// The amount has more decimals than the currency allows.
    TooPrecise,
    /// The amount is too large to be written in words.
    TooLarge,
    /// The amount is negative, which cannot be written in words.
    Negative,
    /// The value of the source field is not a date of the Gregorian calendar from 1700 to 2999.
    NoDate,
    /// The date does not show which number is the day and which is the month.
    AmbiguousDate,
    /// The language of the template is not supported.
    NoLanguage,
}

impl std::fmt::Display for NoValueReason {
    /// Writes the reason as in JSON, such as `no_amount`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// Checks that all derivations are valid: the fields exist, no field depends on itself directly or indirectly, and no
/// limit is exceeded.
///
/// # Errors
/// - [`ErrorCode::DerivationSource`], with the names that are not fields.
/// - [`ErrorCode::DerivationCycle`], with the fields of a cycle and the fields that depend on a cycle.
/// - [`ErrorCode::InvalidDerivation`], with the fields that have no source, too many sources or the same source twice. If
///   there are more than [`MAX_DERIVATIONS`] derivations, the error lists no fields.
pub fn check<F: AsRef<str>>(derivations: &Derivations, fields: &[F]) -> Result<(), RuleViolation> {
    if derivations.len() > MAX_DERIVATIONS {
        let message = format!("A template can have at most {MAX_DERIVATIONS} derived fields.");
        let refused = RuleViolation::new(ErrorCode::InvalidDerivation, message, [""; 0]);
        return Err(RuleViolation { limit: Some(MAX_DERIVATIONS), ..refused });
    }
    let known: BTreeSet<&str> = fields.iter().map(AsRef::as_ref).collect();
    let bad = |derivation: &Derivation| {
        let sources = derivation.sources();
        let each_once = sources.iter().collect::<BTreeSet<_>>().len() == sources.len();
        !(1..=MAX_SOURCES).contains(&sources.len()) || !each_once
    };
    let named = |wrong: &dyn Fn(&str, &Derivation) -> bool| -> Vec<&str> {
        derivations.iter().filter(|(name, made)| wrong(name, made)).map(|(name, _)| name.as_str()).collect()
    };
    let wrong = named(&|_, made| bad(made));
    if !wrong.is_empty() {
        let message = format!("A derived field must have 1 to {MAX_SOURCES} source fields, each once.");
        return Err(RuleViolation {
            limit: Some(MAX_SOURCES),
            ..RuleViolation::new(ErrorCode::InvalidDerivation, message, wrong)
        });
    }
    let sources = derivations.values().flat_map(Derivation::sources).map(String::as_str);
    let unknown: BTreeSet<&str> =
        sources.chain(derivations.keys().map(String::as_str)).filter(|name| !known.contains(name)).collect();
    if !unknown.is_empty() {
        let message = "A derived field or one of its sources is not a field of the template.";
        return Err(RuleViolation::new(ErrorCode::DerivationSource, message, unknown));
    }
    let round = fields_in_cycles(derivations);
    if !round.is_empty() {
        let message = "Derived fields depend on each other.";
        return Err(RuleViolation::new(ErrorCode::DerivationCycle, message, round));
    }
    Ok(())
}

/// Returns the derived fields that are part of a cycle or depend on one.
fn fields_in_cycles(derivations: &Derivations) -> Vec<&str> {
    let mut waiting: BTreeSet<&str> = derivations.keys().map(String::as_str).collect();
    loop {
        let ready: Vec<&str> = waiting
            .iter()
            .filter(|name| {
                let sources = derivations.get(**name).map(Derivation::sources).unwrap_or_default();
                sources.iter().all(|source| !waiting.contains(source.as_str()))
            })
            .copied()
            .collect();
        if ready.is_empty() {
            return waiting.into_iter().collect();
        }
        for name in ready {
            waiting.remove(name);
        }
    }
}

/// The value of a derived field during the computation.
#[derive(Debug, Clone)]
struct ComputedValue {
    text: String,
    /// The number, if the field is a sum, otherwise `None`. Fields that depend on the sum use this number and do not
    /// parse the text.
    decimal: Option<Decimal>,
}

/// The value of each derived field by its name, or the reason why it has no value.
pub type DerivedValues = BTreeMap<String, Result<String, NoValueReason>>;

/// Derives the fields that have no value in `values`, and writes the results into `values`. A field that cannot be
/// derived becomes empty. Returns the results, with the reasons for fields that cannot be derived.
pub fn fill_derived_values(values: &mut Values, derivations: &Derivations, setting: &TemplateLocale) -> DerivedValues {
    for field in derivations.keys() {
        values.insert_missing(field);
    }
    let derived = derive_values(derivations, setting, |field| values.get(field));
    for (field, said) in &derived {
        if let Ok(said) = said {
            values.replace(field, said);
        }
    }
    derived
}

/// Derives the values of all derived fields except those into which the user has typed a value. `value` returns what
/// the user typed into a field. Each result is a text, or the reason why the field has no value. A value that the user
/// typed into a derived field is also used by the fields that depend on this field.
pub fn derive_values<'a>(
    derivations: &Derivations,
    setting: &TemplateLocale,
    value: impl Fn(&str) -> Option<&'a str>,
) -> DerivedValues {
    let mut said: BTreeMap<&str, Result<ComputedValue, NoValueReason>> = BTreeMap::new();
    let mut waiting: Vec<(&String, &Derivation)> = derivations.iter().collect();
    // Each round derives the fields whose sources are not waiting for their own value. Fields in a cycle get no value.
    loop {
        let names: BTreeSet<&str> = waiting.iter().map(|(name, _)| name.as_str()).collect();
        let (later, now): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|(_, derivation)| derivation.sources().iter().any(|source| names.contains(source.as_str())));
        if now.is_empty() {
            said.extend(later.into_iter().map(|(name, _)| (name.as_str(), Err(NoValueReason::Empty))));
            break;
        }
        for (name, derivation) in now {
            let made = compute(derivation, setting, |source| match value(source).filter(|typed| !is_empty(typed)) {
                Some(typed) => SourceValue::Typed(typed),
                None => match said.get(source) {
                    Some(Ok(ComputedValue { decimal: Some(decimal), .. })) => SourceValue::Sum(*decimal),
                    Some(Ok(_)) => SourceValue::Words,
                    Some(Err(why)) => SourceValue::Missing(*why),
                    None => SourceValue::Missing(NoValueReason::Empty),
                },
            });
            said.insert(name, made);
        }
        waiting = later;
    }
    let own = said.into_iter().filter(|(name, _)| value(name).is_none_or(is_empty));
    own.map(|(name, said)| (name.to_owned(), said.map(|said| said.text))).collect()
}

/// The value of a source field.
enum SourceValue<'a> {
    /// The user typed a value.
    Typed(&'a str),
    /// The field is a derived sum.
    Sum(Decimal),
    /// The field contains an amount or a date in words, derived from other fields. No value can be derived from words.
    Words,
    /// The field is empty or has no derived value.
    Missing(NoValueReason),
}

fn compute<'a>(
    derivation: &Derivation,
    setting: &TemplateLocale,
    source: impl Fn(&str) -> SourceValue<'a>,
) -> Result<ComputedValue, NoValueReason> {
    let amount = |of: &str, currency: Option<Currency>| match source(of) {
        SourceValue::Typed(typed) => parse_amount(typed, currency, setting),
        SourceValue::Sum(decimal) => Ok(decimal),
        SourceValue::Words => Err(NoValueReason::NoAmount),
        SourceValue::Missing(why) => Err(why),
    };
    let language = setting.language().ok_or(NoValueReason::NoLanguage)?;
    let words = |text: String| ComputedValue { text, decimal: None };
    match derivation {
        Derivation::AmountInWords { of, currency: Some(currency), case } => {
            currency.in_words(amount(of, Some(*currency))?, language, *case, setting).map(words)
        }
        Derivation::AmountInWords { of, currency: None, case } => {
            let (whole, _) = amount(of, None)?.whole_and_fraction(0)?;
            cardinal(whole, language, *case).map(words).ok_or(NoValueReason::TooLarge)
        }
        Derivation::DateInWords { of, case } => {
            let SourceValue::Typed(typed) = source(of) else {
                return Err(if let SourceValue::Missing(why) = source(of) { why } else { NoValueReason::NoDate });
            };
            date_in_words(parse_date(typed, setting)?, *case, setting).map(words).ok_or(NoValueReason::NoLanguage)
        }
        Derivation::Sum { of, currency } => {
            let mut sum: Option<Decimal> = None;
            for field in of {
                let one = match amount(field, *currency) {
                    Err(NoValueReason::Empty) => continue,
                    one => one?,
                };
                sum = Some(match sum {
                    Some(sum) => sum.checked_add(one).ok_or(NoValueReason::TooLarge)?,
                    None => one,
                });
            }
            let sum = sum.ok_or(NoValueReason::Empty)?;
            let decimals = currency.map_or(sum.decimals(), Currency::decimals);
            Ok(ComputedValue { text: sum.format(decimals, setting), decimal: Some(sum) })
        }
    }
}
