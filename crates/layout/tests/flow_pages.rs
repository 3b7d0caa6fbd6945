//! Sections, columns, headers and footers, page numbers, notes.

mod book;
mod flow_common;
use flow_common::*;
use std::sync::Arc;
use waraq_docx::tree::*;

fn page_field() -> Content {
    Content::Field { field: Field::Page(None), result: "?".into() }
}

fn page_of_pages() -> Vec<Block> {
    let pages = Content::Field { field: Field::Pages(None), result: "?".into() };
    let line = text(&["page"]).and(page_field()).and(Content::Text(" of ".into())).and(pages);
    vec![line.block()]
}

#[test]
fn footers_know_their_page_and_how_many_there_are() {
    let mut document = document(numbered("a", 25));
    document.sections[0].footers.default = Some(Arc::new(page_of_pages()));
    let pages = set(&document);
    assert_eq!(pages.pages.len(), 3);
    for page in 0..3 {
        let footer = page_text(&pages, page).join(" ");
        assert!(footer.contains(&format!("{}", page + 1)) && footer.contains('3'), "{footer}");
    }
    assert!(texts(&pages).iter().filter(|found| found.text.starts_with("page")).all(|found| !found.tagged));
}

#[test]
fn page_count_in_the_text_is_right_although_it_is_known_only_at_the_end() {
    let pages = Content::Field { field: Field::Pages(None), result: "99".into() };
    let mut blocks = vec![text(&["total"]).and(pages).block()];
    blocks.extend(numbered("a", 20));
    let pages = set(&document(blocks));
    assert_eq!(pages.pages.len(), 3);
    let first = page_text(&pages, 0).join(" ");
    assert!(first.contains('3') && !first.contains("99"), "{first}");
}

#[test]
fn references_show_the_page_of_their_bookmark() {
    let reference = Field::PageReference("mark".into());
    let mut blocks = vec![text(&["see"]).and(Content::Field { field: reference, result: "0".into() }).block()];
    blocks.extend(numbered("a", 15));
    blocks.push(text(&[]).and(Content::BookmarkStart("mark".into())).and(Content::Text("here".into())).block());
    let mut document = document(blocks);
    document.sections[0].properties.page_number_format = NumberFormat::LowerRoman;
    let pages = set(&document);
    assert!(page_text(&pages, 0).join(" ").contains("ii"), "{:?}", page_text(&pages, 0));
    assert!(pages.destinations.iter().any(|destination| destination.name == "mark" && destination.page == 1));
    assert_eq!(pages.pages.iter().map(|page| page.label.as_str()).collect::<Vec<_>>(), ["i", "ii"]);
}

#[test]
fn a_high_header_pushes_the_text() {
    let mut document = document(numbered("a", 3));
    document.sections[0].headers.default = Some(Arc::new(vec![text(&["h1", "h2", "h3"]).block()]));
    let pages = set(&document);
    // The header begins at 20 and is 60 points high. The text begins below it instead of at 50, with Word's small gap between
    // them.
    let between = find(&pages, "a1").y - find(&pages, "h1").y - 60.0;
    assert!((0.4..=0.5).contains(&between), "{between}");
    document.sections[0].properties.margins.top = -50.0;
    near(find(&set(&document), "a1").y - find(&set(&document), "h1").y, 30.0);
}

#[test]
fn a_high_footer_takes_room_from_the_text() {
    let mut document = document(numbered("a", 10));
    document.sections[0].footers.default = Some(Arc::new(vec![text(&["f1", "f2", "f3"]).block()]));
    let pages = set(&document);
    assert_eq!((page_of(&pages, "a8"), page_of(&pages, "a9")), (0, 1));
}

#[test]
fn first_and_even_pages_have_their_own_headers() {
    let header = |name: &str| Some(Arc::new(vec![text(&[name]).block()]));
    let mut document = document(numbered("a", 25));
    document.settings.even_and_odd_headers = true;
    document.sections[0].properties.title_page = true;
    document.sections[0].headers = HeaderSet { default: header("odd"), first: header("title"), even: header("even") };
    let pages = set(&document);
    let heads: Vec<String> = (0..3).map(|page| page_text(&pages, page)[0].clone()).collect();
    assert_eq!(heads, ["title", "even", "odd"]);
}

