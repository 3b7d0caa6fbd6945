//! Bars, lines and areas between a category axis and a value axis.

use waraq_docx::tree::{Grouping, PathCommand, Plot, PlotKind, PointLabel, Series, ValueAxis};

use super::axes::{Scale, format_value};
use super::{AXIS_COLOR, ChartCanvas, END, GAP, GRID_COLOR, LINE_HEIGHT, MIDDLE, START, exact_step, point_color};
use crate::geometry::{line_to, move_to};
use crate::page::{DisplayItem, Point, Rect};

/// The plot area with one of its value axes.
struct PlotArea<'c> {
    area: Rect,
    axis: &'c ValueAxis,
    /// True if `axis` is the secondary axis, at the right of the plot.
    secondary: bool,
    /// True if values grow to the right instead of upwards.
    horizontal: bool,
    /// True if the categories are in reverse order.
    reversed: bool,
    scale: Scale,
    categories: usize,
}

impl PlotArea<'_> {
    /// Returns the point that represents a value. `along` is the position on the category axis: 0 at its start, 1 after the
    /// first category and so on.
    fn point_at(&self, along: f32, value: f64) -> Point {
        let share = self.scale.position_of(value);
        let along = along / self.categories.max(1) as f32;
        let along = if self.reversed { 1.0 - along } else { along };
        let Rect { x, y, width, height } = self.area;
        if self.horizontal {
            // In a horizontal chart, the first category is at the bottom.
            Point { x: x + share * width, y: y + (1.0 - along) * height }
        } else {
            Point { x: x + along * width, y: y + (1.0 - share) * height }
        }
    }

    /// Returns the area of a bar between the values `from` and `to`. `start` is the position on the category axis at which the
    /// bar begins: 0 at the start of the axis, 1 after the first category and so on. `width` is the width of the bar, where 1 is
    /// the width of a category.
    fn bar_area(&self, start: f32, width: f32, from: f64, to: f64) -> Rect {
        let (a, b) = (self.point_at(start, from), self.point_at(start + width, to));
        Rect { x: a.x.min(b.x), y: a.y.min(b.y), width: (a.x - b.x).abs(), height: (a.y - b.y).abs() }
    }

    /// Returns the length in points that one category takes on the category axis.
    fn category_length(&self) -> f32 {
        (if self.horizontal { self.area.height } else { self.area.width }) / self.categories.max(1) as f32
    }
}

impl ChartCanvas<'_, '_> {
    /// Draws bars, lines and areas with their axes in the area `room`.
    pub(super) fn draw_plots_with_axes(&mut self, room: Rect) {
        let chart = self.chart;
        let size = chart.text_size;
        let lying = chart.plots.iter().any(|plot| matches!(plot.kind, PlotKind::Bars { horizontal: true, .. }));
        let room = self.draw_axis_titles(room, lying);
        let length = if lying { room.width } else { room.height };
        let steps = length / (size * if lying { 5.0 } else { 2.5 });
        let scale = Scale::for_axis(chart, &chart.value_axis, false, steps);
        let values = self.widest_number(&chart.value_axis, &scale);
        let other = chart.secondary_axis.as_ref().map(|axis| (axis, Scale::for_axis(chart, axis, true, steps)));
        let right = other.as_ref().map_or(0.0, |(axis, scale)| self.widest_number(axis, scale));
        let right = if right > 0.0 { right + GAP } else { 0.0 };
        let names: Vec<f32> = if chart.category_axis.shown {
            chart.categories.iter().map(|name| self.text_width(name, size)).collect()
        } else {
            Vec::new()
        };
        let widest = names.iter().copied().fold(0.0, f32::max);
        let (left, bottom, turned) = if lying {
            (widest.min(room.width / 3.0) + GAP, if values > 0.0 { LINE_HEIGHT * size } else { 0.0 }, false)
        } else {
            let left = if values > 0.0 { values + GAP } else { 0.0 };
            let slot = (room.width - left - right) / chart.categories.len().max(1) as f32;
            // Names that do not fit side by side are rotated.
            let turned = widest > slot * 0.95;
            let high = if turned { (widest + size) * std::f32::consts::FRAC_1_SQRT_2 } else { LINE_HEIGHT * size };
            (left, if names.is_empty() { 0.0 } else { high.min(room.height / 2.0) + GAP / 2.0 }, turned)
        };
        let top = if lying { 0.0 } else { size / 2.0 };
        let inner = Rect {
            x: room.x + left,
            y: room.y + top,
            width: (room.width - left - right - GAP).max(1.0),
            height: (room.height - top - bottom).max(1.0),
        };
        let (reversed, categories) = (chart.category_axis.reversed, chart.categories.len());
        let field = PlotArea {
            area: inner,
            axis: &chart.value_axis,
            secondary: false,
            horizontal: lying,
            reversed,
            scale,
            categories,
        };
        let other = other.map(|(axis, scale)| PlotArea { axis, secondary: true, scale, ..field });
        self.draw_value_axis(&field);
        if let Some(other) = &other {
            self.draw_value_axis(other);
        }
        for plot in &chart.plots {
            self.draw_plot(plot, other.as_ref().filter(|_| plot.secondary).unwrap_or(&field));
        }
        self.draw_category_axis(&field, &names, turned);
    }

