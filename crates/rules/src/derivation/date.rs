//! Parses dates as users type them, and writes dates in words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use jiff::civil::{Date, DateTime, Time};

use super::amount::western_digit;
use super::words::{Case, Language, arabic, english, french};
use super::{NoValueReason, TemplateLocale};
use crate::format::{Locale, LocaleData, locale_data};
use crate::name::{fold, is_ignorable};

/// The accepted years. Years of the Hijri calendar are smaller, so a Hijri date is refused and not read as a Gregorian one.
const YEARS: std::ops::RangeInclusive<i16> = 1700..=2999;
/// Maximum number of characters of a typed date.
const MAX_CHARACTERS: usize = 100;

/// The locales whose names of months and days the parser accepts in every template. Arabic has several locales, because Arab
/// countries use different month names.
const READ_LOCALES: [&str; 7] = ["en", "fr", "ar", "ar-MA", "ar-DZ", "ar-MR", "ar-SY"];
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
/// Words that the parser ignores in a date.
const IGNORED_WORDS: [&str; 17] =
    ["the", "of", "day", "on", "le", "de", "du", "er", "st", "nd", "rd", "th", "من", "في", "شهر", "سنة", "عام"];

/// Returns the names of months and days, and the date pictures, of the language and country of a template.
fn locale_values(setting: &TemplateLocale) -> LocaleData {
    locale_data(Locale { tag: setting.language, country: setting.country })
}

