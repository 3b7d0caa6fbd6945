//! Parses amounts as users type them, without rounding.
//!
//! Countries use different decimal separators: `1.234` means 1234 in some countries, and a little more than 1 in
//! others. If an amount can be read in both ways, the parser uses the language, the country and the currency to exclude
//! one reading. If two readings remain, the error is [`NoValueReason::AmbiguousAmount`], because an empty field is
//! better than a wrong amount in words.

use std::cell::Cell;

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

use super::words::Language;
use super::{Currency, NoValueReason, TemplateLocale};
use crate::name::is_ignorable;

/// Maximum number of digits before the decimal separator. Larger amounts cannot be written in words (see
/// [`super::MAX_IN_WORDS`]).
const MAX_DIGITS: usize = 18;
/// Maximum number of digits after the decimal separator.
const MAX_DECIMALS: usize = 9;
/// Maximum number of characters of a typed amount.
const MAX_CHARACTERS: usize = 200;

/// Adds two amounts without rounding. Returns `None` on overflow. The sum has as many decimals as the amount with more
/// decimals.
pub(super) fn add(one: Decimal, other: Decimal) -> Option<Decimal> {
    let decimals = one.scale().max(other.scale());
    let mut sum = one.checked_add(other)?;
    sum.rescale(decimals);
    // A sum with too many digits is rounded by `checked_add` and has fewer decimals.
    (sum.scale() == decimals).then_some(sum)
}

/// Multiplies two numbers without rounding. Returns `None` if the product has more than 28 digits.
pub(super) fn multiply(one: Decimal, other: Decimal) -> Option<Decimal> {
    let (one, other) = (one.normalize(), other.normalize());
    if one.is_zero() || other.is_zero() {
        return Some(Decimal::ZERO);
    }
    let product = one.checked_mul(other)?;
    // A product with too many digits is rounded by `checked_mul` and has fewer decimals.
    (product.scale() == one.scale() + other.scale()).then_some(product)
}

/// Rounds an amount to `decimals` decimals. A half is rounded away from zero.
pub(super) fn round(amount: Decimal, decimals: u32) -> Decimal {
    amount.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero)
}

/// Splits an amount into its integer part and its fraction. The fraction is in units of 10^-`decimals`: 4.5 with 2
/// `decimals` gives 4 and 50.
///
/// # Errors
/// [`NoValueReason::Negative`], [`NoValueReason::TooPrecise`], [`NoValueReason::TooLarge`].
pub(super) fn whole_and_fraction(amount: Decimal, decimals: u32) -> Result<(u64, u64), NoValueReason> {
    if amount < Decimal::ZERO {
        return Err(NoValueReason::Negative);
    }
    if amount.normalize().scale() > decimals {
        return Err(NoValueReason::TooPrecise);
    }
    let mut fraction = amount.fract();
    fraction.rescale(decimals);
    let whole = amount.trunc().to_u64().ok_or(NoValueReason::TooLarge)?;
    Ok((whole, u64::try_from(fraction.mantissa()).map_err(|_| NoValueReason::TooLarge)?))
}

/// Formats an amount for the language and country of a template, with at least `decimals` decimals. Examples are
/// `1,234.50` and `1 234,50` (with no-break spaces). [`parse_amount`] can parse the result.
pub fn format_amount(mut amount: Decimal, decimals: u32, setting: &TemplateLocale) -> String {
    amount.rescale(decimals.max(amount.scale()));
    let digits = amount.abs().to_string();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let (group, point) = if setting.uses_decimal_comma() { ('\u{a0}', ',') } else { (',', '.') };
    let mut written = String::new();
    if amount < Decimal::ZERO {
        written.push('-');
    }
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            written.push(group);
        }
        written.push(digit);
    }
    if !fraction.is_empty() {
        written.push(point);
        written.push_str(fraction);
    }
    written
}

/// The countries where the decimal comma is usual in Arabic texts.
const MAGHREB: [&str; 6] = ["MA", "DZ", "TN", "LY", "MR", "EH"];

/// The decimal separator that is usual in a language and country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SeparatorHabit {
    /// A decimal point: 1,234.50.
    Point,
    /// A decimal comma: 1.234,50.
    Comma,
    /// Both separators are usual, or the usual separator is not known.
    Either,
}

impl TemplateLocale<'_> {
    fn is_maghreb(&self) -> bool {
        self.country.is_some_and(|country| MAGHREB.contains(&country))
    }

    fn uses_decimal_comma(&self) -> bool {
        match self.language() {
            Some(Language::French) => true,
            Some(Language::Arabic) => self.is_maghreb(),
            _ => false,
        }
    }

    fn separator_habit(&self) -> SeparatorHabit {
        match (self.language(), self.country) {
            (Some(Language::French), _) => SeparatorHabit::Comma,
            (Some(Language::English), _) if !self.is_maghreb() => SeparatorHabit::Point,
            (Some(Language::Arabic), Some(_)) if !self.is_maghreb() => SeparatorHabit::Point,
            // In the Maghreb, people use both separators when they write English or Arabic.
            _ => SeparatorHabit::Either,
        }
    }
}

