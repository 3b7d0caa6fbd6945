//! Line heights and baselines, compared with measurements of the reference's pages.

mod book;
mod text_common;

use std::sync::Arc;

use text_common::*;
use waraq_docx::tree::*;

fn height(family: &str, size: f32, line: LineSpacing) -> (f32, f32) {
    let spacing = Spacing { line, ..Spacing::default() };
    let words = if family == "Amiri" { "نص عربي" } else { "Some text" };
    let paragraph = paragraph(
        vec![text(words, &run(family, size))],
        ParagraphProperties { spacing, ..ParagraphProperties::default() },
    );
    let lines = Setup::default().lines(&paragraph, 400.0);
    (lines[0].height, lines[0].baseline)
}

#[test]
fn line_height_at_spacing_1_15_matches_the_reference() {
    for (family, size, pitch) in
        [("Calibri", 11.0, 15.44), ("Cambria", 11.0, 14.83), ("Times New Roman", 12.0, 15.87), ("Amiri", 12.0, 24.26)]
    {
        assert_near(height(family, size, LineSpacing::Multiple(1.15)).0, pitch, 0.025);
    }
}

/// Word's pages fit 40 lines of Times New Roman, 12 points at 1.15, in less than 40 times 15.87 points.
#[test]
fn line_heights_are_rounded_to_twips() {
    let at = |family, size, factor| height(family, size, LineSpacing::Multiple(factor)).0;
    assert_near(at("Times New Roman", 11.0, 1.0), 12.65, 0.001);
    assert_near(at("Calibri", 11.0, 1.0), 13.45, 0.001);
    // The spacing factor multiplies these heights, and the result is rounded again.
    assert_near(at("Times New Roman", 12.0, 1.15), 15.85, 0.001);
    assert_near(at("Calibri", 11.0, 1.15), 15.45, 0.001);
}

#[test]
fn the_baseline_of_single_spacing_is_ascent_plus_line_gap() {
    let (height_of_carlito, baseline) = height("Calibri", 12.0, LineSpacing::Multiple(1.0));
    assert_near(height_of_carlito, 14.65, 0.01);
    assert_near(baseline, 11.43, 0.01);
    let (height_of_tinos, baseline) = height("Times New Roman", 12.0, LineSpacing::Multiple(1.0));
    assert_near(height_of_tinos, 13.8, 0.01);
    assert_near(baseline, 11.2, 0.01);
}

#[test]
fn lines_are_as_high_as_in_the_family_that_the_document_names() {
    // Lucida Console and Consolas are substituted by Cousine, Comic Sans MS by Arimo, Cambria by Caladea. The substitutes have
    // other line heights.
    for (family, up, down) in [
        ("Cambria", 0.9502, 0.2222),
        ("Lucida Console", 0.789, 0.211),
        ("consolas", 0.920, 0.251),
        ("Comic Sans MS", 1.102, 0.2915),
        ("Tahoma", 1.0005, 0.2065),
        ("Aptos", 1.0027, 0.282),
        // A family whose letters no bundled font has.
        ("SimSun", 1.009, 0.291),
    ] {
        let (height, baseline) = height(family, 10.0, LineSpacing::Multiple(1.0));
        assert_near(height, 10.0 * (up + down), 0.025);
        assert_near(baseline, 10.0 * up, 0.01);
    }
    // The font that provides the letters has its own line height.
    assert_near(height("Cousine", 10.0, LineSpacing::Multiple(1.0)).0, 11.35, 0.01);
}

#[test]
fn larger_spacing_is_added_below_and_smaller_spacing_removed_above() {
    assert_near(height("Calibri", 12.0, LineSpacing::Multiple(2.0)).1, 11.43, 0.01);
    let (tight, baseline) = height("Calibri", 12.0, LineSpacing::Multiple(0.8));
    assert_near(tight, 11.7, 0.01);
    assert_near(baseline, 11.43 - 2.95, 0.01);
}

#[test]
fn at_least_adds_space_above_and_exactly_puts_the_baseline_at_four_fifths() {
    let (least, baseline) = height("Times New Roman", 12.0, LineSpacing::AtLeast(20.0));
    assert_near(least, 20.0, 0.0);
    assert_near(least - baseline, 2.6, 0.01);
    assert_near(height("Times New Roman", 12.0, LineSpacing::AtLeast(5.0)).0, 13.8, 0.01);
    assert_eq!(height("Times New Roman", 12.0, LineSpacing::Exactly(8.0)), (8.0, 6.4));
}

