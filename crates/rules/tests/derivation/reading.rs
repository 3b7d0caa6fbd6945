//! Parsers of number words, independent of the code that writes them.

use waraq_rules::derivation::Case;

fn value(words: &[(&str, u64)], word: &str) -> Option<u64> {
    words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}

/// Parses English words in sequence: a unit is added, `hundred` multiplies the group below a thousand, and a power ends
/// the group.
pub fn english(words: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 28] = [
        ("zero", 0),
        ("one", 1),
        ("two", 2),
        ("three", 3),
        ("four", 4),
        ("five", 5),
        ("six", 6),
        ("seven", 7),
        ("eight", 8),
        ("nine", 9),
        ("ten", 10),
        ("eleven", 11),
        ("twelve", 12),
        ("thirteen", 13),
        ("fourteen", 14),
        ("fifteen", 15),
        ("sixteen", 16),
        ("seventeen", 17),
        ("eighteen", 18),
        ("nineteen", 19),
        ("twenty", 20),
        ("thirty", 30),
        ("forty", 40),
        ("fifty", 50),
        ("sixty", 60),
        ("seventy", 70),
        ("eighty", 80),
        ("ninety", 90),
    ];
    const POWERS: [(&str, u64); 5] = [
        ("thousand", 1_000),
        ("million", 1_000_000),
        ("billion", 1_000_000_000),
        ("trillion", 1_000_000_000_000),
        ("quadrillion", 1_000_000_000_000_000),
    ];
    let (mut sum, mut group, mut below) = (0, 0, u64::MAX);
    for word in words.split([' ', '-']) {
        if let Some(unit) = value(&UNITS, word) {
            group += unit;
        } else if word == "hundred" {
            group *= 100;
        } else {
            let power = value(&POWERS, word)?;
            if power >= below || group == 0 || group > 999 {
                return None;
            }
            (sum, group, below) = (sum + group * power, 0, power);
        }
    }
    Some(sum + group)
}

/// Parses French words and checks their spelling: the plural of vingt and cent, et before un and onze, hyphens, no “un
/// mille”.
pub fn french(words: &str) -> Option<u64> {
    const NOUNS: [(&str, u64); 4] = [
        ("million", 1_000_000),
        ("milliard", 1_000_000_000),
        ("billion", 1_000_000_000_000),
        ("billiard", 1_000_000_000_000_000),
    ];
    let pieces: Vec<&str> = words.split(' ').collect();
    let (mut sum, mut below) = (0, u64::MAX);
    let mut at = 0;
    while at < pieces.len() {
        let count = pieces[at];
        let noun =
            pieces.get(at + 1).and_then(|noun| value(&NOUNS, noun.trim_end_matches('s')).map(|value| (noun, value)));
        match noun {
            Some((noun, power)) => {
                let count = french_numeral(count)?;
                if power >= below || !(1..1000).contains(&count) || noun.ends_with('s') != (count > 1) {
                    return None;
                }
                (sum, below, at) = (sum + count * power, power, at + 2);
            }
            None => {
                sum += french_numeral(count)?;
                return (at + 1 == pieces.len()).then_some(sum);
            }
        }
    }
    Some(sum)
}

