//! Line breaks. The expected lines are those of the reference (LibreOffice with the same fonts), unless stated otherwise.

mod book;
mod text_common;

use text_common::*;
use waraq_docx::tree::*;
use waraq_layout::DisplayItem;
use waraq_layout::text::{Line, LineEnd, LineSlot, NoteReference, ParagraphLines};

const ENGLISH: &str = "The tenant shall keep the premises in good and tenantable repair throughout the term, fair wear and \
    tear excepted, and shall not make any alteration or addition without the landlord's prior written consent; any such \
    consent may be given subject to reasonable conditions. The deposit of $1,250.00 (one thousand two hundred and fifty \
    dollars) is payable on or before 12/05/2026 and will be returned, less deductions, within twenty-one (21) days of the \
    end of the tenancy.";
const ARABIC: &str = "يلتزم الطرف الأول بتسليم العين المؤجرة إلى الطرف الثاني خالية من الشواغل وصالحة للاستعمال المعد لها، \
    ويقر الطرف الثاني بأنه عاينها المعاينة التامة النافية للجهالة شرعا وقانونا. مدة هذا العقد سنة واحدة تبدأ من 01/01/2026 \
    وتنتهي في 31/12/2026، قابلة للتجديد باتفاق الطرفين (مع مراعاة أحكام المادة 15 من القانون رقم 4 لسنة 1996).";

/// Returns the text of each line in logical order.
fn logical(paragraph: &Paragraph, width: f32) -> Vec<String> {
    let setup = Setup::default();
    let context = setup.context();
    let text: String = paragraph
        .inlines
        .iter()
        .map(|inline| match &inline.content {
            Content::Text(text) => text.as_str(),
            _ => "",
        })
        .collect();
    let mut at = 0;
    let mut lines = ParagraphLines::new(paragraph, &context);
    let mut out = Vec::new();
    while let Some(line) = lines.next_line(LineSlot::whole_column(width)) {
        let length: usize = glyph_runs(&line).iter().map(|run| run.text.len()).sum();
        out.push(text[at..at + length].trim_end().to_owned());
        at += length;
    }
    out
}

fn justified(words: &str, run: &RunProperties, bidi: bool) -> Paragraph {
    let properties = ParagraphProperties { alignment: Alignment::Both, bidi, ..ParagraphProperties::default() };
    paragraph(vec![text(words, run)], properties)
}

#[test]
fn english_breaks_as_in_the_reference() {
    let lines = logical(&justified(ENGLISH, &run("Calibri", 11.0), false), 468.0);
    assert_eq!(
        lines,
        [
            "The tenant shall keep the premises in good and tenantable repair throughout the term, fair wear and",
            "tear excepted, and shall not make any alteration or addition without the landlord's prior written",
            "consent; any such consent may be given subject to reasonable conditions. The deposit of $1,250.00 (one",
            "thousand two hundred and fifty dollars) is payable on or before 12/05/2026 and will be returned, less",
            "deductions, within twenty-one (21) days of the end of the tenancy.",
        ]
    );
    let lines = logical(&justified(ENGLISH, &run("Courier New", 10.0), false), 468.0);
    assert_eq!(
        lines[2], "addition without the landlord's prior written consent; any such consent may be",
        "78 letters fit"
    );
}

#[test]
fn arabic_breaks_as_in_the_reference() {
    let arabic = RunProperties { right_to_left: true, ..run("Times New Roman", 14.0) };
    let lines = logical(&justified(&format!("{ARABIC} {ARABIC}"), &arabic, true), 468.0);
    let firsts: Vec<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(firsts, ["يلتزم", "للاستعمال", "مدة", "الطرفين", "العين", "الثاني", "01/01/2026", "15"], "{lines:#?}");
}

#[test]
fn a_hyphen_allows_a_break_and_a_slash_only_without_other_breaks() {
    let words = run("Calibri", 12.0);
    let lines = logical(&plain("word/slash/and/or word/slash/and/or word/slash/and/or", &words), 200.0);
    assert_eq!(lines, ["word/slash/and/or word/slash/and/or", "word/slash/and/or"]);
    let lines = logical(&plain("http://www.example.com/a/very/long/path/that/does/not/end", &words), 150.0);
    assert_eq!(lines, ["http://www.example.com/a/", "very/long/path/that/does/", "not/end"]);
    let lines = logical(&plain("a state-of-the-art solution", &words), 80.0);
    assert_eq!(lines, ["a state-of-the-", "art solution"]);
    let lines = logical(&plain("no\u{a0}break\u{a0}space no\u{2011}break", &words), 95.0);
    assert_eq!(lines, ["no\u{a0}break\u{a0}space", "no\u{2011}break"]);
}

