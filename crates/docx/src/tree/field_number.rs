//! Numbers in texts, as formulas and conditions read them.

use rust_decimal::{Decimal, RoundingStrategy};
use waraq_rules::format::{FieldFormat, Locale};

/// The maximum number of bytes of a text in which numbers are searched.
const MAX_TEXT_BYTES: usize = 4_000;
/// The number of decimals of the result of a formula without a number picture.
const DEFAULT_DECIMALS: u32 = 2;

/// A number, and the way in which it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldNumber {
    /// The number.
    pub value: Decimal,
    /// The way in which the number is written. The result of a formula is written like its operands.
    style: NumberStyle,
}

/// The way in which a number is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct NumberStyle {
    /// The separator between groups of three digits. `None`: the digits are not grouped.
    group: Option<char>,
    /// The decimal separator. `None`: the number has no decimals.
    point: Option<char>,
    /// The currency sign before the number. `None`: no sign is before the number.
    prefix: Option<char>,
    /// The currency sign after the number. `None`: no sign is after the number.
    suffix: Option<char>,
}

impl From<Decimal> for FieldNumber {
    fn from(value: Decimal) -> Self {
        Self { value, style: NumberStyle::default() }
    }
}

impl FieldNumber {
    /// Returns the number `value`, written in the style of this number. Style properties that this number does not have
    /// are taken from `other`.
    pub(super) fn with_value(self, value: Decimal, other: Self) -> Self {
        let (own, other) = (self.style, other.style);
        let style = NumberStyle {
            group: own.group.or(other.group),
            point: own.point.or(other.point),
            prefix: own.prefix.or(other.prefix),
            suffix: own.suffix.or(other.suffix),
        };
        Self { value, style }
    }

    /// Returns the number if the whole text is one number, possibly with a currency sign or a percent sign.
    pub fn from_whole_text(text: &str, locale: Locale<'_>) -> Option<Self> {
        let text = normalize(text)?;
        let mut reader = NumberReader { text: &text, at: 0, decimal_comma: uses_decimal_comma(locale) };
        let number = reader.next_number()?;
        (number.start == 0 && number.end == text.len()).then_some(number.number)
    }

    /// Returns the sum of all numbers in a text. Returns `None` if the text contains no number.
    pub fn from_text(text: &str, locale: Locale<'_>) -> Option<Self> {
        let text = normalize(text)?;
        let mut reader = NumberReader { text: &text, at: 0, decimal_comma: uses_decimal_comma(locale) };
        let mut sum = reader.next_number()?.number;
        while let Some(next) = reader.next_number() {
            sum = sum.with_value(sum.value.checked_add(next.number.value)?, next.number);
        }
        Some(sum)
    }

    /// Returns the number as the result of a formula without a number picture shows it: with at most two decimals, and
    /// with the group separators and the currency sign of its operands.
    pub fn default_text(&self, locale: Locale<'_>) -> String {
        let style = self.style;
        let mut value = self.value.round_dp_with_strategy(DEFAULT_DECIMALS, RoundingStrategy::MidpointAwayFromZero);
        let is_amount = style.group.is_some() || style.prefix.is_some() || style.suffix.is_some();
        if is_amount && style.point.is_some() {
            value.rescale(DEFAULT_DECIMALS);
        } else {
            value = value.normalize();
        }
        let digits = value.abs().to_string();
        let (whole, decimals) = digits.split_once('.').unwrap_or((&digits, ""));
        let mut text = String::new();
        if value.is_sign_negative() && !value.is_zero() {
            text.push('-');
        }
        text.extend(style.prefix);
        for (at, digit) in whole.chars().enumerate() {
            if let Some(group) = style.group
                && at > 0
                && (whole.len() - at).is_multiple_of(3)
            {
                text.push(group);
            }
            text.push(digit);
        }
        if !decimals.is_empty() {
            text.push(style.point.unwrap_or(if uses_decimal_comma(locale) { ',' } else { '.' }));
            text.push_str(decimals);
        }
        if let Some(suffix) = style.suffix {
            text.push('\u{a0}');
            text.push(suffix);
        }
        text
    }
}

/// Returns `true` if a comma separates the decimals in this language and country.
pub(super) fn uses_decimal_comma(locale: Locale<'_>) -> bool {
    FieldFormat::default().format_number(Decimal::new(5, 1), locale).contains(',')
}

