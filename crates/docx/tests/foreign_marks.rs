//! Templates for docxtemplater, docxtpl and Carbone: which are recognised, what the diagnostics say, and what the conversion
//! writes.

mod random;
mod sections;

use random::Random;
use sections::{codes, fill, open, p, row, shown, structure, table};
use waraq_docx::Package;
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields::{self, Diagnostic, Severity, TemplateProgram, convert_marks};

use TemplateProgram::{Carbone, Docxtemplater, Docxtpl};

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Converts a body and returns its text.
fn converted(body: &str) -> String {
    shown(&convert_marks(&open(body)).unwrap().package)
}

fn findings(body: &str) -> Vec<Diagnostic> {
    fields::check(&open(body)).unwrap().findings
}

/// The program, the text of a paragraph, and the text after the conversion.
const MARKS: &[(TemplateProgram, &str, &str)] = &[
    // docxtemplater
    (Docxtemplater, "{name} {city}", "{{name}} {{city}}"),
    (Docxtemplater, "{ first } {last}", "{{first}} {{last}}"),
    (Docxtemplater, "{client.name} {client.city}", "{{client.name}} {{client.city}}"),
    (Docxtemplater, "{اسم} {المدينة}", "{{اسم}} {{المدينة}}"),
    (Docxtemplater, "{#items}{name};{/items}", "{{#items}}{{name}};{{/items}}"),
    (Docxtemplater, "{#items}{name};{/}", "{{#items}}{{name}};{{/items}}"),
    (Docxtemplater, "{# items }{.};{/ items }", "{{#items}}{{.}};{{/items}}"),
    (Docxtemplater, "{^items}none{/items}", "{{^items}}none{{/items}}"),
    (Docxtemplater, "{#paid}yes{/}{^paid}no{/}", "{{#paid}}yes{{/paid}}{{^paid}}no{{/paid}}"),
    (Docxtemplater, "{#a}{#b}{c}{/b}{/a}", "{{#a}}{{#b}}{{c}}{{/b}}{{/a}}"),
    (Docxtemplater, "{#a}{#b}{c}{/}{/}", "{{#a}}{{#b}}{{c}}{{/b}}{{/a}}"),
    (Docxtemplater, "{#order.lines}{name}{/order.lines}", "{{#order.lines}}{{name}}{{/order.lines}}"),
    (Docxtemplater, "{#a}{first name}{/a}", "{{#a}}{{first name}}{{/a}}"),
    (Docxtemplater, "{%photo}", "{{photo}}"),
    (Docxtemplater, "{%%photo}", "{{photo}}"),
    (Docxtemplater, "{@raw}{name}", "{@raw}{{name}}"),
    (Docxtemplater, "{name | upper}{city}", "{name | upper}{{city}}"),
    (Docxtemplater, "{#a}{price * count}{/a}", "{{#a}}{price * count}{{/a}}"),
    (Docxtemplater, "{#a > 1}{b}{/}", "{#a > 1}{{b}}{/}"),
    (Docxtemplater, "{#a}{b}{/a}{$index}", "{{#a}}{{b}}{{/a}}{$index}"),
    (Docxtemplater, "{#a}{b}{/c}{/a}{#d}{/d}", "{#a}{{b}}{/c}{/a}{#d}{/d}"),
    // docxtpl
    (Docxtpl, "{% if a %}{{ b }}{% endif %}", "{{#a}}{{ b }}{{/a}}"),
    (Docxtpl, "{%p if a %}b{%p endif %}", "{{#a}}b{{/a}}"),
    (Docxtpl, "{%r if a %}b{%r endif %}", "{{#a}}b{{/a}}"),
    (Docxtpl, "{%- if a -%}b{%- endif -%}", "{{#a}}b{{/a}}"),
    (Docxtpl, "{% if not a %}b{% endif %}", "{{^a}}b{{/a}}"),
    (Docxtpl, "{% if a.b %}c{% endif %}", "{{#a.b}}c{{/a.b}}"),
    (Docxtpl, "{% if a %}b{% else %}c{% endif %}", "{{#a}}b{{/a}}{{^a}}c{{/a}}"),
    (Docxtpl, "{% if not a %}b{% else %}c{% endif %}", "{{^a}}b{{/a}}{{#a}}c{{/a}}"),
    (Docxtpl, "{% if a %}1{% elif b %}2{% else %}3{% endif %}", "{{#a}}1{{/a}}{{^a}}{{#b}}2{{/b}}{{^b}}3{{/b}}{{/a}}"),
    (Docxtpl, "{% for i in items %}{{ i.name }}{% endfor %}", "{{#items}}{{name}}{{/items}}"),
    (Docxtpl, "{% for i in items %}{{ i }},{% endfor %}", "{{#items}}{{.}},{{/items}}"),
    (Docxtpl, "{% for i in items %}{{ i.a.b }}{% endfor %}", "{{#items}}{{a.b}}{{/items}}"),
    (Docxtpl, "{% for i in o.items %}{{i.name}}{% endfor %}", "{{#o.items}}{{name}}{{/o.items}}"),
    (Docxtpl, "{% for i in a %}{{i.b}}{% else %}none{% endfor %}", "{{#a}}{{b}}{{/a}}{{^a}}none{{/a}}"),
    (
        Docxtpl,
        "{% for i in a %}{% for j in i.parts %}{{ j.name }}{{ i.no }}{% endfor %}{% endfor %}",
        "{{#a}}{{#parts}}{{name}}{{no}}{{/parts}}{{/a}}",
    ),
    (Docxtpl, "{{ name }}{% for i in a %}{{ i.name }}{% endfor %}", "{{ name }}{{#a}}{{ i.name }}{{/a}}"),
    (
        Docxtpl,
        "{% for i in a %}{{ i.x }}{% for j in i.b %}{{ j.x }}{% endfor %}{% endfor %}",
        "{{#a}}{{x}}{{#b}}{{ j.x }}{{/b}}{{/a}}",
    ),
    (Docxtpl, "{% for i in a %}{% if i.ok %}{{ i.n }}{% endif %}{% endfor %}", "{{#a}}{{#ok}}{{n}}{{/ok}}{{/a}}"),
    (Docxtpl, "{# note #}{{ a }}", "{{ a }}"),
    (Docxtpl, "{# note #}{{r rich }}", "{{rich}}"),
    (Docxtpl, "{# note #}{{p doc }}", "{{p doc }}"),
    (Docxtpl, "{# note #}{{- a -}}", "{{a}}"),
    (Docxtpl, "{% if a %}{{ b|upper }}{% endif %}", "{{#a}}{{ b|upper }}{{/a}}"),
    (Docxtpl, "{% if a == 1 %}b{% else %}c{% endif %}", "{% if a == 1 %}b{% else %}c{% endif %}"),
    (Docxtpl, "{% if a and b %}{% if c %}d{% endif %}{% endif %}", "{% if a and b %}{{#c}}d{{/c}}{% endif %}"),
    (Docxtpl, "{% for i in f(1) %}{{ i.x }}{% endfor %}", "{% for i in f(1) %}{{ i.x }}{% endfor %}"),
    (Docxtpl, "{% for i in a %}{{ loop.index }}{% endfor %}", "{{#a}}{{ loop.index }}{{/a}}"),
    (Docxtpl, "{%tc for i in a %}{{ i.x }}{%tc endfor %}", "{%tc for i in a %}{{ i.x }}{%tc endfor %}"),
    (Docxtpl, "{% for i in a %}{% if b %}{% endfor %}{% endif %}", "{% for i in a %}{% if b %}{% endfor %}{% endif %}"),
    (Docxtpl, "{% set a = 1 %}{{ a }}", "{% set a = 1 %}{{ a }}"),
    (Docxtpl, "{% if a %}{{ b['c'] }}{{ “x” }}{% endif %}", "{{#a}}{{ b['c'] }}{{ “x” }}{{/a}}"),
    // Carbone
    (Carbone, "{d.name}", "{{name}}"),
    (Carbone, "{d.client.name}", "{{client.name}}"),
    (Carbone, "{c.today}", "{{c.today}}"),
    (Carbone, "{d.price:formatC(2)} {d.name}", "{d.price:formatC(2)} {{name}}"),
    (Carbone, "{d.paid:ifEQ(true):show(yes)}", "{d.paid:ifEQ(true):show(yes)}"),
    (Carbone, "{d.items[i].name}, {d.items[i+1].name}", "{{#items}}{{name}}, {{/items}}"),
    (Carbone, "{d.tags[i]} {d.tags[i+1]}", "{{#tags}}{{.}} {{/tags}}"),
    (Carbone, "{d.name}{d.items[i].name}{d.items[i+1].name}", "{{name}}{{#items}}{{items.name}}{{/items}}"),
    (Carbone, "{d.items[0].name}", "{d.items[0].name}"),
    (Carbone, "{d.items[i].name}", "{d.items[i].name}"),
    (Carbone, "{d.items[i, price > 1].name}{d.items[i+1].name}", "{d.items[i, price > 1].name}{d.items[i+1].name}"),
];

