//! Moving and measuring what was set.

use crate::page::{Item, PathCommand, Rect, Transform};

/// Lengths of a document are believed only within what Word allows (22 inches a page, times a margin of error): anything else
/// (NaN, infinities, a hostile file's 10^30) becomes the fallback.
pub(super) fn sane(value: f32, fallback: f32) -> f32 {
    if value.is_finite() && value.abs() <= 20_000.0 { value } else { fallback }
}

/// As [`sane`], and never negative.
pub(super) fn positive(value: f32, fallback: f32) -> f32 {
    sane(value, fallback).max(0.0)
}

impl Rect {
    pub(super) fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    pub(super) fn right(&self) -> f32 {
        self.x + self.width
    }

    pub(super) fn bottom(&self) -> f32 {
        self.y + self.height
    }

    pub(super) fn moved(&self, x: f32, y: f32) -> Self {
        Self { x: self.x + x, y: self.y + y, ..*self }
    }
}

pub(super) fn move_path(path: &mut [PathCommand], x: f32, y: f32) {
    for command in path {
        match command {
            PathCommand::Move(a, b) | PathCommand::Line(a, b) => {
                *a += x;
                *b += y;
            }
            PathCommand::Cubic(a, b, c, d, e, f) => {
                *a += x;
                *b += y;
                *c += x;
                *d += y;
                *e += x;
                *f += y;
            }
            PathCommand::Close => {}
        }
    }
}

pub(crate) fn move_item(item: &mut Item, x: f32, y: f32) {
    match item {
        Item::Glyphs(run) => {
            run.x += x;
            run.y += y;
        }
        Item::Rectangle { area, .. } | Item::Link { area, .. } | Item::Value { area, .. } => {
            *area = area.moved(x, y);
        }
        Item::Stroke(stroke) => move_path(&mut stroke.path, x, y),
        Item::FilledPath { path, paint, .. } => {
            move_path(path, x, y);
            if let crate::page::Paint::Gradient { from, to, .. } = paint {
                from.0 += x;
                from.1 += y;
                to.0 += x;
                to.1 += y;
            }
        }
        Item::Image(image) => image.area = image.area.moved(x, y),
        Item::Group { transform, .. } => {
            transform.e += x;
            transform.f += y;
        }
        Item::Repeated { items, .. } => {
            let mut moved = items.to_vec();
            moved.iter_mut().for_each(|placed| move_item(&mut placed.item, x, y));
            *items = moved.into();
        }
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

/// The box as a closed path.
pub(super) fn rectangle_path(area: Rect) -> Vec<PathCommand> {
    vec![
        PathCommand::Move(area.x, area.y),
        PathCommand::Line(area.right(), area.y),
        PathCommand::Line(area.right(), area.bottom()),
        PathCommand::Line(area.x, area.bottom()),
        PathCommand::Close,
    ]
}
