//! Matrices (§22.1.2.60) and equation arrays (§22.1.2.34).

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{MathAlignment, MathNode, MathRow, MathRun};

use super::boxes::{EquationNumber, MathBox};
use super::class::AtomClass;
use super::row::{Atom, resolve_classes};
use super::{FormulaLayout, NodeContext};

/// Gap between the columns of a matrix, in ems. The columns of an equation array form pairs, with the same gap between two pairs.
const COLUMN_GAP: f32 = 1.0;
/// Gap between rows, in ems.
const ROW_GAP: f32 = 0.25;
/// Minimum ascent of a row in ems. `ROW_ASCENT` and `ROW_DESCENT` together make each row at least as high as a bracket.
const ROW_ASCENT: f32 = 0.7;
/// Minimum descent of a row in ems.
const ROW_DESCENT: f32 = 0.25;

/// A laid-out equation array.
pub(super) struct EquationArray {
    /// The array without its equation numbers.
    pub content: MathBox,
    /// The equation numbers of the rows of the array, from top to bottom. A row without a number has no entry.
    pub numbers: Vec<EquationNumber>,
}

/// The parts of a row of an equation array.
struct ArrayRow {
    /// The cells of the row. They were separated by alignment marks (`&`).
    cells: Vec<MathBox>,
    /// The equation number of the row, or `None` if the row has none.
    number: Option<MathBox>,
}

/// Rows that are stacked vertically.
struct StackedRows {
    /// A box that contains all rows.
    content: MathBox,
    /// For each row, the height of its baseline above the baseline of `content`, in points.
    baselines: Vec<f32>,
}

/// Cells that are placed side by side.
struct PlacedCells {
    /// A box that contains all cells. Its width is still 0; the caller sets it.
    content: MathBox,
    /// The x position in points at which the gap after the last cell ends.
    end: f32,
}

