//! Tests of external content that readers of a document would load or start.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_docx::fields::{self, FillOptions, Severity, Values};

fn external_findings(document: &DocumentBuilder) -> Vec<(String, Severity, String)> {
    let package = Package::open(&document.to_bytes()).unwrap();
    let all = fields::check(&package).unwrap().findings.into_iter();
    let external = all.filter(|finding| finding.code == "external_content");
    external
        .map(|finding| (finding.part.unwrap_or_default(), finding.severity, finding.context.unwrap_or_default()))
        .collect()
}

fn field_paragraph(pieces: &[&str]) -> String {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let code: String = pieces
        .iter()
        .map(|code| format!("<w:r><w:instrText xml:space=\"preserve\">{code}</w:instrText></w:r>"))
        .collect();
    format!("<w:p>{}{code}{}{}{}</w:p>", character("begin"), character("separate"), run("result"), character("end"))
}

#[test]
fn content_that_is_loaded_automatically_is_an_error() {
    for kind in ["oleObject", "subDocument", "aFChunk", "frame", "mailMergeSource", "somethingNew"] {
        let mut document = DocumentBuilder::new(&paragraph("text"));
        document.add_relationship(kind, "https://example.org/x", true);
        let expected = ("word/document.xml".to_owned(), Severity::Error, "https://example.org/x".to_owned());
        assert_eq!(external_findings(&document), [expected], "{kind}");
    }
}

#[test]
fn a_linked_picture_is_a_warning_and_a_hyperlink_is_allowed() {
    let mut document = DocumentBuilder::new(&paragraph("text"));
    document.add_relationship("hyperlink", "https://example.org/", true);
    assert_eq!(external_findings(&document), []);
    document.add_relationship("image", "https://example.org/logo.png", true);
    let severities: Vec<_> = external_findings(&document).into_iter().map(|(_, severity, _)| severity).collect();
    assert_eq!(severities, [Severity::Warning]);
}

#[test]
fn fields_that_start_programs_are_errors_even_if_split_into_runs() {
    let code = r#"DDEAUTO c:\\windows\\system32\\cmd.exe "/k calc.exe""#;
    let cut = [" DD", "EAU", "TO c:\\\\windows\\\\system32\\\\cmd.exe ", "\"/k calc.exe\" "];
    for body in [
        field_paragraph(&cut),
        format!("<w:p><w:fldSimple w:instr=\" {} \">{}</w:fldSimple></w:p>", code.replace('"', "&quot;"), run("x")),
        format!("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", field_paragraph(&cut)),
    ] {
        let found = external_findings(&DocumentBuilder::new(&body));
        assert_eq!(found.len(), 1, "{body}");
        assert_eq!((found[0].1, found[0].2.as_str()), (Severity::Error, code));
    }
    let mut in_a_footer = DocumentBuilder::new(&paragraph("text"));
    in_a_footer.add_related_part("footer", "ftr", "footer1.xml", &field_paragraph(&[" DDE Excel Sheet1 R1C1 "]));
    assert_eq!(external_findings(&in_a_footer)[0].0, "word/footer1.xml");
    let shown = external_findings(&DocumentBuilder::new(&field_paragraph(&[
        " INCLUDEPICTURE \"https://example.org/a.png\" \\d ",
    ])));
    assert_eq!(shown[0].1, Severity::Warning);
    assert_eq!(external_findings(&DocumentBuilder::new(&field_paragraph(&[" PAGE "]))), []);
}

#[test]
fn filling_removes_an_external_attached_template() {
    let mut document = DocumentBuilder::new(&paragraph("{{a}}"));
    document.add_related_part(
        "settings",
        "settings",
        "settings.xml",
        "<w:zoom w:percent=\"100\"/><w:attachedTemplate r:id=\"rId1\"/><w:defaultTabStop w:val=\"700\"/>",
    );
    let relationships = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" \
        Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/attachedTemplate\" Target=\"https://example.org/evil.dotm\" \
        TargetMode=\"External\"/><Relationship Id=\"rId2\" Type=\"urn:other\" Target=\"kept.xml\"/></Relationships>";
    let bytes = document.with_part("word/_rels/settings.xml.rels", relationships).to_bytes();
    let package = Package::open(&bytes).unwrap();
    let values = Values::from_pairs([("a", "b")]).unwrap();
    let filled = fields::fill(&package, &values, FillOptions::default()).unwrap().to_bytes().unwrap();
    let filled = Package::open(&filled).unwrap();
    filled.validate().unwrap();
    for part in ["word/settings.xml", "word/_rels/settings.xml.rels"] {
        let text = filled.part_text(part).unwrap();
        assert!(!text.contains("evil") && !text.contains("attachedTemplate"), "{text}");
    }
    assert!(filled.part_text("word/settings.xml").unwrap().contains("defaultTabStop"));
    assert!(filled.part_text("word/_rels/settings.xml.rels").unwrap().contains("kept.xml"));
    assert_eq!(
        fields::check(&package).unwrap().findings.iter().filter(|one| one.code == "external_content").count(),
        0,
        "filling removes it, so it is not reported"
    );
}