#[test]
fn raised_text_increases_the_line_height_and_superscript_does_not() {
    let base = run("Calibri", 12.0);
    let superscript = RunProperties { vertical_position: VerticalPosition::Superscript, ..base.clone() };
    let raised = RunProperties { raise: 6.0, ..base.clone() };
    let line = |second: &RunProperties| {
        let paragraph = paragraph(vec![text("a", &base), text("2", second)], ParagraphProperties::default());
        Setup::default().lines(&paragraph, 400.0).remove(0)
    };
    let raised = line(&raised);
    assert_near(raised.height, 20.65, 0.01);
    assert_near(raised.baseline, 17.43, 0.01);
    let small = line(&superscript);
    assert_near(small.height, 14.65, 0.01);
    let runs = glyph_runs(&small);
    assert_near(runs[1].size, 7.8, 0.01);
    assert_near(runs[0].y - runs[1].y, 4.0, 0.01);
}

#[test]
fn an_empty_paragraph_is_as_high_as_its_mark() {
    let mut empty = paragraph(Vec::new(), ParagraphProperties::default());
    empty.mark = std::sync::Arc::new(run("Calibri", 36.0));
    let lines = Setup::default().lines(&empty, 400.0);
    assert_eq!(lines.len(), 1);
    assert_near(lines[0].height, 43.95, 0.01);
}

/// Word's pages fit more 8-point text with 12-point paragraph marks than lines of 12 points would allow.
#[test]
fn the_paragraph_mark_affects_the_descent_of_a_line_with_text_only() {
    let mut small = plain("Some text", &run("Calibri", 8.0));
    small.mark = std::sync::Arc::new(run("Calibri", 12.0));
    let line = Setup::default().lines(&small, 400.0).remove(0);
    assert_near(line.baseline, 11.43 * 8.0 / 12.0, 0.01);
    assert_near(line.height, line.baseline + 14.65 - 11.43, 0.025);
}

#[test]
fn blanks_do_not_affect_the_height_of_a_line_with_text() {
    let small = run("Times New Roman", 10.0);
    let large = run("Times New Roman", 60.0);
    let height = |inlines: Vec<Inline>| {
        Setup::default().lines(&paragraph(inlines, ParagraphProperties::default()), 400.0)[0].height
    };
    let alone = height(vec![text("one", &small)]);
    assert_near(height(vec![text("one", &small), text("   ", &large), text("two", &small)]), alone, 0.01);
    assert_near(height(vec![text("one", &small), text("\t", &large)]), alone, 0.01);
    assert_near(height(vec![text("one", &small), text(" h", &large)]), 60.0 * 1.15, 0.1);
}

#[test]
fn the_paragraph_mark_determines_the_height_of_a_blank_last_line() {
    let large = run("Times New Roman", 60.0);
    let heights = |inlines: Vec<Inline>| -> Vec<f32> {
        let mark = Arc::new(run("Times New Roman", 10.0));
        let paragraph = Paragraph { mark, ..paragraph(inlines, ParagraphProperties::default()) };
        Setup::default().lines(&paragraph, 400.0).iter().map(|line| line.height).collect()
    };
    for blank in [" ", "   ", "\u{2002}", "\u{2003}", "\u{2005}", "\u{3000}"] {
        assert_eq!(heights(vec![text(blank, &large)]), [11.5], "{blank:?}");
    }
    assert_eq!(heights(vec![inline(Content::Tab, &large)]), [11.5]);
    for counted in ["\u{a0}", "\u{2000}", "\u{2004}", "\u{2009}", "\u{202f}"] {
        assert!(heights(vec![text(counted, &large)])[0] > 60.0, "{counted:?}");
    }
    // A line that ends in a break contains no paragraph mark.
    let broken = heights(vec![text("  ", &large), inline(Content::Break(Break::Line), &large)]);
    assert!(broken[0] > 60.0 && broken[1] < 60.0, "{broken:?}");
}

