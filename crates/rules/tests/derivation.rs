//! Compares derived values with tables, and parses number words back into numbers.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use waraq_rules::ErrorCode;
use waraq_rules::Values;
use waraq_rules::derivation::{
    Case, Currency, Derivation, Derivations, Language, NoValueReason, TemplateLocale, cardinal, check, derive_values,
    fill_derived_values, format_amount, parse_amount,
};

#[path = "derivation/reading.rs"]
mod reading;

fn table_rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).map(|line| line.split('\t').collect())
}

fn case(name: &str) -> Case {
    if name == "oblique" { Case::Oblique } else { Case::Nominative }
}

fn currency(code: &str) -> Currency {
    *Currency::ALL.iter().find(|currency| currency.code() == code).expect("a currency")
}

/// Returns the value that is derived from `typed`. If the field gets no value, returns `!` and the code of the reason. The
/// derivation must have the source field `source`.
fn derived_text(derivation: Derivation, setting: &TemplateLocale, typed: &str) -> String {
    let derivations = [("said".to_owned(), derivation)].into();
    let values = Values::from_pairs([("source", typed)]).expect("one value");
    let said = derive_values(&derivations, setting, &values);
    match &said["said"] {
        Ok(words) => words.clone(),
        Err(why) => format!("!{}", serde_json::to_value(why).expect("a code").as_str().unwrap_or_default()),
    }
}

fn setting(language: &'static str, country: &'static str) -> TemplateLocale<'static> {
    TemplateLocale { language, country: (!country.is_empty()).then_some(country) }
}

#[test]
fn amounts_in_words() {
    for row in table_rows(include_str!("derivation/amounts.tsv")) {
        let [language, country, code, case_name, typed, words] = row[..] else { panic!("{row:?}") };
        let currency = Some(currency(code));
        let derivation = Derivation::AmountInWords { of: "source".into(), currency, case: case(case_name) };
        assert_eq!(derived_text(derivation, &setting(language, country), typed), words, "{row:?}");
    }
}

#[test]
fn dates_in_words() {
    for row in table_rows(include_str!("derivation/dates.tsv")) {
        let [language, country, case_name, typed, words] = row[..] else { panic!("{row:?}") };
        let derivation = Derivation::DateInWords { of: "source".into(), case: case(case_name) };
        assert_eq!(derived_text(derivation, &setting(language, country), typed), words, "{row:?}");
    }
}

/// Returns all numbers up to twelve thousand, edge cases, and larger numbers in steps that are coprime to powers of
/// ten.
fn numbers() -> impl Iterator<Item = u64> {
    let edges = (3..18).flat_map(|power| {
        let power = 10_u64.pow(power);
        [1, 2, 3, 8, 11, 21, 80, 99, 100, 101, 102, 200, 999].into_iter().flat_map(move |times| {
            let base = power.saturating_mul(times);
            [base.saturating_sub(1), base, base.saturating_add(1), base.saturating_add(2), base.saturating_add(80)]
        })
    });
    let walk = (0..4_000_u64).map(|step| step.wrapping_mul(88_172_645_463_325_253) % 1_000_000_000_000_000_000);
    (0..12_000).chain(edges.filter(|number| *number < 1_000_000_000_000_000_000)).chain(walk)
}

#[test]
fn number_words_read_back_are_the_number() {
    for number in numbers() {
        let words = |language, case| cardinal(number, language, case).unwrap();
        let english = words(Language::English, Case::Nominative);
        assert_eq!(reading::english(&english), Some(number), "{english}");
        let french = words(Language::French, Case::Nominative);
        assert_eq!(reading::french(&french), Some(number), "{french}");
        for case in [Case::Nominative, Case::Oblique] {
            let arabic = words(Language::Arabic, case);
            assert_eq!(reading::arabic(&arabic, case), Some(number), "{number} {arabic}");
        }
    }
    assert_eq!(cardinal(1_000_000_000_000_000_000, Language::French, Case::Nominative), None);
}

