//! Tests of fields in text outside paragraphs: alternative texts, watermarks, tooltips, numbering labels, link targets,
//! charts, diagrams and comments.

mod filling;

use filling::{fill, names};
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{self, EmptyValue, FillOptions, Severity, Values};
use waraq_docx::{Package, ReadOptions, read};

const DRAWING: &str = "xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
    xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:v=\"urn:schemas-microsoft-com:vml\"";

fn findings(document: &DocumentBuilder) -> Vec<(String, Severity, Vec<String>)> {
    let package = Package::open(&document.to_bytes()).unwrap();
    let findings = fields::check(&package).unwrap().findings;
    findings.into_iter().map(|one| (one.code.as_str().to_owned(), one.severity, one.fields)).collect()
}

/// Fills a document with this content in its body, and returns the new content.
fn fill_body(content: &str, values: &[(&str, &str)]) -> String {
    let filled = fill(&DocumentBuilder::new(content), values);
    let text = filled.part_text("word/document.xml").unwrap();
    let (_, text) = text.split_once("<w:body>").unwrap();
    text.split_once("</w:body>").unwrap().0.to_owned()
}

#[test]
fn attributes_with_text_are_filled_and_escaped() {
    let value = [("who", "Omar \"O\" & <Fils>")];
    let filled = "Omar &quot;O&quot; &amp; &lt;Fils&gt;";
    let cases = [
        "<w:p><w:r><w:drawing><wp:inline><wp:docPr id=\"1\" name=\"{{who}}\" descr=\"Photo of {{who}}\"/></wp:inline></w:drawing></w:r></w:p>",
        "<w:p><w:r><w:drawing><wp:anchor><wp:docPr id=\"1\" title='{{ who }}' name=\"a\"/></wp:anchor></w:drawing></w:r></w:p>",
        "<w:p><w:r><w:pict><v:shape alt=\"{{who}}!\"/></w:pict></w:r></w:p>",
        "<w:p><w:r><w:pict><v:rect title=\"by &quot;{{who}}&quot;\"/></w:pict></w:r></w:p>",
        "<w:p><w:r><w:pict><v:shape><v:textpath style=\"a\" string=\"&#123;{who}}\"/></v:shape></w:pict></w:r></w:p>",
        "<w:p><w:hyperlink w:anchor=\"x\" w:tooltip=\"Ask {{who}}\"><w:r><w:t>text</w:t></w:r></w:hyperlink></w:p>",
        "<w:p><w:r><w:drawing><wp:inline><wp:docPr id=\"1\" name=\"n\"><a:hlinkClick tooltip=\"{{who}}\"/></wp:docPr></wp:inline></w:drawing></w:r></w:p>",
        "<w:tbl><w:tblPr><w:tblCaption w:val=\"Of {{who}}\"/><w:tblDescription w:val=\"a\"/></w:tblPr><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>",
    ];
    for case in cases {
        let content = case.replacen("<w:p>", &format!("<w:p {DRAWING}>"), 1).replacen(
            "<w:tbl>",
            &format!("<w:tbl {DRAWING}>"),
            1,
        );
        assert_eq!(names(&DocumentBuilder::new(&content)), [("who".to_owned(), 1)], "{case}");
        let expected = content
            .replace("{{ who }}", filled)
            .replace("&#123;{who}}", filled)
            .replace("name=\"{{who}}\"", "name=\"KEEP\"")
            .replace("{{who}}", filled)
            .replace("KEEP", "{{who}}");
        assert_eq!(fill_body(&content, &value), expected, "{case}");
    }
}

#[test]
fn text_attributes_are_filled_in_headers_tables_and_notes() {
    let shape =
        format!("<w:r><w:pict><v:shape {DRAWING}><v:textpath string=\"{{{{status}}}}\"/></v:shape></w:pict></w:r>");
    let mut document = DocumentBuilder::new(&format!(
        "<w:tbl><w:tr><w:tc><w:p>{shape}</w:p></w:tc></w:tr></w:tbl><w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/></w:sectPr>"
    ));
    document.add_related_part("header", "hdr", "header1.xml", &format!("<w:p>{shape}</w:p>"));
    document.add_related_part(
        "footnotes",
        "footnotes",
        "footnotes.xml",
        &format!("<w:footnote w:id=\"2\"><w:p>{shape}</w:p></w:footnote>"),
    );
    assert_eq!(names(&document), [("status".to_owned(), 3)]);
    let filled = fill(&document, &[("status", "مسودة")]);
    for part in ["word/document.xml", "word/header1.xml", "word/footnotes.xml"] {
        let text = filled.part_text(part).unwrap();
        assert!(text.contains("string=\"مسودة\""), "{text}");
    }
}

