//! General formats: the `\*` switch (ECMA-376 part 1, §17.16.4.3).

use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

use super::number_words;
use super::{Locale, NumberFormat};

/// The formats of the `\*` switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GeneralFormat {
    /// `Upper`: capital letters.
    Upper,
    /// `Lower`: small letters.
    Lower,
    /// `FirstCap`: a capital first letter.
    FirstCapital,
    /// `Caps`: a capital first letter of each word.
    EachFirstCapital,
    /// `DollarText`: the whole part in words, and two decimals as a fraction of 100.
    DollarText,
    /// A format of whole numbers.
    Number(NumberFormat),
}

impl GeneralFormat {
    /// Returns the format with a name. Returns `None` for names that do not change the text, such as `MERGEFORMAT`.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "upper" => Self::Upper,
            "lower" => Self::Lower,
            "firstcap" => Self::FirstCapital,
            "caps" => Self::EachFirstCapital,
            "dollartext" => Self::DollarText,
            _ => Self::Number(NumberFormat::from_switch(name)?),
        })
    }

    /// Formats a number. Returns `None` if this format changes only the letter case, or if it cannot represent the
    /// number. For example, the number may be too large.
    pub(super) fn number(self, number: Decimal, locale: Locale<'_>) -> Option<String> {
        let round = |decimals| number.round_dp_with_strategy(decimals, RoundingStrategy::MidpointAwayFromZero);
        match self {
            Self::DollarText => {
                let rounded = round(2);
                let whole = rounded.trunc();
                let cents = ((rounded - whole) * Decimal::ONE_HUNDRED).to_u32()?;
                number_words::amount(whole.to_i64()?, cents, locale.tag)
            }
            Self::Number(format) => {
                let text = format.format_number(round(0).to_i64()?, Some(locale.tag));
                let is_words = matches!(format, NumberFormat::CardinalText | NumberFormat::OrdinalText);
                Some(if is_words { lower(&text, locale) } else { text })
            }
            _ => None,
        }
    }

    /// Changes the case of a text. A format of numbers leaves the text as it is.
    pub(super) fn text(self, text: &str, locale: Locale<'_>) -> String {
        match self {
            Self::Upper => upper(text, locale),
            Self::Lower => lower(text, locale),
            Self::FirstCapital => capitalize(text, locale, false),
            Self::EachFirstCapital => capitalize(text, locale, true),
            Self::DollarText | Self::Number(_) => text.to_owned(),
        }
    }
}

/// Returns whether the language has a dotted and a dotless i.
fn has_dotless_i(locale: Locale<'_>) -> bool {
    matches!(locale.language().as_str(), "tr" | "az")
}

fn upper(text: &str, locale: Locale<'_>) -> String {
    if has_dotless_i(locale) { text.replace('i', "İ").to_uppercase() } else { text.to_uppercase() }
}

fn lower(text: &str, locale: Locale<'_>) -> String {
    if has_dotless_i(locale) { text.replace('I', "ı").replace('İ', "i").to_lowercase() } else { text.to_lowercase() }
}

/// Capitalizes the first letter of the text, or of each word. The other letters stay as they are. Only white space, a
/// hyphen or an opening bracket begins a new word, so that `d’eau` has one capital.
fn capitalize(text: &str, locale: Locale<'_>, each_word: bool) -> String {
    let mut capitalized = String::with_capacity(text.len());
    let mut at_start = true;
    for c in text.chars() {
        if at_start && c.is_alphanumeric() {
            capitalized.push_str(&upper(c.encode_utf8(&mut [0; 4]), locale));
            at_start = false;
            continue;
        }
        at_start |= each_word && (c.is_whitespace() || matches!(c, '-' | '(' | '[' | '/'));
        capitalized.push(c);
    }
    capitalized
}

/// Capitalizes the first letter, as Word does for numbers in words.
pub fn capitalize_first(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
