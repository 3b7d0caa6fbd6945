//! Subscripts and superscripts before and after their base, and limits above and below it.

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{MathNode, MathRow};

use super::boxes::MathBox;
use super::class::Class;
use super::row::Atom;
use super::{Place, Setter};

impl Setter<'_> {
    /// Adds a base with a subscript and a superscript, before it (`before`) or after it.
    pub fn scripts(
        &self,
        base: &MathRow,
        (sub, sup): (Option<&MathRow>, Option<&MathRow>),
        before: bool,
        place: &Place,
        atoms: &mut Vec<Atom>,
    ) {
        let lower = sub.map(|row| self.row(row, &place.styled(place.style.subscript())));
        let upper = sup.map(|row| self.row(row, &place.styled(place.style.superscript())));
        let mut inner = self.atoms(base, place);
        // The space around the whole depends on the classes of the base.
        let (left, right) = match inner.as_slice() {
            [one] => (one.left, one.right),
            [first, .., last] => (first.left, last.right),
            [] => (Class::Ordinary, Class::Ordinary),
        };
        let nucleus = if inner.len() == 1 { inner.remove(0).ink } else { self.joined(inner, place) };
        let ink =
            if before { self.before(nucleus, lower, upper, place) } else { self.after(nucleus, lower, upper, place) };
        atoms.push(Atom::between(ink, left, right));
    }

    /// Places a subscript (`lower`) and a superscript (`upper`) after a box.
    pub fn after(&self, base: MathBox, lower: Option<MathBox>, upper: Option<MathBox>, place: &Place) -> MathBox {
        let space = self.font.constant(C::SpaceAfterScript, self.size(place));
        let (up, down) = self.shifts(&base, lower.as_ref(), upper.as_ref(), place);
        let (at, lean) = (base.width, base.italic.max(0.0));
        let mut whole = MathBox::default();
        whole.append(base);
        let mut width = at;
        if let Some(lower) = lower {
            width = width.max(at + lower.width);
            whole.put(lower, at, -down);
        }
        if let Some(upper) = upper {
            width = width.max(at + lean + upper.width);
            whole.put(upper, at + lean, up);
        }
        MathBox { width: width + space, ..whole.plain() }
    }

    /// Places a subscript and a superscript directly before a box.
    fn before(&self, base: MathBox, lower: Option<MathBox>, upper: Option<MathBox>, place: &Place) -> MathBox {
        let space = self.font.constant(C::SpaceAfterScript, self.size(place));
        let (up, down) = self.shifts(&base, lower.as_ref(), upper.as_ref(), place);
        let room = width(&lower).max(width(&upper));
        let mut whole = MathBox::gap(space + room);
        for (script, y) in [(lower, -down), (upper, up)] {
            let Some(script) = script else { continue };
            let x = space + room - script.width;
            whole.put(script, x, y);
        }
        whole.append(base);
        MathBox { single: false, attachment: None, ..whole }
    }

    /// Returns the distances by which the superscript is raised and the subscript lowered, by rule 18 of TeX with the
    /// constants of the font.
    fn shifts(&self, base: &MathBox, lower: Option<&MathBox>, upper: Option<&MathBox>, place: &Place) -> (f32, f32) {
        let size = self.size(place);
        let of = |constant| self.font.constant(constant, size);
        // Scripts of a letter have standard positions. Scripts of a high base are at its corners.
        let (high, low) = if base.single && base.height() < 1.3 * size {
            (0.0, 0.0)
        } else {
            (base.ascent - of(C::SuperscriptBaselineDropMax), base.descent + of(C::SubscriptBaselineDropMin))
        };
        let rise = of(if place.style.cramped { C::SuperscriptShiftUpCramped } else { C::SuperscriptShiftUp });
        let (mut up, mut down) = (high.max(rise), low.max(of(C::SubscriptShiftDown)));
        if let Some(upper) = upper {
            up = up.max(upper.descent + of(C::SuperscriptBottomMin));
        }
        match (lower, upper) {
            (Some(lower), None) => down = down.max(lower.ascent - of(C::SubscriptTopMax)),
            (Some(lower), Some(upper)) => {
                let gap = (up - upper.descent) - (lower.ascent - down);
                let missing = of(C::SubSuperscriptGapMin) - gap;
                if missing > 0.0 {
                    down += missing;
                    // Instead of lowering the subscript, the superscript is raised up to its limit above a subscript.
                    let rise = of(C::SuperscriptBottomMaxWithSubscript) - (up - upper.descent);
                    let rise = rise.clamp(0.0, missing);
                    (up, down) = (up + rise, down - rise);
                }
            }
            _ => {}
        }
        (up, down)
    }

    /// Places limits below (`lower`) and above (`upper`) a base.
    pub fn limits(&self, base: MathBox, lower: Option<MathBox>, upper: Option<MathBox>, place: &Place) -> MathBox {
        let size = self.size(place);
        let of = |constant| self.font.constant(constant, size);
        let room = base.width.max(width(&lower)).max(width(&upper));
        let (ascent, descent, lean) = (base.ascent, base.descent, base.italic / 2.0);
        let middle = |inner: &MathBox| (room - inner.width) / 2.0;
        let mut whole = MathBox::gap(room);
        let base_x = middle(&base);
        whole.put(base, base_x, 0.0);
        if let Some(lower) = lower {
            let down = (descent + of(C::LowerLimitGapMin) + lower.ascent).max(of(C::LowerLimitBaselineDropMin));
            let x = middle(&lower) - lean;
            whole.put(lower, x, -down);
        }
        if let Some(upper) = upper {
            let up = (ascent + of(C::UpperLimitGapMin) + upper.descent).max(ascent + of(C::UpperLimitBaselineRiseMin));
            let x = middle(&upper) + lean;
            whole.put(upper, x, up);
        }
        whole
    }

    /// Lays out limLow and limUpp (§22.1.2.54, §22.1.2.56): a base with a limit below it or, if `over` is true, above it.
    pub fn limit(&self, base: &MathRow, limit: &MathRow, over: bool, place: &Place) -> Atom {
        let inner = self.atoms(base, place);
        let name = inner.len() > 1 && base.iter().all(|node| matches!(node, MathNode::Run(_)));
        let class = match inner.as_slice() {
            [one] => one.left,
            _ if name => Class::Operator,
            _ => Class::Ordinary,
        };
        let style = if over { place.style.superscript() } else { place.style.subscript() };
        let limit = Some(self.row(limit, &place.styled(style)));
        let nucleus = self.joined(inner, place);
        let (lower, upper) = if over { (None, limit) } else { (limit, None) };
        Atom::new(self.limits(nucleus, lower, upper, place), class)
    }
}

fn width(script: &Option<MathBox>) -> f32 {
    script.as_ref().map_or(0.0, |script| script.width)
}
