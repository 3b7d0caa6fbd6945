//! Documents with extreme sizes: no panic, no endless loop, and all text is present.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;

const EXTREME_SIZES: [f32; 8] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -1.0e9, -50.0, 0.0, 1.0e9, f32::MAX];

#[test]
fn odd_page_sizes_still_give_pages() {
    for size in EXTREME_SIZES {
        let mut document = document(numbered_paragraphs("a", 3));
        let properties = &mut document.sections[0].properties;
        properties.page_width = size;
        properties.page_height = size;
        properties.margins =
            PageMargins { top: size, bottom: size, left: size, right: size, header: size, footer: size, gutter: size };
        properties.columns.space = size;
        properties.columns.count = 3;
        let pages = lay_out(&document);
        assert_eq!(placed_texts(&pages).len(), 3, "{size}");
        assert!(pages.pages.iter().all(|page| page.width.is_finite() && page.height > 0.0));
    }
}

#[test]
fn odd_spacing_and_indents_lose_no_text() {
    for size in EXTREME_SIZES {
        let odd = text(&["odd"]).with_properties(|p| {
            p.spacing.before = size;
            p.spacing.after = size;
            p.indent = Indent { start: size, end: size, first_line: size };
        });
        let pages = lay_out(&document(vec![odd.into_block(), text(&["next"]).into_block()]));
        assert!(placed_texts(&pages).iter().any(|found| found.text == "next"), "{size}");
    }
}

#[test]
fn odd_tables_lose_no_text() {
    for size in EXTREME_SIZES {
        let mut odd = cell(&["cell"]);
        odd.width = Width::Points(size);
        odd.margins = CellMargins { top: size, bottom: size, left: size, right: size };
        let mut table = table(&[size, size], vec![Row { height: RowHeight::AtLeast(size), ..row(vec![odd]) }]);
        table.properties.width = Width::Fraction(size);
        table.properties.indent = size;
        table.properties.cell_spacing = if size.is_nan() { size } else { 0.0 };
        for layout in [TableLayout::Fixed, TableLayout::AutoFit] {
            table.properties.layout = layout;
            let pages = lay_out(&document(vec![Block::Table(table.clone()), text(&["after"]).into_block()]));
            assert!(placed_texts(&pages).iter().any(|found| found.text == "after"), "{size}");
        }
    }
}

#[test]
fn odd_drawings_do_no_harm() {
    for size in EXTREME_SIZES {
        for wrap in [Wrap::None, Wrap::Square(WrapSides::Both), Wrap::TopAndBottom] {
            let mut at = anchor(size, size, wrap);
            at.distance_left = size;
            at.distance_top = size;
            let content = picture(size, size, Placement::Anchored(Box::new(at)));
            let pages = lay_out(&document(vec![
                text(&["one"]).with_content(content).into_block(),
                text(&["two"]).into_block(),
            ]));
            assert!(placed_texts(&pages).iter().any(|found| found.text == "two"), "{size} {wrap:?}");
        }
    }
}

#[test]
fn spans_and_merges_out_of_bounds_are_limited() {
    let cells = vec![
        Cell { span: usize::MAX, ..cell(&["wide"]) },
        Cell { span: 0, vertical_merge: VerticalMerge::Continue, ..cell(&["orphan"]) },
    ];
    let odd = Row { grid_before: usize::MAX, grid_after: usize::MAX, ..row(cells) };
    let empty = row(Vec::new());
    let pages = lay_out(&document(vec![Block::Table(table(&[], vec![empty, odd])), text(&["after"]).into_block()]));
    assert!(placed_texts(&pages).iter().any(|found| found.text == "after"));
}

#[test]
fn deeply_nested_tables_are_limited() {
    let mut inner = cell(&["deepest"]);
    for _ in 0..60 {
        let mut outer = cell(&["level"]);
        outer.blocks.push(Block::Table(table(&[50.0], vec![row(vec![inner])])));
        inner = outer;
    }
    let pages =
        lay_out(&document(vec![Block::Table(table(&[50.0], vec![row(vec![inner])])), text(&["after"]).into_block()]));
    assert!(placed_texts(&pages).iter().any(|found| found.text == "after"));
}

#[test]
fn pages_are_limited_with_a_warning() {
    let options = waraq_layout::LayoutOptions { max_pages: 3, ..Default::default() };
    let pages = waraq_layout::layout(&document(numbered_paragraphs("a", 200)), book(), &options).unwrap();
    assert_eq!(pages.pages.len(), 3);
    assert!(pages.warnings.iter().any(|warning| warning.code == "too_many_pages"));
}

#[test]
fn a_header_higher_than_its_page_leaves_space_for_text() {
    let mut document = document(numbered_paragraphs("a", 5));
    let lines = vec!["h"; 40];
    document.sections[0].headers.default = Some(std::sync::Arc::new(vec![text(&lines).into_block()]));
    let pages = lay_out(&document);
    assert!(placed_texts(&pages).iter().any(|found| found.text == "a5"));
}

#[test]
fn a_line_higher_than_the_page_is_laid_out_anyway() {
    let tall = text(&["tall"]).with_properties(|p| p.spacing.line = LineSpacing::Exactly(2_000.0));
    let pages = lay_out(&document(vec![tall.into_block(), text(&["after"]).into_block()]));
    assert_eq!(page_of(&pages, "after"), 1);
}

