//! Tables (ECMA-376 part 1, §17.4).

use serde::Serialize;
use smart_default::SmartDefault;
use strum::EnumString;

use super::{Block, Border, NodeId, Rgb};

/// A table (w:tbl).
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The identifier of the table, for the structure tree of the PDF.
    pub id: NodeId,
    /// The properties of the whole table, combined from its style and w:tblPr.
    pub properties: TableProperties,
    /// The widths of the grid columns in points (w:tblGrid), as last saved in the document.
    pub grid: Vec<f32>,
    /// The rows from top to bottom. Never empty.
    pub rows: Vec<Row>,
}

/// The properties of a table (w:tblPr).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableProperties {
    /// The preferred width of the table (w:tblW).
    pub width: Width,
    /// The alignment of the table between the page margins (w:jc).
    pub alignment: Justification,
    /// The indent in points from the leading margin (w:tblInd). It may be negative. It is used only if the table is
    /// aligned to the leading margin.
    pub indent: f32,
    /// The rule for column widths (w:tblLayout).
    pub layout: TableLayout,
    /// The first column is the rightmost (w:bidiVisual).
    pub bidi_visual: bool,
    /// The space between cells in points (w:tblCellSpacing). 0: borders collapse.
    pub cell_spacing: f32,
    /// The default margins of the cells. In compatibility modes below 15, the table extends beyond the text column by
    /// the left and right cell margins. The text of the outer cells is then aligned with the text of the column.
    pub margins: CellMargins,
    /// The borders of the table (w:tblBorders). The borders of its cells already include them.
    pub borders: TableBorders,
    /// The background of the table (w:shd). The background of its cells already includes it.
    pub shading: Option<Rgb>,
    /// The position of a floating table. `None`: the table is in the text flow.
    pub position: Option<TablePosition>,
    /// The alternative text (w:tblCaption, w:tblDescription). `None`: the table has none.
    pub alternative_text: Option<String>,
    /// The first column is a header column. Its cells are headers if w:tblLook selects the first column (§17.4.55) and
    /// the table style formats it.
    pub header_column: bool,
}

/// The preferred width of a table or a cell (w:tblW, w:tcW).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Width {
    /// The width follows from the content.
    #[default]
    Auto,
    /// The width in points. Always positive.
    Points(f32),
    /// A fraction of the available width; 1.0 is the full width.
    Fraction(f32),
}

/// The alignment of a table, a row or a label (§17.18.45, §17.9.7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Justification {
    /// Alignment at the leading edge. Files use the values `start` and `left`.
    #[default]
    #[strum(serialize = "start", serialize = "left")]
    Start,
    /// Alignment at the centre.
    Center,
    /// Alignment at the trailing edge. Files use the values `end` and `right`.
    #[strum(serialize = "end", serialize = "right")]
    End,
}

/// The rule for column widths (w:tblLayout).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TableLayout {
    /// Columns have their preferred widths, even if the content needs more space.
    Fixed,
    /// Columns have their preferred widths, but become wider if the content needs more space.
    #[default]
    AutoFit,
}

/// The margins of a cell in points. `left` and `right` are the physical sides, even in a right-to-left table.
///
/// The default left and right margin is 108 twentieths of a point, as in Word; §17.4.42 says 115.
#[derive(Debug, Clone, Copy, PartialEq, SmartDefault)]
pub struct CellMargins {
    /// The margin above the content.
    pub top: f32,
    /// The margin below the content.
    pub bottom: f32,
    /// The margin at the left of the content.
    #[default(5.4)]
    pub left: f32,
    /// The margin at the right of the content.
    #[default(5.4)]
    pub right: f32,
}

/// The borders of a table or a cell. In a cell, the inside borders are `None`. `left` and `right` are the physical
/// sides, even in a right-to-left table.
///
/// `None` means that no border is specified. [`super::BorderStyle::None`] means that there is explicitly no border.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TableBorders {
    /// The top border.
    pub top: Option<Border>,
    /// The bottom border.
    pub bottom: Option<Border>,
    /// The left border.
    pub left: Option<Border>,
    /// The right border.
    pub right: Option<Border>,
    /// The border between two rows (w:insideH).
    pub inside_horizontal: Option<Border>,
    /// The border between two cells of a row (w:insideV).
    pub inside_vertical: Option<Border>,
    /// The diagonal from the top left to the bottom right corner (w:tl2br).
    pub diagonal_down: Option<Border>,
    /// The diagonal from the bottom left to the top right corner (w:tr2bl).
    pub diagonal_up: Option<Border>,
}

