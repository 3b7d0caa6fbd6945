//! Parses the paths of VML shapes (part 4, §19.1.2.14), whose numbers can refer to formulas (§19.1.2.6) and adjust
//! handles.

use kurbo::{Point, Rect, Vec2};

use crate::outline::{Guides, OutlinePen, fractions_of_box};
use crate::{PathFill, ShapePath};

/// Maximum number of commands of a path.
const MAX_COMMANDS: usize = 20_000;
/// Maximum number of formulas of a shape.
const MAX_FORMULAS: usize = 1_000;

/// The values that the path of a VML shape can refer to: the box of the shape, its adjust handles and the results of
/// its formulas.
pub(super) struct PathValues {
    /// The size of the shape in its own coordinates.
    pub size: (f64, f64),
    pub origin: Vec2,
    /// The values by name: the box, the adjust handles (`#0` is the first) and the results of the formulas (`@0` is the
    /// first).
    guides: Guides<'static>,
    /// Number of evaluated formulas.
    formulas: usize,
}

impl PathValues {
    /// Creates the values for the paths of a shape. `size` and `origin` are in the coordinates of the shape, `points`
    /// is the size of its box in points, and `handles` are its adjust values.
    pub fn new(size: (f64, f64), origin: Vec2, points: (f64, f64), handles: &[f64]) -> Self {
        let named = [
            ("width", size.0),
            ("xrange", size.0),
            ("height", size.1),
            ("yrange", size.1),
            ("xcenter", origin.x + size.0 / 2.0),
            ("ycenter", origin.y + size.1 / 2.0),
            ("pixelWidth", points.0 / 0.75),
            ("pixelHeight", points.1 / 0.75),
            ("emuWidth", points.0 * 12_700.0),
            ("emuHeight", points.1 * 12_700.0),
            ("emuWidth2", points.0 * 6_350.0),
            ("emuHeight2", points.1 * 6_350.0),
            ("pixelLineWidth", 1.0),
            ("lineDrawn", 1.0),
        ];
        let mut guides = Guides::new(named, 65_536.0);
        for (index, value) in handles.iter().enumerate() {
            guides.set(format!("#{index}"), *value);
        }
        Self { size, origin, guides, formulas: 0 }
    }

    /// Evaluates the next formula. A path refers to the result by `@` and the index of the formula: `@0` is the first.
    pub fn add_formula(&mut self, equation: &str) {
        if self.formulas < MAX_FORMULAS {
            self.guides.set(format!("@{}", self.formulas), self.guides.evaluate_formula(equation));
            self.formulas += 1;
        }
    }

    /// Parses the first rectangle of a `textboxrect` (§19.1.2.14). Returns it as fractions of the box: left, top,
    /// right, bottom.
    pub fn text_area(&self, rectangles: &str) -> Option<[f32; 4]> {
        let sides = self.parse_numbers(rectangles.split(';').next()?);
        let [left, top, right, bottom] = sides.as_slice() else { return None };
        let Vec2 { x, y } = self.origin;
        fractions_of_box([left - x, top - y, right - x, bottom - y], self.size)
    }

    /// Parses a list of numbers, adjust handles (`#0`) and formulas (`@0`), and returns their values. Commas, blanks
    /// and signs separate them. A missing number next to a comma is zero.
    fn parse_numbers(&self, text: &str) -> Vec<f64> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        let text = text.replace('@', " @").replace('#', " #").replace('-', " -");
        let between_commas = |words: &str| {
            let numbers: Vec<f64> = words.split_whitespace().map(|word| self.guides.get(word)).collect();
            if numbers.is_empty() { vec![0.0] } else { numbers }
        };
        text.split(',').flat_map(between_commas).collect()
    }
}

/// Parses a path attribute. The result is empty if the path draws nothing.
pub(super) fn parse_paths(path: &str, values: &PathValues) -> Vec<ShapePath> {
    let mut outlines = Vec::new();
    let mut drawing = VmlPathPen::new(values);
    for (letter, numbers) in path_commands(path).take(MAX_COMMANDS) {
        if letter == "e" {
            outlines.push(std::mem::replace(&mut drawing, VmlPathPen::new(values)).finish());
        } else {
            drawing.draw_command(letter, &values.parse_numbers(numbers));
        }
    }
    outlines.push(drawing.finish());
    outlines.retain(|outline| outline.commands.len() > 1);
    outlines
}

