//! Tests of merge fields with switches, of address blocks, prompts and blank lines.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_docx::fields::{self, EmptyValue, FillOptions, Template, Values};

/// Returns the runs of a complex field with a saved result.
fn field(code: &str, result: &str) -> String {
    field_with_properties("", code, result)
}

fn field_with_properties(properties: &str, code: &str, result: &str) -> String {
    let escaped = code.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let character = |kind: &str| format!("<w:r>{properties}<w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    format!(
        "{}<w:r>{properties}<w:instrText xml:space=\"preserve\"> {escaped} </w:instrText></w:r>{}<w:r>{properties}<w:t>{result}</w:t></w:r>{}",
        character("begin"),
        character("separate"),
        character("end"),
    )
}

fn line(runs: &str) -> String {
    format!("<w:p>{runs}</w:p>")
}

fn fill_document(document: &DocumentBuilder, values: &[(&str, &str)], empty: EmptyValue) -> String {
    let package = Package::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let filled = fields::fill(&package, &values, FillOptions { empty, ..FillOptions::default() }).unwrap();
    let again = Package::open(&filled.to_bytes().unwrap()).unwrap();
    again.validate().unwrap();
    let text = again.part_text("word/document.xml").unwrap();
    let start = text.find("<w:body>").unwrap();
    text[start..].to_owned()
}

fn fill(body: &str, values: &[(&str, &str)]) -> String {
    fill_document(&DocumentBuilder::new(body), values, EmptyValue::Blank)
}

/// Returns the text of each paragraph. Breaks are `\n`, and field codes are left out.
fn texts(xml: &str) -> Vec<String> {
    let text_of = |paragraph: &str| {
        let marked = paragraph.replace("<w:br/>", "<w:t>\n</w:t>").replace("<w:tab/>", "<w:t>\t</w:t>");
        let pieces = marked.split("<w:t").skip(1).filter(|piece| piece.starts_with(['>', ' ']));
        let text: String =
            pieces.filter_map(|piece| piece.split_once('>')?.1.split_once("</w:t>")).map(|(text, _)| text).collect();
        text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    };
    xml.split("</w:p>").filter(|paragraph| paragraph.contains("<w:p>")).map(text_of).collect()
}

fn names(body: &str) -> Vec<String> {
    let package = Package::open(&DocumentBuilder::new(body).to_bytes()).unwrap();
    fields::list(&package).unwrap().into_iter().map(|field| field.name).collect()
}

fn findings(body: &str) -> Vec<(String, Option<u32>)> {
    let package = Package::open(&DocumentBuilder::new(body).to_bytes()).unwrap();
    let findings = fields::check(&package).unwrap().findings;
    findings.into_iter().map(|finding| (finding.code.to_string(), finding.paragraph)).collect()
}

#[test]
fn merge_fields_are_filled_with_their_case_switches() {
    let body = [
        ("MERGEFIELD client \\* Upper", "«CLIENT»"),
        ("MERGEFIELD town \\* FirstCap \\* MERGEFORMAT", "«Town»"),
        ("MERGEFIELD street \\* Caps", "«Street»"),
        ("MERGEFIELD code \\* Lower", "«code»"),
    ]
    .map(|(code, result)| line(&field(code, result)))
    .concat();
    let values = [("client", "Rivage Conseil"), ("town", "lyon"), ("street", "rue du port"), ("code", "AB-77")];
    assert_eq!(texts(&fill(&body, &values)), ["RIVAGE CONSEIL", "Lyon", "Rue Du Port", "ab-77"]);
}

