//! Fuzz target for packages: arbitrary bytes as zip, and zips of arbitrary entries.

use waraq_docx::Package;
use waraq_docx::build::zip_archive;
use waraq_engine::LayoutOptions;

use crate::{checks, memory};

const MEGABYTES: usize = 256;

/// Opens a zip file. Input that begins with a line `parts` lists its entries: each has a line `@name`, followed by its
/// content.
pub fn package(data: &[u8]) {
    memory::with_limit(MEGABYTES, || match data.strip_prefix(b"parts\n") {
        Some(listed) => {
            let parts = entries(listed);
            let zip = zip_archive(parts.iter().map(|(name, content)| (name.as_str(), *content)));
            open(&zip, data);
        }
        None => open(data, data),
    });
}

fn entries(listed: &[u8]) -> Vec<(String, &[u8])> {
    let mut found: Vec<(String, &[u8])> = Vec::new();
    let mut starts: Vec<usize> =
        listed.windows(2).enumerate().filter(|(_, w)| *w == b"\n@").map(|(at, _)| at + 1).collect();
    if listed.starts_with(b"@") {
        starts.insert(0, 0);
    }
    for (index, start) in starts.iter().enumerate() {
        let end = starts.get(index + 1).map_or(listed.len(), |next| next - 1);
        let entry = &listed[start + 1..end];
        let line = entry.iter().position(|byte| *byte == b'\n').unwrap_or(entry.len());
        let name = String::from_utf8_lossy(&entry[..line]).into_owned();
        if !found.iter().any(|(known, _)| *known == name) {
            found.push((name, entry.get(line + 1..).unwrap_or_default()));
        }
    }
    found
}

fn open(bytes: &[u8], data: &[u8]) {
    let package = match Package::open(bytes) {
        Ok(package) => package,
        Err(error) => return checks::assert_has_message(&error),
    };
    match package.to_bytes() {
        Ok(saved) => is_the_same(&package, &saved),
        Err(error) => checks::assert_has_message(&error),
    }
    checks::check_fields(&package);
    checks::lay_out(&package, data, &LayoutOptions::default());
}

/// Checks that a saved package opens with the same parts and is saved again as the same bytes.
fn is_the_same(package: &Package, saved: &[u8]) {
    let again = Package::open(saved).unwrap_or_else(|error| panic!("a saved package does not open: {error}"));
    assert!(package.part_names().eq(again.part_names()), "the parts are not those that were saved");
    for part in package.part_names() {
        assert_eq!(package.part_bytes(part), again.part_bytes(part), "{part} is not what was saved");
    }
    assert_eq!(again.to_bytes().as_deref(), Ok(saved), "saving again is not the same");
}
