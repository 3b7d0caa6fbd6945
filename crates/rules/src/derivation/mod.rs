//! Derived values: products, percentages and sums, results over the rows of a list, amounts and dates in words.
//!
//! An admin defines how a field is derived from others ([`Derivation`]), and users need not type it. The server, the
//! command line and the browser all call [`fill_derived_values()`], so the form shows the same text as the document. A value
//! that a user types into a derived field replaces the derived value until the user clears it. If a source value can be read
//! in two ways or not at all, the derived field stays empty and the reason is a [`NoValueReason`]. So a contract never
//! contains a wrong amount.
//!
//! # Lists
//!
//! A column of a list can be derived too. The key of its derivation is the path `items[].total`, where `items` is the list
//! and `total` the column; a list in a list gives `orders[].items[].total`. The result for the fourth row has the key
//! `items[3].total` in [`DerivedValues`]. The sources of a column are columns of the same row. If the row has no column with
//! the name, the source is the column or field around the list, for example a VAT rate for the whole invoice.
//!
//! # Rounding
//!
//! All computations are exact decimal arithmetic. A result with a currency is rounded to the decimals of the currency, and
//! a half is rounded away from zero, as accountants do: 2.345 becomes 2.35, and -2.345 becomes -2.35. Each line is rounded,
//! and a sum adds the rounded lines, so a reader who adds the printed lines gets the printed sum. Without a currency,
//! results are not rounded.
//!
//! ```
//! use waraq_rules::Values;
//! use waraq_rules::derivation::{Currency, Derivations, TemplateLocale, fill_derived_values};
//!
//! let derivations: Derivations = serde_json::from_str(r#"{
//!     "items[].total": { "kind": "product", "of": ["quantity", "price"], "currency": "MAD" },
//!     "total": { "kind": "list_sum", "list": "items", "column": "total", "currency": "MAD" },
//!     "in words": { "kind": "amount_in_words", "of": "total", "currency": "MAD" }
//! }"#).unwrap();
//! let mut values = Values::from_json(br#"{ "items": [
//!     { "quantity": "3", "price": "1 500,50" }, { "quantity": "1", "price": "79" }
//! ] }"#).unwrap();
//! let locale = TemplateLocale { language: "fr", country: Some("MA") };
//! let derived = fill_derived_values(&mut values, &derivations, &locale);
//! assert_eq!(derived["items[0].total"], Ok("4\u{a0}501,50".to_owned()));
//! assert_eq!(values.get("total"), Some("4\u{a0}580,50"));
//! assert_eq!(
//!     values.get("in words"),
//!     Some("quatre-mille-cinq-cent-quatre-vingts dirhams et cinquante centimes")
//! );
//! ```

mod amount;
mod check;
mod compute;
mod currency;
mod date;
mod evaluate;
mod path;
mod percent;
mod suggest;
mod words;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::name;

pub(crate) use amount::parse_decimal;
pub use amount::{format_amount, parse_amount};
pub(crate) use check::has_all_sources;
pub use check::{check, check_structure};
pub use currency::Currency;
pub use date::parse_date_time;
pub(crate) use date::parse_time;
pub use evaluate::{derive_values, fill_derived_values};
pub(crate) use path::{DerivedPath, path_in};
pub use percent::Percent;
pub use suggest::suggest_derivations;
pub(crate) use words::ordinal;
pub use words::{Case, Language, MAX_IN_WORDS, cardinal};

/// Maximum number of fields in a sum or product.
pub const MAX_SOURCES: usize = 100;

/// Maximum number of derived fields and columns in a template.
pub const MAX_DERIVATIONS: usize = 100;

