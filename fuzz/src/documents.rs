//! Valid documents. Fuzz targets replace one or more of their parts.

use std::sync::OnceLock;

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph, run};

const NAMESPACES: &str = concat!(
    "xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\" ",
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" ",
    "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" ",
    "xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" ",
    "xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\" ",
    "xmlns:c=\"http://schemas.openxmlformats.org/drawingml/2006/chart\" ",
    "xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" ",
    "xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\" ",
    "xmlns:wpg=\"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup\" ",
    "xmlns:wpc=\"http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas\" ",
    "xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\" ",
    "xmlns:w15=\"http://schemas.microsoft.com/office/word/2012/wordml\" ",
    "xmlns:wp14=\"http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing\" ",
    "xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" ",
    "xmlns:m=\"http://schemas.openxmlformats.org/officeDocument/2006/math\" ",
    "xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\" ",
    "xmlns:w10=\"urn:schemas-microsoft-com:office:word\" ",
    "xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" ",
    "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" ",
    "xmlns:ep=\"http://schemas.openxmlformats.org/officeDocument/2006/extended-properties\" ",
    "xmlns:op=\"http://schemas.openxmlformats.org/officeDocument/2006/custom-properties\" ",
    "xmlns:vt=\"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes\""
);

/// Returns a part: the content inside its root element, with all namespaces declared.
pub fn part(root: &str, content: &str) -> Vec<u8> {
    format!("<{root} {NAMESPACES}>{content}</{root}>").into_bytes()
}

/// A PNG picture of one pixel.
pub const PIXEL: &[u8] = include_bytes!("../seeds/pictures/pixel.png");

/// Returns a complex field (§17.16.18).
pub fn field(code: &str, result: &str) -> String {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    format!(
        "{}<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>{}{}{}",
        character("begin"),
        character("separate"),
        run(result),
        character("end")
    )
}

/// Returns a body that uses every other part. It refers to styles A, B and T, lists 1 to 3, and header and footer 1. It
/// also has note 1 of each kind, comment 1, and the font "Own".
pub fn body() -> String {
    let list = |number: usize, level: usize| {
        format!(
            "<w:p><w:pPr><w:pStyle w:val=\"B\"/><w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{number}\"/></w:numPr></w:pPr>{}</w:p>",
            run("item")
        )
    };
    let lists: String = [(1, 0), (1, 1), (1, 2), (2, 0), (2, 8), (3, 0), (1, 1)].map(|(n, l)| list(n, l)).concat();
    format!(
        "<w:p><w:pPr><w:pStyle w:val=\"A\"/></w:pPr><w:bookmarkStart w:id=\"1\" w:name=\"b\"/>{}<w:bookmarkEnd w:id=\"1\"/>\
         <w:r><w:rPr><w:rStyle w:val=\"C\"/></w:rPr><w:t>styled نص عربي</w:t></w:r><w:r><w:rPr><w:rFonts w:ascii=\"Own\"/></w:rPr><w:t>own</w:t></w:r>\
         <w:r><w:footnoteReference w:id=\"1\"/></w:r><w:r><w:endnoteReference w:id=\"1\"/></w:r>\
         <w:commentRangeStart w:id=\"1\"/>{}<w:commentRangeEnd w:id=\"1\"/><w:r><w:commentReference w:id=\"1\"/></w:r></w:p>{lists}\
         <w:tbl><w:tblPr><w:tblStyle w:val=\"T\"/><w:tblW w:w=\"0\" w:type=\"auto\"/></w:tblPr><w:tblGrid><w:gridCol w:w=\"2000\"/><w:gridCol w:w=\"2000\"/></w:tblGrid>\
         <w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl><w:p>{}{}{}</w:p>\
         <w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/><w:footerReference w:type=\"default\" r:id=\"rId2\"/>\
         <w:pgSz w:w=\"8000\" w:h=\"10000\"/><w:pgMar w:top=\"1000\" w:right=\"1000\" w:bottom=\"1000\" w:left=\"1000\" w:header=\"500\" w:footer=\"500\" w:gutter=\"0\"/></w:sectPr>",
        run("Heading "),
        run("remarked"),
        paragraph("a"),
        paragraph("b"),
        paragraph("c"),
        paragraph("d"),
        field("PAGEREF b \\h", "9"),
        field("REF b \\h", "stale"),
        field("DOCPROPERTY own", "none"),
    )
}

/// Returns a document with every part that a Word document can have. Its relationships are `rId1` and so on, in this
/// order.
pub fn complete_document() -> &'static Package {
    static WHOLE: OnceLock<Package> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let mut document = DocumentBuilder::new(&body());
        let p = |text: &str| paragraph(text);
        let note = |kind: &str| format!("<w:{kind} w:id=\"1\">{}</w:{kind}>", p("a note"));
        for (kind, root, file, content) in [
            ("header", "hdr", "header1.xml", p("header")),
            ("footer", "ftr", "footer1.xml", format!("<w:p>{}</w:p>", field("PAGE", "1"))),
            ("footnotes", "footnotes", "footnotes.xml", note("footnote")),
            ("endnotes", "endnotes", "endnotes.xml", note("endnote")),
            ("comments", "comments", "comments.xml", note("comment")),
            ("styles", "styles", "styles.xml", String::new()),
            ("numbering", "numbering", "numbering.xml", String::new()),
            ("settings", "settings", "settings.xml", String::new()),
            ("fontTable", "fonts", "fontTable.xml", String::new()),
        ] {
            document.add_related_part(kind, root, file, &content);
        }
        // The builder declares fewer namespaces on root elements than a fuzzed part may need.
        document.add_relationship("theme", "theme1.xml", false);
        document.add_relationship("image", "media/image1.png", false);
        document.add_relationship("aFChunk", "chunk.html", false);
        document.add_relationship("hyperlink", "https://example.org/", true);
        let document = document
            .with_part("word/document.xml", part("w:document", &format!("<w:body>{}</w:body>", body())))
            .with_part("word/theme1.xml", part("a:theme", ""))
            .with_part("word/media/image1.png", PIXEL)
            .with_part("word/chunk.html", "<p>chunk</p>")
            .with_part("docProps/core.xml", part("cp:coreProperties", ""))
            .with_part("docProps/app.xml", part("ep:Properties", ""))
            .with_part("docProps/custom.xml", part("op:Properties", ""))
            .with_part("_rels/.rels", PACKAGE_RELATIONSHIPS);
        open_valid(&document.to_bytes())
    })
}

const PACKAGE_RELATIONSHIPS: &str = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
    <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/>\
    <Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>\
    <Relationship Id=\"rId3\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/extended-properties\" Target=\"docProps/app.xml\"/>\
    <Relationship Id=\"rId4\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties\" Target=\"docProps/custom.xml\"/>\
    </Relationships>";

/// Opens a document that is known to be valid.
pub fn open_valid(bytes: &[u8]) -> Package {
    Package::open(bytes).unwrap_or_else(|error| panic!("a sound document does not open: {error}"))
}
