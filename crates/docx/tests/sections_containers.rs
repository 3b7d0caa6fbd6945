//! Sections in all containers: paragraphs, rows, cells, text boxes, notes, headers, content controls, split runs.

mod sections;

use sections::{codes, fill, filled, item, open, p, row, shown, table, values};
use waraq_docx::Package;
use waraq_docx::build::DocumentBuilder;
use waraq_docx::fields::{self, FillOptions, Template};

const ITEMS: &str = r#"{"items": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]}"#;
const ONLY_A: &str = r#"{"items": [{"a": 1}, {"a": 3}]}"#;
const NO_ITEMS: &str = r#"{"items": []}"#;

fn xml(package: &Package) -> String {
    package.part_text("word/document.xml").unwrap().to_owned()
}

/// A case: the body, the values, and the content of the filled body.
type Case<'c> = (&'c str, String, &'c str, &'c str);

fn check_cases(cases: &[Case<'_>]) {
    for (name, body, json, expected) in cases {
        assert_eq!(fill(body, json), *expected, "{name}");
        let found = codes(body);
        assert!(found.is_empty(), "{name}: {found:?}");
    }
}

#[test]
fn rows_are_repeated() {
    let head = row(&["A", "B"]);
    let one = row(&["{{#items}}{{a}}", "{{b}}{{/items}}"]);
    let split = "<w:p><w:r><w:t>{</w:t></w:r><w:proofErr w:type=\"spellStart\"/><w:r><w:rPr><w:b/></w:rPr><w:t>{#it</w:t></w:r>\
                 <w:r><w:t>ems}}{{a}}</w:t></w:r></w:p>";
    let nested = table(&[row(&["{{#items}}{{a}}", "{{/items}}"])]) + &p("");
    check_cases(&[
        ("tags in two cells", table(&[head.clone(), one.clone()]), ITEMS, "[A; B | 1; 2 | 3; 4]"),
        ("no rows", table(&[head.clone(), one.clone()]), NO_ITEMS, "[A; B]"),
        ("no rows at all", p("x") + &table(std::slice::from_ref(&one)) + &p("y"), NO_ITEMS, "x / y"),
        ("tags in split runs", table(&[row(&[split, "{{b}}{{/items}}"])]), ITEMS, "[1; 2 | 3; 4]"),
        (
            "rows with only tags",
            table(&[head.clone(), row(&["{{#items}}", ""]), row(&["{{a}}", "{{b}}"]), row(&["", "{{/items}}"])]),
            ITEMS,
            "[A; B | 1; 2 | 3; 4]",
        ),
        (
            "two rows",
            table(&[row(&["{{#items}}{{a}}", ""]), row(&["", "{{b}}{{/items}}"])]),
            ITEMS,
            "[1;  | ; 2 | 3;  | ; 4]",
        ),
        (
            "a field beside the tags is a column too",
            table(&[row(&["{{a}}", "{{#items}}", "{{b}}", "{{/items}}"])]),
            ITEMS,
            "[1; ; 2;  | 3; ; 4; ]",
        ),
        (
            "tags alone in paragraphs of cells",
            table(&[row(&[&(p("{{#items}}") + &p("{{a}}")), &(p("{{b}}") + &p("{{/items}}"))])]),
            ITEMS,
            "[1; 2 | 3; 4]",
        ),
        (
            "the only paragraph of a cell stays",
            table(&[row(&["{{#items}}", "{{a}}", "{{/items}}"])]),
            ONLY_A,
            "[; 1;  | ; 3; ]",
        ),
        ("a table in a cell", table(&[row(&[&nested, "x"])]), ONLY_A, "[[1;  | 3; ] / ; x]"),
        ("a table in a cell without rows", table(&[row(&[&nested, "x"])]), NO_ITEMS, "[; x]"),
        (
            "an inverted row",
            table(&[head.clone(), one.clone(), row(&["{{^items}}none", "{{/items}}"])]),
            NO_ITEMS,
            "[A; B | none; ]",
        ),
        (
            "a row after the list has other fields",
            table(&[one.clone(), row(&["Total", "{{total}}"])]),
            r#"{"items": [{"a": 1, "b": 2}], "total": 7}"#,
            "[1; 2 | Total; 7]",
        ),
        (
            "two lists one after the other",
            table(&[one, row(&["{{#others}}{{c}}", "{{/others}}"])]),
            r#"{"items": [{"a": 1, "b": 2}], "others": [{"c": 5}, {"c": 6}]}"#,
            "[1; 2 | 5;  | 6; ]",
        ),
    ]);
}

#[test]
fn nested_lists_repeat_rows_in_rows() {
    let json = r#"{"orders": [{"no": "A", "lines": [{"t": 1}, {"t": 2}]}, {"no": "B", "lines": []}]}"#;
    let rows = [
        row(&["{{#orders}}", ""]),
        row(&["{{no}}", ""]),
        row(&["{{#lines}}", ""]),
        row(&["{{no}}.{{t}}", ""]),
        row(&["{{/lines}}", ""]),
        row(&["{{^lines}}empty", "{{/lines}}"]),
        row(&["{{/orders}}", ""]),
    ];
    let one_row = row(&["{{#orders}}{{#lines}}{{t}}", "{{/lines}}{{/orders}}"]);
    let blocks = p("{{#orders}}") + &p("{{no}}") + &item("{{#lines}}{{t}}{{/lines}}") + &p("{{/orders}}");
    let declared = p("{{#orders}}{{no}}: {{#lines}}{{.}} {{/lines}}{{.}}; {{/orders}}");
    check_cases(&[
        ("rows around rows", table(&rows), json, "[A;  | A.1;  | A.2;  | B;  | empty; ]"),
        (
            "one row for both",
            table(&[one_row]),
            r#"{"orders": [{"lines": [{"t": 1}, {"t": 2}]}, {"lines": [{"t": 3}]}]}"#,
            "[1;  | 2;  | 3; ]",
        ),
        (
            "items in a list of texts",
            declared,
            r#"{"orders": [{"no": "A", ".": "x", "lines": ["1", "2"]}, {"no": "B", ".": "y", "lines": []}]}"#,
            "A: 1 2 x; B: y; ",
        ),
    ]);
    let package = open(&blocks);
    let structure = waraq_rules::Structure(vec![waraq_rules::StructuredField {
        field_type: waraq_rules::FieldType::List,
        ..waraq_rules::StructuredField::text("orders")
    }]);
    let types = structure.declared_types();
    let structure = fields::structure(&package, &types).unwrap();
    assert_eq!(sections::shown_fields(&structure.0), "orders[no, lines[t]]");
    let options = FillOptions { structure: Some(&structure), ..FillOptions::default() };
    let filled = fields::fill(&package, &values(json), options).unwrap();
    assert_eq!(shown(&filled), "A / 1 / 2 / B");
}

#[test]
fn paragraphs_are_kept_or_removed() {
    let clause = |inside: &str| p("before") + &p("{{#clause}}") + inside + &p("{{/clause}}") + &p("after");
    let yes = r#"{"clause": true}"#;
    let no = r#"{"clause": "no"}"#;
    let in_cell = |inside: &str| table(&[row(&[&(p("{{#clause}}") + inside + &p("{{/clause}}")), "x"])]);
    let small = || table(&[row(&["t"])]);
    check_cases(&[
        ("kept", clause(&p("text")), yes, "before / text / after"),
        ("removed", clause(&p("text")), no, "before / after"),
        ("a table kept", clause(&small()), yes, "before / [t] / after"),
        ("a table removed", clause(&small()), no, "before / after"),
        (
            "two sections share a paragraph",
            p("{{#a}}") + &p("A") + &p("{{/a}}{{#b}}") + &p("B") + &p("{{/b}}"),
            r#"{"a": false, "b": true}"#,
            "B",
        ),
        (
            "nested tags share a paragraph",
            p("{{#a}}{{#b}}") + &p("AB") + &p("{{/b}}") + &p("A") + &p("{{/a}}"),
            r#"{"a": true, "b": false}"#,
            "A",
        ),
        ("all of a cell kept", in_cell(&p("c")), yes, "[c; x]"),
        ("all of a cell removed", in_cell(&p("c")), no, "[; x]"),
        ("a cell that would end with a table", in_cell(&small()), yes, "[[t] / ; x]"),
        ("a part of a paragraph", p("a{{#clause}} b{{/clause}} c"), yes, "a b c"),
        ("a part of a paragraph removed", p("a{{#clause}} b{{/clause}} c"), no, "a c"),
        ("a list item removed by its author", item("{{^clause}}x{{/clause}}") + &p("y"), yes, "y"),
        ("spaces around tags", p(" {{# clause }} ") + &p("x") + &p(" {{/ clause }} "), yes, "x"),
        ("tags with bidi marks", p("\u{200f}{{#clause}}\u{200f}") + &p("x") + &p("{{/clause}}"), yes, "x"),
    ]);
    assert_eq!(fill(&p("\\{{#clause}}"), "{}"), "{{#clause}}", "an escaped tag is text");
}

#[test]
fn tables_of_rows_stay_apart() {
    let body =
        item("x") + &p("{{#orders}}") + &table(&[row(&["{{#lines}}{{t}}", "{{/lines}}"])]) + &p("{{/orders}}") + &p("");
    let types = [(
        "orders".to_owned(),
        fields::DeclaredType { field_type: waraq_rules::FieldType::List, ..Default::default() },
    )];
    let package = open(&body);
    let structure = fields::structure(&package, &types.into()).unwrap();
    let json = r#"{"orders": [{"lines": [{"t": 1}]}, {"lines": [{"t": 2}]}]}"#;
    let options = FillOptions { structure: Some(&structure), ..FillOptions::default() };
    assert_eq!(shown(&fields::fill(&package, &values(json), options).unwrap()), "x / [1; ] /  / [2; ] / ");
}

#[test]
fn inline_sections_cross_runs_links_and_insertions() {
    let r = |text: &str| format!("<w:r><w:rPr><w:i/></w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>");
    let ins = |inside: &str| format!("<w:ins w:id=\"1\" w:author=\"a\">{inside}</w:ins>");
    let paragraph = |inside: &str| format!("<w:p>{inside}</w:p>");
    let yes = r#"{"x": true}"#;
    let no = r#"{"x": false}"#;
    let across = paragraph(&(r("a {{#x}}") + &r("b ") + &ins(&(r("c {{/x}}") + &r("d")))));
    let link = |inside: &str| format!("<w:hyperlink w:anchor=\"m\">{inside}</w:hyperlink>");
    let list = paragraph(&(r("{{#l}}") + &link(&r("{{.}}")) + &r(", {{/l}}end")));
    let deleted = paragraph(
        &(r("a{{#x}}")
            + "<w:del w:id=\"2\" w:author=\"a\"><w:r><w:delText>gone</w:delText></w:r></w:del>"
            + &r("b{{/x}}")),
    );
    check_cases(&[
        ("an end in an insertion, kept", across.clone(), yes, "a b c d"),
        ("an end in an insertion, removed", across, no, "a d"),
        ("both in an insertion", paragraph(&ins(&r("a{{#x}}b{{/x}}c"))), no, "ac"),
        ("tags in a link", paragraph(&link(&r("a{{#x}}b{{/x}}c"))), yes, "abc"),
        ("a link for each entry", list, r#"{"l": ["1", "2"]}"#, "1, 2, end"),
        ("deleted text between", deleted, yes, "ab"),
        ("no text before or after", paragraph(&r("{{#x}}b{{/x}}")), yes, "b"),
        ("a tab between", paragraph("<w:r><w:t>{{#x}}a</w:t><w:tab/><w:t>b{{/x}}c</w:t></w:r>"), yes, "a\tbc"),
        ("a tab removed", paragraph("<w:r><w:t>{{#x}}a</w:t><w:tab/><w:t>b{{/x}}c</w:t></w:r>"), no, "c"),
    ]);
    for (what, body, json, insertions) in [
        ("copies", r("{{#l}}") + &ins(&r("{{.}}")) + &r("{{/l}}"), r#"{"l": ["1", "2", "3"]}"#, 3),
        ("an insertion that is split", r("a{{#x}}b") + &ins(&(r("c{{/x}}") + &r("d"))), yes, 2),
        ("tags inside an insertion", ins(&r("a{{#l}}{{.}}{{/l}}b")), r#"{"l": ["1", "2"]}"#, 1),
    ] {
        let text = xml(&filled(&open(&paragraph(&body)), json));
        let ids: Vec<&str> = text.split("<w:ins w:id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        let unique: std::collections::BTreeSet<&&str> = ids.iter().collect();
        assert_eq!((ids.len(), unique.len()), (insertions, insertions), "{what}: {ids:?}");
    }
}

#[test]
fn values_in_rows_keep_the_format_of_their_fields() {
    let cell = "<w:p><w:r><w:t>{{#items}}</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>{{a}}</w:t></w:r></w:p>";
    let merge = "<w:p><w:fldSimple w:instr=\" MERGEFIELD b \\# 0.00 \"><w:r><w:t>«b»</w:t></w:r></w:fldSimple><w:r><w:t>{{/items}}</w:t></w:r></w:p>";
    let control = "<w:p><w:sdt><w:sdtPr><w:id w:val=\"7\"/><w:tag w:val=\"c\"/><w:text/></w:sdtPr><w:sdtContent><w:r><w:t>old</w:t></w:r></w:sdtContent></w:sdt></w:p>";
    let body = table(&[row(&[cell, control, merge])]);
    let json = r#"{"items": [{"a": 1, "b": 2, "c": "x"}, {"a": 3, "b": 4, "c": "y"}]}"#;
    let package = filled(&open(&body), json);
    assert_eq!(shown(&package), "[1; x; 2.00 | 3; y; 4.00]");
    assert_eq!(xml(&package).matches("<w:rPr><w:b/></w:rPr>").count(), 2);
    assert!(codes(&body).is_empty());
}

#[test]
fn sections_in_headers_notes_and_text_boxes_are_filled() {
    let text_box = |inside: &str| {
        format!(
            "<w:p><w:r><mc:AlternateContent xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
             xmlns:wps=\"http://schemas.microsoft.com/office/word/2010/wordprocessingShape\"><mc:Choice Requires=\"wps\"><w:drawing>\
             <wps:txbx><w:txbxContent>{inside}</w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict>\
             <w:txbxContent>{inside}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        )
    };
    let list = p("{{#l}}") + &p("<{{.}}>").replace("<{{.}}>", "&lt;{{.}}&gt;") + &p("{{/l}}");
    let mut document = DocumentBuilder::new(&(text_box(&list) + &p("body")));
    document.add_related_part("header", "hdr", "header1.xml", &list);
    let package = Package::open(&document.to_bytes()).unwrap();
    let filled = filled(&package, r#"{"l": ["1", "2"]}"#);
    assert_eq!(xml(&filled).matches("&lt;1&gt;").count(), 2, "choice and fallback");
    assert_eq!(xml(&filled).matches("&lt;2&gt;").count(), 2);
    let header = filled.part_text("word/header1.xml").unwrap();
    assert_eq!((header.matches("&lt;1&gt;").count(), header.matches("<w:p>").count()), (1, 2));
    assert!(!xml(&filled).contains("{{"));
}

#[test]
fn each_row_has_its_own_footnote() {
    let reference = |id: usize| format!("<w:r><w:footnoteReference w:id=\"{id}\"/></w:r>");
    let cell = format!("<w:p><w:r><w:t>{{{{#items}}}}{{{{a}}}}</w:t></w:r>{}</w:p>", reference(2));
    let body = table(&[row(&[&cell, "{{/items}}"])]) + &format!("<w:p><w:r><w:t>x</w:t></w:r>{}</w:p>", reference(3));
    let note = |id: usize, text: &str| format!("<w:footnote w:id=\"{id}\">{}</w:footnote>", p(text));
    let mut document = DocumentBuilder::new(&body);
    let notes = note(2, "Note {{b}} on {{a}}{{#items}} {{a}}{{/items}}") + &note(3, "Other {{total}}");
    document.add_related_part("footnotes", "footnotes", "footnotes.xml", &notes);
    let package = Package::open(&document.to_bytes()).unwrap();
    let structure = fields::structure(&package, &fields::DeclaredTypes::new()).unwrap();
    assert_eq!(sections::shown_fields(&structure.0), "items[a, b], total");
    let json = r#"{"items": [{"a": 1, "b": 2}, {"a": 3, "b": 4}, {"a": 5, "b": 6}], "total": 9}"#;
    let filled = filled(&package, json);
    let text = filled.part_text("word/footnotes.xml").unwrap();
    let notes: Vec<String> = text
        .split("<w:footnote ")
        .skip(1)
        .map(|note| {
            let id = note.split('"').nth(1).unwrap();
            let words: String = note
                .split("<w:t")
                .skip(1)
                .filter_map(|piece| piece.split_once('>'))
                .map(|(_, rest)| rest.split('<').next().unwrap())
                .collect();
            format!("{id}: {words}")
        })
        .collect();
    assert_eq!(notes, ["2: Note 2 on 1 1 3 5", "4: Note 4 on 3 1 3 5", "5: Note 6 on 5 1 3 5", "3: Other 9"]);
    let body = xml(&filled);
    let references: Vec<&str> =
        body.split("footnoteReference w:id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(references, ["2", "4", "5", "3"]);
}

#[test]
fn ids_in_copies_are_unique() {
    let cell = "<w:p w14:paraId=\"0000000A\" w14:textId=\"77777777\" xmlns:w14=\"http://schemas.microsoft.com/office/word/2010/wordml\">\
                <w:bookmarkStart w:id=\"0\" w:name=\"mark\"/><w:commentRangeStart w:id=\"5\"/><w:r><w:t>{{#items}}{{a}}</w:t></w:r>\
                <w:commentRangeEnd w:id=\"5\"/><w:r><w:commentReference w:id=\"5\"/></w:r><w:bookmarkEnd w:id=\"0\"/>\
                <w:r><w:drawing><wp:inline xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\">\
                <wp:docPr id=\"3\" name=\"Picture\"/></wp:inline></w:drawing></w:r></w:p>";
    let body = table(&[row(&[cell, "{{b}}{{/items}}"])]);
    let text = xml(&filled(&open(&body), ITEMS));
    for once in [
        "w14:paraId=",
        "w14:textId=",
        "w:bookmarkStart ",
        "w:bookmarkEnd ",
        "commentRangeStart",
        "commentRangeEnd",
        "commentReference",
        "docPr id=\"3\"",
    ] {
        assert_eq!(text.matches(once).count(), 1, "{once}: {text}");
    }
    assert_eq!(text.matches("docPr id=").count(), 2);
}

#[test]
fn a_bookmark_that_ends_outside_a_removed_section_is_removed() {
    let body = p("a")
        + &p("{{#x}}")
        + "<w:p><w:bookmarkStart w:id=\"1\" w:name=\"m\"/><w:r><w:t>b</w:t></w:r></w:p>"
        + &p("{{/x}}")
        + "<w:p><w:r><w:t>c</w:t></w:r><w:bookmarkEnd w:id=\"1\"/></w:p>";
    let kept = xml(&filled(&open(&body), r#"{"x": true}"#));
    assert_eq!((kept.matches("bookmarkStart").count(), kept.matches("bookmarkEnd").count()), (1, 1));
    let removed = xml(&filled(&open(&body), r#"{"x": false}"#));
    assert_eq!((removed.matches("bookmarkStart").count(), removed.matches("bookmarkEnd").count()), (0, 0));
}

#[test]
fn a_section_break_in_a_tag_paragraph_stays() {
    let tag = "<w:p><w:pPr><w:sectPr><w:pgSz w:w=\"9000\" w:h=\"9000\"/></w:sectPr></w:pPr><w:r><w:t>{{/x}}</w:t></w:r></w:p>";
    let body = p("{{#x}}") + &p("a") + tag + &p("b");
    let text = xml(&filled(&open(&body), r#"{"x": false}"#));
    assert!(text.contains("<w:sectPr>") && !text.contains("{{"), "{text}");
}

#[test]
fn rows_keep_their_properties_and_merged_cells() {
    let header = "<w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc><w:p/></w:tc></w:tr>";
    let merged = "<w:tr><w:trPr><w:cantSplit/></w:trPr><w:tc><w:tcPr><w:gridSpan w:val=\"2\"/></w:tcPr><w:p><w:r><w:t>{{#items}}{{a}}</w:t></w:r></w:p></w:tc>\
                  <w:tc><w:tcPr><w:vMerge/></w:tcPr><w:p><w:r><w:t>{{b}}{{/items}}</w:t></w:r></w:p></w:tc></w:tr>";
    let body = format!("<w:tbl><w:tblPr><w:bidiVisual/></w:tblPr><w:tblGrid/>{header}{merged}</w:tbl>");
    let text = xml(&filled(&open(&body), ITEMS));
    for (part, count) in [("tblHeader", 1), ("cantSplit", 2), ("gridSpan", 2), ("vMerge", 2), ("bidiVisual", 1)] {
        assert_eq!(text.matches(part).count(), count, "{part}");
    }
}

#[test]
fn content_controls_around_rows_stay_around_them() {
    let one = row(&["{{#items}}{{a}}", "{{/items}}"]);
    let body = format!(
        "<w:tbl><w:tblPr/><w:tblGrid/><w:sdt><w:sdtPr><w:id w:val=\"9\"/></w:sdtPr><w:sdtContent>{one}</w:sdtContent></w:sdt></w:tbl>{}",
        p("")
    );
    assert_eq!(fill(&body, ONLY_A), "[1;  | 3; ] / ");
}

#[test]
fn marked_values_have_their_rows_and_columns() {
    let body = p("{{title}}") + &table(&[row(&["{{#items}}{{a}}", "{{title}}{{b}}{{/items}}"])]);
    let template = Template::scan(open(&body)).unwrap();
    assert_eq!(template.fields().iter().map(|field| field.name.as_str()).collect::<Vec<_>>(), ["title", "items"]);
    let fill = |json: &str| {
        template.fill_marked(&values(json), FillOptions::default(), &waraq_docx::Budget::default()).unwrap()
    };
    let (_, places) = fill(r#"{"title": "t", "items": [{"a": 1, "b": 2}, {"a": 3, "b": 4}]}"#);
    let shown: Vec<String> =
        places.iter().map(|place| format!("{} {:?} {}", place.field, place.rows, place.columns.join("."))).collect();
    assert_eq!(shown, ["0 [] ", "1 [] ", "1 [0] a", "1 [0] b", "1 [1] a", "1 [1] b"]);
    // The second filling uses the same expansion, and the third one a new one.
    let text = |json: &str| sections::shown(&fill(json).0);
    assert!(text(r#"{"title": "t", "items": [{"a": "ä", "b": 2}, {"a": 3, "b": 4}]}"#).contains('ä'));
    assert_eq!(text(r#"{"title": "t", "items": [{"a": "ö", "b": 2}]}"#).matches('|').count(), 0);
}
