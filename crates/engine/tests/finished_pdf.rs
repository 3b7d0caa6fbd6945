//! The finished PDF as other programs read it: tags, language, headings, creation date, no personal names, and text in
//! reading order.

use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_engine::{FieldType, FillOptions, LayoutOptions, PdfOptions, StructuredField, Values};
use waraq_rules::Value;

/// Runs a program on a PDF and returns its output.
fn run_program(program: &str, arguments: &[&str], pdf: &[u8]) -> String {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let name = format!("waraq-handed-out-{}-{}.pdf", std::process::id(), FILES.fetch_add(1, Ordering::Relaxed));
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, pdf).unwrap();
    let file = path.to_string_lossy().into_owned();
    let arguments = arguments.iter().map(|argument| if *argument == "FILE" { file.as_str() } else { argument });
    let output = Command::new(program).args(arguments).stderr(Stdio::null()).output().unwrap();
    std::fs::remove_file(&path).unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// 22 November 2026, 09:30:05 UTC.
const NOW: i64 = 1_795_339_805;

/// Returns a value for a field: yes, a list with one row, no picture, or a text.
fn sample(field: &StructuredField) -> Value {
    match field.field_type {
        FieldType::YesNo => Value::YesNo(true),
        FieldType::List => {
            Value::List(vec![field.columns.iter().map(|column| (column.name.clone(), sample(column))).collect()])
        }
        FieldType::Picture | FieldType::Signature => Value::from(""),
        FieldType::Text | FieldType::QrCode => Value::from("a value"),
    }
}

fn filled(slug: &str, language: &str) -> Vec<u8> {
    let template = waraq_catalogue::templates().into_iter().find(|template| template.slug == slug).unwrap();
    let package = waraq_engine::open(&template.docx).unwrap();
    let structure = waraq_engine::structure(&package, &template.declared_types()).unwrap();
    let values = Values::from_pairs(structure.0.iter().map(|field| (&field.name, sample(field)))).unwrap();
    let setting = LayoutOptions {
        title: Some(template.title.to_owned()),
        language: Some(language.to_owned()),
        now: NOW,
        ..LayoutOptions::default()
    };
    let options = FillOptions { structure: Some(&structure), ..FillOptions::default() };
    let finished = waraq_engine::fill_and_render(&package, &values, options, &setting, &PdfOptions::default()).unwrap();
    let pdf = waraq_engine::pdf(&finished.rendered.pages, &PdfOptions::default()).unwrap();
    assert_eq!(pdf.warnings, [], "{slug}");
    pdf.bytes
}

#[test]
fn shipped_templates_are_tagged_in_their_language_with_headings_and_the_date_of_filling() {
    for (slug, language) in [
        ("en-residential-tenancy-agreement", "en"),
        ("fr-contrat-de-travail-cdi", "fr"),
        ("ar-residential-lease", "ar"),
    ] {
        let pdf = filled(slug, language);
        let plain = run_program("qpdf", &["--qdf", "--object-streams=disable", "FILE", "-"], &pdf);
        assert!(plain.contains("/StructTreeRoot"), "{slug}: no structure");
        assert!(plain.contains("/Marked true"), "{slug}: not marked");
        assert!(plain.contains(&format!("/Lang ({language})")), "{slug}: no language");
        assert!(plain.contains("/Outlines"), "{slug}: no outline");
        assert!(plain.contains("/CreationDate (D:20261122093005Z)"), "{slug}: {:?}", plain.find("/CreationDate"));
        assert!(!plain.contains("/Author"), "{slug}: an author");
        let structure = run_program("pdfinfo", &["-struct", "FILE"], &pdf);
        for kind in ["H1", "P", "Table"] {
            assert!(
                structure.lines().any(|line| line.trim_start().starts_with(kind)),
                "{slug}: no {kind} in {structure}"
            );
        }
    }
}

#[test]
fn the_author_is_that_of_the_document() {
    let core = "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
        xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:creator>Mona Haddad</dc:creator></cp:coreProperties>";
    let relationships = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
        <Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"word/document.xml\"/>\
        <Relationship Id=\"rId2\" Type=\"http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties\" Target=\"docProps/core.xml\"/>\
        </Relationships>";
    let document = DocumentBuilder::new(&paragraph("text"))
        .with_part("docProps/core.xml", core)
        .with_part("_rels/.rels", relationships);
    let package = waraq_engine::open(&document.to_bytes()).unwrap();
    let printed = waraq_engine::render(&package, &LayoutOptions::default(), &PdfOptions::default()).unwrap();
    let info = run_program("pdfinfo", &["FILE"], &printed.pdf.bytes);
    assert!(info.contains("Mona Haddad"), "{info}");
    assert!(info.contains("Tagged:") && info.contains("yes"), "{info}");
}

#[test]
fn a_page_is_read_from_its_header_to_its_footer() {
    let section = "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/><w:footerReference w:type=\"default\" r:id=\"rId2\"/></w:sectPr>";
    let heading = "<w:p><w:pPr><w:outlineLvl w:val=\"0\"/></w:pPr><w:r><w:t>a heading</w:t></w:r></w:p>";
    let body = format!(
        "{heading}{}<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>{}{section}",
        paragraph("one"),
        paragraph("two")
    );
    let mut document = DocumentBuilder::new(&body);
    document.add_related_part("header", "hdr", "header1.xml", &paragraph("the header"));
    document.add_related_part("footer", "ftr", "footer1.xml", &paragraph("the footer"));
    let package = waraq_engine::open(&document.to_bytes()).unwrap();
    let printed = waraq_engine::render(&package, &LayoutOptions::default(), &PdfOptions::default()).unwrap();
    // the text in the order of the file, independent of its position on the page
    let text = run_program("pdftotext", &["-raw", "FILE", "-"], &printed.pdf.bytes);
    let lines: Vec<&str> = text.split(['\n', '\u{c}']).map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(lines, ["the header", "a heading", "one", "the footer", "the header", "two", "the footer"]);
    // header and footer are not read by screen readers
    let structure = run_program("pdfinfo", &["-struct-text", "FILE"], &printed.pdf.bytes);
    assert!(structure.contains("a heading") && !structure.contains("the footer"), "{structure}");
}