/// Parses a number below a million, joined by hyphens.
fn french_numeral(words: &str) -> Option<u64> {
    const UNITS: [(&str, u64); 17] = [
        ("zéro", 0),
        ("un", 1),
        ("deux", 2),
        ("trois", 3),
        ("quatre", 4),
        ("cinq", 5),
        ("six", 6),
        ("sept", 7),
        ("huit", 8),
        ("neuf", 9),
        ("dix", 10),
        ("onze", 11),
        ("douze", 12),
        ("treize", 13),
        ("quatorze", 14),
        ("quinze", 15),
        ("seize", 16),
    ];
    const TENS: [(&str, u64); 5] =
        [("vingt", 20), ("trente", 30), ("quarante", 40), ("cinquante", 50), ("soixante", 60)];
    let words: Vec<&str> = words.split('-').collect();
    let (mut mille, mut group) = (0, 0_u64);
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied();
        let last = next.is_none();
        match *word {
            "mille" => {
                if mille > 0 || group == 1 {
                    return None;
                }
                (mille, group) = (group.max(1), 0);
            }
            "cent" | "cents" => {
                // Multiples of cent have the plural at the end of a number.
                if (*word == "cents") != (group > 1 && last) || group == 1 || group > 9 {
                    return None;
                }
                group = group.max(1) * 100;
            }
            "vingt" | "vingts" if group % 100 == 4 && at > 0 && words[at - 1] == "quatre" => {
                if (*word == "vingts") != last {
                    return None;
                }
                group += 76;
            }
            "et" => {
                let twenty_to_seventy = matches!(group % 100, 20 | 30 | 40 | 50 | 60);
                let fits = next == Some("un") || (group % 100 == 60 && next == Some("onze"));
                if !(twenty_to_seventy && fits) {
                    return None;
                }
            }
            word => {
                let number = value(&UNITS, word).or_else(|| value(&TENS, word))?;
                // 21, 31 … 71 need “et”; 81 and 91 do not have it.
                let wants_et = matches!(group % 100, 20 | 30 | 40 | 50) && number == 1
                    || group % 100 == 60 && (number == 1 || number == 11);
                if wants_et && words[at - 1] != "et" {
                    return None;
                }
                group += number;
            }
        }
    }
    Some(mille * 1000 + group)
}

