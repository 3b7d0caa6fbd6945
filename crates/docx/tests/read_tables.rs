//! Tests of tables: conditional formats, borders by position, merged cells, right-to-left tables (§17.4, §17.7.6).

mod word;

use waraq_docx::tree::*;
use word::*;

fn style(parts: &str) -> String {
    format!("<w:style w:type=\"table\" w:styleId=\"T\"><w:name w:val=\"T\"/>{parts}</w:style>")
}

fn cell(text: &str, properties: &str) -> String {
    format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p(text))
}

fn grid(rows: usize, columns: usize, properties: &str) -> String {
    let row = format!("<w:tr>{}</w:tr>", cell("x", "").repeat(columns));
    format!(
        "<w:tbl><w:tblPr>{properties}</w:tblPr><w:tblGrid>{}</w:tblGrid>{}</w:tbl>",
        "<w:gridCol w:w=\"1000\"/>".repeat(columns),
        row.repeat(rows)
    )
}

fn shade(color: &str) -> String {
    format!("<w:tcPr><w:shd w:val=\"clear\" w:fill=\"{color}\"/></w:tcPr>")
}

fn condition(kind: &str, inner: &str) -> String {
    format!("<w:tblStylePr w:type=\"{kind}\">{inner}</w:tblStylePr>")
}

fn red_of(table: &Table) -> Vec<Vec<u8>> {
    table
        .rows
        .iter()
        .map(|row| row.cells.iter().map(|cell| cell.shading.map_or(0, |color| color.0)).collect())
        .collect()
}

#[test]
fn conditional_formats_make_header_rows_and_heights() {
    let styles = style(
        &[
            condition("firstRow", "<w:trPr><w:tblHeader/><w:cantSplit/></w:trPr>"),
            condition("band2Horz", "<w:trPr><w:trHeight w:val=\"800\"/></w:trPr>"),
            condition("firstCol", "<w:trPr><w:trHeight w:val=\"2000\"/></w:trPr>"),
        ]
        .concat(),
    );
    let look = "<w:tblStyle w:val=\"T\"/><w:tblLook w:firstRow=\"1\" w:lastRow=\"0\" w:firstColumn=\"1\" w:lastColumn=\"0\" w:noHBand=\"0\" w:noVBand=\"1\"/>";
    let document = Word::new(&grid(3, 2, look)).styles(&styles).read();
    let rows = &table(&document).rows;
    assert_eq!(
        rows.iter().map(|row| (row.header, row.keep_together)).collect::<Vec<_>>(),
        [(true, true), (false, false), (false, false)]
    );
    // Row properties in column conditions have no effect.
    let heights: Vec<RowHeight> = rows.iter().map(|row| row.height).collect();
    assert_eq!(heights, [RowHeight::Auto, RowHeight::Auto, RowHeight::AtLeast(40.0)]);
}

#[test]
fn conditional_formats_follow_the_position_of_the_cell() {
    let styles = style(
        &[
            condition("band1Horz", &shade("010000")),
            condition("band2Horz", &shade("020000")),
            condition("firstRow", &format!("<w:rPr><w:b/></w:rPr>{}", shade("030000"))),
            condition("lastRow", &shade("040000")),
            condition("firstCol", &shade("050000")),
            condition("nwCell", &shade("060000")),
        ]
        .concat(),
    );
    let look = "<w:tblStyle w:val=\"T\"/><w:tblLook w:firstRow=\"1\" w:lastRow=\"1\" w:firstColumn=\"1\" w:lastColumn=\"0\" w:noHBand=\"0\" w:noVBand=\"1\"/>";
    let document = Word::new(&grid(5, 3, look)).styles(&styles).read();
    let table = table(&document);
    assert_eq!(red_of(table), [[6, 3, 3], [5, 1, 1], [5, 2, 2], [5, 1, 1], [4, 4, 4]]);
    let bold = |row: usize| run(paragraphs(&table.rows[row].cells[1].blocks)[0]).bold;
    assert!(bold(0) && !bold(1));
    let document =
        Word::new(&grid(3, 2, "<w:tblStyle w:val=\"T\"/><w:tblLook w:val=\"0600\"/>")).styles(&styles).read();
    assert_eq!(
        red_of(word::table(&document)),
        [[0, 0], [0, 0], [0, 0]],
        "conditional formats that tblLook excludes are not used"
    );
}

#[test]
fn column_bands_override_row_bands_and_edge_rows_override_edge_columns() {
    let styles = style(
        &[
            condition("band1Horz", &shade("010000")),
            condition("band1Vert", &shade("020000")),
            condition("firstRow", &shade("030000")),
            condition("firstCol", &shade("040000")),
        ]
        .concat(),
    );
    let look = "<w:tblStyle w:val=\"T\"/><w:tblLook w:val=\"00A0\"/>";
    let document = Word::new(&grid(3, 3, look)).styles(&styles).read();
    assert_eq!(red_of(table(&document)), [[3, 3, 3], [4, 2, 1], [4, 2, 0]], "MS-OI29500, 2.1.252");
}

