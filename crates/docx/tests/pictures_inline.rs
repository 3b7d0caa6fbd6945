//! Pictures in the place of `{{name}}`: in paragraphs, cells, headers, notes, links, controls and merge fields.

mod pictures;

use pictures::*;
use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph, run};
use waraq_docx::fields::{self, EmptyValue, FillOptions, Values};
use waraq_docx::{ReadOptions, read};
use waraq_rules::{FieldType, MaxPictureSize, PictureSizes, Value};

/// A page of 21 cm with margins of 2 cm: the text column is 17 cm wide.
const SECTION: &str = "<w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1134\" w:right=\"1134\" w:bottom=\"1134\" \
                       w:left=\"1134\" w:header=\"0\" w:footer=\"0\" w:gutter=\"0\"/></w:sectPr>";

fn assert_millimetres(shown: &Shown, width: f32, height: f32) {
    let millimetres = |points: f32| points * 25.4 / 72.0;
    let (own_width, own_height) = (millimetres(shown.size.0), millimetres(shown.size.1));
    assert!((own_width - width).abs() < 0.1 && (own_height - height).abs() < 0.1, "{own_width} × {own_height} mm");
}

fn document(body: &str) -> DocumentBuilder {
    DocumentBuilder::new(&format!("{body}{SECTION}"))
}

#[test]
fn the_picture_takes_the_place_of_the_name() {
    let document = document(&paragraph("Signed {{by}}, in Rabat"));
    let filled = fill(&document, &[("by", FieldType::Signature, picture(96, 48, 1, "Zoé & “Ali”"))]);
    let shown = shown_pictures(&filled);
    assert_eq!((shown.len(), shown[0].description.as_str()), (1, "Zoé & “Ali”"));
    // 96 pixels are an inch.
    assert_millimetres(&shown[0], 25.4, 12.7);
    let text = text(&filled, "word/document.xml");
    let at = |what: &str| text.find(what).unwrap_or_else(|| panic!("{what}: {text}"));
    assert!(at("Signed ") < at("<w:drawing") && at("</w:drawing>") < at(", in Rabat"));
    assert!(!text.contains("{{"));
    assert!(fields::list(&filled).unwrap().is_empty());
}

#[test]
fn large_pictures_have_the_maximum_size() {
    let cases = [
        (FieldType::Picture, (2_000, 1_000), (80.0, 40.0)),
        (FieldType::Picture, (2_000, 200), (80.0, 8.0)),
        (FieldType::Picture, (200, 2_000), (4.0, 40.0)),
        (FieldType::Signature, (2_000, 1_000), (50.0, 25.0)),
        (FieldType::Signature, (2_000, 500), (60.0, 15.0)),
    ];
    for (kind, (width, height), expected) in cases {
        let filled = fill(&document(&paragraph("{{x}}")), &[("x", kind, picture(width, height, 1, ""))]);
        assert_millimetres(&shown_pictures(&filled)[0], expected.0, expected.1);
    }
}

#[test]
fn the_author_may_set_another_maximum() {
    let structure = structure(&[("x", FieldType::Picture)]);
    let sizes = PictureSizes([("x".to_owned(), MaxPictureSize { max_width: Some(300), max_height: Some(100) })].into());
    let options = FillOptions { structure: Some(&structure), picture_sizes: Some(&sizes), ..FillOptions::default() };
    let values = [("x", picture(2_000, 800, 1, ""))];
    // The text column of 170 mm is the limit, and then the height.
    assert_millimetres(&shown_pictures(&fill_with(&document(&paragraph("{{x}}")), &values, options))[0], 170.0, 68.0);
    let values = [("x", picture(1_000, 1_000, 1, ""))];
    assert_millimetres(&shown_pictures(&fill_with(&document(&paragraph("{{x}}")), &values, options))[0], 100.0, 100.0);
}

#[test]
fn pictures_are_not_wider_than_their_cell() {
    let cell = |width: u32| {
        format!("<w:tc><w:tcPr><w:tcW w:w=\"{width}\" w:type=\"dxa\"/></w:tcPr>{}</w:tc>", paragraph("{{x}}"))
    };
    // 20 mm and 200 mm. The margins of a cell take 1.9 mm on each side.
    let body = format!("<w:tbl><w:tr>{}{}</w:tr></w:tbl>{}", cell(1_134), cell(11_340), paragraph("end"));
    let filled = fill(&document(&body), &[("x", FieldType::Picture, picture(800, 400, 1, ""))]);
    let shown = shown_pictures(&filled);
    assert_millimetres(&shown[0], 16.2, 8.1);
    assert_millimetres(&shown[1], 80.0, 40.0);
}

