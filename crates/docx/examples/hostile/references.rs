//! Content that is written once and shown many times: numbering, fields, bookmarks, properties, imported documents and
//! comments.

use waraq_docx::build::{DocumentBuilder, paragraph, run};

use super::{Bomb, field, letters, many, simple};

fn numbered(count: usize, levels: &str, numbers: &str) -> Vec<u8> {
    let item = |i: usize| {
        format!(
            "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"{}\"/><w:numId w:val=\"{}\"/></w:numPr></w:pPr></w:p>",
            i % 9,
            i % 2 + 1
        )
    };
    let mut document = DocumentBuilder::new(&many(count, item));
    document.add_related_part("numbering", "numbering", "numbering.xml", &format!("{levels}{numbers}"));
    document.to_bytes()
}

fn levels(format: &str, start: &str, text: &str) -> String {
    let level = |i: usize| {
        format!(
            "<w:lvl w:ilvl=\"{i}\"><w:start w:val=\"{start}\"/><w:numFmt w:val=\"{format}\"/><w:lvlText w:val=\"{text}\"/></w:lvl>"
        )
    };
    format!("<w:abstractNum w:abstractNumId=\"0\">{}</w:abstractNum>", many(9, level))
}

const NUMBERS: &str = "<w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num><w:num w:numId=\"2\"><w:abstractNumId w:val=\"0\"/></w:num>";

fn bookmark(id: usize, content: &str) -> String {
    format!("<w:bookmarkStart w:id=\"{id}\" w:name=\"b{id}\"/>{content}<w:bookmarkEnd w:id=\"{id}\"/>")
}

