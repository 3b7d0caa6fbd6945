//! Tests of document properties, bound data and texts outside paragraphs on the pages, in the filled `.docx` and in the PDF.

mod page_text;

use page_text::{field, page_lines, plain};
use waraq_docx::build::{DocumentBuilder, run};
use waraq_engine::{FillOptions, FilledDocument, LayoutOptions, Package, PdfOptions, Values};

const R: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// Adds core properties and custom properties to a document.
fn with_properties(document: DocumentBuilder, core: &str, custom: &str) -> DocumentBuilder {
    let relationships = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" Type=\"{R}/officeDocument\" Target=\"word/document.xml\"/>\
         <Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>\
         <Relationship Id=\"rId4\" Type=\"{R}/custom-properties\" Target=\"docProps/custom.xml\"/></Relationships>"
    );
    let core = format!(
        "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\">{core}</cp:coreProperties>"
    );
    let custom = format!(
        "<Properties xmlns=\"http://schemas.openxmlformats.org/officeDocument/2006/custom-properties\" \
         xmlns:vt=\"http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes\">{custom}</Properties>"
    );
    document
        .with_part("_rels/.rels", relationships)
        .with_part("docProps/core.xml", core)
        .with_part("docProps/custom.xml", custom)
}

/// Returns a custom property with a value of this type, such as `vt:i4`.
fn property(name: &str, kind: &str, value: &str) -> String {
    format!("<property pid=\"2\" name=\"{name}\"><vt:{kind}>{value}</vt:{kind}></property>")
}

fn finish(document: &DocumentBuilder, values: &[(&str, &str)]) -> FilledDocument {
    let template = waraq_engine::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let (fill, layout, pdf) = (FillOptions::default(), LayoutOptions::default(), PdfOptions::default());
    waraq_engine::fill_and_render(&template, &values, fill, &layout, &pdf).unwrap()
}

fn lines(finished: &FilledDocument) -> Vec<String> {
    page_lines(&finished.rendered.pages).concat()
}

fn main_part(finished: &FilledDocument) -> (Package, String) {
    let package = waraq_engine::open(&finished.docx).unwrap();
    let text = package.part_text("word/document.xml").unwrap().to_owned();
    (package, text)
}

/// A run in this language.
fn in_language(language: &str, field: &str) -> String {
    plain(&field.replace("<w:r>", &format!("<w:r><w:rPr><w:lang w:val=\"{language}\"/></w:rPr>")))
}

#[test]
fn fields_show_the_filled_properties_on_the_page_and_in_the_docx() {
    let body = [
        plain(&format!(
            "{}{}{}",
            run("Offer for "),
            field("DOCPROPERTY Client \\* MERGEFORMAT", "{{client}}"),
            run(".")
        )),
        plain(&format!("{}{}", run("Title: "), field("TITLE", "stale"))),
        plain(&format!("{}{}", run("Upper: "), field("DOCPROPERTY \"client\" \\* Upper", "old"))),
        plain(&format!("{}{}", run("Info: "), field("INFO Subject", ""))),
        plain(&format!("{}{}", run("Variable: "), field("DOCVARIABLE who", "old"))),
        plain(&format!("{}{}", run("None: "), field("DOCPROPERTY Missing", "kept"))),
    ];
    let mut document = DocumentBuilder::new(&body.concat());
    document.add_related_part(
        "settings",
        "settings",
        "settings.xml",
        "<w:docVars><w:docVar w:name=\"who\" w:val=\"{{who}}\"/></w:docVars>",
    );
    let document = with_properties(
        document,
        "<dc:title>{{title}}</dc:title><dc:subject>On {{title}}</dc:subject>",
        &property("Client", "lpwstr", "{{client}}"),
    );
    let finished = finish(&document, &[("client", "Nadir & Fils"), ("title", "Offer 12"), ("who", "Zoé")]);
    let expected = [
        "Offer for Nadir & Fils.",
        "Title: Offer 12",
        "Upper: NADIR & FILS",
        "Info: On Offer 12",
        "Variable: Zoé",
        "None: kept",
    ];
    assert_eq!(lines(&finished), expected);
    assert_eq!(finished.rendered.pages.metadata.title.as_deref(), Some("Offer 12"));
    let (_, main) = main_part(&finished);
    for text in ["Nadir &amp; Fils", "Offer 12", "NADIR &amp; FILS", "On Offer 12", "Zoé", "kept"] {
        assert!(main.contains(&format!(">{text}<")), "{text}: {main}");
    }
    assert!(!main.contains("stale") && !main.contains("{{"), "{main}");
}

