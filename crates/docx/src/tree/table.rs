//! Tables (ECMA-376 part 1, §17.4).

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Block, Border, NodeId, Rgb};

#[derive(Debug, Clone, Default)]
pub struct Table {
    pub id: NodeId,
    pub properties: TableProperties,
    /// w:tblGrid: widths of the grid's columns in points, as the document last had them.
    pub grid: Vec<f32>,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableProperties {
    pub width: Width,
    pub alignment: Justification,
    /// From the leading margin; only where the table is aligned to it.
    pub indent: f32,
    pub layout: TableLayout,
    /// w:bidiVisual: the first column is the rightmost.
    pub bidi_visual: bool,
    /// w:tblCellSpacing in points; 0: borders collapse.
    pub cell_spacing: f32,
    /// The table's default cell margins: the leading and trailing edges of the table hang out by them.
    pub margins: CellMargins,
    pub borders: TableBorders,
    pub shading: Option<Rgb>,
    pub position: Option<TablePosition>,
    /// w:tblCaption, w:tblDescription
    pub alternative_text: Option<String>,
    /// The first column names what stands beside it: w:tblLook asks for a first column (§17.4.55), and the style dresses it.
    pub header_column: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Width {
    #[default]
    Auto,
    Points(f32),
    /// Of the available width: 1.0 is all of it.
    Share(f32),
}

/// Of a table, of a row, of a label (§17.18.45, §17.9.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Justification {
    #[default]
    #[strum(serialize = "start", serialize = "left")]
    Start,
    Center,
    #[strum(serialize = "end", serialize = "right")]
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableLayout {
    Fixed,
    #[default]
    AutoFit,
}

/// In points; left and right are sides of the page. By default (§17.4.42) 115 twentieths at the sides in Word's own words, 108
/// in practice.
#[derive(Debug, Clone, Copy, PartialEq, SmartDefault)]
pub struct CellMargins {
    pub top: f32,
    pub bottom: f32,
    #[default(5.4)]
    pub left: f32,
    #[default(5.4)]
    pub right: f32,
}

/// Of a table, or of a cell, which has no inside ones; sides of the page. `None` says nothing, a border of
/// [`super::BorderStyle::None`] says no border.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TableBorders {
    pub top: Option<Border>,
    pub bottom: Option<Border>,
    pub left: Option<Border>,
    pub right: Option<Border>,
    pub inside_horizontal: Option<Border>,
    pub inside_vertical: Option<Border>,
    /// From the top left to the bottom right corner, and the other.
    pub diagonal_down: Option<Border>,
    pub diagonal_up: Option<Border>,
}

/// A floating table (§17.4.57).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TablePosition {
    pub horizontal_anchor: super::FrameAnchor,
    pub vertical_anchor: super::FrameAnchor,
    /// As those of a [`super::Frame`].
    pub x: Option<super::Place>,
    pub y: Option<super::Place>,
    pub distance_left: f32,
    pub distance_right: f32,
    pub distance_top: f32,
    pub distance_bottom: f32,
    pub allow_overlap: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Row {
    pub height: RowHeight,
    /// Repeated at the top of every page.
    pub header: bool,
    /// w:cantSplit
    pub keep_together: bool,
    /// Grid columns left empty before the first and after the last cell.
    pub grid_before: usize,
    pub grid_after: usize,
    /// w:jc of the row, where it differs from the table's.
    pub alignment: Option<Justification>,
    pub cells: Vec<Cell>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum RowHeight {
    #[default]
    Auto,
    AtLeast(f32),
    Exactly(f32),
}

#[derive(Debug, Clone, Default)]
pub struct Cell {
    pub id: NodeId,
    pub width: Width,
    /// Grid columns it spans; at least 1.
    pub span: usize,
    pub vertical_merge: VerticalMerge,
    pub margins: CellMargins,
    /// Its own borders after table style, conditional formatting, table borders and direct formatting; conflicts with
    /// neighbours are the layout's (§17.4.66).
    pub borders: TableBorders,
    pub shading: Option<Rgb>,
    pub vertical_alignment: VerticalAlignment,
    pub text_direction: TextDirection,
    pub no_wrap: bool,
    /// Never empty in a valid document.
    pub blocks: Vec<Block>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VerticalMerge {
    #[default]
    None,
    Restart,
    Continue,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum VerticalAlignment {
    #[default]
    Top,
    Center,
    Bottom,
    /// Only for sections: lines are spread over the page.
    #[strum(serialize = "both")]
    Justified,
}

/// §17.18.93; in files by the names of both dialects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum TextDirection {
    #[default]
    Horizontal,
    /// tbRl: turned clockwise.
    #[strum(serialize = "tbRl", serialize = "tbRlV", serialize = "rl", serialize = "rlV", serialize = "tbV")]
    Down,
    /// btLr: turned counter-clockwise.
    #[strum(serialize = "btLr", serialize = "lr")]
    Up,
}
