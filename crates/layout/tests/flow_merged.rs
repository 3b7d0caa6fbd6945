//! Vertically merged cells that a page break divides.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;
use waraq_layout::Pages;

const BLUE: Rgb = Rgb(0x20, 0x40, 0x60);

/// Creates the cell that begins a vertical merge, with this number of lines: m1, m2 and so on.
fn merge_start(lines: usize) -> Cell {
    let lines: Vec<String> = (1..=lines).map(|n| format!("m{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Cell { vertical_merge: VerticalMerge::Restart, shading: Some(BLUE), ..cell(&lines) }
}

/// Creates a cell that continues a vertical merge.
fn merge_continuation() -> Cell {
    Cell { vertical_merge: VerticalMerge::Continue, ..cell(&[""]) }
}

/// Creates a table with a cell of `lines` lines merged over `rows` rows. Each row also has a cell with `beside` lines.
fn table_with_merged_cell(lines: usize, rows: usize, beside: usize) -> Table {
    let own = |row: usize| {
        let lines: Vec<String> = (1..=beside).map(|n| format!("r{row}.{n}")).collect();
        cell(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let rows = (1..=rows).map(|n| row(vec![if n == 1 { merge_start(lines) } else { merge_continuation() }, own(n)]));
    table(&[100.0, 100.0], rows.collect())
}

/// Asserts that the texts at the horizontal position `column` are exactly `names`, in this order, and that no line overlaps
/// another or is outside the margins.
#[track_caller]
fn assert_texts_complete(pages: &Pages, column: f32, names: impl Iterator<Item = String>) {
    let found: Vec<PlacedText> =
        placed_texts(pages).into_iter().filter(|found| (found.x - column).abs() < 20.0).collect();
    let names: Vec<String> = names.collect();
    assert_eq!(found.iter().map(|found| &found.text).collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
    for pair in found.windows(2) {
        let below = pair[1].page > pair[0].page || pair[1].y > pair[0].y + LINE - 0.5;
        assert!(below, "{:?} {:?}", pair[0], pair[1]);
    }
    assert!(found.iter().all(|found| found.y > 50.0 && found.y < 250.0), "{found:?}");
}

#[test]
fn content_that_does_not_fit_continues_on_the_next_page() {
    for (lines, rows, beside) in
        [(25, 2, 1), (25, 2, 0), (25, 30, 1), (42, 3, 8), (31, 12, 2), (12, 4, 5), (25, 2, 15), (60, 60, 0)]
    {
        let blocks = vec![Block::Table(table_with_merged_cell(lines, rows, beside)), text(&["below"]).into_block()];
        let pages = lay_out(&document(blocks));
        let names = (1..=lines).map(|n| format!("m{n}"));
        assert_texts_complete(&pages, 55.0, names.chain(["below".to_owned()]));
        assert_texts_complete(
            &pages,
            155.0,
            (1..=rows).flat_map(|row| (1..=beside).map(move |n| format!("r{row}.{n}"))),
        );
        let most = lines.max(rows * beside) + 1;
        assert_eq!(pages.pages.len(), most.div_ceil(10), "{lines} lines over {rows} rows of {beside}");
    }
}

#[test]
fn the_last_row_is_only_as_high_as_the_remaining_content() {
    // Seven of fifteen lines are above the break, and eight below it beside four rows.
    let mut blocks = numbered_paragraphs("a", 3);
    blocks.push(Block::Table(table_with_merged_cell(15, 11, 1)));
    blocks.push(text(&["below"]).into_block());
    let pages = lay_out(&document(blocks));
    assert_eq!((page_of(&pages, "m7"), page_of(&pages, "m8"), page_of(&pages, "r8.1")), (0, 1, 1));
    assert_near(find_text(&pages, "below").y - find_text(&pages, "m8").y, 8.0 * LINE);
    // If the whole cell is above the break, the last row has its own height.
    let mut blocks = numbered_paragraphs("a", 3);
    blocks.push(Block::Table(table_with_merged_cell(6, 9, 1)));
    blocks.push(text(&["below"]).into_block());
    let pages = lay_out(&document(blocks));
    assert_near(find_text(&pages, "below").y - find_text(&pages, "r9.1").y, LINE);
}

#[test]
fn each_part_has_the_shading_of_the_cell() {
    let pages = lay_out(&document(vec![Block::Table(table_with_merged_cell(25, 2, 1))]));
    for page in 0..3 {
        let shaded: Vec<_> = rectangles(&pages, page).into_iter().filter(|(_, color)| *color == BLUE).collect();
        assert_eq!(shaded.len(), 1);
        assert_near(shaded[0].0.height, LINE * [10.0, 10.0, 5.0][page]);
    }
}

#[test]
fn a_repeated_header_merged_over_rows_is_shaded_in_all_of_them() {
    let header = |merged| Row { header: true, ..row(vec![merged, cell(&["head"])]) };
    let mut rows = vec![header(merge_start(1)), header(merge_continuation())];
    rows.extend((1..=12).map(|n| row(vec![cell(&[""]), cell(&[&format!("x{n}")])])));
    let pages = lay_out(&document(vec![Block::Table(table(&[100.0, 100.0], rows))]));
    for page in 0..2 {
        let shaded = rectangles(&pages, page);
        assert_eq!(shaded.len(), 1);
        assert_near(shaded[0].0.height, 2.0 * LINE);
    }
    let heads: Vec<usize> =
        placed_texts(&pages).into_iter().filter(|found| found.text == "m1").map(|found| found.page).collect();
    assert_eq!(heads, [0, 1]);
}

#[test]
fn two_divided_merged_cells_each_resume_at_their_own_position() {
    let rows = (1..=4).map(|n| {
        let one = if n == 1 { merge_start(25) } else { merge_continuation() };
        let other = match n {
            2 => Cell {
                vertical_merge: VerticalMerge::Restart,
                ..cell(&["o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "o10", "o11"])
            },
            3 | 4 => merge_continuation(),
            _ => cell(&["above"]),
        };
        row(vec![one, other, cell(&["x"])])
    });
    let pages = lay_out(&document(vec![Block::Table(table(&[100.0, 100.0, 50.0], rows.collect()))]));
    assert_texts_complete(&pages, 55.0, (1..=25).map(|n| format!("m{n}")));
    assert_texts_complete(&pages, 155.0, ["above".to_owned()].into_iter().chain((1..=11).map(|n| format!("o{n}"))));
}

#[test]
fn rows_that_stay_together_lose_no_content_of_a_merged_cell() {
    for keep_together in [false, true] {
        for above in 0..10 {
            let mut rows = table_with_merged_cell(23, 5, 2);
            rows.rows.iter_mut().for_each(|row| row.keep_together = keep_together);
            let mut blocks = numbered_paragraphs("a", above);
            blocks.push(Block::Table(rows));
            let pages = lay_out(&document(blocks));
            let names = (1..=above).map(|n| format!("a{n}")).chain((1..=23).map(|n| format!("m{n}")));
            assert_texts_complete(&pages, 55.0, names);
        }
    }
}

#[test]
fn merged_cells_of_nested_tables_continue_too() {
    for (lines, rows, beside) in [(25, 2, 1), (25, 2, 0), (42, 3, 8), (60, 30, 1), (25, 2, 15)] {
        for above in [0, 4, 9] {
            let mut outer = cell(&[]);
            outer.margins = CellMargins::default();
            outer.blocks = numbered_paragraphs("a", above);
            outer.blocks.push(Block::Table(table_with_merged_cell(lines, rows, beside)));
            outer.blocks.push(text(&["below"]).into_block());
            let pages = lay_out(&document(vec![Block::Table(table(&[250.0], vec![row(vec![outer])]))]));
            let names = (1..=above).map(|n| format!("a{n}")).chain((1..=lines).map(|n| format!("m{n}")));
            assert_texts_complete(&pages, 55.0, names.chain(["below".to_owned()]));
        }
    }
}

#[test]
fn a_last_row_of_exact_height_cuts_off_the_rest() {
    let mut table = table_with_merged_cell(8, 3, 1);
    table.rows[2].height = RowHeight::Exactly(LINE);
    let pages = lay_out(&document(vec![Block::Table(table), text(&["below"]).into_block()]));
    assert_texts_complete(&pages, 55.0, (1..=3).map(|n| format!("m{n}")).chain(["below".to_owned()]));
    // Text below a float is visible even if it does not fit completely.
    let mut table = table_with_merged_cell(1, 2, 1);
    let float = picture(20.0, 70.0, Placement::Anchored(Box::new(anchor(0.0, 0.0, Wrap::TopAndBottom))));
    table.rows[0].cells[0].blocks = vec![text(&["m1"]).with_content(float).into_block()];
    table.rows[1].height = RowHeight::Exactly(LINE);
    let pages = lay_out(&document(vec![Block::Table(table)]));
    assert_eq!(pictures(&pages, 0).len(), 1);
    assert_eq!(page_of(&pages, "m1"), 0);
}
