//! The style attribute of VML shapes (part 4, §19.1.2.19), which has the syntax of CSS.

use crate::Orientation;
use crate::xml::values::{number, unit_in_points};

/// The declarations of a style attribute.
#[derive(Debug)]
pub struct VmlStyle<'t>(pub &'t str);

impl<'t> VmlStyle<'t> {
    /// Returns the value of the last declaration with this name.
    pub fn get(&self, name: &str) -> Option<&'t str> {
        let mut declarations = self.0.split(';').rev().filter_map(|declaration| declaration.split_once(':'));
        declarations.find(|(known, _)| known.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }

    /// Returns the length in the declaration with this name, in points.
    pub fn length(&self, name: &str) -> Option<f32> {
        self.get(name).and_then(length)
    }

    /// Returns the value of the declaration with this name. A length with a unit is converted to points. A number
    /// without a unit, as in children of groups, is returned unchanged.
    pub fn number(&self, name: &str) -> Option<f32> {
        let value = self.get(name)?;
        number(value).or_else(|| length(value))
    }

    /// Returns the rotation and the flips. In the attribute, the rotation is in degrees or, with the suffix `fd`, in
    /// 65536ths of a degree.
    pub fn orientation(&self) -> Orientation {
        let rotation = self.get("rotation").unwrap_or("");
        let rotation = match rotation.strip_suffix("fd") {
            Some(value) => value.parse::<f32>().map_or(0.0, |value| value / 65_536.0),
            None => rotation.trim_end_matches("deg").parse().unwrap_or(0.0),
        };
        let flip = self.get("flip").unwrap_or("").to_ascii_lowercase();
        Orientation { rotation, flip_horizontal: flip.contains('x'), flip_vertical: flip.contains('y') }
    }
}

/// Parses a CSS length and returns it in points. Numbers without a unit are pixels in VML.
pub fn length(value: &str) -> Option<f32> {
    let value = value.trim();
    let split = value.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(value.len());
    let (digits, unit) = value.split_at(split);
    let points = number(digits)? * unit_in_points(if unit.is_empty() { "px" } else { unit })?;
    Some(points.clamp(-100_000.0, 100_000.0))
}

/// Parses a fraction: `.5`, `50%`, or 65536ths with the suffix `f`.
pub fn fraction(value: &str) -> Option<f32> {
    let value = value.trim();
    match (value.strip_suffix('f'), value.strip_suffix('%')) {
        (Some(digits), _) => number(digits).map(|number| number / 65_536.0),
        (None, Some(digits)) => number(digits).map(|number| number / 100.0),
        (None, None) => number(value),
    }
}
