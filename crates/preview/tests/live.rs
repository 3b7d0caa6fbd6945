//! Documents laid out as in a browser. Fonts are added one by one, and pages must equal those of the PDF. Also checks
//! the positions of values and the reading order of text.

use std::collections::BTreeMap;

use skrifa::{FontRef, MetadataProvider};
use waraq_engine::{EmptyValue, FillOptions, LayoutOptions, Values};
use waraq_layout::{DisplayItem, Pages, TaggedItem};
use waraq_preview::drawing::{self, DrawingKeys};
use waraq_preview::text::{Node, Role};
use waraq_preview::{DocumentId, Engine, LayoutOutcome, LayoutRequest, ValueArea};
use waraq_rules::{FieldType, Row, Structure, StructuredField, Value};

/// Lays out a document and adds the fonts that it needs. Returns the outcome and the names of the added font files.
fn lay_out_with_fonts(
    engine: &mut Engine,
    document: DocumentId,
    request: &LayoutRequest,
) -> (LayoutOutcome, Vec<&'static str>) {
    let mut asked = Vec::new();
    loop {
        match engine.lay_out(document, request).unwrap() {
            LayoutOutcome::Fonts { files } => {
                for file in files {
                    assert!(!asked.contains(&file), "{file} is asked for twice");
                    asked.push(file);
                    let at = waraq_fonts::faces().iter().position(|face| face.file == file).unwrap();
                    assert!(engine.add_font(file, waraq_fonts::files()[at].data.to_vec()));
                }
            }
            outcome => return (outcome, asked),
        }
    }
}

/// Returns a request with a text for each field. Each answer to a yes/no field is yes, and each list has two rows.
fn filled_request(structure: &Structure, value: &dyn Fn(&str) -> String) -> LayoutRequest {
    let values = Some(filled_row(&structure.0, value));
    LayoutRequest { values, now: 1_790_000_000, ..LayoutRequest::default() }
}

fn filled_row(fields: &[StructuredField], value: &dyn Fn(&str) -> String) -> Row {
    let value = |field: &StructuredField| match field.field_type {
        FieldType::List => Value::List(vec![filled_row(&field.columns, value); 2]),
        FieldType::YesNo => Value::YesNo(true),
        _ => Value::from(value(&field.name)),
    };
    fields.iter().map(|field| (field.name.clone(), value(field))).collect()
}

fn blanks(outcome: &LayoutOutcome) -> &[ValueArea] {
    let LayoutOutcome::Pages { blanks, .. } = outcome else { panic!("{outcome:?}") };
    blanks
}

/// Returns the pages that the server lays out for the same request.
fn server_pages(docx: &[u8], request: &LayoutRequest) -> Pages {
    let mut package = waraq_engine::open(docx).unwrap();
    if let Some(values) = &request.values {
        let empty = if request.blank { EmptyValue::Blank } else { EmptyValue::DottedLine };
        let values = Values::from_pairs(values.iter().map(|(name, value)| (name, value.clone()))).unwrap();
        let country = request.country.as_deref();
        package =
            waraq_engine::fill(&package, &values, FillOptions { empty, country, ..FillOptions::default() }).unwrap();
    }
    let (now, country) = (request.now, request.country.clone());
    waraq_engine::lay_out(&package, &LayoutOptions { now, country, ..LayoutOptions::default() }).unwrap()
}

/// Returns the keys that the browser's engine gives to the product's fonts.
fn keys(pages: &Pages) -> DrawingKeys {
    let number = |data: &[u8]| waraq_fonts::files().iter().position(|file| std::ptr::eq(file.data, data)).unwrap();
    let fonts = pages.fonts.iter().map(|font| (number((*font.data).as_ref()), font.units_per_em)).collect();
    DrawingKeys { fonts, images: (0..pages.images.len()).collect() }
}

