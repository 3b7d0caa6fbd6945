//! Pictures whose alternative text is a field: replaced in their frame, removed, or filled with a text.

mod pictures;

use pictures::*;
use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{self, DeclaredTypes, FieldKind, FillOptions, Values};
use waraq_rules::{ErrorCode, FieldType, Picture, PictureFormat, Value};

fn document_with_frame(description: &str, is_floating: bool) -> DocumentBuilder {
    let mut document = DocumentBuilder::new("");
    let relationship = with_old_picture(&mut document);
    let body = in_paragraph(&frame(7, &relationship, description, is_floating));
    replace_body(document, &body)
}

/// Returns the document with this content in its body.
fn replace_body(document: DocumentBuilder, body: &str) -> DocumentBuilder {
    let parts = document.parts();
    let (_, main) = parts.iter().find(|(name, _)| name == "word/document.xml").unwrap();
    let main = std::str::from_utf8(main).unwrap().replace("<w:body></w:body>", &format!("<w:body>{body}</w:body>"));
    document.with_part("word/document.xml", main)
}

#[test]
fn the_picture_is_fitted_into_its_frame() {
    for is_floating in [false, true] {
        let document = document_with_frame("{{logo}}", is_floating);
        let filled = fill(&document, &[("logo", FieldType::Picture, picture(100, 100, 50, "Our logo"))]);
        let shown = shown_pictures(&filled);
        let expected = Shown {
            bytes: png(100, 100, 50),
            size: (1_000_000.0 / 12_700.0, 1_000_000.0 / 12_700.0),
            crop: [0.0; 4],
            description: "Our logo".to_owned(),
        };
        assert_eq!(shown, [expected]);
        let text = text(&filled, "word/document.xml");
        // The author's shape and effects stay. The old picture and the relative size go.
        assert!(text.contains("ellipse") && text.contains("<a:grayscl/>"), "{text}");
        for gone in ["srcRect", "svgBlip", "sizeRelH", "rId1\""] {
            assert!(!text.contains(gone), "{gone}: {text}");
        }
        assert_eq!(media(&filled).len(), 1, "the old picture is removed: {:?}", media(&filled));
        assert_eq!(drawing_ids(text), [7]);
    }
}

#[test]
fn wide_pictures_are_as_wide_as_the_frame() {
    let filled =
        fill(&document_with_frame("{{logo}}", false), &[("logo", FieldType::Picture, picture(400, 50, 1, ""))]);
    let shown = shown_pictures(&filled);
    assert_eq!(shown[0].size, (2_000_000.0 / 12_700.0, 250_000.0 / 12_700.0));
    assert_eq!(shown[0].description, "logo", "without an alternative text, the name of the field is used");
}

#[test]
fn white_space_around_the_field_is_ignored() {
    let document = document_with_frame(" {{ logo }}&#10;", false);
    let filled = fill(&document, &[("logo", FieldType::Picture, picture(10, 10, 1, ""))]);
    assert_eq!(shown_pictures(&filled)[0].bytes, png(10, 10, 1));
}

#[test]
fn an_empty_value_removes_the_picture() {
    for (is_floating, kind) in [(false, FieldType::Picture), (true, FieldType::Picture), (true, FieldType::Signature)] {
        let document = document_with_frame("{{logo}}", is_floating);
        let filled = fill(&document, &[("logo", kind, "".into())]);
        assert_eq!(shown_pictures(&filled), []);
        assert!(!text(&filled, "word/document.xml").contains("w:drawing"));
        assert_eq!(media(&filled), [""; 0]);
        assert!(!text(&filled, "word/_rels/document.xml.rels").contains("old.png"));
    }
}

#[test]
fn a_shared_picture_of_the_author_stays() {
    let mut document = DocumentBuilder::new("");
    let relationship = with_old_picture(&mut document);
    let body = in_paragraph(&frame(1, &relationship, "{{logo}}", false))
        + &in_paragraph(&frame(2, &relationship, "A tree", false));
    let document = replace_body(document, &body);
    let filled = fill(&document, &[("logo", FieldType::Picture, picture(10, 10, 1, ""))]);
    let shown = shown_pictures(&filled);
    assert_eq!([&shown[0].bytes, &shown[1].bytes], [&png(10, 10, 1), &png(3, 3, 9)]);
    assert_eq!(media(&filled).len(), 2);
}

