//! Brackets and what stands between them (§22.1.2.24).

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{MathNode, MathRow};

use super::boxes::MathBox;
use super::class::Class;
use super::row::Atom;
use super::stretch::Stretch;
use super::{Place, Setter};

/// TeX's \delimiterfactor: brackets need not reach all the way around letters.
const SHARE: f32 = 0.901;
/// What is higher than this is no row of letters, in ems: brackets reach around it.
const LETTERS: f32 = 1.2;
/// Between an item and a separator, in ems.
const SEPARATION: f32 = 3.0 / 18.0;

/// Between a bracket and a matrix in it, in ems.
const CELLS_OFF: f32 = 3.0 / 18.0;

/// Brackets as the document has them.
pub(super) struct Delimiters<'a> {
    pub open: &'a str,
    pub separator: &'a str,
    pub close: &'a str,
    pub grow: bool,
    pub items: &'a [MathRow],
}

impl Setter<'_> {
    pub fn delimiters(&self, given: &Delimiters<'_>, place: &Place) -> Atom {
        let size = self.size(place);
        let axis = self.font.constant(C::AxisHeight, size);
        let items: Vec<MathBox> = given.items.iter().map(|item| self.delimited(item, place)).collect();
        let reach = items.iter().map(|item| (item.ascent - axis).max(item.descent + axis)).fold(0.0, f32::max);
        let share = if 2.0 * reach > LETTERS * size { 1.0 } else { SHARE };
        let needed = if given.grow { 2.0 * reach * share } else { 0.0 };
        let sign = |text: &str| {
            let mut row = MathBox::default();
            for character in text.chars().take(4) {
                row.append(self.sign(character, needed, place));
            }
            row
        };
        let mut whole = sign(given.open);
        let separator = sign(given.separator);
        let bar = matches!(given.separator, "|" | "∣" | "‖" | "∥" | "/" | "∕");
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 && separator.width > 0.0 {
                whole.width += if bar { size * SEPARATION } else { 0.0 };
                whole.append(separator.clone());
                whole.width += size * SEPARATION;
            }
            whole.append(item);
        }
        whole.append(sign(given.close));
        let (left, right) = (given.open.is_empty(), given.close.is_empty());
        let class = |missing: bool, class: Class| if missing { Class::Ordinary } else { class };
        let ink = MathBox { italic: 0.0, attachment: None, single: false, ..whole };
        Atom::between(ink, class(left, Class::Open), class(right, Class::Close))
    }

    /// What stands between brackets; rows of cells keep off them.
    fn delimited(&self, item: &MathRow, place: &Place) -> MathBox {
        let row = self.row(item, place);
        if !matches!(item.as_slice(), [MathNode::Matrix { .. } | MathNode::EquationArray { .. }]) {
            return row;
        }
        let gap = CELLS_OFF * self.size(place);
        let mut apart = MathBox::gap(gap);
        apart.append(row);
        apart.width += gap;
        apart
    }

    /// A bracket of this height or more, its middle on the axis.
    fn sign(&self, character: char, needed: f32, place: &Place) -> MathBox {
        let size = self.size(place);
        let axis = self.font.constant(C::AxisHeight, size);
        let shown = match character {
            // As they come from a keyboard; the font has larger ones of the proper characters alone.
            '<' | '\u{2329}' | '\u{3008}' => '⟨',
            '>' | '\u{232a}' | '\u{3009}' => '⟩',
            other => other,
        };
        let sign = self.font.tall(shown, needed, Stretch::Pieces, size, self.color(place));
        if needed > 0.0 && !matches!(shown, ',' | ';' | '.' | ':') { sign.centered_at(axis) } else { sign }
    }
}