#[test]
fn the_lists_and_pictures_of_the_program_are_named() {
    let rows = |before: &str, cells: &str, after: &str| {
        table(&[row(&["name", "sum"]), row(&[before]), row(&[cells, "{{ i.sum }}"]), row(&[after])])
    };
    let cases = [
        // docxtemplater writes lists and conditions in the same way.
        (p("{#items}{name}{/items}{%logo}{%%photo}"), vec![], vec!["logo", "photo"]),
        (p("{% for i in items %}{{ i.name }}{% endfor %}{% if paid %}paid{% endif %}"), vec!["items"], vec![]),
        (p("{%p for i in items %}") + &p("{{ i }}") + &p("{%p endfor %}"), vec!["items"], vec![]),
        (rows("{%tr for i in items %}", "{{ i.name }}", "{%tr endfor %}"), vec!["items"], vec![]),
        (p("{% for i in a %}{% for j in i.parts %}{{ j.b }}{% endfor %}{% endfor %}"), vec!["a", "parts"], vec![]),
        (p("{% for i in f(1) %}{{ i.x }}{% endfor %}"), vec![], vec![]),
        (p("{d.tags[i]} {d.tags[i+1]}"), vec!["tags"], vec![]),
        (table(&[row(&["{d.items[i].name}"]), row(&["{d.items[i+1].name}"])]), vec!["items"], vec![]),
        (p("{d.items[i].name}") + &p("{d.items[i+1].name}"), vec!["items"], vec![]),
        (p("no marks"), vec![], vec![]),
    ];
    for (body, lists, pictures) in cases {
        let converted = convert_marks(&open(&body)).unwrap();
        assert_eq!(Vec::from_iter(&converted.lists), lists, "{body}");
        assert_eq!(Vec::from_iter(&converted.pictures), pictures, "{body}");
    }
}