fn assert_same_drawings(engine: &mut Engine, document: DocumentId, server: &Pages, what: &str) {
    assert_eq!(engine.pages(document).unwrap().pages.len(), server.pages.len(), "{what}: pages");
    let keys = keys(server);
    for (at, page) in server.pages.iter().enumerate() {
        let own = engine.drawing(document, at).unwrap();
        assert!(own == drawing::page_drawing(server, page, &keys), "{what}: page {} is drawn otherwise", at + 1);
    }
}

#[test]
fn pages_equal_those_of_the_server() {
    let mut engine = Engine::default();
    for template in waraq_catalogue::templates() {
        let document = engine.open(template.docx.clone()).unwrap();
        let (structure, declared) = (engine.structure(document), template.declared_types());
        let requests = [
            LayoutRequest { now: 1_790_000_000, ..LayoutRequest::default() },
            filled_request(&structure, &|_| String::new()),
            LayoutRequest { blank: true, ..filled_request(&structure, &|_| String::new()) },
            filled_request(&structure, &|field| format!("{field} 12 شركة الأفق\nZoé & fils\t(7)")),
        ];
        for (at, request) in requests.iter().enumerate() {
            let (outcome, _) = lay_out_with_fonts(&mut engine, document, request);
            let server = server_pages(&template.docx, request);
            assert_same_drawings(&mut engine, document, &server, &format!("{} {at}", template.slug));
            let places = blanks(&outcome);
            if at == 0 {
                assert_eq!(places, []);
                continue;
            }
            for (number, field) in structure.0.iter().enumerate() {
                // Yes/no fields have no value on the pages, and a logo without a picture is left out.
                let is_picture = declared.get(&field.name).is_some_and(|one| one.field_type == FieldType::Picture);
                if field.field_type == FieldType::YesNo || is_picture {
                    continue;
                }
                let own = places.iter().filter(|blank| blank.field as usize == number);
                assert!(own.count() > 0, "{}: {} is not on the pages", template.slug, field.name);
            }
        }
        engine.close(document);
        assert_eq!(engine.drawing(document, 0), None);
    }
}

/// The values in the browser's document have marks around them. Fields must not see these marks.
#[test]
fn pages_with_computed_fields_equal_those_of_the_server() {
    let code = |code: &str| {
        let part = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
        let (begin, separate, end) = (part("begin"), part("separate"), part("end"));
        let code = code.replace('"', "&quot;");
        format!(
            "{begin}<w:r><w:instrText xml:space=\"preserve\"> {code} </w:instrText></w:r>{separate}<w:r><w:t>OLD</w:t></w:r>{end}"
        )
    };
    let run = |style: &str, text: &str| {
        format!("<w:r><w:rPr><w:rStyle w:val=\"{style}\"/></w:rPr><w:t xml:space=\"preserve\">{text}</w:t></w:r>")
    };
    let cell = |content: &str| format!("<w:tc><w:p>{content}</w:p></w:tc>");
    let marked = format!("<w:bookmarkStart w:id=\"1\" w:name=\"b\"/>{}<w:bookmarkEnd w:id=\"1\"/>", run("", "{{b}}"));
    let body = [
        format!("<w:p>{}{}</w:p>", run("Entry", "Mr {{a}} "), run("Entry", "and {{b}} of {{a}}")),
        format!(
            "<w:p>{marked} {} {}</w:p>",
            code("REF b \\* Upper"),
            code("IF \"{{b}}\" = \"\" \"none\" \"some {{b}}\"")
        ),
        "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>".to_owned(),
        format!(
            "<w:tbl><w:tr>{}{}</w:tr></w:tbl>",
            cell(&run("", "{{b}}")),
            cell(&code("=SUM(LEFT) \\# \"#,##0.00\""))
        ),
        format!("<w:p>{} {} {}</w:p>", code("DATE"), code("NUMPAGES"), code("NUMWORDS")),
    ]
    .concat();
    let header = format!("<w:p>{} {}</w:p>", code("STYLEREF \"Entry Word\""), code("PAGE"));
    let styles = "<w:style w:type=\"character\" w:styleId=\"Entry\"><w:name w:val=\"Entry Word\"/></w:style>";
    let mut builder = waraq_docx::build::DocumentBuilder::new("");
    let id = builder.add_related_part("header", "hdr", "header1.xml", &header);
    builder.add_related_part("styles", "styles", "styles.xml", styles);
    let section = format!("<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{id}\"/></w:sectPr>");
    let main = waraq_docx::build::DocumentBuilder::new(&format!("{body}{section}")).parts();
    let main = main.into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1;
    let docx = builder.with_part("word/document.xml", main).to_bytes();
    let mut engine = Engine::default();
    let document = engine.open(docx.clone()).unwrap();
    let structure = engine.structure(document);
    for (value, country, shown) in [
        ("1250.5", Some("MA"), "Mr 1250.5 and 1250.5 of 1250.5"),
        ("Zoé", Some("US"), "Mr Zoé and Zoé of Zoé"),
        ("أحمد", None, "أحمد"),
        ("", None, "Mr"),
    ] {
        let country = country.map(str::to_owned);
        let request = LayoutRequest { country, ..filled_request(&structure, &|_| value.to_owned()) };
        lay_out_with_fonts(&mut engine, document, &request);
        let server = server_pages(&docx, &request);
        assert_same_drawings(&mut engine, document, &server, value);
        let second: String = server.pages[1].items.iter().filter_map(glyphs).collect();
        assert!(second.contains(shown) && !second.contains("OLD"), "{second}");
    }
}

