//! Charts (DrawingML, ECMA-376 part 1, §21.2) with the values they were last shown with.

use std::sync::Arc;

use strum::EnumString;

use crate::{Rgb, Stroke};

/// A chart of categories and values, or of shares of a whole.
#[derive(Debug, Clone, Default)]
pub struct Chart {
    pub title: Option<ChartText>,
    pub legend: Option<LegendPosition>,
    /// Of all plots, in order; a series has a value for each.
    pub categories: Vec<String>,
    /// Painted one over the other in one coordinate system.
    pub plots: Vec<Plot>,
    pub category_axis: CategoryAxis,
    pub value_axis: ValueAxis,
    /// The scale at the right, of the plots that are [`Plot::secondary`].
    pub secondary_axis: Option<ValueAxis>,
    /// Of labels and legend, in points.
    pub text_size: f32,
    pub text_color: Option<Rgb>,
    pub family: Option<Arc<str>>,
    pub background: Option<Rgb>,
    pub border: Option<Stroke>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ChartText {
    pub text: String,
    pub size: Option<f32>,
    pub bold: bool,
}

/// §21.2.3.24
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

#[derive(Debug, Clone)]
pub struct Plot {
    pub kind: PlotKind,
    pub grouping: Grouping,
    /// Its values are of the scale at the right.
    pub secondary: bool,
    pub series: Vec<Series>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PlotKind {
    /// Columns, or bars that lie (§21.2.2.16).
    Bars {
        horizontal: bool,
        /// Between the bars of two categories, and how far those of one overlap, as shares of a bar's width.
        gap: f32,
        overlap: f32,
    },
    Lines,
    Areas,
    /// Slices of a circle clockwise from this angle (degrees from the top), with a hole of this share of its radius.
    Pie {
        start: f32,
        hole: f32,
    },
}

/// §21.2.3.17
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Grouping {
    /// Beside each other, or each for itself.
    #[default]
    Clustered,
    Stacked,
    /// Stacked to a hundred per cent.
    #[strum(serialize = "percentStacked")]
    Shares,
}

#[derive(Debug, Clone)]
pub struct Series {
    pub name: String,
    /// One per category; `None` is a gap.
    pub values: Vec<Option<f64>>,
    pub color: Rgb,
    /// Of single points, by their place: bars that stand out, slices.
    pub point_colors: Vec<Option<Rgb>>,
    /// A line's width; 0 draws none.
    pub line_width: f32,
    pub marked: bool,
    pub labels: Option<PointLabel>,
}

/// What stands at a point (§21.2.2.49).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PointLabel {
    Value,
    /// Of the whole.
    Share,
    Category,
}

#[derive(Debug, Clone, Default)]
pub struct CategoryAxis {
    pub shown: bool,
    /// From right to left, or from top to bottom.
    pub reversed: bool,
    pub title: Option<ChartText>,
}

#[derive(Debug, Clone, Default)]
pub struct ValueAxis {
    pub shown: bool,
    pub grid: bool,
    pub least: Option<f64>,
    pub greatest: Option<f64>,
    pub step: Option<f64>,
    /// A number format's code (§18.8.31): `General`, `0.0%`, `#,##0`.
    pub format: String,
    pub title: Option<ChartText>,
}
