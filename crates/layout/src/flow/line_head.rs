//! Arrow heads and other shapes at the ends of lines (§20.1.8.38, §20.1.8.57). Their size depends on the line width. The line
//! is shortened, so that its end is not visible around the head.

use waraq_docx::tree::{LineHead, LineHeadKind, PathCommand, Stroke};

use super::geometry::positive_length_or;
use super::outline::rounded_rectangle;
use crate::geometry::{cubic_to, line_to, map_points, move_to};
use crate::page::{DisplayItem, Paint, Point, Rect, StrokePath};

/// Minimum line width in points that is used to compute the size of a head. A thinner line gets heads of the same size as a line
/// of this width, because smaller heads could not be seen.
const MIN_SIZING_WIDTH: f32 = 2.0;

/// Distance of the notch of a stealth arrow from its tip, as a fraction of its length.
const NOTCH_POSITION: f32 = 0.6;

/// Distance from the tip of a filled head to the end of the shortened line, as a fraction of the head's length. The head hides
/// the end of the line, because at this distance it is wider than the line and has no notch.
const LINE_END_UNDER_HEAD: f32 = 0.5;

/// A line and the heads at its open ends.
pub(super) struct LineWithHeads {
    /// The path of the line, shortened for its heads.
    pub path: Vec<PathCommand>,
    /// The heads as items.
    pub heads: Vec<DisplayItem>,
}

