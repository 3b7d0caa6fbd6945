//! The place in a document that an author has selected on a page.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{FieldMark, FoundPlaces, Selection, find_places, mark_fields};

fn open(body: &str) -> Package {
    Package::open(&DocumentBuilder::new(body).to_bytes()).unwrap()
}

fn find(package: &Package, before: &str, text: &str, after: &str) -> FoundPlaces {
    find_places(package, &Selection { text: text.into(), before: before.into(), after: after.into() }).unwrap()
}

/// Returns the paragraph, start and end of the selected place.
fn selected(package: &Package, before: &str, text: &str, after: &str) -> Option<(usize, usize, usize)> {
    find(package, before, text, after).selected.map(|place| (place.paragraph, place.start, place.end))
}

fn row(cells: &[&str]) -> String {
    let cell = |text: &&str| format!("<w:tc><w:tcPr/>{}</w:tc>", paragraph(text));
    format!("<w:tr>{}</w:tr>", cells.iter().map(cell).collect::<String>())
}

#[test]
fn a_text_is_found_by_the_text_around_it() {
    let package = open(
        &[
            paragraph("This agreement is made with Acme Ltd of Leeds."),
            paragraph("Acme Ltd pays the fee. Later, Acme Ltd keeps the copy."),
            paragraph("يلتزم المستأجر بدفع الأجرة، ويلتزم المستأجر بالصيانة."),
        ]
        .concat(),
    );
    let cases = [
        ("made with ", "Acme Ltd", " of", Some((1, 28, 36))),
        ("", "Acme Ltd", " pays", Some((2, 0, 8))),
        ("Later, ", "Acme Ltd", " keeps", Some((2, 30, 38))),
        // The page has other white space, other letter case and direction marks.
        ("LATER,\n", "ACME\u{a0}LTD", "\tKEEPS", Some((2, 30, 38))),
        ("\u{200f}ويلتزم\n", "المستأجر", " بالصيانة", Some((3, 35, 43))),
        // The number of a list is on the page and not in the document.
        ("of Leeds. 1. ", "Acme Ltd", " pays", Some((2, 0, 8))),
        ("", "Beta", "", None),
        ("", "\u{200b}", "", None),
    ];
    for (before, text, after, expected) in cases {
        assert_eq!(selected(&package, before, text, after), expected, "{before}|{text}|{after}");
    }
    assert_eq!(find(&package, "Later, ", "Acme Ltd", "").others.len(), 2);
}

#[test]
fn a_position_between_characters_is_found() {
    let package = open(&(paragraph("Dear Mr Smith,") + &paragraph("we thank you.")));
    let cases = [
        ("Dear Mr", "", " Smith", Some((1, 7, 7))),
        ("", "", "Dear Mr", Some((1, 0, 0))),
        ("Smith,", "", "we thank", Some((2, 0, 0))),
        ("thank you.", "", "", Some((2, 13, 13))),
        ("xyz", "", "qrs", None),
        ("", "", "", None),
    ];
    for (before, text, after, expected) in cases {
        assert_eq!(selected(&package, before, text, after), expected, "{before}|{after}");
    }
}

#[test]
fn a_selection_over_paragraphs_and_one_in_a_row_say_so() {
    let table = format!("<w:tbl><w:tblPr/><w:tblGrid/>{}{}</w:tbl>", row(&["Item", "Sum"]), row(&["Chair", "40"]));
    let package = open(&(paragraph("First clause.") + &paragraph("Second clause.") + &table));
    let over = find(&package, "", "First clause.\nSecond", " clause").selected.unwrap();
    assert_eq!((over.paragraph, over.last_paragraph, over.in_row), (1, Some(2), false));
    let cell = find(&package, "Sum", "Chair", "40").selected.unwrap();
    assert_eq!((cell.last_paragraph, cell.in_row), (None, true));
}

#[test]
fn a_found_place_can_be_marked() {
    let package = open(&paragraph("Acme sells to Acme."));
    let found = find(&package, "", "Acme", " sells");
    let marks: Vec<FieldMark> = found
        .selected
        .iter()
        .chain(&found.others)
        .map(|place| FieldMark {
            name: "Seller".into(),
            part: place.part.clone(),
            paragraph: place.paragraph,
            start: place.start,
            end: place.end,
            ..FieldMark::default()
        })
        .collect();
    let marked = mark_fields(&package, &marks).unwrap();
    assert_eq!(marked.marked, 2);
    assert!(marked.package.part_text("word/document.xml").unwrap().contains("{{Seller}} sells to {{Seller}}."));
}

#[test]
fn repeated_texts_take_linear_work() {
    let long = "ab".repeat(200_000);
    let package = open(&paragraph(&long));
    let found = find(&package, &"ab".repeat(400), &"ab".repeat(1_000), &"ab".repeat(400));
    assert!(found.selected.is_some());
    assert_eq!(found.others.len(), 199);
    assert!(find(&package, &"ba".repeat(400), "", &"ba".repeat(400)).selected.is_some());
}
