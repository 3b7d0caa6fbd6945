//! Widths of a table's columns (ECMA-376 part 1, §17.4.52, §17.18.87).
//!
//! The preferred widths of cells have priority. Columns without a preferred width use the grid (w:tblGrid), which Word computed
//! when it last saved the document. An auto-fit table widens columns that are too narrow for their longest word, but does not
//! become wider than the space on the page.

use std::ops::Range;

use waraq_docx::tree::{Block, Cell, Justification, Table, TableLayout as Fit, VerticalMerge, Width};

use super::super::areas::Frame;
use super::super::context::LayoutContext;
use super::super::geometry::{length_or, positive_length_or};
use super::borders::{TextInsets, text_insets};
use super::grid::GridCell;
use crate::text::{ContentWidths, ParagraphLines};

/// The widths in points that the cells of a grid column request, and those that their content needs.
#[derive(Debug, Clone, Copy, Default)]
struct GridColumn {
    preferred: Option<f32>,
    /// Width of the widest unbreakable content (a word, a picture), including cell margins.
    min_content: f32,
    /// Width of the widest line if no line is wrapped, including cell margins.
    max_content: f32,
    /// Width of the widest picture, including cell margins. Unlike a word, a picture cannot be cut.
    picture_width: f32,
}

/// A cell that spans several grid columns, and the widths that its content needs. The widths are in points and include the cell
/// margins.
struct GridSpan {
    /// Indices of the grid columns.
    columns: Range<usize>,
    /// Width of the widest unbreakable content.
    min_content: f32,
    /// Width of the widest line if no line is wrapped.
    max_content: f32,
}

