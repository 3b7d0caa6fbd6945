//! Text effects: outlined, shadowed, embossed and engraved letters, and borders around them.

mod book;
mod text_common;

use text_common::*;
use waraq_docx::tree::*;
use waraq_layout::{DisplayItem, GlyphRun};

fn drawn(change: impl Fn(&mut RunProperties)) -> GlyphRun {
    let mut run = run("Arial", 24.0);
    change(&mut run);
    let line = Setup::default().lines(&plain("Waraq", &run), 400.0).remove(0);
    glyph_runs(&line)[0].clone()
}

#[test]
fn plain_letters_are_filled_and_cast_no_shadow() {
    let run = drawn(|_| {});
    assert!(!run.outlined && run.shadow.is_none());
}

#[test]
fn outlined_letters_have_only_outlines() {
    assert!(drawn(|run| run.outline = true).outlined);
}

#[test]
fn shadows_fall_to_the_lower_right_and_engraved_letters_have_them_on_the_other_side() {
    let shadow = drawn(|run| run.shadow = true).shadow.unwrap();
    assert_near(shadow.right, 1.0, 0.001);
    assert_near(shadow.down, 1.0, 0.001);
    let embossed = drawn(|run| run.emboss = true);
    assert!(embossed.shadow.unwrap().right > 0.0);
    assert_eq!(embossed.color, Rgb(255, 255, 255));
    let engraved = drawn(|run| run.imprint = true);
    assert!(engraved.shadow.unwrap().right < 0.0);
    // A colour chosen by the author is kept.
    let red = drawn(|run| (run.emboss, run.color) = (true, Some(Rgb(255, 0, 0))));
    assert_eq!(red.color, Rgb(255, 0, 0));
}

/// Returns the number of strokes that a run is drawn with.
fn strokes(change: impl Fn(&mut RunProperties)) -> usize {
    let mut run = run("Arial", 24.0);
    change(&mut run);
    let line = Setup::default().lines(&plain("gypsy", &run), 400.0).remove(0);
    line.items.iter().filter(|placed| matches!(placed.item, DisplayItem::Stroke(_))).count()
}

#[test]
fn a_double_border_is_two_boxes() {
    let boxes = |style| {
        let border = Border { style, width: 0.5, color: None, space: 0.0, shadow: false };
        strokes(move |run| run.border = Some(border))
    };
    assert_eq!((boxes(BorderStyle::Single), boxes(BorderStyle::Double)), (1, 2));
}

#[test]
fn italics_of_an_unknown_family_use_a_real_italic_face() {
    let unknown = drawn(|run| {
        run.fonts = Fonts { ascii: Some("No Such Family".into()), ..Fonts::default() };
        run.italic = true;
    });
    assert!(!unknown.synthetic_italic);
    // A known family without an italic face is not substituted.
    let hebrew = drawn(|run| {
        run.fonts = Fonts { ascii: Some("Noto Sans Hebrew".into()), ..Fonts::default() };
        run.italic = true;
    });
    assert!(hebrew.synthetic_italic);
}
