//! Parts of the file besides the pages: links, outline, labels, title, tags, standards.

mod support;

use support::*;
use waraq_layout::{
    Destination, DisplayItem, Element, ElementId, ElementKind, GlyphRun, Link, OutlineEntry, Pages, Rect, TaggedItem,
};
use waraq_render::{PdfOptions, StandardClaim};

fn link(target: Link) -> DisplayItem {
    DisplayItem::Link { area: Rect { x: 72.0, y: 90.0, width: 100.0, height: 14.0 }, target: target.into() }
}

fn objects_as_json(bytes: &[u8]) -> String {
    reader("qpdf", &["--json", "FILE"], bytes)
}

#[test]
fn links_go_to_pages_and_to_safe_addresses_only() {
    let mut document = pages(vec![
        vec![
            link(Link::Uri("https://example.org/ورق".into())),
            link(Link::Uri("javascript:alert(1)".into())),
            link(Link::Bookmark("clause".into())),
            link(Link::Bookmark("nowhere".into())),
        ],
        vec![],
    ]);
    document.destinations = vec![Destination { name: "clause".into(), page: 1, x: 72.0, y: 300.0 }];
    let bytes = pdf(&document);
    check(&bytes);
    let json = objects_as_json(&bytes);
    assert_eq!(json.matches("\"/Subtype\": \"/Link\"").count(), 2);
    assert!(json.contains("https://example.org/%D9%88%D8%B1%D9%82"));
    assert!(!json.contains("javascript"));
    assert!(json.contains("\"/XYZ\""));
}

#[test]
fn outline_entries_nest_and_page_labels_are_written() {
    let mut document = pages(vec![vec![], vec![], vec![]]);
    for (page, label) in document.pages.iter_mut().zip(["i", "ii", "1"]) {
        page.label = label.into();
    }
    let entry = |title: &str, level, page| OutlineEntry { title: title.into(), level, page, y: 100.0 };
    document.outline = vec![entry("One", 0, 0), entry("Deep", 2, 1), entry("Two", 0, 2), entry("Lost", 0, 9)];
    let bytes = pdf(&document);
    check(&bytes);
    let json = objects_as_json(&bytes);
    let outline = &json[json.find("\"outlines\"").unwrap()..];
    assert!(outline.find("Deep").unwrap() < outline.find("Two").unwrap());
    assert!(!json.contains("Lost"));
    assert!(json.contains("\"/P\": \"u:ii\""), "{json}");
}

#[test]
fn title_authors_language_and_direction_are_set() {
    let mut document = pages(vec![vec![]]);
    document.metadata.title = Some("عقد إيجار".into());
    document.metadata.creator = Some("A. Author; B. Author".into());
    document.metadata.language = Some("ar".into());
    document.right_to_left = true;
    document.metadata.created = Some("2024-03-01T09:30:00Z".into());
    let bytes = pdf(&document);
    let said = reader("pdfinfo", &["-enc", "UTF-8", "FILE"], &bytes);
    assert!(said.contains("عقد إيجار"), "{said}");
    assert!(said.contains("A. Author, B. Author"), "{said}");
    let json = objects_as_json(&bytes);
    assert!(json.contains("\"/Lang\": \"u:ar\""));
    assert!(json.contains("\"/Direction\": \"/R2L\""));
}

/// Returns pages with a heading, a paragraph with a link, and a table with a header cell and a cell.
fn structured_document() -> Pages {
    let mut document = pages(vec![vec![]]);
    document.metadata.title = Some("Structure".into());
    document.metadata.language = Some("en".into());
    document.metadata.created = Some("2024-03-01T09:30:00Z".into());
    let kinds = [
        (ElementKind::Heading(1), None),
        (ElementKind::Paragraph, None),
        (ElementKind::Link, Some(1)),
        (ElementKind::Table, None),
        (ElementKind::TableRow, Some(3)),
        (ElementKind::TableHeader { of_row: false, columns: 1, rows: 1 }, Some(4)),
        (ElementKind::TableRow, Some(3)),
        (ElementKind::TableCell { columns: 1, rows: 1 }, Some(6)),
    ];
    document.structure = kinds.map(|(kind, parent)| Element { kind, parent: parent.map(ElementId) }).to_vec();
    let text = |text: &str, y: f32, element: u32| TaggedItem {
        item: DisplayItem::Glyphs(run(text, LATIN, 12.0, 72.0, y)),
        element: Some(ElementId(element)),
    };
    document.pages[0].items = vec![
        text("Heading", 80.0, 0),
        text("Before ", 100.0, 1),
        text("link", 120.0, 2),
        TaggedItem { item: link(Link::Uri("https://example.org".into())), element: Some(ElementId(2)) },
        text("after", 140.0, 1),
        text("Head", 160.0, 5),
        text("Cell", 180.0, 7),
        TaggedItem { item: DisplayItem::Glyphs(run("page 1", LATIN, 9.0, 72.0, 800.0)), element: None },
    ];
    document.outline = vec![OutlineEntry { title: "Heading".into(), level: 0, page: 0, y: 80.0 }];
    document
}

