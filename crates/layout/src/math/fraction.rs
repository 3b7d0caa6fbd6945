//! Fractions (§22.1.2.36): stacked with or without a bar, skewed, linear.

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{FractionKind, MathRow};

use super::boxes::MathBox;
use super::stretch::Stretch;
use super::{Place, Setter};

/// A bar goes beyond what it parts, and stays off its neighbours, by this share of an em.
const OVERHANG: f32 = 1.0 / 18.0;

impl Setter<'_> {
    pub fn fraction(&self, kind: FractionKind, numerator: &MathRow, denominator: &MathRow, place: &Place) -> MathBox {
        match kind {
            FractionKind::Bar | FractionKind::NoBar => {
                let top = self.row(numerator, &place.styled(place.style.numerator()));
                let bottom = self.row(denominator, &place.styled(place.style.denominator()));
                self.stacked(top, bottom, kind == FractionKind::Bar, place)
            }
            FractionKind::Skewed => {
                let top = self.row(numerator, &place.styled(place.style.numerator()));
                let bottom = self.row(denominator, &place.styled(place.style.denominator()));
                self.skewed(top, bottom, place)
            }
            FractionKind::Linear => {
                let mut line = self.row(numerator, place);
                line.append(self.character('/', '/', self.font.choice, place));
                line.append(self.row(denominator, place));
                line
            }
        }
    }

    fn stacked(&self, top: MathBox, bottom: MathBox, bar: bool, place: &Place) -> MathBox {
        let size = self.size(place);
        let of = |constant| self.font.constant(constant, size);
        let display = place.style.is_display();
        let pick = |in_display, in_text| of(if display { in_display } else { in_text });
        let (mut up, mut down) = if bar {
            (
                pick(C::FractionNumeratorDisplayStyleShiftUp, C::FractionNumeratorShiftUp),
                pick(C::FractionDenominatorDisplayStyleShiftDown, C::FractionDenominatorShiftDown),
            )
        } else {
            (
                pick(C::StackTopDisplayStyleShiftUp, C::StackTopShiftUp),
                pick(C::StackBottomDisplayStyleShiftDown, C::StackBottomShiftDown),
            )
        };
        let axis = of(C::AxisHeight);
        let thickness = of(C::FractionRuleThickness);
        if bar {
            let above = pick(C::FractionNumDisplayStyleGapMin, C::FractionNumeratorGapMin);
            let below = pick(C::FractionDenomDisplayStyleGapMin, C::FractionDenominatorGapMin);
            up = up.max(axis + thickness / 2.0 + above + top.descent);
            down = down.max(thickness / 2.0 - axis + below + bottom.ascent);
        } else {
            let least = pick(C::StackDisplayStyleGapMin, C::StackGapMin);
            let gap = up - top.descent + down - bottom.ascent;
            let more = ((least - gap) / 2.0).max(0.0);
            (up, down) = (up + more, down + more);
        }
        let overhang = if bar { size * OVERHANG } else { 0.0 };
        let length = top.width.max(bottom.width) + 2.0 * overhang;
        let mut whole = MathBox::gap(length + 2.0 * overhang);
        let middle = |inner: &MathBox| overhang + (length - inner.width) / 2.0;
        let (top_x, bottom_x) = (middle(&top), middle(&bottom));
        whole.put(top, top_x, up);
        if bar {
            whole.put(MathBox::rule(length, thickness, axis - thickness / 2.0, self.color(place)), overhang, 0.0);
        }
        whole.put(bottom, bottom_x, -down);
        whole
    }

    /// The numerator raised before a slash, the denominator lowered behind it.
    fn skewed(&self, top: MathBox, bottom: MathBox, place: &Place) -> MathBox {
        let size = self.size(place);
        let axis = self.font.constant(C::AxisHeight, size);
        let gap = self.font.constant(C::SkewedFractionVerticalGap, size);
        let height = top.height() + gap + bottom.height();
        let slash = self.font.tall('⁄', height, Stretch::Variants, size, self.color(place)).centered_at(axis);
        // The gap between the two is the slash's slope, where it stands.
        let between = self.font.constant(C::SkewedFractionHorizontalGap, size).min(slash.width);
        let mut whole = MathBox::gap(top.width + between + bottom.width);
        let (at, slash_x) = (top.width, top.width + (between - slash.width) / 2.0);
        let up = axis + gap / 2.0 + top.descent;
        let down = axis - gap / 2.0 - bottom.ascent;
        whole.put(top, 0.0, up);
        whole.put(slash, slash_x, 0.0);
        whole.put(bottom, at + between, down);
        whole
    }
}
