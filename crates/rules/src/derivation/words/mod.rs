//! Numbers and dates in words.

pub(crate) mod arabic;
pub(crate) mod english;
pub(crate) mod french;

use serde::{Deserialize, Serialize};

/// The languages of number words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// English, with the code `en`.
    English,
    /// French, with the code `fr`.
    French,
    /// Arabic, with the code `ar`.
    Arabic,
}

impl Language {
    /// Returns the language of a code such as `fr`, `fr-MA` or `FR`, or `None` if it is not supported.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next().unwrap_or(code);
        let known = [("en", Self::English), ("fr", Self::French), ("ar", Self::Arabic)];
        known.into_iter().find(|(code, _)| code.eq_ignore_ascii_case(primary)).map(|(_, language)| language)
    }
}

/// The grammatical case of Arabic number words. Accusative and genitive are spelled alike without vowel signs, so two cases are
/// enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// The case of a number on its own or as a subject: ألفان وعشرون درهمًا.
    #[default]
    Nominative,
    /// The case after a preposition, in a construct or as an object: بمبلغ ألفين وعشرين درهمًا.
    Oblique,
}

/// The largest number that can be written in words.
pub const MAX_IN_WORDS: u64 = 999_999_999_999_999_999;

/// Returns an integer in words, without a counted noun. Returns `None` if it is larger than [`MAX_IN_WORDS`].
pub fn cardinal(number: u64, language: Language, case: Case) -> Option<String> {
    (number <= MAX_IN_WORDS).then(|| match language {
        Language::English => english::cardinal(number),
        Language::French => french::cardinal(number, french::Gender::Masculine),
        Language::Arabic => arabic::cardinal(number, arabic::Gender::Masculine, case),
    })
}

/// Returns an ordinal in words, such as “twenty-first”, “premier” or “الحادي والعشرون”. Returns `None` if the number is
/// 0 or larger than [`MAX_IN_WORDS`]. Arabic numbers above 100 are written as cardinals.
pub(crate) fn ordinal(number: u64, language: Language, case: Case) -> Option<String> {
    (1..=MAX_IN_WORDS).contains(&number).then(|| match language {
        Language::English => english::ordinal(number),
        Language::French if number == 1 => "premier".to_owned(),
        Language::French => french::ordinal(&french::cardinal(number, french::Gender::Masculine)),
        Language::Arabic if number > 100 => arabic::cardinal(number, arabic::Gender::Masculine, case),
        Language::Arabic => arabic::ordinal(number, case),
    })
}

/// Splits a number into groups of three digits, highest group first. Each item is the exponent of 1,000 (0 for the
/// lowest group) and the value of the group. Groups with the value 0 are left out.
fn groups_of_three_digits(number: u64) -> impl Iterator<Item = (usize, u64)> {
    (0..6).rev().map(move |power| (power, number / 1000_u64.pow(power as u32) % 1000)).filter(|(_, digits)| *digits > 0)
}
