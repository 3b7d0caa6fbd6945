//! Lines that connect Arabic letters that stand apart: tatweels.

use waraq_docx::tree::RunProperties;

use super::joining;
use super::place::{Painter, word_glyphs};
use super::shape::TATWEEL;
use super::source::Item;
use crate::page::Glyph;

impl Painter<'_> {
    /// Whether the letters of a cluster and of the next one are joined. Where they stand apart (w:spacing, distributed lines) a
    /// line connects them, as in Word and LibreOffice.
    pub(super) fn is_joined(&self, index: usize) -> bool {
        let (from, to) = (self.clusters.start(index), self.clusters.start(index + 1));
        let last = self.source.text.get(from..to).and_then(joining::last_solid);
        let next = self.source.text.get(to..).and_then(joining::first_solid);
        last.is_some_and(joining::joins_next) && next.is_some_and(joining::joins_previous)
    }

    /// Tatweels that fill just this width, over each other where they are too long: they lie in the line that connects the
    /// letters. They stand for no character. None where the font has no tatweel.
    pub(super) fn line(&self, item: &Item, run: &RunProperties, width: f32, end: u32) -> Vec<Glyph> {
        let one = word_glyphs(self.context, item, run, TATWEEL);
        let Some(glyph) = one.first().filter(|glyph| one.len() == 1 && glyph.id != 0 && glyph.advance > 0.1) else {
            return Vec::new();
        };
        let count = (width / glyph.advance).ceil().clamp(1.0, 1_000.0);
        let advance = width / count;
        let x_offset = glyph.x_offset - (glyph.advance - advance) / 2.0;
        let plain = |_| Glyph { advance, x_offset, range: end..end, ..glyph.clone() };
        (0..count as usize).map(plain).collect()
    }

    /// Tatweels of this width together; they stand for no character.
    pub(super) fn kashida(&self, item: &Item, run: &RunProperties, width: f32, end: u32) -> Vec<Glyph> {
        let one = word_glyphs(self.context, item, run, TATWEEL);
        let own: f32 = one.iter().map(|glyph| glyph.advance).sum();
        let count = if own > 0.1 { (width / own).round().clamp(1.0, 4_000.0) as usize } else { 0 };
        let plain = |glyph: &Glyph| Glyph { range: end..end, ..glyph.clone() };
        (0..count).flat_map(|_| one.iter().map(plain)).collect()
    }
}