fn glyphs(placed: &TaggedItem) -> Option<&str> {
    if let DisplayItem::Glyphs(run) = &placed.item { Some(&run.text) } else { None }
}

#[test]
fn a_changed_advance_changes_the_drawing() {
    let template = waraq_catalogue::templates().into_iter().next().unwrap();
    let pages = server_pages(&template.docx, &LayoutRequest::default());
    let keys = keys(&pages);
    let before = drawing::page_drawing(&pages, &pages.pages[0], &keys);
    let mut changed = pages.clone();
    fn first(items: &mut [TaggedItem]) -> bool {
        items.iter_mut().any(|placed| match &mut placed.item {
            DisplayItem::Glyphs(run) if run.glyphs.len() > 1 => {
                run.glyphs[0].advance += 0.01;
                true
            }
            DisplayItem::Group { items, .. } => first(items),
            _ => false,
        })
    }
    assert!(first(&mut changed.pages[0].items));
    assert_ne!(before, drawing::page_drawing(&changed, &changed.pages[0], &keys));
}

#[test]
fn only_fonts_with_needed_letters_are_requested_and_each_once() {
    let mut engine = Engine::default();
    let letter = waraq_catalogue::templates().into_iter().find(|template| template.language == "en").unwrap();
    let document = engine.open(letter.docx).unwrap();
    let request = LayoutRequest::default();
    let (_, asked) = lay_out_with_fonts(&mut engine, document, &request);
    assert!(!asked.is_empty() && asked.len() <= 4, "{asked:?}");
    let foreign =
        |file: &&&str| ["Amiri", "Arabic", "Hebrew", "Math", "Symbols"].iter().any(|name| file.contains(name));
    assert_eq!(asked.iter().find(foreign), None);
    assert_eq!(lay_out_with_fonts(&mut engine, document, &request).1, Vec::<&str>::new());
    // for a letter that these fonts lack, only fonts with that letter are requested
    let structure = engine.structure(document);
    let (_, more) = lay_out_with_fonts(&mut engine, document, &filled_request(&structure, &|_| "السلام".into()));
    assert!(more.iter().any(|file| file.contains("Arabic")) && more.len() <= 4, "{more:?}");
    // for a character that no font has, no font is requested
    let (_, none) = lay_out_with_fonts(&mut engine, document, &filled_request(&structure, &|_| "漢".into()));
    assert!(none.len() <= 1, "{none:?}");
}

