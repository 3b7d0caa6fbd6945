//! The simple types of attribute values, and those that only WordprocessingML has.

use super::xml::{Element, Ns};
use crate::tree::Width;

pub(crate) use waraq_graphics::xml::values::*;

/// A word of one of the format's lists; `None`: it is none of them.
pub(crate) fn word<T: std::str::FromStr>(value: &str) -> Option<T> {
    value.parse().ok()
}

/// Lays what is said, if anything is, over what is inherited.
pub(crate) fn set<T>(slot: &mut T, said: Option<T>) {
    if let Some(said) = said {
        *slot = said;
    }
}

/// A toggle child of a property element: `<w:b/>`, `<w:b w:val="0"/>`.
pub(crate) fn flag(parent: Element<'_>, name: &str) -> Option<bool> {
    parent.child(Ns::W, name).map(|child| on_off(child.val()))
}

/// `w:w` with `w:type` (§17.4.87).
pub(crate) fn table_width(element: Element<'_>) -> Width {
    let Some(value) = element.w("w") else { return Width::Auto };
    if let Some(percent) = value.trim().strip_suffix('%') {
        return number(percent).map_or(Width::Auto, |number| Width::Share(number / 100.0));
    }
    match element.w("type").unwrap_or("dxa") {
        "auto" | "nil" => Width::Auto,
        // Fiftieths of a percent.
        "pct" => {
            number(value).filter(|share| *share > 0.0).map_or(Width::Auto, |number| Width::Share(number / 5_000.0))
        }
        _ => twips(value).filter(|width| *width > 0.0).map_or(Width::Auto, Width::Points),
    }
}
