//! The simple types of attribute values: on/off, measures, colours (ECMA-376 part 1, §17.18 and §22.9.2).

use super::xml::Element;
use crate::tree::{Rgb, Width};

/// ST_OnOff: an element without value is on. What is not a boolean is taken for on, as Word does.
pub(crate) fn on_off(value: Option<&str>) -> bool {
    !matches!(value, Some("0" | "false" | "off" | "no" | "f"))
}

/// A toggle child of a property element: `<w:b/>`, `<w:b w:val="0"/>`.
pub(crate) fn flag(parent: Element<'_>, name: &str) -> Option<bool> {
    parent.child(super::namespaces::Ns::W, name).map(|child| on_off(child.val()))
}

pub(crate) fn integer(value: &str) -> Option<i64> {
    let value = value.trim();
    value.parse().ok().or_else(|| {
        let number: f64 = value.parse().ok()?;
        number.is_finite().then_some(number as i64)
    })
}

fn number(value: &str) -> Option<f32> {
    value.trim().parse::<f32>().ok().filter(|number| number.is_finite())
}

/// A measure with a unit of its own (`12pt`, `2.5cm`), as Strict documents have them, in points.
fn universal(value: &str) -> Option<f32> {
    let value = value.trim();
    let split = value.find(|c: char| c.is_ascii_alphabetic())?;
    let (digits, unit) = value.split_at(split);
    let points = match unit {
        "pt" => 1.0,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        "pc" | "pi" => 12.0,
        "px" => 0.75,
        _ => return None,
    };
    Some(number(digits)? * points)
}

/// Twentieths of a point (or a measure with its unit) in points, kept within what a page can mean.
pub(crate) fn twips(value: &str) -> Option<f32> {
    let points = number(value).map(|number| number / 20.0).or_else(|| universal(value))?;
    Some(points.clamp(-31_680.0, 31_680.0))
}

/// Half-points (or a measure with its unit) in points.
pub(crate) fn half_points(value: &str) -> Option<f32> {
    number(value).map(|number| number / 2.0).or_else(|| universal(value)).map(|points| points.clamp(-1_638.0, 1_638.0))
}

/// English metric units (914,400 to an inch), or a measure with its unit, in points.
pub(crate) fn emu(value: &str) -> Option<f32> {
    let points = number(value).map(|number| number / 12_700.0).or_else(|| universal(value))?;
    Some(points.clamp(-100_000.0, 100_000.0))
}

/// A share: `50%` (Strict) or thousandths of a percent (DrawingML). 1.0 is all.
pub(crate) fn share(value: &str) -> Option<f32> {
    match value.trim().strip_suffix('%') {
        Some(percent) => number(percent).map(|number| number / 100.0),
        None => number(value).map(|number| number / 100_000.0),
    }
}

/// A whole number with an optional `%`, as w:w and w:zoom have them.
pub(crate) fn percent(value: &str) -> Option<f32> {
    number(value.trim().trim_end_matches('%'))
}

/// Angles of DrawingML: sixty-thousandths of a degree.
pub(crate) fn angle(value: &str) -> Option<f32> {
    number(value).map(|number| (number / 60_000.0) % 360.0)
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

/// Six hexadecimal digits; `auto` and what is no colour are `None`.
pub(crate) fn hex_color(value: &str) -> Option<Rgb> {
    let digits = value.trim().trim_start_matches('#');
    if digits.len() != 6 || !digits.is_ascii() {
        return None;
    }
    let value = u32::from_str_radix(digits, 16).ok()?;
    Some(Rgb((value >> 16) as u8, (value >> 8) as u8, value as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_in_both_dialects() {
        assert_eq!(twips("240"), Some(12.0));
        assert_eq!(twips("12pt"), Some(12.0));
        assert_eq!(twips("1in"), Some(72.0));
        assert_eq!(half_points("23"), Some(11.5));
        assert_eq!(emu("914400"), Some(72.0));
        assert_eq!(share("50%"), Some(0.5));
        assert_eq!(share("50000"), Some(0.5));
        assert_eq!(twips("NaN"), None);
        assert_eq!(twips("x"), None);
    }

    #[test]
    fn colours() {
        assert_eq!(hex_color("FF8000"), Some(Rgb(255, 128, 0)));
        assert_eq!(hex_color("auto"), None);
        assert_eq!(hex_color("ééé"), None);
    }
}