#[test]
fn case_switches_work_in_simple_fields_headers_and_tables() {
    let simple = "<w:p><w:fldSimple w:instr=\" MERGEFIELD a \\* Upper \"><w:r><w:t>x</w:t></w:r></w:fldSimple></w:p>";
    assert_eq!(texts(&fill(simple, &[("a", "été")])), ["ÉTÉ"]);
    let cell = format!("<w:tbl><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>", line(&field("mergefield b \\* roman", "x")));
    assert_eq!(texts(&fill(&(cell + &paragraph("")), &[("b", "14")])), ["xiv", ""]);
    let mut document = DocumentBuilder::new(&paragraph("body"));
    let header = document.add_related_part("header", "hdr", "header1.xml", &line(&field("MERGEFIELD c \\* Caps", "x")));
    document = document.with_part("unused", "");
    let package = Package::open(&document.to_bytes()).unwrap();
    let values = Values::from_pairs([("c", "jean dupont")]).unwrap();
    let filled = fields::fill(&package, &values, FillOptions::default()).unwrap();
    assert!(filled.part_text("word/header1.xml").unwrap().contains("Jean Dupont"), "{header}");
}

#[test]
fn merge_fields_are_filled_with_date_and_number_pictures() {
    let french = "<w:rPr><w:lang w:val=\"fr-FR\"/></w:rPr>";
    let arabic = "<w:rPr><w:rtl/><w:lang w:val=\"en-US\" w:bidi=\"ar-EG\"/></w:rPr>";
    let body = [
        line(&field("MERGEFIELD due \\@ \"dd MMMM yyyy\"", "x")),
        line(&field_with_properties(french, "MERGEFIELD signed \\@ \"dddd d MMMM yyyy\"", "x")),
        line(&field_with_properties(arabic, "MERGEFIELD signed \\@ \"d MMMM\"", "x")),
        line(&field("MERGEFIELD total \\# \"#,##0.00\"", "x")),
        line(&field("MERGEFIELD vat \\# \"0.00%\"", "x")),
        line(&field("MERGEFIELD loss \\# \"€#,##0.00;(€#,##0.00)\"", "x")),
        line(&field("MERGEFIELD due \\# \"0.00\"", "x")),
    ]
    .concat();
    let values =
        [("due", "2026-03-07"), ("signed", "2026-07-14"), ("total", "12345.5"), ("vat", "20"), ("loss", "-80")];
    let shown = texts(&fill(&body, &values));
    assert_eq!(shown[..2], ["07 March 2026", "mardi 14 juillet 2026"]);
    assert!(shown[2].contains("يوليو"), "{}", shown[2]);
    assert_eq!(shown[3..6], ["12,345.50", "20.00%", "(€80.00)"]);
}

#[test]
fn text_before_and_after_a_value_is_shown_only_with_the_value() {
    let body = line(&(run("To") + &field("MERGEFIELD name \\b \", \" \\f \"!\" \\m \\v", "x")));
    assert_eq!(texts(&fill(&body, &[("name", "Zoé & fils")])), ["To, Zoé & fils!"]);
    assert_eq!(texts(&fill(&body, &[("name", " ")])), ["To"]);
    let default_language =
        "<w:docDefaults><w:rPrDefault><w:rPr><w:lang w:val=\"de-DE\"/></w:rPr></w:rPrDefault></w:docDefaults>";
    let mut document = DocumentBuilder::new(&line(&field("MERGEFIELD d \\@ \"d. MMMM\" \\b \"am \"", "x")));
    document.add_related_part("styles", "styles", "styles.xml", default_language);
    assert_eq!(texts(&fill_document(&document, &[("d", "2026-03-07")], EmptyValue::Blank)), ["am 7. März"]);
}

#[test]
fn marked_values_have_the_same_switches() {
    let body = line(&field("MERGEFIELD a \\* Upper \\b \"(\" \\f \")\"", "x"));
    let template = Template::scan(Package::open(&DocumentBuilder::new(&body).to_bytes()).unwrap()).unwrap();
    let values = Values::from_pairs([("a", "b")]).unwrap();
    let (filled, _) = template.fill_marked(&values, FillOptions::default(), &waraq_docx::Budget::default()).unwrap();
    assert!(filled.part_text("word/document.xml").unwrap().contains("(B)"));
}

