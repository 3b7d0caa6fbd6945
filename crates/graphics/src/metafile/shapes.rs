//! Outlines of ellipses, their arcs and rounded boxes, in logical units.

use std::f64::consts::TAU;

use crate::outline::curves as arc_curves;

/// A path before it is mapped.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    Move((f64, f64)),
    Line((f64, f64)),
    Cubic((f64, f64), (f64, f64), (f64, f64)),
    Close,
}

/// Left, top, right, bottom.
pub(super) type Bounds = [f64; 4];

/// A circle's quarter as a Bézier curve.
const ROUND: f64 = 0.552_284_749_8;

/// How an arc ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArcKind {
    Open,
    Chord,
    Pie,
    /// The arc goes on from where the pen is.
    Continued,
}

pub(super) fn rectangle([left, top, right, bottom]: Bounds) -> Vec<Step> {
    polygon(&[(left, top), (right, top), (right, bottom), (left, bottom)], true)
}

pub(super) fn polygon(points: &[(f64, f64)], closed: bool) -> Vec<Step> {
    let mut steps: Vec<Step> = points.iter().map(|point| Step::Line(*point)).collect();
    if let Some((first, point)) = steps.first_mut().zip(points.first()) {
        *first = Step::Move(*point);
    }
    if closed && !steps.is_empty() {
        steps.push(Step::Close);
    }
    steps
}

/// Three points a curve, from the first point, or from where the path stands already.
pub(super) fn curves(points: &[(f64, f64)], from_here: bool) -> Vec<Step> {
    let (first, rest) = match points.split_first() {
        Some((first, rest)) if !from_here => (Some(Step::Move(*first)), rest),
        _ => (None, points),
    };
    let curve = |three: &[(f64, f64)]| match three {
        [a, b, c] => Some(Step::Cubic(*a, *b, *c)),
        _ => None,
    };
    first.into_iter().chain(rest.chunks_exact(3).filter_map(curve)).collect()
}

pub(super) fn ellipse([left, top, right, bottom]: Bounds) -> Vec<Step> {
    rounded([left, top, right, bottom], (right - left, bottom - top))
}

/// A box with elliptic corners; `corner` is the size of the ellipse they are of.
pub(super) fn rounded([left, top, right, bottom]: Bounds, corner: (f64, f64)) -> Vec<Step> {
    let half = |corner: f64, side: f64| (corner.abs().min(side.abs()) / 2.0).copysign(side);
    let (rx, ry) = (half(corner.0, right - left), half(corner.1, bottom - top));
    let (kx, ky) = (rx * (1.0 - ROUND), ry * (1.0 - ROUND));
    vec![
        Step::Move((left + rx, top)),
        Step::Line((right - rx, top)),
        Step::Cubic((right - kx, top), (right, top + ky), (right, top + ry)),
        Step::Line((right, bottom - ry)),
        Step::Cubic((right, bottom - ky), (right - kx, bottom), (right - rx, bottom)),
        Step::Line((left + rx, bottom)),
        Step::Cubic((left + kx, bottom), (left, bottom - ky), (left, bottom - ry)),
        Step::Line((left, top + ry)),
        Step::Cubic((left, top + ky), (left + kx, top), (left + rx, top)),
        Step::Close,
    ]
}

/// The arc of an ellipse between the rays through two points ([MS-EMF] 2.3.5.2): against the clock as it is seen, unless
/// `clockwise`.
pub(super) fn arc(bounds: Bounds, start: (f64, f64), end: (f64, f64), clockwise: bool, kind: ArcKind) -> Vec<Step> {
    let [left, top, right, bottom] = bounds;
    let (cx, cy) = ((left + right) / 2.0, (top + bottom) / 2.0);
    let (rx, ry) = ((right - left) / 2.0, (bottom - top) / 2.0);
    if rx == 0.0 || ry == 0.0 {
        return Vec::new();
    }
    let angle = |(x, y): (f64, f64)| ((y - cy) / ry).atan2((x - cx) / rx);
    let from = angle(start);
    let sweep = (angle(end) - from).rem_euclid(TAU);
    let sweep = if clockwise { sweep } else { sweep - TAU };
    let sweep = if sweep.abs() < 1e-9 { if clockwise { TAU } else { -TAU } } else { sweep };
    swept((cx, cy), (rx, ry), from, sweep, kind)
}

/// The same from an angle over another, both in radians, clockwise where positive.
pub(super) fn swept((cx, cy): (f64, f64), (rx, ry): (f64, f64), from: f64, sweep: f64, kind: ArcKind) -> Vec<Step> {
    let first = (cx + rx * from.cos(), cy + ry * from.sin());
    let mut steps = vec![if kind == ArcKind::Continued { Step::Line(first) } else { Step::Move(first) }];
    steps.extend(arc_curves((cx, cy), (rx, ry), from, sweep).map(|[a, b, to]| Step::Cubic(a, b, to)));
    match kind {
        ArcKind::Open | ArcKind::Continued => {}
        ArcKind::Chord => steps.push(Step::Close),
        ArcKind::Pie => steps.extend([Step::Line((cx, cy)), Step::Close]),
    }
    steps
}
