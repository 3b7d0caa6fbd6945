//! Tests with real documents. `WARAQ_CORPUS` is a folder with `valid/`, `broken/` and `fields.tsv`. These tests
//! are ignored by default.

use std::path::{Path, PathBuf};

use waraq_docx::Package;

fn corpus() -> PathBuf {
    PathBuf::from(std::env::var_os("WARAQ_CORPUS").expect("WARAQ_CORPUS: a folder of documents"))
}

fn documents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    found.sort();
    found
}

/// Opens a document as the product does: the package, then all XML parts.
fn open(bytes: &[u8]) -> waraq_docx::Result<Package> {
    let package = Package::open(bytes)?;
    package.validate()?;
    Ok(package)
}

#[test]
#[ignore = "needs documents: WARAQ_CORPUS=FOLDER cargo test -p waraq-docx --test corpus -- --ignored"]
fn every_valid_document_opens_and_every_broken_one_is_refused_by_code() {
    let corpus = corpus();
    for (name, bytes) in documents(&corpus.join("valid")) {
        open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    for (name, bytes) in documents(&corpus.join("broken")) {
        let error = open(&bytes).expect_err(&name);
        println!("{name}: {error}");
    }
}

#[test]
#[ignore = "needs documents: WARAQ_CORPUS=FOLDER cargo test -p waraq-docx --test corpus -- --ignored"]
fn a_saved_package_opens_again_with_the_same_parts() {
    let corpus = corpus();
    for (name, bytes) in documents(&corpus.join("valid")) {
        let package = Package::open(&bytes).unwrap();
        let saved = package.to_bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = Package::open(&saved).unwrap_or_else(|error| panic!("{name}: {error}"));
        for part in package.part_names() {
            assert_eq!(package.part_bytes(part), again.part_bytes(part), "{name}: {part}");
        }
        assert_eq!(saved, again.to_bytes().unwrap(), "{name}");
    }
}

#[test]
#[ignore = "needs documents: WARAQ_CORPUS=FOLDER cargo test -p waraq-docx --test corpus -- --ignored"]
fn fields_match_the_expected_list_in_order() {
    let corpus = corpus();
    let list = std::fs::read_to_string(corpus.join("fields.tsv")).unwrap();
    let split = |cell: Option<&&str>| -> Vec<String> {
        cell.map(|cell| cell.split(" | ").map(str::to_owned).filter(|name| !name.is_empty()).collect())
            .unwrap_or_default()
    };
    let mut wanted = std::collections::BTreeMap::new();
    for line in list.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        wanted.insert(
            columns[0].to_owned(),
            (split(columns.get(3)), columns.get(4).copied().unwrap_or_default().to_owned()),
        );
    }
    for (name, bytes) in documents(&corpus.join("valid")) {
        let package = Package::open(&bytes).unwrap();
        let found = waraq_docx::fields::list(&package).unwrap_or_else(|error| panic!("{name}: {error}"));
        let texts: Vec<String> = found
            .iter()
            .filter(|field| field.kind == waraq_docx::fields::FieldKind::Text)
            .map(|field| field.name.clone())
            .collect();
        let (valid, invalid) = wanted.get(&name).cloned().unwrap_or_default();
        assert_eq!(texts, valid, "{name}");
        let findings = waraq_docx::fields::check(&package).unwrap().findings;
        let reported: Vec<&str> =
            // Merge fields are not in the list; their context is «name».
            findings.iter().filter(|finding| finding.code == "invalid_name" && !finding.context.as_deref().unwrap_or_default().starts_with('«')).flat_map(|finding| &finding.fields).map(String::as_str).collect();
        for name_of_field in &reported {
            assert!(invalid.contains(name_of_field), "{name}: {name_of_field} is reported, but the list has {invalid}");
        }
        assert_eq!(reported.is_empty(), invalid.is_empty(), "{name}: {reported:?} and {invalid}");
    }
}

#[test]
#[ignore = "needs documents: WARAQ_CORPUS=FOLDER cargo test -p waraq-docx --test corpus -- --ignored"]
fn every_filled_document_is_valid_and_has_no_fields() {
    let corpus = corpus();
    let out = std::env::var_os("WARAQ_CORPUS_OUT").map(PathBuf::from);
    for (name, bytes) in documents(&corpus.join("valid")) {
        let package = Package::open(&bytes).unwrap();
        let fields = waraq_docx::fields::list(&package).unwrap();
        let value = "Zoé & <fils>\nمحمد 12";
        let values = waraq_docx::fields::Values::from_pairs(fields.iter().map(|field| (&field.name, value))).unwrap();
        let filled = waraq_docx::fields::fill(&package, &values, Default::default()).unwrap();
        filled.validate().unwrap_or_else(|error| panic!("{name}: {error}"));
        let saved = filled.to_bytes().unwrap();
        let again = Package::open(&saved).unwrap();
        assert!(waraq_docx::fields::list(&again).unwrap().is_empty(), "{name}");
        if fields.is_empty() {
            for part in package.part_names() {
                assert_eq!(package.part_bytes(part), again.part_bytes(part), "{name}: {part}");
            }
        }
        if let Some(out) = &out {
            std::fs::write(out.join(&name), saved).unwrap();
        }
    }
}
