//! The formatter of fields, against the examples of ECMA-376 part 1, §17.16.4.1 to §17.16.4.3, and of Word's documentation.
//!
//! The columns of `format/cases.tsv` are: the switches of a field code, the kind of value, the value, the locale and the
//! expected text. `·` stands for a space and `~` for a no-break space, so that both are visible.

use std::str::FromStr;

use jiff::civil::DateTime;
use rust_decimal::Decimal;
use waraq_rules::format::{Calendar, DefaultPicture, FieldFormat, Locale, with_numbered_items};

const CASES: &str = include_str!("format/cases.tsv");

/// Reads switches such as `\# "0.00" \* Upper`.
fn format_of(switches: &str) -> FieldFormat {
    let mut format = FieldFormat::default();
    let mut rest = switches.trim();
    while let Some(switch) = rest.strip_prefix('\\') {
        let letter = switch.chars().next().unwrap();
        let after = switch[letter.len_utf8()..].trim_start();
        let (value, end) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap(),
            None if matches!(letter, 'h' | 'u') => ("", after),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        match letter {
            '*' => format.general.push(value.to_owned()),
            '#' => format.number_picture = Some(value.to_owned()),
            '@' => format.date_picture = Some(value.to_owned()),
            'h' => format.calendar = Calendar::Hijri,
            'u' => format.calendar = Calendar::UmmAlQura,
            other => panic!("{other} in {switches}"),
        }
        rest = end.trim_start();
    }
    assert!(rest.is_empty(), "{switches}");
    format
}

fn formatted(switches: &str, kind: &str, value: &str, locale: &str) -> String {
    let (tag, country) = locale.split_once('+').map_or((locale, None), |(tag, country)| (tag, Some(country)));
    let (format, locale) = (format_of(switches), Locale { tag, country });
    let date = |default| format.format_date(DateTime::from_str(value).unwrap(), default, locale);
    match kind {
        "text" => format.format_text(value, locale),
        "number" => format.format_number(Decimal::from_str_exact(value).unwrap(), locale),
        "date" => date(DefaultPicture::Date),
        "time" => date(DefaultPicture::Time),
        "both" => date(DefaultPicture::DateTime),
        other => panic!("{other}"),
    }
}

