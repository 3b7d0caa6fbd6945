//! Note separators, continuation notices, and positions of notes.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;

/// Creates a paragraph with a reference to the footnote with this id.
fn paragraph_with_note(name: &str, id: i64) -> Block {
    text(&[name]).with_content(Content::NoteReference { kind: NoteKind::Footnote, id, custom: false }).into_block()
}

fn note(lines: &[&str]) -> Note {
    Note { blocks: vec![text(lines).into_block()] }
}

fn separator(lines: &[&str], line: bool) -> Option<NoteSeparator> {
    Some(NoteSeparator { blocks: vec![text(lines).into_block()], line })
}

#[test]
fn the_separator_of_the_document_replaces_the_default_line() {
    let mut document = document(vec![paragraph_with_note("called", 1)]);
    document.footnotes.insert(1, note(&["note"]));
    document.footnote_separators.separator = separator(&["* * *"], false);
    let pages = lay_out(&document);
    assert_near(find_text(&pages, "note").y - find_text(&pages, "* * *").y, LINE);
    assert!(rectangles(&pages, 0).is_empty(), "Word's own line is not drawn");
    assert!(!find_text(&pages, "* * *").tagged, "the separator is an artifact");
}

#[test]
fn the_separator_line_takes_the_space_of_its_paragraph() {
    let mut document = document(vec![paragraph_with_note("called", 1)]);
    document.footnotes.insert(1, note(&["note"]));
    let mut own = separator(&[""], true);
    if let Some(NoteSeparator { blocks, .. }) = &mut own {
        *blocks = vec![text(&[""]).with_properties(|p| p.spacing.after = 10.0).into_block()];
    }
    document.footnote_separators.separator = own;
    let pages = lay_out(&document);
    let (line, _) = rectangles(&pages, 0)[0];
    assert_near(line.width, 144.0);
    // The note is on the page's last line. Its separator ends 20 points above the page's end and its paragraph is 30 points
    // high.
    assert_near(line.y, 250.0 - LINE - 10.0 - LINE / 2.0);
}