#[test]
fn a_soft_hyphen_is_shown_only_at_the_end_of_a_line() {
    let setup = Setup::default();
    let lines = setup.lines(&plain("super\u{ad}cali\u{ad}fragi\u{ad}listic", &run("Calibri", 12.0)), 85.0);
    assert_eq!(lines.len(), 2);
    let shown: Vec<String> = glyph_runs(&lines[0]).iter().map(|run| run.text.replace('\u{ad}', "")).collect();
    assert_eq!(shown.concat(), "supercalifragi-");
    assert_near(lines[0].text_right, glyph_runs(&lines[0]).iter().map(|run| run_width(run)).sum(), 0.01);
    assert!(lines[0].text_right <= 85.0);
    assert_eq!(glyph_runs(&lines[1])[0].text.as_ref(), "listic");
}

#[test]
fn a_word_longer_than_the_line_is_cut_between_its_letters() {
    let lines = logical(&plain(&"a".repeat(200), &run("Calibri", 12.0)), 468.0);
    assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [81, 81, 38]);
}

#[test]
fn trailing_spaces_do_not_affect_alignment() {
    let properties = ParagraphProperties { alignment: Alignment::End, ..ParagraphProperties::default() };
    let lines =
        Setup::default().lines(&paragraph(vec![text("right text   ", &run("Calibri", 12.0))], properties), 468.0);
    assert_near(lines[0].text_right, 468.0, 0.01);
    assert_eq!(line_text(&lines[0]), "right text   ");
}

#[test]
fn a_justified_line_ends_at_the_edge_and_the_last_does_not() {
    let setup = Setup::default();
    for bidi in [false, true] {
        let (words, face) = if bidi {
            (ARABIC, RunProperties { right_to_left: true, ..run("Amiri", 12.0) })
        } else {
            (ENGLISH, run("Cambria", 12.0))
        };
        let lines = setup.lines(&justified(words, &face, bidi), 300.0);
        let (last, full) = lines.split_last().unwrap();
        for line in full {
            assert_near(line.text_left, 0.0, 0.05);
            assert_near(line.text_right, 300.0, 0.05);
        }
        assert!(last.text_right - last.text_left < 290.0);
        assert_near(if bidi { last.text_right - 300.0 } else { last.text_left }, 0.0, 0.01);
    }
}

#[test]
fn a_line_that_ends_in_a_line_break_is_justified_unless_disabled() {
    let words = run("Calibri", 12.0);
    let inlines = vec![text("one two", &words), inline(Content::Break(Break::Line), &words), text("three", &words)];
    let properties = ParagraphProperties { alignment: Alignment::Both, ..ParagraphProperties::default() };
    let paragraph = paragraph(inlines, properties);
    let mut setup = Setup::default();
    assert_near(setup.lines(&paragraph, 300.0)[0].text_right, 300.0, 0.01);
    setup.settings.do_not_expand_shift_return = true;
    assert!(setup.lines(&paragraph, 300.0)[0].text_right < 100.0);
}

#[test]
fn breaks_end_lines_with_their_kind() {
    let words = run("Calibri", 12.0);
    let line = inline(Content::Break(Break::Line), &words);
    let page = inline(Content::Break(Break::Page), &words);
    let setup = Setup::default();
    let of = |inlines| line_ends(&setup.lines(&paragraph(inlines, ParagraphProperties::default()), 300.0));
    let (a, b) = (text("a", &words), text("b", &words));
    assert_eq!(of(vec![a.clone(), line.clone(), b.clone()]), [LineEnd::Break(Break::Line), LineEnd::Paragraph]);
    // After a trailing line break Word adds an empty line, but not after a trailing page break.
    assert_eq!(of(vec![a.clone(), line]), [LineEnd::Break(Break::Line), LineEnd::Paragraph]);
    assert_eq!(of(vec![a.clone(), page.clone()]), [LineEnd::Break(Break::Page)]);
    assert_eq!(of(vec![a, page, b]), [LineEnd::Break(Break::Page), LineEnd::Paragraph]);
    assert_eq!(of(Vec::new()), [LineEnd::Paragraph]);
}

