//! Tests with documents that are small but could be expensive to read. With quadratic work, a test would run for
//! minutes or out of memory.

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{self, FillOptions, Severity, Values};
use waraq_docx::tree::Block;
use waraq_docx::{Package, ReadOptions, read};

const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

fn many(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

fn open(document: &DocumentBuilder) -> Package {
    Package::open(&document.to_bytes()).unwrap()
}

#[test]
fn many_unknown_values_are_refused_without_comparing_all_with_all() {
    let package = open(&DocumentBuilder::new(&many(20_000, |i| paragraph(&format!("{{{{{i} {}}}}}", "n".repeat(90))))));
    let values = Values::from_pairs((0..900).map(|i| (format!("{} {i}", "m".repeat(200)), ""))).unwrap();
    let error = fields::fill(&package, &values, FillOptions::default()).unwrap_err();
    assert_eq!((error.code.as_str(), error.fields.len(), error.suggestions.len()), ("unknown_field", 50, 50));
    assert!(error.message.contains("850 others"), "{}", error.message);
}

#[test]
fn errors_and_warnings_have_separate_limits() {
    let warnings = paragraph(&"}} ".repeat(100_000));
    let package = open(&DocumentBuilder::new(&format!("{warnings}{}", paragraph("{{}}"))));
    let found = fields::check(&package).unwrap().findings;
    assert_eq!(found.iter().filter(|one| one.code == "stray_close").count(), 500);
    assert_eq!(found.iter().filter(|one| one.severity == Severity::Error).count(), 1);
    let last = found.last().unwrap();
    assert_eq!((last.code.as_str(), last.severity), ("more_findings", Severity::Warning));
    assert!(last.message.contains("99500"), "{}", last.message);
}

#[test]
fn names_that_look_alike_are_found_in_one_pass() {
    let package =
        open(&DocumentBuilder::new(&many(40_000, |i| paragraph(&format!("{{{{n{}{}}}}}", i / 2, ["", "."][i % 2])))));
    let found = fields::check(&package).unwrap().findings;
    assert_eq!(found.iter().filter(|one| one.code == "lookalike_names").count(), 500);
}

#[test]
fn fields_in_many_notes_are_ordered_by_the_note_references() {
    let notes = |kind: &str| {
        many(30_000, |i| format!("<w:{kind} w:id=\"{i}\">{}</w:{kind}>", paragraph(&format!("{{{{f{i}}}}}"))))
    };
    let calls = many(30_000, |i| format!("<w:r><w:footnoteReference w:id=\"{}\"/></w:r>", 29_999 - i));
    let mut document = DocumentBuilder::new(&format!("<w:p>{calls}</w:p>"));
    document.add_related_part("footnotes", "footnotes", "footnotes.xml", &notes("footnote"));
    let found = fields::list(&open(&document)).unwrap();
    assert_eq!((found.len(), found[0].name.as_str()), (30_000, "f29999"));
}

#[test]
fn one_part_named_by_many_relationships_is_read_once() {
    let mut document = DocumentBuilder::new("<w:p/>");
    for i in 0..90_000 {
        document.add_relationship("header", &format!("header{}.xml", i % 3_000), false);
    }
    let document = (0..3_000).fold(document, |document, i| {
        let header = format!(
            "<w:hdr xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">{}</w:hdr>",
            paragraph("{{a}}")
        );
        document.with_part(&format!("word/header{i}.xml"), header)
    });
    let found = fields::list(&open(&document)).unwrap();
    assert_eq!((found.len(), found[0].occurrences), (1, 3_000));
}

#[test]
fn a_font_file_embedded_many_times_is_stored_once_per_key() {
    let relationships = format!(
        "<Relationships xmlns=\"{RELATIONSHIPS}\"><Relationship Id=\"rId1\" Type=\"font\" Target=\"font.odttf\"/></Relationships>"
    );
    let font = |i: usize| format!("<w:font w:name=\"f{i}\"><w:embedRegular r:id=\"rId1\"/></w:font>");
    let mut document = DocumentBuilder::new("<w:p/>");
    document.add_related_part("fontTable", "fonts", "fontTable.xml", &many(10_000, font));
    let data = [&[0, 1, 0, 0][..], &vec![7; 4_000_000]].concat();
    let document =
        document.with_part("word/_rels/fontTable.xml.rels", relationships).with_part("word/font.odttf", data);
    let read = read(&open(&document), &ReadOptions::default()).unwrap();
    assert_eq!(read.embedded_fonts.len(), 100);
    assert!(read.embedded_fonts.windows(2).all(|pair| std::sync::Arc::ptr_eq(&pair[0].data, &pair[1].data)));
}

#[test]
fn imported_documents_are_limited_by_their_inflated_size() {
    let inner = DocumentBuilder::new(&"<w:p/>".repeat(600_000)).to_bytes();
    assert!(inner.len() < 20_000);
    let mut document = DocumentBuilder::new(&"<w:altChunk r:id=\"rId1\"/>".repeat(1_000));
    document.add_relationship("aFChunk", "inner.docx", false);
    let read = read(&open(&document.with_part("word/inner.docx", inner)), &ReadOptions::default()).unwrap();
    let blocks: usize = read.sections.iter().map(|section| section.blocks.len()).sum();
    assert!((600_000..8_000_000).contains(&blocks), "{blocks}");
    assert!(read.warnings.iter().any(|warning| warning.code == "alternative_content_left_out"));
}

#[test]
fn bullet_pictures_are_found_among_many_relationships() {
    let bullet = "<w:numPicBullet w:numPicBulletId=\"1\"><w:pict><v:shape xmlns:v=\"urn:schemas-microsoft-com:vml\"><v:imagedata r:id=\"last\"/></v:shape></w:pict></w:numPicBullet>\
        <w:abstractNum w:abstractNumId=\"0\"><w:lvl w:ilvl=\"0\"><w:numFmt w:val=\"bullet\"/><w:lvlText w:val=\"x\"/><w:lvlPicBulletId w:val=\"1\"/></w:lvl></w:abstractNum>\
        <w:num w:numId=\"1\"><w:abstractNumId w:val=\"0\"/></w:num>";
    let item = "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr></w:p>";
    let mut document = DocumentBuilder::new(&item.repeat(50_000));
    document.add_related_part("numbering", "numbering", "numbering.xml", bullet);
    let other = |i: usize| format!("<Relationship Id=\"x{i}\" Type=\"image\" Target=\"a.png\"/>");
    let relationships = format!(
        "<Relationships xmlns=\"{RELATIONSHIPS}\">{}<Relationship Id=\"last\" Type=\"image\" Target=\"b.png\"/></Relationships>",
        many(90_000, other)
    );
    let document =
        document.with_part("word/_rels/numbering.xml.rels", relationships).with_part("word/b.png", "picture");
    let read = read(&open(&document), &ReadOptions::default()).unwrap();
    assert_eq!(read.images.iter().map(|image| image.part.as_str()).collect::<Vec<_>>(), ["word/b.png"]);
    let labelled = |block: &Block| matches!(block, Block::Paragraph(one) if one.label.as_ref().is_some_and(|label| label.picture.is_some()));
    assert!(read.sections[0].blocks.iter().all(labelled));
}

#[test]
fn long_field_codes_are_filled_in_one_pass() {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let field = |code: &str| {
        let code = format!("<w:r><w:instrText xml:space=\"preserve\">{code}</w:instrText></w:r>");
        format!("<w:p>{}{code}{}</w:p>", character("begin"), character("end"))
    };
    let codes = [
        format!(" QUOTE {}", "{{a}} ".repeat(40_000)),
        format!(" QUOTE {}", "{{a}}-".repeat(40_000)),
        format!(" =({})", "{{a}},".repeat(40_000)),
        format!(" HYPERLINK {}", "{{a}}-".repeat(40_000)),
    ];
    let values = Values::from_pairs([("a", "1,5")]).unwrap();
    for code in codes {
        let package = open(&DocumentBuilder::new(&field(&code)));
        fields::fill(&package, &values, FillOptions::default()).unwrap();
    }
    let merge = field(" MERGEFIELD a ").replace("<w:p>", "").replace("</w:p>", "");
    for name in ["x".repeat(400_000), " ".repeat(400_000)] {
        let code = format!("{}<w:r><w:instrText>{name}</w:instrText></w:r>", character("begin"));
        let body = format!("<w:p>{code}{}</w:p>", many(4_000, |_| merge.clone()));
        fields::list(&open(&DocumentBuilder::new(&body))).unwrap();
    }
}

#[test]
fn long_attributes_and_links_are_filled_in_one_pass() {
    let drawing = "xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\"";
    let body = format!("<w:p><w:r><wp:docPr {drawing} descr=\"{{{{a}}}}{}\"/></w:r></w:p>", "&".repeat(500_000));
    let mut document = DocumentBuilder::new(&body);
    document.add_relationship("hyperlink", &format!("{}:{}", "x".repeat(500_000), "{{a}}".repeat(20_000)), true);
    let values = Values::from_pairs([("a", "1")]).unwrap();
    fields::fill(&open(&document), &values, FillOptions::default()).unwrap();
}

#[test]
fn many_macro_parts_are_removed_in_one_pass() {
    let entry = |i: usize| format!("<Relationship Id=\"r{i}\" Type=\"x/vbaProject\" Target=\"v{i}.bin\"/>");
    let relationships = format!("<Relationships xmlns=\"{RELATIONSHIPS}\">{}</Relationships>", many(9_000, entry));
    let mut document = DocumentBuilder::new(&paragraph("x")).with_part("word/_rels/document.xml.rels", relationships);
    for i in 0..4_500 {
        document = document.with_part(&format!("word/v{i}.bin"), "x");
    }
    let filled = fields::fill(&open(&document), &Values::default(), FillOptions::default()).unwrap();
    assert!(!filled.part_names().any(|name| name.ends_with(".bin")));
}
