//! Numbers written out in English, French and Arabic, up to 999,999, with the spelling of Word. Larger numbers are written
//! in digits.

use super::capitalize_first;
use crate::derivation::{self, Case, Language};

/// Returns the cardinal in words, such as `Twenty-one`. Values outside 0 to 999,999 are written in digits.
pub(super) fn cardinal(value: i64, language: Option<&str>) -> String {
    let words = words(value, language_of(language), derivation::cardinal);
    words.map_or_else(|| value.to_string(), |words| capitalize_first(&words))
}

/// Returns the ordinal in words, such as `First`, `Premier` or `الأول`. Values outside 1 to 999,999 are written in
/// digits.
pub(super) fn ordinal(value: i64, language: Option<&str>) -> String {
    let words = words(value, language_of(language), derivation::ordinal);
    words.map_or_else(|| value.to_string(), |words| capitalize_first(&words))
}

/// Returns an amount with its fraction in hundredths, such as `fourteen and 55/100`. Returns `None` for negative amounts and
/// for amounts from a million on, which Word does not write in words.
pub(super) fn amount(whole: i64, hundredths: u32, tag: &str) -> Option<String> {
    let language = language_of(Some(tag));
    let words = words(whole, language, derivation::cardinal)?;
    let and = match language {
        Language::English => "and ",
        Language::French => "et ",
        Language::Arabic => "و",
    };
    Some(format!("{words} {and}{hundredths:02}/100"))
}

/// Returns the language of the words. Other languages than French and Arabic use English.
fn language_of(tag: Option<&str>) -> Language {
    tag.and_then(Language::from_code).unwrap_or(Language::English)
}

/// Writes a number with `write`, in the spelling of Word. Returns `None` outside 0 to 999,999, or if `write` does.
fn words(value: i64, language: Language, write: fn(u64, Language, Case) -> Option<String>) -> Option<String> {
    let value = u64::try_from(value).ok().filter(|value| *value <= 999_999)?;
    Some(spelled(write(value, language, Case::Nominative)?, language))
}

/// Changes the spelling of number words to that of Word. In French, it is the spelling before the reform of 1990: only
/// parts below one hundred are joined with hyphens. In Arabic, hundreds have an alif (مائة), and thousands have no case
/// ending.
fn spelled(words: String, language: Language) -> String {
    const SPACED_HYPHENS: [&str; 7] = ["-et-", "-cents", "-cent", "cents-", "cent-", "-mill", "mille-"];
    match language {
        Language::English => words,
        Language::French => {
            SPACED_HYPHENS.iter().fold(words, |words, hyphens| words.replace(hyphens, &hyphens.replace('-', " ")))
        }
        Language::Arabic => words.replace("مئ", "مائ").replace("ألفًا", "ألف"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_english_french_and_arabic() {
        assert_eq!(cardinal(121, None), "One hundred twenty-one");
        assert_eq!(ordinal(30, Some("en-US")), "Thirtieth");
        assert_eq!(ordinal(42, Some("en-US")), "Forty-second");
        assert_eq!(cardinal(71, Some("fr-FR")), "Soixante et onze");
        assert_eq!(cardinal(80_000, Some("fr")), "Quatre-vingt mille");
        assert_eq!(ordinal(9, Some("fr")), "Neuvième");
        assert_eq!(ordinal(4, Some("fr")), "Quatrième");
        assert_eq!(cardinal(25, Some("ar-SA")), "خمسة وعشرون");
        assert_eq!(cardinal(1200, Some("fr")), "Mille deux cents");
        assert_eq!(ordinal(2000, Some("fr")), "Deux millième");
        assert_eq!(ordinal(80, Some("fr")), "Quatre-vingtième");
        assert_eq!(ordinal(300, Some("fr")), "Trois centième");
        assert_eq!(ordinal(1, Some("fr")), "Premier");
        assert_eq!(ordinal(71, Some("fr")), "Soixante et onzième");
        assert_eq!(ordinal(1_021, Some("fr")), "Mille vingt et unième");
        assert_eq!(ordinal(205_001, Some("fr")), "Deux cent cinq mille unième");
        assert_eq!(cardinal(11_300, Some("ar")), "أحد عشر ألف وثلاثمائة");
        assert_eq!(ordinal(11, Some("ar")), "الحادي عشر");
        assert_eq!(ordinal(42, Some("ar")), "الثاني والأربعون");
        assert_eq!(ordinal(100, Some("ar")), "المائة");
        assert_eq!(ordinal(0, None), "0");
        assert_eq!(cardinal(1_000_000, None), "1000000");
        assert_eq!(cardinal(-1, None), "-1");
    }
}
