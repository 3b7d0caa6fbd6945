//! Simple attribute types, including those that only WordprocessingML has.

use super::xml::{Element, Ns};
use crate::tree::Width;

pub(crate) use waraq_graphics::xml::values::*;

/// Parses a value of an enumeration. Returns `None` for unknown values.
pub(crate) fn parse_enum<T: std::str::FromStr>(value: &str) -> Option<T> {
    value.parse().ok()
}

/// Overwrites an inherited value. `None` means that no new value is specified, and changes nothing.
pub(crate) fn override_value<T>(slot: &mut T, new_value: Option<T>) {
    if let Some(said) = new_value {
        *slot = said;
    }
}

/// Returns the value of a toggle element such as `<w:b/>` or `<w:b w:val="0"/>`. Returns `None` if `parent` has no such
/// element.
pub(crate) fn toggle_value(parent: Element<'_>, name: &str) -> Option<bool> {
    parent.child(Ns::W, name).map(|child| on_off(child.val()))
}

/// Returns the width that an element specifies with `w:w` and `w:type` (§17.4.87).
pub(crate) fn table_width(element: Element<'_>) -> Width {
    let Some(value) = element.word_attribute("w") else { return Width::Auto };
    if let Some(percent) = value.trim().strip_suffix('%') {
        return number(percent).map_or(Width::Auto, |number| Width::Fraction(number / 100.0));
    }
    match element.word_attribute("type").unwrap_or("dxa") {
        "auto" | "nil" => Width::Auto,
        // The value is in fiftieths of a percent.
        "pct" => {
            number(value).filter(|share| *share > 0.0).map_or(Width::Auto, |number| Width::Fraction(number / 5_000.0))
        }
        _ => twips(value).filter(|width| *width > 0.0).map_or(Width::Auto, Width::Points),
    }
}
