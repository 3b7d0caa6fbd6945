//! Arrow heads and other shapes at the ends of lines (§20.1.8.38, §20.1.8.57). Their size depends on the line width. The line
//! is shortened, so that it does not show around its head.

use waraq_docx::tree::{LineHead, LineHeadKind, PathCommand, Stroke};

use super::geometry::positive_length_or;
use super::outline::rounded_rectangle;
use crate::geometry::map_points;
use crate::page::{DisplayItem, Paint, Rect, StrokePath};

/// Minimum line width in points from which the size of a head is computed. The heads of thinner lines would be too small to
/// see.
const MIN_SIZING_WIDTH: f32 = 2.0;

/// Position of the notch of a stealth arrow, as a share of its length.
const NOTCH_POSITION: f32 = 0.6;

/// Distance from the tip of a filled head to the end of the shortened line, as a share of the head's length. At this distance
/// from the tip, every head is wider than the line and has no notch.
const LINE_END_UNDER_HEAD: f32 = 0.5;

type Point = (f32, f32);

/// Returns the path of a line, shortened for its heads, and the heads at its open ends. Closed paths have no heads.
pub(super) fn line_with_heads(stroke: &Stroke, path: Vec<PathCommand>) -> (Vec<PathCommand>, Vec<DisplayItem>) {
    if stroke.start.is_none() && stroke.end.is_none() {
        return (path, Vec::new());
    }
    let (mut line, mut heads) = (Vec::with_capacity(path.len()), Vec::new());
    for part in path.chunk_by(|_, next| !matches!(next, PathCommand::Move(..))) {
        if part.contains(&PathCommand::Close) {
            line.extend_from_slice(part);
            continue;
        }
        // The start is handled as the end of the reversed path.
        let ends = [(part.to_vec(), stroke.end), (reversed(part), stroke.start)].map(|(path, head)| {
            let sized = SizedHead::new(head?, stroke);
            Some((sized, sized.to_item(&path, stroke)?))
        });
        let mut part = part.to_vec();
        for end in ends {
            if let Some((head, item)) = end {
                part = shortened(part, head.line_shortening());
                heads.push(item);
            }
            part = reversed(&part);
        }
        line.extend(part);
    }
    (line, heads)
}

/// The head of a line, with sizes in points.
#[derive(Clone, Copy)]
struct SizedHead {
    kind: LineHeadKind,
    length: f32,
    width: f32,
    /// Width of the line.
    thickness: f32,
}

impl SizedHead {
    fn new(head: LineHead, stroke: &Stroke) -> Self {
        let thickness = positive_length_or(stroke.width, 0.75).min(200.0);
        let unit = thickness.max(MIN_SIZING_WIDTH);
        Self { kind: head.kind, length: head.length * unit, width: head.width * unit, thickness }
    }

    /// Returns the length in points by which the line is shortened for the head.
    fn line_shortening(self) -> f32 {
        match self.kind {
            LineHeadKind::Triangle | LineHeadKind::Stealth => self.length * LINE_END_UNDER_HEAD,
            // The round caps of the head's strokes reach the end of the line.
            LineHeadKind::Open => self.thickness / 2.0,
            LineHeadKind::Diamond | LineHeadKind::Oval => 0.0,
        }
    }

    /// Returns the head at the end of the path, or `None` if the path has no direction (all its points are the same).
    fn to_item(self, path: &[PathCommand], stroke: &Stroke) -> Option<DisplayItem> {
        let (tip, (ux, uy)) = end_and_direction(path, self.length)?;
        // Maps x to the distance back along the line, and y to the distance across it.
        let at = |x: f32, y: f32| (tip.0 - ux * x - uy * y, tip.1 - uy * x + ux * y);
        let path = self.shape().into_iter().map(|command| map_points(command, at)).collect();
        Some(if self.kind == LineHeadKind::Open {
            let (color, width) = (stroke.color, self.thickness);
            DisplayItem::Stroke(StrokePath { path, color, width, dashes: Vec::new(), round_caps: true })
        } else {
            DisplayItem::FilledPath { path, paint: Paint::Solid { color: stroke.color, opacity: 1.0 }, even_odd: false }
        })
    }

    /// Returns the shape of the head with the line's end at the origin and x back along the line.
    fn shape(self) -> Vec<PathCommand> {
        let (length, half) = (self.length, self.width / 2.0);
        let closed = |points: &[Point]| {
            let to = |(index, &(x, y)): (usize, &Point)| match index {
                0 => PathCommand::Move(x, y),
                _ => PathCommand::Line(x, y),
            };
            points.iter().enumerate().map(to).chain([PathCommand::Close]).collect()
        };
        match self.kind {
            LineHeadKind::Triangle => closed(&[(0.0, 0.0), (length, half), (length, -half)]),
            LineHeadKind::Stealth => {
                closed(&[(0.0, 0.0), (length, half), (length * NOTCH_POSITION, 0.0), (length, -half)])
            }
            LineHeadKind::Diamond => closed(&[(-length / 2.0, 0.0), (0.0, half), (length / 2.0, 0.0), (0.0, -half)]),
            LineHeadKind::Oval => {
                rounded_rectangle(Rect::new(-length / 2.0, -half, length, self.width), length / 2.0, half)
            }
            LineHeadKind::Open => {
                let tip = self.thickness / 2.0;
                // Two separate strokes from the tip, joined by their round caps.
                [half, -half]
                    .into_iter()
                    .flat_map(|y| [PathCommand::Move(tip, 0.0), PathCommand::Line(tip + length, y)])
                    .collect()
            }
        }
    }
}

