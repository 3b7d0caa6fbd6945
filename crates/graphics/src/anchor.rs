//! Anchored drawings: their position on the page and how text wraps around them.

use strum::EnumString;

/// The anchor of a drawing (§20.4.2.3). Distances are in points.
#[derive(Debug, Clone, PartialEq)]
pub struct Anchor {
    pub horizontal: Position,
    pub vertical: Position,
    pub wrap: Wrap,
    pub behind_text: bool,
    pub distance_top: f32,
    pub distance_bottom: f32,
    pub distance_left: f32,
    pub distance_right: f32,
    /// The painting order: drawings with larger values are painted over those with smaller ones.
    pub z_order: i64,
    pub allow_overlap: bool,
    /// True if positions are relative to the cell instead of the page, for a drawing that is anchored in a table.
    pub layout_in_cell: bool,
    /// The width as a fraction of the width of the page or margin (wp14:sizeRelH), if given.
    pub relative_width: Option<(RelativeTo, f32)>,
    /// The height as a fraction of the height of the page or margin (wp14:sizeRelV), if given.
    pub relative_height: Option<(RelativeTo, f32)>,
}

/// A horizontal or vertical position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub relative_to: RelativeTo,
    pub value: PositionValue,
}

/// The area or point to which a position is relative (§20.4.3.4, §20.4.3.5). Parsed from the names of DrawingML or VML
/// (part 4, §19.1.2.19).
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum RelativeTo {
    Page,
    Margin,
    Column,
    #[strum(serialize = "character", serialize = "char")]
    Character,
    #[strum(serialize = "leftMargin", serialize = "left-margin-area")]
    LeftMargin,
    #[strum(serialize = "rightMargin", serialize = "right-margin-area")]
    RightMargin,
    #[strum(serialize = "topMargin", serialize = "top-margin-area")]
    TopMargin,
    #[strum(serialize = "bottomMargin", serialize = "bottom-margin-area")]
    BottomMargin,
    #[strum(serialize = "insideMargin", serialize = "inner-margin-area")]
    InsideMargin,
    #[strum(serialize = "outsideMargin", serialize = "outer-margin-area")]
    OutsideMargin,
    Paragraph,
    Line,
}

/// The position relative to the reference: an alignment or a distance (§20.4.3.1, §20.4.3.2). Parsed from the names of
/// DrawingML, which frames and VML use too.
#[derive(Debug, Clone, Copy, PartialEq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum PositionValue {
    /// A distance in points.
    #[strum(disabled)]
    Offset(f32),
    /// A fraction of the width or height of the reference (wp14:pctPosHOffset).
    #[strum(disabled)]
    Fraction(f32),
    #[strum(serialize = "left", serialize = "top")]
    Start,
    Center,
    #[strum(serialize = "right", serialize = "bottom")]
    End,
    /// The inner edge: horizontally, the left edge on odd pages and the right edge on even pages.
    Inside,
    /// The outer edge: horizontally, the right edge on odd pages and the left edge on even pages.
    Outside,
}

/// The way in which text wraps around a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// The drawing is in front of or behind the text, and the text ignores it.
    None,
    Square(WrapSides),
    /// The modes "tight" and "through". Text wraps around the bounding box of their polygon.
    Tight(WrapSides),
    TopAndBottom,
}

/// The sides on which text wraps. DrawingML and VML use the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum WrapSides {
    #[default]
    Both,
    Left,
    Right,
    Largest,
}
