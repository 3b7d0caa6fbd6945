//! Anchored drawings: their position on the page and how text wraps around them.

use strum::EnumString;

/// The anchor of a drawing (§20.4.2.3). Distances are in points.
#[derive(Debug, Clone, PartialEq)]
pub struct Anchor {
    /// The horizontal position (wp:positionH). The default is the left edge of the column.
    pub horizontal: Position,
    /// The vertical position (wp:positionV). The default is the top of the paragraph.
    pub vertical: Position,
    /// The text wrapping (wp:wrapSquare, wp:wrapTight and others).
    pub wrap: Wrap,
    /// True if the drawing is behind the text (behindDoc). Always false for drawings that text wraps around.
    pub behind_text: bool,
    /// The distance to the text above the drawing, from 0 to 1,000 points (distT).
    pub distance_top: f32,
    /// The distance to the text below the drawing, from 0 to 1,000 points (distB).
    pub distance_bottom: f32,
    /// The distance to the text at the left of the drawing, from 0 to 1,000 points (distL).
    pub distance_left: f32,
    /// The distance to the text at the right of the drawing, from 0 to 1,000 points (distR).
    pub distance_right: f32,
    /// The painting order: drawings with larger values are painted over those with smaller ones.
    pub z_order: i64,
    /// True if the drawing may overlap other floating drawings (allowOverlap). The default is true.
    pub allow_overlap: bool,
    /// True if positions are relative to the cell instead of the page, for a drawing that is anchored in a table.
    pub layout_in_cell: bool,
    /// A width that depends on the page or on a margin (wp14:sizeRelH): the area, and the fraction of the area's width.
    /// `None` if the drawing has only an absolute width.
    pub relative_width: Option<(RelativeTo, f32)>,
    /// A height that depends on the page or on a margin (wp14:sizeRelV): the area, and the fraction of the area's
    /// height. `None` if the drawing has only an absolute height.
    pub relative_height: Option<(RelativeTo, f32)>,
}

/// A horizontal or vertical position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    /// The area or point from which the position is measured.
    pub relative_to: RelativeTo,
    /// The alignment in the area that `relative_to` names, or the distance from the start of that area.
    pub value: PositionValue,
}

/// The area or point to which a position is relative (§20.4.3.4, §20.4.3.5). Parsed from the names of DrawingML or VML
/// (part 4, §19.1.2.19).
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum RelativeTo {
    /// The whole page.
    Page,
    /// The area inside the page margins.
    Margin,
    /// The text column that contains the anchor. Only for horizontal positions.
    Column,
    /// The horizontal position of the anchor in its line of text. Only for horizontal positions.
    #[strum(serialize = "character", serialize = "char")]
    Character,
    /// The area between the left page edge and the text.
    #[strum(serialize = "leftMargin", serialize = "left-margin-area")]
    LeftMargin,
    /// The area between the text and the right page edge.
    #[strum(serialize = "rightMargin", serialize = "right-margin-area")]
    RightMargin,
    /// The area between the top page edge and the text.
    #[strum(serialize = "topMargin", serialize = "top-margin-area")]
    TopMargin,
    /// The area between the text and the bottom page edge.
    #[strum(serialize = "bottomMargin", serialize = "bottom-margin-area")]
    BottomMargin,
    /// The margin at the inner edge of a page: the left margin on odd pages, and the right margin on even pages. For a
    /// vertical position, the top margin.
    #[strum(serialize = "insideMargin", serialize = "inner-margin-area")]
    InsideMargin,
    /// The margin at the outer edge of a page: the right margin on odd pages, and the left margin on even pages. For a
    /// vertical position, the bottom margin.
    #[strum(serialize = "outsideMargin", serialize = "outer-margin-area")]
    OutsideMargin,
    /// The paragraph that contains the anchor. Only for vertical positions.
    Paragraph,
    /// The line of text that contains the anchor. Only for vertical positions.
    Line,
}

/// A position in the area that a [`RelativeTo`] names: an alignment or a distance (§20.4.3.1, §20.4.3.2). Alignments
/// are parsed from the names of DrawingML, which frames and VML use too.
#[derive(Debug, Clone, Copy, PartialEq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum PositionValue {
    /// A distance in points from the left edge (or, for a vertical position, the top edge) of the area.
    #[strum(disabled)]
    Offset(f32),
    /// A distance as a fraction of the width (or, for a vertical position, the height) of the area
    /// (wp14:pctPosHOffset).
    #[strum(disabled)]
    Fraction(f32),
    /// Aligned with the left edge of the area or, for a vertical position, with its top edge.
    #[strum(serialize = "left", serialize = "top")]
    Start,
    /// Centred in the area.
    Center,
    /// Aligned with the right edge of the area or, for a vertical position, with its bottom edge.
    #[strum(serialize = "right", serialize = "bottom")]
    End,
    /// Aligned with the inner edge of the area: the left edge on odd pages, and the right edge on even pages. For a
    /// vertical position, the top edge on odd pages, and the bottom edge on even pages.
    Inside,
    /// Aligned with the outer edge of the area: the right edge on odd pages, and the left edge on even pages. For a
    /// vertical position, the bottom edge on odd pages, and the top edge on even pages.
    Outside,
}

/// The way in which text wraps around a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// The drawing is in front of or behind the text, and the text ignores it.
    None,
    /// Text wraps around the box of the drawing.
    Square(WrapSides),
    /// The modes `tight` and `through`. Text wraps around the box of the drawing, because the wrap polygon in the
    /// document is ignored.
    Tight(WrapSides),
    /// Text stays above and below the drawing.
    TopAndBottom,
}

/// The sides on which text wraps. DrawingML and VML use the same names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum WrapSides {
    /// Text is on the left and on the right.
    #[default]
    Both,
    /// Text is only on the left.
    Left,
    /// Text is only on the right.
    Right,
    /// Text is only on the side with more space.
    Largest,
}
