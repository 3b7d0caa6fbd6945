//! Arabic number words, by the rules of the counted noun (العدد والمعدود):
//!
//! - 1 and 2 are expressed by the noun itself: the singular with واحد, and the dual.
//! - 3 to 10 have the opposite gender of the noun, and are followed by its genitive plural.
//! - 11 to 99 are followed by the accusative singular (تمييز). 11 and 12 agree with the noun in gender. In the other
//!   numbers, a final digit from 3 to 9 has the opposite gender.
//! - Hundreds, thousands and millions are nouns in a construct with the genitive singular: مئتا ريال, ألفا ريال,
//!   أحد عشر ألف ريال.
//! - The last number word before the noun decides the form of the noun: مئة وثلاثة ريالات. If a number ends in 1 or 2, the noun
//!   is written twice: مئة ريال وريالان.
//!
//! *Hundred* is spelled مئة and joined to its multiplier in a single word (ثلاثمئة). Tanween is placed before its alef
//! (ريالًا).

use std::borrow::Cow;

use super::{Case, groups_of_three_digits};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gender {
    Masculine,
    Feminine,
}

/// A counted noun, with or without an adjective.
#[derive(Debug, Clone)]
pub(crate) struct Noun {
    pub gender: Gender,
    pub singular: Cow<'static, str>,
    /// The dual in the nominative and in the oblique case.
    pub dual: [Cow<'static, str>; 2],
    pub plural: Cow<'static, str>,
    /// The accusative singular without an article.
    pub accusative: Cow<'static, str>,
}

impl Noun {
    /// Creates a noun whose dual and accusative follow the regular rules. A noun that ends in ـة is feminine. A noun
    /// that ends in ـو is a foreign word, and its accusative has no ending.
    pub(crate) fn regular(singular: &'static str, plural: &'static str) -> Self {
        let [dual, oblique, accusative] = regular_forms(singular);
        let gender = if singular.ends_with('ة') { Gender::Feminine } else { Gender::Masculine };
        Self {
            gender,
            singular: singular.into(),
            dual: [dual.into(), oblique.into()],
            plural: plural.into(),
            accusative: accusative.into(),
        }
    }

    /// Returns the noun with an adjective. `masculine` is the masculine singular of the adjective. In the plural, the
    /// adjective is in the feminine singular, as after all nouns that do not name persons.
    pub(crate) fn with_adjective(&self, masculine: &str) -> Self {
        let feminine = format!("{masculine}ة");
        let own = if self.gender == Gender::Feminine { &feminine } else { masculine };
        let [dual, oblique, accusative] = regular_forms(own);
        let [own_dual, own_oblique] = &self.dual;
        Self {
            gender: self.gender,
            singular: format!("{} {own}", self.singular).into(),
            dual: [format!("{own_dual} {dual}").into(), format!("{own_oblique} {oblique}").into()],
            plural: format!("{} {feminine}", self.plural).into(),
            accusative: format!("{} {accusative}", self.accusative).into(),
        }
    }

