//! Splits a formula into the parts between which a line may break, as in Word. Breaks are allowed before relations and
//! binary operators outside brackets and other structures, after commas followed by a space, and where the author inserted
//! them.

use std::sync::Arc;

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{Math, MathAlignment, MathNode, NodeId, Rgb, RunProperties};

use super::boxes::{Display, MathBox, Piece};
use super::class::Class;
use super::font::MathFont;
use super::row::{Atom, settle};
use super::{Level, Place, Setter, Style};
use crate::text::{Context, SingleLine};

/// Minimum ascent and descent of a line of a formula, in ems. They are the line metrics of Cambria, the font of formulas in
/// Word.
const STRUT: (f32, f32) = (0.95, 0.222);

/// The lines of a formula between the line breaks that the author inserted, each as a list of pieces. No line is empty.
pub(crate) type Pieces = Vec<Vec<Piece>>;

/// Lays out a formula. Returns `None` if no available font supports formulas.
pub(crate) fn set(
    math: &Math,
    run: &Arc<RunProperties>,
    shading: Option<Rgb>,
    context: &Context<'_>,
    single_line: SingleLine,
) -> Option<Pieces> {
    let setter = Setter { context, single_line, font: MathFont::find(context.fonts)?, shading };
    let level = if math.display { Level::Display } else { Level::Text };
    let place = Place { style: Style { level, cramped: false }, run, depth: 0 };
    let mut lines: Vec<Vec<Atom>> = Vec::new();
    let mut numbers = Vec::new();
    for row in math.content.split(|node| matches!(node, MathNode::LineBreak)) {
        match row {
            // In a displayed formula that is a single array, equation numbers are at the margin.
            [node @ MathNode::EquationArray { rows }] if math.display => {
                let place = place.inside(node);
                let (ink, found) = setter.equation_array(rows, &place);
                numbers.push((lines.len(), found));
                lines.push(vec![Atom::new(ink, Class::Ordinary)]);
            }
            _ => lines.extend(authors_lines(setter.atoms(row, &place), math.display)),
        }
    }
    lines.retain(|line| !line.is_empty());
    lines.iter_mut().for_each(|line| settle(line));
    let made = lines.into_iter().map(|line| setter.pieces(line, math.id, &place));
    let (mut pieces, marks): (Pieces, Vec<Option<f32>>) = made.unzip();
    for (line, found) in numbers {
        if let Some(piece) = pieces.get_mut(line).and_then(|line| line.first_mut()) {
            piece.numbers = found;
        }
    }
    if math.display {
        align(&mut pieces, &marks);
        display(&mut pieces, math.alignment);
    }
    Some(pieces)
}

/// Splits atoms at the line breaks that the author inserted (m:brk). In a formula within a line of text, such a break is
/// only a break opportunity, so there is one line.
fn authors_lines(atoms: Vec<Atom>, display: bool) -> Vec<Vec<Atom>> {
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

impl Setter<'_> {
    /// Returns the pieces of a line, and the distance of its alignment mark from its start if the author inserted one.
    fn pieces(&self, atoms: Vec<Atom>, formula: NodeId, place: &Place) -> (Vec<Piece>, Option<f32>) {
        let (ascent, descent) = (STRUT.0 * self.size(place), STRUT.1 * self.size(place));
        let new = |continues: bool| Piece {
            ink: MathBox { ascent, descent, ..MathBox::default() },
            continues,
            display: None,
            numbers: Vec::new(),
            formula,
        };
        let mut pieces: Vec<Piece> = vec![new(false)];
        let mut before: Option<Class> = None;
        let mut open = 0_i32;
        let mut after_space = false;
        let mut mark = None;
        for atom in atoms {
            let may_break = open <= 0 && breaks(before, &atom, after_space);
            let gap = self.space_before(before, &atom, place);
            if let Some(last) = pieces.last_mut() {
                last.ink.width += gap;
            }
            if may_break && pieces.last().is_some_and(|piece| !piece.ink.drawn.is_empty()) {
                pieces.push(new(true));
            }
            if atom.align && mark.is_none() {
                mark = Some(pieces.iter().map(|piece| piece.ink.width).sum());
            }
            after_space = atom.left == Class::Space;
            if !after_space {
                before = Some(atom.right);
                // Counts brackets that were typed as characters. A delimiter structure is a single atom.
                open += i32::from(atom.left == Class::Open) - i32::from(atom.right == Class::Close);
            }
            if let Some(last) = pieces.last_mut() {
                last.ink.append(atom.ink);
            }
        }
        for piece in &mut pieces {
            let leading =
                if place.style.is_display() { self.font.constant(C::MathLeading, self.size(place)) } else { 0.0 };
            piece.ink = std::mem::take(&mut piece.ink).finite();
            // Leading separates the lines of a displayed formula.
            if piece.ink.height() > ascent + descent {
                piece.ink.ascent += leading / 2.0;
                piece.ink.descent += leading / 2.0;
            }
        }
        (pieces, mark)
    }
}

/// Returns true if a line may break before an atom. `before` is the class of the previous atom, `after_space` is true if a
/// space is between them.
fn breaks(before: Option<Class>, atom: &Atom, after_space: bool) -> bool {
    match atom.left {
        Class::Relation => before != Some(Class::Relation),
        Class::Binary => true,
        Class::Space => false,
        _ => atom.break_before || after_space && before == Some(Class::Punctuation),
    }
}

/// Aligns the lines that have an alignment mark (§22.1.2.4) at their marks. Space is added at both ends so that these lines
/// are equally wide. Any alignment of the formula then keeps the marks aligned.
fn align(lines: &mut Pieces, marks: &[Option<f32>]) {
    let width = |line: &[Piece]| line.iter().map(|piece| piece.ink.width).sum::<f32>();
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
            let ink = std::mem::take(&mut first.ink);
            let (ascent, descent) = (ink.ascent, ink.descent);
            first.ink = MathBox { width: (before - mark).max(0.0), ascent, descent, ..MathBox::default() };
            first.ink.append(ink);
        }
        if let Some(last) = line.last_mut() {
            last.ink.width += behind;
        }
    }
}

/// Sets the alignment of all pieces of a displayed formula.
fn display(lines: &mut Pieces, alignment: MathAlignment) {
    let widths: Vec<f32> = lines.iter().map(|line| line.iter().map(|piece| piece.ink.width).sum()).collect();
    let as_group = alignment == MathAlignment::CenterAsGroup && lines.len() > 1;
    let group_width = as_group.then(|| widths.iter().copied().fold(0.0, f32::max));
    for piece in lines.iter_mut().flatten() {
        piece.display = Some(Display { alignment, group_width });
    }
}
