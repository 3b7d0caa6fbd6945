//! The zip package (ECMA-376 part 2, Open Packaging Conventions): its parts and their relationships.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::{Error, Result};

/// An opened `.docx`: every part inflated, in memory, by its name without the leading slash (`word/document.xml`).
#[derive(Debug, Clone)]
pub struct Package {
    parts: BTreeMap<String, Vec<u8>>,
    main: String,
}

impl Package {
    /// Opens a document. Refuses what is not a zip, encrypted, too large, or without a main document part.
    pub fn open(bytes: &[u8]) -> Result<Self> {
        let mut archive = zip::ZipArchive::new(Cursor::new(bytes))
            .map_err(|_| Error::new("not_a_zip", "Can't find end of central directory : is this a zip file ?"))?;
        let mut parts = BTreeMap::new();
        for index in 0..archive.len() {
            let corrupted = |_| Error::new("corrupted_zip", "Corrupted zip");
            let mut entry = archive.by_index(index).map_err(corrupted)?;
            let name = entry.name().map_err(corrupted)?.replace('\\', "/").trim_start_matches('/').to_owned();
            let mut data = Vec::new();
            entry.read_to_end(&mut data).map_err(|_| Error::new("corrupted_zip", "Corrupted zip"))?;
            parts.insert(name, data);
        }
        let mut package = Self { parts, main: String::new() };
        let main = package.relationships("").into_iter().find(|r| r.kind == "officeDocument").map(|r| r.target);
        package.main = main
            .filter(|name| package.parts.contains_key(name))
            .ok_or_else(|| Error::new("no_main_part", "This is not a Word document: it has no main document part."))?;
        Ok(package)
    }

    /// The bytes of a part as UTF-8 XML or as they were stored (pictures, fonts).
    pub fn part(&self, name: &str) -> Option<&[u8]> {
        self.parts.get(name).map(Vec::as_slice)
    }

    /// The name of the main document part, found by following the package's relationships.
    pub fn main_part(&self) -> &str {
        &self.main
    }

    /// The relationships of a part (`word/document.xml` → `word/_rels/document.xml.rels`), targets resolved to part
    /// names (internal) or left as they are (external). Strict relationship types are mapped to transitional ones.
    pub fn relationships(&self, part: &str) -> Vec<Relationship> {
        let (folder, file) = part.rsplit_once('/').unwrap_or(("", part));
        let name = if folder.is_empty() { format!("_rels/{file}.rels") } else { format!("{folder}/_rels/{file}.rels") };
        let Some(data) = self.part(&name) else { return Vec::new() };
        let mut reader = Reader::from_reader(data);
        let mut buffer = Vec::new();
        let mut found = Vec::new();
        while let Ok(event) = reader.read_event_into(&mut buffer) {
            let element = match event {
                Event::Eof => break,
                Event::Start(e) | Event::Empty(e) if e.local_name().as_ref() == "Relationship" => e,
                _ => continue,
            };
            let mut relationship =
                Relationship { id: String::new(), kind: String::new(), target: String::new(), external: false };
            for attribute in element.attributes().flatten() {
                let value = attribute.value.replace("&amp;", "&");
                match attribute.key.as_ref() {
                    "Id" => relationship.id = value,
                    "Type" => relationship.kind = value.rsplit('/').next().unwrap_or("").to_owned(),
                    "Target" => relationship.target = value,
                    "TargetMode" => relationship.external = value == "External",
                    _ => {}
                }
            }
            if !relationship.external {
                relationship.target = resolve(folder, &relationship.target);
            }
            found.push(relationship);
            buffer.clear();
        }
        found
    }
}

/// A target against the folder of the part it stands in.
fn resolve(folder: &str, target: &str) -> String {
    if let Some(absolute) = target.strip_prefix('/') {
        return absolute.to_owned();
    }
    let mut path: Vec<&str> = folder.split('/').filter(|s| !s.is_empty()).collect();
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                path.pop();
            }
            other => path.push(other),
        }
    }
    path.join("/")
}

/// ECMA-376 part 2, §9.3.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relationship {
    pub id: String,
    /// The last segment of the type's URI: `styles`, `image`, `header`, `hyperlink` …
    pub kind: String,
    pub target: String,
    pub external: bool,
}
