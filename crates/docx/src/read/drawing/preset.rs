//! Preset shapes (§20.1.9.18) as outlines, in shares of their box.

use super::preset_arrows;
use crate::tree::{Geometry, PathCommand};

/// The values a document sets for a preset's handles, as shares.
pub(super) struct Adjustments<'a>(pub &'a [(&'a str, f32)]);

impl Adjustments<'_> {
    pub(super) fn get(&self, name: &str, otherwise: f32) -> f32 {
        // A preset with one handle calls it adj or adj1.
        let found = self.0.iter().find(|(known, _)| *known == name || (name == "adj" && *known == "adj1"));
        found.map_or(otherwise, |(_, value)| *value)
    }
}

pub(super) fn polygon(points: &[(f32, f32)]) -> Geometry {
    let mut commands: Vec<PathCommand> = points
        .iter()
        .enumerate()
        .map(|(index, (x, y))| if index == 0 { PathCommand::Move(*x, *y) } else { PathCommand::Line(*x, *y) })
        .collect();
    commands.push(PathCommand::Close);
    Geometry::Path(commands)
}

pub(super) fn open(points: &[(f32, f32)]) -> Geometry {
    match polygon(points) {
        Geometry::Path(mut commands) => {
            commands.pop();
            Geometry::Path(commands)
        }
        other => other,
    }
}

/// The outline of a preset in a box of that size; unknown ones by name.
pub(super) fn geometry(name: &str, adjust: &Adjustments<'_>, width: f32, height: f32) -> Geometry {
    // Handles measured along the shorter side, as shares of width and height.
    let shorter = width.min(height);
    let (sx, sy) = (shorter / width.max(0.01), shorter / height.max(0.01));
    let value = |name, otherwise: f32| adjust.get(name, otherwise);
    match name {
        "rect"
        | "flowChartProcess"
        | "textBox"
        | "actionButtonBlank"
        | "bevel"
        | "flowChartInternalStorage"
        | "flowChartPredefinedProcess"
        | "foldedCorner"
        | "plaque"
        | "textPlain" => Geometry::Rectangle,
        "roundRect" => Geometry::RoundedRectangle(value("adj", 0.16667).clamp(0.0, 0.5)),
        "flowChartAlternateProcess" => Geometry::RoundedRectangle(0.16667),
        "flowChartTerminator" => Geometry::RoundedRectangle(0.5),
        "ellipse" | "flowChartConnector" => Geometry::Ellipse,
        "line" | "straightConnector1" => Geometry::Line,
        "triangle" | "flowChartExtract" => {
            let tip = value("adj", 0.5).clamp(0.0, 1.0);
            polygon(&[(tip, 0.0), (1.0, 1.0), (0.0, 1.0)])
        }
        "flowChartMerge" => polygon(&[(0.0, 0.0), (1.0, 0.0), (0.5, 1.0)]),
        "rtTriangle" => polygon(&[(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)]),
        "diamond" | "flowChartDecision" => polygon(&[(0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)]),
        "parallelogram" | "flowChartInputOutput" => {
            let cut = if name == "parallelogram" { value("adj", 0.25) * sx } else { 0.2 }.clamp(0.0, 1.0);
            polygon(&[(cut, 0.0), (1.0, 0.0), (1.0 - cut, 1.0), (0.0, 1.0)])
        }
        "trapezoid" => {
            let cut = (value("adj", 0.25) * sx).clamp(0.0, 0.5);
            polygon(&[(cut, 0.0), (1.0 - cut, 0.0), (1.0, 1.0), (0.0, 1.0)])
        }
        "pentagon" => polygon(&[(0.5, 0.0), (1.0, 0.382), (0.809, 1.0), (0.191, 1.0), (0.0, 0.382)]),
        "hexagon" => {
            let cut = (value("adj", 0.25) * sx).clamp(0.0, 0.5);
            polygon(&[(cut, 0.0), (1.0 - cut, 0.0), (1.0, 0.5), (1.0 - cut, 1.0), (cut, 1.0), (0.0, 0.5)])
        }
        "octagon" => {
            let (x, y) = ((value("adj", 0.29289) * sx).clamp(0.0, 0.5), (value("adj", 0.29289) * sy).clamp(0.0, 0.5));
            polygon(&[
                (x, 0.0),
                (1.0 - x, 0.0),
                (1.0, y),
                (1.0, 1.0 - y),
                (1.0 - x, 1.0),
                (x, 1.0),
                (0.0, 1.0 - y),
                (0.0, y),
            ])
        }
        "plus" | "mathPlus" => cross(value("adj", 0.25) * sx, value("adj", 0.25) * sy),
        "snip1Rect" | "flowChartPunchedCard" => {
            let (x, y) = (value("adj", 0.16667) * sx, value("adj", 0.16667) * sy);
            polygon(&[(0.0, 0.0), (1.0 - x, 0.0), (1.0, y), (1.0, 1.0), (0.0, 1.0)])
        }
        "round1Rect" | "round2SameRect" | "round2DiagRect" | "snip2SameRect" | "snip2DiagRect" | "snipRoundRect" => {
            Geometry::RoundedRectangle(value("adj", 0.16667).clamp(0.0, 0.5))
        }
        "star4" | "star5" | "star6" | "star8" | "star10" | "star12" => star(name, value("adj", 0.0)),
        "frame" => frame(value("adj1", 0.125) * sx, value("adj1", 0.125) * sy),
        "wedgeRectCallout" | "wedgeRoundRectCallout" | "borderCallout1" => {
            callout(0.5 + value("adj1", -0.20833), 0.5 + value("adj2", 0.625))
        }
        "wedgeEllipseCallout" => Geometry::Ellipse,
        "leftBracket" | "rightBracket" => {
            let depth = (value("adj", 0.08333) * sy).clamp(0.0, 0.5);
            bracket(name == "rightBracket", depth)
        }
        "leftBrace" | "rightBrace" => {
            let bend = (value("adj1", 0.08333) * sy).clamp(0.0, 0.25);
            brace(name == "rightBrace", bend, value("adj2", 0.5).clamp(0.0, 1.0))
        }
        "bracketPair" | "bracePair" => {
            bracket_pair((value("adj", 0.16667) * sx).min(0.5), (value("adj", 0.16667) * sy).min(0.5))
        }
        "flowChartDocument" => document(),
        "can" | "flowChartMagneticDisk" => can((value("adj", 0.25) * sy).clamp(0.0, 0.5)),
        "donut" => donut(value("adj", 0.25) * sx, value("adj", 0.25) * sy),
        other => preset_arrows::geometry(other, adjust, sx, sy).unwrap_or_else(|| Geometry::Preset(other.to_owned())),
    }
}

fn cross(x: f32, y: f32) -> Geometry {
    let (x, y) = (x.clamp(0.0, 0.5), y.clamp(0.0, 0.5));
    let (r, b) = (1.0 - x, 1.0 - y);
    let points = [
        (x, 0.0),
        (r, 0.0),
        (r, y),
        (1.0, y),
        (1.0, b),
        (r, b),
        (r, 1.0),
        (x, 1.0),
        (x, b),
        (0.0, b),
        (0.0, y),
        (x, y),
    ];
    polygon(&points)
}

fn star(name: &str, adjustment: f32) -> Geometry {
    let rays: usize = name.trim_start_matches("star").parse().unwrap_or(5);
    let plain = match rays {
        4 => 0.125,
        5 => 0.19098,
        6 => 0.28868,
        8 => 0.375,
        10 => 0.42533,
        _ => 0.375,
    };
    let inner = 2.0 * if adjustment > 0.0 { adjustment.min(0.5) } else { plain };
    let points: Vec<(f32, f32)> = (0..rays * 2)
        .map(|index| {
            let angle = std::f32::consts::PI * index as f32 / rays as f32;
            let radius = if index % 2 == 0 { 0.5 } else { 0.5 * inner };
            (0.5 + radius * angle.sin(), 0.5 - radius * angle.cos())
        })
        .collect();
    polygon(&points)
}

fn ring(outer: &[(f32, f32)], inner: &[(f32, f32)]) -> Geometry {
    match (polygon(outer), polygon(inner)) {
        (Geometry::Path(mut commands), Geometry::Path(hole)) => {
            commands.extend(hole);
            Geometry::Path(commands)
        }
        (outer, _) => outer,
    }
}

fn frame(x: f32, y: f32) -> Geometry {
    let (x, y) = (x.clamp(0.0, 0.5), y.clamp(0.0, 0.5));
    let outer = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
    // The other way round, so that both fill rules leave it open.
    ring(&outer, &[(x, y), (x, 1.0 - y), (1.0 - x, 1.0 - y), (1.0 - x, y)])
}

fn callout(x: f32, y: f32) -> Geometry {
    if y > 1.0 {
        let base = if x < 0.5 { (0.1667, 0.4167) } else { (0.5833, 0.8333) };
        polygon(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (base.1, 1.0), (x, y), (base.0, 1.0), (0.0, 1.0)])
    } else if y < 0.0 {
        let base = if x < 0.5 { (0.1667, 0.4167) } else { (0.5833, 0.8333) };
        polygon(&[(0.0, 0.0), (base.0, 0.0), (x, y), (base.1, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    } else {
        Geometry::Rectangle
    }
}

/// How far a cubic's handles reach for a quarter of a circle.
const ROUND: f32 = 0.5523;

fn bracket(right: bool, depth: f32) -> Geometry {
    let x = |share: f32| if right { 1.0 - share } else { share };
    let reach = depth * (1.0 - ROUND);
    Geometry::Path(vec![
        PathCommand::Move(x(1.0), 0.0),
        PathCommand::Cubic(x(1.0 - ROUND), 0.0, x(0.0), reach, x(0.0), depth),
        PathCommand::Line(x(0.0), 1.0 - depth),
        PathCommand::Cubic(x(0.0), 1.0 - reach, x(1.0 - ROUND), 1.0, x(1.0), 1.0),
    ])
}

fn brace(right: bool, bend: f32, tip: f32) -> Geometry {
    let x = |share: f32| if right { 1.0 - share } else { share };
    let bend = bend.min(tip / 2.0).min((1.0 - tip) / 2.0);
    Geometry::Path(vec![
        PathCommand::Move(x(1.0), 0.0),
        PathCommand::Cubic(x(0.724), 0.0, x(0.5), bend * 0.448, x(0.5), bend),
        PathCommand::Line(x(0.5), tip - bend),
        PathCommand::Cubic(x(0.5), tip - bend * 0.448, x(0.276), tip, x(0.0), tip),
        PathCommand::Cubic(x(0.276), tip, x(0.5), tip + bend * 0.448, x(0.5), tip + bend),
        PathCommand::Line(x(0.5), 1.0 - bend),
        PathCommand::Cubic(x(0.5), 1.0 - bend * 0.448, x(0.724), 1.0, x(1.0), 1.0),
    ])
}

fn bracket_pair(x: f32, y: f32) -> Geometry {
    let (k, l) = (x * (1.0 - ROUND), y * (1.0 - ROUND));
    Geometry::Path(vec![
        PathCommand::Move(x, 0.0),
        PathCommand::Cubic(k, 0.0, 0.0, l, 0.0, y),
        PathCommand::Line(0.0, 1.0 - y),
        PathCommand::Cubic(0.0, 1.0 - l, k, 1.0, x, 1.0),
        PathCommand::Move(1.0 - x, 0.0),
        PathCommand::Cubic(1.0 - k, 0.0, 1.0, l, 1.0, y),
        PathCommand::Line(1.0, 1.0 - y),
        PathCommand::Cubic(1.0, 1.0 - l, 1.0 - k, 1.0, 1.0 - x, 1.0),
    ])
}

fn document() -> Geometry {
    Geometry::Path(vec![
        PathCommand::Move(0.0, 0.0),
        PathCommand::Line(1.0, 0.0),
        PathCommand::Line(1.0, 0.802),
        PathCommand::Cubic(0.5, 0.802, 0.5, 1.13, 0.0, 0.934),
        PathCommand::Close,
    ])
}

fn can(y: f32) -> Geometry {
    let half = y / 2.0;
    let (k, l) = (0.5 * ROUND, half * ROUND);
    Geometry::Path(vec![
        PathCommand::Move(0.0, half),
        PathCommand::Cubic(0.0, half - l, 0.5 - k, 0.0, 0.5, 0.0),
        PathCommand::Cubic(0.5 + k, 0.0, 1.0, half - l, 1.0, half),
        PathCommand::Line(1.0, 1.0 - half),
        PathCommand::Cubic(1.0, 1.0 - half + l, 0.5 + k, 1.0, 0.5, 1.0),
        PathCommand::Cubic(0.5 - k, 1.0, 0.0, 1.0 - half + l, 0.0, 1.0 - half),
        PathCommand::Close,
        PathCommand::Move(0.0, half),
        PathCommand::Cubic(0.0, half + l, 0.5 - k, y, 0.5, y),
        PathCommand::Cubic(0.5 + k, y, 1.0, half + l, 1.0, half),
    ])
}

/// An ellipse in the box from (x, y) to the mirrored corner, clockwise or the other way round.
fn ellipse(x: f32, y: f32, clockwise: bool) -> Vec<PathCommand> {
    let (rx, ry) = (0.5 - x, 0.5 - y);
    let (k, l) = (rx * ROUND, ry * ROUND);
    let s = if clockwise { 1.0 } else { -1.0 };
    vec![
        PathCommand::Move(0.5, 0.5 - ry),
        PathCommand::Cubic(0.5 + s * k, 0.5 - ry, 0.5 + s * rx, 0.5 - l, 0.5 + s * rx, 0.5),
        PathCommand::Cubic(0.5 + s * rx, 0.5 + l, 0.5 + s * k, 0.5 + ry, 0.5, 0.5 + ry),
        PathCommand::Cubic(0.5 - s * k, 0.5 + ry, 0.5 - s * rx, 0.5 + l, 0.5 - s * rx, 0.5),
        PathCommand::Cubic(0.5 - s * rx, 0.5 - l, 0.5 - s * k, 0.5 - ry, 0.5, 0.5 - ry),
        PathCommand::Close,
    ]
}

fn donut(x: f32, y: f32) -> Geometry {
    let mut commands = ellipse(0.0, 0.0, true);
    commands.extend(ellipse(x.clamp(0.0, 0.5), y.clamp(0.0, 0.5), false));
    Geometry::Path(commands)
}
