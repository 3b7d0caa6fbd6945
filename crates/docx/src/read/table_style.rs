//! Table styles with their conditional formats (§17.7.6), and the borders of a cell from style and table (§17.4.38,
//! §17.4.66).

use smart_default::SmartDefault;
use strum::{EnumString, VariantArray};

use super::run_format::FormatContext;
use super::table_format::apply_borders;
use super::values::{integer, override_value, parse_enum};
use super::xml::{Element, Ns};
use crate::tree::{Border, TableBorders};

/// The parts of a table with conditional formats, in the order of application: later ones win.
///
/// According to §17.7.6.6, row bands override column bands, and the first and last columns override the first and last
/// rows. In Word, column bands override row bands, and the first and last rows override the first and last columns
/// (MS-OI29500, 2.1.252). The built-in styles of Word rely on that.
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
    /// The mask of the conditions that select complete rows.
    pub(crate) const ROW_CONDITIONS: u16 =
        Self::OddRows.bit() | Self::EvenRows.bit() | Self::FirstRow.bit() | Self::LastRow.bit();

    pub(crate) const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// The formats of a table style for one part of a table.
#[derive(Clone, Default)]
pub(crate) struct ConditionalFormat<'p> {
    /// The `w:style` or `w:tblStylePr` elements, those of base styles first.
    elements: Vec<Element<'p>>,
    pub table_borders: TableBorders,
    pub cell_borders: TableBorders,
}

impl<'p> ConditionalFormat<'p> {
    fn apply(&mut self, element: Element<'p>, context: FormatContext<'_>) {
        context.count(element);
        self.elements.push(element);
        let borders = |of: &str, name: &str| element.child(Ns::W, of)?.child(Ns::W, name);
        if let Some(borders) = borders("tblPr", "tblBorders") {
            apply_borders(borders, &mut self.table_borders, context);
        }
        if let Some(borders) = borders("tcPr", "tcBorders") {
            apply_borders(borders, &mut self.cell_borders, context);
        }
    }

    /// Returns the child elements of this name (`w:tblPr`, `w:pPr` …) in the order of application.
    pub(crate) fn child_elements(&self, name: &str) -> impl Iterator<Item = Element<'p>> {
        self.elements.iter().filter_map(move |element| element.child(Ns::W, name))
    }
}

/// A table style, merged with its base styles.
#[derive(SmartDefault)]
pub(crate) struct TableStyle<'p> {
    pub whole_table: ConditionalFormat<'p>,
    /// The conditional formats, indexed by [`Condition`].
    pub conditions: [Option<ConditionalFormat<'p>>; 12],
    /// The number of rows in a row band. 0: no bands.
    #[default(1)]
    pub row_band_size: usize,
    #[default(1)]
    pub column_band_size: usize,
}

impl<'p> TableStyle<'p> {
    /// Applies a `w:style` on top of this style.
    pub(crate) fn apply(&mut self, element: Element<'p>, context: FormatContext<'_>) {
        self.whole_table.apply(element, context);
        for part in element.children_with_name(Ns::W, "tblStylePr") {
            match part.word_attribute("type").map(|name| (name, parse_enum::<Condition>(name))) {
                Some(("wholeTable", _)) => self.whole_table.apply(part, context),
                Some((_, Some(condition))) => {
                    if let Some(slot) = self.conditions.get_mut(condition as usize) {
                        slot.get_or_insert_default().apply(part, context);
                    }
                }
                _ => {}
            }
        }
        let band = |name| {
            let size = element.child(Ns::W, "tblPr")?.child_val(name).and_then(integer)?;
            Some(size.clamp(0, 1_000) as usize)
        };
        override_value(&mut self.row_band_size, band("tblStyleRowBandSize"));
        override_value(&mut self.column_band_size, band("tblStyleColBandSize"));
    }

    /// Returns the formats for the conditions in `mask`, in the order of application.
    pub(crate) fn conditional_formats(&self, mask: u16) -> impl Iterator<Item = (Condition, &ConditionalFormat<'p>)> {
        Condition::VARIANTS
            .iter()
            .filter(move |condition| mask & condition.bit() != 0)
            .filter_map(|condition| Some((*condition, self.conditions.get(*condition as usize)?.as_ref()?)))
    }

    /// Returns the elements of this name that apply under the conditions in `mask`, in the order of application.
    pub(crate) fn child_elements(&self, mask: u16, name: &'static str) -> impl Iterator<Item = Element<'p>> {
        let parts = std::iter::once(&self.whole_table).chain(self.conditional_formats(mask).map(|(_, part)| part));
        parts.flat_map(move |part| part.child_elements(name))
    }
}

/// The position of a cell in its table.
pub(crate) struct CellPosition {
    pub first_row: bool,
    pub last_row: bool,
    pub first_column: bool,
    pub last_column: bool,
}

/// Applies the borders of a region (the table or a part of it) to a cell. The outer borders apply to the sides of the
/// cell that are edges of the region. The inside borders apply to the other sides.
fn apply_region_borders(cell: &mut TableBorders, borders: &TableBorders, edges: &CellPosition) {
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
    position: &CellPosition,
) -> TableBorders {
    let mut sides = TableBorders::default();
    // `table` already contains the w:tblBorders of the style.
    apply_region_borders(&mut sides, table, position);
    if let Some(style) = style {
        apply_region_borders(&mut sides, &style.whole_table.cell_borders, position);
        for (condition, part) in style.conditional_formats(mask) {
            let edges = region_edges(condition, position);
            apply_region_borders(&mut sides, &part.table_borders, &edges);
            apply_region_borders(&mut sides, &part.cell_borders, &edges);
        }
    }
    apply_region_borders(&mut sides, exceptions, position);
    sides
}

/// Returns the sides of a cell that are edges of the region of a condition, such as the first row.
fn region_edges(condition: Condition, position: &CellPosition) -> CellPosition {
    use Condition::*;
    // Each cell of a row region touches the top and bottom edges of the region. Each cell of a column region touches
    // its left and right edges. A corner cell touches all four.
    let rows = !matches!(condition, FirstColumn | LastColumn | OddColumns | EvenColumns);
    let columns = !matches!(condition, FirstRow | LastRow | OddRows | EvenRows);
    CellPosition {
        first_row: rows || position.first_row,
        last_row: rows || position.last_row,
        first_column: columns || position.first_column,
        last_column: columns || position.last_column,
    }
}
