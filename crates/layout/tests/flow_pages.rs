//! Sections, columns, headers and footers, page numbers, notes.

mod book;
mod flow_common;
use flow_common::*;
use std::sync::Arc;
use waraq_docx::tree::*;

fn page_field() -> Content {
    Content::Field { field: ComputedField::Page(Default::default()), result: "?".into() }
}

fn page_of_pages() -> Vec<Block> {
    let pages = Content::Field { field: ComputedField::Pages(Default::default()), result: "?".into() };
    let line =
        text(&["page"]).with_content(page_field()).with_content(Content::Text(" of ".into())).with_content(pages);
    vec![line.into_block()]
}

#[test]
fn footers_show_the_page_number_and_the_page_count() {
    let mut document = document(numbered_paragraphs("a", 25));
    document.sections[0].footers.default = Some(Arc::new(page_of_pages()));
    let pages = lay_out(&document);
    assert_eq!(pages.pages.len(), 3);
    for page in 0..3 {
        let footer = page_text(&pages, page).join(" ");
        assert!(footer.contains(&format!("{}", page + 1)) && footer.contains('3'), "{footer}");
    }
    assert!(placed_texts(&pages).iter().filter(|found| found.text.starts_with("page")).all(|found| !found.tagged));
}

#[test]
fn the_page_count_in_the_text_is_that_of_the_last_pass() {
    let pages = Content::Field { field: ComputedField::Pages(Default::default()), result: "99".into() };
    let mut blocks = vec![text(&["total"]).with_content(pages).into_block()];
    blocks.extend(numbered_paragraphs("a", 20));
    let pages = lay_out(&document(blocks));
    assert_eq!(pages.pages.len(), 3);
    let first = page_text(&pages, 0).join(" ");
    assert!(first.contains('3') && !first.contains("99"), "{first}");
}

#[test]
fn references_show_the_page_of_their_bookmark() {
    let reference = ComputedField::PageReference {
        origin: Default::default(),
        bookmark: "mark".into(),
        format: Default::default(),
    };
    let mut blocks =
        vec![text(&["see"]).with_content(Content::Field { field: reference, result: "0".into() }).into_block()];
    blocks.extend(numbered_paragraphs("a", 15));
    blocks.push(
        text(&[])
            .with_content(Content::BookmarkStart("mark".into()))
            .with_content(Content::Text("here".into()))
            .into_block(),
    );
    let mut document = document(blocks);
    document.sections[0].properties.page_number_format = NumberFormat::LowerRoman;
    let pages = lay_out(&document);
    assert!(page_text(&pages, 0).join(" ").contains("ii"), "{:?}", page_text(&pages, 0));
    assert!(pages.destinations.iter().any(|destination| destination.name == "mark" && destination.page == 1));
    assert_eq!(pages.pages.iter().map(|page| page.label.as_str()).collect::<Vec<_>>(), ["i", "ii"]);
}

#[test]
fn a_high_header_moves_the_text_down() {
    let mut document = document(numbered_paragraphs("a", 3));
    document.sections[0].headers.default = Some(Arc::new(vec![text(&["h1", "h2", "h3"]).into_block()]));
    let pages = lay_out(&document);
    // The header begins at 20 and is 60 points high. The text begins below it instead of at 50, with Word's small gap between
    // them.
    let between = find_text(&pages, "a1").y - find_text(&pages, "h1").y - 60.0;
    assert!((0.4..=0.5).contains(&between), "{between}");
    document.sections[0].properties.margins.top = -50.0;
    assert_near(find_text(&lay_out(&document), "a1").y - find_text(&lay_out(&document), "h1").y, 30.0);
}

#[test]
fn a_high_footer_takes_space_from_the_text() {
    let mut document = document(numbered_paragraphs("a", 10));
    document.sections[0].footers.default = Some(Arc::new(vec![text(&["f1", "f2", "f3"]).into_block()]));
    let pages = lay_out(&document);
    assert_eq!((page_of(&pages, "a8"), page_of(&pages, "a9")), (0, 1));
}

