//! Reading of tables (§17.4). The properties of rows and cells are combined from table style, table, row and cell.

use waraq_rules::DiagnosticCode;

use super::cascade::TextContainer;
use super::color;
use super::part_reader::{NESTING_LIMIT, PartReader};
use super::styles::{StyleIndex, StyleKind};
use super::table_format::{
    TableStyleOptions, apply_borders, apply_cell_properties, apply_margins, apply_row_properties,
    apply_table_properties, conditions_from_element, read_table_style_options,
};
use super::table_style::{CellPosition, Condition, TableStyle, cell_borders};
use super::values::{integer, parse_enum, table_width, toggle_value, twips};
use super::xml::{Element, Ns};
use crate::tree::*;

/// The maximum number of grid columns of a table. Cells in later columns are dropped.
const MAX_COLUMNS: usize = 1_000;

/// A row as read from the part.
struct SourceRow<'t> {
    properties: Option<Element<'t>>,
    /// The table property exceptions of the row (§17.4.61). `None`: the row has none.
    exceptions: Option<Element<'t>>,
    grid_before: usize,
    cells: Vec<SourceCell<'t>>,
}

struct SourceCell<'t> {
    element: Element<'t>,
    properties: Option<Element<'t>>,
    width: Width,
    column: usize,
    span: usize,
    /// The content control that contains only this cell. `None`: the cell is in no content control, or shares it with
    /// other cells.
    control: Option<Element<'t>>,
}

/// A row or cell, and the content control that contains no other row or cell. `None`: the row or cell is in no content
/// control, or shares it with others.
type CellOrRow<'t> = (Element<'t>, Option<Element<'t>>);

/// The data of a table that are needed to read its rows and cells.
struct TableContext<'a> {
    style: Option<(StyleIndex, &'a TableStyle<'a>)>,
    properties: TableProperties,
    look: Option<TableStyleOptions>,
    rows: usize,
    columns: usize,
}

impl TableContext<'_> {
    /// Returns `true` if the first column is a header column. w:tblLook must select the first column, and the table
    /// style must have a format for it. w:tblLook alone is not enough, because it selects the first column of every new
    /// Word table.
    fn has_header_column(&self) -> bool {
        let (Some((_, style)), Some(look)) = (self.style, self.look) else { return false };
        let is_formatted = style.conditions.get(Condition::FirstColumn as usize).is_some_and(Option::is_some);
        look.first_column && is_formatted
    }
}

