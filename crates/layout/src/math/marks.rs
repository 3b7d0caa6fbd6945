//! Accents, bars, braces, frames and phantoms.

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::MathRow;

use super::boxes::{MathBox, MathElement, PlacedElement};
use super::class::AtomClass;
use super::row::Atom;
use super::{FormulaLayout, NodeContext};

/// Gap between a frame and its content, in ems.
const FRAME_GAP: f32 = 0.15;

impl FormulaLayout<'_> {
    /// Places an accent over its base (§22.1.2.1).
    pub fn accent(&self, mark: char, base: &MathRow, ctx: &NodeContext) -> Atom {
        let size = self.size(ctx);
        let mark = to_combining(mark);
        if matches!(mark, '\u{305}' | '\u{332}') {
            return self.bar(mark == '\u{305}', base, ctx);
        }
        let inner = self.lay_out_atoms(base, &ctx.with_style(ctx.style.cramped()));
        let class = if let [one] = inner.as_slice() { one.left_class } else { AtomClass::Ordinary };
        let base = self.join_atoms(inner, ctx);
        let one = base.is_single_character;
        let arrow = matches!(mark, '\u{20d0}' | '\u{20d1}' | '\u{20d6}' | '\u{20d7}' | '\u{20e1}');
        let accent = self.font.grow_horizontally(mark, base.width, arrow && !one, size, self.color(ctx));
        let below = accent.ascent <= 0.0;
        let at = base.accent_x.filter(|_| one && !below).unwrap_or(base.width / 2.0);
        let x = at - accent.accent_x.unwrap_or(accent.width / 2.0);
        // The accents of the font are positioned for letters of the height `AccentBaseHeight`, so an accent is raised only over
        // a higher base.
        let up =
            if below { -base.descent } else { (base.ascent - self.font.constant(C::AccentBaseHeight, size)).max(0.0) };
        let (width, italic) = (base.width, base.italic_correction);
        let mut whole = MathBox::default();
        whole.place_box(base, 0.0, 0.0);
        whole.place_box(accent, x, up);
        Atom::new(MathBox { width, italic_correction: italic, ..whole }, class)
    }

    /// Draws a line over or under a base (§22.1.2.7): over it if `over` is true.
    pub fn bar(&self, over: bool, base: &MathRow, ctx: &NodeContext) -> Atom {
        let of = |constant| self.font.constant(constant, self.size(ctx));
        let style = if over { ctx.style.cramped() } else { ctx.style };
        let base = self.lay_out_row(base, &ctx.with_style(style));
        let (width, ascent, descent) = (base.width, base.ascent, base.descent);
        let mut whole = MathBox::empty(width);
        whole.place_box(base, 0.0, 0.0);
        if over {
            let (gap, thickness) = (of(C::OverbarVerticalGap), of(C::OverbarRuleThickness));
            whole.place_box(MathBox::filled_rectangle(width, thickness, ascent + gap, self.color(ctx)), 0.0, 0.0);
            whole.ascent += of(C::OverbarExtraAscender);
        } else {
            let (gap, thickness) = (of(C::UnderbarVerticalGap), of(C::UnderbarRuleThickness));
            whole.place_box(
                MathBox::filled_rectangle(width, thickness, -descent - gap - thickness, self.color(ctx)),
                0.0,
                0.0,
            );
            whole.descent += of(C::UnderbarExtraDescender);
        }
        Atom::new(whole, AtomClass::Ordinary)
    }

    /// Places a brace or an arrow over or under a base, as wide as the base (§22.1.2.41).
    pub fn group_character(
        &self,
        character: char,
        over: bool,
        on_baseline: bool,
        base: &MathRow,
        ctx: &NodeContext,
    ) -> Atom {
        let size = self.size(ctx);
        let of = |constant| self.font.constant(constant, size);
        let style = if on_baseline { ctx.style.superscript() } else { ctx.style };
        let base = self.lay_out_row(base, &ctx.with_style(style));
        let sign = self.font.grow_horizontally(character, base.width, true, size, self.color(ctx));
        let width = base.width.max(sign.width);
        let (base_x, sign_x) = ((width - base.width) / 2.0, (width - sign.width) / 2.0);
        let mut whole = MathBox::empty(width);
        let gap = of(if over { C::StretchStackGapBelowMin } else { C::StretchStackGapAboveMin });
        let (base_y, sign_y) = match (on_baseline, over) {
            (false, true) => (0.0, base.ascent + gap + sign.descent),
            (false, false) => (0.0, -(base.descent + gap + sign.ascent)),
            (true, true) => (-(sign.descent + gap + base.ascent), 0.0),
            (true, false) => (sign.ascent + gap + base.descent, 0.0),
        };
        let class = if on_baseline { AtomClass::Relation } else { AtomClass::Ordinary };
        whole.place_box(base, base_x, base_y);
        whole.place_box(sign, sign_x, sign_y);
        Atom::new(whole, class)
    }

    /// Draws a frame around the content and lines through it (§22.1.2.11). `sides` tells which sides the frame has: top,
    /// bottom, left, right. `strikes` tells which lines are drawn: horizontal, vertical, rising, falling.
    pub fn border_box(&self, sides: [bool; 4], strikes: [bool; 4], content: &MathRow, ctx: &NodeContext) -> MathBox {
        let size = self.size(ctx);
        let thickness = self.font.constant(C::FractionRuleThickness, size);
        let color = self.color(ctx);
        let inner = self.lay_out_row(content, ctx);
        let gap = size * FRAME_GAP;
        let room = gap + thickness;
        let (right, top, bottom) = (inner.width + 2.0 * room, inner.ascent + room, -inner.descent - room);
        let mut whole = MathBox::empty(right);
        whole.place_box(inner, room, 0.0);
        (whole.ascent, whole.descent) = (top, -bottom);
        let [above, below, left, at_right] = sides;
        let [across, down, rising, falling] = strikes;
        let (height, middle) = (top - bottom, (top + bottom) / 2.0);
        let rule = |width: f32, height: f32| MathElement::FilledRectangle { width, height, color };
        let strike = |up: f32| MathElement::Stroke { right, up, width: thickness, color };
        let lines = [
            (above, 0.0, top, rule(right, thickness)),
            (below, 0.0, bottom + thickness, rule(right, thickness)),
            (left, 0.0, top, rule(thickness, height)),
            (at_right, right - thickness, top, rule(thickness, height)),
            (across, 0.0, middle + thickness / 2.0, rule(right, thickness)),
            (down, (right - thickness) / 2.0, top, rule(thickness, height)),
            (rising, 0.0, bottom, strike(height)),
            (falling, 0.0, top, strike(-height)),
        ];
        let there = lines.into_iter().filter(|(there, ..)| *there);
        whole.elements.extend(there.map(|(_, x, y, ink)| PlacedElement { x, y, element: ink }));
        whole
    }

    /// Lays out a phantom (§22.1.2.81): content that takes space but is drawn only if `shown` is true. The flags in `zero` set
    /// the width, the ascent and the descent of the phantom to 0, in this order.
    pub fn phantom(&self, shown: bool, zero: [bool; 3], content: &MathRow, ctx: &NodeContext) -> MathBox {
        let mut inner = self.lay_out_row(content, ctx);
        if !shown {
            inner.elements.clear();
        }
        for (zero, length) in zero.into_iter().zip([&mut inner.width, &mut inner.ascent, &mut inner.descent]) {
            *length = if zero { 0.0 } else { *length };
        }
        inner
    }
}

/// Returns the combining character of an accent. In documents, an accent is either the combining character or its spacing form.
fn to_combining(mark: char) -> char {
    match mark {
        '`' => '\u{300}',
        '´' => '\u{301}',
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' => '\u{303}',
        '¯' | '‾' | '\u{304}' | '_' if mark != '_' => '\u{305}',
        '_' => '\u{332}',
        '˘' => '\u{306}',
        '˙' | '.' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30a}',
        'ˇ' => '\u{30c}',
        '←' => '\u{20d6}',
        '→' => '\u{20d7}',
        '↔' => '\u{20e1}',
        '⇀' => '\u{20d1}',
        '↼' => '\u{20d0}',
        other => other,
    }
}
