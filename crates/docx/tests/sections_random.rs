//! Random nestings of sections, and documents that could be expensive to expand.

mod sections;

use sections::{fill, filled, open, p, row, table, values};
use waraq_docx::fields::{self, DeclaredTypes, FillOptions};
use waraq_docx::{Budget, Package};
use waraq_rules::{FieldType, Row, StructuredField, Value, Values};

/// A xorshift generator of numbers (Marsaglia, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % end
    }
}

/// Returns blocks with random sections. Names are unique, so that any nesting is valid.
fn blocks(random: &mut Random, depth: usize, names: &mut usize) -> String {
    let mut body = String::new();
    for _ in 0..=random.below(3) {
        *names += 1;
        let name = format!("n{names}");
        let sign = if random.below(4) == 0 { '^' } else { '#' };
        body += &match random.below(if depth < 4 { 6 } else { 2 }) {
            0 => p(&format!("text {{{{{name}}}}} end")),
            1 => p("plain"),
            2 => {
                let inner = inline(random, depth + 1, names);
                p(&format!("a {{{{{sign}{name}}}}}{inner}{{{{/{name}}}}} b"))
            }
            3 => {
                let inner = blocks(random, depth + 1, names);
                p(&format!("{{{{{sign}{name}}}}}")) + &inner + &p(&format!("{{{{/{name}}}}}"))
            }
            4 => {
                let inner = inline(random, depth + 1, names);
                let cells = [format!("{{{{{sign}{name}}}}}{inner}"), format!("x{{{{/{name}}}}}")];
                table(&[row(&["head", ""]), row(&[&cells[0], &cells[1]])]) + &p("after")
            }
            _ => {
                let inner = blocks(random, depth + 1, names) + &p("end of cell");
                let rows = [
                    row(&[&format!("{{{{{sign}{name}}}}}"), ""]),
                    row(&[&inner, "y"]),
                    row(&["", &format!("{{{{/{name}}}}}")]),
                ];
                table(&rows) + &p("after")
            }
        };
    }
    body
}

fn inline(random: &mut Random, depth: usize, names: &mut usize) -> String {
    *names += 1;
    let name = format!("n{names}");
    match random.below(if depth < 4 { 4 } else { 2 }) {
        0 => "words".to_owned(),
        1 => format!("<{{{{{name}}}}}>").replace('<', "&lt;").replace('>', "&gt;"),
        _ => {
            let inner = inline(random, depth + 1, names);
            format!("({{{{#{name}}}}}{inner}{{{{/{name}}}}})")
        }
    }
}

fn random_row(random: &mut Random, fields: &[StructuredField]) -> Row {
    let value = |field: &StructuredField, random: &mut Random| match field.field_type {
        FieldType::List => {
            let count = random.below(4);
            Value::List((0..count).map(|_| random_row(random, &field.columns)).collect())
        }
        FieldType::YesNo => Value::YesNo(random.below(2) == 0),
        _ => Value::Text(["", "v", "{{n1}}", "ع"][random.below(4) as usize].to_owned()),
    };
    fields.iter().map(|field| (field.name.clone(), value(field, random))).collect()
}

#[test]
fn any_nesting_leaves_no_tags_and_a_valid_document() {
    for seed in 1..=300 {
        let mut random = Random(seed * 0x9e37_79b9);
        let body = blocks(&mut random, 0, &mut 0) + &p("last");
        let package = open(&body);
        let found = fields::check(&package).unwrap().findings;
        assert!(found.is_empty(), "{seed}: {found:?}\n{body}");
        let structure = fields::structure(&package, &DeclaredTypes::new()).unwrap();
        let values = Values::from_pairs(random_row(&mut random, &structure.0)).unwrap();
        let fill = || fields::fill(&package, &values, FillOptions::default()).unwrap().to_bytes().unwrap();
        let bytes = fill();
        assert_eq!(bytes, fill(), "{seed}");
        let filled = Package::open(&bytes).unwrap();
        filled.validate().unwrap();
        let text = filled.part_text("word/document.xml").unwrap();
        assert!(!text.contains("{{#") && !text.contains("{{^") && !text.contains("{{/"), "{seed}: {text}");
        let cells_end_with_paragraphs = text.match_indices("</w:tc>").all(|(at, _)| text[..at].ends_with("</w:p>"));
        assert!(cells_end_with_paragraphs, "{seed}: {text}");
        assert!(!text.contains("</w:tblGrid></w:tbl>") && !text.contains("</w:tbl><w:tbl>"), "{seed}: {text}");
        waraq_docx::read(&filled, &waraq_docx::ReadOptions::default()).unwrap();
    }
}

