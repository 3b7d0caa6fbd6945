//! Tab stops and numbering labels.

mod book;
mod text_common;

use std::sync::Arc;

use text_common::*;
use waraq_docx::tree::*;
use waraq_layout::text::Line;

fn stop(position: f32, kind: TabKind, leader: TabLeader) -> TabStop {
    TabStop { position, kind, leader }
}

fn plain_stop(position: f32, kind: TabKind) -> TabStop {
    stop(position, kind, TabLeader::None)
}

fn words() -> RunProperties {
    run("Calibri", 12.0)
}

/// Lays out pieces of text separated by tabs.
fn tabbed(pieces: &[&str], properties: ParagraphProperties) -> Line {
    let mut inlines = Vec::new();
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            inlines.push(inline(Content::Tab, &words()));
        }
        if !piece.is_empty() {
            inlines.push(text(piece, &words()));
        }
    }
    Setup::default().lines(&paragraph(inlines, properties), 468.0).remove(0)
}

/// Returns the left and right edge of the run with this text.
fn span(line: &Line, piece: &str) -> (f32, f32) {
    let runs = glyph_runs(line);
    let run = runs.iter().find(|run| run.text.as_ref() == piece).unwrap();
    (run.x, run.x + run_width(run))
}

fn with_tabs(tabs: Vec<TabStop>) -> ParagraphProperties {
    ParagraphProperties { tabs, ..ParagraphProperties::default() }
}

#[test]
fn default_tab_stops_are_every_half_inch() {
    let line = tabbed(&["ab", "cd", "", "ef"], ParagraphProperties::default());
    assert_near(span(&line, "cd").0, 36.0, 0.01);
    assert_near(span(&line, "ef").0, 108.0, 0.01);
}

#[test]
fn start_center_end_and_decimal_stops() {
    use TabKind::{Center, Decimal, End, Start};
    let tabs = vec![plain_stop(100.0, Start), plain_stop(250.0, Center), plain_stop(450.0, End)];
    let line = tabbed(&["ab", "start", "centred", "end"], with_tabs(tabs.clone()));
    assert_near(span(&line, "start").0, 100.0, 0.01);
    let (left, right) = span(&line, "centred");
    assert_near((left + right) / 2.0, 250.0, 0.01);
    assert_near(span(&line, "end").1, 450.0, 0.01);

    let decimal = || with_tabs(vec![plain_stop(250.0, Decimal)]);
    let whole = tabbed(&["", "12"], decimal());
    assert_near(span(&whole, "12").1, 250.0, 0.01);
    let fraction = tabbed(&["", "1234.56"], decimal());
    let digits = tabbed(&["", "1234"], decimal());
    assert_near(span(&fraction, "1234.56").0, span(&digits, "1234").0, 0.01);

    // In right-to-left paragraphs too, the integer parts are aligned at their ends.
    let mirrored = || ParagraphProperties { bidi: true, ..decimal() };
    for (number, whole) in [("12", "12"), ("1234.56", "1234"), ("7.125", "7")] {
        let width = run_width(glyph_runs(&tabbed(&[whole], ParagraphProperties::default()))[0]);
        let (left, _) = span(&tabbed(&["", number], mirrored()), number);
        assert_near(left + width, 468.0 - 250.0, 0.01);
    }

    let mirrored = ParagraphProperties { bidi: true, ..with_tabs(tabs) };
    let line = tabbed(&["ab", "start", "centred", "end"], mirrored);
    assert_near(span(&line, "ab").1, 468.0, 0.01);
    assert_near(span(&line, "start").1, 368.0, 0.01);
    assert_near(span(&line, "end").0, 18.0, 0.01);
}

#[test]
fn a_leader_fills_the_tab_with_dots_that_are_in_columns() {
    let properties = || with_tabs(vec![stop(468.0, TabKind::End, TabLeader::Dot)]);
    let (one, two) = (tabbed(&["One", "3"], properties()), tabbed(&["Another", "12"], properties()));
    assert_near(span(&one, "3").1, 468.0, 0.01);
    let dots = |line: &Line| {
        let runs = glyph_runs(line);
        let run = runs.iter().find(|run| run.text.starts_with("..")).unwrap();
        (run.x, run.x + run_width(run), run.glyphs[0].advance)
    };
    let ((from, to, advance), (other, ..)) = (dots(&one), dots(&two));
    assert!(from >= span(&one, "One").1 && to <= span(&one, "3").0 + 0.01);
    let columns = (other - from) / advance;
    assert_near(columns, columns.round(), 0.01);
}

