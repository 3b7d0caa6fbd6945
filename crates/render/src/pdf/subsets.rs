//! Several subsets of one font, for glyphs that represent different texts.
//!
//! A font in a PDF maps each glyph to one text (its ToUnicode table, ISO 32000-1, 9.10.3). Arabic letters that differ
//! only in their dots or hamzas can share a glyph: `ى` and `ي`, `ا` and `إ`. An `ActualText` could replace the text of one
//! occurrence. But PDFium then reverses the letters of a right-to-left word, so that `إلى` is found as `ىلإ`. The PDF therefore
//! has a second subset of the font, which maps such glyphs to their second text.

use std::cell::OnceCell;
use std::collections::HashMap;

use krilla::text::Font;
use waraq_layout::FontId;

use super::reduce::{self, GlyphSet};

/// Maximum number of subsets of a font. Glyphs with more texts (letters with one of many vowel signs) get an `ActualText`.
const MAX_SUBSETS: usize = 6;

/// The subsets of one font.
pub(super) struct FontSubsets<'a> {
    source: &'a waraq_layout::Font,
    drawn: GlyphSet,
    first: Font,
    /// Subsets after the first. Each is a separate font with its own name, and is created when it is first needed.
    /// `None`: the font cannot be reduced.
    others: [OnceCell<Option<Font>>; MAX_SUBSETS - 1],
}

impl<'a> FontSubsets<'a> {
    /// Creates the subsets of a font from the glyphs that are drawn. Returns `None` if the font cannot be read.
    pub(super) fn new(source: &'a waraq_layout::Font, drawn: GlyphSet) -> Option<Self> {
        let first = match reduce::reduced_font(source, &drawn, 0) {
            Some(thinned) => parse_font(thinned),
            None => Font::new(source.data.clone().into(), source.index),
        }?;
        Some(Self { source, drawn, first, others: Default::default() })
    }

    pub(super) fn first(&self) -> &Font {
        &self.first
    }

    /// Returns a subset by its index, counted from 0. Returns the first subset if the font cannot be reduced; krilla
    /// then writes the texts of the other subsets as `ActualText`.
    pub(super) fn subset(&self, number: u8) -> &Font {
        let other = usize::from(number).checked_sub(1).and_then(|at| self.others.get(at));
        let made = || reduce::reduced_font(self.source, &self.drawn, number).and_then(parse_font);
        other.and_then(|other| other.get_or_init(made).as_ref()).unwrap_or(&self.first)
    }

    pub(super) fn contains(&self, font: &Font) -> bool {
        self.first == *font || self.others.iter().any(|other| other.get().and_then(Option::as_ref) == Some(font))
    }
}

fn parse_font(file: Vec<u8>) -> Option<Font> {
    Font::new(file.into(), 0)
}

/// The texts of each glyph of a font, in the order of the subsets that contain them.
#[derive(Default)]
pub(super) struct GlyphTexts(HashMap<(FontId, u32), Vec<Box<str>>>);

impl GlyphTexts {
    /// Returns the index of the subset that maps a glyph to this text. Adds the text to the next subset if no subset
    /// has it yet. Returns `None` if [`MAX_SUBSETS`] subsets map the glyph to other texts.
    pub(super) fn subset_for_text(&mut self, font: FontId, glyph: u32, text: &str) -> Option<u8> {
        let texts = self.0.entry((font, glyph)).or_default();
        let edition = texts.iter().position(|known| **known == *text).unwrap_or(texts.len());
        if edition == texts.len() && edition < MAX_SUBSETS {
            texts.push(text.into());
        }
        u8::try_from(edition).ok().filter(|_| edition < MAX_SUBSETS)
    }

    /// Records the text of a glyph in the first subset, unless the glyph already has a text. krilla does the same for
    /// glyphs that share a text range.
    pub(super) fn set_first_text(&mut self, font: FontId, glyph: u32, text: &str) {
        self.0.entry((font, glyph)).or_insert_with(|| vec![text.into()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_of_a_glyph_has_a_subset_up_to_the_maximum() {
        let mut texts = GlyphTexts::default();
        let mut edition = |glyph, text: &str| texts.subset_for_text(FontId(1), glyph, text);
        assert_eq!(
            [edition(9, "ي"), edition(9, "ى"), edition(9, "ي"), edition(8, "ى")].map(Option::unwrap),
            [0, 1, 0, 0]
        );
        assert_eq!(edition(9, "ئ"), Some(2));
        for text in ["a", "b", "c"] {
            assert!(edition(9, text).is_some());
        }
        assert_eq!(edition(9, "d"), None);
        assert_eq!(edition(9, "ى"), Some(1));
    }
}
