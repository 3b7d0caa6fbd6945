//! Splits a formula into parts. A line may break between two parts, as in Word. Breaks are allowed before relations and binary
//! operators outside brackets and other structures, after commas followed by a space, and where the author inserted them.

use std::sync::Arc;

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{Math, MathAlignment, MathNode, NodeId, Rgb, RunProperties};

use super::arrays::EquationArray;
use super::boxes::{DisplayAlignment, FormulaFragment, MathBox};
use super::class::AtomClass;
use super::font::MathFont;
use super::row::{Atom, resolve_classes};
use super::{FormulaLayout, NodeContext, SizeLevel, Style};
use crate::text::{Context, LineMetrics, SingleLine};

/// Minimum ascent and descent of a line of a formula, in ems. They are the line metrics of Cambria, the font of formulas in
/// Word.
const STRUT: LineMetrics = LineMetrics { ascent: 0.95, descent: 0.222 };

/// The lines of a formula, each as a list of fragments. A new line begins at each line break that the author inserted. No line
/// is empty.
pub(crate) type MathLines = Vec<Vec<FormulaFragment>>;

/// Lays out a formula. Returns `None` if no available font supports formulas.
pub(crate) fn lay_out_formula(
    math: &Math,
    run: &Arc<RunProperties>,
    shading: Option<Rgb>,
    context: &Context<'_>,
    single_line: SingleLine,
) -> Option<MathLines> {
    let layout = FormulaLayout { context, single_line, font: MathFont::find(context.fonts)?, shading };
    let level = if math.display { SizeLevel::Display } else { SizeLevel::Text };
    let ctx = NodeContext { style: Style { level, cramped: false }, run, depth: 0 };
    let mut lines: Vec<Vec<Atom>> = Vec::new();
    let mut numbers = Vec::new();
    for row in math.content.split(|node| matches!(node, MathNode::LineBreak)) {
        match row {
            // In a displayed formula that is a single array, equation numbers are at the margin.
            [node @ MathNode::EquationArray { rows }] if math.display => {
                let ctx = ctx.inside_structure(node);
                let EquationArray { content, numbers: found } = layout.equation_array(rows, &ctx);
                numbers.push((lines.len(), found));
                lines.push(vec![Atom::new(content, AtomClass::Ordinary)]);
            }
            _ => lines.extend(split_at_author_breaks(layout.lay_out_atoms(row, &ctx), math.display)),
        }
    }
    lines.retain(|line| !line.is_empty());
    lines.iter_mut().for_each(|line| resolve_classes(line));
    let split = lines.into_iter().map(|line| layout.split_line(line, math.id, &ctx));
    let (mut pieces, marks): (MathLines, Vec<Option<f32>>) = split.map(|line| (line.fragments, line.mark)).unzip();
    for (line, found) in numbers {
        if let Some(piece) = pieces.get_mut(line).and_then(|line| line.first_mut()) {
            piece.numbers = found;
        }
    }
    if math.display {
        align_at_marks(&mut pieces, &marks);
        set_display_alignment(&mut pieces, math.alignment);
    }
    Some(pieces)
}

