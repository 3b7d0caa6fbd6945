//! Table styles with their conditional formats (§17.7.6), and the borders of a cell from style and table (§17.4.38,
//! §17.4.66).

use smart_default::SmartDefault;
use strum::{EnumString, VariantArray};

use super::run_format::FormatContext;
use super::table_format::lay_borders;
use super::values::{integer, set, word};
use super::xml::{Element, Ns};
use crate::tree::{Border, TableBorders};

/// The parts of a table with conditional formats, in the order of application: later ones win.
///
/// §17.7.6.6 applies row bands over column bands, and columns over first and last rows. Word does both the other way
/// round (MS-OI29500, 2.1.252), and its built-in styles rely on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantArray)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Condition {
    #[strum(serialize = "band1Horz")]
    OddRows,
    #[strum(serialize = "band2Horz")]
    EvenRows,
    #[strum(serialize = "band1Vert")]
    OddColumns,
    #[strum(serialize = "band2Vert")]
    EvenColumns,
    #[strum(serialize = "lastCol")]
    LastColumn,
    #[strum(serialize = "firstCol")]
    FirstColumn,
    LastRow,
    FirstRow,
    #[strum(serialize = "swCell")]
    BottomLeft,
    #[strum(serialize = "seCell")]
    BottomRight,
    #[strum(serialize = "neCell")]
    TopRight,
    #[strum(serialize = "nwCell")]
    TopLeft,
}

impl Condition {
    /// The mask of the conditions for complete rows.
    pub(crate) const OF_ROWS: u16 =
        Self::OddRows.bit() | Self::EvenRows.bit() | Self::FirstRow.bit() | Self::LastRow.bit();

    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// The formats of a table style for one part of a table.
#[derive(Clone, Default)]
pub(crate) struct Part<'p> {
    /// The `w:style` or `w:tblStylePr` elements, those of base styles first.
    elements: Vec<Element<'p>>,
    pub table_borders: TableBorders,
    pub cell_borders: TableBorders,
}

impl<'p> Part<'p> {
    fn lay(&mut self, element: Element<'p>, context: FormatContext<'_>) {
        context.count(element);
        self.elements.push(element);
        let borders = |of: &str, name: &str| element.child(Ns::W, of)?.child(Ns::W, name);
        if let Some(borders) = borders("tblPr", "tblBorders") {
            lay_borders(borders, &mut self.table_borders, context);
        }
        if let Some(borders) = borders("tcPr", "tcBorders") {
            lay_borders(borders, &mut self.cell_borders, context);
        }
    }

    /// Returns the child elements of this name (`w:tblPr`, `w:pPr` …) in the order of application.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = Element<'p>> {
        self.elements.iter().filter_map(move |element| element.child(Ns::W, name))
    }
}

/// A table style, merged with its base styles.
#[derive(SmartDefault)]
pub(crate) struct TableStyle<'p> {
    pub whole: Part<'p>,
    /// The conditional formats, indexed by [`Condition`].
    pub conditions: [Option<Part<'p>>; 12],
    /// The number of rows in a row band. 0: no bands.
    #[default(1)]
    pub row_band: usize,
    #[default(1)]
    pub column_band: usize,
}

impl<'p> TableStyle<'p> {
    /// Applies a `w:style` on top of this style.
    pub(crate) fn lay(&mut self, element: Element<'p>, context: FormatContext<'_>) {
        self.whole.lay(element, context);
        for part in element.all(Ns::W, "tblStylePr") {
            match part.w("type").map(|name| (name, word::<Condition>(name))) {
                Some(("wholeTable", _)) => self.whole.lay(part, context),
                Some((_, Some(condition))) => {
                    if let Some(slot) = self.conditions.get_mut(condition as usize) {
                        slot.get_or_insert_default().lay(part, context);
                    }
                }
                _ => {}
            }
        }
        let band = |name| {
            let size = element.child(Ns::W, "tblPr")?.child_val(name).and_then(integer)?;
            Some(size.clamp(0, 1_000) as usize)
        };
        set(&mut self.row_band, band("tblStyleRowBandSize"));
        set(&mut self.column_band, band("tblStyleColBandSize"));
    }

    /// Returns the parts for the conditions in `mask` in the order of application.
    pub(crate) fn matching(&self, mask: u16) -> impl Iterator<Item = (Condition, &Part<'p>)> {
        Condition::VARIANTS
            .iter()
            .filter(move |condition| mask & condition.bit() != 0)
            .filter_map(|condition| Some((*condition, self.conditions.get(*condition as usize)?.as_ref()?)))
    }

    /// Returns the elements of this name that apply under the conditions in `mask`, in the order of application.
    pub(crate) fn all(&self, mask: u16, name: &'static str) -> impl Iterator<Item = Element<'p>> {
        let parts = std::iter::once(&self.whole).chain(self.matching(mask).map(|(_, part)| part));
        parts.flat_map(move |part| part.all(name))
    }
}

/// The position of a cell in its table.
pub(crate) struct Place {
    pub first_row: bool,
    pub last_row: bool,
    pub first_column: bool,
    pub last_column: bool,
}

/// Applies the borders of a region to a cell. Outer borders apply at the edges of the region, inside borders elsewhere.
fn region(cell: &mut TableBorders, borders: &TableBorders, edges: &Place) {
    let side = |slot: &mut Option<Border>, edge: bool, outer: Option<Border>, inner: Option<Border>| {
        *slot = if edge { outer } else { inner }.or(*slot);
    };
    side(&mut cell.top, edges.first_row, borders.top, borders.inside_horizontal);
    side(&mut cell.bottom, edges.last_row, borders.bottom, borders.inside_horizontal);
    side(&mut cell.left, edges.first_column, borders.left, borders.inside_vertical);
    side(&mut cell.right, edges.last_column, borders.right, borders.inside_vertical);
    cell.diagonal_down = borders.diagonal_down.or(cell.diagonal_down);
    cell.diagonal_up = borders.diagonal_up.or(cell.diagonal_up);
}

/// Returns the borders of a cell, without its direct formatting.
///
/// Borders of the table override those of its style, conditional formats override both, and exceptions of the row
/// override all.
pub(crate) fn cell_borders(
    style: Option<&TableStyle<'_>>,
    mask: u16,
    table: &TableBorders,
    exceptions: &TableBorders,
    place: &Place,
) -> TableBorders {
    let mut sides = TableBorders::default();
    // `table` already contains the w:tblBorders of the style.
    region(&mut sides, table, place);
    if let Some(style) = style {
        region(&mut sides, &style.whole.cell_borders, place);
        for (condition, part) in style.matching(mask) {
            let edges = edges_of(condition, place);
            region(&mut sides, &part.table_borders, &edges);
            region(&mut sides, &part.cell_borders, &edges);
        }
    }
    region(&mut sides, exceptions, place);
    sides
}

/// Returns the sides of a cell that are edges of the region of a condition.
fn edges_of(condition: Condition, place: &Place) -> Place {
    use Condition::*;
    // In a row, all top and bottom sides are edges. In a column, all left and right sides are. A corner has both.
    let rows = !matches!(condition, FirstColumn | LastColumn | OddColumns | EvenColumns);
    let columns = !matches!(condition, FirstRow | LastRow | OddRows | EvenRows);
    Place {
        first_row: rows || place.first_row,
        last_row: rows || place.last_row,
        first_column: columns || place.first_column,
        last_column: columns || place.last_column,
    }
}