#[test]
fn the_character_lists_match_the_font_files() {
    let files = waraq_fonts::files();
    assert_eq!(waraq_fonts::faces().len(), files.len());
    for (face, file) in waraq_fonts::faces().iter().zip(files) {
        assert_eq!((face.family, face.bold, face.italic), (file.family, file.bold, file.italic));
        let charmap = FontRef::new(file.data).unwrap().charmap();
        let mut known = Vec::new();
        for &(first, last) in face.covers {
            assert!(known.last().is_none_or(|before| *before < first), "{}", face.file);
            known.extend(first..=last);
        }
        let has: Vec<u32> = (0..0x2_FFFF).filter(|&code| charmap.map(code).is_some()).collect();
        let known: Vec<u32> = known.into_iter().filter(|code| *code < 0x2_FFFF).collect();
        assert_eq!(known, has, "{}", face.file);
    }
}

#[test]
fn value_areas_surround_the_drawn_values_in_both_directions() {
    let mut engine = Engine::default();
    for language in ["en", "ar"] {
        let template = waraq_catalogue::templates().into_iter().find(|template| template.language == language).unwrap();
        let document = engine.open(template.docx).unwrap();
        let structure = engine.structure(document);
        let value = if language == "ar" { "ققققققققق" } else { "QQQQQQQQQ" };
        let (outcome, _) = lay_out_with_fonts(&mut engine, document, &filled_request(&structure, &|_| value.into()));
        let mut seen = 0;
        for page in 0..engine.pages(document).unwrap().pages.len() {
            let on_page: Vec<&ValueArea> = blanks(&outcome).iter().filter(|blank| blank.page == page).collect();
            let mut check = |text: &waraq_preview::text::Text| {
                if text.text.contains(value) && text.text.trim() == value {
                    seen += 1;
                    let middle = text.x + text.width / 2.0;
                    let holds = |blank: &&ValueArea| {
                        (blank.x..blank.x + blank.width).contains(&middle)
                            && (blank.y..blank.y + blank.height).contains(&text.y)
                    };
                    assert!(on_page.iter().copied().any(|blank| holds(&blank)), "{language} {text:?} {on_page:?}");
                }
            };
            let text = engine.text(document, page).unwrap();
            visit_texts(&text.body, &mut check);
        }
        assert!(seen > 0, "{language}: no value is a text of its own");
    }
}

fn visit_texts(nodes: &[Node], visit: &mut dyn FnMut(&waraq_preview::text::Text)) {
    for node in nodes {
        match node {
            Node::Text(text) => visit(text),
            Node::Link { content, .. } | Node::Element { content, .. } => visit_texts(content, visit),
        }
    }
}

fn text_of_nodes(nodes: &[Node]) -> String {
    let mut all = String::new();
    visit_texts(nodes, &mut |text| {
        if text.apart {
            all.push(' ');
        }
        all.push_str(&text.text);
    });
    all
}

#[test]
fn text_of_mixed_directions_is_read_in_logical_order() {
    let body = "<w:p><w:pPr><w:bidi/></w:pPr>\
        <w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space=\"preserve\">العقد رقم </w:t></w:r>\
        <w:r><w:t>AB-12</w:t></w:r>\
        <w:r><w:rPr><w:rtl/></w:rPr><w:t xml:space=\"preserve\"> بين الطرفين</w:t></w:r></w:p>\
        <w:p><w:pPr><w:pStyle w:val=\"Heading1\"/><w:outlineLvl w:val=\"1\"/></w:pPr><w:r><w:t>One</w:t></w:r>\
        <w:r><w:tab/></w:r><w:r><w:t>Two</w:t></w:r></w:p>\
        <w:tbl><w:tblGrid><w:gridCol w:w=\"3000\"/><w:gridCol w:w=\"3000\"/></w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr>\
        <w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr><w:tr>\
        <w:tc><w:p><w:r><w:t>c</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>d</w:t></w:r></w:p></w:tc></w:tr></w:tbl>";
    let mut engine = Engine::default();
    let document = engine.open(waraq_docx::build::DocumentBuilder::new(body).to_bytes()).unwrap();
    lay_out_with_fonts(&mut engine, document, &LayoutRequest::default());
    let text = engine.text(document, 0).unwrap();
    let said: Vec<String> = text.body.iter().map(|node| text_of_nodes(std::slice::from_ref(node))).collect();
    assert_eq!(said, ["العقد رقم AB-12 بين الطرفين", "One Two", "abcd"]);
    let roles: Vec<Option<&Role>> =
        text.body.iter().map(|node| if let Node::Element { role, .. } = node { Some(role) } else { None }).collect();
    assert_eq!(roles, [Some(&Role::Paragraph), Some(&Role::Heading { level: 1 }), Some(&Role::Table)]);
}

