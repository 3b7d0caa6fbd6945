//! Structures: fractions, roots, brackets, sums and functions. The other files of this module lay out all other structures.

use skrifa::raw::tables::math::MathConstant as C;
use waraq_docx::tree::{FractionKind, MathNode, MathRow};

use super::arrays::EquationArray;
use super::boxes::MathBox;
use super::class::AtomClass;
use super::row::Atom;
use super::stretch::GrowthMethod;
use super::{FormulaLayout, NodeContext};
use crate::text::Extent;

/// Maximum depth of nested structures. Deeper structures are left out. They would be too small to read, and each level uses
/// stack memory.
const MAX_DEPTH: u8 = 40;

/// Length in ems by which a fraction bar extends beyond numerator and denominator. The space at the left and right of the bar
/// has the same length.
const FRACTION_OVERHANG: f32 = 1.0 / 18.0;
/// Minimum height of brackets around a row of letters, as a fraction of the height of the row (`\delimiterfactor` of TeX).
/// `MAX_LETTER_ROW_HEIGHT` determines which content is a row of letters.
const DELIMITER_FACTOR: f32 = 0.901;
/// Maximum height in ems of content that counts as a row of letters. Around higher content, brackets have at least its full
/// height.
const MAX_LETTER_ROW_HEIGHT: f32 = 1.2;
/// Gap between a separator and an item between brackets, in ems.
const SEPARATOR_GAP: f32 = 3.0 / 18.0;
/// Gap between a bracket and a matrix inside it, in ems.
const MATRIX_GAP: f32 = 3.0 / 18.0;
/// Maximum size of an operator that grows with its operand, in ems. Word has a similar limit.
const MAX_OPERATOR_SIZE: f32 = 4.0;
/// Gap between a large operator and its operand, in ems.
const OPERATOR_GAP: f32 = 3.0 / 18.0;