#[test]
fn first_line_and_hanging_indents() {
    let indent = Indent { start: 72.0, end: 20.0, first_line: -36.0 };
    let properties = ParagraphProperties { indent, ..ParagraphProperties::default() };
    let lines =
        Setup::default().lines(&paragraph(vec![text(ENGLISH, &run("Calibri", 12.0))], properties.clone()), 400.0);
    assert_near(lines[0].text_left, 36.0, 0.01);
    assert_near(lines[1].text_left, 72.0, 0.01);
    assert!(lines.iter().all(|line| line.text_right <= 380.5));
    let arabic = RunProperties { right_to_left: true, ..run("Amiri", 12.0) };
    let properties = ParagraphProperties { bidi: true, ..properties };
    let lines = Setup::default().lines(&paragraph(vec![text(ARABIC, &arabic)], properties), 400.0);
    assert_near(lines[0].text_right, 364.0, 0.01);
    assert_near(lines[1].text_right, 328.0, 0.01);
    assert!(lines.iter().all(|line| line.text_left >= 19.5));
}

#[test]
fn floats_narrow_lines_and_rewinding_gives_the_same_lines_again() {
    let setup = Setup::default();
    let context = setup.context();
    let paragraph = plain(ENGLISH, &run("Calibri", 12.0));
    let mut lines = ParagraphLines::new(&paragraph, &context);
    let narrow = LineSlot { left: 100.0, width: 120.0, column_width: 300.0 };
    let first = lines.next_line(narrow).unwrap();
    assert_near(first.text_left, 100.0, 0.01);
    assert!(first.text_right <= 220.2);
    let start = lines.position();
    let second = line_text(&lines.next_line(LineSlot::whole_column(300.0)).unwrap());
    lines.rewind(start);
    assert_ne!(line_text(&lines.next_line(narrow).unwrap()), second);
    lines.rewind(start);
    assert_eq!(line_text(&lines.next_line(LineSlot::whole_column(300.0)).unwrap()), second);
}

#[test]
fn both_parts_of_a_divided_joined_word_are_shaped_again() {
    let bidi = || ParagraphProperties { bidi: true, ..ParagraphProperties::default() };
    let setup = Setup::default();
    fn ids(line: &Line) -> Vec<u16> {
        glyph_runs(line).iter().flat_map(|run| run.glyphs.iter().map(|glyph| glyph.id)).collect()
    }
    for (family, word) in [
        ("Noto Naskh Arabic", "ب".repeat(40)),
        ("Noto Sans Arabic", "صفرداخلهعم".repeat(4)),
        ("Amiri", "تمامصفربسم".repeat(4)),
    ] {
        let face = RunProperties { right_to_left: true, ..run(family, 20.0) };
        // With each width, the first letter that does not fit is another one.
        for width in (0..80).map(|step| 40.0 + step as f32 * 1.3) {
            let lines = setup.lines(&paragraph(vec![text(&word, &face)], bidi()), width);
            assert!(lines.len() > 1);
            assert_eq!(lines.iter().map(line_text).collect::<String>(), word);
            for line in &lines {
                let alone = setup.lines(&paragraph(vec![text(&line_text(line), &face)], bidi()), 2000.0);
                assert_eq!(ids(line), ids(&alone[0]), "{family} {width}: {}", line_text(line));
                assert!(line.text_right - line.text_left <= width + 0.1);
            }
        }
    }
}

#[test]
fn content_widths_are_the_longest_word_and_the_whole_line() {
    let setup = Setup::default();
    let context = setup.context();
    let paragraph = plain("a considerable word", &run("Courier New", 10.0));
    let widths = ParagraphLines::new(&paragraph, &context).content_widths();
    let (longest, widest) = (widths.min_content, widths.max_content);
    assert_near(longest, 12.0 * 6.001, 0.05);
    assert_near(widest, 19.0 * 6.001, 0.05);
}

#[test]
fn letters_are_as_wide_as_in_the_family_that_the_document_names() {
    let setup = Setup::default();
    let context = setup.context();
    let width = |family: &str, bold: bool| {
        let face = RunProperties { bold, ..run(family, 10.0) };
        ParagraphLines::new(&plain("considerable", &face), &context).content_widths().max_content
    };
    // These families are substituted by Arimo, Tinos and Cousine.
    assert_near(width("Verdana", false) / width("Arial", false), 1.149, 0.001);
    assert_near(width("Georgia", true) / width("Times New Roman", true), 1.199, 0.001);
    assert_near(width("Consolas", false), 12.0 * 5.498, 0.01);
    assert_near(width("Comic Sans MS", false) / width("Arial", false), 1.055, 0.001);
    assert_near(width("Arial", false), width("Liberation Sans", false), 0.001);
}

