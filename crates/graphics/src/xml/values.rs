//! Parses the simple types of attribute values: on/off, measures, colours (ECMA-376 part 1, §17.18 and §22.9.2).

use crate::Rgb;

/// Parses ST_OnOff, and ST_TrueFalse of VML. As in Word, a missing value (`None`) and an invalid value count as on.
pub fn on_off(value: Option<&str>) -> bool {
    !matches!(value, Some("0" | "false" | "False" | "off" | "no" | "f"))
}

/// Parses an on/off attribute. Returns `None` if the attribute is missing.
pub fn on_off_if_present(value: Option<&str>) -> Option<bool> {
    value.map(|value| on_off(Some(value)))
}

/// Parses an integer. A decimal fraction is cut off.
pub fn integer(value: &str) -> Option<i64> {
    let value = value.trim();
    value.parse().ok().or_else(|| {
        let number: f64 = value.parse().ok()?;
        number.is_finite().then_some(number as i64)
    })
}

/// Parses a finite decimal number.
pub fn number(value: &str) -> Option<f32> {
    value.trim().parse::<f32>().ok().filter(|number| number.is_finite())
}

/// Parses a measure with a unit (`12pt`, `2.5cm`) and returns points. Strict documents use such measures.
fn measure_with_unit(value: &str) -> Option<f32> {
    let value = value.trim();
    let (digits, unit) = value.split_at(value.find(|c: char| c.is_ascii_alphabetic())?);
    Some(number(digits)? * unit_in_points(unit)?)
}

/// Returns the size of a unit in points. VML units are included.
pub(crate) fn unit_in_points(unit: &str) -> Option<f32> {
    Some(match unit {
        "pt" => 1.0,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        "pc" | "pi" => 12.0,
        "px" => 0.75,
        "emu" => 1.0 / 12_700.0,
        _ => return None,
    })
}

/// Parses twentieths of a point, or a measure with a unit, and returns points. The result is clamped to -31,680 to
/// 31,680 points.
pub fn twips(value: &str) -> Option<f32> {
    let points = number(value).map(|number| number / 20.0).or_else(|| measure_with_unit(value))?;
    Some(points.clamp(-31_680.0, 31_680.0))
}

/// Parses half-points, or a measure with a unit, and returns points.
pub fn half_points(value: &str) -> Option<f32> {
    number(value)
        .map(|number| number / 2.0)
        .or_else(|| measure_with_unit(value))
        .map(|points| points.clamp(-1_638.0, 1_638.0))
}

/// Parses English metric units (914,400 to an inch), or a measure with a unit, and returns points.
pub fn emu(value: &str) -> Option<f32> {
    let points = number(value).map(|number| number / 12_700.0).or_else(|| measure_with_unit(value))?;
    Some(points.clamp(-100_000.0, 100_000.0))
}

/// Parses a fraction: `50%` (Strict) or thousandths of a percent (DrawingML). The result for 100 % is 1.
pub fn parse_fraction(value: &str) -> Option<f32> {
    match value.trim().strip_suffix('%') {
        Some(percent) => number(percent).map(|number| number / 100.0),
        None => number(value).map(|number| number / 100_000.0),
    }
}

/// Parses a number with an optional `%`, as in w:w and w:zoom, and returns percent.
pub fn percent(value: &str) -> Option<f32> {
    number(value.trim().trim_end_matches('%'))
}

/// Parses a DrawingML angle in 60,000ths of a degree and returns degrees.
pub fn angle(value: &str) -> Option<f32> {
    number(value).map(|number| (number / 60_000.0) % 360.0)
}

/// Parses six hexadecimal digits. Returns `None` for `auto` and invalid values.
pub fn hex_color(value: &str) -> Option<Rgb> {
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
    fn measures_of_transitional_and_strict_are_parsed() {
        assert_eq!(twips("240"), Some(12.0));
        assert_eq!(twips("12pt"), Some(12.0));
        assert_eq!(twips("1in"), Some(72.0));
        assert_eq!(half_points("23"), Some(11.5));
        assert_eq!(emu("914400"), Some(72.0));
        assert_eq!(parse_fraction("50%"), Some(0.5));
        assert_eq!(parse_fraction("50000"), Some(0.5));
        assert_eq!(twips("NaN"), None);
        assert_eq!(twips("x"), None);
    }

    #[test]
    fn booleans_are_parsed_in_every_spelling() {
        for off in ["0", "false", "False", "off", "no", "f"] {
            assert!(!on_off(Some(off)), "{off}");
        }
        for on in [None, Some("1"), Some("true"), Some("t"), Some("on"), Some("")] {
            assert!(on_off(on), "{on:?}");
        }
        assert_eq!(on_off_if_present(None), None);
    }

    #[test]
    fn hex_colours_are_parsed() {
        assert_eq!(hex_color("FF8000"), Some(Rgb(255, 128, 0)));
        assert_eq!(hex_color("auto"), None);
        assert_eq!(hex_color("ééé"), None);
    }
}