impl FormulaLayout<'_> {
    /// Lays out a matrix. `alignment` has the alignment of each column. Columns that it does not list are centred.
    pub fn matrix(&self, rows: &[Vec<MathRow>], alignment: &[MathAlignment], ctx: &NodeContext) -> MathBox {
        let ctx = &ctx.with_style(ctx.style.cell());
        let size = self.size(ctx);
        let cells: Vec<Vec<MathBox>> =
            rows.iter().map(|row| row.iter().map(|cell| self.lay_out_row(cell, ctx)).collect()).collect();
        let widths = column_widths(&cells);
        let lines = cells.into_iter().map(|row| {
            let shift = |column: usize, slack: f32| match alignment.get(column) {
                Some(MathAlignment::Start) => 0.0,
                Some(MathAlignment::End) => slack,
                _ => slack / 2.0,
            };
            let PlacedCells { content, end } = place_cells(row, &widths, shift, |_| COLUMN_GAP * size);
            MathBox { width: (end - COLUMN_GAP * size).max(0.0), ..content }
        });
        self.stack_rows(lines.collect(), ctx).content
    }

    /// Lays out an equation array, whose rows are aligned at their alignment marks (`&`).
    pub fn equation_array(&self, rows: &[MathRow], ctx: &NodeContext) -> EquationArray {
        let rows = rows.iter().map(|row| self.split_array_row(row, ctx)).map(|row| (row.cells, row.number));
        let (cells, numbers): (Vec<Vec<MathBox>>, Vec<Option<MathBox>>) = rows.unzip();
        let aligned = cells.iter().any(|row| row.len() > 1);
        let widths = column_widths(&cells);
        let gaps = (widths.len().saturating_sub(1) / 2) as f32;
        let total: f32 = widths.iter().sum::<f32>() + gaps * COLUMN_GAP * self.size(ctx);
        let lines = cells.into_iter().map(|row| {
            // Each alignment mark is between two columns. The column before the mark is aligned right, the column after it
            // left.
            let shift = |column: usize, slack: f32| match (aligned, column % 2) {
                (true, 0) => slack,
                (true, _) => 0.0,
                (false, _) => slack / 2.0,
            };
            let gap = |column: usize| if column % 2 == 1 { COLUMN_GAP * self.size(ctx) } else { 0.0 };
            MathBox { width: total, ..place_cells(row, &widths, shift, gap).content }
        });
        let StackedRows { content, baselines } = self.stack_rows(lines.collect(), ctx);
        let numbers = numbers.into_iter().zip(baselines);
        let numbers = numbers.filter_map(|(content, baseline)| Some(EquationNumber { content: content?, baseline }));
        EquationArray { content, numbers: numbers.collect() }
    }

    /// Splits a row at its alignment marks (`&`) and at the mark of the equation number (`#`).
    fn split_array_row(&self, row: &MathRow, ctx: &NodeContext) -> ArrayRow {
        let mut cells: Vec<Vec<Atom>> = vec![Vec::new()];
        let mut number: Option<Vec<Atom>> = None;
        for node in row {
            let MathNode::Run(run) = node else {
                extend_last_cell(&mut cells, &mut number, self.lay_out_atoms(std::slice::from_ref(node), ctx));
                continue;
            };
            for piece in run.text.split_inclusive(['&', '#']) {
                let mark = piece.chars().next_back().filter(|c| matches!(c, '&' | '#'));
                let text = piece.trim_end_matches(['&', '#']).to_owned();
                let node = MathNode::Run(MathRun { text, ..run.clone() });
                extend_last_cell(&mut cells, &mut number, self.lay_out_atoms(&[node], ctx));
                match mark {
                    Some('&') if number.is_none() && cells.len() < 64 => cells.push(Vec::new()),
                    Some('#') if number.is_none() => number = Some(Vec::new()),
                    _ => {}
                }
            }
        }
        ArrayRow { cells: self.cell_boxes(cells, ctx), number: number.map(|atoms| self.join_atoms(atoms, ctx)) }
    }

    /// Converts cells to boxes. An alignment mark between two atoms does not change the space between them.
    fn cell_boxes(&self, cells: Vec<Vec<Atom>>, ctx: &NodeContext) -> Vec<MathBox> {
        let mut boxes: Vec<MathBox> = Vec::with_capacity(cells.len());
        let mut before: Option<AtomClass> = None;
        for (index, mut atoms) in cells.into_iter().enumerate() {
            // An alignment mark does not change the space before the first atom after it.
            let joins = before.filter(|_| index % 2 == 1);
            if let Some(class) = joins {
                atoms.insert(0, Atom::new(MathBox::default(), class));
            }
            resolve_classes(&mut atoms);
            before = atoms.iter().rev().find(|atom| atom.left_class != AtomClass::Space).map(|atom| atom.right_class);
            boxes.push(self.join_atoms(atoms, ctx));
        }
        boxes
    }

    /// Places rows one below the other, centred on the math axis.
    fn stack_rows(&self, lines: Vec<MathBox>, ctx: &NodeContext) -> StackedRows {
        let size = self.size(ctx);
        let axis = self.font.constant(C::AxisHeight, size);
        let (mut whole, mut baselines) = (MathBox::default(), Vec::with_capacity(lines.len()));
        let mut bottom = 0.0_f32;
        for (index, line) in lines.into_iter().enumerate() {
            let (ascent, descent) = (line.ascent.max(ROW_ASCENT * size), line.descent.max(ROW_DESCENT * size));
            let y = if index == 0 { -ascent } else { bottom - ROW_GAP * size - ascent };
            bottom = y - descent;
            whole.width = whole.width.max(line.width);
            whole.place_box(line, 0.0, y);
            baselines.push(y);
        }
        // The vertical centre is on the math axis, which has the height of fraction bars.
        whole.ascent = 0.0;
        whole.descent = -bottom;
        let up = axis - bottom / 2.0;
        baselines.iter_mut().for_each(|y| *y += up);
        StackedRows { content: whole.moved_up(up), baselines }
    }
}

/// Adds atoms to the row of an equation array that is being read. If the mark of the equation number (`#`) was already read, the
/// atoms belong to the number. Otherwise, they belong to the last cell.
fn extend_last_cell(cells: &mut [Vec<Atom>], number: &mut Option<Vec<Atom>>, atoms: Vec<Atom>) {
    if let Some(open) = number.as_mut().or(cells.last_mut()) {
        open.extend(atoms);
    }
}

/// Places the cells of a row side by side. `widths` has the width of each column. `shift` gets the index of a column and the
/// width that its cell leaves free in the column, and returns the space before the cell. `gap` gets the index of a column and
/// returns the space after the column. All widths are in points.
fn place_cells(
    row: Vec<MathBox>,
    widths: &[f32],
    shift: impl Fn(usize, f32) -> f32,
    gap: impl Fn(usize) -> f32,
) -> PlacedCells {
    let (mut line, mut x) = (MathBox::default(), 0.0);
    for (column, (cell, width)) in row.into_iter().zip(widths).enumerate() {
        let slack = width - cell.width;
        line.place_box(cell, x + shift(column, slack), 0.0);
        x += width + gap(column);
    }
    PlacedCells { content: line, end: x }
}

/// Returns the width of the widest cell of each column.
fn column_widths(rows: &[Vec<MathBox>]) -> Vec<f32> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..columns)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width).fold(0.0, f32::max))
        .collect()
}