#[test]
fn a_heavy_leader_is_a_thicker_line() {
    let drawn = |leader| {
        let line = tabbed(&["One", "3"], with_tabs(vec![stop(468.0, TabKind::End, leader)]));
        let run = glyph_runs(&line).into_iter().find(|run| run.text.starts_with('_')).cloned().unwrap();
        (run_width(&run), run.synthetic_bold)
    };
    let (thin, heavy) = (drawn(TabLeader::Underscore), drawn(TabLeader::Heavy));
    assert_near(thin.0, heavy.0, 0.01);
    assert_eq!((thin.1, heavy.1), (false, true));
}

#[test]
fn a_bar_tab_draws_a_line_and_is_no_tab_stop() {
    let line = tabbed(&["ab", "cd"], with_tabs(vec![plain_stop(20.0, TabKind::Bar)]));
    assert_near(span(&line, "cd").0, 36.0, 0.01);
    let bar = line.items.iter().find_map(|placed| match &placed.item {
        waraq_layout::DisplayItem::Stroke(stroke) => Some(stroke.path[0]),
        _ => None,
    });
    assert_eq!(bar, Some(PathCommand::Move(20.0, 0.0)));
}

#[test]
fn a_hanging_indent_is_a_stop() {
    let indent = Indent { start: 72.0, end: 0.0, first_line: -36.0 };
    let line = tabbed(&["1.", "text"], ParagraphProperties { indent, ..ParagraphProperties::default() });
    assert_near(span(&line, "1.").0, 36.0, 0.01);
    assert_near(span(&line, "text").0, 72.0, 0.01);
}

#[test]
fn a_tab_that_does_not_fit_begins_the_next_line() {
    let tabs = vec![plain_stop(500.0, TabKind::Start)];
    let inlines = vec![text("ab", &words()), inline(Content::Tab, &words()), text("cd", &words())];
    let lines = Setup::default().lines(&paragraph(inlines, with_tabs(tabs)), 468.0);
    assert!(lines.len() > 1);
    assert_eq!(lines.iter().map(line_text).collect::<String>(), "abcd");
}

#[test]
fn positioned_tabs_align_to_the_centre_and_the_end() {
    let tab = |kind| {
        let positioned = PositionedTab { kind, relative_to_indent: false, leader: TabLeader::None };
        inline(Content::PositionedTab(positioned), &words())
    };
    let inlines =
        vec![text("a", &words()), tab(TabKind::Center), text("mid", &words()), tab(TabKind::End), text("z", &words())];
    let line = Setup::default().lines(&paragraph(inlines, ParagraphProperties::default()), 468.0).remove(0);
    let (left, right) = span(&line, "mid");
    assert_near((left + right) / 2.0, 234.0, 0.01);
    assert_near(span(&line, "z").1, 468.0, 0.01);
}

fn labelled(suffix: LabelSuffix, alignment: Justification, tab: Option<f32>, number: &str) -> Line {
    let indent = Indent { start: 36.0, end: 0.0, first_line: -18.0 };
    let mut paragraph =
        paragraph(vec![text("text", &words())], ParagraphProperties { indent, ..ParagraphProperties::default() });
    paragraph.label = Some(Label {
        text: number.into(),
        picture: None,
        run: Arc::new(words()),
        suffix,
        alignment,
        tab,
        first_number_level: None,
        format: NumberFormat::Decimal,
    });
    Setup::default().lines(&paragraph, 468.0).remove(0)
}

#[test]
fn label_suffixes_determine_where_the_text_begins() {
    let line = labelled(LabelSuffix::Tab, Justification::Start, None, "1.");
    assert_near(span(&line, "1.").0, 18.0, 0.01);
    assert_near(span(&line, "text").0, 36.0, 0.01);
    // The label is too long for the hanging indent, so the tab leads to the next stop.
    let line = labelled(LabelSuffix::Tab, Justification::Start, None, "Article");
    assert_near(span(&line, "text").0, 72.0, 0.01);
    let line = labelled(LabelSuffix::Tab, Justification::Start, Some(60.0), "Article");
    assert_near(span(&line, "text").0, 60.0, 0.01);
    let line = labelled(LabelSuffix::Nothing, Justification::Start, None, "1.");
    assert_near(span(&line, "text").0, span(&line, "1.").1, 0.01);
    let line = labelled(LabelSuffix::Tab, Justification::End, None, "1.");
    assert_near(span(&line, "1.").1, 18.0, 0.01);
    assert_near(span(&line, "text").0, 36.0, 0.01);
}

#[test]
fn a_trailing_tab_after_a_stop_past_the_edge_adds_no_line() {
    let mut properties = with_tabs(vec![plain_stop(440.0, TabKind::End)]);
    properties.indent.end = 60.0;
    let tab = || inline(Content::Tab, &words());
    let inlines = vec![text("$", &words()), tab(), text("10,000", &words()), tab()];
    let lines = Setup::default().lines(&paragraph(inlines, properties), 468.0);
    assert_eq!(lines.len(), 1);
    assert_near(span(&lines[0], "10,000").1, 440.0, 0.1);
}
