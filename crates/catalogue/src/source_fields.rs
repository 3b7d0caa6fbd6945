//! The directive `:fields` declares settings of fields, one field in each line:
//!
//! ```text
//! :fields
//! Items = list; label Goods and services; rows 1-200
//! Items[].Net amount = product Quantity * Unit price
//! Items[].VAT amount = percentage VAT rate of Net amount
//! Net total = total Items[].Net amount
//! Amount due = sum Net total + VAT total; hint Including VAT.
//! Logo = picture; size 60x25
//! :end
//! ```
//!
//! A column is written as a path, like the keys of derivations. The settings after `=` are separated by `;`:
//!
//! - a kind: `text`, `long-text`, `date`, `amount`, `number`, `email`, `phone`, `yes-no`, `list`, `picture`, `signature`,
//!   `qr-code`, or `choice` followed by the choices, separated by `|`;
//! - `label`, `hint`, `example` or `group` with a text;
//! - `rows MIN-MAX` of a list, `size WIDTHxHEIGHT` of a picture in millimetres;
//! - a derivation: `product A * B`, `sum A + B`, `percentage RATE of A` (a field or a number such as `5%`),
//!   `total LIST[].COLUMN`, `count LIST`, `amount-in-words A` or `date-in-words A`. Amounts have the currency of the head.
//!   `product-without-currency` and `total-without-currency` compute numbers, such as hours.

use waraq_rules::derivation::{Case, Currency, Derivation, Rate};
use waraq_rules::field_settings::{FieldSettings, ValueKind};

use super::{Mistake, SourceParser};

impl SourceParser {
    pub(super) fn parse_fields(&mut self) -> Result<(), Mistake> {
        for line in self.lines_until_end()? {
            let Some((path, settings)) = line.split_once('=') else {
                return self.mistake(format!("not `field = settings`: {line}"));
            };
            let field = settings_at(&mut self.settings, path.trim());
            for setting in settings.split(';') {
                if let Err(message) = set(field, setting.trim(), self.currency) {
                    return Err(Mistake::new(self.first_line + self.at - 1, format!("{}: {message}", path.trim())));
                }
            }
        }
        Ok(())
    }
}

/// Returns the settings of the field or column at a path. Adds empty settings if there are none.
fn settings_at<'s>(settings: &'s mut Vec<FieldSettings>, path: &str) -> &'s mut FieldSettings {
    let (name, rest) = path.split_once("[].").map_or((path, None), |(name, rest)| (name, Some(rest)));
    let at = settings.iter().position(|one| one.field == name).unwrap_or(settings.len());
    if at == settings.len() {
        settings.push(FieldSettings::empty(name));
    }
    let field = &mut settings[at];
    match rest {
        Some(rest) => settings_at(field.columns.get_or_insert_default(), rest),
        None => field,
    }
}

/// Adds one setting, such as `label Net amount`, to those of a field.
fn set(field: &mut FieldSettings, setting: &str, currency: Option<Currency>) -> Result<(), String> {
    let (word, rest) = setting.split_once(' ').map_or((setting, ""), |(word, rest)| (word, rest.trim()));
    let text = || (!rest.is_empty()).then(|| rest.to_owned()).ok_or(format!("no text after {word}"));
    let names = |separator: char| rest.split(separator).map(|name| name.trim().to_owned()).collect::<Vec<_>>();
    match word {
        "label" => field.label = Some(text()?),
        "hint" => field.hint = Some(text()?),
        "example" => field.example = Some(text()?),
        "group" => field.group = Some(text()?),
        "choice" => (field.kind, field.choices) = (Some(ValueKind::Choice), Some(names('|'))),
        "rows" => (field.min_rows, field.max_rows) = two_numbers(rest, '-')?,
        "size" => (field.max_width, field.max_height) = two_numbers(rest, 'x')?,
        "product" => field.derivation = Some(Derivation::Product { of: names('*'), currency }),
        "product-without-currency" => field.derivation = Some(Derivation::Product { of: names('*'), currency: None }),
        "sum" => field.derivation = Some(Derivation::Sum { of: names('+'), currency }),
        "percentage" => field.derivation = Some(percentage(rest, currency)?),
        "total" => field.derivation = Some(list_sum(rest, currency)?),
        "total-without-currency" => field.derivation = Some(list_sum(rest, None)?),
        "count" => field.derivation = Some(Derivation::Count { list: text()? }),
        "amount-in-words" => {
            field.derivation = Some(Derivation::AmountInWords { of: text()?, currency, case: Case::default() });
        }
        "date-in-words" => field.derivation = Some(Derivation::DateInWords { of: text()?, case: Case::default() }),
        _ => field.kind = Some(kind(setting).ok_or_else(|| format!("unknown setting {setting}"))?),
    }
    Ok(())
}

fn kind(word: &str) -> Option<ValueKind> {
    Some(match word {
        "text" => ValueKind::Text,
        "long-text" => ValueKind::LongText,
        "date" => ValueKind::Date,
        "amount" => ValueKind::Amount,
        "number" => ValueKind::Number,
        "email" => ValueKind::Email,
        "phone" => ValueKind::Phone,
        "yes-no" => ValueKind::YesNo,
        "list" => ValueKind::List,
        "picture" => ValueKind::Picture,
        "signature" => ValueKind::Signature,
        "qr-code" => ValueKind::QrCode,
        _ => return None,
    })
}

fn two_numbers(text: &str, separator: char) -> Result<(Option<u16>, Option<u16>), String> {
    let numbers = text.split_once(separator).and_then(|(one, other)| Some((one.parse().ok()?, other.parse().ok()?)));
    let (one, other) = numbers.ok_or_else(|| format!("not two numbers: {text}"))?;
    Ok((Some(one), Some(other)))
}

/// Parses `RATE of AMOUNT`. The rate is a field, or a number such as `5%`.
fn percentage(text: &str, currency: Option<Currency>) -> Result<Derivation, String> {
    let (rate, of) = text.split_once(" of ").ok_or_else(|| format!("not `rate of amount`: {text}"))?;
    let rate = match rate.strip_suffix('%') {
        Some(number) => Rate::Number(number.parse().map_err(|_| format!("not a percentage: {rate}"))?),
        None => Rate::Field(rate.trim().to_owned()),
    };
    Ok(Derivation::Percentage { of: of.trim().to_owned(), rate, currency })
}

/// Parses `LIST[].COLUMN`.
fn list_sum(text: &str, currency: Option<Currency>) -> Result<Derivation, String> {
    let (list, column) = text.split_once("[].").ok_or_else(|| format!("not `list[].column`: {text}"))?;
    Ok(Derivation::ListSum { list: list.to_owned(), column: column.to_owned(), currency })
}