#[test]
fn each_mark_is_recognised_and_converted() {
    assert!(MARKS.len() >= 40);
    for (program, text, expected) in MARKS {
        let package = open(&p(&escaped(text)));
        let check = fields::check(&package).unwrap();
        assert_eq!(check.program, Some(*program), "{text}");
        let converted = convert_marks(&package).unwrap();
        assert_eq!(shown(&converted.package), *expected, "{text}");
        assert_eq!(converted.program, Some(*program), "{text}");
        assert_eq!(check.convertible, text != expected, "{text}");
        let again = convert_marks(&converted.package).unwrap();
        assert_eq!(again.converted, 0, "{text}");
        assert_eq!(again.package.to_bytes().unwrap(), converted.package.to_bytes().unwrap(), "{text}");
        // The check reports each mark once.
        let marks = |findings: &[Diagnostic]| findings.iter().filter(|finding| finding.mark.is_some()).count();
        assert_eq!(marks(&check.findings), converted.converted + converted.remaining.len(), "{text}");
        // A computation alone does not prove the program, because it may be ordinary text.
        if again.program.is_some() {
            assert_eq!(converted.remaining, again.remaining, "{text}");
        }
    }
}

#[test]
fn ordinary_braces_are_no_marks() {
    let texts = [
        "{name}",
        "{x} {y}",
        "the set {1, 2, 3} and {a, b}",
        "if (x) { return y; }",
        "{\"name\": \"value\", \"other\": 1}",
        "{{name}} and {note} and {other}",
        "{name} {city} {",
        "{name} {city} } ",
        "{name} {1}",
        "${name} ${city}",
        "{0} {1}",
        "{see page 3} {see page 4}",
        "100 {%} of it",
        "{{{name}}} {{{city}}}",
        "\\{{name}} {city} {other}",
        "{a.b.} {c,d}",
    ];
    for text in texts {
        let package = open(&p(text));
        let check = fields::check(&package).unwrap();
        assert_eq!((check.program, check.convertible), (None, false), "{text}");
        assert!(check.findings.iter().all(|finding| finding.mark.is_none()), "{text}");
        let converted = convert_marks(&package).unwrap();
        assert_eq!(converted.package.to_bytes().unwrap(), package.to_bytes().unwrap(), "{text}");
    }
}

