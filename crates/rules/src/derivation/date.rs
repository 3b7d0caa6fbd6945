//! Parses dates as users type them, and writes dates in words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use jiff::civil::Date;

use super::amount::western_digit;
use super::words::{Case, Language, arabic, english, french};
use super::{NoValueReason, TemplateLocale};
use crate::name::{fold, is_ignorable};

/// The accepted years. Years of the Hijri calendar are smaller, so a Hijri date is refused and not read as a Gregorian one.
const YEARS: std::ops::RangeInclusive<i16> = 1700..=2999;
/// Maximum number of characters of a typed date.
const MAX_CHARACTERS: usize = 100;

const ENGLISH: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const FRENCH: [&str; 12] = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];
const ARABIC: [&str; 12] =
    ["يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"];
const MOROCCAN: [&str; 12] =
    ["يناير", "فبراير", "مارس", "أبريل", "ماي", "يونيو", "يوليوز", "غشت", "شتنبر", "أكتوبر", "نونبر", "دجنبر"];
const ALGERIAN: [&str; 12] =
    ["جانفي", "فيفري", "مارس", "أفريل", "ماي", "جوان", "جويلية", "أوت", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"];
const MAURITANIAN: [&str; 12] =
    ["يناير", "فبراير", "مارس", "إبريل", "مايو", "يونيو", "يوليو", "أغشت", "شتمبر", "أكتوبر", "نوفمبر", "دجمبر"];
const LEVANTINE: [&str; 12] = [
    "كانون الثاني",
    "شباط",
    "آذار",
    "نيسان",
    "أيار",
    "حزيران",
    "تموز",
    "آب",
    "أيلول",
    "تشرين الأول",
    "تشرين الثاني",
    "كانون الأول",
];
/// Common abbreviations of the names of months.
const ABBREVIATIONS: [(&str, i8); 20] = [
    ("jan", 1),
    ("janv", 1),
    ("feb", 2),
    ("févr", 2),
    ("fév", 2),
    ("mar", 3),
    ("apr", 4),
    ("avr", 4),
    ("jun", 6),
    ("jul", 7),
    ("juil", 7),
    ("aug", 8),
    ("sep", 9),
    ("sept", 9),
    ("oct", 10),
    ("nov", 11),
    ("dec", 12),
    ("déc", 12),
    ("اغسطس", 8),
    ("ابريل", 4),
];
/// Words in dates that are ignored.
const IGNORED_WORDS: [&str; 17] =
    ["the", "of", "day", "on", "le", "de", "du", "er", "st", "nd", "rd", "th", "من", "في", "شهر", "سنة", "عام"];

/// Returns the names of the months in a language, as used in a country (ISO 3166).
pub fn month_names(language: Language, country: Option<&str>) -> &'static [&'static str; 12] {
    match (language, country) {
        (Language::English, _) => &ENGLISH,
        (Language::French, _) => &FRENCH,
        (Language::Arabic, Some("MA" | "EH")) => &MOROCCAN,
        (Language::Arabic, Some("DZ" | "TN")) => &ALGERIAN,
        (Language::Arabic, Some("MR")) => &MAURITANIAN,
        (Language::Arabic, Some("SY" | "LB" | "JO" | "PS" | "IQ")) => &LEVANTINE,
        (Language::Arabic, _) => &ARABIC,
    }
}

/// Returns a date in words, or `None` if the template's language is not supported.
pub(crate) fn date_in_words(date: Date, case: Case, setting: &TemplateLocale) -> Option<String> {
    let language = setting.language()?;
    let month = month_names(language, setting.country).get(usize::try_from(date.month() - 1).ok()?)?;
    let (day, year) = (u64::try_from(date.day()).ok()?, u64::try_from(date.year()).ok()?);
    Some(match language {
        Language::English => english::date(day, month, year),
        Language::French => french::date(day, month, year),
        Language::Arabic => arabic::date(day, month, year, case),
    })
}

