//! The sample contracts: the files of the site are those of the sources, and their blanks are found.

use std::path::Path;

use waraq_catalogue::samples;
use waraq_docx::Package;
use waraq_docx::fields::{check, detect_blanks};

#[test]
fn the_files_of_the_site_are_up_to_date() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../frontend/public/samples");
    for sample in samples().unwrap() {
        let file = std::fs::read(folder.join(sample.language).with_extension("docx")).unwrap_or_default();
        let command = "cargo run -p waraq-catalogue --example samples -- frontend/public/samples";
        assert!(file == sample.docx, "{}.docx is not up to date; run `{command}`", sample.language);
    }
}

#[test]
fn a_sample_has_blanks_and_no_fields() {
    for sample in samples().unwrap() {
        let package = Package::open(&sample.docx).unwrap();
        let checked = check(&package).unwrap();
        assert!(
            checked.fields.is_empty() && checked.findings.is_empty(),
            "{}: {:?}",
            sample.language,
            checked.findings
        );
        let names: Vec<String> = detect_blanks(&package).unwrap().blanks.into_iter().map(|blank| blank.name).collect();
        assert_eq!(names.len(), 14, "{}: {names:?}", sample.language);
    }
}
