//! Enlarged glyphs: larger variants of a glyph, and assemblies of parts (MATH, MathVariants).

use skrifa::GlyphId;
use skrifa::raw::tables::math::{GlyphAssembly, MathGlyphConstruction, PartFlags, StretchAxis};
use waraq_docx::tree::Rgb;

use super::boxes::{MathBox, MathElement, MathGlyphs, PlacedElement};
use super::font::{GlyphBounds, MathFont};
use crate::fonts::FaceChoice;

/// Maximum number of parts of an assembly. So many parts are higher than a page.
const MAX_ASSEMBLY_PARTS: usize = 400;

/// The ways to enlarge a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GrowthMethod {
    /// Variants of the glyph. The largest one is used if none is large enough.
    Variants,
    /// Variants, or an assembly of parts if no variant is large enough.
    Assembly,
}

/// An enlarged character.
enum GrownGlyph {
    /// A single glyph.
    Single((FaceChoice, u16)),
    /// The parts of an assembly with their positions along the axis, and their total length.
    Assembly(Vec<(u16, f32)>, f32),
}

impl MathFont<'_> {
    /// Returns a character with at least this height, as far as the font allows. A variant keeps its vertical position; the
    /// bottom of an assembly is on the baseline.
    pub fn grow_vertically(
        &self,
        character: char,
        needed: f32,
        stretch: GrowthMethod,
        size: f32,
        color: Rgb,
    ) -> MathBox {
        let (pieces, length) = match self.grow(character, needed, stretch, size, StretchAxis::Vertical) {
            GrownGlyph::Single(glyph) => return self.single_glyph(character, glyph, size, color),
            GrownGlyph::Assembly(pieces, length) => (pieces, length),
        };
        let mut parts = Vec::with_capacity(pieces.len());
        let (mut width, mut right) = (0.0_f32, 0.0_f32);
        for (glyph, along) in pieces {
            let ink = self.glyph_bounds(self.choice.face, glyph, size);
            parts.push((glyph, 0.0, along + ink.descent));
            (width, right) = (width.max(ink.advance), right.max(ink.right));
        }
        let grown =
            MathBox { width, ascent: length, italic_correction: (right - width).max(0.0), ..MathBox::default() };
        with_glyphs(grown, character, self.choice, parts, size, color)
    }

    /// Returns a character with at least this width if `cover` is true. Otherwise, for accents, returns the widest variant
    /// that is not wider.
    pub fn grow_horizontally(&self, character: char, needed: f32, cover: bool, size: f32, color: Rgb) -> MathBox {
        let grown = if cover {
            self.grow(character, needed, GrowthMethod::Assembly, size, StretchAxis::Horizontal)
        } else {
            self.widest_variant_within(character, needed, size)
        };
        let (pieces, length) = match grown {
            GrownGlyph::Single(glyph) => {
                // Accents have no advance, so the width is that of the visible glyph.
                let one = self.single_glyph(character, glyph, size, color);
                let ink = self.glyph_bounds(self.choice.face, glyph.1, size);
                let wide = ink.advance < ink.right - ink.left - 0.01 || ink.left < 0.0;
                return if wide { one.moved_right(-ink.left, ink.right - ink.left) } else { one };
            }
            GrownGlyph::Assembly(pieces, length) => (pieces, length),
        };
        let mut parts = Vec::with_capacity(pieces.len());
        let mut whole = MathBox { width: length, ascent: f32::MIN, descent: f32::MIN, ..MathBox::default() };
        for (glyph, along) in pieces {
            let ink = self.glyph_bounds(self.choice.face, glyph, size);
            parts.push((glyph, along - ink.left, 0.0));
            whole.ascent = whole.ascent.max(ink.ascent);
            whole.descent = whole.descent.max(ink.descent);
        }
        with_glyphs(whole, character, self.choice, parts, size, color)
    }

    /// Returns a character drawn by one glyph of normal size.
    pub fn single_glyph(&self, text: char, (choice, glyph): (FaceChoice, u16), size: f32, color: Rgb) -> MathBox {
        let GlyphBounds { advance: width, ascent, descent, .. } = self.glyph_bounds(choice.face, glyph, size);
        let italic = self.italics_correction(choice.face, glyph, size);
        let attachment = self.accent_x(choice.face, glyph, size);
        let one = MathBox {
            width,
            ascent,
            descent,
            italic_correction: italic,
            accent_x: attachment,
            is_single_character: true,
            elements: Vec::new(),
        };
        with_glyphs(one, text, choice, vec![(glyph, 0.0, 0.0)], size, color)
    }

    /// Returns the variants and the assembly of a character, if the math font has them.
    fn construction(&self, character: char, axis: StretchAxis) -> Option<MathGlyphConstruction<'_>> {
        let (choice, glyph) = self.glyph(self.choice, character);
        let own = choice.face == self.choice.face;
        self.table.math_variants().ok().filter(|_| own)?.glyph_construction(GlyphId::from(glyph), axis)
    }

    /// Returns the smallest variant or assembly with at least this length along the axis.
    fn grow(&self, character: char, needed: f32, stretch: GrowthMethod, size: f32, axis: StretchAxis) -> GrownGlyph {
        let (choice, base) = self.glyph(self.choice, character);
        let one = |glyph| GrownGlyph::Single((choice, glyph));
        let Some(construction) = self.construction(character, axis) else { return one(base) };
        let variants = construction.math_glyph_variant_records();
        let length = |glyph: u16| {
            let ink = self.glyph_bounds(self.choice.face, glyph, size);
            if axis == StretchAxis::Vertical { ink.ascent + ink.descent } else { ink.right - ink.left }
        };
        let found = std::iter::once(base)
            .chain(variants.iter().map(|variant| variant.variant_glyph().to_u16()))
            .find(|glyph| length(*glyph) >= needed);
        if let Some(glyph) = found {
            return one(glyph);
        }
        let largest = variants.last().map_or(base, |variant| variant.variant_glyph().to_u16());
        let assembly = construction.glyph_assembly().and_then(Result::ok).filter(|_| stretch == GrowthMethod::Assembly);
        assembly.and_then(|assembly| self.assemble(&assembly, needed, size)).unwrap_or_else(|| one(largest))
    }

    /// Returns the widest variant that fits into `room` points.
    fn widest_variant_within(&self, character: char, room: f32, size: f32) -> GrownGlyph {
        let (choice, base) = self.glyph(self.choice, character);
        let fits = |glyph: &u16| {
            let ink = self.glyph_bounds(self.choice.face, *glyph, size);
            ink.right - ink.left <= room
        };
        let construction = self.construction(character, StretchAxis::Horizontal);
        let variants = construction.iter().flat_map(MathGlyphConstruction::math_glyph_variant_records);
        let widest = variants.map(|variant| variant.variant_glyph().to_u16()).rfind(fits);
        GrownGlyph::Single((choice, widest.unwrap_or(base)))
    }

    /// Assembles as few parts as are needed for the length. The parts overlap by the excess length. Returns `None` if no
    /// part can be repeated.
    fn assemble(&self, assembly: &GlyphAssembly<'_>, needed: f32, size: f32) -> Option<GrownGlyph> {
        struct AssemblyPart {
            glyph: u16,
            start: f32,
            end: f32,
            length: f32,
            extends: bool,
        }
        let least = self.table.math_variants().ok()?.min_connector_overlap().to_u16();
        let points = |units: u16| self.points(i32::from(units), size);
        let pieces: Vec<AssemblyPart> = assembly
            .part_records()
            .iter()
            .take(16)
            .map(|part| AssemblyPart {
                glyph: part.glyph_id().to_u16(),
                start: points(part.start_connector_length().to_u16()),
                end: points(part.end_connector_length().to_u16()),
                length: points(part.full_advance().to_u16()),
                extends: part.part_flags().contains(PartFlags::EXTENDER_FLAG),
            })
            .collect();
        let extenders = pieces.iter().filter(|piece| piece.extends).count();
        let least = points(least);
        let gain: f32 = pieces.iter().filter(|piece| piece.extends).map(|piece| piece.length - least).sum();
        let fixed: f32 = pieces.iter().filter(|piece| !piece.extends).map(|piece| piece.length - least).sum();
        let most = MAX_ASSEMBLY_PARTS.checked_div(extenders)?;
        if gain <= 0.0 || !needed.is_finite() {
            return None;
        }
        let repeat = (((needed - fixed - least) / gain).ceil().max(0.0) as usize).min(most);
        let row: Vec<&AssemblyPart> = pieces
            .iter()
            .flat_map(|piece| std::iter::repeat_n(piece, if piece.extends { repeat } else { 1 }))
            .collect();
        let longest = fixed + gain * repeat as f32 + least;
        let joints = row.len().saturating_sub(1).max(1) as f32;
        // The overlaps remove the excess length, as far as the parts allow.
        let more = ((longest - needed) / joints).max(0.0);
        let mut parts = Vec::with_capacity(row.len());
        let (mut at, mut before): (f32, Option<&AssemblyPart>) = (0.0, None);
        for piece in row {
            if let Some(before) = before {
                let allowed = before.end.min(piece.start).min(before.length * 0.99).max(least);
                at += before.length - (least + more).min(allowed);
            }
            parts.push((piece.glyph, at));
            before = Some(piece);
        }
        Some(GrownGlyph::Assembly(parts, at + before?.length))
    }
}

/// Returns the box with its content: a character drawn by these glyphs.
fn with_glyphs(
    of: MathBox,
    text: char,
    choice: FaceChoice,
    parts: Vec<(u16, f32, f32)>,
    size: f32,
    color: Rgb,
) -> MathBox {
    let element =
        MathElement::Glyph(Box::new(MathGlyphs { choice, size, color, advance: of.width, text, glyphs: parts }));
    MathBox { elements: vec![PlacedElement { x: 0.0, y: 0.0, element }], ..of }
}