/// Splits the atoms of a displayed formula into lines, at the line breaks that the author inserted (m:brk). If `display` is
/// false, the formula is part of a line of text. Such a break is then only a break opportunity, and the result is a single
/// line.
fn split_at_author_breaks(atoms: Vec<Atom>, display: bool) -> Vec<Vec<Atom>> {
    let mut lines: Vec<Vec<Atom>> = vec![Vec::new()];
    for atom in atoms {
        if display && atom.break_before && lines.last().is_some_and(|line| !line.is_empty()) {
            lines.push(Vec::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push(atom);
        }
        if lines.len() > 10_000 {
            break;
        }
    }
    lines
}

/// A line of a formula.
struct SplitLine {
    /// The fragments of the line, at least one.
    fragments: Vec<FormulaFragment>,
    /// Distance in points from the start of the line to the alignment mark that the author inserted, or `None` without a mark.
    mark: Option<f32>,
}

impl FormulaLayout<'_> {
    /// Splits a line into fragments.
    fn split_line(&self, atoms: Vec<Atom>, formula: NodeId, ctx: &NodeContext) -> SplitLine {
        let (ascent, descent) = (STRUT.ascent * self.size(ctx), STRUT.descent * self.size(ctx));
        let new = |continues: bool| FormulaFragment {
            content: MathBox { ascent, descent, ..MathBox::default() },
            allows_break_before: continues,
            display: None,
            numbers: Vec::new(),
            formula,
        };
        let mut pieces: Vec<FormulaFragment> = vec![new(false)];
        let mut before: Option<AtomClass> = None;
        let mut open = 0_i32;
        let mut after_space = false;
        let mut mark = None;
        for atom in atoms {
            let may_break = open <= 0 && may_break_before(before, &atom, after_space);
            let gap = self.space_before(before, &atom, ctx);
            if let Some(last) = pieces.last_mut() {
                last.content.width += gap;
            }
            if may_break && pieces.last().is_some_and(|piece| !piece.content.elements.is_empty()) {
                pieces.push(new(true));
            }
            if atom.has_alignment_mark && mark.is_none() {
                mark = Some(pieces.iter().map(|piece| piece.content.width).sum());
            }
            after_space = atom.left_class == AtomClass::Space;
            if !after_space {
                before = Some(atom.right_class);
                // Count the open brackets that were typed as characters. A delimiter structure is a single atom.
                open += i32::from(atom.left_class == AtomClass::Open) - i32::from(atom.right_class == AtomClass::Close);
            }
            if let Some(last) = pieces.last_mut() {
                last.content.append(atom.content);
            }
        }
        for piece in &mut pieces {
            let leading = if ctx.style.is_display() { self.font.constant(C::MathLeading, self.size(ctx)) } else { 0.0 };
            piece.content = std::mem::take(&mut piece.content).clamped();
            // In a displayed formula, a high fragment gets leading, which separates it from the adjacent lines.
            if piece.content.height() > ascent + descent {
                piece.content.ascent += leading / 2.0;
                piece.content.descent += leading / 2.0;
            }
        }
        SplitLine { fragments: pieces, mark }
    }
}

/// Returns true if a line may break before an atom. `before` is the class of the previous atom, not counting spaces, or `None`
/// at the start of the line. `after_space` is true if a space is between the two atoms.
fn may_break_before(before: Option<AtomClass>, atom: &Atom, after_space: bool) -> bool {
    match atom.left_class {
        AtomClass::Relation => before != Some(AtomClass::Relation),
        AtomClass::Binary => true,
        AtomClass::Space => false,
        _ => atom.break_before || after_space && before == Some(AtomClass::Punctuation),
    }
}

/// Aligns the lines that have an alignment mark (§22.1.2.4) at their marks. Space is added at both ends, so that these lines are
/// equally wide. The marks then stay aligned with every alignment of the formula (left, right or centred).
fn align_at_marks(lines: &mut MathLines, marks: &[Option<f32>]) {
    let width = |line: &[FormulaFragment]| line.iter().map(|piece| piece.content.width).sum::<f32>();
    let marked = || lines.iter().zip(marks).filter_map(|(line, mark)| Some(((*mark)?, width(line))));
    if marked().count() < 2 {
        return;
    }
    let before = marked().map(|(mark, _)| mark).fold(0.0, f32::max);
    let after = marked().map(|(mark, width)| width - mark).fold(0.0, f32::max);
    for (line, mark) in lines.iter_mut().zip(marks) {
        let Some(mark) = mark else { continue };
        let behind = (after - (width(line) - mark)).max(0.0);
        if let Some(first) = line.first_mut() {
            let ink = std::mem::take(&mut first.content);
            let (ascent, descent) = (ink.ascent, ink.descent);
            first.content = MathBox { width: (before - mark).max(0.0), ascent, descent, ..MathBox::default() };
            first.content.append(ink);
        }
        if let Some(last) = line.last_mut() {
            last.content.width += behind;
        }
    }
}

/// Sets the alignment of all fragments of a displayed formula.
fn set_display_alignment(lines: &mut MathLines, alignment: MathAlignment) {
    let widths: Vec<f32> = lines.iter().map(|line| line.iter().map(|piece| piece.content.width).sum()).collect();
    let as_group = alignment == MathAlignment::CenterAsGroup && lines.len() > 1;
    let group_width = as_group.then(|| widths.iter().copied().fold(0.0, f32::max));
    for piece in lines.iter_mut().flatten() {
        piece.display = Some(DisplayAlignment { alignment, group_width });
    }
}