/// The path of a VML shape while its commands are drawn.
struct VmlPathPen<'v> {
    pen: OutlinePen,
    at: Point,
    fill: PathFill,
    stroked: bool,
    values: &'v PathValues,
}

impl<'v> VmlPathPen<'v> {
    fn new(values: &'v PathValues) -> Self {
        let pen = OutlinePen::new(values.size.0, values.size.1);
        Self { pen, at: Point::ORIGIN, fill: PathFill::Shape, stroked: true, values }
    }

    fn finish(self) -> ShapePath {
        ShapePath { commands: self.pen.finish(), fill: self.fill, stroked: self.stroked }
    }

    /// Converts a point in the coordinates of the shape to a point relative to the top left corner of the box.
    fn relative_to_origin(&self, point: Point) -> Point {
        point - self.values.origin
    }

    /// Draws a command with its parameters.
    fn draw_command(&mut self, letter: &str, numbers: &[f64]) {
        let pair = |pair: &[f64]| Point::new(pair.first().copied().unwrap_or(0.0), pair.get(1).copied().unwrap_or(0.0));
        let pairs: Vec<Point> = numbers.chunks(2).map(pair).collect();
        match letter {
            "m" | "l" | "t" | "r" => {
                for pair in pairs {
                    self.at = if matches!(letter, "t" | "r") { self.at + pair.to_vec2() } else { pair };
                    let to = self.relative_to_origin(self.at);
                    if matches!(letter, "m" | "t") { self.pen.move_to(to) } else { self.pen.line_to(to) }
                }
            }
            "c" | "v" => {
                for curve in pairs.chunks(3) {
                    let [a, b, to] = curve else { break };
                    let base = if letter == "v" { self.at } else { Point::ORIGIN };
                    let moved = |point: &Point| base + point.to_vec2();
                    self.at = moved(to);
                    self.pen.cubic(
                        self.relative_to_origin(moved(a)),
                        self.relative_to_origin(moved(b)),
                        self.relative_to_origin(self.at),
                    );
                }
            }
            "qx" | "qy" => {
                for (index, to) in pairs.into_iter().enumerate() {
                    self.quadrant(to, (letter == "qx") == (index % 2 == 0));
                }
            }
            "qb" => {
                for curve in pairs.chunks(2) {
                    let [control, to] = curve else { break };
                    self.at = *to;
                    self.pen.quadratic(self.relative_to_origin(*control), self.relative_to_origin(*to));
                }
            }
            "ae" | "al" => {
                for arc in pairs.chunks(3) {
                    let [centre, radii, turns] = arc else { break };
                    let turn = |angle: f64| -(angle / 65_536.0).to_radians();
                    self.arc(*centre, radii.to_vec2(), turn(turns.x), turn(turns.y), letter == "al");
                }
            }
            "at" | "ar" | "wa" | "wr" => {
                for arc in pairs.chunks(4) {
                    let [corner, other, from, to] = arc else { break };
                    self.arc_in_box(Rect::from_points(*corner, *other), *from, *to, letter);
                }
            }
            "x" => self.pen.close(),
            "nf" => self.fill = PathFill::None,
            "ns" => self.stroked = false,
            _ => {}
        }
    }

    /// Draws a quarter of an ellipse from the current point to the point `to`. It starts horizontally if `along_x` is
    /// true, else vertically.
    fn quadrant(&mut self, to: Point, along_x: bool) {
        const ROUND: f64 = 0.552_284_8;
        let from = self.at;
        let along = |way: Vec2, x: bool| ROUND * if x { Vec2::new(way.x, 0.0) } else { Vec2::new(0.0, way.y) };
        let (a, b) = (from + along(to - from, along_x), to - along(to - from, !along_x));
        self.at = to;
        self.pen.cubic(self.relative_to_origin(a), self.relative_to_origin(b), self.relative_to_origin(to));
    }

