//! Date and time pictures: the `\@` switch (ECMA-376 part 1, §17.16.4.1).

use icu_calendar::cal::Hijri;
use icu_calendar::cal::hijri::{TabularAlgorithmEpoch, TabularAlgorithmLeapYears};
use icu_calendar::{AsCalendar, Date};
use jiff::civil::DateTime;

use super::Calendar;
use super::locale::LocaleData;
use super::picture::{PictureItem, items};

/// The parts of a picture that depend on the date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// `d` and `dd`.
    Day,
    /// `ddd`.
    ShortWeekday,
    /// `dddd`.
    Weekday,
    /// `M` and `MM`.
    Month,
    /// `MMM`.
    ShortMonthName,
    /// `MMMM`.
    MonthName,
    /// `yy`.
    ShortYear,
    /// `yyyy`.
    Year,
    /// `H` and `HH`, from 0 to 23.
    Hour,
    /// `h` and `hh`, from 1 to 12.
    HalfDayHour,
    /// `m` and `mm`.
    Minute,
    /// `s` and `ss`.
    Second,
    /// `AM/PM` and `am/pm`. Word writes both alike.
    HalfDay,
}

/// One piece of a parsed picture.
enum Piece {
    /// A part of the date, and whether a number has at least two digits.
    Part(Part, bool),
    Text(String),
}

/// Returns whether a picture has a day, month or year.
pub(super) fn has_date(picture: &str) -> bool {
    use Part::{Day, Month, MonthName, ShortMonthName, ShortWeekday, ShortYear, Weekday, Year};
    let dates = [Day, ShortWeekday, Weekday, Month, ShortMonthName, MonthName, ShortYear, Year];
    parse(picture).iter().any(|piece| matches!(piece, Piece::Part(part, _) if dates.contains(part)))
}

/// Formats a date and time. Digits are always Western, as in Word's default settings.
pub(super) fn format(moment: DateTime, picture: &str, calendar: Calendar, names: &LocaleData) -> String {
    let pieces = parse(picture);
    let has_day = pieces.iter().any(|piece| matches!(piece, Piece::Part(Part::Day, _)));
    let (year, month, day) = match calendar {
        Calendar::Gregorian => (i32::from(moment.year()), moment.month(), moment.day()),
        Calendar::Hijri | Calendar::UmmAlQura => hijri(moment, calendar),
    };
    let (months, short_months) = match (calendar, has_day) {
        (Calendar::Hijri | Calendar::UmmAlQura, _) => (&names.hijri_months, &names.hijri_months),
        (Calendar::Gregorian, true) => (&names.months, &names.short_months),
        (Calendar::Gregorian, false) => (&names.months_alone, &names.short_months_alone),
    };
    let month_name = |names: &[&'static str; 12]| name(names, month - 1);
    let weekday = moment.weekday().to_sunday_zero_offset();
    let mut text = String::new();
    for piece in pieces {
        let (part, two_digits) = match piece {
            Piece::Part(part, two_digits) => (part, two_digits),
            Piece::Text(literal) => {
                text.push_str(&literal);
                continue;
            }
        };
        let number = |value: i8| if two_digits { format!("{value:02}") } else { value.to_string() };
        text.push_str(&match part {
            Part::Day => number(day),
            Part::ShortWeekday => name(&names.short_days, weekday),
            Part::Weekday => name(&names.days, weekday),
            Part::Month => number(month),
            Part::ShortMonthName => month_name(short_months),
            Part::MonthName => month_name(months),
            Part::ShortYear => format!("{:02}", year.rem_euclid(100)),
            Part::Year => format!("{year:04}"),
            Part::Hour => number(moment.hour()),
            Part::HalfDayHour => number((moment.hour() + 11) % 12 + 1),
            Part::Minute => number(moment.minute()),
            Part::Second => number(moment.second()),
            Part::HalfDay => name(&names.am_pm, moment.hour() / 12),
        });
    }
    text
}

/// Returns the name at an index from 0. An index outside the list gives an empty name.
fn name(names: &[&'static str], index: i8) -> String {
    usize::try_from(index).ok().and_then(|index| names.get(index)).copied().unwrap_or_default().to_owned()
}

/// Returns the year, month and day of a date in one of the Hijri calendars.
fn hijri(moment: DateTime, calendar: Calendar) -> (i32, i8, i8) {
    let (month, day) = (moment.month().unsigned_abs(), moment.day().unsigned_abs());
    let Ok(date) = Date::try_new_iso(i32::from(moment.year()), month, day) else {
        return (i32::from(moment.year()), moment.month(), moment.day());
    };
    if calendar == Calendar::UmmAlQura {
        return parts(date.to_calendar(Hijri::new_umm_al_qura()));
    }
    // The HijriCalendar of .NET and Windows has the same leap years and begins on the same day.
    parts(date.to_calendar(Hijri::new_tabular(TabularAlgorithmLeapYears::TypeII, TabularAlgorithmEpoch::Thursday)))
}

/// Returns the year, month and day of a date in any calendar.
fn parts<A: AsCalendar>(date: Date<A>) -> (i32, i8, i8) {
    let small = |value: u8| i8::try_from(value).unwrap_or_default();
    (date.year().extended_year(), small(date.month().ordinal), small(date.day_of_month().0))
}

/// Splits a picture into the parts of the date and the text between them.
fn parse(picture: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for item in items(picture) {
        match item {
            PictureItem::Text(text) => pieces.push(Piece::Text(text.to_owned())),
            PictureItem::NumberedItem(_) => {}
            PictureItem::Bare(bare) => parse_bare(bare, &mut pieces),
        }
    }
    pieces
}

/// Splits a piece of a picture into date parts and text, and appends them to `pieces`. The piece contains no quoted
/// text.
fn parse_bare(mut rest: &str, pieces: &mut Vec<Piece>) {
    while let Some(first) = rest.chars().next() {
        let marker = ["am/pm", "a/p"]
            .into_iter()
            .find(|marker| rest.get(..marker.len()).is_some_and(|start| start.eq_ignore_ascii_case(marker)));
        if let Some(marker) = marker {
            pieces.push(Piece::Part(Part::HalfDay, false));
            rest = rest.get(marker.len()..).unwrap_or_default();
            continue;
        }
        let count = rest.chars().take_while(|c| *c == first).count();
        let part = match (first, count) {
            ('d' | 'D', 1 | 2) => Some(Part::Day),
            ('d' | 'D', 3) => Some(Part::ShortWeekday),
            ('d' | 'D', _) => Some(Part::Weekday),
            ('M', 1 | 2) => Some(Part::Month),
            ('M', 3) => Some(Part::ShortMonthName),
            ('M', _) => Some(Part::MonthName),
            ('y' | 'Y', 1 | 2) => Some(Part::ShortYear),
            ('y' | 'Y', _) => Some(Part::Year),
            ('H', _) => Some(Part::Hour),
            ('h', _) => Some(Part::HalfDayHour),
            ('m', _) => Some(Part::Minute),
            ('s' | 'S', _) => Some(Part::Second),
            _ => None,
        };
        pieces.push(
            part.map_or_else(|| Piece::Text(first.to_string().repeat(count)), |part| Piece::Part(part, count > 1)),
        );
        rest = rest.get(first.len_utf8() * count..).unwrap_or_default();
    }
}
