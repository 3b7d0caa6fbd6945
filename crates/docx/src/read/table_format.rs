//! Table, row and cell formatting as the document writes it (§17.4): partial, to be laid over what is inherited.

use std::sync::Arc;

use super::color;
use super::frame;
use super::run_format::FormatContext;
use super::values::{integer, on_off, table_width, twips, word};
use super::xml::{Element, Ns};
use crate::tree::*;

/// Borders by side in reading order: `start` is left unless the table is right-to-left.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BorderFormat {
    pub top: Option<Border>,
    pub bottom: Option<Border>,
    pub start: Option<Border>,
    pub end: Option<Border>,
    pub inside_horizontal: Option<Border>,
    pub inside_vertical: Option<Border>,
    pub diagonal_down: Option<Border>,
    pub diagonal_up: Option<Border>,
}

impl BorderFormat {
    fn read(element: Element<'_>, context: &FormatContext<'_>) -> Self {
        let mut borders = Self::default();
        for side in element.children().filter(|side| side.ns() == Ns::W) {
            let slot = match side.name() {
                "top" => &mut borders.top,
                "bottom" => &mut borders.bottom,
                // In a right-to-left table Word takes left for the leading side.
                "start" | "left" => &mut borders.start,
                "end" | "right" => &mut borders.end,
                "insideH" => &mut borders.inside_horizontal,
                "insideV" => &mut borders.inside_vertical,
                "tl2br" => &mut borders.diagonal_down,
                "tr2bl" => &mut borders.diagonal_up,
                _ => continue,
            };
            *slot = color::border(side, context.theme).or(*slot);
        }
        borders
    }

    pub(crate) fn over(&mut self, above: &BorderFormat) {
        lay_over!(self, above: top bottom start end inside_horizontal inside_vertical diagonal_down diagonal_up);
    }
}

/// Cell margins in points, by side in reading order.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MarginFormat {
    pub top: Option<f32>,
    pub bottom: Option<f32>,
    pub start: Option<f32>,
    pub end: Option<f32>,
}

impl MarginFormat {
    fn read(element: Element<'_>) -> Self {
        let mut margins = Self::default();
        for side in element.children().filter(|side| side.ns() == Ns::W) {
            let width = match table_width(side) {
                Width::Points(width) => Some(width),
                _ if side.w("type").unwrap_or("dxa") == "dxa" && side.w("w").is_some() => Some(0.0),
                _ => None,
            };
            match side.name() {
                "top" => margins.top = width,
                "bottom" => margins.bottom = width,
                "start" | "left" => margins.start = width,
                "end" | "right" => margins.end = width,
                _ => {}
            }
        }
        margins
    }

    pub(crate) fn over(&mut self, above: &MarginFormat) {
        lay_over!(self, above: top bottom start end);
    }

    /// With Word's defaults where nothing is said, on the sides of the page.
    pub(crate) fn resolve(&self, right_to_left: bool) -> CellMargins {
        let plain = CellMargins::default();
        let (start, end) = (self.start.unwrap_or(plain.left), self.end.unwrap_or(plain.right));
        let (left, right) = if right_to_left { (end, start) } else { (start, end) };
        CellMargins { top: self.top.unwrap_or(0.0), bottom: self.bottom.unwrap_or(0.0), left, right }
    }
}

/// What a `w:tblPr` or `w:tblPrEx` says.
#[derive(Debug, Clone, Default)]
pub(crate) struct TableFormat {
    pub style: Option<Arc<str>>,
    pub width: Option<Width>,
    pub alignment: Option<TableAlignment>,
    pub indent: Option<f32>,
    pub layout: Option<TableLayout>,
    pub bidi_visual: Option<bool>,
    pub cell_spacing: Option<f32>,
    pub margins: MarginFormat,
    pub borders: BorderFormat,
    pub shading: Option<Option<Rgb>>,
    pub position: Option<TablePosition>,
    pub caption: Option<String>,
    pub look: Option<Look>,
}