/// Returns the Western digit for a Western, Arabic-Indic or Eastern Arabic-Indic digit, and `None` for other
/// characters.
pub(super) fn western_digit(character: char) -> Option<char> {
    let value = match character {
        '0'..='9' => return Some(character),
        '\u{660}'..='\u{669}' => u32::from(character) - 0x660,
        '\u{6f0}'..='\u{6f9}' => u32::from(character) - 0x6f0,
        _ => return None,
    };
    char::from_digit(value, 10)
}

/// A number as it was typed, without separators.
struct TypedNumber {
    negative: bool,
    /// The digits before the decimal separator.
    whole: String,
    /// The digits after the decimal separator.
    fraction: String,
}

impl TypedNumber {
    /// Returns the number, or `None` if it has more than about 28 digits.
    fn decimal(&self) -> Option<Decimal> {
        let minus = if self.negative { "-" } else { "" };
        let point = if self.fraction.is_empty() { "" } else { "." };
        Decimal::from_str_exact(&format!("{minus}{}{point}{}", self.whole, self.fraction)).ok()
    }

    /// Returns the number if it has at most `decimals` decimals and [`MAX_DIGITS`] digits before them.
    fn limited(&self, decimals: usize) -> Result<Decimal, NoValueReason> {
        if self.fraction.len() > decimals {
            return Err(NoValueReason::TooPrecise);
        }
        if self.whole.trim_start_matches('0').len() > MAX_DIGITS {
            return Err(NoValueReason::TooLarge);
        }
        self.decimal().ok_or(NoValueReason::TooLarge)
    }
}

/// Parses an amount as a user typed it. Digits may be Western, Arabic-Indic or Eastern Arabic-Indic. They may be
/// grouped by spaces, apostrophes, points or commas. A sign may precede the number, and the name or sign of `currency`
/// may be before or after the number. If `currency` is `None`, the text must not contain a currency.
///
/// # Errors
/// [`NoValueReason::Empty`], [`NoValueReason::NoAmount`], [`NoValueReason::OtherCurrency`], [`NoValueReason::AmbiguousAmount`],
/// [`NoValueReason::TooPrecise`], [`NoValueReason::TooLarge`].
pub fn parse_amount(
    typed: &str,
    currency: Option<Currency>,
    setting: &TemplateLocale,
) -> Result<Decimal, NoValueReason> {
    let number = parse_typed(typed, currency, |sign| check_sign(sign, currency), setting)?;
    number.limited(currency.map_or(MAX_DECIMALS, |currency| currency.decimals() as usize))
}

/// Parses a factor of a product, which is a quantity or a price in `currency`. A factor has up to nine decimals, because
/// quantities and unit prices may be more precise than the currency. A single point or comma before three digits is
/// ambiguous where both conventions are used, unless the currency is written next to the number.
///
/// # Errors
/// The errors of [`parse_amount`].
pub(super) fn parse_factor(
    typed: &str,
    currency: Option<Currency>,
    setting: &TemplateLocale,
) -> Result<Decimal, NoValueReason> {
    let has_sign = Cell::new(false);
    let check = |sign: &str| {
        has_sign.set(true);
        check_sign(sign, currency)
    };
    match parse_typed(typed, None, check, setting) {
        Err(NoValueReason::AmbiguousAmount) if has_sign.get() => parse_amount(typed, currency, setting),
        number => number?.limited(MAX_DECIMALS),
    }
}

/// Parses a percentage, which is a number with or without a percent sign.
///
/// # Errors
/// The errors of [`parse_amount`] except [`NoValueReason::OtherCurrency`].
pub(super) fn parse_percentage(typed: &str, setting: &TemplateLocale) -> Result<Decimal, NoValueReason> {
    let check = |sign: &str| if matches!(sign, "%" | "٪") { Ok(()) } else { Err(NoValueReason::NoAmount) };
    parse_typed(typed, None, check, setting)?.limited(MAX_DECIMALS)
}

/// Checks that `sign`, written next to a number, means `currency`.
fn check_sign(sign: &str, currency: Option<Currency>) -> Result<(), NoValueReason> {
    match currency.and_then(|currency| currency.matches_sign(sign)) {
        Some(true) => Ok(()),
        Some(false) => Err(NoValueReason::OtherCurrency),
        None => Err(NoValueReason::NoAmount),
    }
}

/// Parses a number of up to 28 digits, as a user typed it. Any currency may be before or after the number. Returns
/// `None` if the text is not a number, can be read in two ways, or has more digits.
pub(crate) fn parse_decimal(typed: &str, setting: &TemplateLocale) -> Option<Decimal> {
    let check_currency = |sign: &str| if Currency::is_sign(sign) { Ok(()) } else { Err(NoValueReason::NoAmount) };
    parse_typed(typed, None, check_currency, setting).ok()?.decimal()
}

