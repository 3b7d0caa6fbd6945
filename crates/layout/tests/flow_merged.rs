//! Vertically merged cells that a page break divides.

mod book;
mod flow_common;
use flow_common::*;
use waraq_docx::tree::*;
use waraq_layout::Pages;

const BLUE: Rgb = Rgb(0x20, 0x40, 0x60);

/// Creates the cell that begins a vertical merge, with this number of lines: m1, m2 and so on.
fn start(lines: usize) -> Cell {
    let lines: Vec<String> = (1..=lines).map(|n| format!("m{n}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Cell { vertical_merge: VerticalMerge::Restart, shading: Some(BLUE), ..cell(&lines) }
}

/// Creates a cell that continues a vertical merge.
fn covered() -> Cell {
    Cell { vertical_merge: VerticalMerge::Continue, ..cell(&[""]) }
}

/// Creates a table with a cell of `lines` lines merged over `rows` rows. Each row also has a cell with `beside` lines.
fn merged(lines: usize, rows: usize, beside: usize) -> Table {
    let own = |row: usize| {
        let lines: Vec<String> = (1..=beside).map(|n| format!("r{row}.{n}")).collect();
        cell(&lines.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let rows = (1..=rows).map(|n| row(vec![if n == 1 { start(lines) } else { covered() }, own(n)]));
    table(&[100.0, 100.0], rows.collect())
}

/// Asserts that the texts at the horizontal position `column` are exactly `names`, in this order, and that no line overlaps
/// another or is outside the margins.
#[track_caller]
fn is_whole(pages: &Pages, column: f32, names: impl Iterator<Item = String>) {
    let found: Vec<Found> = texts(pages).into_iter().filter(|found| (found.x - column).abs() < 20.0).collect();
    let names: Vec<String> = names.collect();
    assert_eq!(found.iter().map(|found| &found.text).collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
    for pair in found.windows(2) {
        let below = pair[1].page > pair[0].page || pair[1].y > pair[0].y + LINE - 0.5;
        assert!(below, "{:?} {:?}", pair[0], pair[1]);
    }
    assert!(found.iter().all(|found| found.y > 50.0 && found.y < 250.0), "{found:?}");
}

#[test]
fn what_has_no_room_goes_on_on_the_next_page() {
    for (lines, rows, beside) in
        [(25, 2, 1), (25, 2, 0), (25, 30, 1), (42, 3, 8), (31, 12, 2), (12, 4, 5), (25, 2, 15), (60, 60, 0)]
    {
        let blocks = vec![Block::Table(merged(lines, rows, beside)), text(&["below"]).block()];
        let pages = set(&document(blocks));
        let names = (1..=lines).map(|n| format!("m{n}"));
        is_whole(&pages, 55.0, names.chain(["below".to_owned()]));
        is_whole(&pages, 155.0, (1..=rows).flat_map(|row| (1..=beside).map(move |n| format!("r{row}.{n}"))));
        let most = lines.max(rows * beside) + 1;
        assert_eq!(pages.pages.len(), most.div_ceil(10), "{lines} lines over {rows} rows of {beside}");
    }
}

#[test]
fn the_last_row_is_no_higher_than_what_is_left() {
    // Seven of fifteen lines are above the break, and eight below it beside four rows.
    let mut blocks = numbered("a", 3);
    blocks.push(Block::Table(merged(15, 11, 1)));
    blocks.push(text(&["below"]).block());
    let pages = set(&document(blocks));
    assert_eq!((page_of(&pages, "m7"), page_of(&pages, "m8"), page_of(&pages, "r8.1")), (0, 1, 1));
    near(find(&pages, "below").y - find(&pages, "m8").y, 8.0 * LINE);
    // If the whole cell is above the break, the last row has its own height.
    let mut blocks = numbered("a", 3);
    blocks.push(Block::Table(merged(6, 9, 1)));
    blocks.push(text(&["below"]).block());
    let pages = set(&document(blocks));
    near(find(&pages, "below").y - find(&pages, "r9.1").y, LINE);
}

#[test]
fn each_part_has_the_cells_shading() {
    let pages = set(&document(vec![Block::Table(merged(25, 2, 1))]));
    for page in 0..3 {
        let shaded: Vec<_> = rectangles(&pages, page).into_iter().filter(|(_, color)| *color == BLUE).collect();
        assert_eq!(shaded.len(), 1);
        near(shaded[0].0.height, LINE * [10.0, 10.0, 5.0][page]);
    }
}

#[test]
fn a_repeated_header_merged_over_rows_is_shaded_in_all_of_them() {
    let header = |merged| Row { header: true, ..row(vec![merged, cell(&["head"])]) };
    let mut rows = vec![header(start(1)), header(covered())];
    rows.extend((1..=12).map(|n| row(vec![cell(&[""]), cell(&[&format!("x{n}")])])));
    let pages = set(&document(vec![Block::Table(table(&[100.0, 100.0], rows))]));
    for page in 0..2 {
        let shaded = rectangles(&pages, page);
        assert_eq!(shaded.len(), 1);
        near(shaded[0].0.height, 2.0 * LINE);
    }
    let heads: Vec<usize> =
        texts(&pages).into_iter().filter(|found| found.text == "m1").map(|found| found.page).collect();
    assert_eq!(heads, [0, 1]);
}

#[test]
fn two_that_go_on_together_go_on_each_where_it_was() {
    let rows = (1..=4).map(|n| {
        let one = if n == 1 { start(25) } else { covered() };
        let other = match n {
            2 => Cell {
                vertical_merge: VerticalMerge::Restart,
                ..cell(&["o1", "o2", "o3", "o4", "o5", "o6", "o7", "o8", "o9", "o10", "o11"])
            },
            3 | 4 => covered(),
            _ => cell(&["above"]),
        };
        row(vec![one, other, cell(&["x"])])
    });
    let pages = set(&document(vec![Block::Table(table(&[100.0, 100.0, 50.0], rows.collect()))]));
    is_whole(&pages, 55.0, (1..=25).map(|n| format!("m{n}")));
    is_whole(&pages, 155.0, ["above".to_owned()].into_iter().chain((1..=11).map(|n| format!("o{n}"))));
}

#[test]
fn keeps_and_footers_do_not_lose_any_of_it() {
    for keep_together in [false, true] {
        for above in 0..10 {
            let mut rows = merged(23, 5, 2);
            rows.rows.iter_mut().for_each(|row| row.keep_together = keep_together);
            let mut blocks = numbered("a", above);
            blocks.push(Block::Table(rows));
            let pages = set(&document(blocks));
            let names = (1..=above).map(|n| format!("a{n}")).chain((1..=23).map(|n| format!("m{n}")));
            is_whole(&pages, 55.0, names);
        }
    }
}

#[test]
fn it_goes_on_in_a_table_within_a_cell_too() {
    for (lines, rows, beside) in [(25, 2, 1), (25, 2, 0), (42, 3, 8), (60, 30, 1), (25, 2, 15)] {
        for above in [0, 4, 9] {
            let mut outer = cell(&[]);
            outer.margins = CellMargins::default();
            outer.blocks = numbered("a", above);
            outer.blocks.push(Block::Table(merged(lines, rows, beside)));
            outer.blocks.push(text(&["below"]).block());
            let pages = set(&document(vec![Block::Table(table(&[250.0], vec![row(vec![outer])]))]));
            let names = (1..=above).map(|n| format!("a{n}")).chain((1..=lines).map(|n| format!("m{n}")));
            is_whole(&pages, 55.0, names.chain(["below".to_owned()]));
        }
    }
}

#[test]
fn a_last_row_of_exact_height_cuts_off_what_is_too_long() {
    let mut table = merged(8, 3, 1);
    table.rows[2].height = RowHeight::Exactly(LINE);
    let pages = set(&document(vec![Block::Table(table), text(&["below"]).block()]));
    is_whole(&pages, 55.0, (1..=3).map(|n| format!("m{n}")).chain(["below".to_owned()]));
    // Text below a float is visible even if it does not fit completely.
    let mut table = merged(1, 2, 1);
    let float = picture(20.0, 70.0, Placement::Anchored(Box::new(anchor(0.0, 0.0, Wrap::TopAndBottom))));
    table.rows[0].cells[0].blocks = vec![text(&["m1"]).and(float).block()];
    table.rows[1].height = RowHeight::Exactly(LINE);
    let pages = set(&document(vec![Block::Table(table)]));
    assert_eq!(pictures(&pages, 0).len(), 1);
    assert_eq!(page_of(&pages, "m1"), 0);
}
