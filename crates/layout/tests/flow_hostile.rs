//! Documents with extreme sizes: no panic, no endless loop, and all text is present.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;

const ODD: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0e9, -50.0, 0.0, 1.0e9, f32::MAX];

#[test]
fn odd_page_sizes_still_give_pages() {
    for size in ODD {
        let mut document = document(numbered("a", 3));
        let properties = &mut document.sections[0].properties;
        properties.page_width = size;
        properties.page_height = size;
        properties.margins =
            PageMargins { top: size, bottom: size, left: size, right: size, header: size, footer: size, gutter: size };
        properties.columns.space = size;
        properties.columns.count = 3;
        let pages = set(&document);
        assert_eq!(texts(&pages).len(), 3, "{size}");
        assert!(pages.pages.iter().all(|page| page.width.is_finite() && page.height > 0.0));
    }
}

#[test]
fn odd_spacing_and_indents_lose_no_text() {
    for size in ODD {
        let odd = text(&["odd"]).with(|p| {
            p.spacing.before = size;
            p.spacing.after = size;
            p.indent = Indent { start: size, end: size, first_line: size };
        });
        let pages = set(&document(vec![odd.block(), text(&["next"]).block()]));
        assert!(texts(&pages).iter().any(|found| found.text == "next"), "{size}");
    }
}

#[test]
fn odd_tables_lose_no_text() {
    for size in ODD {
        let mut odd = cell(&["cell"]);
        odd.width = Width::Points(size);
        odd.margins = CellMargins { top: size, bottom: size, left: size, right: size };
        let mut table = table(&[size, size], vec![Row { height: RowHeight::AtLeast(size), ..row(vec![odd]) }]);
        table.properties.width = Width::Share(size);
        table.properties.indent = size;
        table.properties.cell_spacing = if size.is_nan() { size } else { 0.0 };
        for layout in [TableLayout::Fixed, TableLayout::AutoFit] {
            table.properties.layout = layout;
            let pages = set(&document(vec![Block::Table(table.clone()), text(&["after"]).block()]));
            assert!(texts(&pages).iter().any(|found| found.text == "after"), "{size}");
        }
    }
}

#[test]
fn odd_drawings_do_no_harm() {
    for size in ODD {
        for wrap in [Wrap::None, Wrap::Square(WrapSides::Both), Wrap::TopAndBottom] {
            let mut at = anchor(size, size, wrap);
            at.distance_left = size;
            at.distance_top = size;
            let content = picture(size, size, Placement::Anchored(Box::new(at)));
            let pages = set(&document(vec![text(&["one"]).and(content).block(), text(&["two"]).block()]));
            assert!(texts(&pages).iter().any(|found| found.text == "two"), "{size} {wrap:?}");
        }
    }
}

#[test]
fn spans_and_merges_out_of_bounds_are_cut() {
    let cells = vec![
        Cell { span: usize::MAX, ..cell(&["wide"]) },
        Cell { span: 0, vertical_merge: VerticalMerge::Continue, ..cell(&["orphan"]) },
    ];
    let odd = Row { grid_before: usize::MAX, grid_after: usize::MAX, ..row(cells) };
    let empty = row(Vec::new());
    let pages = set(&document(vec![Block::Table(table(&[], vec![empty, odd])), text(&["after"]).block()]));
    assert!(texts(&pages).iter().any(|found| found.text == "after"));
}

#[test]
fn deep_nesting_ends() {
    let mut inner = cell(&["deepest"]);
    for _ in 0..60 {
        let mut outer = cell(&["level"]);
        outer.blocks.push(Block::Table(table(&[50.0], vec![row(vec![inner])])));
        inner = outer;
    }
    let pages = set(&document(vec![Block::Table(table(&[50.0], vec![row(vec![inner])])), text(&["after"]).block()]));
    assert!(texts(&pages).iter().any(|found| found.text == "after"));
}

#[test]
fn pages_are_limited_with_a_warning() {
    let options = waraq_layout::Options { max_pages: 3, ..Default::default() };
    let pages = waraq_layout::layout(&document(numbered("a", 200)), book(), &options).unwrap();
    assert_eq!(pages.pages.len(), 3);
    assert!(pages.warnings.iter().any(|warning| warning.code == "too_many_pages"));
}

#[test]
fn a_header_higher_than_its_page_leaves_room_for_text() {
    let mut document = document(numbered("a", 5));
    let lines = vec!["h"; 40];
    document.sections[0].headers.default = Some(std::sync::Arc::new(vec![text(&lines).block()]));
    let pages = set(&document);
    assert!(texts(&pages).iter().any(|found| found.text == "a5"));
}

#[test]
fn a_line_higher_than_the_page_is_set_anyway() {
    let tall = text(&["tall"]).with(|p| p.spacing.line = LineSpacing::Exactly(2_000.0));
    let pages = set(&document(vec![tall.block(), text(&["after"]).block()]));
    assert_eq!(page_of(&pages, "after"), 1);
}