#[test]
fn a_diagnostic_names_the_mark_and_what_to_write() {
    let body = p("{#items}") + &p("{name}") + &p("{/items}") + &p("{price | euro} {%logo}");
    let found = findings(&body);
    let shown: Vec<_> = found
        .iter()
        .map(|finding| {
            let mark = finding.mark.as_ref().unwrap();
            (finding.code.as_str(), finding.paragraph.unwrap(), mark.text.as_str(), mark.instead.as_deref())
        })
        .collect();
    assert_eq!(
        shown,
        [
            ("foreign_section", 1, "{#items}", Some("{{#items}}")),
            ("foreign_field", 2, "{name}", Some("{{name}}")),
            ("foreign_section", 3, "{/items}", Some("{{/items}}")),
            ("foreign_expression", 4, "{price | euro}", None),
            ("foreign_picture", 4, "{%logo}", Some("{{logo}}")),
        ]
    );
    assert_eq!(found[1].message, "“{name}” is a mark of docxtemplater: write {{name}} instead.");
    assert!(found.iter().all(|finding| finding.severity == Severity::Error));
    // Simple marks alone do not prove the program, so they do not prevent publishing.
    assert!(findings(&p("{name} {city}")).iter().all(|finding| finding.severity == Severity::Warning));
    // `{{ i.name }}` would be filled, but under another name.
    let loops = findings(&p("{% for i in a %}{{ i.name }}{% endfor %}{# c #}"));
    let severities: Vec<_> = loops.iter().map(|finding| (finding.code.as_str(), finding.severity)).collect();
    assert_eq!(
        severities,
        [
            ("foreign_section", Severity::Error),
            ("foreign_field", Severity::Warning),
            ("foreign_section", Severity::Error),
            ("foreign_comment", Severity::Error)
        ]
    );
}

#[test]
fn many_marks_are_counted() {
    let body: String = (0..500).map(|number| p(&format!("{{d.name{number}}}"))).collect();
    let found = findings(&body);
    assert_eq!(found.len(), 51);
    assert_eq!(found[50].code, "more_findings");
    assert_eq!(found[50].message, "There are 450 more marks of Carbone like those listed.");
}

#[test]
fn a_mark_in_several_runs_keeps_the_formatting_of_its_first_character() {
    let run = |properties: &str, text: &str| format!("<w:r>{properties}<w:t>{text}</w:t></w:r>");
    let body = format!(
        "<w:p>{}{}<w:proofErr w:type=\"spellStart\"/>{}{}</w:p>",
        run("", "Dear "),
        run("<w:rPr><w:b/></w:rPr>", "{na"),
        run("<w:rPr><w:i/></w:rPr>", "me} of"),
        run("", " {city}"),
    );
    let converted = convert_marks(&open(&body)).unwrap().package;
    let xml = converted.part_text("word/document.xml").unwrap();
    assert!(
        xml.contains(
            "<w:r><w:rPr><w:b/></w:rPr><w:t xml:space=\"preserve\">{{name}}</w:t></w:r><w:proofErr \
             w:type=\"spellStart\"/><w:r><w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\"> of</w:t></w:r>"
        ),
        "{xml}"
    );
}

#[test]
fn rows_of_tables_repeat_after_the_conversion() {
    let json = r#"[{"items": [{"name": "Pen", "price": "2"}, {"name": "Ink", "price": "9"}]}]"#;
    let bodies = [
        table(&[row(&["Name", "Price"]), row(&["{#items}{name}", "{price}{/items}"])]),
        table(&[row(&["Name", "Price"]), row(&["{-w:tr items}{name}", "{price}{/items}"])]),
        table(&[
            row(&["Name", "Price"]),
            row(&["{%tr for i in items %}"]),
            row(&["{{ i.name }}", "{{ i.price }}"]),
            row(&["{%tr endfor %}"]),
        ]),
        table(&[
            row(&["Name", "Price"]),
            row(&["{d.items[i].name}", "{d.items[i].price}"]),
            row(&["{d.items[i+1].name}", "{d.items[i+1].price}"]),
        ]),
    ];
    for body in bodies {
        let package = convert_marks(&open(&body)).unwrap().package;
        let text = shown(&sections::filled(&package, json));
        assert_eq!(text, "[Name; Price | Pen; 2 | Ink; 9]", "{body}");
        assert!(fields::check(&package).unwrap().findings.is_empty(), "{body}");
    }
}