impl<'t> PartReader<'t, '_> {
    pub(crate) fn read_table_block(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        if self.nesting >= NESTING_LIMIT {
            self.warn(DiagnosticCode::NestedTooDeeply, "what is nested this deeply is not shown");
            return;
        }
        // The table is part of a field code, or of a saved result that is not shown.
        if self.hides_paragraph_end() {
            self.add_object_to_field_code();
            return;
        }
        self.nesting += 1;
        let table = self.read_table(element);
        self.nesting -= 1;
        if !table.rows.is_empty() {
            blocks.push(Block::Table(table));
        }
    }

    fn read_table(&mut self, element: Element<'t>) -> Table {
        let shared = self.shared;
        let context = shared.format_context();
        let direct = element.child(Ns::W, "tblPr");
        let named = direct.and_then(|direct| direct.child_val("tblStyle"));
        let index = shared.styles.find_or_default(named, StyleKind::Table);
        let style = index.and_then(|index| Some((index, shared.styles.table(index)?)));
        let mut properties = TableProperties::default();
        let of_style = style.into_iter().flat_map(|(_, style)| style.whole_table.child_elements("tblPr"));
        for element in of_style.chain(direct) {
            apply_table_properties(element, &mut properties, context);
        }
        let look = direct.and_then(|direct| direct.child(Ns::W, "tblLook")).map(read_table_style_options);
        let grid: Vec<f32> = element
            .child(Ns::W, "tblGrid")
            .into_iter()
            .flat_map(|grid| grid.children_with_name(Ns::W, "gridCol"))
            .take(MAX_COLUMNS)
            .map(|column| column.word_attribute("w").and_then(twips).unwrap_or(0.0).max(0.0))
            .collect();
        let mut rows = Vec::new();
        collect_unwrapped(element, "tr", None, &mut rows);
        let sources: Vec<_> = rows.into_iter().filter_map(|(row, _)| self.source_row(row)).collect();
        let columns = sources.iter().filter_map(|row| row.cells.last()).map(|cell| cell.column + cell.span).max();
        let mut table = TableContext { style, properties, look, rows: sources.len(), columns: columns.unwrap_or(0) };
        let outer = self.text_container.take();
        let rows = sources.iter().enumerate().map(|(index, row)| self.read_row(&table, index, row)).collect();
        self.text_container = outer;
        table.properties.header_column = table.has_header_column();
        let mut properties = table.properties;
        if properties.bidi_visual {
            properties.borders.mirror();
            properties.margins.mirror();
        }
        Table { id: NodeId::default(), properties, grid, rows }
    }

    fn source_row(&mut self, element: Element<'t>) -> Option<SourceRow<'t>> {
        let properties = element.child(Ns::W, "trPr");
        let deleted = properties.is_some_and(|properties| properties.child(Ns::W, "del").is_some());
        let hidden = properties.and_then(|properties| toggle_value(properties, "hidden")) == Some(true);
        if hidden || (deleted && !self.shared.shows_all_changes()) {
            return None;
        }
        self.charge(10, size_of::<SourceRow<'_>>() + size_of::<Row>());
        let grid_before = empty_columns(properties, "gridBefore");
        let mut cells = Vec::new();
        collect_unwrapped(element, "tc", None, &mut cells);
        let cells = self.source_cells(cells, grid_before);
        let exceptions = element.child(Ns::W, "tblPrEx");
        (!cells.is_empty()).then_some(SourceRow { properties, exceptions, grid_before, cells })
    }

    fn source_cells(&mut self, elements: Vec<CellOrRow<'t>>, mut column: usize) -> Vec<SourceCell<'t>> {
        let mut cells: Vec<SourceCell<'_>> = Vec::new();
        for (element, control) in elements {
            let properties = element.child(Ns::W, "tcPr");
            let property = |name| properties.and_then(|properties| properties.child(Ns::W, name));
            if !self.shared.shows_all_changes() && property("cellDel").is_some() {
                continue;
            }
            self.charge(4, size_of::<SourceCell<'_>>());
            let span = property("gridSpan").and_then(|span| integer(span.val()?)).unwrap_or(1).clamp(1, 63) as usize;
            if column + span > MAX_COLUMNS {
                continue;
            }
            let width = property("tcW").map(table_width).unwrap_or_default();
            let is_continuation = property("hMerge").is_some_and(|merge| merge.val() != Some("restart"));
            // The older `w:hMerge` marks the first cell and each following cell of a horizontal merge. Such cells
            // become a single cell.
            if let Some(first) = cells.last_mut().filter(|_| is_continuation) {
                first.span += span;
                if let (Width::Points(sum), Width::Points(width)) = (&mut first.width, width) {
                    *sum += width;
                }
            } else {
                cells.push(SourceCell { element, properties, width, column, span, control });
            }
            column += span;
        }
        cells
    }

    fn read_row(&mut self, table: &TableContext<'_>, index: usize, source: &SourceRow<'t>) -> Row {
        let context = self.shared.format_context();
        let mut row = Row::default();
        let exceptions = source.exceptions.and_then(|exceptions| exceptions.child_val("jc"));
        row.alignment = exceptions.and_then(parse_enum);
        if let (Some((_, style)), Some(first)) = (table.style, source.cells.first()) {
            // A row gets row properties only from conditions of complete rows, not from those of columns or corners.
            let mask = cell_conditions(table, index, source, first) & Condition::ROW_CONDITIONS;
            for element in style.child_elements(mask, "trPr") {
                apply_row_properties(element, &mut row, context);
            }
        }
        if let Some(properties) = source.properties {
            apply_row_properties(properties, &mut row, context);
        }
        row.grid_before = source.grid_before;
        row.grid_after = empty_columns(source.properties, "gridAfter");
        row.cells = source.cells.iter().map(|cell| self.read_cell(table, index, source, cell)).collect();
        row
    }

    fn read_cell(
        &mut self,
        table: &TableContext<'_>,
        row: usize,
        source: &SourceRow<'t>,
        from: &SourceCell<'t>,
    ) -> Cell {
        self.charge(40, size_of::<Cell>());
        let context = self.shared.format_context();
        let mask = cell_conditions(table, row, source, from);
        let exception = |name| source.exceptions.and_then(|exceptions| exceptions.child(Ns::W, name));
        source.exceptions.into_iter().for_each(|exceptions| context.count(exceptions));
        let mut exception_borders = TableBorders::default();
        if let Some(borders) = exception("tblBorders") {
            apply_borders(borders, &mut exception_borders, context);
        }
        let position = CellPosition {
            first_row: row == 0,
            last_row: row + 1 == table.rows,
            first_column: from.column == source.grid_before,
            last_column: source.cells.last().is_some_and(|last| last.column == from.column),
        };
        let style = table.style.map(|(_, style)| style);
        let merge = from.properties.and_then(|properties| properties.child(Ns::W, "vMerge"));
        let mut cell = Cell {
            width: from.width,
            span: from.span,
            vertical_merge: merge.map(vertical_merge).unwrap_or_default(),
            margins: table.properties.margins,
            borders: cell_borders(style, mask, &table.properties.borders, &exception_borders, &position),
            shading: table.properties.shading,
            ..Cell::default()
        };
        if let Some(shading) = exception("shd") {
            cell.shading = color::shading_color(shading, context.theme);
        }
        for element in style.into_iter().flat_map(|style| style.child_elements(mask, "tcPr")) {
            apply_cell_properties(element, &mut cell, context);
        }
        if let Some(margins) = exception("tblCellMar") {
            apply_margins(margins, &mut cell.margins);
        }
        if let Some(properties) = from.properties {
            apply_cell_properties(properties, &mut cell, context);
            if let Some(borders) = properties.child(Ns::W, "tcBorders") {
                apply_borders(borders, &mut cell.borders, context);
            }
        }
        // Cells have no inside borders.
        (cell.borders.inside_horizontal, cell.borders.inside_vertical) = (None, None);
        if table.properties.bidi_visual {
            cell.borders.mirror();
            cell.margins.mirror();
        }
        self.text_container = table.style.map(|(index, _)| TextContainer::Table(index, mask));
        cell.blocks = self.read_blocks(from.element);
        if let Some(control) = from.control {
            self.finish_block_control(control, &mut cell.blocks, 0);
        }
        for block in &mut cell.blocks {
            if let Block::Paragraph(paragraph) = block {
                align_at_decimal_stop(paragraph);
            }
        }
        if cell.blocks.is_empty() {
            cell.blocks.push(Block::Paragraph(Paragraph::default()));
        }
        cell
    }
}

/// Adds all rows of a table, or all cells of a row, to `found`. `wanted` is the element name of a row or cell. Rows and
/// cells inside content controls, custom XML and tracked insertions are added too. `control` is the content control
/// around `container`, if that control contains only one row or cell.
fn collect_unwrapped<'t>(
    container: Element<'t>,
    wanted: &str,
    control: Option<Element<'t>>,
    found: &mut Vec<CellOrRow<'t>>,
) {
    for child in container.children().filter(|child| child.ns() == Ns::W) {
        match child.name() {
            name if name == wanted => found.push((child, control)),
            "sdt" => {
                if let Some(content) = child.child(Ns::W, "sdtContent") {
                    let is_single = content.children().filter(|inner| inner.has_name(Ns::W, wanted)).count() == 1;
                    collect_unwrapped(content, wanted, Some(child).filter(|_| is_single), found);
                }
            }
            "customXml" | "ins" | "moveTo" => collect_unwrapped(child, wanted, control, found),
            _ => {}
        }
    }
}

fn vertical_merge(element: Element<'_>) -> VerticalMerge {
    if element.val() == Some("restart") { VerticalMerge::Restart } else { VerticalMerge::Continue }
}

/// Returns the number of grid columns that a row leaves empty before its first cell (`gridBefore`) or after its last
/// cell (`gridAfter`).
fn empty_columns(row: Option<Element<'_>>, name: &str) -> usize {
    row.and_then(|row| integer(row.child_val(name)?)).map_or(0, |count| count.clamp(0, 63) as usize)
}

/// Aligns the text of a paragraph in a cell at the first tab stop, if that tab stop is a decimal stop. In a cell, Word
/// does this although the text contains no tab character.
fn align_at_decimal_stop(paragraph: &mut Paragraph) {
    let properties = &paragraph.properties;
    let first = properties.tabs.iter().filter(|tab| tab.kind != TabKind::Bar);
    let first = first.min_by(|a, b| a.position.total_cmp(&b.position));
    let has_tab = paragraph.inlines.iter().any(|inline| matches!(inline.content, Content::Tab));
    let plain = properties.alignment == Alignment::Start && paragraph.label.is_none();
    if has_tab || !plain || first.is_none_or(|stop| stop.kind != TabKind::Decimal) {
        return;
    }
    let text = paragraph.inlines.iter().position(|inline| matches!(inline.content, Content::Text(_)));
    if let Some((at, run)) = text.and_then(|at| Some((at, paragraph.inlines.get(at)?.run.clone()))) {
        paragraph.inlines.insert(at, Inline { content: Content::Tab, run, link: None });
    }
}

/// Returns a bit mask of the [`Condition`]s that apply to a cell. If the table has no w:tblLook, the conditions are
/// those of the w:cnfStyle elements of the row and the cell.
fn cell_conditions(table: &TableContext<'_>, row: usize, source: &SourceRow<'_>, cell: &SourceCell<'_>) -> u16 {
    let Some((_, style)) = table.style else { return 0 };
    let Some(look) = table.look else {
        let noted = [source.properties, cell.properties].into_iter().flatten();
        let noted = noted.filter_map(|properties| properties.child(Ns::W, "cnfStyle"));
        return noted.fold(0, |mask, noted| mask | conditions_from_element(noted));
    };
    let mut mask = 0;
    let mut add = |condition: Condition, holds: bool| {
        if holds {
            mask |= condition.bit();
        }
    };
    let (first_row, last_row) = (look.first_row && row == 0, look.last_row && row + 1 == table.rows);
    let first_column = look.first_column && cell.column == 0;
    let last_column = look.last_column && cell.column + cell.span == table.columns;
    add(Condition::FirstRow, first_row);
    add(Condition::LastRow, last_row && !first_row);
    add(Condition::FirstColumn, first_column);
    add(Condition::LastColumn, last_column && !first_column);
    add(Condition::TopLeft, first_row && first_column);
    add(Condition::TopRight, first_row && last_column);
    add(Condition::BottomLeft, last_row && first_column);
    add(Condition::BottomRight, last_row && last_column);
    let band = |index: usize, skip: bool, size: usize| match size {
        0 => None,
        size => index.checked_sub(usize::from(skip)).map(|index| (index / size) % 2 == 0),
    };
    if look.row_bands && !first_row && !last_row {
        let odd = band(row, look.first_row, style.row_band_size);
        add(Condition::OddRows, odd == Some(true));
        add(Condition::EvenRows, odd == Some(false));
    }
    if look.column_bands && !first_column && !last_column {
        let odd = band(cell.column, look.first_column, style.column_band_size);
        add(Condition::OddColumns, odd == Some(true));
        add(Condition::EvenColumns, odd == Some(false));
    }
    mask
}
