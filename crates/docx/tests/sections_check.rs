//! Problems of sections, the structure of templates, and the values that fit it.

mod sections;

use sections::{codes, fill, filled, item, open, p, row, shown, structure, table, values};
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields::{self, DeclaredType, DeclaredTypes, FieldKind, FillOptions};
use waraq_rules::{ErrorCode, FieldType};

#[test]
fn each_problem_has_a_code_and_a_place() {
    let text_box =
        |inside: &str| format!("<w:p><w:r><w:pict><w:txbxContent>{inside}</w:txbxContent></w:pict></w:r></w:p>");
    let four = "{{#a}}{{#b}}{{#c}}{{#d}}";
    let ends = "{{/d}}{{/c}}{{/b}}{{/a}}";
    let field = |begin: &str, inside: &str, end: &str| {
        format!(
            "<w:p><w:r><w:t>{begin}</w:t></w:r><w:r><w:fldChar w:fldCharType=\"begin\"/><w:instrText> REF x </w:instrText>\
             <w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>{inside}</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r>\
             <w:r><w:t>{end}</w:t></w:r></w:p>"
        )
    };
    let cases = [
        (p("{{#a}} x"), "unclosed_section", 1),
        (p("x") + &p("{{^a}}"), "unclosed_section", 2),
        (p("x") + &p("{{/a}}"), "unopened_section", 2),
        (p("{{#a}}{{#b}}x{{/a}}{{/b}}"), "crossed_sections", 1),
        (p("{{#a}}") + &table(&[row(&["x{{/a}}"])]), "section_across_containers", 1),
        (table(&[row(&["{{#a}}x"])]) + &table(&[row(&["{{/a}}"])]), "section_across_containers", 1),
        (p("{{#a}}") + &text_box(&p("x{{/a}}")), "unopened_section", 3),
        (field("", "{{#a}}x", "{{/a}}"), "section_across_containers", 1),
        (p("x {{#a}}") + &p("y") + &p("{{/a}}"), "section_beside_text", 1),
        (p("{{#a}}") + &p("y") + &p("{{/a}} z"), "section_beside_text", 1),
        (p("x{{#a}}{{/a}}"), "empty_section", 1),
        (p("{{#a}}") + &p("{{/a}}"), "empty_section", 1),
        (table(&[row(&["{{#a}}", "{{/a}}"])]), "empty_section", 1),
        (p("{{a}}") + &table(&[row(&["{{#a}}x", "{{/a}}"])]), "list_used_as_text", 1),
        (p(&format!("{four}x{{{{#e}}}}y{{{{/e}}}}{ends}")), "sections_too_deep", 1),
        (p("{{.}}"), "entry_outside_list", 1),
        (p("{{#a}}x{{/a}} {{.}}"), "entry_outside_list", 1),
        (p("{{#each items}}"), "foreign_syntax", 1),
        (p("{{! comment }}"), "foreign_syntax", 1),
    ];
    for (body, code, paragraph) in cases {
        let found = fields::check(&open(&body)).unwrap().findings;
        let places: Vec<_> = found.iter().map(|one| (one.code.as_str(), one.paragraph)).collect();
        assert!(places.contains(&(code, Some(paragraph))), "{body}: {places:?}");
        let one = found.iter().find(|one| one.code == code).unwrap();
        assert_eq!(one.part.as_deref(), Some("word/document.xml"));
        assert!(one.context.as_ref().is_some_and(|context| !context.is_empty()), "{body}");
    }
}

#[test]
fn good_sections_have_no_problems() {
    let four = "{{#a}}{{#b}}{{#c}}{{#d}}x{{/d}}{{/c}}{{/b}}{{/a}}";
    for body in [
        p(four),
        p("{{#a}}x{{/a}}{{^a}}y{{/a}}"),
        p("{{#a}}Name: {{a}}{{/a}}"),
        table(&[row(&["{{#a}}{{.}}", "{{/a}}"])]),
        item("{{#a}}{{.}}{{/a}}"),
    ] {
        assert_eq!(codes(&body), [""; 0], "{body}");
    }
}