    fn dual(&self, case: Case) -> &str {
        let [nominative, oblique] = &self.dual;
        if case == Case::Nominative { nominative } else { oblique }
    }
}

/// Returns the dual in the nominative, the dual in the oblique case and the accusative singular of a noun or adjective.
fn regular_forms(singular: &str) -> [String; 3] {
    match singular.strip_suffix('ة') {
        Some(stem) => [format!("{stem}تان"), format!("{stem}تين"), format!("{singular}ً")],
        None if singular.ends_with('و') => [format!("{singular}ان"), format!("{singular}ين"), singular.to_owned()],
        None => [format!("{singular}ان"), format!("{singular}ين"), format!("{singular}ًا")],
    }
}

/// The words for 3 to 10, for masculine and for feminine nouns.
const UNITS: [[&str; 2]; 8] = [
    ["ثلاثة", "ثلاث"],
    ["أربعة", "أربع"],
    ["خمسة", "خمس"],
    ["ستة", "ست"],
    ["سبعة", "سبع"],
    ["ثمانية", "ثماني"],
    ["تسعة", "تسع"],
    ["عشرة", "عشر"],
];
/// The stems of the words for 20 to 90.
const TENS: [&str; 8] = ["عشر", "ثلاث", "أربع", "خمس", "ست", "سبع", "ثمان", "تسع"];
/// The multipliers before مئة, from 3 to 9.
const HUNDREDS: [&str; 7] = ["ثلاث", "أربع", "خمس", "ست", "سبع", "ثمان", "تسع"];
/// The words for a thousand and its powers, in the singular and in the plural.
const POWERS: [[&str; 2]; 5] = [
    ["ألف", "آلاف"],
    ["مليون", "ملايين"],
    ["مليار", "مليارات"],
    ["تريليون", "تريليونات"],
    ["كوادريليون", "كوادريليونات"],
];

fn word_at<const N: usize>(table: [&'static str; N], at: u64) -> &'static str {
    usize::try_from(at).ok().and_then(|at| table.get(at).copied()).unwrap_or_default()
}

/// Returns the word for a number from 3 to 10, in the form before a counted noun of this gender.
fn three_to_ten(number: u64, gender: Gender) -> &'static str {
    let [masculine, feminine] =
        usize::try_from(number).ok().and_then(|number| UNITS.get(number.checked_sub(3)?).copied()).unwrap_or_default();
    if gender == Gender::Masculine { masculine } else { feminine }
}

/// Returns `nominative` or `oblique`, depending on `case`. Both arguments are case forms of the same ending or word.
fn case_ending(nominative: &'static str, oblique: &'static str, case: Case) -> &'static str {
    if case == Case::Nominative { nominative } else { oblique }
}

/// Returns a number from 11 to 99 in words. `gender` is the gender of the counted noun.
fn below_hundred(number: u64, gender: Gender, case: Case) -> String {
    let masculine = gender == Gender::Masculine;
    let (tens, ones) = (number / 10, number % 10);
    if tens == 1 {
        let ten = if masculine { "عشر" } else { "عشرة" };
        let ones = match (ones, masculine) {
            (1, true) => "أحد",
            (1, false) => "إحدى",
            (2, true) => case_ending("اثنا", "اثني", case),
            (2, false) => case_ending("اثنتا", "اثنتي", case),
            _ => three_to_ten(ones, gender),
        };
        return format!("{ones} {ten}");
    }
    let tens = format!("{}{}", word_at(TENS, tens.saturating_sub(2)), case_ending("ون", "ين", case));
    let ones = match (ones, masculine) {
        (0, _) => return tens,
        (1, true) => "واحد",
        (1, false) => "إحدى",
        _ => without_noun(ones, gender, case),
    };
    format!("{ones} و{tens}")
}

/// Returns the word for a number from 1 to 10 that is not directly followed by its counted noun. `gender` is the gender
/// of this noun.
fn without_noun(number: u64, gender: Gender, case: Case) -> &'static str {
    match (number, gender) {
        (1, Gender::Masculine) => "واحد",
        (1, Gender::Feminine) => "واحدة",
        (2, Gender::Masculine) => case_ending("اثنان", "اثنين", case),
        (2, Gender::Feminine) => case_ending("اثنتان", "اثنتين", case),
        (8, Gender::Feminine) => "ثمانٍ",
        _ => three_to_ten(number, gender),
    }
}

/// Returns the words for 1 to 9 hundreds. `construct` is true if a noun follows immediately.
fn hundreds(number: u64, case: Case, construct: bool) -> String {
    match number {
        1 => "مئة".to_owned(),
        2 if construct => format!("مئت{}", case_ending("ا", "ي", case)),
        2 => format!("مئت{}", case_ending("ان", "ين", case)),
        _ => format!("{}مئة", word_at(HUNDREDS, number.saturating_sub(3))),
    }
}

fn join_with_and(pieces: &[String]) -> String {
    pieces.join(" و")
}

/// Returns the words for 1 to 999 times `power`, a power of a thousand. `construct` is true if the counted noun follows
/// immediately.
fn times_power(number: u64, power: &Noun, case: Case, construct: bool) -> String {
    let dual = || {
        let dual = power.dual(case);
        // In a construct, the final nun is dropped.
        if construct { dual.strip_suffix('ن').unwrap_or(dual) } else { dual }.to_owned()
    };
    let mut pieces = Vec::new();
    let (hundred, rest) = (number / 100, number % 100);
    if hundred > 0 {
        let alone = rest >= 3;
        let words = hundreds(hundred, case, !alone);
        pieces.push(if alone { words } else { format!("{words} {}", power.singular) });
    }
    match rest {
        0 => {}
        1 => pieces.push(power.singular.to_string()),
        2 => pieces.push(dual()),
        3..=10 => pieces.push(format!("{} {}", three_to_ten(rest, power.gender), power.plural)),
        _ => {
            let counted = if construct { &power.singular } else { &power.accusative };
            pieces.push(format!("{} {counted}", below_hundred(rest, power.gender, case)));
        }
    }
    join_with_and(&pieces)
}

