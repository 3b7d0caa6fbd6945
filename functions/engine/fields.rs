//! Fields found and filled: until docx's own rules land, only `{{name}}` in one run of the main part.

use std::io::{Cursor, Read, Write};

use waraq_core::publishing::Finding;
use waraq_core::{Error, Result};

pub fn check(package: &waraq_engine::Package, _docx: &[u8]) -> Result<(Vec<String>, Vec<Finding>)> {
    let xml = package.part(package.main_part()).map(String::from_utf8_lossy).unwrap_or_default();
    let mut names: Vec<String> = Vec::new();
    for piece in xml.split("{{").skip(1) {
        if let Some((name, _)) = piece.split_once("}}")
            && !names.contains(&name.trim().to_owned())
        {
            names.push(name.trim().to_owned());
        }
    }
    Ok((names, Vec::new()))
}

pub fn fill(docx: &[u8], values: &[(String, String)], _blank: bool) -> Result<Vec<u8>> {
    let broken = |error: zip::result::ZipError| Error::internal(error.to_string());
    let io = |error: std::io::Error| Error::internal(error.to_string());
    let mut archive = zip::ZipArchive::new(Cursor::new(docx)).map_err(broken)?;
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(broken)?;
        if !matches!(entry.name().as_deref(), Ok("word/document.xml")) {
            out.raw_copy_file(entry).map_err(broken)?;
            continue;
        }
        let mut xml = String::new();
        entry.read_to_string(&mut xml).map_err(io)?;
        for (name, value) in values {
            let value = value.replace('&', "&amp;").replace('<', "&lt;");
            xml = xml.replace(&format!("{{{{{name}}}}}"), &value).replace(&format!("{{{{ {name} }}}}"), &value);
        }
        out.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).map_err(broken)?;
        out.write_all(xml.as_bytes()).map_err(io)?;
    }
    Ok(out.finish().map_err(broken)?.into_inner())
}
