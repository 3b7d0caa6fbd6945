//! Numbers written out in English, French and Arabic, up to 999,999. Larger numbers are written in digits.

use waraq_rules::derivation::{self, Case, Language};

/// Returns the cardinal in words, such as `Twenty-one`. Values outside 0 to 999,999 are written in digits.
pub(super) fn cardinal(value: i64, language: Option<&str>) -> String {
    if !(0..=999_999).contains(&value) {
        return value.to_string();
    }
    let words = match primary_language(language) {
        "fr" => french(value),
        "ar" => arabic(value),
        _ => english(value),
    };
    capitalize_first(&words)
}

/// Returns the ordinal in words, such as `First`, `Premier` or `الأول`.
pub(super) fn ordinal(value: i64, language: Option<&str>) -> String {
    if !(1..=999_999).contains(&value) {
        return value.to_string();
    }
    let words = match primary_language(language) {
        "fr" => french_ordinal(value),
        "ar" => arabic_ordinal(value),
        _ => english_ordinal(value),
    };
    capitalize_first(&words)
}

fn primary_language(language: Option<&str>) -> &str {
    language.and_then(|tag| tag.split('-').next()).unwrap_or("en")
}

/// Capitalizes the first letter, as Word does for numbers in words.
pub(crate) fn capitalize_first(words: &str) -> String {
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

fn word_at(words: &[&'static str], index: i64) -> &'static str {
    usize::try_from(index).ok().and_then(|index| words.get(index)).copied().unwrap_or("")
}

fn cardinal_words(value: i64, language: Language) -> String {
    derivation::cardinal(value.unsigned_abs(), language, Case::Nominative).unwrap_or_default()
}

fn english(value: i64) -> String {
    cardinal_words(value, Language::English)
}

fn english_ordinal(value: i64) -> String {
    let cardinal = english(value);
    let (head, last) = match cardinal.rfind([' ', '-']) {
        Some(split) => cardinal.split_at(split + 1),
        None => ("", cardinal.as_str()),
    };
    let last = match last {
        "one" => "first".to_owned(),
        "two" => "second".to_owned(),
        "three" => "third".to_owned(),
        "five" => "fifth".to_owned(),
        "eight" => "eighth".to_owned(),
        "nine" => "ninth".to_owned(),
        "twelve" => "twelfth".to_owned(),
        tens if tens.ends_with('y') => format!("{}ieth", tens.trim_end_matches('y')),
        other => format!("{other}th"),
    };
    format!("{head}{last}")
}

/// Writes a number in French words, in the spelling before the reform of 1990: only parts below one hundred are joined
/// with hyphens.
fn french(value: i64) -> String {
    const SPACED_HYPHENS: [&str; 7] = ["-et-", "-cents", "-cent", "cents-", "cent-", "-mille", "mille-"];
    let joined = cardinal_words(value, Language::French);
    SPACED_HYPHENS.iter().fold(joined, |words, hyphens| words.replace(hyphens, &hyphens.replace('-', " ")))
}

fn french_ordinal(value: i64) -> String {
    if value == 1 {
        return "premier".to_owned();
    }
    let cardinal = french(value);
    let stem = cardinal.strip_suffix("ts").map(|head| format!("{head}t")).unwrap_or(cardinal);
    let stem = stem.strip_suffix("cents").map(|head| format!("{head}cent")).unwrap_or(stem);
    match () {
        () if stem.ends_with("cinq") => format!("{stem}uième"),
        () if stem.ends_with("neuf") => format!("{}vième", stem.trim_end_matches('f')),
        () if stem.ends_with('e') => format!("{}ième", stem.trim_end_matches('e')),
        () => format!("{stem}ième"),
    }
}

const ARABIC_TENS: [&str; 10] = ["", "", "عشرون", "ثلاثون", "أربعون", "خمسون", "ستون", "سبعون", "ثمانون", "تسعون"];

/// Writes a number in Arabic words. Hundreds have the spelling with alif (مائة), and thousands have no case endings.
fn arabic(value: i64) -> String {
    let (thousands, rest) = (value / 1_000, value % 1_000);
    let head = match thousands {
        0 => return cardinal_words(value, Language::Arabic).replace("مئ", "مائ"),
        1 => "ألف".to_owned(),
        2 => "ألفان".to_owned(),
        3..=10 => format!("{} آلاف", arabic(thousands)),
        _ => format!("{} ألف", arabic(thousands)),
    };
    if rest == 0 { head } else { format!("{head} و{}", arabic(rest)) }
}

fn arabic_ordinal(value: i64) -> String {
    const ORDINALS: [&str; 11] =
        ["", "الأول", "الثاني", "الثالث", "الرابع", "الخامس", "السادس", "السابع", "الثامن", "التاسع", "العاشر"];
    match value {
        1..=10 => word_at(&ORDINALS, value).to_owned(),
        11 => "الحادي عشر".to_owned(),
        12..=19 => format!("{} عشر", word_at(&ORDINALS, value - 10)),
        20..=99 if value % 10 == 0 => format!("ال{}", word_at(&ARABIC_TENS, value / 10)),
        21..=99 if value % 10 == 1 => format!("الحادي وال{}", word_at(&ARABIC_TENS, value / 10)),
        21..=99 => format!("{} وال{}", word_at(&ORDINALS, value % 10), word_at(&ARABIC_TENS, value / 10)),
        100 => "المائة".to_owned(),
        _ => arabic(value),
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
        assert_eq!(ordinal(11, Some("ar")), "الحادي عشر");
        assert_eq!(cardinal(-1, None), "-1");
    }
}