#[test]
fn lines_snap_to_the_document_grid() {
    let setup = Setup { line_pitch: Some(18.0), ..Setup::default() };
    let line = setup.lines(&plain("Some text", &run("Calibri", 12.0)), 400.0).remove(0);
    assert_near(line.height, 18.0, 0.001);
    let line = setup.lines(&plain("Some text", &run("Calibri", 16.0)), 400.0).remove(0);
    assert_near(line.height, 36.0, 0.001);
}

#[test]
fn bullets_use_the_line_height_of_their_symbol_font() {
    let bullet = |family: &str| {
        let words = vec![text("•", &run(family, 12.0)), text(" words", &run("Times New Roman", 12.0))];
        let lines = Setup::default().lines(&paragraph(words, ParagraphProperties::default()), 400.0);
        (lines[0].height, lines[0].baseline)
    };
    // Symbol: 1.005 above and 0.22 below. Wingdings: 0.899 above, with Times New Roman's 0.216 below.
    assert_near(bullet("Symbol").0, 12.0 * 1.225, 0.01);
    assert_near(bullet("Symbol").1, 12.0 * 1.005, 0.01);
    assert_near(bullet("Wingdings").0, 13.8, 0.01);
}

/// The reader has already converted the characters of symbol fonts. Layout must not convert them again.
#[test]
fn characters_of_symbol_fonts_are_not_converted_again() {
    for family in ["Symbol", "Wingdings"] {
        let line = Setup::default().lines(&plain("×¬÷©·", &run(family, 12.0)), 400.0).remove(0);
        let pieces = line.items.iter().filter_map(|placed| match &placed.item {
            waraq_layout::DisplayItem::Glyphs(run) => Some(&*run.text),
            _ => None,
        });
        assert_eq!(pieces.collect::<String>(), "×¬÷©·", "{family}");
    }
}

/// `auto` multiplies lines (§17.3.1.33). A picture between words does not count as a line, and a line with only a picture has
/// no text line.
#[test]
fn multiple_line_spacing_applies_to_text_and_not_to_pictures() {
    let base = run("Calibri", 11.0);
    let picture = Picture {
        metafile: None,
        image: ImageId(0),
        crop: [0.0; 4],
        orientation: Orientation::default(),
        outline: None,
        geometry: Geometry::Rectangle,
        opacity: 1.0,
    };
    let drawing = Drawing {
        id: NodeId::default(),
        width: 50.0,
        height: 100.0,
        placement: Placement::Inline,
        graphic: Graphic::Picture(picture),
        description: None,
        link: None,
    };
    let line = |factor: f32, words: &str| {
        let spacing = Spacing { line: LineSpacing::Multiple(factor), ..Spacing::default() };
        let properties = ParagraphProperties { spacing, ..ParagraphProperties::default() };
        let picture = inline(Content::Drawing(drawing.clone().into()), &base);
        Setup::default().lines(&paragraph(vec![picture, text(words, &base)], properties), 400.0).remove(0)
    };
    let single = height("Calibri", 11.0, LineSpacing::Multiple(1.0)).0;
    for (words, more) in [("text", single), ("", 0.0)] {
        assert_near(line(2.0, words).height - line(1.0, words).height, more, 0.01);
    }
}

/// A horizontal rule is thin, but its line has the height of a text line.
#[test]
fn the_line_of_a_rule_is_as_high_as_one_of_text() {
    let base = run("Calibri", 11.0);
    for factor in [1.0, 1.5] {
        let rule = Drawing {
            id: NodeId::default(),
            width: 0.0,
            height: 1.5,
            placement: Placement::Rule(HorizontalRule { width_fraction: Some(1.0), alignment: Alignment::Center }),
            graphic: Graphic::Shape(Box::default()),
            description: None,
            link: None,
        };
        let spacing = Spacing { line: LineSpacing::Multiple(factor), ..Spacing::default() };
        let properties = ParagraphProperties { spacing, ..ParagraphProperties::default() };
        let rule = inline(Content::Drawing(rule.into()), &base);
        let lines = Setup::default().lines(&paragraph(vec![rule], properties), 400.0);
        assert_near(lines[0].height, height("Calibri", 11.0, LineSpacing::Multiple(factor)).0, 0.01);
    }
}
