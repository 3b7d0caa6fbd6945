//! Which parts the pages are made from. What else a package carries (its properties, a thumbnail, custom XML, a glossary)
//! may be too large or damaged: Word opens the document without it, and so does this crate.

use std::collections::{HashMap, HashSet};

use super::{Part, Relationship, names};
use crate::{Error, Result};

/// Relationships of the main document and its parts that lead to nothing a page shows (ECMA-376 part 1, §11.3, §15.2;
/// [MS-DOCX] §2.2).
const UNSEEN: [&str; 13] = [
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

/// The folded names of the main part and of all that is reached from it.
pub(super) fn from_main(main: &str, relationships: &HashMap<String, Vec<Relationship>>) -> HashSet<String> {
    let mut needed = HashSet::from([names::key(main)]);
    let mut open = vec![names::key(main)];
    while let Some(owner) = open.pop() {
        let seen = relationships.get(&owner).into_iter().flatten();
        for relationship in seen.filter(|known| !known.external && !UNSEEN.contains(&known.kind.as_str())) {
            let targets = [Some(relationship.target.clone()), names::percent_decoded(&relationship.target)];
            for target in targets.into_iter().flatten().map(|target| names::key(&target)) {
                if needed.insert(target.clone()) {
                    open.push(target);
                }
            }
        }
    }
    needed
}

/// Tells the errors of needed parts, the first of which refuses the document, from those of parts it can do without.
pub(super) fn sort<'p>(
    broken: impl Iterator<Item = (&'p Part, Error)>,
    needed: &HashSet<String>,
) -> Result<Vec<Error>> {
    let mut left_out = Vec::new();
    for (part, error) in broken {
        // The relationships of a part are as needed as the part; those of the package were read before.
        let owner = names::owner_of(&part.name).unwrap_or_else(|| part.name.clone());
        if needed.contains(&names::key(&owner)) {
            return Err(error);
        }
        left_out.push(error.in_part(part.name.clone()));
    }
    Ok(left_out)
}