#[test]
fn tags_follow_the_structure() {
    let made = waraq_render::pdf(&structured_document(), &PdfOptions { tagged: true, ..PdfOptions::plain() }).unwrap();
    check(&made.bytes);
    let said = reader("pdfinfo", &["-struct-text", "FILE"], &made.bytes);
    let words: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let order = [
        "Document", "H1", "Heading", "P", "Before", "Link", "link", "after", "Table", "TR", "TH", "Head", "TD", "Cell",
    ];
    let mut at = 0;
    for wanted in order {
        let found = words[at..].iter().position(|line| line.contains(wanted));
        at += found.unwrap_or_else(|| panic!("{wanted} after {at} in {said}"));
    }
    assert!(!said.contains("page 1"), "artifacts are not read");
}

#[test]
fn repeated_content_is_written_once_for_each_id() {
    let repeated = |id: u32, text: &str| DisplayItem::Repeated {
        id,
        items: [TaggedItem { item: DisplayItem::Glyphs(run(text, LATIN, 12.0, 72.0, 40.0)), element: None }].into(),
    };
    let document = pages(vec![vec![repeated(1, "head")], vec![repeated(1, "head")], vec![repeated(2, "other")]]);
    let bytes = pdf(&document);
    check(&bytes);
    assert_eq!(objects_as_json(&bytes).matches("\"/Subtype\": \"/Form\"").count(), 2);
    assert_eq!(text_of(&bytes).split_whitespace().collect::<Vec<_>>(), ["head", "head", "other"]);
}

#[test]
fn only_runs_in_another_language_than_the_document_have_a_lang_entry() {
    let mut document = structured_document();
    let word = |text: &str, x: f32, language: &str| {
        let language = Some(language.into());
        TaggedItem {
            item: DisplayItem::Glyphs(GlyphRun { language, ..run(text, LATIN, 12.0, x, 200.0) }),
            element: Some(ElementId(1)),
        }
    };
    document.pages[0].items.extend([word("own", 72.0, "EN"), word("autre", 120.0, "fr"), word("own", 180.0, "en")]);
    let bytes = waraq_render::pdf(&document, &PdfOptions::default()).unwrap().bytes;
    check(&bytes);
    let plain = reader("qpdf", &["--qdf", "--object-streams=disable", "FILE", "-"], &bytes);
    assert_eq!((plain.matches("/Lang(fr)").count(), plain.matches("/Lang(en)").count()), (1, 0), "{plain}");
}

#[test]
fn the_only_paragraph_of_a_cell_gets_no_tag() {
    let mut document = structured_document();
    document.structure.extend([(); 2].map(|()| Element { kind: ElementKind::Paragraph, parent: Some(ElementId(7)) }));
    let text = |element: u32| TaggedItem {
        item: DisplayItem::Glyphs(run("more", LATIN, 12.0, 72.0, 200.0 + element as f32)),
        element: Some(ElementId(element)),
    };
    let elements = |document: &Pages| {
        let bytes = waraq_render::pdf(document, &PdfOptions::default()).unwrap().bytes;
        check(&bytes);
        objects_as_json(&bytes).matches("\"/S\": \"/P\"").count()
    };
    let before = elements(&document);
    document.pages[0].items.retain(|placed| placed.element != Some(ElementId(7)));
    document.pages[0].items.push(text(8));
    assert_eq!(elements(&document), before, "one");
    document.pages[0].items.push(text(9));
    assert_eq!(elements(&document), before + 2, "two");
}