#[test]
fn a_header_that_never_ends_leaves_the_text_its_room_and_says_so() {
    let plain = document(numbered("a", 60));
    let lines: Vec<String> = (0..500).map(|line| format!("h{line}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut high = plain.clone();
    high.sections[0].headers.default = Some(Arc::new(vec![text(&lines).block()]));
    high.sections[0].footers.default = Some(Arc::new(page_of_pages()));
    let pages = set(&high);
    assert!(pages.warnings.iter().any(|warning| warning.code == "text_cut_off"), "{:?}", pages.warnings);
    assert!(pages.pages.len() <= 4 * set(&plain).pages.len(), "{}", pages.pages.len());
    let height = high.sections[0].properties.page_height;
    for page in 0..pages.pages.len() {
        let shown = page_text(&pages, page);
        assert!(shown.contains(&"h0".to_owned()) && shown.iter().any(|text| text.starts_with('a')), "{shown:?}");
        assert!(shown.join(" ").contains(&format!("page{} of", page + 1)), "{shown:?}");
    }
    let last =
        texts(&pages).into_iter().filter(|found| found.text.starts_with('h')).map(|found| found.y).fold(0.0, f32::max);
    assert!(last < height * 0.75, "{last} of {height}");
}

#[test]
fn sections_begin_pages_as_they_ask() {
    let with = |start| SectionProperties { start, ..small_page() };
    let make = |start| {
        let first = section(small_page(), numbered("a", 2));
        set(&sections(vec![first, section(with(start), numbered("b", 1))]))
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
        let first = section(small_page(), numbered("a", count));
        assert_eq!(set(&sections(vec![first, section(anew.clone(), numbered("b", 1))])).pages.len(), pages, "{count}");
    }
}

#[test]
fn page_numbers_restart_with_their_section() {
    let restarted = SectionProperties { page_number_start: Some(7), ..small_page() };
    let pages = set(&sections(vec![section(small_page(), numbered("a", 1)), section(restarted, numbered("b", 11))]));
    assert_eq!(pages.pages.iter().map(|page| page.label.as_str()).collect::<Vec<_>>(), ["1", "7", "8"]);
}

fn two_columns() -> SectionProperties {
    SectionProperties { columns: Columns { count: 2, space: 20.0, ..Columns::default() }, ..small_page() }
}

#[test]
fn columns_are_filled_one_after_the_other() {
    let pages = set(&sections(vec![section(two_columns(), numbered("a", 15))]));
    assert_eq!(pages.pages.len(), 1);
    near(find(&pages, "a10").x, 50.0);
    near(find(&pages, "a11").x, 50.0 + 140.0 + 20.0);
    near(find(&pages, "a11").y, find(&pages, "a1").y);
}

#[test]
fn columns_of_a_right_to_left_section_begin_at_the_right() {
    let properties = SectionProperties { bidi: true, ..two_columns() };
    let pages = set(&sections(vec![section(properties, numbered("a", 15))]));
    assert!(find(&pages, "a1").x > find(&pages, "a11").x);
}

#[test]
fn columns_are_balanced_before_a_continuous_section() {
    let next = SectionProperties { start: SectionStart::Continuous, ..small_page() };
    let pages = set(&sections(vec![section(two_columns(), numbered("a", 6)), section(next, numbered("b", 1))]));
    near(find(&pages, "a4").y, find(&pages, "a1").y);
    assert!(find(&pages, "a4").x > 200.0);
    near(find(&pages, "b1").y - find(&pages, "a1").y, 3.0 * LINE);
}

#[test]
fn columns_that_begin_where_a_page_ends_stand_on_the_next() {
    let next = SectionProperties { start: SectionStart::Continuous, ..two_columns() };
    let last = SectionProperties { start: SectionStart::Continuous, ..small_page() };
    let pages = set(&sections(vec![
        section(small_page(), numbered("a", 10)),
        section(next, numbered("b", 2)),
        section(last, numbered("c", 1)),
    ]));
    assert_eq!((page_of(&pages, "a10"), page_of(&pages, "b1"), page_of(&pages, "c1")), (0, 1, 1));
    near(find(&pages, "b1").y, find(&pages, "a1").y);
    near(find(&pages, "b2").y, find(&pages, "a1").y);
}

#[test]
fn a_column_break_goes_to_the_next_column() {
    let first = text(&["one"]).and(Content::Break(Break::Column)).block();
    let pages = set(&sections(vec![section(two_columns(), vec![first, text(&["two"]).block()])]));
    near(find(&pages, "two").x, 210.0);
    near(find(&pages, "two").y, find(&pages, "one").y);
}

#[test]
fn a_column_break_below_a_full_column_ends_that_column() {
    let mut blocks = numbered("a", 10);
    let mut second = text(&["two"]);
    second.inlines.insert(0, inline(Content::Break(Break::Column)));
    blocks.push(second.block());
    let pages = set(&sections(vec![section(two_columns(), blocks)]));
    assert_eq!(pages.pages.len(), 1);
    near(find(&pages, "two").x, 210.0);
    near(find(&pages, "two").y, find(&pages, "a1").y);
}

/// A page break at the start of a paragraph ends the page above, even if its space before does not fit there. A page break at
/// the end of a paragraph is on the line of the paragraph mark.
#[test]
fn a_page_break_before_text_opens_no_page_of_its_own() {
    let pages_with = |words: &[&str]| {
        let mut blocks = numbered("a", 9);
        let mut broken = text(words).with(|p| p.spacing.before = 30.0);
        broken.inlines.insert(0, inline(Content::Break(Break::Page)));
        blocks.extend([broken.block(), text(&["last"]).block()]);
        set(&document(blocks))
    };
    let pages = pages_with(&["two"]);
    assert_eq!((pages.pages.len(), page_of(&pages, "two")), (2, 1));
    near(find(&pages, "two").y, find(&pages, "a1").y);
    assert_eq!(page_of(&pages_with(&[]), "last"), 2);
}

#[test]
fn margins_mirror_and_gutters_count() {
    let mut document = document(numbered("a", 15));
    document.settings.mirror_margins = true;
    document.sections[0].properties.margins =
        PageMargins { left: 30.0, right: 60.0, gutter: 10.0, ..small_page().margins };
    let pages = set(&document);
    near(find(&pages, "a1").x, 40.0);
    near(find(&pages, "a11").x, 60.0);
}

#[test]
fn a_page_may_be_centred() {
    let properties = SectionProperties { vertical_alignment: VerticalAlignment::Center, ..small_page() };
    let top = find(&set(&document(numbered("a", 2))), "a1").y;
    let pages = set(&sections(vec![section(properties, numbered("a", 2))]));
    near(find(&pages, "a1").y, top + 80.0);
}

/// Creates a paragraph with a reference to the footnote with this id.
fn with_note(name: &str, id: i64) -> Paragraph {
    text(&[name]).and(Content::NoteReference { kind: NoteKind::Footnote, id, custom: false })
}

fn note(lines: &[&str]) -> Note {
    let mut paragraph = text(lines);
    paragraph.inlines.insert(0, inline(Content::NoteMark));
    Note { blocks: vec![paragraph.block()] }
}

#[test]
fn a_footnote_stands_at_the_bottom_of_its_page_and_takes_room() {
    let mut blocks = vec![with_note("called", 5).block()];
    blocks.extend(numbered("a", 9));
    let mut document = document(blocks);
    document.footnotes.insert(5, note(&["note text"]));
    let pages = set(&document);
    let found = texts(&pages).into_iter().find(|found| found.text.contains("note text")).expect("the note is set");
    assert_eq!(found.page, 0);
    assert!(found.y > 230.0 && found.y < 250.0, "{found:?}");
    assert_eq!((page_of(&pages, "a7"), page_of(&pages, "a8")), (0, 1), "the note and its rule take two lines");
    assert!(found.tagged);
}

#[test]
fn a_footnote_goes_with_its_line() {
    let mut blocks = numbered("a", 9);
    blocks.push(with_note("called", 5).block());
    let mut document = document(blocks);
    document.footnotes.insert(5, note(&["note text"]));
    let pages = set(&document);
    assert!(page_text(&pages, 1).iter().any(|text| text.contains("called")));
    assert!(page_text(&pages, 1).iter().any(|text| text.contains("note text")));
}

#[test]
fn a_long_footnote_flows_over_to_the_next_page() {
    let lines: Vec<String> = (1..=14).map(|n| format!("n{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut blocks = numbered("a", 3);
    blocks.push(with_note("called", 5).block());
    let mut document = document(blocks);
    document.footnotes.insert(5, note(&lines));
    let pages = set(&document);
    assert_eq!(pages.pages.len(), 2);
    let all = texts(&pages);
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
    let mut document = document(vec![text(&["called"]).and(reference).block(), text(&["last"]).block()]);
    document.endnotes.insert(1, note(&["end of it"]));
    let pages = set(&document);
    let found = texts(&pages).into_iter().find(|found| found.text.contains("end of it")).expect("the note is set");
    assert!(found.y > find(&pages, "last").y);
}

/// The page fits ten lines. The separator above the endnotes is placed only where a line of the notes fits below it.
#[test]
fn what_stands_above_endnotes_stands_on_their_page() {
    for lines in [8, 9, 10] {
        let reference = Content::NoteReference { kind: NoteKind::Endnote, id: 1, custom: false };
        let mut blocks = numbered("a", lines - 1);
        blocks.push(text(&["called"]).and(reference).block());
        let mut document = document(blocks);
        document.endnotes.insert(1, note(&["end of it"]));
        let pages = set(&document);
        let page = page_of(&pages, "iend of it");
        assert_eq!(page, usize::from(lines > 8), "{lines}");
        let lines_on = |page: usize| {
            let items = pages.pages[page].items.iter();
            items
                .filter(|placed| {
                    matches!(placed.item, waraq_layout::Item::Stroke(_) | waraq_layout::Item::Rectangle { .. })
                })
                .count()
        };
        assert_eq!((lines_on(page), lines_on(0)), (1, usize::from(page == 0)), "{lines}");
    }
}

#[test]
fn a_spread_page_is_filled_and_the_last_of_its_section_is_not() {
    let properties = SectionProperties { vertical_alignment: VerticalAlignment::Justified, ..small_page() };
    let mut blocks = numbered("a", 6);
    blocks.push(text(&["b1", "b2", "b3", "b4", "b5"]).with(|p| p.keep_lines = true).block());
    let pages = set(&sections(vec![section(properties, blocks)]));
    assert_eq!(page_of(&pages, "b1"), 1);
    // Four lines of 20 points are free, and there are five gaps.
    near(find(&pages, "a2").y - find(&pages, "a1").y, LINE + 16.0);
    near(find(&pages, "a6").y - find(&pages, "a1").y, 9.0 * LINE);
    near(find(&pages, "b2").y - find(&pages, "b1").y, LINE);
}

#[test]
fn a_page_of_several_sections_is_centred_as_a_whole() {
    let centred = SectionProperties { vertical_alignment: VerticalAlignment::Center, ..small_page() };
    let next = SectionProperties { start: SectionStart::Continuous, ..centred.clone() };
    let pages = set(&sections(vec![section(centred, numbered("a", 1)), section(next, numbered("b", 1))]));
    near(find(&pages, "b1").y - find(&pages, "a1").y, LINE);
    near(find(&pages, "a1").y, find(&set(&document(numbered("a", 1))), "a1").y + 80.0);
}

#[test]
fn a_section_may_begin_in_the_next_column() {
    let next = SectionProperties { start: SectionStart::NextColumn, ..two_columns() };
    let make = |next| set(&sections(vec![section(two_columns(), numbered("a", 2)), section(next, numbered("b", 1))]));
    let pages = make(next.clone());
    near(find(&pages, "b1").y, find(&pages, "a1").y);
    near(find(&pages, "b1").x, 210.0);
    assert_eq!(page_of(&pages, "b1"), 0);
    // A section with other columns has no next column on this page.
    let one = SectionProperties { columns: Columns::default(), ..next.clone() };
    assert_eq!(page_of(&make(one), "b1"), 1);
    // In a right-to-left section, the next column already has text.
    let broken = text(&["c"]).and(Content::Break(Break::Column)).block();
    let first = [vec![broken], numbered("a", 1)].concat();
    let turned = SectionProperties { bidi: true, ..next };
    let pages = set(&sections(vec![section(two_columns(), first), section(turned, numbered("b", 1))]));
    assert_eq!((page_of(&pages, "a1"), page_of(&pages, "b1")), (0, 1));
}

/// Creates a list paragraph with this label. The label has the number of its own level only.
fn numbered_paragraph(label: &str, level: u8) -> Paragraph {
    let mut paragraph = text(&["x"]).with(|p| p.numbering = Some((1, level)));
    paragraph.label = Some(Label {
        text: label.into(),
        picture: None,
        run: run(),
        suffix: LabelSuffix::Tab,
        alignment: Justification::Start,
        tab: None,
        holds_from: Some(level),
    });
    paragraph
}

/// Changes the label to include the numbers of all levels above.
fn holding_all(mut paragraph: Paragraph) -> Paragraph {
    paragraph.label = paragraph.label.map(|label| Label { holds_from: Some(0), ..label });
    paragraph
}

#[test]
fn references_show_the_number_of_their_paragraph() {
    let reference = |number, place| Content::Field {
        field: Field::ReferenceNumber { id: NodeId::default(), bookmark: "clause".into(), number, place },
        result: "old".into(),
    };
    let lone = |number, place| text(&[]).and(reference(number, place)).block();
    let blocks = vec![
        lone(Some(NumberContext::Full), true),
        numbered_paragraph("1.", 0).block(),
        numbered_paragraph("(a)", 1).and(Content::BookmarkStart("clause".into())).block(),
        numbered_paragraph("(b)", 1).and(reference(Some(NumberContext::Relative), false)).block(),
        numbered_paragraph("2.", 0).block(),
        lone(Some(NumberContext::Own), false),
        lone(None, true),
    ];
    let pages = set(&document(blocks));
    let found = page_text(&pages, 0).join("|");
    for wanted in ["1.(a) below", "(b)|x(a)", "2.|x|(a)", "|above"] {
        assert!(found.contains(wanted), "{wanted:?} in {found}");
    }
    assert!(!found.contains("old"));
}

#[test]
fn numbers_of_several_levels_are_not_said_twice() {
    let field = Field::ReferenceNumber {
        id: NodeId::default(),
        bookmark: "b".into(),
        number: Some(NumberContext::Full),
        place: false,
    };
    let blocks = vec![
        numbered_paragraph("2.", 0).block(),
        holding_all(numbered_paragraph("2.1.", 1)).and(Content::BookmarkStart("b".into())).block(),
        text(&[]).and(Content::Field { field, result: "old".into() }).block(),
    ];
    assert!(page_text(&set(&document(blocks)), 0).iter().any(|text| text == "2.1"));
}

/// In full context, the numbers of the levels above come before the number of the paragraph. "Section 1.01" already includes
/// the number of the top level, so "Article I" is not added.
#[test]
fn a_reference_takes_from_above_only_numbers_that_are_not_held() {
    let field = |number| Content::Field {
        field: Field::ReferenceNumber {
            id: NodeId::default(),
            bookmark: "b".into(),
            number: Some(number),
            place: false,
        },
        result: "old".into(),
    };
    let blocks = vec![
        numbered_paragraph("Article I", 0).block(),
        holding_all(numbered_paragraph("Section 1.01", 1)).block(),
        numbered_paragraph("(a)", 2).and(Content::BookmarkStart("b".into())).block(),
        text(&[]).and(field(NumberContext::Full)).block(),
        numbered_paragraph("(b)", 2).and(field(NumberContext::Relative)).block(),
    ];
    let found = page_text(&set(&document(blocks)), 0).join("|");
    assert!(found.contains("|Section 1.01(a)|") && found.contains("|x(a)"), "{found}");
}

/// The paragraph with the section mark does not cause an empty page, because the next section begins on a new page anyway.
#[test]
fn a_section_mark_opens_no_page() {
    let next = |start| section(SectionProperties { start, ..small_page() }, numbered("b", 1));
    let set_with = |count: usize, mark: Paragraph, start| {
        let mut blocks = numbered("a", count);
        blocks.push(mark.block());
        let pages = set(&sections(vec![section(small_page(), blocks), next(start)]));
        (pages.pages.len(), page_of(&pages, "b1"))
    };
    let broken_before = || text(&[]).with(|p| p.page_break_before = true);
    let with_break = |words: &[&str]| text(words).and(Content::Break(Break::Page));
    for (count, mark) in [(2, broken_before()), (2, with_break(&[])), (2, with_break(&["x"])), (10, text(&[]))] {
        assert_eq!(set_with(count, mark, SectionStart::NextPage), (2, 1));
    }
    let after_break = |mark: Paragraph, start| {
        let blocks = vec![text(&["a"]).block(), with_break(&[]).block(), mark.block()];
        set(&sections(vec![section(small_page(), blocks), next(start)])).pages.len()
    };
    assert_eq!(after_break(text(&[]), SectionStart::NextPage), 2);
    assert_eq!(after_break(text(&["x"]), SectionStart::NextPage), 3);
    assert_eq!(after_break(text(&[]), SectionStart::Continuous), 2);
    // The paragraph has its own page if it has visible content, or if the next section continues below it.
    assert_eq!(set_with(10, text(&["x"]), SectionStart::NextPage), (3, 2));
    assert_eq!(set_with(2, text(&["x"]).with(|p| p.page_break_before = true), SectionStart::NextPage), (3, 2));
    assert_eq!(set_with(2, with_break(&["x"]), SectionStart::Continuous), (2, 1));
}

#[test]
fn a_section_that_begins_within_a_page_has_its_space_above() {
    let distance = |after: f32, before: f32| {
        let next = SectionProperties { start: SectionStart::Continuous, ..small_page() };
        let above = text(&["one"]).with(|p| p.spacing.after = after);
        let below = text(&["two"]).with(|p| p.spacing.before = before);
        let pages =
            set(&sections(vec![section(small_page(), vec![above.block()]), section(next, vec![below.block()])]));
        find(&pages, "two").y - find(&pages, "one").y
    };
    near(distance(0.0, 30.0), LINE + 30.0);
    near(distance(12.0, 30.0), LINE + 30.0);
    near(distance(12.0, 8.0), LINE + 12.0);
}

#[test]
fn a_page_break_in_an_endnote_is_none() {
    let called = Content::NoteReference { kind: NoteKind::Endnote, id: 1, custom: false };
    let mut document = document(vec![text(&["text"]).and(called).block()]);
    let broken = text(&["before"]).and(Content::Break(Break::Page)).and(Content::Text("after".into()));
    let own_page = text(&["last"]).with(|p| p.page_break_before = true);
    document.endnotes.insert(1, Note { blocks: vec![broken.block(), own_page.block()] });
    let pages = set(&document);
    assert_eq!((pages.pages.len(), page_of(&pages, "last")), (1, 0));
    near(find(&pages, "after").y - find(&pages, "before").y, LINE);
}

#[test]
fn comments_stand_beside_the_page_where_they_are_asked_for() {
    let mut document =
        document(vec![text(&["one"]).block(), text(&["two"]).and(Content::CommentReference("7".into())).block()]);
    let comment = |id: &str, parent: Option<&str>, words: &str| Comment {
        id: id.into(),
        author: "Amal".into(),
        parent: parent.map(str::to_owned),
        date: Some("2026-01-02T00:00:00Z".into()),
        blocks: vec![text(&[words]).block()],
        ..Comment::default()
    };
    document.comments = vec![comment("7", None, "why"), comment("8", Some("7"), "because")];
    let plain = set(&document);
    assert_eq!((plain.pages[0].width, texts(&plain).len()), (400.0, 2));
    let options = waraq_layout::Options { show_comments: true, ..Default::default() };
    let pages = waraq_layout::layout(&document, book(), &options).unwrap();
    near(pages.pages[0].width, 590.0);
    let (why, because) = (find(&pages, "why"), find(&pages, "because"));
    assert!(why.x > 400.0 && because.x > why.x && because.y > why.y);
    near(find(&pages, "one").y, find(&plain, "one").y);
    assert!(
        texts(&pages)
            .iter()
            .any(|found| found.text.starts_with("Amal") && (found.y - find(&pages, "two").y).abs() < 12.0)
    );
}

#[test]
fn the_shadow_of_a_page_border_stands_at_its_right_and_below() {
    let border = |shadow| Some(Border { style: BorderStyle::Single, width: 2.0, color: None, space: 24.0, shadow });
    let drawn = |shadow| {
        let mut document = document(numbered("a", 1));
        let sides = (border(shadow), border(shadow));
        let (top, left) = sides;
        document.sections[0].properties.page_borders =
            PageBorders { top, bottom: top, left, right: left, ..PageBorders::default() };
        rectangles(&set(&document), 0).into_iter().map(|(area, _)| area).collect::<Vec<_>>()
    };
    let (plain, shaded) = (drawn(false), drawn(true));
    assert_eq!((plain.len(), shaded.len()), (4, 6));
    let (right, bottom) = (400.0 - 24.0, 300.0 - 24.0);
    assert!(shaded.iter().any(|area| area.width < 2.1 && area.x >= right - 0.1 && area.height > 200.0), "{shaded:?}");
    assert!(shaded.iter().any(|area| area.height < 2.1 && area.y >= bottom - 0.1 && area.width > 300.0), "{shaded:?}");
    assert!(plain.iter().all(|area| area.x + area.width <= right + 0.1 && area.y + area.height <= bottom + 0.1));
}