/// w:tblLook: which conditional formats of the style are used (§17.4.55).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Look {
    pub first_row: bool,
    pub last_row: bool,
    pub first_column: bool,
    pub last_column: bool,
    pub row_bands: bool,
    pub column_bands: bool,
}

impl TableFormat {
    pub(crate) fn read(element: Element<'_>, context: &FormatContext<'_>) -> Self {
        let mut format = Self::default();
        let mut overlap = true;
        for child in element.children().filter(|child| child.ns() == Ns::W) {
            let val = child.val();
            match child.name() {
                "tblStyle" => format.style = val.map(Arc::from),
                "tblW" => format.width = Some(table_width(child)),
                "jc" => format.alignment = val.and_then(word),
                "tblInd" => format.indent = signed_width(child),
                "tblLayout" => {
                    let fixed = child.w("type") == Some("fixed");
                    format.layout = Some(if fixed { TableLayout::Fixed } else { TableLayout::AutoFit });
                }
                "bidiVisual" => format.bidi_visual = Some(on_off(val)),
                "tblCellSpacing" => format.cell_spacing = signed_width(child).map(|width| width.max(0.0)),
                "tblCellMar" => format.margins = MarginFormat::read(child),
                "tblBorders" => format.borders = BorderFormat::read(child, context),
                "shd" => format.shading = Some(color::shading(child, context.theme)),
                "tblpPr" => format.position = Some(position(child)),
                "tblOverlap" => overlap = val != Some("never"),
                "tblCaption" | "tblDescription" => {
                    let text = val.filter(|text| !text.trim().is_empty()).map(str::to_owned);
                    format.caption = text.or(format.caption.take());
                }
                "tblLook" => format.look = Some(look(child)),
                _ => {}
            }
        }
        if let Some(position) = &mut format.position {
            position.allow_overlap = overlap;
        }
        format
    }

    pub(crate) fn over(&mut self, above: &TableFormat) {
        lay_over!(self, above:
            style width alignment indent layout bidi_visual cell_spacing shading position caption look
        );
        self.margins.over(&above.margins);
        self.borders.over(&above.borders);
    }
}

/// A width that may be negative or zero, in points.
fn signed_width(element: Element<'_>) -> Option<f32> {
    match element.w("type").unwrap_or("dxa") {
        "dxa" => element.w("w").and_then(twips),
        _ => None,
    }
}

fn position(element: Element<'_>) -> TablePosition {
    let length = |name| element.w(name).and_then(twips);
    let y = frame::position(element.w("tblpYSpec"), length("tblpY"));
    TablePosition {
        horizontal_anchor: element.w("horzAnchor").and_then(word).unwrap_or(FrameAnchor::Text),
        vertical_anchor: element.w("vertAnchor").and_then(word).unwrap_or(frame::vertical_anchor(y)),
        x: frame::position(element.w("tblpXSpec"), length("tblpX")),
        y,
        distance_left: length("leftFromText").unwrap_or(0.0),
        distance_right: length("rightFromText").unwrap_or(0.0),
        distance_top: length("topFromText").unwrap_or(0.0),
        distance_bottom: length("bottomFromText").unwrap_or(0.0),
        allow_overlap: true,
    }
}

fn look(element: Element<'_>) -> Look {
    let bits = element.val().and_then(|value| u16::from_str_radix(value, 16).ok()).unwrap_or(0);
    // Newer files write an attribute for each flag; they win over the old bit field.
    let flag = |name: &str, bit: u16| element.w(name).map_or(bits & bit != 0, |value| on_off(Some(value)));
    Look {
        first_row: flag("firstRow", 0x0020),
        last_row: flag("lastRow", 0x0040),
        first_column: flag("firstColumn", 0x0080),
        last_column: flag("lastColumn", 0x0100),
        row_bands: !flag("noHBand", 0x0200),
        column_bands: !flag("noVBand", 0x0400),
    }
}

/// What a `w:trPr` says.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowFormat {
    pub height: Option<RowHeight>,
    pub header: Option<bool>,
    pub keep_together: Option<bool>,
    pub hidden: Option<bool>,
    pub grid_before: Option<usize>,
    pub grid_after: Option<usize>,
    pub alignment: Option<TableAlignment>,
    pub conditions: Option<u16>,
}

