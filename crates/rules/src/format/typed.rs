//! Reads the numbers and dates in texts, such as the values of merge fields.

use jiff::civil::{Date, DateTime};
use rust_decimal::Decimal;

use super::Locale;
use crate::derivation::{Currency, TemplateLocale, parse_date_time, parse_decimal, parse_time};

/// Maximum length of a text that is read as a number, in bytes.
const MAX_BYTES: usize = 200;

/// Calls `read` with the locale as a [`TemplateLocale`], the type that the parsers of numbers and dates use.
fn with_template_locale<T>(locale: Locale<'_>, read: impl FnOnce(&TemplateLocale<'_>) -> T) -> T {
    let region = locale.region();
    read(&TemplateLocale { language: locale.tag, country: region.as_deref() })
}

/// Returns the number that a text consists of. A currency sign or code may be before or after it, and parentheses mean a
/// negative number, as in `(€80.00)`. Returns `None` for other text and for numbers that can be read in two ways.
pub(super) fn number(text: &str, locale: Locale<'_>) -> Option<Decimal> {
    let text = text.trim();
    if text.len() > MAX_BYTES {
        return None;
    }
    if text.contains(['e', 'E']) && text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return Decimal::from_scientific(text).ok();
    }
    let (text, negative) = match text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        Some(inner) => (inner.trim(), true),
        None => (text, false),
    };
    let number = with_template_locale(locale, |locale| parse_decimal(&without_currency(text), locale))?;
    Some(if negative { -number.abs() } else { number })
}

/// Removes a currency sign, code or name before or after a number. A minus sign before the currency stays.
fn without_currency(text: &str) -> String {
    let is_digit = |c: char| c.is_numeric();
    let (Some(first), Some(last)) = (text.find(is_digit), text.rfind(is_digit)) else { return text.to_owned() };
    let (before, rest) = text.split_at(first);
    let end = last - first + rest.get(last - first..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    let (digits, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
    let is_currency = |sign: &str| {
        matches!(sign, "$" | "€" | "£" | "¥" | "₹" | "₺" | "₽" | "₪" | "₩" | "₦" | "₴")
            || Currency::ALL.iter().any(|currency| currency.matches_sign(sign) == Some(true))
    };
    let sign = before.trim().trim_matches(['-', '−', '+']).trim();
    let minus = if before.contains(['-', '−']) { "-" } else { "" };
    // A point directly before the digits belongs to the number, as in .75.
    let (sign, point) = sign.strip_suffix('.').map_or((sign, ""), |sign| (sign.trim(), "0."));
    match (sign.is_empty() || is_currency(sign), after.trim()) {
        (true, after) if after.is_empty() || is_currency(after) => format!("{minus}{point}{digits}"),
        _ => text.to_owned(),
    }
}

/// Parses a text that is only a date, with or without a time, as users of the language type it. If `time_only` is true,
/// the text may also be a time without a date, such as `15:30`.
pub(super) fn date(text: &str, locale: Locale<'_>, time_only: bool) -> Option<DateTime> {
    if time_only && let Some(time) = parse_time(text) {
        return Some(Date::constant(1970, 1, 1).to_datetime(time));
    }
    with_template_locale(locale, |locale| parse_date_time(text, locale)).ok()
}
