//! Ruby text: its position above the base, its space and its line breaks.

mod book;
mod text_common;

use std::sync::Arc;

use text_common::*;
use waraq_docx::tree::*;
use waraq_layout::GlyphRun;
use waraq_layout::text::Line;

fn base() -> RunProperties {
    run("Arial", 10.0)
}

/// Returns a base with ruby text of 6 points, raised by 9 points.
fn ruby(word: &str, reading: &str, alignment: RubyAlignment) -> Vec<Inline> {
    let reading = vec![text(reading, &run("Arial", 6.0))];
    let ruby = Arc::new(Ruby { reading, alignment, raise: 9.0 });
    vec![inline(Content::RubyStart(ruby), &base()), text(word, &base()), inline(Content::RubyEnd, &base())]
}

/// Lays out `x`, the base with its ruby text, and `y` on one line.
fn line(word: &str, reading: &str, alignment: RubyAlignment) -> Line {
    let mut inlines = vec![text("x", &base())];
    inlines.extend(ruby(word, reading, alignment));
    inlines.push(text("y", &base()));
    Setup::default().lines(&paragraph(inlines, ParagraphProperties::default()), 400.0).remove(0)
}

/// Returns the glyph run with this text.
fn run_with_text<'a>(line: &'a Line, words: &str) -> &'a GlyphRun {
    let runs = glyph_runs(line);
    runs.iter().find(|run| &*run.text == words).unwrap_or_else(|| panic!("{words} in {:?}", line_text(line)))
}

/// Returns the left and right edge of a text.
fn edges(line: &Line, words: &str) -> (f32, f32) {
    let run = run_with_text(line, words);
    (run.x, run.x + run_width(run))
}

#[test]
fn narrow_ruby_text_is_aligned_over_its_base() {
    for (alignment, share) in [(RubyAlignment::Left, 0.0), (RubyAlignment::Center, 0.5), (RubyAlignment::Right, 1.0)] {
        let line = line("considered", "ab", alignment);
        let ((left, right), (from, to)) = (edges(&line, "considered"), edges(&line, "ab"));
        assert_near(left, edges(&line, "x").1, 0.01);
        assert_near(edges(&line, "y").0, right, 0.01);
        assert_near(from - left, (right - left - (to - from)) * share, 0.01);
        assert_near(run_with_text(&line, "considered").y - run_with_text(&line, "ab").y, 9.0, 0.001);
        assert_eq!(line_text(&line), "xconsideredaby", "read after its base");
    }
}

#[test]
fn wide_ruby_text_adds_space_around_its_base() {
    for (alignment, share) in [(RubyAlignment::Left, 0.0), (RubyAlignment::Center, 0.5), (RubyAlignment::Right, 1.0)] {
        let line = line("it", "a very long reading", alignment);
        let ((left, right), (from, to)) = (edges(&line, "it"), edges(&line, "a very long reading"));
        assert_near(from, edges(&line, "x").1, 0.01);
        assert_near(edges(&line, "y").0, to, 0.01);
        assert_near(left - from, (to - from - (right - left)) * share, 0.01);
    }
}

