//! Custom geometries (§20.1.9.8): guides by formula, paths of lines, arcs and curves.

use std::collections::HashMap;

use super::super::xml::Element;
use crate::tree::PathCommand;

/// Commands a geometry may have; drawings of maps come near it.
const COMMAND_LIMIT: usize = 20_000;

/// The outline of an `a:custGeom`, in shares of its box. `width` and `height` are its box in points.
pub(super) fn read(element: Element<'_>, width: f32, height: f32) -> Vec<PathCommand> {
    let guides = Guides::read(element, f64::from(width) * 12_700.0, f64::from(height) * 12_700.0);
    let mut commands = Vec::new();
    for path in element.local("pathLst").into_iter().flat_map(Element::children) {
        let size = |name, otherwise: f64| {
            path.plain(name).and_then(|value| value.parse::<f64>().ok()).filter(|size| *size > 0.0).unwrap_or(otherwise)
        };
        let mut pen = Pen {
            width: size("w", guides.get("w")).max(1.0),
            height: size("h", guides.get("h")).max(1.0),
            at: (0.0, 0.0),
            commands: &mut commands,
        };
        for step in path.children() {
            pen.step(step, &guides);
        }
    }
    commands.truncate(COMMAND_LIMIT);
    commands
}

struct Pen<'c> {
    width: f64,
    height: f64,
    at: (f64, f64),
    commands: &'c mut Vec<PathCommand>,
}

impl Pen<'_> {
    fn share(&self, point: (f64, f64)) -> (f32, f32) {
        ((point.0 / self.width) as f32, (point.1 / self.height) as f32)
    }

    fn step(&mut self, step: Element<'_>, guides: &Guides) {
        if self.commands.len() >= COMMAND_LIMIT {
            return;
        }
        let point = |point: Element<'_>| (guides.attribute(point, "x"), guides.attribute(point, "y"));
        let points: Vec<(f64, f64)> = step.children().filter(|child| child.name() == "pt").map(point).collect();
        match (step.name(), points.as_slice()) {
            ("moveTo", [to, ..]) => {
                let (x, y) = self.share(*to);
                self.commands.push(PathCommand::Move(x, y));
                self.at = *to;
            }
            ("lnTo", [to, ..]) => {
                let (x, y) = self.share(*to);
                self.commands.push(PathCommand::Line(x, y));
                self.at = *to;
            }
            ("cubicBezTo", [a, b, to, ..]) => self.cubic(*a, *b, *to),
            ("quadBezTo", [control, to, ..]) => {
                let third = |from: (f64, f64)| {
                    (from.0 + (control.0 - from.0) * 2.0 / 3.0, from.1 + (control.1 - from.1) * 2.0 / 3.0)
                };
                self.cubic(third(self.at), third(*to), *to);
            }
            ("arcTo", _) => {
                let value = |name| guides.attribute(step, name);
                let turn = |name| (value(name) / 60_000.0).to_radians();
                self.arc(value("wR"), value("hR"), turn("stAng"), turn("swAng"));
            }
            ("close", _) => self.commands.push(PathCommand::Close),
            _ => {}
        }
    }

    fn cubic(&mut self, a: (f64, f64), b: (f64, f64), to: (f64, f64)) {
        let ((ax, ay), (bx, by), (x, y)) = (self.share(a), self.share(b), self.share(to));
        self.commands.push(PathCommand::Cubic(ax, ay, bx, by, x, y));
        self.at = to;
    }

    /// An arc from here, of an ellipse with those radii; cut into quarters at most.
    fn arc(&mut self, rx: f64, ry: f64, start: f64, sweep: f64) {
        let sweep = sweep.clamp(-std::f64::consts::TAU, std::f64::consts::TAU);
        let centre = (self.at.0 - rx * start.cos(), self.at.1 - ry * start.sin());
        let pieces = (sweep.abs() / std::f64::consts::FRAC_PI_2).ceil().max(1.0);
        let step = sweep / pieces;
        let reach = 4.0 / 3.0 * (step / 4.0).tan();
        for piece in 0..pieces as usize {
            let (from, to) = (start + step * piece as f64, start + step * (piece + 1) as f64);
            let on = |angle: f64| (centre.0 + rx * angle.cos(), centre.1 + ry * angle.sin());
            let along = |angle: f64, sign: f64| {
                let (x, y) = on(angle);
                (x - sign * reach * rx * angle.sin(), y + sign * reach * ry * angle.cos())
            };
            self.cubic(along(from, 1.0), along(to, -1.0), on(to));
        }
    }
}

/// The named values of a geometry.
struct Guides {
    values: HashMap<String, f64>,
}

impl Guides {
    fn read(element: Element<'_>, width: f64, height: f64) -> Self {
        let (shorter, longer) = (width.min(height), width.max(height));
        let mut values = HashMap::new();
        for (name, value) in [
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
        ] {
            values.insert(name.to_owned(), value);
        }
        for divisor in [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0, 16.0, 32.0] {
            values.insert(format!("wd{divisor}"), width / divisor);
            values.insert(format!("hd{divisor}"), height / divisor);
            values.insert(format!("ssd{divisor}"), shorter / divisor);
        }
        let mut guides = Self { values };
        for list in ["avLst", "gdLst"] {
            for guide in element.local(list).into_iter().flat_map(Element::children) {
                if let (Some(name), Some(formula)) = (guide.plain("name"), guide.plain("fmla")) {
                    let value = guides.formula(formula);
                    guides.values.insert(name.to_owned(), value);
                }
            }
        }
        guides
    }

    fn get(&self, name: &str) -> f64 {
        let value = name.parse::<f64>().ok().or_else(|| self.values.get(name).copied()).unwrap_or(0.0);
        if value.is_finite() { value } else { 0.0 }
    }

    fn attribute(&self, element: Element<'_>, name: &str) -> f64 {
        element.plain(name).map_or(0.0, |value| self.get(value))
    }

    /// §20.1.9.11
    fn formula(&self, formula: &str) -> f64 {
        let mut words = formula.split_whitespace();
        let operator = words.next().unwrap_or("");
        let mut next = || words.next().map_or(0.0, |word| self.get(word));
        let (x, y, z) = (next(), next(), next());
        let turn = |angle: f64| (angle / 60_000.0).to_radians();
        let value = match operator {
            "val" => x,
            "*/" => x * y / if z == 0.0 { 1.0 } else { z },
            "+-" => x + y - z,
            "+/" => (x + y) / if z == 0.0 { 1.0 } else { z },
            "?:" => {
                if x > 0.0 {
                    y
                } else {
                    z
                }
            }
            "abs" => x.abs(),
            "at2" => y.atan2(x).to_degrees() * 60_000.0,
            "cat2" => x * z.atan2(y).cos(),
            "sat2" => x * z.atan2(y).sin(),
            "cos" => x * turn(y).cos(),
            "sin" => x * turn(y).sin(),
            "tan" => x * turn(y).tan(),
            "max" => x.max(y),
            "min" => x.min(y),
            "mod" => (x * x + y * y + z * z).sqrt(),
            "pin" => {
                if y < x {
                    x
                } else if y > z {
                    z
                } else {
                    y
                }
            }
            "sqrt" => x.max(0.0).sqrt(),
            _ => 0.0,
        };
        if value.is_finite() { value } else { 0.0 }
    }
}