#[test]
fn bands_of_more_than_one_row() {
    let styles = style(&format!(
        "<w:tblPr><w:tblStyleRowBandSize w:val=\"2\"/></w:tblPr>{}{}",
        condition("band1Horz", &shade("010000")),
        condition("band2Horz", &shade("020000"))
    ));
    let document =
        Word::new(&grid(5, 1, "<w:tblStyle w:val=\"T\"/><w:tblLook w:val=\"0400\"/>")).styles(&styles).read();
    assert_eq!(red_of(table(&document)), [[1], [1], [2], [2], [1]]);
}

fn side(name: &str, size: u32) -> String {
    format!("<w:{name} w:val=\"single\" w:sz=\"{size}\"/>")
}

#[test]
fn table_borders_become_cell_borders_and_cell_borders_override_them() {
    let borders = format!(
        "<w:tblBorders>{}{}{}{}{}{}</w:tblBorders>",
        side("top", 8),
        side("left", 16),
        side("bottom", 24),
        side("right", 32),
        side("insideH", 40),
        side("insideV", 48)
    );
    let own = "<w:tcBorders><w:top w:val=\"nil\"/><w:end w:val=\"double\" w:sz=\"4\"/></w:tcBorders>";
    let xml = format!(
        "<w:tbl><w:tblPr>{borders}</w:tblPr><w:tr>{}{}</w:tr><w:tr>{}{}</w:tr></w:tbl>",
        cell("a", own),
        cell("b", ""),
        cell("c", ""),
        cell("d", "")
    );
    let document = Word::new(&xml).read();
    let cells: Vec<TableBorders> =
        table(&document).rows.iter().flat_map(|row| row.cells.iter().map(|cell| cell.borders)).collect();
    let width = |border: Option<Border>| border.map(|border| border.width);
    assert_eq!(cells[0].top.map(|border| border.style), Some(BorderStyle::None));
    assert_eq!((width(cells[0].left), cells[0].right.map(|b| b.style)), (Some(2.0), Some(BorderStyle::Double)));
    assert_eq!((width(cells[0].bottom), width(cells[1].top), width(cells[1].right)), (Some(5.0), Some(1.0), Some(4.0)));
    assert_eq!((width(cells[3].top), width(cells[3].left), width(cells[3].bottom)), (Some(5.0), Some(6.0), Some(3.0)));
}

#[test]
fn a_right_to_left_table_is_mirrored_on_the_page() {
    let properties = format!(
        "<w:bidiVisual/><w:tblCellMar><w:left w:w=\"200\" w:type=\"dxa\"/><w:right w:w=\"20\" w:type=\"dxa\"/></w:tblCellMar>\
         <w:tblBorders>{}{}</w:tblBorders>",
        side("left", 8),
        side("right", 16)
    );
    let document = Word::new(&grid(1, 2, &properties)).read();
    let table = table(&document);
    assert!(table.properties.bidi_visual);
    let first = &table.rows[0].cells[0];
    assert_eq!((first.margins.left, first.margins.right), (1.0, 10.0), "the leading side is the right");
    assert_eq!((first.borders.right.map(|b| b.width), first.borders.left), (Some(1.0), None));
    assert_eq!(table.rows[0].cells[1].borders.left.map(|b| b.width), Some(2.0));
}

#[test]
fn spans_merges_heights_and_headers() {
    let xml = format!(
        "<w:tbl><w:tblPr><w:tblW w:w=\"2500\" w:type=\"pct\"/><w:jc w:val=\"center\"/><w:tblLayout w:type=\"fixed\"/></w:tblPr>\
         <w:tblGrid><w:gridCol w:w=\"100\"/><w:gridCol w:w=\"200\"/><w:gridCol w:w=\"300\"/></w:tblGrid>\
         <w:tr><w:trPr><w:tblHeader/><w:cantSplit/><w:trHeight w:val=\"400\" w:hRule=\"exact\"/></w:trPr>{}{}</w:tr>\
         <w:tr><w:trPr><w:gridBefore w:val=\"1\"/></w:trPr>{}{}</w:tr><w:tr>{}{}{}</w:tr></w:tbl>",
        cell("a", "<w:gridSpan w:val=\"2\"/><w:vMerge w:val=\"restart\"/>"),
        cell("b", "<w:vAlign w:val=\"center\"/><w:textDirection w:val=\"btLr\"/>"),
        cell("c", "<w:vMerge/>"),
        cell("d", ""),
        cell("e", "<w:hMerge w:val=\"restart\"/>"),
        cell("f", "<w:hMerge/>"),
        cell("g", "<w:tcW w:w=\"300\" w:type=\"dxa\"/><w:noWrap/>"),
    );
    let document = Word::new(&xml).read();
    let table = table(&document);
    assert_eq!(table.grid, [5.0, 10.0, 15.0]);
    assert_eq!((table.properties.width, table.properties.alignment), (Width::Fraction(0.5), Justification::Center));
    assert_eq!(table.properties.layout, TableLayout::Fixed);
    let rows = &table.rows;
    assert!(rows[0].header && rows[0].keep_together && !rows[1].header);
    assert_eq!((rows[0].height, rows[1].grid_before), (RowHeight::Exactly(20.0), 1));
    assert_eq!((rows[0].cells[0].span, rows[0].cells[0].vertical_merge), (2, VerticalMerge::Restart));
    assert_eq!(
        (rows[0].cells[1].vertical_alignment, rows[0].cells[1].text_direction),
        (VerticalAlignment::Center, TextDirection::Up)
    );
    assert_eq!(rows[1].cells[0].vertical_merge, VerticalMerge::Continue);
    assert_eq!(rows[2].cells.iter().map(|cell| cell.span).collect::<Vec<_>>(), [2, 1]);
    assert_eq!((rows[2].cells[1].width, rows[2].cells[1].no_wrap), (Width::Points(15.0), true));
}

