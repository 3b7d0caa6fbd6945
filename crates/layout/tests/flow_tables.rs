//! Tables: widths, spans, splits, headers, borders, direction.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;

#[test]
fn cells_are_in_their_grid_columns() {
    let table =
        table(&[100.0, 150.0], vec![row(vec![cell(&["a"]), cell(&["b"])]), row(vec![cell(&["c"]), cell(&["d"])])]);
    let pages = lay_out(&document(vec![Block::Table(table)]));
    assert_near(find_text(&pages, "a").x, 55.0);
    assert_near(find_text(&pages, "b").x, 155.0);
    assert_near(find_text(&pages, "d").y - find_text(&pages, "b").y, LINE);
}

#[test]
fn in_old_documents_the_cell_margin_is_outside_the_text_column() {
    let mut document = document(vec![Block::Table(table(&[100.0], vec![row(vec![cell(&["a"])])]))]);
    document.settings.compatibility_mode = 12;
    assert_near(find_text(&lay_out(&document), "a").x, 50.0);
}

#[test]
fn relative_widths_include_the_cell_margins_in_old_documents() {
    let column = |mode: u8, share: f32| {
        let mut table = table(&[], vec![row(vec![cell(&["a"]), cell(&["b"])])]);
        table.properties.width = Width::Fraction(share);
        let mut document = document(vec![Block::Table(table)]);
        document.settings.compatibility_mode = mode;
        let pages = lay_out(&document);
        find_text(&pages, "b").x - find_text(&pages, "a").x
    };
    // Two columns divide 300 points, and up to mode 14 also the margins of 5 points at both sides.
    assert_near(column(15, 1.0), 150.0);
    assert_near(column(14, 1.0), 155.0);
    assert_near(column(12, 0.5), 77.5);
}

#[test]
fn spans_and_grid_before_shift_cells() {
    let wide = Cell { span: 2, ..cell(&["wide"]) };
    let late = Row { grid_before: 1, ..row(vec![cell(&["late"])]) };
    let table = table(&[80.0, 80.0, 80.0], vec![row(vec![wide, cell(&["right"])]), late]);
    let pages = lay_out(&document(vec![Block::Table(table)]));
    assert_near(find_text(&pages, "right").x, 50.0 + 160.0 + 5.0);
    assert_near(find_text(&pages, "late").x, 50.0 + 80.0 + 5.0);
}

#[test]
fn a_right_to_left_table_is_mirrored() {
    let mut table = table(&[100.0, 150.0], vec![row(vec![cell(&["a"]), cell(&["b"])])]);
    table.properties.bidi_visual = true;
    let pages = lay_out(&document(vec![Block::Table(table)]));
    // Columns are counted from the right margin: the first one is the rightmost.
    assert_near(find_text(&pages, "a").x, 350.0 - 100.0 + 5.0);
    assert_near(find_text(&pages, "b").x, 350.0 - 250.0 + 5.0);
}

#[test]
fn alignment_and_indent_move_the_table() {
    let make = |alignment, indent| {
        let mut table = table(&[100.0], vec![row(vec![cell(&["a"])])]);
        table.properties.alignment = alignment;
        table.properties.indent = indent;
        find_text(&lay_out(&document(vec![Block::Table(table)])), "a").x
    };
    assert_near(make(Justification::Start, 20.0), 75.0);
    assert_near(make(Justification::Center, 0.0), 50.0 + 100.0 + 5.0);
    assert_near(make(Justification::End, 0.0), 50.0 + 200.0 + 5.0);
}

#[test]
fn repeated_header_rows_are_artifacts() {
    let mut rows = vec![Row { header: true, ..row(vec![cell(&["head"])]) }];
    rows.extend((1..=15).map(|n| row(vec![cell(&[&format!("r{n}")])])));
    let pages = lay_out(&document(vec![Block::Table(table(&[200.0], rows))]));
    assert_eq!(pages.pages.len(), 2);
    assert_eq!(page_text(&pages, 1).first().map(String::as_str), Some("head"));
    let heads: Vec<_> =
        placed_texts(&pages).into_iter().filter(|found| found.text == "head").map(|f| f.tagged).collect();
    assert_eq!(heads, [true, false]);
    assert_eq!(page_of(&pages, "r10"), 1);
}