    /// Returns the width in points of the widest number of an axis.
    fn widest_number(&self, axis: &ValueAxis, scale: &Scale) -> f32 {
        let number = |value| self.text_width(&format_value(value, axis, scale.step), self.chart.text_size);
        if axis.shown { scale.ticks().map(number).fold(0.0, f32::max) } else { 0.0 }
    }

    /// Draws the titles of the axes and returns the area that remains for the plot. `lying` is true if the value axis is
    /// horizontal.
    fn draw_axis_titles(&mut self, room: Rect, lying: bool) -> Rect {
        let (categories, values) = (&self.chart.category_axis.title, &self.chart.value_axis.title);
        let (below, beside) = if lying { (values, categories) } else { (categories, values) };
        let mut room = room;
        let size = |size: Option<f32>| size.unwrap_or(self.chart.text_size);
        let other = self.chart.secondary_axis.as_ref().and_then(|axis| axis.title.as_ref());
        for (title, at_right) in [(beside.as_ref(), false), (other, true)] {
            let Some(title) = title else { continue };
            let size = size(title.size);
            let x = if at_right { room.right() - 0.3 * size } else { room.x + size };
            let at = Point { x, y: room.y + room.height / 2.0 };
            self.draw_rotated_text(&title.text, at, MIDDLE, -90.0, size, title.bold);
            room.x += if at_right { 0.0 } else { LINE_HEIGHT * size };
            room.width -= LINE_HEIGHT * size;
        }
        if let Some(title) = below {
            let size = size(title.size);
            let (x, y) = (room.x + room.width / 2.0, room.bottom() - 0.25 * size);
            self.draw_text(&title.text, x, y, MIDDLE, size, title.bold);
            room.height -= LINE_HEIGHT * size;
        }
        room
    }

    fn draw_value_axis(&mut self, field: &PlotArea<'_>) {
        let axis = field.axis;
        let size = self.chart.text_size;
        let ends = field.categories as f32;
        for value in field.scale.ticks() {
            let (from, to) = (field.point_at(0.0, value), field.point_at(ends, value));
            if axis.has_grid_lines {
                self.draw_line(from, to, GRID_COLOR, 0.5);
            }
            if axis.shown {
                let text = format_value(value, axis, field.scale.step);
                let (x, y) = (from.x.min(to.x), from.y.max(to.y));
                if field.horizontal {
                    self.draw_text(&text, x, y + 1.1 * size, MIDDLE, size, false);
                } else if field.secondary {
                    self.draw_text(&text, from.x.max(to.x) + GAP, y + 0.35 * size, START, size, false);
                } else {
                    self.draw_text(&text, x - GAP, y + 0.35 * size, END, size, false);
                }
            }
        }
    }