#[test]
fn equal_pictures_are_stored_once() {
    let body = paragraph("{{a}} {{b}}") + &paragraph("{{a}}") + &paragraph("{{c}}");
    let values = [
        ("a", FieldType::Picture, picture(10, 10, 1, "A")),
        ("b", FieldType::Picture, picture(10, 10, 1, "B")),
        ("c", FieldType::Picture, picture(10, 10, 2, "C")),
    ];
    let filled = fill(&document(&body), &values);
    assert_eq!(media(&filled).len(), 2, "{:?}", media(&filled));
    let descriptions: Vec<String> = shown_pictures(&filled).into_iter().map(|shown| shown.description).collect();
    assert_eq!(descriptions, ["A", "B", "A", "C"]);
    let mut ids = drawing_ids(text(&filled, "word/document.xml"));
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!((count, ids.len()), (4, 4), "each drawing has a number of its own");
    let relationships = text(&filled, "word/_rels/document.xml.rels");
    assert_eq!(relationships.matches("/image\"").count(), 2, "{relationships}");
    // Filling is reproducible.
    assert_eq!(filled.to_bytes().unwrap(), fill(&document(&body), &values).to_bytes().unwrap());
}

#[test]
fn numbers_of_drawings_are_unique_in_all_parts() {
    let mut builder = DocumentBuilder::new("");
    let old = with_old_picture(&mut builder);
    let footnotes = format!("<w:footnote w:id=\"2\">{}</w:footnote>", paragraph("{{x}}"));
    builder.add_related_part("footnotes", "footnotes", "footnotes.xml", &footnotes);
    let header = builder.add_related_part("header", "hdr", "header1.xml", &paragraph("{{x}}"));
    let section =
        SECTION.replace("<w:sectPr>", &format!("<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{header}\"/>"));
    let body = format!(
        "<w:p><w:r>{}</w:r><w:r><w:footnoteReference w:id=\"2\"/></w:r>{}</w:p>{section}",
        frame(41, &old, "A tree", false),
        run("{{x}}")
    );
    let main = builder.parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1;
    let main = String::from_utf8(main).unwrap().replace("<w:body></w:body>", &format!("<w:body>{body}</w:body>"));
    let filled =
        fill(&builder.with_part("word/document.xml", main), &[("x", FieldType::Picture, picture(800, 8, 1, "X"))]);
    let mut ids: Vec<u32> = ["word/document.xml", "word/footnotes.xml", "word/header1.xml"]
        .iter()
        .flat_map(|part| drawing_ids(text(&filled, part)))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [41, 42, 43, 44]);
    let of_header = header_pictures(&filled);
    assert_eq!(of_header[0].description, "X");
    assert_millimetres(&of_header[0], 80.0, 0.8);
    let document = read(&filled, &ReadOptions::default()).unwrap();
    let mut of_note = Vec::new();
    collect(&document.footnotes.values().next().unwrap().blocks, &document, &mut of_note);
    assert_eq!(of_note[0].bytes, png(800, 8, 1));
    // One file, and one relationship in each part.
    assert_eq!(media(&filled).len(), 2);
    for part in ["document", "footnotes", "header1"] {
        let relationships = text(&filled, &format!("word/_rels/{part}.xml.rels"));
        assert_eq!(relationships.matches("media/value-").count(), 1, "{part}: {relationships}");
    }
}

#[test]
fn pictures_fill_links_controls_and_merge_fields() {
    let merge = "<w:p><w:r><w:fldChar w:fldCharType=\"begin\"/></w:r><w:r><w:instrText> MERGEFIELD x </w:instrText></w:r>\
                 <w:r><w:fldChar w:fldCharType=\"separate\"/></w:r><w:r><w:t>«x»</w:t></w:r><w:r><w:fldChar w:fldCharType=\"end\"/></w:r></w:p>";
    let simple = "<w:p><w:fldSimple w:instr=\" MERGEFIELD x \"/></w:p>";
    let control = |content: &str| {
        format!(
            "<w:p><w:sdt><w:sdtPr><w:tag w:val=\"x\"/><w:text/></w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt></w:p>"
        )
    };
    let cases = [
        ("split name", format!("<w:p>{}{}{}</w:p>", run("{{"), run("x"), run("}}"))),
        ("link", format!("<w:p><w:hyperlink w:anchor=\"top\">{}</w:hyperlink></w:p>", run("{{x}}"))),
        ("insertion", format!("<w:p><w:ins w:id=\"1\" w:author=\"A\">{}</w:ins></w:p>", run("{{x}}"))),
        (
            "right to left",
            "<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>توقيع {{x}}</w:t></w:r></w:p>".into(),
        ),
        ("merge field", merge.to_owned()),
        ("simple merge field", simple.to_owned()),
        ("control", control(&run("Click here"))),
        ("empty control", control("")),
        ("tab before", "<w:p><w:r><w:tab/><w:t>{{x}}</w:t><w:br/></w:r></w:p>".into()),
    ];
    for (what, body) in cases {
        let filled = fill(&document(&body), &[("x", FieldType::Picture, picture(10, 10, 1, "X"))]);
        let shown = shown_pictures(&filled);
        assert_eq!(shown.len(), 1, "{what}: {}", text(&filled, "word/document.xml"));
        assert_eq!(shown[0].description, "X", "{what}");
    }
}

