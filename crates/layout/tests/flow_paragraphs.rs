//! Paragraphs: spacing, keep rules, borders.

mod book;
mod flow_common;
use flow_common::*;
use std::sync::Arc;
use waraq_docx::tree::*;

fn spaced(name: &str, before: f32, after: f32) -> Paragraph {
    text(&[name]).with_properties(|p| {
        p.spacing.before = before;
        p.spacing.after = after;
    })
}

#[test]
fn the_larger_of_two_spaces_applies() {
    let pages = lay_out(&document(vec![spaced("one", 0.0, 12.0).into_block(), spaced("two", 8.0, 0.0).into_block()]));
    assert_near(find_text(&pages, "two").y - find_text(&pages, "one").y, LINE + 12.0);
}

#[test]
fn spaces_are_added_if_the_document_requests_it() {
    let mut document = document(vec![spaced("one", 0.0, 12.0).into_block(), spaced("two", 8.0, 0.0).into_block()]);
    document.settings.do_not_use_html_paragraph_auto_spacing = true;
    let pages = lay_out(&document);
    assert_near(find_text(&pages, "two").y - find_text(&pages, "one").y, LINE + 20.0);
}

#[test]
fn contextual_spacing_drops_space_between_paragraphs_of_one_style() {
    let styled = |name: &str, style: &str| {
        spaced(name, 10.0, 10.0).with_properties(|p| {
            p.contextual_spacing = true;
            p.style_id = Some(style.into());
        })
    };
    let pages = lay_out(&document(vec![
        styled("one", "List").into_block(),
        styled("two", "List").into_block(),
        styled("three", "Other").into_block(),
    ]));
    assert_near(find_text(&pages, "two").y - find_text(&pages, "one").y, LINE);
    assert_near(find_text(&pages, "three").y - find_text(&pages, "two").y, LINE + 10.0);
}

/// §17.3.1.9: the paragraphs before and after a section end count as adjacent.
#[test]
fn contextual_spacing_applies_across_the_end_of_a_section() {
    let styled = |style: &str| {
        spaced("below", 30.0, 0.0).with_properties(|p| {
            p.contextual_spacing = true;
            p.style_id = Some(style.into());
        })
    };
    let y = |style: &str| {
        let above = section(
            small_page(),
            vec![spaced("above", 0.0, 10.0).with_properties(|p| p.style_id = Some("List".into())).into_block()],
        );
        find_text(&lay_out(&sections(vec![above, section(small_page(), vec![styled(style).into_block()])])), "below").y
    };
    let top = find_text(&lay_out(&document(numbered_paragraphs("top", 1))), "top1").y;
    assert_near(y("List"), top);
    assert_near(y("Other"), top + 20.0);
}

/// Tests hyphenation at the end of a page ([MS-DOCX] 2.3.7 and 2.3.8).
#[test]
fn no_page_ends_with_a_hyphenated_word_unless_the_document_allows_it() {
    let english = RunProperties {
        language: Languages { latin: Some("en-GB".into()), ..Languages::default() },
        ..RunProperties::default()
    };
    let words = "notwithstanding extensive administrative considerations of international responsibilities ".repeat(9);
    let mut paragraph = text(&[""]);
    paragraph.inlines = vec![Inline { content: Content::Text(words), run: english.into(), link: None }];
    let lines = |above: usize, hyphen_at_page_end: HyphenAtPageEnd| {
        let mut blocks = numbered_paragraphs("a", above);
        blocks.push(paragraph.clone().into_block());
        let mut document = document(blocks);
        document.settings = Settings { auto_hyphenation: true, hyphen_at_page_end, ..document.settings };
        let found = placed_texts(&lay_out(&document));
        let mut lines: Vec<(usize, f32, String)> = Vec::new();
        for piece in found {
            match lines.last_mut().filter(|(page, y, _)| *page == piece.page && (y - piece.y).abs() < 1.0) {
                Some((_, _, line)) if piece.text == "-" => line.push('-'),
                Some((_, _, line)) => *line = format!("{line} {}", piece.text),
                None => lines.push((piece.page, piece.y, piece.text)),
            }
        }
        lines
    };
    let free = lines(0, HyphenAtPageEnd::Stays);
    let parted = free.iter().skip(2).position(|(.., line)| line.ends_with('-')).unwrap() + 2;
    let first_page = |hyphen_at_page_end| {
        let lines = lines(9 - parted, hyphen_at_page_end);
        let last = lines.iter().rposition(|(page, ..)| *page == 0).unwrap();
        (last + 1, lines[last].2.clone(), lines[last + 1].2.clone())
    };
    let (all, stays, _) = first_page(HyphenAtPageEnd::Stays);
    assert_eq!(all, 10);
    let (begun, _) = stays.rsplit_once(' ').unwrap();
    let (fewer, _, next) = first_page(HyphenAtPageEnd::LineGoes);
    assert_eq!((fewer, next), (9, stays.clone()));
    let (as_many, last, next) = first_page(HyphenAtPageEnd::WordGoes);
    assert_eq!((as_many, last.as_str()), (10, begun));
    assert!(next.starts_with(stays.trim_end_matches('-').rsplit(' ').next().unwrap()), "{next}");
}

