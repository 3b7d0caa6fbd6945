//! Lines and texts stretched to a width: kashida and fitted text.

mod book;
mod text_common;

use text_common::*;
use waraq_docx::tree::*;
use waraq_layout::text::Line;
use waraq_layout::{Glyph, GlyphRun};

const ARABIC: &str = "تهدف هذه الوثيقة إلى تنظيم العلاقة بين الطرفين وتحديد حقوق كل منهما وواجباته بوضوح تام";

fn arabic(alignment: Alignment, family: &str, width: f32) -> Vec<Line> {
    let run = RunProperties { right_to_left: true, ..run(family, 14.0) };
    let properties = ParagraphProperties { bidi: true, alignment, ..ParagraphProperties::default() };
    Setup::default().lines(&paragraph(vec![text(ARABIC, &run)], properties), width)
}

/// Returns the glyphs that represent no character.
fn tatweels(line: &Line) -> Vec<Glyph> {
    let runs = glyph_runs(line);
    let glyphs = runs.iter().flat_map(|run: &&GlyphRun| run.glyphs.iter());
    glyphs.filter(|glyph| glyph.range.is_empty()).cloned().collect()
}

fn widest_space(line: &Line) -> f32 {
    let runs = glyph_runs(line);
    let of = |run: &GlyphRun| {
        let space = |glyph: &&Glyph| run.text.get(glyph.range.start as usize..glyph.range.end as usize) == Some(" ");
        run.glyphs.iter().filter(space).map(|glyph| glyph.advance).collect::<Vec<_>>()
    };
    runs.iter().flat_map(|run| of(run)).fold(0.0, f32::max)
}

#[test]
fn kashida_justification_adds_more_tatweels_at_higher_levels() {
    for family in ["Amiri", "Noto Naskh Arabic", "Noto Sans Arabic"] {
        let counts: Vec<usize> =
            [Alignment::Both, Alignment::LowKashida, Alignment::MediumKashida, Alignment::HighKashida]
                .map(|alignment| {
                    let lines = arabic(alignment, family, 183.0);
                    assert!(lines.len() > 2);
                    let (last, full) = lines.split_last().unwrap();
                    for line in full {
                        assert_near(line.text_left, 0.0, 0.05);
                        assert_near(line.text_right, 183.0, 0.05);
                    }
                    assert!(tatweels(last).is_empty(), "the last line is not stretched");
                    full.iter().map(|line| tatweels(line).len()).sum()
                })
                .to_vec();
        assert_eq!(counts[0], 0, "{family}");
        assert!(counts[1] > 0 && counts[1] <= counts[2] && counts[2] <= counts[3], "{family}: {counts:?}");
    }
}

#[test]
fn kashida_justification_does_not_change_line_breaks() {
    let words = |alignment| -> Vec<String> { arabic(alignment, "Amiri", 200.0).iter().map(line_text).collect() };
    assert_eq!(words(Alignment::HighKashida), words(Alignment::Both));
}

#[test]
fn high_kashida_justification_widens_spaces_less() {
    let both = widest_space(&arabic(Alignment::Both, "Amiri", 183.0)[0]);
    let high = widest_space(&arabic(Alignment::HighKashida, "Amiri", 183.0)[0]);
    assert!(high < both, "{high} {both}");
}

#[test]
fn a_tatweel_is_at_the_left_of_the_letter_it_extends() {
    let lines = arabic(Alignment::HighKashida, "Amiri", 183.0);
    let mut found = 0;
    for run in lines.iter().flat_map(glyph_runs) {
        for pair in run.glyphs.windows(2).filter(|pair| pair[0].range.is_empty() && !pair[1].range.is_empty()) {
            assert_eq!(pair[0].range.start, pair[1].range.end);
            found += 1;
        }
    }
    assert!(found > 0);
}

fn fitted(words: &[&str], widths: &[(f32, i64)]) -> Line {
    let base = run("Arial", 12.0);
    let inlines = words.iter().zip(widths).map(|(word, &(width, id))| {
        let fit = (width > 0.0).then_some(FitText { width, id });
        text(word, &RunProperties { fit, ..base.clone() })
    });
    Setup::default().lines(&paragraph(inlines.collect(), ParagraphProperties::default()), 500.0).remove(0)
}

#[test]
fn fitted_text_has_the_requested_width() {
    let wide = fitted(&["Name", ":"], &[(100.0, 1), (0.0, 0)]);
    let runs = glyph_runs(&wide);
    assert_near(run_width(runs[0]), 100.0, 0.01);
    assert_near(runs[1].x, 100.0, 0.01);
    assert_near(runs[0].scale_x, 1.0, 0.0);
    // The last letter is at the end, without a gap after it.
    let own = glyph_runs(&fitted(&["Name"], &[(0.0, 0)]))[0].glyphs[3].advance;
    assert_near(runs[0].glyphs[3].advance, own, 0.01);
    let narrow = fitted(&["Identification", ":"], &[(40.0, 1), (0.0, 0)]);
    let runs = glyph_runs(&narrow);
    assert_near(run_width(runs[0]), 40.0, 0.05);
    assert!(runs[0].scale_x < 0.6);
    assert_near(runs[1].x, 40.0, 0.05);
}

