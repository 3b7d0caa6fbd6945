//! Tests of updating field results that refer to bookmarks, through the public interface.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_docx::fields::{self, FillOptions, Values};

const PAGES: [(&str, &str); 3] = [("_Toc1", "iv"), ("_Toc2", "12"), ("_Toc3", "300")];

fn label(bookmark: &str) -> Option<&'static str> {
    PAGES.iter().find(|(name, _)| *name == bookmark).map(|(_, label)| *label)
}

fn laid_out() -> fields::LaidOutResults<'static> {
    fields::LaidOutResults { page_label: &label, field_text: None }
}

/// Updates, saves and opens the package again, as Word would do.
fn update_and_reopen(package: &Package) -> Package {
    let renewed = fields::update_field_results(package, &laid_out()).unwrap();
    let again = Package::open(&renewed.to_bytes().unwrap()).unwrap();
    again.validate().unwrap();
    // A second update changes nothing.
    let twice = fields::update_field_results(&again, &laid_out()).unwrap();
    assert_eq!(body(&twice), body(&again));
    again
}

fn update(content: &str) -> String {
    body(&update_and_reopen(&open(content)))
}

/// Opens a document with a bookmark in its header, because documents without bookmarks are not scanned.
fn open(content: &str) -> Package {
    let mut document = DocumentBuilder::new(content);
    let elsewhere = paragraph("") + &bookmark(99, "elsewhere", "");
    document.add_related_part("header", "hdr", "header1.xml", &elsewhere);
    Package::open(&document.to_bytes()).unwrap()
}

fn body(package: &Package) -> String {
    let text = package.part_text("word/document.xml").unwrap();
    let start = text.find("<w:body>").unwrap() + "<w:body>".len();
    text[start..text.find("</w:body>").unwrap()].to_owned()
}

fn character(kind: &str) -> String {
    format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>")
}

fn begin(code: &str) -> String {
    format!(
        "{}<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>{}",
        character("begin"),
        character("separate")
    )
}

fn field(code: &str, result: &str) -> String {
    format!("{}{result}{}", begin(code), character("end"))
}

fn bookmark(id: usize, name: &str, content: &str) -> String {
    format!("<w:bookmarkStart w:id=\"{id}\" w:name=\"{name}\"/>{content}<w:bookmarkEnd w:id=\"{id}\"/>")
}

fn p(content: &str) -> String {
    format!("<w:p>{content}</w:p>")
}

/// Returns the visible text, with tabs as `|`.
fn text(xml: &str) -> String {
    let marked = xml.replace("<w:tab/>", "<w:t>|</w:t>").replace("<w:br/>", "<w:t>/</w:t>");
    let pieces = marked.split("<w:t").skip(1).filter(|piece| piece.starts_with([' ', '>']));
    pieces.filter_map(|piece| piece.split_once('>')?.1.split_once("</w:t>")).map(|(text, _)| text).collect()
}

