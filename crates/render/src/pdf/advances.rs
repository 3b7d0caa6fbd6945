//! How far the pen goes after each glyph, in words that a PDF has few of.
//!
//! A PDF says an advance only where it is not the font's own. So letters that stand at their own width must stand at it
//! exactly, and the spaces of justified lines should all be one of a few widths.

use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{GlyphId, MetadataProvider};
use waraq_layout::{Font, FontId};

/// Advances that are not a font's own are multiples of this share of the em: 0.02 pt at 12 pt, and what is rounded off one
/// is given to the next.
const STEPS_PER_EM: f32 = 512.0;
/// In font units: what the rounding of points makes of an advance that is the font's own.
const NOISE: f32 = 0.05;

/// The fonts' own advances.
pub(super) struct Advances<'a> {
    fonts: Vec<Option<(GlyphMetrics<'a>, f32)>>,
    /// What the pen has gone too little, in ems.
    owed: f32,
}

impl<'a> Advances<'a> {
    pub(super) fn new(fonts: &'a [Font]) -> Self {
        let open = |font: &'a Font| {
            let parsed = skrifa::FontRef::from_index((*font.data).as_ref(), font.index).ok()?;
            let metrics = parsed.glyph_metrics(Size::unscaled(), LocationRef::default());
            (font.units_per_em >= 1.0).then_some((metrics, font.units_per_em))
        };
        Self { fonts: fonts.iter().map(open).collect(), owed: 0.0 }
    }

    /// Whether a glyph of the font stands on no room of its own, as marks do.
    pub(super) fn has_none(&self, font: FontId, glyph: u16) -> bool {
        let Some(Some((metrics, _))) = self.fonts.get(font.index()) else { return false };
        metrics.advance_width(GlyphId::new(u32::from(glyph))) == Some(0.0)
    }

    /// The pen is put down anew, where it should be.
    pub(super) fn restart(&mut self) {
        self.owed = 0.0;
    }

    /// The pen should go so much further, in ems.
    pub(super) fn owe(&mut self, ems: f32) {
        self.owed += ems;
    }

    /// How far it should have gone further, in ems.
    pub(super) fn owed(&self) -> f32 {
        self.owed
    }

    /// The advance, in ems, that is written for one of `wanted` ems.
    pub(super) fn after(&mut self, font: FontId, glyph: u16, wanted: f32) -> f32 {
        let Some(Some((metrics, units))) = self.fonts.get(font.index()) else { return wanted };
        let own = metrics.advance_width(GlyphId::new(u32::from(glyph))).unwrap_or(0.0);
        let step = (units / STEPS_PER_EM).round().max(1.0);
        let asked = wanted * units - own;
        let owed = self.owed * units;
        let given =
            if asked.abs() < NOISE && owed.abs() <= step { 0.0 } else { ((asked + owed) / step).round() * step };
        self.owed = (asked + owed - given) / units;
        (own + given) / units
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn carlito() -> Font {
        let file = waraq_fonts::files().iter().find(|file| file.family == "Carlito" && !file.bold && !file.italic);
        Font { data: Arc::new(file.unwrap().data), index: 0, family: "Carlito".into(), units_per_em: 2048.0 }
    }

    #[test]
    fn letters_at_their_own_width_stay_there_and_spaces_end_where_they_should() {
        let fonts = [carlito()];
        let mut advances = Advances::new(&fonts);
        let font = skrifa::FontRef::from_index(fonts[0].data.as_ref().as_ref(), 0).unwrap();
        let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        let letter = metrics.advance_width(GlyphId::new(40)).unwrap() / 2048.0;
        let (mut wanted, mut gone) = (0.0_f32, 0.0_f32);
        for _ in 0..200 {
            assert_eq!(advances.after(FontId(0), 40, letter + 1e-6), letter);
            let space = advances.after(FontId(0), 3, 0.312_345_6);
            let steps = (space - metrics.advance_width(GlyphId::new(3)).unwrap() / 2048.0) * STEPS_PER_EM;
            assert!((steps - steps.round()).abs() < 1e-3, "{steps}");
            wanted += letter + 1e-6 + 0.312_345_6;
            gone += letter + space;
            assert!((wanted - gone).abs() < 1.0 / STEPS_PER_EM, "{wanted} {gone}");
        }
    }

    #[test]
    fn what_is_owed_is_given_though_no_space_comes() {
        let fonts = [carlito()];
        let mut advances = Advances::new(&fonts);
        let own = advances.after(FontId(0), 40, 0.5);
        advances.restart();
        advances.owe(0.05);
        assert!((advances.after(FontId(0), 40, own) - own - 0.05).abs() < 1.0 / STEPS_PER_EM);
        assert_eq!(advances.after(FontId(7), 40, 0.3), 0.3, "of a font that there is not");
    }
}
