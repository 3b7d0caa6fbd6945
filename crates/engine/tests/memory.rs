//! The memory that one document needs. Each case runs in a process of its own, and an allocator counts its bytes.

use std::alloc::System;
use std::process::Command;

use cap::Cap;
use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_engine::{Examination, FillOptions, FilledDocument, LayoutOptions, PdfOptions, Values};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

const MEGABYTE: usize = 1 << 20;
/// Maximum memory for the values of one request, in a template of a few lines.
const MAX_MEMORY_FOR_VALUES: usize = 128 * MEGABYTE;
/// Maximum memory for one file.
const MAX_MEMORY_FOR_A_FILE: usize = 512 * MEGABYTE;

/// The environment variable that gives a child process its case.
const CASE: &str = "WARAQ_CASE";

/// The maximum number of bytes and characters of values (`waraq_rules`), rounded down.
const VALUES_BYTES: usize = 196_000;
const VALUE_CHARACTERS: usize = 10_000;

type Case<T> = (&'static str, fn() -> T);

/// Texts with missing glyphs, long clusters, or many characters without a glyph.
const TEXTS: &[Case<String>] = &[
    ("emoji and joiners", || "👩\u{200d}".repeat(400_000)),
    ("right-to-left marks without a glyph", || "\u{1e8d0}".repeat(200_000)),
    ("letters without a glyph", || "\u{10450}".repeat(200_000)),
    ("right-to-left letters without a glyph", || "\u{10800}".repeat(200_000)),
    ("characters of the private use area", || "\u{e000}".repeat(200_000)),
    ("many different characters without a glyph", || ('\u{20000}'..='\u{2ffff}').collect()),
    ("flags", || "🇩🇪".repeat(100_000)),
    ("flags of regions", || "🏴\u{e0067}\u{e0062}".repeat(100_000)),
    ("a Latin letter and many marks", || format!("a{}", "\u{301}".repeat(200_000))),
    ("Latin letters and all marks", || format!("a{}", ('\u{300}'..='\u{36f}').collect::<String>()).repeat(2_000)),
    ("an Arabic letter and many marks", || format!("ب{}", "\u{64e}".repeat(200_000))),
    ("Arabic letters and all marks", || format!("ب{}", ('\u{64b}'..='\u{652}').collect::<String>()).repeat(25_000)),
    ("a letter and many joiners", || format!("a{}", "\u{200d}".repeat(200_000))),
    ("Arabic letters and joiners", || "ب\u{200d}".repeat(200_000)),
    ("letters and variation selectors", || "a\u{fe0f}".repeat(200_000)),
    ("Devanagari", || "क\u{94d}".repeat(200_000)),
    ("Hangul", || "\u{1100}\u{1161}\u{11a8}".repeat(100_000)),
    ("direction marks", || "a\u{202e}ب\u{202c}\u{2067}b\u{2069}".repeat(50_000)),
];

/// Documents that refer to one long text from many positions.
const DOCUMENTS: &[Case<Vec<u8>>] = &[
    ("a link with a long address", || linked(&format!("https://example.org/{}", long()))),
    ("a link with an address of 8 kB", || linked(&format!("https://example.org/{}", "x".repeat(7_900)))),
    ("many links with an address of 8 kB", || {
        let mut document = DocumentBuilder::new("");
        let id = document.add_relationship("hyperlink", &format!("https://example.org/{}", "x".repeat(7_900)), true);
        let link = |number: usize| format!("<w:hyperlink r:id=\"{id}\">{}</w:hyperlink>", run(&format!("{number} ")));
        with_body(&document, &format!("<w:p>{}</w:p>", (0..40_000).map(link).collect::<String>()))
    }),
    ("a link to a long name", || {
        let (name, text) = (long(), run(&"word ".repeat(40_000)));
        let bookmark = format!("<w:bookmarkStart w:id=\"1\" w:name=\"{name}\"/><w:bookmarkEnd w:id=\"1\"/>");
        let link = format!("<w:hyperlink w:anchor=\"{name}\">{text}</w:hyperlink>");
        DocumentBuilder::new(&format!("<w:p>{bookmark}{link}</w:p>")).to_bytes()
    }),
    ("runs in a long language", || {
        let mut document = DocumentBuilder::new(&format!("<w:p>{}</w:p>", styled_runs(3_000)));
        document.add_related_part(
            "styles",
            "styles",
            "styles.xml",
            &style(&format!("<w:lang w:val=\"fr-{}\"/>", long())),
        );
        document.to_bytes()
    }),
    ("runs in a font with a long name", || {
        let mut document = DocumentBuilder::new(&format!("<w:p>{}</w:p>", styled_runs(3_000)));
        let fonts = format!("<w:rFonts w:ascii=\"{0}\" w:hAnsi=\"{0}\"/>", long());
        document.add_related_part("styles", "styles", "styles.xml", &style(&fonts));
        document.to_bytes()
    }),
    ("a picture with a long description on each page", || with_header(&picture(&long()))),
    ("a long cluster on each page", || with_header(&paragraph(&"👩\u{200d}".repeat(5_000)))),
];

fn long() -> String {
    // numbers, because the package refuses files that compress too well
    (0..60_000).map(|number| format!("{number:x}")).collect()
}

fn styled_runs(count: usize) -> String {
    let styled = |number: usize| {
        format!(
            "<w:r><w:rPr><w:rStyle w:val=\"a\"/></w:rPr><w:t xml:space=\"preserve\">{number} </w:t></w:r>{}",
            run("b ")
        )
    };
    (0..count).map(styled).collect()
}

fn style(properties: &str) -> String {
    format!("<w:style w:type=\"character\" w:styleId=\"a\"><w:rPr>{properties}</w:rPr></w:style>")
}

fn linked(address: &str) -> Vec<u8> {
    let mut document = DocumentBuilder::new("");
    let id = document.add_relationship("hyperlink", address, true);
    let text = run(&"word ".repeat(40_000));
    with_body(&document, &format!("<w:p><w:hyperlink r:id=\"{id}\">{text}</w:hyperlink></w:p>"))
}

/// Replaces the empty body of a document.
fn with_body(document: &DocumentBuilder, body: &str) -> Vec<u8> {
    const MAIN: &str = "word/document.xml";
    let (_, main) = document.parts().into_iter().find(|(name, _)| name == MAIN).unwrap();
    let main = String::from_utf8(main).unwrap().replace("<w:body></w:body>", &format!("<w:body>{body}</w:body>"));
    document.clone().with_part(MAIN, main).to_bytes()
}

/// Returns a document of 1,500 pages with this header.
fn with_header(header: &str) -> Vec<u8> {
    let mut document = DocumentBuilder::new("").with_part("word/media/a.png", png());
    document.add_relationship("image", "media/a.png", false);
    let id = document.add_related_part("header", "hdr", "header1.xml", header);
    let rels = "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" \
                Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/image\" Target=\"media/a.png\"/></Relationships>";
    let document = document.with_part("word/_rels/header1.xml.rels", rels);
    let page = |number: usize| format!("<w:p>{}<w:r><w:br w:type=\"page\"/></w:r></w:p>", run(&number.to_string()));
    let reference = format!("<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{id}\"/></w:sectPr>");
    with_body(&document, &format!("{}{reference}", (0..1_500).map(page).collect::<String>()))
}

fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    image::RgbImage::from_pixel(2, 2, image::Rgb([9, 9, 9])).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn picture(description: &str) -> String {
    let drawingml = "http://schemas.openxmlformats.org/drawingml/2006";
    format!(
        "<w:p><w:r><w:drawing><wp:inline xmlns:wp=\"{drawingml}/wordprocessingDrawing\" xmlns:a=\"{drawingml}/main\" xmlns:pic=\"{drawingml}/picture\">\
         <wp:extent cx=\"99999\" cy=\"99999\"/><wp:docPr id=\"1\" name=\"a\" descr=\"{description}\"/>\
         <a:graphic><a:graphicData uri=\"{drawingml}/picture\"><pic:pic><pic:nvPicPr><pic:cNvPr id=\"1\" name=\"a\"/><pic:cNvPicPr/></pic:nvPicPr>\
         <pic:blipFill><a:blip r:embed=\"rId1\"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
         <pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"99999\" cy=\"99999\"/></a:xfrm><a:prstGeom prst=\"rect\"/></pic:spPr></pic:pic>\
         </a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    )
}

/// Options with which the PDF claims PDF/UA-1 if it can.
fn pdf_ua_options() -> LayoutOptions {
    LayoutOptions { title: Some("Memory".into()), language: Some("en".into()), ..LayoutOptions::default() }
}

/// Checks a file as `documents/check` does, and draws its picture.
fn check(bytes: Vec<u8>) -> String {
    let template = waraq_engine::open_with_budget(bytes, &pdf_ua_options().budget).unwrap();
    match waraq_engine::examine(&template, &pdf_ua_options(), &PdfOptions::default()) {
        Ok(Examination { rendered: Some(printed), diagnostics: findings, .. }) => {
            waraq_engine::first_page_picture(&printed.pages).unwrap();
            assert!(findings.len() <= 200, "{} diagnostics", findings.len());
            format!("{} pages, {} bytes", printed.pages.pages.len(), printed.pdf.bytes.len())
        }
        Ok(Examination { diagnostics: findings, .. }) => panic!("{findings:?}"),
        Err(error) => error.code.to_string(),
    }
}

/// Fills a template with as much of a text as values may have.
fn fill(text: &str) -> String {
    let mut values: Vec<String> = vec![String::new()];
    let (mut bytes, mut characters) = (0, 0);
    for character in text.chars() {
        bytes += character.len_utf8();
        if bytes > VALUES_BYTES {
            break;
        }
        if characters == VALUE_CHARACTERS {
            values.push(String::new());
            characters = 0;
        }
        values.last_mut().unwrap().push(character);
        characters += 1;
    }
    let body: String = (0..values.len()).map(|at| paragraph(&format!("{{{{v{at}}}}}"))).collect();
    let template = waraq_engine::open(&DocumentBuilder::new(&body).to_bytes()).unwrap();
    let values = Values::from_pairs(values.into_iter().enumerate().map(|(at, value)| (format!("v{at}"), value)));
    let (values, options) = (values.unwrap(), FillOptions::default());
    match waraq_engine::fill_and_render(&template, &values, options, &pdf_ua_options(), &PdfOptions::default()) {
        Ok(FilledDocument { docx, rendered: printed }) => {
            waraq_engine::first_page_picture(&printed.pages).unwrap();
            format!("{} bytes, {} pages, {} bytes", docx.len(), printed.pages.pages.len(), printed.pdf.bytes.len())
        }
        Err(error) => error.code.to_string(),
    }
}

#[test]
#[ignore = "run by the tests below, in a process of its own"]
fn measure_one_case() {
    let case = std::env::var(CASE).unwrap();
    let (kind, number) = case.split_once(' ').unwrap();
    let number: usize = number.parse().unwrap();
    let result = match kind {
        "document" => check(DOCUMENTS[number].1()),
        "file" => check(DocumentBuilder::new(&paragraph(&TEXTS[number].1())).to_bytes()),
        _ => fill(&TEXTS[number].1()),
    };
    println!("\nPEAK {} {result}", ALLOCATOR.max_allocated());
}

/// Runs all cases of a kind, each in a process of its own.
fn measure_all<T>(kind: &str, cases: &[Case<T>], limit: usize) {
    let mut over = Vec::new();
    for (number, (name, _)) in cases.iter().enumerate() {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--ignored", "--exact", "measure_one_case", "--nocapture"]).env(CASE, format!("{kind} {number}"));
        let output = child.output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        let line = shown.lines().find_map(|line| line.strip_prefix("PEAK "));
        let Some((peak, result)) = line.and_then(|line| line.split_once(' ')) else {
            panic!("{kind}, {name}: {shown}{}", String::from_utf8_lossy(&output.stderr));
        };
        let peak: usize = peak.parse().unwrap();
        println!("{kind}, {name}: {} MB ({result})", peak / MEGABYTE);
        if peak > limit {
            over.push(format!("{name}: {} MB", peak / MEGABYTE));
        }
    }
    assert!(over.is_empty(), "over {} MB: {over:#?}", limit / MEGABYTE);
}

#[test]
fn values_need_at_most_128_megabytes() {
    measure_all("values", TEXTS, MAX_MEMORY_FOR_VALUES);
}

#[test]
fn a_file_of_one_long_text_needs_at_most_512_megabytes() {
    measure_all("file", TEXTS, MAX_MEMORY_FOR_A_FILE);
}

#[test]
fn a_file_that_repeats_a_long_text_needs_at_most_512_megabytes() {
    measure_all("document", DOCUMENTS, MAX_MEMORY_FOR_A_FILE);
}
