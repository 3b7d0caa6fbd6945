//! Values of document properties and document variables (ECMA-376 part 1, §15.2.12, §17.15.1.31).

use jiff::civil::DateTime;
use rust_decimal::Decimal;
use waraq_rules::format::{DefaultPicture, FieldFormat, Locale};

/// The value of a document property or document variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PropertyValue {
    /// A text.
    Text(String),
    /// A number.
    Number(Decimal),
    /// Yes or no.
    Boolean(bool),
    /// A date and time in UTC.
    Date(DateTime),
}

impl PropertyValue {
    /// Returns the text of a field that shows the value. `local_time` converts a time in UTC to local time.
    pub fn text(&self, format: &FieldFormat, locale: Locale<'_>, local_time: &dyn Fn(DateTime) -> DateTime) -> String {
        match self {
            Self::Text(text) => format.format_text(text, locale),
            Self::Number(number) => format.format_number(*number, locale),
            Self::Boolean(value) => format.format_text(if *value { "Y" } else { "N" }, locale),
            Self::Date(date) => format.format_date(local_time(*date), DefaultPicture::DateTime, locale),
        }
    }
}
