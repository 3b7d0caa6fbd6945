//! Subscripts and superscripts before and after their base, and limits above and below it.

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{MathNode, MathRow};

use super::boxes::MathBox;
use super::class::AtomClass;
use super::row::Atom;
use super::{FormulaLayout, NodeContext};

/// The shifts of the scripts of a base, in points.
struct ScriptShifts {
    /// Distance by which the superscript is raised.
    up: f32,
    /// Distance by which the subscript is lowered.
    down: f32,
}

impl FormulaLayout<'_> {
    /// Returns the atom of a base with a subscript and a superscript. If `before_base` is true, the scripts are before the
    /// base, else after it.
    pub fn scripts(
        &self,
        base: &MathRow,
        subscript: Option<&MathRow>,
        superscript: Option<&MathRow>,
        before_base: bool,
        ctx: &NodeContext,
    ) -> Atom {
        let lower = subscript.map(|row| self.lay_out_row(row, &ctx.with_style(ctx.style.subscript())));
        let upper = superscript.map(|row| self.lay_out_row(row, &ctx.with_style(ctx.style.superscript())));
        let mut inner = self.lay_out_atoms(base, ctx);
        // The space around the base and its scripts depends on the classes of the base.
        let (left, right) = match inner.as_slice() {
            [one] => (one.left_class, one.right_class),
            [first, .., last] => (first.left_class, last.right_class),
            [] => (AtomClass::Ordinary, AtomClass::Ordinary),
        };
        let nucleus = if inner.len() == 1 { inner.remove(0).content } else { self.join_atoms(inner, ctx) };
        let ink = if before_base {
            self.scripts_before(nucleus, lower, upper, ctx)
        } else {
            self.scripts_after(nucleus, lower, upper, ctx)
        };
        Atom::with_classes(ink, left, right)
    }

    /// Places a subscript (`lower`) and a superscript (`upper`) after a box. Returns the box with its scripts.
    pub fn scripts_after(
        &self,
        base: MathBox,
        lower: Option<MathBox>,
        upper: Option<MathBox>,
        ctx: &NodeContext,
    ) -> MathBox {
        let space = self.font.constant(C::SpaceAfterScript, self.size(ctx));
        let ScriptShifts { up, down } = self.script_shifts(&base, lower.as_ref(), upper.as_ref(), ctx);
        let (at, lean) = (base.width, base.italic_correction.max(0.0));
        let mut whole = MathBox::default();
        whole.append(base);
        let mut width = at;
        if let Some(lower) = lower {
            width = width.max(at + lower.width);
            whole.place_box(lower, at, -down);
        }
        if let Some(upper) = upper {
            width = width.max(at + lean + upper.width);
            whole.place_box(upper, at + lean, up);
        }
        MathBox { width: width + space, ..whole.without_letter_properties() }
    }

    /// Places a subscript and a superscript directly before a box.
    fn scripts_before(
        &self,
        base: MathBox,
        lower: Option<MathBox>,
        upper: Option<MathBox>,
        ctx: &NodeContext,
    ) -> MathBox {
        let space = self.font.constant(C::SpaceAfterScript, self.size(ctx));
        let ScriptShifts { up, down } = self.script_shifts(&base, lower.as_ref(), upper.as_ref(), ctx);
        let room = box_width(&lower).max(box_width(&upper));
        let mut whole = MathBox::empty(space + room);
        for (script, y) in [(lower, -down), (upper, up)] {
            let Some(script) = script else { continue };
            let x = space + room - script.width;
            whole.place_box(script, x, y);
        }
        whole.append(base);
        MathBox { is_single_character: false, accent_x: None, ..whole }
    }

    /// Returns the distance by which the superscript is raised and the distance by which the subscript is lowered, by rule 18
    /// of TeX with the constants of the font.
    fn script_shifts(
        &self,
        base: &MathBox,
        lower: Option<&MathBox>,
        upper: Option<&MathBox>,
        ctx: &NodeContext,
    ) -> ScriptShifts {
        let size = self.size(ctx);
        let of = |constant| self.font.constant(constant, size);
        // The scripts of a single letter have standard positions. The scripts of a high base are at its corners.
        let (high, low) = if base.is_single_character && base.height() < 1.3 * size {
            (0.0, 0.0)
        } else {
            (base.ascent - of(C::SuperscriptBaselineDropMax), base.descent + of(C::SubscriptBaselineDropMin))
        };
        let rise = of(if ctx.style.cramped { C::SuperscriptShiftUpCramped } else { C::SuperscriptShiftUp });
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
                    // Raise the superscript instead of lowering the subscript, but only up to the limit that the font defines
                    // for a superscript above a subscript.
                    let rise = of(C::SuperscriptBottomMaxWithSubscript) - (up - upper.descent);
                    let rise = rise.clamp(0.0, missing);
                    (up, down) = (up + rise, down - rise);
                }
            }
            _ => {}
        }
        ScriptShifts { up, down }
    }

    /// Places limits below (`lower`) and above (`upper`) a base. Returns the base with its limits.
    pub fn place_limits(
        &self,
        base: MathBox,
        lower: Option<MathBox>,
        upper: Option<MathBox>,
        ctx: &NodeContext,
    ) -> MathBox {
        let size = self.size(ctx);
        let of = |constant| self.font.constant(constant, size);
        let room = base.width.max(box_width(&lower)).max(box_width(&upper));
        let (ascent, descent, lean) = (base.ascent, base.descent, base.italic_correction / 2.0);
        let middle = |inner: &MathBox| (room - inner.width) / 2.0;
        let mut whole = MathBox::empty(room);
        let base_x = middle(&base);
        whole.place_box(base, base_x, 0.0);
        if let Some(lower) = lower {
            let down = (descent + of(C::LowerLimitGapMin) + lower.ascent).max(of(C::LowerLimitBaselineDropMin));
            let x = middle(&lower) - lean;
            whole.place_box(lower, x, -down);
        }
        if let Some(upper) = upper {
            let up = (ascent + of(C::UpperLimitGapMin) + upper.descent).max(ascent + of(C::UpperLimitBaselineRiseMin));
            let x = middle(&upper) + lean;
            whole.place_box(upper, x, up);
        }
        whole
    }

    /// Lays out limLow and limUpp (§22.1.2.54, §22.1.2.56): a base with a limit below it or, if `over` is true, above it.
    pub fn limit_atom(&self, base: &MathRow, limit: &MathRow, over: bool, ctx: &NodeContext) -> Atom {
        let inner = self.lay_out_atoms(base, ctx);
        let name = inner.len() > 1 && base.iter().all(|node| matches!(node, MathNode::Run(_)));
        let class = match inner.as_slice() {
            [one] => one.left_class,
            _ if name => AtomClass::Operator,
            _ => AtomClass::Ordinary,
        };
        let style = if over { ctx.style.superscript() } else { ctx.style.subscript() };
        let limit = Some(self.lay_out_row(limit, &ctx.with_style(style)));
        let nucleus = self.join_atoms(inner, ctx);
        let (lower, upper) = if over { (None, limit) } else { (limit, None) };
        Atom::new(self.place_limits(nucleus, lower, upper, ctx), class)
    }
}

fn box_width(script: &Option<MathBox>) -> f32 {
    script.as_ref().map_or(0.0, |script| script.width)
}
