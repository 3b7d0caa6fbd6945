//! Charts drawn from their values (ECMA-376 part 1, §21.2): title and legend around a plot, without 3-D or other effects.

mod axes;
mod plot_area;

use waraq_docx::tree::{
    Chart, Fonts, LegendPosition, PathCommand, Plot, PlotKind, PointLabel, Rgb, RunProperties, Series,
};

use self::axes::{decimals, format_value};
use super::areas::Frame;
use super::context::LayoutContext;
use crate::geometry::{cubic_to, line_to, move_to, rectangle_path};
use crate::page::{DisplayItem, Paint, Point, Rect, StrokePath, Transform};
use crate::text::single_line;

/// Gap between the parts of a chart, in points.
const GAP: f32 = 5.0;
/// Side of a colour square in the legend, in ems. `LINE_HEIGHT` is the height of a line of text, also in ems.
const LEGEND_SQUARE: f32 = 0.65;
const LINE_HEIGHT: f32 = 1.3;
/// Length in ems of the short line that a legend shows as the symbol of a line series.
const LEGEND_LINE: f32 = 1.8;
/// Maximum number of legend entries that are drawn.
const MAX_LEGEND_ENTRIES: usize = 60;
/// These constants give the fraction of a text's width that is at the left of its reference point: `START` for text that begins
/// at the point, `MIDDLE` for centred text, `END` for text that ends at the point.
const START: f32 = 0.0;
const MIDDLE: f32 = 0.5;
const END: f32 = 1.0;
const GRID_COLOR: Rgb = Rgb(0xBF, 0xBF, 0xBF);
const AXIS_COLOR: Rgb = Rgb(0x80, 0x80, 0x80);

/// Returns the items that draw a chart in `area`.
pub(super) fn chart_items(ctx: &LayoutContext<'_>, frame: &Frame, chart: &Chart, area: Rect) -> Vec<DisplayItem> {
    let mut canvas = ChartCanvas { ctx, section: frame.section, chart, items: Vec::new() };
    canvas.draw_background(area);
    let size = chart.text_size;
    let inner = |length: f32| (length - 2.0 * GAP).max(0.0);
    let mut room = Rect::new(area.x + GAP, area.y + GAP, inner(area.width), inner(area.height));
    if let Some(title) = &chart.title {
        let size = title.size.unwrap_or(size * 1.4);
        canvas.draw_text(&title.text, room.x + room.width / 2.0, room.y + size, MIDDLE, size, title.bold);
        let height = size * LINE_HEIGHT + GAP;
        room = Rect { y: room.y + height, height: room.height - height, ..room };
    }
    room = canvas.draw_legend(room);
    if room.width > 20.0 && room.height > 20.0 {
        if chart.plots.iter().any(|plot| matches!(plot.kind, PlotKind::Pie { .. })) {
            canvas.draw_pie(room);
        } else {
            canvas.draw_plots_with_axes(room);
        }
    }
    canvas.items
}

/// The state while a chart is drawn. The functions that draw the parts of the chart add their items to `items`.
struct ChartCanvas<'s, 'a> {
    ctx: &'s LayoutContext<'a>,
    section: usize,
    chart: &'s Chart,
    items: Vec<DisplayItem>,
}

/// A legend entry. Its symbol is a line that is `line_width` points thick, or a square if `line_width` is `None`.
struct LegendEntry {
    name: String,
    color: Rgb,
    line_width: Option<f32>,
}

impl LegendEntry {
    /// Returns the width of the entry's symbol in points. `size` is the font size.
    fn symbol_width(&self, size: f32) -> f32 {
        size * if self.line_width.is_some() { LEGEND_LINE } else { LEGEND_SQUARE }
    }
}

impl ChartCanvas<'_, '_> {
    fn draw_background(&mut self, area: Rect) {
        if let Some(color) = self.chart.background {
            self.items.push(DisplayItem::Rectangle { area, color, opacity: 1.0 });
        }
        if let Some(border) = self.chart.border {
            self.draw_stroke(rectangle_path(area), border.color, border.width.clamp(0.25, 12.0));
        }
    }

