//! Outlines of shapes in their areas, and their dash patterns.

use waraq_docx::tree::{Dash, Geometry, PathFill, ShapePath};

use crate::geometry::{map_points, rectangle_path};
use crate::page::{PathCommand, Point, Rect};

/// Distance between an end point and its control point in a Bézier curve that approximates a quarter circle, as a fraction of
/// the radius.
const CIRCLE_CONTROL_DISTANCE: f32 = 0.552_284_8;

/// Returns the outlines of a shape in its area on the page.
pub(super) fn shape_outlines(geometry: &Geometry, area: Rect) -> Vec<ShapePath> {
    let whole = |commands| vec![ShapePath { commands, fill: PathFill::Shape, stroked: true }];
    match geometry {
        Geometry::Rectangle => whole(rectangle_path(area)),
        Geometry::Line => {
            let commands = vec![PathCommand::Move(area.x, area.y), PathCommand::Line(area.right(), area.bottom())];
            vec![ShapePath { commands, fill: PathFill::None, stroked: true }]
        }
        Geometry::Ellipse => whole(rounded_rectangle(area, area.width / 2.0, area.height / 2.0)),
        Geometry::RoundedRectangle(share) => {
            let radius = area.width.min(area.height) * share.clamp(0.0, 0.5);
            whole(rounded_rectangle(area, radius, radius))
        }
        Geometry::Paths(paths) => {
            let mut paths = paths.clone();
            for command in paths.iter_mut().flat_map(|path| &mut path.commands) {
                let to_area = |Point { x, y }| Point { x: area.x + x * area.width, y: area.y + y * area.height };
                *command = map_points(*command, to_area);
            }
            // Outlines without fill come last, so that they are drawn above filled ones.
            paths.sort_by_key(|path| path.fill == PathFill::None);
            paths
        }
    }
}

/// Returns the path of a rectangle whose corners are quarters of an ellipse with these radii.
pub(super) fn rounded_rectangle(area: Rect, rx: f32, ry: f32) -> Vec<PathCommand> {
    let (left, top, right, bottom) = (area.x, area.y, area.right(), area.bottom());
    let (kx, ky) = (rx * (1.0 - CIRCLE_CONTROL_DISTANCE), ry * (1.0 - CIRCLE_CONTROL_DISTANCE));
    vec![
        PathCommand::Move(left + rx, top),
        PathCommand::Line(right - rx, top),
        PathCommand::Cubic(right - kx, top, right, top + ky, right, top + ry),
        PathCommand::Line(right, bottom - ry),
        PathCommand::Cubic(right, bottom - ky, right - kx, bottom, right - rx, bottom),
        PathCommand::Line(left + rx, bottom),
        PathCommand::Cubic(left + kx, bottom, left, bottom - ky, left, bottom - ry),
        PathCommand::Line(left, top + ry),
        PathCommand::Cubic(left, top + ky, left + kx, top, left + rx, top),
        PathCommand::Close,
    ]
}

/// Returns the lengths in points of dashes and gaps for a line of this width. The list is empty for a solid line.
pub(super) fn dash_lengths(dash: Dash, width: f32) -> Vec<f32> {
    let unit = width.max(0.5);
    match dash {
        Dash::Solid => Vec::new(),
        Dash::Dot => vec![unit, unit * 3.0],
        Dash::DenseDot => vec![unit, unit],
        Dash::DenseDash => vec![unit * 3.0, unit],
        Dash::Dash => vec![unit * 4.0, unit * 3.0],
        Dash::LongDash => vec![unit * 8.0, unit * 3.0],
        Dash::DashDot => vec![unit * 4.0, unit * 3.0, unit, unit * 3.0],
    }
}