#[test]
fn the_document_suggests_lists_and_columns() {
    let rows = |inside: &str| table(&[row(&[&format!("{{{{#items}}}}{inside}"), "{{/items}}"])]);
    let cases = [
        (p("{{a}} {{#b}}{{c}}{{/b}}"), "a, b?, c"),
        (rows("{{a}}{{b}}"), "items[a, b]"),
        (p("{{a}}") + &rows("{{a}}{{b}}"), "a, items[b]"),
        (rows("{{b}}") + &p("{{b}}"), "items[], b"),
        (rows("{{#vip}}{{name}}{{/vip}}"), "items[vip?, name]"),
        (rows("{{a}}") + &p("{{^items}}none{{/items}}"), "items[a]"),
        (p("{{^items}}none{{/items}}") + &rows("{{a}}"), "items[a]"),
        (item("{{#a}}{{b}}{{/a}}"), "a[b]"),
        (item("x {{#a}}{{b}}{{/a}}"), "a?, b"),
        (p("{{#a}}{{.}}, {{/a}}"), "a[.]"),
        (p("{{#a}}{{a}}{{/a}}"), "a"),
        (
            table(&[
                row(&["{{#a}}", ""]),
                row(&["{{#b}}{{x}}", "{{y}}{{/b}}"]),
                row(&["{{x}}", ""]),
                row(&["{{/a}}", ""]),
            ]),
            "a[b[y], x]",
        ),
    ];
    for (body, expected) in cases {
        assert_eq!(structure(&body), expected, "{body}");
        let package = open(&body);
        let listed: Vec<String> = fields::list(&package).unwrap().into_iter().map(|field| field.name).collect();
        let names: Vec<String> =
            fields::structure(&package, &DeclaredTypes::new()).unwrap().names().map(str::to_owned).collect();
        assert_eq!(listed, names, "{body}");
    }
    let listed = fields::list(&open(&(p("{{#a}}x{{/a}}{{^a}}y{{/a}}") + &p("{{b}}")))).unwrap();
    let shown: Vec<_> = listed.iter().map(|field| (field.name.as_str(), field.kind, field.occurrences)).collect();
    assert_eq!(shown, [("a", FieldKind::Section, 2), ("b", FieldKind::Text, 1)]);
}

fn declared(types: &[(&str, FieldType)]) -> DeclaredTypes {
    let declare = |(name, field_type): &(&str, FieldType)| {
        ((*name).to_owned(), DeclaredType { field_type: *field_type, ..DeclaredType::default() })
    };
    types.iter().map(declare).collect()
}

#[test]
fn the_author_declares_other_types() {
    let body = p("{{#a}}") + &p("{{b}}") + &p("{{/a}}") + &item("{{#c}}{{d}}{{/c}}");
    let types = declared(&[("a", FieldType::List), ("c", FieldType::YesNo), ("d", FieldType::Picture)]);
    let package = open(&body);
    let structure = fields::structure(&package, &types).unwrap();
    assert_eq!(sections::shown_fields(&structure.0), "a[b], c?, d");
    assert_eq!(structure.field("d").unwrap().field_type, FieldType::Picture);
    let options = FillOptions { structure: Some(&structure), ..FillOptions::default() };
    let json = r#"{"a": [{"b": "1"}, {"b": "2"}], "c": false, "d": ""}"#;
    assert_eq!(shown(&fields::fill(&package, &values(json), options).unwrap()), "1 / 2");
}

