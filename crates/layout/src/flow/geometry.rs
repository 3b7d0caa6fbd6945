//! Lengths that are believed, and turns.

use waraq_docx::tree::VerticalAlignment;

use crate::page::Transform;

/// Lengths of a document are believed only within what Word allows (22 inches a page, times a margin of error): anything else
/// (NaN, infinities, a hostile file's 10^30) becomes the fallback.
pub(super) fn sane(value: f32, fallback: f32) -> f32 {
    if value.is_finite() && value.abs() <= 20_000.0 { value } else { fallback }
}

/// As [`sane`], and never negative.
pub(super) fn positive(value: f32, fallback: f32) -> f32 {
    sane(value, fallback).max(0.0)
}

/// How much of the room that text leaves of its box stands above it.
pub(super) fn above(alignment: VerticalAlignment, spare: f32) -> f32 {
    match alignment {
        VerticalAlignment::Center => spare / 2.0,
        VerticalAlignment::Bottom => spare,
        VerticalAlignment::Top | VerticalAlignment::Justified => 0.0,
    }
}

/// A turn about a point, degrees clockwise (y points down), after mirroring about the same point.
pub(super) fn turn(center: (f32, f32), degrees: f32, mirror_x: bool, mirror_y: bool) -> Transform {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let sx = if mirror_x { -1.0 } else { 1.0 };
    let sy = if mirror_y { -1.0 } else { 1.0 };
    let (a, b, c, d) = (cos * sx, sin * sx, -sin * sy, cos * sy);
    Transform { a, b, c, d, e: center.0 - a * center.0 - c * center.1, f: center.1 - b * center.0 - d * center.1 }
}