#[test]
fn missing_notes_and_notes_that_reference_themselves_are_laid_out() {
    let called =
        text(&["called"]).with_content(Content::NoteReference { kind: NoteKind::Footnote, id: 1, custom: false });
    let missing =
        text(&["missing"]).with_content(Content::NoteReference { kind: NoteKind::Footnote, id: 99, custom: false });
    let mut document = document(vec![called.clone().into_block(), missing.into_block()]);
    document.footnotes.insert(1, Note { blocks: vec![called.into_block()] });
    assert!(!lay_out(&document).pages.is_empty());
}

#[test]
fn an_empty_document_has_no_page_and_an_empty_section_has_one() {
    assert!(lay_out(&Document::default()).pages.is_empty());
    assert_eq!(lay_out(&document(Vec::new())).pages.len(), 1);
}

#[test]
fn the_same_document_gives_the_same_pages() {
    let document = document(numbered_paragraphs("a", 30));
    assert_eq!(format!("{:?}", lay_out(&document).pages), format!("{:?}", lay_out(&document).pages));
}

#[test]
fn thousands_of_floats_in_one_paragraph_are_limited() {
    let mut crowded = text(&["crowded"]);
    for index in 0..3_000 {
        let at = anchor(0.0, index as f32 * 0.01, Wrap::Square(WrapSides::Both));
        crowded = crowded.with_content(picture(290.0, 5.0, Placement::Anchored(Box::new(at))));
    }
    let pages = lay_out(&document(vec![crowded.into_block(), text(&["after"]).into_block()]));
    assert!(placed_texts(&pages).iter().any(|found| found.text == "after"));
}

#[test]
fn a_long_document_with_a_long_table_is_complete() {
    let rows = (1..=2_000).map(|n| row(vec![cell(&[&format!("r{n}")]), cell(&["x"])])).collect();
    let mut blocks = numbered_paragraphs("a", 2_000);
    blocks.push(Block::Table(table(&[100.0, 100.0], rows)));
    let pages = lay_out(&document(blocks));
    assert_eq!(pages.pages.len(), 400);
    assert_eq!(page_of(&pages, "r2000"), 399);
}

#[test]
fn page_breaks_in_a_cell_are_line_breaks() {
    let mut broken = text(&["broken"]);
    for _ in 0..100_000 {
        broken = broken.with_content(Content::Break(Break::Page));
    }
    let mut inside = cell(&["cell"]);
    inside.blocks.push(broken.into_block());
    let pages =
        lay_out(&document(vec![Block::Table(table(&[100.0], vec![row(vec![inside])])), text(&["after"]).into_block()]));
    assert!(placed_texts(&pages).iter().any(|found| found.text == "broken"));
}

#[test]
fn nested_rotated_merged_cells_are_laid_out_and_painted_once() {
    let turned = |blocks: Vec<Block>| {
        let merged =
            |vertical_merge, blocks| Cell { vertical_merge, text_direction: TextDirection::Up, blocks, ..cell(&[]) };
        let rows =
            vec![row(vec![merged(VerticalMerge::Restart, blocks)]), row(vec![merged(VerticalMerge::Continue, vec![])])];
        Block::Table(table(&[50.0], rows))
    };
    let narrow = lay_out(&document(vec![turned(vec![text(&["a", "b", "c", "d", "e", "f"]).into_block()])]));
    assert_eq!(placed_texts(&narrow).iter().filter(|found| found.text == "a").count(), 1);
    let mut inner = text(&["deep"]).into_block();
    for _ in 0..22 {
        inner = turned(vec![inner]);
    }
    let pages = lay_out(&document(vec![inner, text(&["after"]).into_block()]));
    assert!(placed_texts(&pages).iter().any(|found| found.text == "after"));
}

#[test]
fn a_very_long_header_is_laid_out_only_as_far_as_it_is_shown() {
    let mut document =
        document(vec![text(&["body"]).with_properties(|p| p.page_break_before = true).into_block(); 300]);
    document.sections[0].headers.default = Some(std::sync::Arc::new(numbered_paragraphs("h", 20_000)));
    let pages = lay_out(&document);
    let last = pages.pages.last().unwrap();
    assert_eq!(pages.pages.len(), 300);
    assert!(last.items.len() < 100, "{}", last.items.len());
    assert!(
        placed_texts(&pages).iter().any(|found| found.text == "h7")
            && placed_texts(&pages).iter().any(|found| found.text == "body")
    );
}

#[test]
fn a_very_long_paragraph_is_not_searched_for_every_page() {
    let mut long = text(&["begin"]);
    for _ in 0..120_000 {
        long = long.with_content(Content::Break(Break::Line));
    }
    assert_eq!(lay_out(&document(vec![long.into_block()])).pages.len(), 2_000);
}

#[test]
fn nested_tables_over_pages_are_measured_once_at_each_level() {
    let mut inner = numbered_paragraphs("a", 400);
    for _ in 0..22 {
        inner = vec![
            Block::Table(table(&[100.0], vec![row(vec![Cell { blocks: inner, ..cell(&[]) }])])),
            text(&[""]).into_block(),
        ];
    }
    let pages = lay_out(&document(inner));
    assert!(pages.pages.len() > 30);
    assert!(placed_texts(&pages).iter().any(|found| found.text == "a400"));
}