/// The position of a floating table (§17.4.57).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TablePosition {
    /// The area that `x` is relative to (w:horzAnchor). The default is the text column.
    pub horizontal_anchor: super::FrameAnchor,
    /// The area that `y` is relative to (w:vertAnchor). The default is the margin, or the text if `y` is `None`.
    pub vertical_anchor: super::FrameAnchor,
    /// The horizontal position of the table (w:tblpX, w:tblpXSpec). `None`: the table is at the leading edge of the
    /// anchor area.
    pub x: Option<super::PositionValue>,
    /// The vertical position of the table (w:tblpY, w:tblpYSpec). `None`: the table is at its place in the text flow.
    pub y: Option<super::PositionValue>,
    /// The distance in points between the table and the text on its left (w:leftFromText).
    pub distance_left: f32,
    /// The distance in points between the table and the text on its right (w:rightFromText).
    pub distance_right: f32,
    /// The distance in points between the table and the text above it (w:topFromText).
    pub distance_top: f32,
    /// The distance in points between the table and the text below it (w:bottomFromText).
    pub distance_bottom: f32,
    /// The table may overlap other floating tables (w:tblOverlap). The default is true.
    pub allow_overlap: bool,
}

/// A row of a table (w:tr).
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// The height of the row (w:trHeight).
    pub height: RowHeight,
    /// The row is a header row: it is repeated at the top of each page of the table (w:tblHeader).
    pub header: bool,
    /// The row does not break across pages (w:cantSplit).
    pub keep_together: bool,
    /// The number of empty grid columns before the first cell, from 0 to 63 (w:gridBefore).
    pub grid_before: usize,
    /// The number of empty grid columns after the last cell, from 0 to 63 (w:gridAfter).
    pub grid_after: usize,
    /// The alignment of the row (w:jc). `None`: the alignment of the table.
    pub alignment: Option<Justification>,
    /// The cells in the order of the file. Horizontally merged cells are one cell. The list is never empty.
    pub cells: Vec<Cell>,
}

/// The height of a row (w:trHeight).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum RowHeight {
    /// The row is as high as its content.
    #[default]
    Auto,
    /// The row is as high as its content, but has at least this height in points.
    AtLeast(f32),
    /// The row has exactly this height in points, even if the content needs more.
    Exactly(f32),
}

/// A cell of a table (w:tc).
#[derive(Debug, Clone, Default)]
pub struct Cell {
    /// The identifier of the cell, for the structure tree of the PDF.
    pub id: NodeId,
    /// The preferred width of the cell (w:tcW).
    pub width: Width,
    /// The number of grid columns that the cell spans; at least 1.
    pub span: usize,
    /// The role of the cell in a vertical merge (w:vMerge).
    pub vertical_merge: VerticalMerge,
    /// The margins between the edges and the content of the cell (w:tcMar, or those of the table if unspecified).
    pub margins: CellMargins,
    /// The borders of the cell, combined from table style, conditional formatting, table borders and direct formatting.
    /// The layout resolves conflicts between adjacent cells (§17.4.66).
    pub borders: TableBorders,
    /// The background of the cell, combined from style, table and cell. `None` is transparent.
    pub shading: Option<Rgb>,
    /// The vertical alignment of the content (w:vAlign).
    pub vertical_alignment: VerticalAlignment,
    /// The direction of the content (w:textDirection).
    pub text_direction: TextDirection,
    /// The column is made wide enough that the lines of the cell are not wrapped (w:noWrap). Used only if `width` is
    /// automatic.
    pub no_wrap: bool,
    /// The content. Never empty in a valid document.
    pub blocks: Vec<Block>,
}

/// The role of a cell in a vertical merge (w:vMerge).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VerticalMerge {
    /// The cell is not merged.
    #[default]
    None,
    /// The cell is the first of several merged cells and holds their content.
    Restart,
    /// The cell is merged with the cell above it. Its own content is not displayed.
    Continue,
}

/// The vertical alignment of text in a cell, a text box or on a page (w:vAlign).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum VerticalAlignment {
    /// The text begins at the top.
    #[default]
    Top,
    /// The text is in the middle.
    Center,
    /// The text ends at the bottom.
    Bottom,
    /// The lines are spread over the height of the page. Used only for sections.
    #[strum(serialize = "both")]
    Justified,
}

/// The direction of text (§17.18.93). Both the transitional and the strict names are parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString, Serialize)]
#[strum(serialize_all = "camelCase")]
pub enum TextDirection {
    /// Lines are horizontal and follow each other from top to bottom (lrTb).
    #[default]
    Horizontal,
    /// Text is rotated by 90 degrees clockwise (tbRl).
    #[strum(serialize = "tbRl", serialize = "tbRlV", serialize = "rl", serialize = "rlV", serialize = "tbV")]
    Down,
    /// Text is rotated by 90 degrees counter-clockwise (btLr).
    #[strum(serialize = "btLr", serialize = "lr")]
    Up,
}
