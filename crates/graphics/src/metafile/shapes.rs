//! Outlines of polygons, curves, ellipses, arcs and rounded boxes, in logical units.

use std::f64::consts::TAU;

use kurbo::{Point, Rect, Vec2};

use crate::outline::curves as arc_curves;

/// A step of a path in logical units.
#[derive(Debug, Clone, Copy)]
pub(super) enum PathStep {
    Move(Point),
    Line(Point),
    Cubic(Point, Point, Point),
    Close,
}

/// The distance between an end point and its control point in a Bézier curve that draws a quarter of a circle. The
/// distance is a fraction of the radius.
const CIRCLE_CONTROL_DISTANCE: f64 = 0.552_284_749_8;

/// The way in which an arc is closed, or connected to the current position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArcKind {
    Open,
    Chord,
    Pie,
    /// A line leads from the current position to the start of the arc.
    Continued,
}

pub(super) fn rectangle(Rect { x0, y0, x1, y1 }: Rect) -> Vec<PathStep> {
    polygon(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(Point::from), true)
}

/// Returns a polyline or, if `closed` is true, a polygon.
pub(super) fn polygon(points: &[Point], closed: bool) -> Vec<PathStep> {
    let mut steps: Vec<PathStep> = points.iter().map(|point| PathStep::Line(*point)).collect();
    if let Some((first, point)) = steps.first_mut().zip(points.first()) {
        *first = PathStep::Move(*point);
    }
    if closed && !steps.is_empty() {
        steps.push(PathStep::Close);
    }
    steps
}

/// Returns Bézier curves. Each curve takes three of the points: two control points and its end. The first curve starts
/// at the first point or, if `from_here` is true, at the current position.
pub(super) fn curves(points: &[Point], from_here: bool) -> Vec<PathStep> {
    let (first, rest) = match points.split_first() {
        Some((first, rest)) if !from_here => (Some(PathStep::Move(*first)), rest),
        _ => (None, points),
    };
    let (threes, _) = rest.as_chunks::<3>();
    first.into_iter().chain(threes.iter().map(|[a, b, to]| PathStep::Cubic(*a, *b, *to))).collect()
}

pub(super) fn ellipse(area: Rect) -> Vec<PathStep> {
    rounded_rectangle(area, area.size().to_vec2())
}

/// Returns a box with elliptic corners. `corner` is the size of the ellipse whose quarters are the corners.
pub(super) fn rounded_rectangle(area: Rect, corner: Vec2) -> Vec<PathStep> {
    let Rect { x0: left, y0: top, x1: right, y1: bottom } = area;
    let half = |corner: f64, side: f64| (corner.abs().min(side.abs()) / 2.0).copysign(side);
    let (rx, ry) = (half(corner.x, area.width()), half(corner.y, area.height()));
    let (kx, ky) = (rx * (1.0 - CIRCLE_CONTROL_DISTANCE), ry * (1.0 - CIRCLE_CONTROL_DISTANCE));
    let line = |x, y| PathStep::Line(Point { x, y });
    let curve = |ax, ay, bx, by, x, y| PathStep::Cubic(Point::new(ax, ay), Point::new(bx, by), Point { x, y });
    vec![
        PathStep::Move(Point::new(left + rx, top)),
        line(right - rx, top),
        curve(right - kx, top, right, top + ky, right, top + ry),
        line(right, bottom - ry),
        curve(right, bottom - ky, right - kx, bottom, right - rx, bottom),
        line(left + rx, bottom),
        curve(left + kx, bottom, left, bottom - ky, left, bottom - ry),
        line(left, top + ry),
        curve(left, top + ky, left + kx, top, left + rx, top),
        PathStep::Close,
    ]
}

/// Returns the arc of an ellipse between the rays from its centre through two points ([MS-EMF] 2.3.5.2). The arc runs
/// counterclockwise on the page unless `clockwise` is true.
pub(super) fn arc(area: Rect, start: Point, end: Point, clockwise: bool, kind: ArcKind) -> Vec<PathStep> {
    let (center, radii) = (area.center(), area.size().to_vec2() / 2.0);
    if radii.x == 0.0 || radii.y == 0.0 {
        return Vec::new();
    }
    let angle = |point: Point| ((point.y - center.y) / radii.y).atan2((point.x - center.x) / radii.x);
    let from = angle(start);
    let sweep = (angle(end) - from).rem_euclid(TAU);
    let sweep = if clockwise { sweep } else { sweep - TAU };
    let sweep = if sweep.abs() < 1e-9 { if clockwise { TAU } else { -TAU } } else { sweep };
    arc_from_sweep(center, radii, from, sweep, kind)
}

/// Returns an arc of an ellipse from an angle over a sweep, both in radians. A positive sweep is clockwise.
pub(super) fn arc_from_sweep(center: Point, radii: Vec2, from: f64, sweep: f64, kind: ArcKind) -> Vec<PathStep> {
    let first = center + Vec2::new(radii.x * from.cos(), radii.y * from.sin());
    let mut steps = vec![if kind == ArcKind::Continued { PathStep::Line(first) } else { PathStep::Move(first) }];
    steps.extend(arc_curves(center, radii, from, sweep).map(|[a, b, to]| PathStep::Cubic(a, b, to)));
    match kind {
        ArcKind::Open | ArcKind::Continued => {}
        ArcKind::Chord => steps.push(PathStep::Close),
        ArcKind::Pie => steps.extend([PathStep::Line(center), PathStep::Close]),
    }
    steps
}
