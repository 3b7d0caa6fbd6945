//! Validation of lengths, and rotations.

use waraq_docx::tree::VerticalAlignment;

use crate::page::Transform;

/// Returns a length of a document if it is within what Word allows (22 inches a page, with a margin). Other values (NaN,
/// infinities, 10^30 of a hostile file) are replaced by the fallback.
pub(super) fn sane(value: f32, fallback: f32) -> f32 {
    if value.is_finite() && value.abs() <= 20_000.0 { value } else { fallback }
}

/// Returns the length like [`sane`], but never a negative one.
pub(super) fn positive(value: f32, fallback: f32) -> f32 {
    sane(value, fallback).max(0.0)
}

/// Returns the part of a box's spare height that is above its text.
pub(super) fn above(alignment: VerticalAlignment, spare: f32) -> f32 {
    match alignment {
        VerticalAlignment::Center => spare / 2.0,
        VerticalAlignment::Bottom => spare,
        VerticalAlignment::Top | VerticalAlignment::Justified => 0.0,
    }
}

/// Creates a rotation around a point by clockwise degrees (y points down), after mirroring around the same point.
pub(super) fn turn(center: (f32, f32), degrees: f32, mirror_x: bool, mirror_y: bool) -> Transform {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let sx = if mirror_x { -1.0 } else { 1.0 };
    let sy = if mirror_y { -1.0 } else { 1.0 };
    let (a, b, c, d) = (cos * sx, sin * sx, -sin * sy, cos * sy);
    Transform { a, b, c, d, e: center.0 - a * center.0 - c * center.1, f: center.1 - b * center.0 - d * center.1 }
}
