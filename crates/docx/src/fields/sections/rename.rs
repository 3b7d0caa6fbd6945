//! Names for the fields in rows. In an expanded template, the field `price` in the fourth row of `items` gets the name
//! `items[3].price`. No field of a template has such a name, because `[` is not allowed in names.

use std::collections::HashSet;

use super::render::ScopeStart;
use super::scopes::Scopes;
use crate::fields::merge::MergeContent;
use crate::fields::text_parts::ScannedPart;

/// A field in a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::fields) struct FlatName {
    /// The name in the expanded template, such as `items[3].price`.
    pub name: String,
    /// The scope of the row.
    pub scope: usize,
    /// The name of the column.
    pub column: String,
}

/// Renames the fields in the rows of lists.
pub(super) struct Renamer<'s, 'v> {
    scopes: &'s Scopes<'v>,
    known: HashSet<String>,
    pub names: Vec<FlatName>,
}

impl<'s, 'v> Renamer<'s, 'v> {
    pub(super) fn new(scopes: &'s Scopes<'v>, names: Vec<FlatName>) -> Self {
        let known = names.iter().map(|flat| flat.name.clone()).collect();
        Self { scopes, known, names }
    }

    /// Renames the fields of an expanded part. `starts` has the scopes of its bytes.
    pub(super) fn rename(&mut self, part: &mut ScannedPart<'_>, starts: &[ScopeStart]) {
        let scope_at = |at: usize| {
            let begun = starts.partition_point(|start| start.at <= at);
            begun.checked_sub(1).and_then(|last| starts.get(last)).map_or(0, |start| start.scope)
        };
        for (paragraph, found) in part.scan.paragraphs.iter().zip(&mut part.paragraph_fields) {
            for one in &mut found.matches {
                let at = paragraph.cells.get(one.cells.start).map_or(0, |cell| cell.span.start);
                self.rename_in(scope_at(at), &mut one.name);
            }
        }
        for (slot, found) in part.scan.slots.iter().zip(&mut part.slot_fields) {
            for one in &mut found.matches {
                let at = slot.text.cells.get(one.cells.start).map_or(0, |cell| cell.span.start);
                self.rename_in(scope_at(at), &mut one.name);
            }
        }
        for merge in &mut part.scan.merge_fields {
            let scope = scope_at(merge.start);
            match &mut merge.content {
                MergeContent::Value(value) => {
                    if let Some(name) = value.field_name() {
                        value.name = name;
                        value.is_in_row = self.rename_in(scope, &mut value.name);
                    }
                }
                MergeContent::Block(block) => {
                    for name in block.parts_mut().filter_map(|part| part.name.as_mut()) {
                        self.rename_in(scope, name);
                    }
                }
                MergeContent::Text(_) => {}
            }
        }
        for code in &mut part.scan.codes {
            let scope = scope_at(code.start);
            for one in &mut code.fields {
                self.rename_in(scope, &mut one.name);
            }
            if let Some(asked) = &mut code.asked {
                self.rename_in(scope, &mut asked.name);
            }
        }
        for &index in &part.field_controls {
            let Some(control) = part.scan.controls.get_mut(index) else { continue };
            let mut name = control.name();
            self.rename_in(scope_at(control.range.start), &mut name);
            control.tag = Some(name);
        }
    }

    /// Renames a field that is used in `scope`. Returns `false` if the field is in no row, so that its name stays.
    fn rename_in(&mut self, scope: usize, name: &mut String) -> bool {
        let owner = self.scopes.owner(scope, name);
        let Some(row) = self.scopes.get(owner).filter(|_| owner > 0) else { return false };
        let column = std::mem::take(name);
        *name = format!("{}{column}", row.prefix);
        if self.known.insert(name.clone()) {
            self.names.push(FlatName { name: name.clone(), scope: owner, column });
        }
        true
    }
}