/// Returns a text with Western digits, and with ordinary spaces, hyphens and apostrophes. Returns `None` if the text is
/// too long.
fn normalize(text: &str) -> Option<String> {
    if text.len() > MAX_TEXT_BYTES {
        return None;
    }
    let western = |character: char, zero: u32| char::from_digit(u32::from(character).checked_sub(zero)?, 10);
    let characters = text.trim().chars().filter_map(|character| match character {
        '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => None,
        '\u{660}'..='\u{669}' => western(character, 0x660),
        '\u{6f0}'..='\u{6f9}' => western(character, 0x6f0),
        '−' | '\u{2011}' => Some('-'),
        '’' => Some('\''),
        _ => Some(character),
    });
    Some(characters.collect())
}

fn is_currency_sign(character: char) -> bool {
    matches!(character, '$' | '£' | '¥' | '¢' | '€' | '\u{20a0}'..='\u{20cf}')
}

/// A number that was found in a text, with its byte range. Signs and currency signs are included.
struct FoundNumber {
    number: FieldNumber,
    start: usize,
    end: usize,
}

/// Finds the numbers in a text, from left to right.
struct NumberReader<'t> {
    text: &'t str,
    /// The byte offset where the search continues.
    at: usize,
    decimal_comma: bool,
}

impl NumberReader<'_> {
    fn next_number(&mut self) -> Option<FoundNumber> {
        loop {
            let rest = self.text.get(self.at..)?;
            let first = self.at + rest.find(|character: char| character.is_ascii_digit())?;
            let start = self.decimal_start(first);
            let end = self.digits_end(first);
            let digits = self.text.get(start..end)?;
            self.at = end;
            if let Some((value, group, point)) = parse_digits(digits, self.decimal_comma) {
                return Some(self.with_signs(
                    value,
                    NumberStyle { group, point, ..NumberStyle::default() },
                    start,
                    end,
                ));
            }
        }
    }

    /// Returns the byte offset at which a number begins. `first` is the offset of its first digit. A number such as
    /// `.5` begins at the separator before this digit.
    fn decimal_start(&self, first: usize) -> usize {
        let before = self.text.get(self.at..first).unwrap_or_default();
        let mut characters = before.chars().rev();
        match (characters.next(), characters.next()) {
            (Some('.' | ','), previous) if previous.is_none_or(|it| !it.is_alphanumeric()) => first - 1,
            _ => first,
        }
    }

    /// Returns the end of the digits that begin at `first`, with their separators.
    fn digits_end(&self, first: usize) -> usize {
        let rest = self.text.get(first..).unwrap_or_default();
        let (mut end, mut has_point) = (0, false);
        for (at, character) in rest.char_indices() {
            let is_space = character.is_whitespace() || character == '\'';
            if character.is_ascii_digit() {
                end = at + 1;
                continue;
            }
            let after = rest.get(at + character.len_utf8()..).unwrap_or_default();
            let run = after.chars().take_while(char::is_ascii_digit).count();
            let group_before = rest.get(..at).unwrap_or_default();
            let before = group_before.chars().rev().take_while(char::is_ascii_digit).count();
            match character {
                '.' | ',' | '٫' | '٬' | '،' if run > 0 => has_point |= matches!(character, '.' | ',' | '٫'),
                _ if is_space && run == 3 && (1..=3).contains(&before) && !has_point => {}
                _ => break,
            }
        }
        first + end
    }

    /// Returns the number with the signs before and after it: minus, parentheses, percent and currency signs.
    fn with_signs(&mut self, mut value: Decimal, mut style: NumberStyle, start: usize, end: usize) -> FoundNumber {
        let (mut start, mut end) = (start, end);
        let before = |start: usize| {
            let text = self.text.get(..start).unwrap_or_default().trim_end();
            text.chars().next_back().map(|character| (character, text.len() - character.len_utf8()))
        };
        let after = |end: usize| {
            let rest = self.text.get(end..).unwrap_or_default();
            let text = rest.trim_start();
            text.chars().next().map(|next| (next, end + rest.len() - text.len() + next.len_utf8()))
        };
        let mut is_negative = false;
        for _ in 0..2 {
            match before(start) {
                Some((sign, at)) if is_currency_sign(sign) && style.prefix.is_none() => {
                    (style.prefix, start) = (Some(sign), at);
                }
                Some((sign @ ('-' | '+'), at)) if before(at).is_none_or(|(it, _)| !it.is_alphanumeric()) => {
                    (is_negative, start) = (sign == '-', at);
                }
                _ => {}
            }
        }
        if let Some(('%', at)) = after(end) {
            value = value.checked_div(Decimal::ONE_HUNDRED).unwrap_or(value);
            end = at;
        } else if let Some((sign, at)) = after(end)
            && is_currency_sign(sign)
            && style.prefix.is_none()
        {
            (style.suffix, end) = (Some(sign), at);
        }
        if let (Some(('(', at)), Some((')', to))) = (before(start), after(end)) {
            (is_negative, start, end) = (true, at, to);
        }
        self.at = end;
        let value = if is_negative { -value } else { value };
        FoundNumber { number: FieldNumber { value, style }, start, end }
    }
}