#[test]
fn adjacent_fitted_runs_with_the_same_id_share_the_width() {
    let shared = fitted(&["Na", "me", ":"], &[(100.0, 7), (100.0, 7), (0.0, 0)]);
    let colon = |line: &Line| glyph_runs(line).last().unwrap().x;
    assert_near(colon(&shared), 100.0, 0.01);
    let apart = fitted(&["Na", "me", ":"], &[(100.0, 7), (100.0, 8), (0.0, 0)]);
    assert_near(colon(&apart), 200.0, 0.01);
}

/// Lays out one word in Amiri, aligned right in 300 points.
fn spaced(word: &str, spacing: f32) -> Line {
    let run = RunProperties { right_to_left: true, spacing, ..run("Amiri", 14.0) };
    let properties = ParagraphProperties { bidi: true, ..ParagraphProperties::default() };
    Setup::default().lines(&paragraph(vec![text(word, &run)], properties), 300.0).remove(0)
}

#[test]
fn arabic_letters_with_spacing_stay_joined() {
    for spacing in [0.5, 3.0, 20.0] {
        // Four joined letters (ba, ya, ta, teh): three connecting lines with the width of the spacing, and none after the last
        // letter.
        let line = spaced("بيتت", spacing);
        let lines = tatweels(&line);
        assert_near(lines.iter().map(|glyph| glyph.advance).sum(), 3.0 * spacing, 0.01);
        assert!(lines.iter().all(|glyph| glyph.id != 0));
        assert_near(line.text_right, 300.0, 0.01);
        // Dal does not join the letter after it.
        assert!(tatweels(&spaced("دار", spacing)).is_empty());
    }
    assert!(tatweels(&spaced("بيتت", 0.0)).is_empty());
    assert!(tatweels(&spaced("بيتت", -0.5)).is_empty());
}

#[test]
fn letter_spacing_is_on_the_left_of_right_to_left_letters() {
    let widths = |spacing| {
        let line = spaced("دار", spacing);
        glyph_runs(&line)[0].glyphs.iter().map(|glyph| (glyph.advance, glyph.x_offset)).collect::<Vec<_>>()
    };
    for (wide, plain) in widths(5.0).iter().zip(widths(0.0)) {
        assert_near(wide.0, plain.0 + 5.0, 0.01);
        assert_near(wide.1, plain.1 + 5.0, 0.01);
    }
}

#[test]
fn stacked_arabic_letters_with_spacing_are_on_the_baseline() {
    let shapes = |spacing| -> Vec<u16> {
        let line = spaced("محمد", spacing);
        let glyphs = glyph_runs(&line)[0].glyphs.clone();
        glyphs.iter().filter(|glyph| !glyph.range.is_empty()).map(|glyph| glyph.id).collect()
    };
    assert_ne!(shapes(0.0), shapes(4.0));
    // The letters of a word with tatweels between them.
    let apart = spaced("مـحـمـد", 0.0);
    let run = glyph_runs(&apart)[0];
    let letters = run.glyphs.iter().filter(|g| run.text.get(g.range.start as usize..g.range.end as usize) != Some("ـ"));
    assert_eq!(shapes(4.0), letters.map(|glyph| glyph.id).collect::<Vec<_>>());
}

#[test]
fn lam_and_alef_stay_one_ligature_with_spacing() {
    let clusters = |spacing| {
        let line = spaced("سلام", spacing);
        let mut ranges: Vec<_> = glyph_runs(&line)[0].glyphs.iter().map(|glyph| glyph.range.clone()).collect();
        ranges.retain(|range| !range.is_empty());
        ranges.dedup();
        ranges
    };
    assert_eq!(clusters(0.0), clusters(3.0));
}

/// Returns the right edge of the glyphs on the first line.
fn right_edge(words: &str, properties: ParagraphProperties) -> f32 {
    let lines = Setup::default().lines(&paragraph(vec![text(words, &run("Calibri", 12.0))], properties), 400.0);
    glyph_runs(&lines[0]).iter().map(|run| run.x + run_width(run)).fold(0.0, f32::max)
}

#[test]
fn a_quarter_em_separates_east_asian_letters_from_latin_letters_and_digits() {
    let spacing = |latin, digits| ParagraphProperties {
        east_asian_spacing: EastAsianSpacing { latin, digits },
        ..ParagraphProperties::default()
    };
    let added = |words: &str, latin, digits| {
        right_edge(words, spacing(latin, digits)) - right_edge(words, spacing(false, false))
    };
    assert_near(added("章a章", true, true), 6.0, 0.01);
    assert_near(added("第1章", true, true), 6.0, 0.01);
    assert_near(added("第1章a", true, false), 3.0, 0.01);
    assert_near(added("第1章a", false, true), 6.0, 0.01);
    // Punctuation, spaces and Hangul get no spacing, nor do two characters of the same kind.
    for words in ["章 a", "章,a", "a。章", "한a", "章节", "a1"] {
        assert_near(added(words, true, true), 0.0, 0.001);
    }
    let paragraph = |words: &str| paragraph(vec![text(words, &run("Calibri", 12.0))], ParagraphProperties::default());
    let lines = Setup::default().lines(&paragraph("章a"), 400.0);
    let runs = glyph_runs(&lines[0]);
    assert!(
        runs.windows(2).all(|pair| (pair[0].x + run_width(pair[0]) - pair[1].x).abs() < 0.01),
        "one after the other"
    );
}
