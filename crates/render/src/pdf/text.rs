//! Glyphs and the text they stand for.
//!
//! Readers find text by each glyph's entry in the font's ToUnicode table, and turn a right-to-left line round themselves,
//! character by character. So a ligature of a right-to-left script must hand over its letters reversed (lam-alef as
//! alef, lam), or `الأعمال` is found as `األعمال`.

use std::borrow::Cow;
use std::ops::Range;

use krilla::text::{GlyphId, KrillaGlyph};
use waraq_layout::{Glyph, GlyphRun};

/// The glyphs of a run for krilla: advances and offsets divided by the size, and the text their ranges point into.
pub(super) fn glyphs<'a>(run: &'a GlyphRun, into: &mut Vec<KrillaGlyph>) -> Cow<'a, str> {
    into.clear();
    let size = if run.size > 0.0 { run.size } else { 1.0 };
    let scale = if run.scale_x > 0.0 { run.scale_x } else { 1.0 };
    let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
    let mut text = Cow::Borrowed(&*run.text);
    for cluster in run.glyphs.chunk_by(|a, b| a.range == b.range) {
        let Some(first) = cluster.first() else { continue };
        let range = sound_range(&run.text, &first.range);
        let ranges = apportion(&run.text, range, cluster.len(), run.right_to_left, &mut text);
        for (glyph, text_range) in cluster.iter().zip(ranges) {
            let Glyph { id, advance, x_offset, y_offset, .. } = glyph;
            into.push(KrillaGlyph {
                glyph_id: GlyphId::new(u32::from(*id)),
                text_range,
                x_advance: finite(advance / size / scale),
                x_offset: finite(x_offset / size / scale),
                y_offset: finite(y_offset / size),
                y_advance: 0.0,
                location: None,
            });
        }
    }
    text
}

fn sound_range(text: &str, range: &Range<u32>) -> Range<usize> {
    let range = range.start as usize..range.end as usize;
    if text.get(range.clone()).is_some() { range } else { 0..0 }
}

/// Which characters of a cluster each of its glyphs stands for.
///
/// As many glyphs as characters: one each (a letter and its vowel sign), in the order in which they are drawn. Otherwise
/// all stand for the whole.
fn apportion(
    text: &str,
    range: Range<usize>,
    count: usize,
    right_to_left: bool,
    whole: &mut Cow<'_, str>,
) -> Vec<Range<usize>> {
    let cluster = text.get(range.clone()).unwrap_or("");
    let characters = cluster.chars().count();
    if count == 1 && (characters <= 1 || !right_to_left) {
        return vec![range];
    }
    if count == characters {
        let mut ranges: Vec<Range<usize>> = cluster
            .char_indices()
            .map(|(at, character)| range.start + at..range.start + at + character.len_utf8())
            .collect();
        if right_to_left {
            ranges.reverse();
        }
        return ranges;
    }
    if right_to_left && characters > 1 {
        let reversed: String = cluster.chars().rev().collect();
        // the same characters: the same number of bytes
        whole.to_mut().replace_range(range.clone(), &reversed);
    }
    vec![range; count]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use waraq_layout::{FontId, Rgb};

    use super::*;

    fn run(text: &str, right_to_left: bool, ranges: &[Range<u32>]) -> GlyphRun {
        let glyph = |range: &Range<u32>| Glyph {
            id: 1,
            advance: 5.0,
            x_offset: 0.0,
            y_offset: 0.0,
            range: range.clone(),
        };
        GlyphRun {
            font: FontId(0),
            size: 10.0,
            color: Rgb(0, 0, 0),
            x: 0.0,
            y: 0.0,
            text: Arc::from(text),
            glyphs: ranges.iter().map(glyph).collect(),
            right_to_left,
            scale_x: 1.0,
            synthetic_bold: false,
            synthetic_italic: false,
            language: None,
        }
    }

    fn words(run: &GlyphRun) -> Vec<String> {
        let mut into = Vec::new();
        let text = glyphs(run, &mut into);
        into.iter().map(|glyph| text[glyph.text_range.clone()].to_owned()).collect()
    }

    #[test]
    fn a_right_to_left_ligature_hands_over_its_letters_reversed() {
        // lam-alef ligature drawn left of the meem before it
        assert_eq!(words(&run("ملا", true, &[2..6, 0..2])), ["ال", "م"]);
        assert_eq!(words(&run("fi", false, &[0..2])), ["fi"]);
    }

    #[test]
    fn a_letter_and_its_mark_are_told_apart() {
        assert_eq!(words(&run("مُ", true, &[0..4, 0..4])), ["\u{64F}", "م"]);
        assert_eq!(words(&run("e\u{301}", false, &[0..3, 0..3])), ["e", "\u{301}"]);
    }

    #[test]
    fn ranges_that_point_nowhere_stand_for_nothing() {
        assert_eq!(words(&run("é", false, &[1..2, 0..9])), ["", ""]);
    }
}