#[test]
fn a_list_of_the_maximal_size_is_filled() {
    let rows = |count: usize| vec![r#"{"a": "x", "b": "y"}"#; count].join(",");
    let body = table(&[row(&["A", "B"]), row(&["{{#items}}{{a}}", "{{b}}{{/items}}"])]) + &p("");
    let shown = fill(&body, &format!(r#"{{"items": [{}]}}"#, rows(500)));
    assert_eq!(shown.matches("x; y").count(), 500);
}

#[test]
fn lists_in_lists_of_the_maximal_size_are_bounded() {
    // 500 rows, each with a list of the document, in a list of the document, in another one: 500^4 copies.
    let names = ["a", "b", "c", "d"];
    let open_tags: String = names.iter().map(|name| format!("{{{{#{name}}}}}{{{{.}}}}")).collect();
    let close_tags: String = names.iter().rev().map(|name| format!("{{{{/{name}}}}}")).collect();
    let uses: String = names.iter().map(|name| p(&format!("{{{{#{name}}}}}{{{{.}}}}{{{{/{name}}}}}"))).collect();
    let package = open(&(uses + &p(&format!("{open_tags}{close_tags}"))));
    let list = format!("[{}]", vec!["\"x\""; 500].join(","));
    let json = format!("{{{}}}", names.map(|name| format!("\"{name}\": {list}")).join(","));
    let error = fields::fill(&package, &values(&json), FillOptions::default()).unwrap_err();
    assert_eq!(error.code, "too_complex");
    // Lists in lists: 2,000 rows in all.
    let body = table(&[row(&["{{#a}}{{#b}}{{x}}", "{{/b}}{{/a}}"])]) + &p("");
    let inner = vec![r#"{"x": "v"}"#; 39].join(",");
    let outer = vec![format!(r#"{{"b": [{inner}]}}"#); 50].join(",");
    let shown = fill(&body, &format!(r#"{{"a": [{outer}]}}"#));
    assert_eq!(shown.matches('v').count(), 39 * 50);
}

#[test]
fn the_budget_is_charged_before_copies_are_made() {
    let words = "long text ".repeat(100);
    let body = table(&[row(&[&format!("{{{{#items}}}}{{{{.}}}}{words}"), "{{/items}}"])]) + &p("");
    let list = format!(r#"{{"items": [{}]}}"#, vec!["\"x\""; 500].join(","));
    let package = open(&body);
    let mut budget = Budget::default();
    budget.memory = 600_000;
    let error = fields::fill(&package.with_budget(&budget), &values(&list), FillOptions::default()).unwrap_err();
    assert_eq!(error.code, "too_complex");
    filled(&package, &list);
}

#[test]
fn many_broken_tags_are_reported_in_one_pass() {
    let opened: String = (0..1_000).map(|at| p(&format!("{{{{#n{at}}}}}"))).collect();
    let package = open(&opened);
    let found = fields::check(&package).unwrap().findings;
    assert_eq!(found.iter().filter(|one| one.code == "unclosed_section").count(), 500);
    let text: String = (0..20_000).map(|at| format!("{{{{#n{at}}}}}x{{{{/n{at}}}}}")).collect();
    let package = open(&(p(&text) + &p(&"{{#a}}".repeat(20_000)) + &p(&"{{/b}}".repeat(20_000))));
    fields::check(&package).unwrap();
    let nested: String = "{{#a}}".repeat(20_000) + "x" + &"{{/a}}".repeat(20_000);
    let found = fields::check(&open(&p(&nested))).unwrap().findings;
    assert!(found.iter().any(|one| one.code == "sections_too_deep"));
}
