//! Glyphs and the text they stand for.
//!
//! Readers find text by each glyph's entry in the font's ToUnicode table, and turn a right-to-left line round themselves,
//! character by character. So a ligature of a right-to-left script must hand over its letters reversed (lam-alef as
//! alef, lam), or `الأعمال` is found as `األعمال`.

//!
//! A letter with marks or dots of their own is several glyphs of one cluster. Readers take a glyph off the baseline for
//! another line, one without a width for another word, and one without a character for any: so only the letter's glyph
//! is text and carries what the cluster says; the others are drawn as shapes.

use std::borrow::Cow;
use std::ops::Range;

use krilla::text::{GlyphId, KrillaGlyph};
use waraq_layout::{Glyph, GlyphRun};

/// The glyphs of a run for krilla: advances and offsets divided by the size.
#[derive(Default)]
pub(super) struct Shaped {
    /// One for each cluster of a right-to-left run, all of any other.
    pub glyphs: Vec<KrillaGlyph>,
    pub marks: Vec<Mark>,
}

/// A glyph that is drawn as a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mark {
    pub id: u16,
    /// From the run's start, in ems before the run is widened; y upwards.
    pub x: f32,
    pub y: f32,
}

impl Shaped {
    /// Takes a run; gives back the text that the glyphs' ranges point into.
    pub(super) fn set<'a>(&mut self, run: &'a GlyphRun) -> Cow<'a, str> {
        self.glyphs.clear();
        self.marks.clear();
        let size = if run.size > 0.0 { run.size } else { 1.0 };
        let scale = if run.scale_x > 0.0 { run.scale_x } else { 1.0 };
        let mut text = Cow::Borrowed(&*run.text);
        let mut pen = 0.0;
        for cluster in run.glyphs.chunk_by(|a, b| a.range == b.range) {
            let Some(first) = cluster.first() else { continue };
            let mut range = sound_range(&run.text, &first.range);
            if run.text.get(range.clone()) == Some("\u{2011}") {
                // a hyphen that does not break is searched for, and copied, as a hyphen
                let end = text.len();
                text.to_mut().push('-');
                range = end..end + 1;
            }
            let letter = if run.right_to_left { letter(cluster) } else { None };
            if run.right_to_left {
                reverse(&range, &mut text);
            }
            for (index, glyph) in cluster.iter().enumerate() {
                let made = krilla_glyph(glyph, size, scale, range.clone());
                let advance = made.x_advance;
                if letter.is_none_or(|letter| letter == index) {
                    self.glyphs.push(made);
                } else {
                    self.marks.push(Mark { id: glyph.id, x: pen + made.x_offset, y: made.y_offset });
                }
                pen += advance;
            }
        }
        text
    }
}

fn krilla_glyph(glyph: &Glyph, size: f32, scale: f32, text_range: Range<usize>) -> KrillaGlyph {
    let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
    KrillaGlyph {
        glyph_id: GlyphId::new(u32::from(glyph.id)),
        text_range,
        x_advance: finite(glyph.advance / size / scale),
        x_offset: finite(glyph.x_offset / size / scale),
        y_offset: finite(glyph.y_offset / size),
        y_advance: 0.0,
        location: None,
    }
}

/// The widest glyph of a cluster: the letter among its marks. `None`: a letter drawn of several wide pieces.
fn letter(cluster: &[Glyph]) -> Option<usize> {
    let widest = cluster.iter().enumerate().max_by(|a, b| a.1.advance.total_cmp(&b.1.advance))?;
    let others_are_marks = cluster.iter().enumerate().all(|(i, glyph)| i == widest.0 || glyph.advance.abs() < 0.01);
    others_are_marks.then_some(widest.0)
}

fn sound_range(text: &str, range: &Range<u32>) -> Range<usize> {
    let range = range.start as usize..range.end as usize;
    if text.get(range.clone()).is_some() { range } else { 0..0 }
}

/// Turns the characters of a cluster round, in place: the same characters are the same number of bytes.
fn reverse(range: &Range<usize>, whole: &mut Cow<'_, str>) {
    let cluster = whole.get(range.clone()).unwrap_or("");
    if cluster.chars().nth(1).is_some() {
        let reversed: String = cluster.chars().rev().collect();
        whole.to_mut().replace_range(range.clone(), &reversed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use waraq_layout::{FontId, Rgb};

    use super::*;

    fn run(text: &str, right_to_left: bool, ranges: &[Range<u32>]) -> GlyphRun {
        let glyph =
            |range: &Range<u32>| Glyph { id: 1, advance: 5.0, x_offset: 0.0, y_offset: 0.0, range: range.clone() };
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
        let mut shaped = Shaped::default();
        let text = shaped.set(run);
        shaped.glyphs.iter().map(|glyph| text[glyph.text_range.clone()].to_owned()).collect()
    }

    #[test]
    fn a_right_to_left_ligature_hands_over_its_letters_reversed() {
        // lam-alef ligature drawn left of the meem before it
        assert_eq!(words(&run("ملا", true, &[2..6, 0..2])), ["ال", "م"]);
        assert_eq!(words(&run("fi", false, std::slice::from_ref(&(0..2)))), ["fi"]);
    }

    #[test]
    fn a_letter_carries_the_text_of_its_marks_and_they_stand_where_they_stood() {
        let mut marked = run("مُل", true, &[4..6, 0..4, 0..4]);
        marked.glyphs[1].advance = 0.0;
        marked.glyphs[1].x_offset = 1.0;
        assert_eq!(words(&marked), ["ل", "\u{64F}م"]);
        let mut shaped = Shaped::default();
        shaped.set(&marked);
        assert_eq!(shaped.marks, [Mark { id: 1, x: 0.6, y: 0.0 }]);
    }

    #[test]
    fn a_hyphen_that_does_not_break_is_found_as_a_hyphen() {
        assert_eq!(words(&run("a\u{2011}b", false, &[0..1, 1..4, 4..5])), ["a", "-", "b"]);
    }

    #[test]
    fn ranges_that_point_nowhere_stand_for_nothing() {
        assert_eq!(words(&run("é", false, &[1..2, 0..9])), ["", ""]);
    }
}