#[test]
fn standards_are_claimed_if_satisfied_and_otherwise_give_a_warning() {
    let both = PdfOptions {
        pdf_ua: StandardClaim::IfPossibleOrWarn,
        pdf_a: StandardClaim::IfPossibleOrWarn,
        ..PdfOptions::plain()
    };
    let made = waraq_render::pdf(&structured_document(), &both).unwrap();
    assert_eq!(made.warnings, []);
    check(&made.bytes);
    let claims = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        (text.contains("pdfuaid:part"), text.contains("pdfaid:part"))
    };
    assert_eq!(claims(&made.bytes), (true, true));

    let mut untitled = structured_document();
    untitled.metadata.title = None;
    untitled.outline.clear();
    let made = waraq_render::pdf(&untitled, &both).unwrap();
    assert_eq!(claims(&made.bytes), (false, true), "{:?}", made.warnings);
    assert_eq!(made.warnings.len(), 1);
    assert!(made.warnings[0].message.contains("no title"), "{:?}", made.warnings);

    let mut headless = structured_document();
    headless.structure[5].kind = ElementKind::TableCell { columns: 1, rows: 1 };
    let made = waraq_render::pdf(&headless, &both).unwrap();
    assert_eq!(claims(&made.bytes), (false, true), "{:?}", made.warnings);
}

#[test]
fn arabic_with_marks_may_claim_the_standards() {
    let mut document = structured_document();
    let shaped = run("بِسْمِ اللَّهِ", NASKH, 12.0, 72.0, 300.0);
    document.pages[0].items.push(TaggedItem { item: DisplayItem::Glyphs(shaped), element: Some(ElementId(1)) });
    let made = waraq_render::pdf(
        &document,
        &PdfOptions {
            pdf_ua: StandardClaim::IfPossibleOrWarn,
            pdf_a: StandardClaim::IfPossibleOrWarn,
            ..PdfOptions::plain()
        },
    )
    .unwrap();
    assert_eq!(made.warnings, []);
    check(&made.bytes);
}

#[test]
fn invalid_structures_and_numbers_give_a_valid_file() {
    let mut document = structured_document();
    // a parent after its child, missing elements, infinite areas
    document.structure[1].parent = Some(ElementId(7));
    document.pages[0].items.push(TaggedItem {
        item: DisplayItem::Glyphs(run("lost", LATIN, f32::NAN, 72.0, 300.0)),
        element: Some(ElementId(99)),
    });
    document.pages[0].items.push(TaggedItem {
        item: DisplayItem::Link {
            area: Rect { x: f32::INFINITY, y: 0.0, width: 1.0, height: -1.0 },
            target: Link::Uri("https://example.org".into()).into(),
        },
        element: Some(ElementId(99)),
    });
    document.pages[0].width = f32::NAN;
    let made = waraq_render::pdf(&document, &PdfOptions { tagged: true, ..PdfOptions::plain() }).unwrap();
    check(&made.bytes);
    check(&pdf(&pages(vec![])));
}

#[test]
fn content_streams_are_compressed_and_metadata_is_not() {
    let standards = PdfOptions {
        pdf_ua: StandardClaim::IfPossibleOrWarn,
        pdf_a: StandardClaim::IfPossibleOrWarn,
        ..PdfOptions::plain()
    };
    for (count, options) in [(1, PdfOptions::plain()), (3, standards)] {
        let mut document = structured_document();
        let page = document.pages[0].clone();
        document.pages = vec![page; count];
        let bytes = waraq_render::pdf(&document, &options).unwrap().bytes;
        check(&bytes);
        let has = |word: &[u8]| bytes.windows(word.len()).any(|window| window == word);
        assert!(!has(b" Tf"), "{count} pages");
        let plain = reader("qpdf", &["--qdf", "--object-streams=disable", "FILE", "-"], &bytes);
        assert_eq!(plain.matches("/Type /Page\n").count(), count);
        // ISO 19005-2, 6.6.2.1
        assert_eq!(has(b"<x:xmpmeta"), options.pdf_a != StandardClaim::No);
    }
}