/// The expected forms of a noun.
pub struct Noun {
    pub singular: &'static str,
    /// The nominative and the oblique form.
    pub dual: [&'static str; 2],
    pub plural: &'static str,
    pub accusative: &'static str,
    pub feminine: bool,
}

const POWERS: [(Noun, u64); 5] = [
    (power("ألف", ["ألفان", "ألفين"], "آلاف", "ألفًا"), 1_000),
    (power("مليون", ["مليونان", "مليونين"], "ملايين", "مليونًا"), 1_000_000),
    (power("مليار", ["ملياران", "مليارين"], "مليارات", "مليارًا"), 1_000_000_000),
    (power("تريليون", ["تريليونان", "تريليونين"], "تريليونات", "تريليونًا"), 1_000_000_000_000),
    (power("كوادريليون", ["كوادريليونان", "كوادريليونين"], "كوادريليونات", "كوادريليونًا"), 1_000_000_000_000_000),
];

const fn power(
    singular: &'static str,
    dual: [&'static str; 2],
    plural: &'static str,
    accusative: &'static str,
) -> Noun {
    Noun { singular, dual, plural, accusative, feminine: false }
}

/// The form of the noun that a number requires after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RequiredForm {
    /// The noun itself means one or two, without a number word.
    Itself,
    /// 3 to 10: the plural. The value tells whether the noun is feminine.
    Plural(bool),
    /// 11 to 99: the accusative. `None` is for numbers with both genders, such as twenty.
    Accusative(Option<bool>),
    /// Hundreds and thousands: the singular.
    Singular,
    /// The number must not be followed by a noun: مئتان, ثمانٍ.
    Nothing,
}

/// Parses number words without a noun.
pub fn arabic(words: &str, case: Case) -> Option<u64> {
    parse_arabic(words, None, case)
}

/// Parses number words with their noun, and checks its form and gender.
pub fn arabic_counted(words: &str, noun: &Noun, case: Case) -> Option<u64> {
    parse_arabic(words, Some(noun), case)
}

fn parse_arabic(words: &str, noun: Option<&Noun>, case: Case) -> Option<u64> {
    // Each word without a leading “and” (و), and whether it had one. In واحد, the first letter is not the word “and”.
    let words: Vec<(bool, &str)> = words
        .split(' ')
        .map(|word| match word.strip_prefix('و') {
            Some(rest) if !matches!(rest, "احد" | "احدة") => (true, rest),
            _ => (false, word),
        })
        .collect();
    if words.first() == Some(&(false, "صفر")) {
        let rest: Vec<&str> = words.iter().skip(1).map(|(_, word)| *word).collect();
        return (rest == noun.map(|noun| noun.singular).into_iter().collect::<Vec<_>>()).then_some(0);
    }
    let (mut total, mut group, mut wants, mut smallest) = (0, 0, RequiredForm::Itself, u64::MAX);
    // `true` if the last word was the counted noun.
    let mut ended = false;
    let mut at = 0;
    while let Some(&(and, word)) = words.get(at) {
        let next = words.get(at + 1).copied();
        // The next word, if it does not begin with “and”.
        let behind = next.filter(|(and, _)| !and).map(|(_, word)| word);
        at += 1;
        let power = POWERS
            .iter()
            .find_map(|(power, unit)| Some((number_with_noun(word, power, group, wants, case, behind)?, *unit)));
        if let Some((count, unit)) = power {
            // A noun without a number is the first word or follows “and”. A counted noun directly follows its number.
            if and != (wants == RequiredForm::Itself && at > 1) || unit > smallest {
                return None;
            }
            // مئة ألف وألف: the same power may follow once more.
            (total, group, wants, smallest) =
                (total + count * unit, 0, RequiredForm::Itself, if count % 100 == 0 { unit } else { unit - 1 });
            ended = false;
            if behind.is_some() {
                wants = RequiredForm::Singular;
            }
            continue;
        }
        if let Some(noun) = noun
            && let Some(count) = number_with_noun(word, noun, group, wants, case, None)
        {
            if wants == RequiredForm::Itself {
                if and != (at > 1) || (count == 1) != matches!(behind, Some("واحد" | "واحدة")) {
                    return None;
                }
                if count == 1 {
                    let one = if noun.feminine { "واحدة" } else { "واحد" };
                    if behind != Some(one) {
                        return None;
                    }
                    at += 1;
                }
                // The noun must be the last word, after a complete number.
                if at < words.len() || (total > 0 && !ended) {
                    return None;
                }
            } else if and {
                return None;
            }
            (total, group, wants, ended) = (total + count, 0, RequiredForm::Itself, true);
            continue;
        }
        if and != (at > 1) {
            return None;
        }
        let (value, of) = if matches!(behind, Some("عشر" | "عشرة")) {
            at += 1;
            let feminine = behind == Some("عشرة");
            (10 + teen(word, feminine, case)?, RequiredForm::Accusative(Some(feminine)))
        } else if let Some((&(true, ten), (value, feminine))) = words.get(at).zip(one_of_tens(word, case))
            && let Some(tens) = tens(ten, case)
        {
            at += 1;
            (tens + value, RequiredForm::Accusative(Some(feminine)))
        } else if let Some(tens) = tens(word, case) {
            (tens, RequiredForm::Accusative(None))
        } else if let Some((hundreds, wants)) = hundreds(word, case) {
            if group > 0 {
                return None;
            }
            (hundreds, wants)
        } else {
            one_to_ten(word, noun.is_none(), case)?
        };
        if group % 100 > 0 {
            return None;
        }
        (group, wants) = (group + value, of);
        ended = false;
    }
    match noun {
        Some(_) => ended.then_some(total),
        None => Some(total + group),
    }
}

/// Returns the number that a noun and the words before it express, or `None` if the noun has the wrong form.
fn number_with_noun(
    word: &str,
    noun: &Noun,
    group: u64,
    wants: RequiredForm,
    case: Case,
    behind: Option<&str>,
) -> Option<u64> {
    let dual = noun.dual[usize::from(case == Case::Oblique)];
    let dual = if behind.is_some() { dual.strip_suffix('ن')? } else { dual };
    let fits = match wants {
        RequiredForm::Itself if word == noun.singular => return Some(1),
        RequiredForm::Itself if word == dual => return Some(2),
        RequiredForm::Plural(feminine) => feminine == noun.feminine && word == noun.plural,
        RequiredForm::Accusative(feminine) => {
            let form = if behind.is_some() { noun.singular } else { noun.accusative };
            feminine.is_none_or(|feminine| feminine == noun.feminine) && word == form
        }
        RequiredForm::Singular => word == noun.singular,
        RequiredForm::Itself | RequiredForm::Nothing => false,
    };
    fits.then_some(group)
}

const MASCULINE: [&str; 8] = ["ثلاثة", "أربعة", "خمسة", "ستة", "سبعة", "ثمانية", "تسعة", "عشرة"];
const FEMININE: [&str; 8] = ["ثلاث", "أربع", "خمس", "ست", "سبع", "ثماني", "تسع", "عشر"];

fn from_three(list: &[&str], word: &str) -> Option<u64> {
    list.iter().position(|known| *known == word).map(|at| at as u64 + 3)
}

/// Parses 1 to 10 without a following ten.
fn one_to_ten(word: &str, alone: bool, case: Case) -> Option<(u64, RequiredForm)> {
    if alone && let Some((value @ 1..=2, _)) = one_of_tens(word, case) {
        return Some((value, RequiredForm::Nothing));
    }
    let masculine = from_three(&MASCULINE, word).map(|value| (value, RequiredForm::Plural(false)));
    masculine.or_else(|| from_three(&FEMININE, word).map(|value| (value, RequiredForm::Plural(true))))
}

/// Parses the ones of 11 to 19.
fn teen(word: &str, feminine: bool, case: Case) -> Option<u64> {
    match (word, feminine, case) {
        ("أحد", false, _) | ("إحدى", true, _) => Some(1),
        ("اثنا", false, Case::Nominative) | ("اثني", false, Case::Oblique) => Some(2),
        ("اثنتا", true, Case::Nominative) | ("اثنتي", true, Case::Oblique) => Some(2),
        _ => from_three(if feminine { &FEMININE[..7] } else { &MASCULINE[..7] }, word),
    }
}

/// Parses the ones of a number such as “three and twenty”. Returns their value, and `true` if they are feminine.
fn one_of_tens(word: &str, case: Case) -> Option<(u64, bool)> {
    Some(match (word, case) {
        ("واحد", _) => (1, false),
        ("إحدى", _) => (1, true),
        ("اثنان", Case::Nominative) | ("اثنين", Case::Oblique) => (2, false),
        ("اثنتان", Case::Nominative) | ("اثنتين", Case::Oblique) => (2, true),
        ("ثمانٍ", _) => (8, true),
        ("ثماني" | "عشرة" | "عشر", _) => return None,
        _ => match from_three(&MASCULINE, word) {
            Some(value) => (value, false),
            None => (from_three(&FEMININE, word)?, true),
        },
    })
}

fn tens(word: &str, case: Case) -> Option<u64> {
    const STEMS: [&str; 8] = ["عشر", "ثلاث", "أربع", "خمس", "ست", "سبع", "ثمان", "تسع"];
    let stem = word.strip_suffix(if case == Case::Nominative { "ون" } else { "ين" })?;
    STEMS.iter().position(|known| *known == stem).map(|at| (at as u64 + 2) * 10)
}

fn hundreds(word: &str, case: Case) -> Option<(u64, RequiredForm)> {
    const STEMS: [&str; 7] = ["ثلاث", "أربع", "خمس", "ست", "سبع", "ثمان", "تسع"];
    match (word, case) {
        ("مئة", _) => Some((100, RequiredForm::Singular)),
        ("مئتا", Case::Nominative) | ("مئتي", Case::Oblique) => Some((200, RequiredForm::Singular)),
        ("مئتان", Case::Nominative) | ("مئتين", Case::Oblique) => Some((200, RequiredForm::Nothing)),
        _ => {
            let at = STEMS.iter().position(|known| Some(*known) == word.strip_suffix("مئة"))?;
            Some((at as u64 * 100 + 300, RequiredForm::Singular))
        }
    }
}
