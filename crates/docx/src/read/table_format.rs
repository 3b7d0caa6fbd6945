//! Table, row and cell formatting (§17.4). Each element is applied on top of the inherited format.
//!
//! Word writes "left" for the leading side, which is on the right in a right-to-left table. [`TableBorders::mirror`]
//! and [`CellMargins::mirror`] swap the sides, so that left is the left side of the page.

use super::color;
use super::frame;
use super::run_format::FormatContext;
use super::values::{on_off, override_value, parse_enum, table_width, twips};
use super::xml::{Element, Ns};
use crate::tree::*;

/// Applies a `w:tblBorders` or `w:tcBorders` to borders.
pub(crate) fn apply_borders(element: Element<'_>, borders: &mut TableBorders, context: FormatContext<'_>) {
    for side in element.children().filter(|side| side.ns() == Ns::W) {
        let slot = match side.name() {
            "top" => &mut borders.top,
            "bottom" => &mut borders.bottom,
            "start" | "left" => &mut borders.left,
            "end" | "right" => &mut borders.right,
            "insideH" => &mut borders.inside_horizontal,
            "insideV" => &mut borders.inside_vertical,
            "tl2br" => &mut borders.diagonal_down,
            "tr2bl" => &mut borders.diagonal_up,
            _ => continue,
        };
        *slot = color::read_border(side, context.theme).or(*slot);
    }
}

impl TableBorders {
    /// Swaps the left and right borders, and the two diagonals, for a right-to-left table. Afterwards `left` is the
    /// border on the left side of the page.
    pub(crate) fn mirror(&mut self) {
        std::mem::swap(&mut self.left, &mut self.right);
        std::mem::swap(&mut self.diagonal_down, &mut self.diagonal_up);
    }
}

impl CellMargins {
    /// Swaps the left and right margins, for a right-to-left table. Afterwards `left` is the margin on the left side of
    /// the page.
    pub(crate) fn mirror(&mut self) {
        std::mem::swap(&mut self.left, &mut self.right);
    }
}

/// Applies a `w:tblCellMar` or `w:tcMar` to margins.
pub(crate) fn apply_margins(element: Element<'_>, margins: &mut CellMargins) {
    for side in element.children().filter(|side| side.ns() == Ns::W) {
        let slot = match side.name() {
            "top" => &mut margins.top,
            "bottom" => &mut margins.bottom,
            "start" | "left" => &mut margins.left,
            "end" | "right" => &mut margins.right,
            _ => continue,
        };
        match table_width(side) {
            Width::Points(width) => *slot = width,
            _ if side.word_attribute("type").unwrap_or("dxa") == "dxa" && side.word_attribute("w").is_some() => {
                *slot = 0.0
            }
            _ => {}
        }
    }
}

/// Applies a `w:tblPr` to the properties of a table.
pub(crate) fn apply_table_properties(element: Element<'_>, table: &mut TableProperties, context: FormatContext<'_>) {
    context.count(element);
    for child in element.children().filter(|child| child.ns() == Ns::W) {
        let val = child.val();
        match child.name() {
            "tblW" => table.width = table_width(child),
            "jc" => override_value(&mut table.alignment, val.and_then(parse_enum)),
            "tblInd" => override_value(&mut table.indent, signed_width(child)),
            "tblLayout" => {
                let fixed = child.word_attribute("type") == Some("fixed");
                table.layout = if fixed { TableLayout::Fixed } else { TableLayout::AutoFit };
            }
            "bidiVisual" => table.bidi_visual = on_off(val),
            "tblCellSpacing" => {
                override_value(&mut table.cell_spacing, signed_width(child).map(|width| width.max(0.0)))
            }
            "tblCellMar" => apply_margins(child, &mut table.margins),
            "tblBorders" => apply_borders(child, &mut table.borders, context),
            "shd" => table.shading = color::shading_color(child, context.theme),
            "tblpPr" => {
                let allow_overlap = element.child_val("tblOverlap") != Some("never");
                table.position = Some(TablePosition { allow_overlap, ..read_table_position(child) });
            }
            "tblCaption" | "tblDescription" => {
                let text = val.filter(|text| !text.trim().is_empty());
                override_value(&mut table.alternative_text, text.map(|text| Some(text.to_owned())));
            }
            _ => {}
        }
    }
}

/// Returns the width that an element specifies with `w:w` and `w:type`, in points. The width may be negative or zero.
/// Returns `None` for other units than `dxa`.
fn signed_width(element: Element<'_>) -> Option<f32> {
    match element.word_attribute("type").unwrap_or("dxa") {
        "dxa" => element.word_attribute("w").and_then(twips),
        _ => None,
    }
}

