//! Numbers and dates in words.

pub(crate) mod arabic;
pub(crate) mod english;
pub(crate) mod french;

use serde::{Deserialize, Serialize};

/// The languages that words are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    English,
    French,
    Arabic,
}

impl Language {
    /// `fr`, `fr-MA`, `FR` … `None`: no words are known.
    pub fn from_code(code: &str) -> Option<Self> {
        let primary = code.split(['-', '_']).next().unwrap_or(code);
        let known = [("en", Self::English), ("fr", Self::French), ("ar", Self::Arabic)];
        known.into_iter().find(|(code, _)| code.eq_ignore_ascii_case(primary)).map(|(_, language)| language)
    }
}

/// The case of Arabic number words. Without vowel signs accusative and genitive are written alike, so there are two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Case {
    /// Standing alone, or as a subject: ألفان وعشرون درهمًا.
    #[default]
    Nominative,
    /// After a preposition, in a construct, or as an object: بمبلغ ألفين وعشرين درهمًا.
    Oblique,
}

/// The largest number that has words.
pub const LARGEST: u64 = 999_999_999_999_999_999;

/// An integer in words, as it stands without a noun. `None`: past [`LARGEST`].
pub fn cardinal(number: u64, language: Language, case: Case) -> Option<String> {
    (number <= LARGEST).then(|| match language {
        Language::English => english::cardinal(number),
        Language::French => french::cardinal(number, french::Gender::Masculine),
        Language::Arabic => arabic::cardinal(number, arabic::Gender::Masculine, case),
    })
}

/// The digits of a number by thousands, the highest first, each with the power of a thousand it counts.
fn thousands(number: u64) -> impl Iterator<Item = (usize, u64)> {
    (0..6).rev().map(move |power| (power, number / 1000_u64.pow(power as u32) % 1000)).filter(|(_, digits)| *digits > 0)
}
