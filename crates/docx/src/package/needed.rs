//! Selection of the parts that are needed for the pages. Other parts (properties, a thumbnail, custom XML, a glossary
//! document) may be damaged or too large. Word opens documents with such parts, and this crate does too.

use std::collections::{HashMap, HashSet};

use super::{Part, Relationship, names};
use crate::{Error, Result};

/// The kinds of relationships whose target parts do not affect the pages (ECMA-376 part 1, §11.3, §15.2; [MS-DOCX]
/// §2.2).
const INVISIBLE_KINDS: [&str; 13] = [
    "attachedTemplate",
    "attachedToolbars",
    "customXml",
    "customXmlProps",
    "glossaryDocument",
    "keyMapCustomizations",
    "mailMergeSource",
    "printerSettings",
    "recipientData",
    "stylesWithEffects",
    "transform",
    "vbaProject",
    "webSettings",
];

/// Returns the lower-case names of the parts that the pages need: the main part and all parts that it refers to,
/// directly or through other parts. Relationships of `INVISIBLE_KINDS` are ignored. The keys of `relationships` are the
/// lower-case names of the source parts.
pub(super) fn reachable_from_main(main: &str, relationships: &HashMap<String, Vec<Relationship>>) -> HashSet<String> {
    reachable([names::fold_case(main)], relationships, &|known| !INVISIBLE_KINDS.contains(&known.kind.as_str()))
}

/// Returns the lower-case names of the parts in `starts`, and of all parts that they refer to, directly or through
/// other parts. Follows an internal relationship only if `follow` returns `true` for it. External relationships are
/// ignored. The keys of `relationships` are the lower-case names of the source parts.
pub(super) fn reachable(
    starts: impl IntoIterator<Item = String>,
    relationships: &HashMap<String, Vec<Relationship>>,
    follow: &dyn Fn(&Relationship) -> bool,
) -> HashSet<String> {
    let mut unvisited: Vec<String> = starts.into_iter().collect();
    let mut found: HashSet<String> = unvisited.iter().cloned().collect();
    while let Some(source_part) = unvisited.pop() {
        let outgoing = relationships.get(&source_part).into_iter().flatten();
        for relationship in outgoing.filter(|known| !known.external && follow(known)) {
            let targets = [Some(relationship.target.clone()), names::percent_decoded(&relationship.target)];
            for target in targets.into_iter().flatten().map(|target| names::fold_case(&target)) {
                if found.insert(target.clone()) {
                    unvisited.push(target);
                }
            }
        }
    }
    found
}

/// Checks that the pages need none of the parts in `broken`, which cannot be read. Returns the errors of these parts.
/// `needed` contains the lower-case names of the parts that the pages need.
///
/// # Errors
/// Returns the error of the first broken part that the pages need.
pub(super) fn errors_of_unneeded_parts<'p>(
    broken: impl Iterator<Item = (&'p Part, Error)>,
    needed: &HashSet<String>,
) -> Result<Vec<Error>> {
    let mut errors = Vec::new();
    for (part, error) in broken {
        // A relationships part is needed if its source part is needed. The package's own relationships were read before.
        let source_part = names::source_part_of(&part.name).unwrap_or_else(|| part.name.clone());
        if needed.contains(&names::fold_case(&source_part)) {
            return Err(error);
        }
        errors.push(error.in_part(part.name.clone()));
    }
    Ok(errors)
}
