//! Converts font units to points, with the scale and spacing of a run, and limits lengths from files.

use std::sync::Arc;

use waraq_docx::tree::RunProperties;

use super::shape::{ShapeCache, ShapeKey, ShapedGlyph, ShapedWord};
use super::source::{ScaledGlyph, TextItem};
use crate::fonts::face::ParsedFont;

/// Converts the font units of an item's glyphs to points. The scale and letter spacing of the run are applied.
pub(super) struct GlyphScale {
    x: f32,
    y: f32,
    pub spacing: f32,
    pub right_to_left: bool,
}

impl GlyphScale {
    pub fn new(item: &TextItem, run: &RunProperties, units_per_em: f32) -> Self {
        let size = item.size / units_per_em.max(1.0);
        Self {
            x: size * horizontal_scale(run) * item.glyph_stretch.x,
            y: size * item.glyph_stretch.y,
            spacing: letter_spacing(run),
            right_to_left: item.level % 2 == 1,
        }
    }

    /// Shapes a word. The letter spacing of the run also influences the shapes of a right-to-left word.
    pub fn shape_word(&self, shapes: &mut ShapeCache, key: ShapeKey, face: &ParsedFont, word: &str) -> Arc<ShapedWord> {
        if self.spacing > 0.0 && key.right_to_left {
            shapes.shape_letter_spaced_word(key, face, word)
        } else {
            shapes.shape_word(key, face, word)
        }
    }

    pub fn to_points(&self, units: i32) -> f32 {
        units as f32 * self.x
    }

    pub fn scale_glyph(&self, glyph: &ShapedGlyph<i32>) -> ScaledGlyph {
        ScaledGlyph {
            id: glyph.id,
            advance: self.to_points(glyph.advance),
            x_offset: self.to_points(glyph.x_offset),
            y_offset: glyph.y_offset as f32 * self.y,
        }
    }
}

/// Adds space after a letter, in the direction of the text. `glyphs` are the glyphs of the letter in visual order.
pub(super) fn add_space_after(glyphs: &mut [ScaledGlyph], width: f32, right_to_left: bool) {
    if right_to_left {
        if let Some(first) = glyphs.first_mut() {
            first.x_offset += width;
            first.advance += width;
        }
    } else if let Some(last) = glyphs.last_mut() {
        last.advance += width;
    }
}

/// Returns a number from a file, or 0 if it is not finite.
pub(super) fn finite_or_zero(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

/// Returns a size from a file in points, limited to the range from 0 to 20,000. A size that is not finite becomes 0.
pub(super) fn clamp_size(value: f32) -> f32 {
    finite_or_zero(value).clamp(0.0, 20_000.0)
}

/// Returns the letter spacing, w:spacing (§17.3.2.35), in points.
pub(super) fn letter_spacing(run: &RunProperties) -> f32 {
    finite_or_zero(run.spacing).clamp(-1584.0, 1584.0)
}

/// Returns the horizontal scale of the letters, w:w (§17.3.2.43), as a factor: 0.01 to 6.
pub(super) fn horizontal_scale(run: &RunProperties) -> f32 {
    if run.scale.is_finite() && run.scale > 0.0 { run.scale.clamp(0.01, 6.0) } else { 1.0 }
}
