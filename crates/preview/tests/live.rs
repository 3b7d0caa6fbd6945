//! Documents laid out as in a browser. Fonts are added one by one, and pages must equal those of the PDF. Also checks
//! the positions of values and the reading order of text.

use std::collections::BTreeMap;

use skrifa::{FontRef, MetadataProvider};
use waraq_engine::{EmptyValue, FillOptions, Setting, Values};
use waraq_layout::{Item, Pages, Placed};
use waraq_preview::drawing::{self, Keys};
use waraq_preview::text::{Node, Role};
use waraq_preview::{Blank, DocumentId, Engine, Outcome, Request};

/// Lays out a document and adds the fonts that it needs. Returns the outcome and the names of the added font files.
fn set(engine: &mut Engine, document: DocumentId, request: &Request) -> (Outcome, Vec<&'static str>) {
    let mut asked = Vec::new();
    loop {
        match engine.set(document, request).unwrap() {
            Outcome::Fonts { files } => {
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

fn filled(fields: &[String], value: &dyn Fn(&str) -> String) -> Request {
    let values = fields.iter().map(|field| (field.clone(), value(field))).collect();
    Request { values: Some(values), now: 1_790_000_000, ..Request::default() }
}

fn blanks(outcome: &Outcome) -> &[Blank] {
    let Outcome::Pages { blanks, .. } = outcome else { panic!("{outcome:?}") };
    blanks
}

/// Returns the pages that the server lays out for the same request.
fn by_the_server(docx: &[u8], request: &Request) -> Pages {
    let mut package = waraq_engine::open(docx).unwrap();
    if let Some(values) = &request.values {
        let empty = if request.blank { EmptyValue::Blank } else { EmptyValue::DottedLine };
        let values = Values::from_pairs(values.iter().map(|(name, value)| (name, value.clone()))).unwrap();
        package = waraq_engine::fill(&package, &values, FillOptions { empty }).unwrap();
    }
    waraq_engine::pages(&package, &Setting { now: request.now, ..Setting::default() }).unwrap()
}

/// Returns the keys that the browser's engine gives to the product's fonts.
fn keys(pages: &Pages) -> Keys {
    let number = |data: &[u8]| waraq_fonts::files().iter().position(|file| std::ptr::eq(file.data, data)).unwrap();
    let fonts = pages.fonts.iter().map(|font| (number((*font.data).as_ref()), font.units_per_em)).collect();
    Keys { fonts, images: (0..pages.images.len()).collect() }
}

fn assert_same(engine: &mut Engine, document: DocumentId, server: &Pages, what: &str) {
    assert_eq!(engine.pages(document).unwrap().pages.len(), server.pages.len(), "{what}: pages");
    let keys = keys(server);
    for (at, page) in server.pages.iter().enumerate() {
        let own = engine.drawing(document, at).unwrap();
        assert!(own == drawing::of(server, page, &keys), "{what}: page {} is drawn otherwise", at + 1);
    }
}

#[test]
fn pages_are_the_server_s_to_the_glyph_with_values_marked_or_not() {
    let mut engine = Engine::default();
    for template in waraq_catalogue::templates() {
        let document = engine.open(template.docx.clone()).unwrap();
        let fields = engine.fields(document).to_vec();
        let requests = [
            Request { now: 1_790_000_000, ..Request::default() },
            filled(&fields, &|_| String::new()),
            Request { blank: true, ..filled(&fields, &|_| String::new()) },
            filled(&fields, &|field| format!("{field} 12 شركة الأفق\nZoé & fils\t(7)")),
        ];
        for (at, request) in requests.iter().enumerate() {
            let (outcome, _) = set(&mut engine, document, request);
            let server = by_the_server(&template.docx, request);
            assert_same(&mut engine, document, &server, &format!("{} {at}", template.slug));
            let places = blanks(&outcome);
            if at == 0 {
                assert_eq!(places, []);
                continue;
            }
            for (number, field) in fields.iter().enumerate() {
                let own = places.iter().filter(|blank| blank.field as usize == number);
                assert!(own.count() > 0, "{}: {field} has no place on the pages", template.slug);
            }
        }
        engine.close(document);
        assert_eq!(engine.drawing(document, 0), None);
    }
}

#[test]
fn a_changed_advance_is_another_drawing() {
    let template = waraq_catalogue::templates().into_iter().next().unwrap();
    let pages = by_the_server(&template.docx, &Request::default());
    let keys = keys(&pages);
    let before = drawing::of(&pages, &pages.pages[0], &keys);
    let mut changed = pages.clone();
    fn first(items: &mut [Placed]) -> bool {
        items.iter_mut().any(|placed| match &mut placed.item {
            Item::Glyphs(run) if run.glyphs.len() > 1 => {
                run.glyphs[0].advance += 0.01;
                true
            }
            Item::Group { items, .. } => first(items),
            _ => false,
        })
    }
    assert!(first(&mut changed.pages[0].items));
    assert_ne!(before, drawing::of(&changed, &changed.pages[0], &keys));
}

#[test]
fn a_latin_letter_asks_for_no_arabic_font_and_nothing_is_asked_for_twice() {
    let mut engine = Engine::default();
    let letter = waraq_catalogue::templates().into_iter().find(|template| template.language == "en").unwrap();
    let document = engine.open(letter.docx).unwrap();
    let request = Request::default();
    let (_, asked) = set(&mut engine, document, &request);
    assert!(!asked.is_empty() && asked.len() <= 4, "{asked:?}");
    let foreign =
        |file: &&&str| ["Amiri", "Arabic", "Hebrew", "Math", "Symbols"].iter().any(|name| file.contains(name));
    assert_eq!(asked.iter().find(foreign), None);
    assert_eq!(set(&mut engine, document, &request).1, Vec::<&str>::new());
    // for a letter that these fonts lack, only fonts with that letter are requested
    let fields = engine.fields(document).to_vec();
    let (_, more) = set(&mut engine, document, &filled(&fields, &|_| "السلام".into()));
    assert!(more.iter().any(|file| file.contains("Arabic")) && more.len() <= 4, "{more:?}");
    // for a character that no font has, no font is requested
    let (_, none) = set(&mut engine, document, &filled(&fields, &|_| "漢".into()));
    assert!(none.len() <= 1, "{none:?}");
}

#[test]
fn what_a_font_covers_is_known_without_it() {
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
fn values_are_where_they_are_drawn_in_both_directions() {
    let mut engine = Engine::default();
    for language in ["en", "ar"] {
        let template = waraq_catalogue::templates().into_iter().find(|template| template.language == language).unwrap();
        let document = engine.open(template.docx).unwrap();
        let fields = engine.fields(document).to_vec();
        let value = if language == "ar" { "ققققققققق" } else { "QQQQQQQQQ" };
        let (outcome, _) = set(&mut engine, document, &filled(&fields, &|_| value.into()));
        let mut seen = 0;
        for page in 0..engine.pages(document).unwrap().pages.len() {
            let on_page: Vec<&Blank> = blanks(&outcome).iter().filter(|blank| blank.page == page).collect();
            let mut check = |text: &waraq_preview::text::Text| {
                if text.text.contains(value) && text.text.trim() == value {
                    seen += 1;
                    let middle = text.x + text.width / 2.0;
                    let holds = |blank: &&Blank| {
                        (blank.x..blank.x + blank.width).contains(&middle)
                            && (blank.y..blank.y + blank.height).contains(&text.y)
                    };
                    assert!(on_page.iter().copied().any(|blank| holds(&blank)), "{language} {text:?} {on_page:?}");
                }
            };
            let text = engine.text(document, page).unwrap();
            each(&text.body, &mut check);
        }
        assert!(seen > 0, "{language}: no value stands alone");
    }
}

fn each(nodes: &[Node], visit: &mut dyn FnMut(&waraq_preview::text::Text)) {
    for node in nodes {
        match node {
            Node::Text(text) => visit(text),
            Node::Link { content, .. } | Node::Element { content, .. } => each(content, visit),
        }
    }
}

fn read_aloud(nodes: &[Node]) -> String {
    let mut all = String::new();
    each(nodes, &mut |text| {
        if text.apart {
            all.push(' ');
        }
        all.push_str(&text.text);
    });
    all
}

#[test]
fn text_is_read_in_logical_order_also_where_directions_mix() {
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
    let document = engine.open(waraq_docx::build::Document::new(body).to_bytes()).unwrap();
    set(&mut engine, document, &Request::default());
    let text = engine.text(document, 0).unwrap();
    let said: Vec<String> = text.body.iter().map(|node| read_aloud(std::slice::from_ref(node))).collect();
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
    let document = engine.open(waraq_docx::build::Document::new(&nested).to_bytes()).unwrap();
    set(&mut engine, document, &Request::default());
    let mut drawn = 0;
    for (at, page) in engine.pages(document).unwrap().pages.iter().enumerate() {
        let text = engine.text(document, at).unwrap();
        let read = read_aloud(&text.body);
        for placed in &page.items {
            if let Item::Glyphs(run) = &placed.item {
                assert!(read.contains(&*run.text), "{} is not in {read}", run.text);
                drawn += 1;
            }
        }
    }
    // each table is three elements, and the tree of the text has at most 60 levels
    assert!(drawn > 20, "{drawn} levels are drawn");
}

#[test]
fn headings_leave_no_level_out_for_who_hears_them() {
    let heading = |level: u8| {
        format!("<w:p><w:pPr><w:outlineLvl w:val=\"{}\"/></w:pPr><w:r><w:t>{level}</w:t></w:r></w:p>", level - 1)
    };
    // on two pages: the level of a heading depends on the headings of earlier pages
    let body: String =
        [2, 4, 3, 2].map(heading).concat() + "<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>" + &heading(5);
    let mut engine = Engine::default();
    let document = engine.open(waraq_docx::build::Document::new(&body).to_bytes()).unwrap();
    set(&mut engine, document, &Request::default());
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
fn what_cannot_be_set_is_refused_with_its_code_and_leaves_the_pages() {
    let mut engine = Engine::default();
    assert_eq!(engine.open(b"no archive".to_vec()).unwrap_err().code, waraq_rules::ErrorCode::NotAZip);
    let template = waraq_catalogue::templates().into_iter().next().unwrap();
    let document = engine.open(template.docx).unwrap();
    let fields = engine.fields(document).to_vec();
    set(&mut engine, document, &Request::default());
    let before = engine.drawing(document, 0);
    let refused = engine.set(document, &filled(&fields, &|_| "\u{1}".into())).unwrap_err();
    assert!(!refused.fields.is_empty());
    assert_eq!(engine.drawing(document, 0), before);
    let unknown = Request { values: Some(BTreeMap::from([("nobody".into(), "x".into())])), ..Request::default() };
    assert!(engine.set(document, &unknown).is_ok(), "the form knows its fields; others are left out");
}
