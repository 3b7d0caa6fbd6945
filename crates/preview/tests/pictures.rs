//! Pictures in the live pages: drawn, described, marked with their area, and replaced when the value changes.

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_preview::{DocumentId, Engine, LayoutOutcome, LayoutRequest, ValueArea};
use waraq_rules::{ErrorCode, FieldType, Picture, PictureFormat, Structure, StructuredField, Value};

fn png(width: u32, height: u32, grey: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&vec![grey; (width * height) as usize]).unwrap();
    bytes
}

/// A template with a picture of 100 × 50 points whose alternative text is `{{logo}}`, between two paragraphs.
fn template() -> Vec<u8> {
    let mut builder = DocumentBuilder::new("");
    let id = builder.add_relationship("image", "media/old.png", false);
    let pic = "http://schemas.openxmlformats.org/drawingml/2006/picture";
    let frame = format!(
        "<w:p><w:r><w:drawing><wp:inline xmlns:wp=\"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing\">\
         <wp:extent cx=\"1270000\" cy=\"635000\"/><wp:docPr id=\"1\" name=\"Logo\" descr=\"{{{{logo}}}}\"/>\
         <a:graphic xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\"><a:graphicData uri=\"{pic}\"><pic:pic xmlns:pic=\"{pic}\">\
         <pic:blipFill><a:blip r:embed=\"{id}\"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/>\
         <a:ext cx=\"1270000\" cy=\"635000\"/></a:xfrm></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"
    );
    let main = builder.parts().into_iter().find(|(name, _)| name == "word/document.xml").unwrap().1;
    let body = paragraph("Dear {{name}},") + &frame + &paragraph("end");
    let main = String::from_utf8(main).unwrap().replace("<w:body></w:body>", &format!("<w:body>{body}</w:body>"));
    builder.with_part("word/document.xml", main).with_part("word/media/old.png", png(2, 1, 7)).to_bytes()
}

fn lay_out(engine: &mut Engine, document: DocumentId, logo: Value) -> Vec<ValueArea> {
    let values = [("name".to_owned(), "Zoé".into()), ("logo".to_owned(), logo)].into();
    lay_out_with(engine, document, &LayoutRequest { values: Some(values), ..LayoutRequest::default() })
}

fn lay_out_with(engine: &mut Engine, document: DocumentId, request: &LayoutRequest) -> Vec<ValueArea> {
    loop {
        match engine.lay_out(document, request).unwrap() {
            LayoutOutcome::Fonts { files } => {
                for file in files {
                    let at = waraq_fonts::faces().iter().position(|face| face.file == file).unwrap();
                    engine.add_font(file, waraq_fonts::files()[at].data.to_vec());
                }
            }
            LayoutOutcome::Pages { blanks, .. } => return blanks,
        }
    }
}

fn value(bytes: Vec<u8>) -> Value {
    let (format, bytes) = (PictureFormat::Png, bytes.into());
    Value::Picture(Picture { format, bytes, alternative_text: "Our logo".to_owned() })
}

#[test]
fn the_page_shows_the_picture_of_the_value() {
    let mut engine = Engine::default();
    let document = engine.open(template()).unwrap();
    assert_eq!(engine.fields(document), ["name", "logo"]);
    let areas = lay_out(&mut engine, document, value(png(100, 100, 40)));
    assert!(!engine.drawing(document, 0).unwrap().is_empty());
    let (bytes, media_type) = engine.image(document, 0).unwrap();
    assert_eq!((bytes, media_type), (&*png(100, 100, 40), "image/png"));
    let text = format!("{:?}", engine.text(document, 0).unwrap());
    assert!(text.contains("Figure { description: \"Our logo\" }"), "{text}");
    let area = areas.iter().find(|area| area.field == 1).unwrap();
    assert!((area.width - 50.0).abs() < 0.1, "the picture is fitted into its frame: {area:?}");
    assert!(area.height >= 49.9, "{area:?}");
}

#[test]
fn another_picture_has_another_key() {
    let mut engine = Engine::default();
    let document = engine.open(template()).unwrap();
    for (key, grey) in [(0, 40), (1, 41), (0, 40)] {
        lay_out(&mut engine, document, value(png(10, 10, grey)));
        engine.drawing(document, 0).unwrap();
        assert_eq!(engine.image(document, key).unwrap().0, png(10, 10, grey));
    }
    assert!(engine.image(document, 2).is_none());
}

#[test]
fn a_text_keeps_the_picture_of_the_author() {
    let mut engine = Engine::default();
    let document = engine.open(template()).unwrap();
    lay_out(&mut engine, document, "A tree".into());
    engine.drawing(document, 0).unwrap();
    assert_eq!(engine.image(document, 0).unwrap().0, png(2, 1, 7));
    let text = format!("{:?}", engine.text(document, 0).unwrap());
    assert!(text.contains("Figure { description: \"A tree\" }"), "{text}");
}

#[test]
fn the_author_limits_the_size_of_a_picture() {
    let mut engine = Engine::default();
    let field = StructuredField { field_type: FieldType::Picture, ..StructuredField::text("logo") };
    let file = DocumentBuilder::new(&paragraph("{{logo}}")).to_bytes();
    let document = engine.open_with_structure(file, &Structure(vec![field])).unwrap();
    let mut width = |sizes: &str| {
        let values = [("logo".to_owned(), value(png(400, 100, 40)))].into();
        let request = LayoutRequest {
            values: Some(values),
            picture_sizes: serde_json::from_str(sizes).unwrap(),
            ..LayoutRequest::default()
        };
        lay_out_with(&mut engine, document, &request)[0].width
    };
    // 20 mm and the default of 80 mm, in points.
    assert!((width(r#"{"logo": {"maxWidth": 20}}"#) - 56.7).abs() < 0.1);
    assert!((width("{}") - 226.8).abs() < 0.1);
}

#[test]
fn a_declared_picture_takes_no_text() {
    let mut engine = Engine::default();
    let field = StructuredField { field_type: FieldType::Picture, ..StructuredField::text("logo") };
    let values = || Some([("name".to_owned(), "Zoé".into()), ("logo".to_owned(), "Our logo".into())].into());
    let request = LayoutRequest { values: values(), ..LayoutRequest::default() };
    let document = engine.open_with_structure(template(), &Structure(vec![field])).unwrap();
    let refused = engine.lay_out(document, &request).unwrap_err();
    assert_eq!((refused.code, refused.fields), (ErrorCode::WrongValueType, vec!["logo".to_owned()]));
    // Without a declared type, a text is written into the alternative text.
    let document = engine.open(template()).unwrap();
    assert!(engine.lay_out(document, &request).is_ok());
}
