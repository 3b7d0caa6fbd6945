//! Fuzz target for fields and values.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_engine::{EmptyValue, Field, FieldKind, FillOptions, LayoutOptions, PdfOptions, Values};

use crate::documents::{open_valid, part};
use crate::{checks, memory, mend};

const MEGABYTES: usize = 192;

/// Parts of the template without fields.
const UNTOUCHED: [&str; 2] = ["word/styles.xml", "word/settings.xml"];

/// Fills a template. The input is its body, a line of `==`, its header, another such line, and the values, one per
/// line, used in turn.
pub fn fields(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut pieces = text.split("\n==\n");
    let mut piece = || pieces.next().unwrap_or_default();
    let package = template(&mend(piece()), &mend(piece()));
    let values: Vec<&str> = piece().lines().collect();
    memory::with_limit(MEGABYTES, || {
        checks::check_fields(&package);
        let Ok(fields) = waraq_engine::fields(&package) else { return };
        check_any_values(&package, &fields, &values, data);
        check_plain_values(&package, &fields);
    });
}

fn template(body: &str, header: &str) -> Package {
    let mut document = DocumentBuilder::new("");
    let id = document.add_related_part("header", "hdr", "header1.xml", "");
    document.add_related_part("styles", "styles", "styles.xml", "");
    document.add_related_part("settings", "settings", "settings.xml", "");
    let section = format!("<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{id}\"/></w:sectPr>");
    let main = part("w:document", &format!("<w:body>{body}{}{section}</w:body>", paragraph("")));
    let document = document.with_part("word/document.xml", main).with_part("word/header1.xml", part("w:hdr", header));
    open_valid(&document.to_bytes())
}

/// Fills arbitrary values. The result is an error with a code or a document that opens.
fn check_any_values(package: &Package, fields: &[Field], values: &[&str], data: &[u8]) {
    let value = |at: usize| if values.is_empty() { "" } else { values[at % values.len()] };
    let pairs = fields.iter().enumerate().map(|(at, field)| (&field.name, value(at).replace("\\n", "\n")));
    let values = Values::from_pairs(pairs).unwrap_or_else(|error| panic!("names come once: {error}"));
    let empty = if data.len().is_multiple_of(2) { EmptyValue::Blank } else { EmptyValue::DottedLine };
    match waraq_engine::fill_and_render(
        package,
        &values,
        FillOptions { empty, ..FillOptions::default() },
        &LayoutOptions::default(),
        &PdfOptions::default(),
    ) {
        Ok(finished) => {
            let again = open_valid(&finished.docx);
            again.validate().unwrap_or_else(|error| panic!("a filled document is broken: {error}"));
            checks::lay_out(&again, data, &LayoutOptions::default());
        }
        Err(error) => checks::assert_has_message(&error),
    }
}

/// Fills values that cannot be mistaken for other text. Each one is in the document, no field remains, and the other
/// parts do not change.
fn check_plain_values(package: &Package, fields: &[Field]) {
    // The target `sections` fills lists and yes/no fields.
    if fields.iter().any(|field| field.kind == FieldKind::Section) {
        return;
    }
    let value = |at: usize| format!("Value{at}Value");
    let values = Values::from_pairs(fields.iter().enumerate().map(|(at, field)| (&field.name, value(at))))
        .unwrap_or_else(|error| panic!("names come once: {error}"));
    let filled = waraq_engine::fill(package, &values, FillOptions::default())
        .unwrap_or_else(|error| panic!("plain values are refused: {error}"));
    let saved = filled.to_bytes().unwrap_or_else(|error| panic!("a filled document cannot be saved: {error}"));
    let again = open_valid(&saved);
    again.validate().unwrap_or_else(|error| panic!("a filled document is broken: {error}"));
    let texts: String =
        ["word/document.xml", "word/header1.xml"].iter().filter_map(|part| again.part_text(part)).collect();
    // A merge field may change the case of its value (`\\* Upper`).
    let texts = texts.to_lowercase();
    for (at, field) in fields.iter().enumerate() {
        assert!(texts.contains(&value(at).to_lowercase()), "{field:?} is not filled");
    }
    let left = waraq_engine::fields(&again).unwrap_or_else(|error| panic!("a filled document has no fields: {error}"));
    // Text that was not a field in the template, because of a backslash or extra braces, may look like a field in the
    // filled document.
    let ambiguous = ["word/document.xml", "word/header1.xml"].iter().any(|part| is_ambiguous(package.part_text(part)));
    // A content control that contains another field becomes a field only after that one is filled. One control with
    // that tag may remain.
    let tags = |name: &str| {
        let tag = format!("\"{name}\"");
        let texts = ["word/document.xml", "word/header1.xml"].iter().filter_map(|part| package.part_text(part));
        texts.map(|text| text.matches(&tag).count()).sum::<usize>()
    };
    let is_taken_whole = |field: &&Field| field.kind != FieldKind::Control || tags(&field.name) <= field.occurrences;
    for field in fields.iter().filter(|_| !ambiguous).filter(is_taken_whole) {
        assert!(!left.iter().any(|known| known.name == field.name), "{field:?} is left");
    }
    let others = UNTOUCHED.iter().copied();
    let without =
        ["word/document.xml", "word/header1.xml"].into_iter().filter(|part| has_no_field(package.part_text(part)));
    for part in others.chain(without) {
        assert_eq!(package.part_bytes(part), again.part_bytes(part), "{part} has no field and has changed");
    }
    let twice = waraq_engine::lay_out(&filled, &LayoutOptions::default()).and_then(|pages| {
        let once = waraq_engine::update_references(&filled, &pages)?;
        Ok((waraq_engine::update_references(&once, &pages)?, once))
    });
    if let Ok((twice, once)) = twice {
        assert_eq!(
            twice.part_text("word/document.xml"),
            once.part_text("word/document.xml"),
            "renewing twice is not renewing once"
        );
    }
}

/// Returns whether the text of a part has a backslash or three braces in a row.
fn is_ambiguous(part: Option<&str>) -> bool {
    let text: String =
        part.unwrap_or_default().split('<').filter_map(|piece| piece.split_once('>')).map(|(_, text)| text).collect();
    let text: String = text.chars().filter(char::is_ascii).collect();
    text.contains('\\') || text.contains("{{{") || text.contains("}}}")
}

fn has_no_field(part: Option<&str>) -> bool {
    part.is_some_and(|part| !["{", "instr", "sdt"].iter().any(|mark| part.contains(mark)))
}
