//! Text is complete in any width, and hostile input causes neither a panic nor an endless loop.

mod book;
mod text_common;

use text_common::*;
use waraq_docx::tree::*;

const MIXED: &str = "Ärger mit dem Büro – «café» n°5, 12 500 €; state-of-the-art http://a.example/b/c \u{202b}نص عربي (123-45)\u{202c} \
    עברית 5% 日本語 e\u{301}\u{323} 👍🏽 ffi لا إله إلا الله، مُحَمَّد ـــ\u{200d}\u{ad}x\u{200b}y z\u{a0}w \u{f0b7} ①★☐ नमस्ते";

/// Lays out the mixed text. Returns its characters in sorted order, and the number of lines.
fn all(width: f32, bidi: bool, face: &RunProperties) -> (String, usize) {
    let properties = ParagraphProperties { bidi, alignment: Alignment::Both, ..ParagraphProperties::default() };
    let lines = Setup::default().lines(&paragraph(vec![text(MIXED, face)], properties), width);
    let mut characters: Vec<char> = lines.iter().flat_map(|line| line_text(line).chars().collect::<Vec<_>>()).collect();
    characters.sort_unstable();
    (characters.into_iter().collect(), lines.len())
}

#[test]
fn every_character_is_in_the_runs_at_any_width() {
    for face in [run("Calibri", 11.0), RunProperties { right_to_left: true, ..run("Amiri", 13.0) }] {
        for bidi in [false, true] {
            let (expected, one) = all(100_000.0, bidi, &face);
            assert_eq!(one, 1);
            for character in
                MIXED.chars().filter(|c| !matches!(c, '\u{f0b7}' | '\u{ad}' | '\u{200b}' | '\u{202b}' | '\u{202c}'))
            {
                assert!(expected.contains(character), "{character:?}");
            }
            for width in [3.0, 17.0, 40.0, 80.0, 123.4, 300.0] {
                let (found, _) = all(width, bidi, &face);
                let visible = |text: &str| text.replace(['\u{ad}', '-', '\u{200b}', '\u{202b}', '\u{202c}'], "");
                assert_eq!(visible(&found), visible(&expected), "{width}");
            }
        }
    }
}

#[test]
fn columns_of_extreme_width_have_lines() {
    for width in [0.0, -50.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e-30, 1e30] {
        let lines = Setup::default().lines(&plain("a few words", &run("Calibri", 11.0)), width);
        assert!(!lines.is_empty() && lines.len() <= 11, "{width}: {}", lines.len());
        assert!(lines.iter().all(|line| line.height.is_finite() && line.baseline.is_finite()));
    }
}

#[test]
fn extreme_numbers_give_finite_lines() {
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0, 0.0, 1e30] {
        let face = RunProperties {
            size: value,
            size_complex: value,
            raise: value,
            spacing: value,
            scale: value,
            kerning_from: Some(value),
            ..run("Calibri", 11.0)
        };
        let properties = ParagraphProperties {
            indent: Indent { start: value, end: value, first_line: value },
            spacing: Spacing { line: LineSpacing::Multiple(value), ..Spacing::default() },
            tabs: vec![TabStop { position: value, kind: TabKind::End, leader: TabLeader::Dot }],
            ..ParagraphProperties::default()
        };
        for line in [LineSpacing::Multiple(value), LineSpacing::AtLeast(value), LineSpacing::Exactly(value)] {
            let mut properties = properties.clone();
            properties.spacing.line = line;
            let inlines = vec![text("some text", &face), inline(Content::Tab, &face), text("نص", &face)];
            let mut setup = Setup { line_pitch: Some(value), ..Setup::default() };
            setup.settings.default_tab_stop = value;
            let lines = setup.lines(&paragraph(inlines, properties), 200.0);
            assert!(lines.len() <= 20);
            assert!(lines.iter().all(|line| line.height.is_finite() && line.height >= 0.0));
        }
    }
}

#[test]
fn very_long_paragraphs_are_laid_out() {
    let face = run("Calibri", 11.0);
    let count = |paragraph: &Paragraph| Setup::default().lines(paragraph, 400.0).len();
    assert!(count(&plain(&"ش".repeat(100_000), &face)) > 500);
    assert!(count(&plain(&"f".repeat(100_000), &face)) > 500);
    assert!(count(&plain(&" ".repeat(100_000), &face)) == 1);
    assert!(count(&plain(&"\u{ad}".repeat(50_000), &face)) >= 1);
    assert!(count(&plain(&"(".repeat(50_000), &face)) > 100);
    assert!(count(&plain(&"a\u{301}".repeat(20_000), &face)) > 100);
    assert!(count(&plain(&format!("a{}", "\u{301}".repeat(20_000)), &face)) >= 1);
    let tabs = vec![inline(Content::Tab, &face); 10_000];
    assert!(count(&paragraph(tabs, ParagraphProperties::default())) > 100);
    let stops = (0..1_000).map(|i| TabStop { position: i as f32, kind: TabKind::Start, leader: TabLeader::Dot });
    let properties = ParagraphProperties { tabs: stops.collect(), ..ParagraphProperties::default() };
    assert!(count(&paragraph(vec![inline(Content::Tab, &face); 5_000], properties)) > 1);
}

#[test]
fn deep_embeddings_and_unpaired_controls_lose_no_text() {
    let deep = format!("{}x{}", "\u{202b}\u{2067}".repeat(5_000), "\u{2069}\u{202c}".repeat(5_000));
    let lines = Setup::default().lines(&plain(&deep, &run("Calibri", 11.0)), 200.0);
    assert!(lines.iter().map(line_text).collect::<String>().contains('x'));
    let controls = "a\tb\nc\u{0}d\u{b}e\u{fffc}f\u{2029}g";
    let lines = Setup::default().lines(&plain(controls, &run("Calibri", 11.0)), 200.0);
    assert_eq!(lines.iter().map(line_text).collect::<String>(), "abcdefg");
    assert_eq!(lines.len(), 4);
}
