//! Text that flows through a chain of text boxes.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;
use waraq_layout::Pages;

/// Creates a text box without insets. `id` identifies it in the chains.
fn text_box(id: usize, blocks: Vec<Block>) -> Shape {
    Shape {
        geometry: Geometry::Rectangle,
        turn: Orientation::default(),
        fill: None,
        stroke: None,
        text: Some(TextBox { id: Some(TextBoxId(id)), blocks, ..TextBox::default() }),
        text_area: None,
    }
}

/// Creates an anchored drawing of a shape, at a position relative to the column and the paragraph.
fn anchored_shape(shape: Shape, size: (f32, f32), x: f32, y: f32) -> Content {
    let placement = Placement::Anchored(Box::new(anchor(x, y, Wrap::None)));
    let graphic = Graphic::Shape(Box::new(shape));
    drawing(Drawing {
        id: NodeId::default(),
        width: size.0,
        height: size.1,
        placement,
        graphic,
        description: None,
        link: None,
    })
}

/// Creates a text box with its left edge `id` times 100 points from the left edge of the column.
fn text_box_at_index(id: usize, size: (f32, f32), blocks: Vec<Block>) -> Content {
    anchored_shape(text_box(id, blocks), size, 100.0 * id as f32, 0.0)
}

/// Creates a document in which the text boxes with these ids are linked to chains.
fn document_with_chains(blocks: Vec<Block>, chains: &[&[usize]]) -> Document {
    let ids = |chain: &&[usize]| chain.iter().map(|id| TextBoxId(*id)).collect();
    Document { text_chains: chains.iter().map(ids).collect(), ..document(blocks) }
}

/// Returns the texts in the text box whose left edge is `x` points from that of the column, from top to bottom.
fn texts_at(pages: &Pages, x: f32) -> Vec<String> {
    let inside = |found: &&PlacedText| (found.x - 50.0 - x) > -0.5 && found.x - 50.0 - x < 99.0;
    placed_texts(pages).iter().filter(inside).map(|found| found.text.clone()).collect()
}

fn cut_off(pages: &Pages) -> bool {
    pages.warnings.iter().any(|warning| warning.code == "text_cut_off")
}

#[test]
fn text_that_does_not_fit_continues_in_the_next_box() {
    let anchors = text(&[])
        .with_content(text_box_at_index(0, (90.0, 2.0 * LINE), numbered_paragraphs("a", 7)))
        .with_content(text_box_at_index(1, (90.0, 3.0 * LINE), vec![]))
        .with_content(text_box_at_index(2, (90.0, 2.0 * LINE), vec![]));
    let pages = lay_out(&document_with_chains(vec![anchors.into_block()], &[&[0, 1, 2]]));
    assert_eq!(texts_at(&pages, 0.0), ["a1", "a2"]);
    assert_eq!(texts_at(&pages, 100.0), ["a3", "a4", "a5"]);
    assert_eq!(texts_at(&pages, 200.0), ["a6", "a7"]);
    assert_near(find_text(&pages, "a3").y, find_text(&pages, "a1").y);
    assert!(find_text(&pages, "a6").tagged);
    assert!(pages.warnings.is_empty(), "{:?}", pages.warnings);
}

#[test]
fn only_the_last_box_cuts_text_off_and_adds_a_warning() {
    let make = |lines: usize| {
        let first = text_box_at_index(0, (90.0, 2.0 * LINE), numbered_paragraphs("a", lines));
        let anchors = text(&[]).with_content(first).with_content(text_box_at_index(1, (90.0, 2.0 * LINE), vec![]));
        lay_out(&document_with_chains(vec![anchors.into_block()], &[&[0, 1]]))
    };
    assert!(!cut_off(&make(4)));
    let pages = make(5);
    assert!(cut_off(&pages));
    // Clipped text is still part of the page's items.
    assert_eq!(texts_at(&pages, 100.0), ["a3", "a4", "a5"]);
}

