//! Which part of this module sets which structure.

use waraq_docx::tree::MathNode;

use super::boxes::MathBox;
use super::class::Class;
use super::delimiters::Delimiters;
use super::operators::LargeOperator;
use super::row::Atom;
use super::{Place, Setter};

/// Structures in structures deeper than this are gaps: none is legible there, and each level costs stack.
const DEEPEST: u8 = 40;

impl Setter<'_> {
    /// Everything but runs.
    pub fn structure(&self, node: &MathNode, place: &Place, atoms: &mut Vec<Atom>) {
        if place.depth >= DEEPEST {
            return;
        }
        let place = place.inside(node);
        let place = &place;
        let ordinary = |ink: MathBox| Atom::new(ink, Class::Ordinary);
        match node {
            MathNode::Run(_) | MathNode::LineBreak => {}
            MathNode::Fraction { kind, numerator, denominator } => {
                atoms.push(ordinary(self.fraction(*kind, numerator, denominator, place)));
            }
            MathNode::Radical { degree, radicand } => {
                atoms.push(ordinary(self.radical(degree.as_ref(), radicand, place)));
            }
            MathNode::Scripts { base, subscript, superscript, before } => {
                let scripts = (subscript.as_ref(), superscript.as_ref());
                self.scripts(base, scripts, *before, place, atoms);
            }
            MathNode::LargeOperator { operator, limits_above_and_below, grow, lower, upper, body } => {
                let operator = LargeOperator {
                    sign: *operator,
                    limits_above_and_below: *limits_above_and_below,
                    grow: *grow,
                    lower: lower.as_ref(),
                    upper: upper.as_ref(),
                    body,
                };
                self.large_operator(&operator, place, atoms);
            }
            MathNode::Delimiters { open, separator, close, grow, items } => {
                atoms.push(self.delimiters(&Delimiters { open, separator, close, grow: *grow, items }, place));
            }
            MathNode::Matrix { rows, alignment } => atoms.push(ordinary(self.matrix(rows, alignment, place))),
            MathNode::Function { name, argument } => self.function(name, argument, place, atoms),
            MathNode::Accent { mark, base } => atoms.push(self.accent(*mark, base, place)),
            MathNode::Bar { over, base } => atoms.push(self.bar(*over, base, place)),
            MathNode::Limit { base, limit, over } => atoms.push(self.limit(base, limit, *over, place)),
            MathNode::GroupCharacter { character, over, on_baseline, base } => {
                atoms.push(self.group_character(*character, *over, *on_baseline, base, place));
            }
            MathNode::BorderBox { sides, strikes, content } => {
                atoms.push(ordinary(self.border_box(*sides, *strikes, content, place)));
            }
            MathNode::Box { operator, differential, content, .. } => {
                if *differential {
                    atoms.push(Atom::new(MathBox::gap(self.size(place) * 3.0 / 18.0), Class::Space));
                }
                let class = if *operator { Class::Binary } else { Class::Ordinary };
                atoms.push(Atom::new(self.row(content, place), class));
            }
            MathNode::EquationArray { rows } => {
                let (mut ink, numbers) = self.equation_array(rows, place);
                // Inside another structure an equation's number has no margin to go to.
                let x = ink.width + 2.0 * self.size(place);
                for (number, y) in numbers {
                    ink.width = ink.width.max(x + number.width);
                    ink.put(number, x, y);
                }
                atoms.push(ordinary(ink));
            }
            MathNode::Phantom { shown, zero_width, zero_ascent, zero_descent, content } => {
                let zero = [*zero_width, *zero_ascent, *zero_descent];
                atoms.push(ordinary(self.phantom(*shown, zero, content, place)));
            }
        }
    }
}