/// Parses digits with separators. Returns the number, its group separator and its decimal separator. Returns `None` if
/// the text is not a valid number.
fn parse_digits(digits: &str, decimal_comma: bool) -> Option<(Decimal, Option<char>, Option<char>)> {
    let separators: Vec<char> = digits.chars().filter(|character| !character.is_ascii_digit()).collect();
    let runs: Vec<&str> = digits.split(|character: char| !character.is_ascii_digit()).collect();
    let point = decimal_separator(&runs, &separators, decimal_comma);
    let (fraction, groups) = match runs.split_last() {
        Some((fraction, groups)) if point.is_some() => (*fraction, groups),
        _ => ("", runs.as_slice()),
    };
    let (first, others) = groups.split_first()?;
    if others.iter().any(|group| group.len() != 3) || (!others.is_empty() && !(1..=3).contains(&first.len())) {
        return None;
    }
    let group = separators.first().copied().filter(|_| !others.is_empty());
    let whole = groups.concat();
    let whole = if whole.is_empty() { "0" } else { &whole };
    let number = if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") };
    Some((Decimal::from_str_exact(&number).ok()?, group, point))
}

/// Returns the decimal separator among the separators of a number. Returns `None` if they all separate groups.
fn decimal_separator(runs: &[&str], separators: &[char], decimal_comma: bool) -> Option<char> {
    let (&last, others) = separators.split_last()?;
    if last == '٫' {
        return Some(last);
    }
    if !matches!(last, '.' | ',' | '،') || others.contains(&last) {
        return None;
    }
    let (whole, fraction) = (runs.first().copied().unwrap_or_default(), runs.last().copied().unwrap_or_default());
    let usual = if decimal_comma { ',' } else { '.' };
    let is_group = others.is_empty()
        && last != usual
        && fraction.len() == 3
        && (1..=3).contains(&whole.len())
        && !whole.starts_with('0');
    (!is_group).then_some(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENGLISH: Locale<'_> = Locale { tag: "en-US", country: None };
    const FRENCH: Locale<'_> = Locale { tag: "fr-FR", country: None };

    #[test]
    fn numbers_are_found_in_texts() {
        for (text, locale, sum) in [
            ("12", ENGLISH, "12"),
            ("1,234.50", ENGLISH, "1234.50"),
            ("1,234", ENGLISH, "1234"),
            ("1,234", FRENCH, "1.234"),
            ("1 234,50 €", FRENCH, "1234.50"),
            ("1\u{202f}234\u{202f}567", FRENCH, "1234567"),
            ("1.234,50", FRENCH, "1234.50"),
            ("1'234.50", ENGLISH, "1234.50"),
            ("($80.00)", ENGLISH, "-80.00"),
            ("-$5", ENGLISH, "-5"),
            ("$-5", ENGLISH, "-5"),
            ("10%", ENGLISH, "0.10"),
            (".5", ENGLISH, "0.5"),
            ("٤٥٫٥", ENGLISH, "45.5"),
            ("3 apples and 5 pears", ENGLISH, "8"),
            ("12345678901234567890.12", ENGLISH, "12345678901234567890.12"),
        ] {
            let found = FieldNumber::from_text(text, locale).map(|number| number.value.to_string());
            assert_eq!(found.as_deref(), Some(sum), "{text}");
        }
        assert_eq!(FieldNumber::from_text("none", ENGLISH), None);
        assert_eq!(FieldNumber::from_whole_text("3 apples", ENGLISH), None);
        assert!(FieldNumber::from_whole_text("(1,234.50)", ENGLISH).is_some());
    }

    #[test]
    fn results_are_written_like_their_operands() {
        for (text, locale, shown) in [
            ("$1,234.5", ENGLISH, "$1,234.50"),
            ("1234.567", ENGLISH, "1234.57"),
            ("2.50", ENGLISH, "2.5"),
            ("1 234,5 €", FRENCH, "1 234,50\u{a0}€"),
            ("-0.001", ENGLISH, "0"),
        ] {
            let number = FieldNumber::from_text(text, locale).unwrap();
            assert_eq!(number.default_text(locale), shown, "{text}");
        }
    }
}
