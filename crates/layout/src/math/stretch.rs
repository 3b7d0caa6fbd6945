//! Enlarged glyphs: larger variants of a glyph, and assemblies of parts (MATH, MathVariants).

use skrifa::GlyphId;
use skrifa::raw::tables::math::{GlyphAssembly, MathGlyphConstruction, PartFlags, StretchAxis};
use waraq_docx::tree::Rgb;

use super::boxes::{MathBox, MathElement, MathGlyphs, OffsetGlyph, PlacedElement};
use super::font::{FaceGlyph, GlyphBounds, MathFont};
use crate::fonts::FaceChoice;

/// Maximum number of parts of an assembly. An assembly with so many parts is higher than a page.
const MAX_ASSEMBLY_PARTS: usize = 400;

/// The ways to enlarge a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GrowthMethod {
    /// Uses a variant of the glyph. If no variant is large enough, the largest one is used.
    Variants,
    /// Uses a variant of the glyph or, if no variant is large enough, an assembly of parts.
    Assembly,
}

/// An enlarged character.
enum GrownGlyph {
    /// A single glyph.
    Single(FaceGlyph),
    /// An assembly of parts of the math font.
    Assembly {
        /// The parts of the glyph, from bottom to top or from left to right.
        parts: Vec<PlacedPart>,
        /// Total height or width of the assembly in points.
        length: f32,
    },
}

/// A part of an assembly.
struct PlacedPart {
    /// Glyph id.
    glyph: u16,
    /// Distance in points from the bottom or the left end of the assembly.
    along: f32,
}

impl MathFont<'_> {
    /// Lays out a character with a height of at least `needed` points, as far as the font allows. If a single glyph is high
    /// enough, it keeps its vertical position. If the character is assembled from parts, its bottom is on the baseline.
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
            GrownGlyph::Assembly { parts, length } => (parts, length),
        };
        let mut parts = Vec::with_capacity(pieces.len());
        let (mut width, mut right) = (0.0_f32, 0.0_f32);
        for PlacedPart { glyph, along } in pieces {
            let ink = self.glyph_bounds(self.choice.face, glyph, size);
            parts.push(OffsetGlyph { id: glyph, x: 0.0, y: along + ink.descent });
            (width, right) = (width.max(ink.advance), right.max(ink.right));
        }
        let grown =
            MathBox { width, ascent: length, italic_correction: (right - width).max(0.0), ..MathBox::default() };
        with_glyphs(grown, character, self.choice, parts, size, color)
    }

    /// Lays out an enlarged character. If `cover` is true, the character is at least `needed` points wide, as far as the font
    /// allows. If `cover` is false (for accents), the widest variant that is not wider than `needed` is used.
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
                let ink = self.glyph_bounds(self.choice.face, glyph.id, size);
                let wide = ink.advance < ink.right - ink.left - 0.01 || ink.left < 0.0;
                return if wide { one.moved_right(-ink.left, ink.right - ink.left) } else { one };
            }
            GrownGlyph::Assembly { parts, length } => (parts, length),
        };
        let mut parts = Vec::with_capacity(pieces.len());
        let mut whole = MathBox { width: length, ascent: f32::MIN, descent: f32::MIN, ..MathBox::default() };
        for PlacedPart { glyph, along } in pieces {
            let ink = self.glyph_bounds(self.choice.face, glyph, size);
            parts.push(OffsetGlyph { id: glyph, x: along - ink.left, y: 0.0 });
            whole.ascent = whole.ascent.max(ink.ascent);
            whole.descent = whole.descent.max(ink.descent);
        }
        with_glyphs(whole, character, self.choice, parts, size, color)
    }

    /// Lays out a character that is drawn by one glyph of normal size.
    pub fn single_glyph(&self, text: char, glyph: FaceGlyph, size: f32, color: Rgb) -> MathBox {
        let FaceGlyph { choice, id } = glyph;
        let GlyphBounds { advance: width, ascent, descent, .. } = self.glyph_bounds(choice.face, id, size);
        let italic = self.italics_correction(choice.face, id, size);
        let attachment = self.accent_x(choice.face, id, size);
        let one = MathBox {
            width,
            ascent,
            descent,
            italic_correction: italic,
            accent_x: attachment,
            is_single_character: true,
            elements: Vec::new(),
        };
        with_glyphs(one, text, choice, vec![OffsetGlyph { id, x: 0.0, y: 0.0 }], size, color)
    }

    /// Returns the variants and the assembly of a character, if the math font has them.
    fn construction(&self, character: char, axis: StretchAxis) -> Option<MathGlyphConstruction<'_>> {
        let FaceGlyph { choice, id } = self.glyph(self.choice, character);
        let own = choice.face == self.choice.face;
        self.table.math_variants().ok().filter(|_| own)?.glyph_construction(GlyphId::from(id), axis)
    }

    /// Returns the smallest variant or assembly of a character whose length along the axis is at least `needed` points. If
    /// all are smaller, returns the largest variant.
    fn grow(&self, character: char, needed: f32, stretch: GrowthMethod, size: f32, axis: StretchAxis) -> GrownGlyph {
        let FaceGlyph { choice, id: base } = self.glyph(self.choice, character);
        let one = |id| GrownGlyph::Single(FaceGlyph { choice, id });
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

    /// Returns the widest variant of a character that is at most `room` points wide, or the normal glyph if all are wider.
    fn widest_variant_within(&self, character: char, room: f32, size: f32) -> GrownGlyph {
        let FaceGlyph { choice, id: base } = self.glyph(self.choice, character);
        let fits = |glyph: &u16| {
            let ink = self.glyph_bounds(self.choice.face, *glyph, size);
            ink.right - ink.left <= room
        };
        let construction = self.construction(character, StretchAxis::Horizontal);
        let variants = construction.iter().flat_map(MathGlyphConstruction::math_glyph_variant_records);
        let widest = variants.map(|variant| variant.variant_glyph().to_u16()).rfind(fits);
        GrownGlyph::Single(FaceGlyph { choice, id: widest.unwrap_or(base) })
    }

    /// Builds a glyph of the length `needed` (in points) from as few parts as possible. If the parts are longer than `needed` in
    /// total, their overlaps are increased. Returns `None` if no part can be repeated.
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
        // Increase the overlaps to remove the excess length, as far as the parts allow.
        let more = ((longest - needed) / joints).max(0.0);
        let mut parts = Vec::with_capacity(row.len());
        let (mut at, mut before): (f32, Option<&AssemblyPart>) = (0.0, None);
        for piece in row {
            if let Some(before) = before {
                let allowed = before.end.min(piece.start).min(before.length * 0.99).max(least);
                at += before.length - (least + more).min(allowed);
            }
            parts.push(PlacedPart { glyph: piece.glyph, along: at });
            before = Some(piece);
        }
        Some(GrownGlyph::Assembly { parts, length: at + before?.length })
    }
}

/// Returns the box with these glyphs as its content. Together they draw the character `text`.
fn with_glyphs(
    of: MathBox,
    text: char,
    choice: FaceChoice,
    glyphs: Vec<OffsetGlyph>,
    size: f32,
    color: Rgb,
) -> MathBox {
    let element = MathElement::Glyph(Box::new(MathGlyphs { choice, size, color, advance: of.width, text, glyphs }));
    MathBox { elements: vec![PlacedElement { x: 0.0, y: 0.0, element }], ..of }
}