#[test]
fn notes_without_content_and_notes_that_call_themselves_end() {
    let called = text(&["called"]).and(Content::NoteReference { kind: NoteKind::Footnote, id: 1, custom: false });
    let missing = text(&["missing"]).and(Content::NoteReference { kind: NoteKind::Footnote, id: 99, custom: false });
    let mut document = document(vec![called.clone().block(), missing.block()]);
    document.footnotes.insert(1, Note { blocks: vec![called.block()] });
    assert!(!set(&document).pages.is_empty());
}

#[test]
fn nothing_at_all_is_no_page_and_an_empty_section_is_one() {
    assert!(set(&Document::default()).pages.is_empty());
    assert_eq!(set(&document(Vec::new())).pages.len(), 1);
}

#[test]
fn the_same_document_gives_the_same_pages() {
    let document = document(numbered("a", 30));
    assert_eq!(format!("{:?}", set(&document).pages), format!("{:?}", set(&document).pages));
}

#[test]
fn thousands_of_floats_in_one_paragraph_end() {
    let mut crowded = text(&["crowded"]);
    for index in 0..3_000 {
        let at = anchor(0.0, index as f32 * 0.01, Wrap::Square(WrapSides::Both));
        crowded = crowded.and(picture(290.0, 5.0, Placement::Anchored(Box::new(at))));
    }
    let pages = set(&document(vec![crowded.block(), text(&["after"]).block()]));
    assert!(texts(&pages).iter().any(|found| found.text == "after"));
}

#[test]
fn a_long_document_of_long_tables_ends() {
    let rows = (1..=2_000).map(|n| row(vec![cell(&[&format!("r{n}")]), cell(&["x"])])).collect();
    let mut blocks = numbered("a", 2_000);
    blocks.push(Block::Table(table(&[100.0, 100.0], rows)));
    let pages = set(&document(blocks));
    assert_eq!(pages.pages.len(), 400);
    assert_eq!(page_of(&pages, "r2000"), 399);
}

#[test]
fn breaks_without_end_in_a_cell_are_lines() {
    let mut broken = text(&["broken"]);
    for _ in 0..100_000 {
        broken = broken.and(Content::Break(Break::Page));
    }
    let mut inside = cell(&["cell"]);
    inside.blocks.push(broken.block());
    let pages = set(&document(vec![Block::Table(table(&[100.0], vec![row(vec![inside])])), text(&["after"]).block()]));
    assert!(texts(&pages).iter().any(|found| found.text == "broken"));
}

#[test]
fn turned_merged_cells_in_each_other_are_set_and_painted_once() {
    let turned = |blocks: Vec<Block>| {
        let merged =
            |vertical_merge, blocks| Cell { vertical_merge, text_direction: TextDirection::Up, blocks, ..cell(&[]) };
        let rows =
            vec![row(vec![merged(VerticalMerge::Restart, blocks)]), row(vec![merged(VerticalMerge::Continue, vec![])])];
        Block::Table(table(&[50.0], rows))
    };
    let narrow = set(&document(vec![turned(vec![text(&["a", "b", "c", "d", "e", "f"]).block()])]));
    assert_eq!(texts(&narrow).iter().filter(|found| found.text == "a").count(), 1);
    let mut inner = text(&["deep"]).block();
    for _ in 0..22 {
        inner = turned(vec![inner]);
    }
    let pages = set(&document(vec![inner, text(&["after"]).block()]));
    assert!(texts(&pages).iter().any(|found| found.text == "after"));
}

#[test]
fn of_a_header_longer_than_its_page_each_page_has_what_it_can_show() {
    let mut document = document(vec![text(&["body"]).with(|p| p.page_break_before = true).block(); 300]);
    document.sections[0].headers.default = Some(std::sync::Arc::new(numbered("h", 20_000)));
    let pages = set(&document);
    let last = pages.pages.last().unwrap();
    assert_eq!(pages.pages.len(), 300);
    assert!(last.items.len() < 100, "{}", last.items.len());
    assert!(
        texts(&pages).iter().any(|found| found.text == "h7") && texts(&pages).iter().any(|found| found.text == "body")
    );
}

#[test]
fn a_paragraph_of_lines_without_end_is_not_searched_through_for_every_page() {
    let mut long = text(&["begin"]);
    for _ in 0..120_000 {
        long = long.and(Content::Break(Break::Line));
    }
    assert_eq!(set(&document(vec![long.block()])).pages.len(), 2_000);
}

#[test]
fn nested_tables_over_pages_are_measured_once_at_each_level() {
    let mut inner = numbered("a", 400);
    for _ in 0..22 {
        inner = vec![
            Block::Table(table(&[100.0], vec![row(vec![Cell { blocks: inner, ..cell(&[]) }])])),
            text(&[""]).block(),
        ];
    }
    let pages = set(&document(inner));
    assert!(pages.pages.len() > 30);
    assert!(texts(&pages).iter().any(|found| found.text == "a400"));
}