#[test]
fn rows_and_cells_in_content_controls_are_found() {
    let row = format!("<w:tr>{}<w:sdt><w:sdtContent>{}</w:sdtContent></w:sdt></w:tr>", cell("a", ""), cell("b", ""));
    let xml = format!("<w:tbl><w:tblPr/>{row}<w:sdt><w:sdtContent>{row}</w:sdtContent></w:sdt></w:tbl>");
    let document = Word::new(&xml).read();
    assert_eq!(table(&document).rows.iter().map(|row| row.cells.len()).collect::<Vec<_>>(), [2, 2]);
}

#[test]
fn text_in_a_table_has_the_table_style_below_the_paragraph_style() {
    let styles = "<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val=\"24\"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after=\"200\"/></w:pPr></w:pPrDefault></w:docDefaults>\
        <w:style w:type=\"paragraph\" w:styleId=\"Q\"><w:name w:val=\"Q\"/><w:rPr><w:sz w:val=\"40\"/></w:rPr></w:style>\
        <w:style w:type=\"table\" w:styleId=\"T\"><w:name w:val=\"T\"/><w:pPr><w:spacing w:after=\"0\"/></w:pPr><w:rPr><w:sz w:val=\"16\"/></w:rPr></w:style>";
    let styled = "<w:p><w:pPr><w:pStyle w:val=\"Q\"/></w:pPr><w:r><w:t>q</w:t></w:r></w:p>";
    let nested = grid(1, 1, "");
    let xml = format!(
        "<w:tbl><w:tblPr><w:tblStyle w:val=\"T\"/></w:tblPr><w:tr><w:tc>{}{styled}{nested}{}</w:tc></w:tr></w:tbl>{}",
        p("x"),
        p(""),
        p("out")
    );
    let document = Word::new(&xml).styles(styles).read();
    let blocks = &table(&document).rows[0].cells[0].blocks;
    let inside = paragraphs(blocks);
    assert_eq!((run(inside[0]).size, inside[0].properties.spacing.after), (8.0, 0.0));
    assert_eq!((run(inside[1]).size, inside[1].properties.spacing.after), (20.0, 0.0));
    let Block::Table(inner) = &blocks[2] else { panic!("a nested table") };
    assert_eq!(run(paragraphs(&inner.rows[0].cells[0].blocks)[0]).size, 12.0, "a nested table has its own style");
    assert_eq!(run(body(&document)[0]).size, 12.0);
}

#[test]
fn text_in_a_cell_aligns_at_a_decimal_stop_without_a_tab() {
    let tabs = |stop: &str, text: &str| {
        let paragraph = format!(
            "<w:p><w:pPr><w:tabs><w:tab w:val=\"{stop}\" w:pos=\"600\"/></w:tabs></w:pPr><w:r>{text}</w:r></w:p>"
        );
        let cell = format!("<w:tbl><w:tr><w:tc>{paragraph}</w:tc></w:tr></w:tbl>");
        let count = |paragraph: &Paragraph| {
            paragraph.inlines.iter().filter(|inline| matches!(inline.content, Content::Tab)).count()
        };
        let outside = Word::new(&paragraph).read();
        let document = Word::new(&cell).read();
        (count(paragraphs(&table(&document).rows[0].cells[0].blocks)[0]), count(body(&outside)[0]))
    };
    assert_eq!(tabs("decimal", "<w:t>1.25</w:t>"), (1, 0));
    assert_eq!(tabs("decimal", "<w:tab/><w:t>1.25</w:t>"), (1, 1));
    assert_eq!(tabs("right", "<w:t>1.25</w:t>"), (0, 0));
}
