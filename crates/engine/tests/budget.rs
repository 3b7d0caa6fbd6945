//! Limits of one document: work beyond the budget is refused before it is done, and cancelled work stops.

use std::alloc::System;

use cap::Cap;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_engine::{Budget, EmptyValue, FillOptions, LayoutOptions, PdfOptions, Values};

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

fn repeat(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

fn field(code: &str) -> String {
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let code = format!("<w:r><w:instrText> {code} </w:instrText></w:r>");
    format!("{}{code}{}<w:r><w:t>1</w:t></w:r>{}", character("begin"), character("separate"), character("end"))
}

/// Returns documents that each contain one kind of content thousands of times.
fn heavy_documents() -> Vec<(&'static str, Vec<u8>)> {
    let text = |i: usize| paragraph(&format!("some words {i} of {{{{a}}}}"));
    let cell = |i: usize| format!("<w:tc>{}</w:tc>", text(i));
    let row = |i: usize| format!("<w:tr>{}</w:tr>", repeat(10, |k| cell(10 * i + k)));
    let shape = |i: usize| {
        format!(
            "<w:p><w:r><w:pict><v:shape xmlns:v=\"urn:schemas-microsoft-com:vml\" style=\"position:absolute;width:90pt;height:50pt;margin-left:{i}pt\">\
             <v:textbox><w:txbxContent>{}</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>",
            text(i)
        )
    };
    let run = |i: usize| format!("<w:r><w:rPr><w:sz w:val=\"{}\"/></w:rPr><w:t>a</w:t></w:r>", i % 30 + 8);
    let mut noted = DocumentBuilder::new(&repeat(3_000, |i| {
        format!("<w:p><w:r><w:footnoteReference w:id=\"{}\"/></w:r></w:p>", i + 1)
    }));
    let note = |i: usize| format!("<w:footnote w:id=\"{}\">{}</w:footnote>", i + 1, text(i));
    noted.add_related_part("footnotes", "footnotes", "footnotes.xml", &repeat(3_000, note));
    let styled = |i: usize| format!("<w:p><w:pPr><w:pStyle w:val=\"s{i}\"/></w:pPr></w:p>");
    let mut styles = DocumentBuilder::new(&repeat(3_000, styled));
    let style = |i: usize| {
        format!("<w:style w:type=\"paragraph\" w:styleId=\"s{i}\"><w:pPr><w:ind w:left=\"{i}\"/></w:pPr></w:style>")
    };
    styles.add_related_part("styles", "styles", "styles.xml", &repeat(3_000, style));
    vec![
        ("paragraphs", DocumentBuilder::new(&repeat(5_000, text)).to_bytes()),
        ("one long text", DocumentBuilder::new(&paragraph(&"some words ".repeat(20_000))).to_bytes()),
        ("runs", DocumentBuilder::new(&format!("<w:p>{}</w:p>", repeat(20_000, run))).to_bytes()),
        ("cells", DocumentBuilder::new(&format!("<w:tbl>{}</w:tbl>", repeat(300, row))).to_bytes()),
        ("text boxes", DocumentBuilder::new(&repeat(2_000, shape)).to_bytes()),
        ("fields", DocumentBuilder::new(&repeat(3_000, |_| format!("<w:p>{}</w:p>", field("PAGE")))).to_bytes()),
        ("notes", noted.to_bytes()),
        ("styles", styles.to_bytes()),
    ]
}

fn budget(work: u64, memory: u64) -> Budget {
    let mut budget = Budget::default();
    (budget.work, budget.memory) = (work, memory);
    budget
}

fn options_with(budget: Budget) -> LayoutOptions {
    LayoutOptions { budget, ..LayoutOptions::default() }
}

#[test]
fn a_document_beyond_its_budget_is_refused_at_each_step() {
    for (name, bytes) in heavy_documents() {
        let template = waraq_engine::open(&bytes).unwrap();
        // measure the work of the whole document; the smaller the budget, the earlier the step that is refused
        let whole = waraq_engine::render(&template, &options_with(Budget::default()), &PdfOptions::default()).unwrap();
        let whole = whole.pages.meter.work();
        for share in [2, 10, 100] {
            let budget = budget(whole / share, u64::MAX);
            let error = waraq_engine::render(&template, &options_with(budget), &PdfOptions::default()).unwrap_err();
            assert_eq!(error.code.as_str(), "too_complex", "{name}, a {share}th of {whole}");
        }
    }
}

#[test]
fn filling_counts_against_the_budget() {
    let bytes = DocumentBuilder::new(&repeat(5_000, |i| paragraph(&format!("{{{{name {i}}}}}")))).to_bytes();
    let template = waraq_engine::open(&bytes).unwrap();
    let values = Values::from_pairs((0..5_000).map(|i| (format!("name {i}"), "value"))).unwrap();
    let options = FillOptions { empty: EmptyValue::Blank, ..FillOptions::default() };
    for budget in [budget(10_000, u64::MAX), budget(u64::MAX, 2_000_000)] {
        let error =
            waraq_engine::fill_and_render(&template, &values, options, &options_with(budget), &PdfOptions::default())
                .unwrap_err();
        assert_eq!(error.code.as_str(), "too_complex");
    }
    // the cost of one document does not count for the next
    for _ in 0..3 {
        assert!(waraq_engine::fill(&template, &values, options).is_ok());
    }
}

#[test]
fn cancelled_work_is_not_started() {
    let bytes = DocumentBuilder::new(&repeat(200, |i| paragraph(&format!("{{{{name {i}}}}}")))).to_bytes();
    let budget = Budget::default();
    let template = waraq_engine::open(&bytes).unwrap();
    let pages = waraq_engine::lay_out(&template, &options_with(budget.clone())).unwrap();
    budget.cancel();
    let code = |error: waraq_engine::Error| error.code;
    assert_eq!(waraq_engine::open_with_budget(bytes, &budget).map_err(code).unwrap_err(), "cancelled");
    assert_eq!(waraq_engine::lay_out(&template, &options_with(budget.clone())).map_err(code).unwrap_err(), "cancelled");
    assert_eq!(waraq_engine::pdf(&pages, &PdfOptions::default()).map_err(code).unwrap_err(), "cancelled");
    assert_eq!(waraq_engine::first_page_picture(&pages).map_err(code).unwrap_err(), "cancelled");
    let values = Values::from_pairs((0..200).map(|i| (format!("name {i}"), "value"))).unwrap();
    let filled = waraq_engine::fill_and_render(
        &template,
        &values,
        FillOptions::default(),
        &options_with(budget),
        &PdfOptions::default(),
    );
    assert_eq!(filled.map_err(code).unwrap_err(), "cancelled");
}

#[test]
fn running_work_can_be_cancelled() {
    // The work allocates much more than the amount after which it is cancelled.
    const BYTES: usize = 5_000_000;
    let bytes =
        DocumentBuilder::new(&repeat(30_000, |i| paragraph(&format!("{i} {}", "some words ".repeat(10))))).to_bytes();
    let template = waraq_engine::open(&bytes).unwrap();
    let budget = budget(u64::MAX, u64::MAX);
    let waiting = budget.clone();
    let before = ALLOCATOR.total_allocated();
    let caller = std::thread::spawn(move || {
        while ALLOCATOR.total_allocated() < before + BYTES {
            std::thread::yield_now();
        }
        waiting.cancel();
    });
    let error = waraq_engine::render(&template, &options_with(budget), &PdfOptions::default()).unwrap_err();
    caller.join().unwrap();
    assert_eq!(error.code.as_str(), "cancelled");
}
