//! Where a drawing stands on the page, and how text goes around it.

use strum::EnumString;

/// §20.4.2.3
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
    /// Later ones are painted over earlier ones.
    pub z_order: i64,
    pub allow_overlap: bool,
    /// Positions are relative to the cell rather than the page where it is anchored in a table.
    pub layout_in_cell: bool,
    /// Width or height as a share of page or margin (wp14:sizeRelH, sizeRelV), where given.
    pub relative_width: Option<(RelativeTo, f32)>,
    pub relative_height: Option<(RelativeTo, f32)>,
}

/// Across or down.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Position {
    pub relative_to: RelativeTo,
    pub place: Place,
}

/// §20.4.3.4, §20.4.3.5; in files by the words of DrawingML or of VML (part 4, §19.1.2.19).
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

/// §20.4.3.1, §20.4.3.2; in files of frames and of VML by the same words.
#[derive(Debug, Clone, Copy, PartialEq, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum Place {
    #[strum(disabled)]
    Offset(f32),
    /// Share of the width or height of what it is relative to (wp14:pctPosHOffset).
    #[strum(disabled)]
    Share(f32),
    #[strum(serialize = "left", serialize = "top")]
    Start,
    Center,
    #[strum(serialize = "right", serialize = "bottom")]
    End,
    Inside,
    Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wrap {
    /// In front of or behind the text, which takes no notice.
    None,
    Square(WrapSides),
    /// Tight and through, with their polygons taken as their boxes.
    Tight(WrapSides),
    TopAndBottom,
}

/// In files by the words of DrawingML and of VML, which are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, EnumString)]
#[strum(serialize_all = "camelCase")]
pub enum WrapSides {
    #[default]
    Both,
    Left,
    Right,
    Largest,
}
