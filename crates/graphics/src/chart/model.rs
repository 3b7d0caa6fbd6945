//! Charts (DrawingML, ECMA-376 part 1, §21.2) with their cached values.

use std::sync::Arc;

use strum::EnumString;

use crate::{Rgb, Stroke};

/// A chart: plots with categories and values, or a pie.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    pub title: Option<ChartText>,
    pub legend: Option<LegendPosition>,
    /// The categories of all plots, in order. A series has one value for each category.
    pub categories: Vec<String>,
    /// The plots, in painting order. They are painted over each other in one plot area.
    pub plots: Vec<Plot>,
    pub category_axis: CategoryAxis,
    pub value_axis: ValueAxis,
    /// The value axis at the right, for plots with [`Plot::secondary`].
    pub secondary_axis: Option<ValueAxis>,
    /// The text size of labels and legend, in points.
    pub text_size: f32,
    pub text_color: Option<Rgb>,
    pub family: Option<Arc<str>>,
    pub background: Option<Rgb>,
    pub border: Option<Stroke>,
}

/// A title. The size is in points; `None` is the default size.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartText {
    pub text: String,
    pub size: Option<f32>,
    pub bold: bool,
}

/// The position of the legend (§21.2.3.24).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
pub enum LegendPosition {
    #[default]
    #[strum(serialize = "r")]
    Right,
    #[strum(serialize = "l")]
    Left,
    #[strum(serialize = "t")]
    Top,
    #[strum(serialize = "b")]
    Bottom,
}

/// Series that are drawn in the same way and on the same axes.
#[derive(Debug, Clone)]
pub struct Plot {
    pub kind: PlotKind,
    pub grouping: Grouping,
    /// True if the values use the axis at the right.
    pub secondary: bool,
    pub series: Vec<Series>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlotKind {
    /// Vertical or horizontal bars (§21.2.2.16).
    Bars {
        horizontal: bool,
        /// The gap between two categories, as a fraction of the width of a bar.
        gap: f32,
        /// The overlap of the bars of a category, as a fraction of the width of a bar.
        overlap: f32,
    },
    Lines,
    Areas,
    /// Slices of a circle, clockwise from `start` (degrees from the top). `hole` is the radius of the hole as a
    /// fraction of the radius of the circle.
    Pie {
        start: f32,
        hole: f32,
    },
}

/// The grouping of the series of a plot (§21.2.3.17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Grouping {
    /// Bars are side by side; lines and areas are independent of each other.
    #[default]
    Clustered,
    Stacked,
    /// Stacked to 100 percent.
    #[strum(serialize = "percentStacked")]
    PercentStacked,
}

#[derive(Debug, Clone)]
pub struct Series {
    pub name: String,
    /// One value for each category. `None` is a gap.
    pub values: Vec<Option<f64>>,
    pub color: Rgb,
    /// The colours of single points by index, for example of slices. Other points have the colour of the series.
    pub point_colors: Vec<Option<Rgb>>,
    /// The width of a line in points. 0 draws no line.
    pub line_width: f32,
    /// True if the points have markers.
    pub has_markers: bool,
    pub labels: Option<PointLabel>,
}

/// The content of the label at a point (§21.2.2.49).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointLabel {
    Value,
    /// The percentage of the whole.
    Percentage,
    Category,
}

#[derive(Debug, Clone, Default)]
pub struct CategoryAxis {
    pub shown: bool,
    /// True if the axis runs from right to left, or from top to bottom.
    pub reversed: bool,
    pub title: Option<ChartText>,
}

#[derive(Debug, Clone, Default)]
pub struct ValueAxis {
    pub shown: bool,
    /// True if lines cross the plot area at the labels.
    pub has_grid_lines: bool,
    /// The smallest value of the axis. `None` means automatic.
    pub min: Option<f64>,
    /// The largest value of the axis. `None` means automatic.
    pub max: Option<f64>,
    /// The distance between two labels. `None` means automatic.
    pub step: Option<f64>,
    /// A number format code (§18.8.31), such as `General`, `0.0%` or `#,##0`.
    pub format: String,
    pub title: Option<ChartText>,
}
