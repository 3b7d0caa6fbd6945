//! Real documents, where there are some: `WARAQ_CORPUS` names a folder with `valid/`, `broken/` and `fields.tsv`.
//! Without it these tests pass without having looked at anything.

use std::path::{Path, PathBuf};

use waraq_docx::Package;

fn corpus() -> Option<PathBuf> {
    std::env::var_os("WARAQ_CORPUS").map(PathBuf::from)
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

/// Opened as every door of the product opens: the package, then its parts.
fn open(bytes: &[u8]) -> waraq_docx::Result<Package> {
    let package = Package::open(bytes)?;
    package.validate()?;
    Ok(package)
}

#[test]
fn every_valid_document_opens_and_every_broken_one_is_refused_by_code() {
    let Some(corpus) = corpus() else { return };
    for (name, bytes) in documents(&corpus.join("valid")) {
        open(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    for (name, bytes) in documents(&corpus.join("broken")) {
        let error = open(&bytes).expect_err(&name);
        println!("{name}: {error}");
    }
}

#[test]
fn a_saved_package_opens_again_with_the_same_parts() {
    let Some(corpus) = corpus() else { return };
    for (name, bytes) in documents(&corpus.join("valid")) {
        let package = Package::open(&bytes).unwrap();
        let saved = package.to_bytes().unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = Package::open(&saved).unwrap_or_else(|error| panic!("{name}: {error}"));
        for part in package.part_names() {
            assert_eq!(package.part(part), again.part(part), "{name}: {part}");
        }
        assert_eq!(saved, again.to_bytes().unwrap(), "{name}");
    }
}
