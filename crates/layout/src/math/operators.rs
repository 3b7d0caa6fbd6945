//! Sums, integrals and their like (§22.1.2.70), and the names of functions (§22.1.2.39).

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{MathNode, MathRow};

use super::boxes::MathBox;
use super::class::Class;
use super::row::Atom;
use super::stretch::Stretch;
use super::{Place, Setter};

/// A growing operator does not grow beyond this many ems: Word's stay in proportion too.
const LARGEST: f32 = 4.0;

/// Between the sign and what it applies to, in ems.
const AFTER: f32 = 3.0 / 18.0;

/// A sum or integral as the document has it.
pub(super) struct LargeOperator<'a> {
    pub sign: char,
    pub limits_above_and_below: bool,
    pub grow: bool,
    pub lower: Option<&'a MathRow>,
    pub upper: Option<&'a MathRow>,
    pub body: &'a MathRow,
}

impl Setter<'_> {
    /// A large operator's sign on the axis, as large as the style (or what it must span) asks for.
    pub fn large_symbol(&self, sign: char, span: Option<(f32, f32)>, place: &Place) -> MathBox {
        let size = self.size(place);
        let axis = self.font.constant(C::AxisHeight, size);
        let display = place.style.is_display();
        let least = if display { self.font.constant(C::DisplayOperatorMinHeight, size) } else { 0.0 };
        let span = span.map_or(0.0, |(ascent, descent)| 2.0 * (ascent - axis).max(descent + axis));
        let needed = least.max(span.min(LARGEST * size));
        // Pieces are only for what must span more than the font's largest sign.
        let stretch = if span > least { Stretch::Pieces } else { Stretch::Variants };
        self.font.tall(sign, needed, stretch, size, self.color(place)).centered_at(axis)
    }

    pub fn large_operator(&self, operator: &LargeOperator<'_>, place: &Place, atoms: &mut Vec<Atom>) {
        let body = self.atoms(operator.body, place);
        let span = (operator.grow && place.style.is_display()).then(|| {
            body.iter()
                .fold((0.0, 0.0), |(up, down): (f32, f32), atom| (up.max(atom.ink.ascent), down.max(atom.ink.descent)))
        });
        let sign = self.large_symbol(operator.sign, span, place);
        let lower = operator.lower.map(|row| self.row(row, &place.styled(place.style.subscript())));
        let upper = operator.upper.map(|row| self.row(row, &place.styled(place.style.superscript())));
        // In a line of text the limits stand beside the sign, whatever the document says: so does Word.
        let ink = if operator.limits_above_and_below && place.style.is_display() {
            self.limits(sign, lower, upper, place)
        } else if lower.is_none() && upper.is_none() {
            sign
        } else {
            // A leaning sign's subscript stands under its slope.
            let lean = sign.italic.max(0.0);
            let narrow = MathBox { width: sign.width - lean, ..sign };
            self.after(narrow, lower, upper, place)
        };
        // A little space after it, also before a bracket; then as after one.
        let ink = MathBox { width: ink.width + self.size(place) * AFTER, ..ink };
        atoms.push(Atom::between(ink, Class::Operator, Class::Open));
        atoms.extend(body);
    }

    /// A name and what it is applied to: thin space between, none before a bracket.
    pub fn function(&self, name: &MathRow, argument: &MathRow, place: &Place, atoms: &mut Vec<Atom>) {
        let ink = match name.as_slice() {
            [MathNode::Limit { base, limit, over }] => self.limit(base, limit, *over, place).ink,
            _ => self.row(name, place),
        };
        atoms.push(Atom::new(ink, Class::Operator));
        atoms.extend(self.atoms(argument, place));
    }
}
