//! Sections, columns, headers, notes and page sizes.

use waraq_docx::build::{DocumentBuilder, paragraph, run};

use super::{Bomb, field, letters, many, simple};

const PAGE_BREAK: &str = "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>";

fn with_header(content: &str, body: &str) -> Vec<u8> {
    let reference = "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/><w:footerReference w:type=\"default\" r:id=\"rId1\"/></w:sectPr>";
    let mut document = DocumentBuilder::new(&format!("{body}{reference}"));
    document.add_related_part("header", "hdr", "header1.xml", content);
    document.to_bytes()
}

fn with_notes(body: &str, notes: &str) -> Vec<u8> {
    let mut document = DocumentBuilder::new(body);
    document.add_related_part("footnotes", "footnotes", "footnotes.xml", notes);
    document.add_related_part("endnotes", "endnotes", "endnotes.xml", &notes.replace("footnote", "endnote"));
    document.to_bytes()
}

fn footnote_reference(id: usize) -> String {
    format!("<w:r><w:footnoteReference w:id=\"{id}\"/></w:r>")
}

fn note(id: usize, content: &str) -> String {
    format!("<w:footnote w:id=\"{id}\">{content}</w:footnote>")
}

pub const BOMBS: &[Bomb] = &[
    ("page-breaks", 20_000, |n| simple(&PAGE_BREAK.repeat(n))),
    ("long-header", 500, |n| with_header(&many(n, |i| paragraph(&letters(60, i))), &PAGE_BREAK.repeat(n))),
    // The second document has twice as many pages, but the same number of fields. Twice as many of both would give four
    // times the work.
    ("header-fields", 1_000, |n| {
        with_header(&format!("<w:p>{}</w:p>", field("NUMPAGES", "1").repeat(200)), &PAGE_BREAK.repeat(n))
    }),
    ("header-is-the-body", 0, |_| {
        let mut document =
            DocumentBuilder::new("<w:p/><w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/></w:sectPr>");
        document.add_relationship("header", "document.xml", false);
        document.to_bytes()
    }),
    ("sections", 5_000, |n| {
        let section = "<w:p><w:pPr><w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/><w:type w:val=\"continuous\"/></w:sectPr></w:pPr></w:p>";
        with_header(&paragraph("header"), &section.repeat(n))
    }),
    ("sections-of-a-long-header", 300, |n| {
        let section =
            "<w:p><w:pPr><w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/></w:sectPr></w:pPr></w:p>";
        with_header(&many(n, |i| paragraph(&letters(60, i))), &section.repeat(n))
    }),
    ("balanced-sections", 2_000, |n| {
        let section = "<w:p><w:pPr><w:sectPr><w:type w:val=\"continuous\"/><w:cols w:num=\"64\"/></w:sectPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>";
        simple(&section.repeat(n))
    }),
    ("columns", 0, |_| {
        let columns = ["1000000000", "-5", "2147483647", "0"].map(|n| {
            format!("<w:p><w:pPr><w:sectPr><w:cols w:num=\"{n}\" w:space=\"{n}\"/><w:pgSz w:w=\"{n}\" w:h=\"{n}\"/><w:pgMar w:top=\"{n}\" w:left=\"{n}\" w:header=\"{n}\"/>\
                <w:pgNumType w:start=\"{n}\" w:fmt=\"cardinalText\"/><w:lnNumType w:countBy=\"{n}\" w:start=\"{n}\"/><w:docGrid w:linePitch=\"{n}\"/></w:sectPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>")
        });
        simple(&columns.concat())
    }),
    ("own-columns", 20_000, |n| {
        simple(&format!(
            "{}<w:sectPr><w:cols w:equalWidth=\"0\">{}</w:cols></w:sectPr>",
            paragraph("a b c"),
            "<w:col w:w=\"100\" w:space=\"1\"/>".repeat(n)
        ))
    }),
    ("small-pages", 20_000, |n| {
        simple(&format!(
            "<w:p>{}</w:p><w:sectPr><w:pgSz w:w=\"720\" w:h=\"720\"/></w:sectPr>",
            many(n, |i| run(&(letters(4, i) + " ")))
        ))
    }),
    ("footnotes", 5_000, |n| {
        with_notes(
            &format!("<w:p>{}</w:p>", many(n, |i| footnote_reference(i + 1))),
            &many(n, |i| note(i + 1, &paragraph(&letters(5, i)))),
        )
    }),
    ("footnotes-of-paragraphs", 10_000, |n| {
        with_notes(
            &many(n, |i| format!("<w:p>{}</w:p>", footnote_reference(i + 1))),
            &many(n, |i| note(i + 1, &paragraph(&letters(5, i)))),
        )
    }),
    ("one-note-called-again", 1_000, |n| {
        with_notes(
            &format!("<w:p>{}</w:p>", footnote_reference(1).repeat(n)),
            &note(1, &many(n, |i| paragraph(&letters(40, i)))),
        )
    }),
    ("one-endnote-called-again", 1_000, |n| {
        let calls = footnote_reference(1).repeat(n).replace("footnote", "endnote");
        with_notes(&format!("<w:p>{calls}</w:p>"), &note(1, &many(n, |i| paragraph(&letters(40, i)))))
    }),
    ("long-footnote", 50_000, |n| {
        with_notes(&format!("<w:p>{}</w:p>", footnote_reference(1)), &note(1, &many(n, |i| paragraph(&letters(5, i)))))
    }),
    ("notes-in-tables", 3_000, |n| {
        let row = |i: usize| format!("<w:tr><w:tc><w:p>{}</w:p></w:tc></w:tr>", footnote_reference(i + 1));
        with_notes(&format!("<w:tbl>{}</w:tbl>", many(n, row)), &many(n, |i| note(i + 1, &paragraph(&letters(5, i)))))
    }),
    ("line-numbers", 50_000, |n| {
        simple(&format!(
            "{}<w:sectPr><w:lnNumType w:countBy=\"1\"/></w:sectPr>",
            many(n, |i| paragraph(&letters(4, i)))
        ))
    }),
];
