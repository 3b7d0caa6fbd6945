//! Tests of templates and documents with macros: filling makes a document (`.docx`) of them.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{self, FillOptions, Values};

const DOCUMENT: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// Returns a document whose main part has this content type.
fn with_type(document: DocumentBuilder, kind: &str) -> DocumentBuilder {
    let types = document.parts().into_iter().find(|(name, _)| name == "[Content_Types].xml").unwrap().1;
    let types = String::from_utf8(types).unwrap().replace(DOCUMENT, kind);
    document.with_part("[Content_Types].xml", types)
}

fn fill(document: &DocumentBuilder) -> Package {
    let package = Package::open(&document.to_bytes()).unwrap();
    fields::check(&package).unwrap();
    let filled = fields::fill(&package, &Values::from_pairs([("a", "b")]).unwrap(), FillOptions::default()).unwrap();
    let again = Package::open(&filled.to_bytes().unwrap()).unwrap();
    again.validate().unwrap();
    again
}

fn relationships(list: &str) -> String {
    format!("<Relationships xmlns=\"{PACKAGE}\">{list}</Relationships>")
}

#[test]
fn templates_become_documents() {
    for kind in [
        "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
        "application/vnd.ms-word.document.macroEnabled.main+xml",
        "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    ] {
        let filled = fill(&with_type(DocumentBuilder::new(&paragraph("{{a}}")), kind));
        let types = filled.part_text("[Content_Types].xml").unwrap();
        assert!(types.contains(&format!("PartName=\"/word/document.xml\" ContentType=\"{DOCUMENT}\"")), "{types}");
        assert!(!types.contains(kind), "{types}");
        assert!(filled.part_text("word/document.xml").unwrap().contains(">b<"));
    }
}

#[test]
fn a_content_type_by_extension_is_replaced_for_the_main_part_only() {
    let kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml";
    let types = format!(
        "<t:Types xmlns:t=\"http://schemas.openxmlformats.org/package/2006/content-types\"><t:Default Extension=\"rels\" \
         ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><t:Default Extension=\"xml\" ContentType=\"{kind}\"/></t:Types>"
    );
    let filled = fill(&DocumentBuilder::new(&paragraph("{{a}}")).with_part("[Content_Types].xml", types));
    let types = filled.part_text("[Content_Types].xml").unwrap();
    assert!(
        types.ends_with(&format!("<t:Override PartName=\"/word/document.xml\" ContentType=\"{DOCUMENT}\"/></t:Types>")),
        "{types}"
    );
}

#[test]
fn the_author_is_told_that_macros_are_removed() {
    let codes = |document: &DocumentBuilder| -> Vec<&str> {
        let findings = fields::check(&Package::open(&document.to_bytes()).unwrap()).unwrap().findings;
        findings.iter().map(|finding| finding.code.as_str()).collect()
    };
    let mut document = DocumentBuilder::new(&paragraph("{{a}}"));
    assert_eq!(codes(&document), [""; 0]);
    document.add_relationship("vbaProject", "vbaProject.bin", false);
    assert_eq!(codes(&document.with_part("word/vbaProject.bin", "macro")), ["macros_removed"]);
}

#[test]
fn macros_and_signatures_are_removed() {
    let mut document = DocumentBuilder::new(&paragraph("{{a}}"));
    document.add_relationship("vbaProject", "vbaProject.bin", false);
    document.add_relationship("image", "media/kept.png", false);
    let vba = format!(
        "{}{}",
        "<Relationship Id=\"rId1\" Type=\"http://schemas.microsoft.com/office/2006/relationships/wordVbaData\" Target=\"vbaData.xml\"/>",
        "<Relationship Id=\"rId2\" Type=\"http://schemas.microsoft.com/office/2006/relationships/vbaProjectSignature\" Target=\"vbaProjectSignature.bin\"/>"
    );
    let root = format!(
        "<Relationship Id=\"rId1\" Type=\"{R}/officeDocument\" Target=\"word/document.xml\"/>\
         <Relationship Id=\"rId2\" Type=\"{PACKAGE}/digital-signature/origin\" Target=\"_xmlsignatures/origin.sigs\"/>\
         <Relationship Id=\"rId3\" Type=\"http://schemas.microsoft.com/office/2006/relationships/ui/extensibility\" Target=\"customUI/customUI.xml\"/>"
    );
    let signature =
        format!("<Relationship Id=\"rId1\" Type=\"{PACKAGE}/digital-signature/signature\" Target=\"sig1.xml\"/>");
    let document = with_type(document, "application/vnd.ms-word.document.macroEnabled.main+xml")
        .with_part("word/vbaProject.bin", "macro")
        .with_part("word/_rels/vbaProject.bin.rels", relationships(&vba))
        .with_part("word/vbaData.xml", "<a/>")
        .with_part("word/vbaProjectSignature.bin", "b")
        .with_part("word/media/kept.png", "png")
        .with_part("_rels/.rels", relationships(&root))
        .with_part("customUI/customUI.xml", "<a/>")
        .with_part("_xmlsignatures/origin.sigs", "")
        .with_part("_xmlsignatures/_rels/origin.sigs.rels", relationships(&signature))
        .with_part("_xmlsignatures/sig1.xml", "<a/>");
    let filled = fill(&document);
    let mut parts: Vec<&str> = filled.part_names().collect();
    parts.sort_unstable();
    assert_eq!(
        parts,
        [
            "[Content_Types].xml",
            "_rels/.rels",
            "word/_rels/document.xml.rels",
            "word/document.xml",
            "word/media/kept.png"
        ]
    );
    for (part, kept) in [("_rels/.rels", "officeDocument"), ("word/_rels/document.xml.rels", "image")] {
        let text = filled.part_text(part).unwrap();
        assert!(text.contains(kept) && text.matches("<Relationship ").count() == 1, "{text}");
    }
}

#[test]
fn a_part_that_the_document_needs_is_never_removed() {
    let mut document = DocumentBuilder::new(&paragraph("{{a}}"));
    document.add_relationship("vbaProject", "document.xml", false);
    document.add_relationship("vbaProject", "styles.xml", false);
    document.add_related_part("styles", "styles", "styles.xml", "");
    let filled = fill(&document);
    assert!(filled.part_text("word/document.xml").is_some() && filled.part_text("word/styles.xml").is_some());
    assert!(!filled.part_text("word/_rels/document.xml.rels").unwrap().contains("vbaProject"));
}

#[test]
fn a_document_without_macros_keeps_its_other_parts() {
    let document = DocumentBuilder::new(&paragraph("{{a}}"));
    let filled = fill(&document);
    let before = Package::open(&document.to_bytes()).unwrap();
    for part in before.part_names().filter(|part| *part != "word/document.xml") {
        assert_eq!(before.part_bytes(part), filled.part_bytes(part), "{part}");
    }
}
