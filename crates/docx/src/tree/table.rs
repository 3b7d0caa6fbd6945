//! Tables (ECMA-376 part 1, §17.4).

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Block, Border, NodeId, Rgb};

#[derive(Debug, Clone, Default)]
pub struct Table {
    pub id: NodeId,
    pub properties: TableProperties,
    /// The widths of the grid columns in points (w:tblGrid), as last saved in the document.
    pub grid: Vec<f32>,
    pub rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableProperties {
    pub width: Width,
    pub alignment: Justification,
    /// The indent from the leading margin. Used only if the table is aligned to that margin.
    pub indent: f32,
    pub layout: TableLayout,
    /// The first column is the rightmost (w:bidiVisual).
    pub bidi_visual: bool,
    /// The space between cells in points (w:tblCellSpacing). 0: borders collapse.
    pub cell_spacing: f32,
    /// The default cell margins. The table edges extend past the text margins by the leading and trailing cell margins.
    pub margins: CellMargins,
    pub borders: TableBorders,
    pub shading: Option<Rgb>,
    pub position: Option<TablePosition>,
    /// The alternative text (w:tblCaption, w:tblDescription).
    pub alternative_text: Option<String>,
    /// The first column is a header column: w:tblLook selects it (§17.4.55) and the style formats it.
    pub header_column: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Width {
    #[default]
    Auto,
    Points(f32),
    /// A fraction of the available width; 1.0 is the full width.
    Fraction(f32),
}

/// The alignment of a table, a row or a label (§17.18.45, §17.9.7).
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

/// The margins of a cell in points. Left and right are sides of the page.
///
/// The default left and right margin is 108 twentieths of a point, as in Word; §17.4.42 says 115.
#[derive(Debug, Clone, Copy, PartialEq, SmartDefault)]
pub struct CellMargins {
    pub top: f32,
    pub bottom: f32,
    #[default(5.4)]
    pub left: f32,
    #[default(5.4)]
    pub right: f32,
}

/// The borders of a table or a cell. Cells have no inside borders. Sides are sides of the page.
///
/// `None` is unspecified; [`super::BorderStyle::None`] is explicitly no border.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TableBorders {
    pub top: Option<Border>,
    pub bottom: Option<Border>,
    pub left: Option<Border>,
    pub right: Option<Border>,
    pub inside_horizontal: Option<Border>,
    pub inside_vertical: Option<Border>,
    /// The diagonal from the top left to the bottom right corner; `diagonal_up` is the other one.
    pub diagonal_down: Option<Border>,
    pub diagonal_up: Option<Border>,
}

/// A floating table (§17.4.57).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TablePosition {
    pub horizontal_anchor: super::FrameAnchor,
    pub vertical_anchor: super::FrameAnchor,
    /// The position, with the same meaning as in [`super::Frame`].
    pub x: Option<super::PositionValue>,
    pub y: Option<super::PositionValue>,
    pub distance_left: f32,
    pub distance_right: f32,
    pub distance_top: f32,
    pub distance_bottom: f32,
    pub allow_overlap: bool,
}

#[derive(Debug, Clone, Default)]
pub struct Row {
    pub height: RowHeight,
    /// The row repeats at the top of every page.
    pub header: bool,
    /// The row does not break across pages (w:cantSplit).
    pub keep_together: bool,
    /// The number of empty grid columns before the first cell; `grid_after` counts those after the last cell.
    pub grid_before: usize,
    pub grid_after: usize,
    /// The alignment of the row if it differs from the table (w:jc).
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
    /// The number of grid columns of the cell; at least 1.
    pub span: usize,
    pub vertical_merge: VerticalMerge,
    pub margins: CellMargins,
    /// The borders after table style, conditional formatting, table borders and direct formatting are combined. The
    /// layout resolves conflicts between adjacent cells (§17.4.66).
    pub borders: TableBorders,
    pub shading: Option<Rgb>,
    pub vertical_alignment: VerticalAlignment,
    pub text_direction: TextDirection,
    pub no_wrap: bool,
    /// The content. Never empty in a valid document.
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
    /// Lines are spread over the page; only for sections.
    #[strum(serialize = "both")]
    Justified,
}

/// The direction of text (§17.18.93). Both the transitional and the strict names are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum TextDirection {
    #[default]
    Horizontal,
    /// Text is rotated clockwise (tbRl).
    #[strum(serialize = "tbRl", serialize = "tbRlV", serialize = "rl", serialize = "rlV", serialize = "tbV")]
    Down,
    /// Text is rotated counter-clockwise (btLr).
    #[strum(serialize = "btLr", serialize = "lr")]
    Up,
}