    fn draw_category_axis(&mut self, field: &PlotArea<'_>, names: &[f32], turned: bool) {
        let base = field.scale.bar_start();
        let (from, to) = (field.point_at(0.0, base), field.point_at(field.categories as f32, base));
        self.draw_line(from, to, AXIS_COLOR, 0.75);
        let size = self.chart.text_size;
        let room = field.category_length();
        // If the names would touch although they are rotated, only some of them are written.
        let each =
            if field.horizontal || turned { (LINE_HEIGHT * size / room.max(0.1)).ceil().max(1.0) as usize } else { 1 };
        for (index, name) in self.chart.categories.iter().enumerate().take(names.len()).step_by(each) {
            let Point { x, y } = field.point_at(index as f32 + 0.5, field.scale.least);
            if field.horizontal {
                self.draw_text(name, x - GAP, y + 0.35 * size, END, size, false);
            } else if turned {
                let at = Point { x: x + 0.3 * size, y: y + GAP / 2.0 + 0.7 * size };
                self.draw_rotated_text(name, at, END, -45.0, size, false);
            } else {
                self.draw_text(name, x, y + 1.1 * size, MIDDLE, size, false);
            }
        }
    }

    fn draw_plot(&mut self, plot: &Plot, field: &PlotArea<'_>) {
        match plot.kind {
            PlotKind::Bars { gap, overlap, .. } => self.draw_bars(plot, field, gap, overlap),
            PlotKind::Areas => self.draw_areas(plot, field),
            PlotKind::Lines => self.draw_lines(plot, field),
            PlotKind::Pie { .. } => {}
        }
    }

    fn draw_bars(&mut self, plot: &Plot, field: &PlotArea<'_>, gap: f32, overlap: f32) {
        let beside = plot.grouping == Grouping::Clustered;
        let count = if beside { plot.series.len().max(1) as f32 } else { 1.0 };
        // The total width of the bars of a category. The unit is the width of one bar.
        let widths = count - (count - 1.0) * overlap;
        let width = 1.0 / (widths + gap).max(0.01);
        for index in 0..field.categories {
            for (number, Bar { series, from, to }) in stacked_bars(plot, index).into_iter().enumerate() {
                let place = if beside { number as f32 * (1.0 - overlap) } else { 0.0 };
                let left = index as f32 + width * (gap / 2.0 + place);
                let from = if beside { field.scale.bar_start() } else { from };
                let area = field.bar_area(left, width, from, to);
                let color = point_color(series, index);
                self.items.push(DisplayItem::Rectangle { area, color, opacity: 1.0 });
                if let Some(text) = self.point_label_text(series, index, field.axis) {
                    let at = field.point_at(left + width / 2.0, to);
                    self.draw_point_label(&text, at, field.horizontal);
                }
            }
        }
    }

    fn draw_lines(&mut self, plot: &Plot, field: &PlotArea<'_>) {
        for (number, series) in plot.series.iter().enumerate() {
            let mut path: Vec<PathCommand> = Vec::new();
            let mut marks = Vec::new();
            let mut open = false;
            for index in 0..field.categories {
                let Some(value) = value_of(plot, number, index) else {
                    open = false;
                    continue;
                };
                let point = field.point_at(index as f32 + 0.5, value);
                path.push(if open { line_to(point) } else { move_to(point) });
                open = true;
                marks.push((index, point));
            }
            if series.line_width > 0.0 && path.len() > 1 {
                self.draw_stroke(path, series.color, series.line_width);
            }
            for (index, Point { x, y }) in marks {
                if series.has_markers {
                    let side = 5.0;
                    let area = Rect { x: x - side / 2.0, y: y - side / 2.0, width: side, height: side };
                    let color = point_color(series, index);
                    self.items.push(DisplayItem::Rectangle { area, color, opacity: 1.0 });
                }
                if let Some(text) = self.point_label_text(series, index, field.axis) {
                    self.draw_point_label(&text, Point { x, y: y - 3.0 }, false);
                }
            }
        }
    }