#[test]
fn space_before_is_kept_on_the_first_page_and_after_a_break_of_the_paragraph_itself() {
    let mut blocks = vec![spaced("first", 30.0, 0.0).into_block()];
    blocks.extend(numbered_paragraphs("a", 7));
    blocks.push(spaced("natural", 30.0, 0.0).into_block());
    blocks.push(text(&["x"]).with_content(Content::Break(Break::Page)).into_block());
    blocks.push(spaced("after a break", 30.0, 12.0).into_block());
    blocks.push(spaced("own page", 30.0, 0.0).with_properties(|p| p.page_break_before = true).into_block());
    let next = section(small_page(), vec![spaced("section", 30.0, 0.0).into_block()]);
    let mut above = section(small_page(), blocks);
    above.blocks.push(text(&["last"]).with_properties(|p| p.spacing.after = 20.0).into_block());
    let pages = lay_out(&sections(vec![above, next]));
    let top = find_text(&lay_out(&document(numbered_paragraphs("top", 1))), "top1").y;
    let stands = |name: &str, page: usize, space: f32| {
        assert_eq!(page_of(&pages, name), page, "{name}");
        assert_near(find_text(&pages, name).y, top + space);
    };
    stands("first", 0, 30.0);
    stands("natural", 1, 0.0);
    // The break belongs to the paragraph above.
    stands("after a break", 2, 0.0);
    // The part of the space that follows the upper paragraph stays on its page.
    stands("own page", 3, 30.0 - 12.0);
    stands("section", 4, 30.0 - 20.0);
}

#[test]
fn a_page_break_at_the_end_of_a_paragraph_adds_no_empty_line() {
    let pages = lay_out(&document(vec![
        text(&["one"]).with_content(Content::Break(Break::Page)).into_block(),
        text(&["two"]).into_block(),
    ]));
    let top = find_text(&lay_out(&document(numbered_paragraphs("top", 1))), "top1").y;
    assert_eq!(page_of(&pages, "two"), 1);
    assert_near(find_text(&pages, "two").y, top);
}

#[test]
fn text_after_a_page_break_is_on_the_next_page() {
    let paragraph = text(&["one"]).with_content(Content::Break(Break::Page)).with_content(Content::Text("two".into()));
    let pages = lay_out(&document(vec![paragraph.into_block(), text(&["three"]).into_block()]));
    assert_eq!(page_text(&pages, 0), ["one"]);
    assert_eq!(page_text(&pages, 1), ["two", "three"]);
}

#[test]
fn page_break_before_begins_a_page_once() {
    let broken = |name: &str| text(&[name]).with_properties(|p| p.page_break_before = true).into_block();
    let pages = lay_out(&document(vec![broken("one"), broken("two"), text(&["three"]).into_block()]));
    assert_eq!(pages.pages.len(), 2);
    assert_eq!(page_text(&pages, 1), ["two", "three"]);
}

#[test]
fn a_heading_keeps_with_the_next_paragraph_through_a_chain() {
    let mut blocks = numbered_paragraphs("a", 8);
    blocks.push(text(&["heading"]).with_properties(|p| p.keep_next = true).into_block());
    blocks.push(text(&["subheading"]).with_properties(|p| p.keep_next = true).into_block());
    blocks.push(text(&["body"]).into_block());
    let pages = lay_out(&document(blocks));
    assert_eq!(page_text(&pages, 1), ["heading", "subheading", "body"]);
}

