//! Dates by Word's pictures (ECMA-376 part 1, §17.16.4.1): `dd/MM/yyyy`, `d MMMM yyyy`, `HH:mm` …

use crate::Options;

pub(super) const SHORT_DATE: &str = "dd/MM/yyyy";
pub(super) const SHORT_TIME: &str = "HH:mm";

const ENGLISH_MONTHS: [&str; 12] = [
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
const FRENCH_MONTHS: [&str; 12] = [
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
const ARABIC_MONTHS: [&str; 12] =
    ["يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر"];
const ENGLISH_DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const FRENCH_DAYS: [&str; 7] = ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"];
const ARABIC_DAYS: [&str; 7] = ["الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"];

struct Moment {
    year: i64,
    month: usize,
    day: i64,
    weekday: usize,
    hour: i64,
    minute: i64,
    second: i64,
}

/// The civil date of a count of days since 1970-01-01 (proleptic Gregorian calendar).
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// The moment as ISO 8601 has it, if one is known.
pub(super) fn iso(options: &Options) -> Option<String> {
    let Moment { year, month, day, hour, minute, second, .. } =
        (options.now != 0).then(|| moment(&Options { time_zone: 0, ..options.clone() }))?;
    Some(format!("{year:04}-{:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z", month + 1))
}

fn moment(options: &Options) -> Moment {
    // Within the years people write; beyond, arithmetic would overflow.
    let seconds = options.now.clamp(-60_000_000_000, 250_000_000_000) + i64::from(options.time_zone) * 60;
    let days = seconds.div_euclid(86_400);
    let rest = seconds.rem_euclid(86_400);
    let (year, month, day) = civil(days);
    Moment {
        year,
        month: usize::try_from(month - 1).unwrap_or(0).min(11),
        day,
        weekday: usize::try_from((days + 4).rem_euclid(7)).unwrap_or(0),
        hour: rest / 3_600,
        minute: rest / 60 % 60,
        second: rest % 60,
    }
}

/// The moment of the options by a picture.
pub(super) fn write(options: &Options, picture: Option<&str>, default: &str, language: Option<&str>) -> String {
    let moment = moment(options);
    let picture = picture.filter(|picture| !picture.trim().is_empty()).unwrap_or(default);
    let language = language.unwrap_or("en").to_ascii_lowercase();
    let (months, days) = match language.get(..2) {
        Some("fr") => (&FRENCH_MONTHS, &FRENCH_DAYS),
        Some("ar") => (&ARABIC_MONTHS, &ARABIC_DAYS),
        _ => (&ENGLISH_MONTHS, &ENGLISH_DAYS),
    };
    let mut text = String::new();
    let mut rest = picture;
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            let end = rest.get(1..).and_then(|r| r.find('\'')).map_or(rest.len(), |at| at + 2);
            text.push_str(rest.get(1..end.max(1)).unwrap_or("").trim_end_matches('\''));
            rest = rest.get(end..).unwrap_or("");
            continue;
        }
        let lower = rest.to_ascii_lowercase();
        if let Some(marker) = ["am/pm", "a/p"].iter().find(|marker| lower.starts_with(**marker)) {
            text.push_str(if moment.hour < 12 { "AM" } else { "PM" });
            rest = rest.get(marker.len()..).unwrap_or("");
            continue;
        }
        let count = rest.chars().take_while(|c| *c == first).count();
        let short = |name: &str| name.chars().take(3).collect::<String>();
        let number = |value: i64| if count >= 2 { format!("{value:02}") } else { value.to_string() };
        let piece = match (first, count) {
            ('d' | 'D', 1 | 2) => number(moment.day),
            ('d' | 'D', 3) => short(days[moment.weekday]),
            ('d' | 'D', _) => days[moment.weekday].to_owned(),
            ('M', 1 | 2) => number(moment.month as i64 + 1),
            ('M', 3) => short(months[moment.month]),
            ('M', _) => months[moment.month].to_owned(),
            ('y' | 'Y', 1 | 2) => format!("{:02}", moment.year.rem_euclid(100)),
            ('y' | 'Y', _) => moment.year.to_string(),
            ('H', _) => number(moment.hour),
            ('h', _) => number((moment.hour + 11) % 12 + 1),
            ('m', _) => number(moment.minute),
            ('s', _) => number(moment.second),
            _ => first.to_string().repeat(count),
        };
        text.push_str(&piece);
        rest = rest.get(first.len_utf8() * count..).unwrap_or("");
    }
    text
}