#[test]
fn an_empty_value_shows_nothing_but_a_signature_has_its_line() {
    let body = document(&paragraph("before {{x}} after"));
    let filled_text = |kind, empty| {
        let structure = structure(&[("x", kind)]);
        let options = FillOptions { structure: Some(&structure), empty, ..FillOptions::default() };
        let filled = fill_with(&body, &[("x", "".into())], options);
        assert_eq!((media(&filled).len(), shown_pictures(&filled).len()), (0, 0));
        text(&filled, "word/document.xml").to_owned()
    };
    for (kind, empty, has_dots) in [
        (FieldType::Picture, EmptyValue::Blank, false),
        (FieldType::Picture, EmptyValue::DottedLine, false),
        (FieldType::Signature, EmptyValue::Blank, false),
        (FieldType::Signature, EmptyValue::DottedLine, true),
    ] {
        let text = filled_text(kind, empty);
        assert_eq!(text.contains("before ....") && text.contains(".... after"), has_dots, "{kind:?} {empty:?}: {text}");
        assert!(!text.contains("{{"));
    }
}

#[test]
fn strict_documents_get_strict_markup() {
    let strict = |text: &str| {
        text.replace(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
        )
        .replace(
            "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
            "http://purl.oclc.org/ooxml/officeDocument/relationships",
        )
    };
    let transitional = document(&paragraph("{{x}}"));
    let builder = transitional.parts().into_iter().fold(transitional, |builder, (name, content)| {
        builder.with_part(&name, strict(&String::from_utf8(content).unwrap()))
    });
    let filled = fill(&builder, &[("x", FieldType::Picture, picture(10, 10, 1, "X"))]);
    assert_eq!(shown_pictures(&filled).len(), 1);
    for part in ["word/document.xml", "word/_rels/document.xml.rels"] {
        assert!(!text(&filled, part).contains("schemas.openxmlformats.org/drawingml"), "{part}");
        assert!(
            !text(&filled, part).contains("schemas.openxmlformats.org/officeDocument/2006/relationships"),
            "{part}"
        );
    }
}

#[test]
fn content_types_are_added_once() {
    // The template has no JPEG, and its PNG files have no type by extension.
    let document = document(&paragraph("{{x}}"));
    let types = document.parts().into_iter().find(|(name, _)| name == "[Content_Types].xml").unwrap().1;
    let types = String::from_utf8(types).unwrap().replace("<Default Extension=\"png\" ContentType=\"image/png\"/>", "");
    let document = document.with_part("[Content_Types].xml", types);
    let filled = fill(&document, &[("x", FieldType::Picture, picture(10, 10, 1, "X"))]);
    let types = text(&filled, "[Content_Types].xml");
    assert_eq!(types.matches("image/png").count(), 1, "{types}");
    // A filled document can be filled again.
    let again = Package::open(&filled.to_bytes().unwrap()).unwrap();
    assert_eq!(media(&again).len(), 1);
}

#[test]
fn live_pages_have_marks_around_pictures() {
    let package = Package::open(&document(&paragraph("a {{x}} b")).to_bytes()).unwrap();
    let declared = structure(&[("x", FieldType::Picture)]).declared_types();
    let template = fields::Template::scan_with_types(package, &declared).unwrap();
    let values = Values::from_pairs([("x", picture(10, 10, 1, "X"))]).unwrap();
    let (filled, _) = template.fill_marked(&values, FillOptions::default(), &waraq_docx::Budget::default()).unwrap();
    let document = read(&filled, &ReadOptions { values: true, ..ReadOptions::default() }).unwrap();
    let waraq_docx::tree::Block::Paragraph(paragraph) = &document.sections[0].blocks[0] else { panic!() };
    let kinds: Vec<&str> = paragraph
        .inlines
        .iter()
        .map(|inline| match &inline.content {
            waraq_docx::tree::Content::Text(_) => "text",
            waraq_docx::tree::Content::ValueStart(0) => "start",
            waraq_docx::tree::Content::ValueEnd => "end",
            waraq_docx::tree::Content::Drawing(_) => "drawing",
            _ => "other",
        })
        .collect();
    assert_eq!(kinds, ["text", "start", "drawing", "end", "text"]);
}

#[test]
fn many_pictures_count_against_the_budget() {
    let mut budget = waraq_docx::Budget::default();
    budget.memory = 400_000;
    let package = Package::open_with_budget(document(&paragraph("{{a}}{{b}}")).to_bytes(), &budget).unwrap();
    let structure = structure(&[("a", FieldType::Picture), ("b", FieldType::Picture)]);
    let noisy = |seed: u8| {
        let Value::Picture(mut large) = picture(1, 1, seed, "") else { panic!() };
        let mut bytes = large.bytes.to_vec();
        bytes.resize(300_000, seed);
        large.bytes = bytes.into();
        Value::Picture(large)
    };
    let values = Values::from_pairs([("a", noisy(1)), ("b", noisy(2))]).unwrap();
    let options = FillOptions { structure: Some(&structure), ..FillOptions::default() };
    let refused = fields::fill(&package, &values, options).unwrap_err();
    assert_eq!(refused.code, waraq_rules::ErrorCode::TooComplex);
}
