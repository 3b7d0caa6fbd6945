//! Circles in slices, with or without a hole.

use waraq_docx::tree::{PathCommand, PlotKind, PointLabel, Rgb, Series};

use super::axes::{decimals, written};
use super::{Anchor, ChartCanvas, color_of};
use crate::page::Rect;

impl ChartCanvas<'_, '_> {
    pub(super) fn round(&mut self, room: Rect) {
        let chart = self.chart;
        let Some(plot) = chart.plots.first() else { return };
        let PlotKind::Pie { start, hole } = plot.kind else { return };
        let radius = room.width.min(room.height) / 2.0;
        let middle = (room.x + room.width / 2.0, room.y + room.height / 2.0);
        // A circle shows one series, rings show all, the first within.
        let rings = if hole > 0.0 { plot.series.len().clamp(1, 10) } else { 1 };
        let inner = radius * hole;
        for (number, series) in plot.series.iter().take(rings).enumerate() {
            let width = (radius - inner) / rings as f32;
            let from = inner + width * number as f32;
            self.slices(series, middle, (from, from + width), start);
        }
    }

    fn slices(&mut self, series: &Series, middle: (f32, f32), (inner, outer): (f32, f32), start: f32) {
        let sizes: Vec<f64> = series.values.iter().map(|value| value.unwrap_or(0.0).abs()).collect();
        let whole: f64 = sizes.iter().sum();
        if whole <= 0.0 {
            return;
        }
        let mut angle = f64::from(start).to_radians();
        for (index, size) in sizes.iter().enumerate().filter(|(_, size)| **size > 0.0) {
            let to = angle + size / whole * std::f64::consts::TAU;
            let path = slice(middle, inner, outer, angle, to);
            self.fill(path.clone(), color_of(series, index));
            if *size < whole {
                self.stroke(path, Rgb(255, 255, 255), 0.75);
            }
            if let Some(label) = series.labels {
                let text = match label {
                    PointLabel::Share => format!("{:.0}%", size / whole * 100.0),
                    PointLabel::Value => written(*size, &self.chart.value_axis, exact(*size)),
                    PointLabel::Category => self.chart.categories.get(index).cloned().unwrap_or_default(),
                };
                let at = point(middle, (inner + outer * 2.0) / 3.0, (angle + to) / 2.0);
                let size = self.chart.text_size;
                self.text(&text, at.0, at.1 + 0.35 * size, Anchor::Middle, size, false);
            }
            angle = to;
        }
    }
}

/// A step that shows a value as it is.
pub(super) fn exact(value: f64) -> f64 {
    10_f64.powi(-decimals(value, 4))
}

/// At this distance in this direction, clockwise from the top.
fn point(middle: (f32, f32), radius: f32, angle: f64) -> (f32, f32) {
    let (sin, cos) = angle.sin_cos();
    (middle.0 + radius * sin as f32, middle.1 - radius * cos as f32)
}

fn slice(middle: (f32, f32), inner: f32, outer: f32, from: f64, to: f64) -> Vec<PathCommand> {
    let first = point(middle, outer, from);
    let mut path = vec![PathCommand::Move(first.0, first.1)];
    arc(&mut path, middle, outer, from, to);
    let turn = point(middle, inner, to);
    path.push(PathCommand::Line(turn.0, turn.1));
    if inner > 0.0 {
        arc(&mut path, middle, inner, to, from);
    }
    path.push(PathCommand::Close);
    path
}

/// An arc in pieces of at most a quarter of the circle.
fn arc(path: &mut Vec<PathCommand>, middle: (f32, f32), radius: f32, from: f64, to: f64) {
    let pieces = ((to - from).abs() / std::f64::consts::FRAC_PI_2).ceil().clamp(1.0, 4.0);
    let step = (to - from) / pieces;
    let reach = radius * (4.0 / 3.0 * (step / 4.0).tan()) as f32;
    for piece in 0..pieces as usize {
        let (a, b) = (from + step * piece as f64, from + step * (piece + 1) as f64);
        let (p, q) = (point(middle, radius, a), point(middle, radius, b));
        // Along the circle a direction on from the radius.
        let (da, db) = (
            point((0.0, 0.0), reach, a + std::f64::consts::FRAC_PI_2),
            point((0.0, 0.0), reach, b - std::f64::consts::FRAC_PI_2),
        );
        path.push(PathCommand::Cubic(p.0 + da.0, p.1 + da.1, q.0 + db.0, q.1 + db.1, q.0, q.1));
    }
}