#[test]
fn a_standard_is_claimed_only_if_satisfied() {
    let claims = |body: &str| {
        let package = waraq_engine::open(&DocumentBuilder::new(body).to_bytes()).unwrap();
        let setting = LayoutOptions {
            title: Some("A title".into()),
            language: Some("en".into()),
            now: NOW,
            ..LayoutOptions::default()
        };
        let printed = waraq_engine::render(&package, &setting, &PdfOptions::default()).unwrap();
        // the claim was not requested, so there must be no warning
        assert!(printed.pdf.warnings.iter().all(|warning| warning.code != "standard_not_claimed"));
        String::from_utf8_lossy(&printed.pdf.bytes).contains("pdfuaid:part")
    };
    assert!(claims(&paragraph("text")));
    let table = |properties: &str| {
        let cells: String = ["no", "header"].map(|text| format!("<w:tc>{}</w:tc>", paragraph(text))).concat();
        let table = format!("<w:tbl><w:tblPr>{properties}</w:tblPr><w:tr>{cells}</w:tr></w:tbl>");
        format!("{}{table}{}", paragraph("text"), paragraph("text"))
    };
    assert!(!claims(&table("<w:tblBorders><w:top w:val=\"single\" w:sz=\"4\"/></w:tblBorders>")));
    // a table without borders is only used for alignment, so readers do not need header cells
    assert!(claims(&table("")));
    // header cells of an inner table do not count for the outer table
    let lines = "<w:tblPr><w:tblBorders><w:top w:val=\"single\" w:sz=\"4\"/></w:tblBorders></w:tblPr>";
    let cells = ["two", "headers"].map(|text| format!("<w:tc>{}</w:tc>", paragraph(text))).concat();
    let row = |properties: &str, cells: &str| format!("<w:tr><w:trPr>{properties}</w:trPr>{cells}</w:tr>");
    let inner = format!("<w:tbl>{lines}{}{}</w:tbl>", row("<w:tblHeader/>", &cells), row("", &cells));
    let around = format!("<w:tc>{inner}{}</w:tc>{cells}", paragraph("below"));
    assert!(claims(&format!("{}{inner}{}", paragraph("text"), paragraph("text"))));
    assert!(!claims(&format!("{}<w:tbl>{lines}{}</w:tbl>{}", paragraph("text"), row("", &around), paragraph("text"))));
}

/// Content repeated on several pages is written once. Every page shows it and search finds it; screen readers skip it.
#[test]
fn a_long_header_is_written_once_and_seen_on_every_page() {
    const PAGES: usize = 8;
    let section = "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"rId1\"/></w:sectPr>";
    let page_break = "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>";
    let body: Vec<String> = (0..PAGES).map(|number| paragraph(&format!("page {number}"))).collect();
    // alternating colours make each word a separate run
    let word = |number: usize| {
        let (color, text) = (if number.is_multiple_of(2) { "800000" } else { "008000" }, format!("word{number} عدد "));
        format!("<w:r><w:rPr><w:color w:val=\"{color}\"/></w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    };
    let header = |words: usize| format!("<w:p>{}</w:p>", (0..words).map(word).collect::<String>());
    let print = |words: usize| {
        let mut document = DocumentBuilder::new(&format!("{}{section}", body.join(page_break)));
        document.add_related_part("header", "hdr", "header1.xml", &header(words));
        let package = waraq_engine::open(&document.to_bytes()).unwrap();
        let setting = LayoutOptions { language: Some("en".into()), ..LayoutOptions::default() };
        waraq_engine::render(&package, &setting, &PdfOptions::default()).unwrap()
    };
    let printed = print(150);
    assert_eq!(printed.pages.pages.len(), PAGES);
    for page in 0..PAGES {
        let number = (page + 1).to_string();
        let arguments = ["-f", &number, "-l", &number, "-raw", "FILE", "-"];
        let text = run_program("pdftotext", &arguments, &printed.pdf.bytes);
        for word in ["word0 ", "word75 ", "word149 ", "عدد", &format!("page {page}")] {
            assert!(text.contains(word), "{word} is not on page {page}: {text}");
        }
        // the picture contains the header, not only the body text
        let picture = waraq_engine::png(&printed.pages, page, 1.0).unwrap();
        assert!(picture.bytes.len() > 8_000, "page {page}: {} bytes", picture.bytes.len());
    }
    let structure = run_program("pdfinfo", &["-struct-text", "FILE"], &printed.pdf.bytes);
    assert!(structure.contains("page 7") && !structure.contains("word0"), "{structure}");
    assert!(
        run_program("qpdf", &["--check", "FILE"], &printed.pdf.bytes).contains("No syntax or stream encoding errors")
    );
    // pages after the second add almost no bytes
    let (short, long) = (print(3).pdf.bytes.len(), printed.pdf.bytes.len());
    assert!(long < short + 40_000, "{long} bytes, {short} with a short header");
}
