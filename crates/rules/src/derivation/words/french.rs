//! French number words in the spelling of 1990: hyphens join all numerals (vingt-et-un, deux-cent-mille). *Million* and
//! larger powers are nouns: they are separate words, have a plural, and take *de* before the counted noun.

use super::groups_of_three_digits;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gender {
    Masculine,
    Feminine,
}

const UNITS: [&str; 17] = [
    "zéro", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
    "quatorze", "quinze", "seize",
];
const TENS: [&str; 7] = ["", "", "vingt", "trente", "quarante", "cinquante", "soixante"];
/// The words for the powers of a thousand, from a million on, in the singular.
const NOUNS: [&str; 4] = ["million", "milliard", "billion", "billiard"];

fn unit(number: u64, gender: Gender) -> String {
    match number {
        1 if gender == Gender::Feminine => "une".to_owned(),
        17..20 => format!("dix-{}", unit(number - 10, gender)),
        _ => UNITS.get(number as usize).copied().unwrap_or_default().to_owned(),
    }
}

/// Returns a number below 100 in words. `last` is true if no numeral follows: *vingt* and *cent* then take the plural.
fn below_hundred(number: u64, gender: Gender, last: bool) -> String {
    let tens = |number: u64| TENS.get((number / 10) as usize).copied().unwrap_or_default();
    match number {
        ..20 => unit(number, gender),
        71 => "soixante-et-onze".to_owned(),
        70..80 => format!("soixante-{}", unit(number - 60, gender)),
        80 if last => "quatre-vingts".to_owned(),
        80 => "quatre-vingt".to_owned(),
        81..100 => format!("quatre-vingt-{}", unit(number - 80, gender)),
        _ => match number % 10 {
            0 => tens(number).to_owned(),
            1 => format!("{}-et-{}", tens(number), unit(1, gender)),
            ones => format!("{}-{}", tens(number), unit(ones, gender)),
        },
    }
}

fn below_thousand(number: u64, gender: Gender, last: bool) -> String {
    let (hundreds, rest) = (number / 100, number % 100);
    let cent = match (hundreds, rest) {
        (0, _) => return below_hundred(rest, gender, last),
        (1, _) => "cent".to_owned(),
        (_, 0) if last => format!("{}-cents", unit(hundreds, Gender::Masculine)),
        _ => format!("{}-cent", unit(hundreds, Gender::Masculine)),
    };
    if rest == 0 { cent } else { format!("{cent}-{}", below_hundred(rest, gender, last)) }
}

fn below_million(number: u64, gender: Gender) -> String {
    let (mille, rest) = (number / 1000, number % 1000);
    let mille = match mille {
        0 => return below_thousand(rest, gender, true),
        1 => "mille".to_owned(),
        _ => format!("{}-mille", below_thousand(mille, Gender::Masculine, false)),
    };
    if rest == 0 { mille } else { format!("{mille}-{}", below_thousand(rest, gender, true)) }
}

/// Returns a number in words. `gender` is the gender of the noun that the number counts.
pub(crate) fn cardinal(number: u64, gender: Gender) -> String {
    let above = groups_of_three_digits(number).filter_map(|(power, digits)| {
        let noun = NOUNS.get(power.checked_sub(2)?)?;
        let plural = if digits > 1 { "s" } else { "" };
        Some(format!("{} {noun}{plural}", below_thousand(digits, Gender::Masculine, true)))
    });
    let mut pieces: Vec<String> = above.collect();
    if !number.is_multiple_of(1_000_000) || number == 0 {
        pieces.push(below_million(number % 1_000_000, gender));
    }
    pieces.join(" ")
}

/// Returns a number in words, followed by the counted noun. The noun is singular if the number is below two. After
/// *million* or a larger power, *de* precedes the noun.
pub(crate) fn with_noun(number: u64, (singular, plural): (&str, &str), gender: Gender) -> String {
    let words = cardinal(number, gender);
    let noun = if number < 2 { singular } else { plural };
    if number > 0 && number.is_multiple_of(1_000_000) {
        let de = if noun.starts_with(['a', 'e', 'i', 'o', 'u', 'é']) { "d’" } else { "de " };
        return format!("{words} {de}{noun}");
    }
    format!("{words} {noun}")
}

/// Turns the words of a cardinal above one into those of its ordinal: *deux-cents* becomes *deux-centième*.
pub(crate) fn ordinal(cardinal: &str) -> String {
    let stem = ["vingts", "cents"].into_iter().find(|plural| cardinal.ends_with(plural));
    let stem = if stem.is_some() { cardinal.trim_end_matches('s') } else { cardinal };
    if stem.ends_with("cinq") {
        return format!("{stem}uième");
    }
    match stem.strip_suffix("neuf") {
        Some(head) => format!("{head}neuvième"),
        None => format!("{}ième", stem.strip_suffix('e').unwrap_or(stem)),
    }
}

/// Returns a date such as “quinze mars deux-mille-vingt-six”.
pub(crate) fn date(day: u64, month: &str, year: u64) -> String {
    let day = if day == 1 { "premier".to_owned() } else { cardinal(day, Gender::Masculine) };
    format!("{day} {month} {}", cardinal(year, Gender::Masculine))
}
