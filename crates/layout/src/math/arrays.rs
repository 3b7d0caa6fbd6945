//! Matrices (§22.1.2.60) and equation arrays (§22.1.2.34).

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{MathAlignment, MathNode, MathRow, MathRun};

use super::boxes::MathBox;
use super::class::AtomClass;
use super::row::{Atom, resolve_classes};
use super::{FormulaLayout, NodeContext};

/// Gap between the columns of a matrix and between the pairs of columns of an equation array, in ems.
const COLUMN_GAP: f32 = 1.0;
/// Gap between rows, in ems.
const ROW_GAP: f32 = 0.25;
/// Minimum ascent of a row in ems. With the minimum descent, a row has at least the height of a bracket.
const ROW_ASCENT: f32 = 0.7;
/// Minimum descent of a row in ems.
const ROW_DESCENT: f32 = 0.25;

impl FormulaLayout<'_> {
    /// Lays out a matrix. `alignment` has the alignment of each column; other columns are centred.
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
            let (mut line, end) = place_cells(row, &widths, shift, |_| COLUMN_GAP * size);
            line.width = (end - COLUMN_GAP * size).max(0.0);
            line
        });
        self.stack_rows(lines.collect(), ctx).0
    }

    /// Lays out an equation array, whose rows are aligned at their alignment marks (`&`). Returns the box and the equation
    /// numbers, each with the height of its row.
    pub fn equation_array(&self, rows: &[MathRow], ctx: &NodeContext) -> (MathBox, Vec<(MathBox, f32)>) {
        let made = rows.iter().map(|row| self.split_array_row(row, ctx));
        let (cells, numbers): (Vec<Vec<MathBox>>, Vec<Option<MathBox>>) = made.unzip();
        let aligned = cells.iter().any(|row| row.len() > 1);
        let widths = column_widths(&cells);
        let gaps = (widths.len().saturating_sub(1) / 2) as f32;
        let total: f32 = widths.iter().sum::<f32>() + gaps * COLUMN_GAP * self.size(ctx);
        let lines = cells.into_iter().map(|row| {
            // The columns form pairs around an alignment mark: the column before the mark is aligned right, the one after
            // it left.
            let shift = |column: usize, slack: f32| match (aligned, column % 2) {
                (true, 0) => slack,
                (true, _) => 0.0,
                (false, _) => slack / 2.0,
            };
            let gap = |column: usize| if column % 2 == 1 { COLUMN_GAP * self.size(ctx) } else { 0.0 };
            MathBox { width: total, ..place_cells(row, &widths, shift, gap).0 }
        });
        let (whole, baselines) = self.stack_rows(lines.collect(), ctx);
        let numbers = numbers.into_iter().zip(baselines).filter_map(|(number, y)| Some((number?, y))).collect();
        (whole, numbers)
    }

    /// Splits a row at the alignment marks (`&`) and the mark of the equation number (`#`) in its runs. Returns its cells
    /// and the equation number.
    fn split_array_row(&self, row: &MathRow, ctx: &NodeContext) -> (Vec<MathBox>, Option<MathBox>) {
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
        (self.cell_boxes(cells, ctx), number.map(|atoms| self.join_atoms(atoms, ctx)))
    }

    /// Converts cells to boxes. The space between two atoms does not change if a mark is between them.
    fn cell_boxes(&self, cells: Vec<Vec<Atom>>, ctx: &NodeContext) -> Vec<MathBox> {
        let mut boxes: Vec<MathBox> = Vec::with_capacity(cells.len());
        let mut before: Option<AtomClass> = None;
        for (index, mut atoms) in cells.into_iter().enumerate() {
            // The first atom after an alignment mark has the space that it would have without the mark.
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

    /// Stacks rows vertically, centred on the math axis. Returns the box and the height of the baseline of each row.
    fn stack_rows(&self, lines: Vec<MathBox>, ctx: &NodeContext) -> (MathBox, Vec<f32>) {
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
        // The vertical centre is on the math axis, the height of fraction bars.
        whole.ascent = 0.0;
        whole.descent = -bottom;
        let up = axis - bottom / 2.0;
        baselines.iter_mut().for_each(|y| *y += up);
        (whole.moved_up(up), baselines)
    }
}

/// Adds atoms to the equation number, if it has started, or else to the last cell.
fn extend_last_cell(cells: &mut [Vec<Atom>], number: &mut Option<Vec<Atom>>, atoms: Vec<Atom>) {
    if let Some(open) = number.as_mut().or(cells.last_mut()) {
        open.extend(atoms);
    }
}

/// Places the cells of a row side by side in columns of these widths. Returns the box and its end position. `shift` returns
/// the space before a cell from its column and slack, `gap` the space after a column.
fn place_cells(
    row: Vec<MathBox>,
    widths: &[f32],
    shift: impl Fn(usize, f32) -> f32,
    gap: impl Fn(usize) -> f32,
) -> (MathBox, f32) {
    let (mut line, mut x) = (MathBox::default(), 0.0);
    for (column, (cell, width)) in row.into_iter().zip(widths).enumerate() {
        let slack = width - cell.width;
        line.place_box(cell, x + shift(column, slack), 0.0);
        x += width + gap(column);
    }
    (line, x)
}

/// Returns the width of the widest cell of each column.
fn column_widths(rows: &[Vec<MathBox>]) -> Vec<f32> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    (0..columns)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.width).fold(0.0, f32::max))
        .collect()
}