pub const BOMBS: &[Bomb] = &[
    ("list", 30_000, |n| numbered(n, &levels("decimal", "1", "%1.%2.%3.%4.%5.%6.%7.%8.%9"), NUMBERS)),
    ("list-words", 10_000, |n| numbered(n, &levels("cardinalText", "2147483640", &"%1".repeat(120)), NUMBERS)),
    ("list-roman", 10_000, |n| numbered(n, &levels("upperRoman", "2147483640", &"%1".repeat(120)), NUMBERS)),
    ("list-letters", 10_000, |n| numbered(n, &levels("lowerLetter", "2147483640", &"%1".repeat(120)), NUMBERS)),
    ("numberings", 20_000, |n| {
        let abstracts = many(n, |i| {
            format!(
                "<w:abstractNum w:abstractNumId=\"{i}\"><w:numStyleLink w:val=\"s{i}\"/><w:styleLink w:val=\"s{}\"/></w:abstractNum>",
                i + 1
            )
        });
        let numbers = many(n, |i| format!("<w:num w:numId=\"{i}\"><w:abstractNumId w:val=\"{i}\"/></w:num>"));
        let mut document = DocumentBuilder::new(&many(n, |i| {
            format!("<w:p><w:pPr><w:numPr><w:numId w:val=\"{i}\"/></w:numPr></w:pPr></w:p>")
        }));
        document.add_related_part("numbering", "numbering", "numbering.xml", &(abstracts + &numbers));
        document.add_related_part("styles", "styles", "styles.xml", &many(n, |i| {
            format!("<w:style w:type=\"numbering\" w:styleId=\"s{i}\"><w:pPr><w:numPr><w:numId w:val=\"{i}\"/></w:numPr></w:pPr></w:style>")
        }));
        document.to_bytes()
    }),
    ("list-pictures", 10_000, |n| {
        let picture = "<w:numPicBullet w:numPicBulletId=\"1\"><w:pict><v:shape xmlns:v=\"urn:schemas-microsoft-com:vml\"><v:imagedata r:id=\"rId1\"/></v:shape></w:pict></w:numPicBullet>";
        let level = "<w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/><w:lvlPicBulletId w:val=\"1\"/></w:lvl>";
        let levels = format!("{picture}<w:abstractNum w:abstractNumId=\"0\">{level}</w:abstractNum>");
        let mut document =
            DocumentBuilder::new(&"<w:p><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:p>".repeat(n));
        document.add_related_part("numbering", "numbering", "numbering.xml", &format!("{levels}{NUMBERS}"));
        let other = |i: usize| format!("<Relationship Id=\"x{i}\" Type=\"image\" Target=\"a.png\"/>");
        let relationships = format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{}<Relationship Id=\"rId1\" Type=\"image\" Target=\"a.png\"/></Relationships>",
            many(n, other)
        );
        document
            .with_part("word/_rels/numbering.xml.rels", relationships)
            .with_part("word/a.png", "no picture")
            .to_bytes()
    }),
    ("bookmarks", 30_000, |n| {
        simple(&many(n, |i| {
            format!("<w:p>{}{}</w:p>", bookmark(i, &run("a")), field(&format!("PAGEREF b{} \\h", i / 2), "9"))
        }))
    }),
    ("one-place-of-bookmarks", 30_000, |n| {
        simple(&format!(
            "<w:p>{}{}</w:p>",
            many(n, |i| bookmark(i, "")),
            many(n, |i| field(&format!("REF b{i} \\n"), "9"))
        ))
    }),
    ("references-of-references", 12, |n| {
        let line = |i: usize| {
            format!(
                "<w:p>{}</w:p>",
                bookmark(
                    i,
                    &format!("{}{}", field(&format!("REF b{}", i + 1), "x"), field(&format!("REF b{}", i + 1), "x"))
                )
            )
        };
        simple(&(many(n, line) + &format!("<w:p>{}</w:p>", bookmark(n, &run("end")))))
    }),
    ("one-text-referred-to", 5_000, |n| {
        simple(&format!(
            "<w:p>{}</w:p><w:p>{}</w:p>",
            bookmark(1, &run(&letters(n, 1))),
            field("REF b1", "x").repeat(n)
        ))
    }),
    ("property-shown", 3_000, |n| {
        let types = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties";
        let title = format!(
            "<cp:coreProperties xmlns:cp=\"{types}\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>{}</dc:title></cp:coreProperties>",
            letters(n * 10, 1)
        );
        let relationships = format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
             <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/>\
             <Relationship Id=\"rId2\" Type=\"{types}\" Target=\"core.xml\"/></Relationships>"
        );
        let body = format!("<w:p>{}</w:p>", field("TITLE", "x").repeat(n));
        DocumentBuilder::new(&body).with_part("core.xml", title).with_part("_rels/.rels", relationships).to_bytes()
    }),
    ("inner-documents", 300, |n| {
        let inner = simple(&many(1_000, |i| paragraph(&letters(10, i))));
        let mut document = DocumentBuilder::new(&"<w:altChunk r:id=\"rId1\"/>".repeat(n));
        document.add_relationship("aFChunk", "inner.docx", false);
        document.with_part("word/inner.docx", inner).to_bytes()
    }),
    ("inner-documents-that-are-empty", 300, |n| {
        let inner = simple(&"<w:p/>".repeat(100_000));
        let mut document = DocumentBuilder::new(&"<w:altChunk r:id=\"rId1\"/>".repeat(n));
        document.add_relationship("aFChunk", "inner.docx", false);
        document.with_part("word/inner.docx", inner).to_bytes()
    }),
    ("inner-document-is-itself", 0, |_| {
        let mut document = DocumentBuilder::new("<w:altChunk r:id=\"rId1\"/>");
        document.add_relationship("aFChunk", "document.xml", false);
        document.to_bytes()
    }),
    ("html", 20_000, |n| {
        let mut document = DocumentBuilder::new("<w:altChunk r:id=\"rId1\"/>");
        document.add_relationship("aFChunk", "a.html", false);
        document
            .with_part(
                "word/a.html",
                format!("<html><body>{}", "<table><tr><td colspan=1000000000><b><ul><li>a&amp;".repeat(n)),
            )
            .to_bytes()
    }),
    ("open-fields", 50_000, |n| {
        simple(&format!(
            "<w:p>{}</w:p>",
            "<w:r><w:fldChar w:fldCharType=\"begin\"/><w:instrText>IF </w:instrText></w:r>".repeat(n)
        ))
    }),
    ("open-braces", 100_000, |n| simple(&paragraph(&"{{a ".repeat(n)))),
    ("template-fields", 20_000, |n| simple(&many(n, |i| paragraph(&format!("{{{{f{i}}}}}"))))),
    ("fields-in-notes", 10_000, |n| {
        let mut document = DocumentBuilder::new(&format!(
            "<w:p>{}</w:p>",
            many(n, |i| format!("<w:r><w:footnoteReference w:id=\"{i}\"/></w:r>"))
        ));
        document.add_related_part(
            "footnotes",
            "footnotes",
            "footnotes.xml",
            &many(n, |i| format!("<w:footnote w:id=\"{i}\">{}</w:footnote>", paragraph(&format!("{{{{f{i}}}}}")))),
        );
        document.to_bytes()
    }),
    ("controls", 30_000, |n| {
        simple(&many(n, |i| {
            format!(
                "<w:sdt><w:sdtPr><w:tag w:val=\"t{i}\"/><w:text/></w:sdtPr><w:sdtContent>{}</w:sdtContent></w:sdt>",
                paragraph("a")
            )
        }))
    }),
    ("comments", 10_000, |n| {
        let body = many(n, |i| {
            format!("<w:p><w:commentRangeStart w:id=\"{i}\"/>{}<w:commentRangeEnd w:id=\"{i}\"/></w:p>", run("a"))
        });
        let mut document = DocumentBuilder::new(&body);
        document.add_related_part(
            "comments",
            "comments",
            "comments.xml",
            &many(n, |i| format!("<w:comment w:id=\"{i}\">{}</w:comment>", paragraph("a"))),
        );
        document.to_bytes()
    }),
    ("headings", 20_000, |n| {
        simple(&many(n, |i| {
            format!("<w:p><w:pPr><w:outlineLvl w:val=\"{}\"/></w:pPr>{}</w:p>", i % 9, run(&letters(9, i)))
        }))
    }),
    ("links", 30_000, |n| {
        simple(&format!(
            "<w:p>{}</w:p>",
            many(n, |i| format!("<w:hyperlink w:anchor=\"b{i}\">{}</w:hyperlink>", run("a")))
        ))
    }),
];