/// Returns the end of a path and its direction as a unit vector. On a curve, the direction is that from the point where a head
/// of this length begins to the end.
fn end_and_direction(path: &[PathCommand], length: f32) -> Option<(Point, Point)> {
    let (from, last) = last_segment(path)?;
    let tip = end_point(last)?;
    let behind = match last {
        PathCommand::Cubic(a, b, c, d, ..) => {
            let curve = [from, (a, b), (c, d), tip];
            let [.., at] = curve_until(curve, parameter_before_end(curve, length));
            at
        }
        _ => from,
    };
    let (dx, dy) = (tip.0 - behind.0, tip.1 - behind.1);
    let distance = dx.hypot(dy);
    (distance > 0.0 && distance.is_finite()).then(|| (tip, (dx / distance, dy / distance)))
}

/// Returns the last command that moves the pen, with its start point.
fn last_segment(path: &[PathCommand]) -> Option<(Point, PathCommand)> {
    path.windows(2).rev().find_map(|pair| {
        let [before, last] = pair else { return None };
        let (from, to) = (end_point(*before)?, end_point(*last)?);
        let leads = from != to || matches!(last, PathCommand::Cubic(..));
        leads.then_some((from, *last))
    })
}

/// Returns the end point of a command.
fn end_point(command: PathCommand) -> Option<Point> {
    match command {
        PathCommand::Move(x, y) | PathCommand::Line(x, y) | PathCommand::Cubic(_, _, _, _, x, y) => Some((x, y)),
        PathCommand::Close => None,
    }
}

/// Shortens the last segment of the path by `by` points, at most to zero length.
fn shortened(mut path: Vec<PathCommand>, by: f32) -> Vec<PathCommand> {
    let Some((from, last)) = last_segment(&path).filter(|_| by > 0.0) else { return path };
    let Some(tip) = end_point(last) else { return path };
    // Trailing commands without movement are removed too.
    while path.len() > 1 && path.last() != Some(&last) {
        path.pop();
    }
    path.pop();
    path.push(match last {
        PathCommand::Cubic(a, b, c, d, ..) => {
            let curve = [from, (a, b), (c, d), tip];
            let [p, q, r] = curve_until(curve, parameter_before_end(curve, by));
            PathCommand::Cubic(p.0, p.1, q.0, q.1, r.0, r.1)
        }
        _ => {
            let (dx, dy) = (tip.0 - from.0, tip.1 - from.1);
            let share = (by / dx.hypot(dy)).clamp(0.0, 1.0);
            PathCommand::Line(tip.0 - dx * share, tip.1 - dy * share)
        }
    });
    path
}

/// Returns the path in reverse direction.
fn reversed(path: &[PathCommand]) -> Vec<PathCommand> {
    let mut whole = Vec::with_capacity(path.len());
    let mut from = None;
    for command in path {
        match (*command, from) {
            (PathCommand::Line(..), Some((x, y))) => whole.push(PathCommand::Line(x, y)),
            (PathCommand::Cubic(a, b, c, d, ..), Some((x, y))) => whole.push(PathCommand::Cubic(c, d, a, b, x, y)),
            _ => {}
        }
        from = end_point(*command).or(from);
    }
    whole.extend(from.map(|(x, y)| PathCommand::Move(x, y)));
    whole.reverse();
    whole
}

/// Returns the part of a Bézier curve up to the parameter `share` (0 to 1): its two control points and its end.
fn curve_until([a, b, c, d]: [Point; 4], share: f32) -> [Point; 3] {
    let between = |p: Point, q: Point| (p.0 + (q.0 - p.0) * share, p.1 + (q.1 - p.1) * share);
    let (p, q, r) = (between(a, b), between(b, c), between(c, d));
    let (s, t) = (between(p, q), between(q, r));
    [p, s, between(s, t)]
}

/// Returns the parameter of the point on a Bézier curve that has this distance from the end of the curve.
fn parameter_before_end(curve: [Point; 4], distance: f32) -> f32 {
    let [.., tip] = curve;
    let (mut far, mut near) = (0.0, 1.0);
    for _ in 0..20 {
        let middle = (far + near) / 2.0;
        let [.., at] = curve_until(curve, middle);
        if (at.0 - tip.0).hypot(at.1 - tip.1) > distance { far = middle } else { near = middle }
    }
    near
}