#[test]
fn values_that_do_not_fit_are_refused_with_their_rows() {
    let package = open(&(table(&[row(&["{{#items}}{{a}}", "{{#vip}}{{b}}{{/vip}}{{/items}}"])]) + &p("{{c}}")));
    let refused = |json: &str| {
        let error = fields::fill(&package, &values(json), FillOptions::default()).unwrap_err();
        (error.code, error.fields.clone())
    };
    let named = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let good = r#"{"a": 1, "b": 2, "vip": true}"#;
    assert_eq!(
        refused(&format!(r#"{{"items": [{good}, {{"a": 1, "vip": "x"}}], "c": ""}}"#)),
        (ErrorCode::MissingFields, named(&["items[1].b"]))
    );
    assert_eq!(
        refused(&format!(r#"{{"items": [{good}, {{"a": [], "b": "", "vip": true}}], "c": ""}}"#)),
        (ErrorCode::WrongValueType, named(&["items[1].a"]))
    );
    assert_eq!(refused(r#"{"items": "x", "c": ""}"#), (ErrorCode::WrongValueType, named(&["items"])));
    assert_eq!(refused(r#"{"items": [], "a": "", "c": ""}"#).0, ErrorCode::UnknownField);
    let rows = vec![good; 501].join(",");
    assert_eq!(refused(&format!(r#"{{"items": [{rows}], "c": ""}}"#)), (ErrorCode::TooManyRows, named(&["items"])));
    assert_eq!(
        refused(&format!(r#"{{"items": [{good}, {{"a": "\u000c", "b": "", "vip": false}}], "c": ""}}"#)),
        (ErrorCode::IllegalCharacter, named(&["items[1].a"]))
    );
}

#[test]
fn broken_tags_stay_as_they_are() {
    let body = p("{{#a}} {{b}}") + &p("{{/c}}") + &p("{{#d}}kept{{/d}}");
    assert_eq!(fill(&body, r#"{"b": "x", "d": true}"#), "{{#a}} x / {{/c}} / kept");
}

#[test]
fn tags_in_values_and_texts_outside_paragraphs_are_no_tags() {
    assert_eq!(fill(&p("{{#a}}{{b}}{{/a}}"), r#"{"a": true, "b": "{{#a}}x{{/a}}"}"#), "{{#a}}x{{/a}}");
    let picture = "<w:p><w:r><w:drawing><wp:inline xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\">\
                   <wp:docPr id=\"1\" name=\"n\" descr=\"{{#x}}{{a}}\"/></wp:inline></w:drawing></w:r></w:p>";
    assert_eq!(codes(picture), ["field_not_fillable"]);
    let package = filled(&open(picture), r#"{"a": "A"}"#);
    assert!(package.part_text("word/document.xml").unwrap().contains("descr=\"{{#x}}A\""));
}

#[test]
fn alternative_texts_and_codes_in_rows_are_filled() {
    let picture = "<w:p><w:r><w:t>{{#items}}</w:t></w:r><w:r><w:drawing><wp:inline \
                   xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\">\
                   <wp:docPr id=\"1\" name=\"n\" descr=\"Photo of {{a}}\"/></wp:inline></w:drawing></w:r></w:p>";
    let code = "<w:p><w:fldSimple w:instr=\" IF &quot;{{a}}&quot; = &quot;1&quot; &quot;one&quot; &quot;other&quot; \"><w:r><w:t>x</w:t></w:r></w:fldSimple>\
                <w:r><w:t>{{/items}}</w:t></w:r></w:p>";
    let package = filled(&open(&table(&[row(&[picture, code])])), r#"{"items": [{"a": 1}, {"a": 2}]}"#);
    let text = package.part_text("word/document.xml").unwrap();
    assert!(text.contains("descr=\"Photo of 1\"") && text.contains("descr=\"Photo of 2\""), "{text}");
    assert!(text.contains("IF &quot;1&quot; =") && text.contains("IF &quot;2&quot; ="), "{text}");
}

#[test]
fn parts_without_sections_stay_as_they_were() {
    let mut document = DocumentBuilder::new(&(p("{{#a}}") + &p("x") + &p("{{/a}}")));
    document.add_related_part("header", "hdr", "header1.xml", &p("plain"));
    let package = waraq_docx::Package::open(&document.to_bytes()).unwrap();
    let filled = filled(&package, r#"{"a": true}"#);
    assert_eq!(package.part_bytes("word/header1.xml"), filled.part_bytes("word/header1.xml"));
}
