//! Filling and finishing a template: page references in the .docx match the pages of the PDF.

use waraq_docx::build::{DocumentBuilder, run};
use waraq_engine::{FillOptions, FilledDocument, LayoutOptions, Package, PdfOptions, Values};

fn field(code: &str, result: &str) -> String {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    format!(
        "{}<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>{}{}{}",
        character("begin"),
        character("separate"),
        run(result),
        character("end")
    )
}

fn heading(id: usize, text: &str) -> String {
    format!(
        "<w:p><w:pPr><w:pageBreakBefore/></w:pPr><w:bookmarkStart w:id=\"{id}\" w:name=\"_Toc{id}\"/>{}<w:bookmarkEnd w:id=\"{id}\"/></w:p>",
        run(text)
    )
}

fn finish(content: &str, values: &[(&str, &str)]) -> (Package, FilledDocument) {
    let template = waraq_engine::open(&DocumentBuilder::new(content).to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let finished = waraq_engine::fill_and_render(
        &template,
        &values,
        FillOptions::default(),
        &LayoutOptions::default(),
        &PdfOptions::default(),
    )
    .unwrap();
    (waraq_engine::open(&finished.docx).unwrap(), finished)
}

fn body(package: &Package) -> &str {
    package.part_text("word/document.xml").unwrap()
}

#[test]
fn page_references_match_the_pages_of_the_pdf() {
    let section = "<w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" \
                   w:left=\"1440\" w:header=\"708\" w:footer=\"708\" w:gutter=\"0\"/><w:pgNumType w:fmt=\"lowerRoman\" w:start=\"4\"/></w:sectPr>";
    let entries: String =
        (1..=2).map(|id| format!("<w:p>{}</w:p>", field(&format!("PAGEREF _Toc{id} \\h"), "99"))).collect();
    let content = format!(
        "{entries}<w:p>{}</w:p>{}<w:p>{}</w:p>{}{section}",
        field("REF _Toc2 \\h", "stale"),
        heading(1, "One"),
        run("{{long}}"),
        heading(2, "Of {{client}}")
    );
    // More text than fits on a page.
    let long = "Many words that fill the page. ".repeat(250);
    let (package, finished) = finish(&content, &[("long", &long), ("client", "Zoé")]);
    let page_of =
        |name: &str| finished.rendered.pages.destinations.iter().find(|known| known.name == name).unwrap().page;
    assert!(page_of("_Toc2") > page_of("_Toc1") + 1, "the text was to fill more than a page");
    let labels: Vec<&str> =
        ["_Toc1", "_Toc2"].iter().map(|name| finished.rendered.pages.pages[page_of(name)].label.as_str()).collect();
    assert_eq!(labels[0], "v");
    let shown = body(&package);
    for label in labels {
        assert_eq!(shown.matches(&format!(">{label}</w:t>")).count(), 1, "{label}");
    }
    // The heading and the reference to it.
    assert_eq!(shown.matches(">Of Zoé</w:t>").count(), 2);
    assert!(!shown.contains("99<") && !shown.contains("stale"));
    // A second layout gives the same pages, so all page references in the file are correct.
    let again = waraq_engine::lay_out(&package, &LayoutOptions::default()).unwrap();
    assert_eq!(again.pages.len(), finished.rendered.pages.pages.len());
    assert_eq!(body(&waraq_engine::update_references(&package, &again).unwrap()), body(&package));
}

#[test]
fn a_document_without_references_is_only_filled() {
    let content = format!("<w:p>{}{}</w:p>", run("{{client}}, page "), field("PAGE", "7"));
    let (package, _) = finish(&content, &[("client", "Zoé")]);
    assert!(body(&package).contains(">Zoé, page </w:t>") && body(&package).contains(">7</w:t>"));
}