    /// Draws an arc of the ellipse in a box, between the rays from the centre through the points `from` and `to`.
    /// `letter` is the command: commands that begin with `w` draw clockwise, the others counterclockwise.
    fn arc_in_box(&mut self, area: Rect, from: Point, to: Point, letter: &str) {
        let (centre, radii) = (area.center(), area.size().to_vec2() / 2.0);
        let angle = |point: Point| ((point.y - centre.y) * radii.x).atan2((point.x - centre.x) * radii.y);
        let (start, end) = (angle(from), angle(to));
        let clockwise = letter.starts_with('w');
        let mut sweep = (end - start).rem_euclid(std::f64::consts::TAU);
        if sweep == 0.0 {
            sweep = std::f64::consts::TAU;
        }
        let sweep = if clockwise || sweep == std::f64::consts::TAU { sweep } else { sweep - std::f64::consts::TAU };
        self.arc(centre, radii, start, sweep, letter.ends_with('r'));
    }

    /// Draws an arc that begins at the angle `start` and turns by the angle `sweep`. Both angles are in radians,
    /// clockwise, and parametric. A parametric angle is measured on a circle, which is then scaled to the ellipse. If
    /// `moves` is true, the arc begins a new subpath. Otherwise a line leads from the current point to the arc.
    fn arc(&mut self, centre: Point, radii: Vec2, start: f64, sweep: f64, moves: bool) {
        let on = |angle: f64| centre + Vec2::new(radii.x * angle.cos(), radii.y * angle.sin());
        let first = self.relative_to_origin(on(start));
        if moves {
            self.pen.move_to(first)
        } else {
            self.pen.line_to(first)
        }
        let sweep = sweep.clamp(-std::f64::consts::TAU, std::f64::consts::TAU);
        self.pen.parametric_arc(radii.x, radii.y, start, sweep);
        self.at = on(start + sweep);
    }
}

/// Returns the commands of a path with the text of their parameters. A command is one or two letters.
fn path_commands(mut rest: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_letter = |c: char| c.is_ascii_alphabetic();
    std::iter::from_fn(move || {
        let step = rest.get(rest.find(is_letter)?..)?;
        let length = if step.starts_with(['n', 'a', 'w', 'q', 'h']) { 2 } else { 1 };
        let (letter, after) = step.split_at_checked(length).or_else(|| step.split_at_checked(1))?;
        let (numbers, next) = after.split_at(after.find(is_letter).unwrap_or(after.len()));
        rest = next;
        Some((letter, numbers))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PathCommand;

    #[test]
    fn commas_blanks_and_signs_separate_numbers() {
        let mut values = PathValues::new((100.0, 200.0), Vec2::ZERO, (10.0, 10.0), &[7.0, 9.0]);
        values.add_formula("sum #0 #1 6");
        values.add_formula("prod width 1 4");
        let read = |text| values.parse_numbers(text);
        assert!(read("").is_empty());
        assert_eq!(read(","), [0.0, 0.0]);
        assert_eq!(read("5,"), [5.0, 0.0]);
        assert_eq!(read("@0@1#1,3"), [10.0, 25.0, 9.0, 3.0]);
        assert_eq!(read(" 1 , 2 3-4"), [1.0, 2.0, 3.0, -4.0]);
    }

    #[test]
    fn arcs_run_clockwise_and_counterclockwise() {
        let values = PathValues::new((100.0, 100.0), Vec2::ZERO, (10.0, 10.0), &[]);
        let ends = |path| {
            let outlines = parse_paths(path, &values);
            let last = outlines[0].commands.last().copied().unwrap();
            let PathCommand::Cubic(.., x, y) = last else { panic!("{last:?}") };
            assert!((x - 1.0).abs() < 0.001 && (y - 0.5).abs() < 0.001, "{last:?}");
            outlines[0].commands.len()
        };
        // The arc from the top to the right is one quarter of the circle clockwise, and three quarters
        // counterclockwise.
        assert_eq!(ends("wr0,0,100,100,50,0,100,50e"), 2);
        assert_eq!(ends("ar0,0,100,100,50,0,100,50e"), 4);
    }
}
