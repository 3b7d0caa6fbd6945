//! Fuzz targets for blanks: detection, and marking with its reverse.

use waraq_docx::Package;
use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields::{ValueKind, is_valid};
use waraq_engine::{Budget, FieldMark};

use crate::documents::{open_valid, part};
use crate::{memory, mend};

const MEGABYTES: usize = 192;

fn document(body: &str, header: &str) -> Package {
    let mut document = DocumentBuilder::new("");
    let id = document.add_related_part("header", "hdr", "header1.xml", "");
    document.add_related_part("styles", "styles", "styles.xml", "");
    let section = format!("<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{id}\"/></w:sectPr>");
    let main = part("w:document", &format!("<w:body>{body}{}{section}</w:body>", paragraph("")));
    let document = document.with_part("word/document.xml", main).with_part("word/header1.xml", part("w:hdr", header));
    open_valid(&document.to_bytes())
}

/// Finds the blanks of a document. The input is its body, a line of `==`, and its header. Names are valid, and blanks with
/// the same name have the same key.
pub fn detect(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (body, header) = text.split_once("\n==\n").unwrap_or((&text, ""));
    let package = document(&mend(body), &mend(header));
    memory::with_limit(MEGABYTES, || {
        let Ok(found) = waraq_engine::detect_blanks(&package) else { return };
        let again = waraq_engine::detect_blanks(&package.with_budget(&Budget::default()));
        assert!(again.is_ok_and(|again| again == found), "the same input has the same blanks");
        let mut keys = std::collections::HashMap::new();
        for blank in &found.blanks {
            assert!(is_valid(&blank.name), "{blank:?}");
            assert!(blank.start <= blank.end, "{blank:?}");
            assert_eq!(keys.entry(&blank.name).or_insert(&blank.key), &&blank.key, "{blank:?}");
        }
    });
}

/// Marks all blanks and some other places, and undoes it. The input is the body, a line of `==`, and the places: three bytes
/// for each. The marked document is well-formed, and undoing gives the same bytes.
pub fn mark(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (body, places) = text.split_once("\n==\n").unwrap_or((&text, ""));
    let package = document(&mend(body), "");
    memory::with_limit(MEGABYTES, || {
        let Ok(found) = waraq_engine::detect_blanks(&package) else { return };
        let mut marks: Vec<FieldMark> = found.blanks.iter().map(FieldMark::from).collect();
        for (at, place) in places.as_bytes().chunks_exact(3).take(50).enumerate() {
            let kinds = [ValueKind::Text, ValueKind::YesNo, ValueKind::List, ValueKind::Picture];
            let (paragraph, start) = (usize::from(place[0] % 8), usize::from(place[1] % 16));
            marks.push(FieldMark {
                name: format!("field {at}"),
                paragraph,
                last_paragraph: (place[2] & 1 == 1).then(|| paragraph + usize::from(place[2] >> 6)),
                start,
                end: start + usize::from(place[2] >> 5),
                kind: kinds[usize::from(place[2] >> 1) % kinds.len()],
                ..FieldMark::default()
            });
        }
        let Ok(marked) = waraq_engine::mark_fields(&package, &marks) else { return };
        let saved = marked.package.to_bytes().unwrap_or_else(|error| panic!("a marked document is saved: {error}"));
        let saved = open_valid(&saved);
        if let Err(error) = saved.validate() {
            assert_eq!(error.code.as_str(), "too_complex", "a marked document is well-formed: {error}");
        }
        let Ok(undone) = waraq_engine::unmark_fields(&saved, &marked.changes) else { return };
        assert_eq!(undone.kept, 0);
        for part in package.part_names() {
            assert_eq!(undone.package.part_text(part), package.part_text(part), "{part} is not as it was");
        }
    });
}