    /// Returns the run properties of text in the chart with this font size and weight.
    fn run_properties(&self, size: f32, bold: bool) -> RunProperties {
        let family = self.chart.family.clone();
        let fonts = Fonts { ascii: family.clone(), high_ansi: family.clone(), complex: family, ..Fonts::default() };
        let color = self.chart.text_color;
        RunProperties { fonts, size, size_complex: size, bold, bold_complex: bold, color, ..RunProperties::default() }
    }

    fn text_width(&self, text: &str, size: f32) -> f32 {
        single_line(self.ctx.text_context(self.section), text, &self.run_properties(size, false)).width
    }

    /// Adds a line of text with its baseline at the vertical position `baseline`. `before` is the fraction of the text's width
    /// that is at the left of `x`. `size` is the font size in points.
    fn draw_text(&mut self, text: &str, x: f32, baseline: f32, before: f32, size: f32, bold: bool) {
        let line = single_line(self.ctx.text_context(self.section), text, &self.run_properties(size, bold));
        let left = x - line.width * before;
        self.items.extend(line.runs.into_iter().map(|run| DisplayItem::Glyphs(run.translated(left, baseline))));
    }

    /// Adds a line of text at the point `at`, rotated clockwise around this point by `degrees`. `before` is the fraction of the
    /// text's width that is before the point. `size` is the font size in points.
    fn draw_rotated_text(&mut self, text: &str, at: Point, before: f32, degrees: f32, size: f32, bold: bool) {
        let outer = std::mem::take(&mut self.items);
        self.draw_text(text, 0.0, 0.0, before, size, bold);
        let inside = std::mem::replace(&mut self.items, outer);
        let (sin, cos) = degrees.to_radians().sin_cos();
        let transform = Transform { a: cos, b: sin, c: -sin, d: cos, e: at.x, f: at.y };
        let items = inside.into_iter().map(super::border::untagged).collect();
        self.items.push(DisplayItem::Group { transform, clip: None, items });
    }

    fn draw_stroke(&mut self, path: Vec<PathCommand>, color: Rgb, width: f32) {
        self.items.push(DisplayItem::Stroke(StrokePath::solid(path, color, width)));
    }

    fn draw_line(&mut self, from: Point, to: Point, color: Rgb, width: f32) {
        self.draw_stroke(vec![move_to(from), line_to(to)], color, width);
    }

    fn draw_fill(&mut self, path: Vec<PathCommand>, color: Rgb) {
        self.items.push(DisplayItem::FilledPath { path, paint: Paint::Solid { color, opacity: 1.0 }, even_odd: false });
    }

    /// Returns the legend entries: one for each series, or for each slice of a pie.
    fn legend_entries(&self) -> Vec<LegendEntry> {
        let all = || self.chart.plots.iter().flat_map(|plot| &plot.series);
        let round = self.chart.plots.iter().any(|plot| matches!(plot.kind, PlotKind::Pie { .. }));
        if round && let Some(series) = all().next() {
            let points = self.chart.categories.iter().take(series.values.len()).enumerate();
            let key = |(index, name): (usize, &String)| LegendEntry {
                name: name.clone(),
                color: point_color(series, index),
                line_width: None,
            };
            return points.map(key).take(MAX_LEGEND_ENTRIES).collect();
        }
        let key = |plot: &Plot, series: &Series| {
            let line = Some(series.line_width).filter(|width| plot.kind == PlotKind::Lines && *width > 0.0);
            LegendEntry { name: series.name.clone(), color: series.color, line_width: line }
        };
        let plots = self.chart.plots.iter();
        plots
            .flat_map(|plot| plot.series.iter().map(move |series| key(plot, series)))
            .take(MAX_LEGEND_ENTRIES)
            .collect()
    }

