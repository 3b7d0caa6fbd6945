//! Order of bidirectional text. Expected values list the characters in visual order, from left to right.

mod book;
mod text_common;

use text_common::*;
use waraq_docx::tree::*;

fn visual_line(inlines: Vec<Inline>, bidi: bool) -> String {
    let properties = ParagraphProperties { bidi, ..ParagraphProperties::default() };
    visual_text(&Setup::default().lines(&paragraph(inlines, properties), 2_000.0)[0])
}

fn latin() -> RunProperties {
    run("Noto Naskh Arabic", 12.0)
}

fn arabic() -> RunProperties {
    RunProperties { right_to_left: true, ..latin() }
}

/// Returns the letters of a right-to-left word in visual order.
fn reversed(word: &str) -> String {
    word.chars().rev().collect()
}

#[test]
fn arabic_words_run_from_right_to_left() {
    assert_eq!(visual_line(vec![text("بيت سور", &arabic())], true), reversed("بيت سور"));
    assert_eq!(visual_line(vec![text("بيت سور", &latin())], false), reversed("بيت سور"));
}

#[test]
fn numbers_dates_and_latin_words_stay_as_they_are() {
    let expected = |middle: &str| format!("{} {middle} {}", reversed("سنة"), reversed("عام"));
    for middle in ["2026", "01/02/2026", "1,250.50", "Word 2016", "info@example.com"] {
        assert_eq!(
            visual_line(vec![text(&format!("عام {middle} سنة"), &arabic())], true),
            expected(middle),
            "{middle}"
        );
    }
    // UAX #9: after Arabic letters, a percent sign is on the left of its number, as in Arabic print.
    assert_eq!(visual_line(vec![text("عام 50% سنة", &arabic())], true), expected("%50"));
    // A hyphen separates numbers after Arabic letters.
    assert_eq!(visual_line(vec![text("رقم 123-4567", &arabic())], true), format!("4567-123 {}", reversed("رقم")));
}

#[test]
fn brackets_are_mirrored_and_stay_with_their_content() {
    let shown = visual_line(vec![text("(بيت) IBM (x3)", &arabic())], true);
    assert_eq!(shown, format!("IBM (x3) ){}(", reversed("بيت")));
    let lines = Setup::default().lines(
        &paragraph(vec![text("(بيت)", &arabic())], ParagraphProperties { bidi: true, ..Default::default() }),
        500.0,
    );
    let runs = glyph_runs(&lines[0]);
    let opening = Setup::default().lines(&plain("(", &latin()), 500.0);
    // The closing bracket of the text is on the left and looks like an opening one.
    assert_eq!(runs[0].glyphs[0].id, glyph_runs(&opening[0])[0].glyphs[0].id);
}

#[test]
fn the_full_stop_of_a_right_to_left_run_is_on_its_left() {
    let shown =
        visual_line(vec![text("He said ", &latin()), text("مرحبا.", &arabic()), text(" twice", &latin())], false);
    assert_eq!(shown, format!("He said .{} twice", reversed("مرحبا")));
    // In an unmarked run, the full stop takes the paragraph's direction.
    let shown = visual_line(vec![text("He said مرحبا. twice", &latin())], false);
    assert_eq!(shown, format!("He said {}. twice", reversed("مرحبا")));
}

#[test]
fn the_end_of_a_bidi_paragraph_is_on_the_left() {
    assert_eq!(visual_line(vec![text("سعر 50.", &arabic())], true), format!(".50 {}", reversed("سعر")));
    assert_eq!(visual_line(vec![text("see page 5.", &arabic())], true), ".see page 5".to_owned());
}

// Word 365 lays out these three cases in this way, unlike plain UAX #9. (Annex I.2 of ECMA-376: a run has the direction it is
// marked with.)
#[test]
fn a_run_without_rtl_is_left_to_right_in_a_bidi_paragraph() {
    assert_eq!(visual_line(vec![text("see page 5.", &latin())], true), "see page 5.");
    assert_eq!(visual_line(vec![text("417 (WRC-07)", &latin())], true), "417 (WRC-07)");
    let unmarked = visual_line(vec![text("מילה Word בעברית.", &latin())], true);
    assert_eq!(unmarked, format!("{} Word {}.", reversed("מילה"), reversed("בעברית")));
    let within = vec![text("قرار ", &arabic()), text("417 (", &latin()), text("WRC)", &latin()), text(" و", &arabic())];
    assert_eq!(visual_line(within, true), format!("{} 417 (WRC) {}", reversed("و"), reversed("قرار")));
}

