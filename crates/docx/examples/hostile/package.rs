//! Packages: zip bombs, and very many entries, relationships and content types.

use waraq_docx::build::{DocumentBuilder, paragraph, zip_archive};

use super::{Bomb, letters, many, nested};

const EMPTY: &str = "<w:p/>";

pub const BOMBS: &[Bomb] = &[
    ("zip-bomb", 0, |_| DocumentBuilder::new(EMPTY).with_part("word/media/image1.bin", vec![0; 60 << 20]).to_bytes()),
    ("zip-bombs-below-the-ratio", 0, |_| {
        let parts = |document: DocumentBuilder, i: usize| {
            document.with_part(&format!("word/media/image{i}.bin"), vec![0; 4 << 20])
        };
        (0..40).fold(DocumentBuilder::new(EMPTY), parts).to_bytes()
    }),
    ("zip-in-zip", 0, |_| {
        let inside = |inner: Vec<u8>, _| zip_archive([("a.zip", inner.as_slice())]);
        DocumentBuilder::new(EMPTY)
            .with_part("word/embeddings/a.zip", (0..50).fold(vec![0; 1 << 20], inside))
            .to_bytes()
    }),
    ("xml-of-spaces", 1_000_000, |n| DocumentBuilder::new(&format!("{}{EMPTY}", " ".repeat(n))).to_bytes()),
    ("xml-bombs-below-the-ratio", 0, |_| {
        let parts = |document: DocumentBuilder, i: usize| {
            document.with_part(&format!("word/x{i}.xml"), format!("<a>{}</a>", "<b/>".repeat(1_000_000)))
        };
        (0..40).fold(DocumentBuilder::new(EMPTY), parts).to_bytes()
    }),
    ("entries", 4_000, |n| {
        (0..n)
            .fold(DocumentBuilder::new(EMPTY), |document, i| document.with_part(&format!("word/{i}.bin"), ""))
            .to_bytes()
    }),
    ("entries-past-the-limit", 0, |_| {
        (0..10_500)
            .fold(DocumentBuilder::new(EMPTY), |document, i| document.with_part(&format!("word/{i}.bin"), ""))
            .to_bytes()
    }),
    ("relationships", 40_000, |n| {
        let mut document = DocumentBuilder::new(EMPTY);
        for i in 0..n {
            document.add_relationship("header", &format!("header{}.xml", i % 4), false);
        }
        (0..4).fold(document, |document, i| document.with_part(&format!("word/header{i}.xml"), "<a/>")).to_bytes()
    }),
    ("headers", 2_000, |n| {
        let mut document = DocumentBuilder::new(EMPTY);
        for i in 0..n {
            document.add_related_part("header", "hdr", &format!("header{i}.xml"), &paragraph("{{a}}"));
        }
        document.to_bytes()
    }),
    ("content-types", 100_000, |n| {
        let types = many(n, |i| format!("<Override PartName=\"/{}\" ContentType=\"a/b\"/>", letters(8, i)));
        let types = format!(
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\">{types}<Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>"
        );
        DocumentBuilder::new(EMPTY).with_part("[Content_Types].xml", types).to_bytes()
    }),
    ("long-names", 0, |_| {
        (0..500)
            .fold(DocumentBuilder::new(EMPTY), |document, i| {
                document.with_part(&format!("word/{}{i}", "a/".repeat(15_000)), "")
            })
            .to_bytes()
    }),
    ("one-font-embedded-again", 2_000, |n| {
        let font = |i: usize| {
            format!(
                "<w:font w:name=\"f{i}\"><w:embedRegular r:id=\"rId1\" w:fontKey=\"{{{i:08X}-0000-0000-0000-000000000000}}\"/></w:font>"
            )
        };
        let relationships = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" \
            Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/font\" Target=\"font.odttf\"/></Relationships>";
        let mut document = DocumentBuilder::new(EMPTY);
        document.add_related_part("fontTable", "fonts", "fontTable.xml", &many(n, font));
        let data = [&[0, 1, 0, 0][..], letters(8 << 20, 1).as_bytes()].concat();
        document.with_part("word/_rels/fontTable.xml.rels", relationships).with_part("word/font.odttf", data).to_bytes()
    }),
    ("attributes", 1_000, |n| {
        let attributes = many(n, |i| format!(" w:a{i}=\"1\""));
        DocumentBuilder::new(&format!("<w:p{attributes}/>").repeat(50)).to_bytes()
    }),
    ("namespaces", 500, |n| {
        let declared = many(n, |i| format!(" xmlns:n{i}=\"urn:{i}\""));
        DocumentBuilder::new(&format!("<w:p{declared}>{}</w:p>", "<x:y/>".repeat(n * 100))).to_bytes()
    }),
    ("elements", 400_000, |n| DocumentBuilder::new(&format!("<w:p>{}</w:p>", "<w:x/>".repeat(n))).to_bytes()),
    ("depth", 0, |_| DocumentBuilder::new(&nested(100_000, "<w:p>", "", "</w:p>")).to_bytes()),
    ("comment-marks", 300_000, |n| {
        DocumentBuilder::new(&format!("<!-- {} -->{EMPTY}", "<![CDATA[".repeat(n))).to_bytes()
    }),
    ("cdata", 100_000, |n| {
        DocumentBuilder::new(&format!("<w:p><w:r><w:t>{}</w:t></w:r></w:p>", "<![CDATA[a]]>".repeat(n))).to_bytes()
    }),
    ("no-end", 500_000, |n| vec![b'P'; n]),
    ("end-records", 16_000, |n| b"PK\x05\x06".repeat(n)),
];
