//! Tables: many, deeply nested, wide, with spans and with merged cells.

use waraq_docx::build::paragraph;

use super::{Bomb, letters, many, nested, simple};

fn cell(content: &str) -> String {
    format!("<w:tc>{content}</w:tc>")
}

fn table(rows: &str) -> String {
    format!("<w:tbl><w:tblGrid><w:gridCol w:w=\"2000\"/><w:gridCol w:w=\"2000\"/></w:tblGrid>{rows}</w:tbl>")
}

fn row(cells: &str) -> String {
    format!("<w:tr>{cells}</w:tr>")
}

pub const BOMBS: &[Bomb] = &[
    ("rows", 50_000, |n| simple(&table(&many(n, |i| row(&(cell(&paragraph(&letters(4, i))) + &cell("<w:p/>"))))))),
    ("tables", 20_000, |n| simple(&many(n, |i| table(&row(&cell(&paragraph(&letters(4, i)))))))),
    ("nested-tables", 20, |n| {
        simple(&nested(n, "<w:tbl><w:tr><w:tc><w:p/>", &paragraph("deep"), "</w:tc></w:tr></w:tbl>"))
    }),
    ("nested-tables-twice", 0, |_| {
        let mut inside = paragraph("deep");
        for _ in 0..10 {
            inside = table(&row(&(cell(&inside) + &cell(&inside))));
        }
        simple(&inside)
    }),
    ("long-cell", 50_000, |n| simple(&table(&row(&(cell(&many(n, |i| paragraph(&letters(4, i)))) + &cell("<w:p/>")))))),
    ("nested-long-cell", 20_000, |n| {
        let inner = table(&row(&cell(&many(n, |i| paragraph(&letters(4, i))))));
        simple(&nested(10, "<w:tbl><w:tr><w:tc>", &inner, "</w:tc></w:tr></w:tbl>"))
    }),
    ("nested-rows", 20_000, |n| {
        simple(&table(&row(&cell(&table(&many(n, |i| row(&cell(&paragraph(&letters(4, i))))))))))
    }),
    ("wide-row", 30_000, |n| simple(&table(&row(&cell("<w:p/>").repeat(n))))),
    ("grid", 100, |n| simple(&table(&row(&cell("<w:p/>").repeat(300)).repeat(n)))),
    ("spans", 0, |_| {
        let spans = ["1000000000", "-1", "2147483647", "99999999999999999999", "0"].map(|n| {
            format!(
                "<w:tr><w:trPr><w:gridBefore w:val=\"{n}\"/><w:gridAfter w:val=\"{n}\"/><w:trHeight w:val=\"{n}\"/></w:trPr>\
                 <w:tc><w:tcPr><w:gridSpan w:val=\"{n}\"/><w:tcW w:w=\"{n}\" w:type=\"dxa\"/></w:tcPr><w:p/></w:tc></w:tr>"
            )
        });
        simple(&table(&spans.concat()))
    }),
    ("wide-spans", 20_000, |n| {
        simple(&table(&"<w:tr><w:tc><w:tcPr><w:gridSpan w:val=\"1000\"/></w:tcPr><w:p/></w:tc></w:tr>".repeat(n)))
    }),
    ("merged-rows", 20_000, |n| {
        let rest = "<w:tr><w:trPr><w:trHeight w:val=\"1\" w:hRule=\"exact\"/></w:trPr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr>";
        simple(&table(&format!(
            "<w:tr><w:tc><w:tcPr><w:vMerge w:val=\"restart\"/></w:tcPr><w:p/></w:tc></w:tr>{}",
            rest.repeat(n)
        )))
    }),
    ("merged-text", 20_000, |n| {
        let text = many(n, |i| paragraph(&letters(4, i)));
        let rest = row("<w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc>").repeat(n / 2);
        simple(&table(&format!("<w:tr><w:tc><w:tcPr><w:vMerge w:val=\"restart\"/></w:tcPr>{text}</w:tc></w:tr>{rest}")))
    }),
    ("header-rows", 20_000, |n| {
        simple(&table(
            &format!("<w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:p/></w:tc></w:tr>{}", row(&cell("<w:p/>")))
                .repeat(n),
        ))
    }),
    ("only-header-rows", 20_000, |n| {
        simple(&table(&"<w:tr><w:trPr><w:tblHeader/><w:cantSplit/></w:trPr><w:tc><w:p/></w:tc></w:tr>".repeat(n)))
    }),
    ("flat-rows", 50_000, |n| {
        simple(&table(
            &"<w:tr><w:trPr><w:trHeight w:val=\"1\" w:hRule=\"exact\"/></w:trPr><w:tc><w:p/></w:tc></w:tr>".repeat(n),
        ))
    }),
    ("floating-tables", 5_000, |n| {
        simple(&"<w:tbl><w:tblPr><w:tblpPr w:vertAnchor=\"text\" w:horzAnchor=\"margin\" w:tblpX=\"200\" w:tblpY=\"300\"/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl><w:p/>".repeat(n))
    }),
    ("nested-tables-over-pages", 11, |n| {
        let text = many(200, |i| paragraph(&letters(4, i)));
        simple(&nested(n, "<w:tbl><w:tr><w:tc><w:p/>", &text, "<w:p/></w:tc></w:tr></w:tbl>"))
    }),
    ("page-breaks-in-a-cell", 100_000, |n| {
        simple(&table(&row(&cell(&format!("<w:p><w:r>{}</w:r></w:p>", "<w:br w:type=\"page\"/>".repeat(n))))))
    }),
    ("nested-turned-tables", 12, |n| {
        let open = "<w:tbl><w:tr><w:tc><w:tcPr><w:vMerge w:val=\"restart\"/><w:textDirection w:val=\"btLr\"/></w:tcPr>";
        let close = "<w:p/></w:tc></w:tr><w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p/></w:tc></w:tr></w:tbl>";
        simple(&nested(n, open, &paragraph("deep"), close))
    }),
    ("turned-cells", 5_000, |n| {
        simple(&table(&row("<w:tc><w:tcPr><w:textDirection w:val=\"btLr\"/></w:tcPr><w:p><w:r><w:t>turned</w:t></w:r></w:p></w:tc>").repeat(n)))
    }),
];
