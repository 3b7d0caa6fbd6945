//! The style attribute of VML shapes (part 4, §19.1.2.19) in the manner of CSS.

use crate::Turn;

/// The declarations of a style attribute, names in lower case.
#[derive(Debug)]
pub struct Style<'t> {
    declarations: Vec<(String, &'t str)>,
}

impl<'t> Style<'t> {
    pub fn parse(text: &'t str) -> Self {
        let declarations = text.split(';').filter_map(|declaration| {
            let (name, value) = declaration.split_once(':')?;
            Some((name.trim().to_ascii_lowercase(), value.trim()))
        });
        Self { declarations: declarations.collect() }
    }

    pub fn get(&self, name: &str) -> Option<&'t str> {
        self.declarations.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
    }

    pub fn length(&self, name: &str) -> Option<f32> {
        self.get(name).and_then(length)
    }

    /// A bare number, as the children of groups have them.
    pub fn number(&self, name: &str) -> Option<f32> {
        let value = self.get(name)?;
        value.parse::<f32>().ok().filter(|number| number.is_finite()).or_else(|| length(value))
    }

    /// Rotation in degrees, or 65536ths of one, and flips by x and by y.
    pub fn turn(&self) -> Turn {
        let rotation = self.get("rotation").unwrap_or("");
        let rotation = match rotation.strip_suffix("fd") {
            Some(value) => value.parse::<f32>().map_or(0.0, |value| value / 65_536.0),
            None => rotation.trim_end_matches("deg").parse().unwrap_or(0.0),
        };
        let flip = self.get("flip").unwrap_or("").to_ascii_lowercase();
        Turn { rotation, flip_horizontal: flip.contains('x'), flip_vertical: flip.contains('y') }
    }
}

/// A CSS length in points; bare numbers are pixels, as VML has them.
pub fn length(value: &str) -> Option<f32> {
    let value = value.trim();
    let split = value.find(|c: char| c.is_ascii_alphabetic() || c == '%').unwrap_or(value.len());
    let (digits, unit) = value.split_at(split);
    let number: f32 = digits.trim().parse().ok().filter(|number: &f32| number.is_finite())?;
    let points = match unit {
        "pt" => 1.0,
        "in" => 72.0,
        "cm" => 72.0 / 2.54,
        "mm" => 72.0 / 25.4,
        "pc" => 12.0,
        "px" | "" => 0.75,
        "emu" => 1.0 / 12_700.0,
        _ => return None,
    };
    Some((number * points).clamp(-100_000.0, 100_000.0))
}

/// A share: `.5`, `50%`, or 65536ths with an f.
pub fn fraction(value: &str) -> Option<f32> {
    let value = value.trim();
    let scaled = |digits: &str, scale: f32| digits.parse::<f32>().ok().map(|number| number / scale);
    let share = match (value.strip_suffix('f'), value.strip_suffix('%')) {
        (Some(digits), _) => scaled(digits, 65_536.0),
        (None, Some(digits)) => scaled(digits, 100.0),
        (None, None) => scaled(value, 1.0),
    };
    share.filter(|share| share.is_finite())
}