#[test]
fn letters_are_as_large_as_in_the_family_that_the_document_names() {
    let setup = Setup::default();
    let context = setup.context();
    let set = |family: &str| {
        let face = RunProperties { right_to_left: true, ..run(family, 20.0) };
        let paragraph = plain("\u{643}\u{62a}\u{627}\u{628}", &face);
        let line = setup.lines(&paragraph, 400.0).remove(0);
        let size = glyph_runs(&line).first().map_or(0.0, |run| run.size);
        (size, ParagraphLines::new(&paragraph, &context).content_widths().max_content, line.height)
    };
    // Both use Amiri, whose letters are larger than those of Traditional Arabic. Amiri's line height applies to neither.
    let ((size, width, height), (own, full, line)) = (set("Traditional Arabic"), set("Amiri"));
    assert_near(size / own, 0.78, 0.001);
    assert_near(width / full, 0.78, 0.001);
    assert_near(height, line, 0.001);
}

#[test]
fn cyrillic_letters_have_ratios_of_their_own() {
    let setup = Setup::default();
    let context = setup.context();
    let width = |family: &str, bold: bool| {
        let face = RunProperties { bold, ..run(family, 10.0) };
        let words = plain("\u{432}\u{43e}\u{434}\u{430}", &face);
        ParagraphLines::new(&words, &context).content_widths().max_content
    };
    assert_near(width("Verdana", false) / width("Arial", false), 1.127, 0.001);
    assert_near(width("Verdana", true) / width("Arial", true), 1.163, 0.001);
    assert_near(width("Tahoma", false) / width("Arial", false), 1.004, 0.001);
}

#[test]
fn full_width_characters_without_a_font_are_as_wide_as_high() {
    let setup = Setup::default();
    let context = setup.context();
    let words = plain("\u{54c8}\u{5df4}\u{8c37}\u{3002}", &run("Times New Roman", 10.0));
    assert_near(ParagraphLines::new(&words, &context).content_widths().max_content, 40.0, 0.01);
}

#[test]
fn a_line_has_its_bookmarks_notes_and_links() {
    let words = run("Calibri", 12.0);
    let link = std::sync::Arc::new(Link::Uri("https://example.com/".into()));
    let linked = Inline { link: Some(link), ..text("linked words", &words) };
    let inlines = vec![
        inline(Content::BookmarkStart("start".into()), &words),
        text("before ", &words),
        linked,
        text(" after", &words),
        inline(Content::NoteReference { kind: NoteKind::Footnote, id: 3, custom: false }, &words),
        inline(Content::Field { field: ComputedField::Page(Default::default()), result: "old".into() }, &words),
    ];
    let lines = Setup::default().lines(&paragraph(inlines, ParagraphProperties::default()), 400.0);
    let line = &lines[0];
    assert_eq!(line_text(line), "before linked words after37");
    assert_eq!(line.bookmarks.len(), 1);
    assert_eq!(line.notes, [NoteReference { kind: NoteKind::Footnote, id: 3 }]);
    assert_eq!(line.links.len(), 1);
    let before = Setup::default().lines(&plain("before ", &words), 400.0);
    assert_near(line.links[0].area.x, glyph_runs(&before[0]).iter().map(|run| run_width(run)).sum(), 0.05);
    assert!(!line.items.iter().any(|placed| matches!(placed.item, DisplayItem::Rectangle { .. })));
}

/// Returns the right edge of a text on one line.
fn width_of_text(words: &str, run: &RunProperties) -> f32 {
    Setup::default().lines(&plain(words, run), 10_000.0)[0].text_right
}