/// Returns the width of each grid column in points.
pub(super) fn column_widths(
    ctx: &LayoutContext<'_>,
    table: &Table,
    rows: &[Vec<GridCell<'_>>],
    count: usize,
    frame: &Frame,
) -> Vec<f32> {
    let ReferenceWidths { relative: whole, maximum: room } = reference_widths(ctx, table, frame);
    let properties = &table.properties;
    let target = match properties.width {
        Width::Auto => None,
        Width::Points(points) if points > 0.0 => Some(positive_length_or(points, room)),
        Width::Fraction(share) if share > 0.0 => Some(positive_length_or(whole * share, whole)),
        _ => None,
    };
    let mut columns = vec![GridColumn::default(); count];
    let grid = (0..count).map(|index| table.grid.get(index).map_or(0.0, |width| positive_length_or(*width, 0.0)));
    let grid: Vec<f32> = grid.collect();
    // Some writers store a grid of placeholder widths, which Word ignores.
    let grid_width: f32 = grid.iter().sum();
    let all_say = table.grid.len() == count && grid.iter().all(|width| *width > 0.0);
    let grid_is_real = all_say && grid_width > 6.0 * count as f32;
    let weight = |index: usize| if grid_is_real { grid[index] } else { 1.0 };
    collect_preferred_widths(&mut columns, rows, target.unwrap_or(room), &weight);
    if properties.layout == Fit::Fixed {
        // If the grid is as wide as the table should be, cell widths that differ from the grid are outdated.
        if grid_is_real && target.is_some_and(|target| (target - grid_width).abs() < 1.0) {
            return grid;
        }
        // Cells without a preferred width divide the table's width like their grid columns (§17.4.63, w:tblW).
        if let Some(target) = target.filter(|_| grid_width > 0.0 && columns.iter().all(|c| c.preferred.is_none())) {
            return grid.iter().map(|width| width * target / grid_width).collect();
        }
        let equal = target.unwrap_or(room) / count as f32;
        let own = grid.iter().map(|width| if grid_width > 0.0 { *width } else { equal });
        return columns.iter().zip(own).map(|(column, own)| column.preferred.unwrap_or(own)).collect();
    }
    collect_content_widths(ctx, &mut columns, rows, frame);
    if grid_is_real {
        for (column, width) in columns.iter_mut().zip(grid) {
            column.preferred = column.preferred.or(Some(width));
        }
    }
    auto_fit_widths(&columns, target, room)
}

/// Returns how far a table extends beyond the left and right edge of the text column that contains it, in points. Up to Word
/// 2010, it extends by the left and right cell margins, so that the text of the outer cells is aligned with the text of the
/// column. Since Word 2013 (compatibility mode 15), the edges of the table are aligned with the column.
pub(super) fn margin_overhang(ctx: &LayoutContext<'_>, table: &Table) -> [f32; 2] {
    let margins = &table.properties.margins;
    match ctx.document.settings.compatibility_mode {
        ..15 => [positive_length_or(margins.left, 0.0), positive_length_or(margins.right, 0.0)],
        _ => [0.0; 2],
    }
}

/// The widths in points on which the width of a table depends. Both include the parts of the table that extend beyond the text
/// column. (This matches the grids that Word saved for 97 tables in 60 files.)
struct ReferenceWidths {
    /// The width to which relative table widths refer (§17.4.63, §17.18.90).
    relative: f32,
    /// The maximum width of an auto-fit table.
    maximum: f32,
}

/// Returns the widths on which the width of a table in the column `frame` depends.
fn reference_widths(ctx: &LayoutContext<'_>, table: &Table, frame: &Frame) -> ReferenceWidths {
    let properties = &table.properties;
    let whole = frame.width + margin_overhang(ctx, table).iter().sum::<f32>();
    let indented = properties.alignment == Justification::Start && properties.position.is_none();
    let indent = if indented { length_or(properties.indent, 0.0) } else { 0.0 };
    ReferenceWidths { relative: whole, maximum: positive_length_or(whole - indent, whole) }
}

/// Computes the preferred width of each column. Cells that span one column are used first. Then the width of each cell that spans
/// several columns is divided between these columns. Columns that already have a preferred width keep it. The others share the
/// rest in proportion to `weight`. Relative widths refer to `reference_width`.
fn collect_preferred_widths(
    columns: &mut [GridColumn],
    rows: &[Vec<GridCell<'_>>],
    reference_width: f32,
    weight: &dyn Fn(usize) -> f32,
) {
    let wish = |cell: &Cell| match cell.width {
        Width::Points(points) if points > 0.0 => Some(positive_length_or(points, 0.0)),
        Width::Fraction(share) if share > 0.0 => Some(positive_length_or(reference_width * share, 0.0)),
        _ => None,
    };
    for cell in rows.iter().flatten().filter(|cell| cell.end_column - cell.first_column == 1) {
        if let (Some(wish), Some(column)) = (wish(cell.cell), columns.get_mut(cell.first_column)) {
            column.preferred = Some(column.preferred.map_or(wish, |known| known.max(wish)));
        }
    }
    for cell in rows.iter().flatten().filter(|cell| cell.end_column - cell.first_column > 1) {
        let Some(wish) = wish(cell.cell) else { continue };
        let Some(spanned) = columns.get_mut(cell.first_column..cell.end_column) else { continue };
        let known: f32 = spanned.iter().filter_map(|column| column.preferred).sum();
        let open = || (cell.first_column..).zip(&*spanned).filter(|(_, column)| column.preferred.is_none());
        let share = (wish - known).max(0.0) / open().map(|(index, _)| weight(index)).sum::<f32>();
        for (index, column) in (cell.first_column..).zip(spanned).filter(|(_, column)| column.preferred.is_none()) {
            column.preferred = Some(share * weight(index));
        }
    }
}

/// Computes the width that each column needs for the content of its cells.
fn collect_content_widths(
    ctx: &LayoutContext<'_>,
    columns: &mut [GridColumn],
    rows: &[Vec<GridCell<'_>>],
    frame: &Frame,
) {
    let mut spanning: Vec<GridSpan> = Vec::new();
    for cell in rows.iter().flatten().filter(|cell| cell.cell.vertical_merge != VerticalMerge::Continue) {
        let TextInsets { left, right } = text_insets(cell.cell);
        let margins = left + right;
        let upright = cell.cell.text_direction == waraq_docx::tree::TextDirection::Horizontal;
        // Rotated text needs only the height of a line as the width of its cell.
        let ContentWidths { min_content: least, max_content: most, widest_object: solid, .. } = match upright {
            true => content_widths(ctx, &cell.cell.blocks, frame.section, frame.depth),
            false => ContentWidths {
                min_content: 12.0,
                max_content: 12.0,
                max_content_without_tabs: 12.0,
                widest_object: 0.0,
            },
        };
        let (least, most) = (least + margins, most + margins);
        let least = if cell.cell.no_wrap && cell.cell.width == Width::Auto { most } else { least };
        if cell.end_column - cell.first_column == 1 {
            if let Some(column) = columns.get_mut(cell.first_column) {
                column.min_content = column.min_content.max(least);
                column.max_content = column.max_content.max(most);
                column.picture_width = column.picture_width.max(if solid > 0.0 { solid + margins } else { 0.0 });
            }
        } else {
            let columns = cell.first_column..cell.end_column;
            spanning.push(GridSpan { columns, min_content: least, max_content: most });
        }
    }
    for GridSpan { columns: range, min_content, max_content } in spanning {
        let Some(spanned) = columns.get_mut(range) else { continue };
        let share = 1.0 / spanned.len() as f32;
        let lack_least = min_content - spanned.iter().map(|c| c.min_content).sum::<f32>();
        let lack_most = max_content - spanned.iter().map(|c| c.max_content).sum::<f32>();
        for column in spanned {
            column.min_content += (lack_least * share).max(0.0);
            column.max_content += (lack_most * share).max(0.0);
        }
    }
}

/// Returns the minimum width of the content of a cell or text box, and its width without line wrapping. `depth` is the number of
/// boxes around the content.
pub(crate) fn content_widths(ctx: &LayoutContext<'_>, blocks: &[Block], section: usize, depth: u8) -> ContentWidths {
    let mut widths = ContentWidths::default();
    if depth > 20 {
        return widths;
    }
    let context = ctx.text_context(section);
    for block in blocks {
        let wants = match block {
            Block::Paragraph(paragraph) => ParagraphLines::new(paragraph, context).content_widths(),
            Block::Table(table) => {
                let width: f32 = table.grid.iter().map(|width| positive_length_or(*width, 0.0)).sum();
                let width = match table.properties.width {
                    Width::Points(points) => positive_length_or(points, width),
                    _ => width,
                };
                ContentWidths {
                    min_content: width.min(72.0),
                    max_content: width,
                    max_content_without_tabs: width,
                    widest_object: 0.0,
                }
            }
        };
        widths.min_content = widths.min_content.max(positive_length_or(wants.min_content, 0.0));
        widths.max_content = widths.max_content.max(positive_length_or(wants.max_content, 0.0));
        widths.max_content_without_tabs =
            widths.max_content_without_tabs.max(positive_length_or(wants.max_content_without_tabs, 0.0));
        widths.widest_object = widths.widest_object.max(positive_length_or(wants.widest_object, 0.0));
    }
    widths
}

/// Returns the widths of the columns of an auto-fit table. `target` is the width of the table. If `target` is `None`, the table
/// is as wide as its content, but at most `room` points.
fn auto_fit_widths(columns: &[GridColumn], target: Option<f32>, room: f32) -> Vec<f32> {
    let mut widths: Vec<f32> =
        columns.iter().map(|column| column.preferred.unwrap_or(column.max_content).max(column.min_content)).collect();
    let total: f32 = widths.iter().sum();
    let goal = match target {
        Some(target) => target,
        None => total.min(room),
    };
    if (total - goal).abs() < 0.05 || total <= 0.0 {
        return widths;
    }
    if goal > total {
        let open: f32 = columns.iter().zip(&widths).filter(|(c, _)| c.preferred.is_none()).map(|(_, w)| w).sum();
        for (column, width) in columns.iter().zip(&mut widths) {
            let takes = open <= 0.0 || column.preferred.is_none();
            let base = if open > 0.0 { open } else { total };
            *width += if takes { (goal - total) * *width / base } else { 0.0 };
        }
        return widths;
    }
    shrink_widths(columns, &mut widths, total - goal);
    // A table becomes wider than requested if its pictures require it.
    for (column, width) in columns.iter().zip(&mut widths) {
        *width = width.max(column.picture_width);
    }
    widths
}

/// Makes columns narrower by `excess` points in total. Columns that are wider than their content needs are made narrower first.
/// If that is not enough, all columns are made narrower.
fn shrink_widths(columns: &[GridColumn], widths: &mut [f32], excess: f32) {
    let spare: f32 = columns.iter().zip(&*widths).map(|(column, width)| (width - column.min_content).max(0.0)).sum();
    let taken = excess.min(spare);
    if spare > 0.0 {
        for (column, width) in columns.iter().zip(&mut *widths) {
            *width -= taken * (*width - column.min_content).max(0.0) / spare;
        }
    }
    let total: f32 = widths.iter().sum();
    if excess > taken && total > 0.0 {
        let factor = ((total - (excess - taken)) / total).max(0.05);
        widths.iter_mut().for_each(|width| *width *= factor);
    }
}