#[test]
fn an_auto_fit_table_is_not_wider_than_the_text_column() {
    let right_cell = |mode: u8, indent: f32, width: Width| {
        let asks = |text: &str| Cell { width: Width::Points(250.0), ..cell(&[text]) };
        let mut table = table(&[250.0, 250.0], vec![row(vec![asks("a"), asks("b")])]);
        table.properties.layout = TableLayout::AutoFit;
        (table.properties.indent, table.properties.width) = (indent, width);
        let mut document = document(vec![Block::Table(table)]);
        document.settings.compatibility_mode = mode;
        find_text(&lay_out(&document), "b").x
    };
    // The text is 300 points wide and begins at 50. The cell margins are 5 points.
    assert_near(right_cell(15, 0.0, Width::Auto), 50.0 + 150.0 + 5.0);
    assert_near(right_cell(15, 40.0, Width::Auto), 50.0 + 40.0 + 130.0 + 5.0);
    assert_near(right_cell(14, 0.0, Width::Auto), 50.0 - 5.0 + 155.0 + 5.0);
    assert_near(right_cell(14, 40.0, Width::Auto), 50.0 + 40.0 - 5.0 + 135.0 + 5.0);
    assert_near(right_cell(14, 40.0, Width::Fraction(1.0)), 50.0 + 40.0 - 5.0 + 155.0 + 5.0);
    assert_near(right_cell(14, 0.0, Width::Points(500.0)), 50.0 - 5.0 + 250.0 + 5.0);
}

#[test]
fn header_rows_stay_together_even_without_other_rows() {
    let make = |rows: usize| {
        let mut blocks = numbered_paragraphs("a", 3);
        let head = |n| Row { header: true, ..row(vec![cell(&[&format!("h{n}")])]) };
        blocks.push(Block::Table(table(&[200.0], (1..=rows).map(head).collect())));
        lay_out(&document(blocks))
    };
    assert_eq!(page_of(&make(7), "h1"), 0);
    let moved = make(8);
    assert_eq!((page_of(&moved, "h1"), page_of(&moved, "h8"), moved.pages.len()), (1, 1, 2));
    let longer_than_a_page = make(12);
    assert_eq!((page_of(&longer_than_a_page, "h1"), page_of(&longer_than_a_page, "h11")), (1, 2));
    assert_eq!(placed_texts(&longer_than_a_page).len(), 15, "every line once");
}

#[test]
fn page_break_before_in_the_first_cell_applies_to_the_row() {
    let breaking = || Cell {
        blocks: vec![text(&["new"]).with_properties(|p| p.page_break_before = true).into_block()],
        ..cell(&[])
    };
    let make = |at: usize, before: usize, second: bool| {
        let mut rows: Vec<Row> = (0..3).map(|n| row(vec![cell(&[&format!("r{n}")]), cell(&["x"])])).collect();
        rows[at].cells[usize::from(second)] = breaking();
        let mut blocks = numbered_paragraphs("a", before);
        blocks.push(Block::Table(table(&[100.0, 100.0], rows)));
        let pages = lay_out(&document(blocks));
        (pages.pages.len(), page_of(&pages, "new"))
    };
    assert_eq!(make(1, 1, false), (2, 1));
    assert_eq!(make(0, 1, false), (2, 1));
    assert_eq!(make(0, 0, false), (1, 0), "no empty page before the first");
    assert_eq!(make(1, 1, true), (1, 0));
    let tall = Cell { vertical_merge: VerticalMerge::Restart, ..cell(&["m1", "m2", "m3"]) };
    let rest = Cell { vertical_merge: VerticalMerge::Continue, ..cell(&[""]) };
    let rows = vec![row(vec![cell(&["r0"]), tall]), row(vec![breaking(), rest])];
    let merged = lay_out(&document(vec![Block::Table(table(&[100.0, 100.0], rows))]));
    assert_eq!((page_of(&merged, "new"), placed_texts(&merged).len()), (1, 5), "nothing of a merged cell is lost");
}

