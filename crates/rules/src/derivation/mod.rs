//! Values that are made of others: an amount in words, a date in words, a sum.
//!
//! An admin says of a field how it is made ([`Derivation`]); nobody then types it. The server, the command line and the browser all ask
//! [`derive`], so that the form shows what the document will say. What somebody types into such a field wins until he clears it. What
//! cannot be read with certainty is not said ([`Unsaid`]): the field stays as empty as it was typed, never a wrong amount in a contract.
//!
//! ```
//! use waraq_rules::derivation::{Case, Currency, Derivation, Setting, derive};
//!
//! let words = Derivation::AmountInWords { of: "Loyer".into(), currency: Some(Currency::Mad), case: Case::Nominative };
//! let derivations = [("Loyer en lettres".to_owned(), words)].into();
//! let setting = Setting { language: "fr", country: Some("MA") };
//! let said = derive(&derivations, &setting, |field| (field == "Loyer").then_some("4 580,50 DH"));
//! assert_eq!(
//!     said["Loyer en lettres"],
//!     Ok("quatre-mille-cinq-cent-quatre-vingts dirhams et cinquante centimes".to_owned())
//! );
//! ```

mod amount;
mod currency;
mod date;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

pub use amount::{Decimal, read as read_amount};
pub use currency::Currency;
pub use date::{in_words as date_in_words, months, read as read_date};
pub use words::{Case, LARGEST, Language, cardinal};

use crate::{ErrorCode, Refused, Values, is_empty};

/// Fields a sum is made of, at most.
pub const MAX_SOURCES: usize = 100;

/// Derived fields of a template, at most.
pub const MAX_DERIVATIONS: usize = 100;

/// How the value of a field is made of others'.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase", tag = "kind", deny_unknown_fields)]
pub enum Derivation {
    /// An amount in words, in the template's language.
    AmountInWords {
        /// The field that has the amount.
        of: String,
        /// The currency it is said in; without one the number alone is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
        #[serde(default)]
        case: Case,
    },
    /// A date in words, in the template's language.
    DateInWords {
        /// The field that has the date.
        of: String,
        #[serde(default)]
        case: Case,
    },
    /// The sum of amounts, in digits. Fields that are empty add nothing.
    Sum {
        /// The fields that have the amounts.
        of: Vec<String>,
        /// The currency the amounts are in, if all are in one: how many decimals the sum has.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
    },
}

impl Derivation {
    /// The fields it is made of.
    pub fn sources(&self) -> &[String] {
        match self {
            Self::AmountInWords { of, .. } | Self::DateInWords { of, .. } => std::slice::from_ref(of),
            Self::Sum { of, .. } => of,
        }
    }

    /// The fields it is made of, for one that gets another name.
    pub fn sources_mut(&mut self) -> &mut [String] {
        match self {
            Self::AmountInWords { of, .. } | Self::DateInWords { of, .. } => std::slice::from_mut(of),
            Self::Sum { of, .. } => of,
        }
    }
}

/// How derived fields are made, by the field.
pub type Derivations = BTreeMap<String, Derivation>;

/// Where a template is at home: how its numbers are written, and in which words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting<'a> {
    /// BCP 47.
    pub language: &'a str,
    /// ISO 3166.
    pub country: Option<&'a str>,
}

impl Setting<'_> {
    fn language(&self) -> Option<Language> {
        Language::from_code(self.language)
    }
}

/// Why a derived field says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unsaid {
    /// What it is made of is empty.
    Empty,
    /// That is no amount.
    NoAmount,
    /// A point or a comma could be either separator.
    AmbiguousAmount,
    /// The amount is in another currency.
    OtherCurrency,
    /// It has more decimals than its currency.
    TooPrecise,
    /// It is past what is said in words.
    TooLarge,
    /// It is below zero, which is not said in words.
    Negative,
    /// That is no date of the Gregorian calendar, from 1700 to 2999.
    NoDate,
    /// Day and month could be either way round.
    AmbiguousDate,
    /// There are no words in the template's language.
    NoLanguage,
}

