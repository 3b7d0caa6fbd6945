//! Paths, fills and strokes in tiny-skia's types.

use tiny_skia::{
    Color, GradientStop, LineCap, LinearGradient, Path, PathBuilder, Point, Rect as SkiaRect, Shader, SpreadMode,
    Stroke, StrokeDash, Transform as SkiaTransform,
};
use waraq_layout::{Paint, PathCommand, Rect, Rgb, StrokePath, Transform};

/// The thinnest line that is still seen, in pixels: PDF readers draw thinner ones as wide as this.
const HAIRLINE: f32 = 0.6;

pub(super) fn color(Rgb(red, green, blue): Rgb, opacity: f32) -> Color {
    let opacity = if opacity.is_finite() { opacity.clamp(0.0, 1.0) } else { 1.0 };
    Color::from_rgba8(red, green, blue, (opacity * 255.0).round() as u8)
}

pub(super) fn transform(t: &Transform) -> SkiaTransform {
    SkiaTransform::from_row(t.a, t.b, t.c, t.d, t.e, t.f)
}

pub(super) fn rect(area: &Rect) -> Option<SkiaRect> {
    SkiaRect::from_xywh(area.x, area.y, area.width, area.height)
}

/// `None`: empty, or not made of finite numbers.
pub(super) fn path(commands: &[PathCommand]) -> Option<Path> {
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

pub(super) fn shader(paint: &Paint) -> Option<Shader<'static>> {
    match paint {
        Paint::Solid { color: rgb, opacity } => Some(Shader::SolidColor(color(*rgb, *opacity))),
        Paint::Gradient { stops, from, to } => {
            let (_, first) = *stops.first()?;
            let sound = [from.0, from.1, to.0, to.1].iter().all(|number| number.is_finite());
            let mut sorted: Vec<(f32, Rgb)> =
                stops.iter().map(|(at, rgb)| (if at.is_finite() { at.clamp(0.0, 1.0) } else { 0.0 }, *rgb)).collect();
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            let stops = sorted.into_iter().map(|(at, rgb)| GradientStop::new(at, color(rgb, 1.0))).collect();
            let (start, end) = (Point::from_xy(from.0, from.1), Point::from_xy(to.0, to.1));
            sound
                .then(|| LinearGradient::new(start, end, stops, SpreadMode::Pad, SkiaTransform::identity()))
                .flatten()
                .or(Some(Shader::SolidColor(color(first, 1.0))))
        }
    }
}

/// `scale`: pixels a point where it is drawn.
pub(super) fn stroke(line: &StrokePath, scale: f32) -> Option<Stroke> {
    if !line.width.is_finite() || line.width < 0.0 {
        return None;
    }
    let dashes_sound =
        line.dashes.iter().all(|length| length.is_finite() && *length >= 0.0) && line.dashes.iter().sum::<f32>() > 0.0;
    // an odd list counts twice (ISO 32000-1, 8.4.3.6); tiny-skia wants it even
    let repeated = if line.dashes.len() % 2 == 1 { 2 } else { 1 };
    Some(Stroke {
        width: line.width.max(HAIRLINE / scale.max(0.001)),
        miter_limit: 10.0,
        line_cap: if line.round_caps { LineCap::Round } else { LineCap::Butt },
        dash: dashes_sound.then(|| StrokeDash::new(line.dashes.repeat(repeated), 0.0)).flatten(),
        ..Stroke::default()
    })
}
