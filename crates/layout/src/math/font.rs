//! The font of formulas and the data of its MATH table (OpenType, MATH; ISO/IEC 14496-22 §6.3.6).

use skrifa::GlyphId;
use skrifa::raw::TableProvider;
use skrifa::raw::tables::math::{Math, MathConstant, MathConstants};
use unicode_script::UnicodeScript;

use super::SizeLevel;
use crate::fonts::{DocumentFonts, FaceChoice};

/// The names of math fonts, in order of preference: the math font of Word, then the font that is shipped with Waraq. The
/// shipped font is also used if a document embeds a font named Cambria Math that has no MATH table.
const FAMILIES: [&str; 2] = ["Cambria Math", "Noto Sans Math"];

pub(super) struct MathFont<'a> {
    pub fonts: &'a DocumentFonts,
    pub choice: FaceChoice,
    pub(super) table: Math<'a>,
    constants: MathConstants<'a>,
    units_per_em: f32,
}

/// A glyph, and the font face that contains it.
#[derive(Debug, Clone, Copy)]
pub(super) struct FaceGlyph {
    /// The face of the glyph.
    pub choice: FaceChoice,
    /// Glyph id, or 0 if the face lacks the character.
    pub id: u16,
}

/// The advance and bounds of a glyph in points, measured from the origin of the glyph. `descent` is positive downwards; the
/// other values are positive rightwards or upwards.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct GlyphBounds {
    pub advance: f32,
    pub left: f32,
    pub right: f32,
    pub ascent: f32,
    pub descent: f32,
}

impl<'a> MathFont<'a> {
    /// Finds the first of the math fonts that is available and has a MATH table. Returns `None` if every one is missing or
    /// lacks the table.
    pub fn find(fonts: &'a DocumentFonts) -> Option<Self> {
        FAMILIES.iter().find_map(|family| {
            let choice = fonts.resolve(Some(family), false, false)?;
            let parsed = fonts.parsed(choice.face)?;
            let table = parsed.font.tables().math().ok()?;
            let constants = table.math_constants().ok()?;
            let units_per_em = parsed.metrics.units_per_em.max(1.0);
            Some(Self { fonts, choice, table, constants, units_per_em })
        })
    }

    /// Converts a length in font units to points at the font size `size`.
    pub fn points(&self, units: i32, size: f32) -> f32 {
        units as f32 * size / self.units_per_em
    }

    /// Returns the value of a MATH table constant in points at the font size `size`. The constant must be a length.
    pub fn constant(&self, constant: MathConstant, size: f32) -> f32 {
        self.points(self.constants.constant(constant), size)
    }

    /// Returns a constant of the MATH table that is a percentage, as a factor: 0.8 for 80 %.
    pub fn percentage(&self, constant: MathConstant) -> f32 {
        self.constants.constant(constant) as f32 / 100.0
    }

    /// Returns the font size of a size level (such as script) as a fraction of the font size of the text.
    pub fn level_scale(&self, level: SizeLevel) -> f32 {
        let share = match level {
            SizeLevel::Display | SizeLevel::Text => return 1.0,
            SizeLevel::Script => self.percentage(MathConstant::ScriptPercentScaleDown),
            SizeLevel::ScriptScript => self.percentage(MathConstant::ScriptScriptPercentScaleDown),
        };
        if share > 0.0 { share.clamp(0.3, 1.0) } else { 0.7 }
    }

    /// Returns the glyph of a character. The face is `choice` or, if it lacks the character, a fallback.
    pub fn glyph(&self, choice: FaceChoice, character: char) -> FaceGlyph {
        let choice = self.fonts.face_covering(choice, character.script(), character);
        let glyph = self.fonts.parsed(choice.face).and_then(|parsed| parsed.glyph(character));
        FaceGlyph { choice, id: glyph.and_then(|glyph| u16::try_from(glyph.to_u32()).ok()).unwrap_or(0) }
    }

    pub fn glyph_bounds(&self, face: u32, glyph: u16, size: f32) -> GlyphBounds {
        let Some(parsed) = self.fonts.parsed(face) else { return GlyphBounds::default() };
        let scale = size / parsed.metrics.units_per_em.max(1.0);
        let metrics = parsed.font.glyph_metrics();
        let glyph = GlyphId::from(glyph);
        let ink = metrics.extents(glyph).unwrap_or_default();
        GlyphBounds {
            advance: metrics.h_advance(glyph) * scale,
            left: ink.x_bearing * scale,
            right: (ink.x_bearing + ink.width) * scale,
            ascent: ink.y_bearing * scale,
            descent: (ink.height - ink.y_bearing) * scale,
        }
    }

    /// Returns the italic correction of a glyph in points: the distance by which the glyph extends beyond its advance. It is 0
    /// if the math font does not define it.
    pub fn italics_correction(&self, face: u32, glyph: u16, size: f32) -> f32 {
        if face != self.choice.face {
            return 0.0;
        }
        let info = self.table.math_glyph_info().ok().and_then(|info| info.math_italics_correction_info()?.ok());
        info.and_then(|info| info.correction(GlyphId::from(glyph))).map_or(0.0, |units| self.points(units, size))
    }

    /// Returns the x position at which an accent over the glyph is centred, in points from the origin of the glyph. Returns
    /// `None` if the math font does not define this position.
    pub fn accent_x(&self, face: u32, glyph: u16, size: f32) -> Option<f32> {
        if face != self.choice.face {
            return None;
        }
        let info = self.table.math_glyph_info().ok()?.math_top_accent_attachment()?.ok()?;
        info.attachment(GlyphId::from(glyph)).map(|units| self.points(units, size))
    }
}