#[test]
fn the_tags_of_a_carbone_row_are_in_its_cells() {
    let body = table(&[
        row(&["{d.items[i].name}", "{d.items[i].price}"]),
        row(&["{d.items[i+1].name}", ""]),
        row(&["Total", "{d.total}"]),
    ]);
    assert_eq!(converted(&body), "[{{#items}}{{name}}; {{price}}{{/items}} | Total; {{total}}]");
    // A row with one cell gets rows for its tags.
    let body = table(&[row(&["{d.items[i].name}"]), row(&["{d.items[i+1].name}"])]);
    assert_eq!(converted(&body), "[{{#items}} | {{name}} | {{/items}}]");
}

#[test]
fn nested_lists_repeat_after_the_conversion() {
    let json = r#"[{"orders": [{"no": "1", "parts": [{"name": "a"}, {"name": "b"}]}, {"no": "2", "parts": [{"name": "c"}]}]}]"#;
    let bodies = [
        table(&[row(&["{#orders}{no}", ""]), row(&["{#parts}{name}", "{/parts}"]), row(&["{/orders}"])]),
        table(&[
            row(&["{%tr for o in orders %}"]),
            row(&["{{ o.no }}", ""]),
            row(&["{%tr for x in o.parts %}"]),
            row(&["{{ x.name }}", ""]),
            row(&["{%tr endfor %}"]),
            row(&["{%tr endfor %}"]),
        ]),
        table(&[
            row(&["{d.orders[i].no}", ""]),
            row(&["{d.orders[i].parts[i].name}", ""]),
            row(&["{d.orders[i].parts[i+1].name}", ""]),
            row(&["{d.orders[i+1].no}", ""]),
        ]),
    ];
    for body in bodies {
        let package = convert_marks(&open(&body)).unwrap().package;
        let text = shown(&sections::filled(&package, json));
        assert_eq!(text, "[1;  | a;  | b;  | 2;  | c; ]", "{}", shown(&package));
    }
}