fn read_table_position(element: Element<'_>) -> TablePosition {
    let length = |name| element.word_attribute(name).and_then(twips);
    let y = frame::frame_position(element.word_attribute("tblpYSpec"), length("tblpY"));
    TablePosition {
        horizontal_anchor: element.word_attribute("horzAnchor").and_then(parse_enum).unwrap_or(FrameAnchor::Text),
        vertical_anchor: element
            .word_attribute("vertAnchor")
            .and_then(parse_enum)
            .unwrap_or(frame::default_vertical_anchor(y)),
        x: frame::frame_position(element.word_attribute("tblpXSpec"), length("tblpX")),
        y,
        distance_left: length("leftFromText").unwrap_or(0.0),
        distance_right: length("rightFromText").unwrap_or(0.0),
        distance_top: length("topFromText").unwrap_or(0.0),
        distance_bottom: length("bottomFromText").unwrap_or(0.0),
        allow_overlap: true,
    }
}

/// The flags of w:tblLook (§17.4.55). Each flag says if the table uses one of the conditional formats of its table
/// style.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TableStyleOptions {
    pub first_row: bool,
    pub last_row: bool,
    pub first_column: bool,
    pub last_column: bool,
    pub row_bands: bool,
    pub column_bands: bool,
}

pub(crate) fn read_table_style_options(element: Element<'_>) -> TableStyleOptions {
    let bits = element.val().and_then(|value| u16::from_str_radix(value, 16).ok()).unwrap_or(0);
    // Newer files write one attribute per flag, which overrides the older bit field.
    let flag = |name: &str, bit: u16| element.word_attribute(name).map_or(bits & bit != 0, |value| on_off(Some(value)));
    TableStyleOptions {
        first_row: flag("firstRow", 0x0020),
        last_row: flag("lastRow", 0x0040),
        first_column: flag("firstColumn", 0x0080),
        last_column: flag("lastColumn", 0x0100),
        row_bands: !flag("noHBand", 0x0200),
        column_bands: !flag("noVBand", 0x0400),
    }
}

/// Applies a `w:trPr` to the formatting of a row.
pub(crate) fn apply_row_properties(element: Element<'_>, row: &mut Row, context: FormatContext<'_>) {
    context.count(element);
    for child in element.children().filter(|child| child.ns() == Ns::W) {
        let val = child.val();
        match child.name() {
            "trHeight" => row.height = row_height(child),
            "tblHeader" => row.header = on_off(val),
            "cantSplit" => row.keep_together = on_off(val),
            "jc" => row.alignment = val.and_then(parse_enum).or(row.alignment),
            _ => {}
        }
    }
}

fn row_height(element: Element<'_>) -> RowHeight {
    let height = element.val().and_then(twips).unwrap_or(0.0);
    match element.word_attribute("hRule").unwrap_or("atLeast") {
        "exact" if height > 0.0 => RowHeight::Exactly(height),
        "auto" | "atLeast" if height > 0.0 => RowHeight::AtLeast(height),
        _ => RowHeight::Auto,
    }
}

/// Returns a w:cnfStyle (§17.3.1.8) as a mask of [`super::table_style::Condition`]s.
pub(crate) fn conditions_from_element(element: Element<'_>) -> u16 {
    use super::table_style::Condition::*;
    const ORDER: [(super::table_style::Condition, &str); 12] = [
        (FirstRow, "firstRow"),
        (LastRow, "lastRow"),
        (FirstColumn, "firstColumn"),
        (LastColumn, "lastColumn"),
        (OddColumns, "oddVBand"),
        (EvenColumns, "evenVBand"),
        (OddRows, "oddHBand"),
        (EvenRows, "evenHBand"),
        (TopRight, "firstRowLastColumn"),
        (TopLeft, "firstRowFirstColumn"),
        (BottomRight, "lastRowLastColumn"),
        (BottomLeft, "lastRowFirstColumn"),
    ];
    let digits = element.val().unwrap_or("").as_bytes();
    ORDER.iter().enumerate().fold(0, |mask, (place, (condition, name))| {
        let on = element.word_attribute(name).map_or(digits.get(place) == Some(&b'1'), |value| on_off(Some(value)));
        if on { mask | condition.bit() } else { mask }
    })
}

/// Applies a `w:tcPr` to the formatting of a cell, except for its borders.
pub(crate) fn apply_cell_properties(element: Element<'_>, cell: &mut Cell, context: FormatContext<'_>) {
    context.count(element);
    for child in element.children().filter(|child| child.ns() == Ns::W) {
        let val = child.val();
        match child.name() {
            "tcMar" => apply_margins(child, &mut cell.margins),
            "shd" => cell.shading = color::shading_color(child, context.theme),
            "vAlign" => {
                override_value(&mut cell.vertical_alignment, val.map(|place| parse_enum(place).unwrap_or_default()))
            }
            "textDirection" => {
                override_value(&mut cell.text_direction, val.map(|way| parse_enum(way).unwrap_or_default()))
            }
            "noWrap" => cell.no_wrap = on_off(val),
            _ => {}
        }
    }
}