#[test]
fn a_keep_next_chain_longer_than_a_page_is_divided_at_full_pages() {
    let blocks =
        (1..=25).map(|n| text(&[&format!("k{n}")]).with_properties(|p| p.keep_next = true).into_block()).collect();
    let pages = lay_out(&document(blocks));
    assert_eq!(pages.pages.len(), 3);
    assert_eq!(page_of(&pages, "k11"), 1);
}

#[test]
fn keep_lines_moves_the_whole_paragraph() {
    let mut blocks = numbered_paragraphs("a", 8);
    blocks.push(text(&["x1", "x2", "x3"]).with_properties(|p| p.keep_lines = true).into_block());
    let pages = lay_out(&document(blocks));
    assert_eq!(page_text(&pages, 1), ["x1", "x2", "x3"]);
}

#[test]
fn widow_control_leaves_no_single_line() {
    let guarded = |lines: &[&str]| text(lines).with_properties(|p| p.widow_control = true).into_block();
    // Nine of ten lines are full, so the first line would be alone.
    let mut blocks = numbered_paragraphs("a", 9);
    blocks.push(guarded(&["x1", "x2", "x3", "x4"]));
    assert_eq!(page_of(&lay_out(&document(blocks)), "x1"), 1);
    // Seven lines are full. Three lines fit, but then the last line would be alone.
    let mut blocks = numbered_paragraphs("a", 7);
    blocks.push(guarded(&["x1", "x2", "x3", "x4"]));
    let pages = lay_out(&document(blocks));
    assert_eq!((page_of(&pages, "x2"), page_of(&pages, "x3")), (0, 1));
    // Three lines cannot be divided.
    let mut blocks = numbered_paragraphs("a", 8);
    blocks.push(guarded(&["x1", "x2", "x3"]));
    assert_eq!(page_of(&lay_out(&document(blocks)), "x1"), 1);
}

#[test]
fn adjacent_paragraphs_with_the_same_borders_share_a_box() {
    let boxed = |name: &str| {
        text(&[name]).with_properties(|p| {
            let line = line_border(1.0);
            p.borders = ParagraphBorders { top: line, bottom: line, left: line, right: line, between: None, bar: None };
        })
    };
    let horizontal = |pages: &waraq_layout::Pages| {
        rectangles(pages, 0).iter().filter(|(area, _)| area.width > 100.0 && area.height < 2.0).count()
    };
    let one = lay_out(&document(vec![boxed("one").into_block(), boxed("two").into_block()]));
    assert_eq!(horizontal(&one), 2);
    let two =
        lay_out(&document(vec![boxed("one").into_block(), text(&["between"]).into_block(), boxed("two").into_block()]));
    assert_eq!(horizontal(&two), 4);
}

#[test]
fn shading_covers_the_paragraph_and_the_space_inside_a_group() {
    let shaded = |name: &str| spaced(name, 0.0, 10.0).with_properties(|p| p.shading = Some(Rgb(200, 0, 0)));
    let covered = |blocks: Vec<Block>| -> f32 {
        let all = rectangles(&lay_out(&document(blocks)), 0);
        all.iter().filter(|(_, color)| *color == Rgb(200, 0, 0)).map(|(area, _)| area.height).sum()
    };
    assert_near(covered(vec![shaded("one").into_block(), shaded("two").into_block()]), 2.0 * LINE + 10.0);
    // A table between them ends the group.
    let between = Block::Table(table(&[100.0], vec![row(vec![cell(&["cell"])])]));
    assert_near(covered(vec![shaded("one").into_block(), between, shaded("two").into_block()]), 2.0 * LINE);
}

#[test]
fn hidden_paragraphs_take_no_space() {
    let hidden = std::sync::Arc::new(RunProperties { hidden: true, ..RunProperties::default() });
    let mut ghost = text(&["ghost"]);
    ghost.mark = hidden.clone();
    ghost.inlines.iter_mut().for_each(|inline| inline.run = hidden.clone());
    let pages = lay_out(&document(vec![text(&["one"]).into_block(), ghost.into_block(), text(&["two"]).into_block()]));
    assert_near(find_text(&pages, "two").y - find_text(&pages, "one").y, LINE);
}

