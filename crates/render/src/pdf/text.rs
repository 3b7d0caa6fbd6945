//! Glyphs and the text they stand for.
//!
//! Readers find text by each glyph's entry in the font's ToUnicode table, and turn a right-to-left line round themselves,
//! character by character. So a ligature of a right-to-left script must hand over its letters reversed (lam-alef as
//! alef, lam), or `الأعمال` is found as `األعمال`.
//!
//! A letter with marks or dots of their own is several glyphs of one cluster. Readers take a glyph off the baseline for
//! another line, one without a width for another word, and one without a character for any: so only the letter's glyph
//! is text and carries what the cluster says; the others are drawn as shapes.
//!
//! Tatweels that stretch a justified line (glyphs that stand for no character) are text of the letter they lengthen:
//! krilla writes glyphs of one range with their `ActualText`, and readers see one wide letter.
//!
//! A glyph has one entry in ToUnicode (the first text it is drawn for); krilla gives other texts as `ActualText`, and marks
//! right-to-left runs as `ReversedChars`. PDFium drops the second of two neighbours that are both. So a run that needs
//! `ActualText` is handed over in the order it is drawn in, which is not marked.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use krilla::text::{GlyphId, KrillaGlyph};
use waraq_layout::{FontId, Glyph, GlyphRun};

/// The glyphs of a run for krilla: advances and offsets divided by the size.
#[derive(Default)]
pub(super) struct Shaped {
    /// One for each cluster of a right-to-left run, all of any other.
    pub glyphs: Vec<KrillaGlyph>,
    pub marks: Vec<Mark>,
    /// Glyphs of letters with tatweels or marks, each with what it stands for alone: krilla names a glyph by the first text
    /// it draws with it, and a letter is most often drawn without.
    pub names: Vec<KrillaGlyph>,
    /// What each glyph was first drawn for: its entry in ToUnicode.
    known: HashMap<(FontId, u16), Box<str>>,
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
        self.names.clear();
        let size = if run.size > 0.0 { run.size } else { 1.0 };
        let scale = if run.scale_x > 0.0 { run.scale_x } else { 1.0 };
        let mut text = Cow::Borrowed(&*run.text);
        let mut pen = 0.0;
        let mut tatweels: &[Glyph] = &[];
        for cluster in run.glyphs.chunk_by(|a, b| a.range == b.range) {
            let Some(first) = cluster.first() else { continue };
            if run.right_to_left && first.range.is_empty() {
                tatweels = cluster;
                continue;
            }
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
            for glyph in tatweels {
                let made = krilla_glyph(glyph, size, scale, range.clone());
                pen += made.x_advance;
                self.glyphs.push(made);
            }
            for (index, glyph) in cluster.iter().enumerate() {
                let made = krilla_glyph(glyph, size, scale, range.clone());
                let advance = made.x_advance;
                if letter.is_some_and(|letter| letter != index) {
                    self.marks.push(Mark { id: glyph.id, x: pen + made.x_offset, y: made.y_offset });
                } else {
                    if glyph.id == 0 {
                        // krilla's ToUnicode leaves out the glyph of missing characters: two of one range are given their
                        // text as `ActualText`
                        self.glyphs.push(KrillaGlyph { x_advance: 0.0, ..made.clone() });
                    }
                    self.glyphs.push(made);
                }
                pen += advance;
            }
            let base = if run.right_to_left { base(&text, &range) } else { None };
            if let Some(tatweel) = std::mem::take(&mut tatweels).first() {
                let end = text.len();
                text.to_mut().push_str(TATWEEL);
                self.names.push(krilla_glyph(tatweel, 1.0, 1.0, end..text.len()));
                self.name(letter.and_then(|letter| cluster.get(letter)).unwrap_or(first), base.unwrap_or(range));
            } else if let Some(base) = base {
                self.name(letter.and_then(|letter| cluster.get(letter)).unwrap_or(first), base);
            }
        }
        if self.meets_other_text(run.font, &text) && run.right_to_left {
            text = Cow::Owned(self.in_drawing_order(&text));
        }
        text
    }

    /// Whether one of the glyphs was drawn for another text before.
    fn meets_other_text(&mut self, font: FontId, text: &str) -> bool {
        let mut met = false;
        for glyph in self.names.iter().chain(&self.glyphs) {
            let own = text.get(glyph.text_range.clone()).unwrap_or_default();
            let id = u16::try_from(glyph.glyph_id.to_u32()).unwrap_or(0);
            let known = self.known.entry((font, id)).or_insert_with(|| own.into());
            met |= **known != *own;
        }
        met
    }

    /// The glyphs' texts one after the other, and their ranges changed to point there.
    fn in_drawing_order(&mut self, text: &str) -> String {
        let mut ordered = String::with_capacity(text.len());
        let mut last = None;
        for glyph in self.glyphs.iter_mut().chain(&mut self.names) {
            let old = glyph.text_range.clone();
            glyph.text_range = match last.take() {
                Some((before, new)) if before == old => new,
                _ => {
                    let start = ordered.len();
                    ordered.push_str(text.get(old.clone()).unwrap_or_default());
                    start..ordered.len()
                }
            };
            last = Some((old, glyph.text_range.clone()));
        }
        ordered
    }

    fn name(&mut self, letter: &Glyph, range: Range<usize>) {
        self.names.push(krilla_glyph(letter, 1.0, 1.0, range));
    }
}