/// In compatibility mode 15, spaces of a justified line shrink to fit one more word. They shrink by at most a quarter of their
/// width, and by at most half of their growth without the word.
#[test]
fn a_justified_line_fits_one_more_word_if_its_spaces_shrink_little() {
    let face = run("Calibri", 12.0);
    let space = width_of_text("a a", &face) - 2.0 * width_of_text("a", &face);
    let set = |mode: u8, alignment: Alignment, words: &str, shrunk: f32| {
        let width = width_of_text(words, &face) - 5.0 * shrunk * space;
        let properties = ParagraphProperties { alignment, ..ParagraphProperties::default() };
        let mut setup = Setup::default();
        setup.settings.compatibility_mode = mode;
        let all = format!("{words} and more of it");
        let lines = setup.lines(&paragraph(vec![text(&all, &face)], properties.clone()), width);
        if alignment == Alignment::Both {
            assert_near(lines[0].text_right, width, 0.02);
        }
        // The last line of a paragraph shrinks as well.
        let alone = setup.lines(&paragraph(vec![text(words, &face)], properties), width);
        assert!(alone[0].text_right <= width + 0.02);
        let taken = line_text(&lines[0]).trim_end() == words;
        assert_eq!(alone.len() == 1, taken);
        taken
    };
    let long = "one two three four five internationally";
    assert!(set(15, Alignment::Both, long, 0.2));
    assert!(!set(15, Alignment::Both, long, 0.3), "a quarter of a space at most");
    assert!(!set(15, Alignment::Both, "one two three four five i", 0.2), "more than half of their growth");
    assert!(!set(14, Alignment::Both, long, 0.2) && !set(12, Alignment::Both, long, 0.2));
    assert!(!set(15, Alignment::Start, long, 0.2));
}

/// Word breaks lines after every space; UAX #14 does not after some spaces next to brackets and quotes. Word does not break
/// after a vertical bar, nor between other punctuation marks without a space.
#[test]
fn lines_break_at_every_space_and_not_between_punctuation_marks() {
    let words = run("Calibri", 12.0);
    for (text, fits, wanted) in [
        ("Dear {{ name }} hello", "Dear {{ ", vec!["Dear {{", "name }}", "hello"]),
        ("so ( it is", "so ( ", vec!["so (", "it is"]),
        ("said \u{201c} this", "said \u{201c} ", vec!["said \u{201c}", "this"]),
        ("oui ! non", "oui ", vec!["oui", "!", "non"]),
        ("to one|go", "to one|", vec!["to", "one|go"]),
        ("the end.(2) On", "the end.", vec!["the", "end.(2)", "On"]),
        ("see (a)(b)", "see (a)", vec!["see", "(a)(b)"]),
        ("is why?so", "is why?", vec!["is", "why?so"]),
        ("ab 漢字(a)", "ab 漢字", vec!["ab 漢字", "(a)"]),
    ] {
        let width = width_of_text(&format!("{fits}."), &words);
        assert_eq!(logical(&plain(text, &words), width), wanted, "{text}");
    }
}

/// Lays out text whose letters no bundled font has: each is 10 points wide.
fn chinese(words: &str, compress_punctuation: bool) -> Vec<Line> {
    let settings = Settings { compress_punctuation, ..Settings::default() };
    let mut run = run("Carlito", 10.0);
    run.fonts.hint = FontSlot::EastAsia;
    Setup { settings, ..Setup::default() }.lines(&plain(words, &run), 118.0)
}

#[test]
fn east_asian_punctuation_is_compressed_to_fit_one_more_letter() {
    assert_eq!(chinese("在取得之前，要先学会付出", false).len(), 2);
    let squeezed = chinese("在取得之前，要先学会付出", true);
    assert_eq!(squeezed.len(), 1);
    assert_near(squeezed[0].text_right, 118.0, 0.05);
    assert_eq!(chinese("在取得之前（要先学会付出", true).len(), 1);
    // Letters are not compressed, nor are marks in the middle of their em square, and punctuation by at most half of its width.
    assert_eq!(chinese("一个人不能改变另外一个人", true).len(), 2);
    assert_eq!(chinese("一个人不能改变另外一个？", true).len(), 2);
    assert_eq!(chinese("一个人，不能改变另外一个人", true).len(), 2);
}

#[test]
fn adjacent_east_asian_punctuation_is_compressed_if_requested() {
    let right = |words: &str, compress: bool| chinese(words, compress)[0].text_right;
    assert_near(right("取」，得", false), 40.0, 0.05);
    assert_near(right("取」，得", true), 35.0, 0.05);
    assert_near(right("取）」，（「得", true), 50.0, 0.05);
    // The blank halves of these marks are not adjacent.
    assert_near(right("取，得「之", true), 50.0, 0.05);
    assert_near(right("取？」得", true), 40.0, 0.05);
}

#[test]
fn quotes_between_east_asian_letters_are_full_width() {
    let right = |words: &str| chinese(words, false)[0].text_right;
    assert_near(right("取“得”之…前"), 70.0, 0.05);
    assert_near(right("取得之前"), 40.0, 0.05);
}