#[test]
fn a_run_with_rtl_is_right_to_left_in_a_latin_paragraph() {
    assert_eq!(visual_line(vec![text("TWOبيت", &arabic())], false), format!("{}TWO", reversed("بيت")));
    let shown =
        visual_line(vec![text("as ", &latin()), text("عام 2016 (سنة)", &arabic()), text(" says", &latin())], false);
    assert_eq!(shown, format!("as ){}( 2016 {} says", reversed("سنة"), reversed("عام")));
}

#[test]
fn adjacent_runs_of_one_direction_are_ordered_together() {
    let shown = visual_line(vec![text("W", &latin()), text("T", &arabic()), text("J", &latin())], true);
    assert_eq!(shown, "JTW");
    // A space typed in an Arabic run separates Latin words.
    let shown = visual_line(vec![text("first", &latin()), text(" ", &arabic()), text("second", &latin())], true);
    assert_eq!(shown, "second first");
    assert_eq!(visual_line(vec![text("first second", &latin())], true), "first second");
}

#[test]
fn slashes_and_signs_separate_numbers_in_arabic_runs_but_not_in_hebrew_runs() {
    let of = |tag: &str| {
        let language = Languages { complex: Some(tag.into()), ..Languages::default() };
        RunProperties { language, ..arabic() }
    };
    for (tag, date, sum) in
        [("ar-EG", "2026/03/15", "2-1+50"), ("fa-IR", "2026/03/15", "2-1+50"), ("he-IL", "15/03/2026", "50+1-2")]
    {
        assert_eq!(visual_line(vec![text("15/03/2026", &of(tag))], true), date, "{tag}");
        assert_eq!(visual_line(vec![text("50+1-2", &of(tag))], true), sum, "{tag}");
    }
    assert_eq!(visual_line(vec![text("1,250.75 (10:30)", &of("ar-SA"))], true), ")10:30( 1,250.75");
    assert_eq!(visual_line(vec![text("50%", &of("ar-SA"))], true), "%50");
}

#[test]
fn embeddings_contain_runs_of_both_directions_and_overrides_take_precedence() {
    let around = |inside: Vec<Inline>, control: &str| {
        let mut all = vec![text("a ", &latin()), text(control, &latin())];
        all.extend(inside);
        all.extend([text("\u{202c}", &latin()), text(" b", &latin())]);
        let shown = visual_line(all, false);
        shown.chars().filter(|c| !('\u{202a}'..='\u{202e}').contains(c)).collect::<String>()
    };
    let inside = || vec![text("عام ", &arabic()), text("Word 2016.", &latin()), text(" سنة", &arabic())];
    assert_eq!(around(inside(), "\u{202b}"), format!("a {} Word 2016. {} b", reversed("سنة"), reversed("عام")));
    assert_eq!(around(vec![text("abc", &latin())], "\u{202e}"), "a cba b");
    assert_eq!(around(vec![text("abc", &arabic())], "\u{202d}"), "a abc b");
}

#[test]
fn isolate_characters_in_the_text_do_not_end_its_run() {
    for own in ["\u{2069}", "\u{2066}", "\u{2067}\u{2069}\u{2069}\u{2068}"] {
        let inlines = vec![text("بيت ", &arabic()), text(&format!("see{own} 5."), &latin()), text(" سور", &arabic())];
        let shown: String =
            visual_line(inlines, true).chars().filter(|c| !('\u{2066}'..='\u{2069}').contains(c)).collect();
        assert!(shown.starts_with(&reversed("سور")) && shown.ends_with(&reversed("بيت")), "{own:?}: {shown}");
    }
}

#[test]
fn text_without_word_directions_is_ordered_by_its_letters() {
    let properties =
        ParagraphProperties { bidi: true, directions_from_letters: true, ..ParagraphProperties::default() };
    let words = paragraph(vec![text("انظر page 5.", &latin())], properties);
    let shown = visual_text(&Setup::default().lines(&words, 2_000.0)[0]);
    assert_eq!(shown, format!(".page 5 {}", reversed("انظر")));
}

