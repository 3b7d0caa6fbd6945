//! Parses amounts as users type them, exact to the last digit.
//!
//! `1.234` is more than a thousand in some countries, and one and a fraction in others. An amount that can be read in two ways is
//! accepted only if language, country and currency exclude one of them. Otherwise the error is [`NoValueReason::AmbiguousAmount`],
//! because no words are better than wrong ones.

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
    /// Creates a number. `123_450` with 2 decimals is 1,234.50.
    pub fn new(coefficient: i64, decimals: u32) -> Self {
        Self { coefficient: coefficient.into(), decimals: decimals.min(MAX_DECIMALS as u32) }
    }

    /// Returns the number of decimals.
    pub fn decimals(self) -> u32 {
        self.decimals
    }

    /// Returns the coefficient of the same number with `decimals` decimals. Returns `None` if the number does not fit
    /// into that many decimals, or on overflow.
    fn rescaled(self, decimals: u32) -> Option<i128> {
        match decimals.checked_sub(self.decimals) {
            Some(more) => self.coefficient.checked_mul(10_i128.checked_pow(more)?),
            None => {
                let power = 10_i128.checked_pow(self.decimals - decimals)?;
                (self.coefficient % power == 0).then_some(self.coefficient / power)
            }
        }
    }

    /// Returns the sum. It has as many decimals as the number that has more of them. Returns `None` on overflow.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        let decimals = self.decimals.max(other.decimals);
        let coefficient = self.rescaled(decimals)?.checked_add(other.rescaled(decimals)?)?;
        Some(Self { coefficient, decimals })
    }

    /// Returns the integer part and the fraction, for example 4 and 50 for 4.5 with 2 `decimals`.
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
    /// A decimal point or a decimal comma.
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

/// Parses an amount as a user typed it. Digits may be Western, Arabic-Indic or Eastern Arabic-Indic, and grouped by
/// spaces, apostrophes, points or commas. A sign may precede the number, and the currency may be on either side. With
/// `None` as currency, the number must stand alone.
///
/// # Errors
/// [`NoValueReason::Empty`], [`NoValueReason::NoAmount`], [`NoValueReason::OtherCurrency`], [`NoValueReason::AmbiguousAmount`],
/// [`NoValueReason::TooPrecise`], [`NoValueReason::TooLarge`].
pub fn parse_amount(
    typed: &str,
    currency: Option<Currency>,
    setting: &TemplateLocale,
) -> Result<Decimal, NoValueReason> {
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
    let decimal = parse_number(number, currency, setting.separator_habit())?;
    Ok(Decimal { coefficient: if negative { -decimal.coefficient } else { decimal.coefficient }, ..decimal })
}

/// Parses the numeric part of an amount, from its first digit to its last. `habit` decides whether a point or comma is
/// the decimal separator if both are possible.
fn parse_number(number: &str, currency: Option<Currency>, habit: SeparatorHabit) -> Result<Decimal, NoValueReason> {
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
    if fraction.len() > currency.map_or(MAX_DECIMALS, |currency| currency.decimals() as usize) {
        return Err(NoValueReason::TooPrecise);
    }
    let whole = groups.concat();
    if whole.trim_start_matches('0').len() > MAX_DIGITS {
        return Err(NoValueReason::TooLarge);
    }
    let coefficient = format!("{whole}{fraction}").parse().map_err(|_| NoValueReason::TooLarge)?;
    Ok(Decimal { coefficient, decimals: fraction.len() as u32 })
}

/// Returns whether the last separator is the decimal separator. `runs` are the digits between the `separators`.
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

/// Returns whether the digits are groups of three with equal separators.
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