/// Checks every form of the noun and both genders with a parser that is independent of the code under test.
#[test]
fn arabic_amounts_read_back_are_the_amount() {
    let riyal = reading::Noun {
        singular: "ريال",
        dual: ["ريالان", "ريالين"],
        plural: "ريالات",
        accusative: "ريالًا",
        feminine: false,
    };
    let lira = reading::Noun {
        singular: "ليرة",
        dual: ["ليرتان", "ليرتين"],
        plural: "ليرات",
        accusative: "ليرةً",
        feminine: true,
    };
    let nouns = [(Currency::Sar, "SA", riyal), (Currency::Lbp, "LB", lira)];
    for (currency, country, noun) in &nouns {
        let setting = TemplateLocale { language: "ar", country: Some(country) };
        for number in numbers().filter(|number| *number <= i64::MAX as u64) {
            for case in [Case::Nominative, Case::Oblique] {
                let amount = Decimal::new(number as i64, 0);
                let words = currency.in_words(amount, Language::Arabic, case, &setting).unwrap();
                assert_eq!(reading::arabic_counted(&words, noun, case), Some(number), "{number} {words}");
            }
        }
    }
}

#[test]
fn formatted_amounts_can_be_parsed() {
    let settings =
        [setting("en", ""), setting("fr", "MA"), setting("ar", "TN"), setting("ar", "SA"), setting("en", "MA")];
    for setting in settings {
        for number in numbers().take(14_000).filter(|number| *number < i64::MAX as u64 / 1000) {
            for currency in [Currency::Mad, Currency::Tnd] {
                // A comma and three digits are ambiguous where both conventions are used.
                let either = setting.country == Some("TN") || setting == self::setting("en", "MA");
                if either && currency == Currency::Tnd && number < 1_000_000 {
                    continue;
                }
                let amount = Decimal::new(number as i64, currency.decimals());
                let written = format_amount(amount, 0, &setting);
                for written in [format!("{} {written}", currency.code()), written] {
                    assert_eq!(parse_amount(&written, Some(currency), &setting), Ok(amount), "{written} {setting:?}");
                }
            }
        }
    }
    let (english, french) = (setting("en", ""), setting("fr", ""));
    assert_eq!(format_amount(Decimal::new(-123_450, 2), 2, &english), "-1,234.50");
    assert_eq!(format_amount(Decimal::new(123_450, 2), 3, &french), "1\u{a0}234,500");
    assert_eq!(format_amount(Decimal::new(5, 2), 0, &french), "0,05");
}

/// A point before the first digit begins a fraction, unless it ends an abbreviation.
#[test]
fn amounts_may_begin_with_their_decimal_separator() {
    let english = setting("en", "US");
    for (typed, currency, amount) in [
        (".75", Currency::Usd, Ok("0.75")),
        ("$.75", Currency::Usd, Ok("0.75")),
        ("-EUR .75", Currency::Eur, Ok("-0.75")),
        (",750", Currency::Tnd, Ok("0.750")),
        ("Dhs.500", Currency::Aed, Ok("500")),
        ("+500", Currency::Aed, Ok("500")),
        ("No.5", Currency::Eur, Err(NoValueReason::NoAmount)),
        ("+-5", Currency::Eur, Err(NoValueReason::NoAmount)),
    ] {
        let expected = amount.map(|amount| amount.parse::<Decimal>().unwrap());
        assert_eq!(parse_amount(typed, Some(currency), &english), expected, "{typed}");
    }
}

/// Zeros after the last decimal stay, and a sum is never rounded.
#[test]
fn sums_are_exact() {
    let sum = |values: &[&str]| {
        let of: Vec<String> = (0..values.len()).map(|index| format!("a{index}")).collect();
        let derivations = Derivations::from([("sum".to_owned(), Derivation::Sum { of: of.clone(), currency: None })]);
        let values = Values::from_pairs(of.iter().zip(values.iter().copied())).unwrap();
        derive_values(&derivations, &setting("en", "US"), &values)["sum"].clone()
    };
    assert_eq!(sum(&["5", "0.00"]), Ok("5.00".to_owned()));
    assert_eq!(sum(&["-1.5", "0.25"]), Ok("-1.25".to_owned()));
    let large = "999999999999999999.999999999";
    assert_eq!(sum(&[large; 2]), Ok("1,999,999,999,999,999,999.999999998".to_owned()));
    assert_eq!(sum(&[large; 80]), Err(NoValueReason::TooLarge));
}

fn sum(of: &[&str], currency: Option<Currency>) -> Derivation {
    Derivation::Sum { of: of.iter().map(|&field| field.to_owned()).collect(), currency }
}

fn amount_in_words(of: &str, currency: Currency) -> Derivation {
    Derivation::AmountInWords { of: of.into(), currency: Some(currency), case: Case::Nominative }
}

