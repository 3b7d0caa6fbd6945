//! The named values from which the outline of a shape is calculated (§20.1.9.11).

use std::borrow::Cow;
use std::collections::HashMap;

/// The values of the guides by name. Evaluates formulas of DrawingML and VML with these values.
pub(crate) struct Guides<'n> {
    values: HashMap<Cow<'n, str>, f64>,
    /// The number that represents one degree in formulas: 60,000 in DrawingML, 65,536 in VML.
    degree: f64,
}

impl<'n> Guides<'n> {
    pub fn new<const N: usize>(values: [(&'n str, f64); N], degree: f64) -> Self {
        Self { values: values.map(|(name, value)| (name.into(), value)).into(), degree }
    }

    /// Creates the guides that every DrawingML shape has (§20.1.10.60), for a box of this size in any unit.
    pub fn for_box(width: f64, height: f64) -> Self {
        let (shorter, longer) = (width.min(height), width.max(height));
        let values = [
            ("w", width),
            ("h", height),
            ("l", 0.0),
            ("t", 0.0),
            ("r", width),
            ("b", height),
            ("hc", width / 2.0),
            ("vc", height / 2.0),
            ("ss", shorter),
            ("ls", longer),
            ("cd2", 10_800_000.0),
            ("cd4", 5_400_000.0),
            ("cd8", 2_700_000.0),
            ("3cd4", 16_200_000.0),
            ("3cd8", 8_100_000.0),
            ("5cd8", 13_500_000.0),
            ("7cd8", 18_900_000.0),
        ];
        Self::new(values, 60_000.0)
    }

    pub fn set(&mut self, name: impl Into<Cow<'n, str>>, value: f64) {
        self.values.insert(name.into(), value);
    }

    /// Returns the value of an operand: a number, or the name of a guide. Unknown names have the value 0.
    pub fn get(&self, name: &str) -> f64 {
        let known = self.values.get(name).copied();
        let value = known.or_else(|| name.parse::<f64>().ok()).or_else(|| self.fraction_of_side(name)).unwrap_or(0.0);
        if value.is_finite() { value } else { 0.0 }
    }

    /// Returns the value of a name such as `wd2`, `hd4` or `ssd16`: the width, the height or the shorter side, divided
    /// by a number. Returns `None` for other names.
    fn fraction_of_side(&self, name: &str) -> Option<f64> {
        let (whole, divisor) = name.split_once('d')?;
        let whole = self.values.get(whole).filter(|_| matches!(whole, "w" | "h" | "ss"))?;
        divisor.parse::<f64>().ok().map(|divisor| whole / divisor)
    }

    /// Evaluates a formula. A single name or number is a formula too. Unknown operators give 0.
    pub fn evaluate_formula(&self, formula: &str) -> f64 {
        let mut words = formula.split_whitespace();
        let operator = words.next().unwrap_or("");
        let mut next = || words.next().map(|word| self.get(word));
        let first = next();
        let numbers = [first.unwrap_or(0.0), next().unwrap_or(0.0), next().unwrap_or(0.0)];
        if first.is_none() { self.get(operator) } else { apply_operator(operator, numbers, self.degree) }
    }
}

/// Applies an operator of DrawingML (§20.1.9.11) or VML (part 4, §19.1.2.6) to three numbers. `degree` is the number
/// that represents one degree. Unknown operators and results that are not finite give 0.
fn apply_operator(operator: &str, [x, y, z]: [f64; 3], degree: f64) -> f64 {
    let turn = |angle: f64| (angle / degree).to_radians();
    let value = match operator {
        "val" => x,
        "*/" | "prod" | "product" => x * y / if z == 0.0 { 1.0 } else { z },
        "+-" | "sum" => x + y - z,
        "+/" => (x + y) / if z == 0.0 { 1.0 } else { z },
        "mid" => (x + y) / 2.0,
        "?:" | "if" => {
            if x > 0.0 {
                y
            } else {
                z
            }
        }
        "abs" => x.abs(),
        "at2" | "atan2" => y.atan2(x).to_degrees() * degree,
        "cat2" | "cosatan2" => x * z.atan2(y).cos(),
        "sat2" | "sinatan2" => x * z.atan2(y).sin(),
        "cos" => x * turn(y).cos(),
        "sin" => x * turn(y).sin(),
        "tan" => x * turn(y).tan(),
        "max" => x.max(y),
        "min" => x.min(y),
        "mod" => (x * x + y * y + z * z).sqrt(),
        "pin" if y < x => x,
        "pin" if y > z => z,
        "pin" => y,
        "sqrt" => x.max(0.0).sqrt(),
        "sumangle" => x + (y - z) * degree,
        "ellipse" if y != 0.0 => z * (1.0 - (x / y).powi(2)).max(0.0).sqrt(),
        _ => 0.0,
    };
    if value.is_finite() { value } else { 0.0 }
}

/// Returns an area (left, top, right, bottom) as fractions of its box. Returns `None` if the area is the whole box or
/// empty.
pub(crate) fn fractions_of_box([left, top, right, bottom]: [f64; 4], (width, height): (f64, f64)) -> Option<[f32; 4]> {
    let area = [left / width, top / height, right / width, bottom / height].map(|share| share.clamp(-4.0, 5.0) as f32);
    let [left, top, right, bottom] = area;
    (right - left > 0.01 && bottom - top > 0.01 && area != [0.0, 0.0, 1.0, 1.0]).then_some(area)
}