/// Parses a number with a sign and a currency. See [`parse_amount`]. `check_currency` returns an error for text before or
/// after the number that is not an accepted currency.
fn parse_typed(
    typed: &str,
    currency: Option<Currency>,
    check_currency: impl Fn(&str) -> Result<(), NoValueReason>,
    setting: &TemplateLocale,
) -> Result<TypedNumber, NoValueReason> {
    let text: String = typed
        .chars()
        .filter(|character| !is_ignorable(*character))
        .take(MAX_CHARACTERS + 1)
        .map(|character| match character {
            _ if western_digit(character).is_some() => western_digit(character).unwrap_or(character),
            _ if character.is_whitespace() => ' ',
            '’' => '\'',
            '،' => ',',
            '−' => '-',
            _ => character,
        })
        .collect();
    if text.chars().count() > MAX_CHARACTERS {
        return Err(NoValueReason::NoAmount);
    }
    let text = text.trim();
    if text.is_empty() {
        return Err(NoValueReason::Empty);
    }
    let first = text.find(|character: char| character.is_ascii_digit()).ok_or(NoValueReason::NoAmount)?;
    let last = text.rfind(|character: char| character.is_ascii_digit()).ok_or(NoValueReason::NoAmount)?;
    let (before, rest) = text.split_at(first);
    let (number, after) = rest.split_at(last + 1 - first);
    // The number may begin with its decimal separator, as in `.75`. A point after a letter ends an abbreviation: `Dhs.500`.
    let (before, number) = match before.strip_suffix(['.', ',', '٫']) {
        Some(sign) if !sign.ends_with(char::is_alphabetic) => {
            (sign, format!("0{}{number}", before.get(sign.len()..).unwrap_or_default()))
        }
        _ => (before, number.to_owned()),
    };
    let (mut before, after) = (before.trim(), after.trim());
    let mut negative = false;
    if let Some(stripped) = before.strip_prefix(['-', '+']).or_else(|| before.strip_suffix(['-', '+'])) {
        (negative, before) = (before.contains('-'), stripped.trim());
    }
    for sign in [before, after].into_iter().filter(|sign| !sign.is_empty()) {
        check_currency(sign)?;
    }
    let (whole, fraction) = split_number(&number, currency, setting.separator_habit())?;
    Ok(TypedNumber { negative, whole, fraction })
}

/// Splits the numeric part of an amount, from its first digit to its last, into the digits before and after the decimal
/// separator. If a point or comma can be the decimal separator or a group separator, `habit` decides.
fn split_number(
    number: &str,
    currency: Option<Currency>,
    habit: SeparatorHabit,
) -> Result<(String, String), NoValueReason> {
    let runs: Vec<&str> = number.split(|character: char| !character.is_ascii_digit()).collect();
    let separators: Vec<char> = number.chars().filter(|character| !character.is_ascii_digit()).collect();
    if runs.iter().any(|run| run.is_empty()) {
        return Err(NoValueReason::NoAmount);
    }
    let has_fraction = has_fraction(&runs, &separators, currency, habit)?;
    let (fraction, groups) = match runs.split_last() {
        Some((fraction, groups)) if has_fraction => (*fraction, groups),
        _ => ("", runs.as_slice()),
    };
    let grouping = separators.get(..groups.len().saturating_sub(1)).unwrap_or_default();
    if !is_grouped(groups, grouping) {
        return Err(NoValueReason::NoAmount);
    }
    Ok((groups.concat(), fraction.to_owned()))
}

/// Returns whether the last separator is the decimal separator. `runs` are the digits before, between and after the
/// `separators`. Returns the error [`NoValueReason::AmbiguousAmount`] if this cannot be decided.
fn has_fraction(
    runs: &[&str],
    separators: &[char],
    currency: Option<Currency>,
    habit: SeparatorHabit,
) -> Result<bool, NoValueReason> {
    let Some((&last, others)) = separators.split_last() else { return Ok(false) };
    match last {
        '٫' => return Ok(true),
        ',' | '.' => {}
        _ => return Ok(false),
    }
    if others.contains(&last) {
        return Ok(false);
    }
    if !others.is_empty() {
        return Ok(true);
    }
    let (whole, fraction) = (runs.first().copied().unwrap_or_default(), runs.last().copied().unwrap_or_default());
    if fraction.len() != 3 || whole.len() > 3 || whole.starts_with('0') {
        return Ok(true);
    }
    match (habit, last) {
        (SeparatorHabit::Point, ',') => Ok(false),
        (SeparatorHabit::Point, _) | (SeparatorHabit::Comma, ',') => Ok(true),
        // If the currency has fewer than three decimals, three digits are a group and not a fraction.
        _ if currency.is_some_and(|currency| currency.decimals() < 3) => Ok(false),
        _ => Err(NoValueReason::AmbiguousAmount),
    }
}

/// Returns whether the digits form one group, or several groups of three digits with equal separators. The first of
/// several groups may have fewer digits.
fn is_grouped(groups: &[&str], separators: &[char]) -> bool {
    let Some((first, rest)) = groups.split_first() else { return false };
    let alike =
        separators.iter().all(|one| matches!(one, ' ' | '\'' | '٬' | ',' | '.') && separators.first() == Some(one));
    rest.is_empty()
        || (alike
            && (1..=3).contains(&first.len())
            && !first.starts_with('0')
            && rest.iter().all(|group| group.len() == 3))
}