#[test]
fn a_text_in_an_old_template_is_written_into_the_alternative_text() {
    let document = document_with_frame("{{logo}}", false);
    let filled = fill_with(&document, &[("logo", "A tree".into())], FillOptions::default());
    let shown = shown_pictures(&filled);
    assert_eq!((shown[0].bytes.clone(), shown[0].description.as_str()), (png(3, 3, 9), "A tree"));
    // The same holds if the field is declared as a text.
    let filled = fill(&document, &[("logo", FieldType::Text, "A tree".into())]);
    assert_eq!(shown_pictures(&filled)[0].description, "A tree");
}

#[test]
fn without_a_structure_the_document_decides() {
    let document = document_with_frame("{{logo}}", false);
    let filled = fill_with(&document, &[("logo", picture(10, 10, 1, ""))], FillOptions::default());
    assert_eq!(shown_pictures(&filled)[0].bytes, png(10, 10, 1));
    // A name that is also in a text is a text field.
    let values = Values::from_pairs([("logo", picture(10, 10, 1, ""))]).unwrap();
    let mut both = document_with_frame("{{logo}}", false).parts();
    let (_, main) = both.iter_mut().find(|(name, _)| name == "word/document.xml").unwrap();
    let text = String::from_utf8(main.clone()).unwrap().replace("</w:body>", &(paragraph("{{logo}}") + "</w:body>"));
    let package = Package::open(&document.with_part("word/document.xml", text).to_bytes()).unwrap();
    let refused = fields::fill(&package, &values, FillOptions::default()).unwrap_err();
    assert_eq!((refused.code, refused.fields), (ErrorCode::WrongValueType, vec!["logo".to_owned()]));
}

#[test]
fn only_a_whole_alternative_text_is_a_picture_field() {
    let kinds = |description: &str| {
        let package = Package::open(&document_with_frame(description, false).to_bytes()).unwrap();
        let list = fields::list(&package).unwrap();
        list.iter().map(|field| (field.name.clone(), field.kind, field.occurrences)).collect::<Vec<_>>()
    };
    assert_eq!(kinds("{{logo}}"), [("logo".to_owned(), FieldKind::Picture, 1)]);
    assert_eq!(kinds("Logo of {{logo}}"), [("logo".to_owned(), FieldKind::Text, 1)]);
    let two = [("a".to_owned(), FieldKind::Text, 1), ("b".to_owned(), FieldKind::Text, 1)];
    assert_eq!(kinds("{{a}}{{b}}"), two);
    let package = Package::open(&document_with_frame("{{logo}}", false).to_bytes()).unwrap();
    let suggested = fields::structure(&package, &DeclaredTypes::new()).unwrap();
    assert_eq!(suggested.0[0].field_type, FieldType::Picture);
}

#[test]
fn the_check_reports_alternative_texts_that_are_no_fields() {
    for (description, code) in [("{{logo", "unclosed_field"), ("{{}}", "empty_field"), ("{{lo{{go}}", "nested_field")] {
        let package = Package::open(&document_with_frame(description, false).to_bytes()).unwrap();
        let findings = fields::check(&package).unwrap().findings;
        let codes: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
        assert_eq!(codes, [code], "{description}");
    }
}

#[test]
fn headers_have_relationships_of_their_own() {
    let mut document = DocumentBuilder::new(&in_paragraph("<w:t>x</w:t>"));
    let content = format!("<w:p><w:r>{}</w:r></w:p>", frame(3, "rId1", "{{logo}}", false));
    let header = document.add_related_part("header", "hdr", "header1.xml", &content);
    let section = format!("<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{header}\"/></w:sectPr>");
    let image = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image";
    let relationships = format!(
        "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">\
         <Relationship Id=\"rId1\" Type=\"{image}\" Target=\"media/old.png\"/></Relationships>"
    );
    let main = document.parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1;
    let main = String::from_utf8(main).unwrap().replace("</w:body>", &(section + "</w:body>"));
    let document = document
        .with_part("word/document.xml", main)
        .with_part("word/_rels/header1.xml.rels", relationships)
        .with_part("word/media/old.png", png(3, 3, 9));
    let filled = fill(&document, &[("logo", FieldType::Picture, picture(20, 10, 1, "Logo"))]);
    let shown = header_pictures(&filled);
    assert_eq!((shown[0].bytes.clone(), shown[0].description.as_str()), (png(20, 10, 1), "Logo"));
    assert_eq!(media(&filled).len(), 1);
    assert!(!text(&filled, "word/_rels/document.xml.rels").contains("value-"));
}