const TATWEEL: &str = "\u{640}";

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

/// Where the letter of a cluster of a letter and its marks is.
fn base(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let cluster = text.get(range.clone())?;
    let mut letters = cluster.char_indices().filter(|(_, c)| !is_mark(*c));
    let (at, letter) = letters.next()?;
    let alone = letters.next().is_none() && letter.len_utf8() < cluster.len();
    alone.then(|| range.start + at..range.start + at + letter.len_utf8())
}

/// Vowel signs and the like, Arabic and Hebrew.
fn is_mark(c: char) -> bool {
    matches!(
        c,
        '\u{591}'..='\u{5bd}' | '\u{5bf}'..='\u{5c7}' | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6ed}'
    )
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

    use waraq_layout::Rgb;

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
            outlined: false,
            shadow: None,
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
    fn tatweels_stand_left_of_their_letter_and_are_its_text() {
        // two tatweels after the first letter, drawn between it and the second
        let stretched = run("سب", true, &[2..4, 2..2, 2..2, 0..2]);
        assert_eq!(words(&stretched), ["ب", "س", "س", "س"]);
        let mut shaped = Shaped::default();
        let text = shaped.set(&stretched);
        assert!(shaped.glyphs.iter().all(|glyph| glyph.x_offset == 0.0 && glyph.x_advance == 0.5));
        let names: Vec<&str> = shaped.names.iter().map(|glyph| &text[glyph.text_range.clone()]).collect();
        assert_eq!(names, ["ـ", "س"]);
    }

    #[test]
    fn a_glyph_drawn_for_another_text_is_handed_over_in_drawing_order() {
        let mut shaped = Shaped::default();
        let ranges = |shaped: &mut Shaped, text: &str| -> Vec<Range<usize>> {
            shaped.set(&run(text, true, &[2..4, 0..2]));
            shaped.glyphs.iter().map(|glyph| glyph.text_range.clone()).collect()
        };
        assert_eq!(ranges(&mut shaped, "ββ"), [2..4, 0..2]);
        assert_eq!(ranges(&mut shaped, "ββ"), [2..4, 0..2]);
        assert_eq!(ranges(&mut shaped, "حج"), [0..2, 2..4]);
        let stretched = run("سب", true, &[2..4, 2..2, 0..2]);
        let text = shaped.set(&stretched);
        let words: Vec<&str> = shaped.glyphs.iter().map(|glyph| &text[glyph.text_range.clone()]).collect();
        assert_eq!(words, ["ب", "س", "س"]);
    }

    #[test]
    fn a_letter_with_marks_is_named_by_the_letter() {
        let marked = run("مُل", true, &[4..6, 0..4]);
        let mut shaped = Shaped::default();
        let text = shaped.set(&marked);
        let names: Vec<&str> = shaped.names.iter().map(|glyph| &text[glyph.text_range.clone()]).collect();
        assert_eq!(names, ["م"]);
    }

    #[test]
    fn a_character_without_a_glyph_keeps_its_text() {
        let mut missing = run("中", false, std::slice::from_ref(&(0..3)));
        missing.glyphs[0].id = 0;
        assert_eq!(words(&missing), ["中", "中"]);
        let mut shaped = Shaped::default();
        shaped.set(&missing);
        assert_eq!(shaped.glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>(), 0.5);
    }

    #[test]
    fn ranges_that_point_nowhere_stand_for_nothing() {
        assert_eq!(words(&run("é", false, &[1..2, 0..9])), ["", ""]);
    }
}
