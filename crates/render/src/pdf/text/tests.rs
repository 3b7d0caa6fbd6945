use std::sync::Arc;

use waraq_layout::Rgb;

use super::*;

fn run(text: &str, right_to_left: bool, ranges: &[Range<u32>]) -> GlyphRun {
    let glyph = |range: &Range<u32>| Glyph { id: 1, advance: 5.0, x_offset: 0.0, y_offset: 0.0, range: range.clone() };
    GlyphRun {
        font: FontId(0),
        size: 10.0,
        color: Rgb(0, 0, 0),
        x: 0.0,
        y: 0.0,
        text: Arc::from(text),
        text_offset: 0,
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

/// Converts a run as for a tagged PDF.
fn shape_tagged(run: &GlyphRun) -> KrillaRun<'static> {
    let mut shaped = KrillaRun::new(&[], &Meter::default());
    shaped.set_runs(std::iter::once(run), true);
    shaped
}

fn texts<'a>(shaped: &'a KrillaRun<'_>, glyphs: &[KrillaGlyph]) -> Vec<&'a str> {
    glyphs.iter().map(|glyph| &shaped.text[glyph.text_range.clone()]).collect()
}

fn glyph_texts(run: &GlyphRun) -> Vec<String> {
    let mut shaped = shape_tagged(run);
    let marked: Vec<String> = texts(&shaped, &shaped.glyphs).into_iter().map(str::to_owned).collect();
    shaped.set_runs(std::iter::once(run), false);
    assert_eq!(texts(&shaped, &shaped.glyphs), marked, "unmarked");
    marked
}

#[test]
fn letters_of_a_right_to_left_ligature_are_reversed() {
    // a lam-alef ligature, drawn to the left of the meem before it
    assert_eq!(glyph_texts(&run("ملا", true, &[2..6, 0..2])), ["ال", "م"]);
    assert_eq!(glyph_texts(&run("fi", false, std::slice::from_ref(&(0..2)))), ["fi"]);
}

#[test]
fn a_letter_has_the_text_of_its_marks_and_marks_keep_their_position() {
    let mut marked = run("مُل", true, &[4..6, 0..4, 0..4]);
    marked.glyphs[1].advance = 0.0;
    marked.glyphs[1].x_offset = 1.0;
    assert_eq!(glyph_texts(&marked), ["ل", "\u{64F}م"]);
    assert_eq!(shape_tagged(&marked).shape_glyphs, [ShapeGlyph { id: 1, x: 0.6, y: 0.0 }]);
}

#[test]
fn a_non_breaking_hyphen_is_found_as_a_hyphen() {
    assert_eq!(glyph_texts(&run("a\u{2011}b", false, &[0..1, 1..4, 4..5])), ["a", "-", "b"]);
}

#[test]
fn tatweels_have_the_text_of_the_letter_they_lengthen() {
    // two tatweels after the first letter, drawn between the first letter and the second
    let stretched = run("سب", true, &[2..4, 2..2, 2..2, 0..2]);
    assert_eq!(glyph_texts(&stretched), ["ب", "س", "س", "س"]);
    let shaped = shape_tagged(&stretched);
    assert!(shaped.glyphs.iter().all(|glyph| glyph.x_offset == 0.0 && glyph.x_advance == 0.5));
}

#[test]
fn a_second_text_of_a_glyph_comes_from_another_subset() {
    let mut shaped = KrillaRun::new(&[], &Meter::default());
    let mut pieces = |run: &GlyphRun| -> Vec<(u8, f32, usize)> {
        shaped.set_runs(std::iter::once(run), true);
        shaped.subset_runs().map(|(edition, x, glyphs)| (edition, x, glyphs.len())).collect()
    };
    // visual order: meem, teh, beh; the last two share a glyph
    let mut word = run("بتم", true, &[4..6, 2..4, 0..2]);
    word.glyphs[0].id = 2;
    assert_eq!(pieces(&word), [(0, 0.0, 2), (1, 1.0, 1)]);
    assert_eq!(pieces(&run("بب", true, &[2..4, 0..2])), [(1, 0.0, 2)]);
    assert_eq!(pieces(&run("ab", false, &[0..1, 1..2])), [(0, 0.0, 2)]);
}

#[test]
fn a_run_with_an_actual_text_is_passed_in_drawing_order() {
    let mut shaped = KrillaRun::new(&[], &Meter::default());
    let mut ranges = |text: &str, ranges: &[Range<u32>]| -> Vec<Range<usize>> {
        shaped.set_runs(std::iter::once(&run(text, true, ranges)), true);
        shaped.glyphs.iter().map(|glyph| glyph.text_range.clone()).collect()
    };
    assert_eq!(ranges("سب", &[2..4, 0..2]), [2..4, 0..2]);
    assert_eq!(ranges("سب", &[2..4, 2..2, 0..2]), [0..2, 2..4, 2..4]);
    // one glyph gets more texts than a font can have subsets
    for text in ["ت", "ث", "ج", "ح"] {
        ranges(text, std::slice::from_ref(&(0..2)));
    }
    assert_eq!(ranges("خد", &[2..4, 0..2]), [0..2, 2..4]);
}

#[test]
fn a_character_without_a_glyph_keeps_its_text() {
    let mut missing = run("中", false, std::slice::from_ref(&(0..3)));
    missing.glyphs[0].id = 0;
    assert_eq!(glyph_texts(&missing), ["中", "中"]);
    assert_eq!(shape_tagged(&missing).glyphs.iter().map(|glyph| glyph.x_advance).sum::<f32>(), 0.5);
}

#[test]
fn runs_that_continue_each_other_are_merged() {
    let first = run("ab ", false, &[0..1, 1..2, 2..3]);
    let mut next = run("cd", false, &[0..1, 1..2]);
    next.x = 15.01;
    assert!(continues(&first, &next));
    let mut shaped = KrillaRun::new(&[], &Meter::default());
    shaped.set_runs([&first, &next].into_iter(), false);
    assert_eq!(texts(&shaped, &shaped.glyphs), ["a", "b", " ", "c", "d"]);
    for other in [
        GlyphRun { x: 16.0, ..next.clone() },
        GlyphRun { size: 11.0, ..next.clone() },
        GlyphRun { color: Rgb(1, 0, 0), ..next.clone() },
        GlyphRun { right_to_left: true, ..next.clone() },
        GlyphRun { language: Some(Arc::from("fr")), ..next.clone() },
    ] {
        assert!(!continues(&first, &other));
    }
}

#[test]
fn an_untagged_run_is_passed_in_drawing_order() {
    let mut shaped = KrillaRun::new(&[], &Meter::default());
    shaped.set_runs(std::iter::once(&run("حج", true, &[2..4, 0..2])), false);
    let ranges: Vec<Range<usize>> = shaped.glyphs.iter().map(|glyph| glyph.text_range.clone()).collect();
    assert_eq!((ranges, shaped.text.as_str()), (vec![0..2, 2..4], "جح"));
}

#[test]
fn invalid_ranges_have_no_text() {
    assert_eq!(glyph_texts(&run("é", false, &[1..2, 0..9])), ["", ""]);
}

#[test]
fn the_glyphs_of_a_long_cluster_have_short_texts() {
    for (letter, right_to_left) in [("👩\u{200d}", false), ("\u{1e8d0}", true)] {
        let text = letter.repeat(500);
        let whole = 0..text.len() as u32;
        let mut long = run(&text, right_to_left, &vec![whole; 500]);
        long.glyphs.iter_mut().for_each(|glyph| glyph.id = 0);
        for marked in [false, true] {
            let meter = Meter::default();
            let mut shaped = KrillaRun::new(&[], &meter);
            shaped.set_runs(std::iter::once(&long), marked);
            let mut parts = texts(&shaped, &shaped.glyphs);
            assert_eq!(parts.len(), 1_000, "krilla needs each missing glyph twice");
            assert!(parts.iter().all(|part| (1..=LONGEST_TEXT + 3).contains(&part.len())));
            assert!(meter.memory() >= 500 * MISSING_BYTES as u64);
            // glyphs that share a text follow each other, and no text is shared beyond them
            let ranges = shaped.glyphs.iter().map(|glyph| glyph.text_range.clone()).collect::<Vec<_>>();
            parts.clear();
            parts.extend(ranges.chunk_by(|a, b| a == b).map(|same| &shaped.text[same[0].clone()]));
            let expected = if right_to_left { text.chars().rev().collect() } else { text.clone() };
            assert_eq!(parts.concat(), expected);
        }
    }
}
