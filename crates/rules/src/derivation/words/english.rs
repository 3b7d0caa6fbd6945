//! English number words. Numbers contain no “and”, because “and” separates the amount from its fraction (“two hundred five
//! dollars and ten cents”).

use super::groups_of_three_digits;

const UNITS: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const POWERS: [&str; 6] = ["", " thousand", " million", " billion", " trillion", " quadrillion"];

fn unit(number: u64) -> &'static str {
    UNITS.get(number as usize).copied().unwrap_or_default()
}

fn below_hundred(number: u64) -> String {
    let tens = TENS.get((number / 10) as usize).copied().unwrap_or_default();
    match (number, number % 10) {
        (..20, _) => unit(number).to_owned(),
        (_, 0) => tens.to_owned(),
        (_, ones) => format!("{tens}-{}", unit(ones)),
    }
}

fn below_thousand(number: u64) -> String {
    match (number / 100, number % 100) {
        (0, rest) => below_hundred(rest),
        (hundreds, 0) => format!("{} hundred", unit(hundreds)),
        (hundreds, rest) => format!("{} hundred {}", unit(hundreds), below_hundred(rest)),
    }
}

pub(crate) fn cardinal(number: u64) -> String {
    if number == 0 {
        return unit(0).to_owned();
    }
    let pieces = groups_of_three_digits(number).map(|(power, digits)| {
        let power = POWERS.get(power).copied().unwrap_or_default();
        format!("{}{power}", below_thousand(digits))
    });
    pieces.collect::<Vec<_>>().join(" ")
}

/// Returns the ordinal of a number, such as “twenty-first”.
pub(crate) fn ordinal(number: u64) -> String {
    let cardinal = cardinal(number);
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

/// Returns a year as it is read: nineteen eighty-five, nineteen hundred five, two thousand twenty-six.
fn year(year: u64) -> String {
    match (year / 100, year % 100) {
        (century @ 11..=19, 0) => format!("{} hundred", below_hundred(century)),
        (century @ 11..=19, rest @ ..10) => format!("{} hundred {}", below_hundred(century), below_hundred(rest)),
        (century @ 11..=19, rest) => format!("{} {}", below_hundred(century), below_hundred(rest)),
        _ => cardinal(year),
    }
}

/// Returns a date such as “the fifteenth of March, two thousand twenty-six”.
pub(crate) fn date(day: u64, month: &str, of_year: u64) -> String {
    format!("the {} of {month}, {}", ordinal(day), year(of_year))
}