#[test]
fn vml_pictures_are_replaced_too() {
    let mut document = DocumentBuilder::new("");
    let relationship = with_old_picture(&mut document);
    let shape = |alternative: &str| {
        format!(
            "<w:pict xmlns:v=\"urn:schemas-microsoft-com:vml\" xmlns:o=\"urn:schemas-microsoft-com:office:office\">\
             <v:shape id=\"s1\" style=\"width:200pt;height:100pt;visibility:visible\" alt=\"{alternative}\">\
             <v:imagedata r:id=\"{relationship}\" o:title=\"old\" cropleft=\"9830f\"/></v:shape></w:pict>"
        )
    };
    let document = replace_body(document, &in_paragraph(&shape("{{logo}}")));
    let filled = fill(&document, &[("logo", FieldType::Picture, picture(50, 50, 1, "Our <logo>"))]);
    let shown = shown_pictures(&filled);
    let expected =
        Shown { bytes: png(50, 50, 1), size: (100.0, 100.0), crop: [0.0; 4], description: "Our <logo>".to_owned() };
    assert_eq!(shown, [expected]);
    assert!(text(&filled, "word/document.xml").contains("visibility:visible"));
    assert_eq!(media(&filled).len(), 1);
    let removed = fill(&document, &[("logo", FieldType::Picture, "".into())]);
    assert!(!text(&removed, "word/document.xml").contains("w:pict"));
}

#[test]
fn picture_controls_are_no_longer_placeholders() {
    let mut document = DocumentBuilder::new("");
    let relationship = with_old_picture(&mut document);
    let control = format!(
        "<w:p><w:sdt><w:sdtPr><w:showingPlcHdr/><w:picture/></w:sdtPr><w:sdtContent><w:r>{}</w:r></w:sdtContent></w:sdt></w:p>",
        frame(1, &relationship, "{{photo}}", false)
    );
    let document = replace_body(document, &control);
    let filled = fill(&document, &[("photo", FieldType::Picture, picture(10, 10, 1, ""))]);
    assert_eq!(shown_pictures(&filled)[0].bytes, png(10, 10, 1));
    assert!(!text(&filled, "word/document.xml").contains("showingPlcHdr"));
    let removed = fill(&document, &[("photo", FieldType::Picture, "".into())]);
    assert!(!text(&removed, "word/document.xml").contains("w:sdt"), "an empty picture control is removed");
}

#[test]
fn pictures_that_cannot_be_used_are_refused_with_their_field() {
    let document = document_with_frame("{{logo}}", false);
    let package = Package::open(&document.to_bytes()).unwrap();
    let huge = {
        let mut bytes = png(10, 10, 1);
        bytes[16..20].copy_from_slice(&20_000_u32.to_be_bytes());
        bytes
    };
    let cases = [
        (b"GIF89a".to_vec(), PictureFormat::Png, ErrorCode::UnreadablePicture),
        (png(10, 10, 1), PictureFormat::Jpeg, ErrorCode::UnreadablePicture),
        (huge, PictureFormat::Png, ErrorCode::ValuePictureTooLarge),
        (vec![0; 1_000_001], PictureFormat::Png, ErrorCode::ValuePictureTooLarge),
    ];
    for (bytes, format, code) in cases {
        let value = Value::Picture(Picture { format, bytes: bytes.into(), alternative_text: String::new() });
        let values = Values::from_pairs([("logo", value)]).unwrap();
        let refused = fields::fill(&package, &values, FillOptions::default()).unwrap_err();
        assert_eq!((refused.code, refused.fields), (code, vec!["logo".to_owned()]));
    }
}