/// Returns the words of the thousands and all higher powers, highest first. `construct` is true if a counted noun follows.
fn thousands_and_above(number: u64, case: Case, construct: bool) -> Vec<String> {
    let whole = number.is_multiple_of(1000);
    let last = groups_of_three_digits(number).filter(|(power, _)| *power > 0).map(|(power, _)| power).last();
    let pieces = groups_of_three_digits(number).filter_map(|(power, digits)| {
        let [singular, plural] = POWERS.get(power.checked_sub(1)?)?;
        let construct = construct && whole && Some(power) == last;
        Some(times_power(digits, &Noun::regular(singular, plural), case, construct))
    });
    pieces.collect()
}

/// Returns a number in words, without the noun that it counts. `gender` is the gender of this noun.
pub(crate) fn cardinal(number: u64, gender: Gender, case: Case) -> String {
    if number == 0 {
        return "صفر".to_owned();
    }
    let mut pieces = thousands_and_above(number, case, false);
    let (hundred, rest) = (number / 100 % 10, number % 100);
    if hundred > 0 {
        pieces.push(hundreds(hundred, case, false));
    }
    match rest {
        0 => {}
        1..=10 => pieces.push(without_noun(rest, gender, case).to_owned()),
        _ => pieces.push(below_hundred(rest, gender, case)),
    }
    join_with_and(&pieces)
}

/// Returns a number in words, together with its counted noun.
pub(crate) fn with_noun(number: u64, noun: &Noun, case: Case) -> String {
    let (hundred, rest) = (number / 100 % 10, number % 100);
    match (number, rest) {
        (0, _) => return format!("صفر {}", noun.singular),
        (1, _) => return format!("{} {}", noun.singular, without_noun(1, noun.gender, case)),
        (2, _) => return noun.dual(case).to_owned(),
        (_, 1 | 2) => return format!("{} و{}", with_noun(number - rest, noun, case), with_noun(rest, noun, case)),
        _ => {}
    }
    let mut pieces = thousands_and_above(number, case, true);
    if hundred > 0 {
        pieces.push(hundreds(hundred, case, rest == 0));
    }
    let form = match rest {
        0 => &noun.singular,
        3..=10 => {
            pieces.push(three_to_ten(rest, noun.gender).to_owned());
            &noun.plural
        }
        _ => {
            pieces.push(below_hundred(rest, noun.gender, case));
            &noun.accusative
        }
    };
    format!("{} {form}", join_with_and(&pieces))
}

/// Returns a date such as “الخامس عشر من مارس عام ألفين وستة وعشرين”. The year is in a construct with عام, so it is
/// always oblique.
pub(crate) fn date(day: u64, month: &str, year: u64, case: Case) -> String {
    let year = cardinal(year, Gender::Masculine, Case::Oblique);
    format!("{} من {month} عام {year}", ordinal(day, case))
}

/// Returns the ordinal of a number from 1 to 100, with the article.
pub(crate) fn ordinal(number: u64, case: Case) -> String {
    const ORDINALS: [&str; 10] =
        ["الأول", "الثاني", "الثالث", "الرابع", "الخامس", "السادس", "السابع", "الثامن", "التاسع", "العاشر"];
    let (tens, ones) = (number / 10, number % 10);
    let tens_word = || format!("ال{}{}", word_at(TENS, tens.saturating_sub(2)), case_ending("ون", "ين", case));
    let first = |alone: bool| if alone { word_at(ORDINALS, 0) } else { "الحادي" };
    match (tens, ones) {
        (10, _) => "المئة".to_owned(),
        (0, 1) => first(true).to_owned(),
        (0, _) | (1, 0) => word_at(ORDINALS, number.saturating_sub(1)).to_owned(),
        (1, 1) => format!("{} عشر", first(false)),
        (1, _) => format!("{} عشر", word_at(ORDINALS, ones.saturating_sub(1))),
        (_, 0) => tens_word(),
        (_, 1) => format!("{} و{}", first(false), tens_word()),
        _ => format!("{} و{}", word_at(ORDINALS, ones.saturating_sub(1)), tens_word()),
    }
}
