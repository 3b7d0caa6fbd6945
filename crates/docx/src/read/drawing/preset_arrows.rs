//! Preset arrows and connectors, in shares of their box.

use super::preset::{Adjustments, open, polygon};
use crate::tree::{Geometry, PathCommand};

/// `sx`, `sy`: the shorter side as a share of width and height.
pub(super) fn geometry(name: &str, adjust: &Adjustments<'_>, sx: f32, sy: f32) -> Option<Geometry> {
    let half = adjust.get("adj1", 0.5).clamp(0.0, 1.0) / 2.0;
    let head = adjust.get("adj2", 0.5);
    Some(match name {
        "rightArrow" => block(half, (head * sx).clamp(0.0, 1.0), |along, across| (along, across)),
        "leftArrow" => block(half, (head * sx).clamp(0.0, 1.0), |along, across| (1.0 - along, across)),
        "downArrow" => block(half, (head * sy).clamp(0.0, 1.0), |along, across| (across, along)),
        "upArrow" => block(half, (head * sy).clamp(0.0, 1.0), |along, across| (across, 1.0 - along)),
        "leftRightArrow" => double(half, (head * sx).clamp(0.0, 0.5), |along, across| (along, across)),
        "upDownArrow" => double(half, (head * sy).clamp(0.0, 0.5), |along, across| (across, along)),
        "chevron" => {
            let cut = (adjust.get("adj", 0.5) * sx).clamp(0.0, 1.0);
            polygon(&[(0.0, 0.0), (1.0 - cut, 0.0), (1.0, 0.5), (1.0 - cut, 1.0), (0.0, 1.0), (cut, 0.5)])
        }
        "homePlate" | "flowChartOffpageConnector" => {
            let cut = (adjust.get("adj", 0.5) * sx).clamp(0.0, 1.0);
            polygon(&[(0.0, 0.0), (1.0 - cut, 0.0), (1.0, 0.5), (1.0 - cut, 1.0), (0.0, 1.0)])
        }
        "bentConnector2" => open(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]),
        "bentConnector3" | "bentConnector4" | "bentConnector5" => {
            let bend = adjust.get("adj1", 0.5);
            open(&[(0.0, 0.0), (bend, 0.0), (bend, 1.0), (1.0, 1.0)])
        }
        "curvedConnector2" => {
            Geometry::Path(vec![PathCommand::Move(0.0, 0.0), PathCommand::Cubic(0.5, 0.0, 1.0, 0.5, 1.0, 1.0)])
        }
        "curvedConnector3" | "curvedConnector4" | "curvedConnector5" => {
            let bend = adjust.get("adj1", 0.5);
            Geometry::Path(vec![
                PathCommand::Move(0.0, 0.0),
                PathCommand::Cubic(bend / 2.0, 0.0, bend, 0.25, bend, 0.5),
                PathCommand::Cubic(bend, 0.75, (1.0 + bend) / 2.0, 1.0, 1.0, 1.0),
            ])
        }
        _ => return None,
    })
}

fn block(half: f32, head: f32, place: impl Fn(f32, f32) -> (f32, f32)) -> Geometry {
    let neck = 1.0 - head;
    let points = [
        (0.0, 0.5 - half),
        (neck, 0.5 - half),
        (neck, 0.0),
        (1.0, 0.5),
        (neck, 1.0),
        (neck, 0.5 + half),
        (0.0, 0.5 + half),
    ];
    polygon(&points.map(|(along, across)| place(along, across)))
}

fn double(half: f32, head: f32, place: impl Fn(f32, f32) -> (f32, f32)) -> Geometry {
    let points = [
        (0.0, 0.5),
        (head, 0.0),
        (head, 0.5 - half),
        (1.0 - head, 0.5 - half),
        (1.0 - head, 0.0),
        (1.0, 0.5),
        (1.0 - head, 1.0),
        (1.0 - head, 0.5 + half),
        (head, 0.5 + half),
        (head, 1.0),
    ];
    polygon(&points.map(|(along, across)| place(along, across)))
}