    /// Draws the legend at one side of the area `room`. Returns the rest of `room`, which is left for the other parts of the
    /// chart. Returns the whole `room` if the chart has no legend.
    fn draw_legend(&mut self, room: Rect) -> Rect {
        let Some(position) = self.chart.legend else { return room };
        let keys = self.legend_entries();
        let size = self.chart.text_size;
        let line = LINE_HEIGHT * size;
        let widths: Vec<f32> =
            keys.iter().map(|key| key.symbol_width(size) + 0.4 * size + self.text_width(&key.name, size)).collect();
        if matches!(position, LegendPosition::Left | LegendPosition::Right) {
            let width = widths.iter().copied().fold(0.0, f32::max).min(room.width / 2.0);
            let shown = keys.len().min((room.height / line).max(0.0) as usize);
            let left = if position == LegendPosition::Right { room.right() - width } else { room.x };
            let mut y = room.y + (room.height - shown as f32 * line) / 2.0;
            for key in keys.iter().take(shown) {
                self.draw_legend_entry(key, left, y);
                y += line;
            }
            let taken = width + 2.0 * GAP;
            let x = if position == LegendPosition::Left { room.x + taken } else { room.x };
            return Rect { x, width: room.width - taken, ..room };
        }
        // Distribute the entries over as many rows as they need.
        let mut rows: Vec<(f32, Vec<usize>)> = Vec::new();
        for (index, width) in widths.iter().enumerate() {
            let width = width + size;
            match rows.last_mut() {
                Some((used, row)) if *used + width <= room.width => {
                    *used += width;
                    row.push(index);
                }
                _ => rows.push((width, vec![index])),
            }
        }
        let most = ((room.height / 3.0 / line).max(1.0) as usize).min(rows.len());
        let height = most as f32 * line + GAP;
        let top = if position == LegendPosition::Top { room.y } else { room.bottom() - most as f32 * line };
        for (number, (used, row)) in rows.into_iter().take(most).enumerate() {
            let mut x = room.x + (room.width - used + size) / 2.0;
            for index in row {
                let (Some(key), Some(width)) = (keys.get(index), widths.get(index)) else { continue };
                self.draw_legend_entry(key, x, top + number as f32 * line);
                x += width + size;
            }
        }
        let y = if position == LegendPosition::Top { room.y + height } else { room.y };
        Rect { y, height: room.height - height, ..room }
    }

    fn draw_legend_entry(&mut self, key: &LegendEntry, x: f32, y: f32) {
        let size = self.chart.text_size;
        let side = key.symbol_width(size);
        if let Some(width) = key.line_width {
            let middle = y + LINE_HEIGHT * size / 2.0;
            self.draw_line(Point { x, y: middle }, Point { x: x + side, y: middle }, key.color, width);
        } else {
            let area = Rect { x, y: y + (LINE_HEIGHT * size - side) / 2.0, width: side, height: side };
            self.items.push(DisplayItem::Rectangle { area, color: key.color, opacity: 1.0 });
        }
        self.draw_text(&key.name, x + side + 0.4 * size, y + size, START, size, false);
    }

    /// Draws a pie or doughnut chart in the area `room`.
    fn draw_pie(&mut self, room: Rect) {
        let chart = self.chart;
        let Some(plot) = chart.plots.first() else { return };
        let PlotKind::Pie { start, hole } = plot.kind else { return };
        let radius = room.width.min(room.height) / 2.0;
        let middle = Point { x: room.x + room.width / 2.0, y: room.y + room.height / 2.0 };
        // A pie shows one series. A doughnut shows all, with the first one innermost.
        let rings = if hole > 0.0 { plot.series.len().clamp(1, 10) } else { 1 };
        let inner = radius * hole;
        for (number, series) in plot.series.iter().take(rings).enumerate() {
            let width = (radius - inner) / rings as f32;
            let from = inner + width * number as f32;
            self.draw_slices(series, middle, from, from + width, start);
        }
    }

