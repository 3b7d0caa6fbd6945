//! Selection of the parts that are needed for the pages. Other parts (properties, a thumbnail, custom XML, a glossary)
//! may be damaged or too large. Word opens such a document, and this crate does too.

use std::collections::{HashMap, HashSet};

use super::{Part, Relationship, names};
use crate::{Error, Result};

/// Relationship kinds of the main document and its parts that do not affect pages (ECMA-376 part 1, §11.3, §15.2;
/// [MS-DOCX] §2.2).
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

/// Returns the lower-case names of the main part and of all parts that it refers to, directly or through other parts.
/// The keys of `relationships` are the lower-case names of the source parts.
pub(super) fn reachable_from_main(main: &str, relationships: &HashMap<String, Vec<Relationship>>) -> HashSet<String> {
    let mut needed = HashSet::from([names::fold_case(main)]);
    let mut unvisited = vec![names::fold_case(main)];
    while let Some(source_part) = unvisited.pop() {
        let outgoing = relationships.get(&source_part).into_iter().flatten();
        for relationship in outgoing.filter(|known| !known.external && !INVISIBLE_KINDS.contains(&known.kind.as_str()))
        {
            let targets = [Some(relationship.target.clone()), names::percent_decoded(&relationship.target)];
            for target in targets.into_iter().flatten().map(|target| names::fold_case(&target)) {
                if needed.insert(target.clone()) {
                    unvisited.push(target);
                }
            }
        }
    }
    needed
}

/// Returns the errors of the broken parts, if none of them is needed for the pages. Otherwise fails with the error of
/// the needed part.
pub(super) fn errors_of_unneeded_parts<'p>(
    broken: impl Iterator<Item = (&'p Part, Error)>,
    needed: &HashSet<String>,
) -> Result<Vec<Error>> {
    let mut errors = Vec::new();
    for (part, error) in broken {
        // A relationships part is needed if its source part is. The package's own relationships were read before.
        let source_part = names::source_part_of(&part.name).unwrap_or_else(|| part.name.clone());
        if needed.contains(&names::fold_case(&source_part)) {
            return Err(error);
        }
        errors.push(error.in_part(part.name.clone()));
    }
    Ok(errors)
}