impl FormulaLayout<'_> {
    /// Lays out a node of any kind except runs and line breaks, and adds its atoms.
    pub fn lay_out_structure(&self, node: &MathNode, ctx: &NodeContext, atoms: &mut Vec<Atom>) {
        if ctx.depth >= MAX_DEPTH {
            return;
        }
        let ctx = ctx.inside_structure(node);
        let ctx = &ctx;
        let ordinary = |ink: MathBox| Atom::new(ink, AtomClass::Ordinary);
        match node {
            MathNode::Run(_) | MathNode::LineBreak => {}
            MathNode::Fraction { kind, numerator, denominator } => {
                atoms.push(ordinary(self.fraction(*kind, numerator, denominator, ctx)));
            }
            MathNode::Radical { degree, radicand } => {
                atoms.push(ordinary(self.radical(degree.as_ref(), radicand, ctx)));
            }
            MathNode::Scripts { base, subscript, superscript, before } => {
                atoms.push(self.scripts(base, subscript.as_ref(), superscript.as_ref(), *before, ctx));
            }
            MathNode::LargeOperator { .. } => self.large_operator(node, ctx, atoms),
            MathNode::Delimiters { open, separator, close, grow, items } => {
                atoms.push(self.delimiters([open, separator, close], *grow, items, ctx));
            }
            MathNode::Matrix { rows, alignment } => atoms.push(ordinary(self.matrix(rows, alignment, ctx))),
            MathNode::Function { name, argument } => self.function(name, argument, ctx, atoms),
            MathNode::Accent { mark, base } => atoms.push(self.accent(*mark, base, ctx)),
            MathNode::Bar { over, base } => atoms.push(self.bar(*over, base, ctx)),
            MathNode::Limit { base, limit, over } => atoms.push(self.limit_atom(base, limit, *over, ctx)),
            MathNode::GroupCharacter { character, over, on_baseline, base } => {
                atoms.push(self.group_character(*character, *over, *on_baseline, base, ctx));
            }
            MathNode::BorderBox { sides, strikes, content } => {
                atoms.push(ordinary(self.border_box(*sides, *strikes, content, ctx)));
            }
            MathNode::Box { operator, differential, content, .. } => {
                if *differential {
                    atoms.push(Atom::new(MathBox::empty(self.size(ctx) * 3.0 / 18.0), AtomClass::Space));
                }
                let class = if *operator { AtomClass::Binary } else { AtomClass::Ordinary };
                atoms.push(Atom::new(self.lay_out_row(content, ctx), class));
            }
            MathNode::EquationArray { rows } => {
                let EquationArray { mut content, numbers } = self.equation_array(rows, ctx);
                // Inside another structure, an equation number cannot be at the margin, so it is placed after the array.
                let x = content.width + 2.0 * self.size(ctx);
                for number in numbers {
                    content.width = content.width.max(x + number.content.width);
                    content.place_box(number.content, x, number.baseline);
                }
                atoms.push(ordinary(content));
            }
            MathNode::Phantom { shown, zero_width, zero_ascent, zero_descent, content } => {
                let zero = [*zero_width, *zero_ascent, *zero_descent];
                atoms.push(ordinary(self.phantom(*shown, zero, content, ctx)));
            }
        }
    }

    /// Lays out a fraction: stacked with or without a bar, skewed or linear (§22.1.2.36).
    fn fraction(&self, kind: FractionKind, numerator: &MathRow, denominator: &MathRow, ctx: &NodeContext) -> MathBox {
        if kind == FractionKind::Linear {
            let mut line = self.lay_out_row(numerator, ctx);
            line.append(self.lay_out_character('/', '/', self.font.choice, ctx));
            line.append(self.lay_out_row(denominator, ctx));
            return line;
        }
        let top = self.lay_out_row(numerator, &ctx.with_style(ctx.style.numerator()));
        let bottom = self.lay_out_row(denominator, &ctx.with_style(ctx.style.denominator()));
        match kind {
            FractionKind::Skewed => self.skewed_fraction(top, bottom, ctx),
            _ => self.stacked_fraction(top, bottom, kind == FractionKind::Bar, ctx),
        }
    }

    /// Places the numerator over the denominator, with or without a bar.
    fn stacked_fraction(&self, top: MathBox, bottom: MathBox, bar: bool, ctx: &NodeContext) -> MathBox {
        let size = self.size(ctx);
        let of = |constant| self.font.constant(constant, size);
        let display = ctx.style.is_display();
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
        let overhang = if bar { size * FRACTION_OVERHANG } else { 0.0 };
        let length = top.width.max(bottom.width) + 2.0 * overhang;
        let mut whole = MathBox::empty(length + 2.0 * overhang);
        let middle = |inner: &MathBox| overhang + (length - inner.width) / 2.0;
        let (top_x, bottom_x) = (middle(&top), middle(&bottom));
        whole.place_box(top, top_x, up);
        if bar {
            whole.place_box(
                MathBox::filled_rectangle(length, thickness, axis - thickness / 2.0, self.color(ctx)),
                overhang,
                0.0,
            );
        }
        whole.place_box(bottom, bottom_x, -down);
        whole
    }

    /// Lays out a fraction with a slash. The numerator is raised and stands before the slash. The denominator is lowered and
    /// stands after it.
    fn skewed_fraction(&self, top: MathBox, bottom: MathBox, ctx: &NodeContext) -> MathBox {
        let size = self.size(ctx);
        let axis = self.font.constant(C::AxisHeight, size);
        let gap = self.font.constant(C::SkewedFractionVerticalGap, size);
        let height = top.height() + gap + bottom.height();
        let slash =
            self.font.grow_vertically('⁄', height, GrowthMethod::Variants, size, self.color(ctx)).centered_at(axis);
        // The gap between numerator and denominator is the width of the slash.
        let between = self.font.constant(C::SkewedFractionHorizontalGap, size).min(slash.width);
        let mut whole = MathBox::empty(top.width + between + bottom.width);
        let (at, slash_x) = (top.width, top.width + (between - slash.width) / 2.0);
        let up = axis + gap / 2.0 + top.descent;
        let down = axis - gap / 2.0 - bottom.ascent;
        whole.place_box(top, 0.0, up);
        whole.place_box(slash, slash_x, 0.0);
        whole.place_box(bottom, at + between, down);
        whole
    }

    /// Lays out a root: a radical sign that grows with the radicand, a rule over the radicand, and the degree in the angle
    /// of the sign (§22.1.2.88).
    fn radical(&self, degree: Option<&MathRow>, radicand: &MathRow, ctx: &NodeContext) -> MathBox {
        let size = self.size(ctx);
        let color = self.color(ctx);
        let of = |constant| self.font.constant(constant, size);
        let inner = self.lay_out_row(radicand, &ctx.with_style(ctx.style.cramped()));
        // An empty radicand has the height of a letter.
        let (ascent, descent) = (inner.ascent.max(0.5 * size), inner.descent.max(0.0));
        let display = ctx.style.is_display();
        let mut gap = of(if display { C::RadicalDisplayStyleVerticalGap } else { C::RadicalVerticalGap });
        let thickness = of(C::RadicalRuleThickness);
        let needed = ascent + descent + gap + thickness;
        let sign = self.font.grow_vertically('√', needed, GrowthMethod::Assembly, size, color);
        // If the radical sign is higher than needed, half of the excess is above the radicand and half below.
        gap += ((sign.height() - needed) / 2.0).max(0.0);
        let top = ascent + gap + thickness;
        let raise = top - sign.ascent;
        let (sign_width, sign_height) = (sign.width, sign.height());
        let mut whole = MathBox::default();
        let left = degree.map_or(0.0, |degree| {
            let degree = self.lay_out_row(degree, &ctx.with_style(ctx.style.degree()));
            let (before, after) = (of(C::RadicalKernBeforeDegree), of(C::RadicalKernAfterDegree));
            let share = self.font.percentage(C::RadicalDegreeBottomRaisePercent).clamp(0.0, 1.0);
            let bottom = top - sign_height + share * sign_height;
            let width = degree.width;
            let up = bottom + degree.descent;
            whole.place_box(degree, before, up);
            (before + width + after).max(0.0)
        });
        whole.place_box(sign, left, raise);
        whole.place_box(
            MathBox::filled_rectangle(inner.width, thickness, top - thickness, color),
            left + sign_width,
            0.0,
        );
        whole.width = left + sign_width + inner.width;
        whole.place_box(inner, left + sign_width, 0.0);
        whole.ascent = whole.ascent.max(top + of(C::RadicalExtraAscender));
        whole
    }

    /// Lays out a delimiter structure: an opening bracket, items with separators between them, and a closing bracket
    /// (§22.1.2.24).
    fn delimiters(&self, [open, between, close]: [&str; 3], grow: bool, items: &[MathRow], ctx: &NodeContext) -> Atom {
        let size = self.size(ctx);
        let axis = self.font.constant(C::AxisHeight, size);
        let items: Vec<MathBox> = items.iter().map(|item| self.delimiter_item(item, ctx)).collect();
        let reach = items.iter().map(|item| (item.ascent - axis).max(item.descent + axis)).fold(0.0, f32::max);
        let share = if 2.0 * reach > MAX_LETTER_ROW_HEIGHT * size { 1.0 } else { DELIMITER_FACTOR };
        let needed = if grow { 2.0 * reach * share } else { 0.0 };
        let sign = |text: &str| {
            let mut row = MathBox::default();
            for character in text.chars().take(4) {
                row.append(self.delimiter(character, needed, ctx));
            }
            row
        };
        let mut whole = sign(open);
        let separator = sign(between);
        let bar = matches!(between, "|" | "∣" | "‖" | "∥" | "/" | "∕");
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 && separator.width > 0.0 {
                whole.width += if bar { size * SEPARATOR_GAP } else { 0.0 };
                whole.append(separator.clone());
                whole.width += size * SEPARATOR_GAP;
            }
            whole.append(item);
        }
        whole.append(sign(close));
        let class = |sign: &str, class: AtomClass| if sign.is_empty() { AtomClass::Ordinary } else { class };
        Atom::with_classes(
            whole.without_letter_properties(),
            class(open, AtomClass::Open),
            class(close, AtomClass::Close),
        )
    }

    /// Lays out an item between brackets. If it is a matrix or an array, a gap is added between it and the brackets.
    fn delimiter_item(&self, item: &MathRow, ctx: &NodeContext) -> MathBox {
        let row = self.lay_out_row(item, ctx);
        if !matches!(item.as_slice(), [MathNode::Matrix { .. } | MathNode::EquationArray { .. }]) {
            return row;
        }
        let gap = MATRIX_GAP * self.size(ctx);
        let mut apart = MathBox::empty(gap);
        apart.append(row);
        apart.width += gap;
        apart
    }

    /// Returns a bracket or separator with at least this height, centred on the math axis.
    fn delimiter(&self, character: char, needed: f32, ctx: &NodeContext) -> MathBox {
        let size = self.size(ctx);
        let axis = self.font.constant(C::AxisHeight, size);
        let shown = match character {
            // Replace characters that resemble angle brackets by the mathematical ones, because the font has large variants
            // only of these.
            '<' | '\u{2329}' | '\u{3008}' => '⟨',
            '>' | '\u{232a}' | '\u{3009}' => '⟩',
            other => other,
        };
        let sign = self.font.grow_vertically(shown, needed, GrowthMethod::Assembly, size, self.color(ctx));
        if needed > 0.0 && !matches!(shown, ',' | ';' | '.' | ':') { sign.centered_at(axis) } else { sign }
    }

    /// Returns the sign of a large operator, centred on the math axis. The sign is larger in a displayed formula. If the
    /// operator grows with its operand, `operand` is the extent of the operand, and the sign is enlarged accordingly. Otherwise
    /// `operand` is `None`.
    pub fn operator_sign(&self, sign: char, operand: Option<Extent>, ctx: &NodeContext) -> MathBox {
        let size = self.size(ctx);
        let axis = self.font.constant(C::AxisHeight, size);
        let display = ctx.style.is_display();
        let least = if display { self.font.constant(C::DisplayOperatorMinHeight, size) } else { 0.0 };
        let span = operand.map_or(0.0, |operand| 2.0 * (operand.ascent - axis).max(operand.descent + axis));
        let needed = least.max(span.min(MAX_OPERATOR_SIZE * size));
        // An assembly of parts is used only if the sign must be higher than the minimum.
        let stretch = if span > least { GrowthMethod::Assembly } else { GrowthMethod::Variants };
        self.font.grow_vertically(sign, needed, stretch, size, self.color(ctx)).centered_at(axis)
    }

    /// Lays out a large operator, such as a sum or an integral, its limits and its operand.
    fn large_operator(&self, node: &MathNode, ctx: &NodeContext, atoms: &mut Vec<Atom>) {
        let MathNode::LargeOperator { operator, limits_above_and_below, grow, lower, upper, body } = node else {
            return;
        };
        let body = self.lay_out_atoms(body, ctx);
        let operand = (*grow && ctx.style.is_display()).then(|| {
            let mut operand = Extent::default();
            for atom in &body {
                operand.include(Extent { ascent: atom.content.ascent, descent: atom.content.descent });
            }
            operand
        });
        let sign = self.operator_sign(*operator, operand, ctx);
        let lower = lower.as_ref().map(|row| self.lay_out_row(row, &ctx.with_style(ctx.style.subscript())));
        let upper = upper.as_ref().map(|row| self.lay_out_row(row, &ctx.with_style(ctx.style.superscript())));
        // In a line of text, limits are always beside the sign, as in Word.
        let ink = if *limits_above_and_below && ctx.style.is_display() {
            self.place_limits(sign, lower, upper, ctx)
        } else if lower.is_none() && upper.is_none() {
            sign
        } else {
            // The subscript of a slanted sign is moved left, below the slanted end of the sign.
            let lean = sign.italic_correction.max(0.0);
            let narrow = MathBox { width: sign.width - lean, ..sign };
            self.scripts_after(narrow, lower, upper, ctx)
        };
        // A small gap follows the operator. In addition, the operator has the same space after it as an opening bracket.
        let ink = MathBox { width: ink.width + self.size(ctx) * OPERATOR_GAP, ..ink };
        atoms.push(Atom::with_classes(ink, AtomClass::Operator, AtomClass::Open));
        atoms.extend(body);
    }

    /// Lays out a function: its name and its argument, with a thin space between them. The space is
    /// omitted if the argument begins with a bracket.
    fn function(&self, name: &MathRow, argument: &MathRow, ctx: &NodeContext, atoms: &mut Vec<Atom>) {
        let ink = match name.as_slice() {
            [MathNode::Limit { base, limit, over }] => self.limit_atom(base, limit, *over, ctx).content,
            _ => self.lay_out_row(name, ctx),
        };
        atoms.push(Atom::new(ink, AtomClass::Operator));
        atoms.extend(self.lay_out_atoms(argument, ctx));
    }
}