fn unsafe_links(document: &DocumentBuilder) -> Vec<(Severity, String)> {
    let package = Package::open(&document.to_bytes()).unwrap();
    let all = fields::check(&package).unwrap().findings.into_iter().filter(|finding| finding.code == "unsafe_link");
    all.map(|finding| (finding.severity, finding.context.unwrap_or_default())).collect()
}

/// Fills a document and returns all its parts as one text.
fn filled_text(document: &DocumentBuilder, values: &[(&str, &str)]) -> String {
    let package = Package::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let filled = fields::fill(&package, &values, FillOptions::default()).unwrap();
    let filled = Package::open(&filled.to_bytes().unwrap()).unwrap();
    filled.part_names().filter_map(|name| filled.part_text(name)).collect()
}

const UNSAFE: [&str; 7] = [
    "javascript:alert(1)",
    " java\tScript:alert(1)",
    "file:///C:/Windows/System32/calc.exe",
    "vbscript:x",
    "ms-msdt:/id",
    "C:\\Windows\\System32\\calc.exe",
    "\\\\server\\share\\a.exe",
];

#[test]
fn unsafe_relationships_are_reported_and_harmless_in_filled_documents() {
    for target in UNSAFE {
        let mut document = DocumentBuilder::new("");
        let id = document.add_relationship("hyperlink", target, true);
        let body = format!("<w:p><w:hyperlink r:id=\"{id}\">{}</w:hyperlink></w:p>{}", run("kept"), paragraph("{{a}}"));
        let main =
            DocumentBuilder::new(&body).parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap();
        let document = document.with_part("word/document.xml", main.1);
        assert_eq!(unsafe_links(&document).len(), 1, "{target}");
        assert_eq!(unsafe_links(&document)[0].0, Severity::Warning);
        let text = filled_text(&document, &[("a", "b")]);
        assert!(!text.contains("calc") && !text.to_lowercase().contains("script:") && !text.contains("msdt"), "{text}");
        assert!(text.contains("kept") && text.contains("Target=\"#\""), "{text}");
    }
    for target in ["https://a.example/?b=javascript:c", "mailto:a@b.example", "tel:+1", "other.docx", "#place", "a/b:c"]
    {
        let mut document = DocumentBuilder::new(&paragraph("{{a}}"));
        document.add_relationship("hyperlink", target, true);
        assert_eq!(unsafe_links(&document), [], "{target}");
        assert!(filled_text(&document, &[("a", "b")]).contains(&format!("Target=\"{target}\"")), "{target}");
    }
}

#[test]
fn unsafe_link_fields_and_shapes_are_reported_and_harmless_in_filled_documents() {
    let code = r#" HYPERLINK "javascript:alert(1)" \t "_blank" "#;
    let escaped = code.replace('"', "&quot;");
    for body in [
        field_paragraph(&[" HYPER", "LINK \"javascript", ":alert(1)\" "]),
        field_paragraph(&[" hyperlink file:///c:/alert "]),
        format!("<w:p><w:fldSimple w:instr=\"{escaped}\">{}</w:fldSimple></w:p>", run("result")),
        "<w:p><w:r><w:pict><v:rect xmlns:v=\"urn:schemas-microsoft-com:vml\" href=\"javascript:alert(1)\"/></w:pict></w:r>\
         <w:r><w:t>result</w:t></w:r></w:p>"
            .to_owned(),
    ] {
        let document = DocumentBuilder::new(&(body.clone() + &paragraph("{{a}}")));
        let found = unsafe_links(&document);
        assert!(found.len() == 1 && found[0].1.contains("alert"), "{body}: {found:?}");
        let text = filled_text(&document, &[("a", "b")]);
        assert!(!text.contains("alert") && text.contains("result"), "{text}");
    }
    let safe =
        field_paragraph(&[r#" HYPERLINK "https://a.example" "#]) + &field_paragraph(&[r#" HYPERLINK \l "_Toc1" "#]);
    let document = DocumentBuilder::new(&(safe + &paragraph("{{a}}")));
    assert_eq!(unsafe_links(&document), []);
    let text = filled_text(&document, &[("a", "b")]);
    assert!(text.contains("https://a.example") && text.contains("_Toc1"), "{text}");
}

/// A value can be the whole target of a link. Then characters such as the colon of an unsafe scheme are escaped.
#[test]
fn values_make_no_unsafe_links() {
    let mut document = DocumentBuilder::new(&field_paragraph(&[" HYPERLINK \"{{url}}\" "]));
    document.add_relationship("hyperlink", "{{url}}", true);
    assert_eq!(unsafe_links(&document), []);
    let text = filled_text(&document, &[("url", "javascript:alert(1)")]);
    assert!(!text.contains("javascript:"), "{text}");
    assert!(filled_text(&document, &[("url", "https://a.example/b")]).contains("https://a.example/b"));
}
