//! Fuzz target for the conversion of templates of other programs.

use waraq_docx::build::{DocumentBuilder, paragraph};
use waraq_docx::fields;

use crate::documents::{open_valid, part};
use crate::{checks, memory, mend};

const MEGABYTES: usize = 192;

/// Converts a template. The input is its body.
///
/// The converted document opens and keeps all parts but its text. It has no mark that can still be converted, so that
/// another conversion changes nothing.
pub fn convert(data: &[u8]) {
    let body = mend(&String::from_utf8_lossy(data));
    let mut document = DocumentBuilder::new("");
    document.add_related_part("styles", "styles", "styles.xml", "");
    let main = part("w:document", &format!("<w:body>{body}{}</w:body>", paragraph("")));
    let package = open_valid(&document.with_part("word/document.xml", main).to_bytes());
    memory::with_limit(MEGABYTES, || {
        let converted = match fields::convert_marks(&package) {
            Ok(converted) => converted,
            Err(error) => return checks::assert_has_message(&error),
        };
        let bytes = converted
            .package
            .to_bytes()
            .unwrap_or_else(|error| panic!("a converted document cannot be saved: {error}"));
        let again = open_valid(&bytes);
        again.validate().unwrap_or_else(|error| panic!("a converted document is broken: {error}"));
        assert_eq!(again.part_text("word/styles.xml"), package.part_text("word/styles.xml"), "another part changed");
        let before = package.part_text("word/document.xml");
        let after = again.part_text("word/document.xml");
        assert_eq!(converted.converted > 0, before != after, "the report and the document differ");
        if let Ok(twice) = fields::convert_marks(&again) {
            assert_eq!(twice.converted, 0, "the second conversion changed marks");
        }
        checks::check_fields(&again);
    });
}
