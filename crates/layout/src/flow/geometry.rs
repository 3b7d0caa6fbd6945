//! Validation of lengths, and rotations.

use waraq_docx::tree::VerticalAlignment;

use crate::page::{Point, Transform};

/// Returns a length from a document if it is between -20,000 and 20,000 points, else the fallback. The limit excludes values
/// such as NaN, infinity or 10^30 in a hostile file; pages of Word are at most 22 inches (1,584 points) wide and high.
pub(super) fn length_or(value: f32, fallback: f32) -> f32 {
    if value.is_finite() && value.abs() <= 20_000.0 { value } else { fallback }
}

/// Returns a length from a document. A negative length becomes 0. A length of more than 20,000 points, or one that is not a
/// finite number, becomes the fallback.
pub(super) fn positive_length_or(value: f32, fallback: f32) -> f32 {
    length_or(value, fallback).max(0.0)
}

/// Returns the height of the empty space above the text of a box. `spare` is the height of the box minus the height of its text.
pub(super) fn space_above_text(alignment: VerticalAlignment, spare: f32) -> f32 {
    match alignment {
        VerticalAlignment::Center => spare / 2.0,
        VerticalAlignment::Bottom => spare,
        VerticalAlignment::Top | VerticalAlignment::Justified => 0.0,
    }
}

/// Creates a transformation that mirrors around `center` and then rotates clockwise around it by `degrees`. (y grows
/// downwards.)
pub(super) fn rotation_around(center: Point, degrees: f32, mirror_x: bool, mirror_y: bool) -> Transform {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let sx = if mirror_x { -1.0 } else { 1.0 };
    let sy = if mirror_y { -1.0 } else { 1.0 };
    let (a, b, c, d) = (cos * sx, sin * sx, -sin * sy, cos * sy);
    Transform { a, b, c, d, e: center.x - a * center.x - c * center.y, f: center.y - b * center.x - d * center.y }
}