    fn draw_areas(&mut self, plot: &Plot, field: &PlotArea<'_>) {
        let beside = plot.grouping == Grouping::Clustered;
        let point = |number: usize, index: usize| value_of(plot, number, index).unwrap_or(0.0);
        for (number, series) in plot.series.iter().enumerate() {
            let mut path: Vec<PathCommand> = Vec::new();
            for index in 0..field.categories {
                let top = field.point_at(index as f32 + 0.5, point(number, index));
                path.push(if path.is_empty() { move_to(top) } else { line_to(top) });
            }
            for index in (0..field.categories).rev() {
                let below =
                    number.checked_sub(1).filter(|_| !beside).map_or(field.scale.bar_start(), |n| point(n, index));
                path.push(line_to(field.point_at(index as f32 + 0.5, below)));
            }
            path.push(PathCommand::Close);
            if field.categories > 1 {
                self.draw_fill(path, series.color);
            }
        }
    }

    fn point_label_text(&self, series: &Series, index: usize, axis: &ValueAxis) -> Option<String> {
        let value = series.values.get(index).copied().flatten()?;
        Some(match series.labels? {
            PointLabel::Category => self.chart.categories.get(index)?.clone(),
            PointLabel::Value | PointLabel::Percentage => format_value(value, axis, exact_step(value)),
        })
    }

    fn draw_point_label(&mut self, text: &str, at: Point, lying: bool) {
        let size = self.chart.text_size;
        if lying {
            self.draw_text(text, at.x + 2.0, at.y + 0.35 * size, START, size, false);
        } else {
            self.draw_text(text, at.x, at.y - 2.0, MIDDLE, size, false);
        }
    }
}

/// The bar of a series in one category.
struct Bar<'c> {
    /// The series of the bar.
    series: &'c Series,
    /// The value at which the bar begins.
    from: f64,
    /// The value at which the bar ends. It is less than `from` for a negative value.
    to: f64,
}

/// Returns the bars of one category, one for each series. `index` is the index of the category.
fn stacked_bars(plot: &Plot, index: usize) -> Vec<Bar<'_>> {
    let whole = category_total(plot, index);
    let (mut up, mut down) = (0.0, 0.0);
    let mut bars = Vec::with_capacity(plot.series.len());
    for series in &plot.series {
        let value = series.values.get(index).copied().flatten();
        let value = value.unwrap_or(0.0) / whole;
        let reached = if value < 0.0 { &mut down } else { &mut up };
        let from = if plot.grouping == Grouping::Clustered { 0.0 } else { *reached };
        *reached = from + value;
        bars.push(Bar { series, from, to: from + value });
    }
    bars
}

/// Returns the value at which a line or area is drawn in one category. This is the value of the series, or for stacked series the
/// sum of the values up to this series. `number` is the index of the series, and `index` is the index of the category. Returns
/// `None` if the series is not stacked and has no value in this category.
fn value_of(plot: &Plot, number: usize, index: usize) -> Option<f64> {
    let own = plot.series.get(number)?.values.get(index).copied().flatten();
    if plot.grouping == Grouping::Clustered {
        return own;
    }
    let below = plot.series.iter().take(number + 1).filter_map(|series| series.values.get(index).copied().flatten());
    Some(below.sum::<f64>() / category_total(plot, index))
}

/// Returns the number by which the values of a category are divided. If the plot shows percentages, this is the sum of the
/// absolute values of the category, else 1.
fn category_total(plot: &Plot, index: usize) -> f64 {
    if plot.grouping != Grouping::PercentStacked {
        return 1.0;
    }
    let values = plot.series.iter().filter_map(|series| series.values.get(index).copied().flatten());
    let sum: f64 = values.map(f64::abs).sum();
    if sum > 0.0 { sum } else { 1.0 }
}
