//! Tables (§17.4): rows and cells with what their style, the table and they themselves say.

use std::rc::Rc;
use waraq_rules::FindingCode;

use super::cascade::TableText;
use super::story::{NESTING_LIMIT, Story};
use super::styles::StyleIndex;
use super::table_borders::{Place, resolve_borders};
use super::table_format::{CellFormat, Look, RowFormat, TableFormat};
use super::table_style::{Condition, TableStyle};
use super::values::twips;
use super::xml::{Element, Ns};
use crate::tree::*;

/// Cells a table may have in the grid; what is past them is left out.
const COLUMN_LIMIT: usize = 1_000;

/// One row as it stands in the part.
struct SourceRow<'t> {
    element: Element<'t>,
    format: RowFormat,
    exceptions: Option<TableFormat>,
    cells: Vec<SourceCell<'t>>,
}

struct SourceCell<'t> {
    element: Element<'t>,
    format: CellFormat,
    column: usize,
    span: usize,
}

/// The table around a cell.
struct Around<'a> {
    style: Option<(StyleIndex, &'a TableStyle)>,
    format: TableFormat,
    look: Option<Look>,
    right_to_left: bool,
    rows: usize,
    columns: usize,
}

impl Around<'_> {
    /// Word's own look asks for a first column in every new table; only a style that has one makes it differ.
    fn has_header_column(&self) -> bool {
        let (Some((_, style)), Some(look)) = (self.style, self.look) else { return false };
        let dressed = style.conditions.get(Condition::FirstColumn as usize).is_some_and(Option::is_some);
        look.first_column && dressed
    }
}

