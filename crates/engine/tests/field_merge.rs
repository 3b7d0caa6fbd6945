//! Merge fields, prompts and address blocks on the pages, with the fields of Word that are computed from them.

mod page_text;
use page_text::{Template, page_lines, plain};
use waraq_docx::build::run;
use waraq_engine::{EmptyValue, FillOptions, LayoutOptions, Values};

fn field(code: &str, result: &str) -> String {
    let code = code.replace('<', "&lt;").replace('>', "&gt;");
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    let instruction = format!("<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>");
    format!("{}{instruction}{}{}{}", character("begin"), character("separate"), run(result), character("end"))
}

/// Returns the lines of the first page of a filled template.
fn lines(body: &str, values: &[(&str, &str)]) -> Vec<String> {
    let package = waraq_engine::open(&Template::new(body).to_bytes()).unwrap();
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let filled =
        waraq_engine::fill(&package, &values, FillOptions { empty: EmptyValue::Blank, ..FillOptions::default() })
            .unwrap();
    let pages = waraq_engine::lay_out(&filled, &LayoutOptions::default()).unwrap();
    page_lines(&pages).remove(0)
}

#[test]
fn a_field_in_a_condition_decides_its_result() {
    let body = plain(&(run("Dear ") + &field(r#"IF "{{sex}}" = "F" "Madam" "Sir""#, "Sir") + &run(", {{name}}")));
    assert_eq!(lines(&body, &[("sex", "F"), ("name", "Ada")]), ["Dear Madam, Ada"]);
    assert_eq!(lines(&body, &[("sex", "M"), ("name", "\"Z\"")]), ["Dear Sir, \"Z\""]);
}

#[test]
fn answers_to_prompts_are_shown_and_prompts_are_not() {
    let body = plain(&field("FILLIN \"Your name?\" \\d \"nobody\"", "Old answer"))
        + &plain(&(field("ASK who \"Who?\"", "x") + &field("REF who", "Old who") + &run(" from ")))
        + &plain(&(field("SET town \"{{town}}\"", "") + &run("In ") + &field("REF town", "OLD")))
        + &plain(&field("QUOTE \"{{town}}\"", "OLD"));
    let shown = lines(&body, &[("Your name", "Ada"), ("who", "Jo"), ("town", "Oran")]);
    assert_eq!(shown, ["Ada", "Jo from", "In Oran", "Oran"]);
    let unanswered = lines(&body, &[("town", "Oran")]);
    assert_eq!(unanswered, ["nobody", "from", "In Oran", "Oran"]);
}

#[test]
fn the_pages_show_formats_blocks_and_no_blank_lines() {
    let block = "ADDRESSBLOCK \\f \"<<_FIRST0_ >><<_LAST0_>><<_STREET1_>>\"";
    let body = plain(&field("MERGEFIELD total \\# \"#,##0.00\" \\b \"Total: \"", "x"))
        + &plain(&field("MERGEFIELD note", "x"))
        + &plain(&field(block, "Mr Old Customer"));
    let values = [("total", "12345.5"), ("note", ""), ("First Name", "Ada"), ("Last Name", "Byron"), ("Address 1", "")];
    assert_eq!(lines(&body, &values), ["Total: 12,345.50", "Ada Byron"]);
}

#[test]
fn the_country_of_the_template_chooses_the_names_of_months() {
    let arabic = "<w:rPr><w:rtl/><w:lang w:bidi=\"ar-SA\"/></w:rPr>";
    let piece = |content: &str| format!("<w:r>{arabic}{content}</w:r>");
    let code = "<w:instrText xml:space=\"preserve\"> MERGEFIELD due \\@ \"MMMM\" </w:instrText>";
    let character = |kind: &str| piece(&format!("<w:fldChar w:fldCharType=\"{kind}\"/>"));
    let body = plain(
        &[character("begin"), piece(code), character("separate"), piece("<w:t>x</w:t>"), character("end")].concat(),
    );
    let package = waraq_engine::open(&Template::new(&body).to_bytes()).unwrap();
    let values = Values::from_pairs([("due", "2026-07-14")]).unwrap();
    for (country, month) in [(None, "يوليو"), (Some("MA"), "يوليوز"), (Some("JO"), "تموز")] {
        let options = FillOptions { empty: EmptyValue::Blank, country, ..FillOptions::default() };
        let filled = waraq_engine::fill(&package, &values, options).unwrap();
        let document = String::from_utf8_lossy(filled.part_bytes("word/document.xml").unwrap()).into_owned();
        assert!(document.contains(&format!(">{month}<")), "{country:?}: {document}");
    }
}
