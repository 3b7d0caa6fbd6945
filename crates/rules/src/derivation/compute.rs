//! Computes one derived value from its source values.

use rust_decimal::Decimal;

use super::amount::{add, multiply, parse_factor, parse_percentage, round, whole_and_fraction};
use super::date::{date_in_words, parse_date};
use super::{Currency, Derivation, NoValueReason, Rate, TemplateLocale, cardinal, format_amount, parse_amount};

/// The value of a source field.
#[derive(Debug, Clone, Copy)]
pub(super) enum SourceValue<'a> {
    /// What the user typed. Empty if the source has no value.
    Typed(&'a str),
    /// The exact number of a derived field with a number.
    Number(Decimal),
    /// A value without a number or date: a derived text in words, a list, a picture or the answer to a yes/no field.
    Other,
    /// A derived field without a value.
    Missing(NoValueReason),
}

/// The value of a derived field during the computation.
#[derive(Debug, Clone)]
pub(super) struct ComputedValue {
    pub text: String,
    /// The number, if the field has one, otherwise `None`. Fields that depend on this field use the number and do not
    /// parse the text.
    pub decimal: Option<Decimal>,
}

/// The sources of one derived value.
pub(super) trait Sources<'a> {
    /// Returns the value of a field, or of a column of the same row.
    fn field(&self, name: &str) -> SourceValue<'a>;
    /// Returns the values of a column of a list, one for each row. Empty if there is no such list.
    fn column(&self, list: &str, column: &str) -> impl Iterator<Item = SourceValue<'a>>;
    /// Returns the number of rows with a value, or `None` if there is no such list.
    fn count(&self, list: &str) -> Option<usize>;
}

/// Computes a derived value.
///
/// # Errors
/// The reason why there is no value.
pub(super) fn compute<'a>(
    derivation: &Derivation,
    setting: &TemplateLocale,
    sources: &impl Sources<'a>,
) -> Result<ComputedValue, NoValueReason> {
    let language = setting.language().ok_or(NoValueReason::NoLanguage)?;
    let field_amount = |of: &str, currency| amount(sources.field(of), currency, setting);
    let words = |text: String| ComputedValue { text, decimal: None };
    match derivation {
        Derivation::AmountInWords { of, currency: Some(currency), case } => {
            currency.in_words(field_amount(of, Some(*currency))?, language, *case, setting).map(words)
        }
        Derivation::AmountInWords { of, currency: None, case } => {
            let (whole, _) = whole_and_fraction(field_amount(of, None)?, 0)?;
            cardinal(whole, language, *case).map(words).ok_or(NoValueReason::TooLarge)
        }
        Derivation::DateInWords { of, case } => match sources.field(of) {
            SourceValue::Typed(typed) => {
                date_in_words(parse_date(typed, setting)?, *case, setting).map(words).ok_or(NoValueReason::NoLanguage)
            }
            SourceValue::Missing(why) => Err(why),
            SourceValue::Number(_) | SourceValue::Other => Err(NoValueReason::NoDate),
        },
        Derivation::Sum { of, currency } => {
            let amounts = of.iter().map(|field| field_amount(field, *currency));
            written(fold_amounts(amounts, add)?, 0, *currency, setting)
        }
        Derivation::Product { of, currency } => {
            let mut product = Decimal::ONE;
            let mut decimals = 0;
            for field in of {
                let factor = number(sources.field(field), |typed| parse_factor(typed, *currency, setting))?;
                decimals = decimals.max(factor.scale());
                product = multiply(product, factor).ok_or(NoValueReason::TooLarge)?;
            }
            written(product, decimals, *currency, setting)
        }
        Derivation::Percentage { of, rate, currency } => {
            let amount = field_amount(of, *currency)?;
            let rate = match rate {
                Rate::Number(percent) => percent.number(),
                Rate::Field(field) => number(sources.field(field), |typed| parse_percentage(typed, setting))?,
            };
            let hundredfold = multiply(amount, rate).ok_or(NoValueReason::TooLarge)?;
            let part = multiply(hundredfold, Decimal::new(1, 2)).ok_or(NoValueReason::TooLarge)?;
            written(part, amount.scale(), *currency, setting)
        }
        Derivation::ListSum { list, column, currency } => {
            let amounts = sources.column(list, column).map(|value| amount(value, *currency, setting));
            written(fold_amounts(amounts, add)?, 0, *currency, setting)
        }
        Derivation::Minimum { list, column, currency } => {
            let amounts = sources.column(list, column).map(|value| amount(value, *currency, setting));
            written(fold_amounts(amounts, |one, other| Some(one.min(other)))?, 0, *currency, setting)
        }
        Derivation::Maximum { list, column, currency } => {
            let amounts = sources.column(list, column).map(|value| amount(value, *currency, setting));
            written(fold_amounts(amounts, |one, other| Some(one.max(other)))?, 0, *currency, setting)
        }
        Derivation::Count { list } => {
            let count = sources.count(list).ok_or(NoValueReason::Empty)?;
            Ok(ComputedValue { text: count.to_string(), decimal: Some(Decimal::from(count)) })
        }
    }
}

/// Returns the number of a source. `parse` reads a typed text.
fn number(
    source: SourceValue,
    parse: impl Fn(&str) -> Result<Decimal, NoValueReason>,
) -> Result<Decimal, NoValueReason> {
    match source {
        SourceValue::Typed(typed) => parse(typed),
        SourceValue::Number(decimal) => Ok(decimal),
        SourceValue::Other => Err(NoValueReason::NoAmount),
        SourceValue::Missing(why) => Err(why),
    }
}

/// Returns the amount of a source, in `currency` if there is one.
fn amount(source: SourceValue, currency: Option<Currency>, setting: &TemplateLocale) -> Result<Decimal, NoValueReason> {
    number(source, |typed| parse_amount(typed, currency, setting))
}

/// Combines amounts. Empty amounts are ignored.
///
/// # Errors
/// The reason of the first amount that cannot be read; [`NoValueReason::Empty`] if all are empty;
/// [`NoValueReason::TooLarge`] if `combine` returns `None`.
fn fold_amounts(
    amounts: impl Iterator<Item = Result<Decimal, NoValueReason>>,
    combine: impl Fn(Decimal, Decimal) -> Option<Decimal>,
) -> Result<Decimal, NoValueReason> {
    let mut all: Option<Decimal> = None;
    for amount in amounts {
        let amount = match amount {
            Err(NoValueReason::Empty) => continue,
            amount => amount?,
        };
        all = Some(match all {
            Some(before) => combine(before, amount).ok_or(NoValueReason::TooLarge)?,
            None => amount,
        });
    }
    all.ok_or(NoValueReason::Empty)
}

/// Rounds a result to the decimals of `currency` and writes it in digits. Without a currency, the result has at least
/// `decimals` decimals and is not rounded.
fn written(
    result: Decimal,
    decimals: u32,
    currency: Option<Currency>,
    setting: &TemplateLocale,
) -> Result<ComputedValue, NoValueReason> {
    let (result, decimals) = match currency {
        Some(currency) => (round(result, currency.decimals()), currency.decimals()),
        None => (result, decimals),
    };
    Ok(ComputedValue { text: format_amount(result, decimals, setting), decimal: Some(result) })
}
