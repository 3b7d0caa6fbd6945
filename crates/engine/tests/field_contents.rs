//! Tables of contents that are marked as outdated: the pages show the headings and page numbers of the filled document.

mod page_text;
use page_text::{Template, field, marked_field, page_break, page_lines, plain, styled};
use waraq_docx::build::{paragraph, run};
use waraq_engine::{DiagnosticCode, Pages};
use waraq_layout::DisplayItem;

const DIRTY: &str = " w:dirty=\"true\"";

/// A dirty table of contents with a placeholder, and two chapters on two further pages.
fn report(code: &str) -> String {
    [
        plain(&marked_field(DIRTY, code, &run("Right-click to update field."))),
        page_break("start"),
        styled("Heading1", &run("Intro {{a}}")),
        styled("Heading2", &run("Detail")),
        page_break("more"),
        styled("Heading1", &run("End")),
    ]
    .concat()
}

/// Returns a line of the table of contents without its leader: "Intro A 2".
fn without_leader(line: &str) -> String {
    line.split('.').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn first_page(template: &Template, values: &[(&str, &str)]) -> Vec<String> {
    template.lines(values)[0].iter().map(|line| without_leader(line)).collect()
}

#[test]
fn a_dirty_table_of_contents_lists_the_headings_of_the_filled_document() {
    let template = Template::new(report("TOC \\o \"1-3\" \\h \\z \\u"));
    assert_eq!(first_page(&template, &[("a", "A")]), ["Intro A 2", "Detail 2", "End 3"]);
    let pages = template.pages(&[("a", "A")]);
    let links = pages.pages[0].items.iter().filter(|placed| matches!(placed.item, DisplayItem::Link { .. })).count();
    assert!(links >= 3, "{links}");
}

#[test]
fn update_fields_and_placeholders_have_the_same_effect() {
    let clean = |result: &str| {
        [plain(&marked_field("", "TOC \\o 1-1", result)), page_break("x"), styled("Heading1", &run("One"))].concat()
    };
    let updated = Template::new(clean(&run("old text"))).with_settings("<w:updateFields w:val=\"true\"/>");
    assert_eq!(first_page(&updated, &[]), ["One 2"]);
    assert_eq!(first_page(&Template::new(clean(&run("Update this table."))), &[]), ["One 2"]);
    assert_eq!(first_page(&Template::new(clean("")), &[]), ["One 2"]);
    let simple = "<w:p><w:fldSimple w:instr=\"TOC \\o\" w:dirty=\"1\"/></w:p>".to_owned();
    let simple = Template::new(simple + &page_break("x") + &styled("Heading1", &run("Only")));
    assert_eq!(first_page(&simple, &[]), ["Only 2"]);
}

/// A saved table of contents over three paragraphs: an entry, an entry, and the end of the field.
fn saved(attributes: &str, entries: [&str; 2]) -> String {
    let entry = |before: &str, text: &str| {
        format!("<w:p>{before}{}<w:r><w:tab/></w:r>{}</w:p>", run(text), field("PAGEREF _Toc1 \\h", "9"))
    };
    let begin = format!(
        "<w:r><w:fldChar w:fldCharType=\"begin\"{attributes}/></w:r><w:r><w:instrText>TOC \\o \"1-3\"</w:instrText></w:r>\
         <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r>"
    );
    let end = "<w:p><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    let heading = "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:bookmarkStart w:id=\"1\" w:name=\"_Toc1\"/>";
    format!(
        "{}{}{end}{}{heading}{}<w:bookmarkEnd w:id=\"1\"/></w:p>{}",
        entry(&begin, entries[0]),
        entry("", entries[1]),
        page_break("x"),
        run("Real {{a}}"),
        styled("Heading1", &run("Other"))
    )
}

#[test]
fn a_saved_result_over_several_paragraphs_is_replaced_only_if_it_is_outdated() {
    let values = [("a", "A")];
    let stale = ["Old one", "Old two"];
    assert_eq!(first_page(&Template::new(saved(DIRTY, stale)), &values), ["Real A 2", "Other 2"]);
    let update = "<w:updateFields/>";
    assert_eq!(first_page(&Template::new(saved("", stale)).with_settings(update), &values), ["Real A 2", "Other 2"]);
    // Word does not touch a table of contents without a request to update it.
    assert_eq!(first_page(&Template::new(saved("", stale)), &values), ["Old one2", "Old two2"]);
    // The saved result with the same headings stays as the author formatted it: without leaders.
    let good = saved("", ["Real A", "Other"]);
    assert_eq!(first_page(&Template::new(good).with_settings(update), &values), ["Real A2", "Other2"]);
}

#[test]
fn levels_styles_numbers_and_separators_follow_the_switches() {
    let lines = |code: &str| first_page(&Template::new(report(code)), &[("a", "A")]);
    assert_eq!(lines("TOC \\o \"1-1\""), ["Intro A 2", "End 3"]);
    assert_eq!(lines("TOC \\o \"2-2\""), ["Detail 2"]);
    assert_eq!(lines("TOC \\u"), ["Intro A 2", "Detail 2", "End 3"]);
    assert_eq!(lines("TOC"), ["Intro A 2", "Detail 2", "End 3"]);
    assert_eq!(lines("TOC \\o \"1-3\" \\n"), ["Intro A", "Detail", "End"]);
    assert_eq!(lines("TOC \\o \"1-3\" \\n \"2-2\""), ["Intro A 2", "Detail", "End 3"]);
    assert_eq!(lines("TOC \\o \"1-3\" \\p \" - \""), ["Intro A - 2", "Detail - 2", "End - 3"]);
    let body = report("TOC \\t \"Chapter Name,1\"") + &styled("Chapter", &run("Special"));
    assert_eq!(first_page(&Template::new(body), &[("a", "A")]), ["Special 3"]);
    let body = report("TOC \\t \"Kapitel;2\" \\o \"1-1\"") + &styled("Chapter", &run("Special"));
    assert_eq!(first_page(&Template::new(body), &[("a", "A")]), ["Intro A 2", "End 3", "Special 3"]);
}

#[test]
fn a_bookmark_and_a_sequence_limit_the_list() {
    let range = [
        plain(&marked_field(DIRTY, "TOC \\o \"1-3\" \\b Part", &run("x"))),
        styled("Heading1", &run("Before")),
        "<w:p><w:bookmarkStart w:id=\"5\" w:name=\"Part\"/></w:p>".to_owned(),
        styled("Heading1", &run("Inside {{a}}")),
        "<w:p><w:bookmarkEnd w:id=\"5\"/></w:p>".to_owned(),
        styled("Heading1", &run("After")),
    ];
    assert_eq!(first_page(&Template::new(range.concat()), &[("a", "A")])[0], "Inside A 1");
    let caption = |text: &str| plain(&(run("Figure ") + &field("SEQ Figure \\* ARABIC", "1") + &run(text)));
    let figures = [
        plain(&marked_field(DIRTY, "TOC \\h \\z \\c \"Figure\"", &run("x"))),
        page_break("x"),
        caption(": A plan"),
        plain(&(run("Table ") + &field("SEQ Table", "1"))),
        caption(": A {{a}}"),
    ];
    let lines = first_page(&Template::new(figures.concat()), &[("a", "map")]);
    assert_eq!(lines, ["Figure 1: A plan 2", "Figure 2: A map 2"]);
}

const NUMBERING: &str = r#"<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="upperRoman"/><w:lvlText w:val="%1."/></w:lvl></w:abstractNum>
<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>"#;

#[test]
fn entries_have_the_numbers_of_their_headings_and_the_styles_of_the_document() {
    let heading = "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/><w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"1\"/></w:numPr></w:pPr>";
    let body = plain(&marked_field(DIRTY, "TOC \\o", &run("x")))
        + &page_break("x")
        + &format!("{heading}{}</w:p>", run("Numbered"));
    let toc = "<w:style w:type=\"paragraph\" w:styleId=\"TOC1\"><w:name w:val=\"toc 1\"/><w:pPr><w:tabs>\
               <w:tab w:val=\"right\" w:leader=\"hyphen\" w:pos=\"6000\"/></w:tabs></w:pPr><w:rPr><w:sz w:val=\"40\"/></w:rPr></w:style>";
    let template = Template::new(body).with_numbering(NUMBERING).with_styles(toc);
    let line = template.lines(&[])[0][0].clone();
    assert!(line.starts_with("I.Numbered-") && line.ends_with("-2"), "{line}");
    let pages = template.pages(&[]);
    let sizes: Vec<f32> = pages.pages[0]
        .items
        .iter()
        .filter_map(|placed| match &placed.item {
            DisplayItem::Glyphs(run) => Some(run.size),
            _ => None,
        })
        .collect();
    assert!(sizes.iter().take(3).all(|size| (*size - 20.0).abs() < 0.1), "{sizes:?}");
    assert!((right_edge(&pages) - (56.7 + 300.0)).abs() < 1.5, "{}", right_edge(&pages));
}

/// Returns the right edge in points of the text on the first page.
fn right_edge(pages: &Pages) -> f32 {
    let items = pages.pages[0].items.iter();
    let edges = items.filter_map(|placed| match &placed.item {
        DisplayItem::Glyphs(run) => {
            Some(run.x + run.glyphs.iter().map(|glyph| glyph.advance).sum::<f32>() * run.scale_x)
        }
        _ => None,
    });
    edges.fold(0.0, f32::max)
}

#[test]
fn page_numbers_end_at_the_right_edge_of_the_text() {
    let pages = Template::new(report("TOC \\o")).pages(&[("a", "A")]);
    assert!((right_edge(&pages) - (595.3 - 56.7)).abs() < 1.5, "{}", right_edge(&pages));
}

#[test]
fn a_table_of_contents_over_several_pages_has_the_right_page_numbers() {
    let headings: String = (1..=120).map(|number| styled("Heading1", &run(&format!("Chapter {number}")))).collect();
    let body = plain(&marked_field(DIRTY, "TOC \\o \"1-3\" \\h", &run("x"))) + &page_break("body") + &headings;
    let pages = Template::new(body).lines(&[]);
    let page_of = |text: &str, from: usize| {
        pages.iter().enumerate().skip(from).find(|(_, lines)| lines.iter().any(|line| line == text)).unwrap().0 + 1
    };
    for chapter in [1, 60, 120] {
        let text = format!("Chapter {chapter}");
        let entry = pages.iter().flatten().find(|line| line.starts_with(&format!("{text}."))).unwrap();
        assert_eq!(without_leader(entry), format!("{text} {}", page_of(&text, 0)));
    }
    assert!(page_of("Chapter 1", 0) >= 3, "the table of contents was to fill more than a page");
}

#[test]
fn headings_in_tables_are_listed_and_arabic_entries_run_from_right_to_left() {
    let table = "<w:tbl><w:tblPr/><w:tblGrid><w:gridCol w:w=\"5000\"/></w:tblGrid><w:tr><w:tc><w:tcPr><w:tcW w:w=\"5000\" w:type=\"dxa\"/></w:tcPr>";
    let arabic = "<w:p><w:pPr><w:pStyle w:val=\"Heading1\"/><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>الفصل {{a}}</w:t></w:r></w:p>";
    let body = [
        plain(&marked_field(DIRTY, "TOC \\o", &run("x"))),
        page_break("x"),
        format!("{table}{}</w:tc></w:tr></w:tbl>", styled("Heading1", &run("In a cell"))),
        arabic.to_owned(),
    ]
    .concat();
    let pages = Template::new(body).pages(&[("a", "الأول")]);
    let lines = &page_lines(&pages)[0];
    assert_eq!(without_leader(&lines[0]), "In a cell 2");
    // The page number of the Arabic entry is at the left.
    assert!(lines[1].starts_with('2') && lines[1].contains("الفصل"), "{}", lines[1]);
}

#[test]
fn text_around_the_field_stays_and_an_empty_list_shows_nothing() {
    let field = marked_field(DIRTY, "TOC \\o", &run("placeholder"));
    let around = plain(&(run("before ") + &field + &run(" after")));
    let lines = first_page(&Template::new(around.clone() + &page_break("x") + &styled("Heading1", &run("One"))), &[]);
    assert_eq!(lines, ["before", "One 2", "after"]);
    assert_eq!(first_page(&Template::new(plain(&field) + &paragraph("text")), &[]), ["text"]);
    // Without a request to update, Word shows its own message.
    let message = plain(&marked_field("", "TOC \\o", &run("No entries found")));
    assert_eq!(first_page(&Template::new(message), &[]), ["No entries found"]);
}

#[test]
fn an_unsupported_switch_keeps_the_saved_result_and_is_reported() {
    let pages = Template::new(report("TOC \\f \\o")).pages(&[("a", "A")]);
    assert_eq!(page_lines(&pages)[0][0], "Right-click to update field.");
    let told = |code| pages.warnings.iter().any(|warning| warning.code == code && warning.paragraph == Some(1));
    assert!(told(DiagnosticCode::FieldNotComputed), "{:?}", pages.warnings);
}

/// Each table of contents searches the whole body, so the work grows with the product of both.
#[test]
fn many_tables_of_contents_in_a_long_document_are_refused() {
    let read = |count: usize| {
        let contents = plain(&marked_field(DIRTY, "TOC", &run("x"))).repeat(count);
        let bytes = Template::new(contents + &paragraph("").repeat(4_000)).to_bytes();
        let mut budget = waraq_docx::Budget::default();
        budget.work = 2_000_000;
        let package = waraq_docx::Package::open_with_budget(bytes, &budget).unwrap();
        waraq_docx::read(&package, &waraq_docx::ReadOptions::default()).map(|_| ())
    };
    assert_eq!(read(5), Ok(()));
    assert_eq!(read(400).unwrap_err().code.as_str(), "too_complex");
}