#[test]
fn distributed_alignment_stretches_the_narrower_text() {
    let own = |run: &GlyphRun| run.glyphs.iter().map(|glyph| glyph.advance).fold(0.0, f32::max);
    let one = line("considered", "abc", RubyAlignment::Distribute);
    let (base, reading) = (edges(&one, "considered"), edges(&one, "abc"));
    assert_near(reading.0, base.0, 0.02);
    assert_near(reading.1, base.1, 0.02);
    assert!(own(run_with_text(&one, "abc")) > 10.0, "its letters are apart");
    // Half of the space between two letters is added at each end.
    let one = line("considered", "abc", RubyAlignment::DistributeWithSpace);
    let (base, reading) = (edges(&one, "considered"), edges(&one, "abc"));
    let natural: f32 = edges(&line("considered", "abc", RubyAlignment::Center), "abc").1
        - edges(&line("considered", "abc", RubyAlignment::Center), "abc").0;
    let room = (base.1 - base.0 - natural) / 3.0;
    assert_near(reading.0 - base.0, room / 2.0, 0.02);
    assert_near(base.1 - reading.1, room / 2.0, 0.02);
    // The reverse case: the ruby text is wider than its base.
    let one = line("it", "a very long reading", RubyAlignment::Distribute);
    let (base, reading) = (edges(&one, "it"), edges(&one, "a very long reading"));
    assert_near(base.0, reading.0, 0.02);
    assert_near(base.1, reading.1, 0.02);
    // A single letter is not spread.
    let one = line("considered", "a", RubyAlignment::Distribute);
    let (base, reading) = (edges(&one, "considered"), edges(&one, "a"));
    assert_near(reading.0 - base.0, base.1 - reading.1, 0.02);
}

#[test]
fn vertical_ruby_text_is_at_the_right_of_its_base() {
    let line = line("base", "abc", RubyAlignment::Beside);
    let (_, right) = edges(&line, "base");
    let letters = ["a", "b", "c"].map(|letter| run_with_text(&line, letter));
    assert!(letters.iter().all(|run| run.x >= right - 0.01));
    assert!(letters[0].y < letters[1].y && letters[1].y < letters[2].y);
    let width = letters.iter().map(|run| run_width(run)).fold(0.0, f32::max);
    assert_near(edges(&line, "y").0, right + width, 0.01);
}

#[test]
fn ruby_text_increases_the_line_height_unless_it_is_exact() {
    let height = |with: bool, rule: LineSpacing| {
        let spacing = Spacing { line: rule, ..Spacing::default() };
        let inlines = if with { ruby("word", "reading", RubyAlignment::Center) } else { vec![text("word", &base())] };
        let line = Setup::default()
            .lines(&paragraph(inlines, ParagraphProperties { spacing, ..Default::default() }), 400.0)
            .remove(0);
        (line.height, line.baseline)
    };
    let (plain, above) = (height(false, LineSpacing::Multiple(1.0)), height(true, LineSpacing::Multiple(1.0)));
    // The extent of the ruby text is that of Arial in its size, raised by 9 points.
    assert_near(above.1, 9.0 + plain.1 * 0.6, 0.01);
    assert_near(above.0 - plain.0, above.1 - plain.1, 0.01);
    assert_eq!(height(true, LineSpacing::Exactly(12.0)), height(false, LineSpacing::Exactly(12.0)));
    assert_near(height(true, LineSpacing::AtLeast(12.0)).0, above.0, 0.001);
    assert_near(height(true, LineSpacing::AtLeast(40.0)).0, 40.0, 0.001);
}

#[test]
fn no_line_ends_inside_a_ruby_base() {
    let mut inlines = Vec::new();
    for index in 0..40 {
        inlines.extend(ruby("two words", &index.to_string(), RubyAlignment::Center));
        inlines.push(text(" and ", &base()));
    }
    let paragraph = paragraph(inlines, ParagraphProperties { alignment: Alignment::Both, ..Default::default() });
    for width in [60.0, 90.0, 130.0, 171.0] {
        let lines = Setup::default().lines(&paragraph, width);
        let mut count = 0;
        for line in &lines {
            let text = line_text(line);
            assert_eq!(text.matches("two").count(), text.matches("words").count(), "{text:?} of {width}");
            count += text.matches("two words").count();
            assert!(line.text_right <= width + 0.1);
            for run in glyph_runs(line).iter().filter(|run| run.size < 7.0) {
                let center = run.x + run_width(run) / 2.0;
                let over = |base: &&&GlyphRun| {
                    base.text.contains("two") && base.x < center && center < base.x + run_width(base)
                };
                assert!(glyph_runs(line).iter().any(|base| over(&base)), "{} stands over its base", run.text);
            }
        }
        assert_eq!(count, 40);
    }
    // A base wider than the line is broken like a long word, and no text is lost.
    let inlines = ruby("letters without a place to part them at", "reading", RubyAlignment::Center);
    let lines = Setup::default().lines(&text_common::paragraph(inlines, ParagraphProperties::default()), 40.0);
    let all: String = lines.iter().map(line_text).collect();
    assert!(lines.len() > 2 && all.contains("reading"));
    assert_eq!(all.replace("reading", "").replace(' ', ""), "letterswithoutaplacetopartthemat");
}