#[test]
fn continued_notes_have_a_notice_and_their_own_separator() {
    let lines: Vec<String> = (1..=14).map(|n| format!("n{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let mut blocks = numbered_paragraphs("a", 3);
    blocks.push(paragraph_with_note("called", 1));
    let mut document = document(blocks);
    document.footnotes.insert(1, note(&lines));
    document.footnote_separators = NoteSeparators {
        separator: separator(&["first"], false),
        continuation: separator(&["again"], false),
        continuation_notice: Some(vec![text(&["see over"]).into_block()]),
    };
    let pages = lay_out(&document);
    assert_eq!((page_of(&pages, "first"), page_of(&pages, "see over"), page_of(&pages, "again")), (0, 0, 1));
    assert_near(find_text(&pages, "see over").y - find_text(&pages, "n4").y, LINE);
    assert_eq!((page_of(&pages, "n4"), page_of(&pages, "n5")), (0, 1), "separator and notice take a line each");
}

#[test]
fn notes_may_be_directly_below_the_text() {
    let mut document = document(vec![paragraph_with_note("called", 1)]);
    document.footnotes.insert(1, note(&["note"]));
    document.footnote_separators.separator = separator(&["line"], false);
    document.settings.footnotes.position = NotePosition::BeneathText;
    let pages = lay_out(&document);
    assert!(find_text(&pages, "note").y < 120.0, "{:?}", find_text(&pages, "note"));
}

#[test]
fn notes_of_two_sections_on_a_page_are_one_below_the_other() {
    let continuous = SectionProperties { start: SectionStart::Continuous, ..small_page() };
    let section = |properties, blocks| Section { properties, blocks, ..Section::default() };
    let mut document = document(Vec::new());
    document.sections = vec![
        section(small_page(), vec![paragraph_with_note("one", 1)]),
        section(continuous, vec![paragraph_with_note("two", 2)]),
    ];
    document.footnotes.insert(1, note(&["first"]));
    document.footnotes.insert(2, note(&["second"]));
    let pages = lay_out(&document);
    assert_near(find_text(&pages, "second").y - find_text(&pages, "first").y, LINE);
}

#[test]
fn notes_referenced_in_a_floating_table_are_laid_out() {
    let mut floating = table(&[100.0], vec![row(vec![cell(&[""])])]);
    floating.rows[0].cells[0].blocks = vec![paragraph_with_note("cell", 1)];
    floating.properties.position = Some(TablePosition {
        horizontal_anchor: FrameAnchor::Text,
        vertical_anchor: FrameAnchor::Text,
        x: Some(PositionValue::Offset(0.0)),
        y: Some(PositionValue::Offset(0.0)),
        distance_left: 0.0,
        distance_right: 0.0,
        distance_top: 0.0,
        distance_bottom: 0.0,
        allow_overlap: true,
    });
    let mut document = document(vec![Block::Table(floating), text(&["after"]).into_block()]);
    document.footnotes.insert(1, note(&["note of the table"]));
    assert_eq!(page_of(&lay_out(&document), "note of the table"), 0);
}

#[test]
fn the_space_after_the_last_note_of_a_page_is_dropped() {
    let spaced =
        |name: &str| Note { blocks: vec![text(&[name]).with_properties(|p| p.spacing.after = 8.0).into_block()] };
    let mut blocks = vec![paragraph_with_note("a", 1), paragraph_with_note("b", 2)];
    // The separator, two notes and the space between them leave space for six lines on the 200 points of the page.
    blocks.extend(numbered_paragraphs("c", 4));
    let mut document = document(blocks);
    document.footnotes.insert(1, spaced("first"));
    document.footnotes.insert(2, spaced("second"));
    document.footnote_separators.separator = separator(&["---"], false);
    let pages = lay_out(&document);
    assert_eq!(pages.pages.len(), 1);
    assert_near(find_text(&pages, "second").y - find_text(&pages, "first").y, LINE + 8.0);
    // Four fifths of a line with exact height are above its baseline.
    assert_near(find_text(&pages, "second").y, 250.0 - LINE * 0.2);
}

#[test]
fn a_note_may_use_the_space_of_a_paragraph_that_moved_to_the_next_page() {
    let mut blocks = numbered_paragraphs("a", 6);
    blocks.push(paragraph_with_note("called", 1));
    // Its space before is larger than the space left above the note.
    blocks.push(text(&["next"]).with_properties(|p| p.spacing.before = 25.0).into_block());
    let mut document = document(blocks);
    document.footnotes.insert(1, note(&["note"]));
    document.footnote_separators.separator = separator(&["* * *"], false);
    let pages = lay_out(&document);
    assert_eq!(page_of(&pages, "next"), 1);
    assert_eq!(page_of(&pages, "note"), 0, "7 lines, a separator and a note: 180 of 200");
}

#[test]
fn balanced_columns_are_not_shortened_by_their_notes() {
    let columns = Columns { count: 2, space: 20.0, ..Columns::default() };
    let first = SectionProperties { columns, ..small_page() };
    let next = SectionProperties { start: SectionStart::Continuous, ..small_page() };
    let mut blocks = vec![paragraph_with_note("c", 1)];
    blocks.extend((2..=4).map(|n| text(&[&format!("c{n}")]).into_block()));
    let mut document = sections(vec![section(first, blocks), section(next, vec![text(&["after"]).into_block()])]);
    document.footnotes.insert(1, note(&["note"]));
    let pages = lay_out(&document);
    assert_eq!(pages.pages.len(), 1);
    let (one, three) = (find_text(&pages, "c1"), find_text(&pages, "c3"));
    assert_near(three.y, one.y);
    assert!(three.x > one.x + 100.0, "two lines in either column");
    assert_near(find_text(&pages, "after").y - find_text(&pages, "c2").y, LINE);
    assert!(find_text(&pages, "note").y > 200.0, "at the foot of the page");
}