#[test]
fn text_of_tables_inside_many_tables_is_kept() {
    let nested = (0..30).rev().fold(String::new(), |inner, level| {
        format!(
            "<w:tbl><w:tblGrid><w:gridCol w:w=\"9000\"/></w:tblGrid><w:tr><w:trPr><w:tblHeader/></w:trPr><w:tc>\
             <w:p><w:r><w:t>level{level}</w:t></w:r></w:p>{inner}<w:p/></w:tc></w:tr></w:tbl>"
        )
    });
    let mut engine = Engine::default();
    let document = engine.open(waraq_docx::build::DocumentBuilder::new(&nested).to_bytes()).unwrap();
    lay_out_with_fonts(&mut engine, document, &LayoutRequest::default());
    let mut drawn = 0;
    for (at, page) in engine.pages(document).unwrap().pages.iter().enumerate() {
        let text = engine.text(document, at).unwrap();
        let read = text_of_nodes(&text.body);
        for placed in &page.items {
            if let DisplayItem::Glyphs(run) = &placed.item {
                assert!(read.contains(&*run.text), "{} is not in {read}", run.text);
                drawn += 1;
            }
        }
    }
    // each table is three elements, and the tree of the text has at most 60 levels
    assert!(drawn > 20, "{drawn} levels are drawn");
}

#[test]
fn heading_levels_have_no_gaps() {
    let heading = |level: u8| {
        format!("<w:p><w:pPr><w:outlineLvl w:val=\"{}\"/></w:pPr><w:r><w:t>{level}</w:t></w:r></w:p>", level - 1)
    };
    // on two pages: the level of a heading depends on the headings of earlier pages
    let body: String =
        [2, 4, 3, 2].map(heading).concat() + "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>" + &heading(5);
    let mut engine = Engine::default();
    let document = engine.open(waraq_docx::build::DocumentBuilder::new(&body).to_bytes()).unwrap();
    lay_out_with_fonts(&mut engine, document, &LayoutRequest::default());
    let levels = |page| -> Vec<u8> {
        let level = |node: &Node| match node {
            Node::Element { role: Role::Heading { level }, .. } => Some(*level),
            _ => None,
        };
        engine.text(document, page).unwrap().body.iter().filter_map(level).collect()
    };
    assert_eq!([levels(0), levels(1)], [vec![1, 2, 2, 1], vec![2]]);
}

#[test]
fn a_refused_request_returns_its_code_and_keeps_the_pages() {
    let mut engine = Engine::default();
    assert_eq!(engine.open(b"no archive".to_vec()).unwrap_err().code, waraq_rules::ErrorCode::NotAZip);
    let template = waraq_catalogue::templates().into_iter().next().unwrap();
    let document = engine.open(template.docx).unwrap();
    let structure = engine.structure(document);
    lay_out_with_fonts(&mut engine, document, &LayoutRequest::default());
    let before = engine.drawing(document, 0);
    let refused = engine.lay_out(document, &filled_request(&structure, &|_| "\u{1}".into())).unwrap_err();
    assert!(!refused.fields.is_empty());
    assert_eq!(engine.drawing(document, 0), before);
    let unknown =
        LayoutRequest { values: Some(BTreeMap::from([("nobody".into(), "x".into())])), ..LayoutRequest::default() };
    assert!(engine.lay_out(document, &unknown).is_ok(), "the form knows its fields; others are left out");
}
