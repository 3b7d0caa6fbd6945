//! Automatic hyphenation: where it applies, and its limits.

mod book;
mod text_common;

use text_common::*;
use waraq_docx::tree::*;
use waraq_layout::text::Line;

const WORDS: &str =
    "An extensive consideration of international responsibilities notwithstanding administrative complications";

fn english() -> RunProperties {
    let language = Languages { latin: Some("en-GB".into()), ..Languages::default() };
    RunProperties { language, ..run("Times New Roman", 12.0) }
}

fn hyphenating() -> Settings {
    Settings { auto_hyphenation: true, hyphenation_zone: 18.0, ..Settings::default() }
}

fn lines(settings: Settings, run: &RunProperties, words: &str, width: f32) -> Vec<Line> {
    Setup { settings, ..Setup::default() }.lines(&plain(words, run), width)
}

fn shown(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|line| line_text(line).trim().to_owned()).collect()
}

fn hyphens(lines: &[Line]) -> Vec<bool> {
    shown(lines).iter().map(|line| line.ends_with('-')).collect()
}

#[test]
fn words_are_hyphenated_between_syllables_if_requested() {
    let parted = shown(&lines(hyphenating(), &english(), WORDS, 98.0));
    assert_eq!(parted[0], "An extensive con-");
    let together = |line: &String| line.strip_suffix('-').map_or(format!("{line} "), str::to_owned);
    assert_eq!(parted.iter().map(together).collect::<String>().trim_end(), WORDS);
    let whole = lines(Settings::default(), &english(), WORDS, 98.0);
    assert!(hyphens(&whole).iter().all(|hyphen| !hyphen), "{:?}", shown(&whole));
    let properties = ParagraphProperties { suppress_auto_hyphens: true, ..ParagraphProperties::default() };
    let suppressed = Setup { settings: hyphenating(), ..Setup::default() }
        .lines(&paragraph(vec![text(WORDS, &english())], properties), 98.0);
    assert_eq!(shown(&suppressed), shown(&whole));
}

#[test]
fn french_words_use_french_hyphenation() {
    let language = Languages { latin: Some("fr-FR".into()), ..Languages::default() };
    let french = RunProperties { language, ..run("Times New Roman", 12.0) };
    let parted = lines(hyphenating(), &french, "signature indispensable immédiatement", 72.0);
    assert_eq!(shown(&parted), ["signature in-", "dispensable", "immédiate-", "ment"]);
    // Text in an unknown language, and text excluded from proofing, is not hyphenated.
    for run in [
        run("Times New Roman", 12.0),
        RunProperties { no_proof: true, ..french.clone() },
        RunProperties { language: Languages { latin: Some("x-none".into()), ..Languages::default() }, ..french },
    ] {
        let whole = lines(hyphenating(), &run, "signature indispensable immédiatement", 72.0);
        assert!(hyphens(&whole).iter().all(|hyphen| !hyphen), "{:?}", shown(&whole));
    }
}

#[test]
fn no_word_is_hyphenated_within_the_hyphenation_zone() {
    let zone = |hyphenation_zone| {
        let settings = Settings { hyphenation_zone, ..hyphenating() };
        hyphens(&lines(settings, &english(), WORDS, 98.0)).iter().filter(|hyphen| **hyphen).count()
    };
    assert!(zone(0.0) >= zone(18.0) && zone(18.0) > 0);
    assert_eq!(zone(90.0), 0);
}

#[test]
fn consecutive_hyphens_are_limited() {
    let long = "internationalisation ".repeat(12);
    let of = |consecutive_hyphen_limit| {
        let settings = Settings { consecutive_hyphen_limit, hyphenation_zone: 0.0, ..hyphenating() };
        hyphens(&lines(settings, &english(), &long, 140.0))
    };
    let longest = |hyphens: &[bool]| hyphens.split(|hyphen| !hyphen).map(<[bool]>::len).max().unwrap_or(0);
    assert_eq!(longest(&of(0)), 2);
    assert_eq!(longest(&of(1)), 1);
}

#[test]
fn words_in_capitals_are_not_hyphenated_if_disabled() {
    let capitals = "ONE INTERNATIONALISATION";
    let of = |do_not_hyphenate_caps| {
        let settings = Settings { do_not_hyphenate_caps, ..hyphenating() };
        hyphens(&lines(settings, &english(), capitals, 165.0))
    };
    assert_eq!(of(false), [true, false]);
    assert_eq!(of(true), [false, false]);
}

#[test]
fn a_word_with_a_soft_hyphen_gets_no_automatic_hyphens() {
    let parted = lines(hyphenating(), &english(), "Some internation\u{ad}alisation", 110.0);
    assert_eq!(shown(&parted), ["Some internation\u{ad}-", "alisation"]);
}

#[test]
fn rewinding_resets_the_count_of_consecutive_hyphens() {
    let settings = Settings { consecutive_hyphen_limit: 1, hyphenation_zone: 0.0, ..hyphenating() };
    let setup = Setup { settings, ..Setup::default() };
    let paragraph = plain(&"internationalisation ".repeat(6), &english());
    let context = setup.context();
    let mut lines = waraq_layout::text::ParagraphLines::new(&paragraph, &context);
    let slot = waraq_layout::text::LineSlot::whole_column(140.0);
    let start = lines.position();
    let first: Vec<String> = std::iter::from_fn(|| lines.next_line(slot)).map(|line| line_text(&line)).collect();
    lines.rewind(start);
    let second: Vec<String> = std::iter::from_fn(|| lines.next_line(slot)).map(|line| line_text(&line)).collect();
    assert_eq!(first, second);
}