    /// Draws the slices of a pie, or of one ring of a doughnut, between the radii `inner` and `outer`. `start` is the angle of
    /// the first slice in degrees, clockwise from the top.
    fn draw_slices(&mut self, series: &Series, middle: Point, inner: f32, outer: f32, start: f32) {
        let sizes: Vec<f64> = series.values.iter().map(|value| value.unwrap_or(0.0).abs()).collect();
        let whole: f64 = sizes.iter().sum();
        if whole <= 0.0 {
            return;
        }
        let mut angle = f64::from(start).to_radians();
        for (index, size) in sizes.iter().enumerate().filter(|(_, size)| **size > 0.0) {
            let to = angle + size / whole * std::f64::consts::TAU;
            let path = slice_path(middle, inner, outer, angle, to);
            self.draw_fill(path.clone(), point_color(series, index));
            if *size < whole {
                self.draw_stroke(path, Rgb(255, 255, 255), 0.75);
            }
            if let Some(label) = series.labels {
                let text = match label {
                    PointLabel::Percentage => format!("{:.0}%", size / whole * 100.0),
                    PointLabel::Value => format_value(*size, &self.chart.value_axis, exact_step(*size)),
                    PointLabel::Category => self.chart.categories.get(index).cloned().unwrap_or_default(),
                };
                let at = polar_point(middle, (inner + outer * 2.0) / 3.0, (angle + to) / 2.0);
                let size = self.chart.text_size;
                self.draw_text(&text, at.x, at.y + 0.35 * size, MIDDLE, size, false);
            }
            angle = to;
        }
    }
}

/// Returns the colour of a data point. `point` is the index of the point in the series. A point without its own colour has the
/// colour of the series.
fn point_color(series: &Series, point: usize) -> Rgb {
    series.point_colors.get(point).copied().flatten().unwrap_or(series.color)
}

/// Returns the step to pass to [`format_value`] so that it writes all decimals of `value`. ([`format_value`] writes as many
/// decimals as the step has.) If `value` has more than four decimals, only two are written.
fn exact_step(value: f64) -> f64 {
    10_f64.powi(-decimals(value, 4))
}

/// Returns the point on a circle around `middle` with this radius. `angle` is in radians, clockwise from the top.
fn polar_point(middle: Point, radius: f32, angle: f64) -> Point {
    let (sin, cos) = angle.sin_cos();
    Point { x: middle.x + radius * sin as f32, y: middle.y - radius * cos as f32 }
}

/// Returns the path of a slice between two radii and two angles. The angles are in radians, clockwise from the top.
fn slice_path(middle: Point, inner: f32, outer: f32, from: f64, to: f64) -> Vec<PathCommand> {
    let mut path = vec![move_to(polar_point(middle, outer, from))];
    add_arc(&mut path, middle, outer, from, to);
    path.push(line_to(polar_point(middle, inner, to)));
    if inner > 0.0 {
        add_arc(&mut path, middle, inner, to, from);
    }
    path.push(PathCommand::Close);
    path
}

/// Adds an arc between two angles, as Bézier curves of at most a quarter circle each. The angles are in radians, clockwise from
/// the top.
fn add_arc(path: &mut Vec<PathCommand>, middle: Point, radius: f32, from: f64, to: f64) {
    let pieces = ((to - from).abs() / std::f64::consts::FRAC_PI_2).ceil().clamp(1.0, 4.0);
    let step = (to - from) / pieces;
    let reach = radius * (4.0 / 3.0 * (step / 4.0).tan()) as f32;
    for piece in 0..pieces as usize {
        let (a, b) = (from + step * piece as f64, from + step * (piece + 1) as f64);
        let (p, q) = (polar_point(middle, radius, a), polar_point(middle, radius, b));
        // The control points of a curve are on the tangents at its ends.
        let (da, db) = (
            polar_point(Point::default(), reach, a + std::f64::consts::FRAC_PI_2),
            polar_point(Point::default(), reach, b - std::f64::consts::FRAC_PI_2),
        );
        let controls = [Point { x: p.x + da.x, y: p.y + da.y }, Point { x: q.x + db.x, y: q.y + db.y }];
        path.push(cubic_to(controls[0], controls[1], q));
    }
}