impl<'t> Story<'t, '_> {
    pub(crate) fn table_block(&mut self, element: Element<'t>, blocks: &mut Vec<Block>) {
        if self.nesting >= NESTING_LIMIT {
            self.warn(FindingCode::NestedTooDeeply, "what is nested this deeply is not shown");
            return;
        }
        self.nesting += 1;
        let table = self.table(element);
        self.nesting -= 1;
        if !table.rows.is_empty() {
            blocks.push(Block::Table(table));
        }
    }

    fn table(&mut self, element: Element<'t>) -> Table {
        let shared = self.shared;
        let context = shared.format_context();
        let direct = element.child(Ns::W, "tblPr").map(|child| TableFormat::read(child, &context)).unwrap_or_default();
        let index = shared.styles.table_style(direct.style.as_deref());
        let style = index.and_then(|index| Some((index, shared.styles.table(index)?)));
        let mut format = style.map(|(_, style)| style.whole.table.clone()).unwrap_or_default();
        let look = direct.look;
        format.over(&direct);
        let grid: Vec<f32> = element
            .child(Ns::W, "tblGrid")
            .into_iter()
            .flat_map(|grid| grid.all(Ns::W, "gridCol"))
            .take(COLUMN_LIMIT)
            .map(|column| column.w("w").and_then(twips).unwrap_or(0.0).max(0.0))
            .collect();
        let mut sources = Vec::new();
        self.source_rows(element, &mut sources);
        let columns = sources.iter().filter_map(|row| row.cells.last()).map(|cell| cell.column + cell.span).max();
        let right_to_left = format.bidi_visual.unwrap_or(false);
        let around = Around { style, look, right_to_left, rows: sources.len(), columns: columns.unwrap_or(0), format };
        let outer = self.table_text.take();
        let rows = sources.into_iter().enumerate().map(|(index, row)| self.row(&around, index, row)).collect();
        self.table_text = outer;
        Table { id: NodeId::default(), properties: table_properties(&around), grid, rows }
    }

    /// The rows, out of content controls, custom XML and revisions around them.
    fn source_rows(&mut self, container: Element<'t>, rows: &mut Vec<SourceRow<'t>>) {
        for child in container.children().filter(|child| child.ns() == Ns::W) {
            match child.name() {
                "tr" => rows.extend(self.source_row(child)),
                "sdt" => {
                    if let Some(content) = child.child(Ns::W, "sdtContent") {
                        self.source_rows(content, rows);
                    }
                }
                "customXml" | "ins" | "moveTo" => self.source_rows(child, rows),
                _ => {}
            }
        }
    }

    fn source_row(&mut self, element: Element<'t>) -> Option<SourceRow<'t>> {
        let context = self.shared.format_context();
        let properties = element.child(Ns::W, "trPr");
        let format = properties.map(RowFormat::read).unwrap_or_default();
        let deleted = properties.is_some_and(|properties| properties.child(Ns::W, "del").is_some());
        if format.hidden == Some(true) || (deleted && !self.shared.shows_all_changes()) {
            return None;
        }
        let exceptions = element.child(Ns::W, "tblPrEx").map(|child| TableFormat::read(child, &context));
        self.takes(10, size_of::<SourceRow<'_>>() + size_of::<Row>());
        let mut row = SourceRow { element, format, exceptions, cells: Vec::new() };
        let mut column = row.format.grid_before.unwrap_or(0);
        self.source_cells(row.element, &mut column, &mut row.cells);
        (!row.cells.is_empty()).then_some(row)
    }

    fn source_cells(&mut self, container: Element<'t>, column: &mut usize, cells: &mut Vec<SourceCell<'t>>) {
        for child in container.children().filter(|child| child.ns() == Ns::W) {
            match child.name() {
                "tc" => {
                    let context = self.shared.format_context();
                    let properties = child.child(Ns::W, "tcPr");
                    if !self.shared.shows_all_changes()
                        && properties.is_some_and(|p| p.child(Ns::W, "cellDel").is_some())
                    {
                        continue;
                    }
                    self.takes(4, size_of::<SourceCell<'_>>());
                    let format = properties.map(|child| CellFormat::read(child, &context)).unwrap_or_default();
                    let span = format.span.unwrap_or(1);
                    if *column + span > COLUMN_LIMIT {
                        continue;
                    }
                    // The old way to merge cells side by side: what follows is part of the first.
                    if let (Some(VerticalMerge::Continue), Some(first)) = (format.horizontal_merge, cells.last_mut()) {
                        first.span += span;
                        if let (Some(Width::Points(sum)), Some(Width::Points(width))) =
                            (&mut first.format.width, format.width)
                        {
                            *sum += width;
                        }
                    } else {
                        cells.push(SourceCell { element: child, format, column: *column, span });
                    }
                    *column += span;
                }
                "sdt" => {
                    if let Some(content) = child.child(Ns::W, "sdtContent") {
                        self.source_cells(content, column, cells);
                    }
                }
                "customXml" | "ins" | "moveTo" => self.source_cells(child, column, cells),
                _ => {}
            }
        }
    }

    fn row(&mut self, around: &Around<'_>, index: usize, source: SourceRow<'t>) -> Row {
        let mut format = RowFormat::default();
        if let (Some((_, style)), Some(first)) = (around.style, source.cells.first()) {
            format.over(&style.whole.row);
            // Columns and corners are parts of rows: what they say of rows would be said of all the others' rows too.
            let mask = conditions(around, index, &source, first) & Condition::OF_ROWS;
            style.matching(mask).for_each(|(_, condition)| format.over(&condition.row));
        }
        format.over(&source.format);
        let cells = source.cells.iter().map(|cell| self.cell(around, index, &source, cell)).collect();
        let exception = source.exceptions.as_ref().and_then(|exceptions| exceptions.alignment);
        Row {
            height: format.height.unwrap_or_default(),
            header: format.header.unwrap_or(false),
            keep_together: format.keep_together.unwrap_or(false),
            grid_before: source.format.grid_before.unwrap_or(0),
            grid_after: source.format.grid_after.unwrap_or(0),
            alignment: format.alignment.or(exception),
            cells,
        }
    }

    fn cell(&mut self, around: &Around<'_>, row: usize, source: &SourceRow<'t>, cell: &SourceCell<'t>) -> Cell {
        self.takes(40, size_of::<Cell>());
        let mask = conditions(around, row, source, cell);
        let mut format = CellFormat::default();
        if let Some((_, style)) = around.style {
            format.over(&style.whole.cell);
            for (_, condition) in style.matching(mask) {
                format.over(&condition.cell);
            }
        }
        let inherited_shading = format.shading;
        let place = Place {
            first_row: row == 0,
            last_row: row + 1 == around.rows,
            first_column: cell.column == source.format.grid_before.unwrap_or(0),
            last_column: source.cells.last().is_some_and(|last| last.column == cell.column),
        };
        let exceptions = source.exceptions.as_ref();
        let borders = resolve_borders(
            around.style.map(|(_, style)| style),
            mask,
            &around.format.borders,
            exceptions.map(|exceptions| &exceptions.borders),
            &cell.format.borders,
            &place,
            around.right_to_left,
        );
        let mut margins = around.format.margins;
        margins.over(&format.margins);
        if let Some(exceptions) = exceptions {
            margins.over(&exceptions.margins);
        }
        margins.over(&cell.format.margins);
        format.over(&cell.format);
        self.table_text = around.style.map(|(index, style)| self.table_text(index, style, mask));
        let mut blocks = self.blocks(cell.element);
        for block in &mut blocks {
            if let Block::Paragraph(paragraph) = block {
                align_at_decimal_stop(paragraph);
            }
        }
        if blocks.is_empty() {
            blocks.push(Block::Paragraph(Paragraph::default()));
        }
        let shading = cell.format.shading.or(inherited_shading);
        let shading = shading.or(exceptions.and_then(|exceptions| exceptions.shading)).or(around.format.shading);
        Cell {
            id: NodeId::default(),
            width: cell.format.width.unwrap_or_default(),
            span: cell.span,
            vertical_merge: cell.format.vertical_merge.unwrap_or_default(),
            margins: margins.resolve(around.right_to_left),
            borders,
            shading: shading.flatten(),
            vertical_alignment: format.vertical_alignment.unwrap_or_default(),
            text_direction: format.text_direction.unwrap_or_default(),
            no_wrap: format.no_wrap.unwrap_or(false),
            fit_text: format.fit_text.unwrap_or(false),
            blocks,
        }
    }

    /// What the table style gives the text of cells under these conditions.
    fn table_text(&mut self, index: StyleIndex, style: &TableStyle, mask: u16) -> Rc<TableText> {
        let id = self.gathered.table_texts.len() + 1;
        let entry = self.gathered.table_texts.entry((index, mask));
        let make = || {
            let (paragraph, run) = style.text(mask);
            Rc::new(TableText { id, paragraph, run })
        };
        entry.or_insert_with(make).clone()
    }
}

/// In a cell a paragraph whose first stop is a decimal one is set at it without a tab, as Word does.
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

fn table_properties(around: &Around<'_>) -> TableProperties {
    let format = &around.format;
    let sides = &format.borders;
    let (left, right) = if around.right_to_left { (sides.end, sides.start) } else { (sides.start, sides.end) };
    TableProperties {
        style: around.style.map(|(_, style)| style.name.clone()),
        width: format.width.unwrap_or_default(),
        alignment: format.alignment.unwrap_or_default(),
        indent: format.indent.unwrap_or(0.0),
        layout: format.layout.unwrap_or_default(),
        bidi_visual: around.right_to_left,
        cell_spacing: format.cell_spacing.unwrap_or(0.0),
        margins: format.margins.resolve(around.right_to_left),
        borders: TableBorders {
            top: sides.top,
            bottom: sides.bottom,
            left,
            right,
            inside_horizontal: sides.inside_horizontal,
            inside_vertical: sides.inside_vertical,
        },
        shading: format.shading.flatten(),
        position: format.position,
        alternative_text: format.caption.clone(),
        header_column: around.has_header_column(),
    }
}

/// The conditional formats a cell falls under. Where the table does not say which are in use, what the producer noted
/// on row and cell counts.
fn conditions(around: &Around<'_>, row: usize, source: &SourceRow<'_>, cell: &SourceCell<'_>) -> u16 {
    let Some((_, style)) = around.style else { return 0 };
    let Some(look) = around.look else {
        return source.format.conditions.unwrap_or(0) | cell.format.conditions.unwrap_or(0);
    };
    let mut mask = 0;
    let mut add = |condition: Condition, holds: bool| {
        if holds {
            mask |= condition.bit();
        }
    };
    let (first_row, last_row) = (look.first_row && row == 0, look.last_row && row + 1 == around.rows);
    let first_column = look.first_column && cell.column == 0;
    let last_column = look.last_column && cell.column + cell.span == around.columns;
    add(Condition::FirstRow, first_row);
    add(Condition::LastRow, last_row && !first_row);
    add(Condition::FirstColumn, first_column);
    add(Condition::LastColumn, last_column && !first_column);
    add(Condition::TopLeft, first_row && first_column);
    add(Condition::TopRight, first_row && last_column);
    add(Condition::BottomLeft, last_row && first_column);
    add(Condition::BottomRight, last_row && last_column);
    let band = |index: usize, skip: bool, size: Option<usize>| match size.unwrap_or(1) {
        0 => None,
        size => index.checked_sub(usize::from(skip)).map(|index| (index / size) % 2 == 0),
    };
    if look.row_bands && !first_row && !last_row {
        let odd = band(row, look.first_row, style.row_band);
        add(Condition::OddRows, odd == Some(true));
        add(Condition::EvenRows, odd == Some(false));
    }
    if look.column_bands && !first_column && !last_column {
        let odd = band(cell.column, look.first_column, style.column_band);
        add(Condition::OddColumns, odd == Some(true));
        add(Condition::EvenColumns, odd == Some(false));
    }
    mask
}