#[test]
fn a_row_is_split_unless_it_must_stay_together() {
    let lines: Vec<String> = (1..=6).map(|n| format!("x{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let make = |keep_together| {
        let mut blocks = numbered_paragraphs("a", 7);
        let row = Row { keep_together, ..row(vec![cell(&lines), cell(&["short"])]) };
        blocks.push(Block::Table(table(&[100.0, 100.0], vec![row])));
        lay_out(&document(blocks))
    };
    let split = make(false);
    assert_eq!((page_of(&split, "x3"), page_of(&split, "x4"), page_of(&split, "short")), (0, 1, 0));
    let whole = make(true);
    assert_eq!((page_of(&whole, "x1"), page_of(&whole, "x6")), (1, 1));
}

#[test]
fn a_row_longer_than_a_page_is_split_even_if_it_must_stay_together() {
    let lines: Vec<String> = (1..=25).map(|n| format!("x{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let row = Row { keep_together: true, ..row(vec![cell(&lines)]) };
    let pages = lay_out(&document(vec![Block::Table(table(&[100.0], vec![row]))]));
    assert_eq!(pages.pages.len(), 3);
    assert_eq!(page_of(&pages, "x25"), 2);
}

#[test]
fn nested_tables_split_with_their_row() {
    let inner: Vec<Row> = (1..=15).map(|n| row(vec![cell(&[&format!("n{n}")])])).collect();
    let mut outer = cell(&["before"]);
    outer.blocks.push(Block::Table(table(&[80.0], inner)));
    outer.blocks.push(text(&["after"]).into_block());
    let pages = lay_out(&document(vec![Block::Table(table(&[150.0], vec![row(vec![outer])]))]));
    assert_eq!(pages.pages.len(), 2);
    assert_eq!((page_of(&pages, "n9"), page_of(&pages, "n10"), page_of(&pages, "after")), (0, 1, 1));
    let all = placed_texts(&pages).len();
    assert_eq!(all, 17, "every line once");
}

#[test]
fn a_merged_cell_covers_its_rows() {
    let tall = Cell {
        vertical_merge: VerticalMerge::Restart,
        vertical_alignment: VerticalAlignment::Bottom,
        ..cell(&["tall"])
    };
    let rest = Cell { vertical_merge: VerticalMerge::Continue, ..cell(&[""]) };
    let table = table(&[100.0, 100.0], vec![row(vec![tall, cell(&["a"])]), row(vec![rest, cell(&["b"])])]);
    let pages = lay_out(&document(vec![Block::Table(table)]));
    assert_near(find_text(&pages, "tall").y, find_text(&pages, "b").y);
}

#[test]
fn a_merged_cell_longer_than_its_rows_stretches_the_last() {
    let tall = Cell { vertical_merge: VerticalMerge::Restart, ..cell(&["1", "2", "3", "4"]) };
    let rest = Cell { vertical_merge: VerticalMerge::Continue, ..cell(&[""]) };
    let table = table(&[100.0, 100.0], vec![row(vec![tall, cell(&["a"])]), row(vec![rest, cell(&["b"])])]);
    let pages = lay_out(&document(vec![Block::Table(table), text(&["below"]).into_block()]));
    assert_near(find_text(&pages, "b").y - find_text(&pages, "a").y, LINE);
    assert_near(find_text(&pages, "below").y - find_text(&pages, "a").y, 4.0 * LINE);
}

#[test]
fn row_heights_follow_their_rule() {
    let make = |height| {
        let tall = Row { height, ..row(vec![cell(&["1", "2"])]) };
        let pages = lay_out(&document(vec![Block::Table(table(&[100.0], vec![tall])), text(&["below"]).into_block()]));
        find_text(&pages, "below").y - find_text(&pages, "1").y
    };
    assert_near(make(RowHeight::Auto), 40.0);
    assert_near(make(RowHeight::AtLeast(60.0)), 60.0);
    assert_near(make(RowHeight::AtLeast(10.0)), 40.0);
    assert_near(make(RowHeight::Exactly(25.0)), 25.0);
}

#[test]
fn the_heavier_border_wins_and_is_drawn_once() {
    let upper = Cell { borders: TableBorders { bottom: line_border(3.0), ..TableBorders::default() }, ..cell(&["a"]) };
    let lower = Cell { borders: TableBorders { top: line_border(0.5), ..TableBorders::default() }, ..cell(&["b"]) };
    let pages = lay_out(&document(vec![Block::Table(table(&[100.0], vec![row(vec![upper]), row(vec![lower])]))]));
    let lines = rectangles(&pages, 0);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_near(lines[0].0.height, 3.0);
}

#[test]
fn auto_fit_columns_are_as_wide_as_their_longest_word() {
    let mut table = table(&[20.0, 20.0], vec![row(vec![cell(&["Unbreakableword"]), cell(&["x"])])]);
    table.properties.layout = TableLayout::AutoFit;
    let pages = lay_out(&document(vec![Block::Table(table)]));
    let word = find_text(&pages, "Unbreakableword");
    assert!(find_text(&pages, "x").x > word.x + 50.0);
}

#[test]
fn tables_have_structure_elements_for_rows_and_cells() {
    let head = Row { header: true, ..row(vec![cell(&["h"])]) };
    let pages = lay_out(&document(vec![Block::Table(table(&[100.0], vec![head, row(vec![cell(&["c"])])]))]));
    use waraq_layout::ElementKind::*;
    let kinds: Vec<_> = pages.structure.iter().map(|element| element.kind.clone()).collect();
    assert_eq!(
        kinds,
        [
            Table,
            TableRow,
            TableHeader { of_row: false, columns: 1, rows: 1 },
            Paragraph,
            TableRow,
            TableCell { columns: 1, rows: 1 },
            Paragraph
        ]
    );
}

#[test]
fn header_columns_have_header_cells_and_layout_tables_have_no_table_element() {
    use waraq_layout::ElementKind::*;
    let kinds = |table: waraq_docx::tree::Table| -> Vec<_> {
        let pages = lay_out(&document(vec![Block::Table(table)]));
        pages.structure.iter().map(|element| element.kind.clone()).collect()
    };
    let two = || table(&[100.0, 100.0], vec![row(vec![cell(&["name"]), cell(&["value"])])]);
    assert_eq!(kinds(two()), [Paragraph, Paragraph]);
    let mut named = two();
    named.properties.header_column = true;
    let header = TableHeader { of_row: true, columns: 1, rows: 1 };
    assert_eq!(kinds(named), [Table, TableRow, header, Paragraph, TableCell { columns: 1, rows: 1 }, Paragraph]);
    let mut ruled = two();
    ruled.properties.borders.inside_horizontal =
        Some(Border { style: BorderStyle::Single, width: 0.5, color: None, space: 0.0, shadow: false });
    assert_eq!(kinds(ruled)[0], Table);
    let mut shaded = two();
    shaded.rows[0].cells[1].shading = Some(Rgb(200, 200, 200));
    assert_eq!(kinds(shaded)[0], Table);
}

/// Distance in points between the edge of a cell and its text.
const CELL_MARGIN: f32 = 5.0;

/// Creates a floating table with a text distance of ten points at its right.
fn floating(rows: Vec<Row>, vertical_anchor: FrameAnchor, x: PositionValue, y: f32) -> Block {
    let mut floating = table(&[100.0], rows);
    floating.properties.position = Some(TablePosition {
        horizontal_anchor: FrameAnchor::Text,
        vertical_anchor,
        x: Some(x),
        y: Some(PositionValue::Offset(y)),
        distance_left: 0.0,
        distance_right: 10.0,
        distance_top: 0.0,
        distance_bottom: 0.0,
        allow_overlap: true,
    });
    Block::Table(floating)
}

#[test]
fn a_floating_table_has_text_beside_it() {
    let table = floating(vec![row(vec![cell(&["float"])])], FrameAnchor::Text, PositionValue::Offset(0.0), 0.0);
    let pages = lay_out(&document(vec![table, text(&["beside", "below"]).into_block()]));
    assert_near(find_text(&pages, "float").y, find_text(&pages, "beside").y);
    assert_near(find_text(&pages, "beside").x, 50.0 + 110.0);
    assert_near(find_text(&pages, "below").x, 50.0);
}

#[test]
fn a_floating_table_in_a_cell_has_text_beside_it() {
    let float = || {
        floating(
            vec![row(vec![cell(&["float"])]), row(vec![cell(&["more"])])],
            FrameAnchor::Text,
            PositionValue::Offset(0.0),
            0.0,
        )
    };
    let holds = |blocks: Vec<Block>| Cell { blocks, ..cell(&[]) };
    let around = |blocks: Vec<Block>, width: f32| Block::Table(table(&[width], vec![row(vec![holds(blocks)])]));

    let pages = lay_out(&document(vec![
        around(vec![float(), text(&["beside"]).into_block()], 250.0),
        text(&["below"]).into_block(),
    ]));
    assert_near(find_text(&pages, "float").y, find_text(&pages, "beside").y);
    assert_near(find_text(&pages, "beside").x, find_text(&pages, "float").x + 110.0 - CELL_MARGIN);
    // The cell is as high as the float inside.
    assert_near(find_text(&pages, "below").y, find_text(&pages, "more").y + LINE);

    // If no text fits beside the float, the float is above the text.
    let pages = lay_out(&document(vec![around(vec![float(), text(&["under"]).into_block()], 150.0)]));
    assert_near(find_text(&pages, "under").y, find_text(&pages, "more").y + LINE);

    // The row moves to the next page instead of losing part of the float. A floating table as high as a page is divided like
    // the text.
    let mut blocks = numbered_paragraphs("above", 9);
    blocks.push(around(vec![float(), text(&["beside"]).into_block(), text(&["under"]).into_block()], 250.0));
    let pages = lay_out(&document(blocks));
    assert_eq!(["float", "more", "beside", "under"].map(|name| page_of(&pages, name)), [1; 4]);
    let rows = (0..15).map(|row_number| row(vec![cell(&[&format!("row{row_number}")])])).collect();
    let long = floating(rows, FrameAnchor::Text, PositionValue::Offset(0.0), 0.0);
    let pages = lay_out(&document(vec![around(vec![long, text(&["after"]).into_block()], 250.0)]));
    assert_eq!(["row0", "row14", "after"].map(|name| page_of(&pages, name)), [0, 1, 1]);
}

#[test]
fn a_floating_table_over_two_pages_has_text_beside_its_last_part() {
    for (x, left, beside) in [(0.0, 50.0, 160.0), (30.0, 80.0, 190.0), (200.0, 250.0, 50.0)] {
        let rows = ["one", "two", "three", "four"].map(|name| row(vec![cell(&[name])])).into();
        let table = floating(rows, FrameAnchor::Text, PositionValue::Offset(x), 20.0);
        let mut blocks = numbered_paragraphs("above", 7);
        blocks.extend([table, text(&["beside", "too", "below"]).into_block()]);
        let pages = lay_out(&document(blocks));
        assert_eq!(page_of(&pages, "two"), 0);
        for part in ["one", "two", "three", "four"] {
            assert_near(find_text(&pages, part).x, left + CELL_MARGIN);
        }
        assert_near(find_text(&pages, "one").y, find_text(&pages, "above7").y + 2.0 * LINE);
        for (part, text) in [("three", "beside"), ("four", "too")] {
            let (part, text) = (find_text(&pages, part), find_text(&pages, text));
            assert_eq!((part.page, text.page), (1, 1));
            assert_near(part.y, text.y);
            assert_near(text.x, beside);
        }
        assert_near(find_text(&pages, "below").x, 50.0);
    }
    let rows = (0..4).map(|_| row(vec![cell(&["row"])])).collect();
    let centred = floating(rows, FrameAnchor::Text, PositionValue::Center, 0.0);
    let mut blocks = numbered_paragraphs("above", 8);
    blocks.push(centred);
    let pages = lay_out(&document(blocks));
    assert!(
        placed_texts(&pages)
            .iter()
            .filter(|found| found.text == "row")
            .all(|found| (found.x - 150.0 - CELL_MARGIN).abs() < 0.1)
    );
}

#[test]
fn up_to_word_2010_a_table_positioned_on_the_page_may_extend_into_the_margin() {
    let page = |compatibility_mode| {
        let high = |name| Row { height: RowHeight::AtLeast(100.0), ..row(vec![cell(&[name])]) };
        let table = floating(
            vec![high("one"), high("two"), high("three")],
            FrameAnchor::Page,
            PositionValue::Offset(0.0),
            90.0,
        );
        let mut document = document(vec![text(&["above"]).into_block(), table, text(&["after"]).into_block()]);
        document.settings.compatibility_mode = compatibility_mode;
        let pages = lay_out(&document);
        assert_near(find_text(&pages, "one").y - find_text(&pages, "above").y, 40.0);
        page_of(&pages, "two")
    };
    assert_eq!((page(14), page(15)), (0, 1));
}

#[test]
fn rotated_text_in_a_row_of_exact_height_is_clipped_to_its_cell() {
    let make = |height| {
        let up = Cell { text_direction: TextDirection::Up, ..cell(&["one", "two", "three", "four", "five"]) };
        let rows = vec![Row { height, ..row(vec![up, cell(&["beside"])]) }];
        let pages = lay_out(&document(vec![Block::Table(table(&[40.0, 100.0], rows))]));
        let clip = |placed: &waraq_layout::TaggedItem| match &placed.item {
            waraq_layout::DisplayItem::Group { clip, .. } => *clip,
            _ => None,
        };
        pages.pages[0].items.iter().find_map(clip)
    };
    let seen = make(RowHeight::Exactly(60.0)).unwrap();
    assert_near(seen.width, 40.0);
    assert_near(seen.height, 60.0);
    assert!(make(RowHeight::AtLeast(60.0)).is_none());
}

#[test]
fn rotated_text_of_a_divided_merged_cell_fits_the_part_on_its_page() {
    let tall = |name: &str, merge| {
        let mut first = cell(&[]);
        first.vertical_merge = merge;
        first.text_direction = TextDirection::Up;
        if merge == VerticalMerge::Restart {
            first.blocks = vec![text(&["up", "up", "up"]).into_block()];
        }
        let mut row = row(vec![first, cell(&[name])]);
        row.height = RowHeight::Exactly(70.0);
        row
    };
    let rows = vec![
        tall("a", VerticalMerge::Restart),
        tall("b", VerticalMerge::Continue),
        tall("c", VerticalMerge::Continue),
        tall("d", VerticalMerge::Continue),
    ];
    let pages = lay_out(&document(vec![Block::Table(table(&[80.0, 100.0], rows))]));
    assert_eq!(page_of(&pages, "d"), 1);
    let turned = |page: usize| -> Vec<waraq_layout::Transform> {
        let transform = |placed: &waraq_layout::TaggedItem| match &placed.item {
            waraq_layout::DisplayItem::Group { transform, .. } if transform.b != 0.0 => Some(*transform),
            _ => None,
        };
        pages.pages[page].items.iter().filter_map(transform).collect()
    };
    assert_eq!((turned(0).len(), turned(1).len()), (1, 0));
    // Rotated text begins at the end of the rows on its page: 50 points of margin and two rows of 70 points.
    assert_near(turned(0)[0].f, 50.0 + 140.0);
}

#[test]
fn a_row_is_split_only_if_its_minimum_height_is_left() {
    let make = |least: f32, lines: &[&str]| {
        let mut blocks = numbered_paragraphs("a", 7);
        let rows = vec![Row { height: RowHeight::AtLeast(least), ..row(vec![cell(lines)]) }];
        blocks.push(Block::Table(table(&[200.0], rows)));
        let pages = lay_out(&document(blocks));
        lines.iter().map(|line| page_of(&pages, line)).collect::<Vec<_>>()
    };
    // Three lines are left on the page.
    assert_eq!(make(80.0, &["b1", "b2"]), [1, 1]);
    assert_eq!(make(80.0, &["b1", "b2", "b3", "b4", "b5"]), [1, 1, 1, 1, 1]);
    assert_eq!(make(50.0, &["b1", "b2", "b3", "b4", "b5"]), [0, 0, 0, 1, 1]);
}

#[test]
fn the_border_below_a_row_must_fit_on_the_page_of_the_row() {
    let make = |width: f32| {
        let mut blocks = numbered_paragraphs("a", 7);
        let borders = TableBorders { bottom: line_border(width), ..TableBorders::default() };
        let rows = ["r1", "r2", "r3"]
            .map(|name| Row { height: RowHeight::Exactly(30.0), ..row(vec![Cell { borders, ..cell(&[name]) }]) });
        blocks.push(Block::Table(table(&[200.0], rows.into())));
        let pages = lay_out(&document(blocks));
        ["r1", "r2", "r3"].map(|name| page_of(&pages, name))
    };
    // 60 points are left on the page.
    assert_eq!(make(0.0), [0, 0, 1]);
    assert_eq!(make(4.0), [0, 1, 1]);
}

#[test]
fn a_table_is_wider_than_requested_if_its_pictures_need_it() {
    let shown = |width| Cell {
        blocks: vec![text(&[]).with_content(picture(width, 10.0, Placement::Inline)).into_block()],
        ..cell(&[])
    };
    let mut table =
        table(&[110.0, 60.0], vec![row(vec![shown(100.0), shown(50.0)]), row(vec![cell(&["a"]), cell(&["b"])])]);
    table.properties.layout = TableLayout::AutoFit;
    table.properties.width = Width::Points(150.0);
    let pages = lay_out(&document(vec![Block::Table(table)]));
    assert_near(find_text(&pages, "b").x - find_text(&pages, "a").x, 110.0);
}

#[test]
fn text_begins_beside_a_border_thicker_than_the_cell_margin() {
    let borders = TableBorders { left: line_border(8.0), right: line_border(8.0), ..TableBorders::default() };
    let bordered = |margin: f32, words: &str| {
        let margins = CellMargins { top: 0.0, bottom: 0.0, left: margin, right: margin };
        let words = text(&[words]).with_properties(|properties| properties.spacing.line = LineSpacing::Multiple(1.0));
        let cell = Cell { margins, borders, blocks: vec![words.into_block()], ..cell(&[]) };
        let mut table = table(&[60.0], vec![row(vec![cell])]);
        table.properties.margins = margins;
        lay_out(&document(vec![Block::Table(table)]))
    };
    assert_near(find_text(&bordered(0.0, "a"), "a").x, 50.0 + 4.0);
    assert_near(find_text(&bordered(9.0, "a"), "a").x, 50.0 + 9.0);
    // The lines are therefore shorter: the two words take between 52 and 60 points.
    assert_eq!(placed_texts(&bordered(0.0, "ooooo ooooo")).len(), 2);
}

#[test]
fn keep_next_in_the_last_row_keeps_the_table_with_the_next_paragraph() {
    let make = |keep_next: bool| {
        let mut blocks = numbered_paragraphs("a", 7);
        let kept = text(&["row"]).with_properties(|properties| properties.keep_next = keep_next);
        let kept = Cell { blocks: vec![kept.into_block()], ..cell(&[]) };
        blocks.push(Block::Table(table(&[200.0], vec![row(vec![kept])])));
        blocks.push(text(&["b1", "b2", "b3"]).with_properties(|properties| properties.keep_lines = true).into_block());
        let pages = lay_out(&document(blocks));
        (page_of(&pages, "a7"), page_of(&pages, "row"), page_of(&pages, "b1"))
    };
    assert_eq!(make(false), (0, 0, 1));
    assert_eq!(make(true), (0, 1, 1));
}

#[test]
fn rotated_text_keeps_the_top_margin_of_its_row() {
    let plain = Cell { margins: CellMargins { top: 30.0, ..cell(&[]).margins }, ..cell(&["plain"]) };
    let turned = Cell { text_direction: TextDirection::Down, ..cell(&["one two three four five six seven"]) };
    let rows = vec![Row { height: RowHeight::Exactly(100.0), ..row(vec![plain, turned]) }];
    let pages = lay_out(&document(vec![Block::Table(table(&[100.0, 200.0], rows))]));
    let groups = |placed: &waraq_layout::TaggedItem| match &placed.item {
        waraq_layout::DisplayItem::Group { transform, items, .. } => Some((*transform, items.clone())),
        _ => None,
    };
    let (transform, items) = pages.pages[0].items.iter().find_map(groups).expect("the turned cell");
    assert_near(transform.f, 50.0 + 30.0);
    for placed in &items {
        if let waraq_layout::DisplayItem::Glyphs(run) = &placed.item {
            let width: f32 = run.glyphs.iter().map(|glyph| glyph.advance).sum();
            assert!(transform.f + run.x + width <= 150.0 + 0.5, "{:?} leaves its row", run.text);
        }
    }
}

/// §17.4.63: if cells have no preferred width, the columns divide the table's width in the proportions of the grid.
#[test]
fn a_fixed_table_without_cell_widths_has_its_own_width() {
    let mut table = table(&[60.0, 40.0], vec![row(vec![cell(&["a"]), cell(&["b"])])]);
    table.properties.width = Width::Fraction(1.0);
    assert_near(find_text(&lay_out(&document(vec![Block::Table(table.clone())])), "b").x, 50.0 + 180.0 + 5.0);
    table.properties.width = Width::Points(200.0);
    assert_near(find_text(&lay_out(&document(vec![Block::Table(table)])), "b").x, 50.0 + 120.0 + 5.0);
}

#[test]
fn cells_over_several_columns_divide_their_width_like_the_grid() {
    let over = |text: &str, span: usize, width: f32| Cell { span, width: Width::Points(width), ..cell(&[text]) };
    let rows = vec![
        row(vec![over("a", 2, 100.0), over("b", 1, 50.0)]),
        row(vec![over("c", 1, 30.0), over("d", 2, 120.0)]),
        row(vec![over("e", 3, 150.0), over("f", 2, 60.0)]),
        row(vec![over("g", 4, 170.0), over("h", 1, 40.0)]),
    ];
    let pages = lay_out(&document(vec![Block::Table(table(&[30.0, 70.0, 50.0, 20.0, 40.0], rows))]));
    for (text, x) in [("b", 100.0), ("d", 30.0), ("f", 150.0), ("h", 170.0)] {
        assert_near(find_text(&pages, text).x, 50.0 + x + 5.0);
    }
}

#[test]
fn a_row_may_have_its_own_alignment() {
    let ending = Row { alignment: Some(Justification::End), ..row(vec![cell(&["end"])]) };
    let same = Row { alignment: Some(Justification::Start), ..row(vec![cell(&["start"])]) };
    let pages =
        lay_out(&document(vec![Block::Table(table(&[100.0], vec![row(vec![cell(&["plain"])]), ending, same]))]));
    assert_near(find_text(&pages, "plain").x, 55.0);
    assert_near(find_text(&pages, "end").x, 350.0 - 100.0 + 5.0);
    assert_near(find_text(&pages, "start").x, 55.0);
}

#[test]
fn a_frame_without_wrapping_does_not_move_text() {
    let make = |wrap| {
        let mut framed = text(&["frame"]);
        std::sync::Arc::make_mut(&mut framed.properties).frame = Some(Frame {
            width: Some(60.0),
            height: Some(40.0),
            height_exact: true,
            horizontal_anchor: FrameAnchor::Text,
            vertical_anchor: FrameAnchor::Text,
            x: Some(PositionValue::Offset(0.0)),
            y: Some(PositionValue::Offset(0.0)),
            horizontal_space: 0.0,
            vertical_space: 0.0,
            wrap,
            drop_cap: None,
        });
        let pages = lay_out(&document(vec![framed.into_block(), text(&["text"]).into_block()]));
        let (frame, text) = (find_text(&pages, "frame"), find_text(&pages, "text"));
        (text.x - frame.x, text.y - frame.y)
    };
    let (right, below) = make(FrameWrap::None);
    assert_near(right, 0.0);
    assert_near(below, 0.0);
    assert!(make(FrameWrap::Around).0 >= 60.0);
    assert!(make(FrameWrap::NotBeside).1 >= 40.0);
}

/// Word has no widow control in cells.
#[test]
fn cells_have_no_widow_control() {
    let guarded = text(&["c1", "c2", "c3"]).with_properties(|p| p.widow_control = true).into_block();
    let split = |above: usize| {
        let mut blocks = numbered_paragraphs("a", above);
        let cell = Cell { blocks: vec![guarded.clone()], ..cell(&[]) };
        blocks.push(Block::Table(table(&[100.0], vec![row(vec![cell])])));
        let pages = lay_out(&document(blocks));
        ["c1", "c2", "c3"].map(|line| page_of(&pages, line))
    };
    assert_eq!(split(9), [0, 1, 1]);
    assert_eq!(split(8), [0, 0, 1]);
}