#[test]
fn a_table_of_contents_gets_the_pages_of_its_headings() {
    let entry = |name: &str, heading: &str, page: &str| {
        format!(
            "<w:hyperlink w:anchor=\"{name}\">{}<w:r><w:tab/></w:r>{}</w:hyperlink>",
            run(heading),
            field(&format!("PAGEREF {name} \\h"), page)
        )
    };
    let toc = [
        p(&format!("{}{}", begin("TOC \\o \"1-3\" \\h \\z \\u"), entry("_Toc1", "One", &run("1")))),
        p(&entry("_Toc2", "Two", "<w:r><w:rPr><w:b/></w:rPr><w:t>1</w:t></w:r><w:r><w:t>7</w:t></w:r>")),
        p(&entry("_Toc3", "Three", "")),
        p(&entry("_Unknown", "Four", &run("99"))),
        p(&format!(
            "<w:fldSimple w:instr=\" PAGEREF _Toc2 \"><w:r><w:rPr><w:i/></w:rPr><w:t>3</w:t></w:r></w:fldSimple>{}",
            character("end")
        )),
    ];
    let renewed = update(&toc.concat());
    assert_eq!(text(&renewed), "One|ivTwo|12Three|300Four|9912");
    // The results keep their formatting.
    assert!(renewed.contains("<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">12</w:t></w:r>"), "{renewed}");
    assert!(renewed.contains("<w:r><w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">12</w:t></w:r>"), "{renewed}");
}

#[test]
fn missing_results_are_inserted() {
    let unseparated =
        p(&format!("{}<w:r><w:instrText>PAGEREF _Toc2</w:instrText></w:r>{}", character("begin"), character("end")));
    let renewed = update(&unseparated);
    assert_eq!(text(&renewed), "12");
    let (separate, result) = (renewed.find("\"separate\"").unwrap(), renewed.find(">12<").unwrap());
    assert!(separate < result && result < renewed.find("\"end\"").unwrap(), "{renewed}");
    assert_eq!(
        update(&p("<w:fldSimple w:instr=\"PAGEREF _Toc2\"/>")),
        "<w:p><w:fldSimple w:instr=\"PAGEREF _Toc2\"><w:r><w:t xml:space=\"preserve\">12</w:t></w:r></w:fldSimple></w:p>"
    );
    assert_eq!(text(&update(&p("<w:fldSimple w:instr=\"PAGEREF _Toc2\"></w:fldSimple>"))), "12");
}

#[test]
fn only_the_page_number_of_a_complete_contents_line_changes() {
    let line = field("PAGEREF _Toc2 \\h", &format!("{}<w:r><w:tab/></w:r>{}", run("Heading"), run("3")));
    assert_eq!(text(&update(&p(&line))), "Heading|12");
}

#[test]
fn references_show_filled_values() {
    let content = [
        p(&format!("Client: {}", bookmark(1, "client", &run("{{client}}")))),
        p(&field("REF client \\h", "<w:r><w:rPr><w:b/></w:rPr><w:t>[client</w:t></w:r><w:r><w:t>]</w:t></w:r>")),
        p(&format!("<w:fldSimple w:instr=\"REF client \\* MERGEFORMAT\">{}</w:fldSimple>", run("old"))),
        p(&field("REF greeting", &run("old"))),
        p(&bookmark(2, "greeting", &format!("{}{}", run("Dear "), field("ref client", &run("old"))))),
    ];
    let values = Values::from_pairs([("client", "Zoé & fils\nParis")]).unwrap();
    let filled = fields::fill(&open(&content.concat()), &values, FillOptions::default()).unwrap();
    let renewed = body(&update_and_reopen(&filled));
    let client = "Zoé &amp; fils/Paris";
    assert_eq!(text(&renewed), format!("{client}{client}{client}Dear {client}Dear {client}"));
    let bold = "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">";
    let shown = &renewed[renewed.find(bold).unwrap() + bold.len()..];
    assert!(
        shown.replace("<w:t xml:space=\"preserve\">", "").starts_with("</w:t>Zoé &amp; fils</w:t><w:br/>Paris</w:t>"),
        "{shown}"
    );
    assert!(!renewed.contains("client]"), "{renewed}");
}

#[test]
fn direction_marks_follow_the_paragraph_of_the_reference() {
    let arabic = |content: &str| format!("<w:p><w:pPr><w:bidi/></w:pPr>{content}</w:p>");
    let (marked, plain) = ("\u{200f}\u{200e}01 23\u{200e}\u{200f}", "01 23");
    let shown = update(&(p(&bookmark(1, "b", &run(plain))) + &arabic(&field("REF b", &run("old")))));
    assert_eq!(text(&shown), format!("{plain}{marked}"));
    let shown = update(&(arabic(&bookmark(1, "b", &run(marked))) + &p(&field("REF b", &run("old")))));
    assert_eq!(text(&shown), format!("{marked}{plain}"));
}

#[test]
fn right_to_left_results_have_right_to_left_runs() {
    let content = p(&format!("{}{}", bookmark(1, "b", &run("شركة الأمل")), field("REF b", &run("old"))));
    let renewed = update(&content);
    assert_eq!(text(&renewed), "شركة الأملشركة الأمل");
    assert_eq!(renewed.matches("<w:rtl/>").count(), 1, "{renewed}");
}

#[test]
fn references_find_bookmarks_in_other_parts() {
    let mut document = DocumentBuilder::new(&p(&format!("{}{}", bookmark(1, "b", &run("new")), run("."))));
    document.add_related_part("footer", "ftr", "footer1.xml", &p(&field("REF b", &run("old"))));
    document.add_related_part("header", "hdr", "header1.xml", &p(&field("PAGE", &run("1"))));
    let package = Package::open(&document.to_bytes()).unwrap();
    let renewed = update_and_reopen(&package);
    assert_eq!(text(renewed.part_text("word/footer1.xml").unwrap()), "new");
    // Parts without changed results are identical.
    for part in package.part_names().filter(|part| *part != "word/footer1.xml") {
        assert_eq!(package.part_bytes(part), renewed.part_bytes(part), "{part}");
    }
}

#[test]
fn results_that_cannot_be_computed_stay_unchanged() {
    let picture = "<w:r><w:drawing/></w:r>";
    let target = p(&format!("{}{}", bookmark(1, "b", &run("new")), bookmark(2, "place", "")));
    let locked = field("REF b", &run("old")).replace("\"begin\"", "\"begin\" w:fldLock=\"1\"");
    for content in [
        field("PAGE", &run("7")),
        field("NUMPAGES", &run("7")),
        field("PAGEREF _Toc1 \\p", &run("above")),
        field("REF b \\r \\h", &run("1.1")),
        field("REF b \\* Upper", &run("OLD")),
        field("REF place", &run("old")),
        field("REF nowhere", &run("Error!")),
        field("PAGEREF", &run("1")),
        field("REFDOC b", &run("old")),
        field("REF b", &format!("{}{picture}", run("old"))),
        locked,
        format!("<w:fldSimple w:fldLock=\"true\" w:instr=\"REF b\">{}</w:fldSimple>", run("old")),
        // A field in the code of another field, and a deleted field.
        format!(
            "{}{}<w:r><w:instrText> = 1</w:instrText></w:r>{}",
            character("begin"),
            field("REF b", &run("old")),
            character("end")
        ),
        format!("<w:del w:id=\"5\">{}</w:del>", field("REF b", "<w:r><w:delText>old</w:delText></w:r>")),
        // A field inside its own bookmark.
        bookmark(3, "own", &format!("{}{}", run("x"), field("REF own", &run("old")))),
        // Results that are already correct.
        field("REF b", &format!("{}{}", run("n"), run("ew"))),
        field("PAGEREF _Toc2", &run("12")),
        // A result in two paragraphs.
        format!("{}</w:p><w:p>{}{}", begin("REF b"), run("old"), character("end")),
        // Fields without an end or without a beginning.
        format!("{}{}", begin("REF b"), run("old")),
        format!("{}{}", run("old"), character("end")),
        format!("{}{}", character("separate"), run("old")),
    ] {
        let whole = format!("{target}{}", p(&content));
        assert_eq!(update(&whole), whole);
    }
}

#[test]
fn circular_references_are_stable() {
    let content = [
        p(&bookmark(1, "a", &format!("{}{}", run("a"), field("REF b", &run("1"))))),
        p(&bookmark(2, "b", &format!("{}{}", run("b"), field("REF a", &run("2"))))),
    ];
    // `update` asserts that a second update changes nothing.
    assert!(text(&update(&content.concat())).len() < 12);
}

#[test]
fn results_that_contain_a_bookmark_edge_stay_unchanged() {
    let start = "<w:bookmarkStart w:id=\"1\" w:name=\"b\"/>";
    let end = "<w:bookmarkEnd w:id=\"1\"/>";
    let stays = |xml: String| assert_eq!(update(&xml), xml);
    stays(p(&format!("{}{}{end}", field("REF b", start), run("old"))));
    stays(p(&format!("{start}{}{}", run("old"), field("REF b", &format!("{}{end}", run("x"))))));
    // The text of one bookmark is the result of the other field.
    let inner = field("REF c", &format!("{start}{}{end}", run("old")));
    stays(p(&format!("{inner}{}{}", bookmark(2, "c", &run("new")), field("REF b", &run("old")))));
    // A bookmark that is not shown has no effect, such as Word's bookmark for the last edit.
    let back = "<w:bookmarkStart w:id=\"3\" w:name=\"_GoBack\"/><w:bookmarkEnd w:id=\"3\"/>";
    let xml = p(&format!("{}{}", bookmark(2, "c", &run("new")), field("REF c", &format!("{}{back}", run("old")))));
    assert_eq!(text(&update(&xml)), "newnew");
}

#[test]
fn paragraphs_of_a_bookmark_are_joined_with_spaces() {
    let start = "<w:bookmarkStart w:id=\"1\" w:name=\"b\"/>";
    let content = format!(
        "{}{start}{}{}<w:bookmarkEnd w:id=\"1\"/>{}{}",
        paragraph("before"),
        paragraph("one"),
        paragraph("two"),
        paragraph("after"),
        p(&field("REF b", &run("old")))
    );
    assert_eq!(text(&update(&content)), "beforeonetwoafterone two");
}

#[test]
fn a_bookmark_may_end_in_a_run() {
    let marked = format!(
        "{}<w:r><w:r><w:bookmarkEnd w:id=\"1\"/></w:r></w:r><w:fldSimple w:instr=\" REF b \"/>",
        "<w:bookmarkStart w:id=\"1\" w:name=\"b\"/><w:r><w:t>Tunis</w:t></w:r>"
    );
    assert_eq!(text(&update(&p(&marked))), "TunisTunis");
}

#[test]
fn a_nested_paragraph_is_a_separate_paragraph() {
    let content = format!("<w:p><w:smartTag>{}</w:smartTag></w:p>", p(&field("PAGEREF _Toc2", &run("7"))));
    assert_eq!(text(&update(&content)), "12");
}

#[test]
fn a_bookmark_ends_before_the_rest_of_the_paragraph_around_its_end() {
    let inner = "<w:p><w:r><w:t>inner</w:t></w:r><w:bookmarkEnd w:id=\"1\"/></w:p>";
    let outer = format!("<w:p><w:r>{inner}</w:r>{}</w:p>", field("REF b", &run("old")));
    let start = format!("<w:p><w:bookmarkStart w:id=\"1\" w:name=\"b\"/>{}</w:p>", run("first"));
    let updated = text(&update(&format!("{start}{outer}")));
    assert_eq!(updated, "firstinnerfirst inner");
}

#[test]
fn unclosed_fields_do_not_prevent_the_update_of_later_fields() {
    let content = [
        p(&bookmark(1, "b", &run("new"))),
        p(&format!("{}{}", begin("REF b"), run("unclosed"))),
        p(&field("REF b", &run("old"))),
        p(&format!("<w:bookmarkStart w:id=\"9\" w:name=\"endless\"/>{}", field("REF endless", &run("old")))),
    ];
    assert_eq!(text(&update(&content.concat())), "newunclosednewold");
}

#[test]
fn deeply_nested_fields_are_accepted() {
    let deep = 30_000;
    let nested = format!("{}{}{}", begin("REF b").repeat(deep), run("x"), character("end").repeat(deep));
    assert!(update(&format!("{}{}", p(&bookmark(1, "b", &run("new"))), p(&nested))).contains("new"));
    let unfinished = character("begin").repeat(deep);
    update(&format!("{}{}", p(&bookmark(1, "b", &run("new"))), p(&format!("{unfinished}{}", run(&"y".repeat(deep))))));
}

#[test]
fn repeated_bookmark_texts_are_limited() {
    // A text of forty thousand letters is requested ten thousand times. The result must not have four hundred
    // megabytes.
    let long = p(&bookmark(1, "b", &run(&"long ".repeat(8_000))));
    let content = format!("{long}{}", p(&field("REF b", &run("s")).repeat(10_000)));
    let renewed = update_once(&content);
    assert!(renewed.len() < content.len() + 5_000_000, "{}", renewed.len());
    // Each bookmark shows the next one twice. The result must not have 2^60 characters.
    let doubling: String = (0..60)
        .map(|at| {
            p(&bookmark(
                at,
                &format!("b{at}"),
                &format!("{}{}", run("t"), field(&format!("REF b{}", at + 1), &run("s")).repeat(2)),
            ))
        })
        .collect();
    assert!(update_once(&doubling).len() < doubling.len() + 5_000_000);
}

fn update_once(content: &str) -> String {
    body(&fields::update_field_results(&open(content), &laid_out()).unwrap())
}