#[test]
fn a_copy_of_a_text_counts_once_and_is_filled_too() {
    let content = format!(
        "<w:p {DRAWING}><w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wp:inline><wp:docPr id=\"1\" name=\"\" descr=\"{{{{a}}}}\"/>\
         <pic:cNvPr xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\" id=\"1\" name=\"\" descr=\"{{{{a}}}}\"/></wp:inline></w:drawing></mc:Choice>\
         <mc:Fallback><w:pict><v:shape alt=\"{{{{a}}}}\"/></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    );
    assert_eq!(names(&DocumentBuilder::new(&content)), [("a".to_owned(), 1)]);
    assert_eq!(fill_body(&content, &[("a", "x")]).matches("\"x\"").count(), 3);
}

fn with_label(label: &str) -> DocumentBuilder {
    let mut document = DocumentBuilder::new(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>Scope</w:t></w:r></w:p>",
    );
    document.add_related_part(
        "numbering",
        "numbering",
        "numbering.xml",
        &format!(
            "<w:abstractNum w:abstractNumId=\"1\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/>\
             <w:lvlText w:val=\"{label}\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"1\"/></w:num>"
        ),
    );
    document
}

#[test]
fn a_value_in_a_numbering_label_is_never_the_number_of_a_level() {
    let cases = [
        ("Lot {{n}} - %1", "A7", "Lot A7 - 1"),
        ("{{n}}%1", "50% ", "50% 1"),
        ("{{n}}", "100%1", "100%\u{2060}1"),
        ("%{{n}} %1", "1", "%\u{2060}1 1"),
        ("{{n}}1", "%", "%\u{2060}1"),
        ("{{n}}.%1", "الدفعة", "الدفعة.1"),
        ("{{n}} %1", "a\nb", "a b 1"),
        ("%{{n}}1", "", "%\u{2060}1"),
        ("{{n}}{{n}}{{n}}%1", "1%", "1%\u{2060}1%\u{2060}1%1"),
    ];
    for (label, value, expected) in cases {
        let document = with_label(label);
        assert_eq!(names(&document), [("n".to_owned(), label.matches("{{n}}").count())], "{label}");
        let filled = fill(&document, &[("n", value)]);
        let tree = read(&filled, &ReadOptions::default()).unwrap();
        let waraq_docx::tree::Block::Paragraph(paragraph) = &tree.sections[0].blocks[0] else { panic!("no paragraph") };
        assert_eq!(paragraph.label.as_ref().unwrap().text, expected, "{label} {value}");
    }
}

#[test]
fn a_value_never_changes_the_scheme_of_a_link() {
    let cases = [
        ("mailto:{{v}}", "a.b@example.org", "mailto:a.b@example.org"),
        (
            "mailto:%7b%7bv%7D%7D?subject=%7B%7Bs%7D%7D",
            "é & b@x.org",
            "mailto:%C3%A9%20%26%20b@x.org?subject=A%26B%40C",
        ),
        ("mailto:{{v}}", "a@x.org?bcc=evil@x.org", "mailto:a@x.org%3Fbcc%3Devil@x.org"),
        ("https://example.org/{{ v }}/x?q={{s}}", "../a b", "https://example.org/..%2Fa%20b/x?q=A%26B%40C"),
        ("https://example.org{{v}}", "@evil.org", "https://example.org%40evil.org"),
        ("tel:{{v}}", "+212 6 12", "tel:+212612"),
        ("{{v}}", "https://example.org/a?b=c&d=\"e\"", "https://example.org/a?b=c&amp;d=%22e%22"),
        ("{{v}}", "javascript:alert(1)", "javascript%3Aalert%281%29"),
        ("%7B%7Bv%7D%7D", "file:///etc/passwd", "file%3A%2F%2F%2Fetc%2Fpasswd"),
        ("x{{v}}", "https://evil.org", "xhttps%3A%2F%2Fevil.org"),
        ("https://example.org/%7B%7B%D8%A7%D8%B3%D9%85%20v%7D%7D", "", "https://example.org/ok"),
    ];
    for (target, value, expected) in cases {
        let mut document = DocumentBuilder::new(&paragraph("text"));
        document.add_relationship("hyperlink", target, true);
        let value_of = |name: &str| match name {
            "v" => value,
            "s" => "A&B@C",
            _ => "ok",
        };
        let fields = names(&document);
        let values: Vec<(&str, &str)> = fields.iter().map(|(name, _)| (name.as_str(), value_of(name))).collect();
        let filled = fill(&document, &values);
        let relationships = filled.part_text("word/_rels/document.xml.rels").unwrap();
        assert!(relationships.contains(&format!("Target=\"{expected}\"")), "{target} {value}: {relationships}");
    }
    // The target of another relationship is not a link.
    let mut document = DocumentBuilder::new(&paragraph("text"));
    document.add_relationship("image", "https://example.org/{{v}}.png", true);
    assert_eq!(names(&document), []);
}

#[test]
fn a_filled_link_is_read_without_opening_the_file_again() {
    let mut document =
        DocumentBuilder::new("<w:p><w:hyperlink r:id=\"rId1\"><w:r><w:t>mail</w:t></w:r></w:hyperlink></w:p>");
    document.add_relationship("hyperlink", "mailto:%7B%7Bemail%7D%7D", true);
    let package = Package::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs([("email", "z@x.org")]).unwrap();
    let filled = fields::fill(&package, &values, FillOptions::default()).unwrap();
    let tree = format!("{:?}", read(&filled, &ReadOptions::default()).unwrap().sections);
    assert!(tree.contains("mailto:z@x.org"), "{tree}");
}

#[test]
fn texts_of_charts_and_diagrams_are_filled_across_runs() {
    const A: &str = "http://schemas.openxmlformats.org/drawingml/2006/main";
    const C: &str = "http://schemas.openxmlformats.org/drawingml/2006/chart";
    let chart = format!(
        "<c:chartSpace xmlns:c=\"{C}\" xmlns:a=\"{A}\"><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales of {{{{ye</a:t></a:r><a:r><a:t>ar}}}}!</a:t></a:r></a:p>\
         <a:p><a:r><a:t>{{{{a</a:t></a:r></a:p><a:p><a:r><a:t>b}}}}</a:t></a:r></a:p></c:rich></c:tx></c:title>\
         <c:cat><c:strRef><c:f>{{{{formula</c:f><c:strCache><c:pt idx=\"0\"><c:v>{{{{who}}}} &amp; co</c:v></c:pt></c:strCache></c:strRef></c:cat></c:chartSpace>"
    );
    let diagram = format!(
        "<dgm:dataModel xmlns:dgm=\"http://schemas.openxmlformats.org/drawingml/2006/diagram\" xmlns:a=\"{A}\"><dgm:t><a:p><a:r><a:t>{{{{who}}}}</a:t></a:r></a:p></dgm:t></dgm:dataModel>"
    );
    let mut document = DocumentBuilder::new(&paragraph("text"));
    document.add_relationship("chart", "charts/chart1.xml", false);
    document.add_relationship("diagramData", "diagrams/data1.xml", false);
    document.add_relationship("diagramDrawing", "diagrams/drawing1.xml", false);
    let document = document
        .with_part("word/charts/chart1.xml", chart.clone())
        .with_part("word/diagrams/data1.xml", diagram.clone())
        .with_part("word/diagrams/drawing1.xml", diagram.clone());
    assert_eq!(names(&document), [("year".to_owned(), 1), ("who".to_owned(), 3)]);
    let filled = fill(&document, &[("year", "2026"), ("who", "A&B")]);
    let text = filled.part_text("word/charts/chart1.xml").unwrap();
    assert_eq!(
        text,
        chart.replace("{{ye</a:t>", "2026</a:t>").replace("<a:t>ar}}!", "<a:t>!").replace("{{who}}", "A&amp;B")
    );
    for part in ["word/diagrams/data1.xml", "word/diagrams/drawing1.xml"] {
        assert_eq!(filled.part_text(part).unwrap(), diagram.replace("{{who}}", "A&amp;B"));
    }
}

#[test]
fn comments_are_filled_and_not_checked() {
    let mut document = DocumentBuilder::new(&paragraph("{{a}}"));
    let comment = |text: &str| format!("<w:comment w:id=\"0\">{}</w:comment>", paragraph(text));
    document.add_related_part(
        "comments",
        "comments",
        "comments.xml",
        &(comment("For {{note}}") + &comment("open {{ here")),
    );
    assert_eq!(names(&document), [("a".to_owned(), 1), ("note".to_owned(), 1)]);
    assert_eq!(findings(&document), []);
    let filled = fill(&document, &[("a", "b"), ("note", "<i>")]);
    assert!(filled.part_text("word/comments.xml").unwrap().contains("For &lt;i&gt;"));
}

#[test]
fn fields_that_cannot_be_filled_are_reported() {
    let content = format!(
        "<w:p {DRAWING}><w:r><w:ptab w:alignment=\"{{{{odd}}}}\"/></w:r><w:r><w:drawing><wp:inline><wp:docPr id=\"1\" name=\"\" descr=\"{{{{open\"/></wp:inline></w:drawing></w:r></w:p>"
    );
    let mut document = DocumentBuilder::new(&content);
    document.add_relationship("aFChunk", "attached.htm", false);
    let document = document.with_part("word/attached.htm", "<p>{{html}}</p>");
    let expected = [
        ("unclosed_field", Severity::Warning, vec![]),
        ("field_not_fillable", Severity::Warning, vec!["odd".to_owned()]),
        ("field_not_fillable", Severity::Warning, vec!["html".to_owned()]),
    ];
    assert_eq!(findings(&document), expected.map(|(code, severity, fields)| (code.to_owned(), severity, fields)));
}

#[test]
fn values_outside_paragraphs_have_no_marks() {
    let content = format!(
        "<w:p {DRAWING}><w:r><w:drawing><wp:inline><wp:docPr id=\"1\" name=\"\" descr=\"{{{{a}}}}\"/></wp:inline></w:drawing></w:r><w:r><w:t>{{{{a}}}}</w:t></w:r></w:p>"
    );
    let package = Package::open(&DocumentBuilder::new(&content).to_bytes()).unwrap();
    let template = fields::Template::scan(package).unwrap();
    let options = FillOptions { empty: EmptyValue::DottedLine, ..FillOptions::default() };
    let values = Values::from_pairs([("a", "x")]).unwrap();
    let (filled, _) = template.fill_marked(&values, options, &waraq_docx::Budget::default()).unwrap();
    let text = filled.part_text("word/document.xml").unwrap();
    assert!(text.contains("descr=\"x\"") && text.contains('\u{FDD0}'), "{text}");
}

#[test]
fn an_empty_value_leaves_a_link_without_dots() {
    let mut document = DocumentBuilder::new(&paragraph("{{v}}"));
    document.add_relationship("hyperlink", "mailto:{{v}}", true);
    let package = Package::open(&document.to_bytes()).unwrap();
    let options = FillOptions { empty: EmptyValue::DottedLine, ..FillOptions::default() };
    let filled = fields::fill(&package, &Values::from_pairs([("v", "")]).unwrap(), options).unwrap();
    assert!(filled.part_text("word/_rels/document.xml.rels").unwrap().contains("Target=\"mailto:\""));
    assert!(filled.part_text("word/document.xml").unwrap().contains("....."));
}

#[test]
fn parts_without_fields_stay_byte_for_byte() {
    let document = with_label("Lot %1");
    let before = Package::open(&document.to_bytes()).unwrap();
    let filled = fill(&document, &[]);
    for part in before.part_names() {
        assert_eq!(before.part_bytes(part), filled.part_bytes(part), "{part}");
    }
}
