//! Dates in the format of Word's picture strings (ECMA-376 part 1, §17.16.4.1): `dd/MM/yyyy`, `d MMMM yyyy`, `HH:mm` and so on.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use waraq_rules::derivation::{Language, month_names};

use crate::LayoutOptions;

pub(super) const SHORT_DATE: &str = "dd/MM/yyyy";
pub(super) const SHORT_TIME: &str = "HH:mm";

const ENGLISH_DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const FRENCH_DAYS: [&str; 7] = ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"];
const ARABIC_DAYS: [&str; 7] = ["الأحد", "الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت"];

/// Returns the current time in ISO 8601 format and UTC. Returns `None` if the options have no current time.
pub(super) fn now_as_iso8601(options: &LayoutOptions) -> Option<String> {
    let known = (options.now != 0).then(|| Timestamp::from_second(options.now).ok()).flatten()?;
    Some(known.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

/// Returns the current local time. A time outside the range of jiff (years −9999 to 9999) becomes 1970-01-01.
fn local_now(options: &LayoutOptions) -> DateTime {
    let offset = Offset::from_seconds(options.utc_offset_minutes.saturating_mul(60)).unwrap_or(Offset::UTC);
    offset.to_datetime(Timestamp::from_second(options.now).unwrap_or_default())
}

/// Formats the current local time with a picture string, or with the picture string `default` if the field has none.
pub(super) fn format_now(
    options: &LayoutOptions,
    picture: Option<&str>,
    default: &str,
    language: Option<&str>,
) -> String {
    let moment = local_now(options);
    let picture = picture.filter(|picture| !picture.trim().is_empty()).unwrap_or(default);
    let language = language.and_then(Language::from_code).unwrap_or(Language::English);
    let days = match language {
        Language::English => &ENGLISH_DAYS,
        Language::French => &FRENCH_DAYS,
        Language::Arabic => &ARABIC_DAYS,
    };
    let named =
        |names: &[&'static str], index: i8| usize::try_from(index).ok().and_then(|index| names.get(index)).copied();
    let month = named(month_names(language, None), moment.month() - 1).unwrap_or_default();
    let day = named(days, moment.weekday().to_sunday_zero_offset()).unwrap_or_default();
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
            text.push_str(if moment.hour() < 12 { "AM" } else { "PM" });
            rest = rest.get(marker.len()..).unwrap_or("");
            continue;
        }
        let count = rest.chars().take_while(|c| *c == first).count();
        let short = |name: &str| name.chars().take(3).collect::<String>();
        let number = |value: i8| if count >= 2 { format!("{value:02}") } else { value.to_string() };
        let formatted = match (first, count) {
            ('d' | 'D', 1 | 2) => number(moment.day()),
            ('d' | 'D', 3) => short(day),
            ('d' | 'D', _) => day.to_owned(),
            ('M', 1 | 2) => number(moment.month()),
            ('M', 3) => short(month),
            ('M', _) => month.to_owned(),
            ('y' | 'Y', 1 | 2) => format!("{:02}", moment.year().rem_euclid(100)),
            ('y' | 'Y', _) => moment.year().to_string(),
            ('H', _) => number(moment.hour()),
            ('h', _) => number((moment.hour() + 11) % 12 + 1),
            ('m', _) => number(moment.minute()),
            ('s', _) => number(moment.second()),
            _ => first.to_string().repeat(count),
        };
        text.push_str(&formatted);
        rest = rest.get(first.len_utf8() * count..).unwrap_or("");
    }
    text
}
