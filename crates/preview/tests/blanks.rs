//! Detection, marking and search in the engine for the browser.

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{FieldMark, Selection};
use waraq_preview::{Engine, detect, find, mark};

#[test]
fn a_marked_document_opens_with_its_fields() {
    let contract = DocumentBuilder::new(&(paragraph("Name: ________") + &paragraph("[City], 20__"))).to_bytes();
    let found = detect(&contract).unwrap();
    let names: Vec<&str> = found.blanks.iter().map(|blank| blank.name.as_str()).collect();
    assert_eq!(names, ["Name", "City", "Year"]);
    let marks: Vec<FieldMark> = found.blanks.iter().map(FieldMark::from).collect();
    let (template, report) = mark(contract.clone(), &marks).unwrap();
    assert_eq!((report.marked, report.skipped.len()), (3, 0));
    let mut engine = Engine::default();
    let document = engine.open(template).unwrap();
    assert_eq!(engine.fields(document), ["Name", "City", "Year"]);
}

#[test]
fn a_selected_text_is_found() {
    let letter = DocumentBuilder::new(&paragraph("Dear Amal, dear Omar")).to_bytes();
    let selection = Selection { text: "dear".into(), after: " Omar".into(), ..Selection::default() };
    let found = find(&letter, &selection).unwrap();
    assert_eq!((found.selected.unwrap().start, found.others.len()), (11, 1));
}

#[test]
fn a_document_without_marks_is_not_changed() {
    let letter = DocumentBuilder::new(&paragraph("Dear reader,")).to_bytes();
    assert_eq!(detect(&letter).unwrap().blanks, []);
    assert_eq!(mark(letter.clone(), &[]).unwrap().0, letter);
    assert!(detect(b"no archive").is_err());
    assert!(mark(b"no archive".to_vec(), &[]).is_err());
    assert!(find(b"no archive", &Selection::default()).is_err());
}
