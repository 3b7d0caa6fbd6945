//! The cases of the Mustache specification for sections and inverted sections, in Word documents.

mod sections;

use sections::{fill, item, p, row, table};

/// Fills a paragraph.
fn inline(text: &str, json: &str) -> String {
    fill(&p(text), json)
}

#[test]
fn a_truthy_section_is_kept_and_a_falsy_one_removed() {
    assert_eq!(
        inline("“{{#boolean}}This should be rendered.{{/boolean}}”", r#"{"boolean": true}"#),
        "“This should be rendered.”"
    );
    assert_eq!(inline("“{{#boolean}}This should not be rendered.{{/boolean}}”", r#"{"boolean": false}"#), "“”");
    assert_eq!(
        inline("“{{^boolean}}This should be rendered.{{/boolean}}”", r#"{"boolean": false}"#),
        "“This should be rendered.”"
    );
    assert_eq!(inline("“{{^boolean}}This should not be rendered.{{/boolean}}”", r#"{"boolean": true}"#), "“”");
}

#[test]
fn a_text_section_is_kept_if_the_text_is_not_empty() {
    let template = "{{#name}}Hi {{name}}.{{/name}}{{^name}}Hi.{{/name}}";
    assert_eq!(inline(template, r#"{"name": "Joe"}"#), "Hi Joe.");
    assert_eq!(inline(template, r#"{"name": ""}"#), "Hi.");
    assert_eq!(inline(template, r#"{"name": "  "}"#), "Hi.");
}

#[test]
fn a_list_repeats_its_text() {
    let rows = table(&[row(&["{{#list}}{{item}}", "{{/list}}"])]);
    assert_eq!(fill(&rows, r#"{"list": [{"item": 1}, {"item": 2}, {"item": 3}]}"#), "[1;  | 2;  | 3; ]");
    assert_eq!(fill(&(rows + &p("end")), r#"{"list": []}"#), "end");
}

#[test]
fn the_implicit_iterator_is_the_entry_itself() {
    assert_eq!(inline("“{{#list}}({{.}}){{/list}}”", r#"{"list": ["a", "b", "c"]}"#), "“(a)(b)(c)”");
    assert_eq!(inline("“{{#list}}({{.}}){{/list}}”", r#"{"list": [1, 2.20, 3]}"#), "“(1)(2.20)(3)”");
    assert_eq!(inline("“{{#list}}({{.}}){{/list}}”", r#"{"list": []}"#), "“”");
    assert_eq!(inline("“{{# list }}({{ . }}){{/ list }}”", r#"{"list": ["<&>"]}"#), "“(<&>)”");
}

#[test]
fn an_inverted_section_of_a_list_is_kept_if_the_list_is_empty() {
    let template = "{{#list}}{{.}} {{/list}}{{^list}}none{{/list}}";
    assert_eq!(inline(template, r#"{"list": []}"#), "none");
    assert_eq!(inline(template, r#"{"list": ["a"]}"#), "a ");
}

#[test]
fn doubled_sections_are_filled_each() {
    let body = p("{{#bool}}")
        + &p("* first")
        + &p("{{/bool}}")
        + &p("* {{two}}")
        + &p("{{#bool}}")
        + &p("* third")
        + &p("{{/bool}}");
    assert_eq!(fill(&body, r#"{"bool": true, "two": "second"}"#), "* first / * second / * third");
    assert_eq!(fill(&body, r#"{"bool": false, "two": "second"}"#), "* second");
}

#[test]
fn nested_sections_are_kept_if_both_are() {
    let template = "| A {{#bool}}B {{#other}}C{{/other}} D{{/bool}} E |";
    assert_eq!(inline(template, r#"{"bool": true, "other": true}"#), "| A B C D E |");
    assert_eq!(inline(template, r#"{"bool": true, "other": false}"#), "| A B  D E |");
    assert_eq!(inline(template, r#"{"bool": false, "other": true}"#), "| A  E |");
    let inverted = "| A {{^bool}}B {{^bool}}C{{/bool}} D{{/bool}} E |";
    assert_eq!(inline(inverted, r#"{"bool": false}"#), "| A B C D E |");
    assert_eq!(inline(inverted, r#"{"bool": true}"#), "| A  E |");
}

#[test]
fn names_resolve_in_the_row_first_and_then_outwards() {
    let body = p("{{#tops}}")
        + &p("{{tname}}")
        + &table(&[row(&["{{#middles}}{{tname}}{{mname}}", "{{/middles}}"])])
        + &p("{{/tops}}")
        + &p("{{#tops}}{{.}}{{/tops}}");
    // The same list in two places has the columns of both.
    let rows = r#"{"tops": [{".": "x", "tname": "a", "middles": [{"mname": 1}, {"mname": 2}]}]}"#;
    assert_eq!(fill(&body, rows), "a / [a1;  | a2; ] / x");
}

#[test]
fn deeply_nested_lists_are_filled() {
    let body = table(&[
        row(&["{{#a}}", ""]),
        row(&["a{{one}}", ""]),
        row(&["{{#b}}{{one}}{{two}}", "{{/b}}"]),
        row(&["{{/a}}", ""]),
    ]);
    let rows =
        r#"{"a": [{"one": 1, "b": [{"two": 2}, {"two": 3}]}, {"one": 4, "b": []}, {"one": 5, "b": [{"two": 6}]}]}"#;
    assert_eq!(fill(&body, rows), "[a1;  | 12;  | 13;  | a4;  | a5;  | 56; ]");
}

#[test]
fn standalone_tags_vanish_with_their_paragraphs() {
    let body = p("| This Is") + &p("  {{#boolean}}  ") + &p("|") + &p("{{/boolean}}") + &p("| A Line");
    assert_eq!(fill(&body, r#"{"boolean": true}"#), "| This Is / | / | A Line");
    assert_eq!(fill(&body, r#"{"boolean": false}"#), "| This Is / | A Line");
    let first = p("{{#boolean}}") + &p("#{{/boolean}}");
    assert_eq!(fill(&first, r#"{}"#), "{{#boolean}} / #{{/boolean}}");
    let last = p("#") + &p("{{#boolean}}") + &p("x") + &p("{{/boolean}}");
    assert_eq!(fill(&last, r#"{"boolean": false}"#), "#");
}

#[test]
fn tags_inside_a_paragraph_keep_the_spaces_around_them() {
    assert_eq!(inline(" | {{#boolean}}\t|\t{{/boolean}} | ", r#"{"boolean": true}"#), " | \t|\t | ");
    assert_eq!(
        inline(" {{#boolean}}YES{{/boolean}} {{#boolean}}GOOD{{/boolean}}", r#"{"boolean": true}"#),
        " YES GOOD"
    );
    assert_eq!(inline("|{{# boolean }}={{/ boolean }}|", r#"{"boolean": true}"#), "|=|");
}

#[test]
fn an_item_of_a_list_is_repeated_with_its_paragraph() {
    let body = item("{{#points}}{{.}}{{/points}}") + &p("end");
    assert_eq!(fill(&body, r#"{"points": ["a", "b"]}"#), "a / b / end");
    assert_eq!(fill(&body, r#"{"points": []}"#), "end");
}
