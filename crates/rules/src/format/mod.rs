//! Formats the results of Word's fields: numbers, dates and letter case (ECMA-376 part 1, §17.16.4).
//!
//! The same formatter serves the filled `.docx`, the PDF and the preview. Pictures apply to numbers and dates. The `\*`
//! switches follow in their order, so that `\@ "d" \* Ordinal` gives 21st and `\* CardText \* Upper` gives TWO.

mod date_picture;
mod general;
mod locale;
mod number_east;
mod number_format;
mod number_picture;
mod number_words;
mod picture;
mod typed;

use jiff::civil::DateTime;
use rust_decimal::Decimal;

pub use general::capitalize_first;
pub use locale::Locale;
pub(crate) use locale::{LocaleData, data as locale_data};
pub use number_format::NumberFormat;
pub use picture::with_numbered_items;

use self::general::GeneralFormat;

/// The format switches of a field: `\*`, `\#`, `\@` and the calendar.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FieldFormat {
    /// The values of the `\*` switches in their order, such as `Upper` or `CardText`.
    pub general: Vec<String>,
    /// The value of the `\#` switch, such as `#,##0.00`.
    pub number_picture: Option<String>,
    /// The value of the `\@` switch, such as `d MMMM yyyy`.
    pub date_picture: Option<String>,
    /// The calendar of dates.
    pub calendar: Calendar,
}

/// The calendar in which a field shows a date (§17.16.5.16).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Calendar {
    /// The Gregorian calendar.
    #[default]
    Gregorian,
    /// The tabular Hijri calendar of Windows (switch `\h`).
    Hijri,
    /// The Hijri calendar of Umm al-Qura, the official one of Saudi Arabia (switch `\u`).
    UmmAlQura,
}

/// The date or time picture of the locale that is used for a field without the `\@` switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultPicture {
    /// The short date of the locale, such as 9/21/2026.
    Date,
    /// The short time of the locale, such as 3:05 PM.
    Time,
    /// The short date, a space and the short time.
    DateTime,
}

/// Maximum number of `\*` switches that are applied to one text. A hostile field code could have any number of them.
const MAX_GENERAL: usize = 16;

/// The value of a field while its switches are applied one after another.
enum Value {
    /// A number to which no switch has been applied.
    Number(Decimal),
    /// A number that a picture has written. The text may have other separators than the language, so that it cannot be
    /// read again.
    WrittenNumber(String, Decimal),
    /// The unchanged text of the field, or the result of a switch.
    Text(String),
}

impl Value {
    /// Writes a number with a picture.
    fn with_picture(number: Decimal, picture: &str, locale: Locale<'_>) -> Self {
        let text = number_picture::format(number, picture, locale_data(locale).decimal);
        // Text around the number is kept: it is not a number for the next switch.
        match typed::number(&text, locale) {
            Some(_) => Self::WrittenNumber(text, number),
            None => Self::Text(text),
        }
    }
}

impl FieldFormat {
    /// Formats a text, such as the value of a merge field. A picture applies only if the text is a number or a date
    /// with exactly one possible reading. Other text does not change, except for its letter case.
    pub fn format_text(&self, text: &str, locale: Locale<'_>) -> String {
        self.apply_general(self.apply_picture(text, locale).unwrap_or_else(|| Value::Text(text.to_owned())), locale)
    }

    /// Formats a number, such as a page number or the result of a formula.
    pub fn format_number(&self, number: Decimal, locale: Locale<'_>) -> String {
        let value = match picture(self.number_picture.as_ref()) {
            Some(picture) => Value::with_picture(number, picture, locale),
            None => Value::Number(number),
        };
        self.apply_general(value, locale)
    }

    /// Formats a date and time. Without the `\@` switch, `default` chooses the picture.
    pub fn format_date(&self, date: DateTime, default: DefaultPicture, locale: Locale<'_>) -> String {
        let names = locale_data(locale);
        let usual = match default {
            DefaultPicture::Date => names.date.to_owned(),
            DefaultPicture::Time => names.time.to_owned(),
            DefaultPicture::DateTime => format!("{} {}", names.date, names.time),
        };
        let picture = picture(self.date_picture.as_ref()).unwrap_or(&usual);
        self.apply_general(Value::Text(date_picture::format(date, picture, self.calendar, &names)), locale)
    }

    /// Applies the picture to a text. Returns `None` without a picture, or if the text cannot be read as a number or date.
    fn apply_picture(&self, text: &str, locale: Locale<'_>) -> Option<Value> {
        if let Some(picture) = picture(self.number_picture.as_ref())
            && let Some(number) = typed::number(text, locale)
        {
            return Some(Value::with_picture(number, picture, locale));
        }
        let picture = picture(self.date_picture.as_ref())?;
        let date = typed::date(text, locale, !date_picture::has_date(picture))?;
        Some(Value::Text(date_picture::format(date, picture, self.calendar, &locale_data(locale))))
    }

    /// Applies the `\*` switches in their order.
    fn apply_general(&self, mut value: Value, locale: Locale<'_>) -> String {
        for format in self.general.iter().filter_map(|name| GeneralFormat::from_name(name)).take(MAX_GENERAL) {
            let number = match &value {
                Value::Number(number) | Value::WrittenNumber(_, number) => Some(*number),
                Value::Text(text) => typed::number(text, locale),
            };
            value = match (number.and_then(|number| format.number(number, locale)), value) {
                (Some(text), _) => Value::Text(text),
                (None, Value::Text(text)) => Value::Text(format.text(&text, locale)),
                (None, Value::WrittenNumber(text, number)) => Value::WrittenNumber(format.text(&text, locale), number),
                (None, Value::Number(number)) => Value::Number(number),
            };
        }
        match value {
            Value::Number(number) => plain_number(number, locale),
            Value::Text(text) | Value::WrittenNumber(text, _) => text,
        }
    }
}

/// Returns the picture that a switch has as its value. Returns `None` if the field does not have the switch, or if the
/// picture is blank.
fn picture(switch: Option<&String>) -> Option<&str> {
    switch.map(String::as_str).filter(|picture| !picture.trim().is_empty())
}

/// Writes a number without a picture: no zeros after the last decimal, and the decimal separator of the language.
fn plain_number(number: Decimal, locale: Locale<'_>) -> String {
    let text = number.normalize().to_string();
    if text.contains('.') { text.replace('.', locale_data(locale).decimal.encode_utf8(&mut [0; 4])) } else { text }
}
