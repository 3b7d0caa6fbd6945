//! Roots (§22.1.2.88): a sign that grows, a rule over the radicand, a degree in its angle.

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::MathRow;

use super::boxes::MathBox;
use super::stretch::Stretch;
use super::{Place, Setter};

impl Setter<'_> {
    pub fn radical(&self, degree: Option<&MathRow>, radicand: &MathRow, place: &Place) -> MathBox {
        let size = self.size(place);
        let color = self.color(place);
        let of = |constant| self.font.constant(constant, size);
        let inner = self.row(radicand, &place.styled(place.style.cramped()));
        // An empty radicand is as high as a letter.
        let (ascent, descent) = (inner.ascent.max(0.5 * size), inner.descent.max(0.0));
        let display = place.style.is_display();
        let mut gap = of(if display { C::RadicalDisplayStyleVerticalGap } else { C::RadicalVerticalGap });
        let thickness = of(C::RadicalRuleThickness);
        let needed = ascent + descent + gap + thickness;
        let sign = self.font.tall('√', needed, Stretch::Pieces, size, color);
        // A sign that is too high leaves room on both sides of the radicand.
        gap += ((sign.height() - needed) / 2.0).max(0.0);
        let top = ascent + gap + thickness;
        let raise = top - sign.ascent;
        let (sign_width, sign_height) = (sign.width, sign.height());
        let mut whole = MathBox::default();
        let left = degree.map_or(0.0, |degree| {
            let degree = self.row(degree, &place.styled(place.style.degree()));
            let (before, after) = (of(C::RadicalKernBeforeDegree), of(C::RadicalKernAfterDegree));
            let share = self.font.share(C::RadicalDegreeBottomRaisePercent).clamp(0.0, 1.0);
            let bottom = top - sign_height + share * sign_height;
            let width = degree.width;
            let up = bottom + degree.descent;
            whole.put(degree, before, up);
            (before + width + after).max(0.0)
        });
        whole.put(sign, left, raise);
        whole.put(MathBox::rule(inner.width, thickness, top - thickness, color), left + sign_width, 0.0);
        whole.width = left + sign_width + inner.width;
        whole.put(inner, left + sign_width, 0.0);
        whole.ascent = whole.ascent.max(top + of(C::RadicalExtraAscender));
        whole
    }
}