#[test]
fn first_and_even_pages_have_their_own_headers() {
    let header = |name: &str| Some(Arc::new(vec![text(&[name]).into_block()]));
    let mut document = document(numbered_paragraphs("a", 25));
    document.settings.even_and_odd_headers = true;
    document.sections[0].properties.title_page = true;
    document.sections[0].headers = HeaderSet { default: header("odd"), first: header("title"), even: header("even") };
    let pages = lay_out(&document);
    let heads: Vec<String> = (0..3).map(|page| page_text(&pages, page)[0].clone()).collect();
    assert_eq!(heads, ["title", "even", "odd"]);
}

#[test]
fn a_very_long_header_is_cut_off_with_a_warning() {
    let plain = document(numbered_paragraphs("a", 60));
    let lines: Vec<String> = (0..500).map(|line| format!("h{line}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut high = plain.clone();
    high.sections[0].headers.default = Some(Arc::new(vec![text(&lines).into_block()]));
    high.sections[0].footers.default = Some(Arc::new(page_of_pages()));
    let pages = lay_out(&high);
    assert!(pages.warnings.iter().any(|warning| warning.code == "text_cut_off"), "{:?}", pages.warnings);
    assert!(pages.pages.len() <= 4 * lay_out(&plain).pages.len(), "{}", pages.pages.len());
    let height = high.sections[0].properties.page_height;
    for page in 0..pages.pages.len() {
        let shown = page_text(&pages, page);
        assert!(shown.contains(&"h0".to_owned()) && shown.iter().any(|text| text.starts_with('a')), "{shown:?}");
        assert!(shown.join(" ").contains(&format!("page{} of", page + 1)), "{shown:?}");
    }
    let last = placed_texts(&pages)
        .into_iter()
        .filter(|found| found.text.starts_with('h'))
        .map(|found| found.y)
        .fold(0.0, f32::max);
    assert!(last < height * 0.75, "{last} of {height}");
}

#[test]
fn sections_begin_on_the_page_that_their_type_requires() {
    let with = |start| SectionProperties { start, ..small_page() };
    let make = |start| {
        let first = section(small_page(), numbered_paragraphs("a", 2));
        lay_out(&sections(vec![first, section(with(start), numbered_paragraphs("b", 1))]))
    };
    assert_eq!(page_of(&make(SectionStart::Continuous), "b1"), 0);
    assert_eq!(page_of(&make(SectionStart::NextPage), "b1"), 1);
    assert_eq!(page_of(&make(SectionStart::EvenPage), "b1"), 1);
    // Page 2 stays blank.
    let odd = make(SectionStart::OddPage);
    assert_eq!((odd.pages.len(), page_of(&odd, "b1")), (3, 2));
    // An odd page and an odd page with restarted numbering are also separated by a blank page. After an even page, no blank
    // page is added.
    let anew = SectionProperties { page_number_start: Some(1), ..with(SectionStart::OddPage) };
    for (count, pages) in [(1, 3), (11, 3)] {
        let first = section(small_page(), numbered_paragraphs("a", count));
        assert_eq!(
            lay_out(&sections(vec![first, section(anew.clone(), numbered_paragraphs("b", 1))])).pages.len(),
            pages,
            "{count}"
        );
    }
}

#[test]
fn page_numbers_restart_with_their_section() {
    let restarted = SectionProperties { page_number_start: Some(7), ..small_page() };
    let pages = lay_out(&sections(vec![
        section(small_page(), numbered_paragraphs("a", 1)),
        section(restarted, numbered_paragraphs("b", 11)),
    ]));
    assert_eq!(pages.pages.iter().map(|page| page.label.as_str()).collect::<Vec<_>>(), ["1", "7", "8"]);
}

fn two_columns() -> SectionProperties {
    SectionProperties { columns: Columns { count: 2, space: 20.0, ..Columns::default() }, ..small_page() }
}

#[test]
fn columns_are_filled_one_after_the_other() {
    let pages = lay_out(&sections(vec![section(two_columns(), numbered_paragraphs("a", 15))]));
    assert_eq!(pages.pages.len(), 1);
    assert_near(find_text(&pages, "a10").x, 50.0);
    assert_near(find_text(&pages, "a11").x, 50.0 + 140.0 + 20.0);
    assert_near(find_text(&pages, "a11").y, find_text(&pages, "a1").y);
}

#[test]
fn columns_of_a_right_to_left_section_begin_at_the_right() {
    let properties = SectionProperties { bidi: true, ..two_columns() };
    let pages = lay_out(&sections(vec![section(properties, numbered_paragraphs("a", 15))]));
    assert!(find_text(&pages, "a1").x > find_text(&pages, "a11").x);
}

#[test]
fn columns_are_balanced_before_a_continuous_section() {
    let next = SectionProperties { start: SectionStart::Continuous, ..small_page() };
    let pages = lay_out(&sections(vec![
        section(two_columns(), numbered_paragraphs("a", 6)),
        section(next, numbered_paragraphs("b", 1)),
    ]));
    assert_near(find_text(&pages, "a4").y, find_text(&pages, "a1").y);
    assert!(find_text(&pages, "a4").x > 200.0);
    assert_near(find_text(&pages, "b1").y - find_text(&pages, "a1").y, 3.0 * LINE);
}

#[test]
fn columns_that_begin_at_the_end_of_a_page_are_on_the_next() {
    let next = SectionProperties { start: SectionStart::Continuous, ..two_columns() };
    let last = SectionProperties { start: SectionStart::Continuous, ..small_page() };
    let pages = lay_out(&sections(vec![
        section(small_page(), numbered_paragraphs("a", 10)),
        section(next, numbered_paragraphs("b", 2)),
        section(last, numbered_paragraphs("c", 1)),
    ]));
    assert_eq!((page_of(&pages, "a10"), page_of(&pages, "b1"), page_of(&pages, "c1")), (0, 1, 1));
    assert_near(find_text(&pages, "b1").y, find_text(&pages, "a1").y);
    assert_near(find_text(&pages, "b2").y, find_text(&pages, "a1").y);
}

#[test]
fn a_column_break_continues_in_the_next_column() {
    let first = text(&["one"]).with_content(Content::Break(Break::Column)).into_block();
    let pages = lay_out(&sections(vec![section(two_columns(), vec![first, text(&["two"]).into_block()])]));
    assert_near(find_text(&pages, "two").x, 210.0);
    assert_near(find_text(&pages, "two").y, find_text(&pages, "one").y);
}

#[test]
fn a_column_break_below_a_full_column_ends_that_column() {
    let mut blocks = numbered_paragraphs("a", 10);
    let mut second = text(&["two"]);
    second.inlines.insert(0, inline(Content::Break(Break::Column)));
    blocks.push(second.into_block());
    let pages = lay_out(&sections(vec![section(two_columns(), blocks)]));
    assert_eq!(pages.pages.len(), 1);
    assert_near(find_text(&pages, "two").x, 210.0);
    assert_near(find_text(&pages, "two").y, find_text(&pages, "a1").y);
}

/// A page break at the start of a paragraph ends the page above, even if its space before does not fit there. A page break at
/// the end of a paragraph is on the line of the paragraph mark.
#[test]
fn a_page_break_at_the_start_of_a_paragraph_adds_no_empty_page() {
    let pages_with = |words: &[&str]| {
        let mut blocks = numbered_paragraphs("a", 9);
        let mut broken = text(words).with_properties(|p| p.spacing.before = 30.0);
        broken.inlines.insert(0, inline(Content::Break(Break::Page)));
        blocks.extend([broken.into_block(), text(&["last"]).into_block()]);
        lay_out(&document(blocks))
    };
    let pages = pages_with(&["two"]);
    assert_eq!((pages.pages.len(), page_of(&pages, "two")), (2, 1));
    assert_near(find_text(&pages, "two").y, find_text(&pages, "a1").y);
    assert_eq!(page_of(&pages_with(&[]), "last"), 2);
}

#[test]
fn mirrored_margins_and_gutters_are_applied() {
    let mut document = document(numbered_paragraphs("a", 15));
    document.settings.mirror_margins = true;
    document.sections[0].properties.margins =
        PageMargins { left: 30.0, right: 60.0, gutter: 10.0, ..small_page().margins };
    let pages = lay_out(&document);
    assert_near(find_text(&pages, "a1").x, 40.0);
    assert_near(find_text(&pages, "a11").x, 60.0);
}

#[test]
fn a_page_may_be_centred_vertically() {
    let properties = SectionProperties { vertical_alignment: VerticalAlignment::Center, ..small_page() };
    let top = find_text(&lay_out(&document(numbered_paragraphs("a", 2))), "a1").y;
    let pages = lay_out(&sections(vec![section(properties, numbered_paragraphs("a", 2))]));
    assert_near(find_text(&pages, "a1").y, top + 80.0);
}

/// Creates a paragraph with a reference to the footnote with this id.
fn paragraph_with_note(name: &str, id: i64) -> Paragraph {
    text(&[name]).with_content(Content::NoteReference { kind: NoteKind::Footnote, id, custom: false })
}

fn note(lines: &[&str]) -> Note {
    let mut paragraph = text(lines);
    paragraph.inlines.insert(0, inline(Content::NoteMark));
    Note { blocks: vec![paragraph.into_block()] }
}

#[test]
fn a_footnote_is_at_the_bottom_of_its_page_and_takes_space() {
    let mut blocks = vec![paragraph_with_note("called", 5).into_block()];
    blocks.extend(numbered_paragraphs("a", 9));
    let mut document = document(blocks);
    document.footnotes.insert(5, note(&["note text"]));
    let pages = lay_out(&document);
    let found =
        placed_texts(&pages).into_iter().find(|found| found.text.contains("note text")).expect("the note is set");
    assert_eq!(found.page, 0);
    assert!(found.y > 230.0 && found.y < 250.0, "{found:?}");
    assert_eq!((page_of(&pages, "a7"), page_of(&pages, "a8")), (0, 1), "the note and its rule take two lines");
    assert!(found.tagged);
}

#[test]
fn a_footnote_is_on_the_page_of_its_reference() {
    let mut blocks = numbered_paragraphs("a", 9);
    blocks.push(paragraph_with_note("called", 5).into_block());
    let mut document = document(blocks);
    document.footnotes.insert(5, note(&["note text"]));
    let pages = lay_out(&document);
    assert!(page_text(&pages, 1).iter().any(|text| text.contains("called")));
    assert!(page_text(&pages, 1).iter().any(|text| text.contains("note text")));
}

#[test]
fn a_long_footnote_continues_on_the_next_page() {
    let lines: Vec<String> = (1..=14).map(|n| format!("n{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut blocks = numbered_paragraphs("a", 3);
    blocks.push(paragraph_with_note("called", 5).into_block());
    let mut document = document(blocks);
    document.footnotes.insert(5, note(&lines));
    let pages = lay_out(&document);
    assert_eq!(pages.pages.len(), 2);
    let all = placed_texts(&pages);
    for line in &lines {
        assert_eq!(
            all.iter().filter(|found| found.text.ends_with(line) && found.text.len() < 5).count().max(1),
            1,
            "{line}"
        );
    }
    assert_eq!((page_of(&pages, "n3"), page_of(&pages, "n14")), (0, 1));
}

#[test]
fn endnotes_follow_the_text() {
    let reference = Content::NoteReference { kind: NoteKind::Endnote, id: 1, custom: false };
    let mut document =
        document(vec![text(&["called"]).with_content(reference).into_block(), text(&["last"]).into_block()]);
    document.endnotes.insert(1, note(&["end of it"]));
    let pages = lay_out(&document);
    let found =
        placed_texts(&pages).into_iter().find(|found| found.text.contains("end of it")).expect("the note is set");
    assert!(found.y > find_text(&pages, "last").y);
}

/// The page fits ten lines. The separator above the endnotes is placed only where a line of the notes fits below it.
#[test]
fn the_endnote_separator_is_on_the_page_of_the_endnotes() {
    for lines in [8, 9, 10] {
        let reference = Content::NoteReference { kind: NoteKind::Endnote, id: 1, custom: false };
        let mut blocks = numbered_paragraphs("a", lines - 1);
        blocks.push(text(&["called"]).with_content(reference).into_block());
        let mut document = document(blocks);
        document.endnotes.insert(1, note(&["end of it"]));
        let pages = lay_out(&document);
        let page = page_of(&pages, "iend of it");
        assert_eq!(page, usize::from(lines > 8), "{lines}");
        let lines_on = |page: usize| {
            let items = pages.pages[page].items.iter();
            items
                .filter(|placed| {
                    matches!(
                        placed.item,
                        waraq_layout::DisplayItem::Stroke(_) | waraq_layout::DisplayItem::Rectangle { .. }
                    )
                })
                .count()
        };
        assert_eq!((lines_on(page), lines_on(0)), (1, usize::from(page == 0)), "{lines}");
    }
}

#[test]
fn pages_are_justified_vertically_except_the_last_of_a_section() {
    let properties = SectionProperties { vertical_alignment: VerticalAlignment::Justified, ..small_page() };
    let mut blocks = numbered_paragraphs("a", 6);
    blocks.push(text(&["b1", "b2", "b3", "b4", "b5"]).with_properties(|p| p.keep_lines = true).into_block());
    let pages = lay_out(&sections(vec![section(properties, blocks)]));
    assert_eq!(page_of(&pages, "b1"), 1);
    // Four lines of 20 points are free, and there are five gaps.
    assert_near(find_text(&pages, "a2").y - find_text(&pages, "a1").y, LINE + 16.0);
    assert_near(find_text(&pages, "a6").y - find_text(&pages, "a1").y, 9.0 * LINE);
    assert_near(find_text(&pages, "b2").y - find_text(&pages, "b1").y, LINE);
}

#[test]
fn a_page_of_several_sections_is_centred_as_a_whole() {
    let centred = SectionProperties { vertical_alignment: VerticalAlignment::Center, ..small_page() };
    let next = SectionProperties { start: SectionStart::Continuous, ..centred.clone() };
    let pages = lay_out(&sections(vec![
        section(centred, numbered_paragraphs("a", 1)),
        section(next, numbered_paragraphs("b", 1)),
    ]));
    assert_near(find_text(&pages, "b1").y - find_text(&pages, "a1").y, LINE);
    assert_near(find_text(&pages, "a1").y, find_text(&lay_out(&document(numbered_paragraphs("a", 1))), "a1").y + 80.0);
}

#[test]
fn a_section_may_begin_in_the_next_column() {
    let next = SectionProperties { start: SectionStart::NextColumn, ..two_columns() };
    let make = |next| {
        lay_out(&sections(vec![
            section(two_columns(), numbered_paragraphs("a", 2)),
            section(next, numbered_paragraphs("b", 1)),
        ]))
    };
    let pages = make(next.clone());
    assert_near(find_text(&pages, "b1").y, find_text(&pages, "a1").y);
    assert_near(find_text(&pages, "b1").x, 210.0);
    assert_eq!(page_of(&pages, "b1"), 0);
    // A section with other columns has no next column on this page.
    let one = SectionProperties { columns: Columns::default(), ..next.clone() };
    assert_eq!(page_of(&make(one), "b1"), 1);
    // In a right-to-left section, the next column already has text.
    let broken = text(&["c"]).with_content(Content::Break(Break::Column)).into_block();
    let first = [vec![broken], numbered_paragraphs("a", 1)].concat();
    let turned = SectionProperties { bidi: true, ..next };
    let pages = lay_out(&sections(vec![section(two_columns(), first), section(turned, numbered_paragraphs("b", 1))]));
    assert_eq!((page_of(&pages, "a1"), page_of(&pages, "b1")), (0, 1));
}

/// Creates a list paragraph with this label. The label has the number of its own level only.
fn numbered_paragraph(label: &str, level: u8) -> Paragraph {
    let mut paragraph = text(&["x"]).with_properties(|p| p.numbering = Some((1, level)));
    paragraph.label = Some(Label {
        text: label.into(),
        picture: None,
        run: run(),
        suffix: LabelSuffix::Tab,
        alignment: Justification::Start,
        tab: None,
        first_number_level: Some(level),
        format: NumberFormat::Decimal,
    });
    paragraph
}

/// Changes the label to include the numbers of all levels above.
fn with_numbers_of_all_levels(mut paragraph: Paragraph) -> Paragraph {
    paragraph.label = paragraph.label.map(|label| Label { first_number_level: Some(0), ..label });
    paragraph
}

#[test]
fn references_show_the_number_of_their_paragraph() {
    let reference = |number, place| Content::Field {
        field: ComputedField::ReferenceNumber {
            origin: Default::default(),
            bookmark: "clause".into(),
            number,
            with_position: place,
        },
        result: "old".into(),
    };
    let lone = |number, place| text(&[]).with_content(reference(number, place)).into_block();
    let blocks = vec![
        lone(Some(NumberContext::Full), true),
        numbered_paragraph("1.", 0).into_block(),
        numbered_paragraph("(a)", 1).with_content(Content::BookmarkStart("clause".into())).into_block(),
        numbered_paragraph("(b)", 1).with_content(reference(Some(NumberContext::Relative), false)).into_block(),
        numbered_paragraph("2.", 0).into_block(),
        lone(Some(NumberContext::Own), false),
        lone(None, true),
    ];
    let pages = lay_out(&document(blocks));
    let found = page_text(&pages, 0).join("|");
    for wanted in ["1.(a) below", "(b)|x(a)", "2.|x|(a)", "|above"] {
        assert!(found.contains(wanted), "{wanted:?} in {found}");
    }
    assert!(!found.contains("old"));
}

#[test]
fn a_number_that_includes_higher_levels_is_not_repeated() {
    let field = ComputedField::ReferenceNumber {
        origin: Default::default(),
        bookmark: "b".into(),
        number: Some(NumberContext::Full),
        with_position: false,
    };
    let blocks = vec![
        numbered_paragraph("2.", 0).into_block(),
        with_numbers_of_all_levels(numbered_paragraph("2.1.", 1))
            .with_content(Content::BookmarkStart("b".into()))
            .into_block(),
        text(&[]).with_content(Content::Field { field, result: "old".into() }).into_block(),
    ];
    assert!(page_text(&lay_out(&document(blocks)), 0).iter().any(|text| text == "2.1"));
}

/// In full context, the numbers of the levels above come before the number of the paragraph. "Section 1.01" already includes
/// the number of the top level, so "Article I" is not added.
#[test]
fn a_full_reference_adds_only_levels_that_are_not_included_yet() {
    let field = |number| Content::Field {
        field: ComputedField::ReferenceNumber {
            origin: Default::default(),
            bookmark: "b".into(),
            number: Some(number),
            with_position: false,
        },
        result: "old".into(),
    };
    let blocks = vec![
        numbered_paragraph("Article I", 0).into_block(),
        with_numbers_of_all_levels(numbered_paragraph("Section 1.01", 1)).into_block(),
        numbered_paragraph("(a)", 2).with_content(Content::BookmarkStart("b".into())).into_block(),
        text(&[]).with_content(field(NumberContext::Full)).into_block(),
        numbered_paragraph("(b)", 2).with_content(field(NumberContext::Relative)).into_block(),
    ];
    let found = page_text(&lay_out(&document(blocks)), 0).join("|");
    assert!(found.contains("|Section 1.01(a)|") && found.contains("|x(a)"), "{found}");
}

/// The paragraph with the section mark does not cause an empty page, because the next section begins on a new page anyway.
#[test]
fn a_section_mark_adds_no_empty_page() {
    let next = |start| section(SectionProperties { start, ..small_page() }, numbered_paragraphs("b", 1));
    let set_with = |count: usize, mark: Paragraph, start| {
        let mut blocks = numbered_paragraphs("a", count);
        blocks.push(mark.into_block());
        let pages = lay_out(&sections(vec![section(small_page(), blocks), next(start)]));
        (pages.pages.len(), page_of(&pages, "b1"))
    };
    let broken_before = || text(&[]).with_properties(|p| p.page_break_before = true);
    let with_break = |words: &[&str]| text(words).with_content(Content::Break(Break::Page));
    for (count, mark) in [(2, broken_before()), (2, with_break(&[])), (2, with_break(&["x"])), (10, text(&[]))] {
        assert_eq!(set_with(count, mark, SectionStart::NextPage), (2, 1));
    }
    let after_break = |mark: Paragraph, start| {
        let blocks = vec![text(&["a"]).into_block(), with_break(&[]).into_block(), mark.into_block()];
        lay_out(&sections(vec![section(small_page(), blocks), next(start)])).pages.len()
    };
    assert_eq!(after_break(text(&[]), SectionStart::NextPage), 2);
    assert_eq!(after_break(text(&["x"]), SectionStart::NextPage), 3);
    assert_eq!(after_break(text(&[]), SectionStart::Continuous), 2);
    // The paragraph has its own page if it has visible content, or if the next section continues below it.
    assert_eq!(set_with(10, text(&["x"]), SectionStart::NextPage), (3, 2));
    assert_eq!(
        set_with(2, text(&["x"]).with_properties(|p| p.page_break_before = true), SectionStart::NextPage),
        (3, 2)
    );
    assert_eq!(set_with(2, with_break(&["x"]), SectionStart::Continuous), (2, 1));
}

#[test]
fn a_section_that_begins_within_a_page_keeps_its_space_before() {
    let distance = |after: f32, before: f32| {
        let next = SectionProperties { start: SectionStart::Continuous, ..small_page() };
        let above = text(&["one"]).with_properties(|p| p.spacing.after = after);
        let below = text(&["two"]).with_properties(|p| p.spacing.before = before);
        let pages = lay_out(&sections(vec![
            section(small_page(), vec![above.into_block()]),
            section(next, vec![below.into_block()]),
        ]));
        find_text(&pages, "two").y - find_text(&pages, "one").y
    };
    assert_near(distance(0.0, 30.0), LINE + 30.0);
    assert_near(distance(12.0, 30.0), LINE + 30.0);
    assert_near(distance(12.0, 8.0), LINE + 12.0);
}

#[test]
fn page_breaks_in_endnotes_are_ignored() {
    let called = Content::NoteReference { kind: NoteKind::Endnote, id: 1, custom: false };
    let mut document = document(vec![text(&["text"]).with_content(called).into_block()]);
    let broken =
        text(&["before"]).with_content(Content::Break(Break::Page)).with_content(Content::Text("after".into()));
    let own_page = text(&["last"]).with_properties(|p| p.page_break_before = true);
    document.endnotes.insert(1, Note { blocks: vec![broken.into_block(), own_page.into_block()] });
    let pages = lay_out(&document);
    assert_eq!((pages.pages.len(), page_of(&pages, "last")), (1, 0));
    assert_near(find_text(&pages, "after").y - find_text(&pages, "before").y, LINE);
}

#[test]
fn comments_are_beside_the_page_if_requested() {
    let mut document = document(vec![
        text(&["one"]).into_block(),
        text(&["two"]).with_content(Content::CommentReference("7".into())).into_block(),
    ]);
    let comment = |id: &str, parent: Option<&str>, words: &str| Comment {
        id: id.into(),
        author: "Amal".into(),
        parent: parent.map(str::to_owned),
        date: Some("2026-01-02T00:00:00Z".into()),
        blocks: vec![text(&[words]).into_block()],
        ..Comment::default()
    };
    document.comments = vec![comment("7", None, "why"), comment("8", Some("7"), "because")];
    let plain = lay_out(&document);
    assert_eq!((plain.pages[0].width, placed_texts(&plain).len()), (400.0, 2));
    let options = waraq_layout::LayoutOptions { show_comments: true, ..Default::default() };
    let pages = waraq_layout::layout(&document, book(), &options).unwrap();
    assert_near(pages.pages[0].width, 590.0);
    let (why, because) = (find_text(&pages, "why"), find_text(&pages, "because"));
    assert!(why.x > 400.0 && because.x > why.x && because.y > why.y);
    assert_near(find_text(&pages, "one").y, find_text(&plain, "one").y);
    assert!(
        placed_texts(&pages)
            .iter()
            .any(|found| found.text.starts_with("Amal") && (found.y - find_text(&pages, "two").y).abs() < 12.0)
    );
}

#[test]
fn the_shadow_of_a_page_border_is_at_its_right_and_below() {
    let border = |shadow| Some(Border { style: BorderStyle::Single, width: 2.0, color: None, space: 24.0, shadow });
    let drawn = |shadow| {
        let mut document = document(numbered_paragraphs("a", 1));
        let sides = (border(shadow), border(shadow));
        let (top, left) = sides;
        document.sections[0].properties.page_borders =
            PageBorders { top, bottom: top, left, right: left, ..PageBorders::default() };
        rectangles(&lay_out(&document), 0).into_iter().map(|(area, _)| area).collect::<Vec<_>>()
    };
    let (plain, shaded) = (drawn(false), drawn(true));
    assert_eq!((plain.len(), shaded.len()), (4, 6));
    let (right, bottom) = (400.0 - 24.0, 300.0 - 24.0);
    assert!(shaded.iter().any(|area| area.width < 2.1 && area.x >= right - 0.1 && area.height > 200.0), "{shaded:?}");
    assert!(shaded.iter().any(|area| area.height < 2.1 && area.y >= bottom - 0.1 && area.width > 300.0), "{shaded:?}");
    assert!(plain.iter().all(|area| area.x + area.width <= right + 0.1 && area.y + area.height <= bottom + 0.1));
}