fn derived(
    derivations: &[(&str, Derivation)],
    values: &[(&'static str, &'static str)],
    setting: TemplateLocale,
) -> BTreeMap<String, Result<String, NoValueReason>> {
    let derivations = derivations.iter().map(|(name, made)| ((*name).to_owned(), made.clone())).collect();
    derive_values(&derivations, &setting, &Values::from_pairs(values.iter().copied()).expect("each field once"))
}

#[test]
fn sums_are_exact_and_are_sources_of_other_fields() {
    let made = [
        ("total", sum(&["a", "b", "c"], Some(Currency::Mad))),
        ("total in words", amount_in_words("total", Currency::Mad)),
        ("with tax", sum(&["total", "tax"], Some(Currency::Mad))),
    ];
    let say = |values: &[(&'static str, &'static str)]| derived(&made, values, setting("fr", "MA"));
    let said = say(&[("a", "0,10 DH"), ("b", "0.20"), ("c", "1 999 999,70"), ("tax", "-0,50")]);
    assert_eq!(said["total"], Ok("2\u{a0}000\u{a0}000,00".to_owned()));
    assert_eq!(said["total in words"], Ok("deux millions de dirhams".to_owned()));
    assert_eq!(said["with tax"], Ok("1\u{a0}999\u{a0}999,50".to_owned()));
    // Empty fields are ignored. If all are empty, neither the sum nor a field derived from it has a value.
    assert_eq!(say(&[("a", "5"), ("b", " ")])["total"], Ok("5,00".to_owned()));
    assert_eq!(say(&[("a", ""), ("b", " ")])["total in words"], Err(NoValueReason::Empty));
    // If one field cannot be read, the sum and everything derived from it have no value.
    let said = say(&[("a", "5"), ("b", "five"), ("tax", "1")]);
    for field in ["total", "total in words", "with tax"] {
        assert_eq!(said[field], Err(NoValueReason::NoAmount), "{field}");
    }
    // A value that the user typed over a sum is the source of other fields.
    let said = say(&[("a", "5"), ("total", "7")]);
    assert_eq!(said.get("total"), None);
    assert_eq!(said["total in words"], Ok("sept dirhams".to_owned()));
    // Without a currency, a sum has the decimals of its parts.
    let said = derived(&[("n", sum(&["a", "b"], None))], &[("a", "1,5"), ("b", "1000,25")], setting("fr", ""));
    assert_eq!(said["n"], Ok("1\u{a0}001,75".to_owned()));
    let long = "999999999999999999";
    let said = derived(
        &[("n", sum(&["a", "b"], None)), ("w", amount_in_words("n", Currency::Eur))],
        &[("a", long), ("b", long)],
        setting("fr", ""),
    );
    assert_eq!(said["n"], Ok("1\u{a0}999\u{a0}999\u{a0}999\u{a0}999\u{a0}999\u{a0}998".to_owned()));
    assert_eq!(said["w"], Err(NoValueReason::TooLarge));
}

#[test]
fn derived_values_fill_only_empty_fields() {
    let made =
        [("w".to_owned(), amount_in_words("a", Currency::Eur)), ("x".to_owned(), amount_in_words("b", Currency::Eur))]
            .into();
    let filled = |values: &[(&str, &str)]| {
        let mut values = Values::from_pairs(values.iter().copied()).unwrap();
        let derived = fill_derived_values(&mut values, &made, &setting("fr", ""));
        let values: Vec<String> =
            values.iter().map(|(name, value)| format!("{name}={}", value.as_text().unwrap())).collect();
        (values.join(" "), derived.len())
    };
    assert_eq!(filled(&[("a", "2"), ("b", "?")]), ("a=2 b=? w=deux euros x=".to_owned(), 2));
    assert_eq!(filled(&[("a", "2"), ("w", "2 euros"), ("x", "  ")]), ("a=2 w=2 euros x=  ".to_owned(), 1));
}