#[test]
fn fields_are_formatted_as_in_word() {
    let rows: Vec<Vec<&str>> =
        CASES.lines().filter(|line| !line.starts_with('%')).map(|line| line.split('\t').collect()).collect();
    let mut wrong = Vec::new();
    for row in &rows {
        let [switches, kind, value, locale, expected] = row.as_slice() else { panic!("{row:?}") };
        let found =
            formatted(switches, kind, &value.replace('~', "\u{a0}"), locale).replace('\u{a0}', "~").replace(' ', "·");
        if found != expected.replace(' ', "·") {
            wrong.push(format!("{switches} {value} {locale}: {found} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    assert!(rows.len() >= 200, "{} rows", rows.len());
    let locales = |language: &str| rows.iter().filter(|row| row[3].starts_with(language)).count();
    assert!(locales("en") >= 60 && locales("fr") >= 40 && locales("ar") >= 30);
}

/// Texts that are read before they are formatted. A number picture and the expected text of each value.
#[test]
fn typed_numbers_and_their_currencies_are_read() {
    let format = |picture: &str, text, tag| format_of(picture).format_text(text, Locale { tag, country: None });
    for (text, tag, expected) in [
        ("100 EUR", "en-US", "100.00"),
        ("5 euros", "fr-FR", "5.00"),
        ("(12 Euro)", "en-US", "-12.00"),
        ("1.5e2", "en-US", "150.00"),
        ("2 apples", "en-US", "2 apples"),
        ("$.75", "en-US", "0.75"),
        (",75", "fr-FR", "0.75"),
        ("Dhs.500", "en-US", "500.00"),
        ("5 zł", "pl-PL", "5.00"),
        ("R$ 5", "pt-BR", "5.00"),
        ("+$5", "en-US", "5.00"),
        ("€-5", "en-US", "-5.00"),
    ] {
        assert_eq!(format(r#"\# "0.00""#, text, tag), expected, "{text}");
    }
}

/// A picture may have other separators than the language, so that its result cannot be read as a number again.
#[test]
fn switches_after_a_number_picture_format_the_same_number() {
    for (switches, tag, expected) in [
        (r#"\# #,##0 \* CardText"#, "fr-FR", "mille deux cent trente-quatre"),
        (r#"\# #,##0 \* Upper \* Ordinal"#, "fr-FR", "1234e"),
        (r#"\# #,##0 \* Upper"#, "fr-FR", "1,234"),
        (r#"\# "0 'pcs'" \* Ordinal"#, "en-US", "1234 pcs"),
    ] {
        assert_eq!(formatted(switches, "number", "1234", tag), expected, "{switches}");
        assert_eq!(formatted(switches, "text", "1234", tag), expected, "{switches}");
    }
}

/// The order of day and month is that of the short date in which the same locale writes dates.
#[test]
fn typed_dates_have_the_order_of_the_locale() {
    for (text, locale, expected) in [
        ("3/7/2026", "en-US", "2026-03-07"),
        ("3/7/2026", "en-PR", "2026-03-07"),
        ("3/7/2026", "en+PH", "2026-03-07"),
        ("3/7/2026", "es-PR", "2026-03-07"),
        ("3/7/2026", "fil-PH", "2026-03-07"),
        ("3/7/2026", "en-GB", "2026-07-03"),
        ("3/7/2026", "es-MX", "2026-07-03"),
        ("3/7/2026", "en", "3/7/2026"),
        ("Tuesday, July 14, 2026", "en-US", "2026-07-14"),
        ("mardi 14 juillet 2026", "fr-FR", "2026-07-14"),
        ("الثلاثاء 14 يوليو 2026", "ar-SA", "2026-07-14"),
        ("Dienstag, 14. Juli 2026", "de-DE", "2026-07-14"),
        ("Tuesdays, July 14, 2026", "en-US", "Tuesdays, July 14, 2026"),
    ] {
        assert_eq!(formatted(r#"\@ "yyyy-MM-dd""#, "text", text, locale), expected, "{text} {locale}");
    }
}

#[test]
fn numbered_items_show_the_number_of_the_last_caption() {
    let picture =
        with_numbered_items("##0.00 'is the total of Table' `table`", |name| (name == "table").then(|| "2".to_owned()));
    let format = FieldFormat { number_picture: Some(picture), ..FieldFormat::default() };
    let locale = Locale { tag: "en-US", country: None };
    assert_eq!(format.format_number(Decimal::new(45634, 2), locale), "456.34 is the total of Table 2");
    assert_eq!(with_numbered_items("0 `figure`", |_| None), "0 ");
}

/// The longest texts and pictures must not make the formatter slow or end it.
#[test]
fn hostile_switches_are_bounded() {
    let locale = Locale { tag: "", country: Some("") };
    for piece in ["#", "0", "x", ",", ".", ";", "'", "`", "-", "am/pm", "d", "M", "٣", "🙂"] {
        let picture = Some(piece.repeat(20_000));
        let format = FieldFormat {
            general: vec!["Caps".to_owned(), "CardText".to_owned(), piece.to_owned()],
            number_picture: picture.clone(),
            date_picture: picture,
            ..FieldFormat::default()
        };
        for text in ["12.5", "-99999999999999999999999999.99", "1e28", "2026-03-07", &piece.repeat(20_000)] {
            format.format_text(text, locale);
        }
        for number in [Decimal::MAX, Decimal::MIN, Decimal::new(-1, 28), Decimal::ZERO] {
            format.format_number(number, locale);
        }
        format.format_date(DateTime::MIN, DefaultPicture::Date, locale);
        format.format_date(DateTime::MAX, DefaultPicture::Time, locale);
        let hijri = FieldFormat { calendar: Calendar::Hijri, ..FieldFormat::default() };
        hijri.format_date(DateTime::MIN, DefaultPicture::Date, locale);
        hijri.format_date(DateTime::MAX, DefaultPicture::Date, locale);
    }
}