#[test]
fn headings_become_the_outline_and_the_structure() {
    let heading = |name: &str, level: u8| text(&[name]).with_properties(|p| p.outline_level = Some(level)).into_block();
    let pages = lay_out(&document(vec![heading("Part", 0), heading("Chapter", 1), text(&["body"]).into_block()]));
    let outline: Vec<_> = pages.outline.iter().map(|entry| (entry.title.as_str(), entry.level, entry.page)).collect();
    assert_eq!(outline, [("Part", 0, 0), ("Chapter", 1, 0)]);
    let kinds: Vec<_> = pages.structure.iter().map(|element| element.kind.clone()).collect();
    use waraq_layout::ElementKind::*;
    assert_eq!(kinds, [Heading(1), Heading(2), Paragraph]);
    assert!(find_text(&pages, "body").tagged);
}

#[test]
fn heading_depths_follow_the_nesting_instead_of_the_style_levels() {
    use waraq_layout::ElementKind::Heading;
    let heading = |level: u8| text(&["Heading"]).with_properties(|p| p.outline_level = Some(level - 1)).into_block();
    let empty = || text(&[" "]).with_properties(|p| p.outline_level = Some(0)).into_block();
    for (styles, nested) in
        [([2, 3, 2], [1, 2, 1]), ([1, 3, 2], [1, 2, 2]), ([3, 1, 9], [1, 1, 2]), ([2, 8, 9], [1, 2, 2])]
    {
        let pages = lay_out(&document(styles.into_iter().flat_map(|level| [empty(), heading(level)]).collect()));
        let kinds = pages.structure.iter().map(|element| &element.kind);
        let found: Vec<_> = kinds.filter(|kind| matches!(kind, Heading(_))).cloned().collect();
        assert_eq!(found, nested.map(Heading), "{styles:?}");
    }
}

#[test]
fn line_spacing_below_the_last_line_may_exceed_a_page_without_notes() {
    let spaced = |factor: f32| {
        move |n: usize| text(&[&format!("a{n}")]).with_properties(|p| p.spacing.line = LineSpacing::Multiple(factor))
    };
    let single = lay_out(&document((1..=2).map(spaced(1.0)).map(ParagraphBuilder::into_block).collect()));
    let natural = find_text(&single, "a2").y - find_text(&single, "a1").y;
    // Five lines fit with their spacing, and a sixth fits only without the spacing below it.
    let last_on_page = |room: f32, noted: bool| {
        let factor = (room - natural - 1.0) / (5.0 * natural);
        assert!(6.0 * factor * natural > room);
        let mut paragraphs: Vec<Paragraph> = (1..=8).map(spaced(factor)).collect();
        if noted {
            let first = paragraphs.remove(0);
            let called = first.with_content(Content::NoteReference { kind: NoteKind::Footnote, id: 1, custom: false });
            paragraphs.insert(0, called);
        }
        let mut document = document(paragraphs.into_iter().map(ParagraphBuilder::into_block).collect());
        document.footnotes.insert(1, Note { blocks: vec![text(&["note"]).into_block()] });
        let separator = NoteSeparator { blocks: vec![text(&["* * *"]).into_block()], line: false };
        document.footnote_separators.separator = Some(separator);
        let pages = lay_out(&document);
        placed_texts(&pages).iter().filter(|found| found.page == 0 && found.text.starts_with('a')).count()
    };
    assert_eq!(last_on_page(200.0, false), 6);
    assert_eq!(last_on_page(200.0 - 2.0 * LINE, true), 5);
}

#[test]
fn a_font_without_a_metric_compatible_substitute_is_reported_once() {
    let named = |words: &str, family: &str| {
        let fonts = Fonts { ascii: Some(family.into()), high_ansi: Some(family.into()), ..Fonts::default() };
        let run = Arc::new(RunProperties { fonts, ..RunProperties::default() });
        let inlines = vec![Inline { content: Content::Text(words.into()), run, link: None }];
        Paragraph { inlines, ..text(&[]) }.into_block()
    };
    let pages = lay_out(&document(vec![named("a", "Calibri"), named("b", "Aptos"), named("c", "aptos")]));
    let told = pages.warnings.iter().filter(|warning| warning.code == "font_without_metric_twin");
    assert_eq!(told.map(|warning| warning.context.as_deref()).collect::<Vec<_>>(), [Some("Aptos")]);
}
