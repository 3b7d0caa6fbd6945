//! Reads the numbers and dates in texts, such as the values of merge fields.

use jiff::civil::{Date, DateTime};
use rust_decimal::Decimal;

use super::Locale;
use crate::derivation::{TemplateLocale, parse_date_time, parse_decimal, parse_time};

/// Calls `read` with the locale as a [`TemplateLocale`], the type that the parsers of numbers and dates use.
fn with_template_locale<T>(locale: Locale<'_>, read: impl FnOnce(&TemplateLocale<'_>) -> T) -> T {
    let region = locale.region();
    read(&TemplateLocale { language: locale.tag, country: region.as_deref() })
}

/// Returns the number that a text consists of. A currency sign or code may be before or after it, and parentheses mean a
/// negative number, as in `(€80.00)`. Returns `None` for other text and for numbers that can be read in two ways.
pub(super) fn number(text: &str, locale: Locale<'_>) -> Option<Decimal> {
    let text = text.trim();
    if text.contains(['e', 'E'])
        && let Ok(number) = Decimal::from_scientific(text)
    {
        return Some(number);
    }
    let (text, negative) = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(inner) => (inner.trim(), true),
        None => (text, false),
    };
    let number = with_template_locale(locale, |locale| parse_decimal(text, locale))?;
    Some(if negative { -number.abs() } else { number })
}

/// Parses a text that is only a date, with or without a time, as users of the language type it. If `time_only` is true,
/// the text may also be a time without a date, such as `15:30`.
pub(super) fn date(text: &str, locale: Locale<'_>, time_only: bool) -> Option<DateTime> {
    if time_only && let Some(time) = parse_time(text) {
        return Some(Date::constant(1970, 1, 1).to_datetime(time));
    }
    with_template_locale(locale, |locale| parse_date_time(text, locale)).ok()
}
