//! Part names (ECMA-376 part 2, §6.2.2): from what zippers write to what relationships mean.

use waraq_rules::ErrorCode;

use crate::{Error, Result};

/// The part name of a zip entry: forward slashes, no leading slash, no `.` segments. `None` for folders.
/// A name that climbs (`..`) is no part name but an attack: `unsafe_part_name`.
pub(super) fn of_entry(raw: &str) -> Result<Option<String>> {
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

/// What two names have in common when they mean the same part: OPC compares without regard to case (§6.2.2.3).
pub(super) fn key(name: &str) -> String {
    name.to_lowercase()
}

/// The part a relationships part speaks for; `None` where the name is not one of a relationships part.
pub(super) fn owner_of(relationships: &str) -> Option<String> {
    let (folder, file) = relationships.rsplit_once('/').unwrap_or(("", relationships));
    if !folder.to_ascii_lowercase().ends_with("_rels") || !file.to_ascii_lowercase().ends_with(".rels") {
        return None;
    }
    let owner_folder = folder.get(..folder.len() - "_rels".len())?;
    if !owner_folder.is_empty() && !owner_folder.ends_with('/') {
        return None;
    }
    let file = file.get(..file.len() - ".rels".len())?;
    Some(format!("{owner_folder}{file}"))
}

/// A relationship's target against the folder of the part it stands in. Climbing past the root stays at the root.
pub(super) fn resolve(owner: &str, target: &str) -> String {
    let target = target.split(['#', '?']).next().unwrap_or("").replace('\\', "/");
    let folder = owner.rsplit_once('/').map_or("", |(folder, _)| folder);
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

/// The part that says what a part is related to: `word/_rels/document.xml.rels` for `word/document.xml`.
pub(crate) fn relationships_part(part: &str) -> String {
    let (folder, file) = part.rsplit_once('/').map_or(("", part), |(folder, file)| (folder, file));
    let separator = if folder.is_empty() { "" } else { "/" };
    format!("{folder}{separator}_rels/{file}.rels")
}

/// `%20` and its like undone, for producers that escape in relationships what they write plainly in the zip.
pub(super) fn percent_decoded(name: &str) -> Option<String> {
    let decoded = percent_encoding::percent_decode_str(name).decode_utf8().ok()?;
    (decoded != name).then(|| decoded.into_owned())
}
