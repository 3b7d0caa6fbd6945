//! Tests of fields of the template in the codes of Word's fields.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{self, FillOptions, Values};

fn character(kind: &str) -> String {
    format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>")
}

fn code(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    format!("<w:r><w:instrText xml:space=\"preserve\">{text}</w:instrText></w:r>")
}

/// Returns the runs of a field. `inside` is the markup of its code.
fn field(inside: &str, result: &str) -> String {
    format!("{}{inside}{}<w:r><w:t>{result}</w:t></w:r>{}", character("begin"), character("separate"), character("end"))
}

fn merge(name: &str) -> String {
    field(&code(&format!(" MERGEFIELD {name} ")), "old")
}

fn package(body: &str) -> Package {
    Package::open(&DocumentBuilder::new(&format!("<w:p>{body}</w:p>")).to_bytes()).unwrap()
}

fn fill(body: &str, values: &[(&str, &str)]) -> String {
    let values = Values::from_pairs(values.iter().copied()).unwrap();
    let filled = fields::fill(&package(body), &values, FillOptions::default()).unwrap();
    let again = Package::open(&filled.to_bytes().unwrap()).unwrap();
    again.validate().unwrap();
    again.part_text("word/document.xml").unwrap().to_owned()
}

/// Returns the text of all field codes after filling.
fn filled_code(body: &str, values: &[(&str, &str)]) -> String {
    let xml = fill(body, values);
    let pieces =
        xml.split("<w:instrText").skip(1).filter_map(|piece| piece.split_once('>')?.1.split_once("</w:instrText>"));
    let text: String = pieces.map(|(text, _)| text).collect();
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

fn names(body: &str) -> Vec<(String, usize)> {
    fields::list(&package(body)).unwrap().into_iter().map(|field| (field.name, field.occurrences)).collect()
}

fn findings(body: &str) -> Vec<String> {
    fields::check(&package(body)).unwrap().findings.into_iter().map(|finding| finding.code.to_string()).collect()
}

#[test]
fn a_field_in_quotation_marks_is_escaped() {
    let body = field(&code(r#" IF "{{sex}}" = "F" "Madam {{name}}" "Sir" "#), "Sir");
    assert_eq!(names(&body), [("sex".to_owned(), 1), ("name".to_owned(), 1)]);
    assert_eq!(
        filled_code(&body, &[("sex", "F"), ("name", r#"A & "B" \c <d>"#)]),
        r#" IF "F" = "F" "Madam A & \"B\" \\c <d>" "Sir" "#
    );
    assert_eq!(findings(&body), [""; 0]);
}

#[test]
fn a_field_outside_quotation_marks_becomes_one_word() {
    let value = [("a", r#"x" \* Upper"#)];
    assert_eq!(filled_code(&field(&code(" QUOTE {{a}} "), "o"), &value), r#" QUOTE "x\" \\* Upper" "#);
    assert_eq!(
        filled_code(&field(&code(" QUOTE pre-{{a}}-post "), "o"), &value),
        r#" QUOTE "pre-x\" \\* Upper-post" "#
    );
    assert_eq!(
        filled_code(&field(&code(" IF {{a}}=\"1\" \"y\" \"n\" "), "o"), &[("a", "1 2")]),
        " IF \"1 2\"=\"1\" \"y\" \"n\" "
    );
    assert_eq!(filled_code(&field(&code(" SET town {{a}} "), "o"), &[("a", "")]), " SET town \"\" ");
}

#[test]
fn an_operator_with_two_signs_is_one_word() {
    let options = FillOptions { empty: fields::EmptyValue::DottedLine, ..FillOptions::default() };
    for operator in ["=", "<>", "<=", ">="] {
        let body = field(&code(&format!(" IF {{{{a}}}} {operator} {{{{b}}}} \"y\" \"n\" ")), "n");
        let values = Values::from_pairs([("a", ""), ("b", "")]).unwrap();
        let filled = fields::fill(&package(&body), &values, options).unwrap();
        let filled = filled.part_text("word/document.xml").unwrap().replace("&lt;", "<").replace("&gt;", ">");
        assert!(filled.contains(&format!(" IF \"\" {operator} \"\" \"y\" \"n\" ")), "{filled}");
    }
}

#[test]
fn a_field_next_to_a_computed_field_is_not_filled() {
    let page = field(&code(" PAGE "), "1");
    for inside in [page.clone() + &code("{{a}}"), code("{{a}}") + &page, page.clone() + &merge("a")] {
        let body = field(&(code(" QUOTE ") + &inside + &code(" ")), "o");
        assert_eq!((names(&body), findings(&body)), (vec![], vec!["field_not_fillable".to_owned()]), "{body}");
        assert!(fill(&body, &[]).contains(&body));
    }
    let quoted = field(&(code(" QUOTE \"") + &page + &code("{{a}}\" ")), "o");
    assert_eq!(filled_code(&quoted, &[("a", "x")]), " QUOTE \" PAGE x\" ");
    let formula = field(&(code(" =") + &page + &code("+{{a}} ")), "o");
    assert_eq!(filled_code(&formula, &[("a", "2")]), " = PAGE +2 ");
}

#[test]
fn a_field_split_over_runs_and_references_is_filled() {
    let body = field(&(code(" QUOTE \"{") + &code("{a b}") + &code("} &\" ")), "o");
    assert_eq!(names(&body), [("a b".to_owned(), 1)]);
    assert_eq!(filled_code(&body, &[("a b", "v")]), " QUOTE \"v &\" ");
}

#[test]
fn a_merge_field_in_a_code_becomes_text_of_the_code() {
    let body = field(
        &(code(" IF ") + &merge("sex") + &code(" = \"F\" \"Ms ") + &merge("name") + &code("\" \"Mr\" ")),
        "Mr Old",
    );
    assert_eq!(names(&body), [("sex".to_owned(), 1), ("name".to_owned(), 1)]);
    let filled = fill(&body, &[("sex", "F"), ("name", "Zoé")]);
    assert_eq!(filled_code(&body, &[("sex", "F"), ("name", "Zoé")]), " IF \"F\" = \"F\" \"Ms Zoé\" \"Mr\" ");
    assert_eq!(filled.matches("w:fldChar ").count(), 3, "{filled}");
    assert!(!filled.contains("MERGEFIELD"), "{filled}");
    let simple = "<w:fldSimple w:instr=\" MERGEFIELD sex \\* Upper \"><w:r><w:t>old</w:t></w:r></w:fldSimple>";
    let body = field(&(code(" IF ") + simple + &code(" = \"F\" \"a\" \"b\" ")), "b");
    assert_eq!(filled_code(&body, &[("sex", "f")]), " IF \"F\" = \"F\" \"a\" \"b\" ");
}

#[test]
fn merge_fields_in_nested_codes_are_filled() {
    let inner = field(&(code(" IF ") + &merge("b") + &code(" > 5 \"many\" \"few\" ")), "few");
    let body = field(&(code(" IF \"{{a}}\" = \"x\" \"") + &inner + &code("\" \"none\" ")), "none");
    assert_eq!(names(&body), [("a".to_owned(), 1), ("b".to_owned(), 1)]);
    let filled = filled_code(&body, &[("a", "x"), ("b", "7")]);
    assert_eq!(filled, " IF \"x\" = \"x\" \" IF \"7\" > 5 \"many\" \"few\" \" \"none\" ");
    assert_eq!(findings(&body), [""; 0]);
}

#[test]
fn a_value_in_a_formula_is_a_number() {
    let formula = |value: &str| filled_code(&field(&code(" = {{a}} * 2 "), "o"), &[("a", value)]);
    assert_eq!(formula("12.5"), " = 12.5 * 2 ");
    assert_eq!(formula(""), " = 0 * 2 ");
    assert_eq!(formula("-80"), " = (-80) * 2 ");
    assert_eq!(formula("1 234.50"), " = 1234.5 * 2 ");
    assert_eq!(formula("SUM(A1:B2)"), " = \"SUM(A1:B2)\" * 2 ");
    let body = field(&(code(" =SUM(") + &merge("a") + &code(",") + &merge("b") + &code(") \\# \"0.00\" ")), "o");
    assert_eq!(filled_code(&body, &[("a", "1,234.50"), ("b", "2")]), " =SUM(1234.5,2) \\# \"0.00\" ");
}

#[test]
fn the_target_of_a_link_keeps_its_scheme() {
    let link =
        |target: &str, value: &str| filled_code(&field(&code(&format!(" HYPERLINK {target} ")), "o"), &[("a", value)]);
    assert_eq!(link("\"mailto:{{a}}\"", "a b@c.org"), " HYPERLINK \"mailto:a%20b@c.org\" ");
    assert_eq!(link("\"{{a}}\"", "https://x.org/a?b=\"c\""), " HYPERLINK \"https://x.org/a?b=%22c%22\" ");
    assert_eq!(link("\"{{a}}\"", "javascript:alert(1)"), " HYPERLINK \"javascript%3Aalert%281%29\" ");
    assert_eq!(link("https://x.org \\o \"{{a}}\"", "tip \"q\""), " HYPERLINK https://x.org \\o \"tip \\\"q\\\"\" ");
    let body = field(&(code(" HYPERLINK \"mailto:") + &merge("a") + &code("\" ")), "o");
    assert_eq!(filled_code(&body, &[("a", "z@y.fr")]), " HYPERLINK \"mailto:z@y.fr\" ");
}

#[test]
fn the_code_of_a_simple_field_is_filled() {
    let body = "<w:fldSimple w:instr=\" QUOTE &quot;{{a}}&quot; {{b}} \"><w:r><w:t>old</w:t></w:r></w:fldSimple>";
    assert_eq!(names(body), [("a".to_owned(), 1), ("b".to_owned(), 1)]);
    let filled = fill(body, &[("a", "1 \"<2"), ("b", "x y")]);
    assert!(filled.contains(r#"w:instr=" QUOTE &quot;1 \&quot;&lt;2&quot; &quot;x y&quot; ""#), "{filled}");
}

#[test]
fn values_never_choose_a_field_and_codes_that_are_not_computed_stay() {
    let not_filled = [
        field(&code(" {{a}} \"x\" "), "o"),
        field(&code(" DATABASE \\d \"{{a}}\" "), "o"),
        field(&code(" QUOTE x \\z{{a}} "), "o"),
        field(&code(" INCLUDETEXT \"{{a}}\" "), "o"),
        field(&(code(" DDE ") + &merge("a")), "o"),
        field(&merge("a"), "o"),
        field(&(code(" DATABASE ") + &field(&code(" QUOTE {{a}} "), "i")), "o"),
        field(&code(" QUOTE {{a}} "), "o").replacen("w:fldCharType", "w:fldLock=\"1\" w:fldCharType", 1),
        character("begin") + &code(" QUOTE {{a}} "),
        character("begin") + &code(" QUOTE ") + &merge("a"),
    ];
    for body in not_filled {
        assert_eq!(names(&body), [], "{body}");
        assert!(findings(&body).contains(&"field_not_fillable".to_owned()), "{body}");
        let filled = fill(&body, &[]);
        assert!(filled.contains(&body), "{filled}");
    }
}

#[test]
fn a_field_in_a_prompt_is_listed() {
    let body = field(&code(" FILLIN \"Salary of {{name}}?\" "), "o");
    assert_eq!(names(&body), [("Salary of name".to_owned(), 1), ("name".to_owned(), 1)]);
    let filled = fill(&body, &[("name", "Ada"), ("Salary of name", "12")]);
    assert!(filled.contains(">12<") && !filled.contains("instrText"), "{filled}");
}

#[test]
fn deeply_nested_codes_end_and_stay_well_formed() {
    let depth = 2_000;
    let opened = (character("begin") + &code(" IF {{a}} = 1 \"")).repeat(depth);
    let closed = (code("\" \"\" ") + &character("end")).repeat(depth);
    let body = opened + &merge("b") + &closed;
    fields::check(&package(&body)).unwrap();
    let names: Vec<(&str, &str)> = if names(&body).is_empty() { Vec::new() } else { vec![("a", "1")] };
    fill(&body, &names);
}

#[test]
fn fields_that_are_not_computed_are_reported_with_their_place() {
    let one = |code_text: &str| format!("<w:p>{}</w:p>", field(&code(code_text), "old"));
    let body =
        paragraph("first") + &one(" INDEX \\e x ") + &one(" AUTOTEXT y ") + &one(" NOSUCHFIELD ") + &one(" USERNAME ");
    let bookmark = "<w:p><w:bookmarkStart w:id=\"0\" w:name=\"Price\"/><w:bookmarkEnd w:id=\"0\"/></w:p>";
    let known = one(" Price ") + &one(" SET Total \"1\" ") + &one(" total ") + bookmark + &one(" PAGE ");
    let document = DocumentBuilder::new(&(body + &known));
    let found = fields::check(&Package::open(&document.to_bytes()).unwrap()).unwrap().findings;
    let found: Vec<_> = found.iter().map(|one| (one.code.as_str(), one.paragraph, one.context.as_deref())).collect();
    let reported = |paragraph, name| ("field_not_computed", Some(paragraph), Some(name));
    assert_eq!(
        found,
        [reported(2, "INDEX"), reported(3, "AUTOTEXT"), reported(4, "NOSUCHFIELD"), reported(5, "USERNAME")]
    );
}
