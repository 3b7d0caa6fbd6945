//! Charts (DrawingML, ECMA-376 part 1, §21.2) with their cached values.

use std::sync::Arc;

use strum::EnumString;

use crate::{Rgb, Stroke};

/// A chart: plots with categories and values, or a pie.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    /// The title above the plot area. `None` shows no title.
    pub title: Option<ChartText>,
    /// The position of the legend. `None` shows no legend.
    pub legend: Option<LegendPosition>,
    /// The categories of all plots, in order. A series has one value for each category.
    pub categories: Vec<String>,
    /// The plots, in painting order. They are painted over each other in one plot area.
    pub plots: Vec<Plot>,
    /// The axis of the categories (c:catAx or c:dateAx).
    pub category_axis: CategoryAxis,
    /// The value axis at the left, or at the bottom for horizontal bars (c:valAx).
    pub value_axis: ValueAxis,
    /// The value axis at the right, for plots whose [`Plot::secondary`] is true. `None` if the chart has only one value
    /// axis.
    pub secondary_axis: Option<ValueAxis>,
    /// The font size of labels and legend, in points.
    pub text_size: f32,
    /// The colour of labels and legend. `None` means that the chart does not specify it.
    pub text_color: Option<Rgb>,
    /// The font family of all text. When a chart is read, this is the minor font of the theme or, without a theme font,
    /// Calibri.
    pub family: Option<Arc<str>>,
    /// The solid fill of the chart. `None` is transparent.
    pub background: Option<Rgb>,
    /// The line around the chart. `None` draws no line.
    pub border: Option<Stroke>,
}

/// The title of a chart or of an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartText {
    /// The text in one line. Text from a title element is cut off after 1,000 characters.
    pub text: String,
    /// The font size in points, from 4 to 72. `None` means the default: the text size of the chart, or 1.4 times that
    /// size for the title of the chart.
    pub size: Option<f32>,
    /// True if the title is bold. If the title element contains its own text, the default is true.
    pub bold: bool,
}

/// The position of the legend (§21.2.3.24).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
pub enum LegendPosition {
    /// The legend is at the right of the plot area.
    #[default]
    #[strum(serialize = "r")]
    Right,
    /// The legend is at the left of the plot area.
    #[strum(serialize = "l")]
    Left,
    /// The legend is above the plot area, below the title.
    #[strum(serialize = "t")]
    Top,
    /// The legend is below the plot area.
    #[strum(serialize = "b")]
    Bottom,
}

/// Series that are drawn in the same way and on the same axes.
#[derive(Debug, Clone)]
pub struct Plot {
    /// The way in which the series are drawn.
    pub kind: PlotKind,
    /// The arrangement of the values of one category, for example side by side or stacked.
    pub grouping: Grouping,
    /// True if the values use the axis at the right.
    pub secondary: bool,
    /// The series in the order of the chart part, at most 200.
    pub series: Vec<Series>,
}

/// The kind of a plot, with its parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlotKind {
    /// Vertical or horizontal bars (§21.2.2.16).
    Bars {
        /// True if the bars are horizontal (c:barDir `bar`).
        horizontal: bool,
        /// The gap between two categories, as a fraction of the width of a bar.
        gap: f32,
        /// The overlap of the bars of a category, as a fraction of the width of a bar. Negative values leave a gap
        /// between the bars.
        overlap: f32,
    },
    /// Lines between the points of a series (c:lineChart).
    Lines,
    /// Filled areas below the points of a series (c:areaChart).
    Areas,
    /// Slices of a circle, clockwise from `start` (degrees from the top). `hole` is the radius of the hole as a
    /// fraction of the radius of the circle.
    Pie {
        /// The angle at which the first slice starts, in degrees clockwise from the top, from 0 to 360.
        start: f32,
        /// The radius of the hole as a fraction of the radius of the circle. It is 0.1 to 0.9 for a doughnut chart, and
        /// 0 for a pie chart.
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
    /// The values of a category are added up.
    Stacked,
    /// The values of a category are added up and scaled to 100 percent.
    #[strum(serialize = "percentStacked")]
    PercentStacked,
}

/// A series of a plot (c:ser).
#[derive(Debug, Clone)]
pub struct Series {
    /// The name in the legend. The default is `Series 1`, `Series 2` and so on.
    pub name: String,
    /// One value for each category. `None` is a missing value.
    pub values: Vec<Option<f64>>,
    /// The colour of the bars, line or area: the colour that the series specifies, or else an accent colour of the
    /// theme.
    pub color: Rgb,
    /// The colours of single points by index from 0, for example of slices. Points with `None`, and points beyond the
    /// end of the list, have the colour of the series.
    pub point_colors: Vec<Option<Rgb>>,
    /// The line width of the series in points. 0 draws no line.
    pub line_width: f32,
    /// True if the points have markers.
    pub has_markers: bool,
    /// The labels at the points. `None` shows no labels.
    pub labels: Option<PointLabel>,
}

/// The content of the label at a point (§21.2.2.49).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointLabel {
    /// The value in the number format of the axis.
    Value,
    /// The share of a slice in the whole pie, in percent. Other plots show the value instead.
    Percentage,
    /// The name of the category.
    Category,
}

/// The axis with the names of the categories.
#[derive(Debug, Clone, Default)]
pub struct CategoryAxis {
    /// True if the axis has visible labels.
    pub shown: bool,
    /// True if the axis runs from right to left, or from top to bottom.
    pub reversed: bool,
    /// The title beside the axis. `None` shows no title.
    pub title: Option<ChartText>,
}

/// An axis with numbers.
#[derive(Debug, Clone, Default)]
pub struct ValueAxis {
    /// True if the axis has visible labels.
    pub shown: bool,
    /// True if grid lines cross the plot area at the labels of this axis.
    pub has_grid_lines: bool,
    /// The smallest value of the axis. `None` means automatic.
    pub min: Option<f64>,
    /// The largest value of the axis. `None` means automatic.
    pub max: Option<f64>,
    /// The distance between two labels. `None` means automatic.
    pub step: Option<f64>,
    /// A number format code (§18.8.31), such as `General`, `0.0%` or `#,##0`.
    pub format: String,
    /// The title beside the axis. `None` shows no title.
    pub title: Option<ChartText>,
}