#[test]
fn an_address_block_is_filled_from_its_parts() {
    let code = "ADDRESSBLOCK \\f \"<<_TITLE0_ >><<_FIRST0_>><< _LAST0_>>\n<<_STREET1_\n>><<_STREET2_\n>><<_POSTAL_ >><<_CITY_>>\" \\l 1036";
    let body = line(&field(code, "Mr Old Customer"));
    let all = names(&body);
    assert_eq!(all, ["Title", "First Name", "Last Name", "Address 1", "Address 2", "Postal Code", "City"]);
    let values = [
        ("Title", "Mme"),
        ("First Name", "Sara"),
        ("Last Name", "Lahlou"),
        ("Address 1", "3 rue A & B"),
        ("City", "Lyon"),
    ];
    assert_eq!(texts(&fill(&body, &values)), ["Mme Sara Lahlou\n3 rue A & B\nLyon"]);
    // Parts may have no value, and the saved result is never shown.
    assert_eq!(texts(&fill(&body, &[])), [""]);
    assert_eq!(findings(&body), []);
}

#[test]
fn the_parts_of_a_block_have_the_names_of_the_mapping_or_of_the_template() {
    let block = line(&field("ADDRESSBLOCK \\f \"<<_FIRST0_>><< _LAST0_>>\"", "Old"));
    let named = line(&field("MERGEFIELD Last_Name", "x")) + &block;
    assert_eq!(names(&named), ["Last_Name", "First Name"]);
    let mut document = DocumentBuilder::new(&block);
    let map = |column: &str, mapped: &str| {
        format!(
            "<w:fieldMapData><w:type w:val=\"dbColumn\"/>{column}<w:mappedName w:val=\"{mapped}\"/></w:fieldMapData>"
        )
    };
    let settings = format!(
        "<w:mailMerge><w:odso>{}{}</w:odso></w:mailMerge>",
        map("<w:name w:val=\"Prenom\"/>", "First Name"),
        map("", "Last Name")
    );
    document.add_related_part("settings", "settings", "settings.xml", &settings);
    let package = Package::open(&document.to_bytes()).unwrap();
    let mapped: Vec<String> = fields::list(&package).unwrap().into_iter().map(|field| field.name).collect();
    assert_eq!(mapped, ["Prenom"]);
    assert_eq!(texts(&fill_document(&document, &[("Prenom", "Ada")], EmptyValue::Blank)), ["Ada"]);
}

#[test]
fn a_greeting_is_filled_or_has_its_general_form() {
    let code = "GREETINGLINE \\f \"<<_BEFORE_ Dear >><<_TITLE0_>><< _LAST0_>><<_AFTER_ ,>>\" \\l 1033 \\e \"Dear Sir or Madam,\"";
    let body = line(&field(code, "Dear Mr Old,"));
    assert_eq!(texts(&fill(&body, &[("Title", "Dr"), ("Last Name", "No")])), ["Dear Dr No,"]);
    assert_eq!(texts(&fill(&body, &[("Last Name", "No")])), ["Dear No,"]);
    assert_eq!(texts(&fill(&body, &[])), ["Dear Sir or Madam,"]);
}

#[test]
fn fields_of_other_records_are_errors_and_never_show_them() {
    let body = line(&field("GREETINGLINE \\f \"<<_BEFORE_ Dear >>\"", "Dear Mr Old,"))
        + &line(&(field("NEXT", "«Next»") + &field("MERGEFIELD name", "x")))
        + &line(&field("NEXTIF a = 1", "y"))
        + &line(&(field("MERGEREC", "7") + &run(" of ") + &field("MERGESEQ", "9")))
        + &line(&field("SKIPIF a = 1", "z"));
    let error = |paragraph| ("field_of_another_record".to_owned(), Some(paragraph));
    let mut found = findings(&body);
    found.sort_by_key(|(_, paragraph)| *paragraph);
    assert_eq!(found, [error(1), error(2), error(3), error(4), error(4), error(5)]);
    assert_eq!(texts(&fill(&body, &[("name", "Ines")])), ["Ines", "1 of 1"]);
    // Without filling, the saved address of another person is not shown either.
    let package = Package::open(&DocumentBuilder::new(&body).to_bytes()).unwrap();
    let document = waraq_docx::read(&package, &waraq_docx::ReadOptions::default()).unwrap();
    assert!(!format!("{document:?}").contains("Mr Old"));
}