#[test]
fn a_paragraph_continues_with_the_line_width_of_the_next_box() {
    let words = text(&[&"word ".repeat(40)]).into_block();
    let anchors = text(&[])
        .with_content(text_box_at_index(0, (90.0, 2.0 * LINE), vec![words]))
        .with_content(text_box_at_index(1, (180.0, 12.0 * LINE), vec![]));
    let pages = lay_out(&document_with_chains(vec![anchors.into_block()], &[&[0, 1]]));
    let all = placed_texts(&pages);
    let words = |lines: &[&PlacedText]| lines.iter().map(|line| line.text.split(' ').count()).sum::<usize>();
    let (first, second): (Vec<&PlacedText>, Vec<&PlacedText>) = all.iter().partition(|found| found.x < 149.0);
    assert_eq!(first.len(), 2);
    assert_eq!(words(&first) + words(&second), 40, "each word once");
    assert!(second[0].text.len() > first[0].text.len() * 3 / 2, "{:?} {:?}", first[0].text, second[0].text);
}

#[test]
fn a_linked_box_may_precede_the_first_or_be_on_another_page() {
    let before =
        text(&[]).with_content(anchored_shape(text_box(1, vec![]), (90.0, 2.0 * LINE), 200.0, 0.0)).into_block();
    let first = text_box_at_index(0, (90.0, 2.0 * LINE), numbered_paragraphs("a", 6));
    let last = anchored_shape(text_box(2, vec![]), (90.0, 2.0 * LINE), 0.0, 0.0);
    let mut blocks = vec![before];
    blocks.extend(numbered_paragraphs("body", 4));
    blocks.push(text(&[]).with_content(first).into_block());
    blocks.push(
        text(&["next"])
            .with_properties(|properties| properties.page_break_before = true)
            .with_content(last)
            .into_block(),
    );
    let pages = lay_out(&document_with_chains(blocks, &[&[0, 1, 2]]));
    let place = |text: &str| (page_of(&pages, text), find_text(&pages, text).x.round() as i32);
    assert_eq!((place("a2"), place("a3"), place("a5")), ((0, 50), (0, 250), (1, 50)));
    assert!(!cut_off(&pages));
}

#[test]
fn linked_boxes_in_a_group_use_their_own_sizes() {
    let child = |id: usize, x: f32, lines: f32, blocks| GroupChild {
        x,
        y: 0.0,
        width: 90.0,
        height: lines * LINE,
        graphic: Graphic::Shape(Box::new(text_box(id, blocks))),
    };
    let children = vec![child(0, 0.0, 1.0, numbered_paragraphs("a", 3)), child(1, 100.0, 2.0, vec![])];
    let group = Graphic::Group(Group { children, ..Group::default() });
    let placement = Placement::Anchored(Box::new(anchor(0.0, 0.0, Wrap::None)));
    let group = drawing(Drawing {
        id: NodeId::default(),
        width: 190.0,
        height: 40.0,
        placement,
        graphic: group,
        description: None,
        link: None,
    });
    let pages = lay_out(&document_with_chains(vec![text(&[]).with_content(group).into_block()], &[&[0, 1]]));
    assert_eq!((texts_at(&pages, 0.0), texts_at(&pages, 100.0)), (vec!["a1".into()], vec!["a2".into(), "a3".into()]));
}

#[test]
fn a_box_that_grows_leaves_no_text_for_the_next() {
    let mut first = text_box(0, numbered_paragraphs("a", 3));
    first.text.as_mut().unwrap().auto_fit = true;
    let anchors = text(&[])
        .with_content(anchored_shape(first, (90.0, LINE), 0.0, 0.0))
        .with_content(text_box_at_index(1, (90.0, LINE), vec![]));
    let pages = lay_out(&document_with_chains(vec![anchors.into_block()], &[&[0, 1]]));
    assert_eq!((texts_at(&pages, 0.0).len(), texts_at(&pages, 100.0).len()), (3, 0));
}

#[test]
fn a_column_break_continues_in_the_next_box_and_a_page_break_is_ignored() {
    let broken =
        |kind| text(&["a1"]).with_content(Content::Break(kind)).with_content(Content::Text("a2".into())).into_block();
    let make = |kind| {
        let anchors = text(&[])
            .with_content(text_box_at_index(0, (90.0, 4.0 * LINE), vec![broken(kind)]))
            .with_content(text_box_at_index(1, (90.0, 4.0 * LINE), vec![]));
        let pages = lay_out(&document_with_chains(vec![anchors.into_block()], &[&[0, 1]]));
        (texts_at(&pages, 0.0).len(), texts_at(&pages, 100.0).len())
    };
    assert_eq!(make(Break::Column), (1, 1));
    assert_eq!(make(Break::Page), (2, 0));
}

