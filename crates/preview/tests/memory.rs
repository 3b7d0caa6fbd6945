//! The memory that a browser needs for one document. The cases run one after the other, and an allocator counts their bytes.

use std::alloc::System;

use cap::Cap;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_preview::{Engine, LayoutOutcome, LayoutRequest};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Maximum memory for one document without its fonts, in bytes.
const LIMIT: usize = 128 << 20;

/// Lays out a document with the value `value` in its field and returns the bytes of its drawings and texts.
fn shown(engine: &mut Engine, bytes: Vec<u8>, value: Option<&str>) -> usize {
    let document = engine.open(bytes).unwrap();
    let values = value.map(|value| [("a".to_owned(), value.into())].into());
    let request = LayoutRequest { values, ..LayoutRequest::default() };
    let pages = loop {
        match engine.lay_out(document, &request).unwrap() {
            LayoutOutcome::Fonts { files } => {
                for file in files {
                    let at = waraq_fonts::faces().iter().position(|face| face.file == file).unwrap();
                    assert!(engine.add_font(file, waraq_fonts::files()[at].data.to_vec()));
                }
            }
            LayoutOutcome::Pages { pages, .. } => break pages.len(),
        }
    };
    let mut size = 0;
    for page in 0..pages {
        size += 4 * engine.drawing(document, page).unwrap().len();
        size += serde_json::to_string(&engine.text(document, page)).unwrap().len();
    }
    engine.close(document);
    size
}

fn linked(anchor: &str) -> Vec<u8> {
    let link = paragraph(&"word ".repeat(10_000))
        .replace("<w:p>", &format!("<w:p><w:hyperlink w:anchor=\"{anchor}\">"))
        .replace("</w:p>", "</w:hyperlink></w:p>");
    DocumentBuilder::new(&link).to_bytes()
}

fn in_language(tag: &str) -> Vec<u8> {
    let language = format!("<w:r><w:rPr><w:lang w:val=\"{tag}\"/></w:rPr>");
    DocumentBuilder::new(&paragraph(&"word ".repeat(10_000)).replace("<w:r>", &language)).to_bytes()
}

#[test]
fn a_document_needs_at_most_128_megabytes() {
    let texts = ["👩\u{200d}", "\u{1e8d0}", "\u{10450}", "a\u{301}", "ب\u{64e}", "a\u{202e}"];
    let long: String = (0..150_000).map(|number| format!("{number:x}")).collect();
    let field = DocumentBuilder::new(&paragraph("{{a}}")).to_bytes();
    let mut engine = Engine::default();
    let mut over = Vec::new();
    let mut measure = |name: &str, bytes: Vec<u8>, value: Option<&str>| {
        // fonts are kept between documents, so that they are loaded before the measurement
        shown(&mut engine, DocumentBuilder::new(&paragraph("a 中 ب")).to_bytes(), None);
        let before = ALLOCATOR.allocated();
        let size = shown(&mut engine, bytes, value);
        let peak = ALLOCATOR.max_allocated().saturating_sub(before);
        println!("{name}: {} MB, {size} bytes of output", peak >> 20);
        if peak > LIMIT {
            over.push(format!("{name}: {} MB", peak >> 20));
        }
    };
    for text in texts {
        let name = text.escape_unicode().to_string();
        measure(&name, field.clone(), Some(&text.repeat(4_900)));
        measure(&name, DocumentBuilder::new(&paragraph(&text.repeat(100_000))).to_bytes(), None);
    }
    measure("a link to a long name", linked(&long), None);
    measure("a long language", in_language(&long), None);
    assert!(over.is_empty(), "{over:#?}");
}