#[test]
fn prompts_are_fields_of_the_template() {
    let body = line(&field("FILLIN \"Your name?\" \\d \"nobody\"", "Old answer"))
        + &line(&(field("ASK who \"Who?\"", "x") + &field("REF who", "Old who")))
        + &line("<w:fldSimple w:instr=\" FILLIN &quot;Ville :&quot; \\o \"><w:r><w:t>Old</w:t></w:r></w:fldSimple>");
    assert_eq!(names(&body), ["Your name", "who", "Ville"]);
    let filled = fill(&body, &[("Your name", "Ada"), ("who", "Jo \"J\" \\ <x>"), ("Ville", "Oran")]);
    let shown = texts(&filled);
    assert_eq!((shown[0].as_str(), shown[2].as_str()), ("Ada", "Oran"));
    assert!(filled.contains(r#" SET who "Jo \"J\" \\ &lt;x&gt;" "#), "{filled}");
    assert!(!filled.contains("Who?") && !filled.contains("Your name"), "{filled}");
    let unanswered = texts(&fill(&body, &[]));
    assert_eq!((unanswered[0].as_str(), unanswered.len()), ("nobody", 2));
}

#[test]
fn a_line_with_an_empty_merge_field_is_left_out() {
    let merge = |name: &str| field(&format!("MERGEFIELD {name}"), &format!("«{name}»"));
    let lines = line(&merge("name")) + &line(&merge("line2")) + &line(&merge("city"));
    let values = [("name", "Lea"), ("line2", ""), ("city", "Nice")];
    assert_eq!(texts(&fill(&lines, &values)), ["Lea", "Nice"]);
    let dotted = fill_document(&DocumentBuilder::new(&lines), &values, EmptyValue::DottedLine);
    assert_eq!(texts(&dotted), ["Lea", "Nice"]);
    let prompt = DocumentBuilder::new(&line(&field("FILLIN \"Name\"", "x")).repeat(2));
    assert_eq!(texts(&fill_document(&prompt, &[("Name", "")], EmptyValue::DottedLine))[0], ".".repeat(24));
    let mut document = DocumentBuilder::new(&lines);
    document.add_related_part(
        "settings",
        "settings",
        "settings.xml",
        "<w:mailMerge><w:doNotSuppressBlankLines/></w:mailMerge>",
    );
    assert_eq!(texts(&fill_document(&document, &values, EmptyValue::Blank)), ["Lea", "", "Nice"]);
}

#[test]
fn blank_lines_are_left_out_between_breaks_and_in_tables() {
    let merge = |name: &str| field(&format!("MERGEFIELD {name}"), &format!("«{name}»"));
    let text_break = "<w:r><w:br/></w:r>";
    let values = [("a", ""), ("b", "B"), ("c", " ")];
    let broken = line(&format!("{}{text_break}{}{text_break}{}", merge("a"), merge("b"), merge("c")));
    assert_eq!(texts(&fill(&broken, &values)), ["B"]);
    let middle = line(&format!("{}{text_break}{} {}{text_break}{}", merge("b"), merge("a"), merge("c"), run("end")));
    assert_eq!(texts(&fill(&middle, &values)), ["B\nend"]);
    let end = line(&format!("{}{text_break}{}{text_break}{}", merge("b"), merge("a"), merge("c")));
    assert_eq!(texts(&fill(&end, &values)), ["B"]);
    let cell = |content: &str| format!("<w:tbl><w:tr><w:tc>{content}</w:tc></w:tr></w:tbl>{}", paragraph("after"));
    let only = cell(&line(&merge("a"))) + &line(&merge("b")) + &line(&merge("c"));
    assert_eq!(texts(&fill(&only, &values)), ["", "after", "B"]);
    let several = cell(&(line(&merge("a")) + &line(&merge("b")) + &line(&merge("c"))));
    assert_eq!(texts(&fill(&several, &values)), ["B", "after"]);
    let all = cell(&(line(&merge("a")) + &line(&merge("c")))) + &line(&merge("b"));
    assert_eq!(texts(&fill(&all, &values)), ["", "after", "B"]);
}

#[test]
fn a_paragraph_with_other_content_stays() {
    let merge = field("MERGEFIELD a", "«a»");
    let kept = [
        line(&(merge.clone() + &run("."))),
        line(&("<w:pPr><w:sectPr/></w:pPr>".to_owned() + &merge)),
        line(&("<w:bookmarkStart w:id=\"1\" w:name=\"b\"/>".to_owned() + &merge + "<w:bookmarkEnd w:id=\"1\"/>")),
        line(&(merge.clone() + &field("PAGE", "1"))),
        line(&(merge.clone() + "<w:r><w:drawing/></w:r>")),
        line(&(merge.clone() + "<w:r><w:br w:type=\"page\"/></w:r>")),
        line(&(merge.clone() + &run("{{b}}"))),
    ];
    for body in kept {
        let values: &[(&str, &str)] = if body.contains("{{b}}") { &[("a", ""), ("b", "")] } else { &[("a", "")] };
        let body = paragraph("before") + &body + &paragraph("after");
        assert_eq!(texts(&fill(&body, values)).len(), 3, "{body}");
    }
    let only_braces = paragraph("before") + &paragraph("{{a}}") + &paragraph("after");
    assert_eq!(texts(&fill(&only_braces, &[("a", "")])).len(), 3);
}

#[test]
fn every_kind_of_line_break_in_a_value_breaks_the_line() {
    let body = paragraph("{{a}}") + &line(&field("MERGEFIELD a", "x"));
    for value in ["1\n2", "1\r\n2", "1\r2", "1\u{b}2", "1\u{2028}2", "1\u{2029}2"] {
        assert_eq!(texts(&fill(&body, &[("a", value)])), ["1\n2", "1\n2"], "{value:?}");
    }
    assert_eq!(texts(&fill(&paragraph("{{a}}"), &[("a", "1\r\n\r\n2\u{b}\u{b}3")])), ["1\n\n2\n\n3"]);
}

#[test]
fn marks_of_other_programs_are_told_and_not_asked() {
    let marks = [
        "{{> footer}}",
        "{{else}}",
        "{{this.qty}}",
        "{{{raw}}}",
        "{{@index}}",
        "{{ price | currency }}",
        "{{#if a}}",
        "{{/each}}",
        "{#items}",
        "{/items}",
        "+++FOR x IN y+++",
        "{{FOR x IN y}}",
        "{{END-FOR x}}",
    ];
    for mark in marks {
        let body = paragraph(mark);
        assert_eq!(names(&body), [""; 0], "{mark}");
        assert_eq!(findings(&body), [("foreign_syntax".to_owned(), Some(1))], "{mark}");
        assert_eq!(texts(&fill(&body, &[])), [mark]);
    }
    assert_eq!(findings(&paragraph("{% for x in y %}")), [("foreign_section".to_owned(), Some(1))]);
    for name in ["No. of pages", "order.total", "N° / lot", "If needed", "this year", "end"] {
        assert_eq!(names(&paragraph(&format!("{{{{{name}}}}}"))), [name]);
    }
    for mark in ["items:each(item)", "items:endEach", "TableStart:Orders", "=person.name"] {
        let body = line(&field(&format!("MERGEFIELD {mark}"), "x"));
        assert_eq!(names(&body), [""; 0], "{mark}");
        assert_eq!(findings(&body), [("foreign_syntax".to_owned(), Some(1))], "{mark}");
    }
}