/// Shortens the path of a line for its heads and draws the heads at its open ends. Closed paths have no heads.
pub(super) fn line_with_heads(stroke: &Stroke, path: Vec<PathCommand>) -> LineWithHeads {
    if stroke.start.is_none() && stroke.end.is_none() {
        return LineWithHeads { path, heads: Vec::new() };
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
    LineWithHeads { path: line, heads }
}

/// The head of a line, with sizes in points.
#[derive(Clone, Copy)]
struct SizedHead {
    kind: LineHeadKind,
    length: f32,
    width: f32,
    /// Width of the line to which the head belongs.
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
            // The head's strokes have round caps, which reach the end of the line if the line is shortened by half its width.
            LineHeadKind::Open => self.thickness / 2.0,
            LineHeadKind::Diamond | LineHeadKind::Oval => 0.0,
        }
    }

    /// Returns the item that draws the head at the end of the path. Returns `None` if the path has no direction (all its points
    /// are the same).
    fn to_item(self, path: &[PathCommand], stroke: &Stroke) -> Option<DisplayItem> {
        let PathEnd { tip, direction: Point { x: ux, y: uy } } = path_end(path, self.length)?;
        // Convert from the coordinates of the head: x is the distance back along the line, and y the distance across it.
        let at = |Point { x, y }| Point { x: tip.x - ux * x - uy * y, y: tip.y - uy * x + ux * y };
        let path = self.shape().into_iter().map(|command| map_points(command, at)).collect();
        Some(if self.kind == LineHeadKind::Open {
            let (color, width) = (stroke.color, self.thickness);
            DisplayItem::Stroke(StrokePath { path, color, width, dashes: Vec::new(), round_caps: true })
        } else {
            DisplayItem::FilledPath { path, paint: Paint::Solid { color: stroke.color, opacity: 1.0 }, even_odd: false }
        })
    }

    /// Returns the shape of the head in the coordinates of the head. The origin is the end of the line. The x axis points from
    /// there back along the line.
    fn shape(self) -> Vec<PathCommand> {
        let (length, half) = (self.length, self.width / 2.0);
        let at = |x: f32, y: f32| Point { x, y };
        let closed = |first: Point, others: &[Point]| {
            let lines = others.iter().map(|point| line_to(*point));
            std::iter::once(move_to(first)).chain(lines).chain([PathCommand::Close]).collect()
        };
        match self.kind {
            LineHeadKind::Triangle => closed(at(0.0, 0.0), &[at(length, half), at(length, -half)]),
            LineHeadKind::Stealth => {
                closed(at(0.0, 0.0), &[at(length, half), at(length * NOTCH_POSITION, 0.0), at(length, -half)])
            }
            LineHeadKind::Diamond => {
                closed(at(-length / 2.0, 0.0), &[at(0.0, half), at(length / 2.0, 0.0), at(0.0, -half)])
            }
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

/// The end of a path.
struct PathEnd {
    /// The end point.
    tip: Point,
    /// The direction of the path at its end, as a unit vector.
    direction: Point,
}

/// Returns the end of a path and the direction of the path there, as a unit vector. `length` is the length of the head. If the
/// path ends in a curve, a second point on the curve is chosen at this distance before the end. The direction then leads from
/// this point to the end. Returns `None` if the path has no direction.
fn path_end(path: &[PathCommand], length: f32) -> Option<PathEnd> {
    let LastSegment { from, command } = last_segment(path)?;
    let tip = end_point(command)?;
    let behind = match command {
        PathCommand::Cubic(a, b, c, d, ..) => {
            let curve = [from, Point { x: a, y: b }, Point { x: c, y: d }, tip];
            let [.., at] = curve_until(curve, parameter_before_end(curve, length));
            at
        }
        _ => from,
    };
    let (dx, dy) = (tip.x - behind.x, tip.y - behind.y);
    let distance = dx.hypot(dy);
    let direction = Point { x: dx / distance, y: dy / distance };
    (distance > 0.0 && distance.is_finite()).then_some(PathEnd { tip, direction })
}

/// The last segment of a path.
struct LastSegment {
    /// The start point of the segment.
    from: Point,
    /// The command that draws the segment: a line or a curve.
    command: PathCommand,
}

/// Returns the last segment that is not empty: a curve, or a line whose end differs from its start.
fn last_segment(path: &[PathCommand]) -> Option<LastSegment> {
    path.windows(2).rev().find_map(|pair| {
        let [before, last] = pair else { return None };
        let (from, to) = (end_point(*before)?, end_point(*last)?);
        let leads = from != to || matches!(last, PathCommand::Cubic(..));
        leads.then_some(LastSegment { from, command: *last })
    })
}

/// Returns the end point of a command, or `None` for the command that closes the path.
fn end_point(command: PathCommand) -> Option<Point> {
    match command {
        PathCommand::Move(x, y) | PathCommand::Line(x, y) | PathCommand::Cubic(_, _, _, _, x, y) => {
            Some(Point { x, y })
        }
        PathCommand::Close => None,
    }
}

/// Shortens the last segment of the path by `by` points, but not below zero length.
fn shortened(mut path: Vec<PathCommand>, by: f32) -> Vec<PathCommand> {
    let Some(LastSegment { from, command: last }) = last_segment(&path).filter(|_| by > 0.0) else { return path };
    let Some(tip) = end_point(last) else { return path };
    // Remove trailing commands that do not move the pen, too.
    while path.len() > 1 && path.last() != Some(&last) {
        path.pop();
    }
    path.pop();
    path.push(match last {
        PathCommand::Cubic(a, b, c, d, ..) => {
            let curve = [from, Point { x: a, y: b }, Point { x: c, y: d }, tip];
            let [p, q, r] = curve_until(curve, parameter_before_end(curve, by));
            cubic_to(p, q, r)
        }
        _ => {
            let (dx, dy) = (tip.x - from.x, tip.y - from.y);
            let share = (by / dx.hypot(dy)).clamp(0.0, 1.0);
            PathCommand::Line(tip.x - dx * share, tip.y - dy * share)
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
            (PathCommand::Line(..), Some(from)) => whole.push(line_to(from)),
            (PathCommand::Cubic(a, b, c, d, ..), Some(Point { x, y })) => {
                whole.push(PathCommand::Cubic(c, d, a, b, x, y))
            }
            _ => {}
        }
        from = end_point(*command).or(from);
    }
    whole.extend(from.map(move_to));
    whole.reverse();
    whole
}

/// Returns the part of a Bézier curve up to the parameter `share` (0 to 1): its two control points and its end.
fn curve_until([a, b, c, d]: [Point; 4], share: f32) -> [Point; 3] {
    let between = |p: Point, q: Point| Point { x: p.x + (q.x - p.x) * share, y: p.y + (q.y - p.y) * share };
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
        if (at.x - tip.x).hypot(at.y - tip.y) > distance { far = middle } else { near = middle }
    }
    near
}