#[test]
fn each_line_is_reordered_separately() {
    let words = "واحد اثنان ثلاثة one two three أربعة خمسة";
    let properties = ParagraphProperties { bidi: true, ..ParagraphProperties::default() };
    let lines = Setup::default().lines(&paragraph(vec![text(words, &arabic())], properties), 110.0);
    let shown: Vec<String> = lines.iter().map(|line| visual_text(line).trim().to_owned()).collect();
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert_eq!(shown[0], format!("one {} {} {}", reversed("ثلاثة"), reversed("اثنان"), reversed("واحد")));
    assert_eq!(shown[1], format!("{} {} two three", reversed("خمسة"), reversed("أربعة")));
}

#[test]
fn a_list_number_is_on_the_leading_side() {
    let label = Label {
        text: "1.".into(),
        picture: None,
        run: std::sync::Arc::new(arabic()),
        suffix: LabelSuffix::Tab,
        alignment: Justification::Start,
        tab: None,
        first_number_level: None,
        format: NumberFormat::Decimal,
    };
    let indent = Indent { start: 36.0, end: 0.0, first_line: -18.0 };
    let properties = ParagraphProperties { bidi: true, indent, ..ParagraphProperties::default() };
    let mut paragraph = paragraph(vec![text("بيت", &arabic())], properties);
    paragraph.label = Some(label);
    let line = Setup::default().lines(&paragraph, 300.0).remove(0);
    assert_eq!(visual_text(&line), format!("{}.1", reversed("بيت")));
    assert_near(line.text_right, 300.0 - 18.0, 0.01);
    let runs = glyph_runs(&line);
    assert_near(runs[0].x + run_width(runs[0]), 300.0 - 36.0, 0.01);
}

#[test]
fn glyph_ranges_cover_the_text_in_logical_order() {
    let shown = Setup::default().lines(&plain("الأعمال لا", &arabic()), 500.0);
    for run in glyph_runs(&shown[0]) {
        assert!(run.right_to_left || run.text.trim().is_empty());
        let mut covered: Vec<_> = run.glyphs.iter().map(|glyph| (glyph.range.start, glyph.range.end)).collect();
        covered.sort_unstable();
        covered.dedup();
        let whole: String = covered.iter().map(|&(a, b)| &run.text[a as usize..b as usize]).collect();
        assert_eq!(whole, *run.text);
        assert!(run.glyphs.windows(2).all(|pair| pair[0].range.start >= pair[1].range.start));
    }
}

#[test]
fn letters_join_across_runs() {
    let red = RunProperties { color: Some(Rgb(255, 0, 0)), ..arabic() };
    let bidi = || ParagraphProperties { bidi: true, ..ParagraphProperties::default() };
    let shapes = |inlines: Vec<Inline>| -> Vec<u16> {
        let line = Setup::default().lines(&paragraph(inlines, bidi()), 500.0).remove(0);
        glyph_runs(&line).iter().flat_map(|run| run.glyphs.iter().map(|glyph| glyph.id)).collect()
    };
    for word in ["سبب", "راديو", "بَيت"] {
        let middle = word.char_indices().nth(1).unwrap().0;
        let (a, b) = word.split_at(middle);
        assert_eq!(shapes(vec![text(a, &arabic()), text(b, &red)]), shapes(vec![text(word, &arabic())]), "{word}");
    }
}

/// A combining mark at the start of a run with other formatting or language belongs to the letter before it. On its own it
/// would appear on a dotted circle.
#[test]
fn a_combining_mark_at_the_start_of_a_run_is_shaped_with_its_letter() {
    let other = |base: &RunProperties| RunProperties { color: Some(Rgb(255, 0, 0)), ..base.clone() };
    for (before, after, base, bidi) in
        [("كتاب", "\u{64f} آخر", arabic(), true), ("cafe", "\u{301} au", run("Times New Roman", 12.0), false)]
    {
        let whole = format!("{before}{after}");
        let glyphs = |inlines: Vec<Inline>| {
            let properties = ParagraphProperties { bidi, ..ParagraphProperties::default() };
            let lines = Setup::default().lines(&paragraph(inlines, properties), 500.0);
            let runs = glyph_runs(&lines[0]);
            let mut glyphs: Vec<_> = runs.iter().flat_map(|run| run.glyphs.iter().map(|glyph| glyph.id)).collect();
            glyphs.sort_unstable();
            (glyphs, runs.len())
        };
        let (parted, runs) = glyphs(vec![text(before, &base), text(after, &other(&base))]);
        assert_eq!(parted, glyphs(vec![text(&whole, &base)]).0, "{whole}");
        assert_eq!(runs, 2, "{whole}");
    }
}