#[test]
fn properties_of_other_types_are_shown_as_word_shows_them() {
    let fields = [
        ("en-GB", "DOCPROPERTY Due \\@ \"dd/MM/yyyy\" \\* MERGEFORMAT", "07/03/2026"),
        ("en-GB", "DOCPROPERTY Total \\# \"#,##0.00\"", "1,234.50"),
        ("en-GB", "DOCPROPERTY Count", "42"),
        ("en-GB", "DOCPROPERTY Paid", "Y"),
        ("en-GB", "DOCPROPERTY Open", "N"),
        ("en-GB", "DOCPROPERTY Client \\* Upper", "ACME"),
        ("fr-FR", "DOCPROPERTY Due \\@ \"d MMMM yyyy\"", "7 mars 2026"),
        ("de-DE", "DOCPROPERTY Due \\@ \"d. MMM yyyy\"", "7. März 2026"),
        ("en-US", "DOCPROPERTY Broken", "not a number"),
    ];
    let body: String = fields.iter().map(|(language, code, _)| in_language(language, &field(code, "stale"))).collect();
    let custom = [
        property("Due", "filetime", "2026-03-07T10:00:00Z"),
        property("Total", "r8", "1234.5"),
        property("Count", "i4", "42"),
        property("Paid", "bool", "true"),
        property("Open", "bool", "0"),
        property("Client", "lpwstr", "Acme"),
        property("Broken", "i4", "not a number"),
    ];
    let finished = finish(&with_properties(DocumentBuilder::new(&body), "", &custom.concat()), &[]);
    let expected: Vec<&str> = fields.iter().map(|(_, _, text)| *text).collect();
    assert_eq!(lines(&finished), expected);
    let (_, main) = main_part(&finished);
    assert!(expected.iter().all(|text| main.contains(&format!(">{text}<"))), "{main}");
}

#[test]
fn properties_are_shown_in_headers_tables_and_other_fields() {
    let cell = format!("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", plain(&field("DOCPROPERTY Client", "{{c}}")));
    let body = format!(
        "{cell}{}<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/><w:pgSz w:w=\"11906\" w:h=\"16838\"/></w:sectPr>",
        plain("<w:fldSimple w:instr=\" DOCPROPERTY Client \\* Lower \"><w:r><w:t>x</w:t></w:r></w:fldSimple>")
    );
    let mut document = DocumentBuilder::new(&body);
    document.add_related_part("header", "hdr", "header1.xml", &plain(&field("TITLE", "x")));
    let document = with_properties(document, "<dc:title>عقد {{c}}</dc:title>", &property("Client", "lpwstr", "{{c}}"));
    let finished = finish(&document, &[("c", "Bo")]);
    let shown = lines(&finished);
    assert!(shown.iter().any(|line| line == "Bo") && shown.iter().any(|line| line == "bo"), "{shown:?}");
    assert!(shown[0].contains("Bo") && shown[0].contains("عقد"), "{shown:?}");
    let (package, _) = main_part(&finished);
    assert!(package.part_text("word/header1.xml").unwrap().contains("عقد"));
}

#[test]
fn a_label_and_a_watermark_show_their_values() {
    let mut document = DocumentBuilder::new(
        "<w:p><w:pPr><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>Scope</w:t></w:r></w:p>",
    );
    document.add_related_part(
        "numbering",
        "numbering",
        "numbering.xml",
        "<w:abstractNum w:abstractNumId=\"1\"><w:lvl w:ilvl=\"0\"><w:start w:val=\"1\"/><w:numFmt w:val=\"decimal\"/><w:suff w:val=\"space\"/>\
         <w:lvlText w:val=\"Lot {{n}} - %1\"/></w:lvl></w:abstractNum><w:num w:numId=\"1\"><w:abstractNumId w:val=\"1\"/></w:num>",
    );
    assert_eq!(lines(&finish(&document, &[("n", "7%2")])).join(" ").replace('\u{2060}', ""), "Lot 7%2 - 1 Scope");
}

#[test]
fn a_filled_alternative_text_is_in_the_tagged_pdf() {
    let png: Vec<u8> = {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image::RgbImage::new(2, 2).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
        bytes.into_inner()
    };
    let picture = "<w:p><w:r><w:drawing><wp:inline xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\" \
        xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" xmlns:pic=\"http://schemas.openxmlformats.org/drawingml/2006/picture\">\
        <wp:extent cx=\"900000\" cy=\"900000\"/><wp:docPr id=\"1\" name=\"Photo\" descr=\"Photo of {{person}}\"/><a:graphic>\
        <a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/picture\"><pic:pic><pic:nvPicPr><pic:cNvPr id=\"1\" name=\"p.png\"/><pic:cNvPicPr/></pic:nvPicPr>\
        <pic:blipFill><a:blip r:embed=\"rId1\"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></pic:spPr>\
        </pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>";
    let mut document = DocumentBuilder::new(picture);
    document.add_relationship("image", "media/p.png", false);
    let finished = finish(&document.with_part("word/media/p.png", png), &[("person", "Omar")]);
    let pages = format!("{:?}", finished.rendered.pages.structure);
    assert!(pages.contains("Photo of Omar"), "{pages}");
}

#[test]
fn a_template_with_macros_is_examined_and_filled_as_a_document() {
    let document = DocumentBuilder::new(&plain(&run("{{a}}")));
    let types = document.parts().into_iter().find(|(name, _)| name == "[Content_Types].xml").unwrap().1;
    let types = String::from_utf8(types).unwrap().replace(
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
        "application/vnd.ms-word.document.macroEnabled.main+xml",
    );
    let document = document.with_part("[Content_Types].xml", types);
    let template = waraq_engine::open(&document.to_bytes()).unwrap();
    let examined = waraq_engine::examine(&template, &LayoutOptions::default(), &PdfOptions::default()).unwrap();
    assert!(examined.rendered.is_some() && examined.diagnostics.is_empty(), "{:?}", examined.diagnostics);
    let (package, main) = main_part(&finish(&document, &[("a", "b")]));
    assert!(main.contains(">b<") && !package.part_text("[Content_Types].xml").unwrap().contains("macroEnabled"));
}