#[test]
fn amounts_in_words_need_an_amount_and_a_supported_language() {
    let made = [("w", amount_in_words("a", Currency::Eur)), ("ww", amount_in_words("w", Currency::Eur))];
    let said = derived(&made, &[("a", "5")], setting("en", ""));
    assert_eq!(said["ww"], Err(NoValueReason::NoAmount));
    let said = derived(&made, &[("a", "5")], setting("de", ""));
    assert_eq!(said["w"], Err(NoValueReason::NoLanguage));
    let plain = Derivation::AmountInWords { of: "a".into(), currency: None, case: Case::Nominative };
    assert_eq!(derived(&[("w", plain.clone())], &[("a", "12")], setting("fr", ""))["w"], Ok("douze".to_owned()));
    assert_eq!(
        derived(&[("w", plain.clone())], &[("a", "1,5")], setting("fr", ""))["w"],
        Err(NoValueReason::TooPrecise)
    );
    assert_eq!(derived(&[("w", plain)], &[("a", "12 mois")], setting("fr", ""))["w"], Err(NoValueReason::NoAmount));
}

#[test]
fn invalid_derivations_are_refused() {
    let fields = ["a", "b", "c", "d"];
    let refused = |made: &[(&str, Derivation)]| {
        let made: Derivations = made.iter().map(|(name, made)| ((*name).to_owned(), made.clone())).collect();
        check(&made, &fields).map_err(|refused| (refused.code, refused.fields.join(" ")))
    };
    let told = |code, fields: &str| Err((code, fields.to_owned()));
    assert_eq!(refused(&[("a", sum(&["b", "c"], None)), ("d", amount_in_words("a", Currency::Eur))]), Ok(()));
    assert_eq!(
        refused(&[("a", sum(&["b", "x"], None)), ("y", sum(&["b"], None))]),
        told(ErrorCode::DerivationSource, "x y")
    );
    assert_eq!(refused(&[("a", sum(&["a"], None))]), told(ErrorCode::DerivationCycle, "a"));
    let round = [("a", sum(&["b"], None)), ("b", sum(&["c"], None)), ("c", sum(&["a"], None))];
    assert_eq!(refused(&round), told(ErrorCode::DerivationCycle, "a b c"));
    assert_eq!(refused(&[("a", sum(&[], None))]), told(ErrorCode::InvalidDerivation, "a"));
    assert_eq!(refused(&[("a", sum(&["b", "b"], None))]), told(ErrorCode::InvalidDerivation, "a"));
    // `derive` must also end for cycles, in case one was stored without `check`.
    let said = derived(&round, &[], setting("en", ""));
    assert!(said.values().all(|said| *said == Err(NoValueReason::Empty)), "{said:?}");
}

#[test]
fn the_json_of_a_derivation_is_stable() {
    let kept = r#"{"kind":"amount_in_words","of":"Loyer","currency":"MAD","case":"oblique"}"#;
    let read: Derivation = serde_json::from_str(kept).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), kept);
    for currency in Currency::ALL {
        assert_eq!(serde_json::to_value(currency).unwrap(), currency.code());
    }
    let short: Derivation = serde_json::from_str(r#"{"kind":"sum","of":["a","b"]}"#).unwrap();
    assert_eq!(short, sum(&["a", "b"], None));
    assert!(serde_json::from_str::<Derivation>(r#"{"kind":"sum","of":["a"],"currency":"XYZ"}"#).is_err());
}

/// Tries short inputs of all kinds of characters and very long inputs. None may cause a panic, and only negative amounts have no
/// words.
#[test]
fn any_typed_text_is_parsed_or_refused() {
    let alphabet = ['0', '1', '.', ',', '\'', ' ', '-', '٫', '٣', '€', 'م', '\u{200f}'];
    let settings = [setting("en", ""), setting("fr", "TN"), setting("ar", "MA")];
    let length = alphabet.len();
    for number in 0..length.pow(4) {
        let typed: String = (0..4_u32).map(|place| alphabet[number / length.pow(place) % length]).collect();
        for setting in &settings {
            if let Ok(amount) = parse_amount(&typed, Some(Currency::Eur), setting) {
                let euros = Currency::Eur.in_words(amount, Language::Arabic, Case::Nominative, setting);
                assert_eq!(euros.is_err(), typed.contains('-') && euros == Err(NoValueReason::Negative), "{typed}");
            }
        }
    }
    for typed in ["9".repeat(10_000), ",".repeat(10_000), " ".repeat(10_000)] {
        assert!(parse_amount(&typed, None, &settings[0]).is_err());
        let words = Derivation::DateInWords { of: "source".into(), case: Case::Nominative };
        assert!(derived_text(words, &settings[1], &typed).starts_with('!'));
    }
}
