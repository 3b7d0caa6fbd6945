//! The conversion of templates for other programs.

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_preview::{Engine, convert};

#[test]
fn a_converted_template_opens_with_its_fields() {
    let template = DocumentBuilder::new(&paragraph("{#items}{name}: {price | euro}{/items}")).to_bytes();
    let (bytes, report) = convert(template).unwrap();
    assert_eq!((report.converted, report.remaining.len()), (3, 1));
    // The page tells lists and pictures to the author's form.
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!((&json["lists"], &json["pictures"]), (&serde_json::json!([]), &serde_json::json!([])));
    let mut engine = Engine::default();
    let document = engine.open(bytes).unwrap();
    assert_eq!(engine.fields(document), ["items", "name"]);
}

#[test]
fn other_files_stay_byte_for_byte_and_broken_ones_are_refused() {
    let letter = DocumentBuilder::new(&paragraph("Dear {{name}}, {see} above")).to_bytes();
    assert_eq!(convert(letter.clone()).unwrap().0, letter);
    assert!(convert(b"no archive".to_vec()).is_err());
}
