//! Converts paths, fills and strokes to krilla's types.

use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point, Rect as KrillaRect, Transform as KrillaTransform};
use krilla::num::NormalizedF32;
use krilla::paint::{Fill, FillRule, LineCap, LineJoin, LinearGradient, SpreadMethod, Stop, Stroke, StrokeDash};
use waraq_layout::{Paint, PathCommand, Rect, Rgb, StrokePath, Transform};

/// Maximum number of dashes of a line. A line with more dashes is drawn solid, because the dashes would be invisible
/// and slow to draw.
const MAX_DASHES: f32 = 20_000.0;

pub(super) fn krilla_color(Rgb(red, green, blue): Rgb) -> rgb::Color {
    rgb::Color::new(red, green, blue)
}

pub(crate) fn opacity(value: f32) -> NormalizedF32 {
    NormalizedF32::new(if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 }).unwrap_or(NormalizedF32::ONE)
}

pub(super) fn krilla_transform(t: &Transform) -> KrillaTransform {
    KrillaTransform::from_row(t.a, t.b, t.c, t.d, t.e, t.f)
}

pub(super) fn krilla_rect(area: &Rect) -> Option<KrillaRect> {
    KrillaRect::from_xywh(area.x, area.y, area.width, area.height)
}

pub(super) fn rect_path(area: &Rect) -> Option<Path> {
    let mut builder = PathBuilder::new();
    builder.push_rect(krilla_rect(area)?);
    builder.finish()
}

/// Converts a path. Returns `None` if it is empty, does not begin with a move, or has a coordinate that is not finite or exceeds
/// a million.
pub(crate) fn krilla_path(commands: &[PathCommand]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let sound = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite() && number.abs() < 1e6);
    let mut started = false;
    for command in commands {
        match *command {
            PathCommand::Move(x, y) if sound(&[x, y]) => builder.move_to(x, y),
            PathCommand::Line(x, y) if started && sound(&[x, y]) => builder.line_to(x, y),
            PathCommand::Cubic(x1, y1, x2, y2, x, y) if started && sound(&[x1, y1, x2, y2, x, y]) => {
                builder.cubic_to(x1, y1, x2, y2, x, y);
            }
            PathCommand::Close if started => builder.close(),
            _ => return None,
        }
        started = true;
    }
    builder.finish()
}

pub(crate) fn fill_rule(even_odd: bool) -> FillRule {
    if even_odd { FillRule::EvenOdd } else { FillRule::NonZero }
}

pub(super) fn solid(rgb: Rgb, alpha: f32) -> Fill {
    Fill { paint: krilla_color(rgb).into(), opacity: opacity(alpha), rule: FillRule::NonZero }
}

pub(crate) fn krilla_fill(paint: &Paint) -> Option<Fill> {
    match paint {
        Paint::Solid { color, opacity } => Some(solid(*color, *opacity)),
        Paint::Gradient { stops, from, to } => gradient(stops, *from, *to),
    }
}

/// Converts a gradient. A gradient with a single stop becomes a solid fill. Stops are sorted by their offset, because
/// krilla requires this order. Returns `None` if there are no stops.
fn gradient(stops: &[(f32, Rgb)], from: waraq_layout::Point, to: waraq_layout::Point) -> Option<Fill> {
    let (_, first) = *stops.first()?;
    let sound = [from.x, from.y, to.x, to.y].iter().all(|number| number.is_finite());
    if stops.len() < 2 || from == to || !sound {
        return Some(solid(first, 1.0));
    }
    let mut sorted: Vec<(f32, Rgb)> =
        stops.iter().map(|(at, rgb)| (if at.is_finite() { at.clamp(0.0, 1.0) } else { 0.0 }, *rgb)).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let stops = sorted
        .into_iter()
        .map(|(at, rgb)| Stop { offset: opacity(at), color: krilla_color(rgb).into(), opacity: NormalizedF32::ONE })
        .collect();
    let paint = LinearGradient {
        x1: from.x,
        y1: from.y,
        x2: to.x,
        y2: to.y,
        transform: KrillaTransform::identity(),
        spread_method: SpreadMethod::Pad,
        stops,
        anti_alias: false,
    };
    Some(Fill { paint: paint.into(), opacity: NormalizedF32::ONE, rule: FillRule::NonZero })
}

pub(crate) fn krilla_stroke(line: &StrokePath) -> Option<Stroke> {
    if !line.width.is_finite() || line.width < 0.0 {
        return None;
    }
    let least = max_length(&line.path) / MAX_DASHES * line.dashes.len() as f32;
    let dashes_sound = line.dashes.iter().all(|length| length.is_finite() && *length >= 0.0)
        && line.dashes.iter().sum::<f32>() > least;
    Some(Stroke {
        paint: krilla_color(line.color).into(),
        width: line.width,
        miter_limit: 10.0,
        line_cap: if line.round_caps { LineCap::Round } else { LineCap::Butt },
        line_join: LineJoin::Miter,
        opacity: NormalizedF32::ONE,
        dash: dashes_sound.then(|| StrokeDash { array: line.dashes.clone(), offset: 0.0 }),
    })
}

/// Returns an upper bound of a path's length.
fn max_length(path: &[PathCommand]) -> f32 {
    let (mut length, mut start, mut at) = (0.0, (0.0, 0.0), (0.0, 0.0));
    for command in path {
        let points = match *command {
            PathCommand::Move(x, y) => {
                (start, at) = ((x, y), (x, y));
                continue;
            }
            PathCommand::Line(x, y) => [(x, y); 3],
            PathCommand::Cubic(a, b, c, d, x, y) => [(a, b), (c, d), (x, y)],
            PathCommand::Close => [start; 3],
        };
        for next in points {
            length += f32::hypot(next.0 - at.0, next.1 - at.1);
            at = next;
        }
    }
    length
}

pub(super) fn krilla_point(x: f32, y: f32) -> Point {
    Point::from_xy(x, y)
}