/// Maximum number of sources of all derived columns of a template together. Each of these sources is read once per row.
pub const MAX_COLUMN_SOURCES: usize = 200;

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
    /// The product of numbers, in digits, for example of a quantity and a unit price. Empty if one of them is empty.
    Product {
        /// The fields with the numbers. There are at least two.
        of: Vec<String>,
        /// The currency of the product, which is rounded to its decimals. One of the numbers may be written with this
        /// currency. Without a currency, the product is exact.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
    },
    /// A percentage of an amount, in digits, for example the VAT of a sum.
    Percentage {
        /// The field with the amount.
        of: String,
        /// The percentage.
        rate: Rate,
        /// The currency of the amount and of the result, which is rounded to its decimals. Without a currency, the result
        /// is exact.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
    },
    /// The sum of a column over all rows of a list, in digits. Rows in which the column is empty are ignored.
    ListSum {
        /// The list, on the same level as the derived field.
        list: String,
        /// The column with the amounts.
        column: String,
        /// The common currency of the amounts. See [`Derivation::Sum`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
    },
    /// The number of rows of a list, in digits. Rows without any value are not counted.
    Count {
        /// The list, on the same level as the derived field.
        list: String,
    },
    /// The smallest amount in a column of a list, in digits. Rows in which the column is empty are ignored.
    Minimum {
        /// The list, on the same level as the derived field.
        list: String,
        /// The column with the amounts.
        column: String,
        /// The common currency of the amounts. See [`Derivation::Sum`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
    },
    /// The largest amount in a column of a list, in digits. Rows in which the column is empty are ignored.
    Maximum {
        /// The list, on the same level as the derived field.
        list: String,
        /// The column with the amounts.
        column: String,
        /// The common currency of the amounts. See [`Derivation::Sum`].
        #[serde(default, skip_serializing_if = "Option::is_none")]
        currency: Option<Currency>,
    },
}

/// The percentage of a [`Derivation::Percentage`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Rate {
    /// The name of the field with the percentage. Its value is a number, with or without a percent sign.
    Field(String),
    /// A fixed percentage.
    Number(Percent),
}

/// A source of a derivation, as seen from the derived field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source<'a> {
    /// A field, or a column of the same row.
    Field(&'a str),
    /// A list on the same level.
    List(&'a str),
    /// A column of a list on the same level.
    Column { list: &'a str, column: &'a str },
}

impl Derivation {
    /// Returns the sources, from which the value is derived.
    pub(crate) fn sources(&self) -> Vec<Source<'_>> {
        match self {
            Self::AmountInWords { of, .. }
            | Self::DateInWords { of, .. }
            | Self::Percentage { of, rate: Rate::Number(_), .. } => vec![Source::Field(of)],
            Self::Percentage { of, rate: Rate::Field(rate), .. } => vec![Source::Field(of), Source::Field(rate)],
            Self::Sum { of, .. } | Self::Product { of, .. } => of.iter().map(|name| Source::Field(name)).collect(),
            Self::Count { list } => vec![Source::List(list)],
            Self::ListSum { list, column, .. }
            | Self::Minimum { list, column, .. }
            | Self::Maximum { list, column, .. } => vec![Source::Column { list, column }],
        }
    }

    /// Returns the names of the source fields and lists, so that the caller can rename them. The columns of a list on the
    /// same level are not among them.
    pub(crate) fn sources_mut(&mut self) -> Vec<&mut String> {
        match self {
            Self::AmountInWords { of, .. }
            | Self::DateInWords { of, .. }
            | Self::Percentage { of, rate: Rate::Number(_), .. } => vec![of],
            Self::Percentage { of, rate: Rate::Field(rate), .. } => vec![of, rate],
            Self::Sum { of, .. } | Self::Product { of, .. } => of.iter_mut().collect(),
            Self::Count { list }
            | Self::ListSum { list, .. }
            | Self::Minimum { list, .. }
            | Self::Maximum { list, .. } => vec![list],
        }
    }

    /// Replaces all names by their normal form (see [`name::normalize`]).
    #[must_use]
    pub fn normalize_names(mut self) -> Self {
        self.sources_mut().into_iter().for_each(|source| *source = name::normalize(source));
        if let Self::ListSum { column, .. } | Self::Minimum { column, .. } | Self::Maximum { column, .. } = &mut self {
            *column = name::normalize(column);
        }
        self
    }
}

/// The derivations of a template, by the name of the derived field. The key of a derived column is a path such as
/// `items[].total`.
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

/// The value of each derived field by its name, or the reason why it has no value. The key of a derived column in the
/// fourth row of a list is `items[3].total`.
pub type DerivedValues = BTreeMap<String, Result<String, NoValueReason>>;
