//! Draws the outline of a shape, step by step. The result is in fractions of the box of the shape.

use std::f64::consts::{FRAC_PI_2, TAU};

use kurbo::{Point, Vec2};

use crate::PathCommand;

/// Maximum number of commands in an outline. Real drawings, such as maps, have almost as many.
const MAX_COMMANDS: usize = 20_000;

/// A path that is being drawn, with the current point.
pub(crate) struct OutlinePen {
    width: f64,
    height: f64,
    position: Point,
    /// The start of the current subpath.
    subpath_start: Point,
    /// True if the last command closed a subpath. The next subpath then begins at the start of the closed one.
    closed: bool,
    commands: Vec<PathCommand>,
}

impl OutlinePen {
    /// Creates a pen for a path whose coordinates range from 0 to `width` and `height`.
    pub fn new(width: f64, height: f64) -> Self {
        let size = |size: f64| if size > 0.0 { size } else { 1.0 };
        let (width, height) = (size(width), size(height));
        Self {
            width,
            height,
            position: Point::ORIGIN,
            subpath_start: Point::ORIGIN,
            closed: false,
            commands: Vec::new(),
        }
    }

    pub fn finish(self) -> Vec<PathCommand> {
        self.commands
    }

    /// Converts a point to fractions of the box.
    fn to_fractions(&self, point: Point) -> (f32, f32) {
        ((point.x / self.width) as f32, (point.y / self.height) as f32)
    }

    fn push(&mut self, command: PathCommand) {
        if self.commands.len() < MAX_COMMANDS {
            self.commands.push(command);
        }
    }

    pub fn move_to(&mut self, to: Point) {
        let (x, y) = self.to_fractions(to);
        self.push(PathCommand::Move(x, y));
        (self.position, self.subpath_start, self.closed) = (to, to, false);
    }

    /// Starts a new subpath if none is open. If the last subpath was closed, the new one begins at the start of that
    /// subpath.
    fn begin_subpath(&mut self) {
        if self.closed || self.commands.is_empty() {
            self.move_to(self.position);
        }
    }

    pub fn line_to(&mut self, to: Point) {
        self.begin_subpath();
        let (x, y) = self.to_fractions(to);
        self.push(PathCommand::Line(x, y));
        self.position = to;
    }

    pub fn cubic(&mut self, a: Point, b: Point, to: Point) {
        self.begin_subpath();
        let ((ax, ay), (bx, by), (x, y)) = (self.to_fractions(a), self.to_fractions(b), self.to_fractions(to));
        self.push(PathCommand::Cubic(ax, ay, bx, by, x, y));
        self.position = to;
    }

    pub fn quadratic(&mut self, control: Point, to: Point) {
        let third = |from: Point| from + (control - from) * 2.0 / 3.0;
        self.cubic(third(self.position), third(to), to);
    }

    /// Draws an arc of an ellipse with these radii from the current point. The angles are in radians, clockwise. An
    /// angle is measured at the centre, between the x axis and the visible point (§20.1.9.2). For example, the point at
    /// 45° is on the diagonal, even if the radii differ.
    pub fn arc(&mut self, rx: f64, ry: f64, start: f64, sweep: f64) {
        let sweep = sweep.clamp(-TAU, TAU);
        let seen = |angle: f64| {
            let within = (rx * angle.sin()).atan2(ry * angle.cos());
            within + ((angle - within) / TAU).round() * TAU
        };
        let (start, end) =
            if rx.abs() > 0.0 && ry.abs() > 0.0 { (seen(start), seen(start + sweep)) } else { (start, start + sweep) };
        self.parametric_arc(rx, ry, start, end - start);
    }

    /// Draws an arc of an ellipse with these radii from the current point. The angles are in radians, clockwise, and
    /// parametric. A parametric angle is measured on a circle, which is then scaled to the ellipse.
    pub fn parametric_arc(&mut self, rx: f64, ry: f64, start: f64, sweep: f64) {
        let centre = self.position - Vec2::new(rx * start.cos(), ry * start.sin());
        curves(centre, Vec2::new(rx, ry), start, sweep).for_each(|[a, b, to]| self.cubic(a, b, to));
    }

    /// Draws a step given by its SVG letter and its numbers. The numbers of an arc (`A`) are the two radii, the start
    /// angle and the sweep angle. These angles are in 60,000ths of a degree.
    pub fn draw_step(&mut self, letter: &str, numbers: &[f64]) {
        let turn = |angle: f64| (angle / 60_000.0).to_radians();
        match (letter, numbers) {
            ("M", &[x, y, ..]) => self.move_to(Point { x, y }),
            ("L", &[x, y, ..]) => self.line_to(Point { x, y }),
            ("C", &[ax, ay, bx, by, x, y, ..]) => self.cubic(Point::new(ax, ay), Point::new(bx, by), Point { x, y }),
            ("Q", &[cx, cy, x, y, ..]) => self.quadratic(Point::new(cx, cy), Point { x, y }),
            ("A", &[rx, ry, start, sweep, ..]) => self.arc(rx, ry, turn(start), turn(sweep)),
            ("Z", _) => self.close(),
            _ => {}
        }
    }

    pub fn close(&mut self) {
        if !self.closed && !self.commands.is_empty() {
            self.push(PathCommand::Close);
            (self.position, self.closed) = (self.subpath_start, true);
        }
    }
}

/// Returns an arc of an ellipse as Bézier curves of at most a quarter each. A curve is two control points and an end
/// point. The angles are in radians and parametric. A parametric angle is measured on a circle, which is then scaled to
/// the ellipse.
pub(crate) fn curves(centre: Point, radii: Vec2, start: f64, sweep: f64) -> impl Iterator<Item = [Point; 3]> {
    let pieces = (sweep.abs() / FRAC_PI_2 - 0.001).ceil().clamp(1.0, 8.0);
    let step = sweep / pieces;
    let reach = 4.0 / 3.0 * (step / 4.0).tan();
    let on = move |angle: f64| centre + Vec2::new(radii.x * angle.cos(), radii.y * angle.sin());
    let along = move |angle: f64| reach * Vec2::new(-radii.x * angle.sin(), radii.y * angle.cos());
    (0..pieces as usize).map(move |piece| {
        let (from, to) = (start + step * piece as f64, start + step * (piece + 1) as f64);
        [on(from) + along(from), on(to) - along(to), on(to)]
    })
}