#[test]
fn a_line_too_high_for_its_box_moves_to_the_next() {
    let anchors = text(&[])
        .with_content(text_box_at_index(0, (90.0, LINE / 2.0), numbered_paragraphs("a", 2)))
        .with_content(text_box_at_index(1, (90.0, LINE), vec![]))
        .with_content(text_box_at_index(2, (90.0, LINE), vec![]));
    let pages = lay_out(&document_with_chains(vec![anchors.into_block()], &[&[0, 1, 2]]));
    assert_eq!((texts_at(&pages, 0.0).len(), texts_at(&pages, 100.0).len(), texts_at(&pages, 200.0).len()), (0, 1, 1));
    assert!(!cut_off(&pages));
}

#[test]
fn tables_continue_in_the_next_box_without_losing_lines() {
    for width in [90.0, 70.0] {
        let lines: Vec<String> = (1..=5).map(|n| format!("c{n}")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let rows = vec![row(vec![cell(&["r1"])]), row(vec![cell(&lines)]), row(vec![cell(&["r3"])])];
        let table = Block::Table(table(&[60.0], rows));
        let anchors = text(&[])
            .with_content(text_box_at_index(0, (90.0, 3.0 * LINE), vec![table]))
            .with_content(text_box_at_index(1, (width, 7.0 * LINE), vec![]));
        let pages = lay_out(&document_with_chains(vec![anchors.into_block()], &[&[0, 1]]));
        let mut all = texts_at(&pages, 0.0);
        assert!(all.len() == 3 || width < 90.0, "a row is split between boxes of one width: {all:?}");
        all.extend(texts_at(&pages, 100.0));
        assert_eq!(all, ["r1", "c1", "c2", "c3", "c4", "c5", "r3"]);
    }
}

#[test]
fn a_chain_in_a_header_is_on_every_page() {
    let anchors = text(&[])
        .with_content(text_box_at_index(0, (90.0, LINE), numbered_paragraphs("h", 2)))
        .with_content(text_box_at_index(1, (90.0, LINE), vec![]));
    let mut document = document_with_chains(numbered_paragraphs("a", 12), &[&[0, 1]]);
    document.sections[0].headers.default = Some(std::sync::Arc::new(vec![anchors.into_block()]));
    let pages = lay_out(&document);
    for page in 0..2 {
        let here = page_text(&pages, page);
        assert!(here.contains(&"h1".to_owned()) && here.contains(&"h2".to_owned()), "{here:?}");
    }
}

#[test]
fn missing_and_repeated_boxes_in_a_chain_are_skipped() {
    let anchors = text(&[])
        .with_content(text_box_at_index(0, (90.0, LINE), numbered_paragraphs("a", 2)))
        .with_content(text_box_at_index(1, (90.0, LINE), vec![]));
    let blocks = vec![anchors.into_block()];
    let pages = lay_out(&document_with_chains(blocks.clone(), &[&[0, 7, 1, 1], &[9, 1], &[]]));
    assert_eq!((texts_at(&pages, 0.0).len(), texts_at(&pages, 100.0).len()), (1, 1));
    // The first box of the chain is not shown, so the other box has no text.
    assert_eq!(texts_at(&lay_out(&document_with_chains(blocks, &[&[9, 1]])), 100.0).len(), 0);
}

#[test]
fn a_chain_of_a_thousand_boxes_is_laid_out() {
    let size = (90.0, LINE);
    let mut anchors = text(&[]).with_content(text_box_at_index(0, size, numbered_paragraphs("a", 1_000)));
    for id in 1..1_000 {
        anchors = anchors.with_content(anchored_shape(text_box(id, vec![]), size, 0.0, 0.0));
    }
    let ids: Vec<usize> = (0..1_000).collect();
    let pages = lay_out(&document_with_chains(vec![anchors.into_block()], &[&ids]));
    assert_eq!(placed_texts(&pages).len(), 1_000);
    assert!(!cut_off(&pages));
}