/// Parses a Gregorian date as a user typed it. Examples: `2026-03-15`, `15/03/2026`, `15 mars 2026`, `March 15, 2026`,
/// `١٥ مارس ٢٠٢٦`.
///
/// # Errors
/// [`NoValueReason::Empty`], [`NoValueReason::NoDate`], [`NoValueReason::AmbiguousDate`].
pub(crate) fn parse_date(typed: &str, setting: &TemplateLocale) -> Result<Date, NoValueReason> {
    let text: String = typed
        .chars()
        .filter(|character| !is_ignorable(*character))
        .take(MAX_CHARACTERS + 1)
        .map(|character| western_digit(character).unwrap_or(character))
        .collect();
    if text.chars().count() > MAX_CHARACTERS {
        return Err(NoValueReason::NoDate);
    }
    if text.trim().is_empty() {
        return Err(NoValueReason::Empty);
    }
    let (numbers, months) = split_date(&text).ok_or(NoValueReason::NoDate)?;
    let is_year = |digits: &String| digits.len() == 4;
    let (year, month, day) = match (numbers.as_slice(), months.as_slice()) {
        ([year, month, day], []) if is_year(year) => (year, parse_day_or_month(month)?, day),
        ([first, second, year], []) if is_year(year) => {
            let (first_number, second_number) = (parse_day_or_month(first)?, parse_day_or_month(second)?);
            match day_month_order(setting) {
                DayMonthOrder::DayFirst => (year, second_number, first),
                DayMonthOrder::MonthFirst => (year, first_number, second),
                DayMonthOrder::Either if first_number == second_number || first_number > 12 => {
                    (year, second_number, first)
                }
                DayMonthOrder::Either if second_number > 12 => (year, first_number, second),
                DayMonthOrder::Either => return Err(NoValueReason::AmbiguousDate),
            }
        }
        ([day, year], [month]) if is_year(year) => (year, *month, day),
        ([year, day], [month]) if is_year(year) => (year, *month, day),
        _ => return Err(NoValueReason::NoDate),
    };
    let year = year.parse().ok().filter(|year| YEARS.contains(year)).ok_or(NoValueReason::NoDate)?;
    Date::new(year, month, parse_day_or_month(day)?).map_err(|_| NoValueReason::NoDate)
}

/// Parses the number of a day or of a month, which has at most two digits.
fn parse_day_or_month(digits: &str) -> Result<i8, NoValueReason> {
    if digits.len() > 2 { Err(NoValueReason::NoDate) } else { digits.parse().map_err(|_| NoValueReason::NoDate) }
}

enum DayMonthOrder {
    DayFirst,
    MonthFirst,
    /// The order is unknown, as in English without a country.
    Either,
}

fn day_month_order(setting: &TemplateLocale) -> DayMonthOrder {
    match (setting.language(), setting.country) {
        (Some(Language::English), Some("US")) => DayMonthOrder::MonthFirst,
        (Some(Language::English), None) => DayMonthOrder::Either,
        _ => DayMonthOrder::DayFirst,
    }
}

/// Returns the numbers of a date, and the months that it names, each in order. Returns `None` if the text contains a
/// word that is neither a month nor ignored.
fn split_date(text: &str) -> Option<(Vec<String>, Vec<i8>)> {
    let (mut numbers, mut months) = (Vec::new(), Vec::new());
    let mut words: Vec<String> = Vec::new();
    for piece in text.split(|character: char| character.is_whitespace() || "/.-,،'’".contains(character)) {
        // `15th` and `1er` are digits followed by letters.
        let end = piece.find(|character: char| !character.is_ascii_digit()).unwrap_or(piece.len());
        let (digits, word) = piece.split_at(end);
        if !digits.is_empty() {
            months.extend(months_in(&words)?);
            words.clear();
            numbers.push(digits.to_owned());
        }
        if !word.is_empty() {
            words.push(fold(word));
        }
    }
    months.extend(months_in(&words)?);
    Some((numbers, months))
}

/// Returns the months that the words name. The name of a month may consist of two words. Returns `None` if a word is
/// neither a month nor ignored.
fn months_in(words: &[String]) -> Option<Vec<i8>> {
    let mut found = Vec::new();
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let two = after.first().map(|next| format!("{word}{next}"));
        if let Some(month) = two.and_then(|two| month(&two)) {
            found.push(month);
            rest = after.get(1..).unwrap_or_default();
            continue;
        }
        rest = after;
        match month(word) {
            Some(month) => found.push(month),
            None if is_ignored_word(word) => {}
            None => return None,
        }
    }
    Some(found)
}

/// Returns the month that a folded word names, in any language.
fn month(folded: &str) -> Option<i8> {
    static MONTHS: LazyLock<BTreeMap<String, i8>> = LazyLock::new(|| {
        let tables = [&ENGLISH, &FRENCH, &ARABIC, &MOROCCAN, &ALGERIAN, &MAURITANIAN, &LEVANTINE];
        let whole = tables.into_iter().flat_map(|table| table.iter().copied().zip(1..));
        whole.chain(ABBREVIATIONS).map(|(name, month)| (fold(name), month)).collect()
    });
    MONTHS.get(folded).copied()
}

fn is_ignored_word(folded: &str) -> bool {
    static WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| IGNORED_WORDS.iter().map(|word| fold(word)).collect());
    folded.is_empty() || WORDS.contains(folded)
}