#[test]
fn paragraphs_repeat_after_the_conversion() {
    let body = p("{%p for i in items %}") + &p("{{ i }}") + &p("{%p endfor %}") + &p("end");
    assert_eq!(converted(&body), "{{#items}} / {{.}} / {{/items}} / end");
    let body = p("{d.items[i].name}") + &p("{d.items[i].city}") + &p("{d.items[i+1].name}") + &p("end");
    assert_eq!(converted(&body), "{{#items}} / {{name}} / {{city}} / {{/items}} / end");
    let body =
        p("{% if a %}") + &p("1") + &p("{% elif b %}") + &p("2") + &p("{% else %}") + &p("3") + &p("{% endif %}");
    let text = converted(&body);
    let rebuilt: String = text.split(" / ").map(p).collect();
    assert_eq!(codes(&rebuilt), [""; 0]);
    assert_eq!(fill(&rebuilt, r#"[{"a": true, "b": true}]"#), "1");
    assert_eq!(fill(&rebuilt, r#"[{"a": false, "b": true}]"#), "2");
    assert_eq!(fill(&rebuilt, r#"[{"a": false, "b": false}]"#), "3");
    assert_eq!(structure(&rebuilt), "a?, b?");
}

#[test]
fn headers_and_text_boxes_are_converted() {
    let text_box = "<w:p><w:r><mc:AlternateContent><mc:Choice Requires=\"wps\"><w:drawing><wps:txbx><w:txbxContent><w:p><w:r><w:t>{#paid}in a \
                    box{/paid}</w:t></w:r></w:p></w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent><w:p><w:r><w:t>{#paid}in \
                    a box{/paid}</w:t></w:r></w:p></w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>";
    let mut document = DocumentBuilder::new(text_box);
    document.add_related_part("header", "hdr", "header1.xml", "<w:p><w:r><w:t>{client}</w:t></w:r></w:p>");
    let package = Package::open(&document.to_bytes()).unwrap();
    let converted = convert_marks(&package).unwrap().package;
    let body = converted.part_text("word/document.xml").unwrap();
    assert_eq!(body.matches("{{#paid}}in a box{{/paid}}").count(), 2, "{body}");
    assert!(converted.part_text("word/header1.xml").unwrap().contains("<w:t xml:space=\"preserve\">{{client}}</w:t>"));
}

#[test]
fn marks_without_equivalent_are_listed_with_their_places() {
    let body = p("{% if a %}") + &p("now {{ price|round(2) }} euros") + &p("{% endif %}");
    let converted = convert_marks(&open(&body)).unwrap();
    let [one] = converted.remaining.as_slice() else { panic!("{:?}", converted.remaining) };
    assert_eq!((one.mark.as_str(), one.part.as_str(), one.paragraph), ("{{ price|round(2) }}", "word/document.xml", 2));
    assert_eq!(one.context, "now {{ price|round(2) }} euros");
    assert_eq!(converted.converted, 2);
}

#[test]
fn marks_of_two_programs_are_all_converted() {
    assert_eq!(converted(&p("{# c #}{d.name} {#a}{b}{/a}")), "{{name}} {{#a}}{{b}}{{/a}}");
}

#[test]
fn random_marks_never_panic_and_converting_twice_is_converting_once() {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "{{",
        "}}",
        "{#",
        "#}",
        "{%",
        "%}",
        "{#a}",
        "{/a}",
        "{/}",
        "{^b}",
        "{/b}",
        "{a}",
        "{b.c}",
        "{.}",
        "{a | f}",
        "{@a}",
        "{%a}",
        "{% if a %}",
        "{% if not b.c %}",
        "{% elif b %}",
        "{% else %}",
        "{% endif %}",
        "{% for i in a %}",
        "{% for a in i.b %}",
        "{% for x in f() %}",
        "{% endfor %}",
        "{{ i }}",
        "{{ i.b }}",
        "{{r a }}",
        "{{ a.b }}",
        "{{ x.y|z }}",
        "{{-a-}}",
        "{# c #}",
        "{d.a}",
        "{d.l[i].a}",
        "{d.l[i].m[i].a}",
        "{d.l[i].m[i+1].a}",
        "{d.l[i+1].a}",
        "{d.l[i].b:f()}",
        "{d.l[0].a}",
        "{c.a}",
        " ",
        "text",
        "\\",
        "\u{200f}",
        "ع",
        "|",
        "i",
        "x",
    ];
    let mut random = Random(34);
    let mut next = |limit: usize| random.below(limit);
    for round in 0..3000 {
        let mut texts: Vec<String> = Vec::new();
        for _ in 0..1 + next(6) {
            let mut runs = String::new();
            for _ in 0..next(7) {
                let text = PIECES[next(PIECES.len())];
                runs += &format!("<w:r><w:t>{text}</w:t></w:r>");
            }
            texts.push(format!("<w:p>{runs}</w:p>"));
        }
        let body = match next(3) {
            0 => texts.concat(),
            1 => table(&texts.iter().map(|text| row(&[text, text])).collect::<Vec<_>>()),
            _ => table(
                &texts
                    .chunks(2)
                    .map(|cells| row(&cells.iter().map(String::as_str).collect::<Vec<_>>()))
                    .collect::<Vec<_>>(),
            ),
        };
        let package = open(&body);
        let check = fields::check(&package).unwrap();
        let once = convert_marks(&package).unwrap();
        if check.program.is_none() {
            assert_eq!(once.package.to_bytes().unwrap(), package.to_bytes().unwrap(), "{round}: {body}");
        }
        let again = Package::open(&once.package.to_bytes().unwrap()).unwrap();
        again.validate().unwrap();
        let twice = convert_marks(&again).unwrap();
        assert_eq!(
            twice.package.part_text("word/document.xml"),
            again.part_text("word/document.xml"),
            "{round}: {body}"
        );
    }
}

#[test]
fn a_document_full_of_marks_takes_linear_time() {
    let rows: Vec<String> = (0..5_000)
        .flat_map(|number| {
            let cell = |entry: &str| format!("{{d.l{number}[{entry}].a}}{{d.l{number}[{entry}].b}}");
            [row(&[&cell("i"), &cell("i")]), row(&[&cell("i+1")])]
        })
        .collect();
    let loops = "{% for i in a %}{{ i.b }}{% endfor %}".repeat(10_000);
    let braces = "{ {# {% {{ ".repeat(20_000);
    for body in [table(&rows), p(&loops), p(&braces), p(&"{#a}".repeat(30_000)), p(&"{% if a %}".repeat(30_000))] {
        let start = std::time::Instant::now();
        let package = open(&body);
        convert_marks(&package).unwrap();
        // A quadratic algorithm takes minutes.
        assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    }
}
