//! Part names (ECMA-376 part 2, §6.2.2): conversion of zip entry names and relationship targets to part names.

use waraq_rules::ErrorCode;

use crate::{Error, Result};

/// Converts the name of a zip entry to a part name: with forward slashes, without a leading slash and without `.`
/// segments. Returns `None` for folders.
///
/// # Errors
/// `unsafe_part_name` if the name contains a `..` segment, which indicates an attack.
pub(super) fn from_zip_entry(raw: &str) -> Result<Option<String>> {
    let slashed = raw.replace('\\', "/");
    if slashed.is_empty() || slashed.ends_with('/') {
        return Ok(None);
    }
    let mut segments = Vec::new();
    for segment in slashed.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                return Err(Error::new(
                    ErrorCode::UnsafePartName,
                    format!("The name {raw:?} leads out of the package; Word does not write such files."),
                ));
            }
            other => segments.push(other),
        }
    }
    Ok(Some(segments.join("/")))
}

/// Returns a part name in lower case, as a map key. OPC compares names case-insensitively (§6.2.2.3).
pub(super) fn fold_case(name: &str) -> String {
    name.to_lowercase()
}

/// Returns the name of the source part of a relationships part. For `word/_rels/document.xml.rels`, this is
/// `word/document.xml`. For `_rels/.rels`, it is the empty name. Returns `None` if `relationships` is not the name of a
/// relationships part.
pub(super) fn source_part_of(relationships: &str) -> Option<String> {
    let (folder, file) = relationships.rsplit_once('/').unwrap_or(("", relationships));
    if !folder.to_ascii_lowercase().ends_with("_rels") || !file.to_ascii_lowercase().ends_with(".rels") {
        return None;
    }
    let source_folder = folder.get(..folder.len() - "_rels".len())?;
    if !source_folder.is_empty() && !source_folder.ends_with('/') {
        return None;
    }
    let file = file.get(..file.len() - ".rels".len())?;
    Some(format!("{source_folder}{file}"))
}

/// Resolves a relationship target against the folder of its source part, and returns the part name. The fragment and
/// the query of the target are removed. A `..` that would leave the package is ignored.
pub(super) fn resolve_target(source_part: &str, target: &str) -> String {
    let target = target.split(['#', '?']).next().unwrap_or("").replace('\\', "/");
    let folder = source_part.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut path: Vec<&str> = Vec::new();
    if !target.starts_with('/') {
        path.extend(folder.split('/').filter(|segment| !segment.is_empty()));
    }
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

/// Returns the name of a part's relationships part: `word/_rels/document.xml.rels` for `word/document.xml`.
pub(crate) fn relationships_part(part: &str) -> String {
    let (folder, file) = part.rsplit_once('/').map_or(("", part), |(folder, file)| (folder, file));
    let separator = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{separator}_rels/{file}.rels")
}

/// Decodes percent escapes such as `%20`. Some programs escape part names in relationships, but not in the zip archive.
/// Returns `None` if decoding changes nothing or gives no valid UTF-8.
pub(super) fn percent_decoded(name: &str) -> Option<String> {
    let decoded = percent_encoding::percent_decode_str(name).decode_utf8().ok()?;
    (decoded != name).then(|| decoded.into_owned())
}
