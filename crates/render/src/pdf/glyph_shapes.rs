//! Draws glyphs as shapes, so that PDF readers do not treat them as text. The marks of letters are drawn as shapes (see
//! [`text`](super::text)). Shadows are drawn as shapes too, because a search must not find their letters.

use std::collections::HashMap;

use krilla::geom::Transform;
use krilla::graphic::Graphic;
use krilla::num::NormalizedF32;
use krilla::paint::Stroke;
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use waraq_layout::{FontId, GlyphRun, Rgb};

use super::paint;
use super::text::{self, ShapeGlyph};
use waraq_layout::geometry::{self, OUTLINE_WIDTH, SYNTHETIC_BOLD};

/// Graphics that are written once and used by reference.
#[derive(Default)]
pub(super) struct SharedGraphics {
    /// The shape of each glyph. The key is the font, the glyph id, the bits of the font size, the colour, whether the
    /// bold is synthetic, and whether only the outline is drawn.
    glyphs: HashMap<(FontId, u16, u32, Rgb, bool, bool), Graphic>,
    /// Content that several pages repeat, by its id.
    pub repeated: HashMap<u32, Graphic>,
}

impl SharedGraphics {
    /// Draws a shadow as shapes. `shadow` is the run of the shadow, not of the text.
    pub(super) fn draw_shadow(&mut self, surface: &mut Surface<'_>, shadow: &GlyphRun, font: &Font) {
        let shape = geometry::run_transform(shadow);
        if let Some(shape) = &shape {
            surface.push_transform(&paint::krilla_transform(shape));
        }
        self.draw_glyph_shapes(surface, shadow, font, &text::run_as_shapes(shadow));
        if shape.is_some() {
            surface.pop();
        }
    }

    /// Draws glyphs of a run as shapes.
    pub(super) fn draw_glyph_shapes(
        &mut self,
        surface: &mut Surface<'_>,
        run: &GlyphRun,
        font: &Font,
        marks: &[ShapeGlyph],
    ) {
        for mark in marks {
            let graphic = self.glyph_graphic(surface, mark.id, run, font);
            let (x, y) = (round_length(run.x + mark.x * run.size), round_length(run.y - mark.y * run.size));
            surface.push_transform(&Transform::from_translate(x, y));
            surface.draw_graphic(graphic);
            surface.pop();
        }
    }

    fn glyph_graphic(&mut self, surface: &mut Surface<'_>, id: u16, run: &GlyphRun, font: &Font) -> Graphic {
        let key = (run.font, id, run.size.to_bits(), run.color, run.synthetic_bold, run.outlined);
        let make = || {
            let glyph = KrillaGlyph::new(GlyphId::new(u32::from(id)), 0.0, 0.0, 0.0, 0.0, 0..0, None);
            let mut builder = surface.stream_builder();
            let mut alone = builder.surface();
            set_text_paint(&mut alone, run);
            alone.draw_glyphs(paint::krilla_point(0.0, 0.0), &[glyph], font.clone(), "", run.size, true);
            alone.finish();
            Graphic::new(builder.finish(), false)
        };
        self.glyphs.entry(key).or_insert_with(make).clone()
    }
}

/// Rounds a length to a thousandth of a point. More digits would only add bytes.
pub(super) fn round_length(length: f32) -> f32 {
    (length * 1000.0).round() / 1000.0
}

/// Sets fill and stroke for a run. Synthetic bold text is filled and stroked; outlined text is only stroked.
pub(super) fn set_text_paint(surface: &mut Surface<'_>, run: &GlyphRun) {
    let stroke = |share: f32| Stroke {
        paint: paint::krilla_color(run.color).into(),
        width: run.size * share,
        opacity: NormalizedF32::ONE,
        ..Stroke::default()
    };
    surface.set_fill((!run.outlined).then(|| paint::solid(run.color, 1.0)));
    surface.set_stroke(if run.outlined {
        Some(stroke(OUTLINE_WIDTH))
    } else {
        run.synthetic_bold.then(|| stroke(SYNTHETIC_BOLD))
    });
}