/// Returns a date in words, or `None` if the template's language is not supported.
pub(crate) fn date_in_words(date: Date, case: Case, setting: &TemplateLocale) -> Option<String> {
    let language = setting.language()?;
    let names = locale_values(setting);
    let month = names.months.get(usize::try_from(date.month() - 1).ok()?)?;
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
    let (numbers, months) = split_date(&text, setting).ok_or(NoValueReason::NoDate)?;
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

/// Parses a Gregorian date with or without a time. The text may be in ISO 8601 form, such as `2026-03-15T14:30:00`.
/// Otherwise, the date has a form that [`parse_date`] accepts, and a time may follow it, as in `15/03/2026 2:30 PM`. If
/// the text has no time, the result is midnight.
///
/// # Errors
/// [`NoValueReason::Empty`], [`NoValueReason::NoDate`], [`NoValueReason::AmbiguousDate`].
pub fn parse_date_time(typed: &str, setting: &TemplateLocale) -> Result<DateTime, NoValueReason> {
    let text = typed.trim();
    if text.contains('T') && text.len() <= MAX_CHARACTERS {
        let iso = text.strip_suffix('Z').unwrap_or(text).parse::<DateTime>().ok();
        if let Some(moment) = iso.filter(|moment| YEARS.contains(&moment.year())) {
            return Ok(moment);
        }
    }
    let with_time = text.find(':').and_then(|colon| {
        let split = text.get(..colon)?.rfind(char::is_whitespace)?;
        let (date, time) = text.split_at_checked(split)?;
        Some((date, parse_time(time)?))
    });
    let (date, time) = with_time.unwrap_or((typed, Time::midnight()));
    Ok(parse_date(date, setting)?.to_datetime(time))
}

/// Parses a time such as `15:30`, `3:30:20 PM` or `3:30 م`. Returns `None` for other text.
pub(crate) fn parse_time(typed: &str) -> Option<Time> {
    let text = typed.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(text.len());
    let (clock, half_day) = text.split_at_checked(end)?;
    let numbers: Option<Vec<i8>> = clock.split(':').map(|number| number.parse().ok()).collect();
    let (hour, minute, second) = match numbers?.as_slice() {
        [hour, minute] => (*hour, *minute, 0),
        [hour, minute, second] => (*hour, *minute, *second),
        _ => return None,
    };
    let hour = match half_day.trim().to_lowercase().replace(['.', ' '], "").as_str() {
        "" => hour,
        "am" | "ص" if (1..=12).contains(&hour) => hour % 12,
        "pm" | "م" if (1..=12).contains(&hour) => hour % 12 + 12,
        _ => return None,
    };
    Time::new(hour, minute, second, 0).ok()
}

/// Parses the number of a day or of a month. More than two digits are an error.
fn parse_day_or_month(digits: &str) -> Result<i8, NoValueReason> {
    if digits.len() > 2 { Err(NoValueReason::NoDate) } else { digits.parse().map_err(|_| NoValueReason::NoDate) }
}

enum DayMonthOrder {
    DayFirst,
    MonthFirst,
    /// The order of day and month is not known, as in English without a country.
    Either,
}

fn day_month_order(setting: &TemplateLocale) -> DayMonthOrder {
    match (setting.language(), setting.country) {
        (Some(Language::English), None) => DayMonthOrder::Either,
        _ if locale_values(setting).date.starts_with('M') => DayMonthOrder::MonthFirst,
        _ => DayMonthOrder::DayFirst,
    }
}

/// Splits a date into its numbers and the months that are written as words (1 is January). Both lists are in order of
/// appearance. Returns `None` if the text contains a word that is neither a month nor an ignored word.
fn split_date(text: &str, setting: &TemplateLocale) -> Option<(Vec<String>, Vec<i8>)> {
    let (mut numbers, mut months) = (Vec::new(), Vec::new());
    let mut words: Vec<String> = Vec::new();
    for piece in text.split(|character: char| character.is_whitespace() || "/.-,،'’".contains(character)) {
        // `15th` and `1er` are digits followed by letters.
        let end = piece.find(|character: char| !character.is_ascii_digit()).unwrap_or(piece.len());
        let (digits, word) = piece.split_at(end);
        if !digits.is_empty() {
            months.extend(months_in(&words, setting)?);
            words.clear();
            numbers.push(digits.to_owned());
        }
        if !word.is_empty() {
            words.push(fold(word));
        }
    }
    months.extend(months_in(&words, setting)?);
    Some((numbers, months))
}

/// Returns the months that `words` name, in order (1 is January). The name of a month may consist of two words. Returns
/// `None` if a word is neither a month nor an ignored word.
fn months_in(words: &[String], setting: &TemplateLocale) -> Option<Vec<i8>> {
    let mut found = Vec::new();
    let mut rest = words;
    while let Some((word, after)) = rest.split_first() {
        let two = after.first().map(|next| format!("{word}{next}"));
        if let Some(month) = two.and_then(|two| month(&two, setting)) {
            found.push(month);
            rest = after.get(1..).unwrap_or_default();
            continue;
        }
        rest = after;
        match month(word, setting) {
            Some(month) => found.push(month),
            None if is_ignored_word(word, setting) => {}
            None => return None,
        }
    }
    Some(found)
}

/// Returns the month (1 is January) that a word names in English, French, Arabic or the language of the template.
/// Returns `None` if the word is not a month. The word must be folded with [`fold`].
fn month(folded: &str, setting: &TemplateLocale) -> Option<i8> {
    static MONTHS: LazyLock<BTreeMap<String, i8>> = LazyLock::new(|| {
        let names = READ_LOCALES.into_iter().map(|tag| locale_data(Locale { tag, country: None }).months);
        let whole = names.flat_map(|names| names.into_iter().zip(1..));
        whole.chain(ABBREVIATIONS).map(|(name, month)| (fold(name), month)).collect()
    });
    let known = MONTHS.get(folded).copied();
    if known.is_some() || setting.language().is_some() || folded.is_empty() {
        return known;
    }
    let own = locale_values(setting);
    let lists = [own.months, own.months_alone, own.short_months, own.short_months_alone];
    lists
        .into_iter()
        .find_map(|names| names.into_iter().zip(1..).find(|(name, _)| is_name(name, folded)))
        .map(|(_, month)| month)
}

/// Returns whether a folded word is the month name `name`. A point at the end of an abbreviated name is ignored.
fn is_name(name: &str, folded: &str) -> bool {
    fold(name.trim_end_matches('.')) == folded
}

/// Returns whether a folded word does not change the date. The name of a day of the week is such a word.
fn is_ignored_word(folded: &str, setting: &TemplateLocale) -> bool {
    static WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let days = READ_LOCALES.into_iter().flat_map(|tag| locale_data(Locale { tag, country: None }).days);
        IGNORED_WORDS.into_iter().chain(days).map(fold).collect()
    });
    folded.is_empty()
        || WORDS.contains(folded)
        || (setting.language().is_none() && locale_values(setting).days.into_iter().any(|day| is_name(day, folded)))
}