impl RowFormat {
    pub(crate) fn read(element: Element<'_>) -> Self {
        let mut format = Self::default();
        for child in element.children().filter(|child| child.ns() == Ns::W) {
            let val = child.val();
            let count = || val.and_then(integer).map(|count| count.clamp(0, 63) as usize);
            match child.name() {
                "trHeight" => format.height = Some(row_height(child)),
                "tblHeader" => format.header = Some(on_off(val)),
                "cantSplit" => format.keep_together = Some(on_off(val)),
                "hidden" => format.hidden = Some(on_off(val)),
                "gridBefore" => format.grid_before = count(),
                "gridAfter" => format.grid_after = count(),
                "jc" => format.alignment = val.and_then(word),
                "cnfStyle" => format.conditions = Some(conditions(child)),
                _ => {}
            }
        }
        format
    }

    pub(crate) fn over(&mut self, above: &RowFormat) {
        lay_over!(self, above: height header keep_together hidden grid_before grid_after alignment);
    }
}

fn row_height(element: Element<'_>) -> RowHeight {
    let height = element.val().and_then(twips).unwrap_or(0.0);
    match element.w("hRule").unwrap_or("atLeast") {
        "exact" if height > 0.0 => RowHeight::Exactly(height),
        "auto" | "atLeast" if height > 0.0 => RowHeight::AtLeast(height),
        _ => RowHeight::Auto,
    }
}

/// w:cnfStyle (§17.3.1.8) as a mask of [`super::table_style::Condition`]s.
fn conditions(element: Element<'_>) -> u16 {
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
        let on = element.w(name).map_or(digits.get(place) == Some(&b'1'), |value| on_off(Some(value)));
        if on { mask | condition.bit() } else { mask }
    })
}

/// What a `w:tcPr` says.
#[derive(Debug, Clone, Default)]
pub(crate) struct CellFormat {
    pub width: Option<Width>,
    pub span: Option<usize>,
    pub vertical_merge: Option<VerticalMerge>,
    pub horizontal_merge: Option<VerticalMerge>,
    pub margins: MarginFormat,
    pub borders: BorderFormat,
    pub shading: Option<Option<Rgb>>,
    pub vertical_alignment: Option<VerticalAlignment>,
    pub text_direction: Option<TextDirection>,
    pub no_wrap: Option<bool>,
    pub fit_text: Option<bool>,
    pub conditions: Option<u16>,
}

impl CellFormat {
    pub(crate) fn read(element: Element<'_>, context: &FormatContext<'_>) -> Self {
        let mut format = Self::default();
        for child in element.children().filter(|child| child.ns() == Ns::W) {
            let val = child.val();
            let merge = || Some(if val == Some("restart") { VerticalMerge::Restart } else { VerticalMerge::Continue });
            match child.name() {
                "tcW" => format.width = Some(table_width(child)),
                "gridSpan" => format.span = val.and_then(integer).map(|span| span.clamp(1, 63) as usize),
                "vMerge" => format.vertical_merge = merge(),
                "hMerge" => format.horizontal_merge = merge(),
                "tcMar" => format.margins = MarginFormat::read(child),
                "tcBorders" => format.borders = BorderFormat::read(child, context),
                "shd" => format.shading = Some(color::shading(child, context.theme)),
                "vAlign" => format.vertical_alignment = val.map(|place| word(place).unwrap_or_default()),
                "textDirection" => format.text_direction = val.map(|way| word(way).unwrap_or_default()),
                "noWrap" => format.no_wrap = Some(on_off(val)),
                "tcFitText" => format.fit_text = Some(on_off(val)),
                "cnfStyle" => format.conditions = Some(conditions(child)),
                _ => {}
            }
        }
        format
    }

    pub(crate) fn over(&mut self, above: &CellFormat) {
        self.margins.over(&above.margins);
        self.borders.over(&above.borders);
        lay_over!(self, above: shading vertical_alignment text_direction no_wrap fit_text);
    }
}