impl std::fmt::Display for Unsaid {
    /// Its code.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// Refuses derivations that cannot be: of fields the template has not, of themselves in however many steps, of nothing, too many.
///
/// # Errors
/// [`ErrorCode::DerivationSource`] with the names that are no field's, [`ErrorCode::DerivationCycle`] with the fields that go round,
/// [`ErrorCode::InvalidDerivation`] with those that are made of nothing or of too much.
pub fn check<F: AsRef<str>>(derivations: &Derivations, fields: &[F]) -> Result<(), Refused> {
    if derivations.len() > MAX_DERIVATIONS {
        let message = format!("A template has at most {MAX_DERIVATIONS} fields that are made of others.");
        let refused = Refused::new(ErrorCode::InvalidDerivation, message, [""; 0]);
        return Err(Refused { limit: Some(MAX_DERIVATIONS), ..refused });
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
        let message = format!("A derived field is made of 1 to {MAX_SOURCES} fields, each once.");
        return Err(Refused { limit: Some(MAX_SOURCES), ..Refused::new(ErrorCode::InvalidDerivation, message, wrong) });
    }
    let sources = derivations.values().flat_map(Derivation::sources).map(String::as_str);
    let unknown: BTreeSet<&str> =
        sources.chain(derivations.keys().map(String::as_str)).filter(|name| !known.contains(name)).collect();
    if !unknown.is_empty() {
        let message = "A derived field, or what it is made of, is no field of the template.";
        return Err(Refused::new(ErrorCode::DerivationSource, message, unknown));
    }
    let round = in_cycles(derivations);
    if !round.is_empty() {
        let message = "Derived fields are made of each other in a circle.";
        return Err(Refused::new(ErrorCode::DerivationCycle, message, round));
    }
    Ok(())
}

/// The derived fields that never become ready, however many others are.
fn in_cycles(derivations: &Derivations) -> Vec<&str> {
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

/// What a derived field says.
#[derive(Debug, Clone)]
struct Said {
    text: String,
    /// What a sum comes to, so that nothing need be read back.
    decimal: Option<Decimal>,
}

/// What derived fields say, or why they say nothing.
pub type Derived = BTreeMap<String, Result<String, Unsaid>>;

/// Gives derived fields that nobody has typed the value they are made of; where there is none they are empty. Answers both.
pub fn fill_in(values: &mut Values, derivations: &Derivations, setting: &Setting) -> Derived {
    for field in derivations.keys() {
        values.insert_missing(field);
    }
    let derived = derive(derivations, setting, |field| values.get(field));
    for (field, said) in &derived {
        if let Ok(said) = said {
            values.replace(field, said);
        }
    }
    derived
}

/// What the derived fields that have no value of their own are made to say by the others' values: text, or why there is none. What is made
/// of a derived field that has a value goes by that value.
pub fn derive<'a>(derivations: &Derivations, setting: &Setting, value: impl Fn(&str) -> Option<&'a str>) -> Derived {
    let mut said: BTreeMap<&str, Result<Said, Unsaid>> = BTreeMap::new();
    let mut waiting: Vec<(&String, &Derivation)> = derivations.iter().collect();
    // Each round says those whose sources have been said; what goes round in circles stays unsaid.
    loop {
        let names: BTreeSet<&str> = waiting.iter().map(|(name, _)| name.as_str()).collect();
        let (later, now): (Vec<_>, Vec<_>) = waiting
            .into_iter()
            .partition(|(_, derivation)| derivation.sources().iter().any(|source| names.contains(source.as_str())));
        if now.is_empty() {
            said.extend(later.into_iter().map(|(name, _)| (name.as_str(), Err(Unsaid::Empty))));
            break;
        }
        for (name, derivation) in now {
            let made = make(derivation, setting, |source| match value(source).filter(|typed| !is_empty(typed)) {
                Some(typed) => Source::Typed(typed),
                None => match said.get(source) {
                    Some(Ok(Said { decimal: Some(decimal), .. })) => Source::Sum(*decimal),
                    Some(Ok(_)) => Source::Words,
                    Some(Err(why)) => Source::Unsaid(*why),
                    None => Source::Unsaid(Unsaid::Empty),
                },
            });
            said.insert(name, made);
        }
        waiting = later;
    }
    let own = said.into_iter().filter(|(name, _)| value(name).is_none_or(is_empty));
    own.map(|(name, said)| (name.to_owned(), said.map(|said| said.text))).collect()
}

/// What a field has that another is made of.
enum Source<'a> {
    Typed(&'a str),
    /// It is derived itself, and a sum.
    Sum(Decimal),
    /// It is derived itself, and no number.
    Words,
    Unsaid(Unsaid),
}

fn make<'a>(derivation: &Derivation, setting: &Setting, source: impl Fn(&str) -> Source<'a>) -> Result<Said, Unsaid> {
    let amount = |of: &str, currency: Option<Currency>| match source(of) {
        Source::Typed(typed) => read_amount(typed, currency, setting),
        Source::Sum(decimal) => Ok(decimal),
        Source::Words => Err(Unsaid::NoAmount),
        Source::Unsaid(why) => Err(why),
    };
    let language = setting.language().ok_or(Unsaid::NoLanguage)?;
    let words = |text: String| Said { text, decimal: None };
    match derivation {
        Derivation::AmountInWords { of, currency: Some(currency), case } => {
            currency.in_words(amount(of, Some(*currency))?, language, *case, setting).map(words)
        }
        Derivation::AmountInWords { of, currency: None, case } => {
            let (whole, _) = amount(of, None)?.split(0)?;
            cardinal(whole, language, *case).map(words).ok_or(Unsaid::TooLarge)
        }
        Derivation::DateInWords { of, case } => {
            let Source::Typed(typed) = source(of) else {
                return Err(if let Source::Unsaid(why) = source(of) { why } else { Unsaid::NoDate });
            };
            date_in_words(read_date(typed, setting)?, *case, setting).map(words).ok_or(Unsaid::NoLanguage)
        }
        Derivation::Sum { of, currency } => {
            let mut sum: Option<Decimal> = None;
            for field in of {
                let one = match amount(field, *currency) {
                    Err(Unsaid::Empty) => continue,
                    one => one?,
                };
                sum = Some(match sum {
                    Some(sum) => sum.plus(one).ok_or(Unsaid::TooLarge)?,
                    None => one,
                });
            }
            let sum = sum.ok_or(Unsaid::Empty)?;
            let decimals = currency.map_or(sum.decimals(), Currency::decimals);
            Ok(Said { text: sum.written(decimals, setting), decimal: Some(sum) })
        }
    }
}
