//! Parses amounts as users type them, without rounding.
//!
//! Countries use different decimal separators: `1.234` means 1234 in some countries, and a little more than 1 in
//! others. If an amount can be read in both ways, the parser uses the language, the country and the currency to exclude
//! one reading. If two readings remain, the error is [`NoValueReason::AmbiguousAmount`], because an empty field is
//! better than a wrong amount in words.

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

/// A number with a decimal fraction: `coefficient` / 10^`decimals`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal {
    coefficient: i128,
    decimals: u32,
}

impl Decimal {
    /// Creates the number `coefficient` / 10^`decimals`. For example, `123_450` with 2 decimals is 1,234.50. If
    /// `decimals` is greater than 9, it counts as 9.
    pub fn new(coefficient: i64, decimals: u32) -> Self {
        Self { coefficient: coefficient.into(), decimals: decimals.min(MAX_DECIMALS as u32) }
    }

    /// Returns the number of digits after the decimal separator.
    pub fn decimals(self) -> u32 {
        self.decimals
    }

    /// Returns the coefficient of the same number, written with `decimals` decimals. Returns `None` if this would drop
    /// a digit other than zero, or on overflow.
    fn rescaled(self, decimals: u32) -> Option<i128> {
        match decimals.checked_sub(self.decimals) {
            Some(more) => self.coefficient.checked_mul(10_i128.checked_pow(more)?),
            None => {
                let power = 10_i128.checked_pow(self.decimals - decimals)?;
                (self.coefficient % power == 0).then_some(self.coefficient / power)
            }
        }
    }

    /// Returns the sum of the two numbers, or `None` on overflow. The sum has as many decimals as the number with more
    /// decimals.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let decimals = self.decimals.max(other.decimals);
        let coefficient = self.rescaled(decimals)?.checked_add(other.rescaled(decimals)?)?;
        Some(Self { coefficient, decimals })
    }

    /// Splits the number into its integer part and its fraction. The fraction is in units of 10^-`decimals`: 4.5 with 2
    /// `decimals` gives 4 and 50.
    ///
    /// # Errors
    /// [`NoValueReason::Negative`], [`NoValueReason::TooPrecise`], [`NoValueReason::TooLarge`].
    pub(crate) fn whole_and_fraction(self, decimals: u32) -> Result<(u64, u64), NoValueReason> {
        if self.coefficient < 0 {
            return Err(NoValueReason::Negative);
        }
        let coefficient = self.rescaled(decimals).ok_or(NoValueReason::TooPrecise)?;
        let power = 10_i128.checked_pow(decimals).ok_or(NoValueReason::TooPrecise)?;
        let whole = u64::try_from(coefficient / power).map_err(|_| NoValueReason::TooLarge)?;
        let fraction = u64::try_from(coefficient % power).map_err(|_| NoValueReason::TooLarge)?;
        Ok((whole, fraction))
    }

    /// Formats the number for the language and country of a template, with at least `decimals` decimals. Examples are
    /// `1,234.50` and `1 234,50` (with no-break spaces). [`parse_amount`] can parse the result.
    pub fn format(self, decimals: u32, setting: &TemplateLocale) -> String {
        let decimals = decimals.max(self.decimals);
        let Some(coefficient) = self.rescaled(decimals) else { return String::new() };
        let digits = format!("{:0width$}", coefficient.unsigned_abs(), width = decimals as usize + 1);
        let (whole, fraction) = digits.split_at(digits.len() - decimals as usize);
        let (group, point) = if setting.uses_decimal_comma() { ('\u{a0}', ',') } else { (',', '.') };
        let mut written = String::new();
        if coefficient < 0 {
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

/// Parses an amount as a user typed it. Digits may be Western, Arabic-Indic or Eastern Arabic-Indic. They may be
/// grouped by spaces, apostrophes, points or commas. A minus sign may precede the number, and the name or sign of
/// `currency` may be before or after the number. If `currency` is `None`, the text must not contain a currency.
///
/// # Errors
/// [`NoValueReason::Empty`], [`NoValueReason::NoAmount`], [`NoValueReason::OtherCurrency`], [`NoValueReason::AmbiguousAmount`],
/// [`NoValueReason::TooPrecise`], [`NoValueReason::TooLarge`].
pub fn parse_amount(
    typed: &str,
    currency: Option<Currency>,
    setting: &TemplateLocale,
) -> Result<Decimal, NoValueReason> {
    let TypedNumber { negative, whole, fraction } = parse_typed(typed, currency, setting)?;
    if fraction.len() > currency.map_or(MAX_DECIMALS, |currency| currency.decimals() as usize) {
        return Err(NoValueReason::TooPrecise);
    }
    if whole.trim_start_matches('0').len() > MAX_DIGITS {
        return Err(NoValueReason::TooLarge);
    }
    let coefficient: i128 = format!("{whole}{fraction}").parse().map_err(|_| NoValueReason::TooLarge)?;
    Ok(Decimal { coefficient: if negative { -coefficient } else { coefficient }, decimals: fraction.len() as u32 })
}

/// Parses a number of up to 28 digits without a currency, as a user typed it. Returns `None` if the text is not a number,
/// can be read in two ways, or has more digits.
pub(crate) fn parse_decimal(typed: &str, setting: &TemplateLocale) -> Option<rust_decimal::Decimal> {
    let TypedNumber { negative, whole, fraction } = parse_typed(typed, None, setting).ok()?;
    let point = if fraction.is_empty() { "" } else { "." };
    let minus = if negative { "-" } else { "" };
    rust_decimal::Decimal::from_str_exact(&format!("{minus}{whole}{point}{fraction}")).ok()
}

/// Parses a number with a sign and a currency. See [`parse_amount`].
fn parse_typed(
    typed: &str,
    currency: Option<Currency>,
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
    let (mut before, after) = (before.trim(), after.trim());
    let mut negative = false;
    if let Some(stripped) = before.strip_prefix('-').or_else(|| before.strip_suffix('-')) {
        (negative, before) = (true, stripped.trim());
    }
    for sign in [before, after] {
        if !sign.is_empty() {
            match currency.and_then(|currency| currency.matches_sign(sign)) {
                Some(true) => {}
                Some(false) => return Err(NoValueReason::OtherCurrency),
                None => return Err(NoValueReason::NoAmount),
            }
        }
    }
    let (whole, fraction) = split_number(number, currency, setting.separator_habit())?;
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