#[test]
fn ruby_text_is_over_its_base_in_right_to_left_paragraphs() {
    let arabic = RunProperties { right_to_left: true, ..run("Amiri", 14.0) };
    let reading = |words: &str| vec![text(words, &run("Arial", 6.0))];
    let unit = |word: &str, words: &str| {
        let ruby = Ruby { reading: reading(words), alignment: RubyAlignment::Center, raise: 14.0 };
        vec![
            inline(Content::RubyStart(Arc::new(ruby)), &arabic),
            text(word, &arabic),
            inline(Content::RubyEnd, &arabic),
        ]
    };
    let mut inlines = vec![text("كتب ", &arabic)];
    inlines.extend(unit("باب", "a very long reading"));
    inlines.push(text(" ثم ", &arabic));
    inlines.extend(unit("المدرسة", "ab"));
    let properties = ParagraphProperties { bidi: true, ..ParagraphProperties::default() };
    let line = Setup::default().lines(&paragraph(inlines, properties), 300.0).remove(0);
    let middle = |words: &str| {
        let (from, to) = edges(&line, words);
        (from + to) / 2.0
    };
    assert_near(middle("باب"), middle("a very long reading"), 0.05);
    assert_near(middle("المدرسة"), middle("ab"), 0.05);
    assert!(middle("المدرسة") < middle("باب") && edges(&line, "a very long reading").1 < 300.0);
}

#[test]
fn fields_hidden_text_and_underlines_work_in_ruby_text() {
    let field = Content::Field { field: ComputedField::Page(Default::default()), result: "99".into() };
    let hidden = RunProperties { hidden: true, ..run("Arial", 6.0) };
    let lined = Underline { kind: UnderlineKind::Single, color: None };
    let lined = RunProperties { underline: Some(lined), ..run("Arial", 6.0) };
    let reading = vec![text("not seen", &hidden), inline(field, &lined)];
    let ruby = Arc::new(Ruby { reading, alignment: RubyAlignment::Center, raise: 9.0 });
    let inlines =
        vec![inline(Content::RubyStart(ruby), &base()), text("base", &base()), inline(Content::RubyEnd, &base())];
    let line = Setup::default().lines(&paragraph(inlines, ParagraphProperties::default()), 400.0).remove(0);
    assert_eq!(line_text(&line), "base7");
    assert_eq!(line.items.len(), 3, "base, reading, and the line below it");
}

#[test]
fn invalid_ruby_markup_loses_no_text() {
    let nested = || {
        let reading = ruby("inner", "innermost", RubyAlignment::Center);
        Content::RubyStart(Arc::new(Ruby { reading, alignment: RubyAlignment::Distribute, raise: f32::NAN }))
    };
    let start = || inline(nested(), &base());
    let end = || inline(Content::RubyEnd, &base());
    let word = || text("word", &base());
    for inlines in [
        vec![start(), word()],
        vec![end(), word()],
        vec![start(), start(), word(), end(), end()],
        vec![start(), end(), word()],
        vec![start(), inline(Content::Break(Break::Line), &base()), word(), end()],
    ] {
        let lines = Setup::default().lines(&paragraph(inlines, ParagraphProperties::default()), 400.0);
        let all: String = lines.iter().map(line_text).collect();
        assert!(all.contains("word"), "{all:?}");
        assert!(lines.iter().all(|line| line.height.is_finite() && line.height < 100.0));
    }
}
